"""Activations of neural networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.shapes import normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_operand, as_tensor, bind
from runtime.graph.op import Failures
from runtime.ops.arguments import number
from runtime.ops.core.elements import scalar_map
from runtime.ops.core.folding import reduce
from runtime.ops.facts import FLOATING, INTEGER, GraphDef, misranked, shaped, sharing, unary
from runtime.ops.families import Elementwise, Family
from runtime.ops.promotion import require_dtype, rounded_once

__all__ = [
    "Elu",
    "LeakyRelu",
    "LogSoftmax",
    "Relu",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "elu",
    "leaky_relu",
    "log_softmax",
    "relu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
]


class Relu(Elementwise):
    """Each element, or 0 where it is negative."""

    ufunc = np.negative
    graphdef = GraphDef("Relu", "activations")
    accepts = INTEGER | FLOATING
    samples = unary(dtypes=INTEGER | FLOATING)

    def kernel(self, x: Array) -> Any:
        return np.maximum(x, 0)

    def decompose(self, x: Tensor) -> Tensor:
        return scalar_map("maximum(x0, T(0))", x)


def relu(x: TensorLike, /) -> Tensor:
    """Each element of `x`, or 0 where it is negative.

    Parameters
    ----------
    x : Tensor of a real dtype

    Returns
    -------
    Tensor of the same shape and dtype

    Notes
    -----
    GraphDef "Relu". Semantics: TensorFlow `tf.nn.relu`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.relu(rt.asarray([-1.0, 0.0, 2.0]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([0., 0., 2.])>
    """
    return bind(Relu(), x)


class LeakyRelu(Elementwise):
    """Each element, times `alpha` where it is negative."""

    alpha: float

    ufunc = np.exp
    graphdef = GraphDef("LeakyRelu", "activations", attributes={"alpha": "alpha"})
    accepts = FLOATING
    samples = (shaped((3,), alpha=0.1), shaped((2, 0), alpha=0.2, elements=np.float64))

    def kernel(self, x: Array) -> Any:
        return np.where(np.greater(x, 0), x, np.multiply(x, np.asarray(self.alpha, x.dtype)))

    def decompose(self, x: Tensor) -> Tensor:
        return scalar_map(f"select(x0 > T(0), x0, x0 * T({self.alpha!r}))", x)


def leaky_relu(x: TensorLike, /, *, alpha: float = 0.2) -> Tensor:
    """Each element of `x`, times `alpha` where it is negative.

    Parameters
    ----------
    x : Tensor of a floating-point dtype
    alpha : float, optional

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Raises
    ------
    DTypeError
        When `alpha` is no number.

    Notes
    -----
    GraphDef "LeakyRelu". Semantics: TensorFlow `tf.nn.leaky_relu`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.leaky_relu(rt.asarray([-1.0, 0.0, 2.0]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([-0.2,  0. ,  2. ])>
    """
    return bind(LeakyRelu(number(alpha, "alpha")), x)


class Elu(Elementwise):
    """Each element, or its exponential less 1 where it is negative."""

    ufunc = np.exp
    graphdef = GraphDef("Elu", "activations")
    accepts = FLOATING
    samples = unary(dtypes=FLOATING)

    def kernel(self, x: Array) -> Any:
        return np.where(np.greater(x, 0), x, np.expm1(np.minimum(x, 0)))

    def decompose(self, x: Tensor) -> Tensor:
        return scalar_map("select(x0 > T(0), x0, expm1(minimum(x0, T(0))))", x)


def elu(x: TensorLike, /) -> Tensor:
    """Each element of `x`, or its exponential less 1 where it is negative.

    Parameters
    ----------
    x : Tensor of a floating-point dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Elu". Semantics: TensorFlow `tf.nn.elu`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.elu(rt.asarray([-1.0, 0.0, 2.0]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([-0.63212056,  0.        ,  2.        ])>
    """
    return bind(Elu(), x)


class Sigmoid(Elementwise):
    """The logistic function of each element."""

    ufunc = np.exp
    graphdef = GraphDef("Sigmoid", "y")
    accepts = FLOATING
    samples = unary(dtypes=FLOATING)

    def kernel(self, x: Array) -> Any:
        return np.exp(np.negative(np.logaddexp(0, np.negative(x))))

    def decompose(self, x: Tensor) -> Tensor:
        return scalar_map("exp(-logaddexp(T(0), -x0))", x)


def sigmoid(x: TensorLike, /) -> Tensor:
    """Logistic function of each element of `x`: 1 / (1 + exp(-x)), without overflow.

    Parameters
    ----------
    x : Tensor of a floating-point dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Sigmoid". Semantics: TensorFlow `tf.sigmoid`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sigmoid(rt.asarray([-1.0, 0.0, 2.0]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([0.26894142, 0.5       , 0.88079708])>
    """
    return bind(Sigmoid(), x)


class Softplus(Elementwise):
    """The logarithm of 1 plus the exponential of each element."""

    ufunc = np.exp
    graphdef = GraphDef("Softplus", "activations")
    accepts = FLOATING
    samples = unary(dtypes=FLOATING)

    def kernel(self, x: Array) -> Any:
        return np.logaddexp(x, 0)

    def decompose(self, x: Tensor) -> Tensor:
        return scalar_map("logaddexp(x0, T(0))", x)


def softplus(x: TensorLike, /) -> Tensor:
    """Logarithm of 1 plus the exponential of each element of `x`, without overflow.

    Parameters
    ----------
    x : Tensor of a floating-point dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Softplus". Semantics: TensorFlow `tf.math.softplus`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.softplus(rt.asarray([-1.0, 0.0, 2.0]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([0.31326169, 0.69314718, 2.12692801])>
    """
    return bind(Softplus(), x)


def silu(x: TensorLike, /) -> Tensor:
    """Each element of `x` times its `sigmoid`.

    Parameters
    ----------
    x : Tensor of a floating-point dtype

    Returns
    -------
    Tensor of the same shape and dtype
        Integers give the floating-point dtype that holds them.

    Notes
    -----
    GraphDef "Mul" and "Sigmoid". Semantics: TensorFlow `tf.nn.silu`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.silu(rt.asarray([0.0, 1.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.        , 0.73105858])>
    """
    operand = as_operand(x)
    return ops.multiply(operand, sigmoid(operand))


class _OverLastAxis(Family, abstract=True):
    """Floating-point numbers along the last axis, seen together."""

    accepts = FLOATING
    samples = (
        shaped((2, 3)),
        shaped((4,), elements=np.float64),
        shaped((0, 2)),
        shaped((2,), elements=np.float16),
    )
    aliases = sharing()

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        require_dtype(self.name, operands[0].dtype, self.accepts)
        return operands

    def infer(self, x: ArraySpec) -> ArraySpec:
        require_dtype(self.name, x.dtype, self.accepts)
        if x.shape == ():
            raise ShapeError(
                f"`{self.name}` of a tensor without axes",
                why="It works along the last axis, and there is none.",
                way_out="Give the tensor an axis: `rt.reshape(x, (1,))`.",
            )
        return x

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)


class Softmax(_OverLastAxis):
    """Exponentials along the last axis, divided by their sum."""

    graphdef = GraphDef("Softmax", "softmax")

    def kernel(self, x: Array) -> Any:
        raised = np.exp(np.subtract(x, np.max(x, axis=-1, keepdims=True, initial=-np.inf)))
        return np.divide(raised, np.sum(raised, axis=-1, keepdims=True))

    def decompose(self, x: Tensor) -> Tensor:
        raised = ops.exp(ops.subtract(x, reduce("maximum", x, (-1,), keepdims=True, initial=-np.inf)))
        return ops.divide(raised, reduce("add", raised, (-1,), keepdims=True))


class LogSoftmax(_OverLastAxis):
    """The logarithms of what `Softmax` gives."""

    graphdef = GraphDef("LogSoftmax", "logsoftmax")

    def kernel(self, x: Array) -> Any:
        lowered = np.subtract(x, np.max(x, axis=-1, keepdims=True, initial=-np.inf))
        return np.subtract(lowered, np.log(np.sum(np.exp(lowered), axis=-1, keepdims=True)))

    def decompose(self, x: Tensor) -> Tensor:
        lowered = ops.subtract(x, reduce("maximum", x, (-1,), keepdims=True, initial=-np.inf))
        return ops.subtract(lowered, ops.log(reduce("add", ops.exp(lowered), (-1,), keepdims=True)))


def _along(op: Family, x: TensorLike, axis: int) -> Tensor:
    """An op of the last axis along another one."""
    tensor = as_tensor(x)
    if axis == -1:
        return rounded_once(op, tensor)
    place = normalise_axis(axis, tensor.ndim)
    if place == tensor.ndim - 1:
        return rounded_once(op, tensor)
    return ops.swapaxes(rounded_once(op, ops.swapaxes(tensor, place, -1)), place, -1)


def softmax(x: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Exponentials of `x`, divided by their sum along an axis.

    Parameters
    ----------
    x : Tensor of a floating-point dtype, shape (..., d, ...)
    axis : int, optional

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    AxisError
        When the axis is out of range.

    Notes
    -----
    GraphDef "Softmax". Semantics: TensorFlow `tf.nn.softmax`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.softmax(rt.asarray([0.0, 0.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.5, 0.5])>
    """
    return _along(Softmax(), x, axis)


def log_softmax(x: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Logarithms of the `softmax` of `x` along an axis.

    Parameters
    ----------
    x : Tensor of a floating-point dtype, shape (..., d, ...)
    axis : int, optional

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    AxisError
        When the axis is out of range.

    Notes
    -----
    GraphDef "LogSoftmax". Semantics: TensorFlow `tf.nn.log_softmax`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.log_softmax(rt.asarray([0.0, 0.0]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([-0.69314718, -0.69314718])>
    """
    return _along(LogSoftmax(), x, axis)
