"""Intervals of whole numbers, and what scalar functions make of them.

A float that has one is no NaN and no infinity, and lies between two whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from autograph_base.named_tuple import NamedTuple
from runtime.core.dtypes import DType
from runtime.core.spec import ArraySpec, Spec
from runtime.ops.core import expression as scalar

__all__ = [
    "FITS",
    "Range",
    "compares_numbers",
    "exact_range",
    "float_range",
    "of_all",
    "of_float",
    "of_spec",
    "product",
    "range_of",
    "rounded",
    "within",
]


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


@cache
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
        case scalar.Literal(value, dtype):
            return of_float(value, dtype) if whole is None else Range(int(value), int(value))
        case scalar.Convert(to, of):
            found = range_of(of, given, dtypes)
            return rounded(found, to) if whole is None else within(found, whole)
        case scalar.Apply("select", (test, one, other)) if compares_numbers(test):
            return None if whole is None else _chosen(test, one, other, given, dtypes)
        case scalar.Apply(function, arguments):
            if function.endswith(FITS):
                return _fitting(function.removesuffix(FITS), arguments, given, dtypes)
            known = [range_of(each, given, dtypes) for each in arguments]
            if whole is None:
                return float_range(function, known, scalar.dtype_of(tree, dtypes))
            if known[0] is not None and _is_of_any_finite(function, arguments):
                return Range(1, 1)
            if function == "invert" and whole == _TRUTHS:
                function = "logical_not"
            return within(exact_range(function, known), whole)


_TRUTHS = Range(0, 1)


def _is_of_any_finite(function: str, arguments: Sequence[scalar.Expression]) -> bool:
    """Whether a comparison holds for every number that is no NaN and no infinity."""
    match function, arguments:
        case "equal", (one, other):
            return one == other
        case "not_equal", (_, scalar.Literal(value, dtype)):
            return dtype.is_floating and math.isinf(value)
    return False


def of_float(value: float, dtype: DType) -> Range | None:
    """The whole numbers around a float; None of a NaN, of an infinity, and of other numbers."""
    if not dtype.is_floating or not math.isfinite(value):
        return None
    return Range(math.floor(value), math.ceil(value))


def rounded(found: Range | None, dtype: DType) -> Range | None:
    """Where numbers of a range lie as floats of a dtype, to which all are rounded in their order."""
    if found is None or dtype.name not in _EXACT:
        return None
    if max(map(abs, found)) <= 1 << _EXACT[dtype.name]:
        return found
    if max(map(abs, found)) > _LARGEST[dtype.name]:
        return None
    least, most = (int(dtype.numpy.type(float(each))) for each in found)
    return Range(least, most)


_EXACT = {"float32": 24, "float64": 53}
"""Bits of the whole numbers that are floats as they are."""
_LARGEST = {"float32": 1 << 53, "float64": 1 << 100}
"""Up to where Python's own rounding to 53 bits is no other than theirs, and none gets too large."""


def float_range(function: str, given: Sequence[Range | None], dtype: DType) -> Range | None:
    """Where a function's results lie as floats; None where that is not known, or some may be NaN."""
    rule = _OF_FLOATS.get(function)
    known = [each for each in given if each is not None]
    if rule is None or len(known) < len(given):
        return None
    return rounded(rule(*known), dtype)


def _fitting(
    function: str,
    arguments: Sequence[scalar.Expression],
    given: Sequence[Range | None],
    dtypes: tuple[DType, ...],
) -> Range:
    """Whether what a function gives is surely no larger than the dtype of its operands."""
    whole = _of_dtype(scalar.dtype_of(arguments[0], dtypes))
    found = exact_range(function, [range_of(each, given, dtypes) for each in arguments])
    return Range(int(found is not None and whole is not None and found.is_in(whole)), 1)


FITS = "_fits"
"""How functions end that say whether what another one gives is one of the dtype."""


def compares_numbers(test: scalar.Expression) -> bool:
    """Whether a test is a comparison of operands and known numbers: others say too little for their time."""
    match test:
        case scalar.Apply(function, arguments) if function in _TURNED:
            return all(isinstance(each, scalar.Operand | scalar.Literal) for each in arguments)
    return False


def _chosen(
    test: scalar.Expression,
    one: scalar.Expression,
    other: scalar.Expression,
    given: Sequence[Range | None],
    dtypes: tuple[DType, ...],
) -> Range | None:
    """The range of one of two expressions, each of which is computed only where the test chooses it."""
    found = []
    for way, holds in ((one, True), (other, False)):
        known = _known_where(test, holds, given, dtypes)
        if known is not None:
            found.append(range_of(way, known, dtypes))
    return of_all(found) if found else None


def _known_where(
    test: scalar.Expression, holds: bool, given: Sequence[Range | None], dtypes: tuple[DType, ...]
) -> Sequence[Range | None] | None:
    """The ranges of operands where a test holds or does not; None where it never does."""
    match test:
        case scalar.Apply(function, (one, other)) if function in _TURNED:
            name = function if holds else _DENIED[function]
            first, second = range_of(one, given, dtypes), range_of(other, given, dtypes)
            if first is None or second is None:
                return given
            if exact_range(name, [first, second]) == Range(0, 0):
                return None
            if scalar.dtype_of(one, dtypes).is_floating:  # which may be anywhere between whole numbers
                return given
            known = list(given)
            for each, own, limit, how in (
                (one, first, second, name),
                (other, second, first, _TURNED[name]),
            ):
                if isinstance(each, scalar.Operand):
                    known[each.index] = own.met(_limit(how, own, limit))
            return known
    return given


def _limit(function: str, own: Range, limit: Range) -> Range:
    """Where numbers of a range are that compare so with one of another."""
    match function:
        case "less":
            return Range(own.least, limit.most - 1)
        case "less_equal":
            return Range(own.least, limit.most)
        case "greater":
            return Range(limit.least + 1, own.most)
    return Range(limit.least, own.most)


_TURNED = {
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
}
"""How comparisons are written the other way round."""
_DENIED = {
    "less": "greater_equal",
    "less_equal": "greater",
    "greater": "less_equal",
    "greater_equal": "less",
}
"""What holds where they do not."""


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


def product(x: Range, y: Range) -> Range:
    """The products."""
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


def _mixed_bits(x: Range, y: Range) -> Range:
    """No bit is higher than in both."""
    bits = max(each.bit_length() if each >= 0 else (~each).bit_length() for each in (*x, *y))
    return Range(0 if min(x.least, y.least) >= 0 else -(1 << bits), (1 << bits) - 1)


def _true_quotient(x: Range, y: Range) -> Range | None:
    """The quotients of floats, between whole numbers."""
    if y.least <= 0 <= y.most:
        return None
    ends = [whole for one in x for other in y for whole in (one // other, -(-one // other))]
    return Range(min(ends), max(ends))


def _root(x: Range) -> Range | None:
    return Range(math.isqrt(x.least), math.isqrt(max(0, x.most - 1)) + 1) if x.least >= 0 else None


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


def _shifted_down(x: Range, y: Range) -> Range:
    if y.least < 0:  # which pushes all bits out
        return Range(min(x.least, 0), max(x.most, 0))
    ends = [one >> other for one in x for other in y]
    return Range(min(ends), max(ends))


_MOST_BITS = 64


def _truth(x: Range) -> Range:
    """Whether numbers are others than 0."""
    return Range(int(x.least > 0 or x.most < 0), int(x != (0, 0)))


def _below(x: Range, y: Range, gap: int) -> Range | None:
    """Whether the first is below the second, by so much at least."""
    if x.most + gap <= y.least:
        return Range(1, 1)
    return Range(0, 0) if x.least + gap > y.most else None


_RULES: Mapping[str, Callable[..., Range | None]] = {
    "add": Range.plus,
    "subtract": lambda x, y: Range(x.least - y.most, x.most - y.least),
    "multiply": product,
    "square": lambda x: _absolute(product(x, x)) if x.least < 0 else product(x, x),
    "negative": lambda x: Range(-x.most, -x.least),
    "absolute": _absolute,
    "maximum": lambda x, y: Range(max(x.least, y.least), max(x.most, y.most)),
    "minimum": lambda x, y: Range(min(x.least, y.least), min(x.most, y.most)),
    "fmax": lambda x, y: Range(max(x.least, y.least), max(x.most, y.most)),
    "fmin": lambda x, y: Range(min(x.least, y.least), min(x.most, y.most)),
    "remainder": _remainder,
    "floor_divide": _quotient,
    "bitwise_and": _common_bits,
    "logical_and": lambda x, y: Range(*map(min, zip(_truth(x), _truth(y), strict=True))),
    "bitwise_or": _mixed_bits,
    "bitwise_xor": _mixed_bits,
    "invert": lambda x: Range(~x.most, ~x.least),
    "right_shift": _shifted_down,
    "left_shift": _shifted,
    "power": _power,
    "logical_not": lambda x: Range(1 - _truth(x).most, 1 - _truth(x).least),
    "less": lambda x, y: _below(x, y, 1),
    "less_equal": lambda x, y: _below(x, y, 0),
    "greater": lambda x, y: _below(y, x, 1),
    "greater_equal": lambda x, y: _below(y, x, 0),
    **dict.fromkeys(("floor", "ceil", "trunc", "rint", "conjugate"), lambda x: x),
}
"""Of bools, which wrap around, see `_within`."""

_OF_FLOATS: Mapping[str, Callable[..., Range | None]] = {
    **{name: _RULES[name] for name in ("add", "subtract", "multiply", "square", "negative", "absolute")},
    **{name: _RULES[name] for name in ("maximum", "minimum", "fmax", "fmin")},
    **{name: _RULES[name] for name in ("floor", "ceil", "trunc", "rint")},
    "divide": _true_quotient,
    "sqrt": _root,
}
