"""Sets and dicts that each turn of a loop makes anew: `seen = seen | {x}`, `table = {**table, x: 1}`."""

import collections

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

CALLS = [(np.array(x), np.int64(len(x))) for x in ([1.0, 2.0, 3.0], [0.0], [2.0, 2.0])]
CALLS.append((np.zeros(0), np.int64(0)))


@pytest.mark.parametrize("made", ["{1, 2, 3}", "set()"])
@pytest.mark.parametrize(
    "turn",
    [
        "c = c | {1}",
        "c = c - {2}",
        "c = c - {i}",
        "c = c & {1, 2, i}",
        "c = {1, 2}",
        "c = c | {int(x[i])}",
    ],
)
def test_a_set_that_each_turn_makes(made, turn):
    program = function_of(f"""
def f(x, n):
    c = {made}
    for i in range(n):
        {turn}
    return c, len(c)
""")
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize(
    ("made", "turn"),
    [
        ("{}", "c = {'a': 1}"),
        ("{}", "c = {**c, x[i]: 1.0}"),
        ("{}", "c = c | {i: x[i]}"),
        ("collections.Counter()", "c = collections.Counter([3, 2])"),
    ],
)
def test_a_dict_that_each_turn_makes(made, turn):
    program = function_of(
        f"""
def f(x, n):
    c = {made}
    for i in range(n):
        {turn}
    return c, len(c)
""",
        collections=collections,
    )
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize(
    "turn",
    [
        "if v > 1:\n            c = c - {2}",
        "if v > 1:\n            c = c - {2}\n        else:\n            c = c | {7}",
        "c = c | {5} if v > 1 else c - {1}",
        "if v not in c:\n            c = c | {int(v)}",
    ],
)
def test_a_set_that_a_turn_makes_on_some_paths(turn):
    program = function_of(f"""
def f(x, n):
    c = {{1, 2, 3}}
    for v in x:
        {turn}
    return c, len(c)
""")
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize(
    "lines",
    [
        "for v in x:\n        c = c | {v}\n    c.add(9.0)",
        "for v in x:\n        d = c\n        c = c | {v}\n        d.add(5.0)",
        "for v in x:\n        c, d = d, c\n        c.add(v)",
        "for v in x:\n        c = d\n        c.add(v)",
    ],
)
@pytest.mark.parametrize("other", ["c", "{2.0}"])
def test_other_names_of_such_a_set_are_what_they_are(lines, other):
    program = function_of(f"""
def f(x, n):
    c = {{1.0}}
    d = {other}
    {lines}
    return c, d, c is d
""")
    ag.check(program, *CALLS[0], then=CALLS[1:])


def ways_of_dice(n):
    ways = {0: 1}
    for _ in range(n):
        following = collections.defaultdict(int)
        for total, count in ways.items():
            for face in range(1, 4):
                following[total + face] += count
        ways = following
    return ways, sum(ways.values()), [*ways]


def counted_then_defaulted(n):
    counts = collections.Counter([0, n, 7])
    for i in range(n):
        following = collections.defaultdict(int)
        for number, count in counts.items():
            following[number // 2 + i] += count
        counts = following
    return counts, len(counts), counts[100]


def a_dict_then_a_set(n):
    found = {0: 1}
    for i in range(n):
        found = {i, 2}
    return found, len(found), 2 in found


@pytest.mark.parametrize("program", [ways_of_dice, counted_then_defaulted, a_dict_then_a_set])
def test_a_turn_may_leave_a_dict_of_another_class(program):
    ag.check(program, np.int64(2), then=[(np.int64(0),), (np.int64(1),), (np.int64(4),)])
