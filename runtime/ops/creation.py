"""Tensors from Python data."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import as_operand, current_defaults
from runtime.ops.casting import astype

__all__ = ["asarray"]


def asarray(obj: TensorLike, /, *, dtype: Any = None) -> Tensor:
    """`obj` as a tensor."""
    operand = as_operand(obj)
    if not isinstance(operand, (bool, int, float, complex)):
        return operand if dtype is None else astype(operand, dtype)
    to = current_defaults().of(operand) if dtype is None else as_dtype(dtype)
    return Tensor(np.asarray(operand, to.numpy))
