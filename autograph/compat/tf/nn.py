"""`tf.nn`: activations, and the greatest elements."""

from __future__ import annotations

from typing import Any

from autograph.compat.tf.math import sigmoid, softplus, tanh
from autograph.compat.tf.sorting import top_k
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.tensor import Tensor, TensorLike

__all__ = [
    "elu",
    "leaky_relu",
    "log_softmax",
    "relu",
    "relu6",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "swish",
    "tanh",
    "top_k",
]


def relu(features: TensorLike, name: Any = None) -> Tensor:
    """`tf.nn.relu`."""
    del name
    return ops.relu(convert_to_tensor(features))


def elu(features: TensorLike, name: Any = None) -> Tensor:
    """`tf.nn.elu`."""
    del name
    return ops.elu(convert_to_tensor(features))


def silu(features: TensorLike) -> Tensor:
    """`tf.nn.silu`."""
    return ops.silu(convert_to_tensor(features))


swish = silu


def relu6(features: TensorLike, name: Any = None) -> Tensor:
    """`tf.nn.relu6`."""
    del name
    return ops.clip(convert_to_tensor(features), 0, 6)


def leaky_relu(features: TensorLike, alpha: float = 0.2, name: Any = None) -> Tensor:
    """`tf.nn.leaky_relu`."""
    del name
    return ops.leaky_relu(convert_to_tensor(features), alpha=alpha)


def softmax(logits: TensorLike, axis: int | None = None, name: Any = None) -> Tensor:
    """`tf.nn.softmax`, along the last axis where none is named."""
    del name
    return ops.softmax(convert_to_tensor(logits), axis=-1 if axis is None else axis)


def log_softmax(logits: TensorLike, axis: int | None = None, name: Any = None) -> Tensor:
    """`tf.nn.log_softmax`, along the last axis where none is named."""
    del name
    return ops.log_softmax(convert_to_tensor(logits), axis=-1 if axis is None else axis)
