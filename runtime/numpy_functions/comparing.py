"""Whether arrays are equal, or nearly: of whole arrays, that is a bool of Python's, as in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core import float_errors
from runtime.core.tensor import Tensor
from runtime.graph.build import bind
from runtime.numpy_functions.operands import number, strong
from runtime.numpy_functions.table import implements
from runtime.ops.sameness import ArrayEqual, ArrayEquiv

__all__ = ["isclose"]


@implements(np.isclose)
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Tensor:
    """`np.isclose`."""
    x, y = number(a), strong(b)
    y = ops.cast(y, ops.result_type(y.dtype, 1.0))  # the least of integers has no absolute value
    with float_errors.Telling(invalid="ignore"):
        distance = ops.abs(x - y)
        limit = number(atol) + number(rtol) * ops.abs(y)
        near = ops.logical_and(ops.less_equal(distance, limit), ops.isfinite(y))
    near = ops.logical_or(near, ops.equal(x, y))
    if equal_nan:
        near = ops.logical_or(near, ops.logical_and(ops.isnan(x), ops.isnan(y)))
    return near


@implements(np.allclose)
def _allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Tensor:
    return ops.stands_for_python(ops.all(isclose(a, b, rtol, atol, equal_nan)))


@implements(np.array_equal)
def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Tensor:
    return ops.stands_for_python(bind(ArrayEqual(equal_nan), strong(a1), strong(a2)))


@implements(np.array_equiv)
def _array_equiv(a1: Any, a2: Any) -> Tensor:
    return ops.stands_for_python(bind(ArrayEquiv(), strong(a1), strong(a2)))
