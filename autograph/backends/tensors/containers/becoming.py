"""Containers of Python's give way to those of the graph: which do, when, and what becomes known of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.containers import exchanged, numbered_lists, sets
from autograph.backends.tensors.containers.copied import mark
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import Staged, StagedList, changes_in_place, contents_of
from autograph.staging.announcing import owner_of_attributes
from autograph.staging.context import staging
from autograph.staging.notes import note, write_back
from autograph.staging.places import Moved
from runtime.core.spec import ArraySpec
from runtime.core.structure import LEAF, flatten
from runtime.errors import StateDisagrees
from runtime.graph.build import as_tensor
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol

__all__ = [
    "NUMBERED",
    "STAND_INS",
    "are_many_items",
    "are_many_numbers",
    "are_many_rows",
    "are_many_tuples",
    "become_staged",
    "become_staged_for_items",
    "grown",
    "is_number",
    "note_elements",
    "refuse_own_class",
    "replaces_methods",
]


def grown(elements: Sequence[Any], like: Any = None) -> StagedList:
    """The list of a graph in place of a Python list that a tensor makes longer or shorter.

    Parameters
    ----------
    elements : list
        What is in it before the statement.
    like : StagedList or list, optional
        What is in it after one path: says what elements are, where there are none yet.
    """
    model = None if like is None or (isinstance(like, list) and not like) else contents_of(like)
    return StagedList(Elements.of(elements, model))


STAND_INS: dict[type[Any], Callable[[Any, Any], Staged]] = {
    list: lambda original, model: StagedList(Elements.of(_with_rows(original), model)),
    set: lambda *given: sets.stand_in(*given),  # noqa: PLW0108  # which waits until then
}
"""By the class of a container of Python's: the one of the graph that takes its place, given its model."""

_MOST_PARTS = 3
"""Numbers of a list up to which each stays a value of the graph, where a tensor says which is replaced."""


def _with_rows(items: Sequence[Any]) -> Sequence[Any]:
    """The items of a list, with lists of the graph for rows of many numbers."""
    if not all(map(are_many_numbers, items)):
        return items
    return [StagedList(Elements.of(item)) for item in items]


def are_many_numbers(items: Any) -> bool:
    """Whether the items of a list are numbers, and so many that a list of the graph had better have them.

    A value for each of them, in all that the list goes through, would be too much.
    """
    return are_many_items(items) and all(map(is_number, items))


def are_many_tuples(items: Any) -> bool:
    """Likewise for tuples of numbers that are alike, as those of a heap."""
    if type(items) is not list or not items or type(items[0]) is not tuple:
        return False
    leaves, structure = flatten(items[0])
    if len(items) * len(leaves) <= _MOST_PARTS or not all(type(item) is tuple for item in items):
        return False
    rows = [flatten(item) for item in items]
    return all(form == structure and all(map(is_number, row)) for row, form in rows)


def are_many_items(items: Any) -> bool:
    """Whether a list has many items."""
    return type(items) is list and len(items) > _MOST_PARTS


def are_many_rows(items: Sequence[Any]) -> bool:
    """Whether these are lists of many numbers, and so many that a list of the graph had better have them."""
    are_rows = all(type(item) is StagedList or are_many_numbers(item) for item in items)
    return are_rows and len({id(item) for item in items}) > _MOST_PARTS


def is_number(item: Any) -> bool:
    """Whether it is a number, of the graph or of Python's."""
    if isinstance(item, Symbol):
        return isinstance(item.spec, ArraySpec) and item.spec.shape == ()
    return type(item) in _NUMBERS or isinstance(item, np.generic)


_NUMBERS = frozenset({bool, int, float})
NUMBERED = Elements(LEAF, ())
"""The model of a list that is to be held by number."""


def become_staged(original: Any, model: Any = None) -> Any:
    """Puts a container of the graph in the place of one: whoever reads that has the other from then on.

    Parameters
    ----------
    original : container
        Of one of the classes in `STAND_INS`.
    model : nest of tensors, optional
        The contents of another one, which says what elements are, where there are none yet.
    """
    if model is NUMBERED:
        return numbered_lists.give_number(original)
    if type(original) not in STAND_INS:
        refuse_own_class(type(original))
    owner = owner_of_attributes(original)
    if owner is not None:
        _refuse_attributes(type(owner))
    staged = STAND_INS[type(original)](original, model)
    staged.original = original
    if exchanged.shows_order(original) and any(map(changes_in_place, original)):
        staged.order = StagedList(Elements.of([as_tensor(index) for index in range(len(original))]))
    note_elements(staged, original)
    if id(original) in staging.copies:
        staging.copies[id(staged)] = replace(staging.copies[id(original)], value=staged)
    if id(original) in staging.groups:
        staging.groups[id(original)].take_place(original, staged)
    moved = Moved(original)
    note(moved)
    moved.set(staged)
    write_back()  # what it is in hears of it here, and not in the graph of a branch that is traced next
    return staged


def note_elements(staged: Any, held: Iterable[Any]) -> None:
    """Notes that a container of the graph has copies of what one of Python's holds."""
    if staged.holds_objects:
        return
    if not isinstance(held, list | dict):
        mark(tuple(held), staged, changes_in_place)
        return
    for index, element in enumerate(held.values() if isinstance(held, dict) else held):
        known = staging.copies.get(id(element))
        is_same = (
            known is not None
            and known.home is not staged  # there it would be for the second time
            and staged.original is not None
            and getattr(known.home, "original", None) is staged.original
        )
        key = index if type(held) is list else None
        mark(element, staged, changes_in_place, partial(int, index), is_alone=is_same, key=key)


def become_staged_for_items(original: Any) -> Any:
    """As `become_staged`, where a tensor says which item of a list is read or replaced."""
    staged = become_staged(original)
    staged.keeps_length = True
    return staged


def _refuse_attributes(kind: type) -> NoReturn:
    """Says that the dict of an object's attributes keeps to what Python knows: the object reads it."""
    raise StateDisagrees(
        f"the `__dict__` of a {kind.__name__} is in a variable and would hold what only the run knows",
        where=caller_location(),
        why=f"It would be a dict of the graph from there on, and the {kind.__name__} would keep its own.",
        way_out="Set the attribute instead: `setattr(x, name, value)`, or `vars(x)[name] = value`.",
    )


def refuse_own_class(kind: type) -> NoReturn:
    """Says that a container of a class of the program's keeps to what Python knows."""
    name, base = kind.__name__, next(each.__name__ for each in kind.__mro__ if each in STAND_INS)
    raise StateDisagrees(
        f"a {name} would hold what only the run knows",
        where=caller_location(),
        why=f"It would be a {base} of the graph from there on, and a {name} is more than that.",
        way_out=f"Keep a {base} in an attribute of your class, instead of deriving the class from it.",
    )


def replaces_methods(kind: type) -> bool:
    """Whether a class below `list` has methods of its own for which a list of the graph has others."""
    own = kind.__mro__[: kind.__mro__.index(list)]
    methods = {name for base in own for name, value in vars(base).items() if callable(value)}
    return any(hasattr(StagedList, name) for name in methods - _MAKING)


_MAKING = frozenset({"__new__", "__init__"})
"""Methods that are over when an instance is there."""
