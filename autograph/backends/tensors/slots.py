"""What a loop carries: variables and places, each in a form that holds what any turn leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograph.backends.tensors.joins import OuterObject
from autograph.backends.tensors.turned import at_once
from autograph.staging.places import Place
from autograph.staging.state import Undefined, UndefinedReturnValue
from runtime import ops
from runtime.core.shapes import smallest
from runtime.core.spec import ListSpec, Spec, as_array_spec
from runtime.core.structure import flatten, unflatten
from runtime.core.tensor import Tensor
from runtime.graph.arrays import Unknown
from runtime.graph.build import as_tensor, building, outside_graphs
from runtime.graph.builder import Builder
from runtime.ops.control_flow import ABSENT
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["Slot", "zeros_like", "zeros_of"]


@dataclass
class Slot:
    """Something that a loop may carry: a variable, or a place."""

    name: str
    start: Any
    """Its value before the loop."""
    form: Any
    """The same, in the form that holds what any turn leaves."""
    place: Place | None = None
    has_gaps: bool = False
    """Whether the form has zeros where the start has no value."""
    is_fixed: bool = False
    """Whether it is an array that stays the same one: what it holds is a place of its own."""

    def widen(self, start: Any, turned: Any, builder: Builder) -> bool:
        """Takes over the form of a start that holds what a turn left; whether that is news."""
        leaves, structure = flatten(start)
        models, turned_structure = flatten(turned)
        gaps = any(leaf is ABSENT for leaf in leaves)
        forms, form_structure = flatten(self.form)
        is_known = structure == form_structure and gaps == self.has_gaps
        if is_known and [_is_lost(leaf) for leaf in leaves] != [_is_lost(leaf) for leaf in forms]:
            self.form = start
            return True
        if is_known or structure != turned_structure:  # no form holds both: the loop says so
            return False
        self.form = unflatten(
            structure,
            [
                zeros_like(model, builder) if leaf is ABSENT else leaf
                for leaf, model in zip(leaves, models, strict=True)
            ],
        )
        self.has_gaps = gaps
        return True

    @property
    def missing(self) -> type[Exception]:
        """What Python raises where it has no value."""
        return UnboundLocalError if self.place is None else self.place.missing

    @property
    def start_form(self) -> Any:
        """The form, with the values that arrays hold before the loop."""
        return at_once(self.form)

    @property
    def carried(self) -> bool:
        """Whether it has a value when the loop starts."""
        return not isinstance(self.form, UndefinedReturnValue) and type(self.form) is not Undefined


def _is_lost(leaf: Any) -> bool:
    """Whether nobody knows what an array holds: a turn may have written to it under another name."""
    return isinstance(leaf, OuterObject) and isinstance(leaf.value, Unknown)


def zeros_like(leaf: Any, builder: Builder) -> Any:
    """Zeros of the leaf's spec, or an empty list; unknown dims are 0. What is no tensor stays what it is."""
    if not is_tensor(leaf):
        return leaf
    return zeros_of(as_tensor(leaf).spec, builder)


def zeros_of(spec: Spec, builder: Builder) -> Any:
    """Zeros of a spec, or an empty list; unknown dims are 0."""
    if isinstance(spec, ListSpec):
        with building(builder):
            return ops.list_from((), spec.element)
    known = as_array_spec(spec)
    with outside_graphs():
        zeros: Tensor = ops.zeros(smallest(known.shape), dtype=known.dtype)
    return zeros
