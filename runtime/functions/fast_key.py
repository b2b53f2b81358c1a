"""The hot path of a call: which arguments are like those of a call before."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from runtime.core.tensor import EAGER, Array, Tensor

__all__ = ["FastKey", "is_taken_over", "sorted_out"]

FastKey: TypeAlias = tuple[object, ...]
"""What tells some arguments from others, the last one first: pairs inside pairs are the cheapest to make."""


def sorted_out(
    args: tuple[Any, ...], kwargs: Mapping[str, Any] = MappingProxyType({})
) -> tuple[FastKey | None, list[Array], int]:
    """A key for these arguments, the arrays among them, and a bit for each that is the caller's.

    This is the hot path of a call.

    The key has dtype and shape of a tensor or an array, a number or text with its class, and an object by a
    reference that does not keep it. It is None where telling them apart takes more.
    """
    key: FastKey = ()
    arrays: list[Array] = []
    lent = 0
    if kwargs:
        key = tuple(kwargs)
        args = (*args, *kwargs.values())
    if len(args) > _MOST_SORTED:
        return None, arrays, lent
    for value in args:
        kind: Any = type(value)
        if kind is Tensor or kind in EAGER:
            array = value._array
            arrays.append(array)
            key = key, array.dtype, array.shape
        elif kind is _ARRAY:
            lent |= 1 << len(arrays)
            arrays.append(value)
            key = key, value.dtype, value.shape
        elif kind in _EXACT:
            key = key, kind, value
        elif kind.__hash__ is object.__hash__ and kind.__weakrefoffset__:
            key = key, weakref.ref(value)
        elif isinstance(value, np.generic):
            arrays.append(np.asarray(value))
            key = key, value.dtype, ()
        else:
            return None, arrays, lent
    return key, arrays, lent


_ARRAY = np.ndarray
_MOST_SORTED = 100
"""Arguments from which on a key of pairs inside pairs would be too deep for a hash."""
_EXACT = frozenset((int, bool, str, bytes, type(None)))
"""Classes whose equal instances are the same argument; 0.0 and -0.0 differ, so floats take the longer way."""


def is_taken_over(leaf: Any, given: Any) -> bool:
    """Whether a leaf of the arguments is what was given: itself, or the same elements as a tensor."""
    if leaf is given:
        return type(leaf) is not np.ndarray  # or else it is an object that the function has from outside, too
    is_array = type(given) is np.ndarray or isinstance(given, np.generic)
    return is_array and type(leaf) in EAGER and leaf._array.dtype == given.dtype
