"""Ufuncs of NumPy without a function of their own here: `np.cbrt(tensor)` makes the op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.ops.facts import FLOATING, INTEGER, Sample, binary, raising, unary
from runtime.ops.families import Elementwise, Opaque
from runtime.ops.promotion import cast_operand, computing_dtypes, promotion_kinds, require_dtype

__all__ = [
    "BitwiseCount",
    "Cbrt",
    "Deg2Rad",
    "Exp2",
    "FMax",
    "FMin",
    "FMod",
    "FloatPower",
    "Frexp",
    "Heaviside",
    "Ldexp",
    "LogAddExp2",
    "Rad2Deg",
    "Spacing",
]

_COMPOSED = "TensorFlow composes it of other operations"


class Cbrt(Elementwise):
    """The cube root of each element."""

    ufunc = np.cbrt
    accepts = FLOATING
    samples = unary()
    why_no_graphdef = "TensorFlow has no cube roots"


class Exp2(Elementwise):
    """Two to the power of each element."""

    ufunc = np.exp2
    accepts = FLOATING
    samples = unary()
    why_no_graphdef = _COMPOSED


class Deg2Rad(Elementwise):
    """Each angle in degrees, as radians."""

    ufunc = np.deg2rad
    accepts = FLOATING
    samples = unary(-360, 360)
    why_no_graphdef = _COMPOSED


class Rad2Deg(Elementwise):
    """Each angle in radians, as degrees."""

    ufunc = np.rad2deg
    accepts = FLOATING
    samples = unary()
    why_no_graphdef = _COMPOSED


class Spacing(Elementwise):
    """The distance from each element to the next number away from zero."""

    ufunc = np.spacing
    accepts = FLOATING
    samples = unary()
    why_no_graphdef = _COMPOSED


class FloatPower(Elementwise):
    """One element to the power of another, in double precision at least."""

    ufunc = np.float_power
    accepts = FLOATING
    samples = binary(0.5, 4.0, FLOATING)
    why_no_graphdef = _COMPOSED


class FMax(Elementwise):
    """The greater of two elements, of a number and no number the number."""

    ufunc = np.fmax
    samples = binary(dtypes=FLOATING | INTEGER)
    why_no_graphdef = _COMPOSED


class FMin(Elementwise):
    """The lesser of two elements, of a number and no number the number."""

    ufunc = np.fmin
    samples = binary(dtypes=FLOATING | INTEGER)
    why_no_graphdef = _COMPOSED


class FMod(Elementwise):
    """What is left of one element after division by another, with the sign of the first."""

    ufunc = np.fmod
    accepts = FLOATING | INTEGER
    samples = binary(1.0, 4.0, FLOATING | INTEGER)
    why_no_graphdef = "TensorFlow's TruncateMod takes few dtypes, and its gradient is missing"


class Heaviside(Elementwise):
    """0 below zero, 1 above, and the second input at zero."""

    ufunc = np.heaviside
    accepts = FLOATING
    samples = binary(dtypes=FLOATING)
    why_no_graphdef = _COMPOSED


class LogAddExp2(Elementwise):
    """The base-2 logarithm of the sum of two powers of two."""

    ufunc = np.logaddexp2
    accepts = FLOATING
    samples = binary(dtypes=FLOATING)
    why_no_graphdef = _COMPOSED


class Ldexp(Elementwise):
    """An element times two to the power of an integer."""

    ufunc = np.ldexp
    accepts = FLOATING
    samples = (Sample((np.array([1.0, 3.0, -0.5]), np.array([2, -1, 4]))),)
    why_no_graphdef = _COMPOSED


class BitwiseCount(Elementwise):
    """The number of bits that are 1 in the magnitude of each integer."""

    ufunc = np.bitwise_count
    accepts = INTEGER
    samples = unary(dtypes=INTEGER)
    why_no_graphdef = "TensorFlow's PopulationCount counts the bits of negative numbers as they are stored"


class Frexp(Opaque):
    """A fraction of at least a half, and the power of two that it must be multiplied with."""

    accepts = FLOATING
    samples = (Sample((np.array([8.0, 0.3, -5.0, 0.0]),)), Sample((np.array([1.5], np.float32),)))
    why_no_graphdef = _COMPOSED
    raises = raising()

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        (x,) = operands
        return [cast_operand(x, computing_dtypes(np.frexp, promotion_kinds(operands))[0])]

    def infer(self, x: ArraySpec) -> tuple[ArraySpec, ArraySpec]:
        require_dtype(self.name, x.dtype, self.accepts)
        return x, x.with_dtype(int32)

    def kernel(self, x: Array) -> Any:
        return np.frexp(x)
