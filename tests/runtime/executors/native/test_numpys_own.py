"""Machine code that calls NumPy's own inner loops has NumPy's bits, without being asked for."""

import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import complex128, float32, float64, int64
from runtime.executors.native import numpys_own
from runtime.executors.native.numpys_own import is_numpys
from runtime.ops.scalars import SCALARS

OF_FLOATS = [
    name
    for name, known in SCALARS.items()
    if "f" in known.kinds
    and hasattr(np, name)
    and is_numpys(name, float64)
    and name not in {"maximum", "minimum", "fmax", "fmin"}
]


def test_most_functions_that_are_not_exact_are_found():
    assert {"exp", "log", "sin", "cos", "tanh", "arctan2", "power", "hypot", "cbrt"} <= set(OF_FLOATS)
    assert is_numpys("exp", float32)
    assert is_numpys("exp", complex128)


def test_functions_that_are_exact_are_none_of_them():
    assert not is_numpys("add", float64)
    assert not is_numpys("sqrt", float64)
    assert not is_numpys("power", int64)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        (name, kind)
        for name in OF_FLOATS
        for kind in (np.float64, np.float32)
        if kind is np.float64 or not SCALARS[name].wide
    ],
)
def test_each_has_numpys_bits_in_a_loop_over_elements(name, dtype):
    function, known = getattr(np, name), SCALARS[name]
    arity = len(known.signature) - 2

    def run(xs, ys):
        found = np.zeros(len(xs), xs.dtype)
        for i in range(len(xs)):
            found[i] = function(xs[i], ys[i]) if arity == 2 else function(xs[i])
        return found

    rng = np.random.default_rng(3)
    size = rng.uniform(1e-3, 1, 300) * 10.0 ** rng.integers(-2, 3, 300)
    xs = np.concatenate([size, -size, [0.0, -0.0, 1.0, -1.0, 700.0, 1e-310, np.inf, -np.inf, np.nan]])
    xs, ys = xs.astype(dtype), np.roll(xs, 7).astype(dtype)
    graph = ag.function(run, reduce_retracing=True)
    length = rt.TensorSpec((None,), "float64" if dtype is np.float64 else "float32")
    concrete = graph.get_concrete_function(length, length)
    with np.errstate(all="ignore"):
        assert concrete(xs, ys).numpy().tobytes() == run(xs, ys).tobytes()
    assert concrete.report().executor == "native"


def settled(x):
    turns = 0
    while turns < 100 and np.cos(x) != x:
        x = np.cos(x)
        turns += 1
    return x, turns


def test_a_loop_until_nothing_changes_ends_where_numpys_does():
    graph = ag.function(settled)
    found, turns = graph(np.float64(1.0))
    assert (found.numpy(), turns.numpy()) == settled(np.float64(1.0))
    assert graph.concrete_functions[0].report().executor == "native"


def lowered(x, n):
    for _ in range(n):
        x = np.log(x)
    return x


@pytest.mark.parametrize(("start", "word"), [(1.0, "divide by zero"), (0.5, "invalid value")])
def test_what_numpy_warns_of_is_given(start, word):
    graph = ag.function(lowered)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert graph(np.float64(1.0), np.int64(1)).numpy() == 0.0
    with pytest.warns(RuntimeWarning, match=f"{word} encountered in log"):
        graph(np.float64(start), np.int64(2))
    assert graph.concrete_functions[0].report().executor == "native"


def mixed(x, n):
    total = x / 3.0
    for _ in range(n):
        total = total / (x - 1.0) + np.sin(total)
    return total


def test_what_was_raised_before_a_call_of_numpys_loop_is_not_forgotten():
    graph = ag.function(mixed)
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        graph(np.float64(1.0), np.int64(1))


def chosen(x, y, n):
    for _ in range(n):
        x = np.maximum(x, y) * 0.5
        y = np.minimum(y, x)
    return x, y


@pytest.mark.parametrize("zeros", [(0.0, -0.0), (-0.0, 0.0)])
def test_the_greater_of_two_zeros_is_the_one_that_numpy_takes(zeros):
    graph = ag.function(chosen)
    x, y = map(np.float64, zeros)
    found = [each.numpy().tobytes() for each in graph(x, y, np.int64(3))]
    assert found == [each.tobytes() for each in chosen(x, y, 3)]
    assert graph.concrete_functions[0].report().executor == "native"


def smooth(x, n):
    for _ in range(n):
        x = np.exp(-x)
    return x


def test_exponentials_of_arrays_are_numpys_of_any_length():
    for length in (1, 8, 63, 64, 65, 200, 5000):
        graph, x = ag.function(smooth), np.linspace(0, 1, length)
        for _ in range(2):
            assert graph(x, np.int64(4)).numpy().tobytes() == smooth(x, 4).tobytes()
        assert graph.concrete_functions[0].report().executor == "native"


def smooth_where_it_may(x, n):
    try:
        for _ in range(n):
            x = np.exp(-x)
        if x[0] > 2:
            raise ValueError
    except ValueError:
        x = x * 0.0
    return x


def test_around_handlers_exponentials_of_long_arrays_stay_numpys():
    graph, x = ag.function(smooth_where_it_may), np.linspace(0, 1, 200)
    assert graph(x, np.int64(4)).numpy().tobytes() == smooth_where_it_may(x, 4).tobytes()
    assert graph.concrete_functions[0].report().executor == "numpy"


def test_a_loop_that_gives_something_else_than_the_ufunc_is_not_used(monkeypatch):
    monkeypatch.setattr(numpys_own, "_is_right", lambda *_: False)
    numpys_own._loop_of.cache_clear()
    try:
        assert not is_numpys("exp", float64)
        graph = ag.function(settled)
        graph(np.float64(1.0))
        assert "`cos` of floats may have another last bit" in graph.concrete_functions[0].report().why
    finally:
        monkeypatch.undo()
        numpys_own._loop_of.cache_clear()


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


def rectified(x, y, n):
    for _ in range(n):
        x = np.maximum(x - 0.1, 0.0) + np.minimum(y, x)
    return x


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_greater_of_the_elements_of_arrays_is_chosen_in_machine_code(dtype):
    for length in (1, 3, 8, 64, 1000):
        x, y = (np.cos(np.arange(length) * each).astype(dtype) for each in (1.0, 3.0))
        x[0] = np.nan
        graph = ag.function(rectified)
        assert graph(x, y, np.int64(3)).numpy().tobytes() == rectified(x, y, 3).tobytes()
        assert graph.concrete_functions[0].report().executor == "native"


@pytest.mark.parametrize("length", [1, 3, 8, 9, 64, 1000])
def test_which_of_two_zeros_is_the_greater_one_numpy_says_of_each_element(length):
    graph = ag.function(chosen)
    x = np.where(np.arange(length) % 2, 0.0, -0.0)
    for _ in range(2):
        found = [each.numpy().tobytes() for each in graph(x, -x, np.int64(3))]
        assert found == [each.tobytes() for each in chosen(x, -x, 3)]
    assert graph.concrete_functions[0].report().executor == "native"
