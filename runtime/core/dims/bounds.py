"""Bounds: what a dim is known not to fall below, or to rise above."""

from __future__ import annotations

import math

from runtime.core.dims.sums import UNKNOWN, Dim, Positive, Quotient, of_atom

__all__ = ["at_least", "at_most"]

_DEPTH = 6
"""How many positive parts inside one another are looked into for bounds."""


def at_least(dim: Dim, least: int) -> bool:
    """Whether a dim is known to be `least` or more.

    >>> from runtime.core.dims import named
    >>> at_least(named("n"), 0), at_least(named("n"), 1), at_least(named("n") + 1, 1)
    (True, False, True)
    """
    return lowest(dim) >= least


def at_most(dim: Dim, most: int) -> bool:
    """Whether a dim is known to be `most` or less."""
    return dim is not UNKNOWN and at_least(dim * -1, -most)


def lowest(dim: Dim, depth: int = _DEPTH) -> float:
    """A number that `dim` is known not to fall below."""
    if isinstance(dim, int):
        return dim
    if dim is UNKNOWN:
        return 0  # it is a length
    falling = [(product, factor) for product, factor in dim.terms if factor < 0 and product]
    if not falling:
        return sum(factor for product, factor in dim.terms if not product)
    single = [(product[0], factor) for product, factor in falling if len(product) == 1]
    found = next(((atom, factor) for atom, factor in single if atom.inner), None)
    if found is None or depth == 0:
        return -math.inf
    atom, factor = found
    rest = dim - factor * of_atom(atom)
    if isinstance(atom, Quotient):  # at most the quotient that is not rounded down
        return lowest(rest * atom.by + factor * atom.dim, depth - 1) / atom.by
    if isinstance(atom, Positive):
        # either 0, where its dim is 0 or less, or its dim, where that is 0 or more: the lower of both cases
        as_zero = max(lowest(rest, depth - 1), lowest(rest + atom.dim, depth - 1))
        whole = rest + factor * atom.dim
        as_whole = max(lowest(whole, depth - 1), lowest(whole - atom.dim, depth - 1))
        return min(as_zero, as_whole)
    return -math.inf
