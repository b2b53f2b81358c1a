"""TensorFlow's names for both."""

from typing import assert_type

import autograph as ag
import runtime as rt
from autograph.compat import tf


@tf.function
def relu(x: rt.Tensor) -> rt.Tensor:
    if tf.greater(x, 0):
        return x
    return x * 0


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def total(x: rt.Tensor) -> rt.Tensor:
    return tf.reduce_sum(x)


class Module:
    @tf.function
    def step(self, x: rt.Tensor) -> rt.Tensor:
        return x


assert_type(relu(tf.constant(1)), rt.Tensor)
assert_type(total(tf.constant([1.0])), rt.Tensor)
assert_type(Module().step(tf.constant(1)), rt.Tensor)
assert_type(relu.get_concrete_function(tf.constant(1)), ag.ConcreteFunction)
relu()  # type: ignore[call-arg]
