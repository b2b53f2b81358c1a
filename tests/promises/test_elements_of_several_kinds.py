"""Elements of lists and dicts that grow may be of several kinds: `[1, "a", None, (2, 3)]`, shapes, tokens."""

import itertools
from collections import deque
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

CALLS = [(np.array([5.0, 2.0, 8.0, 1.0, 2.0]), np.int64(5)), (np.array([1.0, 4.0, 3.0]), np.int64(1))]


class Circle:
    def __init__(self, r):
        self.r = r

    def area(self):
        return 3.0 * self.r * self.r


class Square:
    def __init__(self, s):
        self.s = s

    def area(self):
        return self.s * self.s


@dataclass
class Best:
    value: float


class Color(Enum):
    RED = 1
    BLUE = 2


def numbers_and_none(x, n):
    out = [v if v > 2 else None for v in x]
    total = 0.0
    for each in out:
        if each is not None:
            total += each
    print(out)
    return total, out, out.count(None), None in out, [each for each in out if each is not None]


def counts_and_none(x, n):
    out = []
    for i in range(n):
        out.append(None if i % 2 else i)
    print(out)
    return f"{out}"


def numbers_and_names(x, n):
    out = []
    for i in range(n):
        if i % 3 == 0:
            out.append(i)
        elif i % 3 == 1:
            out.append("x")
        else:
            out.append(i / 2)
    for each in out:
        print(each)
    return out, "x" in out, 3 in out, out.count("x"), out.index(0)


def python_numbers_and_names(x, n):
    out = [1, "a", 2.5]
    for i in range(n):
        out.append(i)
    return out.pop(), out.pop(0), out


def a_name_first(x, n):
    out = ["start"]
    for i in range(n):
        out.append(i)
    return out


def tokens(x, n):
    out = []
    for i in range(n):
        if i % 2 == 0:
            out.append(("number", i))
        else:
            out.append(("operator", "+"))
    return sum(value for kind, value in out if kind == "number"), out


def tuples_of_other_lengths(x, n):
    out = [("start",)]
    for i in range(n):
        if i % 2:
            out.append(("number", i))
        else:
            out.append(("pair", i, x[i]))
    total = 0.0
    for each in out:
        if each[0] == "number":
            total += each[1]
        elif each[0] == "pair":
            total += each[1] * each[2]
    return total, out, [len(each) for each in out]


def events(x, n):
    log = []
    for v in x:
        if v > 4:
            log.append(("high", v))
        elif v < 2:
            log.append(("low", v, "!"))
        log.append(None)
    return log


def dicts_of_other_keys(x, n):
    moves = []
    for i in range(n):
        if i % 2:
            moves.append({"kind": "move", "by": i})
        else:
            moves.append({"kind": "stop"})
    place = 0
    for move in moves:
        if move["kind"] == "move":
            place += move["by"]
    return place


def numbers_and_lists(x, n):
    out = []
    for i in range(n):
        out.append([i, i] if i % 2 else i)
    total = 0
    for each in out:
        if isinstance(each, list):
            total += sum(each)
        else:
            total += each
    return total, out


def shapes(x, n):
    found = []
    for v in x:
        if v > 2:
            found.append(Circle(v))
        else:
            found.append(Square(v))
    return sum(each.area() for each in found), [type(each).__name__ for each in found], found[0].area()


def the_best_so_far(x, n):
    best, history = None, []
    for v in x:
        if best is None or v > best.value:
            best = Best(v)
        history.append(best)
    return history[-1].value, len(history)


def members_and_numbers(x, n):
    out = []
    for i in range(n):
        out.append(Color.RED if i % 2 else i)
    return out, Color.RED in out, Color.BLUE in out


def arrays_and_none(x, n):
    out = []
    for i in range(n):
        if i % 2:
            out.append(x * i)
        else:
            out.append(None)
    return [each.sum() for each in out if each is not None], out


def rows_of_names_and_none(x, n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append("odd" if j % 2 else None)
        rows.append(row)
    return rows


def a_queue(x, n):
    queue = deque()
    for i in range(n):
        if i % 2:
            queue.append(("a", i))
        else:
            queue.append(("b",))
    out = []
    while queue:
        out.append(queue.popleft()[0])
    return out


def a_stack(x, n):
    stack = []
    for i in range(n):
        if i % 3 == 2:
            stack.pop()
            first = stack.pop()
            stack.append("s" if isinstance(first, str) else first)
        elif i % 3 == 1:
            stack.append(i)
        else:
            stack.append("(")
    return stack


def values_of_a_dict(x, n):
    found = {}
    for i in range(n):
        found[i] = "odd" if i % 2 else i
    return found, found.get(1), found[0]


def elements_that_become_others(x, n):
    out = [i for i in range(n)]
    for i in range(n):
        if i % 2:
            out[i] = "x"
    return out


def lists_of_two_kinds_joined(x, n):
    numbers, names = [], []
    for i in range(n):
        numbers.append(i)
        names.append("b")
    both = numbers + names
    numbers.extend(names)
    return both, numbers


def an_element_is_changed(x, n):
    out = []
    for i in range(n):
        out.append([i] if i % 2 else "s")
    for i in range(n):
        if i % 2:
            out[i].append(7)
    return out


def what_is_asked_of_values_that_may_be_none(x, n):
    found = x[x > 3]
    out = [found.size, found.mean() if found.size else None, found.tolist()]
    for ask in (lambda: found.max(), lambda: found[0], lambda: found[n]):
        try:
            out.append(ask())
        except (IndexError, ValueError) as error:
            out.append(type(error).__name__)
    return out


@pytest.mark.parametrize(
    "program",
    [
        what_is_asked_of_values_that_may_be_none,
        numbers_and_none,
        counts_and_none,
        numbers_and_names,
        python_numbers_and_names,
        a_name_first,
        tokens,
        tuples_of_other_lengths,
        events,
        dicts_of_other_keys,
        numbers_and_lists,
        shapes,
        the_best_so_far,
        members_and_numbers,
        arrays_and_none,
        rows_of_names_and_none,
        a_queue,
        a_stack,
        values_of_a_dict,
        elements_that_become_others,
        lists_of_two_kinds_joined,
        an_element_is_changed,
    ],
)
def test_elements_of_several_kinds_are_what_they_are(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize(
    "items",
    [*itertools.permutations((2.0, 0, "a")), *itertools.permutations((2.0, 0, None, "a"))],
    ids=repr,
)
def test_numbers_keep_their_kinds_beside_others_in_whatever_order_they_come(items):
    def program(n):
        values, pairs = [*items], [(1, each) for each in items]
        if n > 1:
            values.append(1.0)
            pairs.append((2, 1.0))
        return values, pairs, values[n % 3]

    ag.check(program, np.int64(0), then=[(np.int64(n),) for n in (1, 2, 3)])


def test_elements_of_too_many_kinds_are_refused():
    @ag.function
    def program(n):
        out = [(*(0,) * length, "end") for length in range(1, 20)]
        for i in range(n):
            out.append(i)
        return len(out)

    with pytest.raises(StateDisagrees, match="different structures"):
        program(np.int64(3))


SETTINGS = {"rate": 0.5, "log": [0.0]}


def test_what_is_in_a_dict_from_outside_stays_what_it_is():
    @ag.function
    def program(n):
        if n > 1:
            SETTINGS["seen"] = n
        return n

    log = SETTINGS["log"]
    program(np.int64(0))
    assert [*SETTINGS] == ["rate", "log"]
    program(np.int64(3))
    assert [*SETTINGS] == ["rate", "log", "seen"]
    assert SETTINGS["log"] is log
    assert SETTINGS.pop("seen") == 3


def test_a_default_beside_values_of_other_kinds_is_changed_in_the_dict():
    def collected(n, v):
        found = {}
        for i in range(n):
            found.setdefault("items", []).append(v + i)
            found["count"] = i
            found.setdefault("first", i)
        return found

    ag.check(
        collected,
        np.int64(3),
        np.float64(2.0),
        then=[(np.int64(0), np.float64(1.0)), (np.int64(1), np.float64(1.0))],
    )


KEPT = {"level": 2.0}


def test_a_default_that_has_another_name_is_put_into_a_chosen_dict_itself():
    def program(n):
        one = [3.0]
        kept = KEPT if n > 1 else {"level": 1.5}
        kept.setdefault("one", one)
        return one

    ag.check(program, np.int64(0), then=[(np.int64(3),), (np.int64(0),), (np.int64(2),)])
