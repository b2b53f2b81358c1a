"""Objects of a list that a loop takes in turn with what a tensor holds are these objects."""

import itertools

import numpy as np
import pytest

import autograph as ag

CALLS = [(np.array([3.0, 2.0, 8.0]),), (np.array([5.0, 1.0, 1.0]),)]


class Counted:
    def __init__(self, v):
        self.v = v
        self.n = 0

    def add(self, v):
        self.n += 1
        return self.v * v


def instances(x):
    every = [Counted(v) for v in x]
    for each, v in zip(every, x, strict=False):
        if v > 2:
            each.n += 1
    return [each.n for each in every]


def instances_that_map_takes(x):
    every = [Counted(v) for v in x]
    total = sum(map(Counted.add, every, x))
    return total, [each.n for each in every]


def instances_that_a_method_changes(x):
    every = [Counted(v) for v in x]
    found = [each.add(v) for v, each in zip(x, every, strict=True)]
    return found, [each.n for each in every]


def which_one_it_was(x):
    every, best = [Counted(v) for v in x], None
    for each, v in zip(every, x, strict=False):
        if v < 3:
            best = each
            break
    best.n = 5
    return [each.n for each in every], best is every[1]


def lists_that_grow(x):
    rows = [[v] for v in x]
    for row, v in zip(rows, x, strict=False):
        row.append(v)
    return rows


def lists_in_tuples(x):
    rows = [([1.0], 2.0), ([2.0], 3.0), ([3.0], 4.0)]
    for (row, w), v in zip(rows, x, strict=True):
        row[0] += v * w
    return rows


def dicts(x):
    rows = [{"a": v} for v in x]
    for i, (row, v) in enumerate(zip(rows, x, strict=False)):
        row["a"] += v * i
    return rows


def arrays(x):
    rows = [np.zeros(2) for _ in x]
    for row, v in zip(rows, x, strict=False):
        row[0] += v
    return rows


def beside_a_generator(x):
    rows = [[1.0], [2.0], [3.0]]
    for row, v in zip(rows, (v for v in x if v > 2), strict=False):
        row[0] += v
    return rows


def with_a_longer_one(x):
    rows = [[1.0], [2.0], [3.0]]
    for row, v in itertools.zip_longest(rows, x):
        row[0] += v
    return rows


@pytest.mark.parametrize(
    "program",
    [
        instances,
        instances_that_map_takes,
        instances_that_a_method_changes,
        which_one_it_was,
        lists_that_grow,
        lists_in_tuples,
        dicts,
        arrays,
        beside_a_generator,
        with_a_longer_one,
    ],
    ids=lambda program: program.__name__,
)
def test_what_a_turn_does_with_an_object_the_list_sees(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])
