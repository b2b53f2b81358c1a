"""Loop-carried variables and places, each in a form that holds what any turn leaves."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from autograph.backends.tensors.arrays.turned import at_once
from autograph.backends.tensors.containers.lists import SINGLE, changes_in_place
from autograph.backends.tensors.containers.other_names import Spot, other_names
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.outer_objects import OuterObject
from autograph.staging.places import Place
from autograph.staging.state import Missing, Undefined, UndefinedReturnValue
from autograph_base.dataclass import dataclass
from autograph_base.packages import OURS
from runtime import ops
from runtime.core.shapes import smallest
from runtime.core.spec import ArraySpec, ListSpec, Spec, as_array_spec
from runtime.core.structure import Structure, flatten, level_of, unflatten
from runtime.core.tensor import Tensor
from runtime.errors import StateDisagrees
from runtime.graph.arrays import Unknown
from runtime.graph.build import as_tensor, bind, building, is_weak, outside_graphs
from runtime.graph.builder import Builder
from runtime.graph.location import Location, caller_location
from runtime.graph.op import Const
from runtime.ops.control_flow import ABSENT
from runtime.ops.control_flow.tracing import is_tensor
from runtime.ops.control_flow.try_catch import NoError

__all__ = ["Depths", "Slot", "made_anew", "without_gaps", "zeros_like", "zeros_of"]


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
        if any(one is ABSENT is other for one, other in zip(leaves, models, strict=True)):
            raise StateDisagrees(
                f"`{self.name}` may become one of several objects, of which one is never there",
                where=caller_location(),
                why="What a loop carries has one form for all of its turns, and there is none for an object "
                "that neither the start nor the end of a turn has.",
                way_out="Put objects that were made before the loop into it.",
            )
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
    def missing(self) -> Missing:
        """What Python raises where it has no value."""
        return Missing() if self.place is None else self.place.absence

    @property
    def start_form(self) -> Any:
        """The form, with the values that arrays hold before the loop."""
        return at_once(self.form)

    @property
    def carried(self) -> bool:
        """Whether it has a value when the loop starts."""
        return not isinstance(self.form, UndefinedReturnValue) and type(self.form) is not Undefined


class Depths:
    """How deep the variables and places of a loop were, whenever its body was traced.

    Parameters
    ----------
    where : Location
        The loop.
    """

    def __init__(self, where: Location) -> None:
        self._where = where
        self._found: dict[Hashable, set[int]] = {}

    def require_few(self, slots: Iterable[tuple[Hashable, Slot]]) -> None:
        """Sees to it that nothing gets deeper and deeper, as a chain does by one more link in every turn."""
        for key, slot in slots:
            depths = self._found.setdefault(key, set())
            form = flatten(slot.form)[1]
            depths.add(_depth(form))
            if len(depths) > (_MOST_OF_OWN_KIND if _is_in_itself(form) else _MOST_DEPTHS):
                raise StateDisagrees(
                    f"`{slot.name}` holds one more object inside of the others after every turn of this loop",
                    where=self._where,
                    why="A tensor decides how often the loop runs, so it would decide the structure, too; "
                    "a value of a graph has one structure.",
                    way_out="Write a small class for them, `class Node`, whose objects may refer to each "
                    "other as long as they stay in the function; or keep them in a list, and let them refer "
                    "to each other by index.",
                )


def _within(form: Structure) -> list[Structure]:
    """The parts of a form, and those of the elements of lists in it."""
    inner = form.extra if isinstance(form.extra, tuple) else (form.extra,)
    return [*form.children, *[each for each in inner if isinstance(each, Structure)]]


def _depth(form: Structure) -> int:
    return 1 + max(map(_depth, _within(form)), default=0)


def _is_in_itself(form: Structure, around: frozenset[Any] = frozenset()) -> bool:
    """Whether an object of a class of the program's is in another of that class."""
    if form.kind in around:
        return True
    is_programs = form.kind is not None and form.kind.__module__.partition(".")[0] not in _OF_NESTS
    inner = around | {form.kind} if is_programs else around
    return any(_is_in_itself(each, inner) for each in _within(form))


_OF_NESTS = OURS | {"builtins", "collections"}

_MOST_DEPTHS = 4
"""Depths that a variable of a loop may have had in these attempts."""

_MOST_OF_OWN_KIND = 2
"""The same, where objects of a class are in others of it: they are linked to each other."""


def made_anew(form: Any, start: Any, turned: Any) -> set[Spot]:
    """Where a turn leaves another container than the one before it, and there is none before the loop.

    Parameters
    ----------
    form : nest
        What the loop carries, as a turn that was given up has left it.
    start, turned : nest
        What there is before the loop, and at the end of a turn.
    """
    known, first = _objects_in(form), _objects_in(start)
    return {
        spot
        for spot, found in _objects_in(turned).items()
        if spot not in first and known.get(spot, found).value is not found.value
    }


def _objects_in(form: Any, spot: Spot = ()) -> dict[Spot, OuterObject]:
    """The containers in a form that are objects, by where they are."""
    if isinstance(form, OuterObject):
        return {spot: form} if changes_in_place(form.value) else {}
    if isinstance(form, MaybeNone | MaybeUndefined):
        return _objects_in(form.ag__value, spot)
    level = None if type(form) in SINGLE else level_of(form)
    if level is None:
        return {}
    pairs = zip(level[0].keys, level[1], strict=True)
    return {path: found for key, child in pairs for path, found in _objects_in(child, (*spot, key)).items()}


def without_gaps(turned: Any, form: Any, builder: Builder) -> Any:
    """What a turn leaves, with something for what it does not choose: in a form that the loop carries."""
    leaves, structure = flatten(turned)
    models, other = flatten(form)
    if structure != other or all(leaf is not ABSENT for leaf in leaves):
        return turned
    pairs = zip(leaves, models, strict=True)
    return unflatten(
        structure, [zeros_like(model, builder) if leaf is ABSENT else leaf for leaf, model in pairs]
    )


def _is_lost(leaf: Any) -> bool:
    """Whether nobody knows what an array holds: a turn may have written to it under another name."""
    return isinstance(leaf, OuterObject) and isinstance(leaf.value, Unknown)


def zeros_like(leaf: Any, builder: Builder) -> Any:
    """Zeros of the leaf's spec, or an empty list; unknown dims are 0. What is no tensor stays what it is."""
    if not is_tensor(leaf):
        return leaf
    spec, is_pythons = as_tensor(leaf).spec, is_weak(leaf)
    if is_pythons and isinstance(spec, ArraySpec) and spec.dtype.is_floating:
        is_pythons = not other_names().has_infinity()  # it would be one with an infinity that is kept apart
    return zeros_of(spec, builder, is_pythons=is_pythons)


def zeros_of(spec: Spec, builder: Builder, *, is_pythons: bool = False) -> Any:
    """Zeros of a spec, or an empty list; unknown dims are 0. What has no shape is one that nobody reads.

    `is_pythons` says that what has them in other turns is a number of Python's: so is this, then.
    """
    if isinstance(spec, ListSpec):
        with building(builder):
            empty = ops.list_from((), spec.element)
            return ops.stands_for_python(empty) if is_pythons else empty
    if not isinstance(spec, ArraySpec):
        with building(builder):
            return bind(NoError(spec))
    known = as_array_spec(spec)
    with outside_graphs():
        zeros: Tensor = ops.zeros(smallest(known.shape), dtype=known.dtype)
    if is_pythons and known.shape == ():
        with building(builder):
            return ops.stands_for_python(bind(Const(zeros.numpy())))
    return zeros
