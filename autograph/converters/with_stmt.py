"""`with`: its body becomes a function of what the manager gives, which may swallow what the body raises.

>>> from autograph.converters.picture import show
>>> show('''
... def f(x):
...     with suppress(ZeroDivisionError) as _:
...         x = 1 // x
...     return x
... ''', WithStmt)
def f(x):
    def get_state():
        return (x,)
    def set_state(vars_):
        nonlocal x
        (x,) = vars_
    def with_body(entered):
        nonlocal _, x
        _ = entered
        x = 1 // x
    ag__.with_stmt(suppress(ZeroDivisionError), with_body, get_state, set_state, ('x',), 1)
    return x

Managers of a program's own, and those that may swallow what is raised, stand for a `try` around the body:
they hear of what the graph raises. Generators that became managers stand for one around their `yield`. With
all others, the statement is Python's.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import ExitStack, _GeneratorContextManager, closing
from functools import partial
from types import FunctionType
from typing import Any

from autograph.converters.base import Context, Kinds, Replacement
from autograph.converters.blocks import Block, BlockConverter, getter_and_setter
from autograph.converters.callees import converted_call
from autograph.converters.try_stmt import RUNNING
from autograph.errors import SourceNotFound
from autograph.options import STD
from autograph.source.fence import own_nodes
from autograph.source.nodes import walk
from autograph.source.parse import find
from autograph.source.template import Statements, is_ours, literal
from autograph.staging import announcing
from autograph.staging.backend import Body
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.scope import FunctionScope
from autograph.staging.special_methods import truth
from autograph.staging.stand_ins import is_left_alone, written
from autograph.staging.state import Getter, Setter, State

__all__ = ["WithStmt", "with_stmt"]


class WithStmt(BlockConverter[ast.With]):
    """A body, a state, and a call for each manager, the first one outside."""

    handles = (ast.With,)
    template = Statements("""
        def with_body(entered):
            nonlocal nonlocals
            global globals_
            bind
            body
        ag__.with_stmt(manager, with_body, get_state, set_state, names, nouts)
    """)
    bind = Statements("target = entered")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where the user wrote one: functions open their scope with another."""
        return cls.handles if context.has_with else ()

    def body(self, node: ast.With) -> list[ast.AST]:
        """The targets are bound within."""
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        later = [item.context_expr for item in node.items[1:]]
        return [*targets, *later, *node.body]

    def enter(self, node: ast.With) -> None:
        """Looks at the statement as the user wrote it."""
        if self._matters(node):
            super().enter(node)

    def convert(self, node: ast.With) -> Replacement:
        """The innermost manager first."""
        if not self._matters(node):
            return node
        block = self.leave()
        functions, get_state, set_state = getter_and_setter(self.context, block)
        statements: list[ast.stmt] = node.body
        for item in reversed(node.items):
            statements = self._managed(item, statements, block, get_state, set_state)
        return [*functions, *statements]

    def _managed(
        self, item: ast.withitem, body: list[ast.stmt], block: Block, get_state: str, set_state: str
    ) -> list[ast.stmt]:
        entered = self.context.shared("entered")
        bind: list[ast.stmt] = []
        if item.optional_vars is not None:
            bind = self.bind.fill(target=item.optional_vars, entered=entered)
        return self.template.fill(
            with_body=self.context.helper("with_body"),
            entered=entered,
            bind=bind,
            body=body,
            manager=item.context_expr,
            nonlocals=block.nonlocals,
            globals_=block.globals,
            get_state=get_state,
            set_state=set_state,
            names=block.names,
            nouts=literal(block.nouts),
        )

    def _matters(self, node: ast.With) -> bool:
        """Whether it is the user's, and a graph may raise something in its body."""
        if node in self.context.kept or any(is_ours(item.context_expr) for item in node.items):
            return False
        return any(
            isinstance(inner, (*RUNNING, ast.Expr)) or self.may_lack(inner) for inner in walk(node.body)
        )


@operator
def with_stmt(
    backends: Backends,
    manager: Any,
    body: Callable[[Any], None],
    get_state: Getter,
    set_state: Setter,
    names: tuple[str, ...],
    nouts: int,
) -> None:
    """Runs the statement as Python does, unless a backend records and the manager hears what is raised."""
    backend = backends.staging_now()
    kind = type(manager)
    if backend is not backends.plain:
        state = State(get_state, set_state, names, nouts)
        if kind is _GeneratorContextManager:  # what is in one of a library's has no second try
            function = getattr(manager, "func", None)
            if type(function) is FunctionType and not is_left_alone(function):
                backend.managed(manager, backends.managing(function), body, state)
                return
        elif backends.owned[kind] and backends.of(manager).is_choice(manager):
            _chosen(backends, manager, body, state)
            return
        elif _is_manager(kind) and (_may_swallow(kind) or _hears(kind)):
            _recorded(backends, manager, body, state)
            return
    with manager as value:
        body(value)


def _is_manager(kind: type) -> bool:
    """Whether a class has both methods, which Python looks for before it calls one of them."""
    return all(any(name in vars(base) for base in kind.__mro__) for name in ("__enter__", "__exit__"))


def _recorded(backends: Backends, manager: Any, body: Callable[[Any], None], state: State) -> None:
    """A `try` around the body, whose handler asks the manager."""
    backend, kind = backends.staging_now(), type(manager)
    leave: Callable[..., Any] = partial(kind.__exit__, manager)
    call_off = partial(state.call_off, state.get())
    if kind is closing:
        leave = _called(backends, manager.thing.close, (), {})
    value = kind.__enter__(manager)
    if backends.staging_now() is not backend:  # it leads out of the graph
        _guarded(backends, partial(body, value), leave, state, call_off)
        return

    def enter() -> None:
        announcing.note_inside(manager)  # a stack of managers changes in the body
        body(value)

    def rest(run: Body) -> None:
        announcing.note_inside(manager)
        if kind is ExitStack:
            for called in _taken(backends, manager):
                run = partial(_guarded, backends, run, called, state, call_off)
            run()
        else:
            _guarded(backends, run, leave, state, call_off)

    backend.try_stmt(enter, rest, None, lambda: (BaseException,), state)


def _chosen(backends: Backends, manager: Any, body: Callable[[Any], None], state: State) -> None:
    """The statement of one of several managers: the one that is chosen is entered, and left."""

    def asked(name: str, *args: Any) -> Any:
        def of_one(one: Any) -> Any:
            if not _is_manager(type(one)):
                kind = type(one).__name__
                raise TypeError(f"'{kind}' object does not support the context manager protocol")
            return _as_converted(backends, getattr(type(one), name))(one, *args)

        return backends.of(manager).of_each(manager, of_one)

    leave, value = partial(asked, "__exit__"), asked("__enter__")
    call_off = partial(state.call_off, state.get())

    def rest(run: Body) -> None:
        _guarded(backends, run, leave, state, call_off)

    backends.staging_now().try_stmt(partial(body, value), rest, None, lambda: (BaseException,), state)


def _guarded(backends: Backends, run: Body, leave: Callable[..., Any], state: State, call_off: Body) -> None:
    """What a manager makes of what is raised: it hears of it, and may swallow it."""
    try:
        run()
    except BaseException as error:  # as the statement has it
        found = truth(backends, leave(type(error), error, error.__traceback__))
        if backends.owned[type(found)]:
            backends.of(found).if_stmt(found, call_off, partial(_raise, error), state)
        elif not found:
            raise
        else:
            call_off()
    else:
        leave(None, None, None)


def _taken(backends: Backends, stack: Any) -> list[Callable[..., Any]]:
    """What a stack of managers calls when it is left, the last one first; it calls nothing a second time."""
    taken = vars(stack.pop_all())["_exit_callbacks"]
    callbacks = [called for _, called in reversed(taken)]
    return [_called_back(backends, each) if type(each) is FunctionType else each for each in callbacks]


def _called_back(backends: Backends, wrapper: FunctionType) -> Callable[..., Any]:
    """What `ExitStack.callback` has wrapped, called as converted code does."""
    cells = dict(zip(wrapper.__code__.co_freevars, wrapper.__closure__ or (), strict=True))
    if not cells.keys() >= {"callback", "args", "kwds"}:
        return wrapper
    return _called(backends, *[cells[name].cell_contents for name in ("callback", "args", "kwds")])


def _called(
    backends: Backends, callback: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any]:
    """What calls a function of the program's where a statement is left, as converted code does."""
    called = _as_converted(backends, callback)

    def leave(*_: Any) -> None:
        called(*args, **kwargs)

    return leave


def _as_converted(backends: Backends, callee: Any) -> Callable[..., Any]:
    """A function of the program's, or one of several, as converted code calls it."""
    scope = FunctionScope(backends.convert, "callback", "", STD)

    def called(*args: Any, **kwargs: Any) -> Any:
        return converted_call(backends, callee, args, kwargs, scope)

    return called


def _raise(error: BaseException) -> None:
    raise error


def _may_swallow(kind: type) -> bool:
    """Whether the `__exit__` of a class may give anything but None or False: no method of C does."""
    method = written(getattr(kind, "__exit__", None))
    return type(method) is FunctionType and _gives_something(method)


def _hears(kind: type) -> bool:
    """Whether a class of the program's does something when it is left, be it by an exception."""
    if kind is closing:
        return True
    owner = next((base for base in kind.__mro__ if "__exit__" in vars(base)), object)
    method = written(vars(owner).get("__exit__"))
    if is_left_alone(owner) or type(method) is not FunctionType:
        return False
    try:
        definition = find(method).definition
    except SourceNotFound:
        return False  # nor is it converted
    return any(
        isinstance(node, (*RUNNING, ast.Assign, ast.AnnAssign, ast.Delete)) for node in own_nodes(definition)
    )


def _gives_something(method: FunctionType) -> bool:
    """Whether a `return` of it has anything but None or False; without its source, it may."""
    try:
        definition = find(method).definition
    except SourceNotFound:
        return True
    returned = [node.value for node in own_nodes(definition) if isinstance(node, ast.Return)]
    return isinstance(definition, ast.Lambda) or not all(
        value is None or (isinstance(value, ast.Constant) and value.value in {None, False})
        for value in returned
    )
