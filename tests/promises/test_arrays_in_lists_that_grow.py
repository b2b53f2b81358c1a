"""A list or a dict of the graph holds what an array held: who writes to that array later is told so."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

X = np.array([1.0, 2.0, 3.0])


def put_in_before_it_grows(x, n):
    a = np.zeros(3)
    rows = [a]
    if n > 1:
        rows.append(x)
    a[0] = 5.0
    return rows


def a_tensor_is_written(x, n):
    a = np.zeros(3)
    rows = [a]
    if n > 1:
        rows.append(x)
    a[0] = x[1]
    return rows


def a_loop_puts_it_in(x, n):
    a = np.zeros(3)
    rows = []
    for _ in range(n):
        rows.append(a)
    a[0] = 5.0
    return rows


def in_a_tuple(x, n):
    a = np.zeros(3)
    rows = []
    for _ in range(n):
        rows.append((1.0, x))
    rows.append((2.0, a))
    a.fill(5.0)
    return rows


def a_function_writes(x, n):
    a = np.zeros(3)
    rows = []
    for _ in range(n):
        rows.append({"a": x})
    rows.append({"a": a})
    np.add(a, 1.0, out=a)
    return rows


def a_row_of_it(x, n):
    grid = np.zeros((2, 3))
    rows = [grid[0]]
    for _ in range(n):
        rows.append(grid[1])
    grid += 1.0
    return rows


def in_one_of_two_dicts(x, n):
    a = np.zeros(3)
    table, other = {0: 1.0}, {0: 2.0}
    kept = table if n > 1 else other
    kept.setdefault(1, a)
    a[1] = 5.0
    return table, other


@pytest.mark.parametrize(
    "program",
    [
        put_in_before_it_grows,
        a_tensor_is_written,
        a_loop_puts_it_in,
        in_a_tuple,
        a_function_writes,
        a_row_of_it,
        in_one_of_two_dicts,
    ],
)
def test_an_array_of_numpys_is_not_written_to_behind_a_list_that_holds_it(program):
    with pytest.raises(StateDisagrees, match="was put into a list of the graph before"):
        ag.check(program, X, np.int64(3))


def test_an_array_that_the_list_does_not_hold_is_written_to():
    def program(x, n):
        a = np.zeros(3)
        rows = [a]
        for _ in range(n):
            a = a + 1.0
            rows.append(a)
        a = a.copy()
        a[0] = x[1]
        return rows, a

    ag.check(program, X, np.int64(3), then=[(X, np.int64(0))])


def before_the_end(x, n):
    table = {"a": x * 2}
    try:
        table["x"] = x
        x[0] = 5.0
        if n > 1:
            raise KeyError("no")
    except KeyError:
        pass
    return table, x


def at_the_end(x, n):
    table = {"a": 1.0}
    try:
        table["x"] = x
        if n > 1:
            raise KeyError("no")
        x[0] = 5.0
    except KeyError:
        pass
    return table, x


@pytest.mark.parametrize("program", [before_the_end, at_the_end])
def test_what_a_try_puts_in_and_writes_to_is_there_as_it_was_left(program):
    ag.check(program, X, np.int64(3), then=[(X, np.int64(1))])
