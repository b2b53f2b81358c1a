"""Statements as text: `ast.unparse`, with comments, `elif`, and tuples as people write them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from runtime.executors.numpy_plan.syntax import Comment

__all__ = ["printed"]


def printed(body: Sequence[ast.stmt], indent: str = "") -> Iterator[str]:
    """The lines of some statements."""
    for statement in body:
        yield from _lines(statement, indent)


def _lines(statement: ast.stmt, indent: str) -> Iterator[str]:
    inside = f"{indent}    "
    match statement:
        case Comment():
            yield f"{indent}# {statement.text}"
        case ast.FunctionDef(name, arguments, body):
            for decorator in statement.decorator_list:
                yield f"{indent}@{ast.unparse(decorator)}"
            yield f"{indent}def {name}({ast.unparse(arguments)}):"
            yield from printed(body, inside)
        case ast.If():
            yield from _if(statement, indent, "if")
        case ast.While(test, body):
            yield f"{indent}while {ast.unparse(test)}:"
            yield from printed(body, inside)
        case ast.With(items, body):
            yield f"{indent}with {', '.join(map(ast.unparse, items))}:"
            yield from printed(body, inside)
        case ast.Try(body, handlers):
            yield f"{indent}try:"
            yield from printed(body, inside)
            for handler in handlers:
                kind = "" if handler.type is None else f" {ast.unparse(handler.type)}"
                yield f"{indent}except{kind}{f' as {handler.name}' if handler.name else ''}:"
                yield from printed(handler.body, inside)
        case ast.Assign(targets, value):
            yield f"{indent}{' = '.join(map(_bare, targets))} = {_bare(value)}"
        case ast.Return(ast.expr() as value):
            yield f"{indent}return {_bare(value)}"
        case ast.Expr(ast.Constant(str(text))):
            yield f'{indent}"""{text}"""'
        case _:
            yield from (f"{indent}{line}" for line in ast.unparse(statement).splitlines())


def _if(statement: ast.If, indent: str, word: str) -> Iterator[str]:
    inside = f"{indent}    "
    yield f"{indent}{word} {ast.unparse(statement.test)}:"
    yield from printed(statement.body, inside)
    comments = [each for each in statement.orelse if isinstance(each, Comment)]
    others = [each for each in statement.orelse if not isinstance(each, Comment)]
    match others:
        case [ast.If() as other] if statement.orelse[-1] is other:
            yield from printed(comments, indent)
            yield from _if(other, indent, "elif")
        case [_, *_]:
            yield f"{indent}else:"
            yield from printed(statement.orelse, inside)


def _bare(expression: ast.expr) -> str:
    """An expression, a tuple without its parentheses."""
    match expression:
        case ast.Tuple([one]):
            return f"{ast.unparse(one)},"
        case ast.Tuple([_, *_] as parts):
            return ", ".join(map(ast.unparse, parts))
    return ast.unparse(expression)
