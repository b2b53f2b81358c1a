"""Machine code in the place of a NumPy program asks NumPy for exponentials, sines and their like."""

import itertools
import re
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import float16, float32, float64
from runtime.executors.native import asking
from runtime.executors.native.flags import FLAGS

FUNCTIONS = """exp expm1 exp2 log log1p log2 log10 cbrt sin cos tan arcsin arccos arctan sinh cosh tanh
arcsinh arccosh arctanh hypot arctan2 power""".split()


def numbers(dtype):
    """Some of each size, and those at the edges of a format."""
    info = np.finfo(dtype)
    drawn = [np.random.default_rng(0).normal(0, size, 12) for size in (0.5, 5.0, 1e3, 1e9)]
    edges = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, np.inf, -np.inf, np.nan, info.max, info.tiny]
    return np.concatenate([*drawn, edges, [info.smallest_subnormal]]).astype(dtype)


def same(one, other):
    """Whether arrays have the same bits, where any NaN is as good as another."""
    return np.array_equal(np.isnan(one), np.isnan(other)) and np.all(
        (one == other) & (np.signbit(one) == np.signbit(other)) | np.isnan(one)
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_loop_over_numbers_has_the_bits_of_numpys_functions(name, dtype):
    ufunc = getattr(np, name)

    def one_by_one(x, y, results):
        for i in range(len(x)):
            results[i] = ufunc(x[i]) if ufunc.nin == 1 else ufunc(x[i], y[i])
        return results

    values = numbers(dtype)
    x, y = map(np.array, zip(*itertools.product(values, values[::7]), strict=True))
    graph = ag.function(one_by_one)
    with np.errstate(all="ignore"):
        wanted = one_by_one(x, y, np.zeros_like(x))
        for _ in range(3):
            assert same(np.asarray(graph(x, y, np.zeros_like(x))), wanted)
    (concrete,) = graph.concrete_functions
    assert concrete.report().executor == "native"


def test_the_better_code_gives_the_bits_of_the_first():
    @ag.function
    def wandering(x, n):
        while n > 0:
            x = np.sin(x) * 3.0 + np.exp(-x * x) - np.tanh(x)
            n -= 1
        return x

    given = rt.asarray(0.7), rt.asarray(2000)
    found = [float(wandering(*given)) for _ in range(40)]
    assert set(found) == {float(wandering.python_function(0.7, 2000))}


@pytest.mark.parametrize(
    ("name", "number", "kind"),
    [("log", -1.0, "invalid"), ("log", 0.0, "divide"), ("exp", 1e3, "over"), ("arccos", 2.0, "invalid")],
)
@pytest.mark.parametrize("mode", ["warn", "raise", "ignore"])
def test_numpys_warnings_are_those_of_its_functions(name, number, kind, mode):
    ufunc = getattr(np, name)

    def summed(x, n):
        total = x
        for _ in range(n):
            total = total + ufunc(x)
        return total

    def told(run):
        with warnings.catch_warnings(record=True) as found, np.errstate(**{kind: mode}):
            warnings.simplefilter("always")
            try:
                run(np.float64(number), 3)
            except FloatingPointError as error:
                return re.sub(r"scalar | \(.*", "", str(error))
        return {str(each.message) for each in found}

    assert told(ag.function(summed)) == told(summed)


def test_flags_that_were_raised_before_a_call_stay_where_numpy_clears_them():
    def late(x, n):
        found = 1.0 / (x - 100.0)
        for _ in range(n):
            found = found * np.tanh(x) + np.arctan(x) + np.log1p(x)
        return found

    graph = ag.function(late)
    graph.get_concrete_function(rt.asarray(1.0), rt.asarray(1))
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        graph(rt.asarray(100.0), rt.asarray(3))


def test_a_function_that_is_no_ufunc_or_of_other_floats_is_not_asked():
    assert asking.is_asked("sin", float64) == asking.is_asked("sin", float32) == (FLAGS is not None)
    assert not asking.is_asked("erf", float64)
    assert not asking.is_asked("add", float64)
    assert not asking.is_asked("sin", float16)


def test_where_numpys_objects_lie_in_another_way_nothing_is_asked(monkeypatch):
    monkeypatch.setattr(np, "tan", np.sin)  # a ufunc of another name
    asking._found.cache_clear()
    assert not asking.is_asked("tan", float64)
    monkeypatch.undo()
    asking._found.cache_clear()
    assert asking.is_asked("tan", float64) == (FLAGS is not None)
