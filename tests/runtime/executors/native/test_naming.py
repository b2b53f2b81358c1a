"""What branches leave has the name at once that it has behind them."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import Apply, Fail, Function, If, Number, Set, Variable, While
from runtime.executors.native.language.walking import inside
from runtime.executors.native.lower.naming import named_at_once
from runtime.executors.native.whole import lowered


def whole(name):
    return Variable(name, int64)


def plus(name, more):
    return Apply("add", (whole(name), Number(more, int64)), int64)


TEST, OTHER = Variable("t", bool_), Variable("u", bool_)


def named(*body, results=(whole("a"), whole("b"))):
    parameters = [TEST, OTHER, whole("a"), whole("b")]
    return named_at_once(Function("f", parameters, list(body), list(results))).body


def test_the_arms_of_a_chain_of_branches_write_what_the_turn_leaves():
    def arm(then, now):
        return Set(whole(then), now)

    inner = If(OTHER, [arm("c", plus("a", 1))], [arm("c", plus("a", -1))])
    body = [If(TEST, [arm("d", plus("a", 2))], [inner, arm("d", whole("c"))]), Set(whole("a"), whole("d"))]
    inner = If(OTHER, [arm("a", plus("a", 1))], [arm("a", plus("a", -1))])
    assert named(*body) == [If(TEST, [arm("a", plus("a", 2))], [inner])]


def test_a_number_that_is_asked_for_in_between_keeps_its_name():
    branch = If(TEST, [Set(whole("c"), plus("a", 1))], [Set(whole("c"), whole("b"))])
    for between in (Set(whole("b"), plus("a", 1)), Fail(0, (whole("a"),))):
        body = [branch, between, Set(whole("a"), whole("c"))]
        assert named(*body) == body
    swapped = [Set(whole("c"), whole("b")), Set(whole("d"), whole("a"))]
    body = [If(TEST, swapped, swapped), Set(whole("a"), whole("c")), Set(whole("b"), whole("d"))]
    assert Set(whole("c"), whole("b")) in [*inside(named(*body))]


def test_a_number_that_somebody_else_asks_for_keeps_its_name():
    body = [
        If(TEST, [Set(whole("c"), plus("a", 1))], [Set(whole("c"), whole("a"))]),
        Set(whole("a"), whole("c")),
    ]
    assert named(*body, results=(whole("a"), whole("c"))) == body
    assert named(*body, Set(whole("b"), whole("c"))) == [*body, Set(whole("b"), whole("c"))]
    once = [If(TEST, [Set(whole("c"), plus("a", 1))], []), Set(whole("a"), whole("c"))]
    assert named(*once) == once


def test_two_forms_of_one_loop_have_the_same_names():
    body = [
        If(TEST, [Set(whole("c"), plus("a", 1))], [Set(whole("c"), plus("b", 1))]),
        Set(whole("a"), whole("c")),
    ]
    turn = [If(TEST, [Set(whole("a"), plus("a", 1))], [Set(whole("a"), plus("b", 1))])]
    found = named(If(OTHER, [While([], TEST, body)], [While([], TEST, body)]))
    assert found == [If(OTHER, [While([], TEST, turn)], [While([], TEST, turn)])]


def pairs(x, wanted):
    """Pairs of numbers that are in order, with a sum."""
    i, j, found, nearest = 0, len(x) - 1, 0, x[0] + 1000
    while i < j:
        total = x[i] + x[j]
        if abs(total - wanted) < nearest:
            nearest = abs(total - wanted)
        if total == wanted:
            found += 1
            i += 1
            j -= 1
        elif total < wanted:
            i += 1
        else:
            j -= 1
    return i, j, found, nearest


def exchanged(x):
    """Numbers that change places in a branch."""
    low, high, turns = x[0], x[1], 0
    for each in x:
        if each > high:
            low, high = high, each
            turns += 1
        elif each < low:
            low, high = each, low
        else:
            low, high = low, high + turns
    return low, high, turns


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_programs_give_what_plain_python_gives(dtype):
    x = np.sort(np.random.default_rng(6).integers(0, 90, 60)).astype(dtype)
    graph = ag.function(pairs)
    for wanted in (70, 3, 400):
        found = graph(x, rt.asarray(wanted))
        assert [each.numpy().item() for each in found] == [each for each in pairs(x, wanted)]
    x = np.random.default_rng(6).integers(0, 90, 60).astype(dtype)
    assert [each.numpy().item() for each in ag.function(exchanged)(x)] == [each for each in exchanged(x)]


def met(x, wanted):
    i, j, found = 0, len(x) - 1, 0
    while i < j:
        total = x[i] + x[j]
        if total == wanted:
            found += 1
            i += 1
            j -= 1
        elif total < wanted:
            i += 1
        else:
            j -= 1
    return found


def test_no_number_is_copied_at_the_end_of_a_turn_of_branches():
    graph = ag.function(met)
    assert int(graph(np.arange(9), rt.asarray(4))) == met(np.arange(9), 4)
    body = lowered(graph.concrete_functions[0].optimised_module).functions[-1].body
    [loop] = [each for each in inside(body) if isinstance(each, While)]
    sets = [each for each in inside(loop.body) if isinstance(each, Set)]
    copied = [each.value.name for each in sets if isinstance(each.value, Variable)]
    kept = {each.variable.name for each in sets if each.value == each.variable}
    assert {each for each in copied if each.startswith("v")} <= kept
