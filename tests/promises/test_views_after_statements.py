"""A view that a `try` or a turn leaves is that view still; where nobody knows, reading it is an error."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

CALLS = [(np.float64(2.0),), (np.float64(1.0),), (np.float64(3.0),)]


def transposed(v):
    table = np.arange(9.0).reshape(3, 3)
    also = table
    try:
        table = table.T
        table[0, 0] = v
    finally:
        table[0] = v
    return table, also


def turned(v):
    u = np.zeros(3)
    w = u
    u[0] = v
    try:
        w = u[::-1]
        w[0] = v
        if v > 2:
            raise ValueError
    except ValueError:
        w[1] = 7
    w[2] = v
    return u, w


def returned(v):
    table = np.arange(9.0).reshape(3, 3)
    try:
        row = table[0]
        row[0] = v
        7 / table[0, int(v) % 4]
        return row
    except IndexError:
        return table


def left_in_some_ways(v):
    table = np.arange(9.0).reshape(3, 3)
    part = table[2]
    try:
        row = table[0]
        row[0] = v
        if row.sum() > table[0, int(v) % 4]:
            part = row
    except IndexError:
        part = table[1]
    return table.sum(), part


def a_part_of_a_part(v):
    u = np.zeros(4)
    w = u
    try:
        w = u[1:][::2]
        w[0] = 1 / v
        if v > 2:
            raise ValueError
        w[1] = v
    except ValueError:
        u[1] += 1
    w += 1
    u[3] *= 2
    return u, w


def nested(v):
    u = np.zeros(3)
    w = u
    try:
        try:
            w = u[1:]
            w[0] = v
            if v > 2:
                raise ValueError
        finally:
            u[1] += 1
            w[1] += v
    except ValueError:
        w[0] += 1
    w += 1
    return u, w


def one_of_two(v):
    u = np.zeros(3)
    u[0] = v
    w = u.copy()
    try:
        if v > 2:
            raise ValueError
        w[0] = 5
    except ValueError:
        w = u
    w[2] = 9
    return w


def bound_to_another_in_each_turn(v):
    a, b = np.zeros(2), np.ones(2)
    for i in range(int(v)):
        b = a
        a += i
    return a, b


@pytest.mark.parametrize(
    "program",
    [
        transposed,
        turned,
        returned,
        left_in_some_ways,
        a_part_of_a_part,
        nested,
        one_of_two,
        bound_to_another_in_each_turn,
    ],
    ids=lambda program: program.__name__,
)
def test_a_write_through_the_view_is_a_write_to_the_array(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_an_array_that_only_the_run_knows_after_a_try_is_not_read_under_its_other_name():
    def f(v):
        u = np.zeros(3)
        u[0] = v
        w = u
        try:
            if v > 2:
                raise ValueError
            w = u.copy()
        except ValueError:
            w[1] = 3
        w[2] = 9
        return u, w

    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.function(f)(np.float64(2.0))


def test_a_variable_that_lags_behind_is_the_array_that_turns_have_written_to():
    def f(n):
        a, b = np.zeros(2), np.ones(2)
        c = b
        for i in range(n):
            c = b
            b = a
            a += i
        return a, b, c

    ag.check(f, np.int64(3), then=[(np.int64(1),), (np.int64(0),)])


COPIED = """
for _ in range(n):
    row = row.copy()
---
while k > 0:
    row, k = row + 1, k - 1
---
for i in range(n):
    row[1] += 7
    row = row[::-1].copy()
---
for i in range(n):
    if i > 1:
        row = line
        break
    row = row * 2
else:
    row[1] = 3
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", COPIED)
def test_a_row_at_an_index_that_no_turn_copies_is_one_of_its_array(program):
    lines = ["def f(n, line):", "grid, k = np.arange(9.0).reshape(3, 3), n", "row = grid[n % 3]"]
    text = "\n    ".join([*lines, *program.splitlines(), "row[0] = 9.0", "return grid, line"])
    calls = [(np.int64(n), np.ones(3)) for n in (2, 0, 1, 4)]
    ag.check(function_of(text + "\n"), *calls[0], then=calls[1:])


ITERATED = [
    "x = x[::-1]\nfinally:\n    x[0] = v",
    "x = x[1:]\nfinally:\n    picked = x[::1]\n    picked[0] = v",
    "x = x[::-1]\nexcept KeyError:\n    raise\nx[0] = v",
]


@pytest.mark.parametrize("rest", ITERATED)
def test_a_loop_over_an_array_hears_of_writes_into_views_that_a_try_has_bound(rest):
    lines = ["try:", "    if n > 1:", "        raise KeyError(n)", *[f"    {rest.splitlines()[0]}"]]
    body = "".join(f"        {line}\n" for line in [*lines, *rest.splitlines()[1:]])
    f = function_of(f"def f(x, n, v):\n    s = 0.0\n    x = x * 2\n    for s in x:\n{body}    return s, x\n")
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.function(f)(np.array([1.0, 2.0, 3.0, 4.0]), np.int64(0), np.float64(2.0))
