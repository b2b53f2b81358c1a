"""Tensors with some elements replaced, or computed with: what ``x[key] = value`` means for a tensor.

An update gives a new tensor. Where nobody sees the old one any more, the NumPy executor writes into it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, as_dtype, int64
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, ExportError, IndexOutOfRange, InvalidIndex, ShapeError
from runtime.graph.build import array_spec_of, as_operand, as_tensor, bind, is_of_numbers
from runtime.graph.op import ANYTHING, Failures
from runtime.ops.core import indices, iota, is_together, length, lengths, move, number_of, scalar_map, scatter
from runtime.ops.facts import GraphDef, GraphDefBuilder, GraphDefTensor, Sample, misfits, raising, sharing
from runtime.ops.families import IndexMap, as_constant, cast_operand
from runtime.ops.gathering import (
    advanced_shape,
    array_key,
    coordinates,
    coordinates_shape,
    from_the_front,
    located,
)
from runtime.ops.slicing import (
    Run,
    StridedKey,
    cut,
    failures_of_key,
    filled_key,
    is_array_part,
    is_whole,
    key_part,
    parts_of,
    require_one_ellipsis,
    require_scalars,
    selected_shape,
    spread,
)

__all__ = [
    "AdvancedAdd",
    "AdvancedCombine",
    "AdvancedDivide",
    "AdvancedMaximum",
    "AdvancedMinimum",
    "AdvancedMultiply",
    "AdvancedPower",
    "AdvancedSubtract",
    "AdvancedUpdate",
    "TensorScatterUpdate",
    "TensorStridedSliceUpdate",
    "combine_item",
    "is_advanced",
    "require_same_kind",
    "scatter_update",
    "set_item",
]

_TABLE = np.arange(12.0).reshape(3, 4)


# ── a part replaced ───────────────────────────────────────────────────────────────────────────────────


class TensorStridedSliceUpdate(IndexMap):
    """A tensor with the part that a key selects replaced by the second input; then come those of the key."""

    key: tuple[Any, ...]

    samples = (
        Sample((np.arange(6.0).reshape(2, 3), np.array(9.0), np.array(1)), {"key": ("?", 0)}),
        Sample((np.arange(6.0), np.array([7.0, 8.0])), {"key": ((1, 3, None),)}),
        Sample((np.arange(6).reshape(2, 3), np.array([7, 8])), {"key": (Ellipsis, 1)}),
    )
    aliases = sharing()

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, value, *indices = operands
        x = as_tensor(x)
        return [x, cast_operand(value, x.dtype), *[cast_operand(index, int64) for index in indices]]

    def infer(self, x: ArraySpec, value: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        require_scalars(indices)
        place = selected_shape(x.shape, self.key)
        is_element = place == () and not any(part is Ellipsis for part in self.key)
        _require_fits(value.shape, place, may_lead=not is_element)
        return x

    def updates(self, *specs: Any) -> bool:
        x, _, *indices = specs
        return x.shape != () and all(index.shape == () for index in indices)

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | failures_of_key(self.key, specs[2:])

    def kernel(self, x: Array, value: Array, *indices: Array) -> Any:
        result = np.array(x)
        result[filled_key(self.key, indices)] = value
        return result

    def decompose(self, x: Tensor, value: Tensor, *indices: Tensor) -> Tensor | None:
        return replaced(x, parts_of(self.key, indices), value)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        masked = StridedKey(self.key)
        x, value, *indices = inputs
        ends = masked.written_ends(builder, indices)
        attributes = masked.attributes(specs[0].dtype)
        return [builder.node("TensorStridedSliceUpdate", [x, *ends, value], **attributes)]


def replaced(x: Tensor, parts: Sequence[Any], value: Tensor) -> Tensor | None:
    """`x` with ``x[parts]`` replaced; None where too little is known of the key or of the ranks."""
    if x.static_shape is None or value.static_shape is None:
        return None
    key = spread(parts, x.ndim)
    own = [part for part in key if part is not None]
    touched = [axis for axis, part in enumerate(own) if not is_whole(part)]
    axes = range(touched[0], touched[-1] + 1) if touched else range(min(1, x.ndim))
    runs = [
        Run.of(part, length(x, axis)) if isinstance(part, slice) else part for axis, part in enumerate(own)
    ]
    if any(run is None for run in runs):
        return None
    kept = [part is not None for part in key if part is None or isinstance(part, slice)]
    value = _without(value, kept)
    if not axes:
        return value
    rank = sum(isinstance(runs[axis], Run) for axis in axes)
    places = []
    for axis in axes:
        run = runs[axis]
        if not isinstance(run, Run):
            places.append(as_constant(np.array(run)) if isinstance(run, int) else run)
            continue
        before = sum(isinstance(runs[other], Run) for other in axes if other < axis)
        there = scalar_map(f"x1 + x0 * i64({run.step})", iota(run.count), number_of(run.start))
        shape = [run.count if each == before else 1 for each in range(rank)]
        places.append(move(there, shape, [indices(rank)[before]]))
    return scatter(x, value, axes, *places)


def _without(value: Tensor, kept: Sequence[bool]) -> Tensor:
    """A value that is to be set, without its axes for the new ones of a key, and those that are too many."""
    first = value.ndim - len(kept)
    stays = [axis >= first and kept[axis - first] for axis in range(value.ndim)]
    if all(stays):
        return value
    shape = lengths(value)
    places = dict(zip([axis for axis, stay in enumerate(stays) if stay], indices(sum(stays)), strict=True))
    return move(
        value,
        [each for each, stay in zip(shape, stays, strict=True) if stay],
        [places.get(axis, 0) for axis in range(value.ndim)],
    )


class _Advanced(IndexMap, abstract=True):
    """A tensor changed where an `AdvancedIndex` selects; the second input says to what."""

    key: tuple[Any, ...]

    why_no_graphdef = "TensorFlow has no such op at coordinates"
    aliases = sharing()

    def infer(self, x: ArraySpec, value: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        place = advanced_shape(x.shape, self.key, indices)
        _require_masks_fit(x.shape, self.key, indices)
        if not any(index.dtype.is_bool for index in indices):  # NumPy counts what a mask selects
            _require_fits(value.shape, place)
        return x

    def updates(self, *specs: Any) -> bool:
        return not specs[0].is_scalar

    combine: ClassVar[str]
    """What becomes of an element that is selected: a name in `runtime.ops.core.picking.WRITERS`."""

    def decompose(self, x: Tensor, value: Tensor, *indices: Tensor) -> Tensor | None:
        found = located(x, self.key, indices)
        if found is None or None in self.key or value.static_shape is None:
            return None
        if found.at != (found.axes[0] if is_together(found.axes) else 0):
            return None
        rest = cut(x, found.sliced)
        if rest is None:
            return None
        rank = rest.ndim - len(found.axes) + max(place.ndim for place in found.places)
        changed = scatter(
            rest, _without(value, [True] * rank), found.axes, *found.places, combine=self.combine
        )
        return changed if all(map(is_whole, found.sliced)) else replaced(x, found.sliced, changed)

    def raises(self, *specs: ArraySpec) -> Failures:
        if any(spec.dtype.is_bool for spec in specs[2:]):  # masks fit or do not
            return ANYTHING
        return misfits(*specs) | {InvalidIndex, IndexOutOfRange}


class _Scattered(_Advanced, abstract=True):
    """An update that TensorFlow makes at coordinates, which it computes from the key."""

    scatter: ClassVar[str]
    """TensorFlow's name for it."""

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        x, value, *_ = inputs
        dtype = specs[0].dtype
        if specs[1].dtype is not dtype:
            raise _no_form(self, "TensorFlow updates with values of the tensor's own dtype.")
        places = self._coordinates(builder, inputs, specs)
        there = builder.node("GatherNd", [x, places], Tparams=dtype, Tindices=int64)
        shape = builder.node("Shape", [there], T=dtype, out_type=int64)
        updates = builder.node("BroadcastTo", [value, shape], T=dtype, Tidx=int64)
        return [builder.node(self.scatter, [x, places, updates], T=dtype, Tindices=int64)]

    def _coordinates(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> GraphDefTensor:
        """The coordinates of all that the key selects, along a last axis."""
        x, _, *indices = inputs
        masks = [spec.dtype.is_bool for spec in specs[2:]]
        if self.key == ("?",) and masks[0]:
            return builder.node("Where", indices, "index", T=specs[2].dtype)
        if any(masks) or set(self.key) != {"?"}:
            raise _no_form(self, "TensorFlow has no op for NumPy's mixed indexing.")
        columns = [
            from_the_front(builder, x, index, (specs[0], spec), axis)
            for axis, (index, spec) in enumerate(zip(indices, specs[2:], strict=True))
        ]
        zero = builder.constant(0, int64)
        shared = zero
        for column in columns:  # zeros of the shape to which the columns broadcast
            nothing = builder.node("Mul", [column, zero], "z", T=int64)
            shared = builder.node("AddV2", [shared, nothing], "z", T=int64)
        columns = [builder.node("AddV2", [column, shared], "z", T=int64) for column in columns]
        return builder.node("Pack", columns, T=int64, N=len(columns), axis=-1)


def _no_form(op: _Scattered, why: str) -> ExportError:
    return ExportError(
        f"`{op.name}` of the key {op.key} cannot be written to a GraphDef",
        why=why,
        way_out="Replace elements by one integer tensor for each of the first axes, or by one mask.",
    )


class AdvancedUpdate(_Scattered):
    """A tensor with what an `AdvancedIndex` selects replaced; of repeated places, the last one stays."""

    combine = "set"

    scatter = "TensorScatterUpdate"
    samples = (
        Sample((_TABLE, np.array(9.0), np.array([0, 2]), np.array([1, 3])), {"key": ("?", "?")}),
        Sample((_TABLE, np.array([7.0, 8.0]), np.array([True, False, True])), {"key": ("?", 0)}),
        Sample((_TABLE, np.array(0.5), _TABLE > 4), {"key": ("?",)}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, value, *indices = operands
        x = as_tensor(x)
        return [x, cast_operand(value, x.dtype), *indices]

    def kernel(self, x: Array, value: Array, *indices: Array) -> Any:
        result = np.array(x)
        result[array_key(self.key, indices)] = value
        return result


class AdvancedCombine(_Advanced, abstract=True):
    """A tensor computed with where an `AdvancedIndex` selects, as often as a place is named."""

    ufunc: ClassVar[np.ufunc]

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, value, *indices = operands
        x = as_tensor(x)
        weak = isinstance(value, (bool, int, float, complex))
        if weak and array_spec_of(value).dtype.kind in _kinds_up_to(x.dtype):
            value = cast_operand(value, x.dtype)
        value = as_tensor(value)
        self._require_kind(x.dtype, value.dtype)
        return [x, value, *indices]

    def _require_kind(self, x: DType, value: DType) -> None:
        try:
            found = self.ufunc.resolve_dtypes((x.numpy, value.numpy, None))[-1]
        except TypeError:
            name = self.ufunc.__name__
            raise DTypeError(f"`{name}` is not defined for {x.name} and {value.name}") from None
        require_same_kind(self.ufunc.__name__, as_dtype(found), x)

    def kernel(self, x: Array, value: Array, *indices: Array) -> Any:
        result = np.array(x)
        self.ufunc.at(result, array_key(self.key, indices), value)
        return result


def _kinds_up_to(dtype: DType) -> str:
    """The kinds of Python numbers that take the dtype of a tensor beside them."""
    return {"b": "b", "i": "biu", "u": "biu", "f": "biuf"}.get(dtype.kind, "biufc")


def require_same_kind(name: str, found: DType, kept: DType) -> None:
    """Refuses a result that cannot go back into the tensor that it was computed from.

    Raises
    ------
    DTypeError
        When `found` is of a higher kind than `kept`: a float for an integer, say.
    """
    if not np.can_cast(found.numpy, kept.numpy, "same_kind"):
        raise DTypeError(
            f"`{name}` gives {found.name}, which cannot be stored in a tensor of {kept.name}",
            why="A tensor keeps its dtype when a part of it is computed anew.",
            way_out=f"Cast the tensor first: `x = rt.astype(x, rt.{found.name})`.",
        )


_REPEATED = (
    Sample((_TABLE, np.array(2.0), np.array([0, 2, 0]), np.array([1, 3, 1])), {"key": ("?", "?")}),
    Sample((_TABLE, np.array([2.0, 3.0]), np.array([1, 1])), {"key": (0, "?")}),
)
_WHOLE = (Sample((np.arange(4), np.array([1, 2, 3]), np.array([0, 1, 0])), {"key": ("?",)}),)


class AdvancedAdd(_Scattered, AdvancedCombine):
    """The second input added where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "add"

    ufunc = np.add
    scatter = "TensorScatterAdd"
    samples = _REPEATED + _WHOLE


class AdvancedSubtract(_Scattered, AdvancedCombine):
    """The second input subtracted where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "subtract"

    ufunc = np.subtract
    scatter = "TensorScatterSub"
    samples = _REPEATED + _WHOLE


class AdvancedMultiply(AdvancedCombine):
    """Multiplied by the second input where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "multiply"

    ufunc = np.multiply
    samples = _REPEATED + _WHOLE


class AdvancedDivide(AdvancedCombine):
    """Divided by the second input where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "divide"

    ufunc = np.divide
    samples = _REPEATED


class AdvancedPower(AdvancedCombine):
    """Raised to the second input where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "power"

    ufunc = np.power
    samples = _REPEATED + _WHOLE
    raises = raising(Exception)


class AdvancedMinimum(_Scattered, AdvancedCombine):
    """The lesser of old element and second input where an `AdvancedIndex` selects."""

    combine = "minimum"

    ufunc = np.minimum
    scatter = "TensorScatterMin"
    samples = _REPEATED + _WHOLE


class AdvancedMaximum(_Scattered, AdvancedCombine):
    """The greater of old element and second input where an `AdvancedIndex` selects."""

    combine = "maximum"

    ufunc = np.maximum
    scatter = "TensorScatterMax"
    samples = _REPEATED + _WHOLE


class TensorScatterUpdate(IndexMap):
    """A tensor with the elements or slices at some coordinates replaced."""

    input_names = ("tensor", "indices", "updates")
    graphdef = GraphDef("TensorScatterUpdate", types={"T": "in0", "Tindices": "in1"})
    samples = (
        Sample((_TABLE, np.array([[0], [2]]), -np.ones((2, 4)))),
        Sample((_TABLE, np.array([[0, 1]], np.int32), np.array([9.0]))),
    )
    aliases = sharing()

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, indices, updates = operands
        x = as_tensor(x)
        return [x, indices, cast_operand(updates, x.dtype)]

    def infer(self, x: ArraySpec, indices: ArraySpec, updates: ArraySpec) -> ArraySpec:
        place = coordinates_shape(x.shape, indices)
        if not shapes.compatible(place, updates.shape):
            raise ShapeError(
                f"updates of shape {shapes.text(updates.shape)} do not fit places of {shapes.text(place)}",
                why="There is one update for each place.",
                way_out="Give updates of that shape; `rt.broadcast_to` repeats one.",
            )
        return x

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {IndexOutOfRange}

    def kernel(self, x: Array, indices: Array, updates: Array) -> Any:
        result = np.array(x)
        result[tuple(np.moveaxis(indices, -1, 0))] = updates
        return result

    def decompose(self, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor | None:
        columns = coordinates(indices)
        return (
            scatter(x, updates, range(len(columns)), *columns)
            if columns and x.static_shape is not None
            else None
        )


def scatter_update(x: TensorLike, indices: TensorLike, updates: TensorLike, /) -> Tensor:
    """`x` with the elements or slices at some coordinates replaced.

    Parameters
    ----------
    x : Tensor of any dtype
    indices : Tensor of integers, shape (..., k)
        Each row along the last axis holds the coordinates in the first k axes of `x`.
    updates : Tensor of shape ``indices.shape[:-1] + x.shape[k:]``
        Cast to the dtype of `x`. Where coordinates repeat, the last one stays.

    Returns
    -------
    Tensor of the same shape and dtype
        A new one: `x` does not change.

    Raises
    ------
    IndexOutOfRange
        When a coordinate is outside its axis; in a graph, in the run.

    Notes
    -----
    GraphDef "TensorScatterUpdate". Semantics: TensorFlow `tf.tensor_scatter_nd_update`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.scatter_update(rt.asarray([1, 2, 3]), rt.asarray([[0], [2]]), rt.asarray([9, 8]))
    <Tensor: shape=(3,), dtype=int64, numpy=array([9, 2, 8])>
    """
    return bind(TensorScatterUpdate(), x, indices, updates)


# ── keys as users write them ──────────────────────────────────────────────────────────────────────────


def set_item(x: TensorLike, key: Any, value: TensorLike, /) -> Tensor:
    """`x` with the part that `key` selects replaced: what ``x[key] = value`` means for a tensor.

    Parameters
    ----------
    x : Tensor of any dtype
    key : int, slice, None, Ellipsis, Tensor of ints or bool, or tuple of these
    value : Tensor
        Cast to the dtype of `x`, as NumPy does where an item is set: 1.7 becomes 1 among integers. Its shape
        broadcasts to that of ``x[key]``. Where places repeat, the last one stays.

    Returns
    -------
    Tensor of the same shape and dtype
        A new one: `x` does not change.

    Raises
    ------
    IndexOutOfRange
        When an index is outside its axis, in the run where it is a tensor; when a mask has another shape.
    ShapeError
        When the value does not fit.
    OverflowError
        When a Python integer is outside the range of the dtype.

    Notes
    -----
    GraphDef "TensorStridedSliceUpdate" or "TensorScatterUpdate". Semantics: NumPy assignment to an index.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.set_item(rt.asarray([1, 2, 3]), slice(1, None), 0)
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 0, 0])>
    """
    tensor = as_tensor(x)
    parts = _key_parts(key)
    operand = _as_value(value, tensor.dtype)
    if _is_single_truth(parts):
        return _where(parts[0], tensor, operand)
    literal, operands = ops.split_key(parts)
    kind = AdvancedUpdate if any(map(is_array_part, parts)) else TensorStridedSliceUpdate
    return bind(kind(literal), tensor, operand, *operands)


def combine_item(
    kind: type[AdvancedCombine],
    function: Callable[[TensorLike, TensorLike], Tensor],
    x: TensorLike,
    key: Any,
    value: TensorLike,
) -> Tensor:
    """`x` with the part that `key` selects computed anew: ``function(x[key], value)``; `At` comes here.

    Where a place is named repeatedly, `kind` computes with it repeatedly.
    """
    tensor = as_tensor(x)
    parts = _key_parts(key)
    if any(isinstance(part, Tensor) and part.dtype.is_integer and part.static_shape != () for part in parts):
        _refuse_truths(parts)
        literal, operands = ops.split_key(parts)
        return bind(kind(literal), tensor, _as_value(value, tensor.dtype, weakly=True), *operands)
    whole = _is_single_truth(parts)
    combined = function(tensor if whole else ops.get_item(tensor, tuple(parts)), value)
    require_same_kind(kind.ufunc.__name__, combined.dtype, tensor.dtype)
    return set_item(tensor, tuple(parts), combined)


def is_advanced(key: Any) -> bool:
    """Whether arrays of integers, or masks, are in a key: what they select, NumPy copies."""
    return any(map(is_array_part, _key_parts(key)))


def _key_parts(key: Any) -> list[Any]:
    """The parts of a key: ints and slices as Python's own where they are known, tensors otherwise."""
    parts = [key_part(each) for each in (key if isinstance(key, tuple) else (key,))]
    require_one_ellipsis(parts)
    return parts


def _as_value(value: TensorLike, dtype: DType, *, weakly: bool = False) -> Any:
    """A value as an operand; a list of Python numbers takes the dtype, as in NumPy.

    With `weakly` it does so only where such a number would.
    """
    if isinstance(value, (list, tuple)) and is_of_numbers(value):
        tensor = as_tensor(value)
        if not weakly or tensor.dtype.kind in _kinds_up_to(dtype):
            return Tensor(np.asarray(value, dtype.numpy))
        return tensor
    return as_operand(value)


def _is_single_truth(parts: Sequence[Any]) -> bool:
    """Whether a key is nothing but one bool, for all of a tensor or nothing."""
    if len(parts) == 1 and _is_truth(parts[0]):
        return True
    _refuse_truths(parts)
    return False


def _is_truth(part: Any) -> bool:
    return isinstance(part, Tensor) and part.dtype.is_bool and part.static_shape == ()


def _refuse_truths(parts: Sequence[Any]) -> None:
    if any(map(_is_truth, parts)):
        raise DTypeError(
            "a single bool is an index among others",
            why="A mask has one truth value for each element or slice.",
            way_out="Write `rt.where(test, rt.set_item(x, key, value), x)`.",
        )


def _where(test: Tensor, x: Tensor, value: Any) -> Tensor:
    """`x` with all of it replaced where a single bool holds."""
    shape = array_spec_of(value).shape
    if (
        shape is not None and x.static_shape is not None and len(shape) > len(x.static_shape)
    ):  # as ``x[test]`` gives it
        placed = set_item(ops.expand_dims(x, axis=0), ops.reshape(test, (1,)), value)
        return ops.squeeze(placed, 0)
    place = None if x.static_shape is None else (1, *x.static_shape)
    _require_fits(array_spec_of(value).shape, place)
    value = ops.broadcast_to(cast_operand(value, x.dtype), ops.shape(x))
    return ops.where(test, value, x)


# ── what fits ─────────────────────────────────────────────────────────────────────────────────────────


def _require_fits(value: Shape, place: Shape, *, may_lead: bool = True) -> None:
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


def _require_masks_fit(shape: Shape, key: Sequence[Any], indices: Sequence[ArraySpec]) -> None:
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


UPDATES = (
    *(TensorStridedSliceUpdate, AdvancedUpdate, TensorScatterUpdate),
    *(AdvancedAdd, AdvancedSubtract, AdvancedMultiply, AdvancedDivide, AdvancedPower),
    *(AdvancedMinimum, AdvancedMaximum),
)
"""Every op that gives its first input, changed."""
