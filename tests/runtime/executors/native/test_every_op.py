"""Ops as machine code give what the reference gives, or are refused with the line."""

import numpy as np
import pytest

from runtime.errors import CompileError
from tests.ops.cases import CASES

DTYPES = {np.dtype(name) for name in ("bool", "int32", "int64", "float32", "float64")}
FIRST = list(
    {
        (case.kind, case.operands[0].dtype): case
        for case in CASES
        if case.is_of_arrays and case.operands and case.operands[0].dtype in DTYPES
    }.values()
)
"""One sample for each op and each dtype of the first operand."""


@pytest.mark.parametrize("case", FIRST, ids=lambda case: case.name)
def test_machine_code_gives_what_the_reference_gives(case):
    try:
        found = case.by("native", case.specs)
    except CompileError as refused:
        assert "has no machine code: " in str(refused)
        return
    wanted = case.by("reference", case.specs)
    assert type(found.error) is type(wanted.error)
    for one, other in zip(found.results, wanted.results, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if one.dtype.kind != "f":
            np.testing.assert_array_equal(one, other)
        else:
            np.testing.assert_allclose(one, other, rtol=8 * np.finfo(one.dtype).eps, atol=0)
