"""What the standard library has, and NumPy has not: the error function, the gamma function, exact sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.dtypes import float64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.ops.facts import FLOATING, GraphDef, Sample, raising, unary
from runtime.ops.families import Elementwise, Opaque
from runtime.ops.promotion import require_dtype
from runtime.ops.scalars import each_by

__all__ = ["Erf", "Erfc", "ExactSum", "Gamma", "Lgamma"]


class _Special(Elementwise, abstract=True):
    """A function of each element that the standard library has, and NumPy has not."""

    ufunc = np.sqrt
    """It decides the dtypes: what these functions do with them is the same."""
    accepts = FLOATING
    samples = unary(0.25, 4.0)


class Erf(_Special):
    """The error function of each element."""

    scalar = "erf"
    graphdef = GraphDef("Erf", "y")

    def kernel(self, x: Array) -> Any:
        return each_by(math.erf, x)


class Erfc(_Special):
    """One minus the error function of each element, exact also where that is small."""

    scalar = "erfc"
    graphdef = GraphDef("Erfc", "y")

    def kernel(self, x: Array) -> Any:
        return each_by(math.erfc, x)


class Gamma(_Special):
    """The gamma function of each element: nan where it is not defined."""

    scalar = "gamma"
    why_no_graphdef = "TensorFlow composes it of Lgamma and Exp"

    def kernel(self, x: Array) -> Any:
        return each_by(math.gamma, x)


class Lgamma(_Special):
    """The logarithm of the magnitude of the gamma function of each element."""

    scalar = "lgamma"
    graphdef = GraphDef("Lgamma", "y")

    def kernel(self, x: Array) -> Any:
        return each_by(math.lgamma, x)


class ExactSum(Opaque):
    """The sum of all elements, rounded once: `math.fsum`."""

    accepts = frozenset([float64])
    samples = (
        Sample((np.full(10, 0.1),)),
        Sample((np.array([1e100, 1.0, -1e100]),)),
        Sample((np.zeros(0),)),
        Sample((np.array([np.inf, 1.0]),)),
    )
    why_no_graphdef = "TensorFlow rounds each sum"
    raises = raising(OverflowError, ValueError)

    def infer(self, x: ArraySpec) -> ArraySpec:
        require_dtype(self.name, x.dtype, self.accepts)
        return x.with_shape(())

    def kernel(self, x: Array) -> Any:
        return np.float64(math.fsum(np.ravel(x)))
