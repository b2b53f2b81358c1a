"""Indexing with tensors: elements picked by integers or masks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime import ops
from runtime.core import dims, shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int32, int64
from runtime.core.shapes import Dim, Shape, normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import IndexOutOfRange, InvalidIndex, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import FRESH, Aliases, Failures
from runtime.ops import core
from runtime.ops.core import expect, gather, iota, is_together, joined, length, lengths, move, pick
from runtime.ops.facts import (
    INTEGER,
    GraphDef,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    misfits,
    misranked,
    sharing,
)
from runtime.ops.families import IndexMap, as_constant, checked_axis, require_dtype
from runtime.ops.slicing import cut, parts_of, spread

__all__ = [
    "AdvancedIndex",
    "BooleanMask",
    "GatherNd",
    "GatherV2",
    "TakeAlongAxis",
    "gather_nd",
    "get_advanced",
    "take",
    "take_along_axis",
]

_TABLE = np.arange(12.0).reshape(3, 4)


# ── slices along one axis ─────────────────────────────────────────────────────────────────────────────


class GatherV2(IndexMap):
    """Slices along one axis, picked by integers; negative ones count from the end."""

    axis: int

    input_names = ("params", "indices")
    samples = (
        Sample((_TABLE, np.array([2, 0, -1])), {"axis": 0}),
        Sample((_TABLE, np.array([[1], [3]], np.int32)), {"axis": -1}),
        Sample((_TABLE, np.array(1)), {"axis": 1}),
        Sample((_TABLE, np.array([], np.int64)), {"axis": 0}),
    )

    def infer(self, x: ArraySpec, indices: ArraySpec) -> ArraySpec:
        require_dtype("take", indices.dtype, INTEGER)
        if x.shape is None or indices.shape is None:
            return x.with_shape(None)
        axis = normalise_axis(self.axis, len(x.shape))
        return x.with_shape((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(specs[0]) | {IndexOutOfRange}

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return frozenset([0]) if specs[1].shape in {(), None} else FRESH  # one index may be written `x[i]`

    def kernel(self, x: Array, indices: Array) -> Any:
        return x.take(indices, axis=self.axis)

    def is_view(self, x: ArraySpec, result: ArraySpec) -> bool:
        if x.shape is None or result.shape is None:
            return True
        return len(result.shape) == len(x.shape) - 1 and result.shape != ()  # a row that a loop is at

    def put_back(self, output: int, whole: Tensor, part: Tensor, indices: Tensor) -> Tensor:
        del output
        return ops.set_item(whole, (*[slice(None)] * normalise_axis(self.axis, whole.ndim), indices), part)

    def decompose(self, x: Tensor, indices: Tensor) -> Tensor | None:
        return None if x.static_shape is None else gather(x, (normalise_axis(self.axis, x.ndim),), indices)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        x, indices = inputs
        axis = builder.constant(self.axis, int32)
        places = from_the_front(builder, x, indices, specs, self.axis)
        tparams = specs[0].dtype
        return [builder.node(self.name, [x, places, axis], Tparams=tparams, Tindices=int64, Taxis=int32)]


def from_the_front(
    builder: GraphDefBuilder,
    x: GraphDefTensor,
    indices: GraphDefTensor,
    specs: Sequence[ArraySpec],
    axis: int,
) -> GraphDefTensor:
    """Indices into an axis of `x` as int64, counted from the front: TensorFlow refuses negative ones."""
    values, given = specs
    if given.dtype is not int64:
        indices = builder.node("Cast", [indices], "y", SrcT=given.dtype, DstT=int64)
    if given.dtype.kind == "u":
        return indices
    shape = builder.node("Shape", [x], T=values.dtype, out_type=int64)
    ends = [builder.constant([end], int64) for end in (axis, axis + 1, 1)]
    length = builder.node("StridedSlice", [shape, *ends], T=int64, Index=int64, shrink_axis_mask=1)
    is_negative = builder.node("Less", [indices, builder.constant(0, int64)], "z", T=int64)
    shifted = builder.node("AddV2", [indices, length], "z", T=int64)
    return builder.node("SelectV2", [is_negative, shifted, indices], T=int64)


def take(x: TensorLike, indices: TensorLike, /, *, axis: int | None = None) -> Tensor:
    """Slices of `x` along an axis, picked by integers.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., d, ...)
    indices : Tensor of integers, shape (...)
        In ``-d <= i < d``; negative ones count from the end.
    axis : int, optional
        Without it, `x` is flattened first.

    Returns
    -------
    Tensor of the same dtype
        The axis is replaced by the axes of `indices`.

    Raises
    ------
    IndexOutOfRange
        When an index is outside the axis; in a graph, in the run.

    Notes
    -----
    GraphDef "GatherV2". Semantics: Array API 2025.12, `take`, also with `indices` of any rank.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.take(rt.asarray([10, 20, 30]), rt.asarray([2, 0]), axis=0)
    <Tensor: shape=(2,), dtype=int64, numpy=array([30, 10])>
    """
    tensor, places = as_tensor(x), as_tensor(indices)
    require_dtype("take", places.dtype, INTEGER)
    if axis is None and tensor.static_shape is not None and len(tensor.static_shape) == 1:
        axis = 0
    if axis is None:
        return bind(GatherV2(0), ops.flatten(tensor), places)
    return bind(GatherV2(checked_axis(axis, tensor)), tensor, places)


class TakeAlongAxis(IndexMap):
    """Elements picked along one axis, by an integer for each place of the result."""

    axis: int

    why_no_graphdef = "TensorFlow composes it of a GatherNd and the coordinates of every other axis"
    samples = (
        Sample((_TABLE, np.array([[1], [0], [3]])), {"axis": 1}),
        Sample((_TABLE, np.array([[2]])), {"axis": 0}),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, indices: ArraySpec) -> ArraySpec:
        require_dtype("take_along_axis", indices.dtype, INTEGER)
        if x.shape is None or indices.shape is None:
            return x.with_shape(_along(self.axis, x.shape, indices.shape))
        if len(x.shape) != len(indices.shape):
            raise ShapeError(
                f"`take_along_axis` was given indices of shape {shapes.text(indices.shape)} for elements of "
                f"shape {shapes.text(x.shape)}",
                why="It needs as many axes of indices as of elements.",
                way_out="Write `rt.take(x, indices, axis=...)`, or give the indices axes of length 1.",
            )
        axis = normalise_axis(self.axis, len(x.shape))
        rest = shapes.broadcast(_but(x.shape, axis, 1), _but(indices.shape, axis, 1))
        assert rest is not None, "both ranks are known"
        return x.with_shape(_but(rest, axis, indices.shape[axis]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {IndexOutOfRange}

    def kernel(self, x: Array, indices: Array) -> Any:
        return np.take_along_axis(x, indices, self.axis)

    def decompose(self, x: Tensor, indices: Tensor) -> Tensor | None:
        if x.static_shape is None or indices.static_shape is None:
            return None
        axis = normalise_axis(self.axis, x.ndim)
        own, along = lengths(x), core.indices(x.ndim)
        places = [
            indices
            if each == axis
            else move(
                iota(own[each]), [own[each] if axis == each else 1 for axis in range(x.ndim)], [along[each]]
            )
            for each in range(x.ndim)
        ]
        return gather(x, range(x.ndim), *places)


def _along(axis: int, x: Shape, indices: Shape) -> Shape:
    """What is known of elements picked along an axis where one of the two ranks is not known."""
    known = x if indices is None else indices
    if known is None:
        return None
    place = normalise_axis(axis, len(known))
    longer = tuple(
        [dim if dims.at_least(dim, 2) or dim == 0 else UNKNOWN for dim in known]
    )  # 1 may be repeated, for what is not known
    return _but(longer, place, UNKNOWN if indices is None else indices[place])


def _but(shape: tuple[Dim, ...], axis: int, dim: Dim) -> tuple[Dim, ...]:
    """`shape` with another length of one axis."""
    return (*shape[:axis], dim, *shape[axis + 1 :])


def take_along_axis(x: TensorLike, indices: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Elements of `x` picked along an axis, by an integer for each place of the result.

    Parameters
    ----------
    x : Tensor of any dtype
    indices : Tensor of integers
        Of the rank of `x`; the other axes broadcast.
    axis : int, optional

    Returns
    -------
    Tensor of the same dtype, shape of `indices`

    Raises
    ------
    IndexOutOfRange
        When an index is outside the axis; in a graph, in the run.

    Notes
    -----
    Semantics: Array API 2025.12, `take_along_axis`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.take_along_axis(rt.asarray([[3, 1], [2, 4]]), rt.asarray([[1], [0]]))
    <Tensor: shape=(2, 1), dtype=int64, numpy=
    array([[1],
           [2]])>
    """
    tensor = as_tensor(x)
    return bind(TakeAlongAxis(checked_axis(axis, tensor)), tensor, indices)


# ── single places, by their coordinates ───────────────────────────────────────────────────────────────


class GatherNd(IndexMap):
    """Elements or slices, picked by coordinates along the last axis of the second input."""

    input_names = ("params", "indices")
    graphdef = GraphDef("GatherNd", types={"Tparams": "in0", "Tindices": "in1"})
    samples = (
        Sample((_TABLE, np.array([[0, 1], [2, 3]]))),
        Sample((_TABLE, np.array([[[2]], [[0]]]))),
        Sample((_TABLE, np.empty((0, 2), np.int64))),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, indices: ArraySpec) -> ArraySpec:
        return x.with_shape(coordinates_shape(x.shape, indices))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {IndexOutOfRange}

    def kernel(self, x: Array, indices: Array) -> Any:
        return x[tuple(np.moveaxis(indices, -1, 0))]

    def decompose(self, x: Tensor, indices: Tensor) -> Tensor | None:
        columns = coordinates(indices)
        return gather(x, range(len(columns)), *columns) if columns and x.static_shape is not None else None


def coordinates(indices: Tensor) -> list[Tensor]:
    """The columns of coordinates along a last axis; none where it is not known how many there are."""
    depth = indices.static_shape[-1] if indices.static_shape else None
    known = range(depth) if isinstance(depth, int) else ()
    return [pick(indices, indices.ndim - 1, place) for place in known]


def coordinates_shape(shape: Shape, indices: ArraySpec) -> Shape:
    """The shape of what coordinates pick."""
    require_dtype("gather_nd", indices.dtype, INTEGER)
    if indices.shape == ():
        raise ShapeError(
            "the indices of `gather_nd` have no axis",
            why="Coordinates lie along their last axis.",
            way_out="Write `rt.take(x, index, axis=0)` for one index.",
        )
    depth = indices.shape[-1] if indices.shape else None
    if shape is None or indices.shape is None or not isinstance(depth, int):
        return None
    if depth > len(shape):
        raise IndexOutOfRange(
            f"{depth} coordinates are too many for shape {shapes.text(shape)}",
            why=f"It has {len(shape)} axes, and each coordinate counts along one.",
            way_out="Give one coordinate for each axis, or fewer for slices.",
        )
    return (*indices.shape[:-1], *shape[depth:])


def gather_nd(x: TensorLike, indices: TensorLike, /) -> Tensor:
    """Elements or slices of `x`, picked by coordinates.

    Parameters
    ----------
    x : Tensor of any dtype
    indices : Tensor of integers, shape (..., k)
        Each row along the last axis holds the coordinates in the first k axes of `x`.

    Returns
    -------
    Tensor of the same dtype, shape ``indices.shape[:-1] + x.shape[k:]``

    Raises
    ------
    IndexOutOfRange
        When a coordinate is outside its axis; in a graph, in the run.

    Notes
    -----
    GraphDef "GatherNd". Semantics: TensorFlow `tf.gather_nd`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.gather_nd(rt.asarray([[1, 2], [3, 4]]), rt.asarray([[0, 1], [1, 0]]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([2, 3])>
    """
    places = as_tensor(indices)
    require_dtype("gather_nd", places.dtype, INTEGER)
    return bind(GatherNd(), x, places)


class BooleanMask(IndexMap):
    """The elements or slices where a mask of the first axes holds, in order, along one axis."""

    samples = (
        Sample((_TABLE, _TABLE > 4)),
        Sample((_TABLE, np.array([True, False, True]))),
        Sample((_TABLE, np.zeros(3, np.bool_))),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, mask: ArraySpec) -> ArraySpec:
        if x.shape is None or mask.shape is None:
            return x.with_shape(None)
        covered = len(mask.shape)
        _require_mask_fits(x.shape[:covered], mask.shape)
        return x.with_shape((UNKNOWN, *x.shape[covered:]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {IndexOutOfRange}

    def kernel(self, x: Array, mask: Array) -> Any:
        return np.asarray(x)[mask]

    def decompose(self, x: Tensor, mask: Tensor) -> Tensor | None:
        if x.static_shape is None or not mask.static_shape:
            return None
        require_mask_fits(x, mask)
        return gather(x, range(mask.ndim), *ops.nonzero(mask))

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[ArraySpec]
    ) -> list[str]:
        x, mask = inputs
        if specs[1].shape == ():  # `Where` takes no single truth value
            first = builder.constant(0, int32)
            x = builder.node("ExpandDims", [x, first], T=specs[0].dtype, Tdim=int32)
            mask = builder.node("ExpandDims", [mask, first], T=specs[1].dtype, Tdim=int32)
        places = builder.node("Where", [mask], "index", T=specs[1].dtype)
        return [builder.node("GatherNd", [x, places], Tparams=specs[0].dtype, Tindices=int64)]


# ── any NumPy key ─────────────────────────────────────────────────────────────────────────────────────


def require_mask_fits(x: Tensor, mask: Tensor, first: int = 0) -> None:
    """Checks in a run that a mask is as long as the axes that it covers."""
    for axis in range(mask.ndim):
        lengths_there = length(x, first + axis), length(mask, axis)
        message = f"a mask of length {{1}} does not match axis {first + axis}, of length {{0}}"
        expect("x0 == x1", "IndexOutOfRange", message, *lengths_there)


class AdvancedIndex(IndexMap):
    """NumPy's indexing by several tensors, also among slices: further inputs fill each "?" of the key.

    Slices are written as triples, so that the key is made of plain literals.
    """

    key: tuple[Any, ...]

    why_no_graphdef = "TensorFlow has no op for NumPy's mixed indexing"
    samples = (
        Sample((_TABLE, np.array([0, 2]), np.array([1, 3])), {"key": ("?", "?")}),
        Sample((_TABLE, np.array([[0], [2]])), {"key": ("?", (None, None, 2))}),
        Sample((_TABLE[None], np.array([1, 2])), {"key": (0, (None, None, None), "?")}),
        Sample((_TABLE, np.array([True, False, True]), np.array([1, 3])), {"key": ("?", "?")}),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        return x.with_shape(advanced_shape(x.shape, self.key, indices))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {InvalidIndex, IndexOutOfRange}

    def kernel(self, x: Array, *indices: Array) -> Any:
        return np.asarray(x)[array_key(self.key, indices)]

    def decompose(self, x: Tensor, *indices: Tensor) -> Tensor | None:
        found = located(x, self.key, indices)
        if found is None:
            return None
        rest = cut(x, found.sliced)
        if rest is None:
            return None
        picked = gather(rest, found.axes, *found.places)
        at = found.axes[0] if is_together(found.axes) else 0
        if at == found.at:
            return picked
        rank = max(place.ndim for place in found.places)
        others = [axis for axis in range(picked.ndim) if not at <= axis < at + rank]
        perm = [*others[: found.at], *range(at, at + rank), *others[found.at :]]
        return ops.transpose(picked, perm)


class Located(NamedTuple):
    """An index by tensors, taken apart."""

    sliced: list[Any]
    """The key with whole slices in the places of tensors and ints."""
    axes: list[int]
    """Which axes of what `sliced` selects the tensors index."""
    places: list[Tensor]
    """What they say: integers that broadcast together."""
    at: int
    """Where the axes of the places stand in the result."""


def located(x: Tensor, key: Sequence[Any], indices: Sequence[Tensor]) -> Located | None:
    """An index by tensors, taken apart; None where not enough is known of the ranks."""
    if x.static_shape is None or any(index.static_shape is None for index in indices):
        return None
    given = parts_of(key, indices)
    if any(_is_mask(part) and part.ndim == 0 for part in given):
        return None
    used = sum(
        part.ndim if _is_mask(part) else 1 for part in given if part is not None and part is not Ellipsis
    )
    sliced: list[Any] = []
    axes: list[int] = []
    places: list[Tensor] = []
    picks = [place for place, part in enumerate(given) if isinstance(part, (Tensor, int))]
    at, axis = 0, 0
    for part in spread(given, x.ndim, used):
        count = sum(each is not None for each in sliced)
        if isinstance(part, (Tensor, int)):
            at = at if places else axis
            columns = _columns(x, part, count)
            axes += range(axis, axis + len(columns))
            places += columns
            sliced += [slice(None)] * len(columns)
            axis += len(columns)
        else:
            sliced.append(part)
            axis += 1
    return Located(sliced, axes, places, at if picks[-1] - picks[0] == len(picks) - 1 else 0)


def _is_mask(part: Any) -> bool:
    return isinstance(part, Tensor) and part.dtype.is_bool


def _columns(x: Tensor, part: Tensor | int, axis: int) -> list[Tensor]:
    """The integers that an index means for each of the axes that it covers, from `axis` of `x` on."""
    if isinstance(part, int):
        return [as_constant(np.array(part))]
    if not part.dtype.is_bool:
        return [part]
    require_mask_fits(x, part, axis)
    return list(ops.nonzero(part))


def array_key(key: Sequence[Any], indices: Sequence[Array]) -> tuple[Any, ...]:
    """The NumPy index that `key` means, with `indices` in the places marked by "?"."""
    left = iter(indices)
    filled: list[Any] = []
    for part in key:
        if type(part) is tuple:
            filled.append(slice(*[int(next(left)) if end == "?" else end for end in part]))
        else:
            filled.append(next(left) if part == "?" else part)
    return tuple(filled)


def advanced_shape(shape: Shape, key: Sequence[Any], indices: Sequence[ArraySpec]) -> Shape:
    """The shape of ``x[key]``: the indices' own axes stand in their place, or first if they are apart."""
    ops.require_one_ellipsis(key)
    if shape is None or any(index.shape is None for index in indices):
        return None
    parts = list(_with_specs(key, indices))
    used = sum(_axes_used(part, spec) for part, spec in parts)
    ops.require_axes(shape, used)
    kept: list[Dim] = []
    picked: list[Shape] = []
    places: list[tuple[int, int]] = []
    axis = 0
    for count, (part, spec) in enumerate(parts):
        length = len(shape) - used if part is Ellipsis else _axes_used(part, spec)
        covered = shape[axis : axis + length]
        axis += length
        if part is None:
            kept.append(1)
        elif part is Ellipsis:
            kept.extend(covered)
        elif type(part) is tuple:
            kept.append(ops.slice_length(covered[0], part))
        else:
            picked.append(_own_axes(covered, spec))
            places.append((count, len(kept)))
    kept.extend(shape[axis:])
    together = places[-1][0] - places[0][0] == len(places) - 1
    at = places[0][1] if together else 0
    return (*kept[:at], *(joined(picked) or ()), *kept[at:])


def _own_axes(covered: tuple[Dim, ...], spec: ArraySpec | None) -> Shape:
    """The axes that one index brings: a mask one, as long as it has truths."""
    if spec is None or not spec.dtype.is_bool:
        return () if spec is None else spec.shape
    _require_mask_fits(covered, spec.shape)
    return (UNKNOWN,)


def _require_mask_fits(covered: tuple[Dim, ...], mask: Shape) -> None:
    if not shapes.compatible(covered, mask):
        raise IndexOutOfRange(
            f"a mask of shape {shapes.text(mask)} does not match axes of shape {shapes.text(covered)}",
            why="It says of each element, or of each slice along these axes, whether it is taken.",
            way_out="Compare the tensor itself, as in `x[x > 0]`, or mask another axis: `x[:, mask]`.",
        )


def _with_specs(key: Sequence[Any], indices: Sequence[ArraySpec]) -> Iterator[tuple[Any, ArraySpec | None]]:
    """Each part of a key, with the spec of the tensor that a "?" stands for."""
    left = iter(indices)
    for part in key:
        if type(part) is tuple:
            for end in part:
                if end == "?":
                    next(left)
            yield part, None
        else:
            yield part, next(left) if part == "?" else None


def _axes_used(part: Any, spec: ArraySpec | None) -> int:
    if part is None or part is Ellipsis:
        return 0
    return len(spec.shape) if spec is not None and spec.dtype.is_bool and spec.shape is not None else 1


def get_advanced(x: TensorLike, parts: Sequence[Any]) -> Tensor:
    """``x[parts]`` where some part is a tensor with axes, or a bool; `get_item` comes here."""
    x = as_tensor(x)
    arrays = [place for place, part in enumerate(parts) if isinstance(part, Tensor)]
    place = arrays[0]
    if len(arrays) == 1 and all(
        isinstance(part, slice) or part is Ellipsis for part in _others(parts, place)
    ):
        if len(parts) == 1 and parts[0].dtype.is_bool:
            if parts[0].shape != ():
                return bind(BooleanMask(), x, parts[0])
            return bind(BooleanMask(), ops.expand_dims(x, axis=0), ops.reshape(parts[0], (1,)))
        if Ellipsis not in parts[:place] and parts[place].dtype.is_integer:
            whole = all(part in (slice(None), Ellipsis) for part in _others(parts, place))
            ops.require_one_ellipsis(parts)
            if x.shape is not None:
                ops.require_axes(x.shape, place + 1)
            sliced = x if whole else ops.get_item(x, (*parts[:place], slice(None), *parts[place + 1 :]))
            return take(sliced, parts[place], axis=place)
    literal, operands = ops.split_key(parts)
    return bind(AdvancedIndex(literal), x, *operands)


def _others(parts: Sequence[Any], place: int) -> list[Any]:
    return [*parts[:place], *parts[place + 1 :]]
