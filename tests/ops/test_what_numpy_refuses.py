"""What NumPy's functions refuse of arrays they refuse of tensors: at once, and in graphs."""

import numpy as np
import pytest

import runtime as rt
from runtime.executors.base import choose
from runtime.graph.module import Module
from tests.ops.test_numpy_functions import ARRAYS, NEEDS_SHAPES, compile_case, evaluate, letters_of, separate

AXES = """
np.sum(x, axis=2) np.roll(x, 1, axis=2) np.roll(v, k, axis=3) np.rollaxis(x, 3) np.rollaxis(x, 0, 5)
np.rot90(x, 0, (0, 2)) np.diff(x, axis=2) np.diff(x, axis=2, prepend=0) np.gradient(x, axis=2)
np.unwrap(v, axis=1) np.insert(x, 0, 1, axis=2) np.delete(x, 0, axis=-3) np.split(x, 1, axis=2)
np.array_split(x, 2, axis=2) np.take(x, 0, axis=2, mode="wrap") np.partition(x, 0, axis=2)
np.maximum.accumulate(x, axis=2) np.concatenate(t, axis=2) np.compress(m, x, axis=2)
np.lib.stride_tricks.sliding_window_view(x, 2, axis=3)
""".splitlines()

ARGUMENTS = """
np.delete(w, 4) np.delete(w, -5) np.delete(w, k * 2) np.delete(w, [0, 9]) np.insert(w, 5, 0)
np.insert(w, -5, 0) np.insert(w, k * 3, 0) np.compress(b, x) np.ix_(x) np.ix_(v, x)
np.unravel_index(u, (1, 2)) np.unravel_index(u - 4, (2, 3)) np.ravel_multi_index((u, u), (2, 9))
np.partition(w, 4) np.partition(w, -5) np.argpartition(w, [0, 7]) np.digitize(v, v)
np.digitize(v, x) np.array_split(w, 0) np.array_split(w, -1)
np.resize(w, (2, -1)) np.pad(w, -1, mode="edge") np.pad(w, (0, -1)) np.rot90(x, 0, (1, 1))
np.gradient(x, axis=(0, 0)) np.tril_indices_from(v) np.triu_indices_from(v) np.diag_indices_from(v)
np.diag_indices_from(x) np.ediff1d(m) np.isposinf(c) np.isneginf(c) np.correlate(e, v) np.cov(t)
np.quantile(m, 0.5) np.percentile(m, 50) np.polyadd(x, v) np.polymul(x, v)
np.nanargmax(n[:, :1] * np.nan) np.nanargmin(n * np.nan, axis=0) np.clip(b, None, None)
np.vander(x) np.vsplit(v, 1) np.lexsort((v, w)) np.bincount(k) np.digitize(c, v)
np.digitize(v, c) np.pad(l, 1, constant_values=300) np.full_like(q, 300) np.full_like(q, -1)
np.insert(q, 0, 300) np.piecewise(q, [q > 0], [1.7, 300]) np.add(q, 300, dtype=np.uint8)
np.multiply(x, 2, dtype=np.int16) np.unravel_index(v, (2, 3)) np.unravel_index(o, (2, 3))
np.ravel_multi_index((v, v), (9, 9)) np.ediff1d(q, to_begin=1) np.ediff1d(i, to_end=1.5) np.gradient(o)
np.gradient(m) np.gradient(v[:1]) np.gradient(d, edge_order=2) np.gradient(v, 1, 2)
np.gradient(v, edge_order=3) np.gradient(v, [1, 2]) np.gradient(x, [1, 2]) np.gradient(v, x)
np.geomspace(z, 2, 3) np.geomspace(1, a, 3) np.linalg.outer(x, v) np.matvec(v, v) np.polyder(v, -1)
np.polyint(v, -1) np.lib.stride_tricks.sliding_window_view(v, 4) np.average(v, weights=v * 0)
np.average(x, weights=v) np.roll(v, x) x.astype(int, casting="safe")
""".splitlines()


def raised(run, *arguments):
    """What a call raises."""
    with pytest.raises(Exception) as caught:  # which one is what is looked at
        run(*arguments)
    return caught.value


def run_graph(case, letters, executor, known):
    graph, _ = compile_case(case, letters, known)
    return choose(executor).compile(Module(graph)).run([ARRAYS[name] for name in letters])


def _kinds(error):
    """The class of an error that is neither of values nor of places."""
    [kind] = [kind for kind in (TypeError, OverflowError, ZeroDivisionError) if isinstance(error, kind)]
    return (kind,)


@pytest.mark.parametrize("executor", ["reference", "numpy"])
@pytest.mark.parametrize("case", separate(AXES) + separate(ARGUMENTS))
def test_a_call_is_refused_as_numpy_refuses_it(case, executor):
    letters = letters_of(case)
    wanted = raised(evaluate, case, {name: ARRAYS[name] for name in letters})
    kinds = (ValueError, IndexError) if isinstance(wanted, ValueError | IndexError) else _kinds(wanted)
    assert isinstance(raised(evaluate, case, {name: rt.asarray(ARRAYS[name]) for name in letters}), kinds)
    for known in (True,) if NEEDS_SHAPES.search(case) else (True, False):
        assert isinstance(
            raised(run_graph, case, letters, executor, known), (*kinds, rt.errors.NoConcreteValue)
        )


@pytest.mark.parametrize("case", separate(AXES))
def test_an_axis_that_is_not_there_is_an_axis_error(case):
    found = raised(evaluate, case, {name: rt.asarray(ARRAYS[name]) for name in letters_of(case)})
    assert isinstance(found, np.exceptions.AxisError)
