"""Of two zeros, machine code takes for the greater or the lesser one the one that NumPy takes."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import complex128, float16, float32, float64, int64
from runtime.executors.native import ties
from runtime.executors.native.ties import keeps_zeros


def bettered(x, y, better, turns):
    for _ in range(turns):
        x = better(x, y)
        y = better(-x, y[::-1])
    return x, y


def accumulated(x, y, better, turns):
    for _ in range(turns):
        x = better.accumulate(x + y)
    return x, y


def put(x, y, better, turns):
    places = np.arange(len(x))
    for turn in range(turns):
        better.at(x, places, y)
        y = y[::-1] * (1 - 2 * turn)
    return x, y


def limited(x, y, better, turns):
    for _ in range(turns):
        x = better(x, 0.0)
        y = np.clip(better(y, -0.0), -1, 1)
    return x, y


@pytest.mark.parametrize("program", [bettered, accumulated, put, limited])
@pytest.mark.parametrize(
    ("count", "better", "dtype"),
    [
        (count, better, (np.float32, np.float64)[(row + column) % 2])  # each two of them meet
        for row, count in enumerate((1, 5, 8, 67, 3000))
        for column, better in enumerate((np.maximum, np.minimum))
    ],
)
def test_zeros_have_numpys_signs_in_arrays_of_any_length(program, count, better, dtype):
    rng = np.random.default_rng(count)
    x, y = (rng.choice([0.0, -0.0, 1.0, np.nan], count, p=[0.4, 0.4, 0.1, 0.1]).astype(dtype) for _ in "xy")
    graph = ag.function(program)
    with np.errstate(invalid="ignore"):  # of which `at` warns
        found, wanted = graph(x.copy(), y, better, rt.asarray(4)), program(x.copy(), y, better, 4)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
        sure = ~np.isnan(other)
        np.testing.assert_array_equal(np.signbit(one)[sure], np.signbit(other)[sure])
    assert graph.concrete_functions[0].report().executor == "native"


def test_what_numpy_does_to_two_zeros_is_asked_of_floats_alone():
    assert keeps_zeros("maximum", int64)
    assert keeps_zeros("add", float64)
    assert not keeps_zeros("maximum", complex128)
    assert not keeps_zeros("maximum", float16)
    assert not keeps_zeros("fmax", float32)


@pytest.mark.parametrize("applied", ["map", "scan", "scatter"])
def test_a_numpy_that_takes_the_first_zero_is_not_imitated(applied, monkeypatch):
    monkeypatch.setitem(ties._WAYS, applied, lambda function, first, second: iter([np.array([first])]))
    assert not keeps_zeros.__wrapped__("maximum", float64, applied)
    assert not keeps_zeros.__wrapped__("minimum", float32, applied)
