"""`tf.dtypes`: the element types, and casting."""

from __future__ import annotations

from typing import Any

from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from runtime.core.dtypes import bool_ as bool
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.facts import VARIANT

__all__ = [
    "DType",
    "as_dtype",
    "bfloat16",
    "bool",
    "cast",
    "complex64",
    "complex128",
    "double",
    "float16",
    "float32",
    "float64",
    "half",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "variant",
]

half = float16
variant = VARIANT
double = float64


def cast(x: TensorLike, dtype: Any, name: Any = None) -> Tensor:
    """`tf.cast`."""
    del name
    return ops.cast(convert_to_tensor(x), dtype)
