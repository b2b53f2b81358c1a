"""The shape of a tensor, and the same elements in another shape or order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import dims, shapes
from runtime.core.dims import UNKNOWN, Dim, at_least, exact_quotient
from runtime.core.dtypes import DType, as_dtype, int64
from runtime.core.shapes import Shape as ShapeTuple
from runtime.core.shapes import Written, broadcast, written
from runtime.core.spec import ArraySpec, as_shape
from runtime.core.structure import count_as
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor, bind, current_builder
from runtime.graph.symbol import Symbol
from runtime.ops.core import (
    Length,
    computed,
    element,
    expect,
    indices,
    lengths,
    move,
    number_of,
    product,
    vector,
)
from runtime.ops.facts import GraphDef, Sample, raising, read_only, shaped, sharing
from runtime.ops.families import IndexMap, as_constant, known_dim, require_vector, shape_argument

__all__ = [
    "BroadcastArgs",
    "BroadcastTo",
    "DynamicBroadcastTo",
    "DynamicReshape",
    "Rank",
    "Reshape",
    "Shape",
    "Size",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "count_elements",
    "dimension",
    "dimensions",
    "flatten",
    "rank",
    "reshape",
    "shape",
    "shown_size",
    "size",
]


# ── what a tensor says of itself ──


class Shape(IndexMap):
    """The length of each axis."""

    dtype: DType

    graphdef = GraphDef("Shape", types={"T": "in0", "out_type": "out0"})
    samples = (
        shaped((2, 3), dtype=int64),
        shaped((), dtype=int64),
    )
    aliases = sharing()
    raises = raising()

    def infer(self, x: ArraySpec) -> ArraySpec:
        return ArraySpec((UNKNOWN if x.rank is None else x.rank,), self.dtype)

    def kernel(self, x: Array) -> Any:
        return np.array(np.shape(x), self.dtype.numpy)

    def decompose(self, x: Tensor) -> Tensor | None:
        return None if x.static_shape is None else vector(lengths(x), self.dtype)


class Size(IndexMap):
    """The number of elements."""

    dtype: DType

    graphdef = GraphDef("Size", types={"T": "in0", "out_type": "out0"})
    samples = (
        shaped((2, 3), dtype=int64),
        shaped((), dtype=int64),
    )
    aliases = sharing()
    raises = raising()

    def infer(self, x: ArraySpec) -> ArraySpec:  # any tensor has a size
        return ArraySpec((), self.dtype)

    def kernel(self, x: Array) -> Any:
        return np.array(np.size(x), self.dtype.numpy)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        return ops.cast(number_of(product(lengths(x))), self.dtype)


class Rank(IndexMap):
    """The number of axes."""

    graphdef = GraphDef("Rank")
    samples = (
        shaped((2, 3)),
        shaped(()),
    )
    aliases = sharing()
    raises = raising()

    def infer(self, x: ArraySpec) -> ArraySpec:  # any tensor has a rank
        return ArraySpec((), as_dtype(np.int32))

    def kernel(self, x: Array) -> Any:
        return np.array(np.ndim(x), np.int32)

    def decompose(self, x: Tensor) -> Tensor | None:
        return None if x.static_shape is None else as_constant(np.array(x.ndim, np.int32))


def shape(x: TensorLike, /, *, dtype: Any = int64) -> Tensor:
    """Length of each axis of `x`, as a tensor.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, optional
        An integer dtype.

    Returns
    -------
    Tensor of `dtype`, shape (rank,)
        In a graph, a constant where all lengths are known before the run.

    Notes
    -----
    ``x.shape`` is a Python tuple, with a tensor for each length that only a run knows. GraphDef "Shape".
    Semantics: TensorFlow `tf.shape`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.shape(rt.asarray([[1, 2, 3]]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 3])>
    """
    tensor, to = as_tensor(x), as_dtype(dtype)
    if shapes.is_known(tensor.static_shape):
        return as_constant(np.array(tensor.static_shape, to.numpy))
    return bind(Shape(to), tensor)


def dimension(x: Tensor, axis: int) -> Any:
    """How long an axis is: a Python int where it is known, else a scalar of the graph that counts as one."""
    shape = x.static_shape
    known = UNKNOWN if shape is None else shape[axis]
    return known if isinstance(known, int) else _as_python_int(bind(Length(axis), x))


def count_elements(x: Tensor) -> Any:
    """How many elements there are: a Python int where it is known, else a scalar of the graph as one."""
    known = shapes.size(x.static_shape)
    return _as_python_int(bind(Size(int64), x)) if known is None else known


def shown_size(x: Tensor) -> Any:
    """``x.size`` as users see it: as `count_elements`, with None where `dimensions` have it."""
    graph = current_builder()
    shows_none = graph is None or graph.defaults.static_shapes
    return shapes.size(x.static_shape) if shows_none else count_elements(x)


def _as_python_int(scalar: Tensor) -> Tensor:
    """A scalar of the graph that stands for a Python int: it takes the dtype of what stands beside it."""
    graph = current_builder()
    if graph is not None and isinstance(scalar, Symbol):
        graph.weak.add(scalar.value)
    return scalar


def dimensions(x: Tensor) -> tuple[Any, ...] | None:
    """``x.shape`` as users see it: a `dimension` for each axis, or None for an unknown rank.

    In functions of TensorFlow's, and where nothing is traced, None stands for what only a run knows.
    """
    shape = x.static_shape
    if shape is None or shapes.is_known(shape):
        return shape
    graph = current_builder()
    if graph is None or graph.defaults.static_shapes:
        return written(shape)
    return _Dimensions([dimension(x, axis) for axis in range(len(shape))])


class _Dimensions(tuple[Any, ...]):
    """A shape with scalars of the graph in it. Whether it equals another is one, too, if only a run knows."""

    __slots__ = ()
    __hash__ = tuple.__hash__

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, tuple) or len(other) != len(self):
            return False
        unsure = []
        for own, theirs in zip(self, other, strict=True):
            one, two = _as_dim(own), _as_dim(theirs)
            if one is UNKNOWN or two is UNKNOWN or one != two:
                if not shapes.compatible((one,), (two,)):
                    return False
                unsure.append(own == theirs)
        return reduce(ops.logical_and, unsure) if unsure else True

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return not equal if isinstance(equal, bool) else ops.logical_not(equal)


def _as_dim(length: Any) -> Dim:
    if isinstance(length, int):
        return length
    return known_dim(length) if isinstance(length, Symbol) else UNKNOWN


count_as(_Dimensions, tuple)


def size(x: TensorLike, /, *, dtype: Any = int64) -> Tensor:
    """Number of elements of `x`, as a tensor.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, optional
        An integer dtype.

    Returns
    -------
    Tensor of `dtype`, shape ()

    Notes
    -----
    GraphDef "Size". Semantics: TensorFlow `tf.size`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.size(rt.asarray([[1, 2, 3]]))
    <Tensor: shape=(), dtype=int64, numpy=3>
    """
    tensor, to = as_tensor(x), as_dtype(dtype)
    known = shapes.size(tensor.static_shape)
    return bind(Size(to), tensor) if known is None else as_constant(np.array(known, to.numpy))


def rank(x: TensorLike, /) -> Tensor:
    """Number of axes of `x`, as a tensor.

    Parameters
    ----------
    x : Tensor of any dtype

    Returns
    -------
    Tensor of int32, shape ()

    Notes
    -----
    ``x.ndim`` is a Python int. GraphDef "Rank". Semantics: TensorFlow `tf.rank`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.rank(rt.asarray([[1, 2, 3]]))
    <Tensor: shape=(), dtype=int32, numpy=2>
    """
    tensor = as_tensor(x)
    known = tensor.static_shape
    return bind(Rank(), tensor) if known is None else as_constant(np.array(len(known), np.int32))


# ── another shape ──


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
