"""Ops as machine code give what the reference gives, or are refused with the line."""

from itertools import groupby

import numpy as np
import pytest

from runtime.errors import CompileError
from runtime.executors.native.run import Native, lowered
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from tests.ops.cases import CASES, FUNCTIONS

DTYPES = {np.dtype(name) for name in ("bool", "int32", "int64", "float32", "float64")}
FIRST = {
    (case.kind, case.operands[0].dtype): case
    for case in CASES
    if case.is_of_arrays and case.operands and case.operands[0].dtype in DTYPES
}
"""One sample for each op and each dtype of the first operand."""


def family(case):
    return case.kind.__module__.removeprefix("runtime.ops.")


FAMILIES = {name: list(cases) for name, cases in groupby(sorted(FIRST.values(), key=family), key=family)}
"""Ops that become one piece of machine code."""


def is_refused(case):
    """Whether a case has no machine code."""
    builder = Builder("program")
    node = builder.add(case.op, [builder.input(spec) for spec in case.specs])
    try:
        lowered(Module(builder.finish(node.outputs), FUNCTIONS))
    except CompileError as refused:
        assert "has no machine code: " in str(refused)
        return True
    return False


@pytest.mark.parametrize("name", FAMILIES)
def test_machine_code_gives_what_the_reference_gives(name):
    builder = Builder("family")
    outputs, arrays, wanted = [], [], []
    for case in FAMILIES[name]:
        if is_refused(case):
            continue
        by_reference = case.by("reference", case.specs)
        if by_reference.error is not None:
            assert type(case.by("native", case.specs).error) is type(by_reference.error)
            continue
        outputs += builder.add(case.op, [builder.input(spec) for spec in case.specs]).outputs
        arrays += case.operands
        wanted += [(case, each) for each in by_reference.results]
    if not outputs:
        return
    found = Native().compile(Module(builder.finish(outputs), FUNCTIONS)).run(arrays)
    for one, (case, each) in zip(found, wanted, strict=True):
        agree(np.asarray(one), np.asarray(each), case.name)


def agree(found, wanted, name):
    """Requires the same bits, and of floats a few units in the last place."""
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), name
    if found.dtype.kind != "f":
        np.testing.assert_array_equal(found, wanted, err_msg=name)
    else:
        np.testing.assert_allclose(found, wanted, rtol=8 * np.finfo(found.dtype).eps, atol=0, err_msg=name)
