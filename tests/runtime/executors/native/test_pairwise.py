"""Sums of floats in machine code have NumPy's bits, without being asked for."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def summed(x, n):
    total = x[0] * 0.0
    for i in range(n):
        total = total + np.sum(x * (i + 1.0)) + (x - total).mean()
    return total


def spread(count, dtype=np.float64):
    rng = np.random.default_rng(count)
    return (rng.normal(size=count) * 10.0 ** rng.integers(-6, 6, count)).astype(dtype)


COUNTS = [1, 2, 7, 8, 9, 15, 16, 17, 100, 127, 128, 129, 136, 257, 1000]
DTYPES = [np.float64, np.float32]


@pytest.mark.parametrize(
    ("count", "dtype"),
    [
        *((count, DTYPES[number % 2]) for number, count in enumerate(COUNTS)),
        *((count, DTYPES[1 - COUNTS.index(count) % 2]) for count in (1, 8, 9, 128, 129)),  # where ways part
    ],
)
def test_a_sum_is_added_up_pairwise_as_numpy_does(count, dtype):
    graph, x = ag.function(summed), spread(count, dtype)
    assert graph(x, np.int64(5)).numpy().tobytes() == summed(x, 5).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("count", [1025, 4096, 100_003])
def test_many_elements_are_added_up_by_numpys_own_loop(count, dtype):
    graph, x = ag.function(summed), spread(count, dtype)
    assert graph(x, np.int64(3)).numpy().tobytes() == summed(x, 3).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def test_so_are_elements_of_which_only_a_run_knows_how_many_there_are():
    any_length = rt.TensorSpec((None,), "float64"), rt.TensorSpec((), "int64")
    graph = ag.function(summed, input_signature=any_length)
    for count in (1, 7, 8, 129, 1000, 5000):
        x = spread(count)
        assert graph(x, np.int64(3)).numpy().tobytes() == summed(x, 3).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def of_turned(x, n):
    total = 0.0
    for i in range(n):
        total += np.sum(x * (i + 1.0)) + x.T[0, 1] + np.sum(x[:, 0]) + np.sum((x @ x.T)[1])
    return total


def test_a_table_that_is_turned_elsewhere_keeps_no_sum_from_machine_code():
    graph, x = ag.function(of_turned), spread(600).reshape(20, 30)
    assert graph(x, np.int64(4)).numpy().tobytes() == np.float64(of_turned(x, 4)).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def of_picked(x, columns, n):
    total = 0.0
    for i in range(n):
        total += np.sum(x[:, columns] * (i + 1.0))
    return total


def test_columns_that_are_picked_lie_as_numpy_likes_and_stay_there():
    graph, x = ag.function(of_picked), spread(600).reshape(20, 30)
    assert np.isclose(float(graph(x, np.array([1, 5, 3]), np.int64(4))), of_picked(x, [1, 5, 3], 4))
    assert graph.concrete_functions[0].report().executor == "numpy"


def of_rows(x, n):
    total = np.zeros(x.shape[0])
    for i in range(n):
        total = total + np.sum(x * (i + 1.0), axis=1) + np.sum(x - total[0])
    return total


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (1, 20), (20, 1), (4, 200), (30, 30)])
def test_rows_and_tables_are_added_up_as_numpy_does(shape):
    graph, x = ag.function(of_rows), spread(shape[0] * shape[1]).reshape(shape)
    assert graph(x, np.int64(4)).numpy().tobytes() == of_rows(x, 4).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


@pytest.mark.parametrize(
    "turn", [np.asfortranarray, lambda x: x[::-1], lambda x: x[:, ::-1], lambda x: np.repeat(x, 2, 1)[:, ::2]]
)
def test_arrays_that_lie_otherwise_are_added_up_as_numpy_does(turn):
    graph, x = ag.function(of_rows), turn(spread(900).reshape(30, 30))
    for _ in range(3):
        assert graph(x, np.int64(4)).numpy().tobytes() == of_rows(x, 4).tobytes()


def test_a_row_that_is_turned_round_is_added_up_as_numpy_does():
    graph, x = ag.function(summed), spread(300)[::-1]
    for _ in range(3):
        assert graph(x, np.int64(4)).numpy().tobytes() == summed(x, 4).tobytes()


def turned(x, n):
    total = 0.0
    for i in range(n):
        total += np.sum(x.T * (i + 1.0)) + np.sum(x[:, ::-1] * 2.0) + np.sum(x[0, ::-1])
    return total


def test_arrays_that_the_function_turns_keep_it_on_numpy():
    graph, x = ag.function(turned), spread(600).reshape(20, 30)
    assert graph(x, np.int64(4)).numpy().tobytes() == turned(x, 4).tobytes()
    report = graph.concrete_functions[0].report()
    assert report.executor == "numpy"
    assert "a sum of floats has other last bits than NumPy's" in report.why


def nothing_but_zeros(x, n):
    total = np.float64(-0.0)
    for _ in range(n):
        total = total * np.sum(x)
    return np.sum(x), total


def test_a_sum_of_negative_zeros_has_numpys_sign():
    graph, x = ag.function(nothing_but_zeros), np.full(5, -0.0)
    found = [each.numpy().tobytes() for each in graph(x, np.int64(2))]
    assert found == [each.tobytes() for each in nothing_but_zeros(x, 2)]


def columns(x):
    found = np.zeros(x.shape[1])
    for j in range(x.shape[1]):
        found[j] = x[:, j].sum() + x[1:, j].sum()
    return found


def test_columns_of_a_table_are_added_up_as_numpy_does():
    graph, x = ag.function(columns), spread(50 * 40).reshape(50, 40)
    assert graph(x).numpy().tobytes() == columns(x).tobytes()


def extremes(x, n):
    total = np.float64(0.0)
    for i in range(n):
        total = total / 2.0 + np.max(x * (i - 1.0)) - np.min(x - total)
    return total, np.max(x), np.min(x)


@pytest.mark.parametrize("count", [1, 2, 7, 16, 33, 200])
def test_the_least_and_the_most_of_floats_are_numpys(count):
    graph = ag.function(extremes)
    x = spread(count)
    for values in (x, np.abs(x), np.where(x > 0, x, np.nan)):
        found = [each.numpy() for each in graph(values, np.int64(4))]
        np.testing.assert_array_equal(found, [*extremes(values, 4)])
    assert graph.concrete_functions[0].report().executor == "native"


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 16, 33])
def test_the_least_and_the_most_of_zeros_have_numpys_signs(count):
    graph, rng = ag.function(extremes), np.random.default_rng(count)
    for _ in range(20):
        x = np.where(rng.random(count) < 0.5, 0.0, -0.0)
        x[rng.random(count) < 0.3] = -1.0
        found = [each.numpy().tobytes() for each in graph(x, np.int64(3))]
        assert found == [each.tobytes() for each in extremes(x, 3)]


def joined(x, n):
    total = 0.0
    for i in range(n):
        table = np.broadcast_to(x * (i + 1.0), (3, x.shape[0]))
        total += np.sum(np.concatenate([table, table]) * 2.0) + np.sum(np.concatenate([x, x]))
    return total


def test_tables_that_are_repeated_and_joined_are_added_up_as_numpy_does():
    graph, x = ag.function(joined), spread(37)
    assert graph(x, np.int64(4)).numpy().tobytes() == np.float64(joined(x, 4)).tobytes()


def diagonal(x, n):
    total = 0.0
    for i in range(n):
        total += np.sum(np.diag(x) * (i + 1.0)) + np.sum(np.diag(x)) + np.sum(x * 2.0)
    return total


def test_a_diagonal_is_added_up_as_numpy_does():
    graph, x = ag.function(diagonal), spread(400).reshape(20, 20)
    assert graph(x, np.int64(4)).numpy().tobytes() == diagonal(x, 4).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def of_columns(x, n):
    total = x[0] * 0.0
    for i in range(n):
        total = total + np.sum(x * (i + 1.0), axis=0) + np.exp(x).mean(axis=0) + (x - total).sum(axis=-2)
        total = total + np.sum(np.stack([x, x * 2.0]), axis=1, keepdims=True)[1, 0] * 1e-3
    return total


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        *((shape, np.float64) for shape in [(3, 5), (1, 20), (200, 2), (30, 30), (4, 300), (1000, 7)]),
        *((shape, np.float32) for shape in [(5, 3), (1, 20), (30, 30), (4, 300)]),
    ],
)
def test_rows_are_added_to_rows_as_numpy_does(shape, dtype):
    graph, x = ag.function(of_columns), spread(shape[0] * shape[1], dtype).reshape(shape) * dtype(1e-5)
    assert graph(x, np.int64(3)).numpy().tobytes() == of_columns(x, 3).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def of_one_column(x, n):
    total = x[0] * 0.0
    for i in range(n):
        total = total + np.sum(x * (i + 1.0), axis=0)
    return total


def test_rows_of_one_element_are_one_row():
    graph, x = ag.function(of_one_column), spread(300).reshape(300, 1)
    assert graph(x, np.int64(3)).numpy().tobytes() == of_one_column(x, 3).tobytes()


def least_and_most(x, n):
    total = x[:, 0] * 0.0
    for i in range(n):
        y = x * (i + 1.0)
        total = total + np.max(y, axis=1) + np.min(y, axis=1, keepdims=True)[:, 0] + np.max(y, axis=0)[0]
    return total, np.max(x, axis=1), np.min(x, axis=0)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (1, 20), (20, 1), (30, 30), (4, 250)])
def test_the_least_and_the_most_of_rows_and_columns_are_found(shape):
    graph, x = ag.function(least_and_most), spread(shape[0] * shape[1]).reshape(shape)
    x[0, 0] = np.nan
    for found, expected in zip(graph(x, np.int64(3)), least_and_most(x, 3), strict=True):
        assert found.numpy().tobytes() == expected.tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def test_zeros_of_two_signs_in_a_row_are_left_to_numpy():
    graph, x = ag.function(least_and_most), np.zeros((4, 9))
    x[:, ::2] = -0.0
    for _ in range(2):
        for found, expected in zip(graph(x, np.int64(3)), least_and_most(x, 3), strict=True):
            assert found.numpy().tobytes() == expected.tobytes()
