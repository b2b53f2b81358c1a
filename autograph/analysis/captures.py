"""When nested functions use the variables around them.

A function object reads a variable of its enclosing function when it is called. If it may outlive the
statement that makes it (a lambda put in a list, a definition that is returned) that may be any time from then
on. If it is a definition that is only ever called by name, it is when it is called: a loop's body that became
a function keeps nothing alive after the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from typing import Any, TypeGuard

from autograph.analysis.activity import Activity, Packed
from autograph.analysis.cfg import ControlFlow, Node
from autograph.analysis.manager import Analyses, Analysis
from autograph.source.fence import reason_to_leave
from autograph.source.nodes import children
from autograph.source.template import is_operator, is_ours

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
        The definitions in the frame, by the bit of their name.
    escaping : names
        Those of them that may be called by someone who did not name them.
    """

    def __init__(self, captures: Captures, owner: ast.AST) -> None:
        self._captures = captures
        self._activity = captures.analyses.get(Activity)
        self._bit = self._activity.names.bit
        self._graph = captures.analyses.get(ControlFlow).graph(owner)
        self.functions: dict[Packed, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in self._graph.nodes:
            if isinstance(node.tree, FUNCTIONS):
                self.functions.setdefault(self._bit(node.tree.name), []).append(node.tree)
        self.escaping: Packed = self._escaping(owner) if self.functions else 0
        self._kept_by: dict[ast.AST, Packed] = {}

    def used(self, node: Node) -> Packed:
        """The variables that the local functions named at a node use when they are called."""
        if not self.functions or node.tree is None:
            return 0
        read = self._activity.of(node.tree).read_now
        return self._expanded(read) & ~read

    def kept(self, node: Node) -> Packed:
        """The variables that function objects made at a node may use ever after."""
        if node.tree is None:
            return 0
        scope = self._activity.of(node.tree)
        if not self.functions:
            return scope.read_later | scope.bound_later
        kept = 0
        if not self._stays(node.tree):
            kept = scope.read_later | scope.bound_later
        else:
            for default in (*node.tree.args.defaults, *node.tree.args.kw_defaults):
                if default is not None:
                    kept |= self._activity.of(default).read_later
        for name, functions in self.functions.items():
            for function in functions if name & scope.read_now else ():
                kept |= self.kept_by(function)
        return self._expanded(kept)

    def _stays(self, node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Whether a node is a definition that is only ever called by name."""
        return isinstance(node, FUNCTIONS) and not self._bit(node.name) & self.escaping

    def kept_by(self, function: ast.AST) -> Packed:
        """The variables of this frame still in use after a call of `function`, which may return a closure."""
        kept = self._kept_by.get(function)
        if kept is None:
            inner = self._captures.of(function)
            read, rebound = self._activity.free(function)
            kept = (read | rebound) & inner.kept_anywhere()
            self._kept_by[function] = kept
        return kept

    def kept_anywhere(self) -> Packed:
        """What is kept at some node of the frame."""
        kept = 0
        for node in self._graph.nodes:
            kept |= self.kept(node)
        return kept

    def _expanded(self, names: Packed) -> Packed:
        """The names, and what the local functions among them use."""
        pending = list(self.functions)
        while called := [name for name in pending if name & names]:
            pending = [name for name in pending if not name & names]
            for function in (function for name in called for function in self.functions[name]):
                read, rebound = self._activity.free(function)
                names |= read | rebound
        return names

    def _escaping(self, owner: Any) -> Packed:
        """The local functions named elsewhere than where they are called; ours may be handed to an operator.

        What an operator is given of the program's it may keep: `items.append(f)` is one.
        """
        if not isinstance(owner, FUNCTIONS):
            return sum(self.functions)
        inside = self._activity.inside(owner)
        escaping = sum(self.functions) & (inside.globals | inside.nonlocals)
        for definitions in self.functions.values():
            for definition in definitions:
                if not _runs_when_called(definition):
                    escaping |= self._bit(definition.name)
        every = [each for definitions in self.functions.values() for each in definitions]
        names, theirs = {each.name for each in every}, {each.name for each in every if not is_ours(each)}
        pending: list[tuple[ast.AST, bool]] = [(statement, False) for statement in owner.body]
        while pending:
            node, called = pending.pop()
            if isinstance(node, ast.Name):
                if not called and node.id in names and isinstance(node.ctx, ast.Load):
                    escaping |= self._bit(node.id)
            elif isinstance(node, ast.Call):
                pending.extend(_parts_of_call(node, theirs, called=called))
            else:
                pending.extend((child, False) for child in children(node))
        return escaping


def _runs_when_called(definition: Any) -> bool:
    """Whether a call runs the body then and there: not so for a generator or a decorated function."""
    decorators = (node.func if isinstance(node, ast.Call) else node for node in definition.decorator_list)
    return all(map(is_operator, decorators)) and reason_to_leave(definition) is None


def _parts_of_call(
    call: ast.Call, theirs: Collection[str], *, called: bool
) -> Iterable[tuple[ast.AST, bool]]:
    """The parts of a call, each with whether a function named there is only called.

    Those of the program's have one of the names in `theirs`.
    """
    function: Any = call.func
    ours = is_operator(function)
    if ours and function.attr == "ld":  # `ag__.ld(f)` is `f` itself
        return [(argument, called) for argument in call.args]
    return [
        (call.func, True),
        *((part, ours and not (isinstance(part, ast.Name) and part.id in theirs)) for part in call.args),
        *((part, False) for part in call.keywords),
    ]
