"""A function with two bodies: converted where something may stage, else as the user wrote it.

    def f(x, *, y):
        if ag__.is_staging():
            def tf__f(x, y):
                ...                 # the converted statements
            return tf__f(x, y)
        ...                         # the statements as the user wrote them

The converted statements have a frame of their own, so that the variables of the user's stay fast: a variable
that a block rebinds is a cell, and a cell is slow.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from typing import Any, TypeAlias

from autograph.source.nodes import parameters
from autograph.source.template import OURS

__all__ = ["guarded"]

Definition: TypeAlias = ast.FunctionDef | ast.Lambda


def guarded(converted: Definition, plain: Definition, name: str, asked: Collection[str] = ()) -> Definition:
    r"""Both forms of a function as one definition.

    Parameters
    ----------
    converted : ast.FunctionDef or ast.Lambda
        The converted form, without decorators, defaults and annotations; it becomes a part of the result.
    plain : ast.FunctionDef or ast.Lambda
        The form without conversion, which is left as it is.
    name : str
        What the converted form is called within the result: a name that neither form uses.
    asked : collection of str
        Parameters for whose values of a backend, too, the converted form runs.

    Returns
    -------
    ast.FunctionDef or ast.Lambda

    Examples
    --------
    >>> converted, plain = ast.parse("def f(x): return ag__.ld(x)\ndef f(x): return x").body
    >>> print(ast.unparse(guarded(converted, plain, "tf__f")))
    def f(x):
        if ag__.is_staging():
    <BLANKLINE>
            def tf__f(x):
                return ag__.ld(x)
            return tf__f(x)
        return x
    """
    question: ast.expr = ast.Call(_operator("is_staging"), [], [])
    if asked:
        question = ast.BoolOp(ast.Or(), [question, *map(_is_owned, asked)])
    if isinstance(converted, ast.Lambda):
        assert isinstance(plain, ast.Lambda)
        choice = ast.IfExp(question, converted.body, plain.body)
        _place((choice, *ast.walk(question)), plain.body)
        converted.body = choice
        return converted
    assert isinstance(plain, ast.FunctionDef)
    outer = ast.FunctionDef(converted.name, converted.args, [], [], None)
    vars(outer)["type_params"] = []  # a field since Python 3.12
    names = [parameter.arg for parameter in parameters(converted.args)]  # each is handed over by its place
    places, values = [ast.arg(each) for each in names], [_read(each) for each in names]
    converted.name, converted.args = name, ast.arguments([], places, None, [], [], None, [])
    function = _read(name)
    call = ast.Call(function, [*values], [])
    result = ast.Return(call)
    branch = ast.If(question, [converted, result], [])
    header = (outer, branch, *ast.walk(question), result, call, function)
    _place((*header, *places, *values), plain)
    documentation = int(ast.get_docstring(plain, clean=False) is not None)
    outer.body = [*plain.body[:documentation], branch, *plain.body[documentation:]]
    return outer


def _read(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _operator(name: str) -> ast.expr:
    return ast.Attribute(_read(OURS), name, ast.Load())


def _is_owned(name: str) -> ast.expr:
    """Whether a variable holds a value of a backend."""
    return ast.Subscript(_operator("owned"), ast.Call(_operator("type"), [_read(name)], []), ast.Load())


def _place(nodes: Iterable[Any], header: ast.expr | ast.stmt) -> None:
    """Puts nodes where a header starts."""
    for node in nodes:
        if "lineno" not in node._attributes:  # noqa: SLF001  # as public as `_fields`
            continue
        node.lineno = node.end_lineno = header.lineno
        node.col_offset = header.col_offset
        node.end_col_offset = header.col_offset + 1
