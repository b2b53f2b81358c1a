"""What has no machine code: who computes it, or how it is refused."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from runtime.core.spec import ArraySpec, ListSpec
from runtime.graph.graph import Node
from runtime.ops.printing import PrintV2

__all__ = ["Beyond", "GivesWay", "NeedsObjects", "Unsupported", "is_print"]


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


class GivesWay(BaseException):  # no handler of the program's is to catch it
    """A run that has called Python has to be done again from its beginning.

    Attributes
    ----------
    to : callable, optional
        Takes the arrays of the run and does it; None stands for the program that does what is left to it.
    """

    def __init__(self, to: Callable[..., Any] | None = None) -> None:
        super().__init__()
        self.to = to


def is_print(node: Node) -> bool:
    """Whether a node prints to a standard stream: that can be left out where a run is done again.

    Exceptions and texts are objects of Python's, which no other program gives.
    """
    prints = isinstance(node.op, PrintV2) and node.op.is_standard
    return prints and all(isinstance(value.spec, ArraySpec | ListSpec) for value in node.inputs)


class Beyond(Enum):
    """Who computes what is beyond machine code: ops that have none, and cases that the code leaves out."""

    PYTHON = "a call of it, from inside the code"
    ANOTHER = "another program: such an op is refused, and such a run is given up"
    NOBODY = "such an op is refused, and such a run fails"
