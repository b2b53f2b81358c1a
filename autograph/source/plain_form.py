"""The statements of a function as the user wrote them, but for items assigned to what may be a tensor.

A tensor never changes: `x[i] = v` binds `x` anew, in eager code as in a graph. So the one thing that the form
of a function that runs while nothing stages does not leave to Python is this, where `x` is a local variable:

    if ag__.owned[x.__class__]:
        x = ag__.set_item(value=v, target=x, index=i)
    else:
        x[i] = v

It works on Python's own trees, and copies what it changes: the tree belongs to the parsed file.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from autograph.source.guard import Definition
from autograph.source.template import OURS

__all__ = ["IN_PLACE", "plain_form"]

IN_PLACE: dict[type[ast.operator], str] = {
    ast.Add: "+=",
    ast.Sub: "-=",
    ast.Mult: "*=",
    ast.MatMult: "@=",
    ast.Div: "/=",
    ast.FloorDiv: "//=",
    ast.Mod: "%=",
    ast.Pow: "**=",
    ast.LShift: "<<=",
    ast.RShift: ">>=",
    ast.BitAnd: "&=",
    ast.BitOr: "|=",
    ast.BitXor: "^=",
}

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
FRAMES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def plain_form(definition: Definition, variables: Collection[str]) -> Definition:
    r"""A definition whose own statements, not those of functions within, assign items of tensors.

    Parameters
    ----------
    definition : ast.FunctionDef or ast.Lambda
        Not edited.
    variables : collection of str
        The names that may be bound anew without anybody noticing: local, and of no interest to functions
        within.

    Returns
    -------
    ast.FunctionDef or ast.Lambda
        The definition itself where nothing changes.

    Examples
    --------
    >>> (definition,) = ast.parse("def f(x, i, v):\n    x[i] = v\n    x.y[i] = v").body
    >>> print(ast.unparse(plain_form(definition, {"x"})))
    def f(x, i, v):
        if ag__.owned[x.__class__]:
            x = ag__.set_item(value=v, target=x, index=i)
        else:
            x[i] = v
        x.y[i] = v
    """
    if isinstance(definition, ast.Lambda):
        return definition
    items = [item for item in map(_item, _statements(definition.body)) if item is not None]
    names = {item.value.id for item in items} & set(variables)
    if names:
        names -= _containers(definition)
    return _with_blocks(definition, names) if names else definition


def _statements(block: Sequence[Any]) -> Iterator[Any]:
    """The statements of a block, at any depth, but not those of definitions within."""
    for statement in block:
        yield statement
        if not isinstance(statement, FRAMES):
            for field in BLOCKS:
                yield from _statements(getattr(statement, field, ()))


def _item(statement: ast.AST) -> Any:
    """The item of a plain name that a statement assigns; None when it does anything else."""
    if isinstance(statement, ast.AugAssign):
        target: ast.expr = statement.target
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    else:
        return None
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    return None if any(isinstance(node, ast.NamedExpr) for node in ast.walk(statement)) else target


def _containers(definition: ast.FunctionDef) -> set[str]:
    """The variables that only ever hold lists and dicts that the function spells out."""
    spelled: set[str] = set()
    stores = [name for statement in definition.body for name in _bound(statement, spelled)]
    return spelled - {*stores, *(node.arg for node in ast.walk(definition.args) if isinstance(node, ast.arg))}


def _bound(node: ast.AST, spelled: set[str]) -> Iterator[str]:
    """The names that are bound at a node or below; those given a list or dict go to `spelled` instead."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_container(value):
            spelled.add(name)
            yield from _bound(value, spelled)
            return
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.keyword():
            pass
        case _ if isinstance(getattr(node, "name", None), str):
            yield vars(node)["name"]
    for child in ast.iter_child_nodes(node):
        yield from _bound(child, spelled)


def _is_container(value: ast.expr) -> bool:
    """Whether an expression makes a list or dict: `[0] * n` counts."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return isinstance(value.left, ast.List) or isinstance(value.right, ast.List)
    return isinstance(value, (ast.List, ast.ListComp, ast.Dict, ast.DictComp))


def _with_blocks(node: Any, names: Collection[str]) -> Any:
    """A copy of a compound statement whose blocks assign items of tensors."""
    new = copy.copy(node)
    for field in BLOCKS:
        block = getattr(node, field, None)
        if isinstance(block, list):
            setattr(new, field, [_converted(part, names) for part in block])
    return new


def _converted(statement: Any, names: Collection[str]) -> Any:
    """What takes the place of a statement, or of a part of one."""
    if isinstance(statement, FRAMES):
        return statement
    item = _item(statement)
    if item is None or item.value.id not in names:
        return _with_blocks(statement, names) if hasattr(statement, "body") else statement
    name, index = item.value.id, _as_argument(item.slice)
    kind = ast.Attribute(ast.Name(name, ast.Load()), "__class__", ast.Load())
    test = ast.Subscript(_operator("owned"), kind, ast.Load())
    keywords = {"target": ast.Name(name, ast.Load()), "index": index}
    if isinstance(statement, ast.Assign):
        call = _call("set_item", value=statement.value, **keywords)
    else:
        symbol = ast.Constant(IN_PLACE[type(statement.op)])
        call = _call("augment_item", **keywords, symbol=symbol, value=_call("known", value=statement.value))
    bound = ast.Assign([ast.Name(name, ast.Store())], call)
    return _placed(ast.If(test, [bound], [statement]), statement)


def _operator(name: str) -> ast.expr:
    return ast.Attribute(ast.Name(OURS, ast.Load()), name, ast.Load())


def _call(name: str, **arguments: ast.expr) -> ast.Call:
    return ast.Call(_operator(name), [], [ast.keyword(each, value) for each, value in arguments.items()])


def _as_argument(index: ast.expr) -> ast.expr:
    """An index outside of brackets: `a:b` is spelled as a slice object."""
    if isinstance(index, ast.Slice):
        parts = [part or ast.Constant(None) for part in (index.lower, index.upper, index.step)]
        return ast.Call(_operator("slice"), parts, [])
    if isinstance(index, ast.Tuple):
        return ast.Tuple([_as_argument(part) for part in index.elts], ast.Load())
    return index


def _placed(new: ast.stmt, statement: ast.stmt) -> ast.stmt:
    """The new statement with the place of the one that it stands for; the user's parts have theirs."""
    for node in ast.walk(new):
        if "lineno" in node._attributes and not hasattr(node, "lineno"):  # noqa: SLF001  # as public as `_fields`
            ast.copy_location(node, statement)
    return new
