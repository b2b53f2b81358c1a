"""The order of sets that lost elements, or were made of others: the run does again what was done to them."""

import random

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue
from tests.promises.kit import function_of

CALLS = [
    (np.array([30, 7, 9, 1, 7, 100]), np.array([9, 1, 64, 33])),
    (np.array([5000, 64, 32, 0, 1, 33, 8, 16, 40]), np.array([8])),
    (np.array([2, 3]), np.array([3, 2, 10])),
    (np.array([-1, -2, -3, 0, 1, 2, 7, 8, -8, 15]), np.array([8, -2, -1, 15, 31])),
]

MADE = [
    *("set(xs) & set(ys)", "set(xs) | set(ys)", "set(xs) - set(ys)", "set(xs) ^ set(ys)"),
    *("set(xs).union(ys, [77])", "set(xs).intersection(ys)", "set(xs).difference(ys, [30])"),
    *("set(xs).symmetric_difference(ys)", "set(set(xs))", "set(xs).copy()", "set(xs) - {1, 2, 3}"),
    *(
        "{*set(xs), *set(ys)}",
        "{*(set(xs) - set(ys)), *ys}",
        "{5, *set(xs), 900, *ys}",
        "{*{x: 1 for x in xs}, *ys}",
    ),
    *("set({x: 1 for x in xs}) | set(ys)", "{x % 8 for x in set(xs) - set(ys)}", "set(xs) & set(xs)"),
]


@pytest.mark.parametrize("made", MADE)
def test_a_set_that_is_made_of_others_has_pythons_order(made):
    program = function_of(f"""
def f(xs, ys):
    found, out = {made}, []
    for x in found:
        out.append(x)
    found.add(55)
    return out, [x + 1 for x in found], next(iter(found)), list(enumerate(found))
""")
    ag.check(program, *CALLS[0], then=CALLS[1:])


CHANGED = [
    *("s.discard(ys[0])", "s |= t", "s &= t", "s -= t", "s ^= t", "s ^= {x}", "s -= s", "s ^= s", "s &= s"),
    *("s |= s", "s = s | s", "s = s.union(s)", "s = s & s", "s = s - s", "s.update(s, [x])"),
    *("s.update(t, ys)", "s.difference_update(ys, [x])", "s.intersection_update(t, ys)"),
    *("s.symmetric_difference_update(ys)", "s, t = t, s ^ t", "if x in s: s.remove(x)", "s = t - s"),
    *("if s: out.append(s.pop())", "t = s; s.discard(x)", "s = s.copy(); s.add(x * 2)"),
    *("s.remove(x) if x in s else s.add(x)", "out.extend(s); s.discard(x)", "s = set(t if x > 8 else s)"),
]


@pytest.mark.parametrize("where", ["in turns", "on a path", "at once"])
@pytest.mark.parametrize("change", CHANGED)
def test_a_set_that_is_changed_has_pythons_order(change, where):
    around = {"in turns": "for x in xs:", "on a path": "if xs[0] > 8:", "at once": "if True:"}[where]
    program = function_of(f"""
def f(xs, ys):
    s, t, out, x = set(xs), set(ys), [], xs[1]
    {around}
        {change.replace("; ", chr(10) + "        ")}
    return out, list(s), [y for y in t]
""")
    ag.check(program, *CALLS[0], then=CALLS[1:], executors=["numpy"])


def tiles_that_are_turned(steps):
    black = set()
    for step in steps:
        black ^= {(step % 3, step // 5)}
    counts = {}
    for q, r in black:
        for dq, dr in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            place = q + dq, r + dr
            counts[place] = counts.get(place, 0) + 1
    return counts, len(black)


def reached(start, steps):
    seen, frontier, out = {start}, {start}, []
    for _ in range(steps):
        following = set()
        for place in frontier:
            following |= {place * 2 % 50, place + 7}
        frontier = following - seen
        seen |= frontier
        out.append(list(frontier))
    return out, list(seen)


def popped_until_it_is_empty(xs):
    left, order = set(xs), []
    while left:
        x = left.pop()
        order.append(x)
        if x > 20:
            left.add(x // 3)
    return order


def shown(xs):
    even = {x for x in xs if x % 2 == 0}
    print(set(xs) - even)
    return f"{set(xs) - even} of {set(xs)}", str(even ^ set(xs))


def words_in_common(n):
    one, other = set(), set()
    for i in range(n):
        one.add("abcdefgh"[i * 3 % 8])
        other.add("abcdefgh"[i * i % 8])
    return "".join(one & other), list(one - other)


def on_one_path_of_a_try(xs):
    left = set(xs)
    for x in xs:
        try:
            left.remove(x + 2)
        except KeyError:
            left.discard(x)
    return len(left)


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (tiles_that_are_turned, [call[:1] for call in CALLS]),
        (reached, [(np.int64(n), np.int64(k)) for n, k in ((1, 4), (3, 0), (0, 2))]),
        (popped_until_it_is_empty, [call[:1] for call in CALLS]),
        (shown, [call[:1] for call in CALLS]),
        (words_in_common, [(np.int64(7),), (np.int64(0),)]),
        (on_one_path_of_a_try, [call[:1] for call in CALLS]),
    ],
)
def test_programs_that_take_elements_out_see_pythons_order(program, calls):
    ag.check(program, *calls[0], then=calls[1:])


@pytest.mark.parametrize("seed", range(4))
def test_many_changes_one_after_the_other_have_pythons_order(seed):
    draw = random.Random(seed)
    changes = [draw.choice([each for each in CHANGED if "if" not in each]) for _ in range(8)]
    lines = [line for change in changes for line in change.split("; ")]
    body = "\n    ".join(lines)
    program = function_of(f"""
def f(xs, ys):
    s, t, out, x = set(xs), set(ys), [], xs[1]
    {body}
    return out, list(s), list(t)
""")
    ag.check(program, *CALLS[0], then=CALLS[1:], executors=["numpy"])


def test_a_nan_in_such_a_set_is_refused_when_the_graph_runs():
    @ag.function
    def program(xs):
        found = set(xs)
        found.discard(1.0)
        return list(found)

    assert [*map(float, program(np.array([1.0, 2.0])))] == [2.0]
    with pytest.raises(NoConcreteValue, match="a set in which a NaN is"):
        program(np.array([np.nan, 2.0]))
