"""An array that was there before a call, and that statements choose to be kept, is that array after it."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.errors import CopiedViewWarning
from tests.promises.kit import function_of


class Keeper:
    def __init__(self):
        self.first, self.second, self.wide = np.ones(3), np.zeros(3), np.full(4, 2.0)
        self.best = None
        self.kept = []


def by_a_branch(x, a, b, keeper):
    keeper.best = a if x[0] > 1 else b


def of_attributes(x, a, b, keeper):
    keeper.best = keeper.first if x[0] > 1 else keeper.second
    keeper.kept.append(keeper.wide if x[1] > 1 else a)


def by_one_branch_after_the_other(x, a, b, keeper):
    best = a
    for i in range(3):
        if x[i] > 1:
            best = b
        elif x[i] < 0:
            best = keeper.first
    keeper.best = best


def by_branches_inside(x, a, b, keeper):
    if x[0] > 1:
        keeper.best = keeper.first if x[1] > 1 else b
    else:
        keeper.best = a
    keeper.kept.append(keeper.best)


def by_turns(x, a, b, keeper):
    keeper.best = a
    for i in range(int(x[0])):
        keeper.best = b if i % 2 else keeper.first


def by_turns_that_exchange(x, a, b, keeper):
    for _ in range(int(x[0])):
        a, b = b, a
    keeper.best = a
    keeper.kept.append(b)


def by_an_index(x, a, b, keeper):
    keeper.best = [a, b, keeper.first, keeper.second][int(x[0])]


def by_a_key(x, a, b, keeper):
    keeper.best = {0: a, 1: b}.get(int(x[0]), keeper.first)


def by_the_largest(x, a, b, keeper):
    keeper.best = max((a, b, keeper.first), key=lambda each: each[0] * x[0])


def by_a_search(x, a, b, keeper):
    for each in (b, a, keeper.wide):
        if each[0] < x[0]:
            keeper.best = each
            break
    keeper.kept.append(next((each for each in (a, b) if each[0] > x[1]), None))


def in_turns_of_a_branch(x, a, b, keeper):
    if x[0] > 1:
        for i in range(int(x[0])):
            keeper.best = a if i > 1 else keeper.second
    else:
        keeper.best = keeper.wide


def kept_and_written_to(x, a, b, keeper):
    chosen = a if x[0] > 1 else b
    chosen[0] += 1
    keeper.best = chosen


def a_part_of_one(x, a, b, keeper):
    keeper.best = a[1:] if x[0] > 1 else b[:2]


def one_or_none(x, a, b, keeper):
    keeper.best = a if x[0] > 1 else None


PROGRAMS = [
    by_a_branch,
    of_attributes,
    by_one_branch_after_the_other,
    by_branches_inside,
    by_turns,
    by_turns_that_exchange,
    by_an_index,
    by_a_key,
    by_the_largest,
    by_a_search,
    in_turns_of_a_branch,
    kept_and_written_to,
    a_part_of_one,
    one_or_none,
]


def kept_by(function, x):
    """What an object keeps after a call: which array that was there, or a view of which."""
    keeper, a, b = Keeper(), np.ones(3), np.zeros(3)
    there = [a, b, keeper.first, keeper.second, keeper.wide]
    function(np.array(x), a, b, keeper)

    def place(kept):
        if kept is None:
            return "none"
        same = [index for index, each in enumerate(there) if each is kept]
        return same or ["view", *(index for index, each in enumerate(there) if np.shares_memory(each, kept))]

    return [*map(place, [keeper.best, *keeper.kept])], [each.tolist() for each in there]


@pytest.mark.parametrize("executor", [None, "numpy", "native"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_an_array_that_was_there_is_itself_where_it_is_kept(program, executor):
    calls = [[3.0, 0.0, 2.0], [0.0, 3.0, -1.0], [1.0, 0.0, 0.0], [2.0, 2.0, 5.0]]
    for x in calls:
        assert kept_by(ag.function(program, executor=executor), x) == kept_by(program, x)


def by_a_try(x, a, b, keeper):
    try:
        keeper.best = [a, b][int(x[0])]
    except IndexError:
        keeper.best = keeper.first


def by_a_try_that_always_raises(x, a, b, keeper):
    try:
        keeper.best = a
        keeper.best[int(x[0])] = 1.0
        keeper.best = b
        raise IndexError
    except IndexError:
        pass


@pytest.mark.parametrize("program", [by_a_try, by_a_try_that_always_raises])
def test_there_is_a_warning_where_nobody_knows_which_array_it_is(program):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kept_by(ag.function(program), [0.0])
    assert CopiedViewWarning in [each.category for each in caught]


MADE = """
box.held = held if n > 1 else other
---
table = np.zeros((3, 4))
box.held = table[0] if n > 1 else table[1]
box.rows = (table,)
---
box.held = held
for i in range(n):
    if x[i] > 1:
        box.held = other
---
def pick(one, two):
    return one if n > 1 else two[::-1]
box.held = pick(held, other)
---
if n > 1:
    box.held = held if x[0] > 1 else other
else:
    box.held = x
---
for i in range(n):
    box.held = held[i:]
---
box.rows = [held if n > 1 else other, other if x[0] > 1 else held]
---
held[0] = n
part = held[::-1] if n > 2 else held[1:]
part[0] = 5.0
box.held = part
""".strip().split("\n---\n")


class Box:
    held, first, second, rows = None, None, None, None


@pytest.mark.parametrize("program", MADE)
@pytest.mark.parametrize("first", [3, 0, 1])
def test_arrays_that_a_call_makes_and_chooses_from_are_one_in_the_next(program, first):
    lines = ["def f(x, n):", "if box.first is None:", "    held, other = x * 2, x + 1"]
    lines += [f"    {line}" for line in program.splitlines()]
    lines += ["    box.first, box.second = held, other"]
    lines += [
        "else:",
        "    if box.held is not None:",
        "        box.held[0] += 3.0",
        "    box.first[1] *= 2.0",
    ]
    lines += ["    box.second[-1] -= 1.0", "    if box.rows is not None:", "        box.rows[0][0] += n"]
    text = "\n    ".join(lines)
    calls = [(np.array([1.0, 2.0, 3.0, 4.0]), np.int64(n)) for n in (first, 2, 0)]
    ag.check(function_of(text + "\n", box=Box()), *calls[0], then=calls[1:])


ASKED_BY_A_LOOP = [
    "while n > 0 and x is not HELD: n -= 1; count += 1; x = HELD",
    "y = HELD\nwhile n > 0 and x is not y: n -= 1; count += 1; x = HELD",
    "y = np.zeros(4)\nwhile n > 0 and x is not y: n -= 1; count += 1; x = y",
    "y, z = x, x + 1\nwhile n > 0 and x is y: n -= 1; count += 1; x = z",
    "last = None\nwhile n > 0 and last is not x: n -= 1; count += 1; last = x",
    "y = HELD\nwhile n > 0 and id(x) != id(y):\n    n -= 1; count += 1; x, y = y, x\n    if n == 1: y = x",
    "y = x * 2\nfor i in range(n):\n    while x is not y and count < 9: count += 1; x = y\n    x = HELD",
]
HELD = np.ones(4)


@pytest.mark.parametrize("lines", ASKED_BY_A_LOOP)
def test_the_test_of_a_loop_asks_for_the_array_that_the_last_turn_has_left(lines):
    text = "def f(x, n):\n    count = 0\n" + "".join(f"    {line}\n" for line in lines.splitlines())
    calls = [(np.array([1.0, 2.0, 3.0, 4.0]), np.int64(n)) for n in (3, 1, 0)]
    ag.check(function_of(text + "    return count, x\n", HELD=HELD), *calls[0], then=calls[1:])
