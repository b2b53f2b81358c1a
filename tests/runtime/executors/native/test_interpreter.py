"""The interpreter of the loop language is the judge of compiled code, and itself judged by the reference."""

import re
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import autograph as ag
import runtime as rt
from runtime.core.dtypes import float64, int64
from runtime.executors.native.interpreter import Interpreted, OutOfOrder
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Array,
    Copy,
    Function,
    Load,
    Mark,
    Number,
    Program,
    Release,
    Set,
    Store,
    Variable,
)
from runtime.executors.native.lower import parts
from runtime.executors.native.lower.congruences import from_the_beginning
from runtime.executors.native.lower.leaving import leaving_early
from runtime.executors.native.lower.naming import named_at_once
from runtime.executors.native.lower.rows import in_rows
from runtime.executors.native.lower.seldom import looking_seldom
from runtime.executors.native.lower.sure import sure
from runtime.executors.native.run import MachineCode, Source
from runtime.executors.native.whole import lowered
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from tests.ops.cases import FUNCTIONS, quiet
from tests.runtime.executors.native.random_loops import programs
from tests.runtime.executors.native.test_every_op import FAMILIES, agree, less_known

SEVERAL = settings(
    max_examples=10, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


def outcome(run, arrays):
    """What a run gives, or what it raises."""
    try:
        return [np.asarray(each) for each in run(arrays)]
    except ValueError as error:
        return type(error), str(error)


@SEVERAL
@given(programs())
def test_random_loops_are_compiled_as_they_read(case):
    module, program, arrays = case
    wanted = outcome(Interpreted(program, module.entry).run, arrays)
    with mock.patch.object(parts, "RANGE", 8):
        functions = [
            named_at_once(from_the_beginning(leaving_early(looking_seldom(each))))
            for function in program.functions
            for each in parts.in_parts(sure(in_rows(function, by_masks=True)))
        ]
    done_otherwise = replace(program, functions=functions)
    for run in (
        Interpreted(done_otherwise, module.entry).run,
        MachineCode(module, Source(module, lambda: done_otherwise)).run,
    ):
        np.testing.assert_equal(outcome(run, arrays), wanted, err_msg=str(done_otherwise))


def in_loops(case, specs):
    """An op as a program of loops that is interpreted."""
    builder = Builder("one")
    node = builder.add(case.op, [builder.input(spec) for spec in specs])
    module = Module(builder.finish(node.outputs), FUNCTIONS)
    return Interpreted(lowered(module), module.entry)


@pytest.mark.parametrize("name", FAMILIES)
def test_loops_of_an_op_give_what_the_reference_gives(name):
    for case in FAMILIES[name]:
        for level in ("known", "dims"):
            specs = less_known(case, level)
            if specs is None:
                continue
            wanted = case.by("reference", specs)
            if wanted.error is None:
                found = in_loops(case, specs).run(case.operands)
                for one, each in zip(found, wanted.results, strict=True):
                    agree(np.asarray(one), np.asarray(each), case.name)
            else:
                with pytest.raises(type(wanted.error)), quiet():
                    in_loops(case, specs).run(case.operands)


def smoothed(x, turns):
    kept = []
    for i in range(turns):
        x = (x + np.roll(x, i)) * 0.5
        if np.max(x) > 2.0:
            kept.append(np.sum(x))
    return x, len(kept)


def test_a_loop_over_arrays_reads_no_memory_that_it_has_given_back():
    x = np.arange(6.0)
    module = ag.function(smoothed).get_concrete_function(rt.asarray(x), rt.asarray(4)).optimised_module
    found, count = Interpreted(lowered(module), module.entry).run([x, np.int64(4)])
    np.testing.assert_array_equal(found, smoothed(x, 4)[0])
    assert count == 4


X, A, B = Array("x", float64), Array("a", float64), Array("b", float64)
T = Variable("t", float64)


def number(value):
    return Number(value, int64)


def memory(array, count=2):
    return [
        Allocate(array, number(count)),
        *[Store(array, number(k), Number(1.0, float64)) for k in range(count)],
    ]


DISORDER = {
    "x[2] has 2 elements, and is asked for that at 2": [Set(T, Load(X, number(2)))],
    "x[-1] has 2 elements, and is asked for that at -1": [Set(T, Load(X, number(-1)))],
    "a[0] is read, and was never written": [Allocate(A, number(2)), Set(T, Load(A, number(0)))],
    "x[0] is written, and belongs to somebody else": [Store(X, number(0), Number(1.0, float64))],
    "x[:] = x[:2] is written, and belongs to somebody else": [Copy(X, X, number(2))],
    "a[0] was given back": [Mark("m"), *memory(A), Release("m"), Set(T, Load(A, number(0)))],
    "b[0] was given back": [
        Mark("m"),
        *memory(A),
        *memory(B),
        Alias(B, A),
        Release("m"),
        Set(T, Load(B, number(0))),
    ],
    "1 is int64, and becomes float64": [Set(T, number(1))],
    "a is asked for, and stands for nothing yet": [Set(T, Load(A, number(0)))],
}


@pytest.mark.parametrize("finding", DISORDER)
def test_what_machine_code_must_not_do_is_found(finding):
    builder = Builder("disorder")
    x = builder.input(rt.ArraySpec((2,), float64))
    zero = Set(T, Number(0.0, float64))
    program = Program([Function("entry", [X], [zero, *DISORDER[finding]], [X])])
    with pytest.raises(OutOfOrder, match="^" + re.escape(finding) + "$"):
        Interpreted(program, builder.finish([x])).run([np.zeros(2)])


def test_memory_that_is_kept_is_held():
    builder = Builder("kept")
    x = builder.input(rt.ArraySpec((2,), float64))
    body = [Mark("m"), *memory(A), *memory(B), Release("m", (A,))]
    program = Program([Function("entry", [X], body, [A])])
    (found,) = Interpreted(program, builder.finish([x])).run([np.zeros(2)])
    np.testing.assert_array_equal(found, np.ones(2))
