"""`tf.nn`: activations, and what neural networks are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.compat.tf.deviations import (
    l2_loss,
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from autograph.compat.tf.layers import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    batch_normalization,
    batch_to_space,
    bias_add,
    conv1d,
    conv2d,
    conv3d,
    convolution,
    depth_to_space,
    depthwise_conv2d,
    dropout,
    embedding_lookup,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    moments,
    pool,
    separable_conv2d,
    space_to_batch,
    space_to_depth,
    sufficient_statistics,
    weighted_moments,
)
from autograph.compat.tf.math import log_softmax, sigmoid, softmax, softplus, tanh
from autograph.compat.tf.segments import in_top_k
from autograph.compat.tf.sorting import top_k
from autograph.compat.tf.special import erfc, l2_normalize, softsign, zero_fraction
from autograph.compat.tf.transposed import (
    atrous_conv2d,
    atrous_conv2d_transpose,
    conv1d_transpose,
    conv2d_transpose,
    conv3d_transpose,
    conv_transpose,
)
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.tensor import Tensor, TensorLike

__all__ = [
    "atrous_conv2d",
    "atrous_conv2d_transpose",
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_normalization",
    "batch_to_space",
    "bias_add",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "conv_transpose",
    "convolution",
    "crelu",
    "depth_to_space",
    "depthwise_conv2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "gelu",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "log_poisson_loss",
    "log_softmax",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "moments",
    "pool",
    "relu",
    "relu6",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "zero_fraction",
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


def gelu(features: TensorLike, approximate: bool = False, name: Any = None) -> Tensor:
    """`tf.nn.gelu`."""
    del name
    x = convert_to_tensor(features)
    if approximate:
        return 0.5 * x * (1 + tanh(np.sqrt(2 / np.pi).item() * (x + 0.044715 * x * x * x)))
    return 0.5 * x * erfc(-x * np.sqrt(0.5).item())


def selu(features: TensorLike, name: Any = None) -> Tensor:
    """`tf.nn.selu`."""
    del name
    x = convert_to_tensor(features)
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    return ops.where(x > 0, scale * x, scale * alpha * ops.expm1(ops.minimum(x, 0)))


def crelu(features: TensorLike, axis: int = -1, name: Any = None) -> Tensor:
    """`tf.nn.crelu`: the positive part, and that of the opposite."""
    del name
    x = convert_to_tensor(features)
    return ops.relu(ops.concat([x, -x], axis=axis))
