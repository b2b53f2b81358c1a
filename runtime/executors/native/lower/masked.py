"""Loops that run until every element is done: the common test becomes a test of each element alone.

::

    while True:                                     while True:
        any = False
        for i in range(600):                            for i in range(600):
            any = fold(logical_or, any, alive[i])           any = alive[i]
        if not any: break                   ⇒           if not any: break
        for i in range(600):                            for i in range(600):
            y[i] = select(alive[i], f(x[i]), x[i])          y[i] = select(alive[i], f(x[i]), x[i])
        ...                                             ...

On the right, an element goes on by its own test: what becomes of each is the same, if a turn leaves one as
it is that wants no more. That is shown by computing with names: where the element's own test is false, what
a turn leaves in the arrays is what was there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Alias,
    Apply,
    Array,
    Cast,
    Expression,
    Fold,
    For,
    If,
    Load,
    Number,
    Set,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.walking import changed_by, inside, parts_of

__all__ = ["masked"]

_HERE = Variable("here", int64)
"""The place of the element that is looked at."""
_LARGEST = 400
"""Parts of an expression that is followed any further."""


def masked(loop: While, asked: Collection[str]) -> While | None:
    """A loop in which each element has a test of its own; None where that is another loop.

    Parameters
    ----------
    loop : While
    asked : collection of str
        The names that are asked for outside of it.
    """
    folds = [each for each in inside(loop.before) if isinstance(each, Fold)]
    if len(folds) != 1 or folds[0].function != "logical_or":
        return None
    nests = [each for each in inside(loop.before) if isinstance(each, For)]
    if len(nests) != 1 or nests[0].body[-1] is not folds[0]:
        return None
    total, wanted = folds[0].variable, folds[0].value
    own = [each for each in inside(loop.before) if isinstance(each, Set) and each.variable == total]
    if len(own) != 1 or own[0].value != Number(False, bool_):  # what it is
        return None
    element = _Element(set(changed_by([loop])))
    element.run([*nests[0].body[:-1]], nests[0].index)
    element.test = element.read(wanted)
    if any(isinstance(each, Variable) and each.name in element.changed for each in parts_of(element.test)):
        return None
    element.run(loop.body, None)
    if not element.is_left_alone(asked):
        return None
    mine = For(nests[0].index, nests[0].count, [*nests[0].body[:-1], Set(total, wanted)])
    return While(_with(loop.before, nests[0], mine), loop.test, loop.body)


def _with(statements: Sequence[Statement], loop: For, other: For) -> list[Statement]:
    """Statements with another loop in the place of one."""
    found: list[Statement] = []
    for each in statements:
        match each:
            case If(test, then, orelse):
                found.append(If(test, _with(then, loop, other), _with(orelse, loop, other)))
            case _:
                found.append(other if each is loop else each)
    return found


class _Element:
    """One element of each array, while a turn is done whose test is false for it.

    Attributes
    ----------
    changed : set of str
        The names that the loop gives other values.
    test : Expression or None
        The test of the element.
    """

    def __init__(self, changed: set[str]) -> None:
        self.changed = changed
        self.test: Expression | None = None
        self._numbers: dict[str, Expression] = {}
        self._arrays: dict[str, Expression] = {}
        self._given: dict[str, Array] = {}
        """The arrays that are others when the turn is over."""

    def run(self, statements: Sequence[Statement], index: Variable | None) -> None:
        """Statements, in which an index is the place of the element."""
        if index is not None:
            self._numbers[index.name] = _HERE
        for each in statements:
            match each:
                case Set(variable, value):
                    found = self.read(value)
                    is_large = sum(1 for _ in parts_of(found)) > _LARGEST
                    self._numbers[variable.name] = self._unknown(variable) if is_large else found
                case Store(array, _, value):
                    self._arrays[array.name] = self.read(value)
                case For(inner, _, body):
                    self.run(body, inner)
                case Alias(Array() as array, Array() as of):
                    self._arrays[array.name] = self._at(of)
                    self._given[array.name] = array

    def is_left_alone(self, asked: Collection[str]) -> bool:
        """Whether the test, and what is asked for, stay as they are."""
        assert self.test is not None, "it is known"
        arrays = {part.array for part in parts_of(self.test) if isinstance(part, Load)}
        arrays |= {array for name, array in self._given.items() if name in asked}
        return all(self._seen(self._at(array)) == self._seen(Load(array, _HERE)) for array in arrays)

    def _unknown(self, variable: Variable) -> Variable:
        return Variable(f"{variable.name}.unknown", variable.dtype)

    def _at(self, array: Array) -> Expression:
        return self._arrays.get(array.name, Load(array, _HERE))

    def read(self, expression: Expression) -> Expression:
        """An expression in terms of what there was before the turn."""
        match expression:
            case Variable(name):
                return self._numbers.get(name, expression)
            case Load(array):
                found = self._at(array)
            case Cast(of, dtype):
                found = _cast(Cast(self.read(of), dtype))
            case Apply(function, arguments, dtype):
                found = _simpler(Apply(function, tuple(map(self.read, arguments)), dtype))
            case _:
                return expression
        return self._seen(found)

    def _seen(self, expression: Expression) -> Expression:
        """What an expression is where the test does not hold."""
        return Number(False, bool_) if expression == self.test else expression


def _cast(cast: Cast) -> Expression:
    if isinstance(cast.of, Number) and cast.of.dtype is bool_:
        return Number(cast.dtype.numpy.type(cast.of.value).item(), cast.dtype)
    return cast


def _simpler(apply: Apply) -> Expression:
    """What an operation is where an operand is known; with floats, only what changes no bit."""
    is_float = apply.dtype.is_floating or apply.dtype.is_complex
    match apply:
        case Apply("select", (Number(test), one, other)):
            return one if test else other
        case Apply("select", (_, one, other)) if one == other:
            return one
        case Apply("logical_not", (Number(value),)):
            return Number(not value, bool_)
        case Apply("logical_and" | "bitwise_and", (Number(value) as known, other)) if apply.dtype is bool_:
            return other if value else known
        case Apply("logical_and" | "bitwise_and", (other, Number(value) as known)) if apply.dtype is bool_:
            return other if value else known
        case Apply("logical_or" | "bitwise_or", (Number(value) as known, other)) if apply.dtype is bool_:
            return known if value else other
        case Apply("logical_or" | "bitwise_or", (other, Number(value) as known)) if apply.dtype is bool_:
            return known if value else other
        case Apply("add", (other, Number(0))) if not is_float and apply.dtype is not bool_:
            return other
        case Apply("add", (Number(0), other)) if not is_float and apply.dtype is not bool_:
            return other
        case Apply("subtract", (other, Number(0))) if not is_float:
            return other
        case Apply("multiply", ((Number(0) as zero, _) | (_, Number(0) as zero))) if not is_float:
            return zero
    return apply
