"""Products of matrices of floats in machine code have NumPy's bits, without being asked for."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import DTYPES
from runtime.executors.native import numpys_own, numpys_sums

LENGTHS = 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 65
FLOATS = ("float32", "float64")


def numbers(shape, dtype=np.float64, seed=0):
    random = np.random.default_rng((seed, *shape))
    found = random.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        found = found + 1j * random.normal(size=shape)
    return (found / max(shape) ** 0.5).astype(dtype)


def compared(function, *arguments, executor="native"):
    """Compares a graph with the NumPy program and with plain NumPy, bit for bit."""
    graph = ag.function(function)
    with np.errstate(all="ignore"):
        expected = function(*arguments)
        for found in (graph(*arguments), graph(*arguments), graph.on_executor("numpy")(*arguments)):
            assert np.asarray(found).tobytes() == np.asarray(expected).tobytes()
    report = graph.concrete_functions[0].report()
    assert report.executor == executor, report.why
    return report


def by_matrix(a, x, n):
    for _ in range(n):
        x = a @ x * 0.5
    return x


def by_transposed(a, x, n):
    for _ in range(n):
        x = a.T @ x * 0.5
    return x


def row_by_matrix(a, x, n):
    for _ in range(n):
        x = x @ a * 0.5
    return x


def row_by_transposed(a, x, n):
    for _ in range(n):
        x = x @ a.T * 0.5
    return x


TURNS = [by_matrix, by_transposed, row_by_matrix, row_by_transposed]
NUMBERS = [*FLOATS, "complex64", "complex128"]


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("turn", TURNS)
def test_a_matrix_and_a_vector_are_multiplied_as_numpy_does(turn, dtype):
    some = NUMBERS.index(dtype) + TURNS.index(turn)  # each turn and each dtype has all lengths, by turns
    for length in LENGTHS[some % len(NUMBERS) :: len(NUMBERS)]:
        compared(turn, numbers((length, length), dtype), numbers((length,), dtype), np.int64(3))


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("turn", TURNS)
def test_so_are_those_of_a_length_that_only_the_run_knows(turn, dtype):
    specs = rt.TensorSpec((None, None), dtype), rt.TensorSpec((None,), dtype), rt.TensorSpec((), "int64")
    graph = ag.function(turn, input_signature=specs)
    for length in LENGTHS:
        a, x = numbers((length, length), dtype), numbers((length,), dtype)
        assert graph(a, x, np.int64(3)).numpy().tobytes() == turn(a, x, 3).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def of_matrices(a, b, n):
    total = a @ b * 0.5
    for _ in range(n):
        total = total + a @ (b @ a) @ (b @ total) * 0.5 + b.T @ (a.T @ total)
    return total


@pytest.mark.parametrize("dtype", [*FLOATS, "complex64"])
def test_matrices_are_multiplied_as_numpy_does(dtype):
    for rows, columns in [(2, 3), (5, 5), (9, 4), (16, 33), (1, 7), (7, 1), (65, 20)]:
        compared(
            of_matrices, numbers((rows, columns), dtype), numbers((columns, rows), dtype, 1), np.int64(3)
        )


def of_vectors(a, x, n):
    total = 0 * x[0]
    for i in range(n):
        total = total + x @ x + a[i] @ x + a[:, i] @ x + a[::2, 0] @ a[::2, 1] + x[::-1] @ a[0]
        total = total + np.dot(x, a[i]) + np.inner(x, a[0]) + np.vdot(x, a[1]) + np.vecdot(a, x)[0]
    return total


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("length", [3, 4, 8, 31, 64, 100])
def test_vectors_in_steps_and_turned_round_are_multiplied_as_numpy_does(length, dtype):
    compared(of_vectors, numbers((length, length), dtype), numbers((length,), dtype), np.int64(3))


def of_parts(a, x, n):
    part = x[:3] * 1.5
    for i in range(n):
        part = part * 0.1 + a[:3, 1:4] @ part + part @ a[1:4, :3] + a[::2][0] @ a[:, :3] + a[i, 2:5]
        part = part + (a[1:7:2, ::3] @ a[::3, :3] @ a[:3, 4:7].T)[0]
    return part


@pytest.mark.parametrize("dtype", FLOATS)
def test_parts_of_a_matrix_are_read_where_they_are(dtype):
    a = numbers((12, 12), dtype)
    report = compared(of_parts, a, numbers((12,), dtype), np.int64(4))
    assert "call of Python" not in str(report)


def by_a_vector_of_rows(a, x, n):
    row, column = x[None, :] * 1.0, x[:, None] * 1.0
    for _ in range(n):
        row, column = row @ a * 0.5, a @ column * 0.5
    return row, column, column @ row


def test_tables_of_one_row_or_column_are_vectors():
    graph = ag.function(by_a_vector_of_rows)
    a, x = numbers((9, 9)), numbers((9,))
    for found, expected in zip(graph(a, x, np.int64(3)), by_a_vector_of_rows(a, x, 3), strict=True):
        assert found.numpy().tobytes() == expected.tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def batched(a, b, n):
    total = a @ b
    for _ in range(n):
        total = a @ (total * 0.1) + np.vecdot(a, b)[..., None]
    return total


@pytest.mark.parametrize(
    "shapes", [((4, 3, 3), (3, 3)), ((4, 3, 3), (4, 3, 3)), ((2, 1, 3, 3), (1, 5, 3, 3))]
)
def test_stacks_of_matrices_are_multiplied_one_by_one(shapes):
    a, b = (numbers(shape) for shape in shapes)
    compared(batched, a, b, np.int64(2))


def squares(a, n):
    total = 0.0 * a
    for _ in range(n):
        total = total + (a.T @ a) @ (a @ a.T)
    return total


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("length", [2, 5, 17, 33])
def test_a_matrix_that_meets_itself_transposed_is_one_half_as_in_numpy(length, dtype):
    compared(squares, numbers((length, length), dtype), np.int64(2))


def first_itself(a, n):
    b = a
    for _ in range(n):
        b = b @ a.T * 0.5
    return b


def test_where_a_matrix_may_meet_itself_in_some_turns_numpy_computes():
    for length in (5, 17, 33):
        compared(first_itself, numbers((length, length)), np.int64(3), executor="numpy")


def pages(a, i, j, n):
    total = a[0] * 0.0
    for _ in range(n):
        total = total + a[i] @ a[j].T
    return total


@pytest.mark.parametrize("pair", [(0, 1), (1, 1), (2, 2)])
def test_pages_of_a_table_meet_themselves_where_their_numbers_are_equal(pair):
    compared(pages, numbers((3, 17, 17)), *map(np.int64, pair), np.int64(2))


def one_of_two(a, x, n):
    for _ in range(n):
        b = a.T if x[0] > 0 else a
        x = b @ x * 0.5
    return x


def test_where_nobody_knows_how_a_matrix_lies_numpy_computes():
    compared(one_of_two, numbers((9, 9)), numbers((9,)), np.int64(4), executor="numpy")


def written_between(a, x, n):
    a = a * 1.0
    for i in range(n):
        column = a[:, 0]
        kept = column * 1.0
        a[i, 0] = x[i]
        x = x + a[:, 0] @ x + column @ x + kept @ x
    return x


def test_what_is_written_into_is_multiplied_as_it_is_then():
    a, x = numbers((8, 8)), numbers((8,))
    graph = ag.function(written_between)
    assert graph(a, x, np.int64(5)).numpy().tobytes() == written_between(a, x, 5).tobytes()


@pytest.mark.parametrize("turn", [np.asfortranarray, lambda x: np.repeat(x, 2, 1)[:, ::2]])
def test_matrices_that_lie_otherwise_are_multiplied_as_numpy_does(turn):
    a, x = turn(numbers((20, 20))), numbers((20,))
    graph, copy = ag.function(by_matrix), np.ascontiguousarray(a)
    ways = {by_matrix(each, x, 4).tobytes() for each in (a, copy)}  # a first call may copy its arguments
    for _ in range(3):
        assert graph(a, x, np.int64(4)).numpy().tobytes() in ways
    assert graph(copy, x, np.int64(4)).numpy().tobytes() == by_matrix(copy, x, 4).tobytes()


def test_memory_that_begins_between_the_places_of_vectors_changes_no_bit():
    a, x = numbers((33, 33)), numbers((33,))
    graph, expected = ag.function(by_matrix), by_matrix(a, x, 3)
    for first in range(8):
        memory = np.empty(33 * 33 + 8)
        own = memory[first : first + 33 * 33].reshape(33, 33)
        own[...] = a
        assert graph(own, x, np.int64(3)).numpy().tobytes() == expected.tobytes()


def test_infinities_and_what_is_no_number_are_numpys():
    for value in (np.inf, -np.inf, np.nan, -0.0):
        a, x = numbers((9, 9)), numbers((9,))
        a[2, 3] = x[4] = value
        compared(by_matrix, a, x, np.int64(3))
        compared(of_vectors, a, x, np.int64(3))


def test_an_overflow_in_a_product_is_told_as_numpy_tells_it():
    a, x = np.full((4, 4), 1e200), np.full(4, 1e200)
    graph = ag.function(by_matrix)
    with pytest.warns(RuntimeWarning, match="overflow encountered in matmul"):
        graph(a, x, np.int64(1))


def with_norms(x, n):
    for _ in range(n):
        x = x / np.linalg.norm(x) + 1.0
    return np.linalg.norm(x), x


def test_a_norm_is_numpys():
    for length in (2, 3, 9, 33, 1000):
        x = numbers((length,)) * 10.0
        compared(lambda x, n: with_norms(x, n)[1], x, np.int64(3))
    with pytest.warns(RuntimeWarning, match="overflow encountered in dot"):
        assert float(ag.function(lambda x: np.linalg.norm(x))(np.array([1e200, 1.0]))) == np.inf


def of_any_length(a, x, n):
    for _ in range(n):
        x = np.tanh(a @ x) + a.T @ x
        x = x / np.sum(np.abs(x)) + x @ x
    return x


def test_lengths_that_only_a_run_knows_are_as_good():
    any_length = (
        rt.TensorSpec((None, None), "float64"),
        rt.TensorSpec((None,), "float64"),
        rt.TensorSpec((), "int64"),
    )
    graph = ag.function(of_any_length, input_signature=any_length)
    for length in (1, 2, 5, 33, 200):
        a, x = numbers((length, length)), numbers((length,))
        assert graph(a, x, np.int64(3)).numpy().tobytes() == of_any_length(a, x, 3).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def test_lengths_that_do_not_fit_raise_what_numpy_raises():
    any_length = (
        rt.TensorSpec((None, None), "float64"),
        rt.TensorSpec((None,), "float64"),
        rt.TensorSpec((), "int64"),
    )
    graph = ag.function(by_matrix, input_signature=any_length)
    graph(numbers((3, 3)), numbers((3,)), np.int64(2))
    with pytest.raises(ValueError, match="do not multiply"):
        graph(numbers((3, 3)), numbers((4,)), np.int64(2))


DOUBLE = next(dtype for dtype in DTYPES if dtype.name == "float64")


@pytest.fixture
def tried_anew():
    numpys_sums.has_loop.cache_clear()
    yield
    numpys_sums.has_loop.cache_clear()


@pytest.mark.usefixtures("tried_anew")
@pytest.mark.parametrize("function", ["matmul", "vecdot", "add"])
def test_loops_are_not_called_that_are_not_where_they_look(monkeypatch, function):
    assert numpys_sums.has_loop(function, DOUBLE)
    numpys_sums.has_loop.cache_clear()
    monkeypatch.setattr(numpys_sums, "in_table", lambda *_: None)
    assert not numpys_sums.has_loop(function, DOUBLE)


@pytest.mark.usefixtures("tried_anew")
def test_a_loop_that_adds_in_another_way_is_not_called(monkeypatch):
    monkeypatch.setattr(numpys_sums, "in_table", lambda _, dtype: numpys_own.in_table("subtract", dtype))
    assert not numpys_sums.has_loop("add", DOUBLE)


def test_loops_give_what_their_functions_give():
    x = np.arange(6.0).reshape(2, 3)
    assert numpys_sums._by_loop("matmul", DOUBLE, x, x.T) == np.matmul(x, x.T).tobytes()
    assert numpys_sums._of_row(DOUBLE, x.reshape(-1)) == np.add.reduce(x, axis=None).tobytes()


def steps(xs, w, u, b, h):
    for x in xs:
        h = np.tanh(w @ x + u @ h + b)
    return h


@pytest.mark.parametrize("width", [1, 8, 33, 100, 300])
def test_a_recurrent_network_is_machine_code_of_any_width(width):
    arguments = (numbers((20, 5)), numbers((width, 5)), numbers((width, width)), numbers((width,)))
    compared(steps, *arguments, np.zeros(width))
