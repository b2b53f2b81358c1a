"""When two arrays are one: ties, which branches leave, and the ways from array to array over them.

::

    a = x if test else y     a and x are one where `test` holds, a and y where it does not: two ties
    b = a if other else z    b and x are one where both hold: a way from array to array over two ties
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from autograph_base.named_tuple import NamedTuple

if TYPE_CHECKING:
    from runtime.graph.graph import Value

__all__ = ["Condition", "Kin", "Tie", "Way", "ends_of", "ways_from"]


class Tie(NamedTuple):
    """When two arrays are one: a branch has left one of them in a variable."""

    test: Value
    """What decided between the branches, or the number of the array."""
    holds: bool | int
    """What it is where the two are one."""
    chosen: Value
    """The array in the variable."""
    shown: Value
    """What it is then: the other array, or a view of it."""


Condition: TypeAlias = dict["Value", bool | int]
"""What tests and numbers are where two arrays are one; in order, since a graph is made of it."""

Kin: TypeAlias = dict["Value", list[Condition | None]]
"""Arrays that may be one with another: where any of these conditions holds; with None, only the run knows."""


class Way(NamedTuple):
    """How an array comes to be one with another, or to have elements in common with it."""

    path: tuple[Value, ...]
    """From the one to the other, over arrays between them."""
    condition: Condition
    tie: Tie | None = None
    """The last step."""
    is_sure: bool = True
    """Whether the condition is all that has to hold; otherwise only the run knows."""
    shown: Value | None = None
    """What of the other the one is then: the other itself, or a view of it; None where it is another part."""

    @property
    def end(self) -> Value:
        """The other array."""
        return self.path[-1]

    def is_told(self, sees: Callable[[Value], bool]) -> bool:
        """Whether the condition is all that has to hold, and somebody sees what it asks."""
        return self.is_sure and all(map(sees, self.condition))

    @property
    def is_whole(self) -> bool:
        """Whether all arrays on the path are one then."""
        return self.shown is self.end


_MOST_STEPS = 200
"""Ties between arrays that are looked at for one array, until nobody knows with which others it is one."""


def ways_from(
    array: Value,
    kin: Mapping[Value, Mapping[Value, tuple[Tie, ...] | None]],
    tied: Mapping[Value, Mapping[Value, tuple[Tie, ...]]],
    may_be: Callable[[Value], bool],
    is_part: Callable[[Tie], bool],
    are_apart: Callable[[Value, Value], bool],
) -> Sequence[Way]:
    """How an array may be one with others: the shortest ways first.

    Parameters
    ----------
    array : Value
    kin : mapping of Value to mapping of Value to ties or None
        The arrays that may be one, and when; None where only the run knows.
    tied : mapping of Value to mapping of Value to ties
        Those of them with ties.
    may_be : callable
        Says of another array whether it comes into question.
    is_part : callable
        Whether a tie is one of an array and a view of another one.
    are_apart : callable
        Whether two views have no element in common.
    """
    found: list[Way] = []
    # by where they end, what has to hold on ways that are sure to lead to the whole array
    wholes: dict[Value, list[Condition]] = {}
    too_many: set[Value] = set()  # where ways end that are not looked at: one of each says all
    rest = deque([Way((array,), {}, shown=array)])
    while rest:
        way = rest.popleft()
        is_whole, path = way.is_whole, way.path
        # who may be one with both has no tie to either
        near: Mapping[Value, Mapping[Value, Any]] = kin if way.is_sure else tied
        for other, ties in near.get(path[-1], {}).items():
            if other in too_many or other in path or not may_be(other):
                continue
            for further in _steps(way, is_whole, other, ties, is_part, are_apart):
                if len(found) >= _MOST_STEPS:
                    found.append(further._replace(is_sure=False))
                    too_many.add(other)
                    break
                # a shorter way may make the last array the same as the first, whenever this one does
                if further.is_sure:
                    items, known = further.condition.items(), wholes.get(other)
                    if known is not None and any(each.items() <= items for each in known):
                        continue
                    if further.is_whole:
                        wholes.setdefault(other, []).append(further.condition)
                found.append(further)
                rest.append(further)
    return found


def _steps(
    way: Way,
    is_whole: bool,
    other: Value,
    ties: tuple[Tie, ...] | None,
    is_part: Callable[[Tie], bool],
    are_apart: Callable[[Value, Value], bool],
) -> Iterator[Way]:
    """One step further on a way, to an array that may be one with the last."""
    path, condition, last = (*way.path, other), way.condition, way.tie
    if ties is None:
        yield Way(path, condition, None, False)
        return
    for tie in ties:
        test, holds, chosen, into = tie
        if condition.get(test, holds) != holds:
            continue
        is_of_part = is_part(tie)
        if last is not None and is_of_part and is_part(last) and are_apart(last.shown, into):
            continue
        shown = None
        if is_whole and not is_of_part:
            shown = other
        elif is_whole and chosen is way.path[-1]:
            shown = into
        yield Way(path, {**condition, test: holds}, tie, way.is_sure, shown)


def ends_of(ways: Sequence[Way]) -> Mapping[Value, bool]:
    """Where ways lead, and whether their conditions are all that has to hold."""
    found: dict[Value, bool] = {}
    for way in ways:
        end = way.path[-1]
        found[end] = found.get(end, True) and way.is_sure
    return found
