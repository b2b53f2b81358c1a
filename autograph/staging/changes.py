"""Which arguments a closed function may change: a points-to analysis of its text, and of what it calls.

Every object that the code may get hold of belongs to a *region*: one for each parameter of the function that
is asked about, one for all that lies outside of it, one for each place that makes a list, a dict, a set. What
a container holds is in the region of its content. Where a value may be two things, their regions become one
(Steensgaard's analysis: statements may come in any order, and each is looked at once). A statement that
changes an object marks its region. What is not marked in the end is changed by no run.

That holds under what `closed.py` has seen before it asks: arguments, and containers outside, hold numbers,
text and containers of Python's own; no class of the user's is reached, and no attribute is set. So operators
do what they do on these, and a method is told by its name. Whatever is not known here is a doubt, and a doubt
means that everything may be changed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from types import CellType, FunctionType
from typing import Any

from autograph.errors import SourceNotFound
from autograph.source.nodes import children, parameters, walk
from autograph.source.parse import find
from autograph.staging.points_to import OF_NUMBERS, Doubt, Expressions, Function, Scope, is_number
from autograph.staging.regions import (
    CONTAINERS_OF_PYTHON,
    NUMBERS_AND_TEXT,
    Region,
    Value,
    change,
    content_of,
    holding,
    join,
    join_content,
    may_run_later,
    root,
)
from autograph_base.named_tuple import NamedTuple

__all__ = ["Changes", "changes_of"]

_MOST_NODES = 4000
"""Nodes of syntax trees that are looked at for one function."""


class Changes(NamedTuple):
    """What a call may change of what was there before it.

    Attributes
    ----------
    arguments : tuple of int
        The places of positional parameters whose argument may change.
    items : tuple of int
        Those where only what is in the argument may.
    outside : bool
        Whether what is reached by name may change.
    is_plain : bool
        Whether what the call gives is numbers, text, and containers of these: nothing that runs later.
    """

    arguments: tuple[int, ...]
    items: tuple[int, ...]
    outside: bool
    is_plain: bool

    @property
    def changes_any(self) -> bool:
        """Whether it may change any of all this."""
        return bool(self.arguments or self.items or self.outside)


def changes_of(
    functions: Sequence[FunctionType],
    names: Iterable[tuple[dict[str, Any], str, Any]],
    cells: Iterable[tuple[CellType, Any]],
) -> Changes | None:
    """What a call of a closed function may change; None where that is not known.

    Parameters
    ----------
    functions : sequence of function
        The function, and behind it those that it may call. No class of the user's is among what it reaches.
    names : iterable of (dict, str, object)
        What the names in their code mean.
    cells : iterable of (cell, object)
        What the variables of functions around hold.
    """
    try:
        return _Analysis(functions, names, cells).of(functions[0])
    except (Doubt, SourceNotFound, RecursionError):
        return None


class _Analysis(Expressions):
    """One analysis, of a function and all that it calls."""

    def __init__(
        self,
        functions: Iterable[FunctionType],
        names: Iterable[tuple[dict[str, Any], str, Any]],
        cells: Iterable[tuple[CellType, Any]],
    ) -> None:
        super().__init__(names, cells)
        self._functions: dict[FunctionType, Function] = {}
        self._closed = {*functions}
        self._left = _MOST_NODES

    def of(self, function: FunctionType) -> Changes:
        """What a call of a function may change."""
        asked = self.function_of(function)
        given = [*asked.parameters.values()]
        for region in given:
            join(content_of(region), content_of(content_of(region)))  # all that is in it, however deep
        if any(root(each).is_class for each in self.owners):
            raise Doubt
        arguments = [place for place, region in enumerate(given) if root(region).is_changed]
        items = [
            place
            for place, region in enumerate(given)
            if content_of(region).is_changed and place not in arguments
        ]
        outside = root(self.outside).is_changed
        if max((-1, *arguments, *items)) >= function.__code__.co_argcount:  # of a star, or a keyword
            raise Doubt
        is_plain = not any(map(may_run_later, (asked.result, self.outside, *given)))
        return Changes(tuple(arguments), tuple(items), outside, is_plain)

    # ── functions ──

    def function_of(self, function: FunctionType) -> Function:
        """A function outside, looked at once."""
        known = self._functions.get(function)
        if known is None:
            if function not in self._closed:
                raise Doubt
            known = Function(find(function).definition, Scope(function, None))
            self._functions[function] = known
            self._look_at(known)
            for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
                if type(default) in CONTAINERS_OF_PYTHON:
                    for region in known.parameters.values():
                        join(region, self.outside)
                elif type(default) not in NUMBERS_AND_TEXT:
                    raise Doubt
        return known

    def _look_at(self, function: Function) -> None:
        """Looks at what runs when a function is called."""
        function.is_known = True
        definition, scope = function.definition, function.scope
        for each in parameters(definition.args):
            function.parameters[each.arg] = region = Region()
            scope.names[each.arg] = region
        body: Sequence[ast.AST]
        body = [definition.body] if isinstance(definition, ast.Lambda) else definition.body
        self._bind_names(scope, body)
        outer, self.function, depth, self.depth = self.function, function, self.depth, 0
        if isinstance(definition, ast.Lambda):
            join(function.result, self.value(definition.body, scope))
        else:
            self._statements(definition.body, scope)
        self.function, self.depth = outer, depth
        if function.is_generator:
            root(function.result).runs_later = True

    def _bind_names(self, scope: Scope, body: Sequence[ast.AST]) -> None:
        """Gives the variables of a function regions; those that functions in it mean are known for it."""
        elsewhere: set[str] = set()
        captured: set[str] = set()
        defined: set[str] = set()
        pending = [*body]
        while pending:
            node = pending.pop()
            self._left -= 1
            if self._left < 0:
                raise Doubt
            match node:
                case ast.Name(name, ast.Store()) | ast.ExceptHandler(name=str(name)):
                    scope.names.setdefault(name, Region())
                case ast.FunctionDef(name):
                    if name in defined or node.decorator_list:
                        raise Doubt
                    defined.add(name)
                    captured |= _names_in(node)
                    pending += [*node.args.defaults, *filter(None, node.args.kw_defaults)]
                    continue
                case ast.Nonlocal(names):
                    elsewhere.update(names)
                case ast.Lambda():
                    captured |= _names_in(node)
                    pending += [*node.args.defaults, *filter(None, node.args.kw_defaults)]
                    continue
                case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                    inside = [*walk(node)]
                    if any(isinstance(each, ast.NamedExpr | ast.Lambda) for each in inside):
                        raise Doubt
                    if isinstance(node, ast.GeneratorExp):
                        captured |= _names_in(node)
                    self._left -= len(inside)
                    continue
            pending += children(node)
        for name in elsewhere:
            scope.names.pop(name, None)
        if defined & scope.names.keys() or defined & elsewhere:
            raise Doubt
        scope.is_captured = frozenset(captured | elsewhere)
        for node in walk(body) if defined else ():
            if isinstance(node, ast.FunctionDef) and node.name in defined and node.name not in scope.names:
                scope.names[node.name] = Function(node, Scope(scope.home, scope))

    def call_of(self, function: Function, given: Sequence[Value], named: Mapping[str, Value]) -> Value:
        """A call of a function whose text is known."""
        if not function.is_known:
            self.look_at_nested(function)
        arguments = function.definition.args
        positional = _positional(arguments)
        for place, value in enumerate(given):
            if place < len(positional):
                join(function.parameters[positional[place]], value)
            elif arguments.vararg is not None:
                join(content_of(function.parameters[arguments.vararg.arg]), value)
        for name, value in named.items():
            if name in function.parameters:
                join(function.parameters[name], value)
            elif arguments.kwarg is not None:
                join(content_of(function.parameters[arguments.kwarg.arg]), value)
        return function.result

    def look_at_nested(self, function: Function) -> None:
        """Looks at a function inside of another one when it is first called."""
        around = function.scope.around
        assert around is not None
        arguments = function.definition.args
        self._look_at(function)
        positional = _positional(arguments)
        for name, default in zip(reversed(positional), reversed(arguments.defaults), strict=False):
            join(function.parameters[name], self.value(default, around))
        for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if value is not None:
                join(function.parameters[each.arg], self.value(value, around))

    # ── statements ──

    def _statements(self, body: Iterable[ast.stmt], scope: Scope) -> None:
        for each in body:
            self._statement(each, scope)

    def _block(self, body: Iterable[ast.stmt], scope: Scope) -> None:
        """Statements that may run never, or many times."""
        self.depth += 1
        self._statements(body, scope)
        self.depth -= 1

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.Expr(value):
                self.value(value, scope, is_used=False)
            case ast.Assign(targets, value):
                if len(targets) == 1 and self._is_pairwise(targets[0], value):
                    values = [self.value(each, scope) for each in value.elts]  # type: ignore[attr-defined]  # a display
                    for target, its in zip(targets[0].elts, values, strict=True):  # type: ignore[attr-defined]  # likewise
                        self.bind(target, its, scope)
                else:
                    given = self.value(value, scope)
                    for target in targets:
                        self.bind(target, given, scope)
            case ast.AnnAssign(target, _, value):
                if value is not None:
                    self.bind(target, self.value(value, scope), scope)
            case ast.AugAssign(target, op, value):
                self._in_place(target, op, value, scope)
            case ast.For(target, items, body, orelse):
                held = content_of(self.value(items, scope))
                self.depth += 1
                self.bind(target, held, scope)
                self.depth -= 1
                self._block((*body, *orelse), scope)
            case ast.While(test, body, orelse) | ast.If(test, body, orelse):
                self.value(test, scope)
                self._block((*body, *orelse), scope)
            case ast.Return(value):
                if value is not None and self.function is not None:
                    join(self.function.result, self.value(value, scope))
            case ast.Assert(test, message):
                self.value(test, scope)
                self.optional(message, scope)
            case ast.Raise(error, cause):
                self.optional(error, scope)
                self.optional(cause, scope)
            case ast.Try(body, handlers, orelse, finalbody):
                for handler in handlers:
                    self.optional(handler.type, scope)
                    if handler.name:
                        join(self._variable(handler.name, scope), Region(runs_later=True))
                parts = (body, *(handler.body for handler in handlers), orelse, finalbody)
                self._block([each for part in parts for each in part], scope)
            case ast.Delete(targets):
                for target in targets:
                    self.bind(target, None, scope)
            case ast.Pass() | ast.Break() | ast.Continue() | ast.Nonlocal() | ast.FunctionDef():
                pass
            case _:
                raise Doubt

    @staticmethod
    def _is_pairwise(target: ast.expr, value: ast.expr) -> bool:
        """Whether items of a display go to one target each: `a, b = b, a`."""
        if not (isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List)):
            return False
        parts = (*target.elts, *value.elts)
        return len(target.elts) == len(value.elts) and not any(isinstance(e, ast.Starred) for e in parts)

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """What a target gets, or loses."""
        match target:
            case ast.Name(name):
                held = self._variable(name, scope)
                if not self.depth and name in scope.names and name not in scope.is_captured:
                    scope.names[name] = held = Region()  # nobody reads the old value behind this statement
                join(held, value)
            case ast.Subscript(owner, index):
                changed = self.value(owner, scope)
                change(changed)
                if isinstance(index, ast.Slice):
                    self.value(index, scope)
                    value = content_of(value)
                else:
                    join_content(changed, self.value(index, scope))
                join_content(changed, value)
            case ast.Tuple(targets) | ast.List(targets):
                for each in targets:
                    self.bind(each, content_of(value), scope)
            case ast.Starred(each):
                self.bind(each, holding(content_of(value)), scope)
            case _:
                raise Doubt

    def _in_place(self, target: ast.expr, op: ast.operator, value: ast.expr, scope: Scope) -> None:
        """`target op= value`: a container changes, anything else is a new value."""
        by = self.value(value, scope)
        held: Value
        if isinstance(target, ast.Name):
            held = self._variable(target.id, scope)
        elif isinstance(target, ast.Subscript):
            owner = self.value(target.value, scope)
            self.value(target.slice, scope)
            change(owner)
            held = owner if isinstance(target.slice, ast.Slice) else content_of(owner)
        else:
            raise Doubt
        changes = isinstance(op, ast.Mult) or not is_number(value)
        if changes and not isinstance(op, OF_NUMBERS):
            change(held)
        join_content(held, content_of(by))

    def _variable(self, name: str, scope: Scope) -> Region:
        """The region of a variable that a statement binds."""
        found = self.named(name, scope)
        if not isinstance(found, Region):
            raise Doubt
        return found


def _names_in(node: ast.AST) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name)}


def _positional(arguments: ast.arguments) -> list[str]:
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
