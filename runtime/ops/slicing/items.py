"""`x[key]`, as users write it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.shapes import UNKNOWN
from runtime.core.tensor import EAGER, Array, Tensor, TensorLike
from runtime.graph.build import as_tensor, bind, class_of, current_builder
from runtime.ops.known import known_dim
from runtime.ops.slicing.cutting import DynamicStridedSlice, StridedSlice
from runtime.ops.slicing.keys import Key, is_array_part, key_part, split_key

__all__ = ["get_item"]


def get_item(x: TensorLike, key: Any, /) -> Tensor:
    """``x[key]``: the part of `x` that `key` selects.

    Parameters
    ----------
    x : Tensor of any dtype
    key : int, slice, None, Ellipsis, Tensor of ints or bool, or tuple of these

    Returns
    -------
    Tensor of the same dtype

    Raises
    ------
    IndexOutOfRange
        When an index is outside its axis, in the run where it is a tensor, or there are more than axes.
    InvalidIndex
        When a part of `key` is no index, or its tensors do not broadcast together.

    Notes
    -----
    GraphDef "StridedSlice"; "GatherV2" where the key is a tensor with axes. Semantics: NumPy indexing.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.asarray([[1, 2, 3], [4, 5, 6]])[rt.asarray(1), ::2]
    <Tensor: shape=(2,), dtype=int64, numpy=array([4, 6])>
    """
    items = key if isinstance(key, tuple) else (key,)
    if type(x) in EAGER and current_builder() is None:
        found = _read_at_once(x._array, items)
        if found is not None:
            return class_of((x,))(found)
    if all(map(_is_literal, items)):
        return bind(StridedSlice(Key(items)), x)
    if type(key) in EAGER and key.ndim and key.dtype.is_integer and as_tensor(x).static_shape:
        return ops.take(x, key, axis=0)
    parts = [key_part(each) for each in items]
    if any(is_array_part(part) for part in parts):
        return ops.get_advanced(x, parts)
    literal, operands = split_key(parts)
    if operands:
        known = tuple(map(known_dim, operands))
        known = known if any(dim is not UNKNOWN for dim in known) else ()
        return bind(DynamicStridedSlice(literal, known), x, *operands)
    return bind(StridedSlice(Key(parts)), x)


def _read_at_once(array: Array, items: Sequence[Any]) -> Any:
    """What NumPy reads by literals, tensors and arrays; None for other keys, and those that it refuses."""
    index = []
    for item in items:
        if type(item) in EAGER:
            index.append(item._array)
        elif _is_literal(item) or (isinstance(item, (np.ndarray, np.generic)) and item.dtype.kind in "biu"):
            index.append(item)
        else:
            return None
    if array.dtype.hasobject:  # a list of tensors
        return None
    try:
        return array[tuple(index)]
    except IndexError:
        return None


def _is_literal(item: Any) -> bool:
    """Whether a place of a key is written with Python's own ints alone."""
    kind = type(item)
    if kind is slice:
        return {type(item.start), type(item.stop), type(item.step)} <= _LITERAL_ENDS
    return kind is int or item is None or item is Ellipsis


_LITERAL_ENDS = frozenset((int, type(None)))
