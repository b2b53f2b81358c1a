"""Loops are split, so that a function is applied to many numbers at once: bits, warnings and order stay."""

import math
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt

LENGTHS = (0, 1, 3, 4, 63, 64, 65, 200)


def into_another(x, y):
    total, top = x.dtype.type(0), y[0]
    for i in range(len(x)):
        e = np.exp(x[i] - top)
        y[i] = e
        total += e
    return total


def in_place(x, y):
    total, top = x.dtype.type(0), y[0]
    for i in range(len(x)):
        x[i] = np.exp(x[i] - top)
        total += x[i]
    return total


def backwards(x, y):
    for i in range(len(x) - 1, -1, -1):
        if np.exp(x[i]) > 1.5:
            y[i] = x[i]
    return y


def two_functions(x, y):
    total = x.dtype.type(1)
    for i in range(len(x)):
        total = total * np.cos(x[i]) + np.log(y[i] + 2)
    return total


def some_of_it(x, y):
    last = x.dtype.type(0)
    for i in range(len(x)):
        last = 1 / (1 + np.exp(-x[i])) + last
        y[i] = last
    return y


def one_of_another(x, y):
    total = x.dtype.type(0)
    for i in range(len(x)):
        near = np.log(y[i] + 1)
        twice = np.exp(x[i] * near - 1)
        y[i] = near * np.exp(np.sin(twice)) + np.cos(near)
        total += y[i]
    return total


def of_the_turn_before(x, y):
    total = x.dtype.type(0)
    for i in range(len(x)):
        total = np.tanh(total + x[i])
    return total


def of_what_is_written(x, y):
    for i in range(1, len(x)):
        x[i] = np.exp(x[i - 1] * x.dtype.type(-0.5))
    return x


def of_what_one_turn_writes(x, y):
    for i in range(len(x)):
        y[i] = np.exp(x[i] - y[0])
    return y


def of_one_place(x, y):
    for i in range(len(x)):
        x[i // 2] = np.exp(x[i // 2] * x.dtype.type(-0.5))
    return x


SPLIT = [into_another, in_place, backwards, two_functions, some_of_it, one_of_another]
WHOLE = [of_the_turn_before, of_what_is_written, of_what_one_turn_writes, of_one_place]


def of_pythons_math(x, y):
    total = 0.0
    for i in range(len(x)):
        y[i] = math.exp(x[i]) * (4.0 if i % 2 == 1 else 2.0)
        total += y[i]
    return total


def looked_up(x, y):
    total = 0.0
    for i in range(len(x)):
        total += np.exp(y[int(x[i])])
    return total


def arguments(length, dtype):
    rng = np.random.default_rng(length)
    return rng.normal(size=length).astype(dtype), rng.random(size=max(1, length)).astype(dtype)


def concrete_of(function, dtype, **options):
    length = rt.TensorSpec((None,), dtype)
    return ag.function(function, reduce_retracing=True, **options).get_concrete_function(length, length)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("function", SPLIT + WHOLE)
def test_bits_are_numpys_whatever_the_length(function, dtype):
    concrete = concrete_of(function, dtype)
    assert concrete.report().executor == "native"
    for length in LENGTHS:
        mine, numpys = arguments(length, dtype), arguments(length, dtype)
        found, expected = concrete(*mine), function(*numpys)
        assert found.numpy().tobytes() == np.asarray(expected).tobytes()
        assert [each.tobytes() for each in mine] == [each.tobytes() for each in numpys]


@pytest.mark.parametrize("function", SPLIT)
def test_a_loop_is_split_by_default_and_on_demand(function):
    for options in ({}, {"jit_compile": True}):
        assert "found0" in concrete_of(function, "float64", **options).program.source()


def test_a_function_of_what_another_gives_takes_what_is_there():
    source = concrete_of(one_of_another, "float64").program.source()
    groups = source[: source.index("    else:")]
    assert [groups.count(f"numpy.{name}(") for name in ("log", "exp", "sin", "cos")] == [1, 2, 1, 1]


@pytest.mark.parametrize("function", WHOLE)
def test_a_function_of_what_other_turns_leave_stays_where_it_is(function):
    for options in ({}, {"jit_compile": True}):
        assert "found0" not in concrete_of(function, "float64", **options).program.source()


@pytest.mark.parametrize("function", SPLIT)
def test_on_demand_it_is_as_near_as_ever(function):
    concrete = concrete_of(function, "float64", jit_compile=True)
    for length in LENGTHS:
        mine, numpys = arguments(length, "float64"), arguments(length, "float64")
        np.testing.assert_allclose(concrete(*mine).numpy(), function(*numpys), rtol=1e-12)
        np.testing.assert_allclose(mine[1], numpys[1], rtol=1e-12)


def test_what_numpy_warns_of_in_one_of_the_turns_is_given():
    concrete, x, y = concrete_of(into_another, "float64"), np.zeros(150), np.zeros(150)
    x[140] = 1000.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="overflow"):
            concrete(x, y)
    with np.errstate(over="ignore"):
        assert concrete(x, y.copy()).numpy() == np.inf


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}])
def test_a_turn_that_ends_the_run_ends_it_where_python_does(options):
    assert "found0" in concrete_of(of_pythons_math, "float64", **options).program.source()
    graph = ag.function(of_pythons_math, **options)
    for bad in (None, 0, 70, 149):
        x = np.linspace(-1.0, 1.0, 150)
        mine, pythons = np.zeros(150), np.zeros(150)
        if bad is None:
            np.testing.assert_allclose(graph(x, mine).numpy(), of_pythons_math(x, pythons), rtol=1e-13)
        else:
            x[bad] = 1000.0
            with pytest.raises(OverflowError):
                of_pythons_math(x, pythons)
            with pytest.raises(OverflowError):
                graph(x, mine)
        np.testing.assert_allclose(mine, pythons, rtol=1e-13)


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}])
def test_no_element_is_read_that_a_turn_may_say_is_not_there(options):
    concrete = concrete_of(looked_up, "float64", **options)
    assert "found0" not in concrete.program.source()
    y, places = np.linspace(0.0, 1.0, 100), np.arange(100.0)
    np.testing.assert_allclose(concrete(places, y).numpy(), looked_up(places, y), rtol=1e-13)
    places[50] = 1e15
    with pytest.raises(IndexError):
        concrete(places, y)


def read_after_it_is_written(x, n):
    y = x * 0.0
    for k in range(n):
        z = x * 1.0
        for i in range(len(x)):
            z[i] = z[i] * 0.5 + k
            y[i] = y[i] + np.exp(-z[(i + len(x)) % len(x)])
    return y


def states(xs, c):
    h = c
    for x in xs:
        f = 1.0 / (1.0 + np.exp(-x - h))
        c = f * c + np.tanh(x) * (1.0 - f)
        h = np.tanh(c) * f
    return h, c


def test_what_a_turn_has_written_before_it_applies_a_function_is_read_as_it_is_then():
    x = np.linspace(-1.0, 1.0, 200)
    graph = ag.function(read_after_it_is_written)
    assert graph(x, np.int64(3)).numpy().tobytes() == read_after_it_is_written(x, 3).tobytes()
    assert graph.concrete_functions[0].report().executor == "native"
    by_ours = ag.function(read_after_it_is_written, jit_compile=True)
    np.testing.assert_allclose(by_ours(x, np.int64(3)), read_after_it_is_written(x, 3), rtol=1e-12)
    graph, xs = ag.function(states), np.random.default_rng(0).normal(size=(30, 100))
    for found, expected in zip(graph(xs, xs[0]), states(xs, xs[0]), strict=True):
        assert found.numpy().tobytes() == expected.tobytes()
    assert graph.concrete_functions[0].report().executor == "native"
