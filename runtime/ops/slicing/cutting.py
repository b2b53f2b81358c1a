"""The ops that cut a part out of a tensor, and where its elements are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, int64
from runtime.core.shapes import Dim
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.core.tensor import Array, Tensor
from runtime.errors import IndexOutOfRange
from runtime.graph.op import NOTHING, Failures
from runtime.ops.core import computed, indices, length, move, scalar
from runtime.ops.facts import GraphDefBuilder, Sample, misfits, sharing
from runtime.ops.families import IndexMap
from runtime.ops.known import concrete
from runtime.ops.promotion import cast_operand
from runtime.ops.slicing.keys import (
    Key,
    Part,
    filled_key,
    parts_of,
    require_scalars,
    spread,
    with_known_ends,
    with_lengths,
)
from runtime.ops.slicing.selected import selected_shape

__all__ = ["DynamicStridedSlice", "StridedSlice"]


class StridedSlice(IndexMap):
    """The part of a tensor that a key of ints and slices selects."""

    key: Key

    samples = (
        Sample((np.arange(6.0).reshape(2, 3),), {"key": Key([1])}),
        Sample((np.arange(6.0).reshape(2, 3),), {"key": Key([Ellipsis, slice(None, None, -1)])}),
        Sample((np.arange(24).reshape(2, 3, 4),), {"key": Key([slice(0, 1), None, -1, slice(1, 9, 2)])}),
        Sample((np.array(3.0),), {"key": Key([None])}),
    )
    aliases = sharing(0)
    makes_arrays = True

    def infer(self, x: ArraySpec) -> ArraySpec:
        return x.with_shape(selected_shape(x.shape, self.key))

    def raises(self, *specs: ArraySpec) -> Failures:
        return NOTHING if shapes.is_known(specs[0].shape) else frozenset([IndexOutOfRange])

    def kernel(self, x: Array) -> Any:
        return np.asarray(x)[self.key]

    def is_view(self, x: Spec, result: Spec) -> bool:
        del x
        return shows_part(self.key, result)

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        del output
        return ops.set_item(whole, tuple(self.key), part)

    def decompose(self, x: Tensor) -> Tensor | None:
        return cut(x, self.key)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        masked = StridedKey([(p.start, p.stop, p.step) if isinstance(p, slice) else p for p in self.key])
        ends = [builder.constant(part, int64) for part in masked.ends]
        return [builder.node("StridedSlice", [inputs[0], *ends], **masked.attributes(specs[0].dtype))]


class DynamicStridedSlice(IndexMap):
    """A `StridedSlice` where inputs after the first stand for each ``"?"`` of the key.

    Slices are written as triples, so that the key is made of plain literals.
    """

    key: tuple[Part, ...]

    known: tuple[Dim, ...] = ()
    """What is known of the inputs that stand for each ``"?"``; empty where nothing is."""

    lengths: tuple[int | None, ...] = ()
    """How many elements each slice is sure to take, all of them inside; empty where nobody knows."""

    samples = (
        Sample((np.arange(6.0).reshape(2, 3), np.array(1)), {"key": ("?",), "known": (), "lengths": ()}),
        Sample(
            (np.arange(6.0), np.array(1), np.array(-1)),
            {"key": (("?", "?", None), None), "known": (), "lengths": ()},
        ),
        Sample(
            (np.arange(6.0).reshape(2, 3), np.array(2)),
            {"key": (Ellipsis, (None, None, "?")), "known": (), "lengths": ()},
        ),
        Sample(
            (np.arange(12.0).reshape(2, 6), np.array(2), np.array(5)),
            {"key": ((None, None, None), ("?", "?", None)), "known": (), "lengths": (None, 3)},
        ),
    )
    aliases = sharing(0)
    makes_arrays = True

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, *indices = operands
        return [x, *[cast_operand(index, int64) for index in indices]]

    def infer(self, x: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        require_scalars(indices)
        key = with_lengths(with_known_ends(self.key, self.known), self.lengths)
        return x.with_shape(selected_shape(x.shape, key))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | failures_of_key(self.key, specs[1:])

    def kernel(self, x: Array, *indices: Array) -> Any:
        return np.asarray(x)[filled_key(self.key, indices)]

    def is_view(self, x: Spec, result: Spec) -> bool:
        del x
        return shows_part(self.key, result)

    def put_back(self, output: int, whole: Tensor, part: Tensor, *indices: Tensor) -> Tensor:
        del output
        return ops.set_item(whole, tuple(parts_of(self.key, indices)), part)

    def decompose(self, x: Tensor, *indices: Tensor) -> Tensor | None:
        return cut(x, with_runs(parts_of(self.key, indices), self.lengths))

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        masked = StridedKey(self.key)
        ends = masked.written_ends(builder, inputs[1:])
        return [builder.node("StridedSlice", [inputs[0], *ends], **masked.attributes(specs[0].dtype))]


def shows_part(key: Sequence[Part], result: Spec) -> bool:
    """Whether NumPy gives a view for a key: a single element is a copy, unless an ellipsis is in the key."""
    return as_array_spec(result).shape != () or any(part is Ellipsis for part in key)


@dataclass(frozen=True)
class Run:
    """What a slice selects along an axis: from a place on, in steps, so many."""

    start: Dim
    count: Dim
    step: int

    @classmethod
    def of(cls, part: slice[Any, Any, Any], own: Dim) -> Run | None:
        """The run of a slice along an axis of this length; None where the sign of its step is not known."""
        step = 1 if part.step is None else part.step
        if isinstance(step, Tensor):
            known = concrete(step)
            if known is None:
                return None
            step = int(known)
        if isinstance(own, int) and not any(isinstance(end, Tensor) for end in (part.start, part.stop)):
            counted = range(own)[slice(part.start, part.stop, step)]
            return cls(counted.start, len(counted), step)
        low, high = (0, own) if step > 0 else (-1, own - 1)
        first, last = (low, high) if step > 0 else (high, low)
        start = first if part.start is None else _inside(part.start, own, low, high)
        stop = last if part.stop is None else _inside(part.stop, own, low, high)
        distance = stop - start if step > 0 else start - stop
        if abs(step) == 1 and distance == own:
            return cls(start, own, step)
        rounded = f"maximum((x0 + i64({abs(step) - 1})) // i64({abs(step)}), i64(0))"
        return cls(start, computed(rounded, distance), step)


def with_runs(parts: Sequence[Part], lengths: Sequence[int | None]) -> list[Part | Run]:
    """Parts of a key, with runs in the place of slices that are known to take so many elements."""
    left, found = iter(lengths), list[Part | Run]()
    for part in parts:
        count = next(left, None) if isinstance(part, slice) else None
        start = part.start if isinstance(part, slice) else None
        first = scalar(start) if isinstance(start, Tensor) else start or 0
        found.append(part if count is None else Run(first, count, 1))
    return found


def is_whole(part: Part) -> bool:
    """Whether a part of a key selects all of an axis."""
    return isinstance(part, slice) and part.start is part.stop is part.step is None


def _inside(end: int | Tensor, own: Dim, low: Dim, high: Dim) -> Dim:
    """An end of a slice counted from the front, and no further out than an axis goes."""
    if isinstance(end, int):
        place = own + end if end < 0 else end
        return computed("maximum(minimum(x0, x1), x2)", place, high, low)
    return computed("maximum(minimum(select(x0 < i64(0), x0 + x1, x0), x2), x3)", scalar(end), own, high, low)


def from_front(place: int | Tensor, own: Dim) -> Dim:
    """An index along an axis of this length, counted from the front."""
    if isinstance(place, int):
        return own + place if place < 0 else place
    return computed("select(x0 < i64(0), x0 + x1, x0)", scalar(place), own)


def cut(x: Tensor, parts: Sequence[Part | Run]) -> Tensor | None:
    """``x[parts]`` of ints, slices, None and an ellipsis; None where too little is known of it."""
    if x.static_shape is None:
        return None
    if all(map(is_whole, parts)):
        return x
    shape: list[Dim] = []
    index: list[Dim] = []
    place = iter(indices(len(parts) + x.ndim))
    for part in spread(parts, x.ndim):
        if part is None:
            next(place)
            shape.append(1)
            continue
        axis = len(index)
        if not isinstance(part, slice | Run):
            is_counted = isinstance(part, int) and part >= 0
            index.append(part if is_counted else from_front(part, length(x, axis)))
            continue
        run = part if isinstance(part, Run) else Run.of(part, length(x, axis))
        if run is None:
            return None
        shape.append(run.count)
        index.append(run.start + next(place) * run.step)
    return move(x, shape, index)


class StridedKey:
    """A key as the operands of TensorFlow's StridedSlice: begin, end, strides, and masks of bits."""

    def __init__(self, key: Sequence[Part]) -> None:
        self.ends: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
        self.masks = dict.fromkeys(
            ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"], 0
        )
        for place, part in enumerate(key):
            for column, end in zip(self.ends, self._ends(1 << place, part), strict=True):
                column.append(end)

    def _ends(self, bit: int, part: Part) -> tuple[Any, Any, Any]:
        if part is Ellipsis or part is None:
            self.masks["new_axis_mask" if part is None else "ellipsis_mask"] |= bit
            return 0, 0, 1
        if not isinstance(part, tuple):
            self.masks["shrink_axis_mask"] |= bit  # the end of such an axis is not looked at
            return part, 0, 1
        begin, end, stride = part
        self.masks["begin_mask"] |= bit if begin is None else 0
        self.masks["end_mask"] |= bit if end is None else 0
        return begin or 0, end or 0, 1 if stride is None else stride

    def attributes(self, dtype: DType) -> dict[str, Any]:
        """The attributes of the node."""
        return {"T": dtype, "Index": int64, **self.masks}

    def written_ends(self, builder: GraphDefBuilder, indices: Sequence[Any]) -> list[Any]:
        """Begin, end and strides as tensors, some of whose elements are tensors themselves."""
        # `indices` come in the order in which the key is read: place by place, not column by column
        left = iter(indices)
        places = [
            [next(left) if end == "?" else builder.constant(end, int64) for end in place]
            for place in zip(*self.ends, strict=True)
        ]
        return [
            builder.node("Pack", column, T=int64, N=len(column), axis=0)
            for column in map(list, zip(*places, strict=True))
        ]


def failures_of_key(key: tuple[Any, ...], indices: Sequence[ArraySpec]) -> Failures:
    """What a key with these numbers in it may raise: they may be out of range, or a step be 0."""
    failures: Failures = frozenset([IndexOutOfRange])
    if any(isinstance(part, tuple) and part[2] == "?" for part in key):
        failures |= {ValueError}
    return failures if all(spec.shape is not None for spec in indices) else failures | {TypeError}
