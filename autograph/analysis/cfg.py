"""The control-flow graph of a function body.

One node per simple statement, and per part of a compound one that runs by itself: a test, the binding of a
loop's target, a pattern. Edges of two kinds: what may run next, and where an exception may lead. An exception
may strike before or after the node has done its work; the solvers in `dataflow` know.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any, TypeAlias

from autograph.analysis.manager import Analyses, Analysis
from autograph.source.nodes import FIELDS
from autograph.source.origin import BLOCKS
from autograph_base.dataclass import dataclass

__all__ = ["ControlFlow", "Graph", "Node"]

OWNERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
"""What has a body of statements that runs in a frame of its own."""

PARTS = (ast.ExceptHandler, ast.match_case)
"""Parts of statements that have blocks, and are none themselves."""

BLOCKS_OF = {kind: tuple(each for each in reversed(FIELDS[kind]) if each in BLOCKS) for kind in FIELDS}
"""The fields of each class of node that hold statements, or such parts, the last one first."""


class Node:
    """A point of a function's execution.

    Attributes
    ----------
    index : int
        Its place in `Graph.nodes`. The nodes of one statement stand together.
    kind : str
        "entry", "exit", "statement", "test", "loop" (before a first test), "iterable", "next" (does the loop
        go on?), "subject", "pattern", "handler", "bind" (a loop's target, a pattern's captures, a handler's
        name), "unbind" (a handler's name goes), "finally", "enter" and "leave" (of a `with`).
    tree : ast.AST or None
        What runs here: its activity is the node's.
    successors, predecessors : lists of Node
    raises_to, raised_from : lists of Node
        The same for exceptions.
    """

    __slots__ = ("index", "kind", "predecessors", "raised_from", "raises_to", "successors", "tree")

    def __init__(self, index: int, kind: str, tree: ast.AST | None) -> None:
        self.index = index
        self.kind = kind
        self.tree = tree
        self.successors: list[Node] = []
        self.predecessors: list[Node] = []
        self.raises_to: list[Node] = []
        self.raised_from: list[Node] = []

    def __repr__(self) -> str:
        return f"<{self.index} {self.kind}>"


class Graph:
    """The control flow of one function, class or module body.

    Attributes
    ----------
    owner : ast.AST
    nodes : list of Node
        In the order of the text. The first is the entry, the second the exit.
    """

    def __init__(self, owner: ast.AST) -> None:
        self.owner = owner
        self.nodes: list[Node] = []
        self.entry = self.add("entry", None)
        self.exit = self.add("exit", None)
        self._spans: dict[ast.AST, range] = {}

    def add(self, kind: str, tree: ast.AST | None) -> Node:
        """A new node, connected to nothing."""
        node = Node(len(self.nodes), kind, tree)
        self.nodes.append(node)
        return node

    def span(self, statement: ast.AST) -> range:
        """The indices of the nodes that a statement is made of; its first is where it starts."""
        return self._spans[statement]

    def set_span(self, statement: ast.AST, span: range) -> None:
        """Say which nodes a statement is made of."""
        self._spans[statement] = span

    def first(self, statement: ast.AST) -> Node:
        """The node that a statement starts with."""
        return self.nodes[self.span(statement).start]

    def ways_out(self, statement: ast.AST) -> Iterator[Node]:
        """The nodes outside of a statement that it may lead to, also by an exception."""
        span = self.span(statement)
        for index in span:
            node = self.nodes[index]
            for following in (*node.successors, *node.raises_to):
                if following.index not in span:
                    yield following


class ControlFlow(Analysis):
    """The graphs of all functions and class bodies of a tree."""

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(analyses)
        self._owners: dict[ast.AST, ast.AST] = {}
        self._graphs: dict[ast.AST, Graph] = {}
        self._all_owners = [self.tree] if isinstance(self.tree, OWNERS) else []
        for owner in self._all_owners:  # grows as owners within owners are found
            for statement in _statements(owner.body):
                self._owners[statement] = owner
                if isinstance(statement, OWNERS):
                    self._all_owners.append(statement)

    def forget(self) -> None:
        """Disconnects the nodes, each of which refers to those around it."""
        for graph in self._graphs.values():
            for node in graph.nodes:
                node.successors, node.predecessors, node.raises_to, node.raised_from = [], [], [], []

    def owner(self, statement: ast.AST) -> ast.AST:
        """The function, class or module that a statement runs in."""
        return self._owners[statement]

    def owners(self) -> tuple[ast.AST, ...]:
        """Every function, class and module of the tree, the outer ones first."""
        return tuple(self._all_owners)

    def graph(self, owner: ast.AST) -> Graph:
        """The control flow of a function, class or module body."""
        graph = self._graphs.get(owner)
        if graph is None:
            graph = self._graphs[owner] = _Builder(owner).graph
        return graph


def _statements(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements of a body, at any depth, but not those of definitions within."""
    pending = [*block][::-1]
    while pending:
        statement = pending.pop()
        if statement.__class__ not in PARTS:
            yield statement
        if statement.__class__ not in OWNERS:
            for name in BLOCKS_OF[statement.__class__]:
                pending += reversed(getattr(statement, name))


@dataclass
class _Loop:
    """A loop being built: where its jumps start."""

    breaks: list[Node] = field(default_factory=list)
    continues: list[Node] = field(default_factory=list)


@dataclass
class _Cleanup:
    """Code that runs on every way out of a block, and the jumps that wait for it."""

    jumps: dict[str, list[Node]] = field(default_factory=dict)


_Frame: TypeAlias = _Loop | _Cleanup


class _Builder:
    """Builds a graph statement by statement; `_ends` are the nodes that the next node follows."""

    def __init__(self, owner: Any) -> None:
        self.graph = Graph(owner)
        self._frames: list[_Frame] = []
        self._ends = [self.graph.entry]
        self._block(owner.body)
        self._connect(self._ends, self.graph.exit)
        for node in self.graph.nodes:
            for following in node.successors:
                following.predecessors.append(node)
            for following in node.raises_to:
                following.raised_from.append(node)

    def _connect(self, sources: Iterable[Node], target: Node) -> None:
        for source in sources:
            if target not in source.successors:
                source.successors.append(target)

    def _add(self, kind: str, tree: ast.AST | None) -> Node:
        """A node that follows the current ends, and is the one end now."""
        node = self.graph.add(kind, tree)
        self._connect(self._ends, node)
        self._ends = [node]
        return node

    def _raise_from(self, start: int, stop: int, target: Node) -> None:
        """An exception in any of these nodes may lead to `target`."""
        for node in self.graph.nodes[start:stop]:
            node.raises_to.append(target)

    def _jump(self, kind: str, sources: list[Node]) -> None:
        """Leave for the loop's end or head, or the function's exit, through the cleanups on the way."""
        for frame in reversed(self._frames):
            if isinstance(frame, _Cleanup):
                frame.jumps.setdefault(kind, []).extend(sources)
                return
            if kind != "return":
                (frame.breaks if kind == "break" else frame.continues).extend(sources)
                return
        self._connect(sources, self.graph.exit)

    def _block(self, block: Iterable[ast.AST]) -> None:
        for statement in block:
            start = len(self.graph.nodes)
            method = getattr(self, f"_{type(statement).__name__}", None)
            if method is None:
                self._add("statement", statement)
            else:
                method(statement)
            self.graph.set_span(statement, range(start, len(self.graph.nodes)))

    # ── jumps ──

    def _Return(self, node: ast.Return) -> None:
        self._leave("return", node)

    def _Break(self, node: ast.Break) -> None:
        self._leave("break", node)

    def _Continue(self, node: ast.Continue) -> None:
        self._leave("continue", node)

    def _leave(self, kind: str, node: ast.AST) -> None:
        source = self._add("statement", node)
        self._ends = []
        self._jump(kind, [source])

    def _Raise(self, node: ast.Raise) -> None:
        self._add("statement", node)
        self._ends = []

    # ── choices and loops ──

    def _If(self, node: ast.If) -> None:
        test = self._add("test", node.test)
        self._block(node.body)
        taken, self._ends = self._ends, [test]
        self._block(node.orelse)
        self._ends = self._ends + taken

    def _While(self, node: ast.While) -> None:
        self._add("loop", None)
        test = self._add("test", node.test)
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        self._loop(node, test, [] if endless else [test])

    def _For(self, node: Any) -> None:
        self._add("iterable", node.iter)
        goes_on = self._add("next", None)
        self._add("bind", node.target)
        self._loop(node, goes_on, [goes_on])

    _AsyncFor = _For

    def _loop(self, node: Any, head: Node, done: list[Node]) -> None:
        """The body, back to the head; then the `else` block from where the loop is done; then the breaks."""
        loop = _Loop()
        self._frames.append(loop)
        self._block(node.body)
        self._frames.pop()
        self._connect([*self._ends, *loop.continues], head)
        self._ends = done
        self._block(node.orelse)
        self._ends = self._ends + loop.breaks

    def _Match(self, node: ast.Match) -> None:
        self._add("subject", node.subject)
        taken: list[Node] = []
        for case in node.cases:
            pattern = self._add("pattern", case.pattern)
            failed = [] if _always_matches(case.pattern) else [pattern]
            self._add("bind", case.pattern)
            if case.guard is not None:
                failed.append(self._add("test", case.guard))
            self._block(case.body)
            taken += self._ends
            self._ends = failed
        self._ends = self._ends + taken

    # ── exceptions ──

    def _With(self, node: Any) -> None:
        for item in node.items:
            self._add("enter", item)
        start = len(self.graph.nodes)
        self._block(node.body)
        # A context manager may swallow what its block raises.
        leave = self._add("leave", None)
        self._raise_from(start, leave.index, leave)

    _AsyncWith = _With

    def _Try(self, node: Any) -> None:
        cleanup = _Cleanup()
        if node.finalbody:
            self._frames.append(cleanup)
        start = len(self.graph.nodes)
        self._block(node.body)
        stop = len(self.graph.nodes)
        self._block(node.orelse)
        ends = self._ends
        for handler in node.handlers:
            self._handler(handler, start, stop)
            ends = ends + self._ends
        self._ends = ends
        if node.finalbody:
            self._frames.pop()
            self._finally(node.finalbody, cleanup, start)

    _TryStar = _Try

    def _handler(self, handler: ast.ExceptHandler, start: int, stop: int) -> None:
        self._ends = []
        header = self._add("handler", handler.type)
        self._raise_from(start, stop, header)
        if handler.name is None:
            self._block(handler.body)
            return
        caught = ast.copy_location(ast.Name(handler.name, ast.Store()), handler)
        cleanup = _Cleanup()
        self._frames.append(cleanup)
        self._add("bind", caught)
        self._block(handler.body)
        self._frames.pop()
        stop = len(self.graph.nodes)
        ends = [self._add("unbind", caught)] if self._ends else []
        for kind, sources in cleanup.jumps.items():
            self._ends = sources
            self._jump(kind, [self._add("unbind", caught)])
        self._ends = []
        self._raise_from(header.index, stop, self._add("unbind", caught))
        self._ends = ends

    def _finally(self, block: list[ast.AST], cleanup: _Cleanup, start: int) -> None:
        goes_on = bool(self._ends)
        for sources in cleanup.jumps.values():
            self._ends = self._ends + sources
        head = self._add("finally", None)
        self._raise_from(start, head.index, head)
        self._block(block)
        # One copy of the block serves all ways through it: the ordinary one, if there is one, the jumps that
        # waited, and exceptions. Facts of these ways meet here, which loses some of them and invents none.
        ends = self._ends
        for kind in cleanup.jumps:
            self._jump(kind, ends)
        self._ends = ends if goes_on else []


def _always_matches(pattern: ast.AST) -> bool:
    """Whether a pattern is a bare name or `_`."""
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None
