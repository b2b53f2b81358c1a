"""What users write as arguments: shapes, axes, whole numbers."""

from __future__ import annotations

import operator
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any, SupportsFloat, TypeAlias

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int64
from runtime.core.shapes import Shape, normalise_axes
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Operators, Tensor, TensorLike, short
from runtime.errors import DTypeError, Error, InvalidValue, ShapeError
from runtime.graph.build import array_spec_of, as_tensor
from runtime.ops.known import concrete, known_elements

__all__ = [
    "Axes",
    "checked_axes",
    "checked_axis",
    "is_named",
    "is_one",
    "number",
    "require_lengths",
    "require_vector",
    "shape_argument",
    "whole_number",
    "whole_numbers",
]

Axes: TypeAlias = int | Sequence[int] | None
"""An axis, several, or None for all."""


def shape_argument(shape: Any) -> tuple[Shape, Tensor | None]:
    """What a function means by its `shape` argument.

    Parameters
    ----------
    shape : int, tensor of one integer, sequence of these, or vector of integers

    Returns
    -------
    known : tuple of dims, or None
        What is known of them now; None where not even their number is.
    dims : Tensor of int64, shape (rank,), or None
        All of them, where not all are numbers.

    Raises
    ------
    DTypeError
        When a length is no integer.
    ShapeError
        When a length is None, or a tensor of lengths has another number of axes than 0 or 1.
    """
    if type(shape) is tuple and set(map(type, shape)) <= {int}:
        return shape, None
    if isinstance(shape, (list, tuple)):
        parts = [_dim_argument(part) for part in shape]
    elif isinstance(shape, (int, np.integer)) and not isinstance(shape, bool):
        parts = [int(shape)]
    else:
        vector = as_tensor(shape)
        _require_whole(vector, shape)
        if vector.static_shape != ():
            require_vector(array_spec_of(vector))
        known = concrete(vector)
        if known is None and vector.static_shape != ():
            return _with_known_dims(ops.cast(vector, int64))
        parts = [vector] if known is None else [int(dim) for dim in np.atleast_1d(known)]
    numbers = [part for part in parts if isinstance(part, int)]
    if len(numbers) == len(parts):
        return tuple(numbers), None
    return _with_known_dims(ops.stack([ops.cast(part, int64) for part in parts]))


def _with_known_dims(vector: Tensor) -> tuple[Shape, Tensor | None]:
    """A vector of lengths, and before it those that are known now; without it where all are."""
    elements = known_elements(vector)
    if elements is None:
        length = vector.static_shape[0] if vector.static_shape else UNKNOWN
        return (UNKNOWN,) * length if isinstance(length, int) else None, vector
    known = tuple(elements.reshape(-1).tolist())
    return known, None if shapes.all_known(known) else vector


def _dim_argument(part: Any) -> Any:
    if isinstance(part, (int, np.integer)) and not isinstance(part, bool):
        return int(part)
    if part is None:
        raise ShapeError(
            "a dim of a shape is None",
            why="None stands for a length that is only known when the graph runs.",
            way_out="Take the lengths from `rt.shape(x)`, which is a tensor, in place of `x.shape`.",
        )
    tensor = as_tensor(part)
    _require_whole(tensor, part)
    if tensor.static_shape not in {(), None}:
        raise DTypeError(
            f"a dim of a shape is {short(part)}",
            why="A length is one integer.",
            way_out="Give the lengths in one list, or as a tensor with one axis.",
        )
    known = concrete(tensor)
    return tensor if known is None else int(known)


def _require_whole(lengths: Tensor, given: Any) -> None:
    if not lengths.dtype.is_integer and shapes.size(lengths.static_shape) != 0:
        what = lengths.dtype.name if isinstance(given, (Operators, np.ndarray)) else short(given)
        raise DTypeError(
            f"a dim of a shape is {what}",
            why="A length is an integer.",
            way_out="Cast it with `rt.astype(n, rt.int64)`, or divide with `//`.",
        )


def require_lengths(shape: Shape) -> None:
    """Refuses a shape with a negative length.

    Raises
    ------
    ShapeError
        When there is one.
    """
    if any(isinstance(dim, int) and dim < 0 for dim in shape or ()):
        raise ShapeError(
            f"a tensor of shape {shapes.text(shape)} was asked for",
            why="A length is 0 or more.",
            way_out="Say each length; only `rt.reshape` finds one that is -1.",
        )


def require_vector(shape: ArraySpec) -> None:
    """Refuses what is no shape: that is a vector of lengths.

    Raises
    ------
    ShapeError
        When it has another number of axes.
    """
    if shape.rank not in {1, None}:
        raise ShapeError(
            f"{shape} is no shape of a tensor",
            why="A shape is a vector of lengths, one for each axis.",
            way_out="Flatten it with `rt.reshape(shape, (-1,))`.",
        )


def checked_axes(axis: Axes, x: TensorLike) -> tuple[int, ...] | None:
    """`axis` as a sorted tuple counted from the front; None only where the rank is not known.

    Raises
    ------
    AxisError, ShapeError
        When an axis is out of range or named twice.
    """
    shape = as_tensor(x).static_shape
    if shape is not None:
        return normalise_axes(axis, len(shape))
    if axis is None:
        return None
    return tuple(map(shapes.as_axis, axis if isinstance(axis, Sequence) else (axis,)))


def checked_axis(axis: int, x: TensorLike, extra: int = 0) -> int:
    """`axis` counted from the front where the rank is known; `extra` axes are about to be added.

    Raises
    ------
    AxisError
        When it is out of range.
    """
    shape = as_tensor(x).static_shape
    return shapes.as_axis(axis) if shape is None else shapes.normalise_axis(axis, len(shape) + extra)


def whole_number(value: Any, name: str) -> int:
    """The argument `name` of a function as a Python integer.

    Raises
    ------
    DTypeError
        When it is no integer.
    """
    try:
        return operator.index(value)
    except TypeError as error:
        if isinstance(error, Error):  # a tensor says itself why it is no integer of Python
            raise
        raise DTypeError(
            f"`{name}` is {short(value)}", why="It counts, so it is an integer.", way_out="Give it as one."
        ) from None


def whole_numbers(values: Any, name: str) -> tuple[int, ...]:
    """The argument `name` of a function, several integers, as Python's.

    Raises
    ------
    DTypeError
        When there are not several, or one is no integer.
    """
    if is_one(values):
        raise DTypeError(
            f"`{name}` is {short(values)}", why="It is several integers.", way_out="Give a list or a tuple."
        )
    return tuple([whole_number(each, name) for each in values])


def number(value: Any, name: str) -> float:
    """The argument `name` of a function as a float.

    Raises
    ------
    DTypeError
        When it is no real number.
    """
    if isinstance(value, SupportsFloat):
        try:
            return float(value)
        except TypeError as error:
            if isinstance(error, Error):  # a tensor says itself why it is no number of Python
                raise
    raise DTypeError(f"`{name}` is {short(value)}", why="It is a number.", way_out="Give it as a float.")


def is_one(value: Any) -> bool:
    """Whether an argument is a single thing, and no list of them; so is a tensor without axes."""
    return not isinstance(value, Iterable) or isinstance(value, str) or getattr(value, "shape", None) == ()


def is_named(value: Any, names: Collection[Any]) -> bool:
    """Whether an argument, whatever it is, is one of these names or numbers."""
    return isinstance(value, Hashable) and value in names


def order_of(order: Any, known: str = "CFAK") -> str:
    """The argument `order` of NumPy's functions: a letter, whatever its case; None is "C".

    Raises
    ------
    InvalidValue
        When it is none of those that are known.
    """
    found = "C" if order is None else order
    if isinstance(found, str) and len(found) == 1 and found.upper() in known:
        return found.upper()
    raise InvalidValue(f"`order` is {short(order)}", way_out=f"Give one of {', '.join(known)}.")


def mode_of(mode: Any) -> str:
    """The argument `mode` of NumPy's functions that take elements by index: its name, or its number.

    Raises
    ------
    InvalidValue
        When there is no such mode.
    """
    if mode is None:
        return "raise"
    if type(mode) is int and 0 <= mode < len(_MODES):
        return _MODES[mode]
    if is_named(mode, _MODES):
        return str(mode)
    raise InvalidValue(f"`mode` is {short(mode)}", way_out="Give 'raise', 'wrap' or 'clip'.")


_MODES = "clip", "wrap", "raise"
