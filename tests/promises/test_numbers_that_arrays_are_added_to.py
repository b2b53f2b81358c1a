"""`total = 0.0` and `total += array` in loops inside of loops: the first turn makes an array of a number."""

import numpy as np
import pytest

import autograph as ag

ROW = np.array([1.0, 2.0])
SIGNS = np.array([1.0, -2.0, 0.5, 0.2])


def in_two_loops(row, signs, n, m):
    total = 0.0
    for _ in range(n):
        for _ in range(m):
            total += row
    return total


def in_a_branch(row, signs, n, m):
    total = 0.0
    for i in range(n):
        if signs[i] > 0:
            for _ in range(m):
                total -= row
        else:
            total += 2 * row
    return total


def behind_continue(row, signs, n, m):
    total = np.float64(0)
    for i in range(n):
        if signs[i] < 0:
            continue
        for _ in range(m):
            total += row
        total += row
    return total


def in_whiles(row, signs, n, m):
    kept = {"total": 0.0}
    i = 0
    while i < n:
        j = 0
        while j < m:
            if signs[j] > 0:
                kept["total"] += row
            j += 1
        i += 1
    return kept["total"]


def in_a_try(row, signs, n, m):
    total = 0.0
    before = total
    for i in range(n):
        try:
            for _ in range(m):
                total += row / signs[i]
        except ValueError:
            total = 0.0
    return total, before


@pytest.mark.parametrize("function", [in_two_loops, in_a_branch, behind_continue, in_whiles, in_a_try])
def test_the_sum_is_an_array_from_the_first_turn_on(function):
    n, m = np.int64(3), np.int64(2)
    ag.check(function, ROW, SIGNS, n, m, then=[(ROW, SIGNS, n, np.int64(0)), (ROW, SIGNS, np.int64(0), m)])
