"""Arrays in loop variables: which of them stay the same object from turn to turn.

A loop carries values. A variable that an array is in when the loop starts, and that no turn binds to another
one, is still that array when the loop is over: then the array holds what the last turn left. If the body
meets the array under another name, too, the loop starts anew and carries what the array holds, in place of
the variable. A variable that turns do bind to other arrays is a value: who wrote into it has written into one
of several arrays, and only the run knows into which. One that has no array before the loop, or None, and is
bound to one and the same array of outside, is that array from then on.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any, NoReturn, TypeAlias, TypeVar

from autograph.backends.tensors.arrays import aligned as aligned_
from autograph.backends.tensors.arrays import identity
from autograph.backends.tensors.arrays.arrays import (
    ArrayContents,
    has_no_axes,
    is_numpys,
    may_be_number,
    may_give_way,
    note_array,
    root_of,
)
from autograph.backends.tensors.arrays.boxes import has_given_way, may_show, shown_by
from autograph.backends.tensors.arrays.homes import is_made_here, was_made_inside
from autograph.backends.tensors.arrays.numbered import Exchanged, LoopNumbers, is_of_graph
from autograph.backends.tensors.containers import fields
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, is_numbered, number_of
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.paths import Changes, left_alone
from autograph.backends.tensors.statements.retracing import GiveWay
from autograph.staging import meeting
from autograph.staging.places import Place
from autograph.staging.state import Undefined, UndefinedReturnValue
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.structure import Level, Structure, flatten, level_of, unflatten
from runtime.core.tensor import Array, Tensor, owner_of
from runtime.errors import StateDisagrees
from runtime.graph.arrays import Arrays, Unknown
from runtime.graph.build import builder_in_use, current_builder, value_in
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.refusals import of_arrays
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import ABSENT
from runtime.ops.ties import is_element
from runtime.ops.writing import refuse_taken_array

_Row = TypeVar("_Row")

_Slot: TypeAlias = tuple[int, int, Any, Any, Any]
"""Where a leaf is, and what it is before the loop, at the start of a turn and at its end."""

Spot: TypeAlias = tuple[int, int]
"""The number of a variable or a place, and of a leaf in it."""

__all__ = [
    "Turned",
    "at_once",
    "first_of",
    "in_order_of",
    "link_arrays",
    "met_outside",
    "note_made_arrays",
    "noting_where_raised",
    "refuse_rebound_array",
]


def at_once(nest: Any) -> Any:
    """A nest with what its arrays hold now in their place: they hold other values while a loop is traced."""
    builder = builder_in_use()
    leaves, structure = flatten(nest)
    if not any(map(ops.is_array, leaves)):
        return nest
    return unflatten(structure, [value_in(builder, leaf) if ops.is_array(leaf) else leaf for leaf in leaves])


def link_arrays(one: Any, other: Any) -> None:
    """Says that two arrays which a turn starts with may be one."""
    if isinstance(one, Symbol) and isinstance(other, Symbol):
        builder_in_use().arrays.may_be_same(one.value, other.value)


def note_made_arrays(nest: Any) -> None:
    """Says that the arrays which a turn starts with are the turn's own."""
    graph = builder_in_use().graph
    for leaf in flatten(nest)[0]:
        if ops.is_array(leaf) and leaf.value.node.graph is graph:
            meeting.note_made(leaf.value)


def first_of(places: Sequence[Place]) -> list[Place]:
    """Of what turns out to be carried: not yet what arrays hold that the other places hold.

    A turn that starts with another array in an attribute writes into that one. Whether it meets the first
    array under another name, too, shows when the attribute is carried.
    """
    holders = [place for place in places if not isinstance(place, ArrayContents)]
    held = {root_of(leaf) for place in holders for leaf in flatten(left_alone(place))[0]}
    return [place for place in places if not (isinstance(place, ArrayContents) and place.owner in held)]


def met_outside() -> set[Value]:
    """The arrays of the graphs around that the one which is built has met."""
    builder = builder_in_use()
    return {builder.arrays.root(value) for value in (*builder.captures, *builder.constants_around())}


@contextmanager
def noting_where_raised(
    starts: Sequence[Any], began: Sequence[tuple[Sequence[Any], Structure]]
) -> Iterator[list[Any]]:
    """While a turn is traced: what it has changed that raises is an array that is there before the loop.

    Parameters
    ----------
    starts : sequence of nest
        What the variables are before the loop.
    began : sequence of (sequence of leaves, structure)
        And when the turn starts: each of these may be what another one was a turn before.

    Yields
    ------
    list of nest
        Takes what the variables are when the turn is over, if it ever is.

    Raises
    ------
    GiveWay
        Where such an array is one of NumPy's.
    """
    changed, left = builder_in_use().context.changed_where_raised, list[Any]()
    known = len(changed)
    try:
        yield left
    finally:
        owners = {id(place.owner) for place in changed[known:]}
        entered = [leaf for leaves, _ in began for leaf in leaves if ops.is_array(leaf)]
        written = {leaf.dtype for leaf in entered if id(leaf.value) in owners}
        if written:
            forms = [form for _, form in began]
            pairs = [*zip(forms, starts, strict=True), *zip(forms, left, strict=False)]
            leaves = [leaf for pair in pairs for leaf in _leaves_as(*pair) or () if leaf is not ABSENT]
            arrays = [leaf for leaf in leaves if ops.is_array(leaf) or may_give_way(leaf)]
            before = [leaf for leaf in arrays if leaf.dtype in written]
            reached = [each for each in _reached(*before) if isinstance(each, Value)]
            changed += [ArrayContents(each) for each in reached if not is_of_graph(each)]
            numpys = [leaf for leaf in before if may_give_way(leaf) and not is_made_here(owner_of(leaf))]
            if numpys:
                raise GiveWay(numpys)


def refuse_rebound_array() -> NoReturn:
    """Says that an array is written to in a loop that binds its variable to another one."""
    raise of_arrays(
        StateDisagrees(
            "a loop writes into an array that is met under two names, and binds one of them to another array",
            where=caller_location(),
            why="From the second turn on, only the run knows which array the name means.",
            way_out="Copy the array before the loop (`x = x.copy()`), or write with `x[...] = value` "
            "in place of `x = value`.",
        )
    )


def refuse_listed_array() -> NoReturn:
    """Says that a loop puts an array into a list of the graph in one turn, and writes into it in the next."""
    raise of_arrays(
        StateDisagrees(
            "a loop writes into an array that it puts into a list, too",
            where=caller_location(),
            why="The list holds what the array held then, and in Python it holds the array.",
            way_out="Put a copy into the list: `items.append(x.copy())`.",
        )
    )


class Turned:
    """What a turn of a loop does to the arrays in variables, attributes and items.

    Parameters
    ----------
    rows : mapping of int to (nest, (sequence of leaves, structure), nest)
        By the number of a variable or place, which may hold arrays: what it holds before the loop, at the
        start of the turn, and at its end.
    changes : Changes
        The places that the turn changes.
    carried : set of hashable
        The keys of places that the loop carries.
    ending : collection of int
        The variables after whose binding there is no other turn: what `return` gives.
    tested : collection of Value
        The arrays that the test of the loop meets under names of its own.

    Attributes
    ----------
    cells : dict of (int, int) to bool
        What is an array without axes before the loop or at the end of the turn, by variable and leaf; and
        whether it is a number, too: there, or on some paths.
    """

    def __init__(
        self,
        rows: Mapping[int, tuple[Any, tuple[Sequence[Any], Structure], Any]] | None = None,
        changes: Changes | None = None,
        carried: set[Any] | None = None,
        ending: Collection[int] = (),
        tested: Collection[Value] = (),
    ) -> None:
        self._ending = ending
        self._slots: list[_Slot] = []
        self._written: set[Value] = set()
        self._met: set[Value] = set()
        self._changed: set[Value] = set()
        self._compared: set[Value] = set()
        self._unsure: set[Value] = set()
        self._doubted: set[Value] = set()
        self._homes: dict[Spot, Any] = {}
        self._forms: dict[int, Structure] = {}
        self.cells: dict[Spot, bool] = {}
        builder = current_builder()
        if builder is None or builder.strict or not rows:
            return
        arrays = builder.arrays
        for index, (start, (twos, form), end) in rows.items():
            if start is end and not (ops.is_array(start) or may_give_way(start)):
                continue  # what a container holds that stays the same one is a place of its own
            kept = {id(leaf) for leaf in twos if not ops.is_array(leaf)}
            ones, threes = [_leaves_as(form, nest, kept) for nest in (start, end)]
            if ones is not None and threes is not None:
                self._forms[index] = form
                for position, leaves in enumerate(zip(ones, twos, threes, strict=True)):
                    if ops.is_array(leaves[1]):
                        self._slots.append((index, position, *leaves))
                    if _has_become_cell(*leaves):
                        self.cells[index, position] = any(map(may_be_number, (leaves[0], leaves[2])))
        before = {own.value: start for *_, start, own, _ in self._slots if _is_own(own)}
        self._slots = [
            (i, at, _as_before(start, before), own, left) for i, at, start, own, left in self._slots
        ]
        self._homes = {(index, at): self._home(own, left) for index, at, _, own, left in self._slots}
        self._written = {
            place.owner for place, _ in (changes or {}).values() if isinstance(place, ArrayContents)
        }
        if not self._slots or not (arrays.contents or self._written or arrays.compared):
            return
        self._compared = arrays.compared
        self._met = {*met_outside(), *tested}
        self._met |= {root for *_, left in self._slots if (root := root_of(left)) is not None}  # as it leaves
        ids = {key[1] for key in carried or () if isinstance(key, tuple) and key[0] == "array"}
        self._met |= {array for array in arrays.contents if id(array) in ids}
        held = arrays.contents  # nobody knows what one holds that may be another one, which was written to
        own = [each.value for *_, each, _ in self._slots if _is_own(each)]
        self._changed = {each for each in own if each in held and _is_written(held[each])}
        self._unsure = {each for each in own if isinstance(held.get(each), Unknown)}
        self._doubted = {each[3].value for each in self._slots if self._is_rebound(each)} & self._unsure
        self._follow_to_later_turns(arrays)

    def changes_one_of(self, arrays: Collection[Value]) -> bool:
        """Whether the turn writes into a variable that starts as one of these arrays."""
        return any(
            own.value in self._changed and root_of(start) in arrays for *_, start, own, _ in self._slots
        )

    def _follow_to_later_turns(self, arrays: Arrays) -> None:
        """Adds the arrays that a later turn has in another variable, and writes to there."""
        entered = {row[3].value for row in self._slots}
        comes_from: dict[Value, set[Value]] = {}
        for *_, into, left in self._slots:
            end = root_of(left)
            if end is not None:
                comes_from[into.value] = {end} if end in entered else entered & arrays.kin(end).keys()
        rest = [*self._changed, *self._doubted]
        while rest:
            more = comes_from.get(rest.pop(), set()) - self._changed
            self._changed |= more
            rest += more

    @property
    def _meant(self) -> set[Value]:
        """The arrays of which it matters which ones they are: the turn writes into them, or compares them.

        Or may write into them: under a name that a `try` has bound, of which only the run knows what it is.
        """
        return self._changed | self._compared | self._doubted

    def _is_gone_with_the_turn(self, array: Array) -> bool:
        """Whether nobody has an array of NumPy's behind the turn, but what has a copy of what it holds."""
        return is_made_here(array) and all(
            owner_of(left) is not array for *_, left in self._slots if is_numpys(left)
        )

    def require_boxes(self) -> None:
        """Sees to it that arrays which the turn writes into, or into whose memory, are arrays of the graph.

        Raises
        ------
        GiveWay
            With those that are NumPy's.
        StateDisagrees
            When the graph does not hold one of them.
        """
        changed = [
            leaf
            for *_, start, each, left in self._slots
            if each.value in self._meant
            for leaf in (start, left)
        ]
        taken = builder_in_use().arrays.taken
        if any(root_of(leaf) in taken for leaf in changed):
            refuse_taken_array()
        found = [leaf for leaf in changed if may_give_way(leaf)]
        found += [start for *_, start, _, _ in self._slots if is_numpys(start) and has_given_way(start)]
        for root in filter(None, map(root_of, changed)):
            found += [each for each in shown_by(root) if not self._is_gone_with_the_turn(each)]
        if found:
            raise GiveWay(found)

    def _home(self, own: Symbol, left: Any) -> Any:
        """The array outside of the loop that a leaf is at the end of every turn; None where nobody knows.

        `own` is what the turn starts with in that place: a turn that leaves it has left what another one has.
        """
        arrays, around = builder_in_use().arrays, builder_in_use().parent
        found, rest, seen = None, [left], set[Value]()
        kept = [(start, each) for *_, start, each, end in self._slots if _is_own(each) and _is_one(each, end)]
        while rest:
            leaf = rest.pop()
            home = next((start for start, each in kept if _is_one(each, leaf)), leaf)
            if home is ABSENT or (_is_own(own) and _is_one(own, leaf)):
                continue
            if isinstance(home, Symbol) and home.value in arrays.chosen:
                if home.value not in seen:
                    seen.add(home.value)
                    rest += arrays.chosen[home.value]
                continue
            is_outer = ops.is_array(home) and around is not None and around.sees(home.value.node.graph)
            is_one = found is None or home is found or (is_outer and _is_one(home, found))
            if not (is_one and (is_outer or (is_numpys(home) and not is_made_here(owner_of(home))))):
                return None
            found = home
        return found

    def stays(self) -> dict[Spot, Any]:
        """Leaves of variables that are one array outside, in every turn but those before they are bound.

        A turn that writes into the array starts with it, and not with what it held before.
        """
        found = {}
        for index, position, start, entered, _ in self._slots:
            home = self._homes[index, position]
            if home is None or index in self._ending or not (start is ABSENT or start is home):
                continue
            if entered is not home and (root_of(home) in self._written or entered.value in self._meant):
                found[index, position] = home
        return found

    def _starts_at_home(self, slot: _Slot) -> bool:
        """Whether the loop starts with the array that every turn leaves, or with nothing."""
        index, position, start, *_ = slot
        return start is ABSENT or start is self._homes[index, position]

    def _is_rebound(self, slot: _Slot) -> bool:
        index, position, _, entered, left = slot
        return not (_is_one(entered, left) or _is_one(entered, self._homes[index, position]))

    def _is_met(self, array: Value) -> bool:
        """Whether the turn meets an array, or one that may be the same, under another name."""
        builder = builder_in_use()
        return not self._met.isdisjoint({array, *builder.arrays.kin(array)})

    def is_meant(self, array: Value) -> bool:
        """Whether the turn has an array, or one that may be it, by a name of its own, or writes into it."""
        alike = {array, *builder_in_use().arrays.kin(array)}
        return self._is_met(array) or not alike.isdisjoint(self._written | self._compared)

    def rebound(self) -> Iterator[Spot]:
        """The variables, and where in them, that the turn binds to other arrays."""
        return ((slot[0], slot[1]) for slot in self._slots if self._is_rebound(slot))

    def exchanged(self, keys: Sequence[Hashable]) -> Iterator[Exchanged]:
        """What the turn binds to arrays of which only the run knows which ones they are."""
        for slot in self._slots:
            index, position, start, entered, left = slot
            is_known = start is ABSENT and self._homes[index, position] is not None
            if _is_own(entered) and self._is_rebound(slot) and not is_known:
                yield Exchanged((keys[index], position), start, entered.value, left)

    def handed_on(self) -> dict[Spot, Any]:
        """What stays one array in every turn, and is what the turn leaves in another variable, too.

        Raises
        ------
        GiveWay
            With those of them that are NumPy's.
        """
        arrays = builder_in_use().arrays
        roots = [root_of(slot[-1]) for slot in self._slots if self._is_rebound(slot)]
        reached = {each for root in roots if root is not None for each in (root, *arrays.kin(root))}
        found = {
            (slot[0], slot[1]): slot[2]
            for slot in self._slots
            if slot[3].value in reached and _is_own(slot[3]) and not self._is_rebound(slot)
        }
        numpys = [start for start in found.values() if is_numpys(start)]
        if numpys:
            raise GiveWay(numpys)
        return {spot: start for spot, start in found.items() if ops.is_array(start)}

    def linked(self) -> Iterator[tuple[Spot, Spot]]:
        """The variables that hold one array after the turn, into which the turn writes: each with its leaf.

        `b = a` makes them one for the next turn, which writes into both when it writes into one.
        """
        arrays = builder_in_use().arrays
        ends = [
            (entered.value, (index, position), end)
            for index, position, _, entered, left in self._slots
            if index not in self._ending and (end := root_of(left)) is not None
        ]
        for number, (one, spot, end) in enumerate(ends):
            for other, other_spot, other_end in ends[:number]:
                if one is other or self._meant.isdisjoint((one, other)):
                    continue
                if end is other_end or end in arrays.kin(other_end):
                    yield other_spot, spot

    def other_names(self) -> tuple[dict[Spot, Any], list[tuple[Spot, Value]]]:
        """The variables that are one array of outside in every turn, and those that may be one.

        Of a variable that turns bind to another array, only the run knows whether it is the array that it
        starts with, or is left with: who reads one of the two after a write into the other one is told so.
        """
        arrays, around = builder_in_use().arrays, builder_in_use().parent
        if not arrays.listed.isdisjoint(self._changed | self._written):
            refuse_listed_array()
        same: dict[Spot, Any] = {}
        linked: list[tuple[Spot, Value]] = []
        starts: dict[Value, list[tuple[Spot, Any, Any, Any]]] = {}
        for slot in self._slots:
            index, position, start, entered, left = slot
            if entered.value is start_value(start) or index in self._ending or not _is_own(entered):
                continue
            spot, root, end = (index, position), root_of(start), root_of(left)
            is_rebound = self._is_rebound(slot)
            if is_rebound and entered.value in self._compared and end is not None and is_element(end):
                identity.refuse_comparison()
            if root is not None:
                starts.setdefault(root, []).append((spot, start, entered, is_rebound))
            for each in (root, end if is_rebound else None):
                is_changed = entered.value in self._meant
                is_written = each in self._written or each in self._compared
                if each is None or not (is_written or (is_changed and self._is_met(each))):
                    continue
                if is_rebound:
                    linked += [(spot, other) for other in (each, *arrays.kin(each))]
                else:
                    same[spot] = start
        for alike in _of_clans(starts):
            if len(alike) > 1 and any(entered.value in self._meant for _, _, entered, _ in alike):
                same |= {spot: start for spot, start, _, is_rebound in alike if not is_rebound}
                rebound = [(spot, arrays.root(start.value)) for spot, start, _, is_new in alike if is_new]
                linked += [(spot, each) for spot, root in rebound for each in (root, *arrays.kin(root))]
        return same, [each for each in linked if around is not None and around.sees(each[1].node.graph)]

    def _reached_by_turns(self, *leaves: Any) -> dict[Hashable, Any]:
        """The arrays that some leaves are, or may be: what a turn starts with is what one before has left."""
        found = _reached(*leaves)
        rest = self._slots
        while met := [slot for slot in rest if slot[3].value in found]:
            rest = [slot for slot in rest if slot[3].value not in found]
            for *_, start, _, left in met:
                found |= _reached(start, left)
        return found

    def given(
        self,
        results: Sequence[Any],
        numbers: LoopNumbers,
        keys: Sequence[Hashable],
        numbered: Sequence[Tensor] = (),
    ) -> list[Any]:
        """What the variables are after the loop, given what it leaves, and the numbers of arrays."""
        kept = list(results)
        builder = current_builder()
        if builder is None or not self._slots:
            return kept
        nests = {index: aligned_.Aligned(self._forms[index], kept[index]) for index, *_ in self._slots}
        made: dict[Value, Symbol] = {}
        new: list[_Result] = []
        for slot in self._slots:
            index, position, start, entered, left = slot
            leaves = nests[index].leaves
            result = leaves[position]
            if not isinstance(result, Symbol):
                continue
            note_array(result, start, left)
            if start is not ABSENT and not self._is_rebound(slot):
                is_array = ops.is_array(start)  # else the first turn has made one of a number
                if is_array and entered.value in self._changed:
                    ops.overwrite(start, result)
                leaves[position] = start if is_array or is_numpys(start) else result
            elif self._homes[index, position] is not None and self._starts_at_home(slot):
                leaves[position] = self._homes[index, position]
            elif start is ABSENT and isinstance(left, Symbol) and left.value in made:
                leaves[position] = made[left.value]
            elif not numbers.has((keys[index], position)):
                reached = self._reached_by_turns(start, left)
                if entered.value in self._changed or entered.value in self._unsure:
                    _lose(builder, reached)
                new.append(_Result(result.value, reached))
                if start is ABSENT and isinstance(left, Symbol):
                    made[left.value] = result
            else:  # numbers tell which arrays of outside it is, and which others that have numbers
                new.append(_Result(result.value, self._reached_by_turns(left), is_numbered=True))
        _tie(builder, new)
        spots = {(slot[0], slot[1]): (keys[slot[0]], slot[1]) for slot in self._slots}
        changed = {spots[slot[0], slot[1]] for slot in self._slots if slot[3].value in self._changed}
        numbers.leave({key: nests[spot[0]].leaves[spot[1]] for spot, key in spots.items()}, numbered, changed)
        return [nests[i].nest() if i in nests else each for i, each in enumerate(kept)]


def _has_become_cell(start: Any, entered: Any, left: Any) -> bool:
    """Whether what a turn starts with may be an array without axes."""
    is_scalar = type(entered) is Symbol and isinstance(entered.spec, ArraySpec) and entered.spec.shape == ()
    return is_scalar and _is_own(entered) and any(map(has_no_axes, (start, left)))


def _as_before(start: Any, before: Mapping[Value, Any]) -> Any:
    """What a variable starts with: a list that a turn has given what it starts with held this before."""
    return before.get(start.value, start) if isinstance(start, Symbol) else start


def _reached(*leaves: Any) -> dict[Hashable, Any]:
    """The arrays that some leaves are, or may be, by what tells them from each other."""
    arrays = builder_in_use().arrays
    found: dict[Hashable, Any] = {}
    for leaf in leaves:
        root = root_of(leaf)
        if root is not None:
            found |= {each: each for each in (root, *arrays.kin(root))}
            found |= {id(each): each for each in shown_by(root)}
        elif is_numpys(leaf):
            found[id(owner_of(leaf))] = leaf
    return found


def _lose(builder: Builder, reached: Mapping[Hashable, Any]) -> None:
    """Says that some arrays may have been written to in a loop."""
    where = caller_location()
    for each in reached.values():
        if isinstance(each, Value) and builder.sees(each.node.graph):
            builder.arrays.lose(each, where, by_turns=True)


def _is_written(held: Value | Unknown) -> bool:
    """Whether an array was written to, by its own name, and not only under one that may be another's."""
    return not isinstance(held, Unknown) or held.by_turns


class _Result(NamedTuple):
    """An array that a loop leaves."""

    value: Value
    reached: Mapping[Hashable, Any]
    """The arrays that it may be, before the loop and at the end of a turn."""
    is_numbered: bool = False


def _tie(builder: Builder, new: Sequence[_Result]) -> None:
    """Says which arrays the results of a loop may be, where no number does."""
    for number, result in enumerate(new):
        for each in () if result.is_numbered else result.reached.values():
            if not isinstance(each, Value):
                may_show(result.value, each)
            elif builder.sees(each.node.graph):
                builder.arrays.may_be_same(result.value, each)
        for other in new[:number]:
            shared = [result.reached[key] for key in result.reached.keys() & other.reached.keys()]
            if result.is_numbered and other.is_numbered:  # but for what a turn makes of NumPy's
                shared = [each for each in shared if is_numpys(each) and was_made_inside(owner_of(each))]
            if shared:
                builder.arrays.may_be_same(result.value, other.value)


def in_order_of(entered: Any, end: Any) -> Any:
    """What a turn leaves: one of several objects has those that the turn starts with in their places."""
    if is_numbered(end):
        return end
    if isinstance(entered, OneOf) and isinstance(end, OneOf):
        there, left = candidates_of(entered), candidates_of(end)
        new = [each for each in left if not any(each is one for one in there)]
        gone = [one for one in there if not any(each is one for each in left)]
        if len(new) != len(gone) or len(there) != len(left):
            return end
        rest = iter(new)
        placed = [next(rest) if any(each is one for each in gone) else one for one in there]
        return OneOf(number_of(end), tuple(placed))
    before, level = level_of(entered), level_of(end)
    if before is None or level is None or before[0] != level[0] or entered is end:
        return end
    inner = list(map(in_order_of, before[1], level[1]))
    is_same = all(one is other for one, other in zip(inner, level[1], strict=True))
    return end if is_same else level[0].build(inner)


def _leaves_as(structure: Structure, value: Any, kept: Set[int] = frozenset()) -> list[Any] | None:
    """The leaves of a value where a nest of some structure has them, which may have bits for what is missing.

    `ABSENT` where the value has nothing; None where it is of another form. `kept` are the ids of objects that
    are leaves themselves.
    """
    if value is None or isinstance(value, UndefinedReturnValue) or type(value) is Undefined:
        return [ABSENT] * structure.leaf_count
    if structure.kind is None:
        return [value]
    level = level_of(value)
    if level is not None and level[0] == Level(structure.kind, structure.keys, structure.extra):
        pairs = zip(structure.children, level[1], strict=True)
        return _all([_leaves_as(inner, child, kept) for inner, child in pairs])
    if structure.kind is fields.Fields and isinstance(value, fields.Fields):
        held = fields.aligned(structure.keys, value)
        return None if held is None else _all(list(map(_leaves_as, structure.children, held)))
    if structure.kind in (MaybeNone, MaybeUndefined):
        inside = _leaves_as(structure.children[1], value, kept)
        return None if inside is None else [ABSENT, *inside]
    if structure.kind is OneOf and not isinstance(value, OneOf):
        return _as_candidate(structure, value, kept)
    return None


def _all(found: list[list[Any] | None]) -> list[Any] | None:
    return None if None in found else [leaf for leaves in found for leaf in leaves or ()]


def _as_candidate(structure: Structure, value: Any, kept: Set[int]) -> list[Any]:
    """The leaves of one of several objects: of each candidate of its form, as it may be any of these."""
    found = []
    for child in structure.children:
        may_be = child.kind is not None and id(value) not in kept
        found.append((_leaves_as(child, value, kept) if may_be else None) or [ABSENT] * child.leaf_count)
    return [leaf for leaves in found for leaf in leaves]


def _of_clans(rows: Mapping[Value, list[_Row]]) -> Iterator[list[_Row]]:
    """The rows of each array, with those of the arrays that may be the same."""
    arrays = builder_in_use().arrays
    for array, own in rows.items():
        yield [*own, *[row for other in arrays.kin(array) for row in rows.get(other, ())]]


def _is_one(entered: Symbol, *leaves: Any) -> bool:
    """Whether leaves are what a turn started with."""
    return all(isinstance(leaf, Symbol) and leaf.value is entered.value for leaf in leaves)


def _is_own(entered: Symbol) -> bool:
    """Whether what a turn starts with is a value of the turn, and not an array of outside."""
    return entered.value.node.graph is builder_in_use().graph


def start_value(start: Any) -> Value | None:
    """The value of a start that is a tensor of a graph."""
    return start.value if isinstance(start, Symbol) else None
