"""Which names are still needed: before and after each statement."""

from __future__ import annotations

import ast

from autograph.analysis.activity import Activity, Packed
from autograph.analysis.captures import Captures
from autograph.analysis.cfg import ControlFlow, Graph
from autograph.analysis.dataflow import Backward, Effect, Forward
from autograph.analysis.manager import Analyses, Analysis

__all__ = ["Liveness"]


class Liveness(Analysis):
    """The names whose values may still be read.

    Names of frames around that are bound here are always live, for others see them; so are all names of a
    class or module body. What a nested function uses is live as long as that function may be called (see
    `captures`).
    """

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(analyses)
        self._control_flow = analyses.get(ControlFlow)
        self._solved: dict[ast.AST, _Solution] = {}

    def live_in(self, statement: ast.AST) -> Packed:
        """The names that the statement, or anything after it, may read as they are before it.

        Parameters
        ----------
        statement : ast.stmt
            Any statement of the tree, compound ones included.

        Returns
        -------
        names, as bits of `Activity.names`
        """
        solution = self._solution(statement)
        return solution.flow.before[solution.graph.first(statement).index] | solution.always

    def live_in_turn(self, loop: ast.AST) -> Packed:
        """The names that a turn of a `for` loop, or anything after it, may read as they are before the turn.

        What only the expression behind `in` reads is not among them: it is evaluated once.

        Parameters
        ----------
        loop : ast.For or ast.AsyncFor

        Returns
        -------
        names, as bits of `Activity.names`
        """
        solution = self._solution(loop)
        nodes = solution.graph.nodes
        turn = next(index for index in solution.graph.span(loop) if nodes[index].kind == "next")
        return solution.flow.before[turn] | solution.always

    def live_out(self, statement: ast.AST) -> Packed:
        """The names that may be read after the statement, on any way out of it.

        Parameters
        ----------
        statement : ast.stmt
            After a compound statement means after all of it: where it falls through to, and where a `break`,
            a `return` or an exception in it leads.

        Returns
        -------
        names, as bits of `Activity.names`
        """
        solution = self._solution(statement)
        facts = solution.always
        for node in solution.graph.ways_out(statement):
            facts |= solution.flow.before[node.index]
        for index in solution.graph.span(statement):
            facts |= solution.kept[index]
        return facts

    def _solution(self, statement: ast.AST) -> _Solution:
        owner = self._control_flow.owner(statement)
        if owner not in self._solved:
            self._solved[owner] = _Solution(self.analyses, self._control_flow.graph(owner))
        return self._solved[owner]


NOTHING = Effect()


class _Solution:
    """Liveness in one frame."""

    def __init__(self, analyses: Analyses, graph: Graph) -> None:
        activity, captures = analyses.get(Activity), analyses.get(Captures).of(graph.owner)
        inside = activity.inside(graph.owner)
        visible = inside.bound_around
        if isinstance(graph.owner, ast.ClassDef | ast.Module):
            visible |= inside.bound
        self.graph = graph
        self.always = visible
        needs, makes = [], []
        for node in graph.nodes:
            makes.append(Effect(gain=captures.kept(node)))
            if node.tree is None or node.kind == "unbind":
                needs.append(NOTHING)
                continue
            scope = activity.of(node.tree)
            bound = 0 if node.kind == "pattern" else scope.surely_bound
            needs.append(Effect(scope.read_now | scope.deleted | captures.used(node), bound))
        nothing = not any(effect.gain for effect in makes)  # most functions make none
        self.kept = [0] * len(graph.nodes) if nothing else Forward(graph, makes).after
        self.flow = Backward(graph, needs, kept=[visible | kept for kept in self.kept])
