"""Keys: parts of them as users write them, and as ops hold them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import int64
from runtime.core.shapes import UNKNOWN, Dim
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, short
from runtime.errors import DTypeError, InvalidIndex, ShapeError
from runtime.graph.build import as_tensor
from runtime.ops.known import concrete

__all__ = ["Key", "split_key"]

Part: TypeAlias = Any
"""What one place of a key holds: an int, a slice, None, Ellipsis; in `DynamicStridedSlice` "?", triples."""
_AS_INTEGER = "Cast it with `int`, or a tensor with `rt.astype(x, rt.int64)`."


class Key(tuple[Part, ...]):
    """A NumPy index that can be compared and hashed, which slices cannot before Python 3.12."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(repr(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other


def with_known_ends(key: tuple[Part, ...], known: Sequence[Dim]) -> tuple[Part, ...]:
    """The key with lengths that the graph has names for in the place of the ends of slices that they are."""
    left = iter(known)
    filled: list[Part] = []
    for part in key if known else ():
        if type(part) is tuple:
            ends = [next(left) if end == "?" else end for end in part]
            filled.append(tuple(["?" if end is UNKNOWN else end for end in ends]))
        else:
            filled.append(part)
            if part == "?":
                next(left)
    return tuple(filled) if known else key


def with_lengths(key: tuple[Part, ...], lengths: Sequence[int | None]) -> tuple[Part, ...]:
    """The key with the first elements in the place of slices that are known to take so many."""
    left, found = iter(lengths), list[Part]()
    for part in key:
        length = next(left, None) if isinstance(part, tuple) else None
        found.append(part if length is None else (0, length, None))
    return tuple(found)


def filled_key(key: Sequence[Part], indices: Sequence[Array]) -> tuple[Part, ...]:
    """The NumPy index that `key` means, with `indices` in the places marked by "?"."""
    left = iter(indices)
    filled: list[Part] = []
    for part in key:
        if type(part) is tuple:
            filled.append(slice(*[int(next(left)) if end == "?" else end for end in part]))
        else:
            filled.append(int(next(left)) if part == "?" else part)
    return tuple(filled)


def parts_of(key: Sequence[Part], indices: Sequence[Tensor]) -> list[Part]:
    """A key with tensors in the places marked by "?", and with slices in place of triples."""
    left = iter(indices)
    parts: list[Part] = []
    for part in key:
        if type(part) is tuple:
            parts.append(slice(*[next(left) if end == "?" else end for end in part]))
        else:
            parts.append(next(left) if part == "?" else part)
    return parts


def spread(parts: Sequence[Part], rank: int, used: int | None = None) -> list[Part]:
    """A key with a slice for each axis that an ellipsis, or nothing, stands for."""
    count = sum(part is not None and part is not Ellipsis for part in parts) if used is None else used
    whole = [slice(None)] * (rank - count)
    place = next((place for place, part in enumerate(parts) if part is Ellipsis), len(parts))
    return [*parts[:place], *whole, *parts[place + 1 :]]


def require_scalars(indices: Sequence[ArraySpec]) -> None:
    for index in indices:
        if index.shape not in {(), None}:
            raise ShapeError(
                f"an index among slices is {index}",
                why="Beside slices, an index is a single integer.",
                way_out="Pick with `rt.take(x, indices, axis=...)` first.",
            )


def key_part(item: Any) -> Part:
    """One place of a key: ints and slices as Python's own where they are known, tensors otherwise."""
    if item is None or item is Ellipsis or type(item) is int:
        return item
    if isinstance(item, slice):
        return slice(*[end if end is None else _end(end) for end in (item.start, item.stop, item.step)])
    if isinstance(item, np.integer):
        return int(item)
    try:
        tensor = as_tensor(item)
    except DTypeError:  # text, objects
        raise InvalidIndex(f"{short(item)} is no index") from None
    if shapes.size(tensor.static_shape) == 0 and not hasattr(item, "dtype"):  # a list, a range
        return ops.cast(tensor, int64)
    if not (tensor.dtype.is_integer or tensor.dtype.is_bool):
        what = short(item) if isinstance(item, (float, complex)) else f"a tensor of {tensor.dtype.name}"
        raise InvalidIndex(f"{what} is no index")
    return _known(tensor) if tensor.dtype.is_integer and tensor.static_shape == () else tensor


def _end(end: Any) -> Any:
    if isinstance(end, (int, np.integer)):
        return int(end)
    if not isinstance(end, Tensor) and hasattr(end, "__index__") and not hasattr(type(end), "__tensor__"):
        return operator.index(end)
    tensor = as_tensor(end)
    if not tensor.dtype.is_integer:
        raise DTypeError(
            f"an end of a slice is {tensor.dtype.name}",
            why="Slices begin and end between elements, which integers count.",
            way_out=_AS_INTEGER,
        )
    return _known(tensor)


def _known(tensor: Tensor) -> Any:
    value = concrete(tensor)
    return tensor if value is None else int(value)


def is_array_part(part: Part) -> bool:
    """Whether a place of a key holds a tensor with axes, or a bool."""
    return isinstance(part, Tensor) and (part.static_shape != () or part.dtype.is_bool)


def split_key(parts: Sequence[Part]) -> tuple[tuple[Part, ...], list[Tensor]]:
    """A key of literals, and the tensors that its "?"s stand for."""
    operands: list[Tensor] = []

    def literal(value: Any) -> Any:
        if isinstance(value, Tensor):
            operands.append(value)
            return "?"
        return value

    key = [
        tuple([literal(end) for end in (part.start, part.stop, part.step)])
        if isinstance(part, slice)
        else literal(part)
        for part in parts
    ]
    return tuple(key), operands
