"""Indexing and updates by random keys: written in core ops, they give the same bits."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import runtime as rt
from runtime.core.dims import UNKNOWN
from runtime.core.spec import ArraySpec
from runtime.errors import Error
from runtime.graph.build import as_tensor, building
from runtime.graph.builder import Builder
from runtime.graph.symbol import Symbol
from runtime.passes.decompose import decompose, is_core
from tests.runtime.passes.equivalence import outcome

ENDS = st.sampled_from([None, 0, 1, 2, -1, -2, 5, -7])
SLICES = st.builds(slice, ENDS, ENDS, st.sampled_from([None, 1, 2, -1, -2, 3]))
INTEGERS = st.sampled_from([0, 1, -1])
INDICES = st.sampled_from(
    [np.array([0, -1]), np.array([1, 0, 0]), np.array([[0], [1]]), np.array([], np.int64)]
)


class Input:
    """Stands in a key for the next array, which the graph has as an input."""


@st.composite
def keys(draw):
    """The shape of an array, a key for it, and the arrays that are inputs of the graph."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    key, arrays, axis = [], [], 0
    for kind in draw(st.lists(st.sampled_from("sinIDM."), min_size=1, max_size=4)):
        if kind == "n":
            key.append(None)
        elif kind == ".":
            key.append(Ellipsis) if Ellipsis not in [part for part in key if part is Ellipsis] else None
        elif axis < len(shape):
            if kind == "s":
                key.append(draw(SLICES))
            elif kind == "i":
                key.append(draw(INTEGERS))
            else:
                mask = st.lists(st.booleans(), min_size=shape[axis], max_size=shape[axis]).map(np.array)
                arrays.append(draw({"I": INDICES, "D": INTEGERS.map(np.array), "M": mask}[kind]))
                key.append(Input)
            axis += 1
    return shape, key, arrays


def filled(key, arrays):
    left = iter(arrays)
    return tuple([next(left) if part is Input else part for part in key])


def graph_of(function, arrays, *, known):
    builder = Builder("f")
    with building(builder):
        specs = [
            ArraySpec(each.shape if known else (UNKNOWN,) * each.ndim, rt.as_dtype(each.dtype))
            for each in arrays
        ]
        result = as_tensor(function(*[Symbol(builder.input(spec, "x")) for spec in specs]))
        graph = builder.finish([builder.resolve(result.value)])
    return graph


def assert_core_gives_the_same(function, arrays):
    for known in (True, False):
        graph = graph_of(function, arrays, known=known)
        core = decompose(graph)
        assert is_core(core)
        assert outcome(core, arrays) == outcome(graph, arrays)


@given(keys())
def test_what_a_key_reads(case):
    shape, key, arrays = case
    x = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    try:
        x[filled(key, arrays)]
    except IndexError:
        assume(False)
    assert_core_gives_the_same(lambda x, *indices: x[filled(key, indices)], [x, *arrays])


@pytest.mark.parametrize("change", ["set", "add"])
@given(case=keys(), whole=st.booleans())
def test_what_a_key_writes(change, case, whole):
    shape, key, arrays = case
    x = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    try:
        place = x[filled(key, arrays)].shape
    except IndexError:
        assume(False)
    value = 100.0 + np.arange(np.prod(place)).reshape(place) if whole else np.array(7.0)
    assert_core_gives_the_same(
        lambda x, value, *indices: getattr(x.at[filled(key, indices)], change)(value), [x, value, *arrays]
    )


@given(
    st.sampled_from(["f2", "f4", "f8", "i4", "i8", "u1"]),
    st.integers(-9, 9),
    st.integers(-9, 40),
    st.integers(1, 30),
)
def test_ranges(dtype, start, stop, tenths):
    kind = np.dtype(dtype)
    step = kind.type(tenths / 10 if kind.kind == "f" else tenths)
    ends = [np.array(abs(end) if kind.kind == "u" else end / 3).astype(kind) for end in (start, stop)]
    assert_core_gives_the_same(lambda start, stop: rt.arange(start, stop, rt.asarray(step)), ends)


@pytest.mark.parametrize(
    ("function", "arrays"),
    [
        (lambda x, i: rt.take(x, i, axis=1), [np.ones((2, 3)), np.array([3])]),
        (lambda x, i: x[i], [np.ones(3), np.array(-4)]),
        (lambda x, i, j: x[i, j], [np.ones((3, 3)), np.array([0, 1]), np.array([0, 1, 2])]),
        (lambda x, m: x[m], [np.ones(3), np.array([True, False])]),
        (lambda x: rt.broadcast_to(x, (2, 3)), [np.ones(2)]),
        (lambda x: rt.squeeze(x, 0), [np.ones(2)]),
        (lambda x: rt.max(x), [np.ones(0)]),
        (lambda x, r: rt.repeat(x, r), [np.ones(2), np.array([1, -1])]),
        (lambda x: np.pad(x, 1, mode="reflect"), [np.ones(0)]),
        (lambda x, y: rt.matmul(x, y), [np.ones((2, 3)), np.ones((2, 3))]),
    ],
)
def test_what_raises_raises_the_same(function, arrays):
    graph = graph_of(function, arrays, known=False)
    with pytest.raises((Error, ValueError)) as expected:
        outcome(graph, arrays)
    with pytest.raises(expected.type):
        outcome(decompose(graph), arrays)
