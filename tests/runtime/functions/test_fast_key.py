"""Calls like one before are known again: without being sorted out, and never for another one."""

import math

import numpy as np
import pytest

import runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction

X, Y = rt.asarray([1.0, 2.0]), rt.asarray([3.0, 5.0])


def added(x, k=2.0, *, minus=0.0, names=None):
    found = x * k - minus
    for name in names or {}:
        found = found * 10.0 + names[name]
    return found


@pytest.fixture
def sorted_calls(monkeypatch):
    """The calls whose arguments were sorted out, one after the other."""
    calls = []
    before = PolymorphicFunction._call

    def counted(self, args, kwargs, key):
        calls.append((args, kwargs))
        return before(self, args, kwargs, key)

    monkeypatch.setattr(PolymorphicFunction, "_call", counted)
    return calls


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((X,), {}),
        ((X, 3.0), {}),
        ((X, -0.0), {}),
        ((X,), {"k": 3.0}),
        ((X,), {"minus": 1.5}),
        ((X,), {"k": 2, "minus": True}),
        ((X,), {"names": {"a": X, "b": Y}}),
        ((X.numpy(),), {"names": {"a": X.numpy(), "b": np.float64(2.0)}}),
        ((X,), {"names": None}),
    ],
)
def test_a_call_like_one_before_is_known_again(sorted_calls, args, kwargs):
    graph = PolymorphicFunction(added)
    found = [graph(*args, **kwargs).numpy() for _ in range(3)]
    assert len(sorted_calls) == 1
    for each in found:
        np.testing.assert_array_equal(each, np.asarray(added(*args, **kwargs)))


DIFFERENT = [
    ((X,), {}),
    ((X, 2), {}),
    ((X, True), {}),
    ((X, 0.0), {}),
    ((X, -0.0), {}),
    ((X, math.nan), {}),
    ((X,), {"minus": 2.0}),
    ((X,), {"names": {"a": X, "b": Y}}),
    ((X,), {"names": {"b": X, "a": Y}}),
    ((X,), {"names": {"a": Y, "b": X}}),
    ((X,), {"names": {"a": X}}),
    ((X,), {"names": {"a": 1.0, "b": 2.0}}),
    ((Y,), {"minus": X, "names": {"a": X}}),
    ((Y,), {"names": {"a": X}, "minus": X}),
    ((X,), {"names": {"a": X}, "minus": Y}),
]


def test_calls_that_differ_are_told_apart():
    graph = PolymorphicFunction(added, max_traces=len(DIFFERENT))
    for _ in range(3):
        for args, kwargs in DIFFERENT:
            found = graph(*args, **kwargs).numpy()
            wanted = np.asarray(added(*args, **kwargs))
            np.testing.assert_array_equal(found, wanted)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_what_changes_in_a_default_is_seen():
    options = {"k": 2.0}

    def scaled(x, options=options):
        return x * options["k"]

    graph = PolymorphicFunction(scaled)
    first = graph(X), graph(X)
    options["k"] = 5.0
    assert [each.numpy().tolist() for each in (*first, graph(X))] == [[2.0, 4.0], [2.0, 4.0], [5.0, 10.0]]


def test_a_list_that_is_two_arguments_is_not_taken_for_two(sorted_calls):
    graph = PolymorphicFunction(lambda a, b: a[0] + b[0])
    one = [X]
    for given in ((one, [Y]), (one, one), (one, [Y]), (one, one)):
        np.testing.assert_array_equal(graph(*given).numpy(), given[0][0].numpy() + given[1][0].numpy())
    assert [args for args, _ in sorted_calls] == [(one, [Y]), (one, one), (one, one)]


def test_a_list_that_holds_itself_is_an_argument():
    items = [X]
    items.append(items)
    graph = PolymorphicFunction(lambda items: items[1][1][0] + 1.0)
    for _ in range(2):
        np.testing.assert_array_equal(graph(items).numpy(), X.numpy() + 1.0)
