"""Ops in machine code, and those that it calls Python for, give what the reference gives."""

from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

import runtime as rt
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec
from runtime.errors import Error
from runtime.executors.native.run import Native
from runtime.executors.native.whole import lowered
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from tests.ops.cases import CASES, FUNCTIONS, assert_same, hidden

DTYPES = {
    np.dtype(name) for name in ("bool", "int32", "int64", "float16", "float32", "float64", "complex128")
}


def first_of(case):
    """What stands for a case: its op, and what its first operand is."""
    first = case.specs[0] if case.specs else None
    return case.kind, first.dtype if isinstance(first, ArraySpec) else first


def is_plain(case):
    """Whether others may run beside it: it takes and gives arrays, and does nothing else."""
    outputs = case.op.infer(*case.specs) if case.has_kernel else ()
    given = outputs if isinstance(outputs, tuple) else (outputs,)
    return not case.op.effects and all(isinstance(spec, ArraySpec) for spec in (*case.specs, *given))


ALL = {
    first_of(case): case
    for case in CASES
    if not case.specs or not isinstance(case.specs[0], ArraySpec) or case.operands[0].dtype in DTYPES
}
"""One sample for each op and each kind of the first operand."""
PLAIN = [case for case in ALL.values() if is_plain(case)]
OTHERS = [case for case in ALL.values() if not is_plain(case)]


def family(case):
    return case.kind.__module__.removeprefix("runtime.ops.")


FAMILIES = {name: list(cases) for name, cases in groupby(sorted(PLAIN, key=family), key=family)}
"""Ops that become one program."""


def less_known(case, level):
    """The specs of a case in which something is hidden; None where the op wants to know it.

    Of an op that takes floats, those alone are looked at: how it is compiled depends on what is known.
    """
    if (
        level != "known"
        and case.operands
        and case.operands[0].dtype != np.float64
        and (case.kind, rt.float64) in ALL
    ):
        return None
    try:
        specs = hidden(case.specs, level)
        case.op.infer(*specs)
    except Error:
        return None
    return specs


@pytest.mark.parametrize("level", ["known", "dims", "rank"])
@pytest.mark.parametrize("name", FAMILIES)
def test_an_op_gives_what_the_reference_gives(name, level):
    builder = Builder("family")
    outputs, arrays, wanted = [], [], []
    for case in FAMILIES[name]:
        specs = less_known(case, level)
        if specs is None:
            continue
        by_reference = case.by("reference", specs)
        if by_reference.error is not None:
            assert type(case.by("native", specs).error) is type(by_reference.error)
            continue
        outputs += builder.add(case.op, [builder.input(spec) for spec in specs]).outputs
        arrays += case.operands
        wanted += [(case, each) for each in by_reference.results]
    if not outputs:
        return
    found = Native().compile(Module(builder.finish(outputs), FUNCTIONS)).run(arrays)
    for one, (case, each) in zip(found, wanted, strict=True):
        agree(np.asarray(one), np.asarray(each), case.name)


def agree(found, wanted, name):
    """Requires the same bits, and of floats a few units in the last place, or of the magnitude."""
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), name
    if found.dtype.kind == "c":
        bound = 8 * np.finfo(found.dtype).eps * np.abs(wanted)
        near = (np.abs(found - wanted) <= bound) | (found == wanted) | (np.isnan(found) & np.isnan(wanted))
        assert np.all(near), name
    elif found.dtype.kind != "f":
        np.testing.assert_array_equal(found, wanted, err_msg=name)
    else:
        np.testing.assert_allclose(found, wanted, rtol=8 * np.finfo(found.dtype).eps, atol=0, err_msg=name)


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_what_an_op_does_beside_computing_is_what_it_does_on_the_reference(case):
    found, wanted = case.by("native", case.specs), case.by("reference", case.specs)
    assert_same(replace(found, results=read(found.results)), replace(wanted, results=read(wanted.results)))


def read(results):
    """What is read of results: an element of a list that was never written is 0."""
    return tuple([filled(each) if isinstance(each, ListValue) else each for each in results])


def filled(items):
    element = items.element
    if not isinstance(element, ArraySpec) or element.shape != ():
        return items
    zero = np.zeros((), element.dtype.numpy)
    return ListValue([zero if item is None else item for item in items.items], element)


def test_arithmetic_of_numbers_calls_no_python():
    for case in PLAIN:
        if family(case) in {"arithmetic", "comparison", "logic"} and is_of_numbers(case):
            builder = Builder("one")
            node = builder.add(case.op, [builder.input(spec) for spec in case.specs])
            sites = lowered(Module(builder.finish(node.outputs), FUNCTIONS)).hosts
            assert not sites or case.kind.__name__ in CALLED, (case.name, sites[0].why)


CALLED = {"Pow", "NextAfter"}
"""A negative power of an integer is an error, and the next number of floats is no arithmetic."""


def is_of_numbers(case):
    return all(operand.dtype.kind in "biuf" and operand.dtype != np.float16 for operand in case.operands)
