"""`finally`: it runs on every path on which a statement is left.

    try:
        ...
    except KeyError:
        if x > 1:
            raise ValueError       on this path, too
    finally:
        total += 1

Where nothing but the body may raise when the graph runs, the `finally` belongs to each way in which the body
can end, as its handler does: what a path has left is known there. Where a handler or the `else` may raise,
too, all in front of the `finally` is the body of a `try` of its own.
"""

from __future__ import annotations

from functools import partial

from autograph.backends.tensors.statements.made_inside import Unreadable
from autograph.backends.tensors.statements.memory import Memory, memory_here, remembering
from autograph.backends.tensors.statements.raising import Clauses, Signal
from autograph.backends.tensors.statements.recursion import forget_functions
from autograph.backends.tensors.statements.trying import stage_try
from autograph.staging.backend import Body, Rest
from autograph.staging.context import staging
from autograph.staging.journal import recording
from autograph.staging.notes import now
from autograph.staging.state import State
from runtime.graph.build import builder_in_use
from runtime.graph.failures import failures_in
from runtime.ops.control_flow.attempt import readable
from runtime.ops.control_flow.leaving import remove_since

__all__ = ["stage_finally"]


def stage_finally(body: Body, rest: Rest, final: Rest, clauses: Clauses, state: State) -> None:
    """A `try` statement with a `finally`; what is between them raises in the graph, or nothing there does."""
    memory = memory_here()
    if not memory.raises_behind and _is_of_each_way(memory, body, rest, final, clauses, state):
        return
    memory.raises_behind = True
    attempt = partial(stage_try, body, partial(_seen_behind, state, rest), clauses, state.whole)
    with remembering(memory, 1):
        stage_try(attempt, final, tuple, state, has_final=True)


def _seen_behind(state: State, rest: Rest, run: Body) -> None:
    """Runs handlers, or an `else`; behind them no variable has what a statement inside left for nobody."""
    rest(run)
    builder = builder_in_use()
    left = state.get()
    pairs = zip(state.names, left, readable(left, builder), strict=True)
    state.set(tuple([value if value is seen else Unreadable(name) for name, value, seen in pairs]))


class _RaisesBehind(Signal, Exception):  # a signal of a handler to its statement, never seen outside
    """What stands between the body and the `finally` may raise when the graph runs."""


def _is_of_each_way(
    memory: Memory, body: Body, rest: Rest, final: Rest, clauses: Clauses, state: State
) -> bool:
    """Has each way in which the body can end run the `finally`; False, with nothing done, if one raises."""
    builder = builder_in_use()
    before, start, copies = state.get(), len(builder.nodes), staging.copies
    with recording() as journal:
        began = now()
        try:
            with remembering(memory):
                stage_try(body, partial(_handled, rest, final), clauses, state, has_final=True)
        except _RaisesBehind:
            journal.undo()
            remove_since(builder, start, began)
            forget_functions()
            staging.copies = copies
            state.set(before)
            return False
        finally:
            journal.pass_on()
    return True


def _handled(rest: Rest, final: Rest, run: Body) -> None:
    """What follows the body where it ends in one way."""
    final(partial(_not_raising, partial(rest, run)))


def _not_raising(run: Body) -> None:
    """Runs handlers, or an `else`, which let the graph raise nothing."""
    builder = builder_in_use()
    start = len(builder.nodes)
    try:
        run()
    except BaseException as error:
        if not isinstance(error, Signal) and failures_in(builder.nodes[start:]):
            raise _RaisesBehind from None
        raise
    if failures_in(builder.nodes[start:]):
        raise _RaisesBehind
