"""Ufuncs of other libraries are ops, found by their names."""

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError
from runtime.graph.build import bind
from runtime.ops import ForeignUfunc, foreign_ufunc


def test_a_ufunc_is_found_in_its_public_module():
    assert foreign_ufunc(np.cbrt) == ForeignUfunc("numpy", "cbrt")


def test_what_no_module_has_is_not_found():
    assert foreign_ufunc(np.frompyfunc(abs, 1, 1)) is None
    assert foreign_ufunc(np.vecdot) is None  # it is none of elements


def test_numbers_give_way_to_tensors_as_with_any_ufunc():
    found = bind(ForeignUfunc("numpy", "hypot"), rt.asarray([3.0], dtype=rt.float32), 4)
    assert found.dtype is rt.float32
    assert found.tolist() == [5.0]


def test_dtypes_without_a_loop_are_refused():
    with pytest.raises(DTypeError, match=r"`cbrt` is not defined for complex128"):
        bind(ForeignUfunc("numpy", "cbrt"), rt.asarray([1j]))
