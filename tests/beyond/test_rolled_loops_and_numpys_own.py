"""Rolled loops whose numbers go into arrays of a turn, into functions of NumPy's, and into ranges of tensors.

Every program is compared with plain Python on every executor, once rolled from six turns on, and it is said
which of them roll.
"""

import numpy as np
import pytest

import autograph as ag
from tests.beyond.rolling import Programs, loops_of, short_loops_roll

PROGRAMS = Programs()
rolls, unrolls = PROGRAMS.rolls, PROGRAMS.unrolls

pytestmark = pytest.mark.usefixtures(short_loops_roll.__name__)

HALF = np.array([0.5, 1.5, 2.5], dtype=np.float32)


@rolls(np.array([1, 2, 0, 2, 1, 3, 0, 2, 1]), np.array([2, 0, 1, 3, 3, 0, 1, 2]))
def edits(a, b):
    """The distance between two texts, with a new row for each letter."""
    row = np.arange(len(b) + 1)
    for i in range(len(a)):
        new = np.zeros(len(b) + 1, dtype=np.int64)
        new[0] = i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            new[j + 1] = min(row[j] + cost, row[j + 1] + 1, new[j] + 1)
        row = new
    return row


@rolls(HALF)
def into_the_dtype_of_the_array(x):
    for i in range(9):
        part = np.zeros(3, dtype=np.float32)
        part[1] = 0.1 * i
        x = x + part
    return x


@rolls(HALF)
def into_bytes(x):
    for i in range(40):
        part = np.zeros(3, dtype=np.uint8)
        part[0] = 6 * i
        part[1] = i > 3
        x = x + part
    return x


@rolls()
def into_rows(x):
    for i in range(9):
        part = np.zeros((8, 2), dtype=np.int64)
        part[:, 0] = i
        part[i % 3] += 2
        part[0, 0] += i
        x = x + part.sum(axis=1)
    return x


@rolls()
def waves(x):
    for i in range(9):
        x = x + np.sin(i * 0.1) * np.sqrt(i)
    return x


@rolls(HALF)
def at_least(x):
    for i in range(9):
        x = np.maximum(x, i) - np.minimum(i, 4) * np.float32(0.5)
    return x


@unrolls()
def squares(x):
    """A function of NumPy's decides here whether Python counts."""
    n = 0
    for i in range(9):
        if np.sqrt(i) % 1 == 0:
            n += 1
    return x + n


@rolls(np.arange(12.0), np.int64(30))
def knapsack(values, room):
    best = np.zeros(room + 1)
    for i in range(len(values)):
        weight = i % 5 + 2
        for c in range(room, weight - 1, -1):
            best[c] = max(best[c], best[c - weight] + values[i])
    return best


@rolls(np.arange(12.0), np.int64(9))
def triangle(x, n):
    total = 0.0
    for i in range(len(x)):
        for j in range(i, n):
            total += x[i] * j
    return total


@pytest.mark.parametrize(("function", "arguments", "rolls"), PROGRAMS)
def test_a_loop_whose_numbers_numpy_takes_does_what_python_does(function, arguments, rolls, capfd):
    ag.check(function, *arguments)
    assert loops_of(function, *arguments) == rolls


def test_a_number_that_some_turn_cannot_write_raises_there():
    def too_large(x):
        for i in range(200):
            part = np.zeros(3, dtype=np.int8)
            part[0] = i
            x = x + part
        return x

    with pytest.raises(OverflowError, match="Python integer 128 out of bounds for int8"):
        ag.function(too_large)(HALF)
