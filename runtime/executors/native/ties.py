"""Which of two zeros NumPy takes for the greater or the lesser one, where they have two signs.

IEEE 754 leaves it open, and processors take the second operand. Where NumPy does so, whatever way an array
lies in memory and however long it is, machine code does the same. That is tried once for each function, dtype
and way in which it is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from runtime.core.dtypes import DType, float32, float64
from runtime.core.tensor import Array
from runtime.ops.scalars import SCALARS

__all__ = ["keeps_zeros"]

_LENGTHS = (*range(1, 10), 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 130)
"""Whole vectors of any width, and what is left behind them."""


@cache
def keeps_zeros(function: str, dtype: DType, applied: str = "map") -> bool:
    """Whether the sign of a zero that a function gives is the one that machine code gives it.

    Parameters
    ----------
    function : str
        The name of a scalar function.
    dtype : DType
        In which it works.
    applied : {"map", "scan", "scatter"}
        To elements of two arrays, to each element and what came before it, or to elements at places.
    """
    if SCALARS[function].keeps_zeros or not (dtype.is_floating or dtype.is_complex):
        return True
    if function not in {"maximum", "minimum"} or dtype not in {float32, float64}:
        return False
    return all(
        bool(np.all(np.signbit(found) == np.signbit(second)))
        for second in (dtype.numpy.type(0.0), dtype.numpy.type(-0.0))
        for found in _WAYS[applied](getattr(np, function), -second, second)
    )


def _mapped(function: np.ufunc, first: np.generic, second: np.generic) -> Iterator[Array]:
    """Results for arrays of all lengths, that lie in one piece and that do not, and for numbers."""
    yield np.asarray(function(first, second))
    for length in _LENGTHS:
        for step in (1, 2):
            one, other = (np.full(length * step + 1, each) for each in (first, second))
            x, y = one[:-1:step], other[1::step]  # which are aligned, and are not
            yield function(x, y)
            yield function(x, second)
            yield function(first, y)
            yield function(x, other[:length])
            yield function(one[:length], y)
            yield function(x, y, out=np.empty(2 * length, x.dtype)[::2])
            yield function(x, y, out=x)


def _scanned(function: np.ufunc, first: np.generic, second: np.generic) -> Iterator[Array]:
    """What the last element is that an accumulation comes to, in rows and in columns."""
    for length in _LENGTHS[1:]:
        row = np.full(length, first)
        row[-1] = second
        yield function.accumulate(row)[-1:]
        yield function.accumulate(row[::-1][::-1], out=row)[-1:]
        table = np.full((3, length), first)
        table[-1] = second
        yield function.accumulate(table, axis=0)[-1]
        yield function.accumulate(np.ascontiguousarray(table.T), axis=1)[:, -1]


def _scattered(function: np.ufunc, first: np.generic, second: np.generic) -> Iterator[Array]:
    """What an array comes to that is changed at some of its places, or at all of them."""
    for length in _LENGTHS:
        for values in (second, np.full(length, second)):
            x = np.full(length, first)
            function.at(x, np.arange(length), values)
            yield x
            table = np.full((length, 2), first)
            function.at(table[:, 1], np.arange(length), values)
            yield table[:, 1]


_WAYS: dict[str, Callable[[np.ufunc, np.generic, np.generic], Iterator[Array]]] = {
    "map": _mapped,
    "scan": _scanned,
    "scatter": _scattered,
}
