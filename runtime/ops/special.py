"""What the standard library has, and NumPy has not: the error function, the gamma function, exact sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.dtypes import float64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.errors import GraphError, ShapeError
from runtime.ops.facts import FLOATING, GraphDef, Sample, raising, unary
from runtime.ops.families import Elementwise, Opaque
from runtime.ops.promotion import require_dtype
from runtime.ops.scalars import each_by

__all__ = ["Erf", "Erfc", "Gamma", "Lgamma", "RoundedOnce"]


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


class RoundedOnce(Opaque):
    """A sum that Python's `math` computes as if exactly: of numbers, of products, of a product and one."""

    function: str
    """Its name there: one of `ROUNDING_ONCE`."""
    accepts = frozenset([float64])
    samples = (
        Sample((np.full(10, 0.1),), {"function": "fsum"}),
        Sample((np.array([1e100, 1.0, -1e100]),), {"function": "fsum"}),
        Sample((np.zeros(0),), {"function": "fsum"}),
        Sample((np.array([np.inf, 1.0]),), {"function": "fsum"}),
        *(
            Sample(each, {"function": name})
            for name, each in (
                ("fma", (np.array(0.1), np.array(3.0), np.array(-0.3))),
                ("sumprod", (np.array([0.1, 1e16, -1e16]), np.array([3.0, 1.0, 1.0]))),
            )
            if hasattr(math, name)
        ),
    )
    why_no_graphdef = "TensorFlow rounds each sum"
    raises = raising(OverflowError, ShapeError, TypeError, ValueError)

    def infer(self, *operands: ArraySpec) -> ArraySpec:
        if self.function not in ROUNDING_ONCE:
            raise GraphError(
                f"there is no `math.{self.function}` that rounds once",
                why="Later versions of Python have some of these functions that this one has not.",
                way_out="Run the graph by such a version.",
            )
        for each in operands:
            require_dtype(self.name, each.dtype, self.accepts)
            if self.function == "fma" and each.shape:
                raise ShapeError(f"`math.fma` takes three numbers, not {each}")
        return ArraySpec((), float64)

    def kernel(self, *operands: Array) -> Any:
        given = [np.ravel(each).tolist() for each in operands]
        if self.function == "fma":
            given = [each[0] for each in given]
        return np.float64(getattr(math, self.function)(*given))


ROUNDING_ONCE = frozenset([name for name in ("fma", "fsum", "sumprod") if hasattr(math, name)])
"""Functions of `math` whose results are rounded once, whatever they add up."""
