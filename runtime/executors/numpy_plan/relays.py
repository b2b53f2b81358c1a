"""Loops of a NumPy program that something else runs, or may in a later turn of the loop around them.

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
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from runtime.core.spec import ArraySpec
from runtime.executors.numpy_plan import updates
from runtime.executors.numpy_plan.syntax import assign, call, name
from runtime.executors.program import Step
from runtime.graph.graph import Node

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.plan import Writer
    from runtime.executors.numpy_plan.statements import Operand

__all__ = ["Relay", "Relays", "by_relay", "relayed"]


class Relay(Protocol):
    """What may run a loop in the place of the program."""

    @property
    def is_sure(self) -> bool:
        """Whether it runs the loop always, so that the program has no need of it."""
        ...

    @property
    def places(self) -> Sequence[int]:
        """Which inputs of the loop it takes."""
        ...

    @property
    def rest_places(self) -> Sequence[int]:
        """Which inputs of the loop it takes when it goes on with one, variables as a turn has left them."""
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

    def lasts(self, *weighed: Any) -> bool:
        """Whether it goes on with a run of the program that has had many turns."""
        ...

    def go_on(self, *values: Any) -> Any:
        """What a loop gives that it goes on with."""
        ...

    def last(self) -> None:
        """Runs the loop from now on, if it ever does."""
        ...

    def steps(self, depth: int) -> Sequence[Step]:
        """How the loop runs at this depth, as far as that is known by now; nothing where the program does."""
        ...


Relays = Callable[[Node, bool], Relay | None]
"""What may run a loop, or a call; and whether it is a part of another loop, as far as the program says."""


def by_relay(
    writer: Writer, node: Node, relay: Relay, inputs: Sequence[Operand], copied: Collection[int] = ()
) -> ast.expr:
    """What a loop, or a call, gives by its relay; `copied` are inputs that must not be among that."""
    values = []
    for place in relay.places:
        value, spec = writer.statements.name(inputs[place]), node.inputs[place].spec
        values.append(
            updates.copy_of(value, spec) if place in copied and isinstance(spec, ArraySpec) else value
        )
    return call(writer.program.callable(relay.run, node, "relayed"), *values)


def relayed(
    writer: Writer,
    node: Node,
    relay: Relay,
    targets: Sequence[str],
    inputs: Sequence[Operand],
    loop: ast.stmt,
    turns: str = "",
) -> ast.stmt:
    """The statement that leaves what a loop, or a call, gives in `targets`, whoever runs it.

    A loop counts its `turns`: after many of them something else may go on with it.
    """
    ready, ran = (
        writer.program.callable(each, node, wish)
        for each, wish in ((relay.is_ready, "is_ready"), (relay.ran, "ran"))
    )
    run = _leaving(targets, by_relay(writer, node, relay, inputs))
    otherwise = [loop, ast.Expr(call(ran))]
    if isinstance(loop, ast.While):
        otherwise.insert(0, assign([turns], [ast.Constant(_TURNS)]))
        loop.body[:0] = _asking(writer, node, relay, targets, inputs, turns)
    for statement in (run, *otherwise):
        writer.running(statement, node)
    test = call(ready, *_weighed(writer, relay, inputs))
    return writer.running(ast.If(test, [run], otherwise), node)


def _asking(
    writer: Writer,
    node: Node,
    relay: Relay,
    targets: Sequence[str],
    inputs: Sequence[Operand],
    turns: str,
) -> list[ast.stmt]:
    """What each turn of a loop begins with: after many of them, its relay is asked whether it goes on."""
    lasts, go_on = (
        writer.program.callable(each, node, wish)
        for each, wish in ((relay.lasts, "lasts"), (relay.go_on, "gone_on"))
    )
    values = [writer.statements.name(inputs[place]) for place in relay.rest_places]
    leave = [_leaving(targets, call(go_on, *values)), ast.Break()]
    ask = ast.If(call(lasts, *_weighed(writer, relay, inputs)), leave, [])
    again = assign([turns], [ast.Constant(_TURNS)])
    is_over = ast.If(ast.UnaryOp(ast.Not(), name(turns)), [ask, again], [])
    count = ast.AugAssign(ast.Name(turns, ast.Store()), ast.Sub(), ast.Constant(1))
    return [writer.running(each, node) for each in (is_over, count)]


def _weighed(writer: Writer, relay: Relay, inputs: Sequence[Operand]) -> list[ast.expr]:
    return [writer.statements.name(inputs[place]) for place in relay.weighed]


def _leaving(targets: Sequence[str], value: ast.expr) -> ast.stmt:
    return assign(targets, [value]) if targets else ast.Expr(value)


_TURNS = 64
"""Turns of the program after which something else may go on with a loop."""
