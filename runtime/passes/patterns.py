"""Conditions that rules share: which constant a value is, and whether broadcasting leaves a shape alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from runtime.core import shapes
from runtime.core.tensor import Tensor
from runtime.graph.build import bind
from runtime.graph.graph import Value
from runtime.graph.op import Const

__all__ = ["filled_like", "is_all", "is_kept", "lies_alike", "pairs"]

_MOST_ELEMENTS = 64
"""Constants with more elements are not looked through: they are hardly ever one number."""


def is_all(value: Value, number: complex) -> bool:
    """Whether `value` is a constant whose elements are all `number`, to the bit: 0.0 is not -0.0."""
    if not isinstance(value.op, Const):
        return False
    array = value.op.value
    if not 0 < array.size <= _MOST_ELEMENTS:
        return False
    wanted = np.asarray(number).astype(array.dtype).tobytes()
    return array.tobytes() == wanted * array.size


def is_kept(v: Value, x: Value, *others: Value) -> bool:
    """Whether `v`, which `x` and `others` broadcast to, has the shape and dtype of `x` in every run."""
    return v.spec.contains(x.spec) and all(_fits_into(other, x) for other in others)


def lies_alike(v: Value, x: Value, *others: Value) -> bool:
    """Whether `x` may take the place of `v`, which is computed of it: as `is_kept`, and in memory, too.

    A sum or a product of floats has the order of additions that follows from how an array lies, and a column
    lies otherwise than what is computed of it.
    """
    if x.shape != () and (x.dtype.is_floating or x.dtype.is_complex):
        is_part = bool(x.op.aliases(*[value.spec for value in x.node.inputs]))
        return not is_part and is_kept(v, x, *others)
    return is_kept(v, x, *others)


def _fits_into(other: Value, x: Value) -> bool:
    """Whether broadcasting `other` against `x` leaves the shape of `x` alone."""
    if other.shape == ():
        return True
    if other.shape is None or x.shape is None or len(other.shape) > len(x.shape):
        return False
    dims = zip(reversed(other.shape), reversed(x.shape), strict=False)
    return all(dim in (1, own) for dim, own in dims)


def filled_like(v: Value, number: complex) -> Tensor | None:
    """A constant of the shape and dtype of `v`, if that is known and small."""
    count = shapes.size(v.shape)
    if count is None or count > _MOST_ELEMENTS or v.shape is None or not shapes.all_known(v.shape):
        return None
    return bind(Const(np.full(v.shape, number, v.dtype.numpy)))


def pairs(left: Value, right: Value) -> Iterator[tuple[Value, Value]]:
    """Two operands both ways round, for operations that do not mind."""
    yield left, right
    yield right, left
