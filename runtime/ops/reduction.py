"""Axes folded away: sums, means, extremes, truth of all or any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any as AnyType

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import as_dtype, bool_, float16, float32, float64, int32
from runtime.core.shapes import normalise_axes
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import FRESH, Aliases, Failures
from runtime.ops.arguments import Axes, checked_axes
from runtime.ops.core import indices, iota, length, lengths, move, number_of, pick, product, scalar_map, scan
from runtime.ops.core.folding import Reduce, added_in_turn, reduce
from runtime.ops.facts import BOOLEAN, NUMERIC, GraphDef, GraphDefBuilder, Sample, Samples, misranked, shaped
from runtime.ops.families import ALL, Extreme, Family, Reduction
from runtime.ops.known import concrete
from runtime.ops.promotion import (
    accumulator,
    cast_operand,
    computed_with,
    computing_dtypes,
    promotion_kinds,
    require_dtype,
    rounded_once,
)

__all__ = [
    "AddInTurn",
    "All",
    "Any",
    "CompensatedSum",
    "Max",
    "Mean",
    "Min",
    "Prod",
    "Sum",
    "add_in_turn",
    "add_with_compensation",
    "all",
    "any",
    "max",
    "mean",
    "min",
    "multiply_in_turn",
    "prod",
    "sum",
]


def _reductions(*elements: AnyType, low: float = 0, empty: bool = False) -> Samples:
    """Samples for a reduction, of these element types; with `empty`, also of no elements."""
    fields: list[dict[str, AnyType]] = [
        {"axis": (0, 1), "keepdims": False},
        {"axis": (1,), "keepdims": True},
        {"axis": None, "keepdims": False},
        {"axis": (), "keepdims": False},
    ]
    return Samples(
        lambda: [
            *([shaped((0, 2), axis=(0,), keepdims=False)] if empty else []),
            *(
                Sample(((np.arange(6) + low).reshape(2, 3).astype(each),), attributes)
                for each in elements
                for attributes in fields
            ),
        ]
    )


class Sum(Reduction):
    """The sum along some axes, in the operand's own dtype."""

    graphdef = GraphDef(
        "Sum", types={"T": "in0", "Tidx": "in1"}, attributes={"keepdims": "keep_dims"}, inputs_then=("axis",)
    )
    accepts = NUMERIC
    samples = _reductions(np.float32, np.int32, np.complex64, empty=True)

    def kernel(self, x: Array) -> AnyType:
        return x.sum(axis=self.axis, dtype=x.dtype, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor:
        return reduce("add", x, self.axis, self.keepdims)


def sum(x: TensorLike, /, *, axis: Axes = None, dtype: AnyType = None, keepdims: bool = False) -> Tensor:
    """Sum of the elements of `x` along some axes.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    dtype : DType, optional
        In which to compute, and of the result.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor, shape (..., ...)
        Bools and small integers widen to 64 bits, as in NumPy, unless `dtype` says otherwise.

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Sum". Semantics: Array API 2025.12, `sum`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sum(rt.asarray([[1, 2], [3, 4]]), axis=0)
    <Tensor: shape=(2,), dtype=int64, numpy=array([4, 6])>
    """
    tensor = _accumulated(as_tensor(x), dtype)
    return rounded_once(Sum(checked_axes(axis, tensor), keepdims), tensor)


def _accumulated(x: Tensor, dtype: AnyType) -> Tensor:
    """`x` in the dtype in which its elements are added up or multiplied."""
    to = accumulator(x.dtype) if dtype is None else as_dtype(dtype)
    return x if x.dtype is to else ops.cast(x, to)


class AddInTurn(Family):
    """A number or an array, to which what lies along the first axis is added, one after the other."""

    accepts = NUMERIC
    samples = (
        Sample(((np.arange(6.0) / 7).reshape(3, 2), np.array(0.1))),
        Sample((np.arange(3), np.array(2))),
        Sample((np.zeros((0, 2), np.complex64), np.ones((), np.complex64))),
    )

    def infer(self, x: ArraySpec, start: ArraySpec) -> ArraySpec:
        require_dtype(self.name, x.dtype, self.accepts)
        if x.shape == ():
            raise ShapeError("the elements of a number are added", why="It has no axis.")
        if x.shape is None:
            return ArraySpec(None, x.dtype)
        return ArraySpec(shapes.broadcast(x.shape[1:], start.shape), x.dtype)

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def kernel(self, x: Array, start: AnyType) -> AnyType:
        return added_in_turn(x, start)

    def decompose(self, x: Tensor, start: Tensor) -> Tensor | None:
        if x.dtype.kind in "iu":
            return ops.add(reduce("add", x, (0,)), start)
        known = concrete(start)
        if known is not None and known.shape == () and x.dtype.is_floating:
            return bind(Reduce((0,), False, "add", x.dtype, known.item(), "turns"), x)
        shape, row = start.static_shape, x.static_shape
        if shape is None or row is None:
            return None
        if shape and len(row) == 1:
            x = move(x, [*lengths(x), *lengths(start)], indices(1))
        elif shape and not (shapes.is_known(shape) and shape == row[1:]):
            return None
        first = move(start, [1, *lengths(x)[1:]], indices(x.ndim)[1:] if shape else [])
        every = ops.concat([first, x], axis=0)
        return bind(Reduce((0,), False, "add", x.dtype, -0.0, "turns"), every)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        dtype = specs[0].dtype
        total = builder.node(
            "Sum", [inputs[0], builder.constant(0, int32)], T=dtype, Tidx=int32, keep_dims=False
        )
        return [builder.node("AddV2", [total, inputs[1]], T=dtype)]


def add_in_turn(x: Tensor, start: AnyType) -> Tensor:
    """Python's `sum` of what lies along the first axis of `x`, from a number or an array on."""
    if isinstance(start, np.generic):  # it counts in promotion, as no number of Python's does
        start = as_tensor(start)
    dtype = computing_dtypes(np.add, promotion_kinds([x, start]))[0]
    if dtype is bool_:
        return ops.logical_or(ops.any(x, axis=0), start)
    return bind(AddInTurn(), cast_operand(x, dtype), computed_with(start, dtype))


class CompensatedSum(Family):
    """A float, to which others are added in turn, and then what was lost in rounding: Neumaier's sum."""

    plain: tuple[int, ...]
    """Places of elements whose rounding is not made up for, as if they were integers."""
    accepts = frozenset([float64])
    samples = (
        Sample((np.arange(9.0) / 7, np.array(0.1)), {"plain": ()}),
        Sample((np.array([1e16, 1.0, -1e16, 0.1]), np.array(0.0)), {"plain": (1,)}),
        Sample((np.array([-0.0, np.inf, 1e308]), np.array(1e308)), {"plain": (0,)}),
        Sample((np.zeros(0), np.array(-0.0)), {"plain": ()}),
    )
    why_no_graphdef = "TensorFlow adds in any order"

    def infer(self, x: ArraySpec, start: ArraySpec) -> ArraySpec:
        for each in (x, start):
            require_dtype(self.name, each.dtype, self.accepts)
        return ArraySpec((), float64)

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def kernel(self, x: Array, start: AnyType) -> AnyType:
        every = np.concatenate([np.reshape(start, 1), x])
        with np.errstate(all="ignore"):
            sums = np.add.accumulate(every)
            before, after = sums[:-1], sums[1:]
            lost = np.where(abs(before) >= abs(x), (before - after) + x, (x - after) + before)
            lost[[place for place in self.plain if place < len(x)]] = 0.0
            rest = added_in_turn(lost, 0.0)
            return sums[-1] + rest if rest and np.isfinite(rest) else sums[-1]

    def decompose(self, x: Tensor, start: Tensor) -> Tensor | None:
        if x.static_shape is None or start.static_shape != ():
            return None
        count = length(x, 0)
        every = ops.concat([move(start, [1], []), x], axis=0)
        sums = scan("add", every, 0)
        (place,) = indices(1)
        lost = scalar_map(_LOST, move(sums, [count], [place]), x, move(sums, [count], [place + 1]))
        for at in self.plain:
            lost = scalar_map(f"select(x0 == i64({at}), T(0), x1)", iota(count), lost, generic=float64)
        rest = bind(Reduce((0,), False, "add", float64, 0.0, "turns"), lost)
        total = pick(sums, 0, count)
        return scalar_map("select((x1 != T(0)) & isfinite(x1), x0 + x1, x0)", total, rest)


_LOST = "select(absolute(x0) >= absolute(x1), (x0 - x2) + x1, (x1 - x2) + x0)"
"""What is lost where a sum and a term become the next sum."""


def add_with_compensation(x: Tensor, start: AnyType, plain: Sequence[int]) -> Tensor:
    """Python's `sum` of floats of its own, from Python 3.12 on; what is `plain` was an integer."""
    return bind(CompensatedSum(tuple(plain)), cast_operand(x, float64), computed_with(start, float64))


class Prod(Reduction):
    """The product along some axes, in the operand's own dtype."""

    graphdef = GraphDef(
        "Prod", types={"T": "in0", "Tidx": "in1"}, attributes={"keepdims": "keep_dims"}, inputs_then=("axis",)
    )
    accepts = NUMERIC
    samples = _reductions(np.float32, np.int32, low=1, empty=True)

    def kernel(self, x: Array) -> AnyType:
        return x.prod(axis=self.axis, dtype=x.dtype, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor:
        return reduce("multiply", x, self.axis, self.keepdims)


def prod(x: TensorLike, /, *, axis: Axes = None, dtype: AnyType = None, keepdims: bool = False) -> Tensor:
    """Product of the elements of `x` along some axes.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    dtype : DType, optional
        In which to compute, and of the result.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor, shape (..., ...)
        Bools and small integers widen to 64 bits, as in NumPy, unless `dtype` says otherwise.

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Prod". Semantics: Array API 2025.12, `prod`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.prod(rt.asarray([[1, 2], [3, 4]]), axis=0)
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 8])>
    """
    tensor = _accumulated(as_tensor(x), dtype)
    return rounded_once(Prod(checked_axes(axis, tensor), keepdims), tensor)


def multiply_in_turn(x: Tensor, start: AnyType) -> Tensor:
    """`math.prod` of what lies along the first axis of `x`, from a number on.

    NumPy multiplies from left to right, too.
    """
    dtype = computing_dtypes(np.multiply, promotion_kinds([x, start]))[0]
    factors = cast_operand(x, dtype)
    if not isinstance(start, int) or start != 1:
        ones = ops.prod(ops.ones_like(factors), axis=0, dtype=dtype, keepdims=True)
        first = ops.multiply(ones, computed_with(start, dtype))
        factors = ops.concat([first, factors], axis=0)
    return ops.prod(factors, axis=0, dtype=dtype)


class Mean(Reduction):
    """The mean along some axes; for integers, cut towards zero."""

    graphdef = GraphDef(
        "Mean", types={"T": "in0", "Tidx": "in1"}, attributes={"keepdims": "keep_dims"}, inputs_then=("axis",)
    )
    accepts = NUMERIC
    samples = _reductions(np.float32, np.int32, np.float16, np.complex64)

    quiet = ""

    def kernel(self, x: Array) -> AnyType:
        return np.asarray(np.mean(x, axis=self.axis, keepdims=self.keepdims), x.dtype)

    def decompose(self, x: Tensor) -> Tensor | None:
        own, known = x.dtype, x.static_shape is not None
        if not known and (self.axis is not None or self.keepdims):
            return None
        axes = normalise_axes(self.axis, x.ndim) if known else ()
        summed_in = float32 if own is float16 else own if own.kind in "fc" else float64
        total = reduce("add", x, self.axis, self.keepdims, summed_in)
        count = number_of(product([length(x, axis) for axis in axes])) if known else ops.size(x)
        wide = "c128" if own.is_complex else "f64"
        mean = f"{wide}(x0) / {wide}(x1)"
        if own is float16 and total.ndim:  # NumPy rounds an array twice, a scalar once
            mean = f"f32({mean})"
        return scalar_map(f"{own.short}({mean})", total, count)


def mean(x: TensorLike, /, *, axis: Axes = None, dtype: AnyType = None, keepdims: bool = False) -> Tensor:
    """Mean of the elements of `x` along some axes.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    dtype : DType, optional
        In which to compute, and of the result.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor, shape (..., ...)
        Bools and integers give float64, unless `dtype` says otherwise; an integer `dtype` cuts towards zero.

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Mean". Semantics: Array API 2025.12, `mean`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.mean(rt.asarray([[1, 2], [3, 4]]), axis=0)
    <Tensor: shape=(2,), dtype=float64, numpy=array([2., 3.])>
    """
    tensor = as_tensor(x)
    if dtype is not None:
        tensor = ops.cast(tensor, dtype)
    elif not (tensor.dtype.is_floating or tensor.dtype.is_complex):
        tensor = ops.cast(tensor, float64)
    return rounded_once(Mean(checked_axes(axis, tensor), keepdims), tensor)


class Max(Extreme):
    """The greatest element along some axes."""

    graphdef = GraphDef(
        "Max", types={"T": "in0", "Tidx": "in1"}, attributes={"keepdims": "keep_dims"}, inputs_then=("axis",)
    )
    accepts = ALL
    samples = _reductions(np.float32, np.int8, np.bool_)
    quiet = "biuf"

    def kernel(self, x: Array) -> AnyType:
        return x.max(axis=self.axis, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor:
        return reduce("maximum", x, self.axis, self.keepdims)


def max(x: TensorLike, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The greatest element of `x` along some axes; NaN where there is one.

    Parameters
    ----------
    x : Tensor of a real dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor of the same dtype, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range, named twice, or of length 0.

    Notes
    -----
    GraphDef "Max". Semantics: Array API 2025.12, `max`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.max(rt.asarray([[1, 2], [3, 4]]), axis=1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([2, 4])>
    """
    tensor = as_tensor(x)
    return bind(Max(checked_axes(axis, tensor), keepdims), tensor)


class Min(Extreme):
    """The least element along some axes."""

    graphdef = GraphDef(
        "Min", types={"T": "in0", "Tidx": "in1"}, attributes={"keepdims": "keep_dims"}, inputs_then=("axis",)
    )
    accepts = ALL
    samples = _reductions(np.float32, np.int8, np.bool_)
    quiet = "biuf"

    def kernel(self, x: Array) -> AnyType:
        return x.min(axis=self.axis, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor:
        return reduce("minimum", x, self.axis, self.keepdims)


def min(x: TensorLike, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The least element of `x` along some axes; NaN where there is one.

    Parameters
    ----------
    x : Tensor of a real dtype, shape (..., d, ...)
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor of the same dtype, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range, named twice, or of length 0.

    Notes
    -----
    GraphDef "Min". Semantics: Array API 2025.12, `min`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.min(rt.asarray([[1, 2], [3, 4]]), axis=1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 3])>
    """
    tensor = as_tensor(x)
    return bind(Min(checked_axes(axis, tensor), keepdims), tensor)


class _OfTruth(Reduction, abstract=True):
    """A reduction of truth values, which NumPy makes of numbers by itself."""

    accepts = BOOLEAN
    takes_mixed = True
    quiet = "biuf"

    def prepare(self, operands: Sequence[AnyType]) -> Sequence[AnyType]:
        return [ops.cast(each, bool_) for each in operands]


class All(_OfTruth):
    """Whether all elements hold along some axes."""

    graphdef = GraphDef(
        "All", types={"Tidx": "in1"}, attributes={"keepdims": "keep_dims"}, inputs_then=("axis",)
    )
    samples = _reductions(np.bool_)

    def kernel(self, x: Array) -> AnyType:
        return x.all(axis=self.axis, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor:
        return reduce("logical_and", x, self.axis, self.keepdims)


def all(x: TensorLike, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether all elements of `x` hold along some axes.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
        Numbers count as true unless they are zero.
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor of bool, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "All". Semantics: Array API 2025.12, `all`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.all(rt.asarray([[True, False], [True, True]]), axis=1)
    <Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    tensor = as_tensor(x)
    return bind(All(checked_axes(axis, tensor), keepdims), tensor)


class Any(_OfTruth):
    """Whether any element holds along some axes."""

    graphdef = GraphDef(
        "Any", types={"Tidx": "in1"}, attributes={"keepdims": "keep_dims"}, inputs_then=("axis",)
    )
    samples = _reductions(np.bool_)

    def kernel(self, x: Array) -> AnyType:
        return x.any(axis=self.axis, keepdims=self.keepdims)

    def decompose(self, x: Tensor) -> Tensor:
        return reduce("logical_or", x, self.axis, self.keepdims)


def any(x: TensorLike, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether any element of `x` holds along some axes.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
        Numbers count as true unless they are zero.
    axis : int or tuple of ints, optional
        Axes to fold; all of them by default.
    keepdims : bool, optional
        Whether folded axes stay, with length 1.

    Returns
    -------
    Tensor of bool, shape (..., ...)

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Any". Semantics: Array API 2025.12, `any`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.any(rt.asarray([[True, False], [True, True]]), axis=1)
    <Tensor: shape=(2,), dtype=bool, numpy=array([ True,  True])>
    """
    tensor = as_tensor(x)
    return bind(Any(checked_axes(axis, tensor), keepdims), tensor)
