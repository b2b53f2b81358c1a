"""Python's trees → gast's, and back: what gast does, several times as fast.

The way to the compiler is shorter still: nobody needs gast's tree any more, so its nodes become Python's own
where they stand.

The two have a class for a class. They differ in parameters and in the names of `except … as name`, which are
`Name`s in gast, and in fields that newer versions of Python brought.
"""

from __future__ import annotations

import ast
from ast import AST
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import gast

__all__ = ["ast_to_gast", "gast_into_ast", "gast_to_ast"]

ALIKE = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
"""Nodes that do not differ within their class: one will do for all."""

TEXTS = frozenset({"arg", "attr", "id", "kind", "level", "module", "type_comment"})
"""Fields without nodes, common enough to be passed over."""


class _Translation:
    """One direction.

    Parameters
    ----------
    here, there : modules
        Their classes of the same name are each other's twins.
    different : mapping of class to function
        What else is to be done for a node, given the new one.
    """

    def __init__(
        self, here: ModuleType, there: ModuleType, different: Mapping[type[ast.AST], Callable[..., None]]
    ) -> None:
        self.twins: dict[type[ast.AST], Any] = {
            kind: getattr(there, name)
            for name, kind in vars(here).items()
            if isinstance(kind, type) and issubclass(kind, ast.AST) and hasattr(there, name)
        }
        if here is ast:
            self.twins[ast.arg] = there.Name
        self.fields = {
            kind: tuple(field for field in kind._fields if field not in TEXTS) for kind in self.twins
        }
        self.alike: dict[type[ast.AST], ast.AST] = {
            kind: twin() for kind, twin in self.twins.items() if issubclass(kind, ALIKE)
        }
        self._parts = {
            kind: (twin, self.fields[kind], bool(twin._attributes), different.get(kind))  # noqa: SLF001
            for kind, twin in self.twins.items()
        }

    def node(self, node: Any, above: Any = None) -> Any:
        """A new tree; a node that has no place gets that of the new node above it."""
        kind = node.__class__
        twin, fields, is_placed, different = self._parts[kind]
        new = twin.__new__(twin)
        facts, parts = node.__dict__, new.__dict__
        parts.update(facts)
        if "end_lineno" in facts:
            above = new
        elif is_placed and above is not None:
            ast.copy_location(new, above)
        alike = self.alike
        for field in fields:
            value = facts.get(field)
            if value is None:
                continue
            if value.__class__ is list:
                if value:
                    parts[field] = [
                        self.node(item, above) if isinstance(item, AST) else item for item in value
                    ]
                else:
                    parts[field] = []
            elif value.__class__ in alike:
                parts[field] = alike[value.__class__]
            elif isinstance(value, AST):
                parts[field] = self.node(value, above)
        if different is not None:
            different(node, new)
        return new


def _arguments_to_ast(node: gast.arguments, new: ast.arguments) -> None:
    for field in ("posonlyargs", "args", "kwonlyargs"):
        setattr(new, field, list(map(_parameter_to_ast, getattr(node, field), getattr(new, field))))
    for field in ("vararg", "kwarg"):
        if getattr(node, field) is not None:
            setattr(new, field, _parameter_to_ast(getattr(node, field), getattr(new, field)))


def _parameter_to_ast(node: gast.Name, new: ast.Name) -> ast.arg:
    annotation = None if node.annotation is None else gast_to_ast(node.annotation)
    return ast.copy_location(ast.arg(node.id, annotation, node.type_comment), new)


def _handler_to_ast(node: gast.ExceptHandler, new: ast.ExceptHandler) -> None:
    new.name = None if node.name is None else node.name.id


def _name_to_gast(_: ast.Name, new: gast.Name) -> None:
    parts = vars(new)
    parts["annotation"] = parts["type_comment"] = None


def _parameter_to_gast(node: ast.arg, new: gast.Name) -> None:
    new.id, new.ctx = node.arg, gast.Param()


def _handler_to_gast(node: ast.ExceptHandler, new: gast.ExceptHandler) -> None:
    new.name = None if node.name is None else gast.Name(node.name, gast.Store(), None, None)


def _definition_to_gast(_: ast.AST, new: gast.AST) -> None:
    vars(new).setdefault("type_params", [])  # a field since Python 3.12


def _type_parameter_to_gast(_: ast.AST, new: gast.AST) -> None:
    vars(new).setdefault("default_value", None)  # a field since Python 3.13


POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")

TYPE_PARAMETERS = [
    getattr(ast, name) for name in ("TypeVar", "TypeVarTuple", "ParamSpec") if hasattr(ast, name)
]

_TO_AST = _Translation(gast, ast, {gast.arguments: _arguments_to_ast, gast.ExceptHandler: _handler_to_ast})
_TO_GAST = _Translation(
    ast,
    gast,
    {
        ast.Name: _name_to_gast,
        **dict.fromkeys(TYPE_PARAMETERS, _type_parameter_to_gast),
        ast.arg: _parameter_to_gast,
        ast.ExceptHandler: _handler_to_gast,
        **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), _definition_to_gast),
    },
)


PARTS: dict[type[ast.AST], tuple[Any, bool, tuple[str, ...]]] = {
    kind: (twin, bool(twin._attributes), () if kind is gast.Constant else _TO_AST.fields[kind])  # noqa: SLF001
    for kind, twin in _TO_AST.twins.items()
}
"""Of each class of gast's nodes: its twin, whether that has a place, and the fields that may hold nodes."""


def gast_to_ast(node: gast.AST) -> Any:
    """A new tree for Python's compiler.

    Parameters
    ----------
    node : gast.AST
        Nodes without a place get that of their parent.

    Returns
    -------
    ast.AST

    Examples
    --------
    >>> ast.dump(gast_to_ast(gast.parse("x += 1").body[0].target))
    "Name(id='x', ctx=Store())"
    """
    return _TO_AST.node(node)


def ast_to_gast(node: ast.AST) -> Any:
    """A new tree for the converters.

    Parameters
    ----------
    node : ast.AST

    Returns
    -------
    gast.AST

    Examples
    --------
    >>> parameter = ast_to_gast(ast.parse("lambda x: 1").body[0].value.args.args[0])
    >>> type(parameter).__name__, parameter.id, type(parameter.ctx).__name__
    ('Name', 'x', 'Param')
    """
    return _TO_GAST.node(node)


def gast_into_ast(tree: gast.AST) -> Any:
    """The tree itself, its nodes turned into Python's; as `gast_to_ast`, but that gast's tree is gone.

    Parameters
    ----------
    tree : gast.AST
        Nodes without a place get that of their parent. What nodes share, operators and contexts, is replaced.

    Returns
    -------
    ast.AST
        The same object.

    Examples
    --------
    >>> tree = gast.parse("x += 1")
    >>> gast_into_ast(tree) is tree, ast.dump(tree.body[0].target)
    (True, "Name(id='x', ctx=Store())")
    """
    alike = _TO_AST.alike
    pending: list[tuple[Any, Any]] = [(tree, None)]
    while pending:
        node, place = pending.pop()
        kind = node.__class__
        if kind not in PARTS:
            continue  # it stands in two places, and has been met in the other
        twin, is_placed, fields = PARTS[kind]
        node.__class__ = twin
        parts = node.__dict__
        if "end_lineno" in parts:
            place = parts
        elif is_placed and place is not None:
            parts["lineno"], parts["col_offset"] = place["lineno"], place["col_offset"]
            parts["end_lineno"], parts["end_col_offset"] = place["end_lineno"], place["end_col_offset"]
        if kind is gast.Name:  # the most frequent by far; only a parameter has an annotation
            parts["ctx"] = alike[parts["ctx"].__class__]
            continue
        if not fields:
            continue
        if kind is gast.arguments:
            _make_parameters(parts, place)
        elif kind is gast.ExceptHandler:
            parts["name"] = None if parts["name"] is None else parts["name"].id
        for field in fields:
            value = parts.get(field)
            if value is None:
                continue
            here = value.__class__
            if here is list:
                if value:
                    if value[0].__class__ in alike:
                        parts[field] = [alike[item.__class__] for item in value]
                    else:
                        pending += [(item, place) for item in value if isinstance(item, AST)]
            elif here in alike:
                parts[field] = alike[here]
            elif here in PARTS:
                pending.append((value, place))
    return tree


def _make_parameters(parts: dict[str, Any], above: Any) -> None:
    """Puts `arg`s in the place of the names that are gast's parameters."""
    for field in ("posonlyargs", "args", "kwonlyargs"):
        parts[field] = [_parameter(name, above) for name in parts[field]]
    for field in ("vararg", "kwarg"):
        parts[field] = None if parts[field] is None else _parameter(parts[field], above)


def _parameter(name: gast.Name, above: Any) -> ast.arg:
    annotation = None if name.annotation is None else gast_into_ast(name.annotation)
    parameter = ast.arg(name.id, annotation, name.type_comment)
    place = vars(name) if "end_lineno" in vars(name) or above is None else above
    vars(parameter).update({part: place[part] for part in POSITION if part in place})
    return parameter
