"""What the adapters have in common: how NumPy sees an argument, and what must be known while tracing."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, as_dtype, bool_, float64, int64
from runtime.core.shapes import normalise_axis, size
from runtime.core.tensor import Array, Operators, Tensor
from runtime.errors import NoConcreteValue, ShapeError
from runtime.graph.build import as_tensor, bind, is_weak
from runtime.graph.whose_numbers import whose
from runtime.ops.casting import Cast
from runtime.ops.core import check
from runtime.ops.known import concrete
from runtime.ops.small import note_converted

__all__ = [
    "Axis",
    "as_indices",
    "cast_unsafely",
    "count_of",
    "counts_of",
    "dims",
    "filled",
    "known",
    "known_rank",
    "mask_of",
    "number",
    "place_of",
    "placed",
    "refuse_unless",
    "require_one_shape",
    "require_rank",
    "strong",
    "to_inexact",
    "together",
    "whole",
]

Axis: TypeAlias = Any
"""An int, several, or None for all."""


def strong(x: Any, dtype: Any = None) -> Tensor:
    """`x` as NumPy makes an array of it: numbers and lists have NumPy's default dtypes, and never give way.

    Raises
    ------
    OverflowError, ValueError
        When `dtype` does not hold a number of Python's, at once or in the run.
    """
    to = None if dtype is None else as_dtype(dtype)
    if isinstance(x, (list, tuple)) and holds_tensor(x):
        return ops.stack(together(x, to))
    if not isinstance(x, Operators):
        return as_tensor(np.asarray(x, None if to is None else to.numpy))
    tensor = as_tensor(x) if to is None else ops.as_elements(as_tensor(x), to)
    if whose(tensor) is False:
        return tensor
    note_converted(tensor)
    return bind(Cast(tensor.dtype), tensor)


def together(items: Sequence[Any], dtype: DType | None = None) -> list[Tensor]:
    """Each item as a tensor, all of one dtype: the one that holds them all, where none is given."""
    tensors = [strong(item, dtype) for item in items]
    to = dtype or ops.result_type(*[tensor.dtype for tensor in tensors])
    return [ops.cast(tensor, to) for tensor in tensors]


def holds_tensor(items: Sequence[Any]) -> bool:
    """Whether a tensor is somewhere in a nested list."""
    return any(
        isinstance(item, Operators) or (isinstance(item, (list, tuple)) and holds_tensor(item))
        for item in items
    )


def number(x: Any) -> Any:
    """`x` as an operand of arithmetic: a Python number gives way to what stands beside it."""
    return x if is_weak(x) and not isinstance(x, np.generic) else strong(x)


def cast_unsafely(x: Any, dtype: Any) -> Tensor:
    """`x` in a dtype as NumPy's `copyto` casts it that is told "unsafe": Python's integers must fit."""
    number = as_tensor(x) if isinstance(x, Operators) else np.asarray(x)
    return strong(x, dtype) if as_dtype(number.dtype).is_integer else ops.cast(strong(x), dtype)


def as_indices(x: Any) -> Tensor:
    """`x` as an index: what has no elements, and so no dtype of its own, is of integers."""
    tensor = strong(x)
    return ops.cast(tensor, int64) if shapes.size(tensor.static_shape) == 0 else tensor


def to_inexact(x: Tensor) -> Tensor:
    """Floating-point and complex numbers as they are, others as float64."""
    return x if x.dtype.is_floating or x.dtype.is_complex else ops.cast(x, float64)


def known(x: Any, what: str) -> Array:
    """The value of an argument that shapes or programs depend on.

    Raises
    ------
    NoConcreteValue
        When it is a tensor whose value only exists when the graph runs.
    """
    if not isinstance(x, Operators):
        return np.asarray(x)
    array = concrete(as_tensor(x))
    if array is None:
        raise NoConcreteValue(
            f"{what} is a tensor of a graph",
            why="It decides which operations there are, so it must be known while the graph is traced.",
            way_out="Give a Python number, or call the function outside of the graph.",
        )
    return array


def whole(x: Any, what: str) -> int:
    """An integer argument that must be known while tracing."""
    return operator.index(known(x, what)[()])


def count_of(x: Any) -> int | Tensor:
    """An integer argument, as a tensor of int64 where only the run knows it.

    Raises
    ------
    TypeError
        When it is no single integer.
    """
    if not isinstance(x, Operators):
        return operator.index(x)
    tensor = as_tensor(x)
    if tensor.static_shape or not tensor.dtype.is_integer:
        what = "numpy.ndarray" if tensor.static_shape else f"numpy.{tensor.dtype}"
        raise TypeError(f"'{what}' object cannot be interpreted as an integer")
    array = concrete(tensor)
    return ops.cast(tensor, int64) if array is None else operator.index(array[()])


def counts_of(x: Any) -> tuple[int | Tensor, ...]:
    """One integer argument or several, each as `count_of` gives it."""
    if isinstance(x, (list, tuple)):
        return tuple(map(count_of, x))
    if not isinstance(x, Operators):
        return tuple(map(operator.index, np.atleast_1d(x)))
    tensor = as_tensor(x)
    return tuple(map(count_of, ops.unstack(tensor) if tensor.static_shape != () else [tensor]))


def known_rank(x: Tensor, function: str) -> int:
    """The number of axes.

    Raises
    ------
    NoConcreteValue
        When it is not known.
    """
    if x.static_shape is None:
        raise NoConcreteValue(
            f"`{function}` of a tensor whose number of axes is not known",
            why="It decides which operations there are.",
            way_out="Give the function an `input_signature` with a shape.",
        )
    return len(x.static_shape)


def place_of(axis: Any, x: Tensor, function: str) -> int:
    """An axis counted from the front, of a tensor whose number of axes must be known.

    Raises
    ------
    AxisError
        When there is no such axis.
    """
    return normalise_axis(axis, known_rank(x, function))


def dims(x: Tensor, function: str = "np.shape") -> tuple[Any, ...]:
    """The length of each axis: a Python int where it is known, otherwise a tensor."""
    return tuple([ops.dimension(x, axis) for axis in range(known_rank(x, function))])


def require_rank(x: Tensor, rank: int, function: str) -> Tensor:
    """`x`, which has so many axes wherever their number is known.

    Raises
    ------
    ShapeError
        When it has another number.
    """
    if x.static_shape is not None and len(x.static_shape) != rank:
        wanted = {1: "a vector", 2: "a matrix"}[rank]
        raise ShapeError(
            f"`{function}` takes {wanted}, not {x.spec}",
            why=f"It means something for {wanted} alone.",
            way_out="Reshape it, or call the function for each part.",
        )
    return x


def require_one_shape(x: Tensor, y: Tensor, function: str, error: str = "ShapeError") -> None:
    """Refuses two tensors that differ in shape; in a graph that does not know their lengths, when it runs.

    `error` is the name of what is raised by such a run.
    """
    if x.static_shape == y.static_shape and size(x.static_shape) is not None:
        return
    are_known = size(x.static_shape) is not None and size(y.static_shape) is not None
    if are_known or known_rank(x, function) != known_rank(y, function):
        raise ShapeError(f"`{function}` of {x.spec} and {y.spec}", way_out="Give it arrays of one shape.")
    same = ops.all(ops.equal(ops.shape(x), ops.shape(y)))
    refuse_unless(same, error, f"`{function}` of shapes {{0}} and {{1}}", ops.shape(x), ops.shape(y))


def refuse_unless(condition: Tensor, error: str, message: str, *shown: Any) -> None:
    """Raises an exception by its name unless a condition holds; in a graph, when it runs.

    Parameters
    ----------
    condition : Tensor of bool, shape ()
    error : str
    message : str
        With ``{0}``, ``{1}``, … where the others are shown.
    *shown : Tensor or number
    """
    holds = concrete(condition)
    if holds is None or not holds:
        check(condition, error, message, *map(strong, shown))


def placed(axis: int, part: Any) -> tuple[Any, ...]:
    """The index that takes `part` along an axis counted from the front, and everything along the others."""
    return (*[slice(None)] * axis, part)


def filled(x: Tensor, mask: Any, value: Any) -> Tensor:
    """`x`, with `value` in its place wherever `mask` does not hold; in the dtype of `x`."""
    return ops.where(strong(mask), x, Tensor(np.asarray(value, as_dtype(x.dtype).numpy)))


def mask_of(where: Any) -> Any:
    """What `where=` says, as NumPy takes it: numbers and lists by their truth, arrays of truth values alone.

    Raises
    ------
    TypeError
        When it is an array of another dtype.
    """
    if isinstance(where, (list, tuple)):
        where = ops.cast(strong(where), bool) if holds_tensor(where) else np.asarray(where, bool)
    elif not isinstance(where, (Tensor, np.ndarray)):
        return bool(where)
    if where.dtype != bool_:
        if isinstance(where, Tensor) and where.static_shape == () and not ops.is_array(where):
            return ops.cast(where, bool)
        name = as_dtype(where.dtype).name
        raise TypeError(
            f"Cannot cast array data from dtype('{name}') to dtype('bool') according to the rule 'safe'"
        )
    return where
