"""Programs of the loop language as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.executors.native.language.expressions import expression_text
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Array,
    Break,
    Call,
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
    Lap,
    Mark,
    Matrices,
    Named,
    Object,
    Program,
    Release,
    Remember,
    Rows,
    Set,
    Share,
    Statement,
    Store,
    Sums,
    Try,
    While,
)

__all__ = ["program_text"]


def program_text(program: Program) -> str:
    """A program as text: what its names stand for, and its functions."""
    constants = [
        f"{name} = constant {array.dtype}{list(array.shape)}" for name, array in program.constants.items()
    ]
    constants += [f"{name} = {each!r}" for name, each in program.objects.items()]
    constants += [f"python{index} = {site.name}" for index, site in enumerate(program.hosts)]
    constants += [f"{name} = {stream}" for name, stream in program.streams.items()]
    return "\n\n".join(
        [*(["\n".join(constants)] if constants else []), *map(_function_text, program.functions)]
    )


def _function_text(function: Function) -> str:
    parameters = ", ".join(f"{each.name}: {_kind(each)}" for each in function.parameters)
    results = ", ".join(each.name for each in function.results)
    lines = [*_lines(function.body, 1), f"    return {results}".rstrip()]
    return "\n".join([f"def {function.name}({parameters}):", *lines])


def _kind(each: Named) -> str:
    if isinstance(each, Object):
        return "object"
    return f"{each.dtype.short}*" if isinstance(each, Array) else each.dtype.short


def _lines(statements: Sequence[Statement], depth: int) -> Iterator[str]:
    for statement in statements:
        for line in _statement(statement):
            yield f"{'    ' * depth}{line}"


def _block(statements: Sequence[Statement]) -> Iterator[str]:
    return _lines(statements, 1) if statements else iter(["    pass"])


def _statement(statement: Statement) -> Iterator[str]:
    match statement:
        case Set(variable, value):
            yield f"{variable.name} = {expression_text(value)}"
        case Fold(variable, function, value):
            yield f"{variable.name} = fold({function}, {variable.name}, {expression_text(value)})"
        case Store(array, place, value):
            yield f"{array.name}[{expression_text(place)}] = {expression_text(value)}"
        case Allocate(array, count):
            yield f"{array.name} = memory({array.dtype.short}, {expression_text(count)})"
        case Alias(array, of):
            yield f"{array.name} = {of.name}"
        case Copy(array, of, count):
            yield f"{array.name}[:] = {of.name}[:{expression_text(count)}]"
        case Remember(array, count):
            yield f"remember {array.name}[:{expression_text(count)}]"
        case For(index, count, body):
            yield f"for {index.name} in range({expression_text(count)}):"
            yield from _block(body)
        case While(before, test, body):
            yield "while True:"
            yield from _lines(before, 1)
            yield f"    if not {expression_text(test)}: break"
            yield from _lines(body, 1)
        case Break():
            yield "break"
        case Rows():
            yield from _rows_text(statement)
        case If():
            yield from _if_text(statement)
        case Try(body, error, handler):
            yield "try:"
            yield from _block(body)
            yield f"except {_landing_text(error)}:"
            yield from _block(handler)
        case Fail():
            yield _fail_text(statement)
        case Call() | Share() | Host() | Draw() | Sums() | Matrices():
            yield _called_text(statement)
        case Mark(mark):
            yield f"{mark} = mark()"
        case Release(mark, keep):
            yield f"release({', '.join([mark, *[each.name for each in keep]])})"
        case Lap(line):
            yield f"lap({line})"


def _called_text(statement: Call | Share | Host | Draw | Sums | Matrices) -> str:
    match statement:
        case Call(function, arguments, results):
            return _call_text(function, arguments, results)
        case Share():
            return _share_text(statement)
        case Host(site, arguments, results):
            return _call_text(f"python{site}", arguments, results)
        case Draw(variable, function, stream, arguments):
            return _call_text(f"{stream.name}.{function}", arguments, [variable])
        case Sums():
            return _sums_text(statement)
        case Matrices(function, results, operands, lengths, is_solved):
            found = ", ".join([is_solved.name, *[each.name for each in results]])
            numbers = ", ".join(map(expression_text, lengths))
            return f"{found} = {function}({', '.join([each.name for each in operands])}) of {numbers}"


def _sums_text(sums: Sums) -> str:
    *operands, result = [
        f"{each.array.name}[{expression_text(each.place)}; {', '.join(map(expression_text, each.steps))}]"
        for each in sums.parts
    ]
    lengths = ", ".join(map(expression_text, sums.lengths))
    return f"{result} = {sums.function}({', '.join(operands)}) of {lengths}"


def _fail_text(failure: Fail) -> str:
    site = failure.site
    where = site.site.name if isinstance(site, Failed) else str(site)
    return f"fail({', '.join([where, *map(expression_text, failure.shown)])})"


def _landing_text(error: Object | Landing) -> str:
    if isinstance(error, Object):
        return f"as {error.name}"
    kinds = ", ".join([kind.__name__ for kind in error.kinds])
    return f"({kinds}) as {error.number.name}, {error.failed.site.name}"


def _rows_text(rows: Rows) -> Iterator[str]:
    yield f"rows {rows.index.name} below {expression_text(rows.count)}:"
    yield from _block(rows.body)
    yield "then:"
    yield from _block(rows.after)


def _if_text(branch: If) -> Iterator[str]:
    yield f"if {expression_text(branch.test)}:"
    yield from _block(branch.then)
    if branch.orelse:
        yield "else:"
        yield from _block(branch.orelse)


def _share_text(share: Share) -> str:
    call = _call_text(share.function, share.arguments, [variable for variable, _ in share.folds])
    how = f" by {', '.join([each for _, each in share.folds])}" if share.folds else ""
    return f"{call} for ranges of {expression_text(share.size)} below {expression_text(share.count)}{how}"


def _call_text(
    function: str, arguments: Sequence[Expression | Array | Object], results: Sequence[Named]
) -> str:
    given = [each.name if isinstance(each, Array | Object) else expression_text(each) for each in arguments]
    call = f"{function}({', '.join(given)})"
    return f"{', '.join(each.name for each in results)} = {call}" if results else call


Program.__str__ = program_text  # type: ignore[assignment, method-assign]  # there, it would need this file
