"""A loop appends to a list, and puts one made of it in its place."""

import collections

import numpy as np
import pytest

import autograph as ag
from autograph.backends.tensors.arrays.turned import in_order_of
from autograph.backends.tensors.objects.choices import OneOf, candidates_of
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

CALLS = [(np.array([1.0, 4.0, 3.0]), np.float64(3.0)), (np.array([5.0, 2.0, 9.0]), np.float64(1.0))]


def none_is_left(x, v):
    found = []
    for _ in x:
        found.append(v)
        found = [each for each in found if each > v]
    return found


def some_are_left(x, v):
    found = []
    for each in x:
        found.append(each)
        found = [one for one in found if one > v]
    return found


@pytest.mark.parametrize("program", [none_is_left, some_are_left])
def test_the_list_in_hand_is_read_until_the_next_one_is_there(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_whether_a_tuple_that_a_loop_has_left_is_the_one_before_is_not_guessed():
    def f(x, v):
        pair = ([1.0], v)
        first = pair
        for _ in x:
            pair = pair
            pair[0].append(v)
        return pair is first

    with pytest.raises(StateDisagrees, match="is compared with itself under another name"):
        ag.function(f)(*CALLS[0])


@pytest.mark.parametrize(
    ("made", "grows", "anew"),
    [
        ("[3.0]", "a.append(v)", "list(a)"),
        ("{1: 3.0}", "a[i] = v", "dict(a)"),
        ("set()", "a.add(i)", "set(a)"),
        ("collections.deque([3.0])", "a.append(v)", "collections.deque(a)"),
    ],
)
def test_the_test_of_a_loop_may_ask_whether_the_list_is_still_the_same(made, grows, anew):
    program = function_of(
        f"""
def f(n, v):
    a = {made}
    b, s, left = a, 0.0, n
    for i in range(n):
        {grows}
    while left > 0 and a is b:
        a, s = {anew}, s + v
        left -= 1
    return s, left, len(a), len(b)
""",
        collections=collections,
    )
    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(0), np.float64(2.0))])


def test_a_list_of_instances_that_a_loop_changes_and_returns_is_told_about():
    class Row:
        def __init__(self, value):
            self.value = [value]

    def program(x, n):
        rows = [Row(1.0), Row(x[0])]
        team = [rows[1], rows[0], rows[1]]
        rows = team if n > 1 else rows
        for _ in x[:n]:
            if n > 1:
                return rows, team
            rows[0] = Row(x[1])
        return rows, team

    with pytest.raises(StateDisagrees, match="may have changed under another name"):
        ag.function(program)(np.array([1.0, 2.0]), np.int64(3))


REPLACED = {
    "a list that was there": """
lines = [a]
more = lines
for i in range(n):
    if v > 1:
        more = [more[0].copy()]
    a[1] = v
return lines, more, more is lines
""",
    "one of two lists that were there": """
one, two = [a], [b]
more = one if v > 2 else two
for i in range(n):
    if v > i:
        more = [more[0].copy()]
    a[1] = v
    b[2] = v
return one, two, more
""",
    "a list that comes back": """
one = [a]
more = one
while n > 0:
    n -= 1
    if v > n:
        more = [more[0].copy()]
    else:
        more = one
    a[1] = n
    more[0][0] += 1
return one, more
""",
    "a dict": """
one = {"k": a}
more = one
for i in range(n):
    if v > 1:
        more = {"k": more["k"].copy()}
    a[1] = v
return one, more
""",
    "a nest in a dict": """
one = [[a], 1]
box = {"m": one}
for i in range(n):
    if v > i:
        box["m"] = [[box["m"][0][0].copy()], box["m"][1] + 1]
    a[1] = v
return one, box
""",
    "what is best by now": """
rows = [a, b]
best = rows
for i in range(n):
    trial = [r.copy() for r in best]
    trial[i % 2][0] += v
    if trial[0].sum() > v:
        best = trial
    rows[1][1] = v
return rows, best
""",
}


@pytest.mark.parametrize("body", REPLACED.values(), ids=REPLACED)
def test_a_list_that_a_path_of_a_turn_replaces_has_arrays_of_its_own_in_later_turns(body):
    lines = ["a, b = x * 2, x * 3", *body.strip().split("\n")]
    program = function_of("def f(x, n, v):\n" + "\n".join(f"    {line}" for line in lines))
    x = np.array([1.0, 2.0, 3.0, 4.0])
    calls = [(x, np.int64(n), np.float64(v)) for n, v in [(3, 0.0), (4, 3.0), (0, 7.0)]]
    ag.check(program, x, np.int64(2), np.float64(2.0), then=calls)


@pytest.mark.parametrize(
    ("left", "placed"), [("ca", "ac"), ("ab", "ab"), ("ba", "ab"), ("aa", "aa"), ("cd", "cd"), ("abc", "abc")]
)
def test_what_a_turn_leaves_of_several_objects_is_put_in_the_order_of_those_that_it_starts_with(left, placed):
    objects = {name: [name] for name in "abcd"}
    choice = [OneOf(0, tuple([objects[name] for name in names])) for names in ("ab", left)]
    found = candidates_of(in_order_of(*choice))
    assert [each[0] for each in found] == [*placed]
