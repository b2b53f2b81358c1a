"""Containers whose values a list of the graph has: a change of one is written back to the list.

A list that grows in a graph keeps its elements as values of the graph. A row that is put into it is copied,
and a row that is read is another copy. Nobody can tell as long as none of them changes. What changes is
written to the place that it has in the list, before anybody reads that; where its place is not known any
more, the change is refused.

    rows.append(row)         `rows` has the numbers of `row`
    row.append(x)            the last element of `rows` is another one
    rows[i].append(x)        so is this one; nobody may read what was taken from `rows` before
    rows.sort(); row.append(x)      refused: where `row` is now, nobody knows
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.taken import Taken, has_own_number
from autograph.staging import heap
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.meeting import is_made_since
from autograph.staging.notes import note, write_back
from autograph.staging.places import Contents
from autograph_base.dataclass import dataclass
from runtime.core.instances import dict_of, is_frozen, is_ours
from runtime.core.structure import Structure, flatten, level_of
from runtime.errors import StateDisagrees
from runtime.graph.build import current_builder, is_strict
from runtime.graph.builder import Builder
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol

__all__ = [
    "Copied",
    "Holder",
    "Outdated",
    "given_contents",
    "held_by",
    "homes_around",
    "homes_in",
    "is_element",
    "is_holder",
    "items_held",
    "kin_of",
    "lose_places",
    "mark",
    "may_change",
    "note_copied",
    "note_given",
    "note_handed_over",
    "note_joined",
    "note_put_in",
    "note_taken_out",
    "outdate_copies",
]


class Holder:
    """A container of the graph: what it holds, others may hold, too.

    Attributes
    ----------
    holds_one_twice : bool
        Whether one object that may change is among its elements more than once.
    kin : mapping of int to Holder, or None
        By id, those that may hold the same elements, where there are others than itself.
    whole : mapping of int to Holder
        By id, others all of whose elements it was given.
    parts : sequence of (Holder, object)
        Others some of whose elements it was given, each with the slice that took them, if it was one.
    is_numbered : bool
        Whether it is held by number, and never copied.
    given : mapping of int to _Put
        By the ids of other lists, where a loop over them puts their elements into this one.
    drawn_from : mapping of int to Holder
        By id, others that have given it what they hold no more.
    """

    holds_one_twice: bool = False
    kin: Mapping[int, Holder] | None = None
    whole: Mapping[int, Holder] = MappingProxyType({})
    parts: Sequence[tuple[Holder, Any]] = ()
    is_numbered: bool = False
    given: Mapping[int, _Put] = MappingProxyType({})
    drawn_from: Mapping[int, Holder] = MappingProxyType({})

    @property
    def holder(self) -> Any:
        """What holds the elements: itself, or what it is a view of."""
        return self


Kind = TypeVar("Kind", bound=Holder)


@dataclass(eq=False)
class Copied:
    """A container that is, or was, an element of a list of the graph, or is in one.

    Parameters
    ----------
    value : container
    home : object
        The list.
    element : object
        The element: the container itself, or what it is in.
    place : callable or None
        Gives the place that the element has in the list, as long as that is known.
    builder : Builder or None
        Of the graph in which the place means something.
    key : object
        The index that it was asked for by, if it was.
    copy : object
        How a statement has made the list, where two paths left lists of several lengths: `sharing` knows.
    written : tuple of Structure and list, optional
        What the list holds of it by now.
    """

    value: Any
    home: Any
    element: Any
    place: Callable[[], Any] | None
    builder: Builder | None
    key: Any = None
    copy: Any = None
    written: tuple[Structure, list[Any]] | None = None

    def change(self) -> None:
        """Says that it is about to be changed: the list hears of it, and of the values before it is read."""
        builder = current_builder()
        if self.place is None or builder is None or self.builder is None or staging.tangled:
            self.refuse()
        if self.home.is_numbered:  # other lists hold that, too
            self.refuse()
        if builder is not self.builder and not builder.sees(self.builder.graph):
            self.refuse()
        note(Contents(self.home, f"a {self.home.built.__name__}"))
        self._outdate_others()
        write_back()
        known = staging.unwritten.pop(id(self.element), None)
        rest = {key: each for key, each in staging.unwritten.items() if each.home is not self.home}
        self.written = self._held() if known is None else known.written
        staging.unwritten = {**rest, id(self.element): self}

    def write(self) -> None:
        """Gives the list what the element holds now, where that is not what was written before."""
        held = self._held()
        if not _are_same(held, self.written):
            if self.place is None:  # lost between the announcement and the change
                self.refuse()
            self.home.write_back(self.place(), heap.as_moved(self.element))
            self.written = held
            self._note_inside()

    def _note_inside(self) -> None:
        """Notes what the element has been given: the list holds a copy of that, too, by now."""
        from autograph.backends.tensors.containers.lists import changes_in_place  # noqa: PLC0415  # such lists

        pending, seen = [heap.as_moved(self.element)], set[int]()
        while pending:
            inside = [*map(heap.moved_to, held_by(pending.pop()))]
            for value in filter(changes_in_place, inside):
                if id(value) in seen:
                    _note_twice(self.home)
                seen.add(id(value))
                known = staging.copies.get(id(value))
                if has_own_number(value) or (known is not None and known.element is self.element):
                    continue
                if known is not None:
                    staging.tangle()
                    _note_shared(known.home, self.home)
                place = self.place if known is None else None
                staging.copies[id(value)] = Copied(value, self.home, self.element, place, self.builder)
            pending += inside

    def note_written(self) -> None:
        """Says that the list holds what the element does."""
        self.written = self._held()

    def _held(self) -> tuple[Structure, list[Any]]:
        leaves, form = flatten(heap.as_moved(self.element))
        return form, leaves

    def refuse(self) -> NoReturn:
        """Says that it is about to be changed, and that this cannot be written back."""
        staging.hold_instances(getattr(type(self.value), "built", type(self.value)))
        _choose_instead()
        kind = getattr(self.value, "built", type(self.value)).__name__
        raise StateDisagrees(
            f"a {kind} that is an element of a list which grows in a graph is changed in place",
            where=caller_location(),
            why="The list keeps the values of its elements, so it would not see the change: which of them "
            "this is, or whether it still is one, only the run knows.",
            way_out="Make a new element, and assign that: `rows[i] = rows[i] + [x]`.",
        )

    def is_at(self, home: Any, key: Any) -> bool:
        """Whether it is the element of a list that an index was asked for, and still is."""
        is_known = self.place is not None and self.value is self.element and not staging.tangled
        return is_known and self.home is home and self.key is not None and self.key is key

    def of_copy(self, value: Any) -> Copied:
        """What is known of a copy, which may be the element: it cannot be written back."""
        return Copied(value, self.home, value, None, None)

    def give_back(self) -> None:
        """Lets it be changed by who writes it back to the list: nobody may read what was there before."""
        self._outdate_others()
        del staging.copies[id(self.value)]

    def _outdate_others(self) -> None:
        written = {id(self.element), *map(id, homes_around(self.home))}
        others = [each for each in _elements_in(self.home) if id(each.element) not in written]
        _outdate([each for each in others if not any(one is self.element for one in homes_around(each.home))])


def _choose_instead() -> None:
    """Starts the trace anew, where statements may choose between lists of which they have made one."""
    copies = {each.copy for each in staging.copies.values() if each.copy is not None}
    if copies and staging.other_names is not None:
        staging.other_names.choose_instead(copies)


def _elements_in(home: Any) -> Iterator[Copied]:
    """What was taken from a list or put into it, from those in it, and from those that it is in."""
    whole = homes_around(home)[-1]
    return (each for each in staging.copies.values() if homes_around(each.home)[-1] is whole)


def homes_around(home: Any) -> list[Any]:
    """A list, the one that it is an element of, or in, and so on, as far as that is known."""
    found, seen = [home], {id(home), id(None)}
    while (held := staging.copies.get(id(found[-1]))) is not None and id(held.home) not in seen:
        found.append(held.home)
        seen.add(id(held.home))
    return found


def _outdate(elements: Sequence[Copied]) -> None:
    """Lets nobody read elements of a list any more, as they were before a change."""
    if elements:
        outdated = {id(each.value): (each.value, Outdated(each)) for each in elements}
        heap.outdate({**staging.outdated, **outdated})


def outdate_copies(home: Any) -> None:
    """Lets nobody read what was taken from a list, whose elements are about to change."""
    _outdate([each for each in staging.copies.values() if each.home is home])


@dataclass
class Outdated:
    """A container whose list has been written to since.

    Parameters
    ----------
    copied : Copied
    """

    copied: Copied

    def is_given_contents(self, there: Container[int]) -> bool:
        """Whether it holds what its list does when the function has run: both were there, and that only grew.

        `there` has the ids of what was there before, and of what has taken the places of that.
        """
        home = self.copied.home
        return id(self.copied.value) in there and id(home) in there and home.keeps_objects

    def refuse(self) -> None:
        """Says that it is read."""
        staging.hold_instances(getattr(type(self.copied.value), "built", type(self.copied.value)))
        _choose_instead()
        kind = getattr(self.copied.value, "built", type(self.copied.value)).__name__
        raise StateDisagrees(
            f"a {kind} that is an element of a list which grows in a graph is read after the list changed",
            where=caller_location(),
            why="The list keeps the values of its elements: what was taken before does not see the change.",
            way_out="Take the element from the list again: `rows[i]`.",
        )


def given_contents(outdated: Mapping[int, tuple[Any, Any]], there: Container[int]) -> set[int]:
    """The ids of those that hold what their lists do when the function has run, where these were there."""
    return {
        key for key, (_, by) in outdated.items() if isinstance(by, Outdated) and by.is_given_contents(there)
    }


def _are_same(held: tuple[Structure, list[Any]], before: tuple[Structure, list[Any]] | None) -> bool:
    if before is None or held[0] != before[0]:
        return False
    return all(one is other for one, other in zip(held[1], before[1], strict=True))


@dataclass(frozen=True)
class TakenOut(Taken):
    """An element that a list has given and holds no more, or what is in one.

    It is changed without the list. What it was before it came to the list may have another name, or be in the
    list more than once: there the change would be lost.
    """

    home: Any

    def change(self) -> None:
        super().change()
        if staging.tangled:
            Copied(self.value, self.home, self.value, None, None).refuse()
        homes_around(self.home)[-1].lost_changes = True
        _outdate([*_elements_in(self.home)])


def note_taken_out(element: Any, home: Any) -> Any:
    """The element, which a list gives and holds no more."""
    pending = [element] if not is_strict() else []
    while pending:
        value = pending.pop()
        if id(value) in staging.taken:
            staging.taken[id(value)] = TakenOut(value, home)
            pending += level_of(value)[1]  # type: ignore[index]  # what is taken is a container
    return element


def mark(
    element: Any,
    home: Any,
    changes: Callable[[Any], bool],
    place: Callable[[], Any] | None = None,
    *,
    is_alone: bool = False,
    copy: Any = None,
    key: Any = None,
) -> Any:
    """The element, after all containers in it that may change are known to be copied.

    `place` gives its place in the list, `is_alone` says that nothing else in the list is the same object,
    `copy` how a statement has made the list, and `key` under which index the element is asked for.
    """
    if not is_strict():
        pending, seen = [element], set[int]()
        while pending:
            value = heap.moved_to(pending.pop())  # what has taken the place of an element is one
            if has_own_number(value):
                continue
            if changes(value):
                if id(value) in seen:
                    _note_twice(home)
                    continue
                seen.add(id(value))
                is_twice = is_element(value) and not is_alone
                held = staging.copies.get(id(value))
                if is_twice and held is not None:
                    # of what a turn of a loop has left, and the next one puts in again, no home is known
                    _note_put_in(held, home)
                    _note_part(home, held.home, None)
                taken = staging.taken.get(id(value))
                if not is_twice and isinstance(taken, TakenOut):
                    _note_drawn(taken.home, home)
                if is_twice:
                    staging.tangle()
                known = None if is_twice else place
                copied = staging.copies[id(value)] = Copied(
                    value, home, element, known, current_builder(), key if value is element else None, copy
                )
                if homes_around(home)[-1].lost_changes and id(value) not in staging.taken:
                    _outdate([copied])
                own = dict_of(value)
                if type(own) is dict:  # what is put into that is an attribute
                    staging.copies[id(own)] = copied
                _mark_others(value, copied)
            pending += held_by(value)
    return element


def _note_put_in(held: Copied, home: Any) -> None:
    """Says that an element of one list is put into another one, maybe for the second time."""
    before = home if held.home is None else held.home
    if is_holder(home) and before is not home:
        is_known = any(each is before for each in kin_of(home))
        put = _put_once(held, home)
        former = home.given.get(id(before))
        is_once = put is not None and (not is_known or (former is not None and put.is_again(former)))
        is_once = is_once and not getattr(before, "holds_one_twice", False)
        comes_again = (is_known and held.place is not None) or staging.turn_since is not None
        home.holds_one_twice |= comes_again and not is_once
        if put is not None:
            home.given = {**home.given, id(before): put}
        if staging.turn_since is not None and is_holder(before):  # the next turn may draw it again
            before.holds_one_twice |= id(home) in before.drawn_from
    _note_shared(before, home)


def _note_drawn(source: Any, home: Any) -> None:
    """Says that an element is put into a list which another one has given, and holds no more."""
    if is_holder(source) and is_holder(home) and source is not home:
        home.holds_one_twice |= any(each is source for each in kin_of(home))
        home.drawn_from = {**home.drawn_from, id(source): source}


@dataclass(frozen=True)
class _Put:
    """Where a loop over a list puts its element into another one.

    Parameters
    ----------
    loop : int
        When that was begun.
    turn : object
        Its turn, as it is traced this time.
    path : int
        When the statement around it was begun.
    """

    loop: int
    turn: object
    path: int

    def is_again(self, former: _Put) -> bool:
        """Whether this is that statement, traced once more."""
        return self.loop == former.loop and (self.turn is not former.turn or self.path == former.path)


def _put_once(held: Copied, home: Any) -> _Put | None:
    """Where an element is put in, if every turn of the loops around has another one, or another list."""
    turn, journal = staging.turn, staging.journal
    if held.place is None or turn is None or journal is None:
        return None
    if turn.around is not None and not is_made_since(home, turn.around.since):
        return None
    index = held.place()
    if not isinstance(index, Symbol) or index.value is not turn.counter:
        return None
    return _Put(turn.begun, turn, journal.time_before)


def note_put_in(values: Iterable[Any], home: Any, containers: Callable[[Any], Iterable[Any]]) -> None:
    """Says that a statement has put some values into a list of the graph: `containers` are those in one.

    What their places are is not known; the same values may have come to the list on another path, too.
    """
    seen: set[int] = set()
    for element in values:
        for value in containers(element):
            held = staging.copies.get(id(value))
            if has_own_number(value) or (held is not None and held.home is home and id(value) not in seen):
                continue
            if held is None:
                copied = staging.copies[id(value)] = Copied(value, home, element, None, None)
                _mark_others(value, copied)
            else:
                _note_shared(held.home, home)
                staging.tangle()
            seen.add(id(value))


def _note_twice(home: Any) -> None:
    """Says that an element of a list holds one object twice: the copy that the list has holds two."""
    staging.tangle()
    if is_holder(home):
        home.holds_one_twice = True


def _note_shared(one: Any, other: Any) -> None:
    """Says that one object may be an element of two lists of the graph, or twice in one."""
    if one is other:
        other.holds_one_twice = True
    elif is_holder(one) and is_holder(other):
        kin = {id(each): each for each in (*kin_of(one), *kin_of(other))}
        for each in kin.values():
            each.kin = kin


def is_holder(value: Any) -> bool:
    """Whether a value is a container of the graph; one of several objects is not asked."""
    return issubclass(type(value), Holder)


def kin_of(home: Any) -> Iterable[Any]:
    """The lists that may hold an element of this one, which is among them."""
    return home.kin.values() if is_holder(home) and home.kin else (home,)


def _mark_others(value: Any, copied: Copied) -> None:
    """What may be the same object is an element, too."""
    group = staging.groups.get(id(value))
    for other in group.members.values() if group is not None else ():
        if id(other) not in staging.copies:
            staging.copies[id(other)] = copied.of_copy(other)


def is_element(value: Any) -> bool:
    """Whether a container, or another one that may be the same object, is an element already."""
    group = staging.groups.get(id(value))
    return id(value) in staging.copies or (
        group is not None and any(key in staging.copies for key in group.members)
    )


def items_held(value: Any) -> Sequence[tuple[Any, Any]]:
    """What is in a container, by keys, also in one of Python's that counts as a leaf, as a `deque` does."""
    kind = type(value)
    if kind is list or kind is tuple:  # as most are
        return [*enumerate(value)]
    if issubclass(kind, dict):  # not by its `__class__`, which is the user's
        return [*dict.items(value)]
    if issubclass(kind, deque):
        return [*enumerate(value)]
    level = level_of(value)
    return () if level is None else [*zip(level[0].keys, level[1], strict=True)]


def held_by(value: Any) -> Iterable[Any]:
    """What is in a container, likewise."""
    if issubclass(type(value), dict):
        return dict.values(value)
    if issubclass(type(value), deque):
        return value  # type: ignore[no-any-return]  # a deque
    level = level_of(value)
    return () if level is None else level[1]


def note_copied(made: Kind, elements: Elements, *sources: Any, part: slice | None = None) -> Kind:
    """A list of elements that others hold: where these may change, no copy of them can be written back.

    `part` takes them from the others, where these have more.
    """
    if may_change(elements.form):
        staging.tangle()
        holders = [each.holder for each in sources if is_holder(each)]
        homes = [each.holder if is_holder(each) else each for each in elements.homes]
        made.holds_one_twice |= len({*map(id, (*holders, *homes))}) < len(holders) + len(homes)
        made.holds_one_twice |= any(_may_overlap(*pair) for pair in combinations(filter(is_holder, homes), 2))
        for each in holders:
            _note_shared(each, made)
            made.holds_one_twice |= each.holds_one_twice
            if part is not None:
                _note_part(made, each, part)
            elif each is not made:
                made.whole = {**made.whole, **_whole(each)}
                made.parts = [*made.parts, *each.parts]
        for each in elements.homes:
            _note_shared(each, made)
            _note_part(made, each, None)
    return made


def note_handed_over(made: Kind, elements: Elements, source: Any) -> Kind:
    """A container of the elements of a list that nobody else has, and that nobody keeps.

    What came to that list has no known place here.
    """
    if elements.homes:
        return note_copied(made, elements, source)
    made.holds_one_twice |= source.holds_one_twice
    for key, each in [*staging.copies.items()]:
        if each.home is source:
            staging.copies[key] = Copied(each.value, made, each.element, None, None)
    return made


def note_given(made: Any, elements: Elements, source: Any) -> None:
    """Says that a list was given what another one holds, element by element."""
    if is_holder(source) and may_change(elements.form):
        _note_shared(source.holder, made)


def note_joined(made: Kind, elements: Elements, one: Any, other: Any) -> Kind:
    """A list of the elements of two, of which it may be one itself: some may be in both."""
    if may_change(elements.form):
        made.holds_one_twice |= _may_overlap(*map(_as_holder, (one, other)))
    return note_copied(made, elements, one, other) if made is not one else note_copied(made, elements, other)


def _as_holder(value: Any) -> Holder:
    """What says which elements a sequence was given, also one of Python's."""
    if is_holder(value):
        holder: Holder = value.holder
        return holder
    found = Holder()
    for home in homes_in(value):
        _note_part(found, home, None)
    return found


def _note_part(made: Any, source: Any, part: slice | None) -> None:
    """Says that a list has some of the elements of another one."""
    if is_holder(made) and is_holder(source) and made is not source:
        made.parts = [*made.parts, *[(each, part) for each in _whole(source).values()], *source.parts]


def _whole(holder: Holder) -> dict[int, Holder]:
    return {id(holder): holder, **holder.whole}


def _may_overlap(one: Holder, other: Holder) -> bool:
    """Whether one object may be in two lists.

    Two parts of a list may be apart, `rows[:i] + rows[i:]`, where not both are its beginning, or its end.
    """
    wholes = _whole(one), _whole(other)
    if not wholes[0].keys().isdisjoint(wholes[1]):
        return True
    if any(id(each) in wholes[1] for each, _ in one.parts) or any(
        id(each) in wholes[0] for each, _ in other.parts
    ):
        return True
    return any(
        mine is theirs and _begin_or_end_as_one(part, another)
        for mine, part in one.parts
        for theirs, another in other.parts
    )


def _begin_or_end_as_one(one: slice | None, other: slice | None) -> bool:
    if one is None or other is None:
        return False
    return one.start is other.start is None or one.stop is other.stop is None


def homes_in(element: Any) -> list[Any]:
    """The lists of the graph that what is in an element was taken from."""
    held = staging.copies.get(id(element))
    inner = () if isinstance(element, Elements) else held_by(element)
    return [*([held.home] if held is not None else []), *[home for each in inner for home in homes_in(each)]]


def may_change(form: Structure) -> bool:
    """Whether elements of a form are, or hold, what changes in place and is copied."""
    kind = form.kind
    if kind is None or kind in ATOMS:
        return False
    if getattr(kind, "built", None) is tuple:
        return may_change(form.extra)  # a tuple of the graph never does; what it holds, its form says
    is_copied = issubclass(kind, Holder) and not kind.is_numbered
    is_value = is_ours(kind) and not is_copied  # what is held by number is no copy, for one
    is_fixed = is_value or issubclass(kind, tuple) or is_frozen(kind)
    return not is_fixed or any(map(may_change, form.children))


def lose_places(home: Any) -> None:
    """Says that the elements of a list have other places now, or that some are gone."""
    for each in staging.copies.values():
        if each.home is home:
            each.place = None
