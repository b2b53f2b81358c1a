"""`tf.bitwise`: the bits of integers."""

from __future__ import annotations

from autograph.compat.tf.values import binary, unary
from runtime import ops

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]

bitwise_and = binary("bitwise.bitwise_and", ops.bitwise_and)
bitwise_or = binary("bitwise.bitwise_or", ops.bitwise_or)
bitwise_xor = binary("bitwise.bitwise_xor", ops.bitwise_xor)
invert = unary("bitwise.invert", ops.bitwise_invert)
left_shift = binary("bitwise.left_shift", ops.bitwise_left_shift)
right_shift = binary("bitwise.right_shift", ops.bitwise_right_shift)
