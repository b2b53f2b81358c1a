"""Slices of all, of slices, and of what was just stacked; those whose indices are known; lists of items.

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

from autograph_base.dataclass import dataclass
from runtime.core.dims import UNKNOWN
from runtime.core.shapes import Dim
from runtime.core.tensor import Tensor
from runtime.graph.build import bind
from runtime.graph.graph import Graph, Value
from runtime.graph.op import Const, Op
from runtime.ops.joining import Pack
from runtime.ops.shaping import Shape
from runtime.ops.slicing.cutting import DynamicStridedSlice, StridedSlice
from runtime.ops.slicing.keys import Key, filled_key
from runtime.ops.tensor_list.nodes import TensorListFromTensor
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


@rule(TensorListFromTensor)
def list_of_items(v: Value) -> Replacement:
    """A list of `stack([x[2, 0], x[2, 1], x[2, 2]])` → of `x[2, :3]`, where `x` is known to have them.

    An array of the same elements would lie otherwise in memory, and be added up in another order.
    """
    match v:
        case Value(_, [Value(Pack(0), parts)]):
            part = _stacked(parts)
            return None if part is None else bind(v.op, part)
    return None


def _stacked(items: Sequence[Value]) -> Tensor | None:
    """The part of an array that items of it are, one after the other; None where they are none."""
    first, *others = items
    op, shape = first.op, None if not first.inputs else first.inputs[0].shape
    if not others or shape is None or not _is_item(op):
        return None
    if any(type(each.op) is not type(op) or each.inputs != first.inputs for each in others):
        return None
    key = op.attributes()["key"]
    counted = _counted(key, [each.op.attributes()["key"] for each in others], shape)
    if counted is None:
        return None
    axis, part = counted
    whole: Op = StridedSlice(Key((*key[:axis], part, *key[axis + 1 :])))
    if isinstance(op, DynamicStridedSlice):
        whole = DynamicStridedSlice((*key[:axis], (part.start, part.stop, part.step), *key[axis + 1 :]))
    found: Tensor = bind(whole, *first.inputs)
    return found


def _is_item(op: Any) -> bool:
    """Whether a slice takes one index of each of the first axes."""
    is_slice = isinstance(op, StridedSlice | DynamicStridedSlice)
    return is_slice and all(isinstance(part, int) or part == "?" for part in op.attributes()["key"])


def _counted(first: Key, others: Sequence[Key], shape: Sequence[Dim]) -> tuple[int, slice] | None:
    """The one axis along which the indices of keys count, and all of them at once; None where they do not."""
    axes = [axis for axis, parts in enumerate(zip(first, others[0], strict=False)) if parts[0] != parts[1]]
    if len(axes) != 1:
        return None
    (axis,) = axes
    length, rest = shape[axis], (first[:axis], first[axis + 1 :])
    if not isinstance(length, int) or any((each[:axis], each[axis + 1 :]) != rest for each in others):
        return None
    numbers = [first[axis], *[each[axis] for each in others]]
    if not all(isinstance(each, int) and -length <= each < length for each in numbers):
        return None
    places = [range(length)[each] for each in numbers]
    step = places[1] - places[0] or 1
    counted = range(places[0], places[-1] + (1 if step > 0 else -1), step)
    if list(counted) != places:
        return None
    return axis, _ALL if counted == range(length) else _as_slice(counted)


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
