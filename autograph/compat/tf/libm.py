"""`log`, `sin` and `cos` of float32 to the last bit as the C library of Linux computes them.

TensorFlow's random numbers are made with them. NumPy has its own, which round one number in a hundred the
other way. The tables and polynomials are those of Arm's optimized routines, which glibc took over.
"""

from __future__ import annotations

import numpy as np

from runtime import ops
from runtime.core.dtypes import float32, float64, int32, int64
from runtime.core.tensor import Tensor

__all__ = ["cos", "log", "sin"]


def _doubles(words: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([float.fromhex(word) for word in words.split()])


_INVERSES = _doubles(
    "0x1.661ec79f8f3bep+0 0x1.571ed4aaf883dp+0 0x1.49539f0f010bp+0 0x1.3c995b0b80385p+0 0x1.30d190c8864a5p+0 "
    "0x1.25e227b0b8eap+0 0x1.1bb4a4a1a343fp+0 0x1.12358f08ae5bap+0 0x1.0953f419900a7p+0 0x1p+0 "
    "0x1.e608cfd9a47acp-1 0x1.ca4b31f026aap-1 0x1.b2036576afce6p-1 0x1.9c2d163a1aa2dp-1 0x1.886e6037841edp-1 "
    "0x1.767dcf5534862p-1"
)
_LOGARITHMS = _doubles(
    "-0x1.57bf7808caadep-2 -0x1.2bef0a7c06ddbp-2 -0x1.01eae7f513a67p-2 -0x1.b31d8a68224e9p-3 "
    "-0x1.6574f0ac07758p-3 -0x1.1aa2bc79c81p-3 -0x1.a4e76ce8c0e5ep-4 -0x1.1973c5a611cccp-4 "
    "-0x1.252f438e10c1ep-5 0x0p+0 0x1.aa5aa5df25984p-5 0x1.c5e53aa362eb4p-4 0x1.526e57720db08p-3 "
    "0x1.bc2860d22477p-3 0x1.1058bc8a07ee1p-2 0x1.4043057b6ee09p-2"
)
_LN2 = float.fromhex("0x1.62e42fefa39efp-1")
_LOG = _doubles("-0x1.00ea348b88334p-2 0x1.5575b0be00b6ap-2 -0x1.ffffef20a4123p-2")
_OFFSET = 0x3F330000
"""The bits of a float32 in the middle of two powers of two: the table begins there."""


def log(x: Tensor) -> Tensor:
    """The logarithm of positive numbers."""
    bits = ops.cast(ops.bitcast(x, int32), int64)
    above = bits - _OFFSET
    place = (above // (1 << 19)) % 16
    exponent = above // (1 << 23)
    rest = ops.cast(ops.bitcast(ops.cast(bits - exponent * (1 << 23), int32), float32), float64)
    r = rest * ops.take(ops.asarray(_INVERSES), place) - 1.0
    start = ops.take(ops.asarray(_LOGARITHMS), place) + ops.cast(exponent, float64) * _LN2
    square = r * r
    y = float(_LOG[1]) * r + float(_LOG[2])
    y = float(_LOG[0]) * square + y
    return ops.cast(y * square + (start + r), float32)


_TURNS = float.fromhex("0x1.45F306DC9C883p+23")
_QUARTER = float.fromhex("0x1.921FB54442D18p0")
_COS = _doubles(
    "0x1p0 -0x1.ffffffd0c621cp-2 0x1.55553e1068f19p-5 -0x1.6c087e89a359dp-10 0x1.99343027bf8c3p-16"
)
_SIN = _doubles("-0x1.555545995a603p-3 0x1.1107605230bc4p-7 -0x1.994eb3774cf24p-13")


def _polynomials(x: Tensor, turn: int) -> Tensor:
    """The sine of angles below 120, a quarter `turn` or none further on."""
    wide = ops.cast(x, float64)
    quarter = (ops.cast(wide * _TURNS, int64) + 0x800000) // (1 << 24)
    angle = wide - ops.cast(quarter, float64) * _QUARTER
    negative = (quarter % 4 == 1) | (quarter % 4 == 2)
    angle = ops.where(negative, -angle, angle)
    square = angle * angle
    cube, fourth = angle * square, square * square
    s1, s2, s3 = map(float, _SIN)
    sine = (angle + cube * s1) + (cube * square) * (s2 + square * s3)
    c0, c1, c2, c3, c4 = map(float, _COS)
    cosine = ((c0 + square * c1) + fourth * c2) + (fourth * square) * (c3 + square * c4)
    cosine = ops.where(quarter % 4 >= 2, -cosine, cosine)
    return ops.cast(ops.where((quarter + turn) % 2 == 0, sine, cosine), float32)


def sin(x: Tensor) -> Tensor:
    """The sine of angles from 0 to 120."""
    return _polynomials(x, 0)


def cos(x: Tensor) -> Tensor:
    """The cosine of angles from 0 to 120."""
    return _polynomials(x, 1)
