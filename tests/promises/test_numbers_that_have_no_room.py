"""Ints of Python's own beside integers of NumPy's that have less room: compared exactly, else refused."""

import numpy as np
import pytest

import autograph as ag

EXECUTORS = ["reference", "numpy", "native", "auto"]


def less(n, x):
    return int(n) < x


def equal(n, x):
    return x == int(n)


def total(n, x):
    return int(n) + x


def product(n, x):
    return x * int(n)


def greatest(n, x):
    return np.maximum(x, int(n))


def as_byte(n, x):
    return np.uint8(int(n))


def filled(n, x):
    return np.full(3, int(n), x.dtype)


def kept(n, x):
    return np.clip(x, 0, int(n))


def summed_in_turns(n, x):
    for i in range(int(n)):
        x = x + i
    return x


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("number", [3, 300, -1, 2**62])
@pytest.mark.parametrize("program", [less, equal, total, product, greatest, as_byte, filled, kept])
def test_an_int_of_pythons_own_is_not_wrapped_around_to_meet_an_integer(program, number, executor):
    graph = ag.function(program, executor=None if executor == "auto" else executor)
    for x in (np.uint8(7), np.array([1, 200], np.uint8), np.array([5, 2**63], np.uint64)):
        try:
            expected = program(np.int64(number), x)
        except OverflowError as error:
            with pytest.raises(OverflowError, match=str(error)[:20]):
                graph(np.int64(number), x)
        else:
            found = graph(np.int64(number), x).numpy()
            assert found.dtype == np.asarray(expected).dtype
            assert np.array_equal(found, expected)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_loop_counts_as_far_as_the_integers_beside_its_counter_reach(executor):
    graph = ag.function(summed_in_turns, executor=None if executor == "auto" else executor)
    x = np.array([0, 1], np.int8)
    assert np.array_equal(graph(np.int64(10), x).numpy(), summed_in_turns(np.int64(10), x))
    with pytest.raises(OverflowError, match="Python integer 128 out of bounds for int8"):
        graph(np.int64(200), x)


def test_a_counter_that_is_known_to_fit_is_not_checked():
    @ag.function
    def summed(x):
        for i in range(100):
            x = x + i
        return x

    graph = summed.get_concrete_function(np.int8(1)).optimised_graph
    assert "CheckFits" not in graph.text()


def ordered(z, w):
    return complex(z) < complex(w)


def test_complex_numbers_of_pythons_own_have_no_order():
    with pytest.raises(TypeError, match="'<' not supported between instances of 'complex' and 'complex'"):
        ag.function(ordered)(np.complex128(1j), np.complex128(2j))


def test_a_complex_number_keeps_the_signs_of_its_zeros():
    z = np.complex128(complex(-0.0, -0.0))
    found = ag.function(lambda z: complex(complex(z)))(z).numpy()
    assert np.signbit(found.real)
    assert np.signbit(found.imag)


def _on_a_path(x, small):
    if x[0] > 0:
        small[0] = -1
    else:
        x[1] = 2.0
    return x, small


def _behind_a_change(x, small):
    for each in (x, small):
        each[0] = -1
    return x


def _in_an_operator(x, small):
    if x[0] > 0:
        small = small + 300
    return small


@pytest.mark.parametrize("program", [_on_a_path, _behind_a_change, _in_an_operator])
def test_a_number_without_room_is_an_error_of_the_path_that_gets_there(program):
    for sign in (1.0, -1.0):
        x, small = sign * np.array([1.0, 2.0]), np.array([1, 2], np.uint8)
        ag.check(program, x, small, then=[])


def factorial(n):
    result = 1
    for i in range(1, n + 1):
        result *= i
    return result


def test_an_int_that_python_knows_is_returned_however_large_it_is():
    found, more = ag.function(lambda x: (factorial(25), x))(np.float64(1.0))
    assert (found, float(more)) == (factorial(25), 1.0)
    ag.check(factorial, 25, then=[(30,), (np.int64(5),), (21,)])
