"""`rows[i]` where `rows` is a list of Python objects and `i` a tensor: the result is a chosen object.

rows[i].append(x)        written to the row that is chosen
nodes[i].value = 5
names[i] == "up"         answered by a table
rows[i][0] = 5.0         rows of arrays: written to the array that is chosen, once a program writes into one
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from autograph.backends.tensors.arrays import identity
from autograph.backends.tensors.arrays.arrays import has_no_axes, is_numpys
from autograph.backends.tensors.containers.becoming import are_many_items, are_many_rows, is_number
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import StagedList, changes_in_place
from autograph.backends.tensors.containers.numbered_rows import NumberedRow
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.iteration.items import slice_bounds
from autograph.backends.tensors.objects.choices import (
    MOST_CANDIDATES,
    OneOf,
    choose,
    is_constant,
    possible_values,
    selected,
)
from autograph.backends.tensors.statements import numbers_beside
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.staging.context import staging
from autograph.staging.heap import current
from autograph.staging.notes import note
from autograph.staging.places import Contents
from runtime import ops
from runtime.core.structure import level_of
from runtime.core.tensor import Tensor, owner_of
from runtime.errors import StateDisagrees
from runtime.graph.location import caller_location
from runtime.ops.control_flow.tracing import is_tensor

__all__ = [
    "are_chosen",
    "are_many",
    "are_of_two_kinds",
    "holds_objects",
    "inserted_among",
    "item_among",
    "position_among",
    "put_among",
    "taken_out",
    "without_copies",
]


def are_chosen(items: Sequence[Any]) -> bool:
    """Whether a tensor that says which of some items is meant chooses an object, and not a value.

    Arrays are values in a list of the graph, until it shows that somebody writes into one. Of one without
    axes it would not show: `item += 1` is right for a number, too. Numbers may be among these.
    """
    if holds_objects(items) or are_of_two_kinds(items):
        return True
    if len(items) > MOST_CANDIDATES:
        return False
    of_numpy = [ops.is_array(item) or is_numpys(item) for item in items]
    if any(map(has_no_axes, items)):
        return all(is_array or is_number(item) for is_array, item in zip(of_numpy, items, strict=True))
    are_arrays = bool(items) and all(of_numpy)
    if not are_arrays or other_names().takes_arrays():
        return are_arrays
    for item in filter(is_numpys, items):
        other_names().note_shown(owner_of(item))
    return False


def are_many(items: Any) -> bool:
    """Whether the items of a list are containers, and so many that one of them is a value of the graph.

    A branch for each of them, wherever it is used, would be too much. Lists that are held by number are such
    values anyway.
    """
    if type(items) is not list:
        return False
    if staging.numbers_lists and items and all(isinstance(current(item), _LISTS) for item in items):
        return True
    if are_many_rows(items) or _are_many_numbers_or_none(items) or are_of_two_kinds(items):
        return True
    objects = [each for item in items for each in possible_values(item)]
    count = len(set(map(id, objects)))
    are_objects = count > 1 and all(map(changes_in_place, objects))
    return are_objects and (count > MOST_CANDIDATES or other_names().lists_few(count))


def are_of_two_kinds(items: Sequence[Any]) -> bool:
    """Whether these are integers and floats that stay what they are: a list of the graph has both."""
    if not other_names().has_infinity():
        return False
    numbers = [each for item in items for each in possible_values(item)]
    return all(map(is_number, numbers)) and numbers_beside.stay_apart([[number] for number in numbers])


def _are_many_numbers_or_none(items: Sequence[Any]) -> bool:
    """Whether these are numbers and None, so many that a list of the graph had better have them."""
    if not (are_many_items(items) and any(item is None or isinstance(item, MaybeNone) for item in items)):
        return False
    held = [item.ag__value if isinstance(item, MaybeNone) else item for item in items]
    return all(item is None or is_number(item) for item in held)


_LISTS = (list, StagedList, NumberedRow)


def holds_objects(items: Sequence[Any]) -> bool:
    """Whether something is among some items, or in one, that no graph can hold: strings, lists, instances."""
    return any(map(_is_or_holds_object, items))


def _is_or_holds_object(item: Any) -> bool:
    if isinstance(item, OneOf) or item is None or changes_in_place(item):
        return True
    level = level_of(item)
    return not is_tensor(item) if level is None else holds_objects(level[1])


def position_among(items: Sequence[Any], index: Any, outside: str) -> Tensor:
    """An index counted from the front, among so many items; the graph raises IndexError outside of them."""
    kind = "list " if isinstance(items, list) else "tuple "
    message = outside if outside in WHOLE else f"{kind}{outside}"
    return Elements.of(list(range(len(items)))).position(index, message, message)


def item_among(items: Sequence[Any], position: Any) -> Any:
    """The item at a position that is in range: the object that is chosen, which others may hold, too."""
    if holds_objects(items):
        return selected(position, items)
    found = items[0]
    for place, item in enumerate(items[1:], 1):
        found = found if item is found else _one_of_two(position == place, item, found)
    return found


def put_among(target: list[Any], position: Tensor, value: Any) -> None:
    """Gives the item at a position another value: each item is the new one or the old one."""
    note(Contents(target))
    if changes_in_place(value) or (isinstance(value, OneOf) and not is_constant(value)):
        other_names().note_ways(len(target))
    target[:] = [
        item if identity.are_surely_one(value, item) else _one_of_two(position == place, value, item)
        for place, item in enumerate(list(target))
    ]


def taken_out(target: list[Any], position: Tensor) -> Any:
    """Takes the item at a position out of a list: each item behind it moves up by one place."""
    items = list(target)
    found = item_among(items, position)
    note(Contents(target))
    target[:] = [
        choose(position > place, partial(current, item), partial(current, behind))
        for place, (item, behind) in enumerate(pairwise(items))
    ]
    return found


def inserted_among(target: list[Any], index: Any, value: Any) -> None:
    """Puts a value before an index of a list, which stops at the ends."""
    items, (position, _) = list(target), slice_bounds(slice(index, None), len(target))
    note(Contents(target))
    before, behind = [*items, None], [None, *items]
    target[:] = [
        choose(
            position == place,
            partial(current, value),
            partial(_one_of_two, position > place, before[place], behind[place]),
        )
        for place in range(len(items) + 1)
    ]


def _one_of_two(test: Any, one: Any, other: Any) -> Any:
    return choose(test, partial(current, one), partial(current, other))


def without_copies(target: Sequence[Any], key: slice) -> None:
    """Refuses a slice of objects that may change, whose length a tensor decides: it would hold copies."""
    changing = [item for item in target if changes_in_place(item)]
    if changing and not (
        staging.numbers_lists and all(type(item) in {list, StagedList} for item in changing)
    ):
        staging.hold_instances(list)
        raise StateDisagrees(
            "a tensor decides which part of a list of lists, dicts or instances is taken",
            details=(f"the slice is {key}",),
            where=caller_location(),
            why="A list whose length a tensor decides holds values of the graph, and no objects.",
            way_out="Take the items by index, or give the slice bounds of Python.",
        )


WHOLE = frozenset(
    {"deque index out of range", "list assignment index out of range", "pop index out of range"}
)
"""Messages that are the same for all that they are about."""
