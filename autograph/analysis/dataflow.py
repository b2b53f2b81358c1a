"""Solvers for facts that flow along a control-flow graph.

A fact is a set, kept as the bits of an int. A node adds and removes bits (`gain`, `lose`), paths that meet
unite; what must hold on *all* paths is asked for by its opposite. That is all that liveness and definitions
need.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from autograph.analysis.cfg import Graph, Node
from autograph_base.named_tuple import NamedTuple

__all__ = ["Backward", "Effect", "Forward"]


class Effect(NamedTuple):
    """What a node does to the facts that pass it: first it removes `lose`, then it adds `gain`."""

    gain: int = 0
    lose: int = 0

    def __call__(self, facts: int) -> int:
        return facts & ~self.lose | self.gain


class Forward:
    """Facts that flow the way execution does.

    Parameters
    ----------
    graph : Graph
    effects : list of Effect
        One per node.
    start : int
        What holds when the function starts.

    Attributes
    ----------
    before, after : lists of int
        The facts around each node, by its index.
    """

    def __init__(self, graph: Graph, effects: list[Effect], start: int = 0) -> None:
        self.before = before = [0] * len(graph.nodes)
        self.after = after = [0] * len(graph.nodes)
        before[graph.entry.index] = start
        pending = _Worklist(graph.nodes)
        for node in pending:
            index = node.index
            facts = before[index]
            for previous in node.predecessors:
                facts |= after[previous.index]
            for previous in node.raised_from:
                facts |= before[previous.index] | after[previous.index]
            gain, lose = effects[index]
            result = facts & ~lose | gain
            if facts != before[index] or result != after[index]:
                before[index], after[index] = facts, result
                pending.extend(node.successors)
                if node.raises_to:
                    pending.extend(node.raises_to)


class Backward:
    """Facts that flow against execution, from what comes later.

    Parameters
    ----------
    graph : Graph
    effects : list of Effect
        One per node.
    end : int
        What holds when the function returns.
    kept : list of int, optional
        Per node, facts that hold after it whatever follows.

    Attributes
    ----------
    before, after : lists of int
        The facts around each node, by its index.
    """

    def __init__(
        self, graph: Graph, effects: list[Effect], end: int = 0, kept: list[int] | None = None
    ) -> None:
        self.before = before = [0] * len(graph.nodes)
        self.after = after = list(kept) if kept is not None else [0] * len(graph.nodes)
        after[graph.exit.index] |= end
        pending = _Worklist(reversed(graph.nodes))
        for node in pending:
            index = node.index
            facts = after[index]
            for following in node.successors:
                facts |= before[following.index]
            gain, lose = effects[index]
            result = facts & ~lose | gain
            for following in node.raises_to:
                facts |= before[following.index]
                result |= before[following.index]
            if facts != after[index] or result != before[index]:
                after[index], before[index] = facts, result
                pending.extend(node.predecessors)
                if node.raised_from:
                    pending.extend(node.raised_from)


class _Worklist:
    """Nodes to be looked at, each at most once at a time."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._queue = deque(nodes)
        self._waiting = set(self._queue)

    def __iter__(self) -> Iterator[Node]:
        while self._queue:
            node = self._queue.popleft()
            self._waiting.discard(node)
            yield node

    def extend(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node not in self._waiting:
                self._waiting.add(node)
                self._queue.append(node)
