"""Copies of parts of arrays that are only read are no copies: elements are read where they are."""

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered


def histogram(x):
    found = np.zeros(8, np.int64)
    for row in x:
        for value in row:
            found[value] += 1
    return found


def longest_rows(x):
    best, at = -1, 0
    for i in range(len(x)):
        row, length = x[i], 0
        while length < 24 and row[length] > 0:
            length += 1
        if length > best:
            best, at = length, i
    return best, at


def distances(x):
    found = np.zeros((12, 12), np.int64)
    for i in range(12):
        one = x[i]
        for j in range(12):
            other, total = x[j], 0
            for k in range(24):
                total += (one[k] - other[k]) * (one[k] - other[k])
            found[i, j] = total
    return found


def moved_over_itself(x):
    x = x.copy()
    for i in range(1, 40):
        before = x[i - 1].copy()
        for j in range(24):
            x[i - 1, j] = x[i, 23 - j]
            x[i, j] += before[23 - j]
    return x


def written_behind(x):
    x, total = x.copy(), 0
    for i in range(40):
        row = x[i].copy()
        for j in range(24):
            total = total * 3 % 1009 + row[j]
        for j in range(24):
            x[(i + 1) % 40, j] += total % 5
    return x, total


def last_one(x):
    found = np.zeros(24, np.int64)
    for i in range(40):
        row = x[i]
        if row[0] > 2:
            found = row
    return found


def of_moving_places(x):
    total, i = 0, 0
    while i < 24:
        row = x[i]
        i += 1
        for j in range(24):
            total = total * 3 % 1009 + row[j]
            if row[j] > 3 and i < 24:
                i += 1
    return total


X = np.random.default_rng(3).integers(0, 8, (40, 24))
PROGRAMS = {
    histogram: True,
    longest_rows: True,
    distances: True,
    written_behind: True,
    moved_over_itself: False,
    last_one: False,
    of_moving_places: True,
}


def same(found, expected):
    found, expected = (each if isinstance(each, tuple) else (each,) for each in (found, expected))
    return all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["default", "jit_compile"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_parts_of_arrays_hold_what_they_hold_in_python(program, options):
    staged = ag.function(program, **options)
    assert same(staged(X.copy()), program(X.copy()))


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_interpreter_finds_the_same(program):
    module = ag.function(program).get_concrete_function(X).optimised_module
    found = Interpreted(lowered(module), module.entry).run([X.copy()])
    assert same(tuple(found), program(X.copy()))


@pytest.mark.parametrize(("program", "is_read_there"), PROGRAMS.items())
def test_no_row_is_copied_that_is_read_while_its_array_stays_as_it_is(program, is_read_there):
    source = ag.function(program).get_concrete_function(X).program.source()
    assert ("memory(i64, 24)" not in source) == is_read_there


def looked_up(x):
    weights = [int(x[0, k]) for k in range(5)]
    total = 0
    for i in range(40):
        for j in range(24):
            total = (total * 3 + weights[x[i, j] % 5]) % 1009
    return total


def test_a_list_of_a_few_numbers_that_is_only_looked_up_is_put_together_once():
    assert ag.function(looked_up)(X) == looked_up(X)
    source = ag.function(looked_up).get_concrete_function(X).program.source()
    assert source.count("memory(") == 1
