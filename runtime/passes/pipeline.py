"""The passes in order, each with the reason for its place; `optimise` runs them until none helps."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from itertools import cycle, islice

from autograph_base.log import Log
from autograph_base.named_tuple import NamedTuple
from runtime.core.stack import with_room
from runtime.errors import InvalidGraph
from runtime.graph import parser, printer
from runtime.graph.graph import Graph
from runtime.graph.module import Module
from runtime.graph.verify import Done, verify_module
from runtime.passes import (
    algebra,
    casts,
    drop_dead,
    fold_constants,
    hoist_loop_invariants,
    inline_calls,
    lists,
    merge_branches,
    merge_duplicates,
    pass_through,
    prune_branches,
    reshapes,
    slices,
    sure_checks,
    texts,
    windows,
)

__all__ = ["PASSES", "Step", "optimise", "shown", "trace"]

_log = Log("autograph.optimiser")  # one tree of loggers for both packages
_SUMMARIES = 5
"""The level of log messages about every graph: below `logging.DEBUG`."""

Pass = Callable[[Graph], Graph]

PASSES: dict[str, Pass] = {
    "inline_calls": inline_calls.run,  # first: every other pass then sees through function boundaries
    "fold_constants": fold_constants.run,  # before branches are pruned: it makes their predicates constant
    "prune_branches": prune_branches.run,  # early: nothing is spent on code that never runs
    "pass_through": pass_through.run,  # likewise: what branches and loops only hand on is not their affair
    "drop_dead": drop_dead.run,  # after the passes that leave most behind, so that the others see little
    "sure_checks": sure_checks.run,  # early: what a check keeps in its place may move without it
    "merge_branches": merge_branches.run,  # then nothing useless stands between two branches
    "casts": casts.run,  # before algebra, which asks for dtypes that agree
    "reshapes": reshapes.run,  # likewise for shapes
    "slices": slices.run,  # after reshapes, which find out dims
    "windows": windows.run,  # after slices, of which some have ends that are known after all
    "lists": lists.run,  # likewise: the length of a list is a dim
    "texts": texts.run,  # likewise: what is known of the characters is known of their number
    "algebra": algebra.run,  # before duplicates are merged: it writes the same thing in one way
    "merge_duplicates": merge_duplicates.run,  # before code leaves loops, so that it leaves once
    "hoist_loop_invariants": hoist_loop_invariants.run,  # last: what can be simplified is not worth moving
}
"""What is run, by name, again and again, until all have run without a change."""

_MAX_ROUNDS = 10
"""Rounds after which the graph is good enough: most settle in two or three, and each leaves it valid."""


class Step(NamedTuple):
    """What one pass did."""

    name: str
    before: str
    after: str


@with_room
def optimise(module: Module) -> Module:
    """A module that computes the same as `module`, sooner.

    Results are bit for bit those of `module`, and effects happen as often and in the same order. Pure
    operations that nobody needs are gone, and with them the errors that they would have raised.

    Parameters
    ----------
    module : Module

    Returns
    -------
    Module
        Its entry has the same inputs and as many outputs, of the same dtypes. Optimised again, it stays as it
        is.

    Notes
    -----
    ``RUNTIME_VERIFY=1`` in the environment checks the module after each pass; the error names the pass.

    Examples
    --------
    >>> graph = parser.from_text('''
    ...     x: f32[]
    ...     a = Neg(x)
    ...     b = Neg(x)
    ...     return b
    ... ''')
    >>> print(printer.to_text(optimise(Module(graph)).entry))
    x: f32[]
    a = Neg(x)
    return a
    """
    passes: list[str] = []
    nodes = len(module.entry.nodes)
    for name, _, after in _steps(module, checked=os.environ.get("RUNTIME_VERIFY") == "1"):
        module = after
        passes.append(name)
    did = ", ".join(passes) or "no pass changes them"
    _log.log(_SUMMARIES, "%s: %d nodes became %d: %s", module.name, nodes, len(module.entry.nodes), did)
    return module


@with_room
def trace(module: Module) -> list[Step]:
    """What each pass changed on the way through `optimise`; passes that changed nothing are left out."""
    return [Step(name, before.text(), after.text()) for name, before, after in _steps(module, checked=True)]


def _steps(module: Module, checked: bool) -> Iterator[tuple[str, Module, Module]]:
    """Each pass that changes the module, with the module before and after."""
    valid = Done()
    if checked:
        verify_module(module, valid)
    unchanged = 0
    for name, run in islice(cycle(PASSES.items()), _MAX_ROUNDS * len(PASSES)):
        before, module = module, module.mapped(run)
        unchanged = unchanged + 1 if module is before else 0
        if module is not before:
            if checked:
                _verify_after(name, module, valid)
            yield name, before, module
        if unchanged == len(PASSES):
            return


def _verify_after(name: str, module: Module, valid: Done) -> None:
    try:
        verify_module(module, valid)
    except InvalidGraph as error:
        raise InvalidGraph(f"the pass `{name}` made a graph that is not valid: {error}") from error


def shown(run: Pass, text: str) -> str:
    """What a pass makes of a graph, both as text: for the examples in this room's docstrings."""
    return printer.to_text(run(parser.from_text(inspect.cleandoc(text))))
