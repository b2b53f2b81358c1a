"""Slices of windows say how long they are, where their ends are inside; others stay as they are."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.ops.slicing.cutting import DynamicStridedSlice
from runtime.ops.updating.replacing import TensorStridedSliceUpdate


def widest(x):
    best = 0.0
    for i in range(len(x) - 2):
        best = max(best, x[i : i + 3].sum())
    return best


def shortest_paths(x):
    d = np.abs(x[:, None] - 2 * x)
    for k in range(len(d)):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1])
    return d


def batches(x):
    total = np.zeros(4)
    for b in range(75):
        total += x[b * 4 : (b + 1) * 4] * b
    return total


def shifted(x):
    out = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        out[i - 1 : i + 1] += x[i : i + 2][::-1]
    return out


def backwards(x):
    total = 0.0
    for i in range(len(x) - 1, 1, -1):
        total += x[i - 2 : i].prod()
    return total


def lengths_of(graph):
    sliced = DynamicStridedSlice | TensorStridedSliceUpdate
    ops = [node.op for inner in graph.walk() for node in inner.nodes if isinstance(node.op, sliced)]
    return {op.lengths for op in ops if any(isinstance(part, tuple) for part in op.key)}


@pytest.mark.parametrize(
    ("program", "lengths"),
    [
        (widest, {(3,)}),
        (shortest_paths, {(None, 1), (1, None), (1,)}),
        (batches, {(4,)}),
        (shifted, {(2,)}),
        (backwards, {(2,)}),
    ],
)
def test_a_window_says_how_long_it_is(program, lengths):
    x = np.random.default_rng(0).random(300)
    graph = ag.function(program)
    np.testing.assert_array_equal(graph(x), program(x))
    found = lengths_of(graph.concrete_functions[0].optimised_module.entry)
    assert found
    assert found <= lengths


def behind(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i : i + 3].sum()
    return total


def before(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i - 5 : i + 1].sum()
    return total


def growing(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i : 2 * i].sum()
    return total


def given(x, i):
    return x[i : i + 3] * 2


@pytest.mark.parametrize("program", [behind, before, growing])
def test_a_window_that_may_reach_over_an_end_does_not(program):
    x = np.random.default_rng(0).random(300)
    graph = ag.function(program)
    np.testing.assert_array_equal(graph(x), program(x))
    assert lengths_of(graph.concrete_functions[0].optimised_module.entry) == {()}


@pytest.mark.parametrize("i", [0, 9, 10, 12, 40, -3, -20, 2**63 - 2])
def test_a_window_from_a_place_that_is_given_is_what_python_takes(i):
    x = np.arange(12.0)
    np.testing.assert_array_equal(ag.function(given)(x, rt.asarray(i)), x[slice(i, i + 3)] * 2)
