"""An attribute that gets another container with the same in it has another one; the former stays as it is."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

CALLS = [(np.float64(2.0),), (np.float64(1.0),), (np.float64(3.0),)]


def state():
    return SimpleNamespace(last=[1.0], before=None, table={"a": 1.0})


def test_the_same_in_another_list_is_another_list():
    kept = state()

    def f(x):
        old = kept.last
        kept.last = [kept.last[0]]
        return old is kept.last

    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_the_former_list_is_returned():
    kept = state()

    def f(x):
        old = kept.last
        kept.last = [old[0] + x]
        return old

    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_the_former_list_changes():
    kept = state()
    also = kept.last

    def f(x):
        old = kept.last
        kept.last = list(old)
        old.append(x)
        return also

    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_the_former_list_goes_elsewhere():
    kept = state()

    def f(x):
        kept.before = kept.last
        kept.last = [kept.last[0] + x]
        kept.before[0] = 7.0

    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_a_dict_is_made_anew():
    kept = state()

    def f(x):
        kept.table = {**kept.table}
        kept.table["a"] += x
        return kept.table

    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_an_attribute_that_gets_other_numbers_is_an_input_from_the_second_trace_on():
    kept = state()

    @ag.function
    def f(x):
        kept.last = [each + x for each in kept.last]

    for _ in range(5):
        f(np.float64(1.0))
    assert kept.last == pytest.approx([6.0])
    assert f.experimental_get_tracing_count() == 2


HELD = {"array": np.array([1.0, 2.0, 3.0]), "calls": 1.0}


class _Log:
    def __init__(self, items):
        self.items = items


def _exchanged(x, items, log, v):
    log.items, items = items, log.items
    HELD["array"][...] = 1.5
    items += [v]
    for _ in range(2):
        HELD["array"] = x[::-1]
        if items[0] > 1.5:
            HELD["array"][0] += 1
        else:
            HELD["calls"] += 1
    return log.items, items


def test_a_list_from_outside_comes_in_as_it_was_whatever_the_trace_has_made_of_it():
    x, log = np.array([0.5, 2.0, 1.5]), _Log([1.0])
    calls = [(x, [3.0], log, np.float64(3.0)), (x, [3.0], _Log([1.0, 2.0]), np.float64(3.0))]
    ag.check(_exchanged, x, [1.0, 2.0], log, np.float64(1.0), then=calls)


STATE, HISTORY = SimpleNamespace(last=[2.0]), [1.0]


def _extended_and_replaced(v):
    if v > 1:
        STATE.last.append(STATE.last[0])
    STATE.last = HISTORY
    return len(HISTORY)


def test_a_list_that_grows_and_is_replaced_has_grown_for_others():
    ag.check(_extended_and_replaced, np.float64(2.0), then=[(np.float64(v),) for v in (3.0, 0.0, 2.0)])
    STATE.last, HISTORY[:] = [2.0], [1.0]
    held = STATE.last
    ag.function(_extended_and_replaced)(np.float64(2.0))
    assert held == [2.0, 2.0]


TURNS = {
    "a dict": ("{}", "held.items[k] = k"),
    "a set": ("set()", "held.items.add(k)"),
    "a set of one": ("{0}", "held.items.add(k)"),
    "a list": ("[]", "held.items.append(k)"),
    "a deque": ("deque()", "held.items.append(k)"),
    "a Counter": ("Counter()", "held.items[k] += 1"),
    "an OrderedDict": ("OrderedDict()", "held.items[k] = 1"),
    "a defaultdict": ("defaultdict(int)", "held.items[k] += 1"),
}


@pytest.mark.parametrize("first", ["None", "made"])
@pytest.mark.parametrize("made", TURNS)
def test_a_container_that_a_turn_binds_and_then_changes_holds_what_it_was_given(made, first):
    made, change = TURNS[made]
    program = function_of(
        f"""
class Held:
    pass

def f(n):
    held = Held()
    held.items = {made if first == "made" else None}
    for k in range(n):
        held.items = {made}
        {change}
    return held.items
""",
        **{kind.__name__: kind for kind in (deque, Counter, OrderedDict, defaultdict)},
    )
    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(1),)])
