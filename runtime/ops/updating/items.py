"""Updates with keys as users write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.graph.build import array_spec_of, as_operand, as_tensor, bind, is_of_numbers
from runtime.ops.promotion import cast_operand
from runtime.ops.slicing.keys import is_array_part, key_part
from runtime.ops.slicing.selected import require_one_ellipsis
from runtime.ops.updating import fitting
from runtime.ops.updating.combining import AdvancedCombine, kinds_up_to, require_castable
from runtime.ops.updating.replacing import AdvancedUpdate, TensorStridedSliceUpdate

__all__ = ["combine_item", "is_advanced", "set_item"]


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
    require_castable(kind.ufunc.__name__, combined.dtype, tensor.dtype)
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
        if not weakly or tensor.dtype.kind in kinds_up_to(dtype):
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
    fitting.require_fits(array_spec_of(value).shape, place)
    value = ops.broadcast_to(cast_operand(value, x.dtype), ops.shape(x))
    return ops.where(test, value, x)
