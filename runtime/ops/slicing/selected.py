"""The shape that a key selects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.core import dims, shapes
from runtime.core.dims import SymbolicDim
from runtime.core.shapes import UNKNOWN, Dim, Shape
from runtime.errors import IndexOutOfRange, InvalidIndex
from runtime.ops.slicing.keys import Part

__all__ = ["require_axes", "require_one_ellipsis", "slice_length"]


def selected_shape(shape: Shape, key: Sequence[Part]) -> Shape:
    """The shape of ``x[key]``.

    Raises
    ------
    IndexOutOfRange
        When there are more indices than axes, or one is outside its axis.
    """
    require_one_ellipsis(key)
    if shape is None:
        return None
    used = sum(part is not None and part is not Ellipsis for part in key)
    require_axes(shape, used)
    return tuple(_walk(shape, key, len(shape) - used))


def require_one_ellipsis(key: Sequence[Part]) -> None:
    """Refuses a key with several Ellipses.

    Raises
    ------
    InvalidIndex
        When there is more than one.
    """
    if sum(part is Ellipsis for part in key) > 1:
        raise InvalidIndex(
            "an index has more than one Ellipsis",
            why="It stands for as many axes as are left, so there can be one.",
            way_out="Write `:` for each single axis.",
        )


def require_axes(shape: tuple[Dim, ...], used: int) -> None:
    """Refuses a key that counts along more axes than there are.

    Raises
    ------
    IndexOutOfRange
        When `used`, the number of axes that it counts along, is above the rank.
    """
    if used > len(shape):
        raise IndexOutOfRange(
            f"too many indices for shape {shapes.text(shape)}",
            why=f"The key counts along {used} axes, and a tensor of rank {len(shape)} has no more than that.",
            way_out="Give one index for each axis, or fewer.",
        )


def _walk(shape: tuple[Dim, ...], key: Sequence[Part], rest: int) -> Iterator[Dim]:
    axis = 0
    for part in key:
        if part is None:
            yield 1
        elif part is Ellipsis:
            yield from shape[axis : axis + rest]
            axis, rest = axis + rest, 0
        else:
            if isinstance(part, (slice, tuple)):
                yield slice_length(shape[axis], part)
            elif part != "?":
                _require_inside(part, axis, shape[axis])
            axis += 1
    yield from shape[axis:]


def _require_inside(index: int, axis: int, dim: Dim) -> None:
    if isinstance(dim, int) and not -dim <= index < dim:
        raise IndexOutOfRange(
            f"index {index} is out of bounds for axis {axis} with size {dim}",
            way_out=f"Give one from {-dim} to {dim - 1}." if dim else "Test `len(x) > 0` first.",
        )


def slice_length(dim: Dim, part: Part) -> Dim:
    """The length that a slice leaves of an axis."""
    ends = (part.start, part.stop, part.step) if isinstance(part, slice) else part
    if ends in {(None, None, None), (None, None, 1), (None, None, -1)}:
        return dim
    if isinstance(dim, int) and not any(end == "?" or isinstance(end, SymbolicDim) for end in ends):
        return len(range(*slice(*ends).indices(dim)))
    if not all(end is None or isinstance(end, (int, SymbolicDim)) for end in ends):
        return UNKNOWN
    return _symbolic_length(dim, *ends)


def _symbolic_length(dim: Dim, start: Dim | None, stop: Dim | None, step: Dim | None) -> Dim:
    """As `slice_length`, of a length that only a run knows."""
    step = 1 if step is None else step
    if not isinstance(step, int) or step == 0:
        return UNKNOWN
    # backwards, places are counted from the last one on: place p is the (dim - 1 - p)th
    ends = [_place(dim, 0, start), _place(dim, dim, stop)] if step > 0 else []
    if step < 0:
        ends = [dim - _place(dim, dim, start, 1), dim - _place(dim, 0, stop, 1)]
    return dims.maximum(ends[1] - ends[0] + (abs(step) - 1), 0) // abs(step)


def _place(dim: Dim, default: Dim, end: Dim | None, shift: int = 0) -> Dim:
    """Where an end of a slice lies: counted from the back where it is negative, and inside of the axis."""
    if end is None:
        return default
    if dim - end == 1 and shift == 0:
        return dims.maximum(end, 0)  # of an axis without elements that is -1, which means the same
    if dims.at_least(end, 0):
        return dims.minimum(end + shift, dim)
    if dims.at_most(end, -1):
        return dims.maximum(dim + end + shift, 0)
    return UNKNOWN
