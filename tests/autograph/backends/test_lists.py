"""`StagedList` and `Elements`: what they refuse, and where they stay."""

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.tensors.containers.becoming import grown
from autograph.backends.tensors.containers.lists import StagedList, StagedTuple
from autograph.staging.journal import recording
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.functions.polymorphic import PolymorphicFunction


def test_a_function_of_the_graph_returns_lists_and_tuples_of_python():
    @PolymorphicFunction
    def f(x):
        items = grown([(x, 1)])
        items.append((x * 2, 2))
        return {"list": items, "tuple": StagedTuple(items.contents)}

    result = f(rt.asarray(3))
    assert [(a.item(), b.item()) for a, b in result["list"]] == [(3, 1), (6, 2)]
    assert isinstance(result["tuple"], tuple)


def test_a_call_in_a_graph_gives_a_list_of_the_graph():
    inner = PolymorphicFunction(lambda x: grown([x]))

    @PolymorphicFunction
    def outer(x):
        items = inner(x)
        assert isinstance(items, StagedList)
        items.append(7)
        return items

    assert [each.item() for each in outer(rt.asarray(3))] == [3, 7]


def test_changes_are_announced_before_they_happen():
    @PolymorphicFunction
    def f(x):
        items = grown([x, x])
        before = items.contents
        with recording() as journal:
            items.append(x)
            items.pop()
            items[0] = 5
        journal.undo()
        assert items.contents is before
        return items

    assert [each.item() for each in f(rt.asarray(1))] == [1, 1]


def test_elements_may_be_of_two_structures():
    @ag.function
    def f(n):
        found = []
        for i in range(n):
            found.append(i)
        found.append((1, 2))
        return found

    *numbers, pair = f(rt.asarray(3))
    assert [each.item() for each in numbers] == [0, 1, 2]
    assert pair == (1, 2)


def test_what_is_no_tensor_is_refused():
    @ag.function
    def f(n):
        found = []
        for i in range(n):
            found.append(slice(i))
        return found

    with pytest.raises(StateDisagrees, match=r"cannot hold .*slice"):
        f(rt.asarray(3))


def test_python_itself_cannot_run_over_it():
    @ag.do_not_convert
    def total(items):
        return sum(items)

    @ag.function
    def f(n):
        return total([i for i in range(n)])

    with pytest.raises(NoConcreteValue, match=r"(?s)a tensor decides how many items there are.*rt.arange"):
        f(rt.asarray(3))


def test_a_list_that_was_cleared_is_filled_anew():
    @ag.function
    def f(n):
        found = [1]
        if n > 2:
            found.append(n)
        found.clear()
        found.append(n * 2)
        return found

    assert [each.item() for each in f(rt.asarray(3))] == [6]


def test_its_text_says_what_it_is():
    @PolymorphicFunction
    def f(x):
        assert repr(grown([(x, x)])) == "<list of (*, *), in a graph>"
        return x

    f(rt.asarray(1))
