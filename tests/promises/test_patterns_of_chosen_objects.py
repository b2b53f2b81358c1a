"""`match` looks into what a tensor chooses: objects of several classes, tuples of several lengths, None."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

import autograph as ag

CALLS = [(np.array([5.0, 2.0, 8.0, 1.0, 2.0]), np.int64(5)), (np.array([1.0, 4.0, 3.0]), np.int64(3))]


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Segment:
    length: float


class Color(Enum):
    RED = 1
    BLUE = 2
    GREEN = 3


def objects_of_several_classes(x, n):
    found = []
    for i in range(n):
        found.append(Point(x[i], 1.0) if i % 3 == 0 else Segment(x[i]) if i % 3 == 1 else None)
    total, words = 0.0, []
    for each in found:
        match each:
            case Point(x=a, y=b) if a > 2:
                total += a * b
                words.append("point")
            case Point():
                words.append("small")
            case Segment(length):
                total -= length
            case None:
                words.append("none")
    return total, words


def points_that_may_be_none(x, n):
    out = []
    for i in range(n):
        point = Point(x[i], 0.0) if i % 2 else Point(0.0, x[i]) if x[i] > 2 else None
        match point:
            case Point(x=0.0, y=y):
                out.append(y)
            case Point(x=a, y=0.0) if a > 2:
                out.append(-a)
            case Point() as whole:
                out.append(whole.x * 100)
            case _:
                out.append(-5.0)
    return out


def commands(x, n):
    program = []
    for i in range(n):
        program.append(("push", x[i]) if i < 2 else ("add",) if i % 2 == 0 else ("twice",))
    stack = []
    for command in program:
        match command:
            case ("push", value):
                stack.append(value)
            case ("add",):
                stack.append(stack.pop() + stack.pop())
            case ("twice",):
                stack.append(stack[-1])
    return stack


def objects_in_tuples(x, n):
    out = []
    for i in range(n):
        pair = (Segment(x[i]), 1.0) if i % 2 else (Point(x[i], 1.0), 2.0, 3.0)
        match pair:
            case (Segment(length=a), k):
                out.append(a * k)
            case (Point(x=a), *rest):
                out.append(a + sum(rest))
    return out


def dicts_of_other_keys(x, n):
    total = 0.0
    for i in range(n):
        row = {"a": x[i]} if i % 2 else {"a": 1.0, "b": 2.0}
        match row:
            case {"b": b, **rest}:
                total += b + len(rest)
            case {"a": a}:
                total += a
    return total


def members_of_an_enum(x, n):
    color = Color.RED
    for _ in range(n):
        match color:
            case Color(name="RED"):
                color = Color.BLUE
            case Color(value=2):
                color = Color.GREEN
            case Color(value=v):
                color = Color.RED if v == 3 else color
    return color.value


def words_numbers_and_none(x, n):
    mixed, total, words = [], 0.0, []
    for i in range(n):
        mixed.append("word" if i % 3 == 0 else x[i] if i % 3 == 1 else None)
    for each in mixed:
        match each:
            case str() as word:
                words.append(word)
            case float() | int() as number:
                total += number
            case None:
                total += 100
    return total, words


@pytest.mark.parametrize(
    "program",
    [
        objects_of_several_classes,
        points_that_may_be_none,
        commands,
        objects_in_tuples,
        dicts_of_other_keys,
        members_of_an_enum,
        words_numbers_and_none,
    ],
    ids=lambda program: program.__name__,
)
def test_a_pattern_looks_into_each_object_that_a_tensor_may_choose(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def of_rows(k):
    rows, found = [[1]], 0
    for i in range(k):
        rows.append([*rows[-1], i])
    for row in rows:
        match row:
            case [_, second]:
                found += 10 * second
            case [first]:
                found += first
            case [first, *_, last] if first < last:
                found += 1000
            case _:
                found += 100
    return found


def test_a_pattern_looks_at_items_that_are_there():
    ag.check(of_rows, np.int64(2), then=[(np.int64(n),) for n in (0, 1, 3, 5)])


def of_keys_that_paths_add(k):
    table = {"kind": "round" if k > 1 else "square", "size": k}
    if k > 2:
        table["extra"] = 2 * k
    match table:
        case {"size": 4, "extra": extra}:
            return "four", extra, {}
        case {"extra": extra, "kind": kind, **rest}:
            return kind, extra, rest
        case {"kind": "round", **rest}:
            return "round", 0, rest
        case {"kind": kind, "size": size}:
            return kind, size, {}


def of_keys_that_loops_add(k):
    table = {}
    for i in range(k):
        table[2 * i] = i
    match table:
        case {4: value, **rest}:
            return value, len(rest), len(table)
        case {0: value}:
            return value, 0, len(table)
        case {}:
            return -1, 0, len(table)


@pytest.mark.parametrize("program", [of_keys_that_paths_add, of_keys_that_loops_add])
def test_a_pattern_asks_for_keys_that_only_the_run_knows(program):
    ag.check(program, np.int64(2), then=[(np.int64(n),) for n in (0, 1, 3, 4)])


class Asked:
    def __init__(self, size):
        self.size, self.asked, self.also = size, 0, 1

    @property
    def double(self):
        self.asked += 1
        return self.size * 2


class Compared:
    def __init__(self, value):
        self.value, self.asked = value, 0

    def __eq__(self, other):
        self.asked += 1
        return self.value == other

    __hash__ = None


def of_a_property(k):
    found = Asked(k)
    match found:
        case Asked(size=1, double=double):
            return double, found.asked
        case Asked(size=size, double=6):
            return size, found.asked
        case Asked(size=5):
            return 5, found.asked
        case _:
            return -1, found.asked


def of_items_that_compare_themselves(k):
    pair = Compared(k), Compared(k + 1)
    match pair:
        case (1, 3):
            name = "first"
        case (3, 4):
            name = "second"
        case _:
            name = "none"
    return name, pair[0].asked, pair[1].asked


def of_attributes_that_paths_delete(k):
    found = Asked(k)
    if k > 1:
        del found.also
    match found:
        case Asked(size=1, also=also):
            return also, "first"
        case Asked(also=5):
            return 0, "second"
        case Asked(size=size):
            return size, "third"


@pytest.mark.parametrize(
    "program", [of_a_property, of_items_that_compare_themselves, of_attributes_that_paths_delete]
)
def test_a_pattern_asks_as_often_as_python_does(program):
    ag.check(program, np.int64(1), then=[(np.int64(n),) for n in (2, 3, 5)])
