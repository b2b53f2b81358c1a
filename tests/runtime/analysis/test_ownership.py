"""Arrays are written into where nobody sees it: random programs of updates, views, branches and loops."""

import random
import re

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.base import choose
from runtime.executors.numpy_plan.standalone import to_python
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import building, value_in
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.symbol import Symbol
from runtime.passes.pipeline import optimise

LENGTH = 4
SPECS = (rt.ArraySpec((LENGTH,), rt.int64),) * 3 + (rt.ArraySpec((3, LENGTH), rt.int64),)
"""Three vectors and a matrix: the state of a program."""
CONSTANT = rt.asarray([5, 6, 7, 8])

UPDATES = {
    "element": lambda x, y, i: x.at[i].set(y[i]),
    "counted": lambda x, y, i: x.at[i].set(x[i] + y[-i]),
    "by tensor": lambda x, y, i: x.at[y[i] % LENGTH].set(i),
    "reversed": lambda x, y, i: x.at[::-1].set(y),
    "shifted": lambda x, y, i: x.at[1:].set(y[:-1]),
    "scattered": lambda x, y, i: x.at[y % LENGTH].set(x),
    "added": lambda x, y, i: x.at[y % LENGTH].add(y),
    "masked": lambda x, y, i: x.at[y > i].set(i),
}
VIEWS = {
    "same": lambda x, y, i: y,
    "backwards": lambda x, y, i: y[::-1],
    "refolded": lambda x, y, i: rt.reshape(rt.reshape(y, (2, 2)), (LENGTH,)),
}
OTHERS = {
    "computed": lambda x, y, i: x + y % 5,
    "constant": lambda x, y, i: CONSTANT,
    "made": lambda x, y, i: rt.zeros(LENGTH, dtype=rt.int64) + i,
}
ON_MATRIX = {
    "row set": lambda m, x, i: (m.at[i].set(x), x),
    "row read": lambda m, x, i: (m, m[i]),
    "rows swapped": lambda m, x, i: (m.at[i].set(m[0]).at[0].set(m[i]), x),
    "rows picked": lambda m, x, i: (m.at[[0, i]].set(m[i]), x),
    "column": lambda m, x, i: (m.at[:, i].set(x[:3]), m[1][::-1]),
    "turned": lambda m, x, i: (m[::-1], x),
}


def drawn_block(rng, depth):
    """Statements: what they are, with the variables and numbers that they take."""
    return [drawn_statement(rng, depth) for _ in range(rng.randint(1, 5))]


def drawn_statement(rng, depth):
    one, other, i = rng.randrange(3), rng.randrange(3), rng.randint(-3, 2)
    kind = rng.choice(
        ["update", "update", "update", "other", "view", "matrix", "swap", *["if", "while"] * (depth > 0)]
    )
    if kind == "if":
        return kind, one, i, drawn_block(rng, depth - 1), drawn_block(rng, depth - 1)
    if kind == "while":
        return kind, rng.randrange(4), one, drawn_block(rng, depth - 1)
    if kind == "matrix":
        return rng.choice(sorted(ON_MATRIX)), one, i
    if kind == "swap":
        return kind, one, other
    functions = {"update": UPDATES, "other": OTHERS, "view": VIEWS}[kind]
    return rng.choice(sorted(functions)), one, other, i


def run(block, state):
    """The state after a block, as a list of tensors."""
    for statement in block:
        state = step(list(state), *statement)
    return list(state)


def step(state, kind, *details):
    if kind == "if":
        which, i, body, orelse = details
        test = state[which][i] > 2
        return rt.cond(test, lambda: tuple(run(body, state)), lambda: tuple(run(orelse, state)))
    if kind == "while":
        count, which, body = details
        _, *state = rt.while_loop(
            lambda n, *state: rt.logical_and(n < count, state[which][0] < 50),
            lambda n, *state: (n + 1, *run(body, state)),
            (0, *state),
        )
        return state
    if kind == "swap":
        one, other = details
        state[one], state[other] = state[other], state[one]
    elif kind in ON_MATRIX:
        which, i = details
        state[3], state[which] = ON_MATRIX[kind](state[3], state[which], i)
    else:
        to, source, i = details
        state[to] = (UPDATES | VIEWS | OTHERS)[kind](state[to], state[source], i)
    return state


def graph_of(block):
    builder = Builder("program")
    inputs = [Symbol(builder.input(spec, name)) for spec, name in zip(SPECS, "abcm", strict=True)]
    with building(builder):
        outputs = run(block, [value + 1 for value in inputs])
    graph = builder.finish([value_in(builder, output) for output in outputs])
    return graph


@pytest.mark.parametrize("depth", [0] * 60 + [1] * 30 + [2] * 30)
def test_nothing_is_written_that_anybody_sees(depth, request):
    rng = random.Random(request.node.name)
    block = [statement for _ in range(3) for statement in drawn_block(rng, depth)]
    graph = graph_of(block)
    arrays = [np.arange(4), np.array([3, -1, 9, 2]), np.array([0, 0, 4, 1]), np.arange(12).reshape(3, 4)]
    copies = [array.copy() for array in arrays]
    wanted = choose("reference").compile(Module(graph)).run(arrays)
    for each in (graph, optimise(Module(graph)).entry):
        run = choose("numpy").compile(Module(each)).run
        first = run(arrays)
        kept = [array.copy() for array in first]
        second = run(arrays)
        for found in (first, kept, second):
            np.testing.assert_equal(list(map(np.asarray, found)), list(map(np.asarray, wanted)))
        np.testing.assert_equal(arrays, copies)
    np.testing.assert_array_equal(CONSTANT, [5, 6, 7, 8])


def program_of(function, *specs):
    """The loop of a function's program, and what stands before it."""
    staged = PolymorphicFunction(function, input_signature=specs)
    text = to_python(Module(staged.get_concrete_function().graph)).rpartition("\ndef ")[2]
    before, _, loop = text.partition("    while ")
    return before, loop


VECTOR = rt.TensorSpec((None,), rt.int64)
MATRIX = rt.TensorSpec((None, None), rt.float64)


NUMBER = rt.TensorSpec((), rt.int64)


def filled(x, n):
    return rt.while_loop(lambda i, _: i < n, lambda i, x: (i + 1, x.at[i].set(i)), (0, x))[1]


def test_a_loop_starts_with_a_copy_of_an_argument_and_makes_no_other():
    before, loop = program_of(filled, VECTOR, NUMBER)
    assert before.count("= np.array(x)") == 1
    assert re.search(r"(\w+)\[(\w+)\] = \2\n", loop)
    assert "np.array(" not in loop


def test_a_loop_writes_into_what_the_program_made():
    before, loop = program_of(lambda n: filled(rt.zeros((n,), dtype=rt.int64), n), NUMBER)
    assert "= np.array(" not in before + loop


def test_an_array_that_is_read_afterwards_is_copied_once():
    before, loop = program_of(lambda x, n: (filled(x + 1, n), filled(x + 1, n)), VECTOR, NUMBER)
    assert (before + loop).count("np.array(x") <= 1


def test_rows_are_copied_where_they_are_swapped_and_the_matrix_is_not():
    def flipped(m):
        def body(i, m):
            last = rt.shape(m)[0] - 1 - i
            row = m[i]
            return i + 1, m.at[i].set(m[last]).at[last].set(row)

        return rt.while_loop(lambda i, _: i < rt.shape(m)[0] // 2, body, (0, m))[1]

    before, loop = program_of(flipped, MATRIX)
    assert "= np.array(m)" in before
    assert re.findall(r"np\.array\(\w+[\[)]", loop) == ["np.array(loop_vars_1["]


def test_what_a_checkpoint_keeps_is_not_written_into():
    def careful(x, i):
        y = x + 0
        try:
            y[0] = 5
            y[i] = 1
            y[1] = 7
        except IndexError:
            y[2] = 9
        return y

    for i in (1, 8):
        results = [
            ag.function(careful, executor=executor)(rt.asarray([1, 2, 3]), rt.asarray(i)).tolist()
            for executor in ("numpy", "reference")
        ]
        assert results[0] == results[1] == ([5, 7, 3] if i == 1 else [5, 2, 9])


def a_row_of_a_column(x):
    table = (x * 2).reshape(3, 3)
    table[1] = table[:, 2].copy()
    table[0] = table.T[1].copy()
    return table


def steps_that_get_longer(x):
    line = x * 2
    line[1:5] = line[0:8:2].copy()
    return line


def steps_that_get_shorter(x):
    line = x * 2
    line[0:8:2] = line[1:5].copy()
    return line


def steps_back(x):
    line = x * 2
    line[::-1] = line.copy()
    line[3:0:-1] = line[1:4].copy()
    return line


def steps_of_a_number_of_turns(x):
    line = x * 2
    for i in range(1, 3):
        line[1 : 1 + 4] = line[i : i + 4].copy()
        line[i : i + 3] = line[0 : 3 * i : i].copy()
    return line


@pytest.mark.parametrize("executor", ["reference", "numpy", "native"])
@pytest.mark.parametrize(
    "program",
    [
        *(a_row_of_a_column, steps_that_get_longer, steps_that_get_shorter, steps_back),
        steps_of_a_number_of_turns,
    ],
)
def test_a_line_of_the_array_itself_that_lies_in_other_steps_is_copied_first(program, executor):
    x = np.arange(9.0)
    np.testing.assert_array_equal(ag.function(program, executor=executor)(x), program(x))


def test_a_line_that_moves_within_its_array_is_not_copied():
    def moved(x):
        line = x * 2
        line[1:] = line[:-1].copy()
        return line

    graph = ag.function(moved, executor="numpy")
    np.testing.assert_array_equal(graph(np.arange(9.0)), moved(np.arange(9.0)))
    assert "\n    line[1:] = line[:-1]\n" in graph.concrete_functions[0].to_python()


def rows_and_columns(x, turns):
    x = x * 1.0
    for turn in range(turns):
        x[:, 1] = x[:, 0] + 1.0
        x[3] = x[4]
        x[1:3] = x[2:4]
        x[::-1, 2] = x[:, 2] * turn
        x[2:] += x[:-2]
    return x


def test_zeros_are_written_into_where_a_branch_does_so():
    def marked(n, k):
        found = np.zeros(n)
        if k > 3:
            found[k] = 1.0
        found[0] = 2.0
        return found

    graph = ag.function(marked, jit_compile=True)
    for k in (2, 5):
        np.testing.assert_array_equal(graph(np.int64(9), np.int64(k)), marked(9, k))
    source = graph.concrete_functions[0].program.source()
    assert source.count("= memory(") == 1
    assert "[:" not in source


def test_machine_code_reads_a_part_before_it_writes_into_the_array_and_copies_no_more():
    x, turns = np.arange(200 * 3.0).reshape(200, 3), rt.asarray(3)
    graph = ag.function(rows_and_columns)
    np.testing.assert_array_equal(graph(x, turns), rows_and_columns(x, 3))
    (concrete,) = graph.concrete_functions
    assert concrete.report().executor == "native"
    loop = concrete.program.source().partition("for v")[2]
    assert not re.search(r"a\d+\[:\] = ", loop)
