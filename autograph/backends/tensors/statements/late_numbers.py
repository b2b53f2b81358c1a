"""Numbers of chosen objects that are known only behind a `try`, by a table that comes out with the outcome.

What an exception leaves is taken out of the graphs that may raise it. There one of several objects has a
number of its own, and where all such places meet it has another one. So the number comes out with the row of
a table that says what it means, and is looked up behind the statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.backends.tensors.objects.choices import OneOf, candidates_of, is_numbered, number_of
from runtime import ops
from runtime.core.containers import register
from runtime.core.structure import flatten, level_of
from runtime.core.tensor import Array, Tensor
from runtime.ops.control_flow import ABSENT

__all__ = ["LateNumber", "LateNumbers", "without_missing"]


class LateNumber:
    """The number that an object has somewhere, and the row of the table that says which one it has behind.

    Parameters
    ----------
    number, row : integer
        Of the graph, or Python's.
    """

    __slots__ = ("number", "row")

    def __init__(self, number: Any, row: Any) -> None:
        self.number = number
        self.row = row


class LateNumbers:
    """The table of one statement."""

    def __init__(self) -> None:
        self._rows: dict[tuple[int, ...], int] = {}

    def of(self, number: Any, places: Sequence[int] | range) -> LateNumber:
        """The number of an object that has these places among all."""
        if isinstance(number, LateNumber):
            return number
        row = self._rows.setdefault(tuple(places), len(self._rows))
        return LateNumber(number, ABSENT if number is ABSENT else row)

    def throughout(self, value: Any) -> Any:
        """A nest in which all numbers come out with a row: of None nothing was chosen, and there is none."""
        level = level_of(value) if self._rows else None
        if level is None:
            return value
        if isinstance(value, OneOf) and not is_numbered(value):
            candidates = candidates_of(value)
            number = self.of(number_of(value), range(len(candidates)))
            return OneOf(number, tuple(map(self.throughout, candidates)))
        children = list(map(self.throughout, level[1]))
        is_same = all(one is other for one, other in zip(children, level[1], strict=True))
        return value if is_same else level[0].build(children)

    def known(self, value: Any) -> Any:
        """A nest with the numbers that its chosen objects have by now."""
        level = level_of(value) if self._rows else None
        if level is None:
            return value
        if isinstance(value, OneOf) and not is_numbered(value):
            return OneOf(self._known(number_of(value)), tuple(map(self.known, candidates_of(value))))
        children = list(map(self.known, level[1]))
        is_same = all(one is other for one, other in zip(children, level[1], strict=True))
        return value if is_same else level[0].build(children)

    def _known(self, number: Any) -> Any:
        if not isinstance(number, LateNumber):
            return number
        if number.row is ABSENT:  # nobody reads it behind the statement
            return ABSENT
        table = np.zeros((len(self._rows), max(map(len, self._rows))), np.int64)
        for places, row in self._rows.items():
            table[row, : len(places)] = places
        if isinstance(number.row, int) and isinstance(number.number, int):
            return int(table[number.row, number.number])
        return _looked_up(table, number)


def _looked_up(table: Array, number: LateNumber) -> Tensor:
    """What a table says of a number, by ops that raise nothing.

    A `try` around would note in front of what may raise what its variables hold: these are not set yet.
    """
    rows = ops.equal(np.arange(table.shape[0])[:, np.newaxis], number.row)
    columns = ops.equal(np.arange(table.shape[1]), number.number)
    return ops.sum(ops.where(ops.logical_and(rows, columns), table, 0))


def without_missing(value: Any) -> Any:
    """A nest without the objects that a choice in it is nowhere: nobody knows what they hold.

    A `try` is left in one of several forms, and what is chosen in one of them may not be there in another.
    """
    level = level_of(value) if type(value) in _WHOLE else None
    if level is None:
        return value
    if not isinstance(value, OneOf):
        children = list(map(without_missing, level[1]))
        is_same = all(one is other for one, other in zip(children, level[1], strict=True))
        return value if is_same else level[0].build(children)
    number, candidates = number_of(value), tuple(map(without_missing, candidates_of(value)))
    there = [index for index, each in enumerate(candidates) if _is_there(each)]
    if not there or number is ABSENT:
        return value
    if len(there) == len(candidates):
        is_same = all(one is other for one, other in zip(candidates, candidates_of(value), strict=True))
        return value if is_same else OneOf(number, candidates)
    places = np.zeros((1, len(candidates)), np.int64)
    places[0, there] = range(len(there))
    known = int(places[0, number]) if isinstance(number, int) else _looked_up(places, LateNumber(number, 0))
    return OneOf(known, tuple([candidates[index] for index in there]))


_WHOLE = frozenset({tuple, dict, OneOf})
"""Classes of what is looked into: what is nowhere in a list is refused where the forms of that meet."""


def _is_there(candidate: Any) -> bool:
    return all(leaf is not ABSENT for leaf in flatten(candidate)[0])


register(
    LateNumber,
    lambda value: (("number", "row"), (value.number, value.row), None),
    lambda _, __, children, ___: LateNumber(*children),
)
