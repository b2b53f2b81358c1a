"""The same elements, in order, in another shape."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN, at_least, exact_quotient
from runtime.core.shapes import Shape as ShapeTuple
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.ops.arguments import require_vector, shape_argument
from runtime.ops.facts import GraphDef, Sample, raising, shaped, sharing
from runtime.ops.families import IndexMap
from runtime.ops.shaping.lengths import shape

__all__ = ["DynamicReshape", "Reshape", "flatten", "reshape"]


class Reshape(IndexMap):
    """The elements, in order, in another shape; one dim may be -1, which means the rest."""

    shape: tuple[int, ...]

    is_core = True

    graphdef = GraphDef("Reshape", types={"T": "in0", "Tshape": "in1"}, inputs_then=("shape",))
    samples = (
        shaped((2, 3), shape=(3, 2)),
        shaped((2, 3), shape=(-1,)),
        shaped((1,), shape=()),
    )
    asks_for_order = True
    aliases = sharing(0)

    def infer(self, x: ArraySpec) -> ArraySpec:
        return x.with_shape(_reshaped(x.shape, self.shape))

    def kernel(self, x: Array) -> Any:
        return x.reshape(self.shape)

    def put_back(self, output: int, whole: Tensor, part: Tensor) -> Tensor:
        del output
        return reshape(part, shape(whole))


class DynamicReshape(IndexMap):
    """A `Reshape` to a shape that is its second input; `known` are the dims known before the run."""

    known: ShapeTuple

    is_core = True

    graphdef = GraphDef("Reshape", types={"T": "in0", "Tshape": "in1"})
    samples = (
        Sample((np.arange(6.0), np.array([2, 3])), {"known": (UNKNOWN, 3)}),
        Sample((np.arange(6.0), np.array([-1, 2])), {"known": None}),
    )
    aliases = sharing(0)
    raises = raising(ShapeError)

    def infer(self, x: ArraySpec, shape: ArraySpec) -> ArraySpec:  # its value is not known
        require_vector(shape)
        return x.with_shape(self.known)

    def kernel(self, x: Array, shape: Array) -> Any:
        return _reshape(x, tuple(shape.tolist()))

    def put_back(self, output: int, whole: Tensor, part: Tensor, _: Tensor) -> Tensor:
        del output
        return reshape(part, shape(whole))


def _reshape(x: Array, shape: tuple[int, ...]) -> Array:
    try:
        return np.reshape(x, shape)
    except ValueError:
        raise _no_reshape(str(np.shape(x)), shape, np.size(x)) from None


def _no_reshape(old: str, new: tuple[int, ...], count: int) -> ShapeError:
    return ShapeError(
        f"a tensor of shape {old} cannot be reshaped to {new}",
        why=f"It has {count} elements, and reshaping keeps all of them.",
        way_out="Give a shape of as many elements; -1 stands for the length that is left.",
    )


def _reshaped(old: ShapeTuple, new: tuple[int, ...]) -> ShapeTuple:
    """`new` with its -1 replaced where that is known."""
    _require_dims(new)
    count, rest = shapes.elements(old), prod(dim for dim in new if dim != -1)
    if not isinstance(count, int):
        left = exact_quotient(count, rest)
        return tuple([(UNKNOWN if left is None else left) if dim == -1 else dim for dim in new])
    fits = count == rest if -1 not in new else (rest != 0 and count % rest == 0)
    if not fits:
        raise _no_reshape(shapes.text(old), new, count)
    return tuple([count // rest if dim == -1 else dim for dim in new])


def _require_dims(new: tuple[int, ...]) -> None:
    """Refuses lengths that no shape has, before NumPy takes any negative one for a -1."""
    if new and min(new) < 0 and (min(new) < -1 or new.count(-1) > 1):
        raise ShapeError(
            f"{new} is no shape to reshape to",
            why="One dim may be -1, which is then found; the others are 0 or more.",
            way_out="Say all lengths but one.",
        )


def reshape(x: TensorLike, /, shape: Any, *, copy: bool | None = None) -> Tensor:
    """Elements of `x`, in order, in another shape.

    Parameters
    ----------
    x : Tensor of any dtype
    shape : tuple of ints and tensors of one int, or Tensor of ints
        One dim may be -1: it takes what the others leave.
    copy : bool, optional
        Whether the result is an array of its own: a graph writes into arrays. By default it is a view of `x`.
        Other tensors never change, and for those it makes no difference.

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    ShapeError
        When the number of elements does not fit.

    Notes
    -----
    GraphDef "Reshape". Semantics: Array API 2025.12, `reshape`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.reshape(rt.asarray([1, 2, 3, 4]), (2, -1))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 2],
           [3, 4]])>
    """
    x = ops.copied(x) if copy else x
    known, dims = shape_argument(shape)
    if dims is None:
        assert known is not None, "a shape without unknown dims is known"
        _require_dims(known)  # type: ignore[arg-type]  # likewise, its dims
        return bind(Reshape(known), x)  # type: ignore[arg-type]  # likewise
    tensor = as_tensor(x)
    return bind(DynamicReshape(_with_the_rest(tensor.static_shape, known)), tensor, dims)


def _with_the_rest(old: ShapeTuple, known: ShapeTuple) -> ShapeTuple:
    """What is known of the new shape, with the length that is left in the place of -1."""
    if known is None:
        return None
    lengths = tuple([dim if at_least(dim, 0) else UNKNOWN for dim in known])  # any other may turn out as -1
    if -1 not in known or lengths.count(UNKNOWN) > 1:
        return lengths
    left = exact_quotient(shapes.elements(old), shapes.elements(tuple([dim for dim in known if dim != -1])))
    return tuple(
        [
            left if dim == -1 and left is not None else length
            for dim, length in zip(known, lengths, strict=True)
        ]
    )


def flatten(x: TensorLike, /) -> Tensor:
    """Elements of `x`, in order, along one axis.

    Parameters
    ----------
    x : Tensor of any dtype

    Returns
    -------
    Tensor of the same dtype, shape (size,)

    Notes
    -----
    GraphDef "Reshape". Semantics: NumPy `ravel`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.flatten(rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(4,), dtype=int64, numpy=array([1, 2, 3, 4])>
    """
    tensor = as_tensor(x)
    return (
        tensor
        if tensor.static_shape is not None and len(tensor.static_shape) == 1
        else bind(Reshape((-1,)), tensor)
    )
