"""The first and the last turns of a loop stand apart, where something is asked that is so in these alone."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.language.loops import (
    Allocate,
    Apply,
    Array,
    For,
    Function,
    If,
    Load,
    Number,
    Program,
    Set,
    Store,
    Variable,
    add,
    multiply,
)
from runtime.executors.native.language.walking import inside
from runtime.executors.native.lower.apart import ends_apart
from runtime.executors.native.whole import lowered

COUNT = 20
TURN, I, NOW, TOTAL, END = (Variable(name, int64) for name in ("i.turn", "i", "now", "total", "end"))
ASKED = Variable("asked", bool_)
NUMBERS = Array("numbers", int64)


def asking(compares, factor, known, limit, *, branches):
    """Fills memory with what a comparison of the turn chooses, and adds it up; what `end` is, is unknown."""
    test = Apply(compares, (add(multiply(I, factor), known), Number(limit, int64)), bool_)
    one, other = Apply("add", (multiply(I, 7), END), int64), Number(-5, int64)
    choice = [Set(NOW, Apply("select", (test, one, other), int64))]
    if branches:
        choice = [Set(ASKED, test), If(ASKED, [Set(NOW, one)], [Set(NOW, other)])]
    loop = For(TURN, Number(COUNT, int64), [Set(I, add(TURN, 0)), *choice, Store(NUMBERS, I, NOW)])
    at = Variable("at", int64)
    sums = For(at, Number(COUNT, int64), [Set(TOTAL, add(multiply(TOTAL, 3), Load(NUMBERS, at)))])
    body = [Allocate(NUMBERS, Number(COUNT, int64)), loop, Set(TOTAL, TURN), sums]
    return Function("f", [END], body, [TOTAL, TURN])


def turns_of(function):
    counts = [each.count for each in inside(function.body) if isinstance(each, For)]
    return [count.value for count in counts if isinstance(count, Number)]


def found(function, end=3):
    graph = ag.function(lambda end: (end, end + 1)).get_concrete_function(rt.TensorSpec((), "int64")).graph
    return tuple(map(int, Interpreted(Program([function]), graph).entry(np.asarray(end))))


@pytest.mark.parametrize("branches", [False, True], ids=["choices", "branches"])
@pytest.mark.parametrize(
    ("compares", "factor", "known", "limit", "turns"),
    [
        ("less", 1, -1, 0, COUNT - 1),
        ("less_equal", 1, -1, 0, COUNT - 2),
        ("equal", 1, 1, COUNT, COUNT - 1),
        ("not_equal", 1, 0, 0, COUNT - 1),
        ("equal", 1, 0, 1, COUNT - 2),
        ("greater", 1, 0, COUNT - 2, COUNT - 1),
        ("greater_equal", -1, COUNT - 1, 2, COUNT - 2),
        ("less", -2, 2 * COUNT, 4, COUNT - 1),
        ("less", 1, 0, 10, COUNT),
        ("equal", 2, 0, 1, COUNT),
        ("less", 1, 0, COUNT, COUNT),
        ("greater", 3, 5, 0, COUNT),
    ],
)
def test_turns_at_the_ends_stand_apart_and_all_is_as_before(compares, factor, known, limit, turns, branches):
    function = asking(compares, factor, known, limit, branches=branches)
    assert turns_of(ends_apart(function))[0] == turns
    assert found(ends_apart(function)) == found(function)


def test_what_the_run_decides_is_asked_in_each_turn():
    test = Apply("less", (I, END), bool_)
    loop = For(
        TURN, Number(COUNT, int64), [Set(I, TURN), Store(NUMBERS, I, Apply("select", (test, I, END), int64))]
    )
    function = Function("f", [END], [Allocate(NUMBERS, Number(COUNT, int64)), loop], [TURN])
    assert turns_of(ends_apart(function)) == [COUNT]


def on_a_circle(x, turns):
    for _ in range(turns):
        y = np.zeros(len(x), x.dtype)
        for i in range(len(x)):
            y[i] = x[i - 1] - 2 * x[i] + 3 * x[(i + 1) % len(x)]
        x = y
    return x


def life(cells, turns):
    h, w = cells.shape
    for _ in range(turns):
        new = np.zeros((h, w), cells.dtype)
        for i in range(h):
            for j in range(w):
                beside = cells[i, j - 1] + cells[i, (j + 1) % w]
                above, below = cells[i - 1, j], cells[(i + 1) % h, j]
                corners = cells[i - 1, j - 1] + cells[(i + 1) % h, (j + 1) % w]
                n = beside + above + below + corners + cells[i - 1, (j + 1) % w] + cells[(i + 1) % h, j - 1]
                if n == 3 or (n == 2 and cells[i, j] == 1):
                    new[i, j] = 1
        cells = new
    return cells


def with_edges_of_their_own(x, turns):
    y = x.copy()
    for _ in range(turns):
        for i in range(len(x)):
            left = x[i] if i == 0 else x[i - 1]
            right = x[i] if i == len(x) - 1 else x[i + 1]
            y[i] = (left + right) * 0.5
        x, y = y, x
    return x


@pytest.mark.parametrize("length", [1, 2, 3, 15, 16, 17, 64, 65])
def test_neighbours_on_a_circle_are_pythons_whatever_the_length(length):
    x = np.random.default_rng(length).integers(-3, 4, length)
    for given in (x, x * 0.1, x.astype(np.int16)):
        ag.check(on_a_circle, given, np.int64(3))


@pytest.mark.parametrize("shape", [(3, 3), (8, 32), (17, 20)])
def test_cells_and_edges_are_pythons(shape):
    cells = np.random.default_rng(0).integers(0, 2, shape)
    ag.check(life, cells, np.int64(4))
    ag.check(with_edges_of_their_own, cells[0] * 1.5, np.int64(4))


def test_between_its_ends_a_loop_over_cells_asks_for_no_edge():
    cells = np.zeros((20, 30), int)
    module = ag.function(life).get_concrete_function(cells, np.int64(4)).optimised_module
    assert 28 in turns_of(lowered(module).functions[-1])
