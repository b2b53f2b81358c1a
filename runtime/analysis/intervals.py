"""Intervals of whole numbers, and what scalar functions make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from runtime.core.dtypes import DType
from runtime.core.spec import ArraySpec, Spec
from runtime.ops.core import expression as scalar

__all__ = ["Range", "exact_range", "of_all", "of_spec", "range_of", "within"]


class Range(NamedTuple):
    """All whole numbers between two."""

    least: int
    most: int

    def joined(self, other: Range) -> Range:
        """The numbers of both, and all between."""
        return Range(min(self.least, other.least), max(self.most, other.most))

    def met(self, other: Range) -> Range:
        """The numbers that are in both; where that is none, those of this one."""
        found = Range(max(self.least, other.least), min(self.most, other.most))
        return found if found.least <= found.most else self

    def is_in(self, other: Range) -> bool:
        """Whether all of them are in another one."""
        return other.least <= self.least and self.most <= other.most

    def plus(self, other: Range) -> Range:
        """The sums."""
        return Range(self.least + other.least, self.most + other.most)

    def times(self, count: int) -> Range:
        """The sums of up to so many numbers."""
        return Range(min(0, self.least) * count, max(0, self.most) * count)


def of_spec(spec: Spec) -> Range | None:
    """All whole numbers of a dtype; None of other values."""
    if not isinstance(spec, ArraySpec):
        return None
    return _of_dtype(spec.dtype)


def _of_dtype(dtype: DType) -> Range | None:
    if dtype.is_bool:
        return Range(0, 1)
    if not dtype.is_integer:
        return None
    bits = 8 * dtype.itemsize
    return Range(-(1 << bits - 1), (1 << bits - 1) - 1) if dtype.kind == "i" else Range(0, (1 << bits) - 1)


def of_all(found: Sequence[Range | None]) -> Range | None:
    """The numbers of all ranges, and all between."""
    first, *others = found
    for each in others:
        first = None if first is None or each is None else first.joined(each)
    return first


def range_of(
    tree: scalar.Expression, given: Sequence[Range | None], dtypes: tuple[DType, ...]
) -> Range | None:
    """The range of a scalar expression over operands of some ranges, and dtypes."""
    whole = _of_dtype(scalar.dtype_of(tree, dtypes))
    match tree:
        case scalar.Operand(index):
            return given[index]
        case scalar.Literal(value):
            return None if whole is None else Range(int(value), int(value))
        case scalar.Convert(_, of):
            return None if whole is None else within(range_of(of, given, dtypes), whole)
        case scalar.Apply(function, arguments):
            if whole is None:
                return None
            return within(exact_range(function, [range_of(each, given, dtypes) for each in arguments]), whole)


def within(found: Range | None, whole: Range) -> Range:
    """A range, where nothing wraps around."""
    return found if found is not None and found.is_in(whole) else whole


def exact_range(function: str, given: Sequence[Range | None]) -> Range | None:
    """Where a scalar function's results lie, if numbers never wrap around; None where that is anywhere."""
    rule = _RULES.get(function)
    known = [each for each in given if each is not None]
    if function == "select":
        return of_all(given[1:])
    return rule(*known) if rule is not None and len(known) == len(given) else None


def _product(x: Range, y: Range) -> Range:
    ends = [one * other for one in x for other in y]
    return Range(min(ends), max(ends))


def _remainder(x: Range, y: Range) -> Range | None:
    if y.least > 0 and x.least >= 0 and x.most < y.least:
        return x
    found = Range(min(0, y.least + 1), max(0, y.most - 1))
    if x.least >= 0 and y.least >= 0:
        return Range(0, min(found.most, x.most))
    return found


def _quotient(x: Range, y: Range) -> Range | None:
    if y.least <= 0:
        return Range(0, x.most) if x.least >= 0 == y.least else None
    ends = [one // other for one in x for other in y]
    return Range(min(ends), max(ends))


def _common_bits(x: Range, y: Range) -> Range | None:
    tops = [each.most for each in (x, y) if each.least >= 0]
    return Range(0, min(tops)) if tops else None


def _absolute(x: Range) -> Range:
    least = 0 if x.least <= 0 <= x.most else min(map(abs, x))
    return Range(least, max(map(abs, x)))


def _power(x: Range, y: Range) -> Range | None:
    if x.least < 0 or y.least < 0 or y.most > _MOST_BITS or x.most.bit_length() * y.most > 2 * _MOST_BITS:
        return None
    return Range(0, max(x.most**y.most, 1))


def _shifted(x: Range, y: Range) -> Range | None:
    if y.least < 0 or y.most > _MOST_BITS:
        return None
    return Range(min(x.least << y.most, x.least), max(x.most << y.most, x.most))


_MOST_BITS = 64

_RULES: Mapping[str, Callable[..., Range | None]] = {
    "add": Range.plus,
    "subtract": lambda x, y: Range(x.least - y.most, x.most - y.least),
    "multiply": _product,
    "square": lambda x: _absolute(_product(x, x)) if x.least < 0 else _product(x, x),
    "negative": lambda x: Range(-x.most, -x.least),
    "absolute": _absolute,
    "maximum": lambda x, y: Range(max(x.least, y.least), max(x.most, y.most)),
    "minimum": lambda x, y: Range(min(x.least, y.least), min(x.most, y.most)),
    "fmax": lambda x, y: Range(max(x.least, y.least), max(x.most, y.most)),
    "fmin": lambda x, y: Range(min(x.least, y.least), min(x.most, y.most)),
    "remainder": _remainder,
    "floor_divide": _quotient,
    "bitwise_and": _common_bits,
    "right_shift": lambda x, _: Range(min(x.least, 0), max(x.most, 0)),
    "left_shift": _shifted,
    "power": _power,
    **dict.fromkeys(("floor", "ceil", "trunc", "rint", "conjugate"), lambda x: x),
}
"""Of bools, which wrap around, see `_within`."""
