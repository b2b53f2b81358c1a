"""What each piece of code reads, binds, modifies and deletes.

Facts are those of the frame that the code runs in. What a nested function or lambda does to names of this
frame counts for the statement that makes it, and is kept apart (`read_later`, `bound_later`), for it happens
when the function is called.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from autograph.analysis.bits import Bits
from autograph.analysis.manager import Analyses, Analysis
from autograph.source.edit import COMPREHENSIONS
from autograph.source.nodes import FIELDS, children, parameters, walk
from autograph.source.template import is_operator, is_ours
from autograph_base.dataclass import dataclass

__all__ = ["Activity", "Frame", "Names", "Packed", "Scope"]

Names: TypeAlias = frozenset[str]

Packed: TypeAlias = int
"""Names as the bits of `Activity.names`: analyses do little but unite sets of them."""


class Scope:
    """What a piece of code does to names.

    Attributes
    ----------
    read : names
        Everything read, now or by functions made here.
    bound : names
        Names given a value, now or by functions made here.
    deleted : names
        Names that `del` (or the end of `except … as name`) unbinds.
    globals, nonlocals : names
        Declared so here.
    declared : names
        Made local by `x: int` alone, which binds nothing.
    params : names
        Parameters; of a function's own scope only.
    surely_bound : names
        The part of `bound` that is bound whenever the code runs to its end.
    read_now, read_later, bound_later : names
        `read` and `bound` apart: by this code itself, and by the functions it makes.
    """

    read_now: Packed = 0
    bound_now: Packed = 0
    surely_bound: Packed = 0
    read_later: Packed = 0
    bound_later: Packed = 0
    deleted: Packed = 0
    declared: Packed = 0
    globals: Packed = 0
    nonlocals: Packed = 0
    params: Packed = 0

    @property
    def read(self) -> Packed:
        """Everything read, now or later."""
        return self.read_now | self.read_later

    @property
    def bound(self) -> Packed:
        """Everything bound, now or later."""
        return self.bound_now | self.bound_later

    @property
    def locals(self) -> Packed:
        """The names that live in this scope, when it is that of a function or class."""
        return (self.bound_now | self.deleted | self.declared | self.params) & ~(
            self.globals | self.nonlocals
        )

    @property
    def bound_around(self) -> Packed:
        """The names of frames around that are bound here, or by functions that are made here."""
        return self.globals | self.nonlocals | (self.bound_later & ~self.locals)


@dataclass(frozen=True)
class Frame:
    """The names of a function or class, for analyses of other trees: see `Scope`."""

    params: Names
    locals: Names
    deleted: Names
    globals: Names
    nonlocals: Names
    bound_later: Names


class Activity(Analysis):
    """The `Scope` of any statement, expression, block or function of a tree."""

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(analyses)
        self.names: Bits[str] = Bits()
        self._of: dict[ast.AST, Scope] = {}
        self._inside: dict[ast.AST, Scope] = {}

    def forget(self) -> None:
        """Drops the scopes, each of which refers to this table."""
        self._of.clear()
        self._inside.clear()

    def named(self, names: Packed) -> Names:
        """The names of some bits."""
        return frozenset(self.names.unpack(names))

    def of(self, node: ast.AST) -> Scope:
        """What a node does to the names of the frame it runs in.

        Parameters
        ----------
        node : ast.AST
            A statement (with its blocks), an expression, a pattern; a definition counts as the statement it
            is.

        Returns
        -------
        Scope
        """
        scope = self._of.get(node)
        if scope is None:
            scope = self._of[node] = collector = _Collector(self)
            collector.visit(node)
        return scope

    def of_block(self, block: Iterable[ast.AST]) -> Scope:
        """What a list of statements does, taken together."""
        collector = _Collector(self)
        for statement in block:
            done = self.of(statement)
            collector.include(done)
            collector.surely_bound = collector.surely_bound & ~done.deleted | done.surely_bound
        return collector

    def frame(self, definition: ast.AST) -> Frame:
        """The names of the frame of a function, lambda or class."""
        inside, named = self.inside(definition), self.named
        return Frame(
            named(inside.params),
            named(inside.locals),
            named(inside.deleted),
            named(inside.globals),
            named(inside.nonlocals),
            named(inside.bound_later),
        )

    def inside(self, definition: Any) -> Scope:
        """What the body of a function, lambda, class or module does to the names of its own frame.

        Parameters
        ----------
        definition : ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef or ast.Module

        Returns
        -------
        Scope
        """
        scope = self._inside.get(definition)
        if scope is None:
            collector = _Collector(self)
            body = definition.body if isinstance(definition.body, list) else [definition.body]
            for statement in body:
                collector.visit(statement)
            if isinstance(definition, FUNCTIONS):
                collector.params = self.names.pack(each.arg for each in parameters(definition.args))
            scope = self._inside[definition] = collector
        return scope

    def free(self, definition: ast.AST) -> tuple[Packed, Packed]:
        """The names of enclosing frames that a function or class may read, and those that it may rebind.

        Names that it declares global belong to no enclosing frame.
        """
        inside = self.inside(definition)
        own = inside.locals | inside.globals
        if isinstance(definition, ast.ClassDef):
            # Functions and comprehensions in a class body do not see the names that it binds.
            read = inside.read_now & ~own | inside.read_later
            for node in _comprehensions(definition.body):
                read |= self.within(node).read_now
            rebound = inside.bound_later
        else:
            read = inside.read & ~own
            rebound = inside.bound_later & ~own
        return read, rebound | ((inside.bound_now | inside.deleted) & inside.nonlocals)

    def within(self, comprehension: Any) -> Scope:
        """What a comprehension does to the names around it, its first iterable left aside."""
        scope = self._inside.get(comprehension)
        if scope is None:
            first, *others = comprehension.generators
            collector = _Collector(self)
            for part in (first.target, *first.ifs, *others):
                collector.visit(part)
            for field in ("elt", "key", "value"):
                collector.visit(getattr(comprehension, field, None))
            targets = self.names.pack(
                target.id
                for generator in comprehension.generators
                for target in walk(generator.target)
                if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
            )
            scope = self._inside[comprehension] = Scope()
            scope.read_now = collector.read_now & ~targets
            scope.read_later = collector.read_later & ~targets
            scope.bound_now = collector.bound_now & ~targets  # by `:=`, which binds around the comprehension
        return scope


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _comprehensions(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The comprehensions in a body, but not those in definitions within."""
    pending = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, COMPREHENSIONS):
            yield node
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            pending.extend(children(node))


class _Collector(Scope):
    """Gathers the activity of nodes, in the order they run in: a scope that grows."""

    def __init__(self, activity: Activity) -> None:
        self._activity = activity
        self._bit = activity.names.bit
        self._certain = True  # whether the part being looked at runs whenever the whole does

    def visit(self, node: ast.AST | None) -> None:
        if node is None:
            return
        kind = node.__class__
        method = _METHODS.get(kind)
        if method is not None:
            method(self, node)
        elif FIELDS[kind]:
            for child in children(node):
                self.visit(child)

    def maybe(self, nodes: Iterable[ast.AST | None]) -> None:
        """Nodes that may not run."""
        certain, self._certain = self._certain, False
        for node in nodes:
            self.visit(node)
        self._certain = certain

    def bind(self, identifier: str) -> None:
        bit = self._bit(identifier)
        self.bound_now |= bit
        if self._certain:
            self.surely_bound |= bit

    def include(self, other: Scope) -> None:
        """The activity of a statement of a block that may not run."""
        self.read_now |= other.read_now
        self.bound_now |= other.bound_now
        self.read_later |= other.read_later
        self.bound_later |= other.bound_later
        self.deleted |= other.deleted
        self.declared |= other.declared
        self.globals |= other.globals
        self.nonlocals |= other.nonlocals

    def block(self, statements: Iterable[ast.AST]) -> None:
        for statement in statements:
            self.include(self._activity.of(statement))

    # ── names ──

    def Name(self, node: ast.Name) -> None:
        ctx = node.ctx.__class__
        if ctx is ast.Load:
            self.read_now |= self._bit(node.id)
        elif ctx is ast.Del:
            self.deleted |= self._bit(node.id)
            self.surely_bound &= ~self._bit(node.id)
        else:
            self.bind(node.id)

    def AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.read_now |= self._bit(node.target.id)
        self.visit(node.value)
        self.visit(node.target)

    def Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.annotation)  # evaluated in class bodies only
        self.visit(node.value)
        if node.value is not None or not isinstance(node.target, ast.Name):
            self.visit(node.target)
        else:
            self._declare(node.target.id)

    def _declare(self, identifier: str) -> None:
        """`x: int` makes x local and binds nothing."""
        self.declared |= self._bit(identifier)

    def NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.visit(node.target)

    def alias(self, node: ast.alias) -> None:
        if node.name != "*":
            self.bind(node.asname or node.name.partition(".")[0])

    def Global(self, node: ast.Global) -> None:
        self.globals |= self._activity.names.pack(node.names)

    def Nonlocal(self, node: ast.Nonlocal) -> None:
        self.nonlocals |= self._activity.names.pack(node.names)

    # ── expressions that evaluate only a part of themselves ──

    def BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        self.maybe(node.values[1:])

    def IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self.maybe((node.body, node.orelse))

    def Compare(self, node: ast.Compare) -> None:
        self.visit(node.left)
        self.visit(node.comparators[0])
        self.maybe(node.comparators[1:])

    def Assert(self, node: ast.Assert) -> None:
        self.visit(node.test)
        self.maybe((node.msg,))

    # ── scopes within ──

    def comprehension(self, node: Any) -> None:
        """A comprehension: its first iterable is evaluated here, its targets are its own."""
        self.visit(node.generators[0].iter)
        inner = self._activity.within(node)
        self.read_now |= inner.read_now
        self.read_later |= inner.read_later
        self.bound_now |= inner.bound_now

    def GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """Like any comprehension, and it may run later."""
        self.comprehension(node)
        self.read_later |= self._activity.within(node).read_now

    def Lambda(self, node: ast.Lambda) -> None:
        self._function_header(node.args)
        read, rebound = self._activity.free(node)
        self.read_now |= read  # for it may be called within this very statement
        self.read_later |= read
        self.bound_later |= rebound

    def FunctionDef(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._function_header(node.args)
        self.visit(node.returns)
        read, rebound = self._activity.free(node)
        self.read_later |= read
        self.bound_later |= rebound
        self.bind(node.name)

    def _function_header(self, arguments: ast.arguments) -> None:
        """Defaults and annotations, which are evaluated where the function is made."""
        for default in (*arguments.defaults, *arguments.kw_defaults):
            self.visit(default)
        for parameter in parameters(arguments):
            self.visit(parameter.annotation)

    def ClassDef(self, node: ast.ClassDef) -> None:
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(part)
        read, rebound = self._activity.free(node)
        inside = self._activity.inside(node)
        self.read_now |= read & inside.read_now
        self.read_later |= read & inside.read_later
        self.bound_later |= rebound & inside.bound_later
        self.bound_now |= rebound & ~inside.bound_later
        self.bind(node.name)

    def Call(self, node: ast.Call) -> None:
        """A call; operators do not keep functions of ours that they are given, but may keep the program's."""
        if not is_operator(node.func):
            for child in children(node):
                self.visit(child)
            return
        self.visit(node.func)
        for argument in node.args:
            if isinstance(argument, ast.Lambda) and is_ours(argument):
                inner, within = self._activity.of(argument), self._activity.inside(argument)
                self.read_now |= inner.read_now
                self.read_later |= within.read_later & ~within.locals
                self.bound_later |= within.bound_later & ~within.locals
                self.bound_now |= inner.bound_now  # by `:=` in a default, which is evaluated here
                if self._certain:
                    self.surely_bound |= inner.bound_now
            else:
                self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword)

    # ── statements with blocks ──

    def If(self, node: Any) -> None:
        self.visit(node.test)
        self.block((*node.body, *node.orelse))

    def While(self, node: Any) -> None:
        self.visit(node.test)
        self.block((*node.body, *node.orelse))

    def For(self, node: Any) -> None:
        self.visit(node.iter)
        self.maybe((node.target,))
        self.block((*node.body, *node.orelse))

    def With(self, node: Any) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            self.visit(item.optional_vars)
        self.block(node.body)

    def Try(self, node: Any) -> None:
        self.block((*node.body, *node.orelse))
        self.maybe(node.handlers)
        self.block(node.finalbody)

    def ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.visit(node.type)
        if node.name is not None:
            self.bind(node.name)
        self.block(node.body)
        if node.name is not None:
            self.deleted |= self._bit(node.name)

    def Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        for case in node.cases:
            self.maybe((case.pattern, case.guard))
            self.block(case.body)

    def capture(self, node: Any) -> None:
        """A pattern that gives what it matched a name."""
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name is not None:
            self.bind(name)
        for child in children(node):
            self.visit(child)


_METHODS: dict[type, Callable[[_Collector, Any], None]] = {
    ast.ListComp: _Collector.comprehension,
    ast.SetComp: _Collector.comprehension,
    ast.DictComp: _Collector.comprehension,
    ast.AsyncFunctionDef: _Collector.FunctionDef,
    ast.AsyncFor: _Collector.For,
    ast.AsyncWith: _Collector.With,
    ast.TryStar: _Collector.Try,
    ast.MatchAs: _Collector.capture,
    ast.MatchStar: _Collector.capture,
    ast.MatchMapping: _Collector.capture,
    **{
        getattr(ast, name): method
        for name, method in vars(_Collector).items()
        if (name[0].isupper() or name == "alias") and hasattr(ast, name)
    },
}
