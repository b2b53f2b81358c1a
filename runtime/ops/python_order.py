"""The order in which Python's `sorted`, `min` and `max` see items: a NaN makes it another than NumPy's."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.dtypes import int64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import NOTHING, Failures
from runtime.ops.facts import Sample
from runtime.ops.families import Opaque

__all__ = ["PythonBest", "PythonOrder", "python_best", "python_order"]

_WITH_NAN = np.array([3.0, np.nan, 1.0, 2.0])
_SECOND = np.array([1, 2, 2, 1])


class _Compared(Opaque, abstract=True):
    """What comes of comparing rows part by part; each input is one part of all of them."""

    why_no_graphdef = "TensorFlow compares no rows"

    def raises(self, *specs: ArraySpec) -> Failures:
        known = len(specs) == 1 and specs[0].shape is not None
        return NOTHING if known else frozenset([TypeError, ValueError])

    def infer(self, *columns: ArraySpec) -> ArraySpec:
        if any(column.rank not in {None, 1} for column in columns):
            raise ShapeError(
                f"rows of shape {shapes.text(columns[0].shape)} have no order",
                why="Python compares numbers, and tuples of them.",
                way_out="Give `key=` a function that makes one number of each.",
            )
        return self.places(columns[0])

    @abstractmethod
    def places(self, column: ArraySpec) -> ArraySpec:
        """What is known of the result, for columns of this spec."""


class PythonOrder(_Compared):
    """The places of rows in the order in which `sorted` brings them."""

    descending: bool

    samples = (
        Sample((_WITH_NAN,), {"descending": False}),
        Sample((_WITH_NAN,), {"descending": True}),
        Sample((_SECOND, _WITH_NAN), {"descending": True}),
        Sample((_SECOND, _SECOND[::-1].copy()), {"descending": False}),
    )

    def places(self, column: ArraySpec) -> ArraySpec:
        return column.with_dtype(int64)

    def kernel(self, *columns: Array) -> Any:
        return places_in_order(columns, self.descending)


class PythonBest(_Compared):
    """The place of the row that `max` gives, or else `min`."""

    greatest: bool

    samples = (
        Sample((_SECOND, _WITH_NAN), {"greatest": True}),
        Sample((_WITH_NAN, _SECOND), {"greatest": False}),
    )

    def places(self, column: ArraySpec) -> ArraySpec:
        return ArraySpec((), int64)

    def kernel(self, *columns: Array) -> Any:
        return place_of_best(columns, self.greatest)


def places_in_order(columns: Sequence[Array], descending: bool) -> Array:
    """The places of rows in Python's order, which is NumPy's where there is no NaN."""
    if any(column.dtype.kind == "f" and np.isnan(column).any() for column in columns):
        rows = _items_of(columns)
        return np.array(sorted(range(len(rows)), key=rows.__getitem__, reverse=descending), np.int64)
    if not descending:
        return np.lexsort(columns[::-1])
    return (len(columns[0]) - 1 - np.lexsort([column[::-1] for column in columns[::-1]]))[::-1]


def place_of_best(columns: Sequence[Array], greatest: bool) -> Array:
    """The place of the row that `max` or `min` gives."""
    rows = _items_of(columns)
    best = max if greatest else min
    return np.array(best(range(len(rows)), key=rows.__getitem__), np.int64)


def _items_of(columns: Sequence[Array]) -> list[Any]:
    lists = [column.tolist() for column in columns]
    return lists[0] if len(lists) == 1 else list(zip(*lists, strict=True))


def python_order(*columns: TensorLike, descending: bool) -> Tensor:
    """The places of items in the order in which Python's `sorted` brings them.

    Parameters
    ----------
    *columns : Tensor of a real dtype, shape (n,)
        The parts of the items: of numbers one, of tuples several.
    descending : bool

    Returns
    -------
    Tensor of int64, shape (n,)

    Notes
    -----
    Python compares two items at a time, and no number is smaller than a NaN or larger: it stays in the way of
    others, where NumPy would put it last. Semantics: Python's `sorted`.

    Examples
    --------
    >>> import runtime as rt
    >>> python_order(rt.asarray([3.0, float("nan"), 1.0]), descending=False)
    <Tensor: shape=(3,), dtype=int64, numpy=array([0, 1, 2])>
    """
    return bind(PythonOrder(descending), *map(as_tensor, columns))


def python_best(*columns: TensorLike, greatest: bool) -> Tensor:
    """The place of the item that Python's `max` gives, or `min`; of the first one, where several are equal.

    Parameters
    ----------
    *columns : Tensor of a real dtype, shape (n,)
        The parts of the items.
    greatest : bool

    Returns
    -------
    Tensor of int64, shape ()

    Notes
    -----
    Semantics: Python's `max` and `min`.

    Examples
    --------
    >>> import runtime as rt
    >>> python_best(rt.asarray([1, 1]), rt.asarray([float("nan"), 5.0]), greatest=True)
    <Tensor: shape=(), dtype=int64, numpy=0>
    """
    return bind(PythonBest(greatest), *map(as_tensor, columns))
