"""What tells the arguments of a call from others, without sorting them out."""

import math

import numpy as np
import pytest

import autograph as ag
from runtime.functions.fast_key import sorted_out


def key(*args):
    return sorted_out(args)[0]


LONG = [float(number) for number in range(300)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LONG, LONG[:-1]),
        (LONG, [-0.0, *LONG[1:]]),
        (LONG, [*LONG[:-1], 300.0]),
        (LONG, [int(number) for number in LONG]),
        (LONG, tuple(LONG)),
        ([0, 1] * 10, [False, True] * 10),
        ([1] * 20, [1] * 19 + [1.0]),
        ([[1, 2]] * 1 + [[3, 4] for _ in range(200)], [[1, 2], *[[3, 4] for _ in range(199)], [3, 5]]),
        ([[0.0] for _ in range(20)], [[-0.0] for _ in range(20)]),
        ([[1] for _ in range(20)], [[1.0] for _ in range(20)]),
        ([[1] for _ in range(20)], [[True] for _ in range(20)]),
        ([[] for _ in range(20)], [[1] for _ in range(20)]),
    ],
)
def test_long_lists_that_differ_have_other_keys(one, other):
    assert key(one) is not None
    assert key(one) == key(list(one) if type(one) is list else one)
    assert key(one) != key(other)


def test_the_same_nan_in_a_long_list_is_alike():
    assert key([math.nan] * 20) == key([float("nan")] * 20)


def test_a_row_that_is_there_twice_is_told_apart_elsewhere():
    row = [1, 2]
    assert key([row, row, *[[3, 4] for _ in range(200)]]) is None
    assert key(row, [row, *[[3, 4] for _ in range(200)]]) is None


def test_lists_of_any_length_give_what_python_gives_in_calls_that_are_alike():
    def weighed(rows, numbers):
        total = 0.0
        for row in rows:
            for each in row:
                if each > 1:
                    total += each
        for each in numbers:
            total -= each
        rows[0][0] = 5
        return total

    graph = ag.function(weighed)
    for start in (0, 0, 3, 0, -2):
        for rows in (10, 150):
            given = [[start + column for column in range(12)] for _ in range(rows)]
            plain = [[*row] for row in given]
            assert graph(given, LONG) == weighed(plain, LONG)
            assert given == plain


def test_a_list_that_grows_from_call_to_call_gives_what_python_gives():
    def remembered(history, x):
        history.append(x.sum())
        return sum(history) / len(history)

    graph, ours, plain = ag.function(remembered), [], []
    for turn in range(12):
        x = np.arange(3.0) * turn
        assert graph(ours, x) == remembered(plain, x)
    assert ours == plain
    assert len(graph.concrete_functions) <= 4
