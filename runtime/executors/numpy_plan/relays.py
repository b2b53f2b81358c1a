"""Loops of a NumPy program that something else may go on with, in a later turn of the loop around them.

::

    while epoch < n:                         while epoch < n:
        while i < m:                             if is_ready():
            loss += (w * x[i] - y[i]) ** 2   ⇒       i, loss = relayed(i, loss, w, x, y, m)
            i += 1                               else:
        print(loss)                                  while i < m:
                                                         ...
                                                     ran()
                                                 print(loss)
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from runtime.executors.numpy_plan.syntax import assign, call
from runtime.executors.program import Step
from runtime.graph.graph import Node

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.plan import Writer
    from runtime.executors.numpy_plan.statements import Operand

__all__ = ["Relay", "Relays", "relayed"]


class Relay(Protocol):
    """What may run a loop in the place of the program."""

    @property
    def places(self) -> Sequence[int]:
        """Which inputs of the loop it takes."""
        ...

    @property
    def weighed(self) -> Sequence[int]:
        """Those of them that it would have to copy."""
        ...

    def is_ready(self, *weighed: Any) -> bool:
        """Whether it runs the loop now; otherwise the program does, and says so by `ran`."""
        ...

    def ran(self) -> None:
        """The program has run the loop, behind an `is_ready`."""
        ...

    def run(self, *values: Any) -> Any:
        """What the loop gives."""
        ...

    def last(self) -> None:
        """Runs the loop from now on, if it ever does."""
        ...

    def steps(self, depth: int) -> Sequence[Step]:
        """How the loop runs at this depth, as far as that is known by now; nothing where the program does."""
        ...


Relays = Callable[[Node], Relay | None]
"""What may run a loop that is part of another one."""


def relayed(
    writer: Writer,
    node: Node,
    relay: Relay,
    targets: Sequence[str],
    inputs: Sequence[Operand],
    loop: ast.stmt,
) -> ast.stmt:
    """The statement that leaves what a loop, or a call, gives in `targets`, whoever runs it."""
    ready, run, ran = (
        writer.program.callable(each, node, wish)
        for each, wish in ((relay.is_ready, "is_ready"), (relay.run, "relayed"), (relay.ran, "ran"))
    )
    values = [writer.statements.name(inputs[place]) for place in relay.places]
    weighed = [writer.statements.name(inputs[place]) for place in relay.weighed]
    by_relay = writer.running(assign(targets, [call(run, *values)]), node)
    said = writer.running(ast.Expr(call(ran)), node)
    return writer.running(ast.If(call(ready, *weighed), [by_relay], [loop, said]), node)
