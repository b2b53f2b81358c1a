"""Slices of everything, of slices, and of what was just stacked; slices whose indices are known after all.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     x: f32[10,3]
...     a = StridedSlice(x, key=(slice(2, 8, 2),))
...     b = StridedSlice(a, key=(1, slice(None, None, None)))
...     return b
... '''))
x: f32[10,3]
a = StridedSlice(x, key=(slice(2, 8, 2),))
b = StridedSlice(x, key=(4,))
return b
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np

from runtime.core.dataclass import dataclass
from runtime.core.dims import UNKNOWN
from runtime.core.shapes import Dim
from runtime.graph.build import bind
from runtime.graph.graph import Graph, Value
from runtime.graph.op import Const
from runtime.ops.joining import Pack
from runtime.ops.shaping import Shape
from runtime.ops.slicing.cutting import DynamicStridedSlice, StridedSlice
from runtime.ops.slicing.keys import Key, filled_key
from runtime.ops.updating.replacing import TensorStridedSliceUpdate
from runtime.passes.patterns import is_kept
from runtime.passes.rule import Replacement, rewrite, rule, rules_of

__all__ = ["run"]

_ALL = slice(None, None, None)
_WHOLE = {Ellipsis, (None, None, None)}
"""Parts of the keys of updates that select all of an axis, or of several."""


@rule(StridedSlice)
def slice_of_everything(v: Value) -> Replacement:
    """`x[:, ...]` → `x`."""
    (x,) = v.inputs
    key = v.op.attributes()["key"]
    return x if all(part is Ellipsis or _is_all(part) for part in key) and is_kept(v, x) else None


@rule(TensorStridedSliceUpdate)
def update_of_everything(v: Value) -> Replacement:
    """`x[...] = y` → `y`, of the same shape."""
    op, value = v.op, v.inputs[1]
    assert isinstance(op, TensorStridedSliceUpdate), "it is about these"
    if {*op.key} <= _WHOLE and value.spec == v.spec and UNKNOWN not in (value.shape or ()):
        return value
    return None


@rule(DynamicStridedSlice)
def known_after_all(v: Value) -> Replacement:
    """`x[i]` → `x[3]`, where `i` is the constant 3."""
    x, *indices = v.inputs
    found = [index.op.value for index in indices if isinstance(index.op, Const)]
    if len(found) < len(indices):
        return None
    return bind(StridedSlice(Key(filled_key(v.op.attributes()["key"], found))), x)


@rule(StridedSlice)
def item_of_stacked(v: Value) -> Replacement:
    """`stack([x, y])[1]` → `y`."""
    match v:
        case Value(StridedSlice((int() as index, *rest)), [Value(Pack(0), parts)]) if not any(rest):
            return parts[index] if v.spec.contains(parts[index].spec) else None
    return None


@rule(StridedSlice)
def one_dim(v: Value) -> Replacement:
    """`shape(x)[0]` → a constant, where the graph knows that dim."""
    match v:
        case Value(StridedSlice((int() as index,)), [Value(Shape(), [x])]) if x.shape is not None:
            dim = x.shape[index]
            return bind(Const(np.array(dim, v.dtype.numpy))) if isinstance(dim, int) else None
    return None


@rule(StridedSlice)
def slice_of_slice(v: Value) -> Replacement:
    """`x[2:8:2][1]` → `x[4]`, where the dims say what the indices come to."""
    match v:
        case Value(StridedSlice(outer), [Value(StridedSlice(inner), [x])]) if x.shape is not None:
            key = _composed(x.shape, inner, outer)
            return None if key is None else bind(StridedSlice(Key(key)), x)
    return None


def _is_all(part: Any) -> bool:
    return isinstance(part, slice) and part in (_ALL, slice(None, None, 1))


@dataclass(frozen=True)
class _Axis:
    """An axis of a sliced tensor: where it comes from, its length, and which places of it were taken.

    `source` is None for a new axis of length 1. `taken` is "all", or "some" where the length is not known.
    """

    source: int | None
    length: Dim
    taken: range | Literal["all", "some"] = "all"


class _NotComposable(Exception):
    """Two slices that one key cannot say."""


def _composed(shape: Sequence[Dim], inner: Key, outer: Key) -> tuple[Any, ...] | None:
    """The key that selects from a tensor of `shape` what `inner` and then `outer` select."""
    whole = [_Axis(source, length) for source, length in enumerate(shape)]
    parts: list[Any] = [_ALL] * len(shape)
    try:
        axes = list(_sliced(whole, inner, parts))
        axes = list(_sliced(axes, outer, parts))
    except _NotComposable:
        return None
    position = len(parts)
    for axis in reversed(axes):  # from the back, so that the positions in front stay what they were
        if axis.source is None:
            parts.insert(position, None)
        else:
            position = axis.source
    while parts and _is_all(parts[-1]):
        parts.pop()
    return tuple(parts)


def _sliced(axes: Sequence[_Axis], key: Key, parts: list[Any]) -> Iterator[_Axis]:
    """The axes that `key` leaves; writes into `parts` what it takes of each axis of the first tensor."""
    used = sum(part is not None and part is not Ellipsis for part in key)
    rest = iter(axes)
    spare = len(axes) - used
    for part in (*key, Ellipsis):
        if part is None:
            yield _Axis(None, 1)
        elif part is Ellipsis:
            yield from [next(rest) for _ in range(spare)]
            spare = 0
        else:
            axis = next(rest)
            left = _taken(axis, part, parts)
            if left is not None:
                yield left


def _taken(axis: _Axis, part: Any, parts: list[Any]) -> _Axis | None:
    """What one part of a key leaves of one axis: nothing, where it is an index."""
    if _is_all(part):
        return axis
    if axis.source is None:
        if part in (0, -1):
            return None
        raise _NotComposable
    places = axis.taken
    if places == "some":
        raise _NotComposable
    if places == "all":
        if not isinstance(axis.length, int):
            parts[axis.source] = part
            return None if isinstance(part, int) else _Axis(axis.source, UNKNOWN, "some")
        places = range(axis.length)
    assert isinstance(places, range)
    if isinstance(part, int):
        parts[axis.source] = places[part]
        return None
    taken = places[part]
    parts[axis.source] = _as_slice(taken)
    return _Axis(axis.source, len(taken), taken)


def _as_slice(places: range) -> slice:
    """The slice that takes these places, none of them negative."""
    if not places:
        return slice(0, 0, None)
    stop = places.stop if places.stop >= 0 else None
    return slice(places.start, stop, None if places.step == 1 else places.step)


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` with fewer slices."""
    return rewrite(graph, _RULES)
