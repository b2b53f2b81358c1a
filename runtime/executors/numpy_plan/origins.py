"""Source lines and names for the statements of a program."""

from __future__ import annotations

import linecache
import re
from collections.abc import Sequence
from functools import lru_cache

from runtime.executors.numpy_plan.kernels import snake_case
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Placeholder
from runtime.graph.region import Region
from runtime.ops.variable_ops import ReadVariableOp

__all__ = ["Origins"]

_ASSIGNMENT = re.compile(r"(\w+)\s*(?:[-+*/%@&|^]|\*\*|//|<<|>>)?=(?!=)|for (\w+) in\b")
_RETURN = re.compile(r"return\b")


_OF_CAUGHT = "caught", "error"
"""What the first results are called of what catches exceptions: which kind it was, and the exception."""


class Origins:
    """Lines of the user's files, and what they bind."""

    def __init__(self) -> None:
        self._last: dict[Graph, set[Node]] = {}

    def place(self, node: Node) -> tuple[str, int] | None:
        """The file and line of a node, where they are known."""
        location = node.location
        return (location.filename, location.line) if location.line else None

    def wish(self, value: Value) -> str:
        """A name for a value: the variable that the user's line binds, or else after the op."""
        node = value.node
        if isinstance(node.op, Placeholder):
            return node.op.label
        regions = node.op.regions
        if regions and not regions[0].is_function and not regions[0].runs.repeatedly:
            return self._inner_wish(regions, value.index)
        if isinstance(node.op, ReadVariableOp):
            return f"{node.op.variable.name}_value"
        place = self.place(node)
        if place is not None and node in self._lasts(node.graph):
            bound = _bound_by(linecache.getline(*place))
            if bound is not None:
                return bound
        return snake_case(node.op.name)

    def _inner_wish(self, regions: Sequence[Region], index: int) -> str:
        """As the first of some regions calls what it gives, where that is not just a constant."""
        for region in regions:
            if region.catches and index < len(_OF_CAUGHT):
                return _OF_CAUGHT[index]
            output = region.graph.outputs[index]
            if not isinstance(output.op, Const):
                return self.wish(output)
        return "result"

    def _lasts(self, graph: Graph) -> set[Node]:
        """The nodes of a graph that are the last of their line: those whose value the line binds."""
        if graph not in self._last:
            computing = [node for node in graph.nodes if not isinstance(node.op, Const)]
            following = [*computing[1:], None]
            self._last[graph] = {
                node
                for node, after in zip(computing, following, strict=True)
                if after is None or self.place(after) != self.place(node)
            }
        return self._last[graph]


@lru_cache(maxsize=1024)
def _bound_by(line: str) -> str | None:
    """What a line of the user's calls its value."""
    text = line.strip()
    match = _ASSIGNMENT.match(text)
    if match:
        return match[1] or match[2]
    return "result" if _RETURN.match(text) else None
