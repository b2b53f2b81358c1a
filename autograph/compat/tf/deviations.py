"""What `tf.nn` says of how far predictions are from labels, and of how large tensors may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.compat.tf.factors import global_norm
from autograph.compat.tf.values import convert_to_tensor, known_integers, together
from runtime import ops
from runtime.core.tensor import Tensor, TensorLike

__all__ = [
    "clip_by_global_norm",
    "clip_by_norm",
    "l2_loss",
    "log_poisson_loss",
    "sigmoid_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits",
    "weighted_cross_entropy_with_logits",
]


def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: Any = None
) -> Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits`: `labels` are the wanted shares of each class."""
    del name
    wanted, found = map(convert_to_tensor, together(labels, logits))
    return -ops.sum(wanted * ops.log_softmax(found, axis=axis), axis=axis)


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: Any = None
) -> Tensor:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits`: `labels` are the wanted classes."""
    del name
    logarithms = ops.log_softmax(convert_to_tensor(logits), axis=-1)
    wanted = ops.expand_dims(convert_to_tensor(labels), axis=-1)
    return -ops.squeeze(ops.take_along_axis(logarithms, wanted, axis=-1), axis=-1)


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: Any = None
) -> Tensor:
    """`tf.nn.sigmoid_cross_entropy_with_logits`."""
    del name
    wanted, found = map(convert_to_tensor, together(labels, logits))
    return ops.relu(found) - found * wanted + ops.log1p(ops.exp(-ops.abs(found)))


def weighted_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, pos_weight: TensorLike, name: Any = None
) -> Tensor:
    """`tf.nn.weighted_cross_entropy_with_logits`."""
    del name
    wanted, found, weight = map(convert_to_tensor, together(labels, logits, pos_weight))
    factor = 1 + (weight - 1) * wanted
    smooth = ops.log1p(ops.exp(-ops.abs(found))) + ops.relu(-found)
    return (1 - wanted) * found + factor * smooth


def log_poisson_loss(
    targets: TensorLike, log_input: TensorLike, compute_full_loss: bool = False, name: Any = None
) -> Tensor:
    """`tf.nn.log_poisson_loss`."""
    del name
    wanted, found = map(convert_to_tensor, together(targets, log_input))
    result = ops.exp(found) - found * wanted
    if not compute_full_loss:
        return result
    safe = ops.where((wanted >= 0) & (wanted <= 1), ops.ones_like(wanted), wanted)
    stirling = safe * ops.log(safe) - safe + 0.5 * ops.log(2 * ops.full_like(safe, 3.141592653589793) * safe)
    return result + ops.where((wanted >= 0) & (wanted <= 1), ops.zeros_like(wanted), stirling)


def l2_loss(t: TensorLike, name: Any = None) -> Tensor:
    """`tf.nn.l2_loss`: half of the sum of squares."""
    del name
    tensor = convert_to_tensor(t)
    return ops.sum(ops.square(tensor)) / 2


def clip_by_norm(t: TensorLike, clip_norm: TensorLike, axes: Any = None, name: Any = None) -> Tensor:
    """`tf.clip_by_norm`: shortened where it is longer than `clip_norm`."""
    del name
    tensor, limit = map(convert_to_tensor, together(t, clip_norm))
    squares = ops.sum(ops.square(tensor), axis=known_integers(axes), keepdims=True)
    norm = ops.sqrt(ops.where(squares > 0, squares, ops.ones_like(squares)))
    longest = ops.where(squares > 0, norm, squares)
    return tensor * limit / ops.maximum(longest, limit)


def clip_by_global_norm(
    t_list: Sequence[TensorLike | None],
    clip_norm: TensorLike,
    use_norm: TensorLike | None = None,
    name: Any = None,
) -> tuple[list[Any], Tensor]:
    """`tf.clip_by_global_norm`: several tensors, shortened together; and how long they were."""
    norm = global_norm(t_list, name) if use_norm is None else convert_to_tensor(use_norm)
    scale = clip_norm * ops.minimum(1 / norm, 1 / convert_to_tensor(clip_norm, norm.dtype))
    return [None if each is None else convert_to_tensor(each) * scale for each in t_list], norm
