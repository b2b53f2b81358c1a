"""Distinct elements are machine code: of integers, and of a few floats, with NumPy's bits."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def distinct(x, n):
    total = 0
    for turn in range(n):
        total += len(np.unique(x)) * turn
    values, first, inverse, times = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    return total, np.unique(x), values, first, inverse, times


RANDOM = np.random.default_rng(5)
LABELS = RANDOM.integers(0, 6, 40)
WHOLE = {
    "labels": LABELS,
    "rows": LABELS.reshape(5, 8),
    "columns": LABELS.reshape(5, 8).T,
    "none": LABELS[:0],
    "one": LABELS[:1],
    "many": RANDOM.integers(-50, 50, 3000),
    "far apart": RANDOM.integers(-(2**62), 2**62, 90),
    "far apart and many": RANDOM.integers(-(2**62), 2**62, 300),
    "ends": np.array([2**63 - 1, -(2**63), 0, -(2**63)]),
    "without signs": np.array([2**64 - 1, 2**63, 2**64 - 1, 2**63 + 3], np.uint64),
    "bytes": RANDOM.integers(0, 256, 200).astype(np.uint8),
    "small": np.array([127, -128, 5, 127], np.int8),
    "truths": LABELS > 2,
}


def require_alike(graph, x):
    for one, other in zip(graph(x, np.int64(3)), distinct(x, 3), strict=True):
        assert np.array_equal(one, other, equal_nan=True)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        assert np.array_equal(np.signbit(one), np.signbit(other))


OF_ANY_LENGTH = ag.function(
    distinct, input_signature=(rt.TensorSpec((None,), "int64"), rt.TensorSpec((), "int64"))
)


@pytest.mark.parametrize("name", WHOLE)
def test_distinct_integers_are_those_of_numpy(name):
    x, graph = WHOLE[name], ag.function(distinct)
    require_alike(graph, x)
    assert graph.concrete_functions[0].report().executor == "native"
    if x.dtype == np.int64 and x.ndim == 1:
        require_alike(OF_ANY_LENGTH, x)


def test_all_executors_find_the_same():
    ag.check(distinct, LABELS, np.int64(3))


FLOATS = [
    [0.5, 2.0, 0.5, -1.0],
    [0.0, 1.0, -0.0, 1.0],
    [-0.0, -0.0, 2.0],
    [np.nan, 1.0, np.nan, np.inf, -np.inf, np.inf],
    [],
    [*np.tile(np.linspace(0, 1, 50), 6)],
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_distinct_floats_are_those_of_numpy_with_the_signs_of_zeros(dtype):
    specs = rt.TensorSpec((None,), dtype), rt.TensorSpec((), "int64")
    graph = ag.function(distinct, input_signature=specs)
    for numbers in FLOATS:
        require_alike(graph, np.array(numbers, dtype))
    assert graph.concrete_functions[0].report().executor == "native"


def nearest(points, labels, places, k):
    found = np.zeros(len(places), int)
    for i in range(len(places)):
        near = labels[np.argsort(np.abs(points - places[i]), kind="stable")[:k]]
        values, counts = np.unique(near, return_counts=True)
        found[i] = values[np.argmax(counts)]
    return found


def test_a_vote_of_neighbours_does_not_stay_on_numpy():
    points, places = RANDOM.normal(size=40), RANDOM.normal(size=40)
    graph = ag.function(nearest)
    for _ in range(2):
        assert np.array_equal(graph(points, LABELS, places, 5), nearest(points, LABELS, places, 5))
    assert graph.concrete_functions[0].report().executor == "native"
