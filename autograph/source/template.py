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
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import gast

from autograph.source.nodes import WITHOUT_NODES, walk
from autograph.source.origin import clear
from autograph.source.translate import ast_to_gast

__all__ = ["OURS", "Expression", "Statements", "is_operator", "is_ours", "literal", "mark_ours"]

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
        mark_ours(module)
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

    def _filled(self, values: Mapping[str, Value]) -> Any:
        names = tuple(values)
        copy_of = self._plans.get(names)
        if copy_of is None:
            self._check(values)
            copy_of = self._plans[names] = _plan(self._root, frozenset(names))
        return copy_of(_Filling(values))

    @property
    def _root(self) -> gast.AST:
        """What is copied."""
        return self._module

    @functools.cached_property
    def _plans(self) -> dict[tuple[str, ...], Plan]:
        """How the text is copied, for each set of placeholders that was ever filled."""
        return {}

    def _check(self, values: Mapping[str, Value]) -> None:
        unknown = values.keys() - self._names.keys()
        if unknown:
            raise ValueError(f"the template has no placeholder {_listed(unknown)}:\n{self.text}")
        missing = self._required - values.keys()
        if missing:
            raise ValueError(f"the template needs a value for {_listed(missing)}:\n{self.text}")


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
        filled: gast.expr = self._filled(values)
        return filled

    @property
    def _root(self) -> gast.AST:
        (statement,) = self._module.body
        return statement.value


def is_ours(node: gast.AST) -> bool:
    """Whether a call comes from the text of a template, and not from the user's.

    >>> is_ours(Expression("ag__.ld(x)").fill(x="y")), is_ours(gast.parse("ag__.ld(y)").body[0].value)
    (True, False)
    """
    return "is_ours" in node.__dict__


def is_operator(function: gast.AST) -> bool:
    """Whether an expression names one of the operators that generated code calls: `ag__.…`."""
    return function.__class__ is gast.Attribute and "is_ours" in function.__dict__


def mark_ours(tree: gast.AST) -> None:
    """Marks all calls of a tree, and all names of operators (`ag__.…`), as ours."""
    for node in walk(tree):
        match node:
            case gast.Call() | gast.Attribute(value=gast.Name(id="ag__")):
                vars(node)["is_ours"] = True


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


@dataclass(slots=True)
class _Filling:
    """The values of one filling, and which of their nodes are in the tree already."""

    values: Mapping[str, Value]
    used: set[int] = field(default_factory=set)

    def in_place_of(self, name: gast.Name, value: gast.AST | str) -> gast.AST:
        """What a name becomes: another name, or an expression."""
        if isinstance(value, str):
            return _new(gast.Name, {**vars(name), "id": value})
        own = self.own(value)
        if isinstance(name.ctx, gast.Load) and isinstance(getattr(own, "ctx", name.ctx), gast.Load):
            return own
        return _in_context(own, name.ctx)

    def own(self, value: gast.AST) -> gast.AST:
        """The caller's node itself; a copy when it is already in the tree."""
        if id(value) in self.used:
            return copy.deepcopy(value)
        self.used.add(id(value))
        return value

    def identifier(self, name: str) -> str:
        """The identifier that a placeholder stands for."""
        value = self.values[name]
        if not isinstance(value, str):
            raise TypeError(f"{name!r} stands for an identifier: give a str, not {type(value).__name__}")
        return value


Plan: TypeAlias = Callable[[_Filling], Any]
"""Makes a copy of a part of a template, with the values of a filling in it."""


def _new(kind: Any, parts: Mapping[str, Any]) -> Any:
    """A node without the checks of its constructor: there are many."""
    node = kind.__new__(kind)
    vars(node).update(parts)
    return node


def _plan(node: gast.AST, names: Collection[str]) -> Plan:
    """The plan of a node: what differs from copy to copy is worked out once."""
    if isinstance(node, gast.Name) and node.id in names:
        return partial(_name, node)
    fixed = dict(vars(node))
    changing: list[tuple[str, Plan]] = []
    for part, value in vars(node).items():
        if isinstance(value, list):
            changing.append((part, _list_plan(value, names)))
        elif isinstance(value, gast.AST) and part not in WITHOUT_NODES:
            changing.append((part, _plan(value, names)))
        elif part == "name" and value in names:
            changing.append((part, partial(_identifier, value)))
    kind: Any = type(node)
    has_block = isinstance(fixed.get("body"), list) and kind is not gast.Module

    def copy_of(filling: _Filling) -> Any:
        new = kind.__new__(kind)
        parts = new.__dict__
        parts.update(fixed)
        for part, plan in changing:
            parts[part] = plan(filling)
        if has_block and not parts["body"]:
            parts["body"] = [gast.Pass()]
        return new

    return copy_of


def _name(node: gast.Name, filling: _Filling) -> gast.AST:
    """What stands in the place of a placeholder."""
    value = filling.values[node.id]
    if isinstance(value, list):
        raise TypeError(f"the list given for {node.id!r} does not stand alone in the template")
    return filling.in_place_of(node, value)


def _identifier(name: str, filling: _Filling) -> str:
    return filling.identifier(name)


def _list_plan(items: list[Any], names: Collection[str]) -> Plan:
    """The plan of a field with a list: of nodes, or of the identifiers of a declaration."""
    plans: list[tuple[bool, Plan]] = []
    for item in items:
        name = _placeholder(item)
        if name is not None and name in names:
            plans.append((True, partial(_entry, item, name, _plan_of_item(item, names))))
        else:
            plans.append((False, _plan_of_item(item, names)))

    def list_of(filling: _Filling) -> list[Any]:
        filled: list[Any] = []
        for may_be_many, plan in plans:
            part = plan(filling)
            if may_be_many:
                filled += part
            elif not (isinstance(part, DECLARATIONS) and not part.names):
                filled.append(part)
        return filled

    return list_of


def _plan_of_item(item: Any, names: Collection[str]) -> Plan:
    if isinstance(item, gast.AST):
        return _plan(item, names)
    return partial(_identifier, item) if item in names else lambda _: item


def _entry(item: Any, name: str, plan: Plan, filling: _Filling) -> list[Any]:
    """What stands in a list in the place of a placeholder that is alone there."""
    value = filling.values[name]
    if isinstance(value, list):
        if isinstance(item, gast.Name):
            return [filling.in_place_of(item, each) for each in value]
        return [each if isinstance(each, str) else filling.own(each) for each in value]
    return [filling.own(value)] if isinstance(value, gast.stmt) else [plan(filling)]


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
