"""`tf.math`: arithmetic, comparison, logic, functions of each element, and reductions."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from autograph.backends.tensors.containers.lists import StagedTuple
from autograph.compat.tf.segments import (
    bincount,
    confusion_matrix,
    in_top_k,
    invert_permutation,
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from autograph.compat.tf.sorting import top_k
from autograph.compat.tf.special import (
    accumulate_n,
    angle,
    cumulative_logsumexp,
    erf,
    erfc,
    is_non_decreasing,
    is_strictly_increasing,
    l2_normalize,
    lgamma,
    log_sigmoid,
    multiply_no_nan,
    polyval,
    reciprocal_no_nan,
    reduce_euclidean_norm,
    scalar_mul,
    softsign,
    xdivy,
    xlog1py,
    xlogy,
    zero_fraction,
)
from autograph.compat.tf.values import binary, convert_to_tensor, known_integers, named, together, unary
from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import as_tensor

__all__ = [
    "abs",
    "accumulate_n",
    "acos",
    "acosh",
    "add",
    "add_n",
    "angle",
    "argmax",
    "argmin",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bincount",
    "ceil",
    "confusion_matrix",
    "conj",
    "cos",
    "cosh",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_logsumexp",
    "divide",
    "divide_no_nan",
    "equal",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "floor",
    "floordiv",
    "floormod",
    "greater",
    "greater_equal",
    "imag",
    "in_top_k",
    "invert_permutation",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_strictly_increasing",
    "l2_normalize",
    "less",
    "less_equal",
    "lgamma",
    "log",
    "log1p",
    "log_sigmoid",
    "log_softmax",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "multiply_no_nan",
    "negative",
    "nextafter",
    "not_equal",
    "polyval",
    "pow",
    "real",
    "reciprocal",
    "reciprocal_no_nan",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
    "rint",
    "round",
    "rsqrt",
    "scalar_mul",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "softmax",
    "softplus",
    "softsign",
    "sqrt",
    "square",
    "squared_difference",
    "subtract",
    "tan",
    "tanh",
    "top_k",
    "truediv",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
    "xdivy",
    "xlog1py",
    "xlogy",
    "zero_fraction",
]

# ── each element ──

abs = unary("abs", ops.abs)
acos = unary("acos", ops.acos)
acosh = unary("acosh", ops.acosh)
asin = unary("asin", ops.asin)
asinh = unary("asinh", ops.asinh)
atan = unary("atan", ops.atan)
atanh = unary("atanh", ops.atanh)
ceil = unary("math.ceil", ops.ceil)
conj = unary("math.conj", ops.conj)
cos = unary("cos", ops.cos)
cosh = unary("cosh", ops.cosh)
exp = unary("exp", ops.exp)
expm1 = unary("math.expm1", ops.expm1)
floor = unary("floor", ops.floor)
is_finite = unary("math.is_finite", ops.isfinite)
is_inf = unary("math.is_inf", ops.isinf)
is_nan = unary("math.is_nan", ops.isnan)
log = unary("math.log", ops.log)
log1p = unary("math.log1p", ops.log1p)
logical_not = unary("logical_not", ops.logical_not)
negative = unary("negative", ops.negative)
reciprocal = unary("math.reciprocal", ops.reciprocal)
rint = unary("math.rint", ops.round)
round = unary("round", ops.round)
rsqrt = unary("math.rsqrt", ops.rsqrt)
sigmoid = unary("sigmoid", ops.sigmoid)
sign = unary("sign", ops.sign)
sin = unary("sin", ops.sin)
sinh = unary("sinh", ops.sinh)
sqrt = unary("sqrt", ops.sqrt)
square = unary("square", ops.square)
tan = unary("tan", ops.tan)
tanh = unary("tanh", ops.tanh)


def real(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.real`."""
    del name
    return ops.real(convert_to_tensor(input))


def imag(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.imag`."""
    del name
    return ops.imag(convert_to_tensor(input))


def softplus(features: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.softplus`."""
    del name
    return ops.softplus(convert_to_tensor(features))


# ── each pair of elements ──

add = binary("add", ops.add)
divide = binary("divide", ops.divide)
equal = binary("equal", ops.equal)
floordiv = binary("math.floordiv", ops.floor_divide)
floormod = binary("math.floormod", ops.remainder)
greater = binary("greater", ops.greater)
greater_equal = binary("greater_equal", ops.greater_equal)
less = binary("less", ops.less)
less_equal = binary("less_equal", ops.less_equal)
logical_and = binary("logical_and", ops.logical_and)
logical_or = binary("logical_or", ops.logical_or)
logical_xor = binary("math.logical_xor", ops.logical_xor)
maximum = binary("maximum", ops.maximum)
minimum = binary("minimum", ops.minimum)
multiply = binary("multiply", ops.multiply)
not_equal = binary("not_equal", ops.not_equal)
pow = binary("pow", ops.pow)
subtract = binary("subtract", ops.subtract)
mod = floormod
truediv = divide


def atan2(y: TensorLike, x: TensorLike, name: Any = None) -> Tensor:
    """`tf.atan2`."""
    del name
    return ops.atan2(*together(y, x))


def nextafter(x1: TensorLike, x2: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.nextafter`."""
    del name
    return ops.nextafter(*together(x1, x2))


def squared_difference(x: TensorLike, y: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.squared_difference`."""
    del name
    return ops.square(subtract(x, y))


def divide_no_nan(x: TensorLike, y: TensorLike, name: Any = None) -> Tensor:
    """`tf.math.divide_no_nan`: 0 where `y` is 0."""
    del name
    left, right = map(convert_to_tensor, together(x, y))
    is_zero = right == 0
    return ops.where(is_zero, ops.zeros_like(left), left / ops.where(is_zero, ops.ones_like(right), right))


def add_n(inputs: Any, name: Any = None) -> Tensor:
    """`tf.add_n`: the sum of several tensors."""
    del name
    if isinstance(inputs, StagedTuple):
        rows = as_tensor(inputs)
        return ops.sum(rows, axis=0, dtype=rows.dtype)
    return builtins.sum(together(*inputs[1:]), start=convert_to_tensor(inputs[0]))


# ── reductions: every one keeps its operand's dtype ──


def _reduction(
    name: str, function: Callable[..., Tensor], *, keeps_dtype: bool = False
) -> Callable[..., Tensor]:
    """`function` under TensorFlow's name; `keeps_dtype` where it would widen integers otherwise."""

    def call(input_tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: Any = None) -> Tensor:
        del name
        tensor = convert_to_tensor(input_tensor)
        options = {"dtype": tensor.dtype} if keeps_dtype else {}
        return function(tensor, axis=known_integers(axis), keepdims=keepdims, **options)

    return named(call, name, function)


reduce_all = _reduction("reduce_all", ops.all)
reduce_any = _reduction("reduce_any", ops.any)
reduce_logsumexp = _reduction("reduce_logsumexp", ops.logsumexp)
reduce_max = _reduction("reduce_max", ops.max)
reduce_mean = _reduction("reduce_mean", ops.mean, keeps_dtype=True)
reduce_min = _reduction("reduce_min", ops.min)
reduce_prod = _reduction("reduce_prod", ops.prod, keeps_dtype=True)
reduce_std = _reduction("math.reduce_std", ops.std)
reduce_sum = _reduction("reduce_sum", ops.sum, keeps_dtype=True)
reduce_variance = _reduction("math.reduce_variance", ops.var)


def count_nonzero(
    input: TensorLike, axis: Any = None, keepdims: bool = False, dtype: Any = int64, name: Any = None
) -> Tensor:
    """`tf.math.count_nonzero`."""
    del name
    tensor = convert_to_tensor(input)
    return ops.cast(ops.count_nonzero(tensor, axis=known_integers(axis), keepdims=keepdims), dtype)


def argmax(input: TensorLike, axis: int | None = None, output_type: Any = int64, name: Any = None) -> Tensor:
    """`tf.argmax`: along the first axis where none is named."""
    del name
    return ops.cast(ops.argmax(convert_to_tensor(input), axis=axis or 0), output_type)


def argmin(input: TensorLike, axis: int | None = None, output_type: Any = int64, name: Any = None) -> Tensor:
    """`tf.argmin`: along the first axis where none is named."""
    del name
    return ops.cast(ops.argmin(convert_to_tensor(input), axis=axis or 0), output_type)


# ── running sums ──


def cumsum(
    x: TensorLike, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: Any = None
) -> Tensor:
    """`tf.cumsum`."""
    del name
    return _scan(ops.cumulative_sum, convert_to_tensor(x), axis, exclusive, reverse)


def cumprod(
    x: TensorLike, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: Any = None
) -> Tensor:
    """`tf.math.cumprod`."""
    del name
    return _scan(ops.cumulative_prod, convert_to_tensor(x), axis, exclusive, reverse)


def _scan(function: Callable[..., Tensor], x: Tensor, axis: int, exclusive: bool, reverse: bool) -> Tensor:
    """A running sum or product, from either end, with or without the element itself."""
    operand = ops.flip(x, axis=axis) if reverse else x
    result = function(operand, axis=axis, dtype=x.dtype, include_initial=exclusive)
    if exclusive:
        result = ops.take(result, ops.arange(ops.shape(x)[axis]), axis=axis)
    return ops.flip(result, axis=axis) if reverse else result


def softmax(logits: TensorLike, axis: int | None = None, name: Any = None) -> Tensor:
    """`tf.nn.softmax`, along the last axis where none is named."""
    del name
    return ops.softmax(convert_to_tensor(logits), axis=-1 if axis is None else axis)


def log_softmax(logits: TensorLike, axis: int | None = None, name: Any = None) -> Tensor:
    """`tf.nn.log_softmax`, along the last axis where none is named."""
    del name
    return ops.log_softmax(convert_to_tensor(logits), axis=-1 if axis is None else axis)
