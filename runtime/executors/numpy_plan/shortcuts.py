"""Ops that Python itself writes, and runs faster than their kernel: ``x[1:n, None]``, ``a if c else b``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.graph.graph import Node
from runtime.ops.gathering import GatherV2
from runtime.ops.selection import SelectV2
from runtime.ops.slicing import DynamicStridedSlice, StridedSlice

__all__ = ["shortcut"]


def shortcut(node: Node, operands: Sequence[str]) -> str | None:
    """The expression of a node over operands, which are names; None where only its kernel will do."""
    specs = [value.spec for value in node.inputs]
    match node.op:
        case StridedSlice(key) | DynamicStridedSlice(key) if specs[0].shape:
            return _indexed(key, operands)
        case GatherV2(axis) if specs[0].shape and specs[1].shape == ():
            return f"{operands[0]}[{':, ' * (axis % len(specs[0].shape))}{operands[1]}]"
        case SelectV2() if all(spec.shape == () for spec in specs):
            condition, left, right = operands
            return f"{left} if {condition} else {right}"
    return None


def _indexed(key: Sequence[Any], operands: Sequence[str]) -> str:
    array, *indices = operands
    rest = iter(indices)
    parts = [_part(part, rest) for part in key]
    return f"{array}[{', '.join(parts) or '...'}]"


def _part(part: Any, indices: Iterator[str]) -> str:
    """One place of a key; an operand stands where it has a "?"."""
    if isinstance(part, slice):
        part = (part.start, part.stop, part.step)
    if isinstance(part, tuple):
        start, stop, step = ["" if end is None else _part(end, indices) for end in part]
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    if part == "?":
        return next(indices)
    return "..." if part is ... else repr(part)
