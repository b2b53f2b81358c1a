"""An index that a test has found not to be negative does not count from the end.

::

    a = i - j                               a = i - j
    if a >= 0:                              if a >= 0:
        b = i - j                   ⇒           b = i - j
        c = select(b < 0, b + n, b)             c = b
        total = total + x[c]                    total = total + x[c]

The test may be of another number that is the same sum. LLVM sees that, too, but not who asks before whether
turns read elements that lie next to one another. An index that is looked at is left to who does that
(`seldom.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    For,
    Function,
    If,
    Number,
    Rows,
    Set,
    Statement,
    Try,
    Variable,
    While,
)
from runtime.executors.native.language.walking import as_before, changes_of, having, with_blocks
from runtime.executors.native.lower.seldom import is_asked
from runtime.executors.native.lower.sums import Sum, sum_of

__all__ = ["from_the_front"]

_MOST = 64
"""Numbers of which something is known at a time."""


@having(If)
def from_the_front(function: Function) -> Function:
    """A function in which indices count from the end where they may."""
    body = _block(function.body, _Known())
    return function.with_body(body)


@dataclass(slots=True)
class _Known:
    """What is known at a place.

    Attributes
    ----------
    sums : dict of str to Sum
        What numbers are, each a sum of others.
    natural : set of Sum
        What is not negative.
    said : dict of str to set of Sum
        What is not where a truth holds.
    """

    sums: dict[str, Sum] = field(default_factory=dict)
    natural: frozenset[Sum] = frozenset()
    said: dict[str, frozenset[Sum]] = field(default_factory=dict)

    def where(self, natural: Iterable[Sum]) -> _Known:
        """The same, and that some numbers are not negative."""
        return _Known(dict(self.sums), self.natural.union(natural), dict(self.said))

    def forget(self, changed: Collection[str]) -> None:
        """Takes out what is of some numbers."""
        if not changed:
            return
        self.sums = {
            name: each for name, each in self.sums.items() if name not in changed and _stays(each, changed)
        }
        self.natural = frozenset([each for each in self.natural if _stays(each, changed)])
        self.said = {
            truth: each
            for truth, each in self.said.items()
            if truth not in changed and all(_stays(number, changed) for number in each)
        }

    def learn(self, name: str, value: Expression) -> None:
        """Says what a number is that was forgotten, or what holds where a truth does."""
        if value.dtype is bool_:
            said = self.natural_where(value)
            if said and len(self.said) < _MOST:
                self.said[name] = said
            return
        now = sum_of(value, self.sums)
        if now is not None and name not in dict(now.terms) and len(self.sums) < _MOST:
            self.sums[name] = now

    def natural_where(self, test: Expression) -> frozenset[Sum]:
        """What is not negative where a test holds."""
        match test:
            case Variable(name):
                return self.said.get(name, frozenset())
            case Apply("logical_and", (one, other)):
                return self.natural_where(one) | self.natural_where(other)
            case (
                Apply("greater_equal", (number, Number(0)))
                | Apply("less_equal", (Number(0), number))
                | Apply("greater", (number, Number(0 | -1)))
                | Apply("less", (Number(0 | -1), number))
            ):
                found = sum_of(number, self.sums)
                return frozenset() if found is None else frozenset([found])
        return frozenset()

    def plain(self, value: Expression) -> Expression:
        """A number, which does not count from the end if it need not."""
        match value:
            case Apply("select", (Apply("less", (x, Number(0))), Apply("add"), same)) if x == same:
                if self.natural and sum_of(x, self.sums) in self.natural:
                    return same
        return value


def _stays(number: Sum, changed: Collection[str]) -> bool:
    return not any(name in changed for name, _ in number.terms)


def _block(statements: Sequence[Statement], known: _Known) -> list[Statement]:
    """A block; `known` is so before it, and behind it of that."""
    found: list[Statement] = []
    for position, each in enumerate(statements):
        match each:
            case Set(variable, value):
                plain = value if is_asked(statements, position) else known.plain(value)
                found.append(each if plain is value else Set(variable, plain))
                known.forget({variable.name})
                known.learn(variable.name, plain)
            case If(test, then, orelse, is_rare=is_rare):
                natural = known.natural_where(test)
                inner = known.where(natural)
                one = as_before(_block(then, inner), then)
                other = as_before(_block(orelse, known.where(())), orelse)
                is_same = one is then and other is orelse
                found.append(each if is_same else If(test, one, other, is_rare=is_rare))
                changed = changes_of(each)
                known.forget(changed)
                known.said.update(_both(natural, then, orelse, inner, changed))
            case For() | While() | Rows() | Try():
                known.forget(changes_of(each))
                found.append(with_blocks(each, lambda block: _block(block, known.where(()))))
            case _:
                known.forget(changes_of(each))
                found.append(each)
    return found


def _both(
    natural: frozenset[Sum],
    then: Sequence[Statement],
    orelse: Sequence[Statement],
    inner: _Known,
    changed: Collection[str],
) -> dict[str, frozenset[Sum]]:
    """What is not negative where a truth holds that is `test and other`."""
    match orelse:
        case [Set(truth, Number(False))] if any(
            isinstance(each, Set) and each.variable == truth for each in then
        ):
            said = natural | inner.said.get(truth.name, frozenset())
            return {truth.name: frozenset([each for each in said if _stays(each, changed)])}
    return {}
