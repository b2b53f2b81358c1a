"""A list of None in which a recursion keeps what it has found, in whatever it is reached through."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

KEPT = {
    "a variable": ("memo = [None] * 30", "memo", ""),
    "an attribute": ("box = Box()", "box.memo", ""),
    "an item": ("box = {'memo': [None] * 30}", "box['memo']", ""),
    "an argument": ("memo = [None] * 30", "memo", ", memo"),
    "outside": ("", "outside", ""),
}

FOUND = {
    "in front": "if {memo}[k] is not None:\n            return {memo}[k]\n        {memo}[k] = {sum}\n",
    "behind": "if {memo}[k] is None:\n            {memo}[k] = {sum}\n",
}


@pytest.mark.parametrize("found", FOUND)
@pytest.mark.parametrize("kept", KEPT)
def test_what_was_computed_is_looked_up(kept, found):
    made, memo, handed = KEPT[kept]
    added = f"go(k - 1{handed}) + go(k - 2{handed})"
    program = function_of(
        f"""
class Box:
    def __init__(self):
        self.memo = [None] * 30

def f(n):
    {made or "pass"}
    calls = 0
    def go(k{handed}):
        nonlocal calls
        calls += 1
        if k < 2:
            return k
        {FOUND[found].format(memo=memo, sum=added)}
        return {memo}[k]
    return go(n{handed}), calls, {memo}[5], {memo}[20]
""",
        outside=[None] * 30,
    )
    ag.check(program, np.int64(9), then=[(np.int64(n),) for n in (1, 5, 12)])


def test_a_table_of_none_is_filled():
    program = function_of("""
def f(n, m):
    memo = [[None] * 6 for _ in range(6)]
    def ways(i, j):
        if i == 0 or j == 0:
            return 1
        if memo[i][j] is None:
            memo[i][j] = ways(i - 1, j) + ways(i, j - 1)
        return memo[i][j]
    return ways(n, m)
""")
    ag.check(program, np.int64(4), np.int64(5), then=[(np.int64(0), np.int64(3)), (np.int64(5), np.int64(5))])


REMEMBERS = {
    "a dict": """
def go(n, memo={}):
    n = int(n)
    if n < 2:
        return n
    if n not in memo:
        memo[n] = go(n - 1) + go(n - 2)
    return memo[n]
""",
    "a dict that is handed on": """
def go(n, memo={}):
    n = int(n)
    if n < 2:
        return n
    if n not in memo:
        memo[n] = go(n - 1, memo) + go(n - 2, memo=memo)
    return memo[n]
""",
    "a set, and a number behind it": """
def go(n, seen=set(), *, step=2):
    if n in seen or n < 0:
        return 0
    seen.add(int(n))
    return 1 + go(n - 1, step=step) + go(n - step, step=step)
""",
    "a list of what was met": """
def go(n, met=[], half=True):
    met.append(int(n))
    if n > 1:
        go(n // 2 if half else n - 1, half=not half)
    return len(met)
""",
}


@pytest.mark.parametrize("remembers", REMEMBERS)
def test_a_container_that_a_parameter_has_by_default_lasts_from_call_to_call(remembers):
    program = function_of(f"{REMEMBERS[remembers]}\ndef f(n):\n    return go(n), go.__defaults__[0]\n")
    ag.check(program, np.int64(7), then=[(np.int64(n),) for n in (2, 9, 9)])


def test_a_call_may_give_another_container_than_the_one_by_default():
    program = function_of("""
def go(n, memo={}):
    n = int(n)
    if n < 2:
        return n
    if n not in memo:
        memo[n] = go(n - 1, memo) + go(n - 2, memo)
    return memo[n]
def f(n):
    own = {}
    return go(n, own), len(own), go(n // 2), len(go.__defaults__[0])
""")
    ag.check(program, np.int64(7), then=[(np.int64(n),) for n in (2, 9, 9)])
