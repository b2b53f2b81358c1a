"""Arrays laid together, and taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import as_dtype
from runtime.core.shapes import normalise_axis
from runtime.core.tensor import Operators, Tensor
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import is_weak
from runtime.numpy_functions.operands import (
    as_indices,
    counts_of,
    dims,
    known,
    known_rank,
    number,
    place_of,
    placed,
    refuse_unless,
    strong,
    together,
)
from runtime.numpy_functions.shaping import at_least
from runtime.numpy_functions.table import implements

__all__ = ["concatenate"]


def _tensors(arrays: Any, dtype: Any, casting: Any = "same_kind") -> list[Tensor]:
    """The arrays to join."""
    items = list(arrays)
    return together(items) if dtype is None else [_let_in(strong(item), dtype, casting) for item in items]


def _let_in(x: Tensor, dtype: Any, casting: Any) -> Tensor:
    """An array in the dtype in which it is joined with others, where a rule of casting lets it in."""
    to = as_dtype(dtype)
    if not np.can_cast(x.dtype.numpy, to.numpy, casting):
        raise TypeError(
            f"Cannot cast array data from {x.dtype.numpy!r} to {to.numpy!r} according to the rule '{casting}'"
        )
    return ops.cast(x, to)


def _rows(arrays: Any, dtype: Any, casting: Any, function: str) -> tuple[Tensor, int] | None:
    """The tensor whose rows are the arrays, and how many axes each has; None for arrays on their own."""
    if not isinstance(arrays, Operators):
        return None
    x = strong(arrays) if dtype is None else _let_in(strong(arrays), dtype, casting)
    return x, known_rank(x, function) - 1


def _laid_end_to_end(rows: Tensor, axis: int, rank: int) -> Tensor:
    """The rows of a tensor, of so many axes each, one behind the other along an axis."""
    place = normalise_axis(axis, rank)
    moved = ops.moveaxis(rows, 0, place)
    lengths = dims(moved)
    return ops.reshape(moved, [*lengths[:place], -1, *lengths[place + 2 :]])


def _as_rows(rows: Tensor, rank: int) -> Tensor:
    """Numbers as rows of one column each; rows of numbers as they are."""
    return ops.expand_dims(rows, axis=1) if rank == 0 else rows


@implements(np.concatenate)
def concatenate(
    arrays: Any, /, axis: int | None = 0, *, dtype: Any = None, casting: str = "same_kind"
) -> Tensor:
    """`np.concatenate`."""
    rows = _rows(arrays, dtype, casting, "np.concatenate")
    if rows is None:
        items = list(arrays)
        if (
            dtype is None and axis is None
        ):  # numbers of Python's own give way to arrays here, and nowhere else
            dtype = ops.result_type(*[number(each) for each in items])
            casting = "unsafe"
        return ops.concat(_tensors(items, dtype, casting), axis=axis)
    return ops.flatten(rows[0]) if axis is None else _laid_end_to_end(rows[0], axis, rows[1])


@implements(np.stack)
def _stack(arrays: Any, axis: int = 0, *, dtype: Any = None, casting: str = "same_kind") -> Tensor:
    rows = _rows(arrays, dtype, casting, "np.stack")
    if rows is not None:
        return ops.moveaxis(rows[0], 0, axis)
    return ops.stack(_tensors(arrays, dtype, casting), axis=axis)


@implements(np.hstack)
def _hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Tensor:
    rows = _rows(tup, dtype, casting, "np.hstack")
    if rows is not None:
        x, rank = rows
        return _laid_end_to_end(x, 0 if rank == 1 else 1, rank) if rank else x
    items = [at_least(1, item) for item in _tensors(tup, dtype, casting)]
    return ops.concat(items, axis=0 if items and items[0].ndim == 1 else 1)


@implements(np.vstack)
def _vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Tensor:
    rows = _rows(tup, dtype, casting, "np.vstack")
    if rows is not None:
        x, rank = rows
        return _laid_end_to_end(x, 0, rank) if rank > 1 else _as_rows(x, rank)
    return ops.concat([at_least(2, item) for item in _tensors(tup, dtype, casting)], axis=0)


@implements(np.dstack)
def _dstack(tup: Any) -> Tensor:
    rows = _rows(tup, None, "same_kind", "np.dstack")
    if rows is not None:
        x, rank = rows
        if rank > 2:
            return _laid_end_to_end(x, 2, rank)
        return ops.moveaxis(x if rank == 2 else ops.expand_dims(_as_rows(x, rank), axis=1), 0, 2)
    return ops.concat([at_least(3, item) for item in _tensors(tup, None)], axis=2)


@implements(np.column_stack)
def _column_stack(tup: Any) -> Tensor:
    rows = _rows(tup, None, "same_kind", "np.column_stack")
    if rows is not None:
        x, rank = rows
        return _laid_end_to_end(x, 1, rank) if rank > 1 else ops.matrix_transpose(_as_rows(x, rank))
    columns = [item if item.ndim > 1 else ops.reshape(item, (-1, 1)) for item in _tensors(tup, None)]
    return ops.concat(columns, axis=1)


@implements(np.block)
def _block(arrays: Any) -> Tensor:
    depth = _depth(arrays)
    rank = max(depth, *[leaf.ndim for leaf in _leaves(arrays)], 0)
    return _joined(arrays, depth, rank)


def _depth(arrays: Any) -> int:
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) else 0


def _leaves(arrays: Any) -> list[Tensor]:
    if isinstance(arrays, list):
        return [leaf for item in arrays for leaf in _leaves(item)]
    return [strong(arrays)]


def _joined(arrays: Any, depth: int, rank: int) -> Tensor:
    """The innermost lists along the last axis, the others along the axes before it."""
    if not isinstance(arrays, list):
        x = strong(arrays)
        return ops.expand_dims(x, axis=tuple(range(rank - x.ndim))) if x.ndim < rank else x
    return concatenate([_joined(item, depth - 1, rank) for item in arrays], axis=-depth)


@implements(np.append)
def _append(arr: Any, values: Any, axis: int | None = None) -> Tensor:
    return concatenate([strong(each) if is_weak(each) else each for each in (arr, values)], axis=axis)


@implements(np.split)
def _split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    x = strong(ary)
    if _are_places(indices_or_sections):
        return _array_split(x, indices_or_sections, axis)
    sections = known(indices_or_sections, "where to split")
    length = ops.dimension(x, place_of(axis, x, "np.split"))
    if not sections.ndim:
        count = int(sections)
        if isinstance(length, int) and length % count:
            raise ShapeError(
                f"an axis of length {length} has no {count} parts of one length",
                why="`np.split` makes parts that are equally long.",
                way_out="Write `np.array_split`, whose parts may differ by one.",
            )
        if not isinstance(length, int):
            fits = ops.equal(length % count, 0)
            refuse_unless(fits, "ShapeError", f"`np.split` into {count} parts: they would differ in length")
    return _array_split(x, sections, axis)


@implements(np.array_split)
def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    x = strong(ary)
    place = place_of(axis, x, "np.array_split")
    if _are_places(indices_or_sections):
        return _between(x, counts_of(indices_or_sections), place)
    sections = known(indices_or_sections, "where to split")
    length = ops.dimension(x, place)
    if sections < 1:
        raise InvalidValue(f"`np.array_split` into {sections} parts", way_out="Give 1 or more.")
    each, longer = length // int(sections), length % int(sections)
    shorter = ops.minimum if isinstance(length, Tensor) else min
    return _between(x, [each * part + shorter(longer, part) for part in range(1, int(sections))], place)


def _are_places(indices_or_sections: Any) -> bool:
    """Whether it is said where to split, and not into how many parts."""
    return isinstance(indices_or_sections, (list, tuple)) or np.ndim(indices_or_sections) > 0


def _between(x: Tensor, ends: Sequence[Any], axis: int) -> list[Tensor]:
    """The parts of `x` between these places of an axis."""
    return [
        x[placed(axis, slice(start, stop))]
        for start, stop in zip([None, *ends], [*ends, None], strict=True)  # the first and the last are open
    ]


@implements(np.hsplit)
def _hsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    x = strong(ary)
    return _split(x, indices_or_sections, axis=1 if known_rank(x, "np.hsplit") > 1 else 0)


@implements(np.vsplit)
def _vsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    x = strong(ary)
    if known_rank(x, "np.vsplit") < 2:
        raise ShapeError(f"`np.vsplit` of {x.spec}", why="It has no rows.", way_out="Write `np.hsplit`.")
    return _split(x, indices_or_sections, axis=0)


@implements(np.dsplit)
def _dsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    return _split(ary, indices_or_sections, axis=2)


@implements(getattr(np, "unstack", None))
def _unstack(x: Any, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    return ops.unstack(strong(x), axis=axis)


@implements(np.insert)
def _insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Tensor:
    x = ops.flatten(strong(arr)) if axis is None else strong(arr)
    place = place_of(0 if axis is None else axis, x, "np.insert")
    added = strong(values, x.dtype)
    at = strong(obj)
    if at.ndim:
        raise ShapeError(
            f"`np.insert` at the places {at.spec}",
            why="Into a tensor it takes one place at a time.",
            way_out="Write one call for each place.",
        )
    length = ops.dimension(x, place)
    fits = ops.logical_and(ops.greater_equal(at, -length), ops.less_equal(at, length))
    refuse_unless(fits, "IndexOutOfRange", "`np.insert` at {0} into an axis of length {1}", at, length)
    if added.ndim < x.ndim or axis is None:
        added = ops.broadcast_to(_along(added, x, place), _row(x, place, added))
    return ops.concat(
        [x[placed(place, slice(None, at))], added, x[placed(place, slice(at, None))]], axis=place
    )


def _along(added: Tensor, x: Tensor, axis: int) -> Tensor:
    """What is inserted, with the axis it is inserted along."""
    return added if added.ndim in {x.ndim, 0} else ops.expand_dims(added, axis=axis)


def _row(x: Tensor, axis: int, added: Tensor) -> tuple[Any, ...]:
    """The shape of what is inserted."""
    length: Any = 1 if added.ndim < x.ndim else ops.shape(added)[axis]
    return tuple([length if place == axis else ops.shape(x)[place] for place in range(x.ndim)])


@implements(np.delete)
def _delete(arr: Any, obj: Any, axis: int | None = None) -> Tensor:
    x = ops.flatten(strong(arr)) if axis is None else strong(arr)
    place = place_of(0 if axis is None else axis, x, "np.delete")
    numbers = ops.arange(ops.shape(x)[place])
    dropped = ops.reshape(numbers[obj if isinstance(obj, slice) else as_indices(obj)], (-1, 1))
    kept = ops.all(ops.not_equal(dropped, numbers), axis=0)
    return ops.take(x, ops.nonzero(kept)[0], axis=place)
