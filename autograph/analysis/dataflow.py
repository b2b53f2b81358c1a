"""Solvers for facts that flow along a control-flow graph.

A fact is a set, kept as the bits of an int. A node adds and removes bits (`gain`, `lose`), paths that meet
unite; what must hold on *all* paths is asked for by its opposite. That is all that liveness and definitions
need.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograph.analysis.cfg import Graph, Node

__all__ = ["Backward", "Effect", "Forward"]


@dataclass(frozen=True, slots=True)
class Effect:
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
        self.before = [0] * len(graph.nodes)
        self.after = [0] * len(graph.nodes)
        self.before[graph.entry.index] = start
        pending = _Worklist(graph.nodes)
        for node in pending:
            facts = self.before[node.index]
            for previous in node.predecessors:
                facts |= self.after[previous.index]
            for previous in node.raised_from:
                facts |= self.before[previous.index] | self.after[previous.index]
            result = effects[node.index](facts)
            if (facts, result) != (self.before[node.index], self.after[node.index]):
                self.before[node.index], self.after[node.index] = facts, result
                pending.extend(node.successors)
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
        self.before = [0] * len(graph.nodes)
        self.after = list(kept) if kept is not None else [0] * len(graph.nodes)
        self.after[graph.exit.index] |= end
        pending = _Worklist(reversed(graph.nodes))
        for node in pending:
            facts = self.after[node.index]
            for following in node.successors:
                facts |= self.before[following.index]
            result = effects[node.index](facts)
            for following in node.raises_to:
                facts |= self.before[following.index]
                result |= self.before[following.index]
            if (facts, result) != (self.after[node.index], self.before[node.index]):
                self.after[node.index], self.before[node.index] = facts, result
                pending.extend(node.predecessors)
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
