"""Each arm at the end of a turn asks whether there is another one, for what it has changed."""

from collections import Counter

import numpy as np
import pytest

import autograph as ag
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import Apply, Break, If, Number, Set, Variable, While, add
from runtime.executors.native.language.walking import inside, kinds_in, numbers_in
from runtime.executors.native.llvm.arms import with_tests_in_arms
from runtime.executors.native.llvm.moves import moves_of
from runtime.executors.native.llvm.polling import chunk_of
from runtime.executors.native.llvm.strips import moved_inside
from runtime.executors.native.whole import lowered

I, J, ONE, OTHER, BOTH = (
    Variable(name, dtype) for name, dtype in zip("ijabc", (int64, int64, bool_, bool_, bool_), strict=True)
)
BEFORE = [
    Set(ONE, Apply("less", (I, Number(9, int64)), bool_)),
    If(
        ONE,
        [Set(OTHER, Apply("less", (J, Number(7, int64)), bool_)), Set(BOTH, OTHER)],
        [Set(BOTH, Number(False, bool_))],
    ),
]


def asked_in(arm):
    """The numbers that an arm compares with an end."""
    return [
        each.value.arguments[0].name
        for each in arm
        if isinstance(each, Set) and isinstance(each.value, Apply) and each.value.function == "less"
    ]


def reads_of(loop):
    return Counter([name for each in inside([loop]) for name in numbers_in(each)])


def test_an_arm_asks_for_the_number_that_it_has_moved():
    is_less = Variable("t", bool_)
    body = [If(is_less, [Set(I, add(I, 1)), Set(J, J)], [Set(J, add(J, 1))])]
    loop = While(BEFORE, BOTH, body)
    [branch] = with_tests_in_arms(loop, reads_of(loop))
    assert [asked_in(branch.then), asked_in(branch.orelse)] == [["i"], ["j"]]
    assert Break in kinds_in(branch.then)


def test_a_loop_whose_arms_all_ask_for_everything_stays():
    loop = While(BEFORE, BOTH, [Set(I, add(I, 1)), Set(J, add(J, 1))])
    assert with_tests_in_arms(loop, reads_of(loop)) is None


def test_an_arm_asks_for_a_truth_that_it_has_set():
    is_over, less = Variable("over", bool_), Variable("t", bool_)
    asks = [Set(ONE, Apply("logical_not", (is_over,), bool_))]
    loop = While(asks, ONE, [If(less, [Set(is_over, Number(True, bool_))], [Set(I, add(I, 1))])])
    [branch] = with_tests_in_arms(loop, reads_of(loop))
    assert Break in kinds_in(branch.then)
    assert Break not in kinds_in(branch.orelse)


def test_an_arm_asks_for_what_a_truth_before_has_computed():
    """``0 <= i + 1 < j``: an arm that moves one of them needs `i + 1`, which the first truth has computed."""
    after, is_less = Variable("after", int64), Variable("t", bool_)
    before = [
        Set(after, add(I, 1)),
        Set(ONE, Apply("less", (Number(0, int64), after), bool_)),
        If(
            ONE,
            [Set(OTHER, Apply("less", (after, J), bool_)), Set(BOTH, OTHER)],
            [Set(BOTH, Number(False, bool_))],
        ),
    ]
    loop = While(before, BOTH, [If(is_less, [Set(I, add(I, 1))], [Set(J, add(J, -1))])])
    [branch] = with_tests_in_arms(loop, reads_of(loop))
    names = [
        [each.variable.name for each in arm if isinstance(each, Set)] for arm in (branch.then, branch.orelse)
    ]
    assert names == [["i", "after", ONE.name, OTHER.name], ["j", "after", OTHER.name]]


def test_a_loop_whose_test_is_read_elsewhere_stays():
    loop = While(BEFORE, BOTH, [If(ONE, [Set(I, add(I, 1))], [Set(J, add(J, 1))])])
    assert with_tests_in_arms(loop, reads_of(loop)) is None


def test_what_turns_move_says_how_many_there_were():
    t = Variable("t", bool_)
    assert moves_of([Set(I, add(I, 2)), If(t, [Set(J, add(J, 1))], [])]) == [(I, 2)]
    assert moves_of([If(t, [Set(I, add(I, 1))], [Set(J, add(J, -1))])]) == [(I, 1), (J, -1)]
    assert not moves_of([If(t, [Set(I, add(I, 1))], [])])
    assert not moves_of([If(t, [Set(I, add(I, 1))], [Set(I, add(I, -1)), Set(J, add(I, 1))])])
    assert moves_of([If(t, [Set(I, add(I, 1))], [Break()])]) == [(I, 1)]


def merged(x, y):
    out = np.zeros(len(x) + len(y))
    i, j, k = 0, 0, 0
    while i < len(x) and j < len(y):
        if x[i] <= y[j]:
            out[k] = x[i]
            i += 1
        else:
            out[k] = y[j]
            j += 1
        k += 1
    return out, i, j


def common(x, y):
    i, j, count = 0, 0, 0
    while i < len(x) and j < len(y):
        if x[i] < y[j]:
            i += 1
        elif x[i] > y[j]:
            j += 1
        else:
            i, j, count = i + 1, j + 1, count + 1
    return count, i, j


def until_both_are_negative(x, y):
    i, j = 0, 0
    while i < len(x) and (j < len(y) and y[j] >= 0):
        if x[i] < y[j]:
            y[j] -= 50
            i += 1
        elif x[i] > 90:
            break
        else:
            j += 1
    return i, j, y


def until_one_is_found(x, y):
    i, place, found = 0, -1, False
    while not found:
        i += 1
        if i >= len(x):
            found = True
        elif x[i] == y[i // 2]:
            found, place = True, i
        else:
            y[i // 2] += 1
    return i, place, y


def until_an_element_is_zero(x, y):
    i, j = 0, 0
    while j < 20 and i < 20 and x[i] > 0:
        if y[j] > x[i]:
            x, y = y, x
            j += 1
        elif y[j] % 2 == 0:
            x[i] -= 7
            j += 1
        else:
            i += 1
    return i, j, x, y


def with_an_error(x, y):
    i, j, total = 0, 0, 0
    while i < len(x) and j < len(y):
        if x[i] < y[j]:
            i += 1
        else:
            total += x[j + i]
            j += 1
    return total, i, j


def until_a_sum_is_outside(x, y):
    i, j = 0, 0
    while 0 <= i + 1 < j + 10:
        if x[j] % 2:
            i += 1
        else:
            j += 1
    return i, j


def until_a_sum_is_far(x, y):
    i, j = 0, 0
    while 0 <= j + 1 < i + 10:
        if x[j] % 2:
            x[j], i = x[j] - 1, i + 9
        else:
            j += 1
    return i, j


def outcome(call, *arguments):
    """What a call gives, or what it raises."""
    try:
        found = call(*[each.copy() for each in arguments])
    except IndexError as error:
        return str(error).splitlines()[0]
    return [np.asarray(each).tolist() for each in found]


@pytest.mark.parametrize(
    "program",
    [
        merged,
        common,
        until_both_are_negative,
        until_one_is_found,
        until_an_element_is_zero,
        with_an_error,
        until_a_sum_is_outside,
        until_a_sum_is_far,
    ],
)
def test_loops_whose_arms_ask_do_what_python_does(program):
    graph, rng = ag.function(program), np.random.default_rng(2)
    for high in (3, 30, 99, 99, 99):
        x, y = np.sort(rng.integers(0, high, 40)), np.sort(rng.integers(0, high, 40))
        assert outcome(graph, x, y) == outcome(program, x, y)


@pytest.mark.parametrize("program", [merged, common])
def test_loops_that_move_one_of_two_indices_count_when_they_are_over(program):
    concrete = ag.function(program).get_concrete_function(np.arange(40), np.arange(25))
    functions = lowered(concrete.optimised_module).functions
    loops = [each for each in inside(functions[-1].body) if isinstance(each, While)]
    assert loops
    assert all(moved_inside(each, chunk_of(each)) for each in loops)
