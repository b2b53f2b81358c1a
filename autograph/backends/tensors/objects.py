"""Lists of Python's whose items are objects, and a tensor that says which: the item is a chosen object.

rows[i].append(x)        written to the row that is chosen
nodes[i].value = 5
names[i] == "up"         answered by a table
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from autograph.backends.tensors.choices import OneOf, choose
from autograph.backends.tensors.elements import Elements
from autograph.backends.tensors.lists import changes_in_place
from autograph.staging.heap import current
from autograph.staging.places import Contents, note
from runtime.core.structure import level_of
from runtime.core.tensor import Tensor
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["holds_objects", "position_among", "put_among"]


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
    kind = "list" if isinstance(items, list) else "tuple"
    message = f"{kind} {outside}"
    return Elements.of(list(range(len(items)))).position(index, message, message)


def put_among(target: list[Any], position: Tensor, value: Any) -> None:
    """Gives the item at a position another value: each item is the new one or the old one."""
    note(Contents(target))
    target[:] = [
        choose(position == place, partial(current, value), partial(current, item))
        for place, item in enumerate(list(target))
    ]
