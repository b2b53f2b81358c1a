"""Attributes, globals and variables of functions around: announced before they are bound again.

>>> from autograph.converters.picture import show
>>> show('''
... self.total = x
... self.count += 1
... ''', Announce)
ag__.announce_attribute(lambda: self, 'total', 'self.total')
self.total = x
ag__.announce_augmented(lambda: self, 'count', 'self.count')
self.count += 1
>>> show("nodes[i].seen += 1", Announce)
owner_ = nodes[i]
ag__.announce_augmented(lambda: owner_, 'seen', 'nodes[i].seen')
owner_.seen += 1
>>> show("del self.total", Announce)
ag__.announce_deleted(lambda: self, 'total', 'self.total')
del self.total
>>> show('''
... def step():
...     nonlocal n
...     n += 1
... ''', Announce)
def step():
    nonlocal n
    ag__.announce_variable('n', lambda: n)
    n += 1

A backend that records a branch or a loop listens: what is bound again there is part of its state, wherever
that happens, in a method or in any other function that is called. Otherwise nothing is done.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, TypeAlias

from autograph.converters.base import Context, Converter, Kinds, Replacement
from autograph.source.names import is_private
from autograph.source.template import Statements, literal
from autograph.source.unparse import unparse
from autograph.staging import announcing, notes
from autograph.staging.attributes import dict_of, in_classes
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator, unbound_operator
from autograph.staging.places import Attribute, Cell, Item
from autograph.staging.state import require_value

__all__ = [
    "Announce",
    "announce_attribute",
    "announce_augmented",
    "announce_call",
    "announce_deleted",
    "announce_global",
    "announce_variable",
    "note_attribute",
    "note_deleted_attribute",
]

Handled: TypeAlias = "ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete | ast.FunctionDef | ast.With"


class Announce(Converter[Handled]):
    """Assignments to attributes, and declarations.

    The owner of an attribute that is no name, or dotted name, is looked up once, before the announcement, and
    what is assigned before that, as in Python.
    """

    handles = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete, ast.FunctionDef, ast.With)
    attribute = Statements("ag__.announce_attribute(lambda: owner, attribute, name)")
    augmented = Statements("ag__.announce_augmented(lambda: owner, attribute, name)")
    deleted = Statements("ag__.announce_deleted(lambda: owner, attribute, name)")
    variable = Statements("ag__.announce_variable(name, lambda: variable)")
    global_ = Statements("ag__.announce_global(name, lambda: variable)")
    keep = Statements("variable = value")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where the function binds an attribute, or a variable of another frame."""
        binds = any(not isinstance(node.ctx, ast.Load) for node in context.nodes.get(ast.Attribute, ()))
        declares = ast.Global in context.nodes or ast.Nonlocal in context.nodes
        return cls.handles if binds or declares else ()

    def convert(self, node: Handled) -> Replacement:
        """The announcements, and the node."""
        if isinstance(node, ast.FunctionDef):
            return self._function(node)
        announced, written = self._looked_up(node)
        announcement = self.deleted if isinstance(node, ast.Delete) else self.attribute
        if isinstance(node, ast.AugAssign):
            announcement = self.augmented
        for target in _attributes(node):
            announced += announcement.fill(
                owner=copy.deepcopy(target.value),
                attribute=literal(target.attr),
                name=literal(written or unparse(target)),
            )
        return [*announced, node] if announced else node

    def _looked_up(self, node: Handled) -> tuple[list[Any], str]:
        """Statements that put the owner of the one attribute that is assigned into a variable.

        With the target as the user wrote it. An operator in place reads and writes an attribute of one owner.
        """
        match node:
            case ast.Assign(targets=[ast.Attribute(value=owner) as target]) if not _is_dotted(owner):
                written = unparse(target)
                before = self._kept(node.value, "value_")
                node.value = ast.Name(before[0].targets[0].id, ast.Load())
            case ast.AugAssign(target=ast.Attribute(value=owner) as target) if type(owner) is not ast.Name:
                written, before = unparse(target), []
            case ast.Delete(targets=[ast.Attribute(value=owner) as target]) if not _is_dotted(owner):
                written, before = unparse(target), []
            case _:
                return [], ""
        before += self._kept(owner, "owner_")
        target.value = ast.Name(before[-1].targets[0].id, ast.Load())
        return before, written

    def _kept(self, value: ast.expr, root: str) -> list[Any]:
        return self.keep.fill(variable=self.context.variable(root), value=value)

    def _function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """What the user's function declares may be bound again from its first statement on."""
        frame = self.context.frames.get(node)
        if frame is None or not (frame.nonlocals or frame.globals):
            return node
        announced: list[ast.stmt] = []
        for name in sorted(frame.nonlocals):
            announced += self.variable.fill(name=literal(name), variable=name)
        for name in sorted(frame.globals):
            announced += self.global_.fill(name=literal(name), variable=name)
        self.context.finished.update(announced)
        scope = node.body[-1]
        if node in self.context.scope_names and isinstance(scope, ast.With):
            scope.body[:0] = announced
        else:
            declarations = sum(isinstance(each, ast.Global | ast.Nonlocal) for each in node.body)
            node.body[declarations:declarations] = announced
        return node


def _attributes(node: Handled) -> Iterator[ast.Attribute]:
    """The attributes that a statement binds or deletes, and whose owner is a name or a dotted name."""
    pending: list[ast.expr]
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            pending = list(targets)
        case ast.AugAssign(target=bound) | ast.AnnAssign(target=bound, value=ast.AST()):
            pending = [bound]
        case ast.With(items=items):
            pending = [item.optional_vars for item in items if item.optional_vars is not None]
        case _:
            pending = []
    while pending:
        target = pending.pop(0)
        if isinstance(target, ast.Tuple | ast.List):
            pending[:0] = target.elts
        elif isinstance(target, ast.Starred):
            pending.insert(0, target.value)
        elif isinstance(target, ast.Attribute) and _is_dotted(target.value):
            yield target


def _is_dotted(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


@operator
def announce_attribute(backends: Backends, read: Callable[[], Any], attribute: str, name: str) -> None:
    """`read().attribute` is about to be bound again; the owner is asked for only where somebody listens."""
    if notes.listening():
        note_attribute(_settable(backends, read(), attribute), attribute, name)


@operator
def announce_augmented(backends: Backends, read: Callable[[], Any], attribute: str, name: str) -> None:
    """As `announce_attribute`, of an attribute that is read first: what has none says that."""
    if notes.listening():
        note_attribute(_settable(backends, read(), attribute, is_read=True), attribute, name)


@operator
def announce_deleted(backends: Backends, read: Callable[[], Any], attribute: str, name: str) -> None:
    """`del read().attribute` comes next, which raises where the attribute has no value."""
    if notes.listening():
        owner = _settable(backends, read(), attribute)
        if staging.own_on_paths:
            backends.staging_now().require_own(owner, attribute)
        note_deleted_attribute(owner, attribute, name)


def announce_call(backends: Backends, callee: Any, owner: Any, attribute: Any) -> None:
    """`setattr(owner, attribute, value)` comes next, or `delattr(owner, attribute)`."""
    if not isinstance(attribute, str):
        return  # Python says so
    _settable(backends, owner, attribute)
    if callee is delattr and staging.own_on_paths:
        backends.staging_now().require_own(owner, attribute)
    _note_own(owner, attribute, attribute)
    if callee is delattr:
        require_value(Attribute(owner, attribute, attribute).get())


def _settable(backends: Backends, owner: Any, attribute: str, *, is_read: bool = False) -> Any:
    """An object that lets an attribute be set or deleted, as far as a backend knows of it."""
    if backends.owned[type(owner)]:
        backends.staging_now().require_settable(owner, attribute, is_read=is_read)
    return owner


def note_attribute(owner: Any, attribute: str, name: str) -> None:
    """Announces that an attribute is about to be bound again, to whoever listens."""
    if notes.listening():
        _note_own(owner, _own_name(owner, attribute), name)


def _note_own(owner: Any, attribute: str, name: str) -> None:
    """Announces a change of what an owner has under this very name."""
    notes.note(Attribute(owner, attribute, name))
    if isinstance(owner, dict) and type(owner).__setattr__ is not object.__setattr__:
        notes.note(Item(owner, attribute, name))  # a dict whose items are read and set as attributes
    if _runs_code(owner, attribute):
        announcing.note_inside(owner)


def note_deleted_attribute(owner: Any, attribute: str, name: str) -> None:
    """Announces that an attribute is about to be deleted, which raises where it has no value."""
    if notes.listening():
        note_attribute(owner, attribute, name)
        require_value(Attribute(owner, _own_name(owner, attribute), name).get())


def _runs_code(owner: Any, attribute: str) -> bool:
    """Whether the assignment is a method of the user's: a property, or `__setattr__`."""
    kind = type(owner)
    descriptor = in_classes(kind, attribute)
    return isinstance(descriptor, property) or isinstance(kind.__setattr__, FunctionType)


def _own_name(owner: Any, attribute: str) -> str:
    """What an attribute is called in the instance: in front of a private name is the class that has it."""
    if not is_private(attribute):
        return attribute
    names = [f"_{kind.__name__.lstrip('_')}{attribute}" for kind in type(owner).__mro__]
    own = dict_of(owner, {})
    return next((name for name in names if name in own), names[0])


@unbound_operator
def announce_variable(name: str, read: Callable[[], Any]) -> None:
    """A variable of a function around is about to be bound again; `read` holds it in its closure."""
    if notes.listening():
        cells = dict(zip(read.__code__.co_freevars, read.__closure__ or (), strict=True))
        notes.note(Cell(cells[name], name))


@unbound_operator
def announce_global(name: str, read: Callable[[], Any]) -> None:
    """A variable of a module is about to be bound again; `read` is a function of that module."""
    if notes.listening():
        notes.note(Item(read.__globals__, name, name, NameError))
