"""Affine places: what they are, and what `AffineMap` does with those that are outside."""

import gc
import weakref

import numpy as np
import pytest

from runtime.errors import GraphError, IndexOutOfRange
from runtime.graph.parser import from_text
from runtime.ops.core import AffineMap
from runtime.ops.core.places import flat, parse
from runtime.passes.decompose import decompose

X = np.arange(12.0).reshape(3, 4)


def value_at(field, place):
    """What an affine expression without scalars is at a place."""
    return sum(factor * (1 if axis is None else place[axis]) for factor, _, axis in flat(field))


@pytest.mark.parametrize("text", ["i0", "s0 - i0 - 1", "2*i1 + 3", "-i0", "s1*i0 + s0", "i0 + i1 + s0"])
def test_an_affine_expression_reads_back_as_the_same_sum(text):
    assert parse(str(parse(text))) == parse(text)


def test_numbers_add_up():
    i = parse("i0")
    assert i + 1 - i + 2 * 3 == 7
    assert str(5 - i * 2) == "5-2*i0"


def test_a_place_is_no_product_of_indices():
    with pytest.raises(GraphError, match="not affine"):
        flat("i0*i1")


@pytest.mark.parametrize("text", ["i0 // 2", "n", "i0 +", "1.5", "f(i0)", "?", "max(i0-s0,0)"])
def test_what_is_not_affine_is_refused(text):
    with pytest.raises(GraphError, match="no affine expression"):
        parse(text)


@pytest.mark.parametrize("index", [("i0 + 1", "i1"), ("i0 - 1", "i1"), (3, "i1"), ("i0", "-i1 + 4")])
def test_a_place_outside_is_an_error_without_a_fill(index):
    with pytest.raises(IndexOutOfRange, match="out of bounds"):
        AffineMap((3, 4), index, False).kernel(X)


def test_no_place_is_outside_where_there_are_none():
    assert AffineMap((0, 4), ("i0 + 9", "i1"), False).kernel(X).shape == (0, 4)


@pytest.mark.parametrize(
    ("shape", "index"),
    [
        ((5, 4), ("i0 - 1", "i1")),
        ((3, 3), ("i0", "2*i1 - 1")),
        ((3, 4), ("-i0 + 3", "i1")),
        ((2,), (1, "i0 + 3")),
        ((2,), (7, "i0")),
        ((4,), ("i0", "i0 - 2")),
        ((2, 0), ("i0", "i1")),
    ],
)
def test_a_fill_stands_where_a_place_is_outside(shape, index):
    found = AffineMap(shape, index, True).kernel(X, np.float64(-1))
    expected = np.full(shape, -1.0)
    for place in np.ndindex(shape):
        row, column = [value_at(each, place) for each in index]
        if 0 <= row < 3 and 0 <= column < 4:
            expected[place] = X[row, column]
    np.testing.assert_array_equal(found, expected, strict=True)


def test_what_moves_without_a_fill_is_a_view():
    moved = AffineMap((4, 3), ("-i1 + 2", "i0"), False).kernel(X)
    assert np.shares_memory(moved, X)
    assert not moved.flags.writeable
    np.testing.assert_array_equal(moved, X[::-1].T)


def test_a_graph_of_which_lengths_were_places_goes_with_its_last_reference():
    graph = decompose(from_text("x: f64[x.0,3]\na = ReverseV2(x, axis=(0,))\nreturn a"))
    assert [node.op.name for node in graph.nodes] == ["Length", "AffineMap"]
    kept = weakref.ref(graph)
    del graph
    gc.collect()
    assert kept() is None
