"""Which of the containers that a turn of a loop starts with may be one: a turn before has left them so."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from autograph.backends.tensors.containers.origins import Origins, may_be_one, origins_of
from autograph.backends.tensors.containers.other_names import Copy, Spot
from autograph.backends.tensors.containers.sharing import Candidate, spot_of_any, unite
from autograph.backends.tensors.objects.choices import OneOf
from runtime.graph.location import caller_location

__all__ = ["Links", "Within", "is_left_for", "without_held_by"]

Within: TypeAlias = tuple[Hashable, Spot]
"""A variable or place of a loop, and where in it something is."""
Numbers: TypeAlias = Sequence[int]
"""By the number of one of several objects that a turn leaves, its number in the next turn."""


def is_left_for(path: Spot, spot: Spot) -> bool:
    """Whether a turn starts at `spot` with what the one before has left at `path`, or with a copy of it.

    Where several objects are left and one thing is carried, that is a copy of one of them.
    """
    if spot_of_any(path) == spot_of_any(spot):
        return True
    return _without_choices(path) == spot


def without_held_by(objects: Collection[int], found: Mapping[Within, Any]) -> dict[Within, Any]:
    """Without what is in objects of these ids: what one holds is in a place of its own."""
    return {
        (key, path): each
        for (key, path), each in found.items()
        if not any(id(found.get((key, path[:length]))) in objects for length in range(len(path)))
    }


class Links:
    """Which of the containers that a turn of a loop starts with may be one: a turn has left them so.

    `a` and `b` of the next turn are one object after `b = a`, and two after `b = a; a = []`.
    """

    def __init__(self) -> None:
        self._pairs: set[tuple[Within, Within]] = set()

    def enter(self, entered: Mapping[Any, Any]) -> None:
        """Says so of those that a turn starts with."""
        where = caller_location()
        for one, other in self._pairs:
            if one in entered and other in entered:
                unite(entered[one], entered[other], Copy(where))

    def learn(
        self,
        entered: Mapping[Within, Any],
        left: Mapping[Within, Any],
    ) -> bool:
        """Takes in what a turn has left in the places of those that it started with; whether that is news."""
        places = {id(container): place for place, container in entered.items()}
        one_of, found = self._classes(), dict[Hashable, Within]()
        pairs = set()
        for place, container in left.items():
            was = places.get(id(container))
            known = found.setdefault(id(container) if was is None else one_of.get(was, was), place)
            if (known[0], spot_of_any(known[1])) != (place[0], spot_of_any(place[1])):
                pairs.add((known, place))
        is_news = not pairs <= self._pairs
        self._pairs |= pairs
        return is_news

    def learn_ways(
        self,
        entered: Mapping[Within, Any],
        left: Mapping[Within, Any],
        became: Mapping[Within, Numbers],
        begun: int,
    ) -> bool:
        """Takes in which places get one object by some way through a turn; whether that is news.

        Those alone for which the loop starts with no container: all others are known to be one by what they
        are copies of.

        Parameters
        ----------
        entered, left : mapping of Within to container or OneOf
            What the turn has started with, and what it leaves.
        became : mapping of Within to sequence of int
            By where one of several objects is, which of those of the next turn each of them becomes.
        begun : int
            When the loop was begun.
        """
        rows: dict[Hashable, dict[Spot, Any]] = {}
        for (key, path), each in left.items():
            rows.setdefault(key, {})[path] = each
        origins = _made_for_turn(entered, begun)
        into = {place: _left_for(place, rows.get(place[0], {}), became) for place in origins}
        for place, values in into.items():
            origins[place].left(values)
        containers = [place for place in origins if not isinstance(entered[place], OneOf)]
        empty = {place for place in containers if not origins[place].is_of_start}
        pairs = {
            (one, other)
            for one, other in combinations(containers if empty else (), 2)
            if not empty.isdisjoint((one, other))
            and (one[0], spot_of_any(one[1])) != (other[0], spot_of_any(other[1]))
            and _any_may_be_one(into[one], into[other])
            and _any_may_be_one(*[_whole_at(spot, rows.get(key, {})) for key, spot in (one, other)])
        }
        is_news = not pairs <= self._pairs
        self._pairs |= pairs
        return is_news

    def _classes(self) -> dict[Within, Within]:
        """By place, one of those whose containers may all be one when a turn begins."""
        classes: dict[Within, Within] = {}
        for one, other in self._pairs:
            former, now = classes.get(one, one), classes.get(other, other)
            classes |= {place: now for place, of in classes.items() if of == former}
            classes |= {one: now, other: now}
        return classes


def _made_for_turn(entered: Mapping[Within, Any], begun: int) -> dict[Within, Origins]:
    """Of what a turn starts with, what is there for this turn: that is the youngest."""
    found = {place: origins_of(each) for place, each in entered.items()}
    known = {place: each for place, each in found.items() if each is not None and each.begun == begun}
    age = max((each.age for each in known.values()), default=0)
    return {place: each for place, each in known.items() if each.age == age}


def _any_may_be_one(ones: Sequence[Any], others: Sequence[Any]) -> bool:
    return any(may_be_one(one, other) for one in ones for other in others)


def _left_for(place: Within, row: Mapping[Spot, Any], became: Mapping[Within, Numbers]) -> list[Any]:
    """What a turn leaves, in `row`, of which the next one has at this place the thing itself, or a copy."""
    key, spot = place
    is_chosen = _is_chosen(spot)
    return [
        each
        for path, each in row.items()
        if _becomes(key, path, spot, became)
        and (not isinstance(each, OneOf) if is_chosen else not _is_chosen(path))
    ]


def _whole_at(spot: Spot, row: Mapping[Spot, Any]) -> list[Any]:
    """What a turn leaves, in `row`, where a place is, each as one of several objects that is that."""
    whole = _without_choices(spot)
    return [each for path, each in row.items() if _without_choices(path) == whole and not _is_chosen(path)]


def _is_chosen(path: Spot) -> bool:
    """Whether something is in the place of one of several objects."""
    return bool(path) and isinstance(path[-1], Candidate)


def _becomes(key: Hashable, path: Spot, spot: Spot, became: Mapping[Within, Numbers]) -> bool:
    """Whether a turn starts at `spot` with what the one before has left at `path`; see `Links.learn_ways`."""
    if _without_choices(path) != _without_choices(spot):
        return False
    first = next((index for index, each in enumerate(spot) if isinstance(each, Candidate)), None)
    numbers = None if first is None else became.get((key, spot[:first]))
    if first is None or numbers is None:
        return True
    among = path[first] if first < len(path) else None
    number = among.number if isinstance(among, Candidate) else 0
    return number >= len(numbers) or numbers[number] == spot[first].number


def _without_choices(path: Spot) -> Spot:
    return tuple([key for key in path if not isinstance(key, Candidate)])
