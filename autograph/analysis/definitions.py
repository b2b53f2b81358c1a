"""Which names surely have a value."""

from __future__ import annotations

import ast

from autograph.analysis.activity import Activity, Packed
from autograph.analysis.cfg import ControlFlow, Graph, Node
from autograph.analysis.dataflow import Effect, Forward
from autograph.analysis.manager import Analyses, Analysis
from autograph.source.edit import children_in_frame

__all__ = ["Definitions"]


class Definitions(Analysis):
    """The names that have a value on all ways to a point of a tree.

    Only the variables of a function's own frame are followed; what it declares `global` or `nonlocal` is
    taken for defined.
    """

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(analyses)
        self._control_flow = analyses.get(ControlFlow)
        self._solved: dict[ast.AST, _Solution] = {}
        self._reads: dict[ast.AST, tuple[_Solution, Node]] = {}

    def defined_in(self, statement: ast.AST) -> Packed:
        """The names that surely have a value when the statement starts.

        Parameters
        ----------
        statement : ast.stmt

        Returns
        -------
        names, as bits of `Activity.names`
            Of a statement that is never reached, none of the frame's own.
        """
        solution = self._solution(self._control_flow.owner(statement))
        return solution.defined(solution.graph.first(statement)) | solution.elsewhere

    def is_unsure(self, name: ast.Name) -> bool:
        """Whether a variable of the frame may have no value where it is read.

        Parameters
        ----------
        name : ast.Name
            A read in a function's own frame, not in that of a lambda or a comprehension.
        """
        if not self._reads:
            self._find_reads()
        solution, node = self._reads[name]
        return bool(solution.unsure(node) & self.analyses.get(Activity).names.bit(name.id))

    def _solution(self, owner: ast.AST) -> _Solution:
        if owner not in self._solved:
            self._solved[owner] = _Solution(self.analyses.get(Activity), self._control_flow.graph(owner))
        return self._solved[owner]

    def _find_reads(self) -> None:
        """Where each name is read: the node of the graph that its expression belongs to."""
        for owner in self._control_flow.owners():
            solution = self._solution(owner)
            for node in solution.graph.nodes:
                pending = [] if node.tree is None else [node.tree]
                while pending:
                    part = pending.pop()
                    if isinstance(part, ast.Name):
                        self._reads[part] = solution, node
                    else:
                        pending.extend(children_in_frame(part))


REACHED = ""
"""What has a bit wherever execution gets to."""


class _Solution:
    """The names of one frame that may have no value, on some way; the others have one on all ways."""

    def __init__(self, activity: Activity, graph: Graph) -> None:
        inside = activity.inside(graph.owner)
        self.graph = graph
        self.elsewhere = inside.bound_around
        self._locals = inside.locals | inside.bound & ~self.elsewhere
        self._reached = activity.names.bit(REACHED)
        effects = [_effect(activity, node) for node in graph.nodes]
        self._before = Forward(graph, effects, self._reached | self._locals & ~inside.params).before

    def unsure(self, node: Node) -> Packed:
        """The variables that may have no value just before a node."""
        return self._before[node.index] & self._locals

    def defined(self, node: Node) -> Packed:
        """The variables that surely have one."""
        facts = self._before[node.index]
        return self._locals & ~facts if facts & self._reached else 0


def _effect(activity: Activity, node: Node) -> Effect:
    """What a node gives a value, and takes it from."""
    if node.tree is None:
        return NOTHING
    scope = activity.of(node.tree)
    if node.kind == "unbind":
        return Effect(gain=scope.bound)
    bound = 0 if node.kind == "pattern" else scope.surely_bound
    return Effect(gain=scope.deleted, lose=bound)


NOTHING = Effect()
