"""Traversal of statements and expressions of the loop language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import wraps
from operator import is_
from typing import Any, Concatenate, ParamSpec, TypeAlias

from autograph_base.dataclass import dataclass
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Block,
    Call,
    Cast,
    Copy,
    Draw,
    Expression,
    Fail,
    Failed,
    Fold,
    For,
    Function,
    Host,
    If,
    Landing,
    Load,
    Matrices,
    Number,
    Object,
    Part,
    Remember,
    Rows,
    Set,
    Share,
    Statement,
    Store,
    Sums,
    Try,
    Variable,
    While,
)

__all__ = [
    "allocates",
    "arrays_read",
    "arrays_written",
    "as_before",
    "blocks_in",
    "bottom_up",
    "calls",
    "changed_by",
    "changed_in",
    "changes_of",
    "exposed_in",
    "expressions_in",
    "having",
    "inside",
    "kinds_in",
    "kinds_of",
    "makers_of",
    "makes_often",
    "numbers_in",
    "parts_of",
    "rewritten",
    "size_of",
    "step_of",
    "stride_of",
    "times_read",
    "units",
    "with_blocks",
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


def blocks_in(statements: Sequence[Statement]) -> Iterator[Sequence[Statement]]:
    """A block of statements, and all blocks inside of it."""
    yield statements
    for each in inside(statements):
        blocks = _BLOCKS.get(type(each))
        if blocks is not None:
            yield from blocks(each)


_BLOCKS: Mapping[type, Callable[[Any], tuple[Block, ...]]] = {
    For: lambda loop: (loop.body,),
    While: lambda loop: (loop.body, loop.before),
    Rows: lambda loop: (loop.after, loop.body),
    If: lambda branch: (branch.orelse, branch.then),
    Try: lambda attempt: (attempt.handler, attempt.body),
}
"""The blocks of statements that have some, the last one first."""


# ── what is asked of blocks again and again ──


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of statements, with all that is in them.

    Attributes
    ----------
    changed : set of str
        The names that get another value.
    kinds : set of type
        Those of the statements; and `Object`, where exceptions are objects.
    size : int
        How many they are.
    """

    changed: frozenset[str]
    kinds: frozenset[type]
    size: int

    @classmethod
    def of(cls, block: Block) -> _Facts:
        """The facts of a block: those of blocks inside are there, or kept from now on."""
        found: _Facts | None = block.facts
        if found is None:
            found = block.facts = cls(frozenset(changed_in(block)), frozenset(kinds_in(block)), _size(block))
        return found


def changed_in(statements: Iterable[Statement]) -> AbstractSet[str]:
    """The names that get another value."""
    if isinstance(statements, Block) and statements.facts is not None:
        return _Facts.of(statements).changed
    found = set[str]()
    for each in statements:
        kind = type(each)
        if kind is Set:
            found.add(each.variable.name)  # type: ignore[union-attr]  # it is one
        elif kind in _BLOCKS or kind in _CHANGE:
            found |= changes_of(each)
    return found


def changes_of(statement: Statement) -> AbstractSet[str]:
    """The names that get another value by a statement, with all that is in it."""
    own = _CHANGE.get(type(statement))
    found = set(own(statement)) if own is not None else set[str]()
    blocks = _BLOCKS.get(type(statement))
    if blocks is not None:
        for block in blocks(statement):
            found |= _Facts.of(block).changed
    return found


def kinds_in(statements: Iterable[Statement]) -> AbstractSet[type]:
    """The kinds of statements, with all that is in them."""
    if isinstance(statements, Block) and statements.facts is not None:
        return _Facts.of(statements).kinds
    found = set[type]()
    for each in statements:
        found.add(type(each))
        if type(each) in _BLOCKS:
            found |= kinds_of(each)
    return found


def kinds_of(statement: Statement) -> AbstractSet[type]:
    """The kind of a statement, and those of all that is in it."""
    found: set[type] = {type(statement)}
    if isinstance(statement, Try):
        found.add(type(statement.error))
    blocks = _BLOCKS.get(type(statement))
    if blocks is not None:
        for block in blocks(statement):
            found |= _Facts.of(block).kinds
    return found


_Rest = ParamSpec("_Rest")
_Pass: TypeAlias = Callable[Concatenate[Function, _Rest], Function]


def having(*kinds: type) -> Callable[[_Pass[_Rest]], _Pass[_Rest]]:
    """Says which kinds of statements a pass over functions is about: one that lacks some stays as it is."""
    needed = frozenset(kinds)

    def make(change: _Pass[_Rest]) -> _Pass[_Rest]:
        @wraps(change)
        def changed(function: Function, /, *args: _Rest.args, **kwargs: _Rest.kwargs) -> Function:
            return change(function, *args, **kwargs) if needed <= kinds_in(function.body) else function

        return changed

    return make


def size_of(statements: Sequence[Statement]) -> int:
    """How many statements they are, with all that is in them."""
    return _Facts.of(statements).size if isinstance(statements, Block) else _size(statements)


def _size(statements: Sequence[Statement]) -> int:
    return len(statements) + sum(
        _Facts.of(block).size
        for each in statements
        if type(each) in _BLOCKS
        for block in _BLOCKS[type(each)](each)
    )


_CHANGE: Mapping[type, Callable[[Any], Iterable[str]]] = {
    Set: lambda each: (each.variable.name,),
    Fold: lambda each: (each.variable.name,),
    Allocate: lambda each: (each.array.name,),
    Alias: lambda each: (each.array.name,),
    For: lambda each: (each.index.name,),
    Call: lambda each: [result.name for result in each.results],
    Host: lambda each: [result.name for result in each.results],
    Draw: lambda each: (each.variable.name,),
    Matrices: lambda each: (each.is_solved.name,),
    Share: lambda each: [variable.name for variable, _ in each.folds],
    Try: lambda each: (
        [one.name for one in each.error.names] if isinstance(each.error, Landing) else (each.error.name,)
    ),
}
"""The names that statements themselves give another value."""


def with_blocks(statement: Statement, change: Callable[[Block], Sequence[Statement]]) -> Statement:
    """A statement whose blocks are what `change` makes of them; itself, where they stay as they are."""
    match statement:
        case For(index, count, body):
            block = as_before(change(body), body)
            return statement if block is body else For(index, count, block)
        case While(before, test, body, most):
            asked, turn = as_before(change(before), before), as_before(change(body), body)
            return statement if asked is before and turn is body else While(asked, test, turn, most)
        case If(test, then, orelse, is_rare=is_rare):
            one, other = as_before(change(then), then), as_before(change(orelse), orelse)
            is_same = one is then and other is orelse
            return statement if is_same else If(test, one, other, is_rare=is_rare)
        case Try(body, error, handler):
            tried, caught = as_before(change(body), body), as_before(change(handler), handler)
            return statement if tried is body and caught is handler else Try(tried, error, caught)
    return statement


def bottom_up(function: Function, change: Callable[[Statement], Statement]) -> Function:
    """A function whose statements are what `change` makes of them, those inside of others first."""

    def block(statements: Sequence[Statement]) -> list[Statement]:
        return [change(with_blocks(each, block)) for each in statements]

    return function.with_body(block(function.body))


def as_before(found: Sequence[Statement], block: Block) -> Sequence[Statement]:
    """Statements; the block itself, where they are those of the block."""
    return block if len(found) == len(block) and all(map(is_, found, block)) else found


def with_parts(expression: Expression, read: Callable[[Expression], Expression]) -> Expression:
    """An expression of whose parts each is what `read` makes of it."""
    match expression:
        case Load(array, place):
            return Load(array, read(place))
        case Cast(of, dtype, fits):
            return Cast(read(of), dtype, fits)
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

    def handed(arguments: Sequence[Expression | Array | Object]) -> tuple[Expression | Array | Object, ...]:
        return tuple([each if isinstance(each, Array | Object) else read(each) for each in arguments])

    def part(of: Part) -> Part:
        return Part(of.array, read(of.place), tuple(map(read, of.steps)))

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
            case Copy(array, of, count, may_be_one):
                return Copy(array, of, read(count), may_be_one)
            case For(index, count, body):
                return For(index, read(count), block(body))
            case While(before, test, body, most):
                return While(block(before), read(test), block(body), most)
            case Rows(index, count, body, after):
                return Rows(index, read(count), block(body), block(after))
            case If(test, then, orelse):
                return If(read(test), block(then), block(orelse))
            case Try(body, error, handler):
                return Try(block(body), error, block(handler))
            case Fail(site, shown):
                return Fail(site, tuple(map(read, shown)))
            case Call(function, arguments, results):
                return Call(function, handed(arguments), results)
            case Host(site, arguments, results):
                return Host(site, handed(arguments), results)
            case Sums(function, result, operands, lengths):
                given = tuple(map(part, operands))
                return Sums(function, part(result), given, tuple(map(read, lengths)))
            case Matrices(function, results, operands, lengths, is_solved):
                return Matrices(function, results, operands, tuple(map(read, lengths)), is_solved)
            case Draw(variable, function, stream, arguments):
                return Draw(variable, function, stream, tuple(map(read, arguments)))
        return statement

    return block(statements)


def units(statements: Sequence[Statement]) -> Iterator[Sequence[Statement]]:
    """Statements one by one, but rows with the loop behind them, which does the turns that are left."""
    place = 0
    while place < len(statements):
        size = 1 + isinstance(statements[place], Rows)
        yield statements[place : place + size]
        place += size


def calls(statements: Sequence[Statement]) -> bool:
    """Whether functions are called."""
    return Call in kinds_in(statements)


def allocates(statements: Sequence[Statement]) -> bool:
    """Whether memory may be made."""
    return not kinds_in(statements).isdisjoint({*_MAKES, Call})


def makers_of(functions: Sequence[Function]) -> frozenset[str]:
    """The names of functions that may make memory, or that call such."""
    found = {each.name for each in functions if not kinds_in(each.body).isdisjoint(_MAKES)}
    called = {
        each.name: {one.function for one in inside(each.body) if isinstance(one, Call)} for each in functions
    }
    before = None
    while before != (before := len(found)):
        found |= {name for name, names in called.items() if names & found}
    return frozenset(found)


_MAKES = frozenset({Allocate, Host, Object})


def makes_often(statements: Sequence[Statement]) -> bool:
    """Whether statements make memory elsewhere than where they seldom come to."""
    return any(
        isinstance(each, Call | Host) or (isinstance(each, Allocate) and is_often)
        for each, is_often in _by_rarity(statements, is_often=True)
    )


def _by_rarity(statements: Sequence[Statement], *, is_often: bool) -> Iterator[tuple[Statement, bool]]:
    for each in statements:
        yield each, is_often
        inner = is_often and not (isinstance(each, If) and each.is_rare)
        for block in _BLOCKS[type(each)](each) if type(each) in _BLOCKS else ():
            yield from _by_rarity(block, is_often=inner)


def changed_by(statements: Sequence[Statement]) -> Iterator[str]:
    """The names that get another value, once for each time."""
    for each in inside(statements):
        own = _CHANGE.get(type(each))
        if own is not None:
            yield from own(each)


def expressions_in(statement: Statement) -> Sequence[Expression]:
    """The expressions of a statement itself."""
    own = _EXPRESSIONS.get(type(statement))
    return () if own is None else own(statement)


_EXPRESSIONS: Mapping[type, Callable[[Any], Sequence[Expression]]] = {
    Set: lambda each: (each.value,),
    Fold: lambda each: (each.variable, each.value),
    Store: lambda each: (each.place, each.value),
    Allocate: lambda each: (each.count,),
    Copy: lambda each: (each.count,),
    Remember: lambda each: (each.count,),
    For: lambda each: (each.count,),
    Rows: lambda each: (each.count,),
    While: lambda each: (each.test,),
    If: lambda each: (each.test,),
    Fail: lambda each: (*each.shown, *(each.site.names if isinstance(each.site, Failed) else ())),
    Call: lambda each: [one for one in each.arguments if not isinstance(one, Array | Object)],
    Host: lambda each: [one for one in each.arguments if not isinstance(one, Array | Object)],
    Draw: lambda each: each.arguments,
    Matrices: lambda each: each.lengths,
    Sums: lambda each: (*each.lengths, *[one for part in each.parts for one in (part.place, *part.steps)]),
    Share: lambda each: (
        *[one for one in each.arguments if isinstance(one, Variable)],
        *[variable for variable, _ in each.folds],
        each.count,
        each.size,
    ),
}


def parts_of(expression: Expression) -> Iterator[Expression]:
    """An expression, and those that it is made of, one after the other as they are written."""
    pending = [expression]
    while pending:
        part = pending.pop()
        yield part
        if type(part) is Apply:
            pending += reversed(part.arguments)
        elif type(part) is Load:
            pending.append(part.place)
        elif type(part) is Cast:
            pending.append(part.of)


def arrays_read(statement: Statement) -> list[str]:
    """The names of arrays and objects of which a statement itself needs what they are, once for each time."""
    found: list[str] = []
    pending = [*expressions_in(statement)]
    while pending:
        part = pending.pop()
        if type(part) is Apply:
            pending += part.arguments
        elif type(part) is Load:
            found.append(part.array.name)
            pending.append(part.place)
        elif type(part) is Cast:
            pending.append(part.of)
    match statement:
        case Store(array=array):
            found.append(array.name)
        case Alias(_, of):
            found.append(of.name)
        case Copy(array, of, _):
            found += [array.name, of.name]
        case Remember(array):
            found.append(array.name)
        case Draw(stream=stream):
            found.append(stream.name)
        case Sums():
            found += [part.array.name for part in statement.parts]
        case Matrices(_, results, operands):
            found += [each.name for each in (*operands, *results)]
        case Call(_, arguments, _) | Host(_, arguments, _) | Share(_, arguments):
            found += [each.name for each in arguments if isinstance(each, Array | Object)]
    return found


def arrays_written(statement: Statement) -> list[str]:
    """The names of arrays that a statement itself may write into."""
    match statement:
        case Store(array=array) | Copy(array=array):
            return [array.name]
        case Sums(result=result):
            return [result.array.name]
        case Matrices(results=results):
            return [each.name for each in results]
        case Call(_, arguments, _) | Host(_, arguments, _) | Share(_, arguments):
            return [each.name for each in arguments if isinstance(each, Array)]
    return []


def numbers_in(statement: Statement) -> list[str]:
    """The names of numbers that a statement itself reads, once for each time."""
    found: list[str] = []
    pending = [*expressions_in(statement)]
    while pending:
        part = pending.pop()
        if type(part) is Variable:
            found.append(part.name)
        elif type(part) is Apply:
            pending += part.arguments
        elif type(part) is Load:
            pending.append(part.place)
        elif type(part) is Cast:
            pending.append(part.of)
    return found


def times_read(statements: Sequence[Statement]) -> Counter[str]:
    """How often statements, with those inside, read each number."""
    return Counter([name for each in inside(statements) for name in numbers_in(each)])


def exposed_in(statements: Sequence[Statement], known: set[str]) -> set[str]:
    """The numbers that may be read before statements set them; what these surely set is added to `known`."""
    found: set[str] = set()
    for each in statements:
        if type(each) is Set:  # nearly all are
            found.update([name for name in numbers_in(each) if name not in known])
            known.add(each.variable.name)
            continue
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
                known.update(changes_of(each))
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
            for name in changes_of(each):
                known.pop(name, None)
    return known.get(index.name)
