"""Whether the kind of a number (int, float, bool) is observable, or only its value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from runtime.core.dtypes import bool_
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.region import Region
from runtime.ops.arithmetic import RealDiv
from runtime.ops.casting import Cast
from runtime.ops.comparison import Comparison

__all__ = ["Kinds"]


class Kinds:
    """Some graphs, one of which all others are in, as far as it is asked of what kind their numbers are.

    Parameters
    ----------
    graphs : iterable of Graph
    told : collection of Value
        Those of whose kind the program has been told while it was traced.
    """

    def __init__(self, graphs: Iterable[Graph], told: Collection[Value] = ()) -> None:
        self._told = told
        self._uses: defaultdict[Value, list[tuple[Node, int]]] = defaultdict(list)
        self._around: dict[Graph, tuple[Node, Region]] = {}
        self._known: set[Value] = set()
        for graph in graphs:
            self._known.update(graph.inputs, *[node.outputs for node in graph.nodes])
            for node in graph.nodes:
                for index, value in enumerate(node.inputs):
                    self._uses[value].append((node, index))
                for region in node.op.regions:
                    self._around[region.graph] = node, region

    def matter(self, value: Value) -> bool:
        """Whether a number is used for more than its truth and its size, or may be.

        Parameters
        ----------
        value : Value
            Nothing is known of one that is not in these graphs: its node has moved, into a `try`.
        """
        if value not in self._known:
            return True
        pending, met = [value], {value}
        while pending:
            found = pending.pop()
            following = None if found in self._told else self._following(found)
            if following is None:
                return True
            pending += [each for each in following if each not in met]
            met.update(following)
        return False

    def _following(self, value: Value) -> list[Value] | None:
        """The values that are the same number in graphs inside and around; None where its kind matters."""
        found: list[Value] = []
        for node, index in self._uses[value]:
            if not node.op.regions:
                if not _is_the_same_for_all_kinds(node):
                    return None
                continue
            taking = [region for region in node.op.regions if index in region.operands]
            places = [(region, region.operands.index(index)) for region in taking]
            found += [region.graph.inputs[place] for region, place in places]
            found += [node.outputs[place] for region, place in places if place < region.variables]
        graph = value.node.graph
        for number, output in enumerate(graph.outputs):
            if output is value:
                if graph not in self._around:
                    return None
                node, region = self._around[graph]
                if number >= len(region.results):
                    return None
                found.append(node.outputs[region.results[number]])
                if number < region.variables:
                    found += [each.graph.inputs[number] for each in node.op.regions]
        return found


def _is_the_same_for_all_kinds(node: Node) -> bool:
    """Whether an op gives the same of an int and of the float, or the complex number, that is as large."""
    if isinstance(node.op, Cast):
        return node.op.to is bool_
    if isinstance(node.op, RealDiv):
        return node.outputs[0].dtype.kind == "f"
    return isinstance(node.op, Comparison)
