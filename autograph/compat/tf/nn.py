"""`tf.nn`: activations, and the greatest elements."""

from __future__ import annotations

from typing import Any

from autograph.compat.tf.math import sigmoid, softplus, tanh, top_k
from autograph.compat.tf.values import convert_to_tensor, unary
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

elu = unary("nn.elu", ops.elu)
relu = unary("nn.relu", ops.relu)
silu = unary("nn.silu", ops.silu)
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
