"""Strings and members of enums are in lists, dicts, sets and deques of a graph what they are in Python's."""

import enum
from collections import Counter, defaultdict, deque

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import StateDisagrees

VECTORS = [(np.array([3.0, -1.0, 2.0, 5.0]),), (np.array([-1.0, -2.0]),), (np.array([1.0, 0.0, 4.0]),)]


class Phase(enum.Enum):
    IDLE = 0
    BUSY = 1


def grades(xs):
    out = []
    for x in xs:
        if x >= 4:
            grade = "A"
        elif x >= 2:
            grade = "B"
        else:
            grade = "F"
        out.append(grade)
    return out


def read_before_all_is_in(xs):
    log, turns = ["start"], 0
    for x in xs:
        if log[-1] == "low":
            turns += 1
        if x < 0:
            log.append("low")
        elif x > 2:
            log.append("high")
    print(log)
    return turns, log, len(log), "low" in log, log.count("high"), sorted(log), f"{log[0]} {log}"


def events(xs):
    found = []
    for i, x in enumerate(xs):
        if x > 2:
            found.append(("rise", i, x))
        elif x < 0:
            found.append(("fall", i, x))
    return found, [name for name, _, _ in found]


def looked_for(xs):
    names = ["none"]
    for x in xs:
        if x > 2:
            names.append("high")
    return names.index("high")


def compared(xs):
    names = []
    for x in xs:
        names.append("up" if x > 0 else "down")
    return [name.upper() for name in names], max(names), names[::-1], names == ["up", "down"], len(names[0])


def a_stack(xs):
    stack = ["bottom"]
    for x in xs:
        if x > 2:
            stack.append("top")
        elif stack:
            stack.pop()
    return stack


def a_queue_of_members(xs):
    queue, busy = deque(), 0
    for x in xs:
        queue.append(Phase.BUSY if x > 0 else Phase.IDLE)
    while queue:
        if queue.popleft() is Phase.BUSY:
            busy += 1
    return busy


def some_are_none(xs):
    out = []
    for x in xs:
        out.append("up" if x > 0 else None)
    return out


def joined_names(xs):
    out = []
    for x in xs:
        out.append("x" if x > 0 else "y")
    return ",".join(out)


def joined_numbers(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(f"{x:.1f}!")
    return "; ".join(out)


def a_key_on_one_path(xs):
    result = {"mean": xs.mean()}
    if xs[0] > 1:
        result["large"] = 1.0
    return result, "large" in result, len(result), list(result.items())


def a_key_that_is_gone(xs):
    held = {"a": 1, "b": 2}
    if xs[0] > 1:
        del held["a"]
    return list(held.items()), held.get("a", 9)


def a_key_that_is_missing(xs):
    held = {}
    if xs[0] > 1:
        held["large"] = 1.0
    return held["large"]


def counted(xs):
    counts = Counter()
    for x in xs:
        counts["high" if x > 2 else "low"] += 1
    return dict(counts), counts["none"]


def by_default(xs):
    held = defaultdict(int)
    for x in xs:
        held["up" if x > 0 else "down"] += 1
    if held["zero"] == 0:
        held["last"] = 5
    return held


def by_pairs(xs):
    held = {}
    for i, x in enumerate(xs):
        key = ("up" if x > 0 else "down", i % 2)
        held[key] = held.get(key, 0) + 1
    return held


def by_state(xs):
    seen, state = {}, "idle"
    for x in xs:
        if state == "idle" and x > 0:
            state = "run"
        elif state == "run" and x < 0:
            state = "stop"
        seen[state] = seen.get(state, 0) + 1
    for name, count in seen.items():
        print(name, count)
    return seen, state, list(seen)


def a_set(xs):
    seen = set()
    for x in xs:
        if x > 0:
            seen.add("up")
        else:
            seen.add("down")
    return seen, "up" in seen, len(seen), sorted(seen)


def chosen_keys(xs):
    key = "a" if xs[0] > 0 else "b"
    return {key, "c"}, {key: 1, "z": 2}, {"a", "b"} == {key, "b"}


class Log:
    def __init__(self):
        self.lines, self.counts = [], {}

    def add(self, line):
        self.lines.append(line)
        self.counts[line] = self.counts.get(line, 0) + 1


def in_an_object(xs):
    log = Log()
    for x in xs:
        log.add("up" if x > 0 else "down")
    return log.lines, log.counts


PROGRAMS = [
    *(
        grades,
        read_before_all_is_in,
        events,
        looked_for,
        compared,
        a_stack,
        a_queue_of_members,
        some_are_none,
    ),
    *(joined_names, joined_numbers, a_key_on_one_path, a_key_that_is_gone, a_key_that_is_missing, counted),
    *(by_default, by_pairs, by_state, a_set, chosen_keys, in_an_object),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_names_are_held(program):
    ag.check(program, *VECTORS[0], then=VECTORS[1:])


OUTSIDE = []


def test_a_list_outside_gets_names():
    def program(xs):
        for x in xs:
            OUTSIDE.append("up" if x > 0 else "down")
        return len(OUTSIDE)

    OUTSIDE.clear()
    ag.check(program, *VECTORS[0], then=VECTORS[1:])


def test_more_names_than_branches_are_worth_are_refused():
    @ag.function
    def program(xs):
        out = []
        for x in xs:
            for name in [f"name {i}" for i in range(70)]:
                if x > 0:
                    out.append(name)
        return out[0] + "!"

    with pytest.raises(StateDisagrees, match="more than 64 objects"):
        program(rt.asarray([1.0, 2.0]))


def test_where_effects_happen_while_tracing_all_names_are_known_before_one_is_read():
    @ag.function(effects="trace")
    def program(xs):
        log, turns = [], 0
        for x in xs:
            log.append("start")
        for x in xs:
            if log[-1] == "low":
                turns += 1
            log.append("low")
        return turns

    with pytest.raises(StateDisagrees, match="before everything was put in"):
        program(rt.asarray([1.0, 2.0]))
