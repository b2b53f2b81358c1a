"""Exception analysis: which exceptions may leave nodes when they run."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.errors import is_caught
from runtime.graph.graph import Graph, Node
from runtime.graph.op import NOTHING, Failures

__all__ = ["failures_in"]


def failures_in(nodes: Iterable[Node]) -> Failures:
    """The exceptions that may leave these nodes, with the graphs inside of them."""
    return _of_nodes(nodes, {})


def _of_nodes(nodes: Iterable[Node], known: dict[Graph, Failures]) -> Failures:
    """As `failures_in`; `known` are those of graphs that were met before, as some are called twice."""
    found = NOTHING
    for node in nodes:
        regions = node.op.regions
        if not regions:
            found |= node.op.raises(*[value.spec for value in node.inputs])
        for region in regions:
            if region.graph not in known:
                known[region.graph] = _of_nodes(region.graph.nodes, known)
            found |= {
                kind
                for kind in known[region.graph]
                if not any(is_caught(kind, clause) for clause in region.catches)
            }
    return found
