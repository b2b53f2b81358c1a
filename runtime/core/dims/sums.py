"""The normal form: sums of products of atoms, with integer factors, and their arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NoReturn, TypeAlias

__all__ = ["UNKNOWN", "Dim", "Name", "SymbolicDim", "named"]

_LARGEST = 24
"""Terms of the longest expression; a longer one tells nobody anything, and is `UNKNOWN`."""


class Atom:
    """A factor of a product that is no sum; from 0 on, where bounds are asked for. Compared by its text."""

    __slots__ = ("_hash", "text")
    text: str

    def __init__(self, text: str) -> None:
        self.text = text
        self._hash = hash(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.text == other.text

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text,)

    @property
    def inner(self) -> tuple[Dim, ...]:
        """The dims that it is made of."""
        return ()


class Name(Atom):
    """A number with a name."""

    __slots__ = ()


class Positive(Atom):
    """``max(dim, 0)``."""

    __slots__ = ("dim",)

    def __init__(self, dim: SymbolicDim) -> None:
        super().__init__(f"max({dim},0)")
        self.dim = dim

    def __reduce__(self) -> tuple[Any, ...]:
        return Positive, (self.dim,)

    @property
    def inner(self) -> tuple[Dim, ...]:
        return (self.dim,)


class Quotient(Atom):
    """``dim // by``, where `by` is above 0 and the dim is from 0 on."""

    __slots__ = ("by", "dim")

    def __init__(self, dim: SymbolicDim, by: int) -> None:
        is_single = isinstance(dim.single, (Name, Positive))
        super().__init__(f"{dim}//{by}" if is_single else f"({dim})//{by}")
        self.dim = dim
        self.by = by

    def __reduce__(self) -> tuple[Any, ...]:
        return Quotient, (self.dim, self.by)

    @property
    def inner(self) -> tuple[Dim, ...]:
        return (self.dim,)


class Broadcast(Atom):
    """What several lengths broadcast to, none of which is known to be 1."""

    __slots__ = ("dims",)

    def __init__(self, dims: tuple[SymbolicDim, ...]) -> None:
        super().__init__(f"broadcast({','.join(map(str, dims))})")
        self.dims = dims

    def __reduce__(self) -> tuple[Any, ...]:
        return Broadcast, (self.dims,)

    @property
    def inner(self) -> tuple[Dim, ...]:
        return self.dims


Product: TypeAlias = tuple[Atom, ...]


class SymbolicDim:
    """The length of an axis that only a run knows. Equal where it is known to be equal; it never changes.

    Attributes
    ----------
    terms : tuple of (tuple of Atom, int)
        Products and their factors, whose sum it is.
    """

    __slots__ = ("_hash", "_text", "terms")
    terms: tuple[tuple[Product, int], ...]

    def __init__(self, terms: tuple[tuple[Product, int], ...]) -> None:
        self.terms = terms
        self._text = _text_of(terms)
        self._hash = hash(self._text)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, SymbolicDim) and self._hash == other._hash and self._text == other._text

    def __hash__(self) -> int:
        return self._hash

    def __bool__(self) -> NoReturn:
        raise TypeError(f"the length {self} is not known: ask `at_least` or `isinstance(dim, int)`")

    def __add__(self, other: Dim) -> Dim:
        if other is UNKNOWN:
            return UNKNOWN
        return sum_of([*self.terms, *terms_of(other)])

    def __neg__(self) -> Dim:
        return self * -1

    def __sub__(self, other: Dim) -> Dim:
        return self + other * -1

    def __rsub__(self, other: int) -> Dim:
        return self * -1 + other

    def __mul__(self, other: Dim) -> Dim:
        if other is UNKNOWN:
            return UNKNOWN
        products = [
            (tuple(sorted((*left, *right), key=_order)), one * two)
            for left, one in self.terms
            for right, two in terms_of(other)
        ]
        return sum_of(products)

    __radd__ = __add__
    __rmul__ = __mul__

    def __floordiv__(self, by: int) -> Dim:
        if by < 0:
            return (self * -1) // -by
        if by == 0:
            return UNKNOWN
        whole = sum_of([(product, factor // by) for product, factor in self.terms])
        rest = sum_of([(product, factor % by) for product, factor in self.terms])
        if isinstance(rest, int):
            return whole + rest // by
        shared = math.gcd(by, *[factor for _, factor in rest.terms])
        if shared > 1:
            rest = sum_of([(product, factor // shared) for product, factor in rest.terms])
            return whole + rest // (by // shared)
        inner = rest.single
        if isinstance(inner, Quotient):
            return whole + of_atom(Quotient(inner.dim, inner.by * by))
        return whole + of_atom(Quotient(rest, by))

    def __mod__(self, by: int) -> Dim:
        return self - (self // by) * by

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def __reduce__(self) -> str | tuple[Any, ...]:
        return SymbolicDim, (self.terms,)

    @property
    def single(self) -> Atom | None:
        """The atom that it is, if it is one."""
        if len(self.terms) != 1:
            return None
        product, factor = self.terms[0]
        return product[0] if len(product) == factor == 1 else None


Dim: TypeAlias = int | SymbolicDim


def named(name: str) -> SymbolicDim:
    """The length of this name."""
    return SymbolicDim((((Name(name),), 1),))


def of_atom(atom: Atom) -> SymbolicDim:
    return SymbolicDim((((atom,), 1),))


def terms_of(dim: Dim) -> tuple[tuple[Product, int], ...]:
    return dim.terms if isinstance(dim, SymbolicDim) else (((), dim),)


def _order(atom: Atom) -> str:
    return atom.text


def _term_order(term: tuple[Product, int]) -> tuple[int, list[str]]:
    return -len(term[0]), [atom.text for atom in term[0]]


def sum_of(terms: Iterable[tuple[Product, int]]) -> Dim:
    """The normal form of a sum; an int where nothing in it is symbolic."""
    factors: dict[Product, int] = {}
    for product, factor in terms:
        factors[product] = factors.get(product, 0) + factor
    kept = sorted([(product, factor) for product, factor in factors.items() if factor], key=_term_order)
    if not kept:
        return 0
    if len(kept) == 1 and not kept[0][0]:
        return kept[0][1]
    return SymbolicDim(tuple(kept)) if len(kept) <= _LARGEST else UNKNOWN


def _text_of(terms: tuple[tuple[Product, int], ...]) -> str:
    if not terms:
        return "?"
    parts: list[str] = []
    for product, factor in sorted(terms, key=lambda term: term[1] < 0):
        size = abs(factor)
        alone = size == len(product) == 1
        atoms = "*".join(
            f"({atom.text})" if isinstance(atom, Quotient) and not alone else atom.text for atom in product
        )
        shown = str(size) if not atoms else atoms if size == 1 else f"{size}*{atoms}"
        sign = "-" if factor < 0 else "+" if parts else ""
        parts.append(sign + shown)
    return "".join(parts)


class _Unknown(SymbolicDim):
    """A length of which nothing is known."""

    __slots__ = ()

    def __add__(self, other: Dim) -> Dim:
        return self

    __radd__ = __add__

    def __mul__(self, other: Dim) -> Dim:
        return 0 if other == 0 else self

    __rmul__ = __mul__

    def __floordiv__(self, by: int) -> Dim:
        return self

    def __reduce__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown(())
"""A length of which nothing is known, not even whether it equals another: it stands for any. What an op
infers where no arithmetic says more; the graph gives it a name when the node is made."""
