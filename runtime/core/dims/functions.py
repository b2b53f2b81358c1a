"""Functions of dims that keep the normal form: maximum, minimum, quotients, broadcasting."""

from __future__ import annotations

import math

from runtime.core.dims.bounds import at_least, lowest
from runtime.core.dims.sums import UNKNOWN, Broadcast, Dim, Positive, SymbolicDim, of_atom, sum_of, terms_of

__all__ = ["broadcast", "exact_quotient", "maximum", "minimum", "quotient"]


def quotient(dim: Dim, by: Dim) -> Dim:
    """``dim // by``."""
    return dim // by if isinstance(by, int) and by else UNKNOWN


def maximum(left: Dim, right: Dim) -> Dim:
    """The greater of two dims."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    return right + positive(left - right)


def minimum(left: Dim, right: Dim) -> Dim:
    """The smaller of two dims."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    return left - positive(left - right)


def positive(dim: Dim) -> Dim:
    """``max(dim, 0)``, in one form for each: ``max(-e, 0)`` is ``max(e, 0) - e``."""
    if isinstance(dim, int):
        return max(dim, 0)
    if dim is UNKNOWN or lowest(dim) >= 0:
        return dim
    if lowest(-dim) >= 0:
        return 0
    shared = math.gcd(*[factor for _, factor in dim.terms])
    if shared > 1:
        return shared * positive(sum_of([(product, factor // shared) for product, factor in dim.terms]))
    if dim.terms[0][1] < 0:
        return positive(-dim) + dim
    for product, factor in dim.terms:
        if factor == 1 and len(product) == 1 and isinstance(product[0], Positive):
            # max(max(e, 0) - f, 0) is max(e - f, 0), where f is from 0 on
            rest = dim - of_atom(product[0])
            if lowest(rest * -1) >= 0:
                return positive(product[0].dim + rest)
    return of_atom(Positive(dim))


def broadcast(*dims: Dim) -> Dim | None:
    """What axes of these lengths broadcast to, by NumPy's rule; None where they are known not to.

    >>> from runtime.core.dims import named
    >>> n, m = named("n"), named("m")
    >>> broadcast(n, n), broadcast(n, 1), broadcast(n, 3), broadcast(n, m) == broadcast(m, n), broadcast(2, 3)
    (n, n, 3, True, None)
    """
    known: set[int] = set()
    symbolic: dict[SymbolicDim, None] = {}
    for dim in dims:
        if isinstance(dim, int):
            known.add(dim)
        elif isinstance(atom := dim.single, Broadcast):
            symbolic.update(dict.fromkeys(atom.dims))
        else:
            symbolic[dim] = None
    known.discard(1)
    if len(known) > 1:
        return None
    if known:
        return known.pop()  # the others are as long, or 1
    if UNKNOWN in symbolic:
        certain = [dim for dim in symbolic if dim is not UNKNOWN and at_least(dim, 2)]
        return certain[0] if certain else UNKNOWN
    if len(symbolic) < 2:
        return next(iter(symbolic), 1)
    certain = [dim for dim in symbolic if at_least(dim, 2)]
    if certain:
        return certain[0]
    return of_atom(Broadcast(tuple(sorted(symbolic, key=str))))


def exact_quotient(dim: Dim, by: Dim) -> Dim | None:
    """`dim / by` where that is a dim for all lengths; None where it is not, or may not be.

    >>> from runtime.core.dims import named
    >>> n, m = named("n"), named("m")
    >>> exact_quotient(6 * n * m + 3 * n, 3 * n), exact_quotient(n, m)
    (2*m+1, None)
    """
    if UNKNOWN in (dim, by) or by == 0:
        return None
    if dim == by:
        return 1
    if len(terms_of(by)) != 1:
        return None
    ((divisor, factor),) = terms_of(by)
    found = []
    for product, own in terms_of(dim):
        left = list(product)
        for atom in divisor:
            if atom not in left:
                return None
            left.remove(atom)
        if own % factor:
            return None
        found.append((tuple(left), own // factor))
    return sum_of(found)
