"""Methods: `self` is bound, and the rest of the signature stays."""

from dataclasses import dataclass
from functools import partial
from typing import assert_type

import autograph as ag
import runtime as rt


@dataclass
class Layer:
    weight: rt.Tensor

    @ag.function
    def __call__(self, x: rt.Tensor) -> rt.Tensor:
        return x * self.weight

    @ag.function(reduce_retracing=True)
    def shifted(self, x: rt.Tensor, by: int = 1) -> rt.Tensor:
        return self(x) + by

    @staticmethod
    @ag.function
    def still(x: rt.Tensor) -> int:
        return 1

    @classmethod
    @ag.function
    def made(cls, x: rt.Tensor) -> bool:
        return True

    @property
    @ag.function
    def doubled(self) -> rt.Tensor:
        return self.weight * 2


layer = Layer(rt.asarray(2.0))
assert_type(layer(rt.asarray(1.0)), rt.Tensor)
assert_type(layer.shifted(rt.asarray(1.0), by=2), rt.Tensor)
assert_type(Layer.shifted(layer, rt.asarray(1.0)), rt.Tensor)
assert_type(Layer.still(rt.asarray(1.0)), int)
assert_type(layer.made(rt.asarray(1.0)), bool)
assert_type(layer.doubled, rt.Tensor)
layer.shifted(rt.asarray(1.0), to=2)  # type: ignore[call-arg]
layer.shifted()  # type: ignore[call-arg]
assert_type(layer.shifted.get_concrete_function(rt.TensorSpec(())), ag.ConcreteFunction)
assert_type(layer.shifted.explain_retraces().traces[0].differences[0].way_out, str)
assert_type(layer.shifted.experimental_get_tracing_count(), int)
assert_type(layer.shifted.concrete_functions, list[ag.ConcreteFunction])

twice = ag.function(partial(layer.shifted, by=3))
assert_type(twice(rt.asarray(1.0)), rt.Tensor)
