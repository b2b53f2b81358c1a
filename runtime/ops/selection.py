"""Elements chosen by what they are: `where`, `clip`, and the places where something holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import DType, bool_, int64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_operand, as_tensor, bind, is_weak
from runtime.graph.op import NOTHING, Failures
from runtime.ops.arguments import is_named
from runtime.ops.core import Nonzero, lengths, number_of, product, reshaped, scalar_map
from runtime.ops.facts import INTEGER, GraphDef, Sample, misfits, raising, sharing
from runtime.ops.families import ALL, Family, Opaque
from runtime.ops.promotion import cast_operand, promoted, require_dtype

__all__ = ["SearchSorted", "SelectV2", "Where", "argwhere", "clip", "nonzero", "searchsorted", "where"]

_MASK = np.array([[True, False, True], [False, True, False]])


class SelectV2(Family):
    """Each element of the second input where the first holds, of the third elsewhere."""

    scalar = "select"
    input_names = ("condition", "t", "e")
    graphdef = GraphDef("SelectV2", types={"T": "in1"})
    accepts = ALL
    lies_as_operands = True
    samples = (
        Sample((_MASK, np.ones((2, 3)), np.zeros(3))),
        Sample((np.array(True), np.arange(3), np.array(7))),
        Sample((_MASK, np.array(1 + 2j), np.zeros((2, 1), np.complex128))),
    )
    aliases = sharing()

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        condition, *branches = operands
        return [cast_operand(condition, bool_), *promoted(branches)]

    def infer(self, condition: ArraySpec, x: ArraySpec, y: ArraySpec) -> ArraySpec:
        return x.with_shape(shapes.broadcast(condition.shape, x.shape, y.shape))

    def raises(self, *specs: ArraySpec) -> Failures:
        return NOTHING if shapes.broadcasts_surely(*[spec.shape for spec in specs]) else misfits(*specs)

    def may_run_early(self, *specs: ArraySpec) -> bool:
        return not self.raises(*specs)

    def kernel(self, condition: Array, x: Array, y: Array) -> Any:
        return np.where(condition, x, y)

    def decompose(self, condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
        return scalar_map("select(x0, x1, x2)", condition, x, y)


def where(condition: TensorLike, x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Each element of `x1` where `condition` holds, of `x2` elsewhere.

    Parameters
    ----------
    condition : Tensor of bool
        Numbers count as true unless they are zero.
    x1, x2 : Tensor of any dtype
        The three shapes broadcast together.

    Returns
    -------
    Tensor of the dtype to which `x1` and `x2` promote

    Notes
    -----
    Both `x1` and `x2` are computed. GraphDef "SelectV2". Semantics: Array API 2025.12, `where`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.where(rt.asarray([True, False]), rt.asarray([1, 2]), 0)
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 0])>
    """
    return bind(SelectV2(), condition, x1, x2)


def clip(x: TensorLike, /, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
    """Elements of `x`, those below `min` or above `max` moved there.

    Parameters
    ----------
    x : Tensor of a real dtype
    min, max : Tensor of a real dtype, optional
        Their shapes broadcast with that of `x`; no limit where they are None.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Where `min` exceeds `max`, the result is `max`. A Python integer below the least element of the dtype, or
    above the greatest, is no limit, as in NumPy. GraphDef "Maximum" and "Minimum". Semantics: Array API
    2025.12, `clip`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.clip(rt.asarray([-1, 2, 9]), 0, 5)
    <Tensor: shape=(3,), dtype=int64, numpy=array([0, 2, 5])>
    """
    low = None if _lies_beyond(min, x, "min") else _not_beyond(min, x, "min")
    high = None if _lies_beyond(max, x, "max") else _not_beyond(max, x, "max")
    if low is None and high is None:
        return ops.copied(ops.positive(x))  # NumPy gives another array
    if low is None or high is None:
        result = x if low is None else ops.maximum(x, low)
        return as_tensor(result) if high is None else ops.minimum(result, high)
    x, low, high = promoted([as_operand(each) for each in (x, low, high)])
    return _kept_at(high, _kept_at(low, x, ops.maximum, min), ops.minimum, max)


def _kept_at(limit: Tensor, x: Tensor, better: Callable[..., Tensor], given: TensorLike) -> Tensor:
    """The better of `x` and a limit, and of two zeros that of `x`: NumPy keeps its sign within two limits."""
    moved = better(x, limit)
    if not x.dtype.is_floating or (type(given) in {int, float} and given != 0):
        return moved
    return ops.where(ops.equal(x, limit), x, moved)


def _lies_beyond(limit: TensorLike | None, x: TensorLike, end: Literal["min", "max"]) -> bool:
    """Whether a Python integer limits nothing: no element of the dtype of `x` comes near it."""
    dtype = getattr(x, "dtype", None)
    if type(limit) is not int or not isinstance(dtype, DType) or not dtype.is_integer:
        return False
    return limit < dtype.min if end == "min" else limit > dtype.max


def _not_beyond(limit: Any, x: TensorLike, end: Literal["min", "max"]) -> Any:
    """A limit; where only the run knows an int of Python's own, one that is none comes as the dtype's end."""
    dtype = getattr(x, "dtype", None)
    is_known = not isinstance(limit, Tensor) or not is_weak(limit) or not limit.dtype.is_integer
    if is_known or not isinstance(dtype, DType) or not dtype.is_integer or is_weak(x):
        return limit
    last = dtype.min if end == "min" else dtype.max
    if int64.min <= last <= int64.max:
        limit = ops.stands_for_python((ops.maximum if end == "min" else ops.minimum)(limit, last))
    if dtype is not int64:
        ops.check_fits(limit, dtype)
    return limit


def _nowhere() -> ShapeError:
    return ShapeError(
        "a tensor without axes has no coordinates where it could hold",
        why="Coordinates count along the axes.",
        way_out="Test it with `if`, or give it an axis: `rt.reshape(x, (1,))`.",
    )


class Where(Opaque):
    """The coordinates of every element that holds, one row for each."""

    graphdef = GraphDef("Where", "index")
    samples = (
        Sample((_MASK,)),
        Sample((np.array([0.0, 2.0, -1.0]),)),
        Sample((np.zeros((0, 2), np.bool_),)),
    )
    raises = raising()

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape == ():
            raise _nowhere()
        return ArraySpec((UNKNOWN, UNKNOWN if x.rank is None else x.rank), int64)

    def kernel(self, x: Array) -> Any:
        return np.argwhere(x)

    def decompose(self, x: Tensor) -> Tensor | None:
        if not x.static_shape:
            return None
        holds = x if x.dtype.is_bool else scalar_map("x0 != T(0)", x)
        if x.ndim > 1:
            holds = reshaped(holds, [product(lengths(x))])
        found, columns = bind(Nonzero(), holds), list[Tensor]()
        for own in reversed(lengths(x)[1:]):
            columns.append(scalar_map("x0 % maximum(x1, i64(1))", found, number_of(own)))
            found = scalar_map("x0 // maximum(x1, i64(1))", found, number_of(own))
        return ops.stack([found, *reversed(columns)], axis=1)


def argwhere(x: TensorLike, /) -> Tensor:
    """Coordinates of every element of `x` that is not zero, one row for each.

    Parameters
    ----------
    x : Tensor of any dtype, with one axis or more

    Returns
    -------
    Tensor of int64, shape (n, rank)
        In a graph, n is not known before the run.

    Notes
    -----
    GraphDef "Where". Semantics: NumPy `argwhere`, TensorFlow `tf.where` of one argument.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.argwhere(rt.asarray([0, 3, 5]))
    <Tensor: shape=(2, 1), dtype=int64, numpy=
    array([[1],
           [2]])>
    """
    tensor = as_tensor(x)
    if tensor.static_shape == ():
        raise _nowhere()
    return bind(Where(), tensor)


def nonzero(x: TensorLike, /) -> tuple[Tensor, ...]:
    """Indices of the elements of `x` that are not zero, along each axis.

    Parameters
    ----------
    x : Tensor of any dtype and known rank, with one axis or more

    Returns
    -------
    tuple of Tensor of int64, shape (n,)
        One for each axis; in a graph, n is not known before the run.

    Raises
    ------
    ShapeError
        When there are no axes.

    Notes
    -----
    GraphDef "Where". Semantics: Array API 2025.12, `nonzero`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.nonzero(rt.asarray([0, 3, 5]))
    (<Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>,)
    """
    return ops.unstack(argwhere(x), axis=1)


class SearchSorted(Opaque):
    """Where each value would be put into a vector that is sorted, or that the third input sorts."""

    side: Literal["left", "right"]

    why_no_graphdef = "TensorFlow's LowerBound and UpperBound work on matrices, row by row"
    samples = (
        Sample((np.array([1, 3, 5]), np.array([0, 3, 9])), {"side": "left"}),
        Sample((np.array([1.0, 3.0]), np.array([[3.0], [1.0]])), {"side": "right"}),
        Sample((np.array([3, 1]), np.array([2]), np.array([1, 0])), {"side": "left"}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x1, x2, *sorter = operands
        return [*promoted([x1, x2]), *sorter]

    def infer(self, x1: ArraySpec, x2: ArraySpec, *sorter: ArraySpec) -> ArraySpec:
        if x1.rank not in {1, None}:
            raise ShapeError(
                f"`searchsorted` looks into a vector, not into {x1}",
                why="Its elements lie in order along one axis.",
                way_out="Flatten it, or search row by row.",
            )
        for order in sorter:
            require_dtype("searchsorted(sorter=...)", order.dtype, INTEGER)
            if not shapes.compatible(order.shape, x1.shape):
                raise ShapeError(
                    f"the `sorter` of shape {shapes.text(order.shape)} does not sort {x1}",
                    why="It says of each element where it is.",
                    way_out="Give what `rt.argsort` gives for the same vector.",
                )
        return ArraySpec(x2.shape, int64)

    def kernel(self, x1: Array, x2: Array, *sorter: Array) -> Any:
        return np.searchsorted(x1, x2, self.side, *sorter)


def searchsorted(
    x1: TensorLike, x2: TensorLike, /, *, side: Literal["left", "right"] = "left", sorter: TensorLike = None
) -> Tensor:
    """Where each element of `x2` would be put into `x1` to keep it sorted.

    Parameters
    ----------
    x1 : Tensor of a real dtype, shape (n,)
        In ascending order, or put into it by `sorter`.
    x2 : Tensor of a real dtype
    side : {"left", "right"}, optional
        Before or after elements that are equal.
    sorter : Tensor of integers, shape (n,), optional
        Such as `argsort` gives.

    Returns
    -------
    Tensor of int64, shape of `x2`

    Raises
    ------
    ShapeError
        When `x1` has not one axis, or `sorter` is not as long.
    DTypeError
        When `sorter` is not of integers.
    InvalidValue
        When `side` is another word.

    Notes
    -----
    Semantics: Array API 2025.12, `searchsorted`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.searchsorted(rt.asarray([10, 20, 30]), rt.asarray([20, 25]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>
    """
    if not is_named(side, ("left", "right")):
        raise InvalidValue(
            f"`searchsorted` knows no side {side!r}",
            why="Among equal elements, the place is before the first or after the last.",
            way_out="Write 'left' or 'right'.",
        )
    return bind(SearchSorted(side), x1, x2, *(() if sorter is None else (sorter,)))
