"""Functions of each element of which each needs a line: errors and gammas, logarithms that stay finite."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.compat.tf.values import binary, convert_to_tensor, is_tensor, known_integers, together, unary
from runtime import ops
from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import bind
from runtime.ops.special import Erf, Erfc, Lgamma

__all__ = [
    "accumulate_n",
    "angle",
    "cumulative_logsumexp",
    "erf",
    "erfc",
    "is_non_decreasing",
    "is_strictly_increasing",
    "l2_normalize",
    "lgamma",
    "log_sigmoid",
    "multiply_no_nan",
    "polyval",
    "reciprocal_no_nan",
    "reduce_euclidean_norm",
    "scalar_mul",
    "softsign",
    "truncatediv",
    "truncatemod",
    "xdivy",
    "xlog1py",
    "xlogy",
    "zero_fraction",
]


def _erf(x: Tensor) -> Tensor:
    """The error function of each element."""
    return bind(Erf(), x)


def _erfc(x: Tensor) -> Tensor:
    """One minus the error function of each element."""
    return bind(Erfc(), x)


def _lgamma(x: Tensor) -> Tensor:
    """The logarithm of the magnitude of the gamma function of each element."""
    return bind(Lgamma(), x)


def _log_sigmoid(x: Tensor) -> Tensor:
    """The logarithm of the sigmoid of each element."""
    return -ops.softplus(-x)


def _softsign(x: Tensor) -> Tensor:
    """Each element divided by one more than its magnitude."""
    return x / (ops.abs(x) + 1)


def _reciprocal_no_nan(x: Tensor) -> Tensor:
    """One divided by each element; 0 where that is 0."""
    return _no_nan(ops.ones_like(x), x)


erf = unary("math.erf", _erf)
erfc = unary("math.erfc", _erfc)
lgamma = unary("math.lgamma", _lgamma)
log_sigmoid = unary("math.log_sigmoid", _log_sigmoid)
softsign = unary("math.softsign", _softsign)
reciprocal_no_nan = unary("math.reciprocal_no_nan", _reciprocal_no_nan)


def _no_nan(x: Tensor, y: Tensor) -> Tensor:
    is_zero = y == 0
    return ops.where(is_zero, ops.zeros_like(x), x / ops.where(is_zero, ops.ones_like(y), y))


def _zero_where(x: Tensor, value: Tensor) -> Tensor:
    """`value`, and 0 wherever `x` is."""
    return ops.where(x == 0, ops.zeros_like(value), value)


def _xlogy(x: Tensor, y: Tensor) -> Tensor:
    """``x * log(y)``, and 0 where `x` is 0."""
    return _zero_where(x, x * ops.log(ops.where(x == 0, ops.ones_like(y), y)))


def _xlog1py(x: Tensor, y: Tensor) -> Tensor:
    """``x * log1p(y)``, and 0 where `x` is 0."""
    return _zero_where(x, x * ops.log1p(ops.where(x == 0, ops.zeros_like(y), y)))


def _xdivy(x: Tensor, y: Tensor) -> Tensor:
    """``x / y``, and 0 where `x` is 0."""
    return _zero_where(x, x / ops.where(x == 0, ops.ones_like(y), y))


def _multiply_no_nan(x: Tensor, y: Tensor) -> Tensor:
    """The product, and 0 where `y` is 0, whatever `x` is."""
    is_zero = y == 0
    return ops.where(is_zero, ops.zeros_like(x), ops.where(is_zero, ops.zeros_like(x), x) * y)


def _truncatediv(x: Tensor, y: Tensor) -> Tensor:
    """The quotient, rounded towards zero."""
    if not x.dtype.is_integer:
        return ops.trunc(x / y)
    return ops.sign(x) * ops.sign(y) * (ops.abs(x) // ops.abs(y))


def _truncatemod(x: Tensor, y: Tensor) -> Tensor:
    """What a division that rounds towards zero leaves."""
    return x - _truncatediv(x, y) * y


def _pair(name: str, function: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """`function` of two tensors; a number of Python's takes the dtype of the tensor beside it."""

    def both(x: Any, y: Any) -> Tensor:
        if not is_tensor(x):
            return function(convert_to_tensor(x, y.dtype), y)
        return function(x, y if is_tensor(y) else convert_to_tensor(y, x.dtype))

    both.__doc__ = function.__doc__
    return binary(name, both)


xlogy = _pair("math.xlogy", _xlogy)
xlog1py = _pair("math.xlog1py", _xlog1py)
xdivy = _pair("math.xdivy", _xdivy)
multiply_no_nan = _pair("math.multiply_no_nan", _multiply_no_nan)
truncatediv = _pair("truncatediv", _truncatediv)
truncatemod = _pair("truncatemod", _truncatemod)


def angle(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.angle`: the argument of complex numbers; 0 or pi of others."""
    del name
    tensor = convert_to_tensor(input)
    return ops.atan2(ops.imag(tensor), ops.real(tensor)) if tensor.dtype.is_complex else _half_turn(tensor)


def _half_turn(x: Tensor) -> Tensor:
    return ops.where(x < 0, ops.full_like(x, np.pi), ops.zeros_like(x))


def accumulate_n(inputs: Sequence[TensorLike], shape: Any = None, tensor_dtype: Any = None) -> Tensor:
    """`tf.math.accumulate_n`: the sum of several tensors."""
    del shape, tensor_dtype
    return builtins.sum(together(*inputs[1:]), start=convert_to_tensor(inputs[0]))


def scalar_mul(scalar: TensorLike, x: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.scalar_mul`."""
    del name
    left, right = together(scalar, x)
    return ops.multiply(left, right)


def polyval(coeffs: Sequence[TensorLike], x: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.polyval`: the polynomial whose first coefficient is that of the highest power."""
    del name
    at = convert_to_tensor(x)
    result = ops.zeros_like(at)
    for coefficient in coeffs:
        result = result * at + coefficient
    return result


def reduce_euclidean_norm(
    input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: Any = None
) -> Tensor:
    """`tf.math.reduce_euclidean_norm`."""
    del name
    tensor = convert_to_tensor(input_tensor)
    squares = ops.square(ops.abs(tensor))
    return ops.cast(ops.sqrt(ops.sum(squares, axis=known_integers(axis), keepdims=keepdims)), tensor.dtype)


def l2_normalize(x: TensorLike, axis: Any = None, epsilon: float = 1e-12, name: Any = None) -> Tensor:
    """`tf.math.l2_normalize`: divided by the Euclidean norm, or by the root of `epsilon` if that is less."""
    del name
    tensor = convert_to_tensor(x)
    squares = ops.sum(ops.square(ops.abs(tensor)), axis=known_integers(axis), keepdims=True)
    return tensor * ops.cast(ops.rsqrt(ops.maximum(squares, epsilon)), tensor.dtype)


def zero_fraction(value: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.zero_fraction`: the share of elements that are 0, as a float32."""
    del name
    return ops.mean(ops.cast(convert_to_tensor(value) == 0, "float32"))


def cumulative_logsumexp(
    x: TensorLike, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: Any = None
) -> Tensor:
    """`tf.math.cumulative_logsumexp`."""
    del name
    tensor = convert_to_tensor(x)
    operand = ops.flip(tensor, axis=axis) if reverse else tensor
    greatest = ops.max(operand, axis=axis, keepdims=True)
    sums = ops.cumulative_sum(
        ops.exp(operand - greatest), axis=axis, dtype=tensor.dtype, include_initial=exclusive
    )
    if exclusive:
        sums = ops.take(sums, ops.arange(ops.shape(tensor)[axis]), axis=axis)
    with_a_log = ops.where(sums == 0, ops.ones_like(sums), sums)
    result = ops.where(sums == 0, ops.full_like(sums, -np.inf), ops.log(with_a_log) + greatest)
    return ops.flip(result, axis=axis) if reverse else result


def _steps(x: TensorLike) -> Tensor:
    flat = ops.reshape(convert_to_tensor(x), (-1,))
    return flat[1:] - flat[:-1]


def is_non_decreasing(x: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.is_non_decreasing`."""
    del name
    return ops.all(_steps(x) >= 0)


def is_strictly_increasing(x: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.is_strictly_increasing`."""
    del name
    return ops.all(_steps(x) > 0)
