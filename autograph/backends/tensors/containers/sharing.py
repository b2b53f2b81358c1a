"""Aliasing of containers: statements copy them, and a copy whose original changes may not be read any more.

Two lists that two paths leave in a variable are joined item by item; a loop has a list of its own for what
the first turn finds and every turn leaves. In Python, the variable holds one of these lists themselves, and
that one may have other names.

    state = [x, y] if up else state            one list of two numbers, each of them joined
    row = first if up else [0.0]; row.append(x); first          `first` may be the list that changed

So a copy and what it was made from are one group. When one of the group changes, the others are outdated. A
program that reads one of these has another name for it: the trace starts anew, and the statement that copied
it chooses between objects this time. So it does where somebody asks whether two of a group are one object.
What cannot be chosen between, such as a list that a path makes and gives two names, is refused.

Where one object has another name, others have as a rule, and each of them would take a trace to show it. So
from then on it is guessed of all objects that were there before any loop. Where what was guessed is refused,
the trace starts anew with what has shown, and nothing is guessed any more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, TypeAlias

from autograph.backends.tensors.containers.copied import held_by, items_held, mark, note_put_in
from autograph.backends.tensors.containers.lists import (
    SINGLE,
    Staged,
    StagedList,
    StagedTuple,
    changes_in_place,
)
from autograph.backends.tensors.containers.origins import (
    is_followed,
    known_by,
    new_way,
    note_made_by,
    note_origin,
)
from autograph.backends.tensors.containers.other_names import Copy, Shared, Spot, other_names
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, is_numbered, possible_values
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.staging import heap, meeting
from autograph.staging.context import staging
from autograph.staging.state import Undefined
from autograph_base.dataclass import dataclass
from runtime.core.instances import attributes_of, dict_of, is_frozen
from runtime.core.taken_apart import was_made
from runtime.errors import StateDisagrees
from runtime.graph.build import is_strict
from runtime.graph.location import Location, caller_location

__all__ = [
    "Candidate",
    "Chosen",
    "Group",
    "containers_within",
    "ids_within",
    "is_copy",
    "is_known_object",
    "note_copies",
    "outdated_by",
    "outdated_with",
    "require_known",
    "require_still_apart",
    "require_told_apart",
    "spot_of_any",
    "unite",
]

Chosen: TypeAlias = Mapping[tuple[int, Spot], Sequence[Sequence[tuple[Any, int]]]]
"""By the index of a variable, and where in it one of several objects is: what paths left, and its number."""


class Group:
    """Containers that may be one object.

    Parameters
    ----------
    member : container

    Attributes
    ----------
    members : dict of int to container
        By id.
    copies : dict of int to list of (int, Copy)
        By id, the ids of its copies, and of what it is a copy of; and who has copied.
    made : set of int
        The ids of those that statements have made.
    """

    def __init__(self, member: Any) -> None:
        self.members = {id(member): member}
        self.copies: dict[int, list[tuple[int, Copy]]] = {id(member): []}
        self.made: set[int] = set()
        self._stands_for: dict[int, tuple[Any, Any]] = {}

    def take_in(self, other: Group) -> None:
        """Makes one group of two."""
        self.members |= other.members
        self.copies |= other.copies
        self.made |= other.made
        self._stands_for |= other._stands_for
        other.members, other.copies = self.members, self.copies  # who has met the other one knows both
        other.made, other._stands_for = self.made, self._stands_for
        staging.groups.update(dict.fromkeys([*other.members, *other._stands_for], self))

    def take_place(self, original: Any, now: Any) -> None:
        """Says that one of them has given way to another object."""
        self._stands_for[id(now)] = now, self.original(original)  # which may have given way to that before
        staging.groups[id(now)] = self

    def original(self, value: Any) -> Any:
        """What has given way to a value."""
        return self._stands_for.get(id(value), (value, value))[1]

    def changed(self, owner: Any) -> None:
        """Says that one of them is about to change."""
        owner = self.original(owner)
        others = [each for each in self.members.values() if each is not owner]
        outdated: dict[int, tuple[Any, Any]] = {}
        for each in others:
            mark = _Outdated(self, each, owner)
            outdated |= {id(now): (now, mark) for now in outdated_by(each)}
        heap.outdate({**staging.outdated, **outdated})

    def _between(self, one: int, other: int) -> set[Copy]:
        """The copies that lead from one of them to another one."""
        way: dict[int, tuple[int, Copy]] = {}
        pending = deque([one])
        while pending and other not in way:
            here = pending.popleft()
            for there, copy in self.copies[here]:
                if there not in way:
                    way[there] = here, copy
                    pending.append(there)
        found = set()
        while other != one:
            other, copy = way[other]
            found.add(copy)
        return found

    def require_one(self, one: Any, other: Any) -> None:
        """Starts the trace anew, with objects where these are copied; refuses what is copied then, too."""
        one, other = self.original(one), self.original(other)
        if one is other:
            return
        between = self._between(id(one), id(other))
        if other_names().learn(between):
            raise Shared
        kind = getattr(one, "built", type(one)).__name__
        places = sorted({str(copy.where) for copy in between})
        raise StateDisagrees(
            f"a {kind} may have changed under another name, or is compared with itself under another name",
            where=caller_location(),
            details=[f"a statement leaves a copy of it: {each}" for each in places],
            why="Where a path or a turn makes a container and gives it two names, each has a copy later.",
            way_out="Make it before the statement, or give it its other name after the statement. Nodes that "
            "refer to each other may be objects of a small class of your own: `class Node`.",
        )


@dataclass(frozen=True)
class _Outdated:
    """A member of a group in which another one has changed."""

    group: Group
    value: Any
    changed: Any

    def refuse(self) -> None:
        """Says that it is read."""
        self.group.require_one(self.value, self.changed)


def is_known_object(where: Location, name: str, spot: Spot, side: int) -> bool:
    """Whether it has shown that what a statement has there has another name, too."""
    return other_names().has(Copy(where, name, spot, side))


def is_copy(value: Any) -> bool:
    """Whether a statement has made a container."""
    group = staging.groups.get(id(value))
    return group is not None and id(value) in group.made


def _is_fixed(value: Any) -> bool:
    """Whether something is a tuple or a frozen dataclass: made anew by statements, and told apart by `is`."""
    return isinstance(value, tuple) or type(value) is StagedTuple or is_frozen(type(value))


def _has_identity(value: Any) -> bool:
    return _is_fixed(value) or changes_in_place(value)


def ids_within(values: Iterable[Any], *, with_fixed: bool = False) -> set[int]:
    """The ids of the containers in some values, to be asked for before a statement gives them other items.

    With those of tuples and frozen dataclasses, if somebody asks which objects they are.
    """
    found = [value for value in values if type(value) not in SINGLE]
    is_meant = _has_identity if with_fixed else changes_in_place
    return {id(each) for value in found for _, each in containers_within(value, is_meant=is_meant)}


def require_known(values: Iterable[Any]) -> None:
    """Sees to it that nothing outdated is among some values, or in them."""
    if staging.outdated:
        for value in values:
            heap.current(value)


def note_copies(
    originals: Sequence[Any],
    made: Sequence[Any],
    names: Sequence[str],
    side: int,
    *,
    are_contents: Sequence[bool] = (),
    kept: Collection[int],
    chosen: Chosen = MappingProxyType({}),
    elements: Mapping[int, Any] | None = None,
    outdated: Mapping[int, Any] | None = None,
    turns_since: int | None = None,
) -> None:
    """Says that a statement has made these values of those.

    What is made of something outdated is outdated: nobody has to have read that, where it is in a container.

    Parameters
    ----------
    originals, made : sequence of nest
    names : sequence of str
        What the variables and places are called that they are in.
    side : int
        Which of the paths has left them.
    are_contents : sequence of bool
        Which of the last ones are what a container holds: it is only what is in them that counts.
    kept : collection of int
        The ids of what was there before: an object of these is no copy. See `ids_within`.
    chosen : mapping
        What has become which of several objects; see `Joins`.
    elements : mapping of int to Copied, optional
        What is an element of a list of the graph at the end of the path.
    outdated : mapping of int to (container, mark), optional
        What nobody may read any more at the end of the path; what nobody may read now, by default.
    turns_since : int, optional
        When the loop was begun of which one turn starts with these: they are not there behind it.
    """
    if is_strict() or all(type(value) in SINGLE for value in made):
        return
    where, first, way = caller_location(), len(made) - len(are_contents), new_way()
    within = [[*containers_within(value, is_meant=is_followed)] for value in made]
    _note_made_by(way, originals, within, kept, turns_since)
    for name, found in zip(names, within, strict=True):
        for spot, container in found:
            if changes_in_place(container) and id(container) not in kept:
                staging.groups.setdefault(id(container), Group(container)).made.add(id(container))
                if turns_since is None:
                    meeting.note_made(container, (where, name, spot))
    elements = staging.copies if elements is None else elements
    outdated = staging.outdated if outdated is None else outdated
    made_outdated: dict[int, tuple[Any, Any]] = {}
    for index, (name, one, other) in enumerate(zip(names, originals, made, strict=True)):
        if one is not other:
            relate = _relate_children if index >= first and are_contents[index - first] else _relate
            known = _Known(kept, index, chosen, elements, way, outdated, made_outdated)
            relate(one, other, Copy(where, name, (), side), known)
    if made_outdated:
        heap.outdate({**staging.outdated, **made_outdated})


def _note_made_by(
    way: int,
    originals: Sequence[Any],
    made: Iterable[Iterable[tuple[Spot, Any]]],
    kept: Collection[int],
    turns_since: int | None,
) -> None:
    """Says which containers and choices a statement has made: no others that were there before."""
    choices = [each for value in originals for _, each in containers_within(value, is_meant=_is_choice)]
    there = {*kept, *[id(known_by(each)) for each in choices]}
    for found in made:
        for _, each in found:
            if id(known_by(each)) not in there:
                note_made_by(way, each, turns_since)


def _is_choice(value: Any) -> bool:
    return isinstance(value, OneOf)


@dataclass(frozen=True)
class _Known:
    """What is known where copies are noted: what is none, the variable, and what became which object.

    And what is outdated, and what is so of what was made of that.
    """

    kept: Collection[int]
    index: int
    chosen: Chosen
    elements: Mapping[int, Any]
    way: int
    outdated: Mapping[int, tuple[Any, Any]]
    made_outdated: dict[int, tuple[Any, Any]]


def _relate(one: Any, other: Any, copy: Copy, known: _Known) -> None:
    if type(other) in SINGLE:
        return
    if isinstance(other, MaybeNone | MaybeUndefined):
        other = other.ag__value
    if isinstance(one, MaybeNone | MaybeUndefined):
        one = one.ag__value
    if one is other or one is None or isinstance(one, Undefined) or id(other) in known.kept:
        return
    if is_numbered(one) or is_numbered(other):
        return
    note_origin(known.way, one, other)
    if id(one) in known.outdated and changes_in_place(other):
        mark = known.outdated[id(one)][1]
        known.made_outdated.update({id(now): (now, mark) for now in outdated_by(other)})
    _relate_known(one, other, copy, known)


def _relate_known(one: Any, other: Any, copy: Copy, known: _Known) -> None:
    if isinstance(one, OneOf) or isinstance(other, OneOf):
        rows = [possible_values(each) for each in (one, other)]
        became = known.chosen.get((known.index, copy.spot))
        if became is not None and isinstance(other, OneOf) and _fit(became[copy.side], *rows):
            for left, number in became[copy.side]:
                _relate(left, candidates_of(other)[number], copy, known)
            return
        still = {id(each) for each in rows[1]}
        relate = _relate if isinstance(other, OneOf) else _relate_known
        for left in rows[0]:
            for right in rows[1]:
                if id(left) not in still and id(right) not in known.kept:
                    relate(left, right, copy, known)
        return
    are_fixed = type(one) is type(other) and _is_fixed(one)  # which are told apart by `is` alone
    if are_fixed or (changes_in_place(one) and changes_in_place(other)):
        unite(one, other, copy, known.elements)
    _relate_children(one, other, copy, known)


def _fit(became: Sequence[tuple[Any, int]], before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether what has become which object is said of these: another candidate may have some at its spot."""
    known = {id(each) for each in before}
    return all(id(left) in known and number < len(after) for left, number in became)


def _relate_children(one: Any, other: Any, copy: Copy, known: _Known) -> None:
    if isinstance(other, StagedTuple) and isinstance(one, list | tuple | deque):
        _mark_elements(one, other, copy)
        return
    if isinstance(other, Staged) and not isinstance(one, Staged):
        note_put_in(held_by(one), other, lambda value: [each for _, each in containers_within(value)])
    if isinstance(one, StagedList) or isinstance(other, StagedList):
        return
    rights = dict(items_held(other))
    for key, child in items_held(one):
        if key in rights:
            _relate(child, rights[key], Copy(copy.where, copy.name, (*copy.spot, key), copy.side), known)


def _mark_elements(items: Iterable[Any], home: StagedTuple, copy: Copy) -> None:
    """Says that a list of the graph has the values of what is in one of Python's, in whose place it is."""
    seen: set[int] = set()
    for item in items:
        held = staging.copies.get(id(item))
        within = {id(item), *[id(each) for _, each in containers_within(item)]}
        came_before = held is not None and held.home is home and seen.isdisjoint(within)  # on another path
        is_same = came_before or (held is not None and _are_in_one_group(held.home, home))
        seen |= within
        mark(item, home, changes_in_place, is_alone=is_same, copy=other_names().reason(copy))


def _are_in_one_group(one: Any, other: Any) -> bool:
    group = staging.groups.get(id(one))
    return one is not other and group is not None and group is staging.groups.get(id(other))


def require_told_apart(values: Iterable[Any], existed: Callable[[Any], bool]) -> None:
    """Sees to it that no two of a group are among what outlives a trace, or one and what was there before."""
    met: dict[int, list[tuple[Spot, Any]]] = {}
    for index, value in enumerate(values):
        for spot, container in containers_within(value, (index,), in_circles=True):
            group = staging.groups.get(id(container))
            if group is None:
                continue
            known = met.setdefault(id(group), [])
            for other_spot, other in known:
                if other is not container and not _are_alternatives(spot, other_spot):
                    group.require_one(other, container)
            known.append((spot, container))
            for each in group.members.values():
                if each is not container and existed(each):
                    group.require_one(each, container)


def require_still_apart(
    pairs: Collection[tuple[Any, Any]],
    names: Sequence[str],
    entered: Sequence[Any],
    left: Sequence[Any],
    where: Location,
) -> None:
    """Sees to it that no two objects that a turn has told to be two are one in later turns.

    Those start with what it leaves, `left`, in the places of what it has started with, `entered`.
    """
    if not pairs:
        return
    for name, one, other in zip(names, entered, left, strict=True):
        before = dict(containers_within(one, is_meant=_is_fixed))
        for spot, value in containers_within(other, is_meant=_is_fixed):
            if spot in before:
                unite(value, before[spot], Copy(where, name, spot, 1), {})
    groups = staging.groups
    for one, other in pairs:
        if id(one) in groups and groups[id(one)] is groups.get(id(other)):
            groups[id(one)].require_one(one, other)


def _are_alternatives(one: Spot, other: Spot) -> bool:
    """Whether two places are in two objects among which a tensor chooses."""
    differ = next((pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]), ())
    return len(differ) > 0 and all(isinstance(key, Candidate) for key in differ)


def unite(one: Any, other: Any, copy: Copy, elements: Mapping[int, Any] | None = None) -> None:
    """Says that two containers may be one: `other` is a copy of `one`.

    Where that is one of the `elements` of lists of the graph, so is its copy.
    """
    found = (staging.copies if elements is None else elements).get(id(one))
    if found is not None and id(other) not in staging.copies:
        staging.copies[id(other)] = found.of_copy(other)
    one, other = [
        staging.groups[id(each)].original(each) if id(each) in staging.groups else each
        for each in (one, other)
    ]
    if one is other:
        return
    group = staging.groups.setdefault(id(one), Group(one))
    another = staging.groups.setdefault(id(other), Group(other))
    if group is not another:
        group.take_in(another)
    group.copies[id(one)].append((id(other), copy))
    group.copies[id(other)].append((id(one), copy))
    for each in (one, other):
        own = dict_of(each)
        if type(own) is dict:  # what is put into that is an attribute
            group.take_place(each, own)


def containers_within(
    value: Any,
    path: Spot = (),
    *,
    is_meant: Callable[[Any], bool] = changes_in_place,
    in_circles: bool = False,
) -> Iterator[tuple[Spot, Any]]:
    """The containers in a nest that change in place, or are meant, each with the keys that lead to it.

    What is around something is not looked into again: an object may be in itself. Statements take an
    instance that is for one thing; `in_circles` looks into such ones, too.
    """
    found: list[tuple[Spot, Any]] = []  # a generator for each container would take longer than the rest
    if type(value) not in SINGLE:
        _find_within(value, path, (), is_meant, found, in_circles=in_circles)
    return iter(found)


def _find_within(
    value: Any,
    path: Spot,
    around: tuple[int, ...],
    is_meant: Callable[[Any], bool],
    found: list[tuple[Spot, Any]],
    *,
    in_circles: bool,
) -> None:
    """Adds to what was found in a nest what is in a value of it; `around` are the ids of what that is in."""
    is_pythons = type(value) in _PYTHONS  # as most are: then it is nothing of ours
    if not is_pythons and isinstance(value, (MaybeNone, MaybeUndefined)):
        value = value.ag__value
    if id(value) in around:
        return
    if is_meant(value):
        found.append((path, value))
    if not is_pythons:
        if isinstance(value, OneOf) and not is_numbered(value):
            for number, candidate in enumerate(candidates_of(value)):
                if type(candidate) not in SINGLE:
                    spot = (*path, Candidate(number))
                    _find_within(candidate, spot, around, is_meant, found, in_circles=in_circles)
            return
        if isinstance(value, (StagedList, Undefined)):
            return
    children = items_held(value)
    if in_circles and not children and was_made(value):
        children = [*attributes_of(value).items()]
    held = [each for each in children if type(each[1]) not in SINGLE]  # few have any
    if held:
        around = (*around, id(value))
        for key, child in held:
            _find_within(child, (*path, key), around, is_meant, found, in_circles=in_circles)


_PYTHONS = {dict, list, tuple}
"""The classes of most containers, which are Python's own."""


@dataclass(frozen=True)
class Candidate:
    """Among the keys that lead to something: which of several objects it is in."""

    number: int


def spot_of_any(path: Spot) -> Spot:
    """Where something is, whichever of several objects it is in."""
    return tuple([Candidate if isinstance(key, Candidate) else key for key in path])


def outdated_by(value: Any) -> tuple[Any, ...]:
    """What nobody may read any more where that is true of a container."""
    return value, heap.moved_to(value), dict_of(value, value)


def outdated_with(copies: Iterable[Any], changed: Set[int]) -> dict[int, Any]:
    """What turns out to be outdated at the end of a turn: its copies are one with what has changed."""
    found: dict[int, Any] = {}
    for copy in copies:
        group = staging.groups.get(id(copy))
        if group is not None and not group.members.keys().isdisjoint(changed):
            others = [each for each in group.members.values() if each is not copy]
            found |= {id(each): (each, _Outdated(group, each, copy)) for each in others}
    return found
