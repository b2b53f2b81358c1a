"""Whole numbers, signs, and numbers that are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import float32, float64, int32
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import as_tensor, bind
from runtime.ops.core.elements import scalar_map
from runtime.ops.facts import (
    FLOATING,
    NUMERIC,
    GraphDef,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    Samples,
    binary,
    unary,
)
from runtime.ops.families import Elementwise

__all__ = [
    "MOST_DECIMALS",
    "Ceil",
    "CopySign",
    "Floor",
    "IsFinite",
    "IsInf",
    "IsNan",
    "NextAfter",
    "PythonRound",
    "Rint",
    "Round",
    "SignBit",
    "Trunc",
    "ceil",
    "copysign",
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "nextafter",
    "python_round",
    "round",
    "signbit",
    "trunc",
]


MOST_DECIMALS = 22
"""The most for which a power of ten is a float of 64 bits itself."""
_WHOLE, _TINY = 2.0**53, 1e-200
"""From one on, floats have no decimals; below the other, they are zero by any of these."""
_SPLITS = 2.0**27 + 1
"""Splits a float in two of 26 bits."""


class Floor(Elementwise):
    """Each element rounded to the greatest integer that is not above it."""

    ufunc = np.floor
    graphdef = GraphDef("Floor", "y")
    accepts = FLOATING
    samples = unary(dtypes=FLOATING)


def floor(x: TensorLike, /) -> Tensor:
    """Each element of `x`, rounded to the greatest integer that is not above it.

    Parameters
    ----------
    x : Tensor of a real dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers stay as they are.

    Notes
    -----
    GraphDef "Floor". Semantics: Array API 2025.12, `floor`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.floor(rt.asarray([-1.5, 0.5, 2.5]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([-2.,  0.,  2.])>
    """
    return bind(Floor(), x)


class Ceil(Elementwise):
    """Each element rounded to the least integer that is not below it."""

    ufunc = np.ceil
    graphdef = GraphDef("Ceil", "y")
    accepts = FLOATING
    samples = unary(dtypes=FLOATING)


def ceil(x: TensorLike, /) -> Tensor:
    """Each element of `x`, rounded to the least integer that is not below it.

    Parameters
    ----------
    x : Tensor of a real dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers stay as they are.

    Notes
    -----
    GraphDef "Ceil". Semantics: Array API 2025.12, `ceil`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.ceil(rt.asarray([-1.5, 0.5, 2.5]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([-1.,  1.,  3.])>
    """
    return bind(Ceil(), x)


class Trunc(Elementwise):
    """Each element rounded to an integer, towards zero."""

    ufunc = np.trunc
    accepts = FLOATING
    samples = unary(dtypes=FLOATING)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        (x,), dtype = inputs, specs[0].dtype
        is_negative = builder.node("Less", [x, builder.constant(0, dtype)], "z", T=dtype)
        ceiling, floor = (builder.node(name, [x], "y", T=dtype) for name in ("Ceil", "Floor"))
        return [builder.node("SelectV2", [is_negative, ceiling, floor], T=dtype)]


def trunc(x: TensorLike, /) -> Tensor:
    """Each element of `x`, rounded to an integer, towards zero.

    Parameters
    ----------
    x : Tensor of a real dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers stay as they are.

    Notes
    -----
    Semantics: Array API 2025.12, `trunc`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.trunc(rt.asarray([-1.5, 0.5, 2.5]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([-1.,  0.,  2.])>
    """
    return bind(Trunc(), x)


class Rint(Elementwise):
    """Each element rounded to the nearest integer, an even one where two are."""

    ufunc = np.rint
    graphdef = GraphDef("Rint", "y")
    accepts = FLOATING
    samples = unary(dtypes=FLOATING)


def round(x: TensorLike, /) -> Tensor:
    """Each element of `x`, rounded to the nearest integer, an even one where two are.

    Parameters
    ----------
    x : Tensor of a real dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers stay as they are.

    Notes
    -----
    GraphDef "Rint". Semantics: Array API 2025.12, `round`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.round(rt.asarray([-1.5, 0.5, 2.5]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([-2.,  0.,  2.])>
    """
    tensor = as_tensor(x)
    return tensor if tensor.dtype.is_integer else bind(Rint(), tensor)


class Round(Elementwise):
    """Each element rounded to some decimals, or to tens, hundreds, …; halves go to the even neighbour."""

    decimals: int

    ufunc = np.positive
    accepts = NUMERIC
    samples = Samples(
        lambda: [
            Sample(sample.arrays, {"decimals": decimals})
            for decimals in (1, 0, -1)
            for sample in unary(-40, 40, frozenset((float32, float64, int32)))
        ]
    )
    why_no_graphdef = "TensorFlow composes it of Mul, Rint and RealDiv"

    def kernel(self, x: Array) -> Any:
        return np.round(x, self.decimals)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.dtype.is_complex:
            return None
        if self.decimals >= 0 and not x.dtype.is_floating:
            return x
        if self.decimals == 0:
            return scalar_map("rint(x0)", x)
        there, back = "*/" if self.decimals > 0 else "/*"
        power = 10.0 ** abs(self.decimals)
        if x.dtype.is_floating:
            return scalar_map(f"rint(x0 {there} T({power})) {back} T({power})", x)
        return scalar_map(f"T(rint(f64(x0) {there} f64({power})) {back} f64({power}))", x)


class PythonRound(Elementwise):
    """Each element rounded to some decimals as Python's `round` does it: the decimal that is nearest.

    NumPy rounds ``x * 10**decimals``, which is a rounded number itself. What that has lost is found out by
    Dekker's product of two numbers: so it is known on which side of a half an element lies.
    """

    decimals: int
    """From 0 to `MOST_DECIMALS`."""

    ufunc = np.positive
    accepts = frozenset((float64,))
    samples = Samples(
        lambda: [
            Sample((np.array([2.675, -0.125, 1e-300, 2.0**52 + 0.5, np.inf, -0.0]),), {"decimals": decimals})
            for decimals in (0, 2, 22)
        ]
    )
    why_no_graphdef = "TensorFlow rounds to whole numbers"

    def kernel(self, x: Array) -> Any:
        rounded = [number.__round__(self.decimals) for number in np.asarray(x).reshape(-1).tolist()]
        return np.array(rounded, np.float64).reshape(np.shape(x))

    def decompose(self, x: Tensor) -> Tensor:
        power = 10.0**self.decimals
        above = power * _SPLITS - (power * _SPLITS - power)
        is_usual = f"logical_and(absolute(x0) < f64({_WHOLE}), absolute(x0) > f64({_TINY}))"
        number = scalar_map(f"select({is_usual}, x0, f64(0.0))", x)
        scaled = scalar_map(f"x0 * f64({power})", number)
        upper = scalar_map(f"x0 * f64({_SPLITS}) - (x0 * f64({_SPLITS}) - x0)", number)
        lost = scalar_map(
            f"x1 * f64({above}) - x2 + x1 * f64({power - above}) + (x0 - x1) * f64({above})"
            f" + (x0 - x1) * f64({power - above})",
            number,
            upper,
            scaled,
        )
        whole = scalar_map("rint(x0)", scaled)
        rest = scalar_map("x0 - x1", scaled, whole)
        more = scalar_map("select(x1 > f64(0.5) - x0, f64(1.0), f64(0.0))", rest, lost)
        less = scalar_map("select(x1 < f64(-0.5) - x0, f64(1.0), f64(0.0))", rest, lost)
        is_half = scalar_map("logical_or(x1 == f64(0.5) - x0, x1 == f64(-0.5) - x0)", rest, lost)
        is_odd = scalar_map("x0 != f64(2.0) * floor(x0 * f64(0.5))", whole)
        step = "select(x2, select(x1, copysign(f64(1.0), x0), f64(0.0)), x3 - x4)"
        nearest = scalar_map(f"x5 + {step}", lost, is_odd, is_half, more, less, whole)
        fits = f"logical_and(absolute(x0) < f64({_WHOLE}), absolute(x1) < f64({_WHOLE}))"
        return scalar_map(f"select({fits}, copysign(x2 / f64({power}), x0), x0)", x, scaled, nearest)


def python_round(x: Tensor, decimals: int) -> Tensor:
    """Each element of `x`, rounded to some decimals as Python's `round` does it.

    Parameters
    ----------
    x : Tensor of float64
    decimals : int
        From 0 to `MOST_DECIMALS`.

    Returns
    -------
    Tensor of the same shape and dtype
    """
    return bind(PythonRound(decimals), x)


class IsNan(Elementwise):
    """Whether each element is not a number."""

    ufunc = np.isnan
    graphdef = GraphDef("IsNan", "y")
    accepts = NUMERIC
    samples = unary(dtypes=FLOATING)


def isnan(x: TensorLike, /) -> Tensor:
    """Whether each element of `x` is not a number.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor of bool of the same shape

    Notes
    -----
    GraphDef "IsNan". Semantics: Array API 2025.12, `isnan`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.isnan(rt.asarray([1.0, rt.inf, rt.nan]))
    <Tensor: shape=(3,), dtype=bool, numpy=array([False, False,  True])>
    """
    return bind(IsNan(), x)


class IsInf(Elementwise):
    """Whether each element is infinite."""

    ufunc = np.isinf
    graphdef = GraphDef("IsInf", "y")
    accepts = NUMERIC
    samples = unary(dtypes=FLOATING)


def isinf(x: TensorLike, /) -> Tensor:
    """Whether each element of `x` is infinite.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor of bool of the same shape

    Notes
    -----
    GraphDef "IsInf". Semantics: Array API 2025.12, `isinf`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.isinf(rt.asarray([1.0, rt.inf, rt.nan]))
    <Tensor: shape=(3,), dtype=bool, numpy=array([False,  True, False])>
    """
    return bind(IsInf(), x)


class IsFinite(Elementwise):
    """Whether each element is neither infinite nor NaN."""

    ufunc = np.isfinite
    graphdef = GraphDef("IsFinite", "y")
    accepts = NUMERIC
    samples = unary(dtypes=FLOATING)


def isfinite(x: TensorLike, /) -> Tensor:
    """Whether each element of `x` is neither infinite nor NaN.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor of bool of the same shape

    Notes
    -----
    GraphDef "IsFinite". Semantics: Array API 2025.12, `isfinite`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.isfinite(rt.asarray([1.0, rt.inf, rt.nan]))
    <Tensor: shape=(3,), dtype=bool, numpy=array([ True, False, False])>
    """
    return bind(IsFinite(), x)


class SignBit(Elementwise):
    """Whether each element has its sign bit set: is negative, or -0."""

    ufunc = np.signbit
    graphdef = None
    why_no_graphdef = "TensorFlow composes it of a Bitcast and a shift"
    accepts = FLOATING
    samples = unary(dtypes=FLOATING)


def signbit(x: TensorLike, /) -> Tensor:
    """Whether the sign bit of each element of `x` is set: it is negative, or -0.

    Parameters
    ----------
    x : Tensor of a floating-point dtype

    Returns
    -------
    Tensor of bool of the same shape

    Notes
    -----
    Semantics: Array API 2025.12, `signbit`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.signbit(rt.asarray([-0.0, 1.0]))
    <Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>
    """
    return bind(SignBit(), x)


class CopySign(Elementwise):
    """The magnitude of one element with the sign of another."""

    ufunc = np.copysign
    input_names = ("x", "y")
    graphdef = None
    why_no_graphdef = "TensorFlow composes it of bit operations"
    accepts = FLOATING
    samples = binary(dtypes=FLOATING)


def copysign(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Magnitude of each element of `x1` with the sign of the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of a floating-point dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Semantics: Array API 2025.12, `copysign`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.copysign(rt.asarray([1.0, 2.0]), -1.0)
    <Tensor: shape=(2,), dtype=float64, numpy=array([-1., -2.])>
    """
    return bind(CopySign(), x1, x2)


class NextAfter(Elementwise):
    """The next number after one element, towards another."""

    ufunc = np.nextafter
    input_names = ("x", "y")
    graphdef = GraphDef("NextAfter")
    accepts = FLOATING
    samples = binary(dtypes=FLOATING)


def nextafter(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The next number after each element of `x1`, towards the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of a floating-point dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    GraphDef "NextAfter". Semantics: Array API 2025.12, `nextafter`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.nextafter(rt.asarray(1.0), 2.0) > 1
    <Tensor: shape=(), dtype=bool, numpy=True>
    """
    return bind(NextAfter(), x1, x2)
