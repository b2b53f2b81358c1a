"""Sines, cosines, tangents, their inverses, and the hyperbolic ones."""

from __future__ import annotations

import numpy as np

from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import bind
from runtime.ops.facts import COMPLEX, FLOATING, GraphDef, binary, unary
from runtime.ops.families import Elementwise

__all__ = [
    "Acos",
    "Acosh",
    "Asin",
    "Asinh",
    "Atan",
    "Atan2",
    "Atanh",
    "Cos",
    "Cosh",
    "Hypot",
    "Sin",
    "Sinh",
    "Tan",
    "Tanh",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "hypot",
    "sin",
    "sinh",
    "tan",
    "tanh",
]


class Sin(Elementwise):
    """The sine of each element, in radians."""

    ufunc = np.sin
    graphdef = GraphDef("Sin", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-4, high=4, dtypes=FLOATING | COMPLEX)


def sin(x: TensorLike, /) -> Tensor:
    """Sine of each element of `x`, in radians.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Sin". Semantics: Array API 2025.12, `sin`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sin(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.47942554])>
    """
    return bind(Sin(), x)


class Cos(Elementwise):
    """The cosine of each element, in radians."""

    ufunc = np.cos
    graphdef = GraphDef("Cos", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-4, high=4, dtypes=FLOATING | COMPLEX)


def cos(x: TensorLike, /) -> Tensor:
    """Cosine of each element of `x`, in radians.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Cos". Semantics: Array API 2025.12, `cos`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.cos(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1.        , 0.87758256])>
    """
    return bind(Cos(), x)


class Tan(Elementwise):
    """The tangent of each element, in radians."""

    ufunc = np.tan
    graphdef = GraphDef("Tan", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-1, high=1, dtypes=FLOATING | COMPLEX)


def tan(x: TensorLike, /) -> Tensor:
    """Tangent of each element of `x`, in radians.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Tan". Semantics: Array API 2025.12, `tan`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.tan(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.54630249])>
    """
    return bind(Tan(), x)


class Asin(Elementwise):
    """The arc sine of each element, in radians."""

    ufunc = np.arcsin
    graphdef = GraphDef("Asin", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-0.9, high=0.9, dtypes=FLOATING | COMPLEX)


def asin(x: TensorLike, /) -> Tensor:
    """Arc sine of each element of `x`, in radians.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Asin". Semantics: Array API 2025.12, `asin`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.asin(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.52359878])>
    """
    return bind(Asin(), x)


class Acos(Elementwise):
    """The arc cosine of each element, in radians."""

    ufunc = np.arccos
    graphdef = GraphDef("Acos", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-0.9, high=0.9, dtypes=FLOATING | COMPLEX)


def acos(x: TensorLike, /) -> Tensor:
    """Arc cosine of each element of `x`, in radians.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Acos". Semantics: Array API 2025.12, `acos`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.acos(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1.57079633, 1.04719755])>
    """
    return bind(Acos(), x)


class Atan(Elementwise):
    """The arc tangent of each element, in radians."""

    ufunc = np.arctan
    graphdef = GraphDef("Atan", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-4, high=4, dtypes=FLOATING | COMPLEX)


def atan(x: TensorLike, /) -> Tensor:
    """Arc tangent of each element of `x`, in radians.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Atan". Semantics: Array API 2025.12, `atan`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.atan(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.46364761])>
    """
    return bind(Atan(), x)


class Sinh(Elementwise):
    """The hyperbolic sine of each element."""

    ufunc = np.sinh
    graphdef = GraphDef("Sinh", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-3, high=3, dtypes=FLOATING | COMPLEX)


def sinh(x: TensorLike, /) -> Tensor:
    """Hyperbolic sine of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Sinh". Semantics: Array API 2025.12, `sinh`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sinh(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.52109531])>
    """
    return bind(Sinh(), x)


class Cosh(Elementwise):
    """The hyperbolic cosine of each element."""

    ufunc = np.cosh
    graphdef = GraphDef("Cosh", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-3, high=3, dtypes=FLOATING | COMPLEX)


def cosh(x: TensorLike, /) -> Tensor:
    """Hyperbolic cosine of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Cosh". Semantics: Array API 2025.12, `cosh`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.cosh(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1.        , 1.12762597])>
    """
    return bind(Cosh(), x)


class Tanh(Elementwise):
    """The hyperbolic tangent of each element."""

    ufunc = np.tanh
    graphdef = GraphDef("Tanh", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-3, high=3, dtypes=FLOATING | COMPLEX)


def tanh(x: TensorLike, /) -> Tensor:
    """Hyperbolic tangent of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Tanh". Semantics: Array API 2025.12, `tanh`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.tanh(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.46211716])>
    """
    return bind(Tanh(), x)


class Asinh(Elementwise):
    """The inverse hyperbolic sine of each element."""

    ufunc = np.arcsinh
    graphdef = GraphDef("Asinh", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-3, high=3, dtypes=FLOATING | COMPLEX)


def asinh(x: TensorLike, /) -> Tensor:
    """Inverse hyperbolic sine of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Asinh". Semantics: Array API 2025.12, `asinh`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.asinh(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.48121183])>
    """
    return bind(Asinh(), x)


class Acosh(Elementwise):
    """The inverse hyperbolic cosine of each element."""

    ufunc = np.arccosh
    graphdef = GraphDef("Acosh", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=1.1, high=5, dtypes=FLOATING | COMPLEX)


def acosh(x: TensorLike, /) -> Tensor:
    """Inverse hyperbolic cosine of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Acosh". Semantics: Array API 2025.12, `acosh`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.acosh(rt.asarray([1.0, 2.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.       , 1.3169579])>
    """
    return bind(Acosh(), x)


class Atanh(Elementwise):
    """The inverse hyperbolic tangent of each element."""

    ufunc = np.arctanh
    graphdef = GraphDef("Atanh", "y")
    accepts = FLOATING | COMPLEX
    samples = unary(low=-0.9, high=0.9, dtypes=FLOATING | COMPLEX)


def atanh(x: TensorLike, /) -> Tensor:
    """Inverse hyperbolic tangent of each element of `x`.

    Parameters
    ----------
    x : Tensor of a floating-point or complex dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Atanh". Semantics: Array API 2025.12, `atanh`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.atanh(rt.asarray([0.0, 0.5]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.54930614])>
    """
    return bind(Atanh(), x)


class Atan2(Elementwise):
    """The angle of each point, in radians."""

    ufunc = np.arctan2
    input_names = ("y", "x")
    graphdef = GraphDef("Atan2", "z")
    accepts = FLOATING
    samples = binary(low=0.5, dtypes=FLOATING)


def atan2(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Angle of the point (`x1`, `x2`), in radians: the arc tangent of their quotient, in the right quadrant.

    Parameters
    ----------
    x1, x2 : Tensor of a floating-point dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    The ordinate comes first. GraphDef "Atan2". Semantics: Array API 2025.12, `atan2`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.atan2(rt.asarray([1.0, -1.0]), -1.0)
    <Tensor: shape=(2,), dtype=float64, numpy=array([ 2.35619449, -2.35619449])>
    """
    return bind(Atan2(), x1, x2)


class Hypot(Elementwise):
    """The length of each pair of sides of a right angle, opposite to it."""

    ufunc = np.hypot
    input_names = ("x", "y")
    graphdef = None
    why_no_graphdef = "TensorFlow composes it of ops that overflow"
    accepts = FLOATING
    samples = binary(dtypes=FLOATING)


def hypot(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Square root of the sum of the squares of each element of `x1` and the one of `x2`, without overflow.

    Parameters
    ----------
    x1, x2 : Tensor of a floating-point dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Semantics: Array API 2025.12, `hypot`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.hypot(rt.asarray([3.0]), 4.0)
    <Tensor: shape=(1,), dtype=float64, numpy=array([5.])>
    """
    return bind(Hypot(), x1, x2)
