"""`while` loops that Python decides, and that may go on until a turn raises when the graph runs.

Python would trace turn after turn of ``while True: x = x ** 2`` and never come to an end. So after some
turns, of which one may raise, the rest is one loop of the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.backends.tensors.statements.deciding import decided
from autograph.backends.tensors.statements.loops import stage_while
from autograph.backends.tensors.statements.savepoint import Savepoint
from autograph.staging.backend import Body, LoopOptions, LoopTest
from autograph.staging.state import State
from runtime.errors import Error
from runtime.graph.build import builder_in_use, current_builder, is_symbolic
from runtime.graph.failures import failures_in
from runtime.graph.graph import size_of
from runtime.graph.symbol import Symbol

__all__ = ["is_raising", "until_raised"]


def is_raising(run: Callable[[], None]) -> int:
    """Runs a turn; how many operations it adds to the graph, where some may raise, and else none."""
    builder = current_builder()
    start = 0 if builder is None else len(builder.nodes)
    run()
    if builder is None or builder.strict:
        return 0
    added = builder.nodes[start:]
    return size_of(added) if failures_in(added) else 0


def until_raised(state: State, options: LoopOptions, test: LoopTest, body: Body) -> bool:
    """Stages the rest of a loop; whether it could be.

    Raises
    ------
    Error
        When it could not, and is a loop that would never end.
    """

    def going() -> Any:
        value = decided(test())
        return value if is_symbolic(value) else Symbol(builder_in_use().constant(np.asarray(bool(value))))

    before = Savepoint()
    try:
        stage_while(state, options, going, body)
    except Error:
        if options.is_endless:
            raise
        before.go_back()
        return False
    return True
