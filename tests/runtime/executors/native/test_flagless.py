"""Functions of whole numbers, and those that only compare floats, raise no flags: nobody looks at these."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def sorted_by_hand(x):
    for i in range(1, len(x)):
        own, j = x[i], i - 1
        while j >= 0 and x[j] > own:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = own
    return x[0]


def scaled(x):
    for i in range(1, len(x)):
        x[i] = x[i - 1] * 2 + x[i]
    return x[0]


def is_flagless(function, *arguments):
    concrete = ag.function(function).get_concrete_function(*arguments)
    assert concrete.report().executor == "native"
    return concrete.program._facts.loops.is_flagless


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float64", "float32"])
def test_a_sort_asks_for_no_flags(dtype):
    assert is_flagless(sorted_by_hand, np.zeros(50, dtype))


def test_arithmetic_of_whole_numbers_asks_for_none_and_of_floats_for_all():
    assert is_flagless(scaled, np.zeros(50, np.int64))
    assert not is_flagless(scaled, np.zeros(50))


def test_a_number_that_becomes_an_integer_may_be_too_large_for_one():
    def cut(x, found):
        for i in range(len(x)):
            found[i] = int(x[i])
        return found[0]

    assert not is_flagless(cut, np.zeros(50), np.zeros(50, np.int64))


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_what_is_sorted_is_left_as_by_python(dtype):
    graph = ag.function(sorted_by_hand)
    for seed in range(3):
        x = np.random.default_rng(seed).integers(0, 20, 50).astype(dtype)
        if dtype == "float64":
            x[[3, 20]] = np.nan, -np.inf
        wanted = x.copy()
        sorted_by_hand(wanted)
        graph(x)
        assert x.tobytes() == wanted.tobytes()


def test_an_index_outside_leaves_what_python_leaves():
    def spread(x, places):
        for i in range(len(places)):
            x[places[i]] += 1
        return x[0]

    graph, places = ag.function(spread), np.arange(40)
    graph(np.zeros(50, np.int64), places)
    places[30] = 77
    x, wanted = np.zeros(50, np.int64), np.zeros(50, np.int64)
    for call, given in ((graph, x), (spread, wanted)):
        with pytest.raises(IndexError):
            call(given, places)
    assert np.array_equal(x, wanted)
    assert rt.asarray(x).dtype == rt.int64


def divided(x, y, n):
    for i in range(n):
        x = x // y + i
    return x


def rested(x, y, n):
    for i in range(n):
        x = (x + i) % y
    return x


@pytest.mark.parametrize("function", [divided, rested])
def test_numpy_warns_of_whole_numbers_that_are_divided_by_zero(function):
    graph, x, y, n = ag.function(function), np.arange(4), np.ones(4, np.int64), rt.asarray(40)
    for _ in range(3):
        assert np.array_equal(graph(x, y, n).numpy(), function(x, y, 40))
    y[3] = 0
    for _ in range(8):
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            found = graph(x, y, n).numpy()
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            assert np.array_equal(found, function(x, y, 40))


def test_a_known_divisor_is_no_reason_to_look_at_flags():
    def digits(x, found):
        for i in range(len(x)):
            found[i] = x[i] // 10 + x[i] % 7
        return found[0]

    assert is_flagless(digits, np.zeros(50, np.int64), np.zeros(50, np.int64))
