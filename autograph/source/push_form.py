"""Rewrites a generator function to push form: `yield` becomes a call of the consumer.

    def evens(n):                               def evens(n):
        for i in range(n):                          for i in range(n):
            if i % 2 == 0:              ⇒               if i % 2 == 0:
                yield i                                     if ag__emit(i):
        yield from more(n)                                      return
                                                    for item_ in more(n):
                                                        if ag__emit(item_):
                                                            return

What `ag__emit` gives says whether the consumer wants no more. It is a free variable of the function, so the
arguments are those of the generator function; each run gets a cell of its own. It is called otherwise where
the function uses that name.

Inside of a `try` a handler lets pass what the consumer raises, which is none of its business:

        try:                                        at_ = False
            while True:                             try:
                yield next(iterator)                    while True:
        except StopIteration:                               item_ = next(iterator)
            pass                            ⇒               at_ = True
                                                            if ag__emit(item_):
                                                                return
                                                            at_ = False
                                                    except StopIteration:
                                                        if at_:
                                                            raise
                                                        pass

A handler that yields itself says what it has caught, and stands behind the `try`: the consumer is to find no
exception under way.

A StopIteration of the generator's own that comes out of it is a RuntimeError, as Python has it: where the
text asks an iterator for an item, or raises one, all of it stands in such a `try`.

The form is an ordinary function, which converters take as any other. A generator has none where its frame
has to wait: inside of a `with`, or of a `try` that has a `finally` or may hear of `GeneratorExit`, which run
when the generator is closed; in a handler that raises what it has caught; and where something is evaluated in
front of a `yield` whose value is used. Nobody sends anything to a generator that is looped over:
what `s = yield x` gets is None.

A generator function behind `contextlib.contextmanager` has one consumer, the body of a `with`. What that
raises is raised where the `yield` stands, so there the blocks around may be of any kind.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from functools import partial
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from autograph.source.edit import SCOPES, blocks_of
from autograph.source.names import Namer, identifiers, indexed
from autograph.source.nodes import children
from autograph.source.origin import stamp
from autograph.source.template import Statements
from autograph_base.named_tuple import NamedTuple

__all__ = ["Emit", "Pushed", "as_written", "push_form"]

Emit: TypeAlias = Callable[[Any], Any]
"""Takes an item; says whether the consumer wants no more."""

WAITING = (ast.Try, ast.TryStar, ast.With)
"""Statements in which a consumer must not run: what it raises would be caught."""

_HANDLED = frozenset(
    name for name, found in vars(builtins).items() if isinstance(found, type) and issubclass(found, Exception)
)
"""Exceptions of Python's own of which `GeneratorExit` is none."""


class Pushed(NamedTuple):
    """What a push form calls what it adds.

    Attributes
    ----------
    emit : str
        The free variable that takes an item.
    item : str
        The variable for an item of another generator's, or one that is made in a `try`.
    at : str
        The variable that is true while the consumer runs where a `try` is around.
    """

    emit: str
    item: str
    at: str


def push_form(tree: ast.AST, *, is_manager: bool = False) -> Pushed | None:
    """Turns a generator function into its push form, in place.

    Parameters
    ----------
    tree : ast.FunctionDef
        A generator function as the user wrote it.
    is_manager : bool
        Whether its consumer is the body of a `with`.

    Returns
    -------
    Pushed or None
        None where there is none; then the tree is as it was.
    """
    waiting = () if is_manager else WAITING
    if not isinstance(tree, ast.FunctionDef) or not all(_can_push(node, waiting) for node in tree.body):
        return None
    namer = Namer(identifiers(indexed(tree)))
    names = Pushed(namer.fresh("ag__emit"), namer.fresh("item_"), namer.fresh("at_"))
    if not is_manager and any(map(_may_stop, tree.body)):
        guarded = _GUARDED.fill(body=tree.body, stopped=namer.fresh("stopped_"))
        stamp(guarded, tree)
        tree.body = guarded
    tree.body = _Pushing(names, namer.fresh, is_manager=is_manager).block(tree.body)
    return names


_GUARDED = Statements("""
    try:
        body
    except StopIteration as stopped:
        raise RuntimeError("generator raised StopIteration") from stopped
""")


def _may_stop(node: ast.AST) -> bool:
    """Whether a StopIteration may come out of a statement, as far as its text says."""
    match node:
        case ast.Call(func=ast.Name("next"), args=[_]) | ast.Call(func=ast.Attribute(attr="__next__")):
            return True
        case ast.Raise(exc=ast.Name("StopIteration") | ast.Call(func=ast.Name("StopIteration"))):
            return True
        case ast.Try() if any(_hears_of_stop(each.type) for each in node.handlers):
            inside = [*node.handlers, *node.orelse, *node.finalbody]
        case _:
            inside = [] if isinstance(node, SCOPES) else [*children(node)]
    return any(map(_may_stop, inside))


def _hears_of_stop(kind: ast.expr | None) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(each, ast.Name) and each.id in {"StopIteration", "Exception"} for each in kinds)


def _can_push(node: ast.AST, waiting: tuple[type[ast.AST], ...]) -> bool:
    """Whether every `yield` in a statement of a generator function is a statement outside of those."""
    match node:
        case ast.Expr(value=ast.Yield(value=value) | ast.YieldFrom(value=value)):
            return value is None or not _yields(value)
        case ast.Assign(value=value) if _waits_first(value):
            return sum(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node)) == 1
        case ast.Yield() | ast.YieldFrom():
            return False
    if isinstance(node, waiting) and not _lets_pass(node):
        return not _yields(node)
    return isinstance(node, SCOPES) or all(_can_push(child, waiting) for child in children(node))


def _lets_pass(node: ast.AST) -> bool:
    """Whether a statement is a `try` that can be told from what its handlers hear that a consumer raises."""
    if not isinstance(node, ast.Try) or node.finalbody:
        return False
    return all(_is_handled(each.type) and not _yields_and_raises(each) for each in node.handlers)


def _yields_and_raises(handler: ast.ExceptHandler) -> bool:
    """Whether a handler that yields raises, too: what it has caught, or something whose context that is."""
    return any(map(_yields, handler.body)) and any(isinstance(each, ast.Raise) for each in ast.walk(handler))


def _is_handled(kind: ast.expr | None) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return all(isinstance(each, ast.Name) and each.id in _HANDLED for each in kinds)


def _waits_first(value: ast.expr) -> bool:
    """Whether the first thing that an expression does is to yield: nobody sends, so what it gets is None."""
    return isinstance(_first(value)[1], ast.Yield)


def _first(value: ast.expr) -> tuple[Callable[[ast.expr], None] | None, ast.expr]:
    """What an expression evaluates first, and what puts something else there; None where it is all of it."""
    put = None
    while True:
        match value:
            case ast.BoolOp(values=[first, *_] as values):
                put, value = partial(values.__setitem__, 0), first
            case ast.BinOp(left=first) | ast.Compare(left=first):
                put, value = partial(setattr, value, "left"), first
            case ast.IfExp(test=first):
                put, value = partial(setattr, value, "test"), first
            case ast.UnaryOp(operand=first):
                put, value = partial(setattr, value, "operand"), first
            case _:
                return put, value


def _yields(node: ast.AST) -> bool:
    """Whether a node waits somewhere in its own frame."""
    if isinstance(node, (ast.Yield, ast.YieldFrom)):
        return True
    return not isinstance(node, SCOPES) and any(map(_yields, children(node)))


class _Pushing:
    """Puts other statements in the places of `yield` and `return`, in all blocks of a function."""

    yielded = Statements("""
        if emit(value):
            return
    """)
    delegated = Statements("""
        for item in items:
            if emit(item):
                return
    """)

    yielded_in_try = Statements("""
        item = value
        at = True
        if emit(item):
            return
        at = False
    """)
    delegated_in_try = Statements("""
        for item in items:
            at = True
            if emit(item):
                return
            at = False
    """)
    beginning = Statements("at = False")
    passing = Statements("""
        if at:
            raise
    """)
    managed = Statements("emit(value)")
    caught = Statements("which = number")
    caught_as = Statements("""
        which = number
        error = name
    """)
    behind = Statements("""
        if which == number:
            body
    """)
    behind_as = Statements("""
        if which == number:
            name = error
            body
            del name
    """)

    def __init__(self, names: Pushed, fresh: Callable[[str], str], *, is_manager: bool) -> None:
        self._names = names
        self._fresh = fresh
        self._is_manager = is_manager
        self._tries = 0

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The block, with what takes the places of its statements."""
        return [each for statement in statements for each in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        """What takes the place of a statement."""
        match node:
            case ast.Expr(value=ast.Yield(value=value)):
                pushed = self._pushed(ast.Constant(None) if value is None else value)
            case ast.Expr(value=ast.YieldFrom(value=items)):
                pushed = self._delegated(items)
            case ast.Assign(value=value) if _waits_first(value):
                put, waiting = _first(value)
                assert isinstance(waiting, ast.Yield), "it waits first"
                pushed = self._statement(ast.copy_location(ast.Expr(waiting), node))
                (put or partial(setattr, node, "value"))(ast.copy_location(ast.Constant(None), waiting))
                return [*pushed, node]
            case ast.Return(value=ast.AST() as value):  # nobody asks for it, but it is evaluated
                pushed = [ast.Expr(value), ast.Return(None)]
            case _ if isinstance(node, SCOPES):
                return [node]
            case ast.Try() if not self._is_manager and _yields(node):
                return self._in_try(node)
            case _:
                for part, field, block in blocks_of(node):
                    setattr(part, field, self.block(block))
                return [node]
        stamp(pushed, node)
        return pushed

    def _pushed(self, value: ast.expr) -> list[ast.stmt]:
        if self._is_manager:
            return self.managed.fill(emit=self._names.emit, value=value)
        if self._tries:
            return self.yielded_in_try.fill(value=value, **self._names._asdict())
        return self.yielded.fill(emit=self._names.emit, value=value)

    def _delegated(self, items: ast.expr) -> list[ast.stmt]:
        if self._tries and not self._is_manager:
            return self.delegated_in_try.fill(items=items, **self._names._asdict())
        return self.delegated.fill(items=items, emit=self._names.emit, item=self._names.item)

    def _in_try(self, node: ast.Try) -> list[ast.stmt]:
        """A `try` whose handlers let pass what the consumer raises."""
        self._tries += 1
        node.body = self.block(node.body)
        self._tries -= 1
        node.orelse = self.block(node.orelse)
        beginning: list[ast.stmt] = self.beginning.fill(at=self._names.at)
        behind: list[ast.stmt] = []
        which = self._fresh("caught_") if any(map(_yields, node.handlers)) else ""
        if which:
            beginning += self.caught.fill(which=which, number=ast.Constant(0))
        for number, handler in enumerate(node.handlers, 1):
            passing = self.passing.fill(at=self._names.at)
            body = self.block(handler.body)
            if any(map(_yields, handler.body)):
                body, moved = self._moved(handler, body, which, number)
                behind += moved
            stamp(passing, node)
            handler.body = [*passing, *body]
        stamp(beginning, node)
        return [*beginning, node, *behind]

    def _moved(
        self, handler: ast.ExceptHandler, body: list[ast.stmt], which: str, number: int
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What a handler that yields does instead, and what is done behind its `try`."""
        filled: dict[str, Any] = {"which": which, "number": ast.Constant(number)}
        if handler.name is None:
            caught, behind = self.caught.fill(**filled), self.behind.fill(body=body, **filled)
        else:
            filled |= {"name": handler.name, "error": self._fresh("error_")}
            caught, behind = self.caught_as.fill(**filled), self.behind_as.fill(body=body, **filled)
        stamp(caught, handler)
        stamp(behind, handler)
        return caught, behind


def as_written(function: FunctionType) -> FunctionType:
    """The function with the code that the user wrote, where it stands in a converted function.

    A generator function within one is left to Python there, but for its reads of variables; behind its
    constants is the code that it was before.
    """
    code = function.__code__
    original = code.co_consts[-1] if code.co_consts else None
    if not isinstance(original, CodeType) or original.co_firstlineno != code.co_firstlineno:
        return function
    if original.co_qualname != code.co_qualname or not set(original.co_freevars) <= set(code.co_freevars):
        return function
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple([cells[name] for name in original.co_freevars])
    return FunctionType(original, function.__globals__, function.__name__, function.__defaults__, closure)
