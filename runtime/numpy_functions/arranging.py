"""Elements turned round, repeated, surrounded; diagonals and triangles."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.shapes import normalise_axis
from runtime.core.tensor import Tensor
from runtime.errors import InvalidValue, ShapeError
from runtime.numpy_functions.operands import (
    Axis,
    count_of,
    counts_of,
    dims,
    known,
    known_rank,
    place_of,
    placed,
    refuse_unless,
    require_rank,
    strong,
    whole,
)
from runtime.numpy_functions.table import implements
from runtime.ops.arguments import checked_axis, require_lengths
from runtime.ops.known import concrete

__all__ = ["roll"]


@implements(np.flip)
def _flip(m: Any, axis: Axis = None) -> Tensor:
    return ops.flip(strong(m), axis=axis)


@implements(np.flipud)
def _flipud(m: Any) -> Tensor:
    return ops.flip(strong(m), axis=0)


@implements(np.fliplr)
def _fliplr(m: Any) -> Tensor:
    return ops.flip(strong(m), axis=1)


@implements(np.rot90)
def _rot90(m: Any, k: int = 1, axes: Sequence[int] = (0, 1)) -> Tensor:
    x = strong(m)
    first, second = [place_of(each, x, "np.rot90") for each in axes]
    if first == second:
        raise ShapeError(
            f"`np.rot90` in the plane of axes {tuple(axes)}",
            why="A plane has two axes.",
            way_out="Name two that differ.",
        )
    match whole(k, "`k`") % 4:
        case 0:
            return x
        case 1:
            return ops.swapaxes(ops.flip(x, axis=second), first, second)
        case 2:
            return ops.flip(x, axis=(first, second))
        case _:
            return ops.flip(ops.swapaxes(x, first, second), axis=second)


@implements(np.roll)
def roll(a: Any, shift: Any, axis: Axis = None) -> Tensor:
    """`np.roll`, also by a shift that only the run knows."""
    x = strong(a)
    steps = concrete(strong(shift))
    if strong(shift).ndim > 1:
        raise ShapeError(f"`np.roll` by {strong(shift).spec}", way_out="Give one number for each axis.")
    if steps is not None and axis is None:
        return ops.roll(x, sum(map(int, np.atleast_1d(steps))))
    if steps is not None:
        places = [checked_axis(each, x) for each in np.atleast_1d(axis).tolist()]
        totals: dict[int, int] = {}
        for step, place in np.broadcast(steps, places):
            totals[place] = totals.get(place, 0) + int(step)
        return ops.roll(x, tuple(totals.values()), axis=tuple(totals))
    if axis is None:
        return ops.reshape(_rolled(ops.flatten(x), strong(shift), 0), ops.shape(x))
    if not isinstance(axis, int):
        raise ShapeError(
            "`np.roll` along several axes by a tensor of a graph",
            why="A shift whose value only the run knows is for one axis.",
            way_out="Write one `np.roll` for each axis.",
        )
    return _rolled(x, strong(shift), place_of(axis, x, "np.roll"))


def _rolled(x: Tensor, shift: Tensor, axis: int) -> Tensor:
    """`x` rolled by as many steps as a tensor says."""
    length = ops.shape(x)[axis]
    return ops.take(x, ops.remainder(ops.arange(length) - shift, length), axis=axis)


@implements(np.tile)
def _tile(A: Any, reps: Any) -> Tensor:
    x, times = strong(A), counts_of(reps)
    numbers = [each for each in times if isinstance(each, int)]
    if len(numbers) == len(times):
        return ops.tile(x, numbers)
    x = ops.expand_dims(x, axis=tuple(range(len(times) - known_rank(x, "np.tile"))))
    for axis, count in enumerate(times, x.ndim - len(times)):
        if isinstance(count, Tensor):
            length = dims(x, "np.tile")[axis]
            longer = ops.multiply(length, count)
            refuse_unless(ops.greater_equal(longer, 0), "ValueError", "negative dimensions are not allowed")
            x = ops.take(x, ops.remainder(ops.arange(longer), length), axis=axis)
        else:
            x = ops.tile(x, (count, *[1] * (x.ndim - axis - 1)))
    return x


@implements(np.repeat)
def _repeat(a: Any, repeats: Any, axis: int | None = None) -> Tensor:
    return ops.repeat(strong(a), strong(repeats), axis=axis)


@implements(np.resize)
def _resize(a: Any, new_shape: Any) -> Tensor:
    shape = tuple(np.atleast_1d(known(new_shape, "`new_shape`")).tolist())
    require_lengths(shape)
    flat = ops.flatten(strong(a))
    if flat.static_shape == (0,):
        return ops.zeros(shape, dtype=flat.dtype)
    places = ops.remainder(ops.arange(int(np.prod(shape))), ops.size(flat))
    return ops.reshape(ops.take(flat, places, axis=0), shape)


@implements(np.pad)
def _pad(
    array: Any,
    pad_width: Any,
    mode: str = "constant",
    *,
    constant_values: Any = 0,
    reflect_type: str = "even",
) -> Tensor:
    x = strong(array)
    widths = _widths(pad_width, known_rank(x, "np.pad"))
    is_known = all(isinstance(width, int) for each in widths for width in each)
    is_mirrored = mode in {"reflect", "symmetric"}
    if mode in {"edge", "wrap"} or reflect_type != "even" or (is_mirrored and not is_known):
        return _gathered(x, widths, mode, reflect_type)
    if mode != "constant" and not is_mirrored:
        raise InvalidValue(
            f"`np.pad` of a tensor with mode {mode!r}",
            way_out="The modes are 'constant', 'edge', 'reflect', 'symmetric' and 'wrap'.",
        )
    if mode == "constant":
        return _surrounded(x, widths, constant_values)
    return ops.pad(x, widths, mode=mode)  # type: ignore[arg-type]  # ints, and one of the two that are left


_Widths: TypeAlias = tuple[int | Tensor, int | Tensor]
"""How many elements come before those of an axis, and after them."""


def _widths(pad_width: Any, rank: int) -> list[_Widths]:
    """How many elements come before and after, for each axis."""
    if isinstance(pad_width, dict):
        each = {normalise_axis(axis, rank): width for axis, width in pad_width.items()}
        pairs = [_pair(each.get(axis, 0)) for axis in range(rank)]
    elif isinstance(pad_width, (list, tuple)) and any(isinstance(each, (list, tuple)) for each in pad_width):
        pairs = [_pair(each) for each in pad_width]
    elif isinstance(pad_width, (list, tuple)) or np.ndim(pad_width) < 2:
        pairs = [_pair(pad_width)]
    else:
        pairs = [_pair(each) for each in known(pad_width, "`pad_width`")]
    pairs = pairs * rank if len(pairs) == 1 else pairs
    if len(pairs) != rank:
        raise ShapeError(f"`np.pad` by {len(pairs)} pairs of widths, of {rank} axes")
    for width in itertools.chain.from_iterable(pairs):
        if isinstance(width, Tensor):
            refuse_unless(ops.greater_equal(width, 0), "ValueError", "index can't contain negative values")
        elif width < 0:
            raise ShapeError(
                f"`np.pad` by {pad_width}",
                why="Padding makes an axis longer, or leaves it as it is.",
                way_out="Cut off a part with a slice.",
            )
    return pairs


def _pair(width: Any) -> _Widths:
    """The widths before and after an axis: two, or one for both."""
    counts = counts_of(width)
    if len(counts) > 2:
        raise ShapeError(f"`np.pad` by {len(counts)} widths for an axis", why="It has two sides.")
    return counts[0], counts[-1]


def _surrounded(x: Tensor, widths: list[_Widths], values: Any) -> Tensor:
    """`x` with constants around it, one for each side of each axis or one for all."""
    is_known = all(isinstance(width, int) for each in widths for width in each)
    if is_known and np.ndim(values) == 0:
        return ops.pad(x, widths, constant_values=strong(values, x.dtype))  # type: ignore[arg-type]  # known
    if np.ndim(values) == 0:
        sides: Sequence[Any] = [(values, values)] * len(widths)
    else:
        sides = np.broadcast_to(known(values, "`constant_values`"), (len(widths), 2)).tolist()
    for axis, (each, value) in enumerate(zip(widths, sides, strict=True)):
        before, after = [
            ops.full([*shape[:axis], width, *shape[axis + 1 :]], strong(side, x.dtype))
            for shape in [dims(x, "np.pad")]
            for width, side in zip(each, value, strict=True)
        ]
        x = ops.concat([before, x, after], axis=axis)
    return x


def _gathered(x: Tensor, widths: list[_Widths], mode: str, reflect_type: str) -> Tensor:
    """`x` with elements around it that are its own, further in."""
    if reflect_type != "even":
        raise InvalidValue(
            f"`np.pad` of a tensor with reflect_type={reflect_type!r}", way_out="The one there is is 'even'."
        )
    for axis, (before, after) in enumerate(widths):
        length = dims(x, "np.pad")[axis]
        if not (isinstance(before, int) and isinstance(after, int)):
            _require_elements(length, before + after, axis)
        places = ops.arange(-before, length + after)
        if mode == "edge":
            places = ops.clip(places, 0, length - 1)
        elif mode == "wrap":
            places = ops.remainder(places, length)
        else:
            twice = int(mode == "symmetric")  # the elements at the edge are in the mirror image, too
            there = ops.remainder(places, ops.maximum((length - 1 + twice) * 2, 1))
            places = ops.where(ops.less(there, length), there, (length - 1) * 2 + twice - there)
        x = ops.take(x, places, axis=axis)
    return x


def _require_elements(length: Any, added: Any, axis: int) -> None:
    """Sees to it that an axis has elements, where some are added that are its own."""
    message = f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
    refuse_unless(ops.logical_or(ops.greater(length, 0), ops.equal(added, 0)), "ValueError", message)


@implements(np.tril)
def _tril(m: Any, k: int = 0) -> Tensor:
    return ops.tril(_as_matrix(m, "np.tril"), k=k)


@implements(np.triu)
def _triu(m: Any, k: int = 0) -> Tensor:
    return ops.triu(_as_matrix(m, "np.triu"), k=k)


def _as_matrix(m: Any, function: str) -> Tensor:
    """A matrix or several; a vector as each of the rows of a square one."""
    x = strong(m)
    if x.ndim > 1:
        return x
    require_rank(x, 1, function)
    return ops.broadcast_to(x, (_length(x), _length(x)))


def _length(vector: Tensor) -> Any:
    (length,) = vector.static_shape or (UNKNOWN,)
    return length if isinstance(length, int) else ops.size(vector)


@implements(np.diag)
def _diag(v: Any, k: Any = 0) -> Tensor:
    x = strong(v)
    rank = known_rank(x, "np.diag")
    if rank == 2:
        return ops.linalg.diagonal(x, offset=whole(k, "`k`"))
    if rank != 1:
        raise ShapeError(f"`np.diag` takes a vector or a matrix, not {x.spec}")
    return _with_diagonal(x, count_of(k))


@implements(np.diagflat)
def _diagflat(v: Any, k: Any = 0) -> Tensor:
    return _with_diagonal(ops.flatten(strong(v)), count_of(k))


def _with_diagonal(vector: Tensor, k: int | Tensor) -> Tensor:
    """The square matrix with a vector on one diagonal, and zeros elsewhere."""
    if isinstance(k, int) and abs(k) > np.iinfo(np.intp).max // 2:
        raise InvalidValue(f"a diagonal {k} places aside", why="No matrix is that large.")
    length = _length(vector)
    zeros = ops.zeros((length, length), dtype=vector.dtype)
    square = ops.where(ops.eye(length, dtype=bool), vector, zeros)
    if isinstance(k, int) and k == 0:
        return square
    below, above = [ops.maximum(each, 0) if isinstance(each, Tensor) else max(each, 0) for each in (-k, k)]
    return _surrounded(square, [(below, above), (above, below)], 0)


@implements(np.diagonal)
def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    return ops.linalg.diagonal(ops.moveaxis(strong(a), (axis1, axis2), (-2, -1)), offset=offset)


@implements(np.trace)
def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    return ops.sum(_diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


@implements(np.trim_zeros)
def _trim_zeros(filt: Any, trim: str = "fb") -> Tensor:
    x = strong(filt)
    places = ops.nonzero(x)[0]
    size = ops.size(x)
    found = ops.size(places) > 0
    some = ops.concat([places, ops.reshape(size, (1,))], axis=0)
    first = some[0] if "f" in trim.lower() else 0
    last = ops.where(found, ops.max(ops.where(some < size, some, -1)) + 1, size if "f" in trim.lower() else 0)
    return x[placed(0, slice(first, last if "b" in trim.lower() else None))]
