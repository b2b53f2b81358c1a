"""Arrays in the variables of a loop: which of them stay the same array from turn to turn.

A loop carries values. A variable that an array is in when the loop starts, and that no turn binds to another
one, is still that array when the loop is over: then the array holds what the last turn left. If the body
meets the array under another name, too, the loop starts anew and carries what the array holds, in place of
the variable. A variable that turns do bind to other arrays is a value: who wrote into it has written into one
of several arrays, and only the run knows into which.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from autograph.backends.tensors.arrays import ArrayContents, is_numpys, root_of
from autograph.backends.tensors.boxes import may_show, shown_by
from autograph.backends.tensors.paths import Changes, GiveWay
from autograph.staging import places
from runtime import ops
from runtime.core.structure import flatten, unflatten
from runtime.errors import StateDisagrees
from runtime.graph.arrays import Arrays, Unknown
from runtime.graph.build import current_builder, value_in
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.op import Const
from runtime.graph.symbol import Symbol

_Row = TypeVar("_Row")

__all__ = ["Turned", "at_once", "link_arrays", "note_made_arrays", "refuse_rebound_array"]


def _builder() -> Builder:
    builder = current_builder()
    assert builder is not None, "a loop is staged while a graph is built"
    return builder


def at_once(nest: Any) -> Any:
    """A nest with what its arrays hold now in their place: they hold other values while a loop is traced."""
    builder = _builder()
    leaves, structure = flatten(nest)
    if not any(map(ops.is_array, leaves)):
        return nest
    return unflatten(structure, [value_in(builder, leaf) if ops.is_array(leaf) else leaf for leaf in leaves])


def link_arrays(one: Any, other: Any) -> None:
    """Says that two arrays which a turn starts with may be one."""
    if isinstance(one, Symbol) and isinstance(other, Symbol):
        _builder().arrays.may_be_same(one.value, other.value)


def note_made_arrays(nest: Any) -> None:
    """Says that the arrays which a turn starts with are the turn's own."""
    graph = _builder().graph
    for leaf in flatten(nest)[0]:
        if ops.is_array(leaf) and leaf.value.node.graph is graph:
            places.note_made(leaf.value)


def refuse_rebound_array() -> NoReturn:
    """Says that an array is written to in a loop that binds its variable to another one."""
    raise StateDisagrees(
        "a loop writes into an array that is met under two names, and binds one of them to another array",
        where=caller_location(),
        why="From the second turn on, only the run knows which array the name means.",
        way_out="Copy the array before the loop (`x = x.copy()`), or write with `x[...] = value` in place of "
        "`x = value`.",
    )


def refuse_listed_array() -> NoReturn:
    """Says that a loop puts an array into a list of the graph in one turn, and writes into it in the next."""
    raise StateDisagrees(
        "a loop writes into an array that it puts into a list, too",
        where=caller_location(),
        why="The list holds what the array held then, and in Python it holds the array.",
        way_out="Put a copy into the list: `items.append(x.copy())`.",
    )


class Turned:
    """What a turn of a loop does to the arrays in variables, attributes and items.

    Parameters
    ----------
    rows : mapping of int to (nest, sequence of leaves, nest)
        By the number of a variable or place, which may hold arrays: what it holds before the loop, at the
        start of the turn, and at its end.
    changes : Changes
        The places that the turn changes.
    carried : set of hashable
        The keys of places that the loop carries.
    ending : collection of int
        The variables after whose binding there is no other turn: what `return` gives.
    """

    def __init__(
        self,
        rows: Mapping[int, tuple[Any, Sequence[Any], Any]] | None = None,
        changes: Changes | None = None,
        carried: set[Any] | None = None,
        ending: Collection[int] = (),
    ) -> None:
        self._ending = ending
        self._slots: list[tuple[int, int, Any, Any, Any]] = []
        self._written: set[Value] = set()
        self._met: set[Value] = set()
        self._changed: set[Value] = set()
        builder = current_builder()
        if builder is None or builder.strict or not rows:
            return
        arrays = builder.arrays
        for index, (start, twos, end) in rows.items():
            if start is end and not ops.is_array(start):
                continue  # what a container holds that stays the same one is a place of its own
            (ones, form), (threes, form_left) = flatten(start), flatten(end)
            if form == form_left and len(ones) == len(twos):
                for position, leaves in enumerate(zip(ones, twos, threes, strict=True)):
                    if ops.is_array(leaves[1]):
                        self._slots.append((index, position, *leaves))
        if not self._slots or not arrays.contents:
            return
        self._written = {
            place.owner for place, _ in (changes or {}).values() if isinstance(place, ArrayContents)
        }
        self._met = {arrays.root(value) for value in builder.captures}
        self._met |= {
            arrays.root(outer)
            for inner, outer in arrays.captured.items()
            if inner.node.graph is builder.graph and isinstance(inner.node.op, Const)
        }
        for key in carried or ():
            if isinstance(key, tuple) and key[0] == "array":
                self._met |= {array for array in arrays.contents if id(array) == key[1]}
        held = arrays.contents  # nobody knows what one holds that may be another one, which was written to
        entered = [entered.value for *_, entered, _ in self._slots]
        self._changed = {each for each in entered if each in held and not isinstance(held[each], Unknown)}
        self._follow_to_later_turns(arrays)

    def _follow_to_later_turns(self, arrays: Arrays) -> None:
        """Adds the arrays that a later turn has in another variable, and writes to there."""
        entered = {row[3].value for row in self._slots}
        comes_from: dict[Value, set[Value]] = {}
        for *_, into, left in self._slots:
            end = root_of(left)
            if end is not None:
                comes_from[into.value] = {end} if end in entered else entered & arrays.alike(end).keys()
        rest = list(self._changed)
        while rest:
            more = comes_from.get(rest.pop(), set()) - self._changed
            self._changed |= more
            rest += more

    def require_boxes(self) -> None:
        """Sees to it that arrays which the turn writes into are arrays of the graph.

        Raises
        ------
        GiveWay
            With those that are NumPy's.
        """
        changed = [start for _, _, start, entered, _ in self._slots if entered.value in self._changed]
        found = [start for start in changed if is_numpys(start)]
        for root in filter(None, map(root_of, changed)):
            found += shown_by(root)
        if found:
            raise GiveWay(found)

    def _is_rebound(self, entered: Any, left: Any) -> bool:
        return not (isinstance(left, Symbol) and left.value is entered.value)

    def _is_met(self, array: Value) -> bool:
        """Whether the turn meets an array, or one that may be the same, under another name."""
        builder = current_builder()
        assert builder is not None, "a turn is recorded in the graph of the body"
        return not self._met.isdisjoint({array, *builder.arrays.alike(array)})

    def rebound(self) -> Iterator[int]:
        """The variables that the turn binds to other arrays."""
        return (index for index, _, _, entered, left in self._slots if self._is_rebound(entered, left))

    def linked(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """The variables that hold one array after the turn, into which the turn writes: each with its leaf.

        `b = a` makes them one for the next turn, which writes into both when it writes into one.
        """
        arrays = _builder().arrays
        ends = [
            (entered.value, (index, position), end)
            for index, position, _, entered, left in self._slots
            if index not in self._ending and (end := root_of(left)) is not None
        ]
        for number, (one, spot, end) in enumerate(ends):
            for other, other_spot, other_end in ends[:number]:
                is_one = end is other_end or end in arrays.alike(other_end)
                if is_one and one is not other and not self._changed.isdisjoint((one, other)):
                    yield other_spot, spot

    def to_be_fixed(self) -> list[int]:
        """The variables that have to be the same array in every turn: it is met under another name, too.

        Raises
        ------
        StateDisagrees
            When a variable is in a container, or bound to another array.
        """
        builder = current_builder()
        listed = set() if builder is None else builder.arrays.listed
        if not listed.isdisjoint(self._changed | self._written):
            refuse_listed_array()
        found: list[int] = []
        roots: dict[Value, list[tuple[int, Any]]] = {}
        ends: dict[Value, list[Any]] = {}
        for index, _, start, entered, left in self._slots:
            root = root_of(start)
            if root is None or entered.value is start_value(start) or index in self._ending:
                continue
            roots.setdefault(root, []).append((index, entered))
            end = root_of(left)
            if end is not None:
                ends.setdefault(end, []).append(entered)
            is_changed = entered.value in self._changed
            is_written = root in self._written
            if (is_changed and self._is_met(root)) or is_written:
                found.append(index)
            if (
                end is not None
                and self._is_rebound(entered, left)
                and (end in self._written or (is_changed and self._is_met(end)))
            ):
                refuse_rebound_array()
        for alike in _of_clans(roots):
            if len(alike) > 1 and any(entered.value in self._changed for _, entered in alike):
                found += [index for index, _ in alike]
        for entries in _of_clans(ends):
            if len(entries) > 1 and any(entered.value in self._changed for entered in entries):
                refuse_rebound_array()
        found = list(dict.fromkeys(found))
        if any(index in found for index in self.rebound()):
            refuse_rebound_array()
        return found

    def given(self, results: Sequence[Any]) -> list[Any]:
        """What the variables are after the loop, given what it leaves."""
        kept = list(results)
        builder = current_builder()
        if builder is None or not self._slots:
            return kept
        arrays, where = builder.arrays, caller_location()
        new: list[tuple[Value, list[Value]]] = []
        for index, position, start, entered, left in self._slots:
            leaves, form = flatten(kept[index])
            result = leaves[position]
            if not isinstance(result, Symbol):
                continue
            if is_numpys(start) and not self._is_rebound(entered, left):
                leaves[position] = start
                kept[index] = unflatten(form, leaves)
            for each in (start, left):
                if is_numpys(each):
                    may_show(result.value, each)
            if not isinstance(start, Symbol):
                continue
            if not self._is_rebound(entered, left):
                if entered.value in self._changed:
                    ops.overwrite(start, result)
                leaves[position] = start
                kept[index] = unflatten(form, leaves)
                continue
            root, end = arrays.root(start.value), root_of(left)
            alike = () if end is None else (end, *arrays.alike(end))
            outer = [each for each in alike if builder.sees(each.node.graph)]
            if entered.value in self._changed:
                for one in dict.fromkeys([root, *outer]):
                    for each in (one, *arrays.alike(one)):
                        arrays.lose(each, where)
            before: Any = next((s for _, _, s, e, _ in self._slots if end is e.value), None)
            if is_numpys(before):  # what another variable started with
                may_show(result.value, before)
            own = [arrays.root(before.value)] if isinstance(before, Symbol) else []
            new.append((result.value, [root, *own, *outer]))
        for number, (result, roots) in enumerate(new):
            for known in roots:
                for each in (known, *arrays.alike(known)):
                    arrays.may_be_same(result, each)
            for other, others in new[:number]:
                if not set(roots).isdisjoint(others):
                    arrays.may_be_same(result, other)
        return kept


def _of_clans(rows: Mapping[Value, list[_Row]]) -> Iterator[list[_Row]]:
    """The rows of each array, with those of the arrays that may be the same."""
    arrays = _builder().arrays
    for array, own in rows.items():
        yield [*own, *[row for other in arrays.alike(array) for row in rows.get(other, ())]]


def start_value(start: Any) -> Value | None:
    """The value of a start that is a tensor of a graph."""
    return start.value if isinstance(start, Symbol) else None
