"""Containers that turns of a loop hand from one name to another, of which one is None at first."""

import re

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import COLLECTIONS, PUT_INTO, function_of

KINDS = {**PUT_INTO, "defaultdict": ("defaultdict(list)", "{}[{}].append(1)")}
UNDER_TWO_NAMES = {
    "exchanged by way of a third": """
def f(n):
    p, q, a = MADE, None, MADE
    total = 0
    for i in range(n):
        ADD(p, i)
        p = a if i % 2 == 0 else p
        q, a = a, q
        if a is None:
            a = MADE
        total += len(a)
    return total
""",
    "kept on some paths": """
def f(n):
    kept, now = None, MADE
    total = 0
    for i in range(n):
        if kept is not None:
            total += len(kept)
        ADD(now, i)
        if i % 2 == 0:
            now = MADE
        kept = now if i % 3 == 0 else kept
    return total
""",
    "attributes, of which one is taken over": """
class Pair:
    pass
def f(n):
    pair = Pair()
    pair.one, pair.other = None, None
    total = 0
    for i in range(n):
        if pair.one is None:
            pair.one = MADE
        ADD(pair.one, i)
        if pair.other is not None:
            total += len(pair.other)
        if i % 2 == 1:
            pair.other = pair.one
        if i == 3:
            pair.one = None
    return total
""",
}
UNDER_ONE_NAME = {
    "made anew in each turn": """
def f(n):
    last, total = None, 0
    for i in range(n):
        now = MADE
        ADD(now, i)
        if last is not None:
            total += len(last)
        last = now if i % 2 == 0 else last
    return total
""",
    "exchanged for a new one": """
def f(n):
    one, other, total = None, MADE, 0
    for i in range(n):
        if one is None:
            one = MADE
        ADD(other, i)
        total += len(one)
        if i % 2 == 0:
            one, other = other, MADE
        else:
            other = MADE
    return total
""",
}


def written(program, kind):
    """The program with containers of a kind."""
    made, add = KINDS[kind]
    text = re.sub(r"ADD\((.*?), (.*)\)", lambda found: add.format(*found.groups()), program)
    return function_of(text.replace("MADE", made), **COLLECTIONS)


@pytest.mark.parametrize("kind", ["list", "set", "dict", "deque"])
@pytest.mark.parametrize("program", UNDER_TWO_NAMES)
def test_what_is_put_into_one_of_two_names_is_seen_by_the_other_or_refused(program, kind):
    f = written(UNDER_TWO_NAMES[program], kind)
    try:
        ag.check(f, np.int64(3), then=[(np.int64(n),) for n in (6, 0, 1)])
    except StateDisagrees as refused:
        assert refused.where is not None


def test_the_refusal_of_a_container_under_two_names_says_which_loop_hands_it_on():
    f = written(UNDER_TWO_NAMES["exchanged by way of a third"], "list")
    with pytest.raises(StateDisagrees, match="changed under another name") as refused:
        ag.function(f)(np.int64(3))
    assert "give it its other name after the statement" in str(refused.value)


@pytest.mark.parametrize("kind", ["list", "dict"])
@pytest.mark.parametrize("program", UNDER_ONE_NAME)
def test_a_container_that_no_path_leaves_under_two_names_is_handed_on(program, kind):
    ag.check(written(UNDER_ONE_NAME[program], kind), np.int64(7), then=[(np.int64(n),) for n in (0, 3)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("takes", ["other = one", "if i > 1:\n            other = one"])
def test_a_turn_is_asked_whether_it_has_what_a_turn_before_has_taken_over(kind, takes):
    program = f"""
def f(n):
    one, other = MADE, MADE
    total = 0
    for i in range(n):
        if one is other:
            total += 1
        {takes}
    return total
"""
    ag.check(written(program, kind), np.int64(5), then=[(np.int64(n),) for n in (0, 1, 2)])
