"""Distinct elements, and whether an element is among others."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import bool_, int64
from runtime.core.shapes import normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import as_tensor, bind, bind_all
from runtime.graph.op import Failures
from runtime.ops.facts import Sample, misranked, raising
from runtime.ops.families import Opaque
from runtime.ops.promotion import promoted

__all__ = [
    "IsIn",
    "Unique",
    "UniqueAllResult",
    "UniqueCountsResult",
    "UniqueInverseResult",
    "isin",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]

_REPEATED = np.array([[3, 1, 3], [1, 1, 7]])
_NAN = np.array([2.0, np.nan, np.nan, 1.0])


MAY_BE_UNSORTED = "sorted" in inspect.signature(np.unique).parameters
"""Whether NumPy leaves out to sort what it is asked to, from 2.3 on."""


class Unique(Opaque):
    """The distinct elements in order; where each is first, which each element is, how often each occurs.

    Which of these it gives tells in the result: of zeros of both signs, NumPy takes another one.
    """

    axis: int | None
    equal_nan: bool
    gives: tuple[str, ...]
    """Of "index", "inverse" and "counts", in this order, what it gives beside the elements."""
    is_sorted: bool = True
    """Whether the elements are in order; else in that of NumPy's, which may come from a table of hashes."""

    why_no_graphdef = "TensorFlow's UniqueV2 keeps the order in which they occur"
    samples = (
        Sample(
            (_REPEATED,),
            {"axis": None, "equal_nan": True, "gives": ("index", "inverse", "counts"), "is_sorted": True},
        ),
        Sample((_REPEATED,), {"axis": 1, "equal_nan": True, "gives": ("inverse",), "is_sorted": True}),
        Sample((_NAN,), {"axis": None, "equal_nan": False, "gives": (), "is_sorted": True}),
        Sample((_REPEATED,), {"axis": None, "equal_nan": True, "gives": (), "is_sorted": False}),
    )

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ...]:
        counted = ArraySpec((UNKNOWN,), int64)
        if self.axis is None:
            values, inverse = x.with_shape((UNKNOWN,)), ArraySpec(x.shape, int64)
        elif x.shape is None:
            values, inverse = x, counted
        else:
            axis = normalise_axis(self.axis, len(x.shape))
            values = x.with_shape((*x.shape[:axis], UNKNOWN, *x.shape[axis + 1 :]))
            inverse = ArraySpec((x.shape[axis],), int64)
        return values, *[inverse if each == "inverse" else counted for each in self.gives]

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        asked: dict[str, Any] = {f"return_{each}": True for each in self.gives}
        if not self.is_sorted and MAY_BE_UNSORTED:
            asked["sorted"] = False
        found: Any = np.unique(x, axis=self.axis, equal_nan=self.equal_nan, **asked)
        parts = found if self.gives else (found,)
        if "inverse" not in self.gives:
            return parts
        place = 1 + self.gives.index("inverse")
        inverse = parts[place].reshape(np.shape(x) if self.axis is None else -1)
        return (*parts[:place], inverse, *parts[place + 1 :])


class IsIn(Opaque):
    """Whether each element of the first input is among those of the second."""

    why_no_graphdef = "TensorFlow composes it of a comparison and a reduction"
    samples = (
        Sample((_REPEATED, np.array([1, 7]))),
        Sample((np.array(2.0), _NAN)),
        Sample((_REPEATED, np.zeros((0, 2), np.int64))),
    )
    raises = raising()

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: ArraySpec, of: ArraySpec) -> ArraySpec:  # any elements can be compared
        return ArraySpec(x.shape, bool_)

    def kernel(self, x: Array, of: Array) -> Any:
        return np.isin(x, of)


def isin(x1: TensorLike, x2: TensorLike, /, *, invert: bool = False) -> Tensor:
    """Whether each element of `x1` is among those of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any dtype
        Compared in the dtype that holds both; NaN equals nothing.
    invert : bool, optional
        Whether to ask the opposite: which elements are not among those of `x2`.

    Returns
    -------
    Tensor of bool, shape of `x1`

    Notes
    -----
    Semantics: Array API 2025.12, `isin`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.isin(rt.asarray([1, 2, 3]), rt.asarray([3, 1]))
    <Tensor: shape=(3,), dtype=bool, numpy=array([ True, False,  True])>
    """
    found = bind(IsIn(), x1, x2)
    return ops.logical_not(found) if invert else found


class UniqueAllResult(NamedTuple):
    """What `unique_all` gives."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` gives."""

    values: Tensor
    counts: Tensor


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` gives."""

    values: Tensor
    inverse_indices: Tensor


def unique_all(x: TensorLike, /) -> UniqueAllResult:
    """Distinct elements of `x`, in order, with where each is first, which each element is, and how often.

    Parameters
    ----------
    x : Tensor of any dtype

    Returns
    -------
    values : Tensor of the same dtype, shape (n,)
        In a graph, n is not known before the run. Every NaN is distinct; zeros of both signs are one.
    indices : Tensor of int64, shape (n,)
        Where each value is first in the flattened `x`.
    inverse_indices : Tensor of int64, shape of `x`
        Which of the values each element is.
    counts : Tensor of int64, shape (n,)

    Notes
    -----
    Semantics: Array API 2025.12, `unique_all`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.unique_all(rt.asarray([3, 1, 3])).inverse_indices
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 0, 1])>
    """
    return UniqueAllResult(*_distinct(x, "index", "inverse", "counts"))


def unique_counts(x: TensorLike, /) -> UniqueCountsResult:
    """Distinct elements of `x`, in order, and how often each occurs.

    Parameters
    ----------
    x : Tensor of any dtype

    Returns
    -------
    values : Tensor of the same dtype, shape (n,)
        In a graph, n is not known before the run. Every NaN is distinct; zeros of both signs are one.
    counts : Tensor of int64, shape (n,)

    Notes
    -----
    Semantics: Array API 2025.12, `unique_counts`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.unique_counts(rt.asarray([3, 1, 3])).counts
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>
    """
    return UniqueCountsResult(*_distinct(x, "counts"))


def unique_inverse(x: TensorLike, /) -> UniqueInverseResult:
    """Distinct elements of `x`, in order, and which of them each element is.

    Parameters
    ----------
    x : Tensor of any dtype

    Returns
    -------
    values : Tensor of the same dtype, shape (n,)
        In a graph, n is not known before the run. Every NaN is distinct; zeros of both signs are one.
    inverse_indices : Tensor of int64, shape of `x`

    Notes
    -----
    Semantics: Array API 2025.12, `unique_inverse`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.unique_inverse(rt.asarray([3, 1, 3])).inverse_indices
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 0, 1])>
    """
    return UniqueInverseResult(*_distinct(x, "inverse"))


def unique_values(x: TensorLike, /) -> Tensor:
    """Distinct elements of `x`, in order.

    Parameters
    ----------
    x : Tensor of any dtype

    Returns
    -------
    Tensor of the same dtype, shape (n,)
        In a graph, n is not known before the run. Every NaN is distinct; zeros of both signs are one.

    Notes
    -----
    Semantics: Array API 2025.12, `unique_values`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.unique_values(rt.asarray([3, 1, 3]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 3])>
    """
    return _distinct(x)[0]


def _distinct(x: TensorLike, *gives: str) -> tuple[Tensor, ...]:
    return bind_all(Unique(None, False, gives), as_tensor(x))
