"""`Definition`: a function that graphs call by its name, because it calls itself.

A sub-graph is a field of the op that runs it, so no graph can hold a graph that it is in. A call from inside
goes through a definition instead, which is given its graph when that is finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.core.spec import Spec
from runtime.graph.op import Effects
from runtime.graph.resources import Resource, resource_kind

if TYPE_CHECKING:
    from runtime.graph.graph import Graph

__all__ = ["Definition"]


@resource_kind
class Definition(Resource):
    """A function with a name, compared by identity.

    Attributes
    ----------
    name : str
    input_specs, output_specs : tuple of Spec
        What it takes and gives: known, or assumed, before its graph is.
    effects : Effects
        What it does beside computing its outputs; its graph could not be asked without end.
    graph : Graph or None
        As it was traced; None while it is traced.
    optimised : Graph or None
        As it runs, once that is known.
    """

    kind = "function"

    def __init__(
        self, name: str, input_specs: Sequence[Spec], output_specs: Sequence[Spec], effects: Effects
    ) -> None:
        self.name = name
        self.input_specs = tuple(input_specs)
        self.output_specs = tuple(output_specs)
        self.effects = effects
        self.graph: Graph | None = None
        self.optimised: Graph | None = None

    @property
    def body(self) -> Graph:
        """The graph that runs."""
        found = self.optimised or self.graph
        assert found is not None, f"`{self.name}` is still being traced"
        return found

    def __repr__(self) -> str:
        return f"<Definition {self.name}>"
