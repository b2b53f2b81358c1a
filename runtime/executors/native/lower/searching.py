"""Places in a vector that is sorted, and lines between points of which it holds one coordinate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from runtime.core.dtypes import DType, bool_, float64, int64
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    If,
    Load,
    Number,
    Set,
    Statement,
    Variable,
    While,
    add,
    truth,
)
from runtime.executors.native.lower.lowering import Lowering, lowers, op_of
from runtime.executors.native.lower.sorting import comes_before
from runtime.executors.native.lower.values import InMemory, Lowered, Scalar
from runtime.graph.graph import Node
from runtime.ops.selection import SearchSorted
from runtime.ops.signals import Interp

_ZERO, _ONE = Number(0, int64), Number(1, int64)
_FEW, _CLOSE = 4, 8
"""Points that NumPy goes through one by one, and those around a guess that it takes to be in the cache."""


@lowers(SearchSorted)
def _search_sorted(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """Places as NumPy finds them, which shows where the vector is not sorted."""
    op = op_of(node)
    assert isinstance(op, SearchSorted), "it lowers these"
    vector, keys, *sorters = node.inputs
    if vector.dtype.is_complex:
        raise Unsupported("NumPy orders complex numbers")
    if sorters:
        raise Unsupported("NumPy looks where others say that elements are")
    row = lowering.in_memory(vector)

    def is_below(place: Expression, key: Expression) -> Expression:
        element = lowering.name(Load(row.array, place))
        if op.side == "left":
            return comes_before(element, key)
        return Apply("logical_not", (comes_before(key, element),), bool_)

    search = _Halving(lowering, row.dims[0], is_below)
    if not _looks_in_halves():
        search = _Bisection(lowering, row.dims[0], is_below, vector.dtype, op.side)
    if not lowering.dims(keys):
        return [Scalar(lowering.name(search.place_of(lowering.name(lowering.scalar(keys)))))]
    given = lowering.in_memory(keys)
    result = lowering.allocated(given.dims, int64)
    search.begin()
    with lowering.nest(given.dims) as indices:
        key = lowering.name(given.at(indices))
        lowering.store(result, indices, search.next_place_of(key))
    return [result]


@cache
def _looks_in_halves() -> bool:
    """Whether NumPy halves what is left for each key, as since 2.5, whatever the last one has left."""
    return bool(np.searchsorted([0, 0, 0, 1, 0], 1) == 3)  # 5 by bisection


class _Halving:
    """Each key by itself: what is left is halved until it is one number.

    Parameters
    ----------
    lowering : Lowering
    count : Expression
        How many numbers there are.
    is_below : callable
        Whether the number at a place comes before a key.
    """

    def __init__(
        self,
        lowering: Lowering,
        count: Expression,
        is_below: Callable[[Expression, Expression], Expression],
    ) -> None:
        self._lowering, self._count, self._is_below = lowering, count, is_below
        self._lower = lowering.variable(int64)

    def begin(self) -> None:
        """Makes ready for many keys."""

    def next_place_of(self, key: Expression) -> Expression:
        """The place of one of many keys, which are asked for in their order."""
        return self.place_of(key)

    def place_of(self, key: Expression) -> Expression:
        """The place of a key."""
        lowering, lower, left = self._lowering, self._lower, self._lowering.variable(int64)
        lowering.emit(Set(lower, _ZERO))
        lowering.emit(Set(left, self._count))
        with lowering.block() as turn:
            half = lowering.name(Apply("right_shift", (left, _ONE), int64))
            middle = lowering.name(add(lower, half))
            below = lowering.name(self._is_below(middle, key))
            lowering.emit(Set(lower, Apply("select", (below, middle, lower), int64)))
            lowering.emit(Set(left, Apply("subtract", (left, half), int64)))
        lowering.emit(While([], truth("greater", left, _ONE), turn))
        with lowering.block() as last:
            below = lowering.name(self._is_below(lower, key))
            lowering.emit(Set(lower, Apply("select", (below, add(lower, 1), lower), int64)))
        lowering.emit(If(lowering.name(truth("greater", left, _ZERO)), last, []))
        return lower


class _Bisection(_Halving):
    """Between two bounds, which many keys begin with from where the one before has left them.

    Parameters
    ----------
    lowering, count, is_below
        As of `_Halving`.
    dtype : DType
        Of the keys.
    side : {"left", "right"}
        Of equal numbers on which a place is.
    """

    def __init__(
        self,
        lowering: Lowering,
        count: Expression,
        is_below: Callable[[Expression, Expression], Expression],
        dtype: DType,
        side: str,
    ) -> None:
        super().__init__(lowering, count, is_below)
        self._dtype, self._side = dtype, side
        self._upper, self._before = lowering.variable(int64), lowering.variable(dtype)
        self._is_first = lowering.variable(bool_)

    def begin(self) -> None:
        lowering = self._lowering
        lowering.emit(Set(self._lower, _ZERO))
        lowering.emit(Set(self._upper, self._count))
        lowering.emit(Set(self._is_first, Number(True, bool_)))
        lowering.emit(Set(self._before, Number(self._dtype.numpy.type(0).item(), self._dtype)))

    def next_place_of(self, key: Expression) -> Expression:
        lowering, lower, upper, before = self._lowering, self._lower, self._upper, self._before
        is_more = comes_before(before, key)
        if self._side == "right":
            is_more = Apply("logical_not", (comes_before(key, before),), bool_)
        goes_on = lowering.name(Apply("logical_or", (self._is_first, is_more), bool_))
        with lowering.block() as upwards:
            lowering.emit(Set(upper, self._count))
        with lowering.block() as anew:
            lowering.emit(Set(upper, Apply("minimum", (add(upper, 1), self._count), int64)))
            lowering.emit(Set(lower, _ZERO))
        lowering.emit(If(goes_on, upwards, anew))
        lowering.emit(Set(self._is_first, Number(False, bool_)))
        lowering.emit(Set(before, key))
        return self._between_bounds(key)

    def place_of(self, key: Expression) -> Expression:
        self._lowering.emit(Set(self._lower, _ZERO))
        self._lowering.emit(Set(self._upper, self._count))
        return self._between_bounds(key)

    def _between_bounds(self, key: Expression) -> Expression:
        _bisect(self._lowering, self._lower, self._upper, lambda place: self._is_below(place, key))
        return self._lower


def _bisect(
    lowering: Lowering, lower: Variable, upper: Variable, is_below: Callable[[Expression], Expression]
) -> None:
    """Brings two bounds together, where elements before the place are below something."""
    with lowering.block() as turn:
        apart = Apply("subtract", (upper, lower), int64)
        middle = lowering.name(add(lower, Apply("right_shift", (apart, _ONE), int64)))
        below = lowering.name(is_below(middle))
        lowering.emit(Set(lower, Apply("select", (below, add(middle, 1), lower), int64)))
        lowering.emit(Set(upper, Apply("select", (below, upper, middle), int64)))
    lowering.emit(While([], Apply("less", (lower, upper), bool_), turn))


@lowers(Interp)
def _interp(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """What NumPy computes between the two points around a place, number by number."""
    op = op_of(node)
    assert isinstance(op, Interp), "it lowers these"
    places, points, values = node.inputs
    if op.period is not None or node.outputs[0].dtype is not float64:
        raise Unsupported("NumPy interpolates complex numbers, and what repeats")
    if lowering.shared.beyond is not Beyond.NOBODY and not _is_as_written():
        raise Unsupported("NumPy interpolates in a way of its own")
    x, y = lowering.in_memory(points), lowering.in_memory(values)
    (count,), (other,) = x.dims, y.dims
    lowering.assume(Apply("equal", (count, other), bool_), "the points of `interp` have two coordinates each")
    lowering.assume(truth("greater", count, _ONE), "there is one point to `interp`, or none")
    line = _Line(lowering, x, y, count)
    if not lowering.dims(places):
        return [Scalar(line.at(lowering.name(lowering.scalar(places))))]
    given = lowering.in_memory(places)
    result = lowering.allocated(given.dims, float64)
    with lowering.nest(given.dims) as indices:
        lowering.store(result, indices, line.at(lowering.name(given.at(indices))))
    return [result]


class _Line:
    """A line through points, which remembers where it was asked for last.

    It looks for the points around a place as NumPy does, which shows where they are not in order: beside
    those around the last one first, then by bisection.
    """

    def __init__(self, lowering: Lowering, x: InMemory, y: InMemory, count: Expression) -> None:
        self._lowering = lowering
        self._x, self._y, self._count = x, y, count
        self._last = lowering.name(add(count, -1))
        self._lower, self._upper, self._guess = (lowering.variable(int64) for _ in range(3))
        self._set(self._guess, _ZERO)

    def at(self, place: Expression) -> Expression:
        """The value at a place: that of a point, of the first or last one beyond them, or between two."""
        found = self._lowering.variable(float64)
        self._set(found, place)
        with self._lowering.block() as somewhere:
            self._look_for(place)
            at = self._lowering.name(self._within(self._guess))
            here, level = self._point(at)
            is_beyond = _either(
                truth("less", self._guess, _ZERO), truth("greater_equal", self._guess, self._last)
            )
            is_there = _either(is_beyond, truth("equal", here, place))
            with self._lowering.block() as between:
                self._go_between(found, place, at, here, level)
            with self._lowering.block() as there_is_one:
                self._set(found, level)
            self._if(is_there, there_is_one, between)
        self._if(truth("equal", place, place), somewhere)
        return found

    def _go_between(
        self, found: Variable, place: Expression, at: Expression, here: Expression, level: Expression
    ) -> None:
        """What lies on a line from one point, or from the next one where that is no number."""
        there, above = self._point(self._within(add(at, 1)))
        rise, run = _of("subtract", above, level), _of("subtract", there, here)
        slope = self._lowering.name(_of("divide", rise, run))
        self._set(found, _on_line(slope, place, here, level))
        with self._lowering.block() as from_there:
            self._set(found, _on_line(slope, place, there, above))
            is_level = Apply("logical_and", (_is_none(found), truth("equal", level, above)), bool_)
            self._set(found, Apply("select", (is_level, level, found), float64))
        self._if(_is_none(found), from_there)

    def _look_for(self, place: Expression) -> None:
        """Sets the guess: -1 before the first point, their number behind the last one."""
        guess, lower, upper = self._guess, self._lower, self._upper
        with self._lowering.block() as behind:
            self._set(guess, self._count)
        with self._lowering.block() as not_behind:
            with self._lowering.block() as before:
                self._set(guess, Number(-1, int64))
            with self._lowering.block() as inside:
                self._set(lower, _ZERO)
                self._set(upper, self._count)
                with self._lowering.block() as one_by_one:
                    self._step_to(place)
                with self._lowering.block() as nearby:
                    self._look_nearby(place)
                self._if(truth("less_equal", self._count, Number(_FEW, int64)), one_by_one, nearby)
                _bisect(
                    self._lowering, lower, upper, lambda at: truth("greater_equal", place, self._where(at))
                )
                self._set(guess, add(lower, -1))
            self._if(truth("less", place, self._where(_ZERO)), before, inside)
        self._if(truth("greater", place, self._where(self._last)), behind, not_behind)

    def _step_to(self, place: Expression) -> None:
        """Goes through a few points, one by one."""
        goes_on = self._lowering.variable(bool_)
        self._set(self._lower, _ONE)
        with self._lowering.block() as asks:
            with self._lowering.block() as one:
                self._set(goes_on, truth("greater_equal", place, self._where(self._lower)))
            self._set(goes_on, Number(False, bool_))
            self._if(truth("less", self._lower, self._count), one)
        step = [Set(self._lower, add(self._lower, 1))]
        self._lowering.emit(While(asks, goes_on, step))
        self._set(self._upper, self._lower)

    def _look_nearby(self, place: Expression) -> None:
        """Brings the bounds to the points around the last place, or to a few before or behind it."""
        most = self._lowering.name(add(self._count, -3))
        near = Apply("maximum", (Apply("minimum", (self._guess, most), int64), _ONE), int64)
        guess = self._lowering.name(near)
        with self._lowering.block() as below:
            with self._lowering.block() as further:
                self._set(self._upper, add(guess, -1))
                with self._lowering.block() as far:
                    with self._lowering.block() as close:
                        self._set(self._lower, add(guess, -_CLOSE))
                    self._if(truth("greater_equal", place, self._where(add(guess, -_CLOSE))), close)
                self._if(truth("greater", guess, Number(_CLOSE, int64)), far)
            with self._lowering.block() as just_below:
                self._stay_at(guess)
            self._if(truth("less", place, self._where(add(guess, -1))), further, just_below)
        with self._lowering.block() as above:
            with self._lowering.block() as here:
                self._stay_at(add(guess, 1))
            with self._lowering.block() as not_here:
                with self._lowering.block() as next_one:
                    self._stay_at(add(guess, 2))
                with self._lowering.block() as further:
                    self._set(self._lower, add(guess, 2))
                    with self._lowering.block() as far:
                        with self._lowering.block() as close:
                            self._set(self._upper, add(guess, _CLOSE))
                        self._if(truth("less", place, self._where(add(guess, _CLOSE))), close)
                    self._if(truth("less", guess, add(self._count, -_CLOSE - 1)), far)
                self._if(truth("less", place, self._where(add(guess, 2))), next_one, further)
            self._if(truth("less", place, self._where(add(guess, 1))), here, not_here)
        self._if(truth("less", place, self._where(guess)), below, above)

    def _stay_at(self, bound: Expression) -> None:
        self._set(self._lower, bound)
        self._set(self._upper, bound)

    def _within(self, place: Expression) -> Expression:
        least = Apply("maximum", (place, _ZERO), int64)
        return Apply("minimum", (least, self._last), int64)

    def _where(self, place: Expression) -> Expression:
        return self._lowering.name(Load(self._x.array, self._lowering.name(place)))

    def _point(self, place: Expression) -> tuple[Expression, Expression]:
        at = self._lowering.name(place)
        return self._where(at), self._lowering.name(Load(self._y.array, at))

    def _set(self, variable: Variable, value: Expression) -> None:
        self._lowering.emit(Set(variable, value))

    def _if(self, test: Expression, then: list[Statement], orelse: Sequence[Statement] = ()) -> None:
        self._lowering.emit(If(self._lowering.name(test), then, list(orelse)))


def _on_line(slope: Expression, place: Expression, start: Expression, level: Expression) -> Expression:
    return _of("add", _of("multiply", slope, _of("subtract", place, start)), level)


def _of(function: str, one: Expression, other: Expression) -> Expression:
    return Apply(function, (one, other), float64)


def _either(one: Expression, other: Expression) -> Expression:
    return Apply("logical_or", (one, other), bool_)


def _is_none(number: Expression) -> Expression:
    return truth("not_equal", number, number)


@cache
def _is_as_written() -> bool:
    """Whether NumPy computes numbers between points as here, and does not round once for two steps."""
    random = np.random.Generator(np.random.PCG64(0))
    x, y, places = np.sort(random.normal(size=50)), random.normal(size=50), random.normal(size=400)
    at = np.clip(np.searchsorted(x, places, "right") - 1, 0, 48)
    slope = (y[at + 1] - y[at]) / (x[at + 1] - x[at])
    found = np.where(places < x[0], y[0], np.where(places >= x[-1], y[-1], slope * (places - x[at]) + y[at]))
    return bool(np.array_equal(found, np.interp(places, x, y)))
