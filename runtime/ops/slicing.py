"""Basic indexing: ``x[1, ..., 2:, None]``.

The parts of a key that are known when the op is made stand in its `key`; tensors come in as inputs, and a
``"?"`` marks the place of each.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from runtime import ops
from runtime.core import dims, shapes
from runtime.core.dims import SymbolicDim
from runtime.core.dtypes import DType, int64
from runtime.core.shapes import UNKNOWN, Dim, Shape
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.core.tensor import Array, Tensor, TensorLike, short
from runtime.errors import DTypeError, IndexOutOfRange, InvalidIndex, ShapeError
from runtime.graph.build import as_tensor, bind, current_builder
from runtime.graph.op import NOTHING, Failures
from runtime.ops.core import computed, indices, length, move, scalar
from runtime.ops.facts import GraphDefBuilder, Sample, misfits, sharing
from runtime.ops.families import IndexMap, cast_operand, concrete, known_dim

__all__ = [
    "DynamicStridedSlice",
    "Key",
    "StridedSlice",
    "get_item",
    "require_axes",
    "require_one_ellipsis",
    "slice_length",
    "split_key",
]

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

    samples = (
        Sample((np.arange(6.0).reshape(2, 3), np.array(1)), {"key": ("?",), "known": ()}),
        Sample((np.arange(6.0), np.array(1), np.array(-1)), {"key": (("?", "?", None), None), "known": ()}),
        Sample(
            (np.arange(6.0).reshape(2, 3), np.array(2)), {"key": (Ellipsis, (None, None, "?")), "known": ()}
        ),
    )
    aliases = sharing(0)

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, *indices = operands
        return [x, *[cast_operand(index, int64) for index in indices]]

    def infer(self, x: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        require_scalars(indices)
        return x.with_shape(selected_shape(x.shape, _with_known_ends(self.key, self.known)))

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
        return cut(x, parts_of(self.key, indices))

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        masked = StridedKey(self.key)
        ends = masked.written_ends(builder, inputs[1:])
        return [builder.node("StridedSlice", [inputs[0], *ends], **masked.attributes(specs[0].dtype))]


def shows_part(key: Sequence[Part], result: Spec) -> bool:
    """Whether NumPy gives a view for a key: a single element is a copy, unless an ellipsis is in the key."""
    return as_array_spec(result).shape != () or any(part is Ellipsis for part in key)


def _with_known_ends(key: tuple[Part, ...], known: Sequence[Dim]) -> tuple[Part, ...]:
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


def cut(x: Tensor, parts: Sequence[Part]) -> Tensor | None:
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
        if not isinstance(part, slice):
            is_counted = isinstance(part, int) and part >= 0
            index.append(part if is_counted else from_front(part, length(x, axis)))
            continue
        run = Run.of(part, length(x, axis))
        if run is None:
            return None
        shape.append(run.count)
        index.append(run.start + next(place) * run.step)
    return move(x, shape, index)


def require_scalars(indices: Sequence[ArraySpec]) -> None:
    for index in indices:
        if index.shape not in {(), None}:
            raise ShapeError(
                f"an index among slices is {index}",
                why="Beside slices, an index is a single integer.",
                way_out="Pick with `rt.take(x, indices, axis=...)` first.",
            )


# ── the shape that a key selects ──────────────────────────────────────────────────────────────────────


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
    if isinstance(dim, int) and "?" not in ends:
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


# ── keys as users write them ──────────────────────────────────────────────────────────────────────────


def get_item(x: TensorLike, key: Any, /) -> Tensor:
    """``x[key]``: the part of `x` that `key` selects.

    Parameters
    ----------
    x : Tensor of any dtype
    key : int, slice, None, Ellipsis, Tensor of ints or bool, or tuple of these

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    IndexOutOfRange
        When an index is outside its axis, in the run where it is a tensor, or there are more than axes.
    InvalidIndex
        When a part of `key` is no index, or its tensors do not broadcast together.

    Notes
    -----
    GraphDef "StridedSlice"; "GatherV2" where the key is a tensor with axes. Semantics: NumPy indexing.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.asarray([[1, 2, 3], [4, 5, 6]])[rt.asarray(1), ::2]
    <Tensor: shape=(2,), dtype=int64, numpy=array([4, 6])>
    """
    items = key if isinstance(key, tuple) else (key,)
    if type(x) is Tensor and current_builder() is None:
        found = _read_at_once(x._array, items)
        if found is not None:
            return found
    if all(map(_is_literal, items)):
        return bind(StridedSlice(Key(items)), x)
    if type(key) is Tensor and key.ndim and key.dtype.is_integer and as_tensor(x).static_shape:
        return ops.take(x, key, axis=0)
    parts = [key_part(each) for each in items]
    if any(is_array_part(part) for part in parts):
        return ops.get_advanced(x, parts)
    literal, operands = split_key(parts)
    if operands:
        known = tuple(map(known_dim, operands))
        known = known if any(dim is not UNKNOWN for dim in known) else ()
        return bind(DynamicStridedSlice(literal, known), x, *operands)
    return bind(StridedSlice(Key(parts)), x)


def _read_at_once(array: Array, items: Sequence[Any]) -> Tensor | None:
    """What NumPy reads by literals, tensors and arrays; None for other keys, and those that it refuses."""
    index = []
    for item in items:
        if type(item) is Tensor:
            index.append(item._array)
        elif _is_literal(item) or (isinstance(item, (np.ndarray, np.generic)) and item.dtype.kind in "biu"):
            index.append(item)
        else:
            return None
    if array.dtype.hasobject:  # a list of tensors
        return None
    try:
        return Tensor(array[tuple(index)])
    except IndexError:
        return None


def _is_literal(item: Any) -> bool:
    """Whether a place of a key is written with Python's own ints alone."""
    kind = type(item)
    if kind is slice:
        return {type(item.start), type(item.stop), type(item.step)} <= _LITERAL_ENDS
    return kind is int or item is None or item is Ellipsis


_LITERAL_ENDS = frozenset((int, type(None)))


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


def failures_of_key(key: tuple[Any, ...], indices: Sequence[ArraySpec]) -> Failures:
    """What a key with these numbers in it may raise: they may be out of range, or a step be 0."""
    failures: Failures = frozenset([IndexOutOfRange])
    if any(isinstance(part, tuple) and part[2] == "?" for part in key):
        failures |= {ValueError}
    return failures if all(spec.shape is not None for spec in indices) else failures | {TypeError}
