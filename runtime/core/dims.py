"""Lengths of axes that only a run knows: symbolic dims, and what is known of them.

A `SymbolicDim` is an expression over named lengths. Expressions are kept in one normal form, so that dims
that are known to be equal are equal in Python:

>>> n = named("x.0")
>>> print(n + 1, 2 * n - n == n, (2 * n + 1) // 2, maximum(n - 1, 0))
x.0+1 True x.0 max(x.0-1,0)

The form is a sum of products with integer factors. A product is one of *atoms*, each of them a number from 0
on: a named length, the positive part of a sum, a quotient rounded down, or what lengths broadcast to. The
positive part is all that slices need, as ``min(a, b)`` is ``a - max(a - b, 0)``:

>>> print(minimum(n, 2) + maximum(n - 2, 0))
x.0
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

__all__ = [
    "UNKNOWN",
    "Dim",
    "SymbolicDim",
    "at_least",
    "at_most",
    "broadcast",
    "exact_quotient",
    "maximum",
    "minimum",
    "name_of",
    "named",
    "names_in",
    "parse",
    "quotient",
    "solve",
    "substitute",
]

_DEPTH = 6
"""How many positive parts inside one another are looked into for bounds."""
_LARGEST = 24
"""Terms of the longest expression; a longer one tells nobody anything, and is `UNKNOWN`."""


class Atom:
    """A factor of a product: a number from 0 on that is no sum. Compared and ordered by its text."""

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
        return _restored_atom, (self.text,)

    @property
    def inner(self) -> tuple[Dim, ...]:
        """The dims that it is made of."""
        return ()

    def made_of(self, inner: Sequence[Dim]) -> Dim:
        """The same function of other dims."""
        del inner
        return _of_atom(self)


class _Name(Atom):
    """A length with a name."""

    __slots__ = ()


class _Positive(Atom):
    """``max(dim, 0)``."""

    __slots__ = ("dim",)

    def __init__(self, dim: SymbolicDim) -> None:
        super().__init__(f"max({dim},0)")
        self.dim = dim

    @property
    def inner(self) -> tuple[Dim, ...]:
        return (self.dim,)

    def made_of(self, inner: Sequence[Dim]) -> Dim:
        return _positive(inner[0])


class _Quotient(Atom):
    """``dim // by``, where `by` is above 0 and the dim is from 0 on."""

    __slots__ = ("by", "dim")

    def __init__(self, dim: SymbolicDim, by: int) -> None:
        is_single = isinstance(_single(dim), (_Name, _Positive))
        super().__init__(f"{dim}//{by}" if is_single else f"({dim})//{by}")
        self.dim = dim
        self.by = by

    @property
    def inner(self) -> tuple[Dim, ...]:
        return (self.dim,)

    def made_of(self, inner: Sequence[Dim]) -> Dim:
        return inner[0] // self.by


class _Broadcast(Atom):
    """What several lengths broadcast to, none of which is known to give way."""

    __slots__ = ("dims",)

    def __init__(self, dims: tuple[SymbolicDim, ...]) -> None:
        super().__init__(f"broadcast({','.join(map(str, dims))})")
        self.dims = dims

    @property
    def inner(self) -> tuple[Dim, ...]:
        return self.dims

    def made_of(self, inner: Sequence[Dim]) -> Dim:
        found = broadcast(*inner)
        return UNKNOWN if found is None else found


_Product: TypeAlias = tuple[Atom, ...]


class SymbolicDim:
    """The length of an axis that only a run knows. Equal where it is known to be equal; it never changes.

    Attributes
    ----------
    terms : tuple of (tuple of Atom, int)
        Products and their factors, whose sum it is.
    """

    __slots__ = ("_hash", "_text", "terms")
    terms: tuple[tuple[_Product, int], ...]

    def __init__(self, terms: tuple[tuple[_Product, int], ...]) -> None:
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
        return _sum([*self.terms, *_terms(other)])

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
            for right, two in _terms(other)
        ]
        return _sum(products)

    __radd__ = __add__
    __rmul__ = __mul__

    def __floordiv__(self, by: int) -> Dim:
        if by < 0:
            return (self * -1) // -by
        if by == 0:
            return UNKNOWN
        whole = _sum([(product, factor // by) for product, factor in self.terms])
        rest = _sum([(product, factor % by) for product, factor in self.terms])
        if isinstance(rest, int):
            return whole + rest // by
        shared = math.gcd(by, *[factor for _, factor in rest.terms])
        if shared > 1:
            rest = _sum([(product, factor // shared) for product, factor in rest.terms])
            return whole + rest // (by // shared)
        inner = _single(rest)
        if isinstance(inner, _Quotient):
            return whole + _of_atom(_Quotient(inner.dim, inner.by * by))
        return whole + _of_atom(_Quotient(rest, by))

    def __mod__(self, by: int) -> Dim:
        return self - (self // by) * by

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def __reduce__(self) -> tuple[Any, ...]:
        return parse, (self._text,)


Dim: TypeAlias = int | SymbolicDim


def named(name: str) -> SymbolicDim:
    """The length of this name."""
    return SymbolicDim((((_Name(name),), 1),))


def _of_atom(atom: Atom) -> SymbolicDim:
    return SymbolicDim((((atom,), 1),))


def _restored_atom(text: str) -> Atom:
    dim = parse(text)
    assert isinstance(dim, SymbolicDim), "an atom is no number"
    return dim.terms[0][0][0]


def _terms(dim: Dim) -> tuple[tuple[_Product, int], ...]:
    return dim.terms if isinstance(dim, SymbolicDim) else (((), dim),)


def _order(atom: Atom) -> str:
    return atom.text


def _term_order(term: tuple[_Product, int]) -> tuple[int, list[str]]:
    return -len(term[0]), [atom.text for atom in term[0]]


def _sum(terms: Iterable[tuple[_Product, int]]) -> Dim:
    """The normal form of a sum; an int where nothing in it is symbolic."""
    factors: dict[_Product, int] = {}
    for product, factor in terms:
        factors[product] = factors.get(product, 0) + factor
    kept = sorted([(product, factor) for product, factor in factors.items() if factor], key=_term_order)
    if not kept:
        return 0
    if len(kept) == 1 and not kept[0][0]:
        return kept[0][1]
    return SymbolicDim(tuple(kept)) if len(kept) <= _LARGEST else UNKNOWN


def _text_of(terms: tuple[tuple[_Product, int], ...]) -> str:
    if not terms:
        return "?"
    parts: list[str] = []
    for product, factor in sorted(terms, key=lambda term: term[1] < 0):
        size = abs(factor)
        alone = size == len(product) == 1
        atoms = "*".join(
            f"({atom.text})" if isinstance(atom, _Quotient) and not alone else atom.text for atom in product
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


UNKNOWN = _Unknown(())
"""A length of which nothing is known, not even whether it equals another: it stands for any. What an op
infers where no arithmetic says more; the graph gives it a name when the node is made."""


# ── bounds ──


def at_least(dim: Dim, least: int) -> bool:
    """Whether a dim is known to be `least` or more.

    >>> at_least(named("n"), 0), at_least(named("n"), 1), at_least(named("n") + 1, 1)
    (True, False, True)
    """
    return _lowest(dim) >= least


def at_most(dim: Dim, most: int) -> bool:
    """Whether a dim is known to be `most` or less."""
    return dim is not UNKNOWN and at_least(dim * -1, -most)


def _lowest(dim: Dim, depth: int = _DEPTH) -> float:
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
    rest = dim - factor * _of_atom(atom)
    if isinstance(atom, _Quotient):  # at most the quotient that is not rounded down
        return _lowest(rest * atom.by + factor * atom.dim, depth - 1) / atom.by
    if isinstance(atom, _Positive):
        # either 0, where its dim is 0 or less, or its dim, where that is 0 or more: the lower of both cases
        as_zero = max(_lowest(rest, depth - 1), _lowest(rest + atom.dim, depth - 1))
        whole = rest + factor * atom.dim
        as_whole = max(_lowest(whole, depth - 1), _lowest(whole - atom.dim, depth - 1))
        return min(as_zero, as_whole)
    return -math.inf


# ── functions of dims ──


def quotient(dim: Dim, by: Dim) -> Dim:
    """``dim // by``."""
    return dim // by if isinstance(by, int) and by else UNKNOWN


def maximum(left: Dim, right: Dim) -> Dim:
    """The greater of two dims."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    return right + _positive(left - right)


def minimum(left: Dim, right: Dim) -> Dim:
    """The smaller of two dims."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    return left - _positive(left - right)


def _positive(dim: Dim) -> Dim:
    """``max(dim, 0)``, in one form for each: ``max(-e, 0)`` is ``max(e, 0) - e``."""
    if isinstance(dim, int):
        return max(dim, 0)
    if dim is UNKNOWN or _lowest(dim) >= 0:
        return dim
    if _lowest(-dim) >= 0:
        return 0
    shared = math.gcd(*[factor for _, factor in dim.terms])
    if shared > 1:
        return shared * _positive(_sum([(product, factor // shared) for product, factor in dim.terms]))
    if dim.terms[0][1] < 0:
        return _positive(-dim) + dim
    for product, factor in dim.terms:
        if factor == 1 and len(product) == 1 and isinstance(product[0], _Positive):
            # max(max(e, 0) - f, 0) is max(e - f, 0), where f is from 0 on
            rest = dim - _of_atom(product[0])
            if _lowest(rest * -1) >= 0:
                return _positive(product[0].dim + rest)
    return _of_atom(_Positive(dim))


def broadcast(*dims: Dim) -> Dim | None:
    """What axes of these lengths broadcast to, by NumPy's rule; None where they are known not to.

    >>> n, m = named("n"), named("m")
    >>> broadcast(n, n), broadcast(n, 1), broadcast(n, 3), broadcast(n, m) == broadcast(m, n), broadcast(2, 3)
    (n, n, 3, True, None)
    """
    known: set[int] = set()
    symbolic: dict[SymbolicDim, None] = {}
    for dim in dims:
        if isinstance(dim, int):
            known.add(dim)
        elif isinstance(atom := _single(dim), _Broadcast):
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
    return _of_atom(_Broadcast(tuple(sorted(symbolic, key=str))))


def _single(dim: SymbolicDim) -> Atom | None:
    """The atom that a dim is, if it is one."""
    if len(dim.terms) != 1:
        return None
    product, factor = dim.terms[0]
    return product[0] if len(product) == factor == 1 else None


def exact_quotient(dim: Dim, by: Dim) -> Dim | None:
    """`dim / by` where that is a dim for all lengths; None where it is not, or may not be.

    >>> n, m = named("n"), named("m")
    >>> exact_quotient(6 * n * m + 3 * n, 3 * n), exact_quotient(n, m)
    (2*m+1, None)
    """
    if UNKNOWN in (dim, by) or by == 0:
        return None
    if dim == by:
        return 1
    if len(_terms(by)) != 1:
        return None
    ((divisor, factor),) = _terms(by)
    found = []
    for product, own in _terms(dim):
        left = list(product)
        for atom in divisor:
            if atom not in left:
                return None
            left.remove(atom)
        if own % factor:
            return None
        found.append((tuple(left), own // factor))
    return _sum(found)


# ── names ──


def names_in(dim: Dim) -> frozenset[str]:
    """The names of the lengths that a dim is made of."""
    if isinstance(dim, int):
        return frozenset()
    return frozenset(_names(dim))


def _names(dim: SymbolicDim) -> Iterator[str]:
    for product, _ in dim.terms:
        for atom in product:
            if isinstance(atom, _Name):
                yield atom.text
            for inner in atom.inner:
                if isinstance(inner, SymbolicDim):
                    yield from _names(inner)


def name_of(dim: Dim) -> str | None:
    """The name of a dim that is nothing but a named length."""
    if isinstance(dim, int) or dim is UNKNOWN:
        return None
    atom = _single(dim)
    return atom.text if isinstance(atom, _Name) else None


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
    if isinstance(atom, _Name):
        return meanings.get(atom.text, _of_atom(atom))
    return atom.made_of([substitute(inner, meanings) for inner in atom.inner])


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


# ── text ──

_WORDS = re.compile(r"\s*([A-Za-z_]\w*(?:\.\d+)?|\d+|//|[-+*(),?])")


def parse(text: str) -> Dim:
    """The dim that `str` printed.

    Raises
    ------
    ValueError
        When the text is no dim.
    """
    words = _WORDS.findall(text)
    if "".join(words) != re.sub(r"\s", "", text):
        raise ValueError(f"{text!r} is no dim")
    reader = _Reader(words)
    found = reader.sum()
    if reader.words:
        raise ValueError(f"{text!r} goes on after a dim, at {reader.words[0]!r}")
    return found


class _Reader:
    """Reads words from left to right."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def take(self, *wanted: str) -> str:
        """The next word, if it is one of these."""
        return self.words.pop(0) if self.words and (not wanted or self.words[0] in wanted) else ""

    def need(self, wanted: str) -> None:
        if not self.take(wanted):
            raise ValueError(f"a dim needs {wanted!r} before {''.join(self.words)!r}")

    def sum(self) -> Dim:
        sign = -1 if self.take("-") else 1
        total = self.product() * sign
        while mark := self.take("+", "-"):
            total = total + self.product() * (-1 if mark == "-" else 1)
        return total

    def product(self) -> Dim:
        total = self.factor()
        while mark := self.take("*", "//"):
            other = self.factor()
            if mark == "*":
                total = total * other
            elif isinstance(other, int) and other:
                total = total // other
            else:
                raise ValueError("a dim is divided by a number")
        return total

    def factor(self) -> Dim:
        word = self.take()
        if word == "?":
            return UNKNOWN
        if word == "(":
            found = self.sum()
            self.need(")")
            return found
        if word.isdigit():
            return int(word)
        function = _FUNCTIONS.get(word)
        if function is not None and self.take("("):
            operands = [self.sum()]
            while self.take(","):
                operands.append(self.sum())
            self.need(")")
            return function(operands)
        if not word or word in "+-*//),":
            raise ValueError(f"a dim has {word or 'its end'!r} where a length should stand")
        return named(word)


def _broadcast_of(dims: Sequence[Dim]) -> Dim:
    found = broadcast(*dims)
    if found is None:
        raise ValueError(f"the lengths {dims} do not broadcast together")
    return found


_FUNCTIONS: Mapping[str, Callable[[Sequence[Dim]], Dim]] = {
    "max": lambda dims: maximum(*dims),
    "broadcast": _broadcast_of,
}
