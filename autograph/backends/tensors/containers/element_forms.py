"""What is in an element of a list of the graph, as its form says."""

from __future__ import annotations

from typing import NoReturn

from autograph.backends.tensors.containers import ragged, set_later
from autograph.staging.special_methods import compares_itself
from runtime.core.rosters import Roster
from runtime.core.structure import Structure
from runtime.errors import StateDisagrees

__all__ = [
    "compare_themselves",
    "has_choice",
    "has_empty",
    "has_tuples",
    "is_optional",
    "never_changes",
    "refuse_without_tensor",
    "require_form",
]


def is_optional(kind: type | None) -> bool:
    """Whether values of a class may be None."""
    return kind is not None and kind is set_later.optional


def never_changes(form: Structure) -> bool:
    """Whether nothing but None and tuples is in an element."""
    return form.kind in {type(None), tuple} and all(map(never_changes, form.children))


def has_tuples(form: Structure) -> bool:
    """Whether tuples of which only the run knows how long they are are in elements of a form."""
    return getattr(form.kind, "built", None) is tuple or any(map(has_tuples, form.children))


def compare_themselves(*forms: Structure) -> bool:
    """Whether objects are in elements of such forms whose class says when two of them are equal."""
    return any(
        (form.kind is not None and compares_itself(form.kind, "__eq__"))
        or (isinstance(form.extra, Roster) and form.extra.kind.__eq__ is not object.__eq__)
        or compare_themselves(*form.children)
        for form in forms
    )


def has_empty(form: Structure) -> bool:
    """Whether a list or a dict is in an element that holds nothing yet: it is there to be filled."""
    is_empty = (form.kind is list or form.kind is dict) and not form.children
    return is_empty or any(map(has_empty, form.children))


def has_choice(form: Structure) -> bool:
    """Whether an element is one of several objects, or may be None, or something in it."""
    return form.kind in ragged.CHOICES or any(map(has_choice, form.children))


def require_form(form: Structure, other: Structure) -> None:
    """The elements of a list have one form."""
    if form != other:
        raise StateDisagrees(
            "elements of different structures meet in a list that grows in a graph",
            details=(f"an element:  {form}", f"another:     {other}"),
            why="A tensor decides how long the list is, so all its elements need one structure "
            "(`*` stands for a tensor).",
            way_out="Give every element the same nest of lists, tuples and dicts.",
        )


def refuse_without_tensor(form: Structure) -> NoReturn:
    """Says that elements of a form cannot be held: only the leaves of a form are lists of the graph."""
    raise StateDisagrees(
        f"a list that grows in a graph holds `{form}`, in which there is no tensor",
        way_out="Give its elements a number or a tensor.",
    )
