"""Which of the arrays that a function of the graph reaches it gives back: to its caller they are no others.

A function that calls itself where a tensor decides becomes a function of the graph, which gives values. What
it gives may be an array that its caller has as well:

    def pick(a, b, n):
        return a if n == 0 else pick(b, a, n - 1)

    c = pick(x, y, n)
    c[0] = 1.0              writes into `x` or into `y`, and `c is x` is a question

While the function is traced, what it gives is looked at. An array that every path gives is given to the
caller in the place of the value. Of one that some paths give, a number goes along with the value, as behind a
branch. What a trace finds out, calls from inside have to know, so the function is traced again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from autograph.backends.tensors.arrays import is_numpys, root_of
from autograph.backends.tensors.numbered import is_seen, number_of, roots_of
from autograph.backends.tensors.sharing import other_names
from runtime import ops
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor
from runtime.graph.arrays import Condition, Tie
from runtime.graph.build import builder_in_use, value_in
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol

__all__ = ["GivenBack"]

Reached: TypeAlias = "int | Value"
"""An array that a function reaches: by which leaf of its arguments, or one of a graph around."""


class GivenBack:
    """Which arrays the leaves of what a function gives are, or may be, as traces of it have shown."""

    def __init__(self) -> None:
        self._surely: dict[int, Reached] = {}
        self._numbered: dict[int, dict[Reached, None]] = {}
        self._unknown: dict[int, dict[Reached, None]] = {}
        self._had_numbers = True

    @property
    def has_numbers(self) -> bool:
        """Whether numbers go along with what it gives."""
        return bool(self._numbered)

    def is_told_more_now(self) -> bool:
        """Whether only the run knew of some, and the trace is made again with numbers behind branches."""
        return bool(self._unknown) and not self._had_numbers and other_names().numbers_arrays()

    def learn(self, result: Any, arguments: Any) -> bool:
        """Takes in what a trace gives; whether that is news, and the function is to be traced again."""
        before = self._known()
        for index, leaf in enumerate(_leaves(result)):
            found = _ways_back(leaf, _positions(arguments))
            known = {**self._numbered.pop(index, {}), **self._unknown.pop(index, {})}
            sure = self._surely.pop(index, None)
            only = next(iter(found)) if len(found) == 1 and _is_surely(result, leaf) else None
            if only is not None and not known and sure in {None, only}:
                self._surely[index] = only
                continue
            is_told = all(when is not None for when in found.values())
            was_unknown = index in before[2]
            known |= dict.fromkeys(found) | ({} if sure is None else {sure: None})
            if known:
                (self._numbered if is_told and not was_unknown else self._unknown)[index] = known
        if self._unknown:
            self._had_numbers = other_names().numbers_arrays()
        return before != self._known()

    def _known(self) -> tuple[Mapping[int, Any], Mapping[int, Any], Mapping[int, Any]]:
        return dict(self._surely), dict(self._numbered), dict(self._unknown)

    def numbers(self, result: Any, arguments: Any) -> list[Tensor]:
        """Which of the arrays each leaf is that may be several; -1 for none of them."""
        leaves = _leaves(result)
        found = []
        for index, known in sorted(self._numbered.items()):
            ways = _ways_back(leaves[index], _positions(arguments)) if index < len(leaves) else {}
            places = {reached: place for place, reached in enumerate(known)}
            found.append(number_of([(places[each], when or []) for each, when in ways.items()], -1))
        return found

    def told(self, result: Any, numbers: Sequence[Any], arguments: Any) -> Any:
        """What the caller has: its own arrays, and others of which it is known which they may be."""
        given = _leaves(arguments)
        leaves = dict(enumerate(_leaves(result)))
        for (index, known), number in zip(sorted(self._numbered.items()), numbers, strict=True):
            for place, each in enumerate(known):
                _tie(leaves.get(index), _array(each, given), number, place)
        for index, known in self._unknown.items():
            for each in known:
                _tie(leaves.get(index), _array(each, given), None, 0)
        if not self._surely:
            return result
        own = {index: _handed_over(each, given) for index, each in self._surely.items()}
        if type(result) is tuple:
            return tuple([own.get(index, item) for index, item in enumerate(result)])
        return own.get(0, result)


def _array(reached: Reached, given: Sequence[Any]) -> Value | None:
    """An array of the graph that the caller has; None where this call was given no such argument."""
    if isinstance(reached, Value):
        return reached
    leaf = given[reached] if reached < len(given) else None
    return root_of(ops.target(leaf) if is_numpys(leaf) else leaf)


def _handed_over(reached: Reached, given: Sequence[Any]) -> Any:
    return Symbol(reached) if isinstance(reached, Value) else given[reached]


def _leaves(result: Any) -> list[Any]:
    found: list[Any] = flatten(result)[0]
    return found


def _is_surely(result: Any, leaf: Any) -> bool:
    """Whether every path gives one array, which may be handed over as it is: it is in no list."""
    is_shallow = result is leaf or (type(result) is tuple and len(_leaves(result)) == len(result))
    return is_shallow and len({*roots_of(leaf)}) == 1


def _positions(arguments: Any) -> dict[Value, int]:
    roots = [(root_of(leaf), index) for index, leaf in enumerate(flatten(arguments)[0])]
    return {root: index for root, index in reversed(roots) if root is not None}


def _ways_back(leaf: Any, positions: Mapping[Value, int]) -> dict[Reached, list[Condition] | None]:
    """The arrays of the caller's that a leaf may be, and when; None where only the run knows."""
    builder, root = builder_in_use(), root_of(leaf)
    if root is None:
        return {}
    arrays = builder.arrays
    is_whole = arrays.identity(leaf.value) is root
    found: dict[Reached, list[Condition] | None] = {}

    def add(array: Value, condition: Condition | None) -> None:
        if array not in positions and not builder.is_around(array):
            return
        reached = positions.get(array, array)
        known = found.setdefault(reached, [])
        if condition is None or known is None:
            found[reached] = None
        else:
            known.append(condition)

    add(root, {} if is_whole else None)
    for way in arrays.ways(root, is_seen):
        add(way.end, way.condition if way.is_told(is_seen) and way.is_whole and is_whole else None)
    return found


def _tie(leaf: Any, array: Value | None, number: Any, place: int) -> None:
    """Says that a value that a function has given may be an array of the caller's."""
    if array is None or not ops.is_array(leaf):
        return
    builder = builder_in_use()
    tie = None if number is None else Tie(value_in(builder, number), place, leaf.value, array)
    builder.arrays.may_be_same(leaf.value, array, tie)
