"""Whether what outlives a trace can be told from the lists of the graph that have copies of it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, NoReturn

from autograph.backends.tensors.containers.copied import Copied, held_by, homes_around, is_holder, kin_of
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from runtime.core.structure import Structure, flatten
from runtime.errors import StateDisagrees
from runtime.graph.location import caller_location

__all__ = ["require_told_apart"]


def require_told_apart(values: Iterable[Any], containers: Callable[[Any], Iterable[Any]]) -> None:
    """Sees to it that nothing outlives a trace beside a list of which it is an element."""
    values = list(values)
    found = {id(each): each for value in values for each in containers(value)}
    groups = {id(staging.groups[key]) for key in found if key in staging.groups}
    members = [found, *[staging.groups[key].members for key in found if key in staging.groups]]
    fixed = [each for value in values for each in _fixed_within(value)]
    met = [*[each for row in members for each in row.values()], *fixed]
    met += _elements_of({id(each) for each in met})
    twice = [each for each in met if getattr(each, "holds_one_twice", False)]
    if twice:
        if any(_has_lists(flatten(each)[1], is_home=True) for each in twice):
            staging.hold_instances(list)
        raise StateDisagrees(
            "a list that grows in a graph, and may hold one object twice, outlives the function",
            where=caller_location(),
            why="It keeps the values of its elements: these would be two objects.",
            way_out="Put a copy of it in: `rows.append(list(row))`.",
        )
    _require_no_kin([*found.values(), *fixed])
    _require_not_taken_again(found.values())
    there = {*found, *map(id, fixed)}
    for key, value in found.items():
        home = staging.copies[key].home if key in staging.copies else None
        group = staging.groups.get(id(home))
        kin = {id(each) for each in kin_of(home)} if home is not None else set[int]()
        alike = {id(staging.groups[each]) for each in kin if each in staging.groups}
        is_there = not kin.isdisjoint(there) or not alike.isdisjoint(groups)
        is_there |= home is not None and home.is_numbered  # of those lists nobody knows which are given
        if is_there or (group is not None and id(group) in groups):
            _refuse_two(value, "outlives the function beside the list of which it is an element")


def _elements_of(homes: Container[int]) -> list[Any]:
    """The containers of which some others, by id, have copies, and what may be one of these."""
    found: list[Any] = []
    for each in staging.copies.values():
        around = [kin for home in homes_around(each.home) for kin in kin_of(home)]
        if any(id(home) in homes for home in around):
            group = staging.groups.get(id(each.value))
            found += [each.value] if group is None else group.members.values()
    return found


def _has_lists(form: Any, *, is_home: bool = False) -> bool:
    """Whether lists are in a form, or in the elements of a container of that form."""
    if not isinstance(form, Structure):
        return isinstance(form, tuple) and any(map(_has_lists, form))
    is_list = not is_home and form.kind is not None and getattr(form.kind, "built", form.kind) is list
    return is_list or any(map(_has_lists, (form.extra, *form.children)))


def _require_not_taken_again(values: Iterable[Any]) -> None:
    """Sees to it that nothing outlives a trace beside what was taken from a list that it was put into."""
    put: set[int] = set()
    taken: dict[int, list[Copied]] = {}
    for value in values:
        known = [(held, _homes_of(held)) for held in _known_of(value)]
        if not any(id(held.value) in staging.taken for held, _ in known):
            put |= {home for _, homes in known for home in homes}
            continue
        if any(
            _may_be_one(held, each) for held, homes in known for home in homes for each in taken.get(home, ())
        ):
            _refuse_two(value, f"{_TAKEN} beside another one that was taken from it")
        for held, homes in known:
            for home in homes:
                taken.setdefault(home, []).append(held)
    for key, several in taken.items():
        if key in put:
            _refuse_two(several[0].value, f"{_TAKEN} beside one that was put into it")


def _known_of(value: Any) -> list[Copied]:
    """What is known of a container as an element: of a copy, what is known of what it may be."""
    group = staging.groups.get(id(value))
    made = group.made if group is not None else ()
    found = [(each, staging.copies.get(id(each))) for each in _maybe(value)]
    known = [held for each, held in found if held is not None and held.value is each]
    return [held for held in known if id(held.value) not in made] or known


def _homes_of(held: Copied) -> set[int]:
    """The lists, by id, that may hold an element, or be one that does."""
    return {id(kin) for home in _maybe(held.home) for kin in kin_of(home)}


def _maybe(value: Any) -> Iterable[Any]:
    """What a container may be, by what statements have copied."""
    group = staging.groups.get(id(value))
    return (value,) if group is None else group.members.values()


def _may_be_one(one: Copied, other: Copied) -> bool:
    """Whether two containers that were taken from a list may be one of its elements."""
    if one.element is other.element:
        return False
    keys = _index_of(one), _index_of(other)
    are_known = all(type(key) is int for key in keys) and (keys[0] < 0) is (keys[1] < 0)
    return not are_known or keys[0] == keys[1]


def _index_of(held: Copied) -> Any:
    """By which index it was asked for; where that was by no number, the place that it has in the list."""
    return held.key if held.place is None or type(held.key) is int else held.place()


_TAKEN = "that was taken from a list outlives the function"


def _refuse_two(value: Any, what: str) -> NoReturn:
    """Says what is wrong with an element that the caller would get as another object."""
    staging.hold_instances(dict if type(value) is dict else list)
    kind = getattr(value, "built", type(value)).__name__
    raise StateDisagrees(
        f"a {kind} {what}",
        where=caller_location(),
        why="A list that grows in a graph keeps the values of its elements: these would be two.",
        way_out="Return a copy of the element (`list(rows[i])`), or its index.",
    )


def _require_no_kin(values: Iterable[Any]) -> None:
    """Sees to it that no two lists outlive a trace which may hold one object."""
    met: dict[int, Any] = {}
    for value in values:
        group = staging.groups.get(id(value))
        members = [value] if group is None else [value, *group.members.values()]
        kin = {id(other): other for each in members if is_holder(each) and each.kin for other in kin_of(each)}
        for other in kin.values():
            if met.setdefault(id(other), value) is not value:
                staging.hold_instances(list)
                kind = value.built.__name__ if hasattr(value, "built") else type(value).__name__
                raise StateDisagrees(
                    f"a {kind} outlives the function beside a list that holds the same elements",
                    where=caller_location(),
                    why="A list that grows in a graph keeps the values of its elements: these would be two.",
                    way_out="Copy the elements as well: `[list(row) for row in rows]`.",
                )


def _fixed_within(value: Any, around: tuple[int, ...] = ()) -> Iterator[Any]:
    """The tuples of the graph in a nest that hold what others do."""
    if type(value) in ATOMS or id(value) in around:
        return
    if is_holder(value):
        yield value
    else:
        for child in held_by(value):
            yield from _fixed_within(child, (*around, id(value)))
