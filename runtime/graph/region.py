"""`Region`: a graph inside of an op, and all that passes, analyses and executors need to know of it.

A branch, the test and the body of a loop, and what a `try` guards are regions. Which graph plays which role
is never asked of the class of the op: `op.regions` says what comes in, what the outputs become, how often the
graph runs and whether its exceptions are caught.

    >>> from runtime.graph.parser import from_text
    >>> loop = from_text('''
    ...     n: i64[]
    ...     k: i64[]
    ...     a = StatelessWhile(n, k, cond=test, body=step)
    ...         test:
    ...             n: i64[]
    ...             k: i64[]
    ...             a = Less(n, k)
    ...             return a
    ...         step:
    ...             n: i64[]
    ...             k: i64[]
    ...             a = AddV2(n, k)
    ...             return a
    ...     return a
    ... ''').nodes[0]
    >>> for region in loop.op.regions:
    ...     print(region.role, region.runs.value, region.operands, region.results, region.variables)
    test at least once range(0, 2) range(0, 0) 1
    body any times range(0, 2) range(0, 1) 1

The regions of one op take the same operands. Those that no region takes (the predicate of an `if`, the cell
of a `try`) are the op's own, and come first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

from autograph_base.dataclass import dataclass

if TYPE_CHECKING:
    from runtime.graph.graph import Graph, Node, Value
    from runtime.graph.op import Op

__all__ = [
    "Region",
    "Runs",
    "called_by",
    "guard_of",
    "own_operands",
    "steady_inputs",
    "steady_operands",
    "with_changed_graphs",
]


class Runs(Enum):
    """How often a region runs whenever its op does, if nothing is raised."""

    ONCE = "once"
    AT_MOST_ONCE = "at most once"
    AT_LEAST_ONCE = "at least once"
    ANY_TIMES = "any times"

    @property
    def surely(self) -> bool:
        """Whether it runs at all events."""
        return self is Runs.ONCE or self is Runs.AT_LEAST_ONCE

    @property
    def repeatedly(self) -> bool:
        """Whether it may run more than once."""
        return self is Runs.ANY_TIMES or self is Runs.AT_LEAST_ONCE


@dataclass(frozen=True, slots=True)
class Region:
    """One graph of an op.

    Attributes
    ----------
    role : str
        What it is to the op: ``then``, ``else``, ``test``, ``body``.
    graph : Graph
    runs : Runs
    operands : range
        The operand of the op that each input of the graph is; a loop's variable in the first run alone.
    results : range
        The result of the op that each output becomes, in the last run. It is empty where the output decides
        what runs next.
    variables : int
        How many of its first inputs are the variables of a loop. In every further run they are what the
        region that gives the results left; a loop whose body never runs gives those operands as they came.
    guard : (int, bool) or None
        The operand that decides whether it runs, and the value of that operand with which it does.
    catches : tuple of exception classes
        What it raises and the op catches; the results are then what the op says.
    """

    role: str
    graph: Graph
    runs: Runs
    operands: range
    results: range
    variables: int = 0
    guard: tuple[int, bool] | None = None
    catches: tuple[type[BaseException], ...] = ()

    @property
    def is_function(self) -> bool:
        """Whether it is called by others too, and knows nothing of the graph around it but its operands."""
        return self.role == "callee"


def called_by(graph: Graph) -> Region:
    """A function as the region of an op that calls it: takes what the op takes, gives what that gives."""
    return Region("callee", graph, Runs.ONCE, range(len(graph.inputs)), range(len(graph.outputs)))


def own_operands(node: Node) -> list[Value]:
    """The operands that none of the node's regions takes."""
    taken = {index for region in node.op.regions for index in region.operands}
    return [value for index, value in enumerate(node.inputs) if index not in taken]


def guard_of(op: Op) -> int | None:
    """The operand that chooses which of two regions runs: the first where it holds, or else the second."""
    regions = op.regions
    if len(regions) != 2 or regions[0].guard is None:
        return None
    operand, holds = regions[0].guard
    return operand if holds and regions[1].guard == (operand, False) else None


def steady_inputs(node: Node) -> Iterator[tuple[int, Value]]:
    """The inputs of the node's regions that are one value in every run: their positions, and the values."""
    for position, operand in steady_operands(node.op):
        yield position, node.inputs[operand]


def steady_operands(op: Op) -> Iterator[tuple[int, int]]:
    """The inputs of the regions that are one value in every run: their positions, and the operands."""
    for region in op.regions[:1]:  # all take the same operands
        yield from list(enumerate(region.operands))[region.variables :]


def with_changed_graphs(op: Op, change: Callable[[Region], Graph], name: Hashable = None) -> Op:
    """`op` with the graph of each region changed; the same object where none is.

    Parameters
    ----------
    op : Op
    change : callable
        The graph of a region anew, or as it is.
    name : hashable, optional
        Stands for what `change` does, where that depends on the region's graph alone: graphs never change, so
        an op that it left as it is once is not looked at again.
    """
    regions = op.regions
    if not regions or name in op.settled:
        return op
    after = [change(region) for region in regions]
    for region, graph in zip(regions, after, strict=True):
        if region.graph is not graph:
            return op.with_graphs(*after)
    if name is not None:
        op.settled.add(name)
    return op
