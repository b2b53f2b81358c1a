"""Elements repeated so that shapes agree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from runtime.core import dims, shapes
from runtime.core.dims import UNKNOWN, Dim
from runtime.core.shapes import Shape as ShapeTuple
from runtime.core.shapes import Written, broadcast, written
from runtime.core.spec import ArraySpec, as_shape
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.ops.arguments import require_vector, shape_argument
from runtime.ops.core import computed, element, expect, indices, lengths, move
from runtime.ops.examples import read_only
from runtime.ops.facts import GraphDef, Sample, raising, shaped, sharing
from runtime.ops.families import IndexMap
from runtime.ops.shaping.lengths import shape

__all__ = [
    "BroadcastArgs",
    "BroadcastTo",
    "DynamicBroadcastTo",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
]


class BroadcastTo(IndexMap):
    """The elements repeated along axes of length 1, and new ones in front, to fill a shape."""

    shape: tuple[int, ...]

    graphdef = GraphDef("BroadcastTo", types={"T": "in0", "Tidx": "in1"}, inputs_then=("shape",))
    samples = (
        shaped((3,), shape=(2, 3)),
        shaped((2, 1), shape=(2, 0)),
        shaped((), shape=(4,)),
    )
    aliases = sharing(0)
    put_back = read_only

    def infer(self, x: ArraySpec) -> ArraySpec:
        _require_broadcast(x.shape, self.shape)
        return x.with_shape(self.shape)

    def kernel(self, x: Array) -> Any:
        return np.broadcast_to(x, self.shape)

    def is_view(self, x: ArraySpec, result: ArraySpec) -> bool:
        del result
        return x.shape != ()

    def decompose(self, x: Tensor) -> Tensor | None:
        return _repeated(x, list(self.shape))


class DynamicBroadcastTo(IndexMap):
    """A `BroadcastTo` a shape that is its second input; `known` are the dims known before the run."""

    known: ShapeTuple

    graphdef = GraphDef("BroadcastTo", types={"T": "in0", "Tidx": "in1"})
    samples = (Sample((np.arange(3.0), np.array([2, 3])), {"known": (UNKNOWN, 3)}),)
    aliases = sharing(0)
    put_back = read_only
    raises = raising(ShapeError)

    def infer(self, x: ArraySpec, shape: ArraySpec) -> ArraySpec:  # its value is not known
        require_vector(shape)
        _require_broadcast(x.shape, self.known)
        return x.with_shape(self.known)

    def kernel(self, x: Array, shape: Array) -> Any:
        return _broadcast_to(x, tuple(shape.tolist()))

    def is_view(self, x: ArraySpec, result: ArraySpec) -> bool:
        del result
        return x.shape != ()

    def decompose(self, x: Tensor, shape: Tensor) -> Tensor | None:
        if self.known is None:
            return None
        pairs = enumerate(self.known)
        return _repeated(x, [dim if isinstance(dim, int) else element(shape, axis) for axis, dim in pairs])


def _broadcast_to(x: Array, shape: tuple[int, ...]) -> Array:
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        raise _no_broadcast(str(np.shape(x)), str(shape)) from None


def _no_broadcast(old: str, new: str) -> ShapeError:
    return ShapeError(
        f"a tensor of shape {old} does not broadcast to {new}",
        why="Counted from the right, dims must be equal, and only an axis of length 1 is repeated.",
        way_out="Reshape it first, or repeat it with `rt.tile`.",
    )


def _repeated(x: Tensor, shape: Sequence[Dim]) -> Tensor | None:
    """`x` broadcast to a shape; None where its rank is not known."""
    if x.static_shape is None:
        return None
    first = len(shape) - x.ndim
    index: list[Dim] = []
    for own, want, place in zip(lengths(x), shape[first:], indices(len(shape))[first:], strict=True):
        if own == 1:
            index.append(0)
        elif isinstance(own, int) and own == want:
            index.append(place)
        else:
            expect("(x0 == i64(1)) | (x0 == x1)", "ShapeError", _LONGER, own, want)
            index.append(place * computed("i64(x0 != i64(1))", own))
    return move(x, shape, index)


_LONGER = "an axis of length {0} does not broadcast to one of length {1}"


def _require_broadcast(old: ShapeTuple, new: ShapeTuple) -> None:
    if old is None or new is None:
        return
    padded = (1,) * (len(new) - len(old)) + old
    fits = len(padded) == len(new) and all(
        shapes.compatible((have,), (1,)) or shapes.compatible((have,), (want,))
        for have, want in zip(padded, new, strict=True)
    )
    if not fits:
        raise _no_broadcast(shapes.text(old), shapes.text(new))


def broadcast_to(x: TensorLike, /, shape: Any) -> Tensor:
    """`x` repeated to fill `shape`.

    Parameters
    ----------
    x : Tensor of any dtype
    shape : tuple of ints and tensors of one int, or Tensor of ints

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    ShapeError
        When an axis of `x` is neither 1 nor as long as in `shape`.

    Notes
    -----
    GraphDef "BroadcastTo". Semantics: Array API 2025.12, `broadcast_to`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.broadcast_to(rt.asarray([1, 2]), (2, 2))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 2],
           [1, 2]])>
    """
    known, dims = shape_argument(shape)
    if dims is not None:
        return bind(DynamicBroadcastTo(known), x, dims)
    assert known is not None, "a shape without unknown dims is known"
    return bind(BroadcastTo(known), x)  # type: ignore[arg-type]  # likewise, its dims


class BroadcastArgs(IndexMap):
    """The shape to which two shapes broadcast, all of them vectors of integers."""

    graphdef = GraphDef("BroadcastArgs", "r0", types={"T": "in0"})
    samples = (
        Sample((np.array([2, 1, 3]), np.array([4, 1]))),
        Sample((np.array([], np.int64), np.array([5]))),
    )
    aliases = sharing()
    raises = raising(ShapeError)

    def infer(self, left: ArraySpec, right: ArraySpec) -> ArraySpec:
        require_vector(left)
        require_vector(right)
        ranks = [spec.shape[0] if spec.shape else UNKNOWN for spec in (left, right)]
        return left.with_shape((dims.maximum(*ranks),))

    def kernel(self, left: Array, right: Array) -> Any:
        return np.array(np.broadcast_shapes(tuple(left), tuple(right)), np.int64)


def broadcast_shapes(*shapes: Any) -> Written:
    """The shape that tensors of these shapes have when they are broadcast together.

    Parameters
    ----------
    *shapes : tuple of int and None
        None is a length that is not known; it gives way to a known one above 1.

    Returns
    -------
    tuple of int and None, or None

    Raises
    ------
    ShapeError
        When the shapes do not broadcast together, or one is no shape.

    Notes
    -----
    Semantics: Array API 2025.12, `broadcast_shapes`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.broadcast_shapes((3, 1), (4,)), rt.broadcast_shapes((None, 1), (2,))
    ((3, 4), (None, 2))
    """
    return written(broadcast(*[as_shape(shape) for shape in shapes]))


def broadcast_arrays(*arrays: TensorLike) -> tuple[Tensor, ...]:
    """Tensors repeated to one shape.

    Parameters
    ----------
    *arrays : Tensor of any dtype
        Their shapes broadcast together.

    Returns
    -------
    tuple of Tensor

    Raises
    ------
    ShapeError
        When the shapes do not broadcast together; in a graph of unknown lengths, in the run.

    Notes
    -----
    GraphDef "BroadcastTo" and "BroadcastArgs". Semantics: Array API 2025.12, `broadcast_arrays`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.broadcast_arrays(rt.asarray([1, 2]), rt.asarray([[0], [0]]))[0].shape
    (2, 2)
    """
    tensors = [as_tensor(each) for each in arrays]
    common = broadcast(*[tensor.static_shape for tensor in tensors])
    if common is not None and shapes.is_known(common):
        return tuple(
            [each if each.static_shape == common else broadcast_to(each, common) for each in tensors]
        )
    if len(tensors) == 1:
        return (tensors[0],)
    lengths = reduce(lambda left, right: bind(BroadcastArgs(), left, right), map(shape, tensors))
    return tuple([bind(DynamicBroadcastTo(common), each, lengths) for each in tensors])
