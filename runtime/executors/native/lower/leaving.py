"""A loop is left where it breaks: a branch that makes its test false does the rest of the turn, and jumps.

::

    while True:                           while True:
        going = i < n and not found           going = i < n and not found
        if not going: break                   if not going: break
        if x[i] == 0:                         if x[i] == 0:
            now = True                 ⇒          now = True
        else:                                     found = now
            now = found                           i = i + 1
        found = now                               going = i < n and not found
        i = i + 1                                 break
                                              else:
                                                  now = found
                                              found = now
                                              i = i + 1

What a `break` of Python's sets is then no number that each turn carries on and asks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.core.dtypes import bool_
from runtime.executors.native.language.loops import (
    Apply,
    Break,
    Expression,
    Fail,
    Function,
    If,
    Number,
    Set,
    Share,
    Statement,
    Variable,
    While,
)
from runtime.executors.native.language.walking import changes_of, having, kinds_in, size_of, with_blocks

__all__ = ["leaving_early"]

_MOST = 60
"""Statements that a branch may repeat of what is behind it."""

_Known = dict[str, bool]
"""Which numbers are surely true, and which false."""


@having(If, While)
def leaving_early(function: Function) -> Function:
    """A function whose loops are left where something is found that ends them."""
    return function.with_body(_block(function.body))


def _block(statements: Sequence[Statement]) -> list[Statement]:
    found: list[Statement] = []
    for statement in statements:
        match statement:
            case While(before, test, body, most):
                asked = _block(before)
                found.append(While(asked, test, _Loop(asked, test).turn(_block(body), [], {}), most))
            case _:
                found.append(with_blocks(statement, _block))
    return found


class _Loop:
    """One loop, of which the turns are written anew.

    Parameters
    ----------
    before : list of Statement
    test : Expression
    """

    def __init__(self, before: list[Statement], test: Expression) -> None:
        self._before = before
        self._test = test

    def turn(
        self, statements: Sequence[Statement], behind: Sequence[Statement], known: _Known
    ) -> list[Statement]:
        """Statements, behind which a turn does others; a branch of them that ends the loop leaves it."""
        found: list[Statement] = []
        for position, each in enumerate(statements):
            if isinstance(each, If) and len(statements) - position <= _MOST:
                rest = [*statements[position + 1 :], *behind]
                branches = [
                    self._branch(branch, rest, known | _said(each.test, holds=holds))
                    for branch, holds in ((each.then, True), (each.orelse, False))
                ]
                found.append(If(each.test, *branches, is_rare=each.is_rare))
            else:
                found.append(each)
            _learn(each, known)
        return found

    def _branch(
        self, branch: Sequence[Statement], behind: Sequence[Statement], known: _Known
    ) -> list[Statement]:
        """A branch; one behind which the loop ends does all that there is to do until then, and leaves it."""
        whole = [*branch, *behind, *self._before]
        if (branch and isinstance(branch[-1], Fail)) or not _may_be_repeated(whole):
            return list(branch)
        facts = dict(known)
        found = _where_known(whole, facts)
        if _truth(self._test, facts) is False:
            return [*found, Break()]
        return self.turn(branch, behind, known)


def _may_be_repeated(statements: Sequence[Statement]) -> bool:
    """Whether statements are few; and what threads share is there once."""
    return size_of(statements) <= _MOST and Share not in kinds_in(statements)


def _where_known(statements: Sequence[Statement], known: _Known) -> list[Statement]:
    """What statements do where something is `known`, which is what is known behind them from then on."""
    found: list[Statement] = []
    for each in statements:
        if not isinstance(each, If):
            found.append(each)
            _learn(each, known)
            continue
        holds = _truth(each.test, known)
        if holds is not None:
            found += _where_known(each.then if holds else each.orelse, known)
            continue
        one, other = (known | _said(each.test, holds=holds) for holds in (True, False))
        then, orelse = _where_known(each.then, one), _where_known(each.orelse, other)
        found.append(If(each.test, then, orelse, is_rare=each.is_rare))
        if then and isinstance(then[-1], Fail):
            one = other
        known.clear()
        known.update({name: value for name, value in one.items() if other.get(name) is value})
    return found


def _learn(statement: Statement, known: _Known) -> None:
    """Takes over what a statement says of numbers."""
    match statement:
        case Set(variable, value):
            truth = _truth(value, known) if variable.dtype is bool_ else None
            known.pop(variable.name, None)
            if truth is not None:
                known[variable.name] = truth
        case _:
            for name in changes_of(statement):
                known.pop(name, None)


def _said(test: Expression, *, holds: bool) -> _Known:
    """What a test says of numbers where it holds, or where it does not."""
    match test:
        case Variable(name):
            return {name: holds}
        case Apply("logical_not", (Variable(name),)):
            return {name: not holds}
    return {}


def _truth(value: Expression, known: Mapping[str, bool]) -> bool | None:
    """Whether an expression is true; None where that is not known."""
    match value:
        case Number(number, dtype) if dtype is bool_:
            return bool(number)
        case Variable(name):
            return known.get(name)
        case Apply("logical_not", (of,)):
            truth = _truth(of, known)
            return None if truth is None else not truth
        case Apply("logical_and" | "logical_or" as function, (one, other)):
            decides = function == "logical_or"
            truths = _truth(one, known), _truth(other, known)
            if decides in truths:
                return decides
            return None if None in truths else not decides
    return None
