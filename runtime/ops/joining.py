"""Tensors joined to one, and one tensor taken apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int32
from runtime.core.shapes import Dim, Shape, normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.graph.build import as_operand, as_tensor, bind, bind_all, set_pack
from runtime.ops.arguments import checked_axis, is_one, whole_number, whole_numbers
from runtime.ops.core import computed, expect, length, part, pick
from runtime.ops.facts import GraphDef, GraphDefBuilder, GraphDefTensor, shaped, sharing
from runtime.ops.families import IndexMap
from runtime.ops.promotion import promoted

__all__ = ["ConcatV2", "Pack", "SplitV", "Unpack", "concat", "split", "stack", "unstack"]


class _Join(IndexMap, abstract=True):
    """An op on any number of tensors of one dtype."""

    axis: int
    aliases = sharing()

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)


class ConcatV2(_Join):
    """Tensors laid end to end along one axis."""

    is_core = True

    samples = (shaped((2, 3), (1, 3), axis=0), shaped((2, 1), (2, 0), (2, 3), axis=-1), shaped((3,), axis=0))

    def infer(self, *parts: ArraySpec) -> ArraySpec:
        known = [part.shape for part in parts if part.shape is not None]
        if not known:
            return parts[0]
        axis = normalise_axis(self.axis, len(known[0]))
        dims = _same_rest(known, axis)
        lengths = [part.shape[axis] if part.shape is not None else UNKNOWN for part in parts]
        dims[axis] = sum(lengths)
        return parts[0].with_shape(tuple(dims))

    def kernel(self, *parts: Array) -> Any:
        return np.concatenate(parts, axis=self.axis)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype = specs[0].dtype
        if len(inputs) == 1:  # TensorFlow joins no fewer than two
            return [builder.node("Identity", inputs, T=dtype)]
        axis = builder.constant(self.axis, int32)
        return [builder.node(self.name, [*inputs, axis], T=dtype, N=len(inputs), Tidx=int32)]


def _same_rest(known: Sequence[tuple[Dim, ...]], axis: int | None) -> list[Dim]:
    """The dims that shapes have in common, but for `axis`."""
    first = list(known[0])
    for other in known[1:]:
        rest = tuple([UNKNOWN if place == axis else dim for place, dim in enumerate(other)])
        if len(other) != len(first) or not shapes.compatible(tuple(first), rest):
            where = "" if axis is None else f" but for axis {axis}"
            raise ShapeError(
                f"tensors of shapes {shapes.text(known[0])} and {shapes.text(other)} cannot be joined",
                why=f"The shapes must be equal{where}.",
                way_out="Join them along the axis in which they differ, or pad one with `rt.pad`.",
            )
        first = [shapes.known_of(had, dim) for had, dim in zip(first, other, strict=True)]
    return first


def concat(arrays: Sequence[TensorLike], /, *, axis: int | None = 0) -> Tensor:
    """Tensors laid end to end along an axis.

    Parameters
    ----------
    arrays : sequence of Tensor
        Of one shape but for `axis`; their dtypes are promoted.
    axis : int or None, optional
        With None, each is flattened first.

    Returns
    -------
    Tensor of the promoted dtype

    Raises
    ------
    ShapeError
        When the other axes differ in length, or there are no tensors or no axes.

    Notes
    -----
    GraphDef "ConcatV2". Semantics: Array API 2025.12, `concat`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.concat([rt.asarray([1, 2]), rt.asarray([3])])
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 2, 3])>
    """
    tensors = [as_tensor(each) for each in _listed(arrays, "concat")]
    if not tensors:
        raise ShapeError(
            "there is nothing to concatenate: the list is empty",
            why="What is joined decides the dtype and the shape of the result.",
            way_out="Give one tensor at least, if need be an empty one: `rt.zeros((0, 3))`.",
        )
    if axis is None:
        return bind(ConcatV2(0), *[ops.flatten(tensor) for tensor in tensors])
    if any(tensor.static_shape == () for tensor in tensors):
        raise ShapeError(
            "a tensor without axes cannot be concatenated",
            why="Tensors are laid end to end along an axis that they have.",
            way_out="Write `rt.stack`, which makes a new axis.",
        )
    return bind(ConcatV2(checked_axis(axis, tensors[0])), *tensors)


def _listed(arrays: Any, function: str) -> Iterable[Any]:
    """What is to be joined, where it can be gone through."""
    if not isinstance(arrays, Iterable):
        raise DTypeError(
            f"`{function}` of {arrays!r}",
            why="It joins tensors, and takes a list of them.",
            way_out="Put them into a list: `[x, y]`.",
        )
    return arrays


class Pack(_Join):
    """Tensors of one shape along a new axis."""

    graphdef = GraphDef("Pack", types={"T": "in0", "N": "count"}, attributes={"axis": "axis"})
    samples = (shaped((), (), axis=0), shaped((2, 3), (2, 3), axis=-1), shaped((2, 0), axis=1))

    def infer(self, *parts: ArraySpec) -> ArraySpec:
        known = [part.shape for part in parts if part.shape is not None]
        if not known:
            return parts[0]
        dims = _same_rest(known, None)
        dims.insert(normalise_axis(self.axis, len(dims) + 1), len(parts))
        return parts[0].with_shape(tuple(dims))

    def kernel(self, *parts: Array) -> Any:
        return np.stack(parts, axis=self.axis)

    def decompose(self, *parts: Tensor) -> Tensor | None:
        if any(part.static_shape is None for part in parts):
            return None
        return bind(ConcatV2(self.axis), *[ops.expand_dims(part, axis=self.axis) for part in parts])


def stack(arrays: Sequence[TensorLike], /, *, axis: int = 0) -> Tensor:
    """Tensors of one shape along a new axis.

    Parameters
    ----------
    arrays : sequence of Tensor, or of nested lists of tensors and numbers
        Their dtypes are promoted.
    axis : int, optional
        Where the new axis is in the result.

    Returns
    -------
    Tensor of the promoted dtype

    Raises
    ------
    ShapeError
        When the shapes differ, the axis is out of range, or there are no tensors.

    Notes
    -----
    GraphDef "Pack". Semantics: Array API 2025.12, `stack`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.stack([rt.asarray([1, 2]), rt.asarray([3, 4])], axis=1)
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 3],
           [2, 4]])>
    """
    if hasattr(type(arrays), "__tensor__"):
        return _moved(as_tensor(arrays), axis)
    operands = [as_operand(each) for each in _listed(arrays, "stack")]
    if not operands:
        raise ShapeError(
            "there is nothing to stack: the list is empty",
            why="What is stacked decides the dtype and the shape of the result.",
            way_out="Give one tensor at least, or write `rt.zeros((0, ...))` for the empty result.",
        )
    return bind(Pack(checked_axis(axis, as_tensor(operands[0]), extra=1)), *operands)


def _moved(rows: Tensor, axis: int) -> Tensor:
    """Tensors of a list whose length only a run knows, which are rows already, along another axis."""
    return rows if axis == 0 else ops.moveaxis(rows, 0, axis)


set_pack(stack)


def _along(axis: int, whole: Tensor, place: Any) -> tuple[Any, ...]:
    """The key of a place along one axis."""
    return (*[slice(None)] * normalise_axis(axis, whole.ndim), place)


class Unpack(IndexMap):
    """The slices of a tensor along one axis, each without it."""

    axis: int
    count: int

    graphdef = GraphDef("Unpack", types={"T": "in0"}, attributes={"axis": "axis", "count": "num"})
    samples = (
        shaped((2, 3), axis=0, count=2),
        shaped((2, 3), axis=1, count=3),
        shaped((0, 3), axis=0, count=0),
    )
    aliases = sharing(0)

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ...]:
        if x.shape is None:
            return (x,) * self.count
        axis = normalise_axis(self.axis, len(x.shape))
        if not shapes.compatible((x.shape[axis],), (self.count,)):
            raise ShapeError(
                f"axis {axis} of shape {shapes.text(x.shape)} has no {self.count} slices",
                why="It is cut into as many tensors as it is long.",
                way_out="Leave out the number.",
            )
        return (x.with_shape((*x.shape[:axis], *x.shape[axis + 1 :])),) * self.count

    def kernel(self, x: Array) -> tuple[Array, ...]:
        return tuple(np.moveaxis(x, self.axis, 0))

    def is_view(self, x: ArraySpec, result: ArraySpec) -> bool:
        del x
        return result.shape != ()

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        return ops.set_item(whole, _along(self.axis, whole, output), part)

    def decompose(self, x: Tensor) -> tuple[Tensor, ...] | None:
        if x.static_shape is None:
            return None
        axis = normalise_axis(self.axis, x.ndim)
        fits = f"x0 == i64({self.count})"
        expect(fits, "ShapeError", f"an axis of length {{0}} has no {self.count} slices", length(x, axis))
        return tuple([pick(x, axis, place) for place in range(self.count)])


def unstack(x: TensorLike, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Slices of `x` along an axis, each without it.

    Parameters
    ----------
    x : Tensor of any dtype
    axis : int, optional
        Its length must be known before the run.

    Returns
    -------
    tuple of Tensor

    Raises
    ------
    ShapeError
        When the axis is out of range, or its length is not known.

    Notes
    -----
    GraphDef "Unpack". Semantics: Array API 2025.12, `unstack`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.unstack(rt.asarray([[1, 2], [3, 4]]))[1]
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 4])>
    """
    tensor = as_tensor(x)
    axis = normalise_axis(axis, tensor.ndim)
    count = _known_length(tensor, axis)
    return bind_all(Unpack(axis, count), tensor)


def _known_length(tensor: Tensor, axis: int) -> int:
    length = tensor.static_shape[axis] if tensor.static_shape is not None else None
    if not isinstance(length, int):
        raise ShapeError(
            f"`unstack` needs the length of axis {axis}, which is not known before the run in shape "
            f"{shapes.text(tensor.static_shape)}",
            why="It decides how many tensors there are.",
            way_out="Give the `input_signature` that length, or loop over the tensor with `for`.",
        )
    return length


class SplitV(IndexMap):
    """Consecutive parts of a tensor along one axis."""

    sizes: tuple[int, ...]
    axis: int

    graphdef = GraphDef(
        "SplitV",
        types={"T": "in0", "Tlen": "in1"},
        attributes={"count": "num_split"},
        inputs_then=("sizes", "axis"),
    )
    samples = (shaped((5, 2), sizes=(2, 3), axis=0), shaped((2, 3), sizes=(0, 3), axis=-1))
    aliases = sharing(0)

    @property
    def count(self) -> int:
        """The number of parts."""
        return len(self.sizes)

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ...]:
        if x.shape is None:
            return (x,) * len(self.sizes)
        axis = normalise_axis(self.axis, len(x.shape))
        if isinstance(x.shape[axis], int) and x.shape[axis] != sum(self.sizes):
            raise ShapeError(
                f"axis {axis} of shape {shapes.text(x.shape)} is no sum of the sizes {self.sizes}",
                why="The parts of a split cover the axis.",
                way_out="Give sizes that add up to its length.",
            )
        return tuple([x.with_shape((*x.shape[:axis], size, *x.shape[axis + 1 :])) for size in self.sizes])

    def kernel(self, x: Array) -> tuple[Array, ...]:
        if np.shape(x)[self.axis] != sum(self.sizes):
            raise ShapeError(
                f"an axis of length {np.shape(x)[self.axis]} is no sum of the sizes {self.sizes}",
                why="The parts of a split cover the axis.",
                way_out="Give sizes that add up to its length.",
            )
        return tuple(np.split(x, np.cumsum(self.sizes)[:-1], axis=self.axis))

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        start = sum(self.sizes[:output])
        return ops.set_item(whole, _along(self.axis, whole, slice(start, start + self.sizes[output])), part)

    def decompose(self, x: Tensor) -> tuple[Tensor, ...] | None:
        if x.static_shape is None:
            return None
        axis = normalise_axis(self.axis, x.ndim)
        fits = f"x0 == i64({sum(self.sizes)})"
        expect(
            fits,
            "ShapeError",
            f"an axis of length {{0}} is no sum of the sizes {self.sizes}",
            length(x, axis),
        )
        starts = accumulate(self.sizes, initial=0)
        return tuple([part(x, axis, start, size) for start, size in zip(starts, self.sizes, strict=False)])


class Split(IndexMap):
    """So many equal parts of a tensor along one axis, whose length only a run knows."""

    sections: int
    axis: int

    why_no_graphdef = "the sizes of its SplitV are known, and its Split takes the axis before the tensor"
    samples = (shaped((4, 3), sections=2, axis=0), shaped((2, 3), sections=3, axis=-1))
    aliases = sharing(0)

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ...]:
        if x.shape is None:
            return (x,) * self.sections
        axis = normalise_axis(self.axis, len(x.shape))
        length = x.shape[axis]
        _require_equal_parts(length, axis, self.sections)
        size = length // self.sections
        return (x.with_shape((*x.shape[:axis], size, *x.shape[axis + 1 :])),) * self.sections

    def kernel(self, x: Array) -> tuple[Array, ...]:
        return tuple(np.split(x, self.sections, axis=self.axis))

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        size = ops.shape(part)[self.axis]
        return ops.set_item(whole, _along(self.axis, whole, slice(output * size, (output + 1) * size)), part)

    def decompose(self, x: Tensor) -> tuple[Tensor, ...] | None:
        if x.static_shape is None:
            return None
        axis = normalise_axis(self.axis, x.ndim)
        own, fits = length(x, axis), f"x0 % i64({self.sections}) == i64(0)"
        expect(fits, "ShapeError", f"an axis of length {{0}} has no {self.sections} equal parts", own)
        size = computed(f"x0 // i64({self.sections})", own)
        return tuple([part(x, axis, size * place, size) for place in range(self.sections)])


def _require_equal_parts(length: Dim, axis: int, sections: int) -> None:
    if sections < 1 or (isinstance(length, int) and length % sections):
        raise ShapeError(
            f"axis {axis}, of length {length}, has no {sections} equal parts",
            why="A number of parts means parts of one length.",
            way_out="Give the sizes of the parts: `rt.split(x, [3, 2])`.",
        )


def split(x: TensorLike, /, sections: int | Sequence[int], *, axis: int = 0) -> tuple[Tensor, ...]:
    """Consecutive parts of `x` along an axis.

    Parameters
    ----------
    x : Tensor of any dtype
    sections : int or sequence of ints
        The number of equal parts, or the length of each part.
    axis : int, optional

    Returns
    -------
    tuple of Tensor

    Raises
    ------
    ShapeError
        When the axis is out of range, or the parts do not add up to it; in a graph of unknown length, in the
        run.

    Notes
    -----
    GraphDef "SplitV", where the length is known. Semantics: TensorFlow `tf.split`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.split(rt.asarray([1, 2, 3, 4]), 2)[1]
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 4])>
    """
    tensor = as_tensor(x)
    axis = normalise_axis(axis, tensor.ndim)
    if not is_one(sections):
        return bind_all(SplitV(whole_numbers(sections, "sections"), axis), tensor)
    sections = whole_number(sections, "sections")
    shape: Shape = tensor.static_shape
    length = UNKNOWN if shape is None else shape[axis]
    _require_equal_parts(length, axis, sections)
    if not isinstance(length, int):
        return bind_all(Split(sections, axis), tensor)
    return bind_all(SplitV((length // sections,) * sections, axis), tensor)
