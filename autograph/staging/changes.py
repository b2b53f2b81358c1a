"""Which arguments a closed function may change: a points-to analysis of its text, and of what it calls.

Every object that the code may get hold of belongs to a *region*: one for each parameter of the function that
is asked about, one for all that lies outside of it, one for each place that makes a list, a dict, a set. What
a container holds is in the region of its content. Where a value may be two things, their regions become one
(Steensgaard's analysis: statements may come in any order, and each is looked at once). A statement that
changes an object marks its region. What is not marked in the end is changed by no run.

That holds under what `closed.py` has seen before it asks: arguments, and containers outside, hold numbers,
text and containers of Python's own; no class of the user's is reached, and no attribute is set. So operators do
what they do on these, and a method is told by its name. Whatever this file does not know is a doubt, and a doubt
means that everything may be changed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from types import CellType, FunctionType, ModuleType
from typing import Any, NamedTuple

from autograph.errors import SourceNotFound
from autograph.source.nodes import children, parameters, walk
from autograph.source.parse import Definition, find
from autograph.staging.regions import (
    AT_ONCE,
    CALL_FIRST,
    CONTAINERS_OF_PYTHON,
    GIVE_TEXT,
    HASHABLE,
    KNOWN,
    METHODS,
    NUMBERS,
    NUMBERS_AND_TEXT,
    Region,
    Value,
    change,
    content_of,
    copied,
    either,
    element,
    holding,
    join,
    join_content,
    may_run_later,
    mixture,
    only_reads,
    root,
)

__all__ = ["ABSENT", "Changes", "changes_of"]

ABSENT = object()
"""What a name means in a module that does not have it."""

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
    changes_any : bool
        Whether it may change any of all this.
    """

    arguments: tuple[int, ...]
    items: tuple[int, ...]
    outside: bool
    is_plain: bool
    changes_any: bool


class _Doubt(Exception):  # a signal, never seen outside
    """Something of which nothing is known."""


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
    except (_Doubt, SourceNotFound, RecursionError):
        return None


class _Function:
    """A function whose text is looked at: the regions of its parameters, and of what it gives."""

    __slots__ = ("definition", "is_generator", "is_known", "parameters", "result", "scope")

    def __init__(self, definition: Definition, scope: _Scope) -> None:
        self.definition = definition
        self.scope = scope
        self.parameters: dict[str, Region] = {}
        self.is_generator = False
        self.is_known = False
        """Whether somebody looks at its body, or has done so."""
        self.result = Region()


class _Scope:
    """The names of a function or comprehension, what they stand for, and the scope around it."""

    __slots__ = ("around", "home", "is_captured", "names")

    def __init__(self, home: FunctionType, around: _Scope | None) -> None:
        self.home = home
        self.around = around
        self.names: dict[str, Region | _Function] = {}
        self.is_captured: frozenset[str] = frozenset()
        """Variables that functions inside read when they run, whatever has been assigned by then."""


class _Analysis:
    """One analysis, of a function and all that it calls."""

    def __init__(
        self,
        functions: Iterable[FunctionType],
        names: Iterable[tuple[dict[str, Any], str, Any]],
        cells: Iterable[tuple[CellType, Any]],
    ) -> None:
        self._meant = {(id(namespace), name): value for namespace, name, value in names}
        self._meant_by = {id(cell): value for cell, value in cells}
        self._functions: dict[FunctionType, _Function] = {}
        self._closed = {*functions}
        self._outside = Region()
        self._outside.content = self._outside
        self._owners: list[Region] = []
        """Of whatever a method is called."""
        self._left = _MOST_NODES
        self._function: _Function | None = None
        self._depth = 0

    def of(self, function: FunctionType) -> Changes:
        asked = self._of_function(function)
        if any(root(each).is_class for each in self._owners):
            raise _Doubt
        arguments, items = [], []
        for place, region in enumerate(asked.parameters.values()):
            join(content_of(region), content_of(content_of(region)))  # all that is in it, however deep
            if root(region).is_changed or content_of(region).is_changed:
                if place >= function.__code__.co_argcount:  # those of a star, and of keywords
                    raise _Doubt
                (arguments if root(region).is_changed else items).append(place)
        is_plain = not any(map(may_run_later, (asked.result, self._outside, *asked.parameters.values())))
        outside = root(self._outside).is_changed
        return Changes(tuple(arguments), tuple(items), outside, is_plain, bool(arguments or items or outside))

    # ── functions ──

    def _of_function(self, function: FunctionType) -> _Function:
        """A function outside, looked at once."""
        known = self._functions.get(function)
        if known is None:
            if function not in self._closed:
                raise _Doubt
            known = _Function(find(function).definition, _Scope(function, None))
            self._functions[function] = known
            self._look_at(known)
            for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
                if type(default) in CONTAINERS_OF_PYTHON:
                    for region in known.parameters.values():
                        join(region, self._outside)
                elif type(default) not in NUMBERS_AND_TEXT:
                    raise _Doubt
        return known

    def _look_at(self, function: _Function) -> None:
        """Looks at what runs when a function is called."""
        function.is_known = True
        definition, scope = function.definition, function.scope
        for each in parameters(definition.args):
            function.parameters[each.arg] = region = Region()
            scope.names[each.arg] = region
        body: Sequence[ast.AST]
        body = [definition.body] if isinstance(definition, ast.Lambda) else definition.body
        self._bind_names(scope, body)
        outer, self._function, depth, self._depth = self._function, function, self._depth, 0
        if isinstance(definition, ast.Lambda):
            join(function.result, self._value(definition.body, scope))
        else:
            self._statements(definition.body, scope)
        self._function, self._depth = outer, depth
        if function.is_generator:
            root(function.result).runs_later = True

    def _bind_names(self, scope: _Scope, body: Sequence[ast.AST]) -> None:
        """Gives the variables of a function regions; those that functions in it mean are known for it."""
        elsewhere: set[str] = set()
        captured: set[str] = set()
        defined: set[str] = set()
        pending = [*body]
        while pending:
            node = pending.pop()
            self._left -= 1
            if self._left < 0:
                raise _Doubt
            match node:
                case ast.Name(name, ast.Store()) | ast.ExceptHandler(name=str(name)):
                    scope.names.setdefault(name, Region())
                case ast.FunctionDef(name):
                    if name in defined or node.decorator_list:
                        raise _Doubt
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
                        raise _Doubt
                    if isinstance(node, ast.GeneratorExp):
                        captured |= _names_in(node)
                    self._left -= len(inside)
                    continue
            pending += children(node)
        for name in elsewhere:
            scope.names.pop(name, None)
        if defined & scope.names.keys() or defined & elsewhere:
            raise _Doubt
        scope.is_captured = frozenset(captured | elsewhere)
        for node in walk(body) if defined else ():
            if isinstance(node, ast.FunctionDef) and node.name in defined and node.name not in scope.names:
                scope.names[node.name] = _Function(node, _Scope(scope.home, scope))

    def _call_of(self, function: _Function, given: Sequence[Value], named: Mapping[str, Value]) -> Value:
        """A call of a function whose text is known."""
        if not function.is_known:
            self._look_at_nested(function)
        arguments = function.definition.args
        positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
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

    def _look_at_nested(self, function: _Function) -> None:
        """Looks at a function inside of another one when it is first called."""
        around = function.scope.around
        assert around is not None
        arguments = function.definition.args
        self._look_at(function)
        positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        for name, default in zip(reversed(positional), reversed(arguments.defaults), strict=False):
            join(function.parameters[name], self._value(default, around))
        for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if value is not None:
                join(function.parameters[each.arg], self._value(value, around))

    # ── statements ──

    def _statements(self, body: Iterable[ast.stmt], scope: _Scope) -> None:
        for each in body:
            self._statement(each, scope)

    def _block(self, body: Iterable[ast.stmt], scope: _Scope) -> None:
        """Statements that may run never, or many times."""
        self._depth += 1
        self._statements(body, scope)
        self._depth -= 1

    def _statement(self, node: ast.stmt, scope: _Scope) -> None:
        match node:
            case ast.Expr(value):
                self._value(value, scope, is_used=False)
            case ast.Assign(targets, value):
                if len(targets) == 1 and self._is_pairwise(targets[0], value):
                    values = [self._value(each, scope) for each in value.elts]  # type: ignore[attr-defined]  # a display
                    for target, its in zip(targets[0].elts, values, strict=True):  # type: ignore[attr-defined]  # likewise
                        self._bind(target, its, scope)
                else:
                    given = self._value(value, scope)
                    for target in targets:
                        self._bind(target, given, scope)
            case ast.AnnAssign(target, _, value):
                if value is not None:
                    self._bind(target, self._value(value, scope), scope)
            case ast.AugAssign(target, op, value):
                self._in_place(target, op, value, scope)
            case ast.For(target, items, body, orelse):
                held = content_of(self._value(items, scope))
                self._depth += 1
                self._bind(target, held, scope)
                self._depth -= 1
                self._block((*body, *orelse), scope)
            case ast.While(test, body, orelse) | ast.If(test, body, orelse):
                self._value(test, scope)
                self._block((*body, *orelse), scope)
            case ast.Return(value):
                if value is not None and self._function is not None:
                    join(self._function.result, self._value(value, scope))
            case ast.Assert(test, message):
                self._value(test, scope)
                self._optional(message, scope)
            case ast.Raise(error, cause):
                self._optional(error, scope)
                self._optional(cause, scope)
            case ast.Try(body, handlers, orelse, finalbody):
                for handler in handlers:
                    self._optional(handler.type, scope)
                    if handler.name:
                        join(_of(self._named(handler.name, scope)), Region(runs_later=True))
                parts = (body, *(handler.body for handler in handlers), orelse, finalbody)
                self._block([each for part in parts for each in part], scope)
            case ast.Delete(targets):
                for target in targets:
                    self._bind(target, None, scope)
            case ast.Pass() | ast.Break() | ast.Continue() | ast.Nonlocal() | ast.FunctionDef():
                pass
            case _:
                raise _Doubt

    @staticmethod
    def _is_pairwise(target: ast.expr, value: ast.expr) -> bool:
        """Whether items of a display go to one target each: `a, b = b, a`."""
        if not (isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List)):
            return False
        parts = (*target.elts, *value.elts)
        return len(target.elts) == len(value.elts) and not any(isinstance(e, ast.Starred) for e in parts)

    def _bind(self, target: ast.expr, value: Value, scope: _Scope) -> None:
        """What a target gets, or loses."""
        match target:
            case ast.Name(name):
                held = self._named(name, scope)
                if not isinstance(held, Region):
                    raise _Doubt
                if not self._depth and name in scope.names and name not in scope.is_captured:
                    scope.names[name] = held = Region()  # nobody reads the old value behind this statement
                join(held, value)
            case ast.Subscript(owner, index):
                changed = self._value(owner, scope)
                change(changed)
                if isinstance(index, ast.Slice):
                    self._value(index, scope)
                    value = content_of(value)
                else:
                    join_content(changed, self._value(index, scope))
                join_content(changed, value)
            case ast.Tuple(targets) | ast.List(targets):
                for each in targets:
                    self._bind(each, content_of(value), scope)
            case ast.Starred(each):
                self._bind(each, holding(content_of(value)), scope)
            case _:
                raise _Doubt

    def _in_place(self, target: ast.expr, op: ast.operator, value: ast.expr, scope: _Scope) -> None:
        """`target op= value`: a container changes, anything else is a new value."""
        by = self._value(value, scope)
        held: Value
        if isinstance(target, ast.Name):
            named = self._named(target.id, scope)
            if not isinstance(named, Region):
                raise _Doubt
            held = named
        elif isinstance(target, ast.Subscript):
            owner = self._value(target.value, scope)
            self._value(target.slice, scope)
            change(owner)
            held = owner if isinstance(target.slice, ast.Slice) else content_of(owner)
        else:
            raise _Doubt
        changes = isinstance(op, ast.Mult) or not _is_number(value)
        if changes and not isinstance(op, _NEVER_IN_PLACE):
            change(held)
        join_content(held, content_of(by))

    # ── expressions ──

    def _optional(self, node: ast.expr | None, scope: _Scope) -> None:
        if node is not None:
            self._value(node, scope)

    def _value(self, node: ast.expr, scope: _Scope, *, is_used: bool = True) -> Value:
        """The region of what an expression gives."""
        match node:
            case ast.Constant():
                return None
            case ast.Name(name):
                found = self._named(name, scope)
                return found if isinstance(found, Region) else self._thing(found)
            case ast.Subscript(owner, index):
                held = self._value(owner, scope)
                self._value(index, scope)
                return holding(content_of(held)) if isinstance(index, ast.Slice) else content_of(held)
            case ast.Call():
                return self._call(node, scope)
            case ast.BinOp(left, _, right):
                return self._computed([left, right], scope)
            case ast.UnaryOp(op, operand):
                value = self._computed([operand], scope)
                return None if isinstance(op, ast.Not) else value
            case ast.Compare(left, _, others):
                for each in (left, *others):
                    self._value(each, scope)
                return None
            case ast.BoolOp(_, values):
                return either([self._value(each, scope) for each in values])
            case ast.IfExp(test, body, orelse):
                self._value(test, scope)
                return either([self._value(body, scope), self._value(orelse, scope)])
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                return holding(*[self._item(each, scope) for each in items])
            case ast.Dict(keys, values):
                found = [self._value(key, scope) for key in keys if key is not None]
                held = [
                    self._value(value, scope) if key is not None else content_of(self._value(value, scope))
                    for key, value in zip(keys, values, strict=True)
                ]
                return holding(*found, *held)
            case ast.ListComp(item, loops) | ast.SetComp(item, loops) | ast.GeneratorExp(item, loops):
                inner = self._loops(loops, scope)
                made = holding(self._value(item, inner))
                made.runs_later = isinstance(node, ast.GeneratorExp)
                return made
            case ast.DictComp(key, value, loops):
                inner = self._loops(loops, scope)
                return holding(self._value(key, inner), self._value(value, inner))
            case ast.NamedExpr(target, value):
                given = self._value(value, scope)
                self._depth += 1
                self._bind(target, given, scope)
                self._depth -= 1
                return given
            case ast.Attribute(owner, name):
                module = self._module(owner, scope)
                if module is not None:
                    return self._thing(self._of_module(module, name))
                self._value(owner, scope)
                if name not in _PARTS_OF_NUMBERS:
                    raise _Doubt
                return None
            case ast.Slice(lower, upper, step):
                for part in (lower, upper, step):
                    self._optional(part, scope)
                return None
            case ast.JoinedStr(parts):
                for each in parts:
                    self._value(each, scope)
                return None
            case ast.FormattedValue(value, _, spec):
                self._value(value, scope)
                self._optional(spec, scope)
                return None
            case ast.Yield(value) if self._function is not None:
                self._function.is_generator = True
                given = None if value is None else self._value(value, scope)
                join(content_of(self._function.result), given)
                return None
            case ast.YieldFrom(value) if self._function is not None and not is_used:
                self._function.is_generator = True
                join(content_of(self._function.result), content_of(self._value(value, scope)))
                return None
            case _:
                raise _Doubt

    def _item(self, node: ast.expr, scope: _Scope) -> Value:
        if isinstance(node, ast.Starred):
            return content_of(self._value(node.value, scope))
        return self._value(node, scope)

    def _computed(self, operands: Sequence[ast.expr], scope: _Scope) -> Value:
        """What an operator gives: a number, a text, or a new container with what is in its operands."""
        values = [self._value(each, scope) for each in operands]
        return None if all(each is None for each in values) else holding(*map(content_of, values))

    def _loops(self, loops: Sequence[ast.comprehension], scope: _Scope) -> _Scope:
        """The scope of a comprehension, with what its variables stand for."""
        inner = _Scope(scope.home, scope)
        for loop in loops:
            if loop.is_async:
                raise _Doubt
            for node in walk(loop.target):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    inner.names[node.id] = Region()
        items = [self._value(loops[0].iter, scope)]
        self._depth += 1
        for place, loop in enumerate(loops):
            held = items[0] if not place else self._value(loop.iter, inner)
            self._bind(loop.target, content_of(held), inner)
            for test in loop.ifs:
                self._value(test, inner)
        self._depth -= 1
        return inner

    # ── names ──

    def _named(self, name: str, scope: _Scope) -> Any:
        """What a name stands for: the region of a variable, a function inside, or an object outside."""
        around: _Scope | None = scope
        while around is not None:
            if name in around.names:
                return around.names[name]
            around = around.around
        home = scope.home
        if name in home.__code__.co_freevars and home.__closure__ is not None:
            return self._meant_by[id(home.__closure__[home.__code__.co_freevars.index(name)])]
        for namespace in (home.__globals__, home.__builtins__):
            value = self._meant.get((id(namespace), name), ABSENT)
            if value is not ABSENT:
                return value
        raise _Doubt

    def _module(self, node: ast.expr, scope: _Scope) -> ModuleType | None:
        """The module that a name stands for."""
        if isinstance(node, ast.Name):
            found = self._named(node.id, scope)
            return found if isinstance(found, ModuleType) else None
        return None

    def _of_module(self, module: ModuleType, name: str) -> Any:
        try:
            return self._meant[id(vars(module)), name]
        except KeyError:
            raise _Doubt from None

    def _thing(self, thing: Any) -> Value:
        """The region of an object outside that is read; a function may only be called where it stands."""
        kind = type(thing)
        if kind in NUMBERS_AND_TEXT:
            return None
        if kind in CONTAINERS_OF_PYTHON:
            return self._outside
        if isinstance(thing, type) or (isinstance(thing, HASHABLE) and only_reads(thing)):
            return Region(runs_later=True, is_class=True)
        raise _Doubt

    # ── calls ──

    def _call(self, node: ast.Call, scope: _Scope) -> Value:
        callee = node.func
        if any(keyword.arg is None for keyword in node.keywords):
            raise _Doubt
        if isinstance(callee, ast.Attribute):
            module = self._module(callee.value, scope)
            if module is not None:
                return self._call_of_thing(self._of_module(module, callee.attr), node, scope)
            return self._method(callee, node, scope)
        if not isinstance(callee, ast.Name):
            raise _Doubt
        return self._call_of_thing(self._named(callee.id, scope), node, scope)

    def _call_of_thing(self, thing: Any, node: ast.Call, scope: _Scope) -> Value:
        if type(thing) is FunctionType and thing not in KNOWN:
            thing = self._of_function(thing)
        if isinstance(thing, _Function):
            if any(isinstance(each, ast.Starred) for each in node.args):
                raise _Doubt
            given = [self._value(each, scope) for each in node.args]
            return self._call_of(thing, given, self._keywords(node, scope))
        if isinstance(thing, type) and issubclass(thing, BaseException):
            return holding(self._mixed(thing, node, scope))
        gives = KNOWN.get(thing) if isinstance(thing, HASHABLE) else None
        if gives is None:
            raise _Doubt
        if (
            gives is mixture
            or (gives is element and node.keywords)
            or any(
                isinstance(each, ast.Starred) or self._is_function(each, scope)
                for each in (*node.args, *(keyword.value for keyword in node.keywords))
            )
        ):
            if not only_reads(thing):
                raise _Doubt
            return self._mixed(thing, node, scope)
        values = [self._value(each, scope) for each in node.args]
        return gives(*values, *self._keywords(node, scope).values())

    def _keywords(self, node: ast.Call, scope: _Scope) -> dict[str, Value]:
        return {str(keyword.arg): self._value(keyword.value, scope) for keyword in node.keywords}

    def _is_function(self, node: ast.expr, scope: _Scope) -> bool:
        """Whether an argument is a function that the callee may call."""
        if isinstance(node, ast.Lambda):
            return True
        if isinstance(node, ast.Name):
            found = self._named(node.id, scope)
        elif isinstance(node, ast.Attribute):
            module = self._module(node.value, scope)
            found = None if module is None else self._of_module(module, node.attr)
            if module is None and isinstance(node.value, ast.Name):
                return self._is_method_of_text(node, scope)
        else:
            return False
        return isinstance(found, _Function | FunctionType)

    def _is_method_of_text(self, node: ast.Attribute, scope: _Scope) -> bool:
        """Whether a method is taken from the class of texts: `key=str.lower`."""
        assert isinstance(node.value, ast.Name)
        return self._named(node.value.id, scope) is str and node.attr in GIVE_TEXT

    def _mixed(self, thing: Any, node: ast.Call, scope: _Scope) -> Region:
        """What a call gives that may give any of its arguments, or of what is in them, in any container.

        Functions among the arguments are called with any of that.
        """
        blend = Region()
        blend.content = blend
        blend.runs_later, blend.is_class = thing not in AT_ONCE, thing is type
        functions = []
        for each in (*node.args, *(keyword.value for keyword in node.keywords)):
            if self._is_function(each, scope):
                function = self._function_given(each, scope)
                if function is not None:
                    functions.append(function)
            elif not (thing in CALL_FIRST and each is node.args[0] and self._is_of_python(each, scope)):
                join(blend, self._item(each, scope))
        for function in functions:
            names = function.definition.args
            if names.vararg is not None or names.kwarg is not None or names.kwonlyargs:
                raise _Doubt
            given = [blend] * len(names.posonlyargs + names.args)
            join(blend, self._call_of(function, given, {}))
        return root(blend)

    def _is_of_python(self, node: ast.expr, scope: _Scope) -> bool:
        """Whether an argument that is called is of Python's own, and changes nothing."""
        found = self._named(node.id, scope) if isinstance(node, ast.Name) else None
        return isinstance(found, HASHABLE) and found is not type and only_reads(found)

    def _function_given(self, node: ast.expr, scope: _Scope) -> _Function | None:
        if isinstance(node, ast.Lambda):
            function = _Function(node, _Scope(scope.home, scope))
            self._look_at_nested(function)
            return function
        if isinstance(node, ast.Attribute) and self._module(node.value, scope) is None:
            return None  # a method of texts
        found = self._value_of_function(node, scope)
        if isinstance(found, _Function):
            return found
        return None if only_reads(found) else self._of_function(found)

    def _value_of_function(self, node: ast.expr, scope: _Scope) -> Any:
        if isinstance(node, ast.Name):
            return self._named(node.id, scope)
        assert isinstance(node, ast.Attribute)
        module = self._module(node.value, scope)
        assert module is not None
        return self._of_module(module, node.attr)

    def _method(self, callee: ast.Attribute, node: ast.Call, scope: _Scope) -> Value:
        """A call of a method, of which the name says what it does, whatever the container is."""
        name = callee.attr
        if isinstance(callee.value, ast.Name):
            found = self._named(callee.value.id, scope)
            if isinstance(found, type):
                if (found, name) != (dict, "fromkeys"):
                    raise _Doubt
                keys = self._item(node.args[0], scope)
                return holding(content_of(keys), *[self._item(each, scope) for each in node.args[1:]])
        owner = self._value(callee.value, scope)
        if owner is not None:
            self._owners.append(owner)
        if name == "sort":
            change(owner)
            for keyword in node.keywords:
                if self._is_function(keyword.value, scope):
                    function = self._function_given(keyword.value, scope)
                    if function is not None:
                        parameter = next(iter(function.parameters), None)
                        if len(function.parameters) != 1 or parameter is None:
                            raise _Doubt
                        join(function.parameters[parameter], content_of(owner))
                else:
                    self._value(keyword.value, scope)
            return None
        gives = METHODS.get(name)
        if gives is None:
            raise _Doubt
        if gives is not copied and any(isinstance(each, ast.Starred) for each in node.args):
            raise _Doubt
        values = [self._item(each, scope) for each in node.args]
        return gives(owner, *values, *self._keywords(node, scope).values())


def _names_in(node: ast.AST) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name)}


_PARTS_OF_NUMBERS = frozenset({"denominator", "imag", "numerator", "real"})
_NEVER_IN_PLACE = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.MatMult)
"""Operators that change no container of Python's."""


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is a number for certain, by which nothing changes in place but `x *= 2`."""
    match node:
        case ast.Constant(value):
            return type(value) in NUMBERS
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            return _is_number(operand)
        case ast.BinOp(left, _, right):
            return _is_number(left) and _is_number(right)
    return False


def _of(found: Any) -> Region:
    if not isinstance(found, Region):
        raise _Doubt
    return found
