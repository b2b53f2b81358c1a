"""Which bindings may be behind a name, and which names surely have a value."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TypeAlias

from autograph.analysis.activity import FUNCTIONS, Activity, Names
from autograph.analysis.cfg import ControlFlow, Graph, Node
from autograph.analysis.dataflow import Bits, Effect, Forward
from autograph.analysis.manager import Analyses, Analysis
from autograph.source.edit import children_in_frame
from autograph.source.names import QualName
from autograph.source.nodes import parameters

__all__ = ["Definitions"]

Binding: TypeAlias = tuple[QualName, ast.AST | None]
"""A name and what bound it; None says that it may have no value."""


class Definitions(Analysis):
    """The bindings that reach each point of a tree.

    Only the variables of a function's own frame are followed; what it declares `global` or `nonlocal` is
    taken for defined.
    """

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(analyses)
        self._control_flow = analyses.get(ControlFlow)
        self._solved: dict[ast.AST, _Solution] = {}
        self._reads: dict[ast.AST, tuple[_Solution, Node]] = {}

    def defined_in(self, statement: ast.AST) -> Names:
        """The names that surely have a value when the statement starts."""
        bindings, everywhere = self._before(statement)
        return (frozenset(bindings) | everywhere) - {
            name for name, found in bindings.items() if None in found
        }

    def maybe_defined_in(self, statement: ast.AST) -> Names:
        """The names that have a value on some way to the statement; those of `defined_in` among them."""
        bindings, everywhere = self._before(statement)
        return everywhere | {name for name, found in bindings.items() if found != {None}}

    def reaching(self, statement: ast.AST, name: QualName) -> frozenset[ast.AST | None]:
        """What may have bound a name when a statement starts.

        Parameters
        ----------
        statement : ast.stmt
        name : QualName
            A variable of the function.

        Returns
        -------
        frozenset of nodes
            Statements, loop targets, patterns, the parameter itself, or a name where a handler stands. None
            is among them when the name may have no value. Empty for names of other frames.
        """
        bindings, _ = self._before(statement)
        return frozenset(bindings.get(name, ()))

    def of_read(self, name: ast.Name) -> frozenset[ast.AST | None]:
        """What may have bound a name where it is read; as `reaching`.

        Parameters
        ----------
        name : ast.Name
            A read in a function's own frame, not in that of a lambda or a comprehension.
        """
        if not self._reads:
            self._find_reads()
        solution, node = self._reads[name]
        wanted = QualName(name.id)
        return frozenset(solution.bindings(node).get(wanted, ()))

    def _before(self, statement: ast.AST) -> tuple[dict[QualName, set[ast.AST | None]], Names]:
        solution = self._solution(self._control_flow.owner(statement))
        return solution.bindings(solution.graph.first(statement)), solution.elsewhere

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


class _Solution:
    """Reaching definitions in one frame."""

    def __init__(self, activity: Activity, graph: Graph) -> None:
        inside = activity.inside(graph.owner)
        self.graph = graph
        self.elsewhere = inside.globals | inside.nonlocals
        self._locals = inside.locals | (inside.bound - self.elsewhere)
        self._bits: Bits[Binding] = Bits()
        self._of_name: defaultdict[QualName, int] = defaultdict(int)
        start = 0
        for name in self._locals - inside.params:
            start |= self._binding(name, None)
        if isinstance(graph.owner, FUNCTIONS):
            for parameter in parameters(graph.owner.args):
                start |= self._binding(activity.name(parameter.arg), parameter)
        gains = [self._gain(activity, node) for node in graph.nodes]  # first, for they fill `_of_name`
        effects = [
            Effect(gain, self._lose(activity, node)) for node, gain in zip(graph.nodes, gains, strict=True)
        ]
        self._before = Forward(graph, effects, start).before

    def bindings(self, node: Node) -> dict[QualName, set[ast.AST | None]]:
        """What may have bound each variable, just before a node."""
        found: dict[QualName, set[ast.AST | None]] = {}
        for name, binding in self._bits.unpack(self._before[node.index]):
            found.setdefault(name, set()).add(binding)
        return found

    def _binding(self, name: QualName, tree: ast.AST | None) -> int:
        bit = self._bits.bit((name, tree))
        self._of_name[name] |= bit
        return bit

    def _gain(self, activity: Activity, node: Node) -> int:
        if node.tree is None:
            return 0
        scope = activity.of(node.tree)
        gone = scope.bound if node.kind == "unbind" else scope.deleted
        gain = 0
        for name in gone & self._locals:
            gain |= self._binding(name, None)
        if node.kind != "unbind":
            for name in scope.bound_now & self._locals:
                gain |= self._binding(name, node.tree)
            for name in (scope.bound_later - scope.bound_now) & self._locals:
                gain |= self._bits.bit(
                    (name, node.tree)
                )  # nobody loses it: the function may be called any time
        return gain

    def _lose(self, activity: Activity, node: Node) -> int:
        if node.tree is None or node.kind == "pattern":
            return 0
        scope = activity.of(node.tree)
        lose = 0
        for name in (scope.surely_bound | scope.deleted) & self._locals:
            lose |= self._of_name[name]
        return lose
