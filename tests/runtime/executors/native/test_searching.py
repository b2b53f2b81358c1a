"""Places in sorted vectors, lines between points, and powers modulo a number are machine code."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.lower import searching
from runtime.executors.native.whole import lowered

VECTORS = rt.TensorSpec((None,), "float64"), rt.TensorSpec((None,), "float64")


def on_the_left(row, keys):
    return np.searchsorted(row, keys)


def on_the_right(row, keys):
    return np.searchsorted(row, keys, side="right")


def between(row, keys):
    return np.interp(keys, row, row * row - 1)


def rows_and_keys(random, turn):
    """Rows in order and not, with numbers twice and none, and keys beyond, at and between them."""
    decimals = 0 if turn % 3 else 3
    row = np.round(random.normal(size=random.integers(2, 40)) * 4, decimals)
    keys = np.round(random.normal(size=random.integers(0, 12)) * 5, decimals)
    if turn % 7 == 0:
        row[0] = np.nan
    if turn % 4:
        row = np.sort(row)
    if turn % 5 == 0:
        keys[:1] = np.nan
    if turn % 11 == 0:
        keys = np.sort(keys)
    return row, keys


@pytest.mark.parametrize("function", [on_the_left, on_the_right, between])
def test_places_and_lines_are_numpys_bit_for_bit_in_order_or_not(function):
    graph = ag.function(function, input_signature=VECTORS, jit_compile=True)
    concrete = graph.get_concrete_function()
    module = concrete.optimised_module
    interpreted = Interpreted(lowered(module), module.entry).run
    random = np.random.default_rng(3)
    for turn in range(150):
        row, keys = rows_and_keys(random, turn)
        with np.errstate(all="ignore"):
            expected = function(row, keys)
            np.testing.assert_array_equal(graph(row, keys), expected)
            if turn % 10 == 0:
                np.testing.assert_array_equal(interpreted([row, keys])[0], expected)
    assert set(concrete.report().counts) == {"machine code"}


@pytest.mark.parametrize("looks_in_halves", [True, False])
@pytest.mark.parametrize("function", [on_the_left, on_the_right])
def test_numbers_in_order_have_the_same_places_by_the_search_of_each_numpy(
    function, looks_in_halves, monkeypatch
):
    monkeypatch.setattr(searching, "_looks_in_halves", lambda: looks_in_halves)
    graph = ag.function(function, input_signature=VECTORS, jit_compile=True)
    random = np.random.default_rng(4)
    for turn in range(60):
        row, keys = rows_and_keys(random, turn)
        row = np.sort(row)[: turn % 9 or None]
        np.testing.assert_array_equal(graph(row, keys), function(row, keys))
    np.testing.assert_array_equal(graph(row[:0], keys), function(row[:0], keys))


@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool", "float32"])
def test_a_vector_may_be_of_other_numbers(dtype):
    graph = ag.function(on_the_right, jit_compile=True)
    row, keys = np.sort(np.arange(9) % 4).astype(dtype), (np.arange(6) % 5).reshape(2, 3).astype(dtype)
    np.testing.assert_array_equal(graph(row, keys), on_the_right(row, keys))
    assert set(graph.concrete_functions[0].report().counts) == {"machine code"}


def looked_up(row, keys):
    total = 0.0
    for key in keys:
        total += np.interp(key, row, row * 2) + np.searchsorted(row, key)
    return total


def test_a_loop_that_looks_up_numbers_does_not_stay_on_numpy():
    graph, row = ag.function(looked_up), np.linspace(-1, 1, 20) ** 3
    assert graph(row, row[::-1] * 1.1).numpy() == looked_up(row, row[::-1] * 1.1)
    assert graph.concrete_functions[0].report().executor == "native"


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_points_are_taken_as_numpy_takes_them(count):
    graph = ag.function(between, input_signature=VECTORS)
    for run in (graph, between):
        if count == 0:
            with pytest.raises(ValueError, match="empty"):
                run(np.zeros(0), np.ones(2))
        else:
            found = run(np.arange(count) + 1.0, np.array([0.0, 1.0, np.nan, 9.0]))
            np.testing.assert_array_equal(found, between(np.arange(count) + 1.0, [0.0, 1.0, np.nan, 9.0]))


def test_numpy_that_rounds_in_another_way_is_asked_itself(monkeypatch):
    monkeypatch.setattr(searching, "_is_as_written", lambda: False)
    graph = ag.function(between, jit_compile=True)
    graph(np.arange(3.0), np.ones(2))
    assert "call of Python" in graph.concrete_functions[0].report().counts


def fermat(limit, base):
    found = 0
    for p in range(2, limit):
        if pow(base, p - 1, p) == 1:
            found += 1
    return found


def test_powers_modulo_a_number_are_machine_code():
    graph = ag.function(fermat)
    for limit, base in ((300, 2), (300, -3), (200, 10**12)):
        assert graph(rt.asarray(limit), base) == fermat(limit, base)
    assert graph.concrete_functions[0].report().executor == "native"


def power(base, exponent, divisor, turns):
    total = 0
    for turn in range(turns):
        total += pow(base + turn, exponent, divisor)
    return total


def test_so_are_those_that_python_has_to_compute():
    graph = ag.function(power)
    for base, exponent, divisor in (
        (3, 5, -7),
        (3, -1, 7),
        (3, 5, 2**40),
        (3, 10**9, 10**9 + 7),
        (5, 0, 1),
    ):
        assert graph(base, exponent, divisor, 3) == power(base, exponent, divisor, 3)
    with pytest.raises(ValueError, match="3rd argument"):
        graph(3, 2, 0, 3)
