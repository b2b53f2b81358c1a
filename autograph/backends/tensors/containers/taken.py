"""`Taken`: copies of its elements that a list of the graph gives, in the places of the objects in it."""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.staging.context import staging
from autograph.staging.heap import was_held
from autograph.staging.meeting import note_made
from autograph_base.dataclass import dataclass
from runtime.core.instances import is_frozen, is_ours
from runtime.core.structure import Structure, level_of
from runtime.errors import StateDisagrees
from runtime.graph.location import caller_location

__all__ = ["Taken", "has_own_number", "note_built", "note_taken"]


@dataclass(frozen=True)
class Taken:
    """A copy of an element, or of what is in one, that a list has given."""

    value: Any

    def change(self) -> None:
        """Says that it is about to be changed, and that no list hears of it."""
        staging.hold_instances(type(self.value))

    def may_be_one(self, one: Any, other: Any) -> bool:
        """Whether nobody knows if two objects, of which a list has given one, are one."""
        kind = _kind(one)
        if kind is not _kind(other):
            return False
        is_made_anew = issubclass(kind, tuple | frozenset) or is_frozen(kind)
        return is_made_anew or (was_held(one) and was_held(other))

    def refuse_identity(self) -> NoReturn:
        """Says that somebody asks which object it is."""
        staging.hold_instances(type(self.value))
        raise StateDisagrees(
            f"whether two are one {_kind(self.value).__name__} is asked, and a list of the graph gave one",
            where=caller_location(),
            why="A list that grows, or of which a tensor chooses an item, gives the values of its elements, "
            "and not the objects.",
            way_out="Give each a number that tells it apart, or compare what is in them: `==`.",
        )


def _kind(value: Any) -> type:
    """The class that a value is of for Python: a list of the graph is in the place of one of Python's."""
    kind = type(value)
    found: type = getattr(value, "built", kind) if is_ours(kind) else kind
    return found


def has_own_number(value: Any) -> bool:
    """Whether something is an instance that containers hold by number: what they give is the object."""
    known = staging.catalogues.get(type(value))
    return known is not None and known.has(value)


def note_taken(value: Any) -> None:
    """Notes an element that a list has given, and what is in it."""
    level = level_of(value)
    if level is not None and not has_own_number(value):
        staging.taken[id(value)] = Taken(value)
        for child in level[1]:
            note_taken(child)


def note_built(value: Any, form: Structure) -> None:
    """Announces the lists and dicts that an element was built as, and those in them."""
    kind: Any = form.kind
    if kind not in _BUILT or type(value) is not kind:
        return
    if kind is not tuple:
        note_made(value)
    for child, inside in zip(value.values() if kind is dict else value, form.children, strict=True):
        note_built(child, inside)


_BUILT = frozenset({dict, list, tuple})
