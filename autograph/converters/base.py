"""What every converter is made of, and the walk that hands it its nodes.

A converter is told which nodes it handles and which facts it needs. `Walk` goes through a function once for
a group of converters, innermost nodes first, and puts what they return in the place of what they were
given. Facts are those of the tree before the walk: a group that moves code sees the code where the user
wrote it.
"""

from __future__ import annotations

import ast
import copy
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

from autograph.analysis.activity import Activity, Frame, Names
from autograph.analysis.definitions import Definitions
from autograph.analysis.guarded import guarded_reads, handed_on
from autograph.analysis.manager import Analyses, Analysis
from autograph.converters.put_off import names_read_after_handlers, puts_off, undefined_when_put_off
from autograph.options import ConversionOptions
from autograph.source import push_form
from autograph.source.edit import SCOPES, Rewriter
from autograph.source.fence import reads_frame, reason_to_leave
from autograph.source.names import Namer, NodesByClass, identifiers, indexed
from autograph.source.nodes import FIELDS, walk
from autograph.source.origin import BLOCKS, Span, span_of, stamp
from autograph.source.template import OURS
from autograph.source.unparse import unparse
from autograph.staging.state import Role
from autograph_base.dataclass import dataclass

__all__ = ["Context", "Converter", "FunctionNode", "Group", "Kinds", "Replacement", "Walk", "has_walrus"]

Node = TypeVar("Node", bound=ast.AST)
Fact = TypeVar("Fact", bound=Analysis)
FunctionNode: TypeAlias = "ast.FunctionDef | ast.Lambda"
Replacement: TypeAlias = "ast.AST | Sequence[ast.AST]"
Group: TypeAlias = "Sequence[type[Converter[Any]]]"
Kinds: TypeAlias = "Collection[type[ast.AST]]"
Steps: TypeAlias = "tuple[Callable[[Any], None] | None, Callable[[Any], Replacement]]"
"""What a converter does before the children of a node are walked, and afterwards."""

FRAMES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""What has a body that runs in a frame of its own; comprehensions are looked at where it matters."""

SKIPPED = frozenset({"annotation", "returns", "type_params", "pattern", "ctx", "op", "ops"})
"""Fields that are never rewritten: annotations are for readers, patterns have a grammar of their own."""

NEVER_MADE = frozenset({ast.Assert, ast.For, ast.Lambda, ast.Match, ast.Subscript, ast.While})
"""Classes of nodes that converters take away and never add, or add when nobody looks for them any more.

Where the user's function has none of them, their converters are not needed.
"""

SCOPE_KINDS = frozenset(SCOPES)

SCOPED_PARTS = frozenset({ast.arguments, ast.comprehension})
"""Nodes with parts that run in the frame around."""

RUNNING = {kind: tuple(field for field in FIELDS[kind] if field not in SKIPPED) for kind in FIELDS}
"""The fields of each class of node that hold what runs."""

STATEMENTS = {kind: tuple(field for field in FIELDS[kind] if field in BLOCKS) for kind in FIELDS}
"""The fields that hold statements: all that converters of statements have to see."""

RUNNING_KINDS, STATEMENT_KINDS = [
    frozenset(kind for kind in FIELDS if fields[kind]) for fields in (RUNNING, STATEMENTS)
]
"""Classes of nodes with anything below them that a walk has to see."""


@dataclass
class Context:
    """One function on its way through the converters.

    Parameters
    ----------
    tree : ast.FunctionDef or ast.Lambda
        The function, edited in place.
    options : ConversionOptions
        What the generated function names in its first line.
    namespace : mapping of str to object
        The function's globals and closure at the time of conversion, for constructs that are recognised by
        what a name means (`set_loop_options`).
    pushed : Pushed, optional
        What the push form of a generator function calls what it adds.
    outer : set of str
        Variables of converted functions around it, which may be `Undefined`.
    own_names : set of str
        Attributes that values of backends have for these alone.

    Attributes
    ----------
    frames : dict of node to Frame
        The user's functions and classes, as the user wrote them: this function and what it defines.
    left : set of nodes
        What is left to Python within the function.
    frame_readers : dict of node to names
        The functions among them that may list their variables, so that none is to be added; and the variables
        around them that surely had a value when they were made.
    scope_names : dict of node to str
        What a converted function calls its `FunctionScope`.
    helpers : dict of str to tuple
        The generated functions: tracebacks show them under the name of the user's function. With what their
        code is to carry behind its constants.
    roles : dict of str to Role
        The generated variables.
    finished : set of nodes
        Generated functions that no converter is to look into.
    kept : set of nodes
        Generated statements that stay what they are; their parts are converted.
    announced : set of nodes
        Displays that a converter announces as what it makes of them.
    loop_options : dict of node to dict
        What `set_loop_options` said about a loop.
    undefined : dict of node to set of str
        The local variables of a function that start as `Undefined`.
    deleted_inside : set of str
        Variables that functions within may delete.
    lambdas : list of Span
        Where the bodies of the user's lambdas stand.
    after_handlers : set of str
        The names of `except … as name` that are read elsewhere, too.
    nodes : dict of class to list of nodes
        The nodes of the user's function, by their class.
    has_walrus : bool
        Whether the function binds names by `:=` anywhere.
    has_with : bool
        Whether the user wrote a `with`.
    has_handlers : bool
        Whether it has an `except` anywhere.
    texts : dict of node to str
        The tests of conditional expressions, as the user wrote them.
    conditions : set of nodes
        Each `and` and `or` of which only is asked whether it is true.
    guarded : set of nodes
        The attributes that are read where an `AttributeError` may be caught.
    handed_on : set of nodes
        The attributes of which the value is handed on as it is.
    """

    tree: FunctionNode
    options: ConversionOptions
    namespace: Mapping[str, Any] = field(default_factory=dict)
    pushed: push_form.Pushed | None = None
    outer: Collection[str] = ()
    own_names: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.nodes = indexed(self.tree)
        names = identifiers(self.nodes)
        self.namer = Namer({*names, OURS}, self.namespace)
        self.roles: dict[str, Role] = dict.fromkeys(self.pushed or (), Role.HELPER)
        self.user_names = frozenset(names - self.roles.keys())
        analyses = Analyses(self.tree)
        activity = analyses.get(Activity)
        self.frames: dict[ast.AST, Frame] = {}
        self.left: set[ast.AST] = set()
        self.frame_readers: dict[ast.AST, Names] = {}
        self.texts: dict[ast.AST, str] = {}
        self.lambdas: list[Span] = []
        self.conditions = _conditions(self.nodes) if ast.BoolOp in self.nodes else set()
        self.has_walrus = ast.NamedExpr in self.nodes
        self.has_handlers = ast.ExceptHandler in self.nodes
        self.has_with = ast.With in self.nodes
        self.guarded: set[ast.AST] = set()
        for node in (node for kind in FRAMES for node in self.nodes.get(kind, ())):
            self.frames[node] = activity.frame(node)
            if node is not self.tree and _left_to_python(node):
                self.left.add(node)
                if not isinstance(node, ast.ClassDef) and reads_frame(node):
                    self.frame_readers[node] = _surely_defined(node, analyses)
            elif isinstance(node, ast.Lambda):
                self.lambdas.append(span_of(node.body))
        for node in self.nodes.get(ast.IfExp, ()):
            self.texts[node] = unparse(node.test)
        if self.has_handlers or self.has_with or ast.Expr in self.nodes:
            self.guarded = guarded_reads(self.nodes, self.resolve)
        self.handed_on = handed_on(self.nodes) if ast.Attribute in self.nodes else set()
        self.after_handlers = names_read_after_handlers(self.tree) if self.has_handlers else set()
        self.scope_names: dict[ast.AST, str] = {}
        self.helpers: dict[str, tuple[Any, ...]] = {}
        self.finished: set[ast.AST] = set()
        self.kept: set[ast.AST] = set()
        self.announced: set[ast.AST] = set()
        self.deleted_inside = self._deleted_inside()
        self._shared: dict[str, str] = {}
        self.loop_options: dict[ast.AST, dict[str | None, ast.expr]] = {}
        is_put_off = puts_off(self.nodes)
        self.undefined: dict[ast.AST, set[str]] = {
            node: undefined_when_put_off(node, analyses, binds=self.has_walrus) if is_put_off else set()
            for node in self.frames
            if isinstance(node, ast.FunctionDef) and node not in self.left
        }
        analyses.forget()

    def _deleted_inside(self) -> set[str]:
        """The variables that functions delete which are in the function of these variables."""
        declared = {name for node in self.nodes.get(ast.Nonlocal, ()) for name in node.names}
        targets = (target for node in self.nodes.get(ast.Delete, ()) for target in node.targets)
        return {target.id for target in targets if isinstance(target, ast.Name) and target.id in declared}

    def helper(self, root: str, *carried: Any) -> str:
        """A fresh name for a generated function, whose code is to carry something."""
        name = self.namer.fresh(root)
        self.helpers[name] = carried
        return name

    def variable(self, root: str, role: Role = Role.HELPER) -> str:
        """A fresh name for a generated variable."""
        name = self.namer.fresh(root)
        self.roles[name] = role
        return name

    def shared(self, root: str) -> str:
        """A name for a parameter of generated functions; it may be the same in all of them."""
        if root not in self._shared:
            self._shared[root] = self.namer.fresh(root)
        return self._shared[root]

    def copied(self, block: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Statements of the user's once more, with all that is known of their nodes."""
        twins = copy.deepcopy(list(block))
        tables: list[dict[ast.AST, Any]] = [self.frames, self.frame_readers, self.texts, self.undefined]
        for node, twin in zip(walk(block), walk(twins), strict=True):
            self.nodes[node.__class__].append(twin)
            for marked in (self.left, self.conditions, self.guarded, self.handed_on):
                if node in marked:
                    marked.add(twin)
            for table in tables:
                if node in table:
                    table[twin] = table[node]
        return twins

    def resolve(self, node: ast.AST) -> Any:
        """The object that a dotted name means outside of the function; None when that cannot be said.

        Only modules are looked into: an attribute of anything else may be code that runs.
        """
        if isinstance(node, ast.Name):
            hidden = any(node.id in frame.locals for frame in self.frames.values())
            return None if hidden else self.namespace.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
        return None


def _conditions(nodes: NodesByClass) -> set[ast.AST]:
    """Each `and` and `or` of which only is asked whether it is true, given a function's nodes by class."""
    pending: list[ast.AST] = [
        node.test for kind in (ast.If, ast.While, ast.IfExp, ast.Assert) for node in nodes.get(kind, ())
    ]
    pending += [test for part in nodes.get(ast.comprehension, ()) for test in part.ifs]
    found: set[ast.AST] = set()
    while pending:
        node = pending.pop()
        if isinstance(node, ast.BoolOp):
            found.add(node)
            pending += node.values
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            pending.append(node.operand)
    return found


def _left_to_python(node: ast.AST) -> bool:
    """Whether a node inside of a function stays as it is.

    The body of a class runs in a scope that no function can rebind; generators and their like run in frames
    of their own. Functions that are left are converted, where they can be, when they are called.
    """
    if isinstance(node, ast.ClassDef):
        return True
    return (
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        and reason_to_leave(node) is not None
    )


def _surely_defined(definition: ast.AST, analyses: Analyses) -> Names:
    """The variables that have a value when a function is made; of a lambda, that is not known."""
    is_statement = isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef)
    defined = analyses.get(Definitions).defined_in(definition) if is_statement else 0
    return analyses.get(Activity).named(defined)


class Converter(ABC, Generic[Node]):
    """One construct: which nodes it is, and what takes their place."""

    handles: ClassVar[tuple[type[ast.AST], ...]] = ()
    needs: ClassVar[tuple[type[Analysis], ...]] = ()
    enters_left: ClassVar[bool] = False
    """Whether it also changes functions and classes that are left to Python."""

    def __init__(self, context: Context, walk: Walk) -> None:
        self.context = context
        self.walk = walk

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """The classes that it is to be handed nodes of: those that the function may have by now."""
        nodes = context.nodes
        return [kind for kind in cls.handles if kind in nodes or kind not in NEVER_MADE]

    def enter(self, node: Node) -> None:
        """Called before the children of a node are walked."""

    @abstractmethod
    def convert(self, node: Node) -> Replacement:
        """What takes the place of a node whose children are converted; stamped with the node's position."""

    def facts(self, kind: type[Fact]) -> Fact:
        """The results of an analysis that `needs` names."""
        return self.walk.facts(kind)

    @property
    def function(self) -> FunctionNode:
        """The innermost function of the user's around the current node; a lambda counts."""
        return self.walk.function

    @property
    def frame(self) -> Frame:
        """The names of that function."""
        return self.context.frames[self.walk.function]

    @property
    def scope_name(self) -> str:
        """What the innermost function that opens a `FunctionScope` calls it."""
        names = self.context.scope_names
        return next(names[scope] for scope in reversed(self.walk.scopes) if scope in names)


class Walk(Rewriter):
    """One walk over the function for a group of converters.

    Parameters
    ----------
    context : Context
    group : sequence of Converter classes
        No two of them handle the same class of node.
    """

    def __init__(self, context: Context, group: Group) -> None:
        super().__init__()
        self.context = context
        self._converters: dict[type[ast.AST], Steps] = {}
        wanted = [(kind, handles) for kind in group if (handles := kind.wanted(context))]
        if not wanted:
            return
        self.open_blocks: list[ast.AST] = []
        self.hoisted: list[ast.stmt] = []
        """What converters of expressions want in front of the statement that is being walked."""
        self._finished, self._left = context.finished, context.left
        self._analyses = analyses = Analyses(context.tree)
        self._facts: dict[type[Analysis], Analysis] = {}
        self._in_left: dict[type[ast.AST], Steps] = {}
        """The converters for what is left to Python."""
        for kind, handles in wanted:
            self._add(kind(context, self), handles, analyses)
        self._all = self._converters
        self._fields, self._watched = _scope_of(frozenset(self._converters))

    def _add(self, converter: Converter[Any], handles: Kinds, analyses: Analyses) -> None:
        self._facts |= {each: analyses.get(each) for each in converter.needs}
        enters = type(converter).enter is not Converter.enter
        steps = converter.enter if enters else None, converter.convert
        for handled in handles:
            assert handled not in self._converters, f"{type(converter).__name__}: {handled.__name__} is taken"
            self._converters[handled] = steps
            if converter.enters_left:
                self._in_left[handled] = steps

    def run(self) -> None:
        """Goes through the whole function, once.

        Afterwards it lets go of what refers to itself: trees are many objects, and those that only a
        collection of garbage can free cost a third of the time that conversion takes.
        """
        if not self._converters:
            return
        self.visit(self.context.tree)
        self._analyses.forget()
        self._converters.clear()
        self._in_left.clear()
        self._methods.clear()

    def facts(self, kind: type[Fact]) -> Fact:
        """The results of an analysis, as of the start of the walk."""
        return cast("Fact", self._facts[kind])

    @property
    def function(self) -> FunctionNode:
        """The innermost function of the user's around the current node."""
        frames = self.context.frames
        return next(
            scope
            for scope in reversed(self.scopes)
            if scope in frames and isinstance(scope, ast.FunctionDef | ast.Lambda)
        )

    def visit(self, node: ast.AST) -> Any:
        """Children first, then the converter that handles the node."""
        kind = type(node)
        if kind not in self._watched or node in self._finished:
            return node
        if self._left:
            converters = self._converters_of(node)
            if converters is not self._converters:
                return self._visit_with(converters, node)
        steps = self._converters.get(kind)
        waiting = len(self.hoisted)
        replacement: Replacement
        if steps is None:
            replacement = super().visit(node) if kind in SCOPED_PARTS else self.generic_visit(node)
        else:
            enter, convert = steps
            if enter is not None:
                enter(node)
            if self._fields[kind]:
                self.generic_visit(node)
            replacement = convert(node)
            if replacement is not node:
                stamp((replacement,) if isinstance(replacement, ast.AST) else replacement, node)
        if len(self.hoisted) > waiting and isinstance(node, ast.stmt):
            return self._with_hoisted(waiting, replacement, node)
        return replacement

    @property
    def is_left(self) -> bool:
        """Whether the current node is left to Python."""
        return self._converters is self._in_left

    def _converters_of(self, node: ast.AST) -> dict[type[ast.AST], Steps]:
        """The converters for a node: for what is left to Python, those that enter such.

        The body of a class is left, its methods are not.
        """
        if node in self._left:
            return self._in_left
        if isinstance(node, ast.FunctionDef | ast.Lambda) and all(
            isinstance(scope, ast.ClassDef) for scope in self.scopes if scope in self._left
        ):
            return self._all
        return self._converters

    def _visit_with(self, converters: dict[type[ast.AST], Steps], node: ast.AST) -> Any:
        """A function or class with converters of its own."""
        around, self._converters = self._converters, converters
        replacement = self.visit(node)
        self._converters = around
        return replacement

    def _with_hoisted(self, first: int, statement: Replacement, origin: ast.stmt) -> Replacement:
        """A statement behind the functions that its own expressions need."""
        hoisted, self.hoisted[first:] = self.hoisted[first:], []
        stamp(hoisted, origin)
        return [*hoisted, *([statement] if isinstance(statement, ast.AST) else statement)]

    def generic_visit(self, node: ast.AST) -> Any:
        """As a rewriter does, but quicker: conversion spends most of its time here."""
        if node.__class__ in SCOPE_KINDS:
            return super().generic_visit(node)
        parts, watched = node.__dict__, self._watched
        for name in self._fields[node.__class__]:
            value: Any = parts.get(name)
            if value.__class__ is list:
                if value:
                    parts[name] = self._items(value, name)
            elif value.__class__ in watched:
                parts[name] = self.visit(value)
        return node

    def visit_arguments(self, node: Any) -> Any:
        """Defaults, which are evaluated around the function; nothing of a parameter itself is rewritten."""
        if node.defaults or node.kw_defaults:
            function = self.scopes.pop()
            self._field(node, "defaults")
            self._field(node, "kw_defaults")
            self.scopes.append(function)
        return node

    def _items(self, items: list[Any], name: str) -> list[Any]:
        """What takes the place of the items of a field."""
        watched = self._watched
        rewritten: list[Any] = []
        for item in items:
            result = self.visit(item) if item.__class__ in watched else item
            if isinstance(result, (list, tuple)):
                rewritten += result
            else:
                rewritten.append(result)
        if not rewritten and name == "body":
            return [ast.copy_location(ast.Pass(), items[0])]
        return rewritten

    def _field(self, node: ast.AST, field: str) -> None:
        header = node is self.context.tree and field != "body"  # it ran when the function was made
        if field in self._fields[type(node)] and not header:
            super()._field(node, field)


@functools.cache
def _scope_of(handled: frozenset[type[ast.AST]]) -> tuple[Mapping[Any, tuple[str, ...]], Kinds]:
    """The fields that a walk looks into, and the classes of nodes that it looks at."""
    if any(issubclass(kind, ast.expr) for kind in handled):
        return RUNNING, handled | RUNNING_KINDS
    return STATEMENTS, handled | STATEMENT_KINDS


def has_walrus(nodes: Iterable[ast.AST | None]) -> bool:
    """Whether an expression binds a name where it stands; inside of a generated lambda it would not."""
    return any(isinstance(inner, ast.NamedExpr) for inner in walk(filter(None, nodes)))
