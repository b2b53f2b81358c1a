"""What a tensor says of itself: its shape, size and rank."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.containers import count_as
from runtime.core.dims import UNKNOWN, Dim
from runtime.core.dtypes import DType, as_dtype, int64
from runtime.core.shapes import written
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import as_tensor, bind, current_builder
from runtime.graph.symbol import Symbol
from runtime.ops.casting import stands_for_python
from runtime.ops.core import Length, lengths, number_of, product, vector
from runtime.ops.facts import GraphDef, raising, shaped, sharing
from runtime.ops.families import IndexMap
from runtime.ops.known import as_constant, known_dim

__all__ = [
    "Rank",
    "Shape",
    "Size",
    "count_elements",
    "dimension",
    "dimensions",
    "rank",
    "shape",
    "shown_size",
    "size",
]


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
    return known if isinstance(known, int) else stands_for_python(bind(Length(axis), x))


def count_elements(x: Tensor) -> Any:
    """How many elements there are: a Python int where it is known, else a scalar of the graph as one."""
    known = shapes.size(x.static_shape)
    return stands_for_python(bind(Size(int64), x)) if known is None else known


def shown_size(x: Tensor) -> Any:
    """``x.size`` as users see it: as `count_elements`, with None where `dimensions` have it."""
    graph = current_builder()
    shows_none = graph is None or graph.defaults.static_shapes
    return shapes.size(x.static_shape) if shows_none else count_elements(x)


def dimensions(x: Tensor) -> tuple[Any, ...] | None:
    """``x.shape`` as users see it: a `dimension` for each axis.

    In functions of TensorFlow's, and where nothing is traced, None stands for what only a run knows.

    Raises
    ------
    NoConcreteValue
        In all other functions, when only a run knows the number of axes.
    """
    shape, graph = x.static_shape, current_builder()
    if graph is not None and graph.defaults.tensors is not None:
        shown: tuple[Any, ...] | None = graph.defaults.tensors.shown(written(shape))
        return shown
    if graph is None or (shape is not None and shapes.is_known(shape)):
        return written(shape)
    return _Dimensions([dimension(x, axis) for axis in range(x.ndim)])


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
