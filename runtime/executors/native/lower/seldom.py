"""Indices are inside, and count from the front, in all but a few turns: nothing else is done for the others.

::

                                            b = a
    b = select(a < 0, a + n, a)             c = a >= 0 and a < n
    c = b >= 0 and b < n                    if not c:
    if not c: fail(1)                 ⇒         b = select(a < 0, a + n, a)
    x = t[b]                                    c = b >= 0 and b < n
                                                if not c: fail(1)
                                            x = t[b]

One comparison stands in front of the element, which waits for no more than the index itself. An index that
was found inside already, and has not changed since, is not asked about again. Neither is one of which the
program has asked itself: below `if 0 <= i < n and 0 <= j < m`, both are inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import TypeAlias

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    Fail,
    For,
    Function,
    If,
    Number,
    Set,
    Statement,
    Try,
    Variable,
    While,
)
from runtime.executors.native.language.walking import (
    as_before,
    changed_in,
    changes_of,
    having,
    numbers_in,
    with_blocks,
)

__all__ = ["is_asked", "looking_seldom"]

_Place: TypeAlias = tuple[Variable, "Number | Variable"]
"""An index, and the length that it is an index of."""
_Bound: TypeAlias = tuple[Variable, "Number | Variable | None"]
"""A number, and what it is below; None where it is not negative."""
_Truth: TypeAlias = tuple[str, bool]
"""A truth by its name, and whether it holds."""
_FAR = 12
"""Statements between an index and the question whether it is inside: the same of some other axes."""
_MOST_KNOWN = 64
"""Indices of which is known at a time that they are inside."""


@having(Fail)
def looking_seldom(function: Function) -> Function:
    """A function that does for most indices what they need."""
    body = _block(function.body, _Known())
    return function.with_body(body)


@dataclass(slots=True)
class _Known:
    """What is known of indices at a place, each with the length that it is an index of.

    Attributes
    ----------
    inside : set of (index, length)
        They are not negative, and below the length.
    front : dict of (index, length) to Variable
        What they are when they are counted from the front, which is inside.
    names : set of str
        All numbers of which something is known; and others perhaps.
    said : dict of (str, bool) to set of _Bound
        What holds where a truth does, and where it does not.
    """

    inside: set[_Place] = field(default_factory=set)
    front: dict[_Place, Variable] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    said: dict[_Truth, frozenset[_Bound]] = field(default_factory=dict)

    def found(self, place: _Place, *, counts: bool) -> Variable | None:
        """An index that is inside, or what it is when it `counts` from the end."""
        if place in self.inside:
            return place[0]
        return self.front.get(place) if counts else None

    def without(self, changed: Iterable[str]) -> _Known:
        """The same, but for what is of some numbers."""
        names = set(changed)
        if self.names.isdisjoint(names):
            return _Known(set(self.inside), dict(self.front), set(self.names), dict(self.said))
        return _Known(
            {place for place in self.inside if names.isdisjoint(_names(place))},
            {
                place: own
                for place, own in self.front.items()
                if names.isdisjoint(_names(place)) and own.name not in names
            },
            self.names - names,
            {
                truth: bounds
                for truth, bounds in self.said.items()
                if truth[0] not in names and all(names.isdisjoint(_names(bound)) for bound in bounds)
            },
        )

    def forget(self, changed: Iterable[str]) -> None:
        """Takes out what is of some numbers."""
        if self.names and not self.names.isdisjoint(names := set(changed)):
            left = self.without(names)
            self.inside, self.front, self.names, self.said = left.inside, left.front, left.names, left.said

    def learn(self, place: _Place, asked: _Place) -> None:
        """Says that an index is inside: counted from the front, it is another that was asked about."""
        if len(self.inside) >= _MOST_KNOWN:
            self.inside.clear()
            self.front.clear()
        self.inside.add(place)
        self.names.update(_names(place))
        if place != asked:
            self.front[asked] = place[0]
            self.names.update(_names(asked))

    def say(self, truth: _Truth, bounds: frozenset[_Bound]) -> None:
        """Says what holds where a truth does, or does not."""
        if bounds and len(self.said) < _MOST_KNOWN:
            self.said[truth] = bounds
            self.names.add(truth[0])
            self.names.update(name for bound in bounds for name in _names(bound))

    def where(self, test: Expression, *, holds: bool = True) -> _Known:
        """The same, and what else holds where a test does, or does not."""
        found = self.without(())
        bounds = found.bounds_of(test, holds=holds)
        positive = {number for number, most in bounds if most is None}
        for number, most in bounds:
            if most is not None and number in positive:
                found.learn((number, most), (number, most))
        return found

    def bounds_of(self, truth: Expression, *, holds: bool = True) -> frozenset[_Bound]:
        """What holds where a truth does or does not, as far as that is of numbers that are compared."""
        match truth:
            case Variable(name):
                return self.said.get((name, holds), _NOTHING)
            case Apply("logical_not", (one,)):
                return self.bounds_of(one, holds=not holds)
            case Apply("logical_and" | "logical_or" as function, (one, other)) if holds is (
                function == "logical_and"
            ):
                return self.bounds_of(one, holds=holds) | self.bounds_of(other, holds=holds)
            case Apply(function, (one, other)) if function in _ORDERS:
                is_turned, is_denied = _ORDERS[function]
                low, high = (other, one) if is_turned else (one, other)
                return _bound(low, high, is_below=holds is not is_denied)
        return _NOTHING


_NOTHING: frozenset[_Bound] = frozenset()


_ORDERS = {
    "less": (False, False),
    "greater": (True, False),
    "greater_equal": (False, True),
    "less_equal": (True, True),
}
"""Of comparisons: whether the second operand is compared with the first, and whether it is not below that."""


def _bound(one: Expression, other: Expression, *, is_below: bool) -> frozenset[_Bound]:
    """What is said of a number that is below another, or is not."""
    match one, other:
        case Variable(_, dtype), Number() | Variable() if is_below and dtype is int64:
            return frozenset([(one, other)])
        case Variable(_, dtype), Number(0) if not is_below and dtype is int64:
            return frozenset([(one, None)])
    return _NOTHING


def _names(place: _Place | _Bound) -> Iterator[str]:
    return (each.name for each in place if isinstance(each, Variable))


@dataclass(slots=True)
class _Counted:
    """An index that counts from the end where it is negative, whose question comes later."""

    index: Variable
    length: Number | Variable
    value: Expression


def _block(statements: Sequence[Statement], known: _Known) -> list[Statement]:
    """A block; `known` is so before it, and after it of that."""
    found: list[Statement] = []
    counted: dict[str, _Counted] = {}
    position = 0
    while position < len(statements):
        statement = statements[position]
        match statement:
            case Set(variable, value) if is_asked(statements, position):
                asked = _counted(value)
                assert asked is not None, "it is one"
                counted[variable.name] = asked
            case Set(holds, value) if (place := _place(value)) and _fails(statements, position, holds):
                failure = statements[position + 1]
                assert isinstance(failure, If), "it ends the run"
                found += _looked(place, holds, value, failure, counted.pop(place[0].name, None), known)
                position += 1
            case If():
                whole, said = _branched(statement, known)
                found.append(whole)
                known.forget(changes_of(statement))
                for truth, bounds in said.items():
                    known.say(truth, bounds)
            case _:
                found.append(_inner(statement, known))
                if not isinstance(statement, While):
                    known.forget(changes_of(statement))
                if isinstance(statement, Set) and statement.variable.dtype is bool_:
                    for is_true in (True, False):
                        bounds = known.bounds_of(statement.value, holds=is_true)
                        known.say((statement.variable.name, is_true), bounds)
        position += 1
    return found


def _branched(branch: If, known: _Known) -> tuple[Statement, dict[_Truth, frozenset[_Bound]]]:
    """A branch with such blocks inside; and what truths say that are `test and other`, or `test or other`."""
    ways = known.where(branch.test), known.where(branch.test, holds=False)
    then = as_before(_block(branch.then, ways[0]), branch.then)
    orelse = as_before(_block(branch.orelse, ways[1]), branch.orelse)
    changed = changed_in([*branch.then, *branch.orelse])
    said: dict[_Truth, frozenset[_Bound]] = {}
    for own, other, holds in ((branch.then, branch.orelse, True), (branch.orelse, branch.then, False)):
        bounds = [
            each for each in known.bounds_of(branch.test, holds=holds) if changed.isdisjoint(_names(each))
        ]
        for name, is_true in _known_truths(other):
            if any(isinstance(each, Set) and each.variable.name == name for each in own):
                truth = name, not is_true  # which the other way does not leave
                said[truth] = frozenset([*bounds, *ways[not holds].said.get(truth, _NOTHING)])
    if then is branch.then and orelse is branch.orelse:
        return branch, said
    return If(branch.test, then, orelse, is_rare=branch.is_rare), said


def _known_truths(statements: Sequence[Statement]) -> list[_Truth]:
    """The truths of which is known what statements leave in them."""
    changed = Counter(name for each in statements for name in changed_in([each]))
    return [
        (each.variable.name, bool(each.value.value))
        for each in statements
        if isinstance(each, Set) and isinstance(each.value, Number) and each.variable.dtype is bool_
        if changed[each.variable.name] == 1
    ]


def _inner(statement: Statement, known: _Known) -> Statement:
    """A statement with such blocks inside; after a loop, `known` is what is known where it was left."""
    match statement:
        case For() | Try():
            stay = known.without(changes_of(statement))
            return with_blocks(statement, lambda block: _block(block, stay.without(())))
        case While(before, test, body, most):
            known.forget(changes_of(statement))
            asked = as_before(_block(before, known), before)
            turn = as_before(_block(body, known.where(test)), body)
            return statement if asked is before and turn is body else While(asked, test, turn, most)
    return statement


def _looked(
    place: _Place,
    holds: Variable,
    value: Expression,
    failure: If,
    counted: _Counted | None,
    known: _Known,
) -> list[Statement]:
    """The question whether an index is inside, as far as that is not known."""
    own, length = place
    index = own if counted is None else counted.index
    before = known.found((index, length), counts=counted is not None)
    known.forget([holds.name] if counted is None else [holds.name, own.name])
    known.learn(place, (index, length))
    if before is not None:
        return [*([] if counted is None else [Set(own, before)]), Set(holds, Number(True, bool_))]
    if counted is None:
        return [Set(holds, value), failure]
    rare: list[Statement] = [Set(own, counted.value), Set(holds, value), failure]
    again = If(failure.test, rare, [], is_rare=True)
    return [Set(own, index), Set(holds, _inside(index, length)), again]


def _inside(index: Expression, length: Expression) -> Expression:
    low = Apply("greater_equal", (index, Number(0, int64)), bool_)
    return Apply("logical_and", (low, Apply("less", (index, length), bool_)), bool_)


def _place(value: Expression) -> _Place | None:
    """The index of which is asked whether it is inside, and of what length."""
    match value:
        case Apply(
            "logical_and",
            (
                Apply("greater_equal", (Variable() as index, Number(0))),
                Apply("less", (same, Number() | Variable() as length)),
            ),
        ) if index == same and index.dtype is int64:
            return index, length
    return None


def _counted(value: Expression) -> _Counted | None:
    match value:
        case Apply(
            "select",
            (
                Apply("less", (Variable() as index, Number(0))),
                Apply("add", (other, Number() | Variable() as length)),
                same,
            ),
        ) if index == same == other and index.dtype is int64:
            return _Counted(index, length, value)
    return None


def _fails(statements: Sequence[Statement], position: int, holds: Variable) -> bool:
    """Whether the run ends right behind a statement where something does not hold."""
    match statements[position + 1 : position + 2]:
        case [If(Apply("logical_not", (asked,)), [Fail()], [])] if asked == holds:
            return True
    return False


def is_asked(statements: Sequence[Statement], position: int) -> bool:
    """Whether a number that counts from the end is looked at before anything else is done with it."""
    statement = statements[position]
    assert isinstance(statement, Set), "it sets one"
    counted, own = _counted(statement.value), statement.variable
    if counted is None or own in {counted.index, counted.length}:
        return False
    asks = own, counted.length
    stay = {each.name for each in (counted.index, counted.length) if isinstance(each, Variable)}
    for later in range(position + 1, min(len(statements) - 1, position + _FAR)):
        match statements[later]:
            case Set(holds, value) if _place(value) == asks:
                return _fails(statements, later, holds)
            case (Set() | If(_, [Fail()], [])) as other:
                names = {*numbers_in(other), *changes_of(other)}
                if isinstance(other, If):
                    names.update(numbers_in(other.then[0]))
                if own.name in names or not stay.isdisjoint(changes_of(other)):
                    return False
            case _:
                return False
    return False
