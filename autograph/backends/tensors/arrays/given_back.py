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

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, TypeAlias

import numpy as np

from autograph.backends.tensors.arrays.arrays import ArrayContents, is_numpys, root_of
from autograph.backends.tensors.arrays.cuts import Cut, Part, Step, is_seen, parts_of
from autograph.backends.tensors.arrays.numbered import numbers_of, roots_of, tie_to_cut
from autograph.backends.tensors.containers.other_names import other_names
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor
from runtime.functions.external_state import Change
from runtime.graph.build import builder_in_use, value_in
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol

__all__ = ["Bound", "GivenBack"]

Reached: TypeAlias = "int | Value"
"""An array that a function reaches: by which leaf of its arguments, or one of a graph around."""


class Shown(NamedTuple):
    """What a function may give of an array that it reaches."""

    whole: Reached
    steps: tuple[Step, ...] = ()

    def cut(self, whole: Value) -> Cut:
        """It, where the caller has this array."""
        return Cut(whole, self.steps)


class GivenBack:
    """Which arrays the leaves of what a function gives are, or may be, as traces of it have shown."""

    def __init__(self) -> None:
        self._surely: dict[int, Reached] = {}
        self._numbered: dict[int, dict[Shown, None]] = {}
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
        positions = _positions(arguments)
        for index, leaf in enumerate(_leaves(result)):
            sure, was_numbered = self._surely.pop(index, None), index in self._numbered
            known = self._numbered.pop(index, {}) | ({} if sure is None else {Shown(sure): None})
            parts = None if index in self._unknown else _parts_back(leaf, positions)
            if parts is None:
                given = self._unknown.setdefault(index, {})
                given |= dict.fromkeys([each.whole for each in known]) | _given(leaf, positions)
                if not given:
                    del self._unknown[index]
                continue
            known |= dict.fromkeys(parts)
            only = next(iter(known)) if len(known) == 1 and _is_surely(result, leaf) else None
            if only is not None and not (only.steps or was_numbered):  # what is known never gets less
                self._surely[index] = only.whole
            elif known:
                self._numbered[index] = known
        if self._unknown:
            self._had_numbers = other_names().numbers_arrays()
        return before != self._known()

    def _known(self) -> tuple[Mapping[int, Any], Mapping[int, Any], Mapping[int, Any]]:
        return dict(self._surely), dict(self._numbered), dict(self._unknown)

    def numbers(self, result: Any, arguments: Any) -> list[Tensor]:
        """Which of the arrays each leaf is that may be several, -1 for none of them; and indices of views."""
        leaves, positions = _leaves(result), _positions(arguments)
        found = []
        for index, known in sorted(self._numbered.items()):
            parts = _parts_back(leaves[index], positions) if index < len(leaves) else {}
            places = {shown.cut(_as_value(shown.whole, positions)): at for at, shown in enumerate(known)}
            found += numbers_of([part for own in (parts or {}).values() for part in own], places)
        return found

    def told(self, result: Any, numbers: Sequence[Any], arguments: Any) -> Any:
        """What the caller has: its own arrays, and others of which it is known which they may be."""
        given = _leaves(arguments)
        leaves = dict(enumerate(_leaves(result)))
        rest = iter(numbers)
        for index, known in sorted(self._numbered.items()):
            number = next(rest)
            for place, each in enumerate(known):
                indices = list(islice(rest, sum(len(step.indices) for step in each.steps)))
                _tie(leaves.get(index), _array(each.whole, given), each, number, place, indices)
        for index, reached in self._unknown.items():
            for whole in reached:
                _tie(leaves.get(index), _array(whole, given))
        if not self._surely:
            return result
        own = {index: _handed_over(each, given) for index, each in self._surely.items()}
        if type(result) is tuple:
            return tuple([own.get(index, item) for index, item in enumerate(result)])
        return own.get(0, result)


def _array(reached: Reached, given: Sequence[Any]) -> Value | None:
    """An array or a view that the caller has; None where this call was given no such argument."""
    if isinstance(reached, Value):
        return reached
    leaf: Any = given[reached] if reached < len(given) else None
    leaf = ops.target(leaf) if is_numpys(leaf) else leaf
    return builder_in_use().arrays.identity(leaf.value) if ops.is_array(leaf) else None


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


def _as_value(reached: Reached, positions: Mapping[Value, int]) -> Value:
    """An array that the function reaches, as the function has it."""
    if isinstance(reached, Value):
        return reached
    return next(root for root, index in positions.items() if index == reached)


def _parts_back(leaf: Any, positions: Mapping[Value, int]) -> dict[Shown, list[Part]] | None:
    """What a leaf may show of the caller's arrays, and when; None where only the run knows."""
    builder, root = builder_in_use(), root_of(leaf)
    if root is None:
        return {}

    def is_outer(array: Value) -> bool:
        return array in positions or builder.is_around(array)

    parts = parts_of(
        leaf,
        is_outer,
        lambda array: is_seen(array) and not is_outer(array),
        lambda array: any(each is None or not is_outer(each) for each in roots_of(Symbol(array))),
    )
    if parts is None:
        return None
    found: dict[Shown, list[Part]] = {}
    for part in parts:
        whole = part.cut.whole
        found.setdefault(Shown(positions.get(whole, whole), part.cut.steps), []).append(part)
    return found if len(found) <= _MOST_SHOWN else None


_MOST_SHOWN = 8
"""Arrays and views of them up to which a number tells which one a function gives."""


class Bound:
    """Which arrays of its callers a function may leave in places outside, beside those that it makes.

    A write to what is in such a place by then, or a question whether it is one of them, is for more than one
    array: who reads the others behind it is told so.
    """

    def __init__(self) -> None:
        self._places: dict[Hashable, tuple[int | None, Any, dict[Hashable, Any]]] = {}

    def learn(
        self,
        changes: Iterable[Change],
        existed: Callable[[Any], Any],
        arguments: Any,
        containers: Sequence[Any],
    ) -> None:
        """Takes in what a trace of the function leaves, or has left where it calls itself.

        Parameters
        ----------
        changes : iterable of Change
        existed : callable
            Whether an object was there before.
        arguments : nest
            As the function has them.
        containers : sequence
            Those of the arguments that may change.
        """
        outside = partial(_outside, existed=existed, positions=_positions(arguments))
        for change in changes:
            place, leaves = change.place, _leaves(change.now)
            if isinstance(place, ArrayContents):  # written, and no other array
                continue
            found = [*chain.from_iterable(map(outside, leaves))]
            if any(map(_may_be_taken_in, leaves)):
                found += chain.from_iterable(map(outside, _leaves(change.before)))
            if found:
                own = (at for at, each in enumerate(containers) if each is place.owner)
                _, _, arrays = self._places.setdefault(place.key, (next(own, None), place, {}))
                arrays |= {id(each) if isinstance(each, np.ndarray) else each: each for each in found}

    def tell(self, arguments: Any, containers: Sequence[Any]) -> None:
        """Says so of what is in these places behind a call with some arguments."""
        builder, given = builder_in_use(), _leaves(arguments)
        for argument, place, arrays in self._places.values():
            place = place if argument is None else place.at(containers[argument])  # noqa: PLW2901  # the caller's
            for leaf in _leaves(place.get()):
                for each in arrays.values() if ops.is_array(leaf) else ():
                    array = _array(ops.target(each).value if isinstance(each, np.ndarray) else each, given)
                    if array is not None and builder.sees(array.node.graph):
                        _tie(leaf, builder.arrays.identity(array))


def _outside(leaf: Any, existed: Callable[[Any], Any], positions: Mapping[Value, int]) -> Iterable[Any]:
    """The arrays of a caller's that a leaf may be."""
    if isinstance(leaf, np.ndarray):
        return [leaf] if existed(leaf) else []
    return _given(leaf, positions) if ops.is_array(leaf) else []


def _may_be_taken_in(leaf: Any) -> bool:
    """Whether a leaf may be an array that has come in, as it was in its place before."""
    return ops.is_array(leaf) and any(root in builder_in_use().inputs for root in roots_of(leaf))


def _given(leaf: Any, positions: Mapping[Value, int]) -> dict[Reached, None]:
    """The arrays of the caller's that a leaf may be, or show."""
    builder, root = builder_in_use(), root_of(leaf)
    reached = [] if root is None else [root, *builder.arrays.kin(root, is_seen)]
    return {
        positions.get(each, each): None for each in reached if each in positions or builder.is_around(each)
    }


def _tie(
    leaf: Any,
    array: Value | None,
    shown: Shown | None = None,
    number: Any = None,
    place: int = 0,
    indices: Sequence[Any] = (),
) -> None:
    """Says that a value that a function has given may be an array of the caller's, or a view of one."""
    if array is None or not ops.is_array(leaf):
        return
    if shown is not None:
        tie_to_cut(leaf.value, shown.cut(array), value_in(builder_in_use(), number), place, indices)
    else:
        builder = builder_in_use()
        builder.arrays.may_be_same(leaf.value, builder.arrays.root(array))
