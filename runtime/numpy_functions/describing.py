"""What an array is like: its shape, its rank, its dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType
from runtime.core.tensor import Operators
from runtime.graph.build import note_kind_told, promotion_operand
from runtime.numpy_functions.operands import dims, known_rank, number, strong
from runtime.numpy_functions.table import implements

__all__: list[str] = []


@implements(np.shape)
def _shape(a: Any) -> tuple[Any, ...]:
    return dims(strong(a))


@implements(np.ndim)
def _ndim(a: Any) -> int:
    return known_rank(strong(a), "np.ndim")


@implements(np.size)
def _size(a: Any, axis: Any = None) -> Any:
    x = strong(a)
    if axis is not None:
        lengths = dims(x, "np.size")
        chosen = [lengths[each] for each in ((axis,) if isinstance(axis, int) else axis)]
        size = chosen[0]
        for length in chosen[1:]:
            size = size * length
        return size
    return ops.count_elements(x)


def _dtype(x: Any) -> Any:
    """What a tensor counts as where NumPy asks for dtypes: its own, or a number of Python's."""
    if not isinstance(x, Operators):
        return x
    tensor = number(x)
    note_kind_told(tensor)
    counts_as = promotion_operand(tensor)
    return counts_as.numpy if isinstance(counts_as, DType) else counts_as


@implements(np.result_type)
def _result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    return np.result_type(*map(_dtype, arrays_and_dtypes))


@implements(np.can_cast)
def _can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    return np.can_cast(_dtype(from_), _dtype(to), casting)


@implements(np.common_type)
def _common_type(*arrays: Any) -> Any:
    return np.common_type(*[np.empty(0, strong(each).dtype.numpy) for each in arrays])


@implements(np.iscomplexobj)
def _iscomplexobj(x: Any) -> bool:
    return strong(x).dtype.is_complex


@implements(np.isrealobj)
def _isrealobj(x: Any) -> bool:
    return not strong(x).dtype.is_complex
