"""Polynomials as vectors of coefficients, the highest power first."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.tensor import Tensor
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import bind
from runtime.numpy_functions.linear import least_squares
from runtime.numpy_functions.operands import require_rank, strong, together, whole
from runtime.numpy_functions.table import implements
from runtime.ops.signals import Convolve

__all__: list[str] = []


def _length(p: Tensor, function: str) -> int:
    """The number of coefficients, which must be known."""
    shape = p.static_shape
    if shape is None or len(shape) != 1 or not isinstance(shape[0], int):
        raise ShapeError(
            f"`{function}` takes a vector of a known number of coefficients, not {p.spec}",
            why="There are as many operations as coefficients.",
            way_out="Give the function an `input_signature` with that length, or reshape to one axis.",
        )
    return shape[0]


@implements(np.polyval)
def _polyval(p: Any, x: Any) -> Tensor:
    coefficients, points = strong(p), strong(x)
    value = ops.zeros_like(points)
    for index in range(_length(coefficients, "np.polyval")):
        value = value * points + coefficients[index]
    return value


def _coefficients(a: Any, function: str) -> Tensor:
    """A vector; a number is a polynomial of one coefficient."""
    x = strong(a)
    return require_rank(ops.reshape(x, (1,)) if x.static_shape == () else x, 1, function)


def _aligned(a1: Any, a2: Any, function: str) -> tuple[Tensor, Tensor]:
    """Two vectors of coefficients, the shorter one with zeros in front."""
    x, y = together([_coefficients(each, function) for each in (a1, a2)])
    lengths = _length(x, function), _length(y, function)
    longest = max(lengths)
    x, y = [ops.pad(each, [(longest - own, 0)]) for each, own in zip((x, y), lengths, strict=True)]
    return x, y


@implements(np.polyadd)
def _polyadd(a1: Any, a2: Any) -> Tensor:
    x, y = _aligned(a1, a2, "np.polyadd")
    return x + y


@implements(np.polysub)
def _polysub(a1: Any, a2: Any) -> Tensor:
    x, y = _aligned(a1, a2, "np.polysub")
    return x - y


@implements(np.polymul)
def _polymul(a1: Any, a2: Any) -> Tensor:
    return bind(Convolve("full"), _without_zeros(a1), _without_zeros(a2))


def _without_zeros(a: Any) -> Tensor:
    """The coefficients from the first that is not zero on, or the last one."""
    x = _coefficients(a, "np.polymul")
    length = ops.size(x)
    places = ops.where(ops.not_equal(x, 0), ops.arange(length), length - 1)
    return x[ops.min(places, axis=0) :] if x.static_shape != (0,) else ops.zeros((1,), dtype=x.dtype)


@implements(np.polyder)
def _polyder(p: Any, m: int = 1) -> Tensor:
    x = strong(p)
    for _ in range(_order(m, "np.polyder")):
        powers = np.arange(_length(x, "np.polyder") - 1, 0, -1)
        x = x[:-1] * powers
    return x


@implements(np.polyint)
def _polyint(p: Any, m: int = 1, k: Any = None) -> Tensor:
    x = strong(p)
    times = _order(m, "np.polyint")
    constants = ops.broadcast_to(strong(0.0 if k is None else k), (times,))
    for turn in range(times):
        x = x / np.arange(_length(x, "np.polyint"), 0, -1)
        x = ops.concat([x, constants[turn : turn + 1]])
    return x


def _order(m: Any, function: str) -> int:
    """How often a polynomial is derived or integrated."""
    times = whole(m, "`m`")
    if times < 0:
        raise InvalidValue(f"`{function}` of order {times}", way_out="Give 0 or more.")
    return times


@implements(np.vander)
def vander(x: Any, N: Any = None, increasing: bool = False) -> Tensor:
    """`np.vander`."""
    points = require_rank(strong(x), 1, "np.vander")
    points = ops.cast(points, ops.result_type(points.dtype, int64))
    count = ops.dimension(points, 0)
    columns = count if N is None else whole(N, "`N`")
    factors = ops.broadcast_to(ops.expand_dims(points, axis=1), (count, columns))
    powers = ops.cumulative_prod(factors, axis=1, include_initial=True)[:, :columns]
    return powers if increasing else ops.flip(powers, axis=1)


@implements(np.polyfit)
def _polyfit(x: Any, y: Any, deg: int, rcond: Any = None, w: Any = None) -> Tensor:
    points, values = strong(x, float), strong(y, float)
    matrix = vander(points, whole(deg, "`deg`") + 1)
    if w is not None:
        weights = strong(w, float)
        matrix = matrix * ops.expand_dims(weights, axis=1)
        values = values * (ops.expand_dims(weights, axis=1) if values.ndim == 2 else weights)
    if rcond is None:
        length = ops.dimension(points, 0)  # where only the run knows it, `least_squares` takes it itself
        rcond = length * np.finfo(float).eps if isinstance(length, int) else None
    scale = ops.sqrt(ops.sum(matrix * matrix, axis=0))
    found = least_squares(matrix / scale, values, rcond)[0]
    return ops.transpose(ops.transpose(found) / scale)
