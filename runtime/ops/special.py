"""The error function and the gamma function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.ops.facts import FLOATING, GraphDef, unary
from runtime.ops.families import Elementwise
from runtime.ops.scalars import each_by

__all__ = ["Erf", "Erfc", "Gamma", "Lgamma"]


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
