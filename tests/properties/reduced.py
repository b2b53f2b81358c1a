"""The fewest statements of a program that still fail, found by taking out one thing after another.

    reduced(program, lambda candidate: outcome(Case(candidate), "graph").became == wanted)

`shrunk` makes a program smaller by what the grammar writes from smaller numbers, so what it leaves has all
that an idea sets up, and all that a program returns. This works on the text, and leaves the few lines that a
test can be made of.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.properties.grammar import Program

__all__ = ["reduced"]

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields in which a statement has others, and the cases of one."""


_DEFINED = "def program("
"""What each program has, whatever fails without it."""


def reduced(program: Program, fails: Callable[[Program], bool]) -> Program:
    """A program that fails as well, and does so no more where anything else is taken out of it.

    Parameters
    ----------
    program : Program
    fails : callable
        Whether a program fails in the same way; it is asked many times, and some are no Python.
    """
    is_smaller = True
    while is_smaller:
        is_smaller, at, candidates = False, 0, [*_with_one_thing_less(program)]
        while at < len(candidates):
            if fails(candidates[at]):
                program, is_smaller = candidates[at], True
                candidates = [*_with_one_thing_less(program)]
            else:
                at += 1
    return program


def _with_one_thing_less(program: Program) -> Iterator[Program]:
    """Calls go first, then what is outermost."""
    for number in range(1, len(program.calls)):
        yield replace(program, calls=program.calls[:number] + program.calls[number + 1 :])
    tree = ast.parse(program.text)
    known = {ast.unparse(tree)}
    for node in ast.walk(tree):
        for _ in _edited(node):
            text = ast.unparse(tree)
            if text not in known and _DEFINED in text:
                known.add(text)
                yield replace(program, text=f"{text}\n")


def _edited(node: ast.AST) -> Iterator[None]:
    """A node, while it has one thing less than it has before and after that."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            is_block = name in BLOCKS
            for at, each in enumerate(before := [*value]):
                for instead in _instead_of_statement(each) if is_block else _instead_of_item(node, value):
                    value[at : at + 1] = instead or [ast.Pass()] * (name == "body" and len(before) == 1)
                    yield
                    value[:] = before
        elif isinstance(value, ast.expr):
            for part in _parts(value):
                setattr(node, name, part)
                yield
                setattr(node, name, value)


def _instead_of_statement(statement: ast.AST) -> Iterator[list[ast.AST]]:
    """Nothing, or what it has in it."""
    yield []
    if isinstance(statement, ast.stmt) and not isinstance(statement, ast.FunctionDef | ast.ClassDef):
        for name in BLOCKS:
            inner = [*getattr(statement, name, ())]
            yield from [each.body for each in inner if not isinstance(each, ast.stmt)]
            if inner and isinstance(inner[0], ast.stmt):
                yield inner


def _instead_of_item(node: ast.AST, items: list[ast.AST]) -> Iterator[list[ast.AST]]:
    """Nothing, where a tuple or a list has other items."""
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load) and len(items) > 1:
        yield []


def _parts(value: ast.expr) -> list[ast.expr]:
    """The expressions that may stand for one that is made of them."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.BoolOp(values=values):
            return values
        case ast.UnaryOp(operand=operand):
            return [operand]
    return []
