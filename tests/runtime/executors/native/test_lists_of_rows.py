"""Lists of arrays of one shape, as machine code: what plain Python gives, on every call."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def grown(x, n):
    outs = []
    for i in range(n):
        x = x * 2 - i
        outs.append(x)
    return np.stack(outs)


def written(x, n):
    outs = [x, x + 1]
    for i in range(n):
        outs.append(x * i)
    outs[0] = outs[1] * 2
    outs[n] = outs[n][::-1]
    for i in range(n):
        outs[i] = outs[i + 1][::-1] + outs[i]
    return outs, len(outs)


def popped(x, n):
    stack = []
    for i in range(n):
        stack.append(x + i)
    total = x - x
    while len(stack) > 2:
        total = total * 3 + stack.pop() - stack.pop(0)
    return total, stack


def aliases(x, n):
    rows = []
    for i in range(n):
        x[0] = i
        rows.append(x.copy())
        x[1] += rows[i][0]
    first = rows[0]
    rows[0] = x
    return rows, first


def shared(x, n):
    rows = []
    for i in range(n):
        rows.append(x)
        x = x.copy()
        x[i % 2] += 1
    other = list(rows)
    other.append(x)
    rows[0] = x * 5
    return rows, other


def tables(x, n):
    m = np.outer(x, x)
    out = []
    for i in range(n):
        m = m @ m % 7
        out.append(m)
    return np.array(out), len(out)


def summed(x, n):
    out = []
    for i in range(n):
        out.append(x * i)
    total = x * 0
    for row in out:
        total = total + row
    return total


def branches(x, n):
    out = []
    for i in range(n):
        if i % 3 == 0:
            out.append(x)
        elif len(out) > 2:
            out.pop()
            out[-1] = x + i
    return out, len(out)


PROGRAMS = [grown, written, popped, aliases, shared, tables, summed, branches]


@pytest.mark.parametrize(
    ("program", "dtype"),
    [
        (program, dtype)
        for number, program in enumerate(PROGRAMS)
        for dtype in ("int64", ("float32", "float64")[number % 2])
    ],
)
def test_a_program_does_what_python_does(program, dtype):
    x = np.arange(3).astype(dtype)
    then = [(x, np.int64(4)), (x + x, np.int64(20))]
    ag.check(program, x, np.int64(6), then=then, executors=["auto", "native"])


def test_truths_are_put_into_lists():
    def program(x, n):
        rows = []
        for _ in range(n):
            rows.append(x)
            x = ~x
        rows[0] = rows[1] & x
        return rows

    ag.check(program, np.array([True, False, True]), np.int64(5), executors=["auto", "native"])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_no_array_of_a_list_is_an_object_of_pythons(program):
    graph = ag.function(program, jit_compile=True)
    graph(np.arange(3), rt.asarray(5))
    assert set(graph.concrete_functions[0].report().counts) == {"machine code"}


def test_a_list_of_arrays_that_a_caller_has_is_taken_in():
    def program(rows, n):
        total = rows[0] * 0
        for i in range(n):
            rows = [*rows, rows[i] + 1]
            total = total + rows[-1]
        return total, rows

    ag.check(program, [np.arange(4.0), np.ones(4)], np.int64(3), executors=["native"])


def test_arrays_of_a_length_that_only_the_run_knows_stay_pythons():
    def program(x, n):
        out = []
        for i in range(n):
            out.append(x[i:] * 2)
        return len(out), out[0]

    ag.check(program, np.arange(9.0), np.int64(4), executors=["native"])


def test_an_index_outside_raises_what_python_raises():
    def program(x, n):
        out = [x]
        for i in range(n):
            out.append(out[i] + 1)
        return out[n + 1]

    graph = ag.function(program, jit_compile=True)
    for _ in range(3):
        with pytest.raises(IndexError):
            graph(np.arange(3.0), rt.asarray(2))
