"""Loops over a range that a tensor ends: their first turn, as Python runs it or as one of the graph.

Whether a tensor decides about a `break` shows when the first turn has been traced. What is left becomes a
loop of the graph behind it, so the body is there twice:

    for i in range(9):          i = 0: the body
        if x[i] == 0:           i = 1 … 8: a loop of the graph
            break

Where such loops are inside of one another, or in a function that several calls trace in place, each level
would double the copies. So a loop with a long body, of which the same trace has found out here before that
a tensor ends it, is a loop of the graph from its first turn on. Where that cannot be traced, everything is
as it was before, and the first turn runs alone.
"""

from __future__ import annotations

from collections.abc import Callable

from autograph.backends.tensors.statements.paths import following, restored_on_error
from autograph.backends.tensors.statements.raising import Signal
from autograph.backends.tensors.statements.savepoint import Savepoint
from autograph.staging.state import State
from runtime.graph.build import builder_in_use, current_builder
from runtime.graph.graph import size_of
from runtime.graph.location import caller_location
from runtime.ops.control_flow import NoOutcome

__all__ = ["note_rest", "staged_from_start"]

_LONG_TURN = 30
"""Operations of the loop behind a first turn from which on another copy of them is not wanted."""


def note_rest(stage: Callable[[], None]) -> None:
    """Adds the loop behind a first turn to the graph; that it is long, and is there, is remembered."""
    builder, where = builder_in_use(), caller_location()
    start = len(builder.nodes)
    stage()
    if size_of(builder.nodes[start:]) >= _LONG_TURN:
        builder.context.ended.setdefault(where, True)


def staged_from_start(stage: Callable[[], None], state: State) -> bool:
    """Adds a whole loop to the graph where the one behind its first turn was long before; whether it did.

    Where it did not, nothing has changed, and it is tried no more at that line.

    Parameters
    ----------
    stage : callable
        Adds it.
    state : State
        The variables.
    """
    builder = current_builder()
    if builder is None or builder.strict or builder.watcher is not None or not builder.context.ended:
        return False
    where = caller_location()
    if not builder.context.ended.get(where):
        return False
    before = Savepoint()
    try:
        with restored_on_error(following(state)):
            stage()
        before.require_heard()
    except NoOutcome:
        pass
    except Exception as error:  # its first turn alone says what there is to say
        if isinstance(error, Signal):  # the statement around starts anew
            raise
    else:
        return True
    builder.context.ended[where] = False
    before.go_back()
    return False
