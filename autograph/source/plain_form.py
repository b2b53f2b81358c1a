"""The unstaged body of a function: as written, but for item assignments to what may be a tensor.

A tensor never changes: `x[i] = v` binds `x` anew, in eager code as in a graph. So the one thing that the form
of a function that runs while nothing stages does not leave to Python is this, where `x` is a local variable:

    if ag__.owned[ag__.type(x)]:
        x = ag__.set_item(value=v, target=x, index=i)
    else:
        x[i] = v

A variable that only ever holds lists and dicts needs no such question. A parameter that may hold a tensor at
the start, and lists and dicts from then on, is asked about once, at the door: the converted form runs then.

It works on Python's own trees, and copies what it changes: the tree belongs to the parsed file.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from autograph.source.guard import Definition
from autograph.source.template import OURS
from autograph_base.named_tuple import NamedTuple

__all__ = ["IN_PLACE", "PlainForm", "plain_form"]

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


class PlainForm(NamedTuple):
    """The form of a function that runs while nothing may stage.

    Attributes
    ----------
    definition : ast.FunctionDef or ast.Lambda
    asked : tuple of str
        The parameters that must not hold a tensor when it starts.
    """

    definition: Definition
    asked: tuple[str, ...] = ()


def plain_form(definition: Definition, variables: Collection[str], makers: Collection[str] = ()) -> PlainForm:
    r"""The form of a definition whose own statements, not those of functions within, assign items of tensors.

    Parameters
    ----------
    definition : ast.FunctionDef or ast.Lambda
        Not edited.
    variables : collection of str
        The names that may be bound anew without anybody noticing: local, and of no interest to functions
        within.
    makers : collection of str
        The names that mean Python's own `list`, `dict` and `sorted`.

    Returns
    -------
    PlainForm

    Examples
    --------
    >>> text = "def f(a, x, i):\n    x = g(x)\n    x[i] = 1\n    a[i] = 2\n    x.y[i] = 3"
    >>> plain = plain_form(ast.parse(text).body[0], {"a", "x"})
    >>> plain.asked
    ('a',)
    >>> print(ast.unparse(plain.definition))
    def f(a, x, i):
        x = g(x)
        if ag__.owned[ag__.type(x)]:
            x = ag__.set_item(value=1, target=x, index=i)
        else:
            x[i] = 1
        a[i] = 2
        x.y[i] = 3
    """
    if isinstance(definition, ast.Lambda):
        return PlainForm(definition)
    items = [item for item in map(_item, _statements(definition.body)) if item is not None]
    names = {item.value.id for item in items} & set(variables)
    if not names:
        return PlainForm(definition)
    parameters = [node.arg for node in ast.walk(definition.args) if isinstance(node, ast.arg)]
    bindings = [binding for statement in definition.body for binding in _bindings(statement)]
    unsure = {name for name, value in bindings if value is None or not _is_container(value, makers)}
    asked = tuple([name for name in parameters if name in names - unsure])
    return PlainForm(_with_blocks(definition, names & unsure), asked)


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


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that are bound at a node or below, each with its value where an assignment says it."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
            yield from _bindings(value)
            return
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
            yield from _bindings(value)
            return
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.MatchMapping(rest=str(name)):
            yield name, None
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0], None
        case _ if isinstance(getattr(node, "name", None), str):
            yield vars(node)["name"], None
    for child in ast.iter_child_nodes(node):
        yield from _bindings(child)


def _is_container(value: ast.expr, makers: Collection[str]) -> bool:
    """Whether an expression makes a list or dict: `[0] * n` counts."""
    match value:
        case ast.List() | ast.ListComp() | ast.Dict() | ast.DictComp():
            return True
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return isinstance(left, ast.List) or isinstance(right, ast.List)
        case ast.Call(func=ast.Name(id=name)):
            return name in makers
    return False


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
    kind = ast.Call(_operator("type"), [ast.Name(name, ast.Load())], [])
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
