"""Containers that were there before a trace, in the places of what stands for them while it is traced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograph.backends.tensors.containers.linked import require_none_outlives
from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.containers.numbered_results import require_no_numbers
from autograph.backends.tensors.containers.records import StagedRecord
from autograph.staging.places import Contents
from autograph.tracing.own_elements import with_own_elements
from runtime.core.structure import level_of
from runtime.functions.external_state import Change

__all__ = ["with_own_containers"]


def with_own_containers(
    result: Any, changes: Sequence[Change], outside: Mapping[int, Any]
) -> tuple[Any, list[Change]]:
    """What a function gives and leaves, with what was there before in the places of what stands for it."""
    require_none_outlives(result, *[change.now for change in changes])
    require_no_numbers([change.now for change in changes])
    made: dict[int, tuple[Any, Any]] = {}
    found = []
    for change in changes:
        if isinstance(change.place, Contents) and isinstance(change.now, StagedRecord):
            held = _in_own_containers(change.now.contents, outside, made)
            found.append(replace(change, now=StagedRecord(held)))
            continue
        if isinstance(change.place, Contents) and isinstance(change.now, Staged):
            found.append(with_own_elements(change))
            continue
        found.append(replace(change, now=_in_own_containers(change.now, outside, made)))
    return _in_own_containers(result, outside, made), found


def _in_own_containers(value: Any, outside: Mapping[int, Any], made: dict[int, tuple[Any, Any]]) -> Any:
    """A nest of the same leaves. What is one container in it is one; what was there before is that object.

    A container is made anew only where something has to be replaced in it: others have names elsewhere.
    """
    if id(value) in outside:
        return outside[id(value)]
    level = level_of(value)
    if level is None or _holds_values(value) or not _leads_to_other(value, outside):
        return value
    if id(value) not in made:
        children = [_in_own_containers(child, outside, made) for child in level[1]]
        made[id(value)] = value, level[0].build(children)
    return made[id(value)][1]


def _leads_to_other(value: Any, outside: Mapping[int, Any]) -> bool:
    """Whether something has taken the place of a container that was there before, in a nest."""
    pending, seen = [value], set[int]()
    while pending:
        each = pending.pop()
        if outside.get(id(each), each) is not each:
            return True
        level = level_of(each) if id(each) not in seen else None
        seen.add(id(each))
        pending += level[1] if level is not None and not _holds_values(each) else ()
    return False


def _holds_values(container: Any) -> bool:
    """Whether something is a container of the graph, whose elements are no objects of the program's."""
    return isinstance(container, Staged) and not container.holds_objects
