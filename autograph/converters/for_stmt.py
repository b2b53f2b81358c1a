"""`for`: the body becomes a function of the item.

>>> from autograph.converters.picture import show
>>> show('''
... def f(items):
...     total = 0
...     for x in items:
...         total = total + x
...     print(total)
... ''', ForStmt)
def f(items):
    total = 0
    def get_state():
        return (total,)
    def set_state(vars_):
        nonlocal total
        (total,) = vars_
    def loop_body(itr):
        nonlocal total, x
        x = itr
        total = total + x
    ag__.for_stmt(items, None, loop_body, get_state, set_state, ('total',), {'iterate_names': 'x'})
    print(total)

After a `break` or `return` in the body there is a function `extra_test` instead of the `None`. A generator
that the expression behind `in` makes is closed then, so its `finally` runs: Python does so as nobody has it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from autograph.analysis.activity import Activity, Packed
from autograph.analysis.liveness import Liveness
from autograph.converters.base import Replacement
from autograph.converters.blocks import BlockConverter, getter_and_setter
from autograph.converters.directive import loop_options
from autograph.converters.jumps import split_mark, take_extra_test
from autograph.source.template import Statements, literal
from autograph.source.unparse import unparse
from autograph.staging import watches
from autograph.staging.backend import Backend, LoopOptions, LoopTest
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.iterators import growing_under, leave, until_moved
from autograph.staging.operators import operator
from autograph.staging.special_methods import given
from autograph.staging.state import Getter, Setter, State

__all__ = ["ForStmt", "are_many", "asked_after", "for_stmt", "is_much"]


class ForStmt(BlockConverter[ast.For]):
    """A body, a test where there is a `break`, a state, and the call."""

    handles = (ast.For,)
    template = Statements("""
        functions
        def loop_body(itr):
            nonlocal nonlocals
            global globals_
            target = itr
            body
        extra
        ag__.for_stmt(items, extra_test, loop_body, get_state, set_state, names, options)
    """)
    extra = Statements("""
        def extra_test():
            return test
    """)

    def body(self, node: ast.For) -> list[ast.AST]:
        """The target is bound within."""
        return [node.target, *node.body]

    def live_before(self, node: ast.For) -> Packed:
        """What a turn reads, and the extra test, which comes before it.

        The expression behind `in` is no part of the loop: it is evaluated before.
        """
        _, mark = split_mark(node.body)
        return self.facts(Liveness).live_in_turn(node) | self.facts(Activity).of_block(mark).read

    def convert(self, node: ast.For) -> Replacement:
        """The target is bound in the body, as its first statement."""
        block = self.leave()
        functions, get_state, set_state = getter_and_setter(self.context, block)
        test = take_extra_test(node)
        extra: list[ast.stmt] = []
        extra_test: ast.expr | str = ast.Constant(None)
        if test is not None:
            extra_test = self.context.helper("extra_test")
            extra = self.extra.fill(extra_test=extra_test, test=test)
        options = {"iterate_names": literal(unparse(node.target))} | self.context.loop_options.get(node, {})
        if _is_of_call(node.iter):
            options |= {"is_of_call": literal(True)}
        return self.template.fill(
            functions=functions,
            loop_body=self.context.helper("loop_body"),
            itr=self.context.shared("itr"),
            target=node.target,
            body=node.body,
            extra=extra,
            extra_test=extra_test,
            items=node.iter,
            nonlocals=block.nonlocals,
            globals_=block.globals,
            get_state=get_state,
            set_state=set_state,
            names=block.names,
            options=loop_options(options),
        )


def _is_of_call(items: ast.expr) -> bool:
    """Whether items are what a call gives, of nothing with a builtin's name: these make no generators."""
    return isinstance(items, ast.Call) and not hasattr(builtins, getattr(items.func, "id", ""))


FEWEST_ROLLED = 16
"""Turns of a range from which on a backend is asked for one loop in the place of so many turns."""
FIRST_TURNS = 3
"""Turns that run before it is asked: in them, variables become what all other turns find."""
FEWEST_WEIGHED = 4
"""Turns of a range from which on the first one is weighed."""
MOST_RECORDED = 400
"""Operations that the turns of a short range may add, in all copies, until a backend is asked, too."""
FEWEST_RECORDED = 100
"""Operations that they have to add in one copy: fewer are traced sooner than a loop of the graph is."""
_COUNTED = frozenset({range, list, tuple})


def are_many(turns: int) -> bool:
    """Whether so many turns of numbers had better be one loop, whatever they do."""
    return turns >= FEWEST_ROLLED


def asked_after() -> tuple[int, ...]:
    """The turns after which a backend may be asked for one loop in the place of those that are left."""
    return 0, 1, FIRST_TURNS, FEWEST_ROLLED


def is_much(recorded: int, copies: int) -> bool:
    """Whether so many operations, in so many copies, had better be those of one loop."""
    return recorded >= FEWEST_RECORDED and recorded * copies > MOST_RECORDED


def is_table(items: Sequence[Any]) -> bool:
    """Whether items are numbers of Python's, or tuples of as many of them."""
    if type(items[0]) is not tuple:
        return set(map(type, items)) <= _NUMBERS
    length = len(items[0])
    return all(
        type(item) is tuple and len(item) == length and set(map(type, item)) <= _NUMBERS for item in items
    )


_NUMBERS = frozenset({bool, int, float})


class _Turns:
    """The turns of a loop of Python's, and when a backend is asked for one loop in their place.

    Attributes
    ----------
    count : int
        How many there are, as far as anybody knows and cares; otherwise 1.
    are_many : bool
        Whether they need not be weighed.
    tried_after : tuple of int
        The turns after which the backend may be asked.
    """

    def __init__(self, items: Any, *, is_staging: bool) -> None:
        self._items = items
        self.count = len(items) if is_staging and type(items) in _COUNTED else 1
        is_range = is_staging and type(items) is range
        self.are_many = is_range and are_many(self.count)
        self.tried_after: tuple[int, ...] = ()
        if self.are_many:
            self.tried_after = (0, 1, FIRST_TURNS)
        elif self.count >= FEWEST_WEIGHED and (is_range or is_table(items)):
            self.tried_after = (1, FIRST_TURNS)

    def had_better_be_one(self, count: int, recorded: int, copies: int) -> bool:
        """Whether much is left after some turns, the last of which has recorded so many operations."""
        left = self.count - count
        return self.are_many or (left > 1 and is_much(recorded * left, copies))

    def left(self, count: int) -> tuple[Any, int]:
        """What to run over after some turns, and how many of these items are over."""
        return (self._items[count:], 0) if type(self._items) is range else (self._items, count)

    def tries_after(self, count: int, recorded: int) -> int | None:
        """After how many turns it is tried in vain, if it is; without operations, all turns go as these."""
        return None if self.are_many and count == FIRST_TURNS and recorded else count


@contextmanager
def _closing(backends: Backends, items: Any) -> Iterator[None]:
    """While a loop has a generator that nobody has behind it, also where an exception leaves it."""
    try:
        yield
    except BaseException as error:
        if backends.staging_now().is_of_program(error):
            _close(backends, items)
        raise
    _close(backends, items)


def _close(backends: Backends, items: Any) -> None:
    """Closes a generator that nobody has any more: Python says what it raises then, and goes on."""
    try:
        items.close()
    except BaseException as error:
        if not backends.staging_now().is_of_program(error):
            raise
        unheard = _raising(error)
        next(unheard)
        del unheard


def _raising(error: BaseException) -> Iterator[None]:
    """A generator that raises when nobody has it any more."""
    try:
        yield
    finally:
        raise error


def _under(
    watch: watches.LoopWatch,
    backends: Backends,
    extra_test: LoopTest | None,
    body: Callable[[Any], None],
    state: State,
    options: dict[str, Any],
) -> None:
    """A loop over what must not change under it, and the question for an item behind the last."""
    watched = options | {"watch": watch}
    with watch:
        for_stmt(backends, watch.items, extra_test, body, state.get, state.set, state.names, watched)
        if watch.asks:
            going = True if extra_test is None else extra_test()
            backends.of(going).if_stmt(going, watch.ask, _nothing, state)


def _nothing() -> None:
    """What a loop does behind its last turn that a `break` has left."""


@operator
def for_stmt(
    backends: Backends,
    items: Any,
    extra_test: LoopTest | None,
    body: Callable[[Any], None],
    get_state: Getter,
    set_state: Setter,
    names: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    """Runs the loop in Python, or hands it to the backend of the items.

    A loop over Python items whose `break` depends on a backend's value goes to that backend from there on.
    """
    is_unshared = options.get("is_of_call") and items is not None and items is staging.generator_made
    if is_unshared:  # nobody else has this generator
        options = options | {"is_of_call": False}
        with _closing(backends, items):
            for_stmt(backends, items, extra_test, body, get_state, set_state, names, options)
        return
    if staging.attempts:
        staging.attempts[-1].require_own(items)
    items = given(backends, items)
    now, state = backends.staging_now(), State(get_state, set_state, names, len(names))
    watch = None if "watch" in options else now.watch(items)
    if watch is not None:
        _under(watch, backends, extra_test, body, state, options)
        return
    backend, plain = backends.of(items), backends.plain
    if backend is not plain:
        backend.for_stmt(items, extra_test, body, state, LoopOptions(**options))
        return
    if "watch" in options:
        body = LoopOptions(**options).asking(body)
    turns = _Turns(items, is_staging=now is not plain)

    def rest(left: Any) -> None:
        for_stmt(backends, left, extra_test, body, get_state, set_state, names, options)

    growing = growing_under(items)
    if extra_test is None and growing is None:
        if turns.count != 1:
            all_turns(now, items, body, state, LoopOptions(**options), rest)
            return
        for item in items:  # in no frame of its own: what recurs in loops gets as deep as it may
            body(item)
        return
    if (
        extra_test is not None
        and type(items) is range
        and items[1:]
        and now.ends_by_tensor(items, extra_test, body, state, LoopOptions(**options))
    ):
        return
    count, iterator = 0, iter(items)
    for count, item in enumerate(until_moved(iterator, growing), 1):  # read behind the loop
        recorded = 0, 1
        if count in turns.tried_after:
            recorded = now.recorded(partial(body, item))
        else:
            body(item)
        if extra_test is not None:
            going = extra_test()
            backend = backends.of(going)
            if backend is not backends.plain:
                if iterator is items:
                    leave(items)
                backend.for_stmt_python_items(iterator, extra_test, body, state, LoopOptions(**options))
                return
            if not going:
                return
        if (
            count in turns.tried_after
            and turns.had_better_be_one(count, *recorded)
            and (growing is None or not growing.has_moved)
        ):
            after = turns.tries_after(count, recorded[0])
            left, first = turns.left(count)
            if now.roll(
                *(left, extra_test, body, state, LoopOptions(**options)), first=first, after=after, rest=rest
            ):
                return
    if growing is not None and growing.has_moved:
        _over_rest(backends, growing.behind(now, count), extra_test, body, state, options)


def all_turns(
    now: Backend,
    items: Any,
    body: Callable[[Any], None],
    state: State,
    options: LoopOptions,
    rest: Callable[[Any], None],
) -> None:
    """Runs all turns of a loop of Python's; of a range that is long or records much, as one loop of a graph.

    Parameters
    ----------
    now : Backend
        That of the graph which is being built.
    items : iterable of Python
    body : callable
    state : State
        What turns change.
    options : LoopOptions
    rest : callable
        Runs over the numbers from the first on that decides otherwise.
    """
    turns = _Turns(items, is_staging=True)
    done = 0
    for count in turns.tried_after:
        recorded = 0, 1
        for item in items[done:count]:
            recorded = now.recorded(partial(body, item))
        after = turns.tries_after(count, recorded[0])
        left, first = turns.left(count)
        if turns.had_better_be_one(count, *recorded) and now.roll(
            left, None, body, state, options, first=first, after=after, rest=rest
        ):
            return
        done = count
    for item in items[done:] if done else items:
        now.recorded(partial(body, item), turns.count - done)


def _over_rest(
    backends: Backends,
    rest: Any,
    extra_test: LoopTest | None,
    body: Callable[[Any], None],
    state: State,
    options: dict[str, Any],
) -> None:
    """What turns have put behind the items of a list, where a tensor decides how much that is."""
    backends.of(rest).for_stmt(rest, extra_test, body, state, LoopOptions(**options))
