"""Traversal of statements and expressions of the loop language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from runtime.executors.native.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Call,
    Cast,
    Copy,
    Expression,
    Fail,
    Failed,
    Fold,
    For,
    Host,
    If,
    Landing,
    Load,
    Number,
    Object,
    Rows,
    Set,
    Share,
    Statement,
    Store,
    Try,
    Variable,
    While,
)

__all__ = [
    "allocates",
    "arrays_read",
    "calls",
    "changed_by",
    "exposed_in",
    "expressions_in",
    "inside",
    "numbers_in",
    "parts_of",
    "rewritten",
    "step_of",
    "stride_of",
    "with_parts",
]


def inside(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements, and those in them."""
    pending = [iter(statements)]
    while pending:
        for statement in pending[-1]:
            yield statement
            blocks = _BLOCKS.get(type(statement))
            if blocks is not None:
                pending += map(iter, blocks(statement))
                break
        else:
            pending.pop()


_BLOCKS: Mapping[type, Callable[[Any], tuple[Sequence[Statement], ...]]] = {
    For: lambda loop: (loop.body,),
    While: lambda loop: (loop.body, loop.before),
    Rows: lambda loop: (loop.after, loop.body),
    If: lambda branch: (branch.orelse, branch.then),
    Try: lambda attempt: (attempt.handler, attempt.body),
}
"""The blocks of statements that have some, the last one first."""


def with_parts(expression: Expression, read: Callable[[Expression], Expression]) -> Expression:
    """An expression of whose parts each is what `read` makes of it."""
    match expression:
        case Load(array, place):
            return Load(array, read(place))
        case Cast(of, dtype):
            return Cast(read(of), dtype)
        case Apply(function, arguments, dtype):
            return Apply(function, tuple(map(read, arguments)), dtype)
    return expression


def rewritten(
    statements: Sequence[Statement],
    read: Callable[[Expression], Expression],
    is_there: Callable[[Statement], bool],
) -> list[Statement]:
    """Statements whose expressions are what `read` makes of them, without those that are not there."""

    def block(statements: Sequence[Statement]) -> list[Statement]:
        return [anew(each) for each in statements if is_there(each)]

    def given(arguments: Sequence[Expression | Array | Object]) -> tuple[Expression | Array | Object, ...]:
        return tuple([each if isinstance(each, Array | Object) else read(each) for each in arguments])

    def anew(statement: Statement) -> Statement:
        match statement:
            case Set(variable, value):
                return Set(variable, read(value))
            case Fold(variable, function, value):
                return Fold(variable, function, read(value))
            case Store(array, place, value):
                return Store(array, read(place), read(value))
            case Allocate(array, count):
                return Allocate(array, read(count))
            case Copy(array, of, count):
                return Copy(array, of, read(count))
            case For(index, count, body):
                return For(index, read(count), block(body))
            case While(before, test, body):
                return While(block(before), read(test), block(body))
            case Rows(index, count, body, after):
                return Rows(index, read(count), block(body), block(after))
            case If(test, then, orelse):
                return If(read(test), block(then), block(orelse))
            case Try(body, error, handler):
                return Try(block(body), error, block(handler))
            case Fail(site, shown):
                return Fail(site, tuple(map(read, shown)))
            case Call(function, arguments, results):
                return Call(function, given(arguments), results)
            case Host(site, arguments, results):
                return Host(site, given(arguments), results)
        return statement

    return block(statements)


def calls(statements: Sequence[Statement]) -> bool:
    """Whether functions are called."""
    return any(isinstance(each, Call) for each in inside(statements))


def allocates(statements: Sequence[Statement]) -> bool:
    """Whether memory may be made."""
    return any(
        isinstance(each, Allocate | Call | Host) or (isinstance(each, Try) and isinstance(each.error, Object))
        for each in inside(statements)
    )


def changed_by(statements: Sequence[Statement]) -> Iterator[str]:
    """The names that get another value, once for each time."""
    for each in inside(statements):
        match each:
            case Set(variable, _) | Fold(variable, _, _):
                yield variable.name
            case Allocate(array, _) | Alias(array, _):
                yield array.name
            case For(index=index):
                yield index.name
            case Call(_, _, results) | Host(_, _, results):
                yield from (result.name for result in results)
            case Share(folds=folds):
                yield from (variable.name for variable, _ in folds)
            case Try(error=Landing() as landing):
                yield from (each.name for each in landing.names)
            case Try(error=Object() as error):
                yield error.name


def expressions_in(statement: Statement) -> Iterator[Expression]:
    """The expressions of a statement itself."""
    match statement:
        case Set(_, value):
            yield value
        case Fold(variable, _, value):
            yield variable
            yield value
        case Store(_, place, value):
            yield place
            yield value
        case Allocate(_, count) | Copy(_, _, count) | For(_, count, _) | Rows(_, count, _, _):
            yield count
        case While(test=test) | If(test=test):
            yield test
        case Fail(site, shown):
            yield from shown
            yield from site.names if isinstance(site, Failed) else ()
        case Call(_, arguments, _) | Host(_, arguments, _):
            yield from (each for each in arguments if not isinstance(each, Array | Object))
        case Share(_, arguments, count, size, folds):
            yield from (each for each in arguments if isinstance(each, Variable))
            yield from (variable for variable, _ in folds)
            yield count
            yield size


def parts_of(expression: Expression) -> Iterator[Expression]:
    """An expression, and those that it is made of."""
    yield expression
    match expression:
        case Load(_, place):
            yield from parts_of(place)
        case Cast(of, _):
            yield from parts_of(of)
        case Apply(_, arguments):
            for each in arguments:
                yield from parts_of(each)


def arrays_read(statement: Statement) -> Iterator[str]:
    """The names of arrays and objects of which a statement itself needs what they are, once for each time."""
    for expression in expressions_in(statement):
        for part in parts_of(expression):
            if isinstance(part, Load):
                yield part.array.name
    match statement:
        case Store(array=array):
            yield array.name
        case Alias(_, of):
            yield of.name
        case Copy(array, of, _):
            yield array.name
            yield of.name
        case Call(_, arguments, _) | Host(_, arguments, _) | Share(_, arguments):
            yield from (each.name for each in arguments if isinstance(each, Array | Object))


def numbers_in(statement: Statement) -> Iterator[str]:
    """The names of numbers that a statement itself reads, once for each time."""
    for expression in expressions_in(statement):
        for part in parts_of(expression):
            if isinstance(part, Variable):
                yield part.name


def exposed_in(statements: Sequence[Statement], known: set[str]) -> set[str]:
    """The numbers that may be read before statements set them; what these surely set is added to `known`."""
    found: set[str] = set()
    for each in statements:
        match each:
            case While(before, test, body):
                found |= exposed_in([*before, If(test, [], [])], known)
                found |= exposed_in(body, set(known))
            case If(test, then, orelse):
                found |= set(numbers_in(each)) - known
                one, other = set(known), set(known)
                found |= exposed_in(then, one) | exposed_in(orelse, other)
                known |= one & other
            case For(_, _, body):
                found |= set(numbers_in(each)) - known
                found |= exposed_in(body, {*known, each.index.name})
            case _:
                found |= set(numbers_in(each)) - known
                known.update(changed_by([each]))
    return found


def step_of(index: Variable, statements: Sequence[Statement]) -> int | None:
    """How much statements add to an index, to which they write once; None where that is not known."""
    match _left_in(index, statements):
        case Apply("add", (one, Number(step))) if one == index:
            return int(step)
        case Apply("subtract", (one, Number(step))) if one == index:
            return -int(step)
    return None


def stride_of(index: Variable, statements: Sequence[Statement]) -> Variable | None:
    """The number that statements add to an index, to which they write once, and which they do not change."""
    match _left_in(index, statements):
        case Apply("add", (one, Variable() as stride)) if one == index:
            return None if stride.name in changed_by(statements) else stride
    return None


def _left_in(index: Variable, statements: Sequence[Statement]) -> Expression | None:
    """What statements leave in an index, to which they write once, as far as that is known."""
    if Counter(changed_by(statements))[index.name] != 1:
        return None
    known: dict[str, Expression] = {}
    for each in statements:
        if isinstance(each, Set):
            value = known.get(each.value.name, each.value) if isinstance(each.value, Variable) else each.value
            known[each.variable.name] = value
        else:
            for name in changed_by([each]):
                known.pop(name, None)
    return known.get(index.name)
