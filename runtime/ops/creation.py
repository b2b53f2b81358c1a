"""Tensors from Python data, or from nothing but a shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, as_dtype
from runtime.core.shapes import Shape
from runtime.core.spec import Spec
from runtime.core.tensor import Array, Tensor, TensorLike, as_array
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_operand, as_tensor, bind, current_defaults, current_graph
from runtime.ops.facts import INTEGER, GraphDef, Sample
from runtime.ops.families import (
    IndexMap,
    as_constant,
    concrete,
    require_dtype,
    shape_argument,
)

__all__ = [
    "Fill",
    "asarray",
    "empty",
    "empty_like",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]

_SMALL = 1024
"""Elements up to which a tensor of one value is a constant of the graph; the run fills larger ones."""


def asarray(obj: TensorLike, /, *, dtype: Any = None, copy: bool | None = None) -> Tensor:
    """`obj` as a tensor.

    Parameters
    ----------
    obj : Tensor, Variable, NumPy array, number or nested list of these
    dtype : DType, optional
        By default that of `obj`; Python's own numbers take the default dtypes.
    copy : bool, optional
        A NumPy array is copied, since it may change and a tensor never does; False shares it with you.

    Returns
    -------
    Tensor
        In a graph, a constant of it, unless it is a tensor already.

    Raises
    ------
    DTypeError
        When `obj` is ragged, or holds what is neither a number nor a truth value.
    OverflowError
        When a Python integer does not fit `dtype`.
    ValueError
        When `copy` is False and only a copy can have `dtype`.

    Notes
    -----
    GraphDef "Const". Semantics: Array API 2025.12, `asarray`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.asarray([1, 2], dtype=rt.float32)
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    to = None if dtype is None else as_dtype(dtype)
    if copy is False and isinstance(obj, np.ndarray):
        return as_constant(_shared(obj, to))
    operand: Any = as_operand(obj)
    if isinstance(operand, (bool, int, float, complex)):
        return as_constant(np.asarray(operand, (to or current_defaults().of(operand)).numpy))
    if type(operand) is not Tensor:
        tensor = as_tensor(operand)
        return tensor if to is None else ops.astype(tensor, to)
    if isinstance(obj, (list, tuple)):
        array = _with_defaults(obj, as_array(operand)) if to is None else np.asarray(obj, to.numpy)
    else:
        array = as_array(operand, to)
        if obj is operand and array is as_array(operand):
            return as_tensor(operand)
    return as_constant(array)


def _shared(array: Array, dtype: DType | None) -> Array:
    """The caller's own array."""
    own = as_dtype(array.dtype)
    if array.dtype != own.numpy or dtype not in {None, own}:
        raise InvalidValue(
            f"an array of dtype {array.dtype} cannot become {dtype or own} without a copy",
            why="`copy=False` asks for the memory that the array has.",
            way_out="Leave out `copy=False`.",
        )
    return array


def _with_defaults(items: Sequence[Any], array: Array) -> Array:
    """An array of Python numbers in the default dtypes of here."""
    while isinstance(items, (list, tuple)) and items:
        items = items[0]
    if type(items) not in {int, float, complex}:
        return array
    defaults = current_defaults()
    numpy_kind = array.dtype.kind
    if numpy_kind == "f":
        return array.astype(defaults.floating.numpy, copy=False)
    if numpy_kind == "c":
        return array.astype(defaults.complexes.numpy, copy=False)
    fits = array.size == 0 or defaults.integer.min <= array.min() <= array.max() <= defaults.integer.max
    return array.astype(defaults.integer.numpy, copy=False) if fits else array


# ── one value everywhere ──────────────────────────────────────────────────────────────────────────────


class Fill(IndexMap):
    """One value in every place of a shape, the first input; `known` are the dims known before the run."""

    known: Shape

    graphdef = GraphDef("Fill", types={"T": "in1", "index_type": "in0"})
    samples = (
        Sample((np.array([2, 3]), np.array(1.5)), {"known": (2, None)}),
        Sample((np.array([], np.int64), np.array(True)), {"known": ()}),
        Sample((np.array([0, 3]), np.array(7)), {"known": None}),
    )

    def infer(self, dims: Spec, value: Spec) -> Spec:
        require_dtype("Fill", dims.dtype, INTEGER)
        if value.shape not in {(), None}:
            raise ShapeError(
                f"a tensor is filled with one value, not with shape {shapes.text(value.shape)}",
                why="All elements of the result are equal.",
                way_out="Write `rt.broadcast_to(value, shape)`.",
            )
        return Spec(self.known, value.dtype)

    def kernel(self, dims: Array, value: Array) -> Any:
        return np.full(tuple(dims), value)


def full(shape: Any, fill_value: TensorLike, *, dtype: Any = None) -> Tensor:
    """A tensor with `fill_value` in every place.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints
    fill_value : number or Tensor of shape ()
    dtype : DType, optional
        By default that of `fill_value`.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `full`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.full((2,), 7.5)
    <Tensor: shape=(2,), dtype=float64, numpy=array([7.5, 7.5])>
    """
    known, dims = shape_argument(shape)
    if any(dim is not None and dim < 0 for dim in known or ()):
        raise ShapeError(
            f"a tensor of shape {shapes.text(known)} was asked for",
            why="A length is 0 or more.",
            way_out="Say each length; only `rt.reshape` finds one that is -1.",
        )
    operand = as_operand(fill_value)
    if isinstance(operand, (bool, int, float, complex)):
        to = current_defaults().of(operand) if dtype is None else as_dtype(dtype)
        value = Tensor(np.asarray(operand, to.numpy))
    else:
        value = operand if dtype is None else ops.astype(operand, dtype)
    if dims is not None:
        return bind(Fill(known), dims, value)
    array = concrete(value)
    count = shapes.size(known) or 0
    if array is None or array.ndim or (current_graph() is not None and count > _SMALL):
        return bind(Fill(known), np.array(known, np.int64), value)
    return as_constant(np.full(known, array))


def zeros(shape: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of zeros.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints
    dtype : DType, optional
        The default floating-point dtype where it is not given.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `zeros`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.zeros(2)
    <Tensor: shape=(2,), dtype=float64, numpy=array([0., 0.])>
    """
    return full(shape, 0, dtype=current_defaults().floating if dtype is None else dtype)


def ones(shape: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of ones.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints
    dtype : DType, optional
        The default floating-point dtype where it is not given.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `ones`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.ones((1, 2), dtype=rt.int32)
    <Tensor: shape=(1, 2), dtype=int32, numpy=array([[1, 1]], dtype=int32)>
    """
    return full(shape, 1, dtype=current_defaults().floating if dtype is None else dtype)


def empty(shape: Any, *, dtype: Any = None) -> Tensor:
    """A tensor whose values do not matter; they are zeros.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints
    dtype : DType, optional
        The default floating-point dtype where it is not given.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `empty`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.empty((2, 3)).shape
    (2, 3)
    """
    return zeros(shape, dtype=dtype)


def full_like(x: TensorLike, /, fill_value: TensorLike, *, dtype: Any = None) -> Tensor:
    """A tensor of the shape of `x` with `fill_value` in every place.

    Parameters
    ----------
    x : Tensor of any dtype
    fill_value : number or Tensor of shape ()
    dtype : DType, optional
        By default that of `x`.

    Returns
    -------
    Tensor of `dtype`, shape of `x`

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `full_like`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.full_like(rt.asarray([1, 2]), 7)
    <Tensor: shape=(2,), dtype=int64, numpy=array([7, 7])>
    """
    tensor = as_tensor(x)
    of = tensor.shape if shapes.is_known(tensor.shape) else ops.shape(tensor)
    return full(of, fill_value, dtype=tensor.dtype if dtype is None else dtype)


def zeros_like(x: TensorLike, /, *, dtype: Any = None) -> Tensor:
    """A tensor of zeros of the shape of `x`.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, optional
        By default that of `x`.

    Returns
    -------
    Tensor of `dtype`, shape of `x`

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `zeros_like`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.zeros_like(rt.asarray([1.5, 2.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0., 0.])>
    """
    return full_like(x, 0, dtype=dtype)


def ones_like(x: TensorLike, /, *, dtype: Any = None) -> Tensor:
    """A tensor of ones of the shape of `x`.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, optional
        By default that of `x`.

    Returns
    -------
    Tensor of `dtype`, shape of `x`

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `ones_like`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.ones_like(rt.asarray([1.5, 2.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1., 1.])>
    """
    return full_like(x, 1, dtype=dtype)


def empty_like(x: TensorLike, /, *, dtype: Any = None) -> Tensor:
    """A tensor of the shape of `x` whose values do not matter; they are zeros.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, optional
        By default that of `x`.

    Returns
    -------
    Tensor of `dtype`, shape of `x`

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `empty_like`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.empty_like(rt.asarray([1, 2])).dtype
    int64
    """
    return full_like(x, 0, dtype=dtype)
