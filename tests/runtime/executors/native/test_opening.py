"""Calls with tuples, lists and dicts of arrays are served in C, where these hold what they held before."""

from __future__ import annotations

import gc
import sys
from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import autograph as ag
import runtime as rt

X, Y, Z = np.arange(4.0), np.ones(4), np.full(4, 0.5)


def layer(p, x):
    return x * p["w"] + p["b"]


def deep(state, k):
    (h, c), [a, extra], options = state
    return h * c + a * extra["scale"] - options["deep"][0] * k


def first(items):
    return items[0] * 2 + len(items)


def served(function, *arguments):
    """A function that has been called with these, and serves such calls in C."""
    graph = ag.function(function, jit_compile=True)
    for _ in range(3):
        np.testing.assert_array_equal(np.asarray(graph(*arguments)), function(*arguments))
    assert graph._front is not None
    return graph


def check(graph, function, *arguments):
    np.testing.assert_array_equal(np.asarray(graph(*arguments)), function(*arguments))


def test_dicts_lists_and_tuples_are_opened():
    graph = served(layer, {"w": X, "b": Y}, Z)
    check(graph, layer, {"w": Z, "b": X}, Y)
    check(graph, layer, {"w": rt.asarray(Z), "b": X}, rt.asarray(Y))
    state = ((X, Y), [Z, {"scale": X}], {"deep": (Y,)})
    graph = served(deep, state, 2)
    check(graph, deep, state, 2)
    check(graph, deep, state, 3)
    check(graph, deep, ((Y, X), [X, {"scale": Z}], {"deep": (Z,)}), 2)


def test_other_forms_of_what_was_given_are_other_calls():
    graph = served(first, [X, Y])
    for items in ([X], [X, Y, Z], (X, Y), [X[:2], Y], [X.astype("f"), Y], [X, 3.0], [X, [Y]], [X, {"a": Y}]):
        check(graph, first, items)
        check(graph, first, [Y, X])
    graph = served(layer, {"w": X, "b": Y}, Z)
    check(graph, layer, {"b": Y, "w": X}, Z)
    check(graph, layer, {"w": X, "b": Y, "more": Z}, Z)
    check(graph, layer, OrderedDict(w=Z, b=Y), Z)
    check(graph, layer, {str(b"w", "ascii"): Z, "b": Y}, Z)
    with pytest.raises(KeyError):
        graph({"w": X}, Z)


def test_the_order_of_keys_counts():
    def listed(p):
        return np.stack([*p.values()])

    graph = ag.function(listed, jit_compile=True)
    for _ in range(3):
        check(graph, listed, {"a": X, "b": Y})
    check(graph, listed, {"b": Y, "a": X})


def test_named_tuples_are_not_tuples():
    pair = namedtuple("pair", "a b")

    def named(p):
        return p.a + p[1] if hasattr(p, "a") else p[0] - p[1]

    graph = ag.function(named, jit_compile=True)
    for _ in range(3):
        check(graph, named, (X, Y))
    check(graph, named, pair(X, Y))
    check(graph, named, (Y, Z))


def test_numbers_inside_are_compared():
    graph = served(deep, ((X, Y), [Z, {"scale": 2.0}], {"deep": (Y,)}), 1)
    for scale in (2.0, 3.0, 2, True):
        check(graph, deep, ((X, Y), [Z, {"scale": scale}], {"deep": (Y,)}), 1)


def test_one_list_in_two_places_is_another_call():
    def both(a, b):
        a[0] = b[0] + 1
        return b[0] * 2

    graph = ag.function(both, jit_compile=True)
    for a, b in [([X], [Y])] * 4:
        check(graph, both, [*a], [*b])
    shared = [X]
    again = [X]
    check(graph, lambda a, b: both(again, again), shared, shared)
    np.testing.assert_array_equal(np.asarray(shared[0]), again[0])


def test_a_list_that_the_function_changes_is_changed_on_every_call():
    def grown(items, x):
        items.append(x)
        return items[0] + len(items)

    graph, items = ag.function(grown, jit_compile=True), [X]
    for turn in range(5):
        graph(items, Y)
        assert len(items) == turn + 2


def test_an_array_in_a_list_that_is_written_into_is_the_callers():
    def scaled(items, k):
        for i in range(len(items[0])):
            items[0][i] *= k
        return items[0][0] + items[1][0]

    graph, x = ag.function(scaled, jit_compile=True), X + 1
    for _ in range(4):
        graph([x, Y], rt.asarray(2.0))
    np.testing.assert_array_equal(x, (X + 1) * 16)
    y = Y.copy()
    np.testing.assert_array_equal(graph([y, y], rt.asarray(2.0)), 4.0)


OUTSIDE = [X]


def test_a_list_that_is_also_outside_is_another_call():
    def program(items):
        OUTSIDE[0] = Y
        return items[0] + 1

    graph = ag.function(program, jit_compile=True)
    for items in ([Z], [Z], [Z], OUTSIDE):
        expected = (Y if items is OUTSIDE else Z) + 1
        np.testing.assert_array_equal(np.asarray(graph(items)), expected)


def test_nothing_is_kept_of_what_was_opened():
    graph = served(layer, {"w": X, "b": Y}, Z)
    parameters = {"w": X.copy(), "b": Y.copy()}
    before = [sys.getrefcount(each) for each in parameters.values()]
    for _ in range(100):
        graph(parameters, Z)
        graph({"w": parameters["w"]} | {"c": 1, "b": parameters["b"]}, Z)
    gc.collect()
    assert [sys.getrefcount(each) for each in parameters.values()] == before
