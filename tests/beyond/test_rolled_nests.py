"""Short loops in short loops: rolled where their turns would add too much, and like Python in each case."""

import importlib
import sys

import numpy as np
import pytest

import autograph as ag
from autograph.backends.tensors.statements.rolled_loop import RolledLoop
from runtime.graph.graph import size_of

R = np.random.default_rng(0)


def product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def distances(w):
    d = w.copy()
    n = len(w)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def candidates(board):
    """How many digits may stand in each cell of a sudoku."""
    found = np.zeros((9, 9), int)
    for row in range(9):
        for column in range(9):
            for digit in range(1, 10):
                top, left = 3 * (row // 3), 3 * (column // 3)
                is_taken = digit in board[row] or digit in board[:, column]
                if not is_taken and digit not in board[top : top + 3, left : left + 3]:
                    found[row, column] += 1
    return found


def of_rows(x):
    """A list cannot be rolled, but what is inside of its turns can."""
    total = 0.0
    for scale in [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]:
        for i in range(12):
            for j in range(12):
                total += scale * x[i, j] * x[j, i] + i
    return total


def each_with_other_kinds(x):
    """The outer loop goes by its number, so only the inner one is rolled."""
    for i in range(12):
        for j in range(12):
            x = x * 0.5 + np.sin(x) * j + np.cos(x) * np.tanh(x) - x.sum() / 8
        x = x + 1 if i % 2 else x - 1
    return x


def grows(x):
    """Nothing can be rolled."""
    found = []
    for i in range(8):
        for j in range(8):
            found.append(x[i, j] * 2 + x[j, i] * 3 + np.sin(x[i, i]))
    return found


def pixels(x):
    """Floats of both loops meet, as in pictures."""
    h, w = x.shape
    found = np.zeros((h, w))
    for i in range(h):
        up = -1.5 + 3.0 * i / h
        for j in range(w):
            right, turns = 2.0 * j / w - 1.0, 0
            distance = right * right + up * up
            a, b = x[i, j], 0.1
            while turns < 9 and a * a + b * b < 4.0:
                a, b, turns = a * a - b * b + right, 2.0 * a * b + up, turns + 1
            if right < up or abs(right - up) > 0.75:
                found[i, j] = a / (distance + 1.0) - turns
            else:
                found[i, j] = (i * w + j) / 7 + (i - j) / (i + j + 1) + distance * x[j, i]
    return found


def rays(x):
    """Of float32, of which Python's floats make no float64."""
    light = x.astype(np.float32)
    for i in range(12):
        for j in range(12):
            across, down = (j - 6) / 12, (i - 6) / 12
            light[i, j] = light[i, j] * (across * down) + (across - i) * 1e-3 + down / (j + 1.5)
            light[j, i] = light[j, i] + (3 * i + 2 * j + 0.25) + np.sqrt(across * across + down * down)
    return light


BOARD = R.integers(0, 10, (9, 9))
SQUARE = R.random((12, 12))
PROGRAMS = [
    (product, (SQUARE, R.random((12, 12)))),
    (distances, (SQUARE,)),
    (candidates, (BOARD,)),
    (of_rows, (SQUARE,)),
    (each_with_other_kinds, (R.random(8),)),
    (pixels, (SQUARE,)),
    (rays, (SQUARE,)),
]
MOST = 1000
"""Operations of each graph; unrolled, they are from 1,400 to 30,000."""


def graph_of(function, arguments, **options):
    return ag.function(function, options=ag.Options(**options)).get_concrete_function(*arguments).graph


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_a_nest_of_short_loops_makes_a_small_graph_that_does_what_python_does(function, arguments):
    ag.check(function, *arguments)
    assert size_of(graph_of(function, arguments).nodes) < MOST


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_small_nest_is_unrolled_whole(size):
    arguments = R.random((size, size)), R.random((size, size))
    ag.check(product, *arguments)
    assert str(graph_of(product, arguments)) == str(graph_of(product, arguments, rolls=False))


def test_a_nest_that_cannot_be_rolled_is_unrolled_as_it_was():
    ag.check(grows, SQUARE)
    assert str(graph_of(grows, (SQUARE,))) == str(graph_of(grows, (SQUARE,), rolls=False))


@pytest.mark.parametrize(
    "meet",
    [
        lambda i, j: 1.0 / (i - j) if i != j else 0.5,
        lambda i, j: (0.5 * i) // (0.5 * j + 1.0),
        lambda i, j: (0.5 * i) % (0.5 * j + 1.0),
        lambda i, j: (0.5 * i + 1.0) ** (0.5 * j),
        lambda i, j: (2**60 * i + 1) * (0.5 * j),
        lambda i, j: 2**60 * i + 1 < 0.5 * j + 2.0**59,
        lambda i, j: (0.5j * i) * (0.5 * j),
        lambda i, j: 1e200 * i * (1e200 * j),
    ],
)
def test_numbers_of_two_loops_are_what_python_makes_of_them(meet):
    def f(x):
        total = x[0]
        for i in range(12):
            for j in range(12):
                total = total * 0.5 + np.sin(total) * meet(i, j)
        return total

    ag.check(f, R.random(3) + 0j)


def test_a_division_by_zero_of_two_loops_is_pythons():
    def f(x):
        total = x[0]
        for i in range(12):
            for j in range(12):
                total = total * 0.5 + np.sin(total) * ((0.5 * i) / (0.5 * j))
        return total

    with pytest.raises(ZeroDivisionError):
        ag.function(f)(R.random(3))


def test_a_return_out_of_a_nest_that_python_decides_stays_one():
    def f(x, first):
        for i in range(12):
            for j in range(12):
                x = x * 0.5 + np.sin(x) * np.cos(x) - x / 3 + x.sum() + j
                if i == first and j == 3:
                    return x, i, j
        return x, -1, -1

    for first in (0, 7, 20):
        ag.check(f, R.random(8), first)


def barrier(seed, paths):
    state, total = seed, 0.0
    for _ in range(paths):
        price = 100.0
        for _ in range(20):
            state = (state * 1103515245 + 12345) % 2147483648
            price *= 1.0 + 0.1 * (state / 2147483648.0 - 0.5)
        total += max(price - 100.0, 0.0)
    return total


def test_loops_of_pythons_numbers_alone_are_tried_no_more_often_for_more_turns_around_them(monkeypatch):
    rolling, tried = importlib.import_module("autograph.backends.tensors.statements.rolling"), []
    attempt = rolling._attempt
    monkeypatch.setattr(rolling, "_attempt", lambda *given: tried.append(None) or attempt(*given))
    for paths in (10, 60):
        assert float(ag.function(barrier)(7, paths)) == barrier(7, paths)
        tried.append(paths)
    assert tried.index(10) >= len(tried) - tried.index(10) - 2


def squeezed(x, number):
    for _ in range(40):
        once = (number + 0.1) * (number - 0.1)
        twice = (once + 0.1) * (once - 0.1)
        again = (twice + 0.1) * (twice - 0.1)
        more = (again + 0.1) * (again - 0.1)
        number = (more + 0.1) * (more - 0.1)
        x = x + number
    return x


def test_what_a_turn_computes_of_numbers_is_computed_once():
    x, calls = np.ones(3), 0
    assert np.asarray(ag.function(squeezed)(x, 1e-3)).tobytes() == squeezed(x, 1e-3).tobytes()

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        ag.function(squeezed).get_concrete_function(x, 2e-3)
    finally:
        sys.setprofile(before)
    assert calls < 20_000


def in_vain(x, is_shown):
    """No turn writes into the array of which the text says so, and Python needs its numbers afterwards."""
    shown, total = np.zeros(40), 0.0
    for i in range(40):
        if is_shown:
            shown[i] = total
        total += x[i] * x[i]
    return total, [7] * (int(shown[0]) + 2)


def by_two_names(x):
    """An array that gives way is the same one under all its names."""
    found = np.zeros(40)
    other, part = found, found[3:6]
    for i in range(40):
        found[i] = x[i] + other[i - 1]
    return other, part, found


def test_an_array_that_the_text_writes_into_is_carried_from_the_first_turn_on(monkeypatch):
    stages = []
    stage = RolledLoop.stage
    monkeypatch.setattr(RolledLoop, "stage", lambda self: stages.append(stage(self)) or stages[-1])
    a, b = R.random((20, 20)), R.random((20, 20))
    assert np.array_equal(ag.function(product)(a, b), product(a, b))
    assert stages == [True, True, True]  # each loop once


def test_an_array_that_no_turn_writes_into_stays_pythons():
    x = R.random(40)
    total, rest = ag.function(in_vain)(x, is_shown=False)
    assert float(total) == in_vain(x, is_shown=False)[0]
    assert rest == [7, 7]


def test_an_array_that_gives_way_has_all_its_names():
    x = R.random(40)
    for one, other in zip(ag.function(by_two_names)(x), by_two_names(x), strict=True):
        assert np.array_equal(one, other)
