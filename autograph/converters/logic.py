"""`and`, `or` and `not`: operands that Python may not evaluate become functions.

>>> from autograph.converters.picture import show
>>> show("y = a and b or not c", Logic)
y = ag__.or_(lambda: ag__.and_(lambda: a, lambda: b), lambda: ag__.not_(c))
>>> show("y = (n := a) and b(n)", Logic)
y = ag__.and_now((n := a), lambda: b(n))
>>> show("y = c if a and b else d", Logic)
y = c if ag__.and_(lambda: ag__.is_true(a), lambda: b) else d

In a condition, an object is asked only once whether it is true: not the object decides, but its answer.

An operand that binds a name and may not be evaluated is shown with `autograph.converters.operands`.
"""

from __future__ import annotations

import ast
from typing import Any, TypeAlias

from autograph.converters.base import Context, Replacement, Walk, has_walrus
from autograph.converters.operands import OperandConverter
from autograph.source.template import Expression
from autograph.staging.backend import Thunk
from autograph.staging.chosen import chosen
from autograph.staging.dispatch import PLAIN, Backends
from autograph.staging.operators import operator
from autograph.staging.special_methods import truth

__all__ = ["Logic", "and_", "and_now", "is_true", "not_", "or_", "or_now"]

ANSWERS = (ast.Compare, ast.Constant, ast.UnaryOp)
"""Operands that are no objects which would be asked once more whether they are true."""

Operation: TypeAlias = "ast.BoolOp | ast.UnaryOp"


class Logic(OperandConverter[Operation]):
    """Operators of two operands; a longer chain nests to the right, which is Python's order."""

    handles = (ast.BoolOp, ast.UnaryOp)
    conjunction = Expression("ag__.and_(left, right, state)")
    disjunction = Expression("ag__.or_(left, right, state)")
    conjunction_now = Expression("ag__.and_now(left, right, state)")
    disjunction_now = Expression("ag__.or_now(left, right, state)")
    negation = Expression("ag__.not_(operand)")
    question = Expression("ag__.is_true(value)")

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        self._answers: list[list[bool]] = []

    def enter(self, node: Operation) -> None:
        """Looks at the operands as the user wrote them, too."""
        super().enter(node)
        values = node.values if isinstance(node, ast.BoolOp) else []
        self._answers.append([isinstance(value, ANSWERS) for value in values])

    def later(self, node: Operation) -> list[ast.expr]:
        """The first operand is always evaluated."""
        return node.values[1:] if isinstance(node, ast.BoolOp) else []

    def convert(self, node: Operation) -> Replacement:
        """The first operand is put off, too, unless it binds a name: the listing then shows them alike."""
        bound, answers = self.leave(), self._answers.pop()
        if isinstance(node, ast.UnaryOp):
            return self.negation.fill(operand=node.operand) if isinstance(node.op, ast.Not) else node
        if bound is None:
            return node
        both = isinstance(node.op, ast.And)
        template = self.conjunction if both else self.disjunction
        state = self.state(bound)
        places = [value.__dict__ for value in node.values]
        first, *others, result = self._asked(node, answers)
        for value, place in zip(reversed(others), reversed(places[1:-1]), strict=True):
            result = template.fill(left=self.operand(value), right=self.operand(result), state=state)
            if "lineno" in place:  # from its own operand on: each is another place of the program
                ends = {"end_lineno": node.end_lineno, "end_col_offset": node.end_col_offset}
                result.__dict__.update(lineno=place["lineno"], col_offset=place["col_offset"], **ends)
        now = self.context.has_walrus and has_walrus([first])
        if now:
            template = self.conjunction_now if both else self.disjunction_now
        return template.fill(
            left=first if now else self.operand(first), right=self.operand(result), state=state
        )

    def _asked(self, node: ast.BoolOp, answers: list[bool]) -> list[ast.expr]:
        """The operands; in a condition, what all but the last one answer."""
        if node not in self.context.conditions:
            return node.values
        return [
            value if is_answer else self.question.fill(value=value)
            for value, is_answer in zip(node.values, [*answers[:-1], True], strict=True)
        ]


@operator
def is_true(backends: Backends, value: Any) -> Any:
    """What says whether a value is true: for an object of a class that defines it, what that gives."""
    if type(value) in PLAIN:
        return value
    found = truth(backends, value)
    backend = backends.of(found)
    return backend.bool_(found) if backend.is_choice(found) else found


@operator
def and_(backends: Backends, a: Thunk, b: Thunk, *state: Any) -> Any:
    """The operand that decides `a and b`; `state` is about the variables that `b` binds."""
    left = a()
    return (left and b()) if type(left) in PLAIN else and_now(backends, left, b, *state)


@operator
def or_(backends: Backends, a: Thunk, b: Thunk, *state: Any) -> Any:
    """The operand that decides `a or b`; `state` is about the variables that `b` binds."""
    left = a()
    return (left or b()) if type(left) in PLAIN else or_now(backends, left, b, *state)


@operator
def and_now(backends: Backends, left: Any, b: Thunk, *state: Any) -> Any:
    """The operand that decides `left and b`, where the first was evaluated in its place."""
    test = truth(backends, left)
    backend = backends.of(test)
    if backend is backends.plain:
        return b() if test else left
    if state:
        return chosen(backend, test, b, lambda: left, *state)
    return backend.and_(left, b) if test is left else backend.operand(test, left, b, ends_on=False)


@operator
def or_now(backends: Backends, left: Any, b: Thunk, *state: Any) -> Any:
    """The operand that decides `left or b`, where the first was evaluated in its place."""
    test = truth(backends, left)
    backend = backends.of(test)
    if backend is backends.plain:
        return left if test else b()
    if state:
        return chosen(backend, test, lambda: left, b, *state)
    return backend.or_(left, b) if test is left else backend.operand(test, left, b, ends_on=True)


@operator
def not_(backends: Backends, a: Any) -> Any:
    """`not a`."""
    if type(a) not in PLAIN:
        a = truth(backends, a)
    return backends.of(a).not_(a) if backends.owned[type(a)] else not a
