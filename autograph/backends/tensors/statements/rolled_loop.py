"""`RolledLoop`: a loop over numbers of Python's, traced until each turn leaves what the next one expects."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, NoReturn

from autograph.backends.tensors.arrays.arrays import ArrayContents, frozen, root_of
from autograph.backends.tensors.containers.lists import StagedList, changes_in_place
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.iteration.items import MOST_COPIES
from autograph.backends.tensors.statements.loops import Loop, StartAnew
from autograph.backends.tensors.statements.memory import key_of
from autograph.backends.tensors.statements.numbers_that_meet import require_unseen
from autograph.backends.tensors.statements.outer_objects import OuterObject, released
from autograph.backends.tensors.statements.paths import Changes
from autograph.backends.tensors.statements.retracing import GiveWay, Grows
from autograph.backends.tensors.statements.savepoint import Savepoint
from autograph.backends.tensors.statements.slots import Slot
from autograph.backends.tensors.statements.sound_numbers import require_sound
from autograph.backends.tensors.statements.turn_numbers import (
    MOST_TABLED,
    NUMBERS,
    Guess,
    TurnNumber,
    by_turn,
    number_at,
    same_number,
)
from autograph.backends.tensors.statements.turns import GiveUp, Turns
from autograph.staging.backend import LoopOptions
from autograph.staging.context import staging
from autograph.staging.heap import moved_to
from autograph.staging.places import CONTAINERS, Contents, Place
from autograph.staging.state import State, Undefined, UndefinedReturnValue
from runtime.core.spec import ListSpec
from runtime.core.structure import LEAF, Structure, flatten, level_of, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.graph.build import builder_in_use, current_builder, is_symbolic, is_weak, spec_of
from runtime.graph.graph import Value
from runtime.graph.op import Const
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.tracing import operand
from runtime.ops.joining import Pack
from runtime.ops.tensor_list.base import ListOp

__all__ = ["MadeWayInVain", "RolledLoop"]

_MOST_STARTS = 12
"""Turns that are traced to find what the loop carries."""


class MadeWayInVain(BaseException):  # a signal of a loop to itself, never seen outside
    """An array of NumPy's gave way to one of the graph, and no turn is known to write into it.

    Parameters
    ----------
    before : Savepoint
        When it had not.
    """

    def __init__(self, before: Savepoint) -> None:
        super().__init__()
        self.before = before


class RolledLoop(Loop):
    """A loop over numbers of Python's, of which each turn leaves what the next one expects."""

    def __init__(
        self,
        state: State,
        options: LoopOptions,
        turns: Turns,
        test: Callable[..., Any],
        turn: Callable[..., tuple[Tensor, ...]],
    ) -> None:
        self._turns = turns
        self._entering: dict[tuple[Hashable, int], TurnNumber] = {}
        self._starts: dict[tuple[Hashable, int], Any] = {}
        self._has_computed = False
        self._last: dict[int, Any] = {}
        self._has_moved = False
        self._given_way: list[Any] = []
        self._made_anew: dict[Hashable, Any] = {}
        self._has_grown = False
        self._noticed = len(builder_in_use().context.notices)
        self._before: Savepoint | None = None
        """When arrays gave way of which no turn has shown that it writes into them."""
        super().__init__(state, options, (turns.items[0],), test, turn, None)

    def _first_slots(self) -> list[Slot]:
        held = set(map(id, self._state.get()))
        arrays = [each for each in self._foreseen.arrays() if id(each) in held]
        if arrays and self._turns.expects_writes:
            self._before, self._has_moved = Savepoint(), True
            try:
                self._watch.make_way(arrays)
            except Exception as error:  # noqa: BLE001  # a turn that writes into them says what there is to say
                self.require_confirmed(error)
            self._given_way = list(map(moved_to, arrays))
        slots = [*self._variables(), *map(self._slot_of, self._watch.memory.places())]
        for index, slot in enumerate(slots):
            slot.form = self._form(self._key(index, slot), slot)
        return slots

    def _slot_of(self, place: Place) -> Slot:
        slot = super()._slot_of(place)
        slot.form = self._form(key_of(place), slot)
        return slot

    def _nest(self, slot: Slot, value: Any) -> Any:
        """A value with every object that stays what it is as a leaf; what a container holds is no object."""
        if isinstance(slot.place, Contents) and isinstance(value, CONTAINERS):
            level = level_of(value)
            if level is None:
                raise GiveUp(f"{slot.name} changes, which is a {type(value).__name__}")
            return level[0].build([self._joins.keep(child) for child in level[1]])
        return self._joins.keep(value)

    def _form(self, key: Hashable, slot: Slot) -> Any:
        """What the loop carries of a slot: its tensors; all else stays out of the graph."""
        if isinstance(slot.start, Undefined | UndefinedReturnValue):
            return slot.start
        leaves, structure = flatten(self._start_nest(key, slot))
        for leaf in leaves:
            staging.attempts[-1].read(leaf.value if isinstance(leaf, OuterObject) else leaf)
        return unflatten(
            structure,
            [
                leaf if _is_carried(leaf) or isinstance(leaf, OuterObject) else OuterObject(entering)
                for index, leaf in enumerate(leaves)
                for entering in [self._entering.get((key, index), leaf)]
            ],
        )

    def _start_nest(self, key: Hashable, slot: Slot) -> Any:
        """What a slot starts with; a list in whose place each turn leaves another one, by what is in it."""
        return self._made_anew[key] if key in self._made_anew else self._nest(slot, slot.start)

    def _require_foreseen(self, changes: Changes) -> None:
        """Sees to it that turns write into the arrays that have given way for them."""
        super()._require_foreseen(changes)
        pairs = zip(self._slots, self._row, strict=True)
        left = [value for slot, value in pairs if any(slot.start is each for each in self._given_way)]
        if not all(map(_is_written, left)):
            self.require_confirmed()
        self._before = None

    def require_confirmed(self, error: BaseException | None = None) -> None:
        """Sees to it that no array has given way of which it is not known whether turns write into it.

        Raises
        ------
        MadeWayInVain
        """
        if self._before is not None:
            raise MadeWayInVain(self._before) from error

    def _foresee(self, following: Sequence[Any], after: Sequence[Any], changes: Changes) -> None:
        """Learns nothing of a turn that does not know yet what enters it."""

    def _conformed(self, following: Sequence[Any], after: Sequence[Any], changes: Changes) -> list[Any]:
        del following
        body = current_builder()
        assert body is not None, "a turn is recorded in the graph of the body"
        self._joins.builders = self._builder, body
        self._joins.ends = {}, self._watch.ends
        self._joins.contents = self._watch.contents(
            [slot.place for slot in self._slots if slot.place is not None], after
        )
        self._last.clear()
        unlike: list[tuple[str, tuple[Hashable, int], Any, Any]] = []
        rows = []
        is_news = False
        for index, (slot, value) in enumerate(zip(self._slots, after, strict=True)):
            if not slot.carried:
                if type(value) is not type(slot.form):
                    raise self._otherwise(f"`{slot.name}` gets a value only now")
                continue
            leaves, structure = flatten(slot.form)
            key, row = self._key(index, slot), []
            left, other = flatten(self._nest(slot, value))
            if structure != other or key in self._made_anew:
                left, other = flatten(self._left_anew(index, slot, value))
            starts, known = flatten(self._start_nest(key, slot))
            if structure != known:
                is_news = True
                continue
            for position, (start, form, leaf) in enumerate(zip(starts, leaves, left, strict=True)):
                found = self._conformed_leaf(slot, form, leaf)
                if found is None:
                    unlike.append((slot.name, (key, position), start, leaf))
                    self._starts.setdefault((key, position), start)
                row.append(form if found is None else found)
            rows.append(frozen(unflatten(structure, row), changes.values(), body))
        if unlike or is_news:
            if not is_news:  # else numbers of Python's have no places yet
                self._learn(unlike)
            for index, slot in enumerate(self._slots):
                slot.form = self._form(self._key(index, slot), slot)
            raise StartAnew
        require_sound(body.nodes, self._turns.shown)
        if (self._has_grown or self._made_anew) and any(
            not values for _, _, values in self._builder.context.notices[self._noticed :]
        ):
            raise GiveUp("numbers of several kinds are in a list")  # each of which Python's keeps as it is
        require_unseen(body.nodes, staging.attempts[-1].mixed, rows)
        return rows

    def _left_anew(self, index: int, slot: Slot, value: Any) -> Any:
        """What a turn leaves in the place of a list that it does not change, but makes another one for.

        The list is what is in it, then, and nobody can tell which of the two is there.

        Raises
        ------
        GiveUp
            Where that is something else than a list for Python.
        """
        if not other_names().rolls_freely():
            raise self._otherwise(f"`{slot.name}` changes its structure")
        key = self._key(index, slot)
        start, left = self._joins.pair_of_row(index, slot.name, slot.start, value)
        structure = flatten(start)[1]
        if flatten(left)[1] != structure or not _is_of_lists(structure):
            raise self._otherwise(f"`{slot.name}` changes its structure")
        if structure.kind is StagedList and type(slot.start) is type(value) is list and not self._is_long:
            raise GiveUp(f"`{slot.name}` gets longer or shorter")
        self._made_anew.setdefault(key, start)
        return left

    def _conformed_leaf(self, slot: Slot, form: Any, leaf: Any) -> Any:
        """What a turn leaves in the place of a leaf; None where something else has to enter it."""
        if not isinstance(form, OuterObject):
            if not _is_carried(leaf) or spec_of(operand(leaf)) != spec_of(operand(form)):
                raise self._otherwise(f"`{slot.name}` becomes something else")
            is_of_list = isinstance(spec_of(operand(leaf)), ListSpec)
            if is_weak(operand(leaf)) != is_weak(operand(form)) and not is_of_list:
                raise self._otherwise(f"`{slot.name}` becomes something else")
            return leaf
        entered = form.value
        value = leaf.value if isinstance(leaf, OuterObject) else leaf
        if isinstance(entered, TurnNumber):
            if isinstance(entered, Guess) or not entered.ag__follows(value):
                return None
            self._last[id(entered)] = value.ag__values[-1]
            return form
        if _has_taken_place(value, entered):
            self._has_moved = True
            return form
        return form if entered is value or same_number(entered, value) else None

    def settle(self) -> None:
        """Adds the loop to the graph.

        Raises
        ------
        GiveUp, Exception
            When it cannot be one of the graph.
        """
        for _ in range(_MOST_STARTS):
            if self.stage():
                break
        else:
            raise GiveUp("what it carries does not settle")

    def _traced(self, start: tuple[Any, ...]) -> Any:
        result = super()._traced(start)
        self._require_wait()
        return result

    def _require_wait(self) -> None:
        """Sees to it that a loop has to wait for the run, for which an array gives way to one of the graph.

        Raises
        ------
        GiveUp
            Where all that it starts with is known: Python does it while the function is traced.
        """
        if self._has_moved:
            loop = next(node for node in reversed(self._builder.nodes) if node.op.regions)
            if all(map(_is_known, loop.inputs)):
                raise GiveUp("nothing in it is known only when it runs")

    def _learn(self, changes: Sequence[tuple[str, tuple[Hashable, int], Any, Any]]) -> None:
        """Has numbers enter the turns as what the turn that was traced says of them.

        At first each is thought to go up by the same step. Where that is not so, all are guesses in the next
        trace, which says how they come about, and Python computes them turn by turn. The trace after that
        says whether this was right.

        Parameters
        ----------
        changes : sequence of (str, key, start, left)
            The numbers with their names: what they are before all turns, and what one leaves in their place.
        """
        if len(self._turns.items) > MOST_TABLED:
            raise GiveUp("there are too many turns to compute a number for each")
        _require_no_exchange([(start, left) for _, _, start, left in changes])
        for name, _, start, left in changes:
            kind = left.ag__kind if isinstance(left, TurnNumber) else type(left)
            if is_symbolic(left):
                raise self._otherwise(f"`{name}` becomes a tensor")
            if type(start) is not kind or kind not in NUMBERS:
                raise self._otherwise(f"`{name}` changes, and is no tensor")
        entering = [self._entering.get(key) for _, key, _, _ in changes]
        if all(isinstance(each, Guess) for each in entering) and len(changes) == len(self._entering):
            self._compute(changes)
            return
        simple = [self._simple(start, left) for _, _, start, left in changes]
        if all(each is None for each in entering) and all(each is not None for each in simple):
            found = zip([key for _, key, _, _ in changes], simple, strict=True)
            self._entering |= {key: each for key, each in found if each is not None}
            return
        if self._has_computed:
            raise GiveUp(f"`{changes[0][0]}` is a number of Python's whose next turn nobody knows")
        self._guess(changes)

    def _simple(self, start: Any, left: Any) -> TurnNumber | None:
        """What enters the turns where the next ones go on as the first; None where they cannot."""
        items = self._turns.items
        if type(start) is int and type(left) is int:
            factor, rest = divmod(left - start, items.step)
            if not rest:
                return TurnNumber({self._turns: factor}, start - factor * items.start)
            found = by_turn(self._turns, [start + (left - start) * turn for turn in range(len(items))])
        elif isinstance(left, TurnNumber) and not isinstance(left, Guess) and left.ag__turns == {self._turns}:
            found = by_turn(self._turns, [start, *left.ag__values[:-1]])
        else:
            return None
        return found if isinstance(found, TurnNumber) else None

    def _guess(self, changes: Sequence[tuple[str, tuple[Hashable, int], Any, Any]]) -> None:
        """Has all numbers that change enter the next trace as guesses."""
        self._starts |= {key: start for _, key, start, _ in changes}
        for key in [*self._entering, *[key for _, key, _, _ in changes]]:
            place = list(self._starts).index(key)
            self._entering[key] = Guess(self._turns, self._starts[key], partial(_entered, place))

    def _compute(self, changes: Sequence[tuple[str, tuple[Hashable, int], Any, Any]]) -> None:
        """Has Python compute what guesses are, turn by turn."""
        lefts = {key: left for _, key, _, left in changes}
        try:
            columns = self._columns([lefts[key] for key in self._starts])
        except Exception as error:
            raise GiveUp(f"a turn raises {type(error).__name__}") from error
        for key, column in zip(self._starts, columns, strict=True):
            found = by_turn(self._turns, column)
            if isinstance(found, TurnNumber):
                self._entering[key] = found
            else:
                del self._entering[key]
        self._has_computed = True

    def _columns(self, lefts: Sequence[Any]) -> list[list[Any]]:
        """What the numbers are in each turn, given what a turn leaves in the place of each guess."""
        entering = list(self._starts.values())
        columns: list[list[Any]] = [[] for _ in entering]
        for turn in range(len(self._turns.items)):
            for column, number in zip(columns, entering, strict=True):
                column.append(number)
            entering = [number_at(left, turn, entering) for left in lefts]
        return columns

    def _left(self, forms: Sequence[Any]) -> Sequence[Any]:
        return [map_leaves(self._left_leaf, form) for form in forms]

    def _left_leaf(self, leaf: Any) -> Any:
        """A number as it is after the last turn."""
        is_number = isinstance(leaf, OuterObject) and isinstance(leaf.value, TurnNumber)
        return OuterObject(self._last[id(leaf.value)]) if is_number else leaf

    def _grow(self, growth: Grows) -> None:
        if not growth.keeps_lengths and not (self._is_long and other_names().rolls_freely()):
            raise GiveUp("a list of Python's grows") from growth
        self._has_grown |= not growth.keeps_lengths
        self._has_moved |= self._has_grown
        self._made_anew.clear()
        super()._grow(growth)

    def _otherwise(self, reason: str) -> GiveUp:
        """What is raised for what a turn leaves; where a number decides, others may leave what suits."""
        return GiveUp(reason, self._turns.first_change)

    @property
    def _is_long(self) -> bool:
        """Whether lists may lose their lengths, as they do where an array has so many elements."""
        return len(self._turns.items) > MOST_COPIES

    def _give_way(self, found: GiveWay) -> NoReturn:
        raise GiveUp("an array of NumPy's gives way to one of the graph") from found


def _require_no_exchange(pairs: Sequence[tuple[Any, Any]]) -> None:
    """Sees to it that a turn does not leave lists in one another's places: several turns are one, then.

    Raises
    ------
    GiveUp
    """
    objects = [released(pair) for pair in pairs if all(isinstance(each, OuterObject) for each in pair)]
    places = {id(start): id(left) for start, left in objects if changes_in_place(start)}
    if not places or {*places} != {*places.values()}:
        return
    after, period = places, 1
    while any(key != place for key, place in after.items()):
        after, period = {key: places[place] for key, place in after.items()}, period + 1
        if period > _LONGEST_PERIOD:
            return
    raise GiveUp("a turn exchanges lists", period=period)


_LONGEST_PERIOD = 4
"""Turns of the program that may be one of the graph."""


def _is_known(value: Value) -> bool:
    """Whether a value is a constant, or a list of constants."""
    node = value.node
    is_list = isinstance(node.op, ListOp | Pack)
    return isinstance(node.op, Const) or (is_list and all(map(_is_known, node.inputs)))


def _is_of_lists(structure: Structure) -> bool:
    """Whether a nest is of lists and tuples, in which there is nothing that a loop chooses from."""
    return structure.kind in _LISTS and all(
        child is LEAF or _is_of_lists(child) for child in structure.children
    )


_LISTS = frozenset({list, tuple, StagedList})


def _is_carried(leaf: Any) -> bool:
    """Whether a leaf is a tensor of the graph."""
    return is_symbolic(leaf)


def _is_written(array: Any) -> bool:
    """Whether a turn has written into an array, and does not leave it as it was when the turn started."""
    root = root_of(array)
    return root is not None and ArrayContents(root).get() is not root


def _has_taken_place(left: Any, entered: Any) -> bool:
    """Whether what a turn leaves is the array of the graph in the place of the array that has entered it."""
    moved = moved_to(entered)
    is_other = moved is not entered and isinstance(moved, Symbol)
    return is_other and isinstance(left, Symbol) and moved.value is left.value


def _entered(place: int, turn: int, entering: Sequence[Any]) -> Any:
    """The guess itself that enters a turn, of all that do."""
    del turn
    return entering[place]
