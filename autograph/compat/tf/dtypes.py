"""`tf.dtypes`: the element types, and casting."""

from __future__ import annotations

from typing import Any

from autograph.compat.tf.texts import string
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
from runtime.core.dtypes import bool_ as boolean
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.facts import VARIANT

__all__ = [
    "DType",
    "as_dtype",
    "bfloat16",
    "bitcast",
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
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "variant",
]

bool = boolean
half = float16
variant = VARIANT
double = float64


def bitcast(input: TensorLike, type: Any, name: Any = None) -> Tensor:
    """`tf.bitcast`: the bits of elements as those of another dtype."""
    del name
    return ops.bitcast(convert_to_tensor(input), type)


def cast(x: TensorLike, dtype: Any, name: Any = None) -> Tensor:
    """`tf.cast`."""
    del name
    return ops.cast(convert_to_tensor(x), dtype)


# ── what TensorFlow's dtypes say of themselves ──

_PARTS = {complex64: float32, complex128: float64}
_TO_ONE = (0, 1)
"""The limits of floats: pictures are between them."""


def _limits(self: DType, clip_negative: Any = True) -> tuple[Any, Any]:
    """The range of the numbers of pictures: 0 to 1 for floats, all numbers of an integer from 0 on."""
    if self.is_floating:
        return _TO_ONE if clip_negative else (-1, 1)
    return (0 if clip_negative else self.min), self.max


def _is_compatible_with(self: DType, other: Any) -> Any:
    """Whether it is the same dtype."""
    return as_dtype(other) is self


for _name, _says in {
    "size": lambda self: self.itemsize,
    "is_unsigned": lambda self: self.kind == "u",
    "is_numeric": lambda self: not self.is_bool,
    "is_quantized": lambda self: False,  # noqa: ARG005  # there are none
    "is_numpy_compatible": lambda self: True,  # noqa: ARG005  # all are
    "real_dtype": lambda self: _PARTS.get(self, self),
    "base_dtype": lambda self: self,
    "limits": _limits,
}.items():
    setattr(DType, _name, property(_says))
DType.is_compatible_with = _is_compatible_with  # type: ignore[attr-defined]  # as TensorFlow's have it
