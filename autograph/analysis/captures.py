"""When nested functions use the variables around them.

A function object reads a variable of its enclosing function when it is called. If it may outlive the
statement that makes it (a lambda put in a list, a definition that is returned) that may be any time from then
on. If it is a definition that is only ever called by name, it is when it is called: a loop's body that became
a function keeps nothing alive after the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, TypeGuard

from autograph.analysis.activity import Activity, Names
from autograph.analysis.cfg import ControlFlow, Node
from autograph.analysis.manager import Analyses, Analysis
from autograph.source.fence import reason_to_leave
from autograph.source.names import QualName
from autograph.source.nodes import children
from autograph.source.template import is_operator

__all__ = ["Captures", "FrameCaptures"]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Captures(Analysis):
    """The `FrameCaptures` of every function, class and module body of a tree."""

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(analyses)
        self._frames: dict[ast.AST, FrameCaptures] = {}

    def forget(self) -> None:
        """Drops the frames, which refer to this table."""
        self._frames.clear()

    def of(self, owner: ast.AST) -> FrameCaptures:
        """What is captured from the frame of `owner`."""
        frame = self._frames.get(owner)
        if frame is None:
            frame = self._frames[owner] = FrameCaptures(self, owner)
        return frame


class FrameCaptures:
    """What function objects made in one frame do to its variables, and when.

    Attributes
    ----------
    functions : dict of name to list of definitions
        The definitions in the frame, by name.
    escaping : set of names
        Those of them that may be called by someone who did not name them.
    """

    def __init__(self, captures: Captures, owner: ast.AST) -> None:
        self._captures = captures
        self._activity = captures.analyses.get(Activity)
        self._graph = captures.analyses.get(ControlFlow).graph(owner)
        self.functions: dict[QualName, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in self._graph.nodes:
            if isinstance(node.tree, FUNCTIONS):
                self.functions.setdefault(self._activity.name(node.tree.name), []).append(node.tree)
        self.escaping: set[QualName] = self._escaping(owner) if self.functions else set()
        self._kept_by: dict[ast.AST, Names] = {}

    def used(self, node: Node) -> Names:
        """The variables that the local functions named at a node use when they are called."""
        if not self.functions or node.tree is None:
            return frozenset()
        return self._expanded(self._activity.of(node.tree).read_now) - self._activity.of(node.tree).read_now

    def kept(self, node: Node) -> Names:
        """The variables that function objects made at a node may use ever after."""
        if node.tree is None:
            return frozenset()
        scope = self._activity.of(node.tree)
        if not self.functions:
            return scope.read_later | scope.bound_later
        kept: set[QualName] = set()
        if not self._stays(node.tree):
            kept.update(scope.read_later | scope.bound_later)
        else:
            for default in (*node.tree.args.defaults, *node.tree.args.kw_defaults):
                if default is not None:
                    kept.update(self._activity.of(default).read_later)
        for name in self.functions.keys() & scope.read_now:
            for function in self.functions[name]:
                kept.update(self.kept_by(function))
        return self._expanded(kept)

    def _stays(self, node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Whether a node is a definition that is only ever called by name."""
        return isinstance(node, FUNCTIONS) and self._activity.name(node.name) not in self.escaping

    def kept_by(self, function: ast.AST) -> Names:
        """The variables of this frame still in use after a call of `function`, which may return a closure."""
        kept = self._kept_by.get(function)
        if kept is None:
            inner = self._captures.of(function)
            read, rebound = self._activity.free(function)
            kept = (read | rebound) & inner.kept_anywhere()
            self._kept_by[function] = kept
        return kept

    def kept_anywhere(self) -> Names:
        """What is kept at some node of the frame."""
        return frozenset().union(*map(self.kept, self._graph.nodes))

    def _expanded(self, names: Iterable[QualName]) -> Names:
        """The names, and what the local functions among them use."""
        found: set[QualName] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name in found:
                continue
            found.add(name)
            for function in self.functions.get(name, ()):
                read, rebound = self._activity.free(function)
                pending.extend(read | rebound)
        return frozenset(found)

    def _escaping(self, owner: Any) -> set[QualName]:
        """The local functions named elsewhere than where they are called or handed to an operator of ours."""
        if not isinstance(owner, FUNCTIONS):
            return set(self.functions)
        inside = self._activity.inside(owner)
        escaping = self.functions.keys() & (inside.globals | inside.nonlocals)
        for definitions in self.functions.values():
            for definition in definitions:
                if not _runs_when_called(definition):
                    escaping.add(self._activity.name(definition.name))
        names = {name.name for name in self.functions}
        pending: list[tuple[ast.AST, bool]] = [(statement, False) for statement in owner.body]
        while pending:
            node, called = pending.pop()
            if isinstance(node, ast.Name):
                if not called and node.id in names and isinstance(node.ctx, ast.Load):
                    escaping.add(self._activity.name(node.id))
            elif isinstance(node, ast.Call):
                pending.extend(_parts_of_call(node, called))
            else:
                pending.extend((child, False) for child in children(node))
        return escaping


def _runs_when_called(definition: Any) -> bool:
    """Whether a call runs the body then and there: not so for a generator or a decorated function."""
    decorators = (node.func if isinstance(node, ast.Call) else node for node in definition.decorator_list)
    return all(map(is_operator, decorators)) and reason_to_leave(definition) is None


def _parts_of_call(call: ast.Call, called: bool) -> Iterable[tuple[ast.AST, bool]]:
    """The parts of a call, each with whether a function named there is only called."""
    function: Any = call.func
    ours = is_operator(function)
    if ours and function.attr == "ld":  # `ag__.ld(f)` is `f` itself
        return [(argument, called) for argument in call.args]
    return [
        (call.func, True),
        *((part, ours) for part in call.args),
        *((part, False) for part in call.keywords),
    ]
