"""Comparisons of each pair of elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, int64, uint64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import bind, promotion_operand
from runtime.graph.symbol import Symbol
from runtime.ops.core import scalar_map
from runtime.ops.facts import (
    BOOLEAN,
    FLOATING,
    INTEGER,
    NUMERIC,
    GraphDef,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    binary,
)
from runtime.ops.families import ALL, Elementwise

__all__ = [
    "Equal",
    "Greater",
    "GreaterEqual",
    "Less",
    "LessEqual",
    "NotEqual",
    "equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "not_equal",
]


_SIGNED = np.array([-1, 0, 2**53, 2**53 + 1, 2**63 - 1])
_UNSIGNED = np.array([2**64 - 1, 0, 2**53 + 1, 2**53, 2**63], np.uint64)
_MIXED_SIGNS = (Sample((_SIGNED, _UNSIGNED)), Sample((_UNSIGNED, _SIGNED)))


class Comparison(Elementwise, abstract=True):
    """A comparison, exact also for a Python integer that its partner's dtype cannot hold."""

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        left, right = operands
        return super().prepare([_widened(left, beside=right), _widened(right, beside=left)])

    def kinds_of(self, operands: Sequence[Any]) -> tuple[Any, ...]:
        """An int of Python's own that only the run knows is compared as it is with integers of NumPy's."""
        kinds = super().kinds_of(operands)
        if int not in kinds:
            return kinds
        others = [kind for kind in kinds if isinstance(kind, DType)]
        if not others or not others[0].is_integer:
            return kinds
        return tuple(
            [
                each.dtype if kind is int and not isinstance(each, int) else kind
                for kind, each in zip(kinds, operands, strict=True)
            ]
        )

    def decompose(self, x1: Tensor, x2: Tensor) -> Tensor | None:
        dtypes = self.operand_dtypes((x1.dtype, x2.dtype))
        if dtypes == (int64, uint64):
            return _of_mixed_signs(self.scalar, x1, x2)
        if dtypes == (uint64, int64):
            return _of_mixed_signs(_TURNED[self.scalar], x2, x1)
        return self._mapped(x1, x2)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor] | None:
        if specs[0].dtype is specs[1].dtype:
            return None
        place = 0 if specs[0].dtype is int64 else 1
        signed, zero = inputs[place], builder.constant(0, int64)
        operands = list(inputs)
        operands[place] = builder.node("Cast", [signed], "y", SrcT=int64, DstT=uint64)
        assert self.graphdef is not None
        compared = builder.node(self.graphdef.op, operands, "z", T=uint64)
        if _holds_of_negatives(self.scalar, place):
            sign = builder.node("Less", [signed, zero], "z", T=int64)
            return [builder.node("LogicalOr", [sign, compared], "z")]
        sign = builder.node("GreaterEqual", [signed, zero], "z", T=int64)
        return [builder.node("LogicalAnd", [sign, compared], "z")]


_TURNED: Mapping[str | None, str] = {
    "equal": "equal",
    "not_equal": "not_equal",
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
}
"""What compares the same two numbers in the other order."""


def _holds_of_negatives(function: str | None, place: int = 0) -> bool:
    """Whether the comparison holds of a negative number, at this place, and any one that has no sign."""
    return (_TURNED[function] if place else function) in {"not_equal", "less", "less_equal"}


def _of_mixed_signs(function: str | None, signed: Tensor, unsigned: Tensor) -> Tensor:
    """A comparison of integers of which no dtype holds all: a negative one is less than any."""
    holds = "(x0 < i64(0)) |" if _holds_of_negatives(function) else "(x0 >= i64(0)) &"
    operands = ops.cast(signed, int64), ops.cast(unsigned, uint64)
    return scalar_map(f"{holds} {function}(u64(x0), x1)", *operands)


def _widened(operand: Any, beside: Any) -> Any:
    """An integer out of range of the tensor beside it, as a tensor of a dtype that orders it the same."""
    if type(operand) is not int:
        return operand
    partner = beside.dtype if isinstance(beside, Symbol) else promotion_operand(beside)
    if not isinstance(partner, DType) or not partner.is_integer or partner.min <= operand <= partner.max:
        return operand
    if not int64.min <= operand <= uint64.max:
        return Tensor(np.asarray(np.inf if operand > 0 else -np.inf))
    return Tensor(np.asarray(operand, np.int64 if operand <= int64.max else np.uint64))


class Equal(Comparison):
    """Whether one element equals another."""

    ufunc = np.equal
    input_names = ("x", "y")
    graphdef = GraphDef("Equal", "z")
    accepts = ALL
    samples = binary(low=-2, high=2, dtypes=NUMERIC | BOOLEAN) + _MIXED_SIGNS


def equal(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether each element of `x1` equals the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    GraphDef "Equal". Semantics: Array API 2025.12, `equal`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.equal(rt.asarray([1, 2, 3]), 2)
    <Tensor: shape=(3,), dtype=bool, numpy=array([False,  True, False])>
    """
    return bind(Equal(), x1, x2)


class NotEqual(Comparison):
    """Whether one element differs from another."""

    ufunc = np.not_equal
    input_names = ("x", "y")
    graphdef = GraphDef("NotEqual", "z")
    accepts = ALL
    samples = binary(low=-2, high=2, dtypes=NUMERIC | BOOLEAN) + _MIXED_SIGNS


def not_equal(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether each element of `x1` differs from the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    GraphDef "NotEqual". Semantics: Array API 2025.12, `not_equal`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.not_equal(rt.asarray([1, 2, 3]), 2)
    <Tensor: shape=(3,), dtype=bool, numpy=array([ True, False,  True])>
    """
    return bind(NotEqual(), x1, x2)


class Greater(Comparison):
    """Whether one element is greater than another."""

    ufunc = np.greater
    input_names = ("x", "y")
    graphdef = GraphDef("Greater", "z")
    accepts = ALL
    samples = binary(low=-2, high=2, dtypes=INTEGER | FLOATING) + _MIXED_SIGNS


def greater(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether each element of `x1` is greater than the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of a real dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    GraphDef "Greater". Semantics: Array API 2025.12, `greater`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.greater(rt.asarray([1, 2, 3]), 2)
    <Tensor: shape=(3,), dtype=bool, numpy=array([False, False,  True])>
    """
    return bind(Greater(), x1, x2)


class GreaterEqual(Comparison):
    """Whether one element is greater than or equal to another."""

    ufunc = np.greater_equal
    input_names = ("x", "y")
    graphdef = GraphDef("GreaterEqual", "z")
    accepts = ALL
    samples = binary(low=-2, high=2, dtypes=INTEGER | FLOATING) + _MIXED_SIGNS


def greater_equal(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether each element of `x1` is greater than or equal to the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of a real dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    GraphDef "GreaterEqual". Semantics: Array API 2025.12, `greater_equal`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.greater_equal(rt.asarray([1, 2, 3]), 2)
    <Tensor: shape=(3,), dtype=bool, numpy=array([False,  True,  True])>
    """
    return bind(GreaterEqual(), x1, x2)


class Less(Comparison):
    """Whether one element is less than another."""

    ufunc = np.less
    input_names = ("x", "y")
    graphdef = GraphDef("Less", "z")
    accepts = ALL
    samples = binary(low=-2, high=2, dtypes=INTEGER | FLOATING) + _MIXED_SIGNS


def less(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether each element of `x1` is less than the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of a real dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    GraphDef "Less". Semantics: Array API 2025.12, `less`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.less(rt.asarray([1, 2, 3]), 2)
    <Tensor: shape=(3,), dtype=bool, numpy=array([ True, False, False])>
    """
    return bind(Less(), x1, x2)


class LessEqual(Comparison):
    """Whether one element is less than or equal to another."""

    ufunc = np.less_equal
    input_names = ("x", "y")
    graphdef = GraphDef("LessEqual", "z")
    accepts = ALL
    samples = binary(low=-2, high=2, dtypes=INTEGER | FLOATING) + _MIXED_SIGNS


def less_equal(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Whether each element of `x1` is less than or equal to the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of a real dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of bool

    Notes
    -----
    GraphDef "LessEqual". Semantics: Array API 2025.12, `less_equal`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.less_equal(rt.asarray([1, 2, 3]), 2)
    <Tensor: shape=(3,), dtype=bool, numpy=array([ True,  True, False])>
    """
    return bind(LessEqual(), x1, x2)
