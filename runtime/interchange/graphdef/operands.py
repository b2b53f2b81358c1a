"""What a node can take as an input while a GraphDef is written."""

from __future__ import annotations

from typing import TypeAlias

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType
from runtime.core.spec import Spec
from runtime.core.tensor import Array
from runtime.interchange.graphdef.attributes import RESOURCE
from runtime.ops.facts import type_in_graphdef
from runtime.ops.variable_ops import Storage

__all__ = ["Argument", "Constant", "Endpoint", "Operand"]


@dataclass(eq=False)
class Endpoint:
    """An output of a written node.

    A graph refers to it by position (``node``, ``node:1``), a function by the name that the op gives the
    output, which may be a list, and the place in it (``node:output:0``).
    """

    node: str
    output: str
    index: int
    position: int

    @property
    def label(self) -> str:
        """What arguments that stand for it are named after."""
        return self.node

    def reference(self, in_function: bool) -> str:
        """The text of an input."""
        if in_function:
            return f"{self.node}:{self.output}:{self.index}"
        return f"{self.node}:{self.position}" if self.position else self.node


@dataclass(eq=False)
class Constant:
    """A constant; it is written before the first node that takes it, and named after that."""

    value: Array
    written: Endpoint | None = None

    @property
    def label(self) -> str:
        """What arguments that stand for it are named after."""
        return "const"


@dataclass(eq=False)
class Argument:
    """An argument of a function; it is named after the first node that takes it."""

    label: str
    holds: Spec | Storage
    name: str | None = None

    @property
    def dtype(self) -> DType:
        """Its type: a variable comes in as a handle."""
        return type_in_graphdef(self.holds) if isinstance(self.holds, Spec) else RESOURCE


Operand: TypeAlias = Endpoint | Constant | Argument
"""An input of a node before it is written."""
