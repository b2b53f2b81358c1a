"""Linear algebra in loops is machine code that calls NumPy's own loops: with its bits, and its errors."""

import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import complex128, float64
from runtime.executors.native import numpys_matrices
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.numpys_matrices import LOOPS, has_loop_of_matrices
from runtime.executors.native.whole import lowered

NUMBERS = "float64", "float32", "complex128", "complex64"
LENGTHS = 1, 2, 3, 5, 9


def matrices(length, dtype="float64", *, definite=False):
    random = np.random.default_rng(length)
    found = random.normal(size=(length, length))
    if np.dtype(dtype).kind == "c":
        found = found + 1j * random.normal(size=found.shape)
    if definite:
        found = found @ found.conj().T + np.eye(length)
    return found.astype(dtype)


def det(a):
    return (np.linalg.det(a),)


def slogdet(a):
    return tuple(np.linalg.slogdet(a))


def inv(a):
    return (np.linalg.inv(a),)


def solve(a):
    return (np.linalg.solve(a, a.T),)


def solve_vector(a):
    return (np.linalg.solve(a, a[0]),)


def lower_factor(a):
    return (np.linalg.cholesky(a),)


def upper_factor(a):
    return (np.linalg.cholesky(a, upper=True),)


def eigh(a):
    return tuple(np.linalg.eigh(a))


def eigh_of_upper(a):
    return tuple(np.linalg.eigh(a, UPLO="U"))


def eigvalsh(a):
    return (np.linalg.eigvalsh(a),)


def svd(a):
    return tuple(np.linalg.svd(a))


def wide(a):
    return tuple(np.linalg.svd(a[:-1]))


def tall(a):
    return tuple(np.linalg.svd(a[:, :-1], full_matrices=False))


def singular_values(a):
    return (np.linalg.svd(a, compute_uv=False),)


PARTS = [det, slogdet, inv, solve, solve_vector, lower_factor, upper_factor]
PARTS += [eigh, eigh_of_upper, eigvalsh, svd, singular_values]


def in_turns(part):
    """A loop whose turns add up what a function gives of a matrix that changes."""

    def loop(a, n):
        totals = part(a)
        for i in range(1, n):
            totals = tuple([total + each for total, each in zip(totals, part(a * i), strict=True)])
        return totals

    return loop


def bits(results):
    return [np.asarray(each).tobytes() for each in results]


def report_of(graph):
    return graph.concrete_functions[0].report()


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("part", PARTS)
def test_what_is_computed_of_a_matrix_in_a_loop_has_numpys_bits(part, dtype):
    loop, is_asked_for = in_turns(part), dtype in {"float32", "complex128"}
    graph = ag.function(loop, jit_compile=is_asked_for or None)
    some = PARTS.index(part) + NUMBERS.index(dtype)  # each function and each dtype meets lengths by turns
    for length in LENGTHS[some % len(LENGTHS) :: len(LENGTHS)]:
        a = matrices(length, dtype, definite=part in {lower_factor, upper_factor})
        with np.errstate(all="ignore"):
            assert bits(graph(a, np.int64(3))) == bits(loop(a, 3))
    assert set(report_of(graph).counts) == {"machine code"}, report_of(graph).why


@pytest.mark.parametrize("part", [wide, tall])
def test_so_is_what_is_computed_of_matrices_that_are_not_square(part):
    graph, a = ag.function(in_turns(part)), matrices(4)
    assert bits(graph(a, np.int64(3))) == bits(in_turns(part)(a, 3))
    assert report_of(graph).executor == "native"


@pytest.mark.parametrize("part", PARTS)
def test_lengths_may_be_known_to_the_run_alone(part):
    specs = rt.TensorSpec((None, None), "float64"), rt.TensorSpec((), "int64")
    graph = ag.function(in_turns(part), input_signature=specs)
    for length in LENGTHS:
        a = matrices(length, definite=part in {lower_factor, upper_factor})
        assert bits(graph(a, np.int64(2))) == bits(in_turns(part)(a, 2))
    assert report_of(graph).executor == "native"


def stacked(a, n):
    total = np.zeros_like(a)
    for i in range(n):
        total = total + np.linalg.inv(a + i) + np.linalg.solve(a, a + 1)
    return total, np.linalg.det(a), *np.linalg.eigh(a)


def test_stacks_of_matrices_are_done_one_after_the_other():
    a = np.stack([matrices(3), matrices(3) + 1, -matrices(3)])
    graph = ag.function(stacked)
    assert bits(graph(a, np.int64(3))) == bits(stacked(a, 3))
    assert report_of(graph).executor == "native"
    assert [each.shape for each in graph(np.zeros((0, 3, 3)), np.int64(2))][:2] == [(0, 3, 3), (0,)]


def broadcast(a, b, n):
    total = 0.0
    for _ in range(n):
        total = total + np.linalg.solve(a, b)
    return total


def test_stacks_that_are_broadcast_are_a_call_of_numpys():
    graph = ag.function(broadcast, jit_compile=True)
    for a, b in (
        (np.stack([matrices(3)] * 2), np.ones((1, 3, 1))),
        (np.stack([matrices(3)] * 2), np.ones((3, 2))),
        (np.stack([matrices(3)] * 2), np.ones(3)),
    ):
        assert bits([graph(a, b, np.int64(2))]) == bits([broadcast(a, b, 2)])


def inverse(a, n):
    total = 0.0
    for i in range(n):
        total += np.linalg.inv(a - i)[0, 0]
    return total


def solution(a, n):
    total = 0.0
    for i in range(n):
        total += np.linalg.solve(a - i, a[0])[0]
    return total


def factor(a, n):
    total = 0.0
    for i in range(n):
        total += np.linalg.cholesky(a - i)[0, 0]
    return total


SINGULAR = np.array([[2.0, 2.0], [2.0, 3.0]])


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize("function", [inverse, solution, factor])
def test_where_there_is_no_solution_the_line_is_named(function, jit_compile):
    graph = ag.function(function, jit_compile=jit_compile)
    assert graph(SINGULAR, np.int64(1)).numpy() == function(SINGULAR, 1)
    with pytest.raises(np.linalg.LinAlgError) as expected:
        function(SINGULAR, 4)
    with pytest.raises(np.linalg.LinAlgError, match=str(expected.value)) as error:
        graph(SINGULAR, np.int64(4))
    assert "total += np.linalg" in "".join(getattr(error.value, "__notes__", [])) + str(error.value)
    assert graph(SINGULAR, np.int64(1)).numpy() == function(SINGULAR, 1)


def singular_ones(a, n):
    found = 0
    for i in range(n):
        try:
            np.linalg.inv(a - i)
        except np.linalg.LinAlgError:
            found += 1
        except ValueError:
            found += 100
    return found


@pytest.mark.parametrize("jit_compile", [None, True])
def test_the_program_may_catch_that(jit_compile):
    graph = ag.function(singular_ones, jit_compile=jit_compile)
    assert graph(SINGULAR, np.int64(4)).numpy() == singular_ones(SINGULAR, 4) == 1
    assert report_of(graph).executor == "native"


def of_huge(a, n):
    total = 0.0
    for _ in range(n):
        total += np.linalg.det(a)
    return total


def of_no_number(a, n):
    total = 0.0
    for _ in range(n):
        total += np.linalg.inv(a * np.nan)[0, 0] + np.linalg.inv(a * 1e-300)[0, 0]
    return total


@pytest.mark.parametrize("function", [of_huge, of_no_number])
def test_a_run_warns_of_what_numpy_warns_of_and_no_more(function):
    graph = ag.function(function)
    for a in (SINGULAR, SINGULAR * 1e300):
        said = []
        for run in (function, graph, graph):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                assert run(a, np.int64(2)) is not None
            said.append([str(each.message) for each in told])
        assert said[0] == said[1] == said[2]


def steps(a, n):
    factors = np.eye(2)
    for _ in range(n):
        factors = np.linalg.inv(a) @ factors @ np.array([[1.0, 2.0], [3.0, 5.0]]).T
    return factors


def test_products_of_what_they_give_and_of_constants_that_are_turned_are_machine_code():
    graph = ag.function(steps)
    assert bits([graph(SINGULAR, np.int64(5))]) == bits([steps(SINGULAR, 5)])
    assert report_of(graph).executor == "native", report_of(graph).why


@pytest.mark.parametrize("part", [*PARTS, wide, tall])
def test_the_interpreter_says_the_same(part):
    specs = rt.TensorSpec((3, 3), "float64"), rt.TensorSpec((), "int64")
    module = ag.function(in_turns(part)).get_concrete_function(*specs).optimised_module
    a = matrices(3, definite=part in {lower_factor, upper_factor})
    found = Interpreted(lowered(module), module.entry).run([a, np.int64(2)])
    assert bits(found) == bits(in_turns(part)(a, 2))


def test_the_interpreter_catches_the_same():
    specs = rt.TensorSpec((2, 2), "float64"), rt.TensorSpec((), "int64")
    module = ag.function(singular_ones).get_concrete_function(*specs).optimised_module
    assert Interpreted(lowered(module), module.entry).run([SINGULAR, np.int64(4)]) == [1]


@pytest.mark.parametrize("function", LOOPS)
def test_every_loop_is_found_and_gives_what_numpys_function_gives(function):
    assert has_loop_of_matrices(function, float64)
    assert has_loop_of_matrices(function, complex128)


def test_a_loop_that_gives_something_else_is_not_used(monkeypatch):
    has_loop_of_matrices.cache_clear()
    monkeypatch.setitem(LOOPS, "inv", numpys_matrices.LoopOfMatrices(lambda x: x, LOOPS["inv"].error))
    assert not has_loop_of_matrices("inv", float64)
    has_loop_of_matrices.cache_clear()
