"""A loop over a list that its turns change goes on as Python does, over the items that are there."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


def removes(xs):
    for x in xs:
        if x % 2 == 0:
            xs.remove(x)
    return xs


def pops(xs):
    seen = []
    for x in xs:
        seen.append(x)
        if x == 2:
            xs.pop()
    return xs, seen


def inserts(xs):
    seen = []
    for x in xs:
        seen.append(x)
        if x == 2:
            xs.insert(0, x + 1)
        if len(seen) > 5:
            break
    return xs, seen


def deletes_by_number(xs):
    seen = []
    for i, x in enumerate(xs):
        seen.append((i, x))
        if x == 2:
            del xs[i]
    return xs, seen


def removes_beside_another(xs):
    seen = []
    for x, name in zip(xs, "abcdef"):
        seen.append((x, name))
        if x == 2:
            xs.remove(x)
    return xs, seen


def reverses(xs):
    seen = []
    for x in xs:
        seen.append(x)
        if x == 2:
            xs.reverse()
        if len(seen) > 5:
            break
    return xs, seen


def sorts(xs):
    seen = []
    for x in xs:
        seen.append(x)
        if x == 3:
            xs.sort()
    return xs, seen


def clears(xs):
    turns = 0
    for x in xs:
        turns += 1
        if x == 3:
            xs.clear()
    else:
        turns += 10
    return xs, turns


def sets_at_an_index(xs):
    seen = []
    for x in xs:
        seen.append(x)
        xs[x % 3] = x + 3
    return xs, seen


def removes_and_breaks(xs):
    seen = []
    for x in xs:
        if x > 4:
            break
        seen.append(x)
        if x % 2 == 0:
            xs.remove(x)
    return xs, seen


def removes_in_a_callee(xs):
    def drop(x):
        if x == 2:
            xs.remove(x)

    seen = []
    for x in xs:
        drop(x)
        seen.append(x)
    return xs, seen


def grows(xs):
    for x in xs:
        if x > 1:
            xs.append(x // 2)
    return xs


def changes_a_copy(xs):
    for x in xs[:]:
        if x % 2 == 0:
            xs.remove(x)
    return xs


PROGRAMS = [
    removes,
    pops,
    inserts,
    deletes_by_number,
    removes_beside_another,
    reverses,
    sorts,
    clears,
    sets_at_an_index,
    removes_and_breaks,
    removes_in_a_callee,
    grows,
    changes_a_copy,
]


@pytest.mark.parametrize("change", PROGRAMS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("is_callers", [False, True])
def test_a_loop_over_a_list_that_its_turns_change(change, is_callers):
    def f(a, b, c, d):
        return change([a, b, c, d])

    calls = [[2, 2, 3, 5], [1, 2, 4, 6], [3, 1, 2, 2], [5, 3, 1, 7]]
    if is_callers:
        first, *then = [([*map(np.int64, call)],) for call in calls]
        ag.check(change, *first, then=then)
    else:
        first, *then = [tuple(map(np.int64, call)) for call in calls]
        ag.check(f, *first, then=then)


def removes_backwards(xs):
    for x in reversed(xs):
        if x == 2:
            xs.remove(x)
    return xs


def test_a_loop_backwards_over_a_list_from_which_its_turns_take_is_refused():
    with pytest.raises(StateDisagrees, match=r"`reversed\(items\)` takes items out of the list"):
        ag.function(removes_backwards)([*map(np.int64, [1, 2, 2])])


def test_so_it_is_not_where_they_only_add():
    def adds(a, b):
        xs, seen = [a, b], []
        for x in reversed(xs):
            seen.append(x)
            if x == 2:
                xs.append(x + 1)
        return xs, seen

    ag.check(adds, np.int64(1), np.int64(2), then=[(np.int64(2), np.int64(2)), (np.int64(0), np.int64(1))])
