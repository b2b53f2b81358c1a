"""Generated code as text with placeholders.

    >>> from autograph.source.unparse import unparse
    >>> keep = Statements('''
    ...     def body():
    ...         rebinds
    ...         statements
    ...     run(body)
    ... ''')
    >>> print(unparse(keep.fill(body="loop_body", statements=gast.parse("x = 1").body, rebinds=[], run="go")))
    def loop_body():
        x = 1
    go(loop_body)

A placeholder is a plain name of the text that `fill` is given a value for:

* a `str` is another identifier; it also renames definitions, parameters and entries of `nonlocal`,
* an expression takes the place of the name, its context (load, store, delete) set to fit,
* a list stands where the name stands alone as a statement, an argument, an element or an entry of `nonlocal`.

A name that the text reads and never binds must be given a value, `ag__` and Python's builtins excepted; so a
forgotten placeholder is an error here and not a NameError in the user's program.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import gast

from autograph.source.nodes import WITHOUT_NODES, walk
from autograph.source.origin import clear
from autograph.source.translate import ast_to_gast

__all__ = ["Expression", "Statements", "literal"]

Value: TypeAlias = "gast.AST | str | list[gast.AST] | list[str]"

OURS = "ag__"

DECLARATIONS = (gast.Global, gast.Nonlocal)
ASSIGNABLE = (gast.Name, gast.Attribute, gast.Subscript, gast.Starred, gast.List, gast.Tuple)


class _Template:
    """What statements and expressions share: the parsed text and the check of the values."""

    def __init__(self, text: str) -> None:
        self.text = textwrap.dedent(text).strip()

    @functools.cached_property
    def _module(self) -> gast.Module:
        """The parsed text; not before it is used, for an import is to cost little."""
        module = ast_to_gast(ast.parse(self.text))
        clear(module)
        return module

    @functools.cached_property
    def _names(self) -> dict[str, bool]:
        return _names(self._module)

    @functools.cached_property
    def _required(self) -> set[str]:
        return {
            name
            for name, bound in self._names.items()
            if not bound and name != OURS and not hasattr(builtins, name)
        }

    def _filled(self, values: Mapping[str, Value]) -> gast.Module:
        unknown = values.keys() - self._names.keys()
        if unknown:
            raise ValueError(f"the template has no placeholder {_listed(unknown)}:\n{self.text}")
        missing = self._required - values.keys()
        if missing:
            raise ValueError(f"the template needs a value for {_listed(missing)}:\n{self.text}")
        return _Filler(values).node(self._module)


class Statements(_Template):
    """A block of code with placeholders."""

    def fill(self, **values: Value) -> list[gast.stmt]:
        """The statements, with values in place of the placeholders.

        Returns
        -------
        list of gast.stmt
            New nodes without positions, but for the values, which are the caller's own nodes. A node that the
            text names twice is copied from the second time on.

        Raises
        ------
        ValueError
            When the text has no such placeholder, or one has no value.
        TypeError
            When a value cannot stand where its placeholder does.
        """
        filled: list[gast.stmt] = self._filled(values).body
        return filled


class Expression(_Template):
    """One expression with placeholders."""

    def fill(self, **values: Value) -> gast.expr:
        """The expression, with values in place of the placeholders.

        Returns
        -------
        gast.expr

        Raises
        ------
        ValueError
            When the text has no such placeholder, or one has no value.
        TypeError
            When a value cannot stand where its placeholder does.
        """
        (statement,) = self._filled(values).body
        return statement.value


def literal(value: object) -> gast.expr:
    """A constant as a tree; tuples and negative numbers are spelled as the parser would spell them.

    >>> from autograph.source.unparse import unparse
    >>> unparse(literal(("do_return", -1)))
    "('do_return', -1)"
    """
    if isinstance(value, tuple):
        return gast.Tuple([literal(item) for item in value], gast.Load())
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return gast.UnaryOp(gast.USub(), literal(-value))
    return gast.Constant(value, None)


class _Filler:
    """One filling: copies the template's nodes, puts the values in."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values
        self._used: set[int] = set()

    def node(self, node: gast.AST) -> gast.AST:
        """A copy of a template's node, or the value in its place."""
        if isinstance(node, gast.Name) and node.id in self._values:
            return self._name(node)
        kind: Any = type(node)
        filled = kind.__new__(kind)
        parts = filled.__dict__
        for field, value in node.__dict__.items():
            if value.__class__ is list:
                parts[field] = self._list(value)
            elif isinstance(value, gast.AST) and field not in WITHOUT_NODES:
                parts[field] = self.node(value)
            elif field == "name" and isinstance(value, str):
                parts[field] = self._identifier(value)
            else:
                parts[field] = value
        if "body" in parts and filled.body == [] and not isinstance(filled, gast.Module):
            filled.body = [gast.Pass()]
        return filled

    def _name(self, node: gast.Name) -> gast.AST:
        value = self._values[node.id]
        if isinstance(value, list):
            raise TypeError(f"the list given for {node.id!r} does not stand alone in the template")
        return self._in_place_of(node, value)

    def _in_place_of(self, name: gast.Name, value: gast.AST | str) -> gast.AST:
        """What a name becomes: another name, or an expression."""
        if isinstance(value, str):
            annotation = None if name.annotation is None else self.node(name.annotation)
            return gast.Name(value, type(name.ctx)(), annotation, name.type_comment)
        return _in_context(self._own(value), name.ctx)

    def _list(self, items: list[Any]) -> list[Any]:
        filled: list[Any] = []
        for item in items:
            name = _placeholder(item)
            value = self._values.get(name) if name is not None else None
            if isinstance(value, list):
                filled.extend(self._spliced(item, value))
            elif isinstance(value, gast.stmt):
                filled.append(self._own(value))
            elif isinstance(item, gast.AST):
                filled.append(self.node(item))
            else:
                filled.append(self._identifier(item) if isinstance(item, str) else item)
        return [part for part in filled if not (isinstance(part, DECLARATIONS) and not part.names)]

    def _spliced(self, item: gast.AST | str, values: Sequence[gast.AST | str]) -> list[Any]:
        """What an entry of a list becomes when its value is a list."""
        if isinstance(item, gast.Name):
            return [self._in_place_of(item, value) for value in values]
        return [value if isinstance(value, str) else self._own(value) for value in values]

    def _identifier(self, name: str) -> str:
        value = self._values.get(name, name)
        if not isinstance(value, str):
            raise TypeError(f"{name!r} stands for an identifier: give a str, not {type(value).__name__}")
        return value

    def _own(self, value: gast.AST) -> gast.AST:
        """The caller's node itself; a copy when it is already in the tree."""
        if id(value) in self._used:
            return copy.deepcopy(value)
        self._used.add(id(value))
        return value


def _placeholder(item: object) -> str | None:
    """The name that a list may replace: a bare identifier, a name, or a name alone in a statement."""
    if isinstance(item, gast.Expr):
        item = item.value
    if isinstance(item, gast.Name):
        return str(item.id)
    return item if isinstance(item, str) else None


def _in_context(node: gast.AST, ctx: gast.expr_context) -> gast.AST:
    """`node`, to be loaded, stored or deleted as its new place demands."""
    if isinstance(ctx, gast.Param):
        if isinstance(node, gast.Name):
            node.ctx = gast.Param()
        return node
    if not isinstance(node, ASSIGNABLE):
        if not isinstance(ctx, gast.Load):
            raise TypeError(f"{type(node).__name__} cannot be assigned to or deleted")
        return node
    if type(node.ctx) is not type(ctx):
        node.ctx = type(ctx)()
    if isinstance(node, gast.Starred):
        _in_context(node.value, ctx)
    if isinstance(node, (gast.List, gast.Tuple)):
        for element in node.elts:
            _in_context(element, ctx)
    return node


def _names(tree: gast.AST) -> dict[str, bool]:
    """Every plain name of a template; true for those that it binds itself."""
    names: dict[str, bool] = {}
    for node in walk(tree):
        if isinstance(node, gast.Name):
            names[node.id] = names.get(node.id, False) or not isinstance(node.ctx, gast.Load)
        elif isinstance(node, gast.FunctionDef | gast.ClassDef):
            names[node.name] = True
        elif isinstance(node, gast.Global | gast.Nonlocal):
            for name in node.names:
                names.setdefault(name, False)
    return names


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))
