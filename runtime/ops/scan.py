"""Running sums and products, those of parts, and the differences that undo them."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import as_dtype
from runtime.core.shapes import normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_tensor
from runtime.graph.op import Failures
from runtime.ops.arguments import checked_axis, whole_number
from runtime.ops.core.folding import scan
from runtime.ops.facts import INTEGER, NUMERIC, GraphDef, Sample, misranked, shaped
from runtime.ops.families import Opaque
from runtime.ops.promotion import accumulator, require_dtype, rounded_once

__all__ = [
    "Cumprod",
    "Cumsum",
    "CumulativeMax",
    "CumulativeMin",
    "ReduceAt",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
]


class _Running(Opaque, abstract=True):
    """A sum or product of each element and those before it along one axis."""

    axis: int

    accepts = NUMERIC
    samples = (
        shaped((2, 3), axis=0),
        shaped((2, 3), axis=-1, elements=np.int32),
        shaped((0, 2), axis=0),
        shaped((3,), axis=0, elements=np.complex64),
    )

    def infer(self, x: ArraySpec) -> ArraySpec:
        require_dtype(self.name, x.dtype, self.accepts)
        if x.shape is not None:
            normalise_axis(self.axis, len(x.shape))
        return x

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)


class Cumsum(_Running):
    """The sum of each element and those before it along one axis."""

    graphdef = GraphDef("Cumsum", "out", types={"T": "in0", "Tidx": "in1"}, inputs_then=("axis",))

    def kernel(self, x: Array) -> Any:
        return x.cumsum(axis=self.axis, dtype=x.dtype)

    def decompose(self, x: Tensor) -> Tensor:
        return scan("add", x, self.axis)


class Cumprod(_Running):
    """The product of each element and those before it along one axis."""

    graphdef = GraphDef("Cumprod", "out", types={"T": "in0", "Tidx": "in1"}, inputs_then=("axis",))

    def kernel(self, x: Array) -> Any:
        return x.cumprod(axis=self.axis, dtype=x.dtype)

    def decompose(self, x: Tensor) -> Tensor:
        return scan("multiply", x, self.axis)


class CumulativeMax(_Running):
    """The greatest of each element and those before it along one axis."""

    why_no_graphdef = "TensorFlow has no running maximum"

    def kernel(self, x: Array) -> Any:
        return np.maximum.accumulate(x, axis=self.axis)

    def decompose(self, x: Tensor) -> Tensor:
        return scan("maximum", x, self.axis)


class CumulativeMin(_Running):
    """The least of each element and those before it along one axis."""

    why_no_graphdef = "TensorFlow has no running minimum"

    def kernel(self, x: Array) -> Any:
        return np.minimum.accumulate(x, axis=self.axis)

    def decompose(self, x: Tensor) -> Tensor:
        return scan("minimum", x, self.axis)


class ReduceAt(Opaque):
    """What a function of two operands makes of the elements from each place to the next, along one axis."""

    function: str
    """The name of the ufunc."""
    axis: int

    accepts = NUMERIC
    why_no_graphdef = "TensorFlow has segments by the number of each element, and not by where they begin"
    samples = (
        Sample((np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 2, 1])), {"function": "add", "axis": 0}),
        Sample((np.array([[1, 5], [3, 2]], np.int8), np.array([1, 0])), {"function": "add", "axis": -1}),
        Sample((np.array([2.0, 1.0, 3.0]), np.array([0, 2])), {"function": "maximum", "axis": 0}),
    )

    def infer(self, x: ArraySpec, indices: ArraySpec) -> ArraySpec:
        require_dtype(f"{self.function}.reduceat", x.dtype, self.accepts)
        require_dtype(f"{self.function}.reduceat at these places", indices.dtype, INTEGER)
        if indices.rank not in {1, None}:
            raise ShapeError(
                f"`{self.function}.reduceat` was given places of shape {shapes.text(indices.shape)}",
                why="Each of them is where a part begins, and the parts lie along one axis.",
                way_out="Give a vector of places.",
            )
        dtype = as_dtype(self._ufunc.reduceat(np.ones(1, x.dtype.numpy), [0]).dtype)
        if x.shape is None:
            return ArraySpec(None, dtype)
        place = normalise_axis(self.axis, len(x.shape))
        length = UNKNOWN if indices.shape is None else indices.shape[0]
        return ArraySpec((*x.shape[:place], length, *x.shape[place + 1 :]), dtype)

    @property
    def _ufunc(self) -> np.ufunc:
        found: np.ufunc = getattr(np, self.function)
        return found

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs) | {IndexError}

    def kernel(self, x: Array, indices: Array) -> Any:
        return self._ufunc.reduceat(x, indices, axis=self.axis)


def cumulative_sum(
    x: TensorLike, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """Sum of each element of `x` and those before it along an axis.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
        One number counts as a vector of it.
    axis : int, optional
        Needed where there is more than one.
    dtype : DType, optional
        In which to compute, and of the result.
    include_initial : bool, optional
        Whether a 0 comes first, so that the axis grows by one.

    Returns
    -------
    Tensor, shape (..., d, ...)
        Bools and small integers widen to 64 bits, as in NumPy, unless `dtype` says otherwise.

    Raises
    ------
    ShapeError
        When the axis is out of range, or not given and needed.

    Notes
    -----
    GraphDef "Cumsum". Semantics: Array API 2025.12, `cumulative_sum`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.cumulative_sum(rt.asarray([1, 2, 3]))
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 3, 6])>
    """
    tensor, place = _prepared(x, axis, dtype, "cumulative_sum")
    total = rounded_once(Cumsum(place), tensor)
    return _with_initial(total, place, 0) if include_initial else total


def cumulative_prod(
    x: TensorLike, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """Product of each element of `x` and those before it along an axis.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
        One number counts as a vector of it.
    axis : int, optional
        Needed where there is more than one.
    dtype : DType, optional
        In which to compute, and of the result.
    include_initial : bool, optional
        Whether a 1 comes first, so that the axis grows by one.

    Returns
    -------
    Tensor, shape (..., d, ...)
        Bools and small integers widen to 64 bits, as in NumPy, unless `dtype` says otherwise.

    Raises
    ------
    ShapeError
        When the axis is out of range, or not given and needed.

    Notes
    -----
    GraphDef "Cumprod". Semantics: Array API 2025.12, `cumulative_prod`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.cumulative_prod(rt.asarray([1, 2, 3]), include_initial=True)
    <Tensor: shape=(4,), dtype=int64, numpy=array([1, 1, 2, 6])>
    """
    tensor, place = _prepared(x, axis, dtype, "cumulative_prod")
    total = rounded_once(Cumprod(place), tensor)
    return _with_initial(total, place, 1) if include_initial else total


def _prepared(x: TensorLike, axis: int | None, dtype: Any, function: str) -> tuple[Tensor, int]:
    """`x` in the dtype of the result, one number as a vector of it, and the axis to run along."""
    tensor = as_tensor(x)
    if tensor.static_shape == () and axis is None:
        tensor = ops.reshape(tensor, (1,))
    if axis is None:
        if tensor.ndim != 1:
            raise ShapeError(
                f"`{function}` of a tensor with {tensor.ndim} axes was given no `axis`",
                why="It runs along one axis; only a vector has no other.",
                way_out="Say which: `axis=0`.",
            )
        axis = 0
    to = accumulator(tensor.dtype) if dtype is None else dtype
    return ops.cast(tensor, to), checked_axis(axis, tensor)


def _with_initial(total: Tensor, axis: int, initial: int) -> Tensor:
    """`total` after a slice of `initial`."""
    widths = [(int(place == axis), 0) for place in range(total.ndim)]
    return ops.pad(total, widths, constant_values=initial)


def diff(
    x: TensorLike,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: TensorLike | None = None,
    append: TensorLike | None = None,
) -> Tensor:
    """Difference of each element of `x` and the one before it along an axis.

    Parameters
    ----------
    x : Tensor of a numeric dtype, shape (..., d, ...)
    axis : int, optional
    n : int, optional
        How often differences are taken.
    prepend, append : Tensor, optional
        Laid before and after `x` along the axis first.

    Returns
    -------
    Tensor of the same dtype, shape (..., d - n, ...)

    Raises
    ------
    AxisError
        When the axis is out of range.
    InvalidValue
        When `n` is negative.

    Notes
    -----
    GraphDef "Sub" of two "StridedSlice". Semantics: Array API 2025.12, `diff`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.diff(rt.asarray([1, 4, 9]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 5])>
    """
    tensor = as_tensor(x)
    place = normalise_axis(axis, tensor.ndim)
    n = whole_number(n, "n")
    if n < 0:
        raise InvalidValue(
            f"`diff` was asked for differences {n} times",
            why="Each time, elements are taken from their neighbours; none takes that back.",
            way_out="Give 0 or more; `rt.cumulative_sum` undoes `rt.diff`.",
        )
    if n == 0:
        return tensor
    parts = [each for each in (prepend, tensor, append) if each is not None]
    if len(parts) > 1:
        tensor = ops.concat(parts, axis=place)
    before = (slice(None),) * place
    for _ in range(n):
        later, earlier = tensor[(*before, slice(1, None))], tensor[(*before, slice(None, -1))]
        tensor = ops.not_equal(later, earlier) if tensor.dtype.is_bool else later - earlier
    return tensor
