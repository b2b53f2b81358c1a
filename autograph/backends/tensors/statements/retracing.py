"""Signals by which a path tells its statement what has to be so before it: the statement is traced anew."""

from __future__ import annotations

from typing import Any

from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.statements.raising import Signal
from autograph.staging import notes

__all__ = ["GiveWay", "Grows", "Unsure"]


class Unsure(Signal, Exception):  # a signal between a path and its statement, never seen outside
    """A path changed places of which only another trace can say whether they outlive it."""


class Grows(Signal, Exception):  # a signal between a path and its statement, never seen outside
    """A path makes lists longer or shorter that were there before: they have to become lists of the graph.

    Parameters
    ----------
    models : list of (list, Elements)
        The lists, and what is in them after the path.
    keeps_lengths : bool
        Whether they are lists of the graph for what is put into them, and as long as they were.
    """

    def __init__(self, models: list[tuple[Any, Elements]], *, keeps_lengths: bool = False) -> None:
        super().__init__()
        self.models = models
        self.keeps_lengths = keeps_lengths

    def pass_on(self) -> None:
        """Raises it for the statement around, where its lists were there before that, too.

        It would find that out when all of its path is traced.
        """
        around = notes.listener()
        if around is not None and around.starts_anew:
            older = [(owner, model) for owner, model in self.models if around.existed(owner)]
            if older:
                raise Grows(older, keeps_lengths=self.keeps_lengths)


class GiveWay(Signal, Exception):  # a signal between a path and its statement, never seen outside
    """A path writes into arrays of NumPy's that were there before it: they have to give way before it.

    Parameters
    ----------
    arrays : list of array
    """

    def __init__(self, arrays: list[Any]) -> None:
        super().__init__()
        self.arrays = arrays
