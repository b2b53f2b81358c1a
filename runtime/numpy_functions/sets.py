"""Arrays as sets: distinct elements, unions, differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.tensor import Tensor
from runtime.graph.build import bind, bind_all
from runtime.numpy_functions.joining import concatenate
from runtime.numpy_functions.operands import strong
from runtime.numpy_functions.table import implements
from runtime.ops.sets import IsIn, Unique, UniqueAllResult, UniqueCountsResult, UniqueInverseResult

__all__: list[str] = []


@implements(np.unique)
def _unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    wanted = {"index": return_index, "inverse": return_inverse, "counts": return_counts}
    gives = tuple([name for name, is_wanted in wanted.items() if is_wanted])
    results = tuple(bind_all(Unique(axis, equal_nan, gives, bool(sorted)), strong(ar)))
    return results if gives else results[0]


@implements(np.unique_all)
def _unique_all(x: Any) -> UniqueAllResult:
    return ops.unique_all(strong(x))


@implements(np.unique_counts)
def _unique_counts(x: Any) -> UniqueCountsResult:
    return ops.unique_counts(strong(x))


@implements(np.unique_inverse)
def _unique_inverse(x: Any) -> UniqueInverseResult:
    return ops.unique_inverse(strong(x))


@implements(np.unique_values)
def _unique_values(x: Any) -> Tensor:
    return bind_all(Unique(None, False, (), is_sorted=False), strong(x))[0]


def _elements(x: Any, assume_unique: bool) -> Tensor:
    """The distinct elements of `x`, in order unless they are known to be distinct."""
    return ops.flatten(strong(x)) if assume_unique else bind_all(Unique(None, True, ()), strong(x))[0]


@implements(np.isin)
def _isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None
) -> Tensor:
    return ops.isin(strong(element), strong(test_elements), invert=invert)


@implements(np.union1d)
def _union1d(ar1: Any, ar2: Any) -> Tensor:
    both = concatenate((ar1, ar2), axis=None)  # numbers of Python's own give way, as there
    return bind_all(Unique(None, True, ()), both)[0]


@implements(np.intersect1d)
def _intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    both = ops.sort(ops.concat([_elements(ar1, assume_unique), _elements(ar2, assume_unique)]))
    return both[:-1][ops.equal(both[1:], both[:-1])]


@implements(np.setdiff1d)
def _setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    x = _elements(ar1, assume_unique)
    return x[ops.logical_not(bind(IsIn(), x, strong(ar2)))]


@implements(np.setxor1d)
def _setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    both = ops.sort(ops.concat([_elements(ar1, assume_unique), _elements(ar2, assume_unique)]))
    border = ops.ones((1,), dtype=bool)
    differs = ops.concat([border, ops.not_equal(both[1:], both[:-1]), border])
    alone = ops.logical_and(differs[1:], differs[:-1])
    return both[alone[: ops.shape(both)[0]]]  # of no elements there is one border too many
