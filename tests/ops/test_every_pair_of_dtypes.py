"""Every function that is a ufunc of NumPy, on every pair of dtypes: NumPy's dtypes, and NumPy's numbers.

Eager code, graphs on both executors, and constants that are folded all answer as NumPy (NEP 50) does.
"""

import warnings

import numpy as np
import pytest

import runtime as rt
from runtime.core.dtypes import DTYPES
from runtime.executors.base import choose
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.symbol import Symbol
from runtime.numpy_functions.calls import COMPOSED
from runtime.numpy_functions.protocols import UFUNCS
from runtime.passes.pipeline import optimise

PRODUCTS = {np.matmul, *(getattr(np, name, None) for name in ("vecdot", "matvec", "vecmat"))}
FUNCTIONS = {
    **{ufunc: ufunc for ufunc in {*UFUNCS, *COMPOSED} - PRODUCTS if ufunc is not None},
    **{
        getattr(np, name): getattr(rt, name)
        for name in rt.__all__
        if isinstance(getattr(np, name, None), np.ufunc) and name not in {"matmul", "vecdot"}
    },
}
"""NumPy's functions, and ours: those of the namespace by their own name, the others by NumPy's protocol."""
UNARY = sorted((ufunc for ufunc in FUNCTIONS if ufunc.nin == 1), key=lambda ufunc: ufunc.__name__)
BINARY = sorted((ufunc for ufunc in FUNCTIONS if ufunc.nin == 2), key=lambda ufunc: ufunc.__name__)

LEFT = {dtype: np.array([1, 2, 3]).astype(dtype.numpy) for dtype in DTYPES}
RIGHT = {dtype: np.array([3, 2, 1]).astype(dtype.numpy) for dtype in DTYPES}
SCALARS = (True, 2, 2.5, 1 + 2j)
PAIRS = [(LEFT[left], RIGHT[right]) for left in DTYPES for right in DTYPES]
WEAK = [pair for array in LEFT.values() for number in SCALARS for pair in ((array, number), (number, array))]
STRONG = [(array, other[1]) for array in LEFT.values() for other in RIGHT.values()]
WITHOUT_AXES = [(np.asarray(left[1]), np.asarray(right[1])) for left, right in PAIRS]


def outcome(function, operands):
    """The arrays, or None for a TypeError: a ufunc that has no loop."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            results = function(*operands)
        except TypeError:
            return None
    return tuple([np.asarray(each) for each in (results if isinstance(results, tuple) else (results,))])


def assert_same(ours, numpys, operands):
    shown = [getattr(operand, "dtype", operand) for operand in operands]
    assert (ours is None) == (numpys is None), shown
    for one, other in zip(ours or (), numpys or (), strict=True):
        np.testing.assert_array_equal(one, other, strict=True, err_msg=str(shown))


def in_one_graph(function, cases, place):
    """The graph of `function` on all cases, those that can be traced, and those that cannot."""
    builder, traced, outputs = Builder("f"), [], []
    with building(builder):
        for case in cases:
            operands = [place(builder, each) if isinstance(each, np.ndarray) else each for each in case]
            try:
                results = function(*operands)
            except TypeError:
                continue
            results = results if isinstance(results, tuple) else (results,)
            traced.append((case, len(results)))
            outputs += results
        graph = builder.finish([builder.resolve(each.value) for each in outputs])
    return graph, traced


def as_constant(builder, array):
    return Symbol(builder.constant(array))


def as_inputs():
    """Places each array once, as an input of unknown dims; and what the inputs hold."""
    arrays, placed = [], {}

    def place(builder, array):
        if id(array) not in placed:
            spec = rt.TensorSpec((None,) * array.ndim, array.dtype).plain
            placed[id(array)] = Symbol(builder.input(spec))
            arrays.append(array)
        return placed[id(array)]

    return place, arrays


def assert_runs_as_expected(executor, graph, arrays, traced, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = iter(choose(executor).compile(Module(graph)).run(arrays))
    for case, count in traced:
        assert_same(tuple([np.asarray(next(results)) for _ in range(count)]), expected[id(case)], case)


def check_eager(ufunc, cases):
    for case in cases:
        tensors = [rt.asarray(each) if isinstance(each, np.ndarray) else each for each in case]
        assert_same(outcome(FUNCTIONS[ufunc], tensors), outcome(ufunc, case), case)


def check_graphs(ufunc, cases):
    for some in batched(cases):
        check_graph(ufunc, some)


def batched(cases, size=70):
    """The cases by parts: names and warnings are not made for functions of hundreds of lines."""
    return [cases[start : start + size] for start in range(0, len(cases), size)]


def check_graph(ufunc, cases):
    expected = {id(case): outcome(ufunc, case) for case in cases}
    place, arrays = as_inputs()
    graph, traced = in_one_graph(FUNCTIONS[ufunc], cases, place)
    assert len(traced) == sum(result is not None for result in expected.values())
    assert_runs_as_expected("reference", graph, arrays, traced, expected)
    assert_runs_as_expected("numpy", graph, arrays, traced, expected)
    folded, traced = in_one_graph(FUNCTIONS[ufunc], cases[::3], as_constant)
    assert_runs_as_expected("reference", optimise(Module(folded)).entry, [], traced, expected)


def named(ufunc):
    return ufunc.__name__


@pytest.mark.parametrize("ufunc", UNARY, ids=named)
def test_one_operand_of_every_dtype(ufunc):
    cases = [(array,) for array in LEFT.values()]
    if ufunc is np.conjugate:
        del cases[0]  # a bool is its own conjugate here, where NumPy makes it int8
    check_eager(ufunc, cases)
    check_graphs(ufunc, cases)


@pytest.mark.parametrize("ufunc", BINARY, ids=named)
def test_two_operands_of_every_pair_of_dtypes(ufunc):
    check_eager(ufunc, [*PAIRS, *WEAK])
    check_graphs(ufunc, [*PAIRS, *WEAK])


@pytest.mark.parametrize("ufunc", BINARY, ids=named)
def test_scalars_and_arrays_of_numpy_are_strong_with_or_without_axes(ufunc):
    check_eager(ufunc, [*STRONG, *WITHOUT_AXES])
    for case in (*STRONG, *PAIRS):
        mixed = rt.asarray(case[0]), case[1]
        assert_same(outcome(FUNCTIONS[ufunc], mixed), outcome(ufunc, case), case)
