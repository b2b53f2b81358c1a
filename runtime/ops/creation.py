"""Tensors from Python data, or from nothing but a shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.devices import require_device
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import NUMPY_DEFAULTS, DType, as_dtype
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import EAGER, Array, Operators, Tensor, TensorLike, as_array, only_exchanges, short
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_operand, as_tensor, bind, current_builder, current_defaults, is_symbolic
from runtime.ops.arguments import require_lengths, require_vector, shape_argument
from runtime.ops.casting import require_cast
from runtime.ops.core import element, expect, move
from runtime.ops.facts import INTEGER, GraphDef, Sample, raising, sharing
from runtime.ops.families import IndexMap
from runtime.ops.known import as_constant, concrete
from runtime.ops.promotion import require_dtype

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


def asarray(obj: TensorLike, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Tensor:
    """`obj` as a tensor.

    Parameters
    ----------
    obj : Tensor, Variable, NumPy array, number, nested sequence of these, or foreign array
        A foreign array has ``__array__``, the buffer protocol or ``__dlpack__``.
    dtype : DType, optional
        By default that of `obj`; Python's own numbers take the default dtypes.
    device : str, optional
        There is one, ``"cpu"``.
    copy : bool, optional
        By default an array is copied, since it may change and a tensor never does, and a tensor is not. False
        shares the memory of an array with you: then nobody may write to it.

    Returns
    -------
    Tensor
        In a graph, a constant of it, unless it is a tensor already.

    Raises
    ------
    DTypeError
        When `obj` holds what is neither a number nor a truth value, or would lose its imaginary part.
    InvalidValue
        When `copy` is False and only a copy can be the result, or there is no such device.
    OverflowError
        When a Python integer does not fit `dtype`.
    ShapeError
        When `obj` is ragged.

    Notes
    -----
    GraphDef "Const". Semantics: Array API 2025.12, `asarray`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.asarray([1, 2], dtype=rt.float32)
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    require_device(device)
    to = None if dtype is None else as_dtype(dtype)
    if copy is False:
        return _without_copy(obj, to)
    if type(obj) is np.ndarray and current_builder() is None and to is None:
        return Tensor(as_array(obj))
    operand: Any = as_operand(obj)
    if isinstance(operand, (bool, int, float, complex)):
        return as_constant(_number(operand, to))
    if type(operand) not in EAGER:
        tensor = as_tensor(operand)
        tensor = tensor if to is None else ops.cast(tensor, to)
        return _of_its_own(tensor) if copy else tensor
    if isinstance(obj, (list, tuple)):
        array = _with_defaults(obj, as_array(operand)) if to is None else _as_asked(obj, to, operand.dtype)
        return as_constant(array)
    result = operand if to is None else ops.cast(operand, to)
    if copy and is_symbolic(result):
        return _of_its_own(result)
    if obj is operand:
        return as_constant(np.array(as_array(result))) if copy else as_tensor(result)
    return result if is_symbolic(result) else as_constant(as_array(result))


def _of_its_own(tensor: Tensor) -> Tensor:
    """A copy, which may be written into, also where it has no axes."""
    return ops.as_array_of_its_own(ops.copied(tensor))


def _number(number: complex, to: DType | None) -> Array:
    """A Python number as an array: of the default dtype, or of the one asked for."""
    if to is not None and isinstance(number, complex):
        require_cast(current_defaults().complexes, to)
    return np.asarray(number, (to or current_defaults().of(number)).numpy)


def _without_copy(obj: Any, dtype: DType | None) -> Tensor:
    """The memory of `obj`, where that can be a tensor of `dtype`."""
    if isinstance(obj, Operators) or is_symbolic(obj):
        tensor = as_tensor(obj)
        _require_same(tensor.dtype, dtype or tensor.dtype, obj)
        return tensor
    try:
        array = np.from_dlpack(obj, copy=False) if only_exchanges(obj) else np.asarray(obj, copy=False)
    except ValueError:
        raise _only_a_copy(obj) from None
    own = as_dtype(array.dtype)
    _require_same(array.dtype, (dtype or own).numpy, obj)
    return as_constant(array)


def _require_same(own: Any, wanted: Any, obj: Any) -> None:
    if own != wanted:
        raise _only_a_copy(obj, f" of dtype {wanted}")


def _only_a_copy(obj: Any, wanted: str = "") -> InvalidValue:
    return InvalidValue(
        f"{short(obj)} cannot become a tensor{wanted} without a copy",
        why="`copy=False` asks for the memory that it has.",
        way_out="Leave out `copy=False`.",
    )


def _as_asked(items: Sequence[Any], to: DType, own: DType) -> Array:
    """An array of a nested sequence, whose elements are of `own` dtype, in the dtype asked for."""
    require_cast(own, to)
    return np.asarray(items, to.numpy)


def _with_defaults(items: Sequence[Any], array: Array) -> Array:
    """An array of Python numbers in the default dtypes of here."""
    defaults = current_defaults()
    if defaults is NUMPY_DEFAULTS:
        return array
    while isinstance(items, (list, tuple)) and items:
        items = items[0]
    if type(items) not in {int, float, complex}:
        return array
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
        Sample((np.array([2, 3]), np.array(1.5)), {"known": (2, UNKNOWN)}),
        Sample((np.array([], np.int64), np.array(True)), {"known": ()}),
        Sample((np.array([0, 3]), np.array(7)), {"known": None}),
    )
    aliases = sharing()
    raises = raising(ShapeError)

    def infer(self, dims: ArraySpec, value: ArraySpec) -> ArraySpec:
        require_vector(dims)
        require_dtype("Fill", dims.dtype, INTEGER)
        if value.shape not in {(), None}:
            raise ShapeError(
                f"a tensor is filled with one value, not with shape {shapes.text(value.shape)}",
                why="All elements of the result are equal.",
                way_out="Write `rt.broadcast_to(value, shape)`.",
            )
        return ArraySpec(self.known, value.dtype)

    def kernel(self, dims: Array, value: Array) -> Any:
        return np.full(tuple(dims), value)

    def decompose(self, dims: Tensor, value: Tensor) -> Tensor | None:
        if self.known is None:
            return None
        pairs = enumerate(self.known)
        shape = [dim if isinstance(dim, int) else element(dims, axis) for axis, dim in pairs]
        for each in shape:
            expect("x0 >= i64(0)", "ValueError", "negative dimensions are not allowed", each)
        return move(value, shape, [])


_NUMBERS = frozenset((bool, int, float, complex))


def _is_plain(shape: Any) -> bool:
    """Whether nothing is traced, and a shape is of Python's own ints, as NumPy takes it too."""
    if current_builder() is not None:
        return False
    if type(shape) is int:
        return shape >= 0
    return type(shape) is tuple and set(map(type, shape)) <= {int} and min(shape, default=0) >= 0


def full(shape: Any, fill_value: TensorLike, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor with `fill_value` in every place.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints
    fill_value : number or Tensor of shape ()
    dtype : DType, optional
        By default that of `fill_value`.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `full`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.full((2,), 7.5)
    <Tensor: shape=(2,), dtype=float64, numpy=array([7.5, 7.5])>
    """
    require_device(device)
    if type(fill_value) in _NUMBERS and _is_plain(shape):
        return Tensor(np.full(shape, _number(fill_value, None if dtype is None else as_dtype(dtype))))
    known, dims = shape_argument(shape)
    require_lengths(known)
    operand = as_operand(fill_value)
    if isinstance(operand, (bool, int, float, complex)):
        value = Tensor(_number(operand, None if dtype is None else as_dtype(dtype)))
    else:
        value = operand if dtype is None else ops.cast(operand, dtype)
    if dims is not None:
        return bind(Fill(known), dims, value)
    array = concrete(value)
    count = shapes.size(known) or 0
    if array is None or array.ndim or (current_builder() is not None and count > _SMALL):
        return bind(Fill(known), np.array(known, np.int64), value)
    return as_constant(np.full(known, array))


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of zeros.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints
    dtype : DType, optional
        The default floating-point dtype where it is not given.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `zeros`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.zeros(2)
    <Tensor: shape=(2,), dtype=float64, numpy=array([0., 0.])>
    """
    if device is None and _is_plain(shape):
        return Tensor(np.zeros(shape, (NUMPY_DEFAULTS.floating if dtype is None else as_dtype(dtype)).numpy))
    return full(shape, 0, dtype=current_defaults().floating if dtype is None else dtype, device=device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of ones.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints
    dtype : DType, optional
        The default floating-point dtype where it is not given.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `ones`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.ones((1, 2), dtype=rt.int32)
    <Tensor: shape=(1, 2), dtype=int32, numpy=array([[1, 1]], dtype=int32)>
    """
    if device is None and _is_plain(shape):
        return Tensor(np.ones(shape, (NUMPY_DEFAULTS.floating if dtype is None else as_dtype(dtype)).numpy))
    return full(shape, 1, dtype=current_defaults().floating if dtype is None else dtype, device=device)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor whose values do not matter; they are zeros.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints
    dtype : DType, optional
        The default floating-point dtype where it is not given.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `empty`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.empty((2, 3)).shape
    (2, 3)
    """
    return zeros(shape, dtype=dtype, device=device)


def full_like(x: TensorLike, /, fill_value: TensorLike, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of the shape of `x` with `fill_value` in every place.

    Parameters
    ----------
    x : Tensor of any dtype
    fill_value : number or Tensor of shape ()
    dtype : DType, optional
        By default that of `x`.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype`, shape of `x`

    Raises
    ------
    InvalidValue
        When there is no such device.

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
    of = tensor.static_shape if shapes.is_known(tensor.static_shape) else ops.shape(tensor)
    return full(of, fill_value, dtype=tensor.dtype if dtype is None else dtype, device=device)


def zeros_like(x: TensorLike, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of zeros of the shape of `x`.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, optional
        By default that of `x`.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype`, shape of `x`

    Raises
    ------
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `zeros_like`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.zeros_like(rt.asarray([1.5, 2.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0., 0.])>
    """
    return full_like(x, 0, dtype=dtype, device=device)


def ones_like(x: TensorLike, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of ones of the shape of `x`.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, optional
        By default that of `x`.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype`, shape of `x`

    Raises
    ------
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `ones_like`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.ones_like(rt.asarray([1.5, 2.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1., 1.])>
    """
    return full_like(x, 1, dtype=dtype, device=device)


def empty_like(x: TensorLike, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor of the shape of `x` whose values do not matter; they are zeros.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, optional
        By default that of `x`.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype`, shape of `x`

    Raises
    ------
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Fill", or "Const" where it is small and known. Semantics: Array API 2025.12, `empty_like`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.empty_like(rt.asarray([1, 2])).dtype
    int64
    """
    return full_like(x, 0, dtype=dtype, device=device)
