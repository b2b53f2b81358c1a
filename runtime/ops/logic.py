"""Truth values and bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, bool_
from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import as_operand, bind, kind_of
from runtime.ops.facts import BOOLEAN, INTEGER, GraphDef, binary, unary
from runtime.ops.families import Elementwise

__all__ = [
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Invert",
    "LeftShift",
    "LogicalAnd",
    "LogicalNot",
    "LogicalOr",
    "LogicalXor",
    "RightShift",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
]


class _Logical(Elementwise, abstract=True):
    """An op on truth values: numbers are cast to bool, true unless zero."""

    def operand_dtypes(self, kinds: tuple[Any, ...]) -> tuple[DType, ...]:
        return (bool_,) * len(kinds)

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        for operand in operands:
            if type(operand) is int:
                np.int64(operand)  # NumPy's truth values have that range, too
        return super().prepare(operands)


class LogicalAnd(_Logical):
    """Whether both of each pair of elements hold."""

    ufunc = np.logical_and
    input_names = ("x", "y")
    graphdef = GraphDef("LogicalAnd", "z", types={}, node="and")
    accepts = BOOLEAN
    samples = binary(dtypes=BOOLEAN)


def logical_and(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether both of each pair of elements of `x1` and `x2` hold.

    Parameters
    ----------
    x1, x2 : Tensor of bool
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    Numbers count as true unless they are zero. GraphDef "LogicalAnd". Semantics: Array API 2025.12,
    `logical_and`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.logical_and(rt.asarray([True, False]), True)
    <Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>
    """
    return bind(LogicalAnd(), x1, x2)


class LogicalOr(_Logical):
    """Whether either of each pair of elements holds."""

    ufunc = np.logical_or
    input_names = ("x", "y")
    graphdef = GraphDef("LogicalOr", "z", types={}, node="or")
    accepts = BOOLEAN
    samples = binary(dtypes=BOOLEAN)


def logical_or(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether either of each pair of elements of `x1` and `x2` holds.

    Parameters
    ----------
    x1, x2 : Tensor of bool
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    Numbers count as true unless they are zero. GraphDef "LogicalOr". Semantics: Array API 2025.12,
    `logical_or`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.logical_or(rt.asarray([True, False]), True)
    <Tensor: shape=(2,), dtype=bool, numpy=array([ True,  True])>
    """
    return bind(LogicalOr(), x1, x2)


class LogicalXor(_Logical):
    """Whether exactly one of each pair of elements holds."""

    ufunc = np.logical_xor
    input_names = ("x", "y")
    graphdef = GraphDef("NotEqual", "z")
    accepts = BOOLEAN
    samples = binary(dtypes=BOOLEAN)


def logical_xor(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether exactly one of each pair of elements of `x1` and `x2` holds.

    Parameters
    ----------
    x1, x2 : Tensor of bool
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    Numbers count as true unless they are zero. GraphDef "NotEqual". Semantics: Array API 2025.12,
    `logical_xor`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.logical_xor(rt.asarray([True, False]), True)
    <Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    return bind(LogicalXor(), x1, x2)


class LogicalNot(_Logical):
    """Whether each element does not hold."""

    ufunc = np.logical_not
    graphdef = GraphDef("LogicalNot", "y", types={})
    accepts = BOOLEAN
    samples = unary(dtypes=BOOLEAN)


def logical_not(x: TensorLike, /) -> Tensor:
    """Whether each element of `x` does not hold.

    Parameters
    ----------
    x : Tensor of bool

    Returns
    -------
    Tensor of bool of the same shape

    Notes
    -----
    Numbers count as true unless they are zero. GraphDef "LogicalNot". Semantics: Array API 2025.12,
    `logical_not`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.logical_not(rt.asarray([True, False]))
    <Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    return bind(LogicalNot(), x)


class BitwiseAnd(Elementwise):
    """The bits of each pair of integers joined by and."""

    ufunc = np.bitwise_and
    input_names = ("x", "y")
    graphdef = GraphDef("BitwiseAnd", "z", node="and")
    accepts = INTEGER | BOOLEAN
    samples = binary(dtypes=INTEGER)


def bitwise_and(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Bits of each element of `x1` and the one of `x2`, joined by and.

    Parameters
    ----------
    x1, x2 : Tensor of integers or bool
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Two bools become a `LogicalAnd`. GraphDef "BitwiseAnd". Semantics: Array API 2025.12, `bitwise_and`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.bitwise_and(rt.asarray([6, 5]), 3)
    <Tensor: shape=(2,), dtype=int64, numpy=array([2, 1])>
    """
    return _of_bits(BitwiseAnd(), LogicalAnd(), x1, x2)


class BitwiseOr(Elementwise):
    """The bits of each pair of integers joined by or."""

    ufunc = np.bitwise_or
    input_names = ("x", "y")
    graphdef = GraphDef("BitwiseOr", "z", node="or")
    accepts = INTEGER | BOOLEAN
    samples = binary(dtypes=INTEGER)


def bitwise_or(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Bits of each element of `x1` and the one of `x2`, joined by or.

    Parameters
    ----------
    x1, x2 : Tensor of integers or bool
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Two bools become a `LogicalOr`. GraphDef "BitwiseOr". Semantics: Array API 2025.12, `bitwise_or`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.bitwise_or(rt.asarray([6, 5]), 1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([7, 5])>
    """
    return _of_bits(BitwiseOr(), LogicalOr(), x1, x2)


class BitwiseXor(Elementwise):
    """The bits of each pair of integers joined by exclusive or."""

    ufunc = np.bitwise_xor
    input_names = ("x", "y")
    graphdef = GraphDef("BitwiseXor", "z", node="xor")
    accepts = INTEGER | BOOLEAN
    samples = binary(dtypes=INTEGER)


def bitwise_xor(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Bits of each element of `x1` and the one of `x2`, joined by exclusive or.

    Parameters
    ----------
    x1, x2 : Tensor of integers or bool
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Two bools become a `LogicalXor`. GraphDef "BitwiseXor". Semantics: Array API 2025.12, `bitwise_xor`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.bitwise_xor(rt.asarray([6, 5]), 1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([7, 4])>
    """
    return _of_bits(BitwiseXor(), LogicalXor(), x1, x2)


def _of_bits(on_integers: Elementwise, on_bools: Elementwise, *inputs: TensorLike) -> Tensor:
    """The op for bools where all inputs are bools: TensorFlow knows bits of integers alone."""
    operands = [as_operand(each) for each in inputs]
    all_bools = all(kind_of(operand) == "b" for operand in operands)
    return bind(on_bools if all_bools else on_integers, *operands)


class Invert(Elementwise):
    """The bits of each integer, all turned."""

    ufunc = np.invert
    graphdef = GraphDef("Invert", "y")
    accepts = INTEGER | BOOLEAN
    samples = unary(dtypes=INTEGER)


def bitwise_invert(x: TensorLike, /) -> Tensor:
    """Bits of each element of `x`, all turned.

    Parameters
    ----------
    x : Tensor of integers or bool

    Returns
    -------
    Tensor of the same shape and dtype

    Notes
    -----
    A bool becomes a `LogicalNot`. GraphDef "Invert". Semantics: Array API 2025.12, `bitwise_invert`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.bitwise_invert(rt.asarray([0, 5]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([-1, -6])>
    """
    return _of_bits(Invert(), LogicalNot(), x)


class LeftShift(Elementwise):
    """The bits of each integer shifted left."""

    ufunc = np.left_shift
    input_names = ("x", "y")
    graphdef = GraphDef("LeftShift", "z")
    accepts = INTEGER
    samples = binary(low=0, dtypes=INTEGER)


def bitwise_left_shift(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Bits of each element of `x1`, shifted left, by the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of integers
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    GraphDef "LeftShift". Semantics: Array API 2025.12, `bitwise_left_shift`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.bitwise_left_shift(rt.asarray([4, 5]), 1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([ 8, 10])>
    """
    return bind(LeftShift(), x1, x2)


class RightShift(Elementwise):
    """The bits of each integer shifted right."""

    ufunc = np.right_shift
    input_names = ("x", "y")
    graphdef = GraphDef("RightShift", "z")
    accepts = INTEGER
    samples = binary(low=0, dtypes=INTEGER)


def bitwise_right_shift(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Bits of each element of `x1`, shifted right, keeping the sign, by the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of integers
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    GraphDef "RightShift". Semantics: Array API 2025.12, `bitwise_right_shift`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.bitwise_right_shift(rt.asarray([4, 5]), 1)
    <Tensor: shape=(2,), dtype=int64, numpy=array([2, 2])>
    """
    return bind(RightShift(), x1, x2)
