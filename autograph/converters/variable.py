"""Variables that may have no value: reads ask first, and `del` leaves `Undefined` behind.

>>> from autograph.converters.picture import show
>>> show('''
... y = x + z
... del y
... ''', Variable)
y = ag__.ld(x) + ag__.ld(z)
ag__.ld(y)
y = ag__.Undefined('y')

A local variable that a block uses before it surely has a value starts as `Undefined`, at the top of its
function: a block is a function, and what it rebinds has to exist.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeAlias

from autograph.converters.base import Context, Converter, Replacement, Walk
from autograph.source.edit import COMPREHENSION_FRAMES, COMPREHENSIONS
from autograph.source.nodes import walk as nodes_in
from autograph.source.origin import stamp
from autograph.source.template import Expression, Statements, literal
from autograph.staging.heap import ld
from autograph.staging.operators import unbound_operator
from autograph.staging.state import Undefined

__all__ = ["Variable", "ld_outer", "ldu", "may_be_undefined_outside"]

Handled: TypeAlias = "ast.Name | ast.Delete | ast.AnnAssign | ast.FunctionDef | ast.Try | ast.TryStar"


class Variable(Converter[Handled]):
    """Reads, deletions, and the first values."""

    handles = (
        ast.Name,
        ast.Delete,
        ast.AnnAssign,
        ast.FunctionDef,
        ast.Try,
        ast.TryStar,
    )
    enters_left = True
    read = Expression("ag__.ld(variable)")
    read_outer = Expression("ag__.ld_outer(variable)")
    delete = Statements("""
        ag__.ld(variable)
        variable = ag__.Undefined(name)
    """)
    delete_outer = Statements("""
        ag__.ld_outer(variable)
        variable = ag__.Undefined(name)
    """)
    start = Statements("variable = ag__.Undefined(name)")
    handler = Statements("""
        variable = caught
        try:
            body
        finally:
            variable = ag__.Undefined(name)
    """)

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        has_comprehensions = any(map(context.nodes.get, COMPREHENSIONS))
        self._has_scopes = len(context.frames) > 1 or has_comprehensions or bool(context.outer)

    def convert(self, node: Handled) -> Replacement:
        """Functions and classes that are left to Python only get their reads converted."""
        match node:
            case ast.Name():
                return self._name(node)
            case ast.FunctionDef():
                return self._function(node)
            case ast.Delete():
                return self._deleted(node)
            case _ if self.walk.is_left:
                return node
            case ast.Try() | ast.TryStar():
                return self._tried(node)
        return self._annotated(node)

    def _name(self, node: ast.Name) -> ast.expr:
        if node.ctx.__class__ is not ast.Load or node.id not in self.context.user_names:
            return node
        if not self._has_scopes:
            return self.read.fill(variable=node)
        if self._bound_by_comprehension(node.id):
            return node
        outside = may_be_undefined_outside(self.context, self.walk, node.id)
        readers = self.context.frame_readers
        for scope in self.walk.scopes if readers else ():
            if scope in readers and (not outside or node.id in readers[scope]):
                return node  # for `ag__` would be one more variable to be listed
        return (self.read_outer if outside else self.read).fill(variable=node)

    def _bound_by_comprehension(self, name: str) -> bool:
        """Whether a comprehension around the node has a variable of this name, which always has a value."""
        return any(
            isinstance(target, ast.Name) and target.id == name and isinstance(target.ctx, ast.Store)
            for scope in self.walk.scopes
            if isinstance(scope, COMPREHENSIONS)
            for generator in scope.generators
            for target in nodes_in(generator.target)
        )

    def _deleted(self, node: ast.Delete) -> Replacement:
        """Variables of converted functions: a name of the module, or of what is left to Python, has to go."""
        statements: list[ast.stmt] = []
        for target in node.targets:
            name = target.id if isinstance(target, ast.Name) else ""
            if name in self.frame.locals and not self.walk.is_left:
                statements += self.delete.fill(variable=name, name=literal(name))
            elif may_be_undefined_outside(self.context, self.walk, name):
                statements += self.delete_outer.fill(variable=name, name=literal(name))
            else:
                statements.append(ast.Delete([target]))
        return statements

    def _tried(self, node: ast.Try | ast.TryStar) -> Replacement:
        """A handler deletes the name of its exception. Where a block may read it later, we do that."""
        inside = [scope for scope in self.walk.scopes if isinstance(scope, ast.FunctionDef)]
        undefined = self.context.undefined.get(self.function, set())
        for handler in node.handlers:
            name = handler.name or ""
            if name not in self.context.after_handlers or name not in self.frame.locals:
                continue
            if name in undefined or inside[-1] not in self.context.frames:
                caught = self.context.shared("caught_")
                handler.name = caught
                handler.body = self.handler.fill(
                    variable=name, caught=caught, body=handler.body, name=literal(name)
                )
                stamp(handler.body, handler)
        return node

    def _annotated(self, node: ast.AnnAssign) -> Replacement:
        """In a block `x: int = 3` loses the annotation: Python has none for a nonlocal variable."""
        inside = [scope for scope in self.walk.scopes if isinstance(scope, ast.FunctionDef)]
        if not isinstance(node.target, ast.Name) or inside[-1] in self.context.frames:
            return node
        return ast.Pass() if node.value is None else ast.Assign([node.target], node.value, None)

    def _function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        names = sorted(self.context.undefined.get(node, ()))
        if names:
            starts = [s for name in names for s in self.start.fill(variable=name, name=literal(name))]
            stamp(starts, node)
            scope = node.body[-1]
            body = scope.body if isinstance(scope, ast.With) else node.body
            body[:0] = starts
        return node


def may_be_undefined_outside(context: Context, walk: Walk, name: str) -> bool:
    """Whether it is the variable of a function around the innermost one, and may be `Undefined` there."""
    wanted, frames = name, context.frames
    outside = within = False
    for scope in reversed(walk.scopes):
        if scope in frames:
            # What a class body binds is not seen by the functions and comprehensions in it.
            hidden = within and isinstance(scope, ast.ClassDef)
            if wanted in frames[scope].locals and not hidden:
                starts = name in context.undefined.get(scope, ())
                is_deleted = wanted in frames[scope].deleted or wanted in context.deleted_inside
                return outside and scope not in context.left and (starts or is_deleted)
            outside = True
        elif isinstance(scope, COMPREHENSION_FRAMES):
            outside = True
        within = True
    return name in context.outer


@unbound_operator
def ld_outer(value: Any) -> Any:
    """The value of a variable of a function around the one that reads it."""
    return value.read_from_inner_function() if issubclass(type(value), Undefined) else ld(value)


@unbound_operator
def ldu(read: Callable[[], Any], name: str) -> Any:
    """The value of a variable, attribute or item; `Undefined` when it has none."""
    try:
        return read()
    except (NameError, AttributeError, LookupError):
        return Undefined(name)
