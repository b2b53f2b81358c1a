"""Whole numbers as sums of multiples of others: indices, and tests whether these are inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import int64
from runtime.executors.native.language.loops import Apply, Expression, Number, Variable

__all__ = [
    "LARGE",
    "Fits",
    "Inside",
    "Said",
    "Sum",
    "Sums",
    "Wrapped",
    "in_sums",
    "inside_of",
    "meaning_of",
    "said_by",
    "sum_of",
]

LARGE = 1 << 40
"""Beyond it, nobody knows whether a sum wraps around; factors are less than its root."""


@dataclass(frozen=True)
class Sum:
    """A whole number: multiples of numbers by name, and one that is known."""

    terms: tuple[tuple[str, int], ...] = ()
    known: int = 0

    def plus(self, other: Sum, times: int = 1) -> Sum | None:
        """Another one added, so many times; None where factors grow large."""
        terms = Counter(dict(self.terms))
        for name, factor in other.terms:
            terms[name] += factor * times
        known = self.known + other.known * times
        if abs(known) >= LARGE or any(abs(factor) >= 1 << 16 for factor in terms.values()):
            return None
        return Sum(tuple(sorted((name, factor) for name, factor in terms.items() if factor)), known)


@dataclass(frozen=True)
class Wrapped:
    """A number that counts from the end where it is negative."""

    place: Sum


@dataclass(frozen=True)
class Inside:
    """That a place is not negative, and below a limit; `wraps` names it where it may count from the end."""

    place: Sum
    limit: Sum
    wraps: str = ""


@dataclass(frozen=True)
class Fits:
    """That a sum does not wrap around."""

    sum: Sum


@dataclass(frozen=True)
class Said:
    """That a sum is not negative, as a test says; of small numbers alone, unless it `is_exact`."""

    sum: Sum
    is_exact: bool

    def stays(self, changed: AbstractSet[str]) -> bool:
        """Whether it holds where numbers have changed, too."""
        return not any(name in changed for name, _ in self.sum.terms)


def said_by(test: Expression, sums: Mapping[str, Sum], tests: Mapping[str, list[Said]]) -> list[Said]:
    """What a test says of sums where it holds; `tests` are truth values by name."""
    match test:
        case Variable(name):
            return tests.get(name, [])
        case Apply("logical_and", (one, other)):
            return [*said_by(one, sums, tests), *said_by(other, sums, tests)]
        case Apply(compares, (one, other)) if compares in _LESS:
            turned, gap = _LESS[compares]
            less, more = sum_of(one, sums), sum_of(other, sums)
            if less is None or more is None:
                return []
            found = less.plus(more, -1) if turned else more.plus(less, -1)
            found = None if found is None else found.plus(Sum((), -gap))
            return [] if found is None or not found.terms else [Said(found, _is_one(less) and _is_one(more))]
    return []


def _is_one(value: Sum) -> bool:
    """Whether a sum is one number as it is, so that it has not wrapped around."""
    match value.terms:
        case ():
            return True
        case ((_, 1),):
            return value.known == 0
    return False


_LESS = {"less": (False, 1), "less_equal": (False, 0), "greater": (True, 1), "greater_equal": (True, 0)}
"""Of comparisons: whether the first number is the greater one, and by how much."""
Sums = dict[str, "Sum | Wrapped | Inside | Fits | None"]
"""What numbers are now; None for what is nothing of this. What has no name here stands for itself."""


def sum_of(value: Expression, sums: Mapping[str, Sum | Wrapped | Inside | Fits | None]) -> Sum | None:
    """A number as a sum; None where it is none."""
    match value:
        case Number(known, dtype) if dtype is int64 and abs(int(known)) < LARGE:
            return Sum((), int(known))
        case Variable(name, dtype) if dtype is int64:
            found = sums.get(name, Sum(((name, 1),)))
            return found if isinstance(found, Sum) else None
        case Apply("add" | "subtract" as function, (one, other), dtype) if dtype is int64:
            first, second = sum_of(one, sums), sum_of(other, sums)
            if first is not None and second is not None:
                return first.plus(second, 1 if function == "add" else -1)
        case Apply("multiply", (one, Number(factor, _)), dtype) if dtype is int64:
            first = sum_of(one, sums)
            if first is not None and abs(int(factor)) < 1 << 16:
                return Sum().plus(first, int(factor))
    return None


def inside_of(test: Expression, sums: Sums) -> Inside | None:
    """What a test says, if it is one of a place."""
    match test:
        case Variable(name):
            found = sums.get(name)
            return found if isinstance(found, Inside) else None
        case Apply("logical_and", (Apply("greater_equal", (x, Number(0))), Apply("less", (same, size)))) if (
            x == same
        ):
            limit = sum_of(size, sums)
            wrapped = sums.get(x.name) if isinstance(x, Variable) else None
            if isinstance(x, Variable) and isinstance(wrapped, Wrapped) and limit is not None:
                return Inside(wrapped.place, limit, x.name)
            place = sum_of(x, sums)
            return None if place is None or limit is None else Inside(place, limit)
        case Apply("less", (Number(place), size)) if place >= 0:
            limit = sum_of(size, sums)
            return None if limit is None else Inside(Sum((), int(place)), limit)
    return None


def meaning_of(value: Expression, sums: Sums) -> Sum | Wrapped | Inside | Fits | None:
    """What is known of a number."""
    match value:
        case Apply("add_fits" | "subtract_fits" as function, (one, other)) if one.dtype is int64:
            found = sum_of(Apply(function.removesuffix("_fits"), (one, other), int64), sums)
            return None if found is None else Fits(found)
        case Apply("select", (Apply("less", (x, Number(0))), _, same)) if x == same:
            place = sum_of(x, sums)
            return None if place is None else Wrapped(place)
        case Apply("logical_and" | "less"):
            return inside_of(value, sums)
    return sum_of(value, sums)


def in_sums(value: Sum, sums: Sums) -> Sum | None:
    """A sum of numbers that are sums themselves."""
    found: Sum | None = Sum((), value.known)
    for name, factor in value.terms:
        term = sums.get(name, Sum(((name, 1),)))
        found = found.plus(term, factor) if found is not None and isinstance(term, Sum) else None
    return found
