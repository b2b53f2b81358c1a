"""Lists that a program owns are changed in place: the copies that a run makes are counted."""

import random
import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.lists import ListValue
from runtime.core.spec import ListSpec
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import building, value_in
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.symbol import Symbol
from runtime.ops.tensor_list.handles import list_append, list_extend, list_get, list_set, list_slice
from runtime.passes.pipeline import optimise


def copies(run, *arguments):
    """What a run gives, and how often it copies a list of Python's."""
    count = 0

    def profile(frame, event, function):
        nonlocal count
        count += event == "c_call" and function.__name__ == "copy" and isinstance(function.__self__, list)

    sys.setprofile(profile)
    try:
        result = run(*arguments)
    finally:
        sys.setprofile(None)
    return result, count


def copies_of(function, *arguments, executor="numpy"):
    staged = ag.function(function, executor=executor)
    tensors = [rt.asarray(argument) for argument in arguments]
    staged(*tensors)
    result, count = copies(staged, *tensors)
    return [int(each) for each in result], count


def filled(n):
    values = []
    for i in range(n):
        values.append(i)
    return values


def changed(n):
    values = [i for i in range(n)]
    for i in range(n):
        values[i] = values[i] * 2
    return values


def in_branches(n):
    values = []
    for i in range(n):
        if i % 3 == 0:
            values.append(i)
        elif i % 3 == 1:
            if i > 4:
                values.append(-i)
            values[0] = i
    return values


def popped(n):
    values = [i for i in range(n)]
    total = 0
    while len(values) > 2:
        total += values.pop()
    return [total, values[0], values[1]]


def nested_loops(n):
    values = []
    for i in range(n):
        for j in range(i):
            values.append(i * j)
    return values


@pytest.mark.parametrize(
    ("function", "executor"),
    [
        *[(each, "numpy") for each in (filled, changed, in_branches, popped, nested_loops)],
        *[(each, "reference") for each in (filled, changed, in_branches, nested_loops)],
    ],
)
def test_a_longer_loop_makes_no_more_copies_of_its_list(function, executor):
    _, few = copies_of(function, 6, executor=executor)
    result, many = copies_of(function, 24, executor=executor)
    assert result == [int(each) for each in function(24)]
    assert many == few <= 1


def test_a_list_that_is_read_again_is_copied_once():
    def kept(n):
        values = [1, 2, 3]
        longer = [*values]
        for i in range(n):
            longer.append(i)
        return [len(values), len(longer)]

    assert copies_of(kept, 9) == ([3, 12], copies_of(kept, 3)[1])


def test_what_an_item_is_part_of_may_change_behind_it():
    def swapped(n):
        rows = [rt.ones(2), rt.zeros(2)]
        for i in range(n):
            first = rows[0]
            rows.append(first)
            rows[0] = rows[1] + i
            rows[1] = first
        return rows[0][0], rows[1][0], len(rows)

    for executor in ("numpy", "reference"):
        result = ag.function(swapped, executor=executor)(rt.asarray(3))
        assert [int(each) for each in result] == [2, 2, 5]


def test_functions_that_call_themselves_are_handed_what_they_change():
    @PolymorphicFunction
    def grown(items, n):
        return rt.cond(n <= 0, lambda: items, lambda: grown(items.write(items.size(), n), n - 1))

    @PolymorphicFunction
    def counted(n):
        return grown(rt.TensorArray(rt.int64, size=0, dynamic_size=True, element_shape=()), n).stack()

    counted(rt.asarray(3))
    for size in (3, 12):
        result, count = copies(counted, rt.asarray(size))
        assert result.tolist() == list(range(size, 0, -1))
        assert count == 0


def test_an_array_that_a_function_which_calls_itself_changes_is_copied_once():
    @PolymorphicFunction
    def numbered(x, n):
        return rt.cond(n < 0, lambda: x, lambda: numbered(x.at[n].set(n), n - 1))

    spec = rt.TensorSpec((None,), rt.int64), rt.TensorSpec((), rt.int64)
    text = PolymorphicFunction(lambda x, n: numbered(x, n)).get_concrete_function(*spec).to_python()
    assert text.count("np.array(") == 1
    x = rt.asarray([7, 7, 7])
    assert numbered(x, rt.asarray(2)).tolist() == [0, 1, 2]
    assert x.tolist() == [7, 7, 7]


# ── random programs ───────────────────────────────────────────────────────────────────────────────────

VECTOR = rt.ArraySpec((2,), rt.int64)
STEPS = {
    "append": lambda l, m, x: (list_append(l, x), m, x),
    "append of other": lambda l, m, x: (list_append(l, list_get(m, 0)), m, x),
    "set": lambda l, m, x: (list_set(l, 0, x), m, x),
    "set from other": lambda l, m, x: (list_set(l, 0, list_get(m, 0)), m, x),
    "read": lambda l, m, x: (l, m, list_get(l, 0)),
    "update": lambda l, m, x: (l, m, x.at[0].set(x[1] + 1)),
    "update of an item": lambda l, m, x: (l, m, list_get(l, 0).at[1].set(x[0])),
    "computed": lambda l, m, x: (l, m, x + 1),
    "swap": lambda l, m, x: (m, l, x),
    "same": lambda l, m, x: (l, l, x),
    "joined": lambda l, m, x: (list_extend(l, list_slice(m, slice(0, 1))), m, x),
}


def drawn(rng, depth):
    kinds = [*STEPS, *["if", "while"] * (2 * bool(depth))]
    return [
        (kind, drawn(rng, depth - 1), drawn(rng, depth - 1)) if kind in {"if", "while"} else (kind, (), ())
        for kind in rng.choices(kinds, k=rng.randint(2, 6))
    ]


def run(block, state):
    for kind, body, orelse in block:
        if kind == "if":
            test = state[2][0] > state[2][1]
            state = rt.cond(test, lambda s=state, b=body: run(b, s), lambda s=state, b=orelse: run(b, s))
        elif kind == "while":
            state = rt.while_loop(
                lambda i, *_: i < 2, lambda i, *s, b=body: (i + 1, *run(b, s)), (0, *state)
            )[1:]
        else:
            state = STEPS[kind](*state)
    return tuple(state)


@pytest.mark.parametrize("depth", [0] * 20 + [1] * 20 + [2] * 20)
def test_nobody_sees_a_list_or_an_item_change(depth, request):
    rng = random.Random(request.node.name)
    builder = Builder("program")
    items, x = Symbol(builder.input(ListSpec(VECTOR), "items")), Symbol(builder.input(VECTOR, "x"))
    with building(builder):
        state = run([*drawn(rng, depth), *drawn(rng, depth)], (items, list_append(items, x + 1), x))
        module = Module(builder.finish([value_in(builder, each) for each in (*state, items)]))
    given = ListValue.of([np.array([1, 2]), np.array([3, 4])])
    wanted = shown(choose("reference").compile(module).run([given, np.array([5, 6])]))
    for each in (module, optimise(module)):
        found = choose("numpy").compile(each).run([given, np.array([5, 6])])
        assert shown(found) == wanted
    assert shown([given]) == [[[1, 2], [3, 4]]]


def shown(values):
    return [
        [item.tolist() for item in value.items] if isinstance(value, ListValue) else value.tolist()
        for value in values
    ]
