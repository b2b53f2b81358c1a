"""Slices of windows: how many elements they take, where their ends are seen to be inside.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     x: f32[9]
...     n: i64[]
...     a = Const(6, dtype=i64)
...     b = FloorMod(n, a)
...     c = Const(3, dtype=i64)
...     d = AddV2(b, c)
...     e: f32[e.0] = DynamicStridedSlice(x, b, d, key=(('?', '?', None),))
...     return e
... '''))
x: f32[9]
n: i64[]
a = Const(6, dtype=i64)
b = FloorMod(n, a)
c = Const(3, dtype=i64)
d = AddV2(b, c)
e = DynamicStridedSlice(x, b, d, key=(('?', '?', None),), lengths=(3,))
return e
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.analysis.ranges import Range, Ranges
from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.ops.arithmetic import AddV2, Mul, Neg, Sub
from runtime.ops.slicing.cutting import DynamicStridedSlice
from runtime.ops.slicing.keys import spread
from runtime.ops.updating.replacing import TensorStridedSliceUpdate
from runtime.passes.rebuild import DoomedNode, with_ops

__all__ = ["run"]

_SLICED = frozenset({DynamicStridedSlice, TensorStridedSliceUpdate})


def run(graph: Graph) -> Graph:
    """`graph` in which slices of windows say how long these are."""
    sliced = [node for inner in graph.walk() for node in inner.nodes if type(node.op) in _SLICED]
    if not any(map(_may_learn, sliced)):
        return graph
    ranges = Ranges(graph)
    try:
        return with_ops(graph, _SLICED, lambda: lambda node: _learnt(node, ranges))
    except DoomedNode:
        return graph


def _may_learn(node: Node) -> bool:
    """Whether it is a slice with two ends that only the run knows."""
    op = node.op
    if not isinstance(op, DynamicStridedSlice | TensorStridedSliceUpdate) or op.lengths:
        return False
    return not _COUNTED_UP.isdisjoint(op.key)


_COUNTED_UP = frozenset({("?", "?", None), ("?", "?", 1)})
"""Slices whose ends only the run knows, and which take one element after the other."""


def _learnt(node: Node, ranges: Ranges) -> Any:
    """The op of a slice, with the lengths of its windows."""
    op, spec = node.op, node.inputs[0].spec
    if not _may_learn(node) or not isinstance(spec, ArraySpec) or spec.shape is None:
        return op
    assert isinstance(op, DynamicStridedSlice | TensorStridedSliceUpdate), "it was asked"
    ends = node.inputs[1 if isinstance(op, DynamicStridedSlice) else 2 :]
    lengths = tuple(_lengths(op.key, ends, spec.shape, ranges))
    if not any(lengths):
        return op
    if isinstance(op, DynamicStridedSlice):
        return DynamicStridedSlice(op.key, op.known, lengths)
    return TensorStridedSliceUpdate(op.key, lengths)


def _lengths(
    key: Sequence[Any], ends: Sequence[Value], shape: Sequence[Any], ranges: Ranges
) -> Iterator[int | None]:
    """How many elements each slice of a key takes, of those that are windows."""
    left = iter(ends)
    axes = iter(range(len(shape)))
    for part in spread(key, len(shape)):
        axis = None if part is None else next(axes)
        own = [next(left) for end in (part if isinstance(part, tuple) else (part,)) if end == "?"]
        if isinstance(part, tuple):
            yield _length(own[0], own[1], shape[axis or 0], ranges) if part in _COUNTED_UP else None


def _length(start: Value, stop: Value, dim: Any, ranges: Ranges) -> int | None:
    """The length of a window that is surely inside of an axis."""
    inside = Range(0, dim) if isinstance(dim, int) else None
    found = [ranges.of(start), ranges.of(stop)]
    if inside is None or not all(each is not None and each.is_in(inside) for each in found):
        return None
    terms, count = _affine(stop)
    others, before = _affine(start)
    terms.subtract(others)
    return count - before if not any(terms.values()) and count >= before else None


def _affine(value: Value) -> tuple[Counter[Value], int]:
    """A number as a sum of others, each so many times, and of a number that is known.

    It may wrap around on the way; what is inside of an axis in the end does not.
    """
    one, *rest = value.node.inputs or (value,)
    match value.op:
        case Const(number):
            return Counter(), int(number)
        case AddV2():
            return _sum(one, rest[0], 1)
        case Sub():
            return _sum(one, rest[0], -1)
        case Neg():
            return _times(one, -1)
        case Mul():
            for factor, other in ((one, rest[0]), (rest[0], one)):
                if isinstance(factor.op, Const):
                    return _times(other, int(factor.op.value))
    return Counter({value: 1}), 0


def _sum(one: Value, other: Value, sign: int) -> tuple[Counter[Value], int]:
    terms, number = _affine(one)
    others, rest = _times(other, sign)
    terms.update(others)
    return terms, number + rest


def _times(value: Value, factor: int) -> tuple[Counter[Value], int]:
    terms, number = _affine(value)
    return Counter({each: count * factor for each, count in terms.items()}), number * factor
