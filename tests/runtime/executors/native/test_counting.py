"""Loops that count are loops over turns, wherever they begin and whichever way they go."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.language.loops import (
    Apply,
    Break,
    For,
    Function,
    If,
    Number,
    Program,
    Set,
    Variable,
    While,
    add,
)
from runtime.executors.native.language.walking import inside
from runtime.executors.native.lower.counting import over_turns
from runtime.executors.native.whole import lowered

MOST, LEAST = np.iinfo(np.int64).max, np.iinfo(np.int64).min
I, END, COUNT = (Variable(name, int64) for name in ("i", "end", "count"))
GOING = Variable("going", bool_)


def counting(start, end, step, compares, *more):
    """Counts turns, and says where the index is in the end."""
    turn = [*more, Set(COUNT, add(COUNT, 1)), Set(I, Apply("add", (I, Number(step, int64)), int64))]
    loop = While([Set(GOING, Apply(compares, (I, end), bool_))], GOING, turn)
    body = [Set(I, Number(start, int64)), Set(COUNT, Number(0, int64)), loop]
    return Function("f", [END], body, [I, COUNT])


def kinds(function):
    return {type(each) for each in inside(function.body)} & {For, While}


def found(function, end):
    """What a function gives whose graph takes a number, and gives two."""
    graph = ag.function(lambda end: (end, end + 1)).get_concrete_function(rt.TensorSpec((), "int64")).graph
    return tuple(map(int, Interpreted(Program([function]), graph).entry(np.asarray(end))))


@pytest.mark.parametrize(
    ("start", "end", "step", "compares"),
    [
        (1, 7, 1, "less"),
        (1, 7, 1, "less_equal"),
        (7, 1, 1, "less"),
        (5, 5, 1, "less_equal"),
        (0, 10, 3, "less"),
        (0, 9, 3, "less"),
        (0, 9, 3, "less_equal"),
        (9, 0, -1, "greater_equal"),
        (9, 0, -2, "greater"),
        (-3, -8, -1, "greater"),
        (0, 9, -1, "greater"),
    ],
)
def test_a_loop_between_numbers_that_are_known_has_as_many_turns_as_python(start, end, step, compares):
    function = counting(start, Number(end, int64), step, compares)
    assert kinds(over_turns(function)) == {For}
    assert found(over_turns(function), 0) == found(function, 0)


@pytest.mark.parametrize("end", [-4, 0, 1, 2, 9, LEAST])
@pytest.mark.parametrize("start", [-2, 0, 1])
def test_a_loop_up_to_a_number_of_the_run_has_as_many_turns_as_python(start, end):
    function = counting(start, END, 1, "less")
    assert kinds(over_turns(function)) == {For}
    assert found(over_turns(function), end) == found(function, end)


@pytest.mark.parametrize("end", [-9, -1, 0, 6, MOST])
def test_a_loop_down_to_a_number_of_the_run_has_as_many_turns_as_python(end):
    function = counting(5, END, -1, "greater")
    assert kinds(over_turns(function)) == {For}
    assert found(over_turns(function), end) == found(function, end)


@pytest.mark.parametrize(
    "function",
    [
        counting(0, Number(9, int64), 1, "not_equal"),
        counting(9, Number(0, int64), -1, "less"),
        counting(0, END, 2, "less"),
        counting(0, END, 1, "less_equal"),
        counting(0, END, 1, "less", Set(END, add(END, -1))),
        counting(0, COUNT, 1, "less"),
        counting(0, Number(9, int64), 1, "less", If(Apply("equal", (I, END), bool_), [Break()], [])),
    ],
    ids=["asks otherwise", "goes away", "by twos", "may wrap", "the end moves", "counts itself", "breaks"],
)
def test_other_loops_stay(function):
    assert kinds(over_turns(function)) == {While}


def relaxed(u):
    n, m = u.shape
    v = u.copy()
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return v


def below(a):
    n = a.shape[0]
    factor = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= factor[i, k] * factor[j, k]
            factor[i, j] = np.sqrt(s) if i == j else s / factor[j, j]
    return factor


def sunk(x):
    """A heap sort, whose inner loop ends where the outer one is."""
    n = len(x)
    for end in range(n - 1, -n, -1):
        start = n // 2 + end if end < 0 else 0
        if end >= 0:
            x[0], x[end] = x[end], x[0]
        root, last = max(start, 0), end if end > 0 else n
        while 2 * root + 1 < last:
            child = 2 * root + 1
            if child + 1 < last and x[child] < x[child + 1]:
                child += 1
            if x[root] >= x[child]:
                break
            x[root], x[child] = x[child], x[root]
            root = child
    return x


SQUARE = np.random.default_rng(0).random((24, 24))


@pytest.mark.parametrize(
    ("function", "argument"),
    [(relaxed, SQUARE), (below, SQUARE @ SQUARE.T + np.eye(24)), (sunk, SQUARE[0])],
    ids=["relaxed", "below", "sunk"],
)
@pytest.mark.parametrize("settings", [{}, {"jit_compile": True}], ids=["unasked", "asked"])
def test_nests_of_counters_give_what_python_gives(function, argument, settings):
    graph = ag.function(function, **settings)
    expected = function(argument.copy())
    for _ in range(3):
        assert np.array_equal(graph(argument.copy()), expected)


def test_a_stencil_is_loops_over_turns_and_vectors():
    program = ag.function(relaxed, jit_compile=True).get_concrete_function(SQUARE).program
    assert "while" not in program.source()
    assert "x double>" in program.llvm_ir()


def multiplied(data, indices, starts, x):
    """A sparse matrix by a vector."""
    y = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        s = 0.0
        for k in range(starts[i], starts[i + 1]):
            s += data[k] * x[indices[k]]
        y[i] = s
    return y


def test_rows_that_look_up_their_places_are_done_one_by_one():
    rng = np.random.default_rng(1)
    starts = np.concatenate([[0], np.sort(rng.integers(0, 200, 39)), [200]])
    given = rng.random(200), rng.integers(0, 40, 200), starts, rng.random(40)
    graph = ag.function(multiplied, jit_compile=True)
    assert np.array_equal(graph(*given), multiplied(*given))
    module = graph.get_concrete_function(*given).optimised_module
    assert "rows" not in str(lowered(module))
    assert rt.asarray(graph(*given)).dtype is rt.float64


def test_each_form_of_a_loop_is_one_over_turns_and_begins_where_the_branch_does():
    loop = counting(0, Number(7, int64), 2, "less_equal").body
    large = Apply("less", (Number(3, int64), END), bool_)
    function = Function("f", [END], [*loop[:2], If(large, loop[2:], loop[2:])], [I, COUNT])
    assert kinds(over_turns(function)) == {For}
    loops = [each for each in inside(over_turns(function).body) if isinstance(each, For)]
    assert [each.count for each in loops] == [Number(4, int64)] * 2
    assert found(over_turns(function), 5) == found(function, 5)
