"""What has no machine code: who computes it, or how it is refused."""

from __future__ import annotations

from enum import Enum

from runtime.graph.graph import Node

__all__ = ["Beyond", "NeedsObjects", "Unsupported"]


class Unsupported(Exception):  # a signal within the executors
    """A graph has no machine code, or shall have none where nobody asked for it.

    Parameters
    ----------
    why : str
    node : Node, optional
        What it is about; filled in by whoever walks the graph.
    """

    def __init__(self, why: str, node: Node | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.node = node


class NeedsObjects(Exception):  # a signal, as the one above
    """Python is called with what is no object in the program that is being made."""


class Beyond(Enum):
    """Who computes what is beyond machine code: ops that have none, and cases that the code leaves out."""

    PYTHON = "a call of it, from inside the code"
    ANOTHER = "another program: such an op is refused, and such a run is given up"
    NOBODY = "such an op is refused, and such a run fails"
