"""The regions of the values of expressions, and of what calls give: a part of points-to analysis."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import CellType, FunctionType, ModuleType
from typing import Any, cast

from autograph.source.nodes import walk
from autograph.source.parse import Definition
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
    PARTS_OF_NUMBERS,
    Region,
    Value,
    change,
    content_of,
    copied,
    copied_in_order,
    either,
    holding,
    in_tuples,
    join,
    join_content,
    mixture,
    nothing,
    only_reads,
    root,
)

__all__ = ["ABSENT", "OF_NUMBERS", "Doubt", "Expressions", "Function", "Scope", "builtins_of", "is_number"]

ABSENT = object()
"""What a name means in a module that does not have it."""


def builtins_of(function: FunctionType) -> dict[str, Any]:
    """Where the names are that a function does not find in its module."""
    names: dict[str, Any] = cast("Any", function).__builtins__
    return names


class Doubt(Exception):  # a signal, never seen outside
    """Something of which nothing is known."""


class Function:
    """A function whose text is looked at: the regions of its parameters, and of what it gives."""

    __slots__ = ("definition", "is_generator", "is_known", "parameters", "result", "scope")

    def __init__(self, definition: Definition, scope: Scope) -> None:
        self.definition = definition
        self.scope = scope
        self.parameters: dict[str, Region] = {}
        self.is_generator = False
        self.is_known = False
        """Whether somebody looks at its body, or has done so."""
        self.result = Region()


class Scope:
    """The names of a function or comprehension, what they stand for, and the scope around it."""

    __slots__ = ("around", "home", "is_captured", "names")

    def __init__(self, home: FunctionType, around: Scope | None) -> None:
        self.home = home
        self.around = around
        self.names: dict[str, Region | Function] = {}
        self.is_captured: frozenset[str] = frozenset()
        """Variables that functions inside read when they run, whatever has been assigned by then."""


class Expressions(ABC):
    """The part that looks at expressions; subclasses look at functions and statements.

    Parameters
    ----------
    names : iterable of (dict, str, object)
        What the names in code mean.
    cells : iterable of (cell, object)
        What the variables of functions around hold.

    Attributes
    ----------
    outside : Region
        All that is reached by name.
    owners : list of Region
        Of what methods are called.
    function : Function or None
        The one whose body is looked at.
    depth : int
        How many blocks are around, which may run never, or many times.
    """

    def __init__(
        self, names: Iterable[tuple[dict[str, Any], str, Any]], cells: Iterable[tuple[CellType, Any]]
    ) -> None:
        self._meant = {(id(namespace), name): value for namespace, name, value in names}
        self._meant_by = {id(cell): value for cell, value in cells}
        self.outside = Region()
        self.outside.content = self.outside
        self.owners: list[Region] = []
        self.function: Function | None = None
        self.depth = 0

    @abstractmethod
    def function_of(self, function: FunctionType) -> Function:
        """A function outside, looked at."""

    @abstractmethod
    def call_of(self, function: Function, given: Sequence[Value], named: Mapping[str, Value]) -> Value:
        """What a call of a function gives, whose text is known."""

    @abstractmethod
    def look_at_nested(self, function: Function) -> None:
        """Looks at a function inside of another one."""

    @abstractmethod
    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Looks at an assignment to a target."""

    # ── expressions ──

    def optional(self, node: ast.expr | None, scope: Scope) -> None:
        if node is not None:
            self.value(node, scope)

    def value(self, node: ast.expr, scope: Scope, *, is_used: bool = True) -> Value:
        """The region of what an expression gives."""
        match node:
            case ast.Constant():
                return None
            case ast.Name(name):
                found = self.named(name, scope)
                return found if isinstance(found, Region) else self._thing(found)
            case ast.Subscript(owner, index):
                held = self.value(owner, scope)
                self.value(index, scope)
                return holding(content_of(held)) if isinstance(index, ast.Slice) else content_of(held)
            case ast.Call():
                return self._call(node, scope)
            case ast.BinOp():
                return self._computed(node, scope)
            case ast.UnaryOp(op, operand):
                given = self.value(operand, scope)
                return None if given is None or isinstance(op, ast.Not) else holding(content_of(given))
            case ast.Compare(left, _, others):
                for each in (left, *others):
                    self.value(each, scope)
                return None
            case ast.BoolOp(_, values):
                return either([self.value(each, scope) for each in values])
            case ast.IfExp(test, body, orelse):
                self.value(test, scope)
                return either([self.value(body, scope), self.value(orelse, scope)])
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                return holding(*[self._item(each, scope) for each in items])
            case ast.Dict():
                return self._dict(node, scope)
            case ast.ListComp(item, loops) | ast.SetComp(item, loops) | ast.GeneratorExp(item, loops):
                inner = self._loops(loops, scope)
                made = holding(self.value(item, inner))
                made.runs_later = isinstance(node, ast.GeneratorExp)
                return made
            case ast.DictComp(key, value, loops):
                inner = self._loops(loops, scope)
                return holding(self.value(key, inner), self.value(value, inner))
            case ast.NamedExpr(target, value):
                given = self.value(value, scope)
                self.depth += 1
                self.bind(target, given, scope)
                self.depth -= 1
                return given
            case ast.Attribute(owner, name):
                module = self._module(owner, scope)
                if module is not None:
                    return self._thing(self._of_module(module, name))
                self.value(owner, scope)
                if name not in PARTS_OF_NUMBERS:
                    raise Doubt
                return None
            case ast.Slice(lower, upper, step):
                for part in (lower, upper, step):
                    self.optional(part, scope)
                return None
            case ast.JoinedStr(parts):
                for each in parts:
                    self.value(each, scope)
                return None
            case ast.FormattedValue(value, _, spec):
                self.value(value, scope)
                self.optional(spec, scope)
                return None
            case ast.Yield() | ast.YieldFrom():
                return self._yielded(node, scope, is_used=is_used)
            case _:
                raise Doubt

    def _yielded(self, node: ast.Yield | ast.YieldFrom, scope: Scope, *, is_used: bool) -> Value:
        """What a generator gives, one by one, is in what the call of its function gives."""
        if self.function is None or (is_used and isinstance(node, ast.YieldFrom)):
            raise Doubt
        self.function.is_generator = True
        given = None if node.value is None else self.value(node.value, scope)
        join_content(self.function.result, content_of(given) if isinstance(node, ast.YieldFrom) else given)
        return None

    def _dict(self, node: ast.Dict, scope: Scope) -> Value:
        held: list[Value] = []
        for key, value in zip(node.keys, node.values, strict=True):
            given = self.value(value, scope)
            held += [content_of(given)] if key is None else [self.value(key, scope), given]
        return holding(*held)

    def _item(self, node: ast.expr, scope: Scope) -> Value:
        if isinstance(node, ast.Starred):
            held: Value = content_of(self.value(node.value, scope))
            return held
        return self.value(node, scope)

    def _computed(self, node: ast.BinOp, scope: Scope) -> Value:
        """What an operator gives: a number, a text, or a new container with what is in its operands."""
        values = [self.value(each, scope) for each in (node.left, node.right)]
        if all(each is None for each in values) or isinstance(node.op, OF_NUMBERS):
            return None
        if isinstance(node.op, ast.Mult):  # of a container there is but one
            shown = [isinstance(each, _DISPLAYS) for each in (node.left, node.right)]
            if any(shown):
                values = [value for value, is_container in zip(values, shown, strict=True) if is_container]
        elif is_number(node.left) or is_number(node.right):
            return None
        return holding(*map(content_of, values))

    def _loops(self, loops: Sequence[ast.comprehension], scope: Scope) -> Scope:
        """The scope of a comprehension, with what its variables stand for."""
        inner = Scope(scope.home, scope)
        for loop in loops:
            if loop.is_async:
                raise Doubt
            for node in walk(loop.target):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    inner.names[node.id] = Region()
        items = [self.value(loops[0].iter, scope)]
        self.depth += 1
        for place, loop in enumerate(loops):
            held = items[0] if not place else self.value(loop.iter, inner)
            self.bind(loop.target, content_of(held), inner)
            for test in loop.ifs:
                self.value(test, inner)
        self.depth -= 1
        return inner

    # ── names ──

    def named(self, name: str, scope: Scope) -> Any:
        """What a name stands for: the region of a variable, a function inside, or an object outside."""
        around: Scope | None = scope
        while around is not None:
            if name in around.names:
                return around.names[name]
            around = around.around
        home = scope.home
        if name in home.__code__.co_freevars and home.__closure__ is not None:
            return self._meant_by[id(home.__closure__[home.__code__.co_freevars.index(name)])]
        for namespace in (home.__globals__, builtins_of(home)):
            value = self._meant.get((id(namespace), name), ABSENT)
            if value is not ABSENT:
                return value
        raise Doubt

    def _module(self, node: ast.expr, scope: Scope) -> ModuleType | None:
        """The module that a name stands for."""
        if isinstance(node, ast.Name):
            found = self.named(node.id, scope)
            return found if isinstance(found, ModuleType) else None
        return None

    def _of_module(self, module: ModuleType, name: str) -> Any:
        try:
            return self._meant[id(vars(module)), name]
        except KeyError:
            raise Doubt from None

    def _thing(self, thing: Any) -> Value:
        """The region of an object outside that is read; a function may only be called where it stands."""
        kind = type(thing)
        if kind in NUMBERS_AND_TEXT:
            return None
        if kind in CONTAINERS_OF_PYTHON:
            return self.outside
        if isinstance(thing, type) or (isinstance(thing, HASHABLE) and only_reads(thing)):
            return Region(runs_later=True, is_class=True)
        raise Doubt

    # ── calls ──

    def _call(self, node: ast.Call, scope: Scope) -> Value:
        callee = node.func
        if any(keyword.arg is None for keyword in node.keywords):
            raise Doubt
        if isinstance(callee, ast.Attribute):
            module = self._module(callee.value, scope)
            if module is not None:
                return self._call_of_thing(self._of_module(module, callee.attr), node, scope)
            return self._method(callee, node, scope)
        if not isinstance(callee, ast.Name):
            raise Doubt
        return self._call_of_thing(self.named(callee.id, scope), node, scope)

    def _call_of_thing(self, thing: Any, node: ast.Call, scope: Scope) -> Value:
        if type(thing) is FunctionType and thing not in KNOWN:
            thing = self.function_of(thing)
        if isinstance(thing, Function):
            if any(isinstance(each, ast.Starred) for each in node.args):
                raise Doubt
            given = [self.value(each, scope) for each in node.args]
            return self.call_of(thing, given, self._keywords(node, scope))
        if isinstance(thing, type) and issubclass(thing, BaseException):
            return holding(self._mixed(thing, node, scope))
        gives = KNOWN.get(thing) if isinstance(thing, HASHABLE) else None
        if gives is None:
            raise Doubt
        has_names = bool(node.keywords) and gives not in _WITH_NAMES
        if (
            gives is mixture
            or has_names
            or any(
                isinstance(each, ast.Starred) or self._is_function(each, scope)
                for each in (*node.args, *(keyword.value for keyword in node.keywords))
            )
        ):
            if not only_reads(thing):
                raise Doubt
            return self._mixed(thing, node, scope)
        values = [self.value(each, scope) for each in node.args]
        return gives(*values, *self._keywords(node, scope).values())

    def _keywords(self, node: ast.Call, scope: Scope) -> dict[str, Value]:
        return {str(keyword.arg): self.value(keyword.value, scope) for keyword in node.keywords}

    def _is_function(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an argument is a function that the callee may call."""
        if isinstance(node, ast.Lambda):
            return True
        if isinstance(node, ast.Name):
            found = self.named(node.id, scope)
        elif isinstance(node, ast.Attribute):
            module = self._module(node.value, scope)
            found = None if module is None else self._of_module(module, node.attr)
            if module is None and isinstance(node.value, ast.Name):
                return self._is_method_of_text(node, scope)
        else:
            return False
        return isinstance(found, Function | FunctionType)

    def _is_method_of_text(self, node: ast.Attribute, scope: Scope) -> bool:
        """Whether a method is taken from the class of texts: `key=str.lower`."""
        assert isinstance(node.value, ast.Name)
        return self.named(node.value.id, scope) is str and node.attr in GIVE_TEXT

    def _mixed(self, thing: Any, node: ast.Call, scope: Scope) -> Region:
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
                raise Doubt
            given = [blend] * len(names.posonlyargs + names.args)
            join(blend, self.call_of(function, given, {}))
        return root(blend)

    def _is_of_python(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an argument that is called is of Python's own, and changes nothing."""
        found = self.named(node.id, scope) if isinstance(node, ast.Name) else None
        return isinstance(found, HASHABLE) and found is not type and only_reads(found)

    def _function_given(self, node: ast.expr, scope: Scope) -> Function | None:
        if isinstance(node, ast.Lambda):
            function = Function(node, Scope(scope.home, scope))
            self.look_at_nested(function)
            return function
        if isinstance(node, ast.Attribute) and self._module(node.value, scope) is None:
            return None  # a method of texts
        found = self._value_of_function(node, scope)
        if isinstance(found, Function):
            return found
        return None if only_reads(found) else self.function_of(found)

    def _value_of_function(self, node: ast.expr, scope: Scope) -> Any:
        if isinstance(node, ast.Name):
            return self.named(node.id, scope)
        assert isinstance(node, ast.Attribute)
        module = self._module(node.value, scope)
        assert module is not None
        return self._of_module(module, node.attr)

    def _method(self, callee: ast.Attribute, node: ast.Call, scope: Scope) -> Value:
        """A call of a method whose name says what it does, whatever the container is."""
        name = callee.attr
        if isinstance(callee.value, ast.Name):
            found = self.named(callee.value.id, scope)
            if isinstance(found, type):
                has_star = any(isinstance(each, ast.Starred) for each in node.args)
                if (found, name) != (dict, "fromkeys") or has_star or not node.args:
                    raise Doubt
                keys = self._item(node.args[0], scope)
                return holding(content_of(keys), *[self._item(each, scope) for each in node.args[1:]])
        owner = self.value(callee.value, scope)
        if owner is not None:
            self.owners.append(owner)
        if name == "sort":
            change(owner)
            for keyword in node.keywords:
                if self._is_function(keyword.value, scope):
                    function = self._function_given(keyword.value, scope)
                    if function is not None:
                        parameter = next(iter(function.parameters), None)
                        if len(function.parameters) != 1 or parameter is None:
                            raise Doubt
                        join(function.parameters[parameter], content_of(owner))
                else:
                    self.value(keyword.value, scope)
            return None
        gives = METHODS.get(name)
        if gives is None:
            raise Doubt
        if gives is not copied and any(isinstance(each, ast.Starred) for each in node.args):
            raise Doubt
        values = [self._item(each, scope) for each in node.args]
        return gives(owner, *values, *self._keywords(node, scope).values())


def is_number(node: ast.expr) -> bool:
    """Whether an expression is a number for certain."""
    match node:
        case ast.Constant(value):
            return type(value) in NUMBERS
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            return is_number(operand)
        case ast.BinOp(left, _, right):
            return is_number(left) and is_number(right)
    return False


OF_NUMBERS = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.MatMult)
"""Operators that containers of Python's do not have; a text has one, and gives a text."""

_DISPLAYS = (ast.List, ast.ListComp, ast.Tuple)
_WITH_NAMES = frozenset({copied_in_order, in_tuples, nothing})
"""What is done with arguments that are given by name as with the others."""
