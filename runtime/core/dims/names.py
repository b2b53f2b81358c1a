"""Names in dims: which there are, other dims in their place, and what they must mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from runtime.core.dims.functions import broadcast, exact_quotient, positive
from runtime.core.dims.sums import (
    UNKNOWN,
    Atom,
    Broadcast,
    Dim,
    Name,
    Positive,
    Quotient,
    SymbolicDim,
    named,
    of_atom,
)

__all__ = ["name_of", "names_in", "solve", "substitute"]


def names_in(dim: Dim) -> frozenset[str]:
    """The names of the lengths that a dim is made of."""
    if isinstance(dim, int):
        return frozenset()
    return frozenset(_names(dim))


def _names(dim: SymbolicDim) -> Iterator[str]:
    for product, _ in dim.terms:
        for atom in product:
            if isinstance(atom, Name):
                yield atom.text
            for inner in atom.inner:
                if isinstance(inner, SymbolicDim):
                    yield from _names(inner)


def name_of(dim: Dim) -> str | None:
    """The name of a dim that is nothing but a named length."""
    if isinstance(dim, int) or dim is UNKNOWN:
        return None
    atom = dim.single
    return atom.text if isinstance(atom, Name) else None


def substitute(dim: Dim, meanings: Mapping[str, Dim]) -> Dim:
    """A dim with other dims in the place of names.

    >>> print(substitute(named("n") * 2 + named("m"), {"n": named("a") + 1, "m": 3}))
    2*a+5
    """
    if isinstance(dim, int) or dim is UNKNOWN or names_in(dim).isdisjoint(meanings):
        return dim
    total: Dim = 0
    for product, factor in dim.terms:
        part: Dim = factor
        for atom in product:
            part = part * _substituted(atom, meanings)
        total = total + part
    return total


def _substituted(atom: Atom, meanings: Mapping[str, Dim]) -> Dim:
    if isinstance(atom, Name):
        return meanings.get(atom.text, of_atom(atom))
    inner = [substitute(each, meanings) for each in atom.inner]
    match atom:
        case Positive():
            return positive(inner[0])
        case Quotient():
            return inner[0] // atom.by
    assert isinstance(atom, Broadcast), "there are four kinds of atoms"
    found = broadcast(*inner)
    return UNKNOWN if found is None else found


def solve(pattern: Dim, dim: Dim, free: Iterable[str]) -> tuple[str, Dim] | None:
    """The one name among `free` that `pattern` has, and what it must mean for the pattern to be `dim`.

    None where the pattern has none or several of them, or says too little.

    >>> solve(2 * named("n") + 1, 2 * named("m") + 3, ["n"])
    ('n', m+1)
    """
    if isinstance(pattern, int) or UNKNOWN in (pattern, dim):
        return None
    own = names_in(pattern).intersection(free)
    if len(own) != 1:
        return None
    (name,) = own
    factor = next((factor for product, factor in pattern.terms if [a.text for a in product] == [name]), 0)
    if factor == 0:
        return None
    rest = pattern - factor * named(name)
    if name in names_in(rest):
        return None
    meaning = exact_quotient(dim - rest, factor)
    return None if meaning is None else (name, meaning)
