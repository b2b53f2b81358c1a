"""Analyses on demand: computed when first asked for, remembered until the tree is edited."""

from __future__ import annotations

import ast
from typing import Any, TypeVar, cast

__all__ = ["Analyses", "Analysis"]


class Analysis:
    """Facts about one tree; a subclass is a table from nodes to facts.

    Parameters
    ----------
    analyses : Analyses
        Where to find the tree and the other analyses that this one is made from.
    """

    def __init__(self, analyses: Analyses) -> None:
        self.analyses = analyses
        self.tree = analyses.tree

    def forget(self) -> None:
        """Lets go of what refers to itself, so that the tree goes without a collection of garbage."""


A = TypeVar("A", bound=Analysis)


class Analyses:
    """The facts known about a tree.

    Parameters
    ----------
    tree : ast.AST
        A function, class or module. Functions and classes inside are covered too.

    Examples
    --------
    >>> from autograph.analysis.liveness import Liveness
    >>> tree = ast.parse("def f(x, y): x = y; return x").body[0]
    >>> liveness = Analyses(tree).get(Liveness)
    >>> liveness.live_in(tree.body[0]), liveness.live_out(tree.body[0])
    (1, 2)
    """

    def __init__(self, tree: ast.AST) -> None:
        self.tree = tree
        self._known: dict[type[Analysis], Any] = {}

    def get(self, kind: type[A]) -> A:
        """The analysis of this kind, of the tree as it is now."""
        if kind not in self._known:
            self._known[kind] = kind(self)
        return cast("A", self._known[kind])

    def forget(self) -> None:
        """Drop every fact: the tree was edited."""
        for analysis in self._known.values():
            analysis.forget()
        self._known.clear()
