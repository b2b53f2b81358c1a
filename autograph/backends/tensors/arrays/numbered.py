"""Which array a name refers to, as an integer carried beside the arrays, where no test tells any more.

A branch tells which array it has left by its test. Behind a branch around it, or in the next turn of a loop,
nobody has that test any more, so a number goes along with the array: which of the arrays of outside it is, or
one of its own.

::

    a, b = x * 1, x * 2
    c = a
    for i in range(n):              carries a and b, what the first two arrays hold, and two numbers
        if i % 2 == 0:
            a, b = b, a
        a[0] = i                    writes into the array of that number, and so into what `c` is

A trace numbers arrays where another one was refused without.

Arrays that each turn exchanges, `a, b = b, a`, and has by no other name, are the turn's own: no write has to
ask which others it reaches. What the arrays of outside hold is written into them once, behind the loop, as
the numbers say.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any, TypeAlias

from autograph.backends.tensors.arrays import elements
from autograph.backends.tensors.arrays.arrays import is_numpys, root_of
from autograph.backends.tensors.arrays.boxes import box, shown_by
from autograph.backends.tensors.arrays.cuts import Cut, Part, is_seen, parts_between, parts_of, takes_first
from autograph.backends.tensors.arrays.homes import is_made_here
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.statements.retracing import GiveWay
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.tensor import Tensor, owner_of
from runtime.graph.build import as_tensor, builder_in_use, building, value_in
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol
from runtime.graph.ties import Condition, Tie
from runtime.ops.control_flow import ABSENT
from runtime.ops.ties import any_of

__all__ = [
    "Exchanged",
    "LoopNumbers",
    "Which",
    "indices_of_views",
    "is_of_graph",
    "number_of",
    "numbers_of",
    "numbers_of_branches",
    "roots_of",
    "tie_to_cut",
]

Spot: TypeAlias = tuple[Hashable, int]
"""A variable or a place of a loop, and which leaf of it."""

_Shown: TypeAlias = tuple[Spot, Cut]
"""A variable, and what it may show."""


class Which(NamedTuple):
    """Which array a leaf is that a branch leaves."""

    cuts: Sequence[Cut]
    """The arrays of outside that it may be, or views of them."""
    numbers: Mapping[int, Sequence[Tensor]]
    """Which of them it is in each path, -1 for none; and the indices of all cuts."""

    def tie(self, numbers: Sequence[Any], array: Any) -> None:
        """Says which array it is behind the branch."""
        number, rest = value_in(builder_in_use(), numbers[0]), iter(numbers[1:])
        for place, cut in enumerate(self.cuts):
            tie_to_cut(array.value, cut, number, place, list(islice(rest, len(cut.indices))))


def tie_to_cut(array: Value, cut: Cut, number: Value, place: int, indices: Sequence[Any]) -> None:
    """Says that an array is what a cut shows, where a number says so."""
    builder_in_use().arrays.may_be_same(array, cut.root, Tie(number, place, array, cut.again(indices)))


# ── behind branches ──


class IndexOfView(NamedTuple):
    """An index of a view that a branch makes: 0 behind the branch where that has not run."""

    value: Value
    path: int

    def at(self, path: int, builder: Builder) -> Tensor:
        """What is left of it by a path."""
        with building(builder):
            return as_tensor(Symbol(self.value)) if path == self.path else ops.asarray(0)


def numbers_of_branches(
    paths: Mapping[int, Sequence[Any]],
    builders: Mapping[int, Builder],
    outlives: Callable[[Value], bool],
) -> dict[int, Which]:
    """Which arrays branches leave, by leaf, where statements inside of them have chosen.

    Parameters
    ----------
    paths : mapping of int to sequence of leaves
        What each path leaves.
    builders : mapping of int to Builder
        Those of the paths.
    outlives : callable
        Whether a value means something behind the branch.
    """
    found: dict[int, Which] = {}
    if len({*map(len, paths.values())}) > 1:  # who joins them says what disagrees
        return found
    for index, leaves in enumerate(zip(*paths.values(), strict=True)):
        if not any(_is_chosen_inside(leaf, outlives) for leaf in leaves):
            continue
        if not other_names().numbers_arrays():
            break
        ways = {}
        for path, leaf in zip(paths, leaves, strict=True):
            with building(builders[path]):
                ways[path] = _ways(leaf, outlives)
        which = _which(ways, builders)
        if which is not None:
            found[index] = which
    return found


def indices_of_views(
    paths: Mapping[int, Sequence[Any]],
    builders: Mapping[int, Builder],
    outlives: Callable[[Value], bool],
) -> list[IndexOfView]:
    """The indices of views of arrays of outside that branches leave, to make the views again behind them.

    Parameters
    ----------
    paths : mapping of int to sequence of leaves
        What each path leaves.
    builders : mapping of int to Builder
        Those of the paths.
    outlives : callable
        Whether a value means something behind the branch.
    """
    if not other_names().numbers_arrays():
        return []
    arrays = builder_in_use().arrays
    found: dict[Value, int] = {}
    for path, leaves in paths.items():
        for leaf in leaves:
            root = root_of(leaf)
            view = None if root is None or not outlives(root) else arrays.identity(leaf.value)
            while view is not None and not outlives(view):
                if takes_first(view.node) and view.node.graph is builders[path].graph:
                    found |= dict.fromkeys(view.node.inputs[1:], path)
                view = arrays.base(view)
    return [IndexOfView(index, path) for index, path in found.items()]


def _is_chosen_inside(leaf: Any, outlives: Callable[[Value], bool]) -> bool:
    root = root_of(leaf)
    return (
        root is not None
        and not outlives(root)
        and (builder_in_use().arrays.has_kin(root) or bool(shown_by(root)))
    )


def _which(ways: Mapping[int, list[Part] | None], builders: Mapping[int, Builder]) -> Which | None:
    if None in ways.values():
        return None
    cuts = {part.cut: part.cut for own in ways.values() for part in own or ()}
    numbers = {}
    for path, own in ways.items():
        with building(builders[path]):
            numbers[path] = numbers_of(own or (), {cut: place for place, cut in enumerate(cuts)})
    return Which(list(cuts), numbers)


def numbers_of(parts: Sequence[Part], places: Mapping[Cut, int]) -> list[Tensor]:
    """The number of the first of some parts that is shown, or -1; and the indices of all cuts."""
    found = [number_of([(places[part.cut], part.when) for part in parts], -1)]
    for cut in places:
        found += indices_of(parts, cut, cut.first)
    return found


def indices_of(
    parts: Sequence[Part | elements.Elements], cut: Cut, otherwise: Sequence[Tensor]
) -> list[Tensor]:
    """The indices of a cut where an array is known by some parts."""
    found = list(otherwise)
    for part in reversed([part for part in parts if part.cut == cut]):
        found = [part.index_of(place, each) for place, each in enumerate(found)]
    return found


def number_of(places: Iterable[tuple[int, list[Condition]]], missing: int) -> Tensor:
    """The first of some numbers whose conditions hold."""
    found = ops.asarray(missing)
    for number, conditions in reversed(list(places)):
        known = ops.asarray(number)
        found = known if {} in conditions else ops.where(any_of(conditions), known, found)
    return found


def _ways(leaf: Any, outlives: Callable[[Value], bool]) -> list[Part] | None:
    """What a leaf of a path may show of arrays of outside; None where only the run knows."""
    if is_numpys(leaf) and not is_made_here(owner_of(leaf)):
        leaf = ops.target(leaf)
    root = root_of(leaf)
    if root is None:
        return []
    if not outlives(root):
        for array in shown_by(root):
            box(array)
    return parts_of(
        leaf,
        outlives,
        lambda each: is_seen(each) and not outlives(each),
        lambda each: any(root is None or not outlives(root) for root in roots_of(Symbol(each))),
    )


# ── in loops ──


class Exchanged(NamedTuple):
    """An array in a variable of a loop that turns bind to others."""

    spot: Spot
    start: Any
    """The array before the loop; `ABSENT` where there is none."""
    entered: Value
    """What a turn starts with."""
    left: Any
    """What it ends with."""


class LoopNumbers:
    """Which array each variable is that turns bind to other arrays: a number that the loop carries for each.

    Those of the arrays of outside come first. Behind them, each variable has a number of its own, for an
    array that a turn has made: that of the first variable which has it.
    """

    def __init__(self) -> None:
        self._spots: list[Spot] = []
        self._starts: dict[Spot, Value | None] = {}
        self._outer: dict[Cut, None] = {}
        """Arrays of outside, or views of them."""
        self._indexed: dict[tuple[Spot, Cut], None] = {}
        """Which variables may be which views that have indices."""
        self._pairs: set[tuple[Spot, Spot]] = set()
        self._given_up: set[Spot] = set()
        self._made: set[Spot] = set()
        self._begun: dict[Spot, Tensor] = {}
        self._begun_indices: dict[_Shown, list[Tensor]] = {}
        self._carried: dict[Value, Spot] = {}
        self._only_swaps: bool | None = None
        """Whether turns do no more than exchange the arrays; None before one was looked at."""

    def __len__(self) -> int:
        return len(self._spots) + sum(len(cut.indices) for _, cut in self._indexed)

    def has(self, spot: Spot) -> bool:
        """Whether a variable is numbered."""
        return spot in self._starts

    def tell(self, spots: Iterable[Spot], began: Mapping[Hashable, Sequence[Any]]) -> bool:
        """Whether they say of some variables when these are one: others are arrays of outside in every turn.

        Parameters
        ----------
        spots : iterable of Spot
        began : mapping of hashable to sequence of leaves
            What a turn starts with.
        """
        others = [began[key][leaf] for key, leaf in spots if not self.has((key, leaf))]
        return all(ops.is_array(each) and not is_of_graph(each.value) for each in others)

    def before(self) -> list[Tensor]:
        """The numbers before the loop, and the indices of views."""
        own = {spot: len(self._outer) + index for index, spot in enumerate(self._spots)}
        places = {cut: index for index, cut in enumerate(self._outer)}
        found = [(self._starts[spot], own[spot]) for spot in self._spots]
        numbers = [ops.asarray(number if array is None else places[Cut(array)]) for array, number in found]
        return [*numbers, *[index for _, cut in self._indexed for index in cut.first]]

    def enter(self, arrays: Mapping[Spot, Any], numbers: Sequence[Tensor]) -> None:
        """Says which arrays those in the variables are, or may be, when a turn starts."""
        self._begun, self._begun_indices = self._told_apart(numbers)
        if not self._only_swaps:
            self._tie(arrays, numbers)

    def _told_apart(self, numbers: Sequence[Tensor]) -> tuple[dict[Spot, Tensor], dict[_Shown, list[Tensor]]]:
        """The number of each variable, and the indices of the views that it may be."""
        rest = iter(numbers)
        found = dict(zip(self._spots, rest, strict=False))
        return found, {(spot, cut): list(islice(rest, len(cut.indices))) for spot, cut in self._indexed}

    def leave(self, arrays: Mapping[Spot, Any], numbers: Sequence[Tensor], changed: Set[Spot]) -> None:
        """Likewise behind the loop, the turns of which have written into the arrays of some variables."""
        if self._only_swaps and not changed.isdisjoint(self._spots):
            left = [arrays[spot] for spot in self._spots]
            for index, cut in enumerate(self._outer):
                held = left[-1]
                for number, other in zip(numbers[:-1], left[:-1], strict=True):
                    held = ops.where(ops.equal(number, index), other, held)
                ops.overwrite(Symbol(cut.whole), held)
        self._tie(arrays, numbers)

    def _tie(self, arrays: Mapping[Spot, Any], numbers: Sequence[Tensor]) -> None:
        found, indices = self._told_apart(numbers)
        there = {spot: array for spot, array in arrays.items() if spot in found and ops.is_array(array)}
        known = {spot: array for spot, array in there.items() if is_of_graph(array.value)}
        for spot, array in known.items():
            number = value_in(builder_in_use(), found[spot])
            for place, cut in enumerate(self._outer):
                if (spot, cut) in indices if cut.indices else cut.may_be(array.value):
                    tie_to_cut(array.value, cut, number, place, indices.get((spot, cut), ()))
        for one, other in sorted(self._pairs, key=repr):
            if one in known and other in known:
                test = value_in(builder_in_use(), ops.equal(found[one], found[other]))
                array = known[one].value
                builder_in_use().arrays.may_be_same(
                    array, known[other].value, Tie(test, True, array, known[other].value)
                )

    def learn(self, rows: Sequence[Exchanged], is_met: Callable[[Value], bool]) -> bool:
        """Takes in what a turn does to arrays; whether that is news, and the loop has to start anew.

        Parameters
        ----------
        rows : sequence of Exchanged
        is_met : callable
            Whether it matters to the turn which array that is, or one that may be the same.

        Raises
        ------
        GiveWay
            With arrays of NumPy's that are among them.
        """
        known = self._known()
        self._carried = {row.entered: row.spot for row in rows}
        numpys = [each for row in rows for each in _numpys(row)]
        if numpys:
            raise GiveWay(numpys)
        self._given_up |= {row.spot for row in rows if self._ways(row) is None}
        self._given_up |= {row.spot for row in rows[_MOST_NUMBERED:]}
        self._give_up_what_they_become(rows)
        rows = [row for row in rows if row.spot not in self._given_up]
        self._drop(self._starts.keys() - {row.spot for row in rows})
        for row in rows:
            if row.spot not in self._starts:
                self._spots.append(row.spot)
            start = self._starts[row.spot] = _array_of(row.start)
            self._outer |= {} if start is None else {Cut(start): None}
            cuts = [part.cut for part in self._ways(row) or ()]
            self._outer |= dict.fromkeys(cuts)
            self._indexed |= {(row.spot, cut): None for cut in cuts if cut.indices}
        self._made |= {row.spot for row in rows if self._may_be_made(row.left)}
        for one, other in _in_pairs([row for row in rows if row.spot in self._made]):
            conditions = _conditions_of_two(one.left, other.left)
            if conditions is None:
                self._given_up |= {one.spot, other.spot}
                self._drop([one.spot, other.spot])
            elif conditions:
                self._pairs.add((one.spot, other.spot))
        if rows and self._only_swaps is not False:
            self._only_swaps = not self._given_up and _only_swap(rows, is_met)
        return known != self._known()

    def _give_up_what_they_become(self, rows: Sequence[Exchanged]) -> None:
        """Gives up the variables that a turn binds to the array of one of which nobody knows which it is."""
        unknown = {row.entered for row in rows if row.spot in self._given_up}
        rest = [row for row in rows if row.spot not in self._given_up]
        while more := [row for row in rest if not unknown.isdisjoint(_may_be(row.left))]:
            self._given_up |= {row.spot for row in more}
            unknown |= {row.entered for row in more}
            rest = [row for row in rest if row not in more]

    def _known(self) -> tuple[object, ...]:
        counts = (*map(len, (self._spots, self._outer, self._pairs, self._made, self._indexed)),)
        return *counts, dict(self._starts), self._only_swaps

    def _may_be_made(self, left: Any) -> bool:
        """Whether a turn, or one before it, may have made the array in a variable."""
        for root in roots_of(left):
            if root is not None and root in self._carried:
                if self._carried[root] in self._made:
                    return True
            elif root is None or not builder_in_use().is_around(root):
                return True
        return False

    def _drop(self, spots: Iterable[Spot]) -> None:
        """Numbers some variables no more."""
        gone = set(spots)
        self._spots = [spot for spot in self._spots if spot not in gone]
        self._starts = {spot: start for spot, start in self._starts.items() if spot not in gone}
        self._pairs = {pair for pair in self._pairs if gone.isdisjoint(pair)}
        self._indexed = {each: None for each in self._indexed if each[0] not in gone}

    def after(self, rows: Sequence[Exchanged]) -> list[Tensor]:
        """The numbers at the end of a turn, and the indices of views."""
        found: dict[Spot, Tensor] = {}
        by_spot = {row.spot: row for row in rows}
        if self._only_swaps:
            begun = {row.entered: self._begun[row.spot] for row in rows}
            return [begun[by_spot[spot].left.value] for spot in self._spots]
        places = {cut: index for index, cut in enumerate(self._outer)}
        parts = {spot: self._ways(by_spot[spot]) or () for spot in self._spots}
        for index, spot in enumerate(self._spots):
            row = by_spot[spot]
            ways = [(places[part.cut], part.when) for part in parts[spot]]
            for number, other in enumerate(self._spots[:index]):
                if not {spot, other} <= self._made:
                    continue
                conditions = _conditions_of_two(row.left, by_spot[other].left)
                ways += [(len(places) + number, conditions)] if conditions else []
            found[spot] = number_of(ways, len(places) + index)
        indices = [
            each
            for (spot, cut), begun in self._begun_indices.items()
            for each in indices_of(parts[spot], cut, begun)
        ]
        return [*found.values(), *indices]

    def _ways(self, row: Exchanged) -> Sequence[Part | elements.Elements] | None:
        """What a variable may show of arrays of outside after a turn; None where only the run knows."""
        if _array_of(row.left) is None:
            return ()
        is_outer = builder_in_use().is_around
        parts: Sequence[Part | elements.Elements] | None
        if elements.is_view_of(row.left, self._carried):  # and in the next turn of this one
            is_made = self._may_be_made(row.left)
            parts = None if is_made else elements.elements_of(row.left, is_outer, is_of_graph)
        else:
            parts = parts_of(row.left, is_outer, is_of_graph, lambda root: self._may_be_made(Symbol(root)))
        return parts if parts is None or len({part.cut for part in parts}) <= _MOST_NUMBERED else None


_MOST_NUMBERED = 8
"""Variables of a loop up to which it carries numbers of arrays: a write asks of each whether it is one."""


def roots_of(leaf: Any) -> Iterator[Value | None]:
    """The arrays of which statements have chosen one; None for what is no array of the graph."""
    chosen, seen, rest = builder_in_use().arrays.chosen, set[Value](), [leaf]
    while rest:
        each = rest.pop()
        root = root_of(each)
        if root in chosen:
            if root not in seen:
                seen.add(root)
                rest += chosen[root]
        elif each is not ABSENT:
            yield root


def _may_be(leaf: Any) -> Iterator[Value]:
    """The arrays of the graph that a leaf may be, or show, as branches and loops have left it."""
    for root in filter(None, roots_of(leaf)):
        yield root
        yield from builder_in_use().arrays.kin(root)


def is_of_graph(array: Value) -> bool:
    """Whether an array is a value of the graph that is recorded, and not of one around it."""
    return array.node.graph is builder_in_use().graph


def _array_of(leaf: Any) -> Value | None:
    """The array or the view that a leaf is; None where it is none."""
    return builder_in_use().arrays.identity(leaf.value) if ops.is_array(leaf) else None


def _is_whole(leaf: Any) -> bool:
    return _array_of(leaf) is root_of(leaf)


def _only_swap(rows: Sequence[Exchanged], is_met: Callable[[Value], bool]) -> bool:
    """Whether turns exchange some arrays that are no others, and know them by these variables alone."""
    arrays = builder_in_use().arrays
    starts = [root_of(row.start) for row in rows]
    if None in starts or len({*starts}) < len(rows):
        return False
    if not all(_is_whole(row.start) and _is_whole(row.left) for row in rows):
        return False
    if {root_of(row.left) for row in rows} != {row.entered for row in rows}:
        return False
    outer = [start for start in starts if start is not None]
    if not all(arrays.kin(start).keys().isdisjoint(outer) for start in outer):
        return False
    return not any(map(is_met, outer)) and arrays.compared.isdisjoint(row.entered for row in rows)


def _numpys(row: Exchanged) -> Iterator[Any]:
    """The arrays of NumPy's that a variable is, or may be, before the loop or after a turn."""
    for leaf in (row.start, row.left):
        root = root_of(leaf)
        if root is not None:
            yield from shown_by(root)
        elif is_numpys(leaf) and not is_made_here(owner_of(leaf)):
            yield leaf


def _in_pairs(rows: Sequence[Exchanged]) -> Iterator[tuple[Exchanged, Exchanged]]:
    for index, row in enumerate(rows):
        for other in rows[:index]:
            yield other, row


def _conditions_of_two(one: Any, other: Any) -> list[Condition] | None:
    """When two variables are one array that is the turn's own; None where only the run knows."""
    roots = root_of(one), root_of(other)
    if roots[0] is None or roots[1] is None or not all(map(is_of_graph, filter(None, roots))):
        return []
    parts = parts_between(roots[0], roots[1], is_of_graph)
    return None if parts is None or not parts.keys() <= {roots[1]} else parts.get(roots[1], [])
