"""What lies outside of graphs, and what graphs call it: variables, random streams, objects of the program's.

A field of an op is plain data. Where an op works on something outside, its field is a `Resource`: a name, a
kind and a spec, which is all that a file says of it. Whoever reads the file gives the live objects by name; a
variable or stream that is not given stays *declared*, and the graph can be looked at, optimised and written,
but not run.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

import numpy as np

from runtime.core.spec import ArraySpec
from runtime.errors import GraphError

__all__ = ["KINDS", "HostArray", "HostObject", "Resource", "refuse_undeclared", "resource_kind"]


class Resource:
    """Something outside of graphs that a field of an op refers to. Compared by identity.

    Attributes
    ----------
    name : str
        What it is called; names of two resources may be the same, and are numbered in a text.
    """

    __slots__ = ()
    kind: ClassVar[str] = "object"
    """The word for it in the text of a graph."""
    name: str

    @property
    def declared_spec(self) -> ArraySpec | None:
        """What is known of its values; None where that is nothing."""
        return None

    @classmethod
    def declared(cls, name: str, spec: ArraySpec | None) -> Resource:
        """One that a text speaks of and nobody has given."""
        del spec
        refuse_undeclared(cls.kind, name)


KINDS: dict[str, type[Resource]] = {}
"""The classes of resources, by the words for them."""


def resource_kind(kind: type[Resource]) -> type[Resource]:
    """Registers a class of resources."""
    KINDS[kind.kind] = kind
    return kind


def refuse_undeclared(kind: str, name: str) -> NoReturn:
    """Raises the error for what has to be given, or has no content."""
    raise GraphError(
        f"the graph refers to the {kind} `{name}`, which is not here",
        why="It lies outside of the graph: a text or a file has its name alone.",
        way_out=f"Give it by its name when the graph is read: `objects={{{name!r}: …}}`.",
    )


@resource_kind
class HostObject(Resource):
    """An object of the program's that is no plain data: two that hold the same object are equal."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HostObject) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"HostObject({self.name!r})"


class HostArray(HostObject):
    """An array of NumPy's that something is called with in a run: with what it held when that was traced.

    One that the trace has not changed since is the array itself, which somebody else may change.
    """

    __slots__ = ("_array", "_before")

    def __init__(self, name: str, array: np.ndarray) -> None:
        self.name = name
        self._array = array
        self._before = array.copy()

    @property
    def value(self) -> np.ndarray:
        """The array."""
        if self._array is not self._before and self._array.tobytes() != self._before.tobytes():
            self._array = self._before
        self._before = self._array
        return self._array

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__
