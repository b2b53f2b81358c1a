"""Functions of single elements that are no ufunc: rounding, clipping, parts of complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import as_dtype
from runtime.core.limits import finfo
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError
from runtime.graph.build import bind, note_kind_told
from runtime.numpy_functions.operands import filled, number, place_of, placed, strong, to_inexact, whole
from runtime.numpy_functions.table import implements
from runtime.ops.rounding import Round

__all__: list[str] = []


@implements(np.clip)
def _clip(
    a: Any,
    a_min: Any = ...,
    a_max: Any = ...,
    *,
    min: Any = None,
    max: Any = None,
    dtype: Any = None,
) -> Tensor:
    x = number(a)
    missing = [name for name, each in {"a_min": a_min, "a_max": a_max}.items() if each is ...]
    if len(missing) == 1:
        raise TypeError(f"clip() missing 1 required positional argument: '{missing[0]}'")
    if not missing and not (min is None and max is None):
        raise ValueError("`np.clip` takes `a_min` and `a_max`, or `min` and `max`, not both")
    low, high = (min, max) if missing else (a_min, a_max)
    if low is None and high is None:
        return strong(ops.copied(ops.positive(strong(x))), dtype)
    result = ops.clip(x, None if low is None else number(low), None if high is None else number(high))
    return strong(result, dtype)


@implements(np.round, np.around)
def _round(a: Any, decimals: int = 0) -> Tensor:
    return bind(Round(whole(decimals, "`decimals`")), strong(a))


@implements(np.fix)
def _fix(x: Any) -> Tensor:
    return ops.trunc(strong(x))


@implements(np.real)
def _real(val: Any) -> Tensor:
    return ops.real(strong(val)) if strong(val).dtype.is_complex else strong(val)


@implements(np.imag)
def _imag(val: Any) -> Tensor:
    x = strong(val)
    note_kind_told(x)
    return ops.imag(x) if x.dtype.is_complex else ops.zeros_like(x)


@implements(np.angle)
def _angle(z: Any, deg: bool = False) -> Tensor:
    x = strong(z)
    angle = ops.atan2(ops.imag(x), ops.real(x)) if x.dtype.is_complex else ops.atan2(0, x)
    return angle * (180 / np.pi) if deg else angle


@implements(np.sinc)
def _sinc(x: Any) -> Tensor:
    tensor = to_inexact(strong(x))
    least = finfo(as_dtype(tensor.dtype)).eps if tensor.dtype.is_floating else 1e-20
    angle = tensor * np.pi
    angle = filled(angle, ops.not_equal(angle, 0), least)
    return ops.sin(angle) / angle


@implements(np.nan_to_num)
def _nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    tensor = strong(x)
    if tensor.dtype.is_complex:
        options = nan, posinf, neginf
        imaginary = _nan_to_num(ops.imag(tensor), copy, *options)
        replaced = _nan_to_num(ops.real(tensor), copy, *options) + 1j * imaginary
        return ops.where(ops.isfinite(tensor), tensor, replaced)  # a sum does not keep the signs of zeros
    if not tensor.dtype.is_floating:
        return tensor
    limits = finfo(as_dtype(tensor.dtype))
    result = filled(tensor, ops.logical_not(ops.isnan(tensor)), nan)
    result = filled(result, ops.not_equal(tensor, np.inf), limits.max if posinf is None else posinf)
    return filled(result, ops.not_equal(tensor, -np.inf), limits.min if neginf is None else neginf)


@implements(np.unwrap)
def _unwrap(p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2 * np.pi) -> Tensor:
    x = strong(p)
    along = place_of(axis, x, "np.unwrap")
    steps = ops.diff(x, axis=axis)
    dtype = ops.result_type(steps.dtype, period)
    half, rest = divmod(period, 2) if dtype.is_integer else (period / 2, 0)
    wrapped = ops.remainder(steps - -half, period) + -half
    if rest == 0:
        wrapped = ops.where(ops.logical_and(ops.equal(wrapped, -half), ops.greater(steps, 0)), half, wrapped)
    correction = wrapped - steps
    jump = period / 2 if discont is None else discont
    correction = filled(correction, ops.logical_not(ops.less(ops.abs(steps), jump)), 0)  # NaN stays
    later = x[placed(along, slice(1, None))] + ops.cumulative_sum(correction, axis=along)
    return ops.concat([ops.cast(x[placed(along, slice(None, 1))], dtype), ops.cast(later, dtype)], axis=along)


@implements(np.isreal)
def _isreal(x: Any) -> Tensor:
    return ops.equal(_imag(x), 0)


@implements(np.iscomplex)
def _iscomplex(x: Any) -> Tensor:
    return ops.not_equal(_imag(x), 0)


@implements(np.isposinf)
def _isposinf(x: Any) -> Tensor:
    return ops.equal(_real_numbers(x, "np.isposinf"), np.inf)


@implements(np.isneginf)
def _isneginf(x: Any) -> Tensor:
    return ops.equal(_real_numbers(x, "np.isneginf"), -np.inf)


def _real_numbers(x: Any, function: str) -> Tensor:
    tensor = strong(x)
    if tensor.dtype.is_complex:
        raise DTypeError(f"`{function}` of {tensor.dtype} numbers", why="They are not ordered.")
    return tensor
