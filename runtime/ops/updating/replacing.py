"""A part of a tensor, or the elements at some places, replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from runtime.core import shapes
from runtime.core.dtypes import int64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ExportError, IndexOutOfRange, InvalidIndex, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import ANYTHING, Failures
from runtime.ops.core import indices, iota, is_together, length, lengths, move, number_of, scalar_map, scatter
from runtime.ops.facts import TABLE, GraphDef, GraphDefBuilder, GraphDefTensor, Sample, misfits, sharing
from runtime.ops.families import IndexMap
from runtime.ops.gathering.advanced import advanced_shape, array_key, located
from runtime.ops.gathering.along_axis import from_the_front
from runtime.ops.gathering.by_coordinates import coordinates, coordinates_shape
from runtime.ops.known import as_constant
from runtime.ops.promotion import cast_operand
from runtime.ops.slicing.cutting import Run, StridedKey, cut, failures_of_key, is_whole, with_runs
from runtime.ops.slicing.keys import filled_key, parts_of, require_scalars, spread, with_lengths
from runtime.ops.slicing.selected import selected_shape
from runtime.ops.updating import fitting

__all__ = ["AdvancedUpdate", "TensorScatterUpdate", "TensorStridedSliceUpdate", "scatter_update"]


class TensorStridedSliceUpdate(IndexMap):
    """A tensor with the part that a key selects replaced by the second input; then come those of the key."""

    key: tuple[Any, ...]

    lengths: tuple[int | None, ...] = ()
    """How many elements each slice is sure to take, all of them inside; empty where nobody knows."""

    samples = (
        Sample((np.arange(6.0).reshape(2, 3), np.array(9.0), np.array(1)), {"key": ("?", 0), "lengths": ()}),
        Sample((np.arange(6.0), np.array([7.0, 8.0])), {"key": ((1, 3, None),), "lengths": ()}),
        Sample((np.arange(6).reshape(2, 3), np.array([7, 8])), {"key": (Ellipsis, 1), "lengths": ()}),
        Sample(
            (np.arange(6), np.array([7, 8]), np.array(1), np.array(3)),
            {"key": (("?", "?", None),), "lengths": (2,)},
        ),
    )
    aliases = sharing()

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, value, *indices = operands
        x = as_tensor(x)
        return [x, cast_operand(value, x.dtype), *[cast_operand(index, int64) for index in indices]]

    def infer(self, x: ArraySpec, value: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        require_scalars(indices)
        place = selected_shape(x.shape, with_lengths(self.key, self.lengths))
        is_element = place == () and not any(part is Ellipsis for part in self.key)
        fitting.require_fits(value.shape, place, may_lead=not is_element)
        return x

    def updates(self, *specs: Any) -> bool:
        x, _, *indices = specs
        return x.shape != () and all(index.shape == () for index in indices)

    def raises(self, *specs: ArraySpec) -> Failures:
        x, _, *indices = specs
        if not indices and shapes.is_known(x.shape):  # the key was looked at when the node was made
            return misfits(*specs)
        failures = misfits(*specs) | failures_of_key(self.key, indices)
        is_sized = any(isinstance(part, tuple) and "?" in part for part in self.key)  # by the run
        return failures | {ShapeError} if is_sized else failures

    def kernel(self, x: Array, value: Array, *indices: Array) -> Any:
        result = np.array(x)
        result[filled_key(self.key, indices)] = value
        return result

    def decompose(self, x: Tensor, value: Tensor, *indices: Tensor) -> Tensor | None:
        return replaced(x, with_runs(parts_of(self.key, indices), self.lengths), value)

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
    kept = [part is not None for part in key if part is None or isinstance(part, slice | Run)]
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


class Advanced(IndexMap, abstract=True):
    """A tensor changed where an `AdvancedIndex` selects; the second input says to what."""

    key: tuple[Any, ...]

    why_no_graphdef = "TensorFlow has no such op at coordinates"
    aliases = sharing()

    def infer(self, x: ArraySpec, value: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        place = advanced_shape(x.shape, self.key, indices)
        fitting.require_masks_fit(x.shape, self.key, indices)
        if not any(index.dtype.is_bool for index in indices):  # NumPy counts what a mask selects
            fitting.require_fits(value.shape, place)
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


class Scattered(Advanced, abstract=True):
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


def _no_form(op: Scattered, why: str) -> ExportError:
    return ExportError(
        f"`{op.name}` of the key {op.key} cannot be written to a GraphDef",
        why=why,
        way_out="Replace elements by one integer tensor for each of the first axes, or by one mask.",
    )


class AdvancedUpdate(Scattered):
    """A tensor with what an `AdvancedIndex` selects replaced; of repeated places, the last one stays."""

    combine = "set"

    scatter = "TensorScatterUpdate"
    samples = (
        Sample((TABLE, np.array(9.0), np.array([0, 2]), np.array([1, 3])), {"key": ("?", "?")}),
        Sample((TABLE, np.array([7.0, 8.0]), np.array([True, False, True])), {"key": ("?", 0)}),
        Sample((TABLE, np.array(0.5), TABLE > 4), {"key": ("?",)}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, value, *indices = operands
        x = as_tensor(x)
        return [x, cast_operand(value, x.dtype), *indices]

    def kernel(self, x: Array, value: Array, *indices: Array) -> Any:
        result = np.array(x)
        result[array_key(self.key, indices)] = value
        return result


class TensorScatterUpdate(IndexMap):
    """A tensor with the elements or slices at some coordinates replaced."""

    input_names = ("tensor", "indices", "updates")
    graphdef = GraphDef("TensorScatterUpdate", types={"T": "in0", "Tindices": "in1"})
    samples = (
        Sample((TABLE, np.array([[0], [2]]), -np.ones((2, 4)))),
        Sample((TABLE, np.array([[0, 1]], np.int32), np.array([9.0]))),
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
