"""`while` loops that Python decides: those that go on until a turn raises in a run, and their first turns.

Python would trace turn after turn of ``while True: x = x ** 2`` and never come to an end. So after some
turns, of which one may raise, the rest is one loop of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograph.backends.tensors.statements.deciding import decided, decided_by_turn
from autograph.backends.tensors.statements.loops import stage_while
from autograph.backends.tensors.statements.paths import following, restored_on_error
from autograph.backends.tensors.statements.savepoint import Savepoint
from autograph.backends.tensors.statements.turns import DIFFERS, GiveUp
from autograph.staging.backend import Body, LoopOptions, LoopTest
from autograph.staging.state import State
from runtime.errors import Error
from runtime.graph.build import builder_in_use, current_builder, is_symbolic
from runtime.graph.failures import failures_in
from runtime.graph.graph import Graph, Node, Value, size_of
from runtime.graph.op import Const
from runtime.graph.symbol import Symbol

__all__ = ["is_raising", "turn_or_loop", "until_raised"]


def is_raising(run: Callable[[], None]) -> int:
    """Runs a turn; how many operations it adds to the graph, where some may raise, and else none."""
    builder = current_builder()
    start = 0 if builder is None else len(builder.nodes)
    run()
    if builder is None or builder.strict:
        return 0
    added = builder.nodes[start:]
    return size_of(added) if failures_in(added) else 0


def turn_or_loop(state: State, options: LoopOptions, test: LoopTest, body: Body) -> bool:
    """Runs the first turn of a loop in a turn of one that is rolled; whether it has staged the loop instead.

    It does so where the first turn would leave a number of Python's in some turns of the loop around, and
    another one in others, if the loop ends when an array says so: from the second turn on, such a number is a
    tensor anyway, and may be any.
    """
    before, builder = Savepoint(), builder_in_use()
    try:
        with restored_on_error(following(state)):
            body()
    except GiveUp as signal:
        if signal.reason != DIFFERS:
            raise
        before.go_back()
        stage_while(state, options, lambda: _going(decided_by_turn(test())), body)
        loops = [node for node in builder.nodes if any(each.runs.repeatedly for each in node.op.regions)]
        if not loops or not _asks_arrays(loops[-1]):
            raise
        return True
    return False


def _asks_arrays(loop: Node) -> bool:
    """Whether it depends on elements of arrays how often a loop turns."""
    test, body = loop.op.regions
    asked = _reached(test.graph, [0])
    while more := _reached(body.graph, [place for place in asked if place < body.variables]) - asked:
        asked |= more
    values = [loop.inputs[body.operands[place]] for place in asked]
    return any(value.shape != () and not isinstance(value.op, Const) for value in values)


def _reached(graph: Graph, results: Iterable[int]) -> set[int]:
    """The inputs of a graph, by their places, that some of its results depend on."""
    pending, found = [graph.outputs[place] for place in results], set[Value]()
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending += value.inputs
    return {place for place, value in enumerate(graph.inputs) if value in found}


def _going(value: Any) -> Symbol:
    """Whether a loop goes on, as a tensor."""
    return value if is_symbolic(value) else Symbol(builder_in_use().constant(np.asarray(bool(value))))


def until_raised(state: State, options: LoopOptions, test: LoopTest, body: Body) -> bool:
    """Stages the rest of a loop; whether it could be.

    Raises
    ------
    Error
        When it could not, and is a loop that would never end.
    """
    before = Savepoint()
    try:
        stage_while(state, options, lambda: _going(decided(test())), body)
    except Error:
        if options.is_endless:
            raise
        before.go_back()
        return False
    return True
