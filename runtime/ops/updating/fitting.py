"""What fits where: the shapes of values and of masks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core import shapes
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec
from runtime.errors import IndexOutOfRange, ShapeError


def require_fits(value: Shape, place: Shape, *, may_lead: bool = True) -> None:
    """A value broadcasts to its place; axes of length 1 in front do not count, where they `may_lead`."""
    if value is None or place is None:
        return
    extra = max(len(value) - len(place), 0)
    leading, rest = value[:extra], value[extra:]
    try:
        joint = shapes.broadcast(rest, place)
    except ShapeError:
        joint = None
    leads = bool(leading) and (not may_lead or any(isinstance(dim, int) and dim != 1 for dim in leading))
    if joint is None or leads or not shapes.compatible(joint, place):
        raise ShapeError(
            f"a value of shape {shapes.text(value)} does not fit where the key selects {shapes.text(place)}",
            why="What is set is broadcast to the place, which keeps its shape.",
            way_out="Reshape the value, or select a place of its shape.",
        )


def require_masks_fit(shape: Shape, key: Sequence[Any], indices: Sequence[ArraySpec]) -> None:
    """A mask alone is as long as the axes that it covers."""
    if shape is None or tuple(key) != ("?",) or not indices[0].dtype.is_bool:
        return
    mask = indices[0].shape
    if mask is not None and not shapes.compatible(shape[: len(mask)], mask):
        raise IndexOutOfRange(
            f"a mask of shape {shapes.text(mask)} does not match shape {shapes.text(shape)}",
            why="It says of each element, or of each slice along the first axes, whether it is replaced.",
            way_out="Compare the tensor itself, as in `x[x > 0] = 0`.",
        )
