"""The order of elements: sorted, ranked, the place of the greatest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import Dim
from runtime.core.dtypes import int32, int64
from runtime.core.shapes import normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import NOTHING, Failures
from runtime.ops.arguments import checked_axis
from runtime.ops.core import (
    computed,
    indices,
    iota,
    length,
    move,
    number_of,
    part,
    reduce,
    scalar_map,
)
from runtime.ops.facts import GraphDefBuilder, Sample, misranked, shaped, sharing
from runtime.ops.families import ALL, Family, Opaque, Reduction
from runtime.ops.promotion import cast_operand, require_dtype

__all__ = [
    "ArgMax",
    "ArgMin",
    "ArgPartition",
    "ArgSort",
    "Partition",
    "Sort",
    "argmax",
    "argmin",
    "argsort",
    "kind_of_order",
    "sort",
]


Order: TypeAlias = Literal["stable", "quicksort", "heapsort"]
"""The ways in which NumPy orders elements, of which one keeps equal ones in their order."""

_BLOCK = 1024
"""Elements of a block of a long row, at the least."""
_BLOCKS = 64
"""Blocks of a long row, at the most: one of them is gone through twice."""


class _Winner(Family, abstract=True):
    """Where along one axis the winning element is."""

    axis: int
    keepdims: bool

    accepts = ALL
    samples = (
        shaped((2, 3), axis=0, keepdims=False),
        shaped((2, 3), axis=1, keepdims=False, elements=np.int8),
        shaped((3,), axis=-1, keepdims=False),
        shaped((2, 0), axis=0, keepdims=False),
        shaped((2, 3), axis=1, keepdims=True),
    )
    aliases = sharing()

    def raises(self, *specs: ArraySpec) -> Failures:
        if shapes.size(specs[0].shape):
            return NOTHING
        return misranked(*specs) | {ShapeError, ValueError}

    def infer(self, x: ArraySpec) -> ArraySpec:
        require_dtype(self.name.lower(), x.dtype, self.accepts)
        fold = _Fold((self.axis,), self.keepdims)
        if x.shape is not None and x.shape[normalise_axis(self.axis, len(x.shape))] == 0:
            name = self.name.lower()
            raise ShapeError(
                f"`{name}` of shape {shapes.text(x.shape)} along axis {self.axis}, one of length 0",
                why="There is no least or greatest of nothing.",
                way_out="Test `rt.size(x) > 0` first.",
            )
        return ArraySpec(fold.reduced_shape(x.shape), int64)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        axis = builder.constant(self.axis, int32)
        types: dict[str, Any] = {"T": specs[0].dtype, "Tidx": int32, "output_type": int64}
        place = builder.node(self.name, [inputs[0], axis], **types)
        if self.keepdims:
            place = builder.node("ExpandDims", [place, axis], T=int64, Tdim=int32)
        return [place]


class _Fold(Reduction, abstract=True):
    """The shape rule of `Reduction`, for ops that fold one axis."""


class ArgMax(_Winner):
    """Where along one axis the greatest element is; the first of several."""

    def kernel(self, x: Array) -> Any:
        return x.argmax(axis=self.axis, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor | None:
        return _first_of(x, "maximum", self.axis, self.keepdims)


class ArgMin(_Winner):
    """Where along one axis the least element is; the first of several."""

    def kernel(self, x: Array) -> Any:
        return x.argmin(axis=self.axis, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor | None:
        return _first_of(x, "minimum", self.axis, self.keepdims)


def _first_of(x: Tensor, combine: str, axis: int, keepdims: bool) -> Tensor | None:
    """The first place along an axis of what its elements combine to; of NaNs, that of the first."""
    if x.static_shape is None:
        return None
    axis = normalise_axis(axis, x.ndim)
    own = length(x, axis)
    if x.ndim > 1 or x.dtype.kind == "b" or (isinstance(own, int) and own < 2 * _BLOCK):
        best = reduce(combine, x, (axis,), keepdims=True, shows=False)  # of two zeros, any: they are equal
        return _first_place(x, best, axis, keepdims=keepdims)
    place = _first_by_blocks(x, combine, own)
    return ops.reshape(place, (1,)) if keepdims else place


def _first_place(x: Tensor, best: Tensor, axis: int, *, keepdims: bool = False) -> Tensor:
    """The first place along an axis where the best element is: all are compared with it."""
    own = length(x, axis)
    is_best = "select(isnan(x1), isnan(x0), x0 == x1)" if x.dtype.kind in "fc" else "x0 == x1"
    places = move(iota(own), [own if each == axis else 1 for each in range(x.ndim)], [indices(x.ndim)[axis]])
    narrow = isinstance(own, int) and own <= np.iinfo(np.int32).max  # twice as many of these are in a vector
    place, none = ("i32(x2)", "i32(x3)") if narrow else ("x2", "x3")
    found = scalar_map(f"select({is_best}, {place}, {none})", x, best, places, number_of(own))
    first = reduce("minimum", found, (axis,), keepdims)
    return ops.cast(first, int64) if narrow else first


def _first_by_blocks(x: Tensor, combine: str, own: Dim) -> Tensor:
    """The first place in a long row: elements are compared in the first block alone that has the best one.

    All blocks are as long as the last, which has what is left over: they overlap. Of two that have the
    element, the first one has its first place.
    """
    count = computed("maximum(minimum(x0 // x1, x2), i64(1))", own, _BLOCK, _BLOCKS)
    step = computed("x0 // x1", own, count)
    size = own - (count - 1) * step
    block, within = indices(2)
    bests = reduce(combine, move(x, (count, size), (block * step + within,)), (1,), shows=False)
    best = reduce(combine, bests, (0,), shows=False)
    start = computed("x0 * x1", _first_place(bests, best, 0), step)
    place = _first_place(part(x, 0, start, size), best, 0)
    return scalar_map("x0 + x1", place, number_of(start))


def _winner(op: type[_Winner], x: TensorLike, axis: int | None, keepdims: bool) -> Tensor:
    tensor = as_tensor(x)
    if axis is not None:
        return bind(op(checked_axis(axis, tensor), keepdims), tensor)
    place = bind(op(0, False), ops.flatten(tensor))
    return ops.reshape(place, (1,) * tensor.ndim) if keepdims else place


def argmax(x: TensorLike, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Index of the greatest element of `x` along an axis; of the first, where several are equal.

    Parameters
    ----------
    x : Tensor of a real dtype, shape (..., d, ...)
    axis : int, optional
        Without it, the index is that in the flattened tensor.
    keepdims : bool, optional
        Whether the folded axis stays, with length 1.

    Returns
    -------
    Tensor of int64, shape (..., ...)

    Raises
    ------
    ShapeError
        When the axis is out of range, or of length 0.

    Notes
    -----
    GraphDef "ArgMax". Semantics: Array API 2025.12, `argmax`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.argmax(rt.asarray([[1, 5], [4, 2]]), axis=1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 0])>
    """
    return _winner(ArgMax, x, axis, keepdims)


def argmin(x: TensorLike, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Index of the least element of `x` along an axis; of the first, where several are equal.

    Parameters
    ----------
    x : Tensor of a real dtype, shape (..., d, ...)
    axis : int, optional
        Without it, the index is that in the flattened tensor.
    keepdims : bool, optional
        Whether the folded axis stays, with length 1.

    Returns
    -------
    Tensor of int64, shape (..., ...)

    Raises
    ------
    ShapeError
        When the axis is out of range, or of length 0.

    Notes
    -----
    GraphDef "ArgMin". Semantics: Array API 2025.12, `argmin`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.argmin(rt.asarray([[1, 5], [4, 2]]), axis=1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([0, 1])>
    """
    return _winner(ArgMin, x, axis, keepdims)


_ORDERS = (
    {"axis": 1, "descending": False, "kind": "stable"},
    {"axis": 0, "descending": True, "kind": "stable"},
    {"axis": -1, "descending": False, "kind": "quicksort"},
    {"axis": -1, "descending": False, "kind": "heapsort"},
)


def _with_axis(x: ArraySpec, axis: int) -> ArraySpec:
    """`x`, which has that axis, as far as its rank is known."""
    if x.shape is not None:
        normalise_axis(axis, len(x.shape))
    return x


class _Ordered(Opaque, abstract=True):
    """Elements, or their places, in order along one axis."""

    axis: int
    descending: bool
    kind: Order = "stable"
    """How NumPy orders them: so that equal elements keep their order, or as comes."""

    why_no_graphdef = "TensorFlow composes sorting of TopKV2 along the last axis"
    samples = (
        shaped((2, 3), **_ORDERS[0]),
        shaped((2, 3), **_ORDERS[1], elements=np.int16),
        shaped((0, 2), **_ORDERS[2]),
        Sample((np.arange(40.0) * 7 % 5,), _ORDERS[2]),
        Sample((np.arange(40) * 7 % 5,), _ORDERS[3]),
    )

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)


class Sort(_Ordered):
    """Elements in order along one axis."""

    def infer(self, x: ArraySpec) -> ArraySpec:
        return _with_axis(x, self.axis)

    def kernel(self, x: Array) -> Any:
        ordered = np.sort(x, axis=self.axis, kind=self.kind)
        return np.flip(ordered, self.axis) if self.descending else ordered


class ArgSort(_Ordered):
    """The places of elements in order along one axis."""

    def infer(self, x: ArraySpec) -> ArraySpec:
        return _with_axis(x, self.axis).with_dtype(int64)

    def kernel(self, x: Array) -> Any:
        if not self.descending:
            return np.argsort(x, axis=self.axis, kind=self.kind)
        backwards = np.argsort(np.flip(x, self.axis), axis=self.axis, kind=self.kind)
        return np.flip(np.shape(x)[self.axis] - 1 - backwards, self.axis)


class _Parted(Opaque, abstract=True):
    """Elements, or their places, in parts along one axis, in the order in which NumPy leaves them."""

    axis: int

    why_no_graphdef = "TensorFlow parts nothing"
    samples = (
        Sample((np.arange(40.0) * 7 % 5, np.array(3)), {"axis": -1}),
        Sample((np.arange(40).reshape(5, 8) * 7 % 11, np.array([1, 3])), {"axis": 0}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, places = operands
        return [x, cast_operand(places, int64)]

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs[:1]) | {ValueError, TypeError}


class Partition(_Parted):
    """Elements, partitioned: those at some places are as in sorted order, with no greater one before them."""

    def infer(self, x: ArraySpec, places: ArraySpec) -> ArraySpec:
        return _with_axis(x, self.axis)

    def kernel(self, x: Array, places: Array) -> Any:
        return np.partition(x, places, axis=self.axis)


class ArgPartition(_Parted):
    """The places of elements as `Partition` has them."""

    def infer(self, x: ArraySpec, places: ArraySpec) -> ArraySpec:
        return _with_axis(x, self.axis).with_dtype(int64)

    def kernel(self, x: Array, places: Array) -> Any:
        return np.argpartition(x, places, axis=self.axis)


_KINDS: Mapping[str, Order] = {"q": "quicksort", "h": "heapsort", "m": "stable", "s": "stable"}


def kind_of_order(kind: Any, stable: bool | None) -> Order:
    """How NumPy orders elements that is given this, the fastest way by default.

    Raises
    ------
    InvalidValue
        Where it knows no such way, or is given two.
    """
    if kind is not None and stable is not None:
        raise InvalidValue("`kind` and `stable` are both given", way_out="Give one of them.")
    if kind is None:
        return "stable" if stable else "quicksort"
    if not isinstance(kind, str) or kind[:1].lower() not in _KINDS:
        raise InvalidValue(
            f"`kind` is {kind!r}", why="NumPy orders by 'quicksort', 'heapsort' and 'stable', or 'mergesort'."
        )
    return _KINDS[kind[:1].lower()]


def sort(x: TensorLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Elements of `x` in order along an axis.

    Parameters
    ----------
    x : Tensor of a real dtype, shape (..., d, ...)
    axis : int, optional
    descending : bool, optional
        The greatest first.
    stable : bool, optional
        Accepted for the Array API; equal elements always keep their order.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    AxisError
        When the axis is out of range.

    Notes
    -----
    Semantics: Array API 2025.12, `sort`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sort(rt.asarray([3, 1, 2]), descending=True)
    <Tensor: shape=(3,), dtype=int64, numpy=array([3, 2, 1])>
    """
    del stable
    tensor = as_tensor(x)
    return bind(Sort(checked_axis(axis, tensor), descending), tensor)


def argsort(x: TensorLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Places of the elements of `x` in order along an axis.

    Parameters
    ----------
    x : Tensor of a real dtype, shape (..., d, ...)
    axis : int, optional
    descending : bool, optional
        The greatest first.
    stable : bool, optional
        Accepted for the Array API; equal elements always keep their order.

    Returns
    -------
    Tensor of int64 and the same shape

    Raises
    ------
    AxisError
        When the axis is out of range.

    Notes
    -----
    Semantics: Array API 2025.12, `argsort`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.argsort(rt.asarray([3, 1, 2]))
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 2, 0])>
    """
    del stable
    tensor = as_tensor(x)
    return bind(ArgSort(checked_axis(axis, tensor), descending), tensor)
