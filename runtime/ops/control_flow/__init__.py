"""Functional control flow: `cond`, `case`, `switch` and `while_loop`, and the nodes that they make.

A staged branch or loop body is traced into a sub-graph. What both branches, or the start and every iteration,
leave in a variable is joined: dtypes by promotion, shapes to unknown dims where they differ. A loop is traced
again until its variables keep their specs.
"""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "attempt",
    "carried",
    "failing",
    "leaving",
)

from runtime.ops.control_flow.call import *  # noqa: F403  # each file's `__all__` is exact
from runtime.ops.control_flow.cond import *  # noqa: F403
from runtime.ops.control_flow.nodes import *  # noqa: F403
from runtime.ops.control_flow.tracing import *  # noqa: F403
from runtime.ops.control_flow.try_catch import *  # noqa: F403
from runtime.ops.control_flow.under_way import *  # noqa: F403
from runtime.ops.control_flow.while_loop import *  # noqa: F403
