"""Whole numbers: divisors, multiples, and powers of which only a remainder is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.ops.facts import INTEGER, Sample
from runtime.ops.families import Elementwise, Opaque
from runtime.ops.promotion import promoted, require_dtype

__all__ = ["Gcd", "Lcm", "PowMod"]

_PAIRS = (np.array([4, -6, 0, 21]), np.array([6, 4, 3, 14]))


class Gcd(Elementwise):
    """The greatest common divisor of two integers."""

    ufunc = np.gcd
    accepts = INTEGER
    samples = (Sample(_PAIRS), Sample(tuple([each.astype(np.int8) for each in _PAIRS])))
    why_no_graphdef = "TensorFlow has no divisors"


class Lcm(Elementwise):
    """The least common multiple of two integers."""

    ufunc = np.lcm
    accepts = INTEGER
    samples = (Sample(_PAIRS), Sample(tuple([each.astype(np.int8) for each in _PAIRS])))
    why_no_graphdef = "TensorFlow has no multiples"


class PowMod(Opaque):
    """What is left of one integer to the power of another after division by a third."""

    accepts = INTEGER
    samples = (
        Sample((np.array([3, 10**9]), np.array([200, 3]), np.array([7, -10]))),
        Sample((np.array(2, np.int8), np.array([[5], [0]], np.int8), np.array(5, np.int8))),
    )
    why_no_graphdef = "TensorFlow's powers overflow before the division"

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: ArraySpec, power: ArraySpec, modulus: ArraySpec) -> ArraySpec:
        require_dtype("pow with a modulus", x.dtype, self.accepts)
        return x.with_shape(shapes.broadcast(x.shape, power.shape, modulus.shape))

    def kernel(self, x: Array, power: Array, modulus: Array) -> Any:
        numbers = np.broadcast_arrays(x, power, modulus)
        results = [pow(*each) for each in zip(*[array.ravel().tolist() for array in numbers], strict=True)]
        return np.array(results, np.asarray(x).dtype).reshape(numbers[0].shape)
