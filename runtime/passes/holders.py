"""What passes need to know of the ops that hold graphs: which input of the node is which input of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Op
from runtime.ops.control_flow import If, Try, While

__all__ = ["captured", "first_input", "variable_count", "with_inner"]


def first_input(op: Op) -> int:
    """The position of the node's input that is the first one of its graphs.

    That is after the predicate of an `if`, and the cell of a `try`.
    """
    return 1 if isinstance(op, (If, Try)) else 0


def variable_count(node: Node) -> int:
    """How many of its graphs' first inputs change from run to run: a loop's variables."""
    return len(node.outputs) if isinstance(node.op, While) else 0


def captured(node: Node) -> Iterator[tuple[int, Value]]:
    """The inputs of its graphs that stand for one value in every run: their positions, and the values."""
    start = first_input(node.op)
    for index in range(variable_count(node), len(node.inputs) - start):
        yield index, node.inputs[start + index]


def with_inner(op: Op, change: Callable[[Graph], Graph]) -> Op:
    """`op` with each of its graphs changed; the same object where none is."""
    before = op.graphs
    if not before:
        return op
    after = [change(graph) for graph in before]
    return op if all(old is new for old, new in zip(before, after, strict=True)) else op.with_graphs(*after)
