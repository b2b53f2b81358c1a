"""Exponentials, logarithms and roots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import as_tensor, bind
from runtime.ops.core.elements import scalar_map
from runtime.ops.facts import COMPLEX, FLOATING, GraphDef, GraphDefBuilder, GraphDefTensor, binary, unary
from runtime.ops.families import Elementwise

__all__ = [
    "Exp",
    "Expm1",
    "Log",
    "Log1p",
    "Log2",
    "Log10",
    "LogAddExp",
    "Reciprocal",
    "Rsqrt",
    "Sqrt",
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "reciprocal",
    "rsqrt",
    "sqrt",
]


class Exp(Elementwise):
    """e raised to each element."""

    ufunc = np.exp
    graphdef = GraphDef("Exp", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-4, high=4, dtypes=FLOATING | COMPLEX)


def exp(x: TensorLike, /) -> Tensor:
    """E raised to the power of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Exp". Semantics: Array API 2025.12, `exp`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.exp(rt.asarray([0.5, 1.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1.64872127, 2.71828183])>
    """
    return bind(Exp(), x)


class Expm1(Elementwise):
    """e raised to each element, less 1."""

    ufunc = np.expm1
    graphdef = GraphDef("Expm1", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-4, high=4, dtypes=FLOATING | COMPLEX)


def expm1(x: TensorLike, /) -> Tensor:
    """E raised to the power of each element of `x`, less 1; exact near 0.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Expm1". Semantics: Array API 2025.12, `expm1`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.expm1(rt.asarray([0.5, 1.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.64872127, 1.71828183])>
    """
    result = bind(Expm1(), x)
    if not result.dtype.is_complex:
        return result
    whole = ops.cast(as_tensor(x), result.dtype)
    return ops.where(
        ops.isfinite(ops.real(whole)), result, ops.exp(whole) - 1
    )  # NumPy gives NaN of infinities


class Log(Elementwise):
    """The natural logarithm of each element."""

    ufunc = np.log
    graphdef = GraphDef("Log", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=0.1, high=9, dtypes=FLOATING | COMPLEX)


def log(x: TensorLike, /) -> Tensor:
    """Natural logarithm of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Log". Semantics: Array API 2025.12, `log`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.log(rt.asarray([0.5, 1.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([-0.69314718,  0.        ])>
    """
    return bind(Log(), x)


class Log1p(Elementwise):
    """The natural logarithm of 1 plus each element."""

    ufunc = np.log1p
    graphdef = GraphDef("Log1p", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-0.5, high=9, dtypes=FLOATING | COMPLEX)


def log1p(x: TensorLike, /) -> Tensor:
    """Natural logarithm of 1 plus each element of `x`; exact near 0.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Log1p". Semantics: Array API 2025.12, `log1p`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.log1p(rt.asarray([0.5, 1.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.40546511, 0.69314718])>
    """
    return bind(Log1p(), x)


class Log2(Elementwise):
    """The logarithm of each element to base 2."""

    ufunc = np.log2
    accepts = FLOATING | COMPLEX
    samples = unary(low=0.1, high=9, dtypes=FLOATING | COMPLEX)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        return [_logarithm(builder, inputs[0], specs[0], 2)]


def _logarithm(builder: GraphDefBuilder, x: GraphDefTensor, spec: ArraySpec, base: int) -> GraphDefTensor:
    """TensorFlow has the natural logarithm only."""
    natural = builder.node("Log", [x], "y", T=spec.dtype)
    return builder.node("RealDiv", [natural, builder.constant(np.log(base), spec.dtype)], "z", T=spec.dtype)


def log2(x: TensorLike, /) -> Tensor:
    """Logarithm of each element of `x` to base 2.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    Semantics: Array API 2025.12, `log2`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.log2(rt.asarray([1.0, 8.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0., 3.])>
    """
    return bind(Log2(), x)


class Log10(Elementwise):
    """The logarithm of each element to base 10."""

    ufunc = np.log10
    accepts = FLOATING | COMPLEX
    samples = unary(low=0.1, high=9, dtypes=FLOATING | COMPLEX)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        return [_logarithm(builder, inputs[0], specs[0], 10)]


def log10(x: TensorLike, /) -> Tensor:
    """Logarithm of each element of `x` to base 10.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    Semantics: Array API 2025.12, `log10`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.log10(rt.asarray([1.0, 100.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0., 2.])>
    """
    return bind(Log10(), x)


class Sqrt(Elementwise):
    """The square root of each element."""

    ufunc = np.sqrt
    graphdef = GraphDef("Sqrt", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=0, high=9, dtypes=FLOATING | COMPLEX)


def sqrt(x: TensorLike, /) -> Tensor:
    """Square root of each element of `x`; NaN for negative numbers.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Sqrt". Semantics: Array API 2025.12, `sqrt`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sqrt(rt.asarray([1.0, 4.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1., 2.])>
    """
    return bind(Sqrt(), x)


class Reciprocal(Elementwise):
    """1 divided by each element."""

    ufunc = np.reciprocal
    graphdef = GraphDef("Reciprocal", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=0.5, high=4, dtypes=FLOATING | COMPLEX)


def reciprocal(x: TensorLike, /) -> Tensor:
    """1 divided by each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype

    Notes
    -----
    Integers give 0 but for 1 and -1. GraphDef "Reciprocal". Semantics: Array API 2025.12, `reciprocal`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.reciprocal(rt.asarray([2.0, 4.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.5 , 0.25])>
    """
    return bind(Reciprocal(), x)


class LogAddExp(Elementwise):
    """The logarithm of the sum of the exponentials of each pair of elements."""

    ufunc = np.logaddexp
    input_names = ("x", "y")
    graphdef = None
    why_no_graphdef = "TensorFlow composes it of ops that differ for infinities"
    accepts = FLOATING
    samples = binary(dtypes=FLOATING)


def logaddexp(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Logarithm of the sum of the exponentials of each element of `x1` and the one of `x2`, without overflow.

    Parameters
    ----------
    x1, x2 : Tensor of a floating-point dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Semantics: Array API 2025.12, `logaddexp`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.logaddexp(rt.asarray([1000.0]), 1000.0)
    <Tensor: shape=(1,), dtype=float64, numpy=array([1000.69314718])>
    """
    return bind(LogAddExp(), x1, x2)


class Rsqrt(Elementwise):
    """1 divided by the square root of each element."""

    ufunc = np.sqrt
    graphdef = GraphDef("Rsqrt", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=0.5, high=9, dtypes=FLOATING | COMPLEX)

    def kernel(self, x: Array) -> Any:
        return np.reciprocal(np.sqrt(x))

    def decompose(self, x: Tensor) -> Tensor:
        return scalar_map("reciprocal(sqrt(x0))", x)


def rsqrt(x: TensorLike, /) -> Tensor:
    """1 divided by the square root of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Rsqrt". Semantics: TensorFlow `tf.math.rsqrt`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.rsqrt(rt.asarray([1.0, 4.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1. , 0.5])>
    """
    return bind(Rsqrt(), x)
