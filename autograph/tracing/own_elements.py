"""Containers from outside of a function that grow in its graph keep the objects that were in them.

A list or dict that gives way to one of the graph holds values there: after a run, its elements would be
other lists than before, and whoever has one of these under another name would not see what happens to it. As
long as a function only adds elements, and changes those that are there in place, the first elements are the
former ones, so that they are given their new contents. A list whose elements change places, or are replaced,
has their order beside it (`exchanged`). Where one may have been taken out or moved otherwise, only the run
knows which is which: that is refused.

    groups.setdefault(key, []).append(x)      the lists that were in `groups` are still in it
    rows.append([x])                          so are those in `rows`
    rows[i], rows[j] = rows[j], rows[i]       and here, in another order
    rows.insert(0, [x]); groups["a"] = [x]    refused
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.exchanged import NEW
from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.containers.sharing import containers_within
from autograph.backends.tensors.containers.taken import has_own_number
from autograph.backends.tensors.scalars.indices import is_array
from autograph.staging import places
from autograph.staging.context import staging
from autograph.staging.heap import original_of
from autograph.staging.places import Contents
from runtime.core.structure import Structure, level_of
from runtime.errors import StateDisagrees
from runtime.functions.external_state import Change
from runtime.graph.location import caller_location

__all__ = ["hold_instances_in", "with_own_elements"]


def hold_instances_in(left: Iterable[Any], existed: Callable[[Any], bool]) -> None:
    """Has the trace start anew where what outlives it may be other instances than in Python.

    They come out of a container of the graph, into which instances were put that were there before.
    """
    put_in = {type(each.value) for each in staging.copies.values() if existed(each.value)}
    for kind in put_in & {found for value in left for found in _kinds_in(value, existed)}:
        staging.hold_instances(kind)


def _kinds_in(value: Any, existed: Callable[[Any], bool], around: tuple[int, ...] = ()) -> Iterator[type]:
    """The classes in a nest, and of the elements of containers of the graph, of what was not there before."""
    level = None if id(value) in around else level_of(value)
    if level is not None and not existed(value):
        yield level[0].kind
        yield from _kinds_of(level[0].extra)
        for child in level[1]:
            yield from _kinds_in(child, existed, (*around, id(value)))


def _kinds_of(form: Any) -> Iterator[type]:
    for each in form if isinstance(form, tuple) else (form,):
        if isinstance(each, Structure) and each.kind is not None:
            yield each.kind
            yield from _kinds_of((each.extra, *each.children))


def with_own_elements(change: Change) -> Change:
    """A change of a container that has given way, so that what was in it is the same objects afterwards.

    Raises
    ------
    StateDisagrees
        When only the run knows which of the elements these are.
    """
    before, now = change.before, change.now
    if not isinstance(before, places.CONTAINERS):
        return change
    objects = list(filter(_is_object, _elements(before)))
    if not objects:
        return change
    is_one_twice = len(set(map(id, objects))) < len(objects)
    has_lost_changes = now.replaces_elements and now.changes_elements  # of an element that was replaced
    keeps_objects = now.keeps_objects and not has_lost_changes
    if keeps_objects and not is_one_twice and all(map(_is_simple, objects)):
        return _of_own_elements(change)
    held = getattr(now.contents, "values", now.contents)
    raise StateDisagrees(
        f"{change.place.name} from outside, with containers in it, grows where a tensor decides",
        details=(f"an element:  {held.form}",),
        why="It becomes one of the graph, whose elements are values: these would be other objects.",
        way_out="Only add elements, or give what changes a list or a dict of its own.",
    )


def _of_own_elements(change: Change) -> Change:
    """A change of a container, some of whose first elements were in it before."""
    before, now, original = change.before, change.now, _own(change.now)
    taken = before if original is now else original
    places_before = {id(_own(each)): place for place, each in enumerate(_elements(before))}
    given_way = tuple([places_before.get(id(_own(each))) for each in _elements(taken)])
    place = _Grown(change.place.owner, change.place.name, given_way)
    return replace(change, place=place, now=now if now.order is None else (now, now.order))


def _own(value: Any) -> Any:
    """The program's object in whose place a value may be."""
    while (found := original_of(value)) is not None:
        value = found
    return value


class _Grown(Contents):
    """What a list or dict holds whose first elements stay the objects that they are.

    Parameters
    ----------
    owner : list or dict
    name : str
    given_way : tuple of int or None
        Where these were when the function was called, in the order in which one of the graph has taken them;
        None for those that the function itself has made by then. Where all of them are in their places, so
        are those of every call: the container may have come in with any length.
    """

    __slots__ = ("_given_way",)

    def __init__(self, owner: Any, name: str, given_way: tuple[int | None, ...]) -> None:
        super().__init__(owner, name)
        self._given_way = given_way

    def at(self, owner: Any) -> Contents:
        return _Grown(owner, self.name, self._given_way)

    def set(self, value: Any) -> None:
        """Gives the elements that are there their new contents, and adds the others.

        `value` may come with the order in which the first elements are.
        """
        is_whole = self._given_way == (*range(len(self._given_way)),)
        given_way = (*range(len(self.owner)),) if is_whole else self._given_way
        order: Sequence[Any] = range(len(given_way))
        if isinstance(value, tuple):
            value, order = value
        if isinstance(value, Staged):  # to a graph around
            self._require_in_order(order)
            super().set(value)
            return
        items = (
            dict(zip(value, self._kept(value.values(), given_way, order), strict=True))
            if isinstance(value, dict)
            else None
        )
        super().set(self._kept(value, given_way, order) if items is None else items)

    def _kept(
        self, values: Iterable[Any], given_way: Sequence[int | None], order: Sequence[Any]
    ) -> list[Any]:
        now, former = [*values], _elements(self.owner)
        sources = [None if int(each) == NEW else given_way[int(each)] for each in order]
        pairs = zip(sources, now, strict=False)
        kept = [each if place is None else _filled(former[place], each) for place, each in pairs]
        return [*kept, *now[len(kept) :]]

    def _require_in_order(self, order: Sequence[Any]) -> None:
        """Sees to it that a graph around has the elements where they were."""
        if isinstance(order, Staged) or self._given_way != (*range(len(self._given_way)),):
            raise StateDisagrees(
                f"the elements of {self.name} from outside, which can change, have other places",
                where=caller_location(),
                why="A graph that is called keeps the values of its elements: these would be other objects.",
                way_out="Call the function itself, or give what changes a list of its own.",
            )


def _elements(container: Any) -> list[Any]:
    return [*(container.values() if isinstance(container, dict) else container)]


def _is_object(element: Any) -> bool:
    """Whether it shows which object something is, held by what is in it: it can be changed in place."""
    if has_own_number(element):
        return False
    return is_array(element) or next(containers_within(element), None) is not None


def _is_simple(element: Any) -> bool:
    """Whether an object holds nothing that has to stay the object that it is."""
    if is_array(element):
        return True
    return type(element) in places.CONTAINERS and not any(map(_is_object, _elements(element)))


def _filled(element: Any, contents: Any) -> Any:
    """An element that was there with what it holds now, or that itself where it cannot change."""
    if isinstance(element, np.ndarray):
        element[...] = contents
        return element
    if type(element) is type(contents) is list:
        element[:] = contents
        return element
    if type(element) in places.CONTAINERS:
        if element is not contents:
            Contents(element).set(contents)
        return element
    return contents
