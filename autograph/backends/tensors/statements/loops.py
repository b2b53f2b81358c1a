"""Staging of loops: the body is traced until what the loop carries has reached a fixpoint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence, Set
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any, TypeAlias

from autograph.backends.tensors.arrays.arrays import ArrayContents, frozen
from autograph.backends.tensors.arrays.outside import ArraysOutside
from autograph.backends.tensors.arrays.turned import (
    Turned,
    in_order_of,
    met_outside,
    note_made_arrays,
    noting_where_raised,
    refuse_rebound_array,
)
from autograph.backends.tensors.containers.copied import Copied
from autograph.backends.tensors.containers.links import is_left_for, without_held_by
from autograph.backends.tensors.containers.lists import SINGLE, changes_in_place
from autograph.backends.tensors.containers.origins import is_followed
from autograph.backends.tensors.containers.other_names import Copy, Spot
from autograph.backends.tensors.containers.outdating import Expected
from autograph.backends.tensors.containers.sharing import (
    containers_within,
    ids_within,
    note_copies,
    outdated_with,
    require_still_apart,
    unite,
)
from autograph.backends.tensors.statements.foreseen import Foreseen, forms_of_tensors, not_carried
from autograph.backends.tensors.statements.joins import Joins
from autograph.backends.tensors.statements.kept_functions import require_outer_variables
from autograph.backends.tensors.statements.memory import key_of
from autograph.backends.tensors.statements.named_in_turns import changed_by_name
from autograph.backends.tensors.statements.outer_objects import OuterObject, released
from autograph.backends.tensors.statements.outgrown import require_lengths
from autograph.backends.tensors.statements.paths import (
    Changes,
    Watch,
    following,
    give,
    left_alone,
    restored_on_error,
    seen_in,
)
from autograph.backends.tensors.statements.raising import Signal, outcome_or_raise
from autograph.backends.tensors.statements.retracing import GiveWay, Grows, Unsure
from autograph.backends.tensors.statements.slots import Depths, Slot, made_anew, without_gaps, zeros_of
from autograph.backends.tensors.strict import defined_before, in_turn, refuse_growth, require_iteration
from autograph.staging import heap
from autograph.staging.backend import Body, LoopOptions
from autograph.staging.context import Turn, staging
from autograph.staging.journal import recording
from autograph.staging.notes import note_written, now, without_writing_back
from autograph.staging.places import Contents, Place
from autograph.staging.state import Role, State, Undefined
from runtime import ops
from runtime.core.spec import Spec
from runtime.core.structure import Structure, flatten, flatten_shared, unflatten
from runtime.core.tensor import Tensor
from runtime.errors import Error, StateDisagrees
from runtime.graph.build import builder_in_use, building, current_builder, is_strict
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.refusals import forget_since, refusals
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import settling_loop, while_loop
from runtime.ops.control_flow.tracing import predicate

__all__ = ["Loop", "StartAnew", "stage_loop", "stage_while"]


def stage_loop(
    state: State,
    options: LoopOptions,
    counters: tuple[int, ...],
    test: Callable[..., Any],
    turn: Callable[..., tuple[Tensor, ...]],
    first: Any = None,
    changes: Sequence[Place] = (),
) -> tuple[Any, ...]:
    """A loop over the state and, in front of it, counters that `test` and `turn` take.

    What a loop carries shows only when its body is traced: places that it changes, variables that get their
    first value there, a value in the place of None. Whenever something new shows, the loop starts anew.

    Gives what the counters are when it is over.

    `first` is what the test has given already, where it may have effects: those are the body's then; and
    `changes` are the places that the loop is made to change.
    """
    state = following(state)
    with restored_on_error(state):
        loop = Loop(state, options, counters, test, turn, first, changes)
        rounds = 0
        while not loop.stage():
            rounds += 1
            if rounds == _MOST_STARTS or loop.chases:
                raise loop.unsettled()
        return loop.counted


def stage_while(
    state: State, options: LoopOptions, test: Callable[[], Any], body: Body, first: Any = None
) -> None:
    """A loop over the state alone, whose test and turn take nothing."""

    def turn() -> tuple[()]:
        body()
        return ()

    stage_loop(state, options, (), test, turn, first)


_MOST_STARTS = 48
"""Attempts in which what a loop carries must be found."""
_MOST_CHASED = 2
"""Attempts that may find another object in the same place of a variable, made by the turn, that grows."""
_MOST_SHOWN = 5
"""Attempts that the message shows, where that is not enough."""


Made: TypeAlias = dict[tuple[Hashable, Spot], Any]
"""The containers that are there for one turn, by the slot, and where in it they are."""


class StartAnew(Signal, Exception):  # a signal of a loop's turn to the loop, never seen outside
    """A turn showed something new that the loop has to carry."""


class Loop:
    """A staged loop, until what it carries is known."""

    def __init__(
        self,
        state: State,
        options: LoopOptions,
        counters: tuple[int, ...],
        test: Callable[..., Any],
        turn: Callable[..., tuple[Tensor, ...]],
        first: Any,
        changes: Sequence[Place] = (),
    ) -> None:
        self.counted: tuple[Any, ...] = ()
        self._first = first
        self._state = state
        self._options = options
        self._counters: tuple[Any, ...] = counters
        self._test = test
        self._turn = turn
        builder = builder_in_use()
        self._builder = builder
        self._watch = Watch(state, (turn, test))
        self._joins = Joins((builder, builder), self._watch.outlives, self._watch.is_of_turn)
        self._location = caller_location()
        self._joins.where, self._joins.around = self._location, builder
        self._joins.before = self._watch.begun
        named = {**self._watch.named, **dict(zip(state.labels, state.get(), strict=True))}
        names = () if is_strict() else changed_by_name()
        self._foreseen = Foreseen((self._location, state.names), named, changes, names)
        self._slots = self._first_slots()
        self._turned = Turned()
        self._tested: set[Value] = set()
        self._arrays = ArraysOutside()
        self._rounds: list[str] = []
        self._depths = Depths(self._location)
        self._row: list[Any] = []
        self._expected = Expected(self._watch.memory.outdates)
        self._outdated_before = staging.outdated
        self._elements: dict[int, Any] = {}
        self._told_before = 0
        self._was_tangled = staging.tangled
        self._element_spots: set[tuple[Hashable, Spot]] = set()
        self._always_raises = False
        self._grown: dict[tuple[Hashable, int], list[Any]] = {}
        if self._watch.memory.test_has_effects and first is not None:
            self._move_test_into_body()

    def _first_slots(self) -> list[Slot]:
        """The variables, and what is known of places and forms since the loop was traced before."""
        places = self._watch.memory.places()
        places += self._foreseen.places({place.key for place in places})
        slots = [*self._variables(), *map(self._slot_of, places)]
        for index, slot in enumerate(slots):
            key = self._key(index, slot)
            known = self._watch.memory.forms.get(key)
            if key in self._watch.memory.fixed and ops.is_array(slot.start):
                slot.is_fixed = True
                slot.form = OuterObject(slot.start)
            elif known is not None:
                self._recall(slot, *known)
        return slots

    def _key(self, index: int, slot: Slot) -> Hashable:
        return index if slot.place is None else key_of(slot.place)

    @property
    def _keys(self) -> list[Hashable]:
        return [self._key(index, slot) for index, slot in enumerate(self._slots)]

    def _fix(self, index: int) -> None:
        """Has a variable be the same array in every turn."""
        slot = self._slots[index]
        slot.is_fixed = True
        slot.form = OuterObject(slot.start)
        self._watch.memory.fixed.add(self._key(index, slot))

    def _recall(self, slot: Slot, structure: Structure, leaves: Sequence[tuple[Spec, bool]]) -> None:
        """Gives a slot the form in which the loop carried it before."""
        if structure != flatten(slot.form)[1] or not slot.carried:
            zeros = [zeros_of(spec, self._builder, is_pythons=is_pythons) for spec, is_pythons in leaves]
            model = unflatten(structure, zeros)
            start, model = self._joins.pair(slot.name, slot.start, model, slot.missing)
            slot.widen(start, model, self._builder)

    def _variables(self) -> list[Slot]:
        before = self._state.get()
        return [
            Slot(name, value, self._joins.keep(value))
            for name, value in zip(self._state.labels, before, strict=True)
        ]

    def stage(self) -> bool:
        """Adds the loop to the graph; False when it has to start anew with what was learnt."""
        forms = [f"{slot.name} {flatten(slot.form)[1]}" for slot in self._slots if slot.carried]
        self._rounds.append(f"round {len(self._rounds)}: {', '.join(forms) or 'nothing yet'}")
        self._depths.require_few(zip(self._keys, self._slots, strict=True))
        start, since = self._start(), refusals()
        try:
            with self._watch.tracing():
                result = self._traced(start)
        except Unsure:
            self._enter([slot.start for slot in self._slots])
            return False
        except StartAnew:
            self._watch.reconsider()
            self._enter([slot.start for slot in self._slots])
            return False
        except Grows as growth:
            refuse_growth([owner for owner, _ in growth.models])
            self._enter([slot.start for slot in self._slots])
            growth.pass_on()
            self._watch.reconsider()
            self._grow(growth)
            return False
        except GiveWay as found:
            self._enter([slot.start for slot in self._slots])
            self._watch.reconsider()
            self._give_way(found)
            return False
        except BaseException as error:
            self._enter([slot.start for slot in self._slots])
            if not isinstance(error, Error) or not self._foreseen.takes_back():
                raise
            forget_since(since)
            self._watch.reconsider()
            self._slots = self._first_slots()
            return False
        self._enter([slot.start for slot in self._slots])
        self.counted = tuple(result[: len(self._counters)])
        behind = len(result) - len(self._arrays.numbers)
        filled = self._filled(released(self._left(result[len(self._counters) : behind])))
        left = self._turned.given(filled, self._arrays.numbers, self._keys, result[behind:])
        variables = len(self._state.names)
        starts, names = [slot.start for slot in self._slots], [slot.name for slot in self._slots]
        if self._always_raises:  # where the loop is over, no turn was begun
            left = [*starts[:variables], *left[variables:]]
        self._state.set(tuple(left[:variables]))
        kept = ids_within([*starts, *self._row, *self._kept])
        give([slot.place for slot in self._slots if slot.place is not None], left[variables:])
        rows = [starts, *([self._row] if self._row else [])]
        for side, originals in enumerate(rows):
            note_copies(
                originals,
                left,
                names,
                side,
                are_contents=self._are_contents,
                kept=kept,
                chosen=self._joins.chosen,
                elements=self._watch.elements if side else staging.copies,
                outdated=self._watch.outdated if side else self._outdated_before,
            )
        ends = self._watch.elements.items()
        staging.copies = {**{key: each.of_copy(each.value) for key, each in ends}, **staging.copies}
        heap.outdate({**staging.outdated, **self._watch.outdated})
        return True

    def _left(self, forms: Sequence[Any]) -> Sequence[Any]:
        """What the loop leaves in the slots that it carries."""
        return forms

    def _grow(self, growth: Grows) -> None:
        """Puts lists of the graph in the places of lists that the loop makes longer."""
        self._note_grown({id(owner) for owner, _ in growth.models})
        self._watch.become_staged(growth.models)
        self._slots = self._first_slots()

    def _note_grown(self, owners: Collection[int]) -> None:
        """Keeps where variables hold objects that grow: those of another attempt are others, or the same."""
        for key, slot in zip(self._keys, self._slots, strict=True):
            for place, leaf in enumerate(flatten(slot.form)[0]):
                if isinstance(leaf, OuterObject) and id(leaf.value) in owners:
                    found = self._grown.setdefault((key, place), [])
                    found += [] if any(each is leaf.value for each in found) else [leaf.value]

    @property
    def chases(self) -> bool:
        """Whether each attempt makes a list of the graph of an object that the next one makes anew."""
        return any(len(found) > _MOST_CHASED for found in self._grown.values())

    def _give_way(self, found: GiveWay) -> None:
        """Puts arrays of the graph in the places of arrays of NumPy's that the loop writes into."""
        self._watch.make_way(found.arrays)
        self._slots = self._first_slots()

    @property
    def _are_contents(self) -> list[bool]:
        """Of the places, which of them are what a container holds."""
        return [isinstance(slot.place, Contents) for slot in self._slots if slot.place is not None]

    def _names(self) -> list[str]:
        """What the variables of the loop are called: counters, the carried slots, numbers of arrays."""
        carried = [slot.name for slot in self._slots if slot.carried]
        numbers = ["the number of an array"] * len(self._arrays.numbers)
        return [*["the loop counter"] * len(self._counters), *carried, *numbers]

    def _traced(self, start: tuple[Any, ...]) -> Any:
        """What the variables are after the loop, which starts with these."""
        names = self._names()
        invariants, limit = self._invariants(), self._options.maximum_iterations
        if limit is None:
            settled = self._watch.memory.settled
            return settling_loop(
                self._going, self._once, start, settled, names=names, shape_invariants=invariants
            )
        return while_loop(
            self._going,
            self._once,
            start,
            names=names,
            shape_invariants=invariants,
            maximum_iterations=limit,
        )

    def _filled(self, values: Sequence[Any]) -> list[Any]:
        """A value for every slot, of those that are carried."""
        rest = iter(values)
        return [next(rest) if slot.carried else slot.start for slot in self._slots]

    def _enter(self, values: Sequence[Any]) -> None:
        """Gives every slot its value."""
        variables = len(self._state.names)
        self._state.set(tuple(values[:variables]))
        with without_writing_back():
            for slot, value in zip(self._slots[variables:], values[variables:], strict=True):
                assert slot.place is not None, "the slots behind the variables are places"
                slot.place.set(value)
        note_written()

    def _enter_turn(self, carried: Sequence[Any]) -> tuple[list[Any], Made]:
        """Gives every slot the value that a turn starts with; and says what is there for this turn."""
        values = self._arrays.entered(self._filled(released(carried)), self._keys)
        starts, names = [slot.start for slot in self._slots], [slot.name for slot in self._slots]
        kept = ids_within([*starts, *self._kept])
        contents, chosen = self._are_contents, self._joins.chosen
        self._enter(values)
        begun = self._watch.begun
        note_copies(
            starts,
            values,
            names,
            0,
            are_contents=contents,
            kept=kept,
            chosen=chosen,
            outdated=self._outdated_before,  # what turns outdate that was there before, they carry themselves
            turns_since=begun,
        )
        made = self._made_of(values)
        self._watch.memory.links.enter(made)
        staging.copies.update({key: each.of_copy(each.value) for key, each in self._elements.items()})
        for place, container in made.items():
            if place in self._element_spots:
                staging.copies[id(container)] = Copied(container, None, container, None, None)
        return values, made

    @property
    def _kept(self) -> list[Any]:
        """The objects that stay the same ones in every turn."""
        forms = [slot.form for slot in self._slots if type(slot.form) not in SINGLE]
        leaves = [leaf for form in forms for leaf in flatten(form)[0]]
        return [leaf.value for leaf in leaves if isinstance(leaf, OuterObject)]

    def _made_and_flat(self, entering: Sequence[Any]) -> tuple[set[int], list[tuple[list[Any], Structure]]]:
        """The ids of the containers that are there for one turn; and all that it starts with, flattened.

        An object that stays the same one is a leaf: what it holds is a place of its own.
        """
        kept = self._kept
        whole = set(map(id, kept))
        flat = [flatten_shared(value, (), whole) for value in entering] if kept else [*map(flatten, entering)]
        return self._watch.made_of(entering, kept), flat

    def _made_of(self, entered: Sequence[Any]) -> Made:
        """The containers that are there for one turn, by where they are when it begins."""
        found, made = self._containers_in(entered), self._watch.made_of(entered, self._kept)
        return {place: container for place, container in found.items() if id(container) in made}

    def _containers_in(
        self, values: Sequence[Any], *, is_meant: Callable[[Any], bool] = changes_in_place
    ) -> dict[tuple[Hashable, Spot], Any]:
        """The containers in the slots' values, by where they are; not what other containers hold."""
        found: dict[tuple[Hashable, Spot], Any] = {}
        for index, (slot, value) in enumerate(zip(self._slots, values, strict=True)):
            if type(value) in SINGLE:
                continue
            key = self._key(index, slot)
            within = dict(containers_within(value, is_meant=is_meant))
            if isinstance(slot.place, Contents):
                within.pop((), None)
            found |= {(key, path): container for path, container in within.items()}
        return found

    def _going(self, *values: Any) -> Any:
        count = len(self._counters)
        entered = self._filled(released(values[count:]))
        self._enter(entered)
        before, staging.compared = staging.compared, {}
        with recording() as journal:
            try:
                outcome = self._test(*values[:count])
                rebound = any(
                    one is not other for one, other in zip(self._state.get(), entered, strict=False)
                )
                has_effects = rebound or bool(journal.changed()) or _happens_once()
                # a test of a loop's own lists and arrays knows only behind a turn which objects they are
                has_effects = has_effects or bool(builder_in_use().arrays.compared)
                has_effects = has_effects or not staging.compared.keys().isdisjoint(
                    ids_within(entered, with_fixed=True)
                )
            finally:
                staging.compared = {**before, **staging.compared}
                journal.undo()
        if has_effects and self._first is not None:
            self._watch.memory.test_has_effects = True
            self._move_test_into_body()
            raise StartAnew
        met = met_outside() - self._tested
        self._tested |= met
        if self._turned.changes_one_of(met):  # which the test meets under another name
            raise StartAnew
        return outcome

    def _move_test_into_body(self) -> None:
        """Makes the outcome of the test a counter, which the body computes: the test has effects."""
        test, turn = self._test, self._turn

        def turn_and_test(going: Tensor) -> tuple[Tensor, ...]:
            del going
            turn()
            return (predicate(test(), "while"),)

        with building(self._builder):  # this is found out in the graph of the test
            self._counters = (predicate(self._first, "while"),)
        self._first = None
        self._test, self._turn = _same, turn_and_test

    def _once(self, *values: Any) -> tuple[Any, ...]:
        """One turn: what the counters are after it, and what the carried slots are."""
        elements, staging.copies = staging.copies, dict(staging.copies)
        around = staging.turn_since, staging.turn
        if staging.turn_since is None:
            staging.turn_since = self._watch.begun
        counter = values[0] if self._counters else None
        counts = counter.value if isinstance(counter, Symbol) else None
        staging.turn = Turn(self._watch.begun, counts, now(), staging.turn)
        self._told_before = len(staging.told_apart)
        self._always_raises = True
        try:
            following = self._one_turn(values)
            self._always_raises = False
            return following
        finally:
            staging.copies, (staging.turn_since, staging.turn) = elements, around

    def _defined_turn(self, *counters: Tensor) -> tuple[Tensor, ...]:
        """As `_turn`; in strict mode, it reads no variable that has no value before the loop."""
        missing = [slot.name for slot in self._slots if isinstance(slot.start, Undefined)]
        result: tuple[Tensor, ...] = defined_before(missing, self._turn, *counters)
        self._watch.number_lists()
        return result

    def _one_turn(self, values: Sequence[Any]) -> tuple[Any, ...]:
        counters = values[: len(self._counters)]
        entering, made = self._enter_turn(values[len(counters) :])
        entered, began = self._made_and_flat(entering)
        carried = {slot.place.key for slot in self._slots if slot.place is not None}
        keys, known = self._keys, self._watch.memory.array_links
        leaves = {key: row for key, (row, _) in zip(keys, began, strict=True)}
        forms = {key: form for key, (_, form) in zip(keys, began, strict=True)}
        starts = {key: slot.start for key, slot in zip(keys, self._slots, strict=True)}
        self._arrays.link(starts, leaves, forms, known, values[len(values) - len(self._arrays.numbers) :])

        def turn() -> tuple[tuple[Tensor, ...], list[Any]]:
            note_made_arrays([leaves for leaves, _ in began])
            following = outcome_or_raise(partial(self._defined_turn, *counters))
            places = [slot.place for slot in self._slots if slot.place is not None]
            return following, [seen_in(place, heap.as_moved(place.get())) for place in places]

        (following, in_places), variables, changes = self._run(turn, entered, began)
        lasting = {key: change for key, change in changes.items() if id(change[0].owner) not in entered}
        require_lengths(lasting, self._watch.ends)  # what is there for one turn is joined as it leaves it
        self._row = [*variables, *in_places]
        self._turned = self._turn_of(entering, began, changes, carried)
        self._turned.require_boxes()
        if self._arrays.learn_what_stays(self._turned, keys):
            raise StartAnew
        same, may_be = self._turned.other_names()
        exchanged = self._arrays.exchanged(self._turned, keys)
        same |= self._turned.handed_on() if exchanged else {}
        if self._arrays.numbers.learn(exchanged, self._turned.is_meant):
            raise StartAnew
        if any(self._slots[index].is_fixed for index, _ in self._turned.rebound()):
            refuse_rebound_array()
        self._enter([slot.start for slot in self._slots])
        self._require_foreseen(changes)
        fixed = {index for index, _ in same if ops.is_array(self._slots[index].start)}
        for index in fixed:
            self._fix(index)
        is_news = self._arrays.learn({s: each for s, each in same.items() if s[0] not in fixed}, may_be, keys)
        linked = self._watch.memory.links.learn(made, self._containers_in(self._row))
        new = not_carried(changes, carried, entered)
        alike = self._arrays.alike(self._turned, keys, leaves)
        linked = linked or is_news or not alike <= known
        known |= alike
        if new or fixed or linked:
            self._slots += map(self._slot_of, new)
            self._watch.memory.learn_places(new)
            self._foreseen.learn(new)
            if not (fixed or linked):
                after = [*self._row, *[changes[place.key][1] for place in new]]
                self._foresee(following, after, changes)
            raise StartAnew
        conformed = self._conformed(following, self._row, changes)
        changed = {id(place.owner) for place, _ in changes.values()}
        if any([self._hands_on(entering), self._has_elements(made), self._outdates(entering, made, changed)]):
            raise StartAnew  # behind the forms: what turns out to be copied is not what a turn reads
        return (*following, *conformed, *self._arrays.numbers.after(exchanged))

    def _run(
        self,
        turn: Callable[[], tuple[Any, list[Any]]],
        entered: Collection[int],
        began: Sequence[tuple[Sequence[Any], Structure]],
    ) -> tuple[Any, tuple[Any, ...], Changes]:
        """As `Watch.run`, for a turn that starts with containers of these ids, and with these leaves."""
        before = [slot.start for slot in self._slots]
        starts = self._containers_in(before)
        with in_turn(), self._expected.noting(starts, entered), noting_where_raised(before, began) as left:
            found = self._watch.run(turn)
            left += [*found[1], *found[0][1]]
        self._watch.outdated = self._expected.without_marks(self._watch.outdated)
        return found

    def _require_foreseen(self, changes: Changes) -> None:
        """Starts the loop anew where a turn does not change what it was expected to change."""
        if self._foreseen.is_wrong([slot.place for slot in self._slots if slot.place is not None], changes):
            self._slots = self._first_slots()
            raise StartAnew

    def _turn_of(
        self,
        entering: Sequence[Any],
        began: Sequence[tuple[Sequence[Any], Structure]],
        changes: Changes,
        carried: set[Hashable],
    ) -> Turned:
        """What a turn does to arrays that starts with these values, whose leaves have `began` it."""
        holders = [i for i, slot in enumerate(self._slots) if not isinstance(slot.place, ArrayContents)]
        return Turned(
            {i: (self._slots[i].start, began[i], in_order_of(entering[i], self._row[i])) for i in holders},
            changes,
            carried,
            [index for index, role in enumerate(self._state.roles) if role is Role.RETURNED],
            self._tested,
        )

    def _has_elements(self, made: Made) -> bool:
        """Whether a turn leaves something an element of a list of the graph, which it has taken for none."""
        ends, left = self._watch.elements, self._containers_in(self._row)
        watch, own = self._watch, set(map(id, made.values()))
        added = [each for key, each in ends.items() if not (key in staging.copies or id(each.value) in own)]
        outer = {
            id(each.value): each
            for each in added
            if watch.has_met(each.value) and (each.builder is not None or self._is_only_read(each.value))
        }
        spots = {place for place, container in left.items() if id(container) in ends and place in made}
        was_tangled, self._was_tangled = self._was_tangled, staging.tangled
        is_news = was_tangled is not staging.tangled or not (
            outer.keys() <= self._elements.keys() and spots <= self._element_spots
        )
        self._elements |= outer
        self._element_spots |= spots
        return is_news

    def _is_only_read(self, value: Any) -> bool:
        """Whether the loop leaves an object as it is that was there before, and carries it in no variable."""
        is_carried = self._watch.outlives(value) or any(value is slot.start for slot in self._slots)
        return not is_carried and heap.moved_to(value) is value

    def _hands_on(self, entering: Sequence[Any]) -> bool:
        """Whether the turn leaves one object in places of which nobody knew that these may be one."""
        kept, keys = {id(each) for each in self._kept}, self._keys
        rows = self._joins.chosen.items()
        became = {(keys[index], spot): [number for _, number in row[1]] for (index, spot), row in rows}
        entered, left = [
            without_held_by(kept, self._containers_in(row, is_meant=is_followed))
            for row in (entering, self._row)
        ]
        return self._watch.memory.links.learn_ways(entered, left, became, self._watch.begun)

    def _outdates(self, entering: Sequence[Any], made: Made, changed: Set[int]) -> bool:
        """Whether the turn outdates something that it may have read before it did."""
        names, told = [slot.name for slot in self._slots], staging.told_apart[self._told_before :]
        outdated, left = self._watch.outdated, self._containers_in(self._row)
        labels = {self._key(index, slot): slot.name for index, slot in enumerate(self._slots)}
        kept = {id(each) for each in self._kept}
        for ((key, spot), container), ((other, path), after) in product(made.items(), left.items()):
            if key == other and is_left_for(path, spot) and id(after) not in kept:
                unite(after, container, Copy(self._location, labels[key], path, 1))
        told = [pair for pair in told if not any(map(self._watch.is_new, pair))]
        require_still_apart(told, names, entering, self._row, self._location)
        outdated = {**outdated, **outdated_with(made.values(), changed | outdated.keys())}
        return self._expected.is_news(outdated, len(self._slots))

    def _slot_of(self, place: Place) -> Slot:
        value = left_alone(place, self._builder)
        if not any(map(ops.is_array, flatten(value)[0])):  # an array that turns replace is told by its object
            self._joins.contents = self._watch.contents([place], [value])  # what an object holds is none
        return Slot(place.name, value, self._joins.keep(value), place)

    def _foresee(self, following: Sequence[Any], after: Sequence[Any], changes: Changes) -> None:
        """Learns the forms and the specs that the loop will carry, of a turn that starts anew anyway."""
        with suppress(Error, StartAnew):  # what does not agree may do so once all of it is carried
            self._learn_specs(following, self._conformed(following, after, changes))

    def _learn_specs(self, following: Sequence[Any], left: Sequence[Any]) -> None:
        body = current_builder()
        assert body is not None, "a turn is recorded in the graph of the body"
        if not is_strict():
            after = (*following, *left, *self._arrays.numbers.before())
            self._watch.memory.settled.learn(self._names(), self._start(), after, body)

    def _conformed(self, following: Sequence[Any], after: Sequence[Any], changes: Changes) -> list[Any]:
        """What a turn leaves in the carried slots, in the forms that they start with."""
        body = current_builder()
        assert body is not None, "a turn is recorded in the graph of the body"
        self._joins.builders = self._builder, body
        self._joins.ends = {}, self._watch.ends
        known = [slot.place for slot in self._slots if slot.place is not None]
        self._joins.contents = self._watch.contents(known, after)
        require_iteration([slot.name for slot in self._slots], [slot.start for slot in self._slots], after)
        pairs = self._joins.pairs(
            [slot.name for slot in self._slots],
            [slot.start for slot in self._slots],
            after,
            [slot.missing for slot in self._slots],
            [slot.form if slot.is_fixed else None for slot in self._slots],
        )
        self._require_same_objects(pairs)
        found = zip(self._slots, after, strict=True)
        bound = [turned for slot, turned in found if not isinstance(slot.start, Undefined)]
        require_outer_variables(bound, self._builder, self._location)
        wider = [
            slot.widen(start, turned, self._builder)
            for slot, (start, turned) in zip(self._slots, pairs, strict=True)
        ]
        left = [
            without_gaps(frozen(turned, changes.values(), body), slot.form, body)
            for slot, (_, turned) in zip(self._slots, pairs, strict=True)
            if slot.carried
        ]
        if any(wider):
            self._watch.memory.forms |= forms_of_tensors(zip(self._keys, self._slots, strict=True))
            self._learn_specs(following, left)
            raise StartAnew
        return left

    def _require_same_objects(self, pairs: Sequence[tuple[Any, Any]]) -> None:
        """Starts the loop anew where every turn makes another container, which was taken for an object."""
        found = enumerate(made_anew(slot.form, *pair) for slot, pair in zip(self._slots, pairs, strict=True))
        anew = {(index, spot) for index, spots in found for spot in spots} - self._joins.anew
        for slot in [self._slots[index] for index, _ in anew]:
            slot.form, slot.has_gaps = self._joins.keep(slot.start), False
        self._joins.anew |= anew
        if anew:
            raise StartAnew

    def _start(self) -> tuple[Any, ...]:
        """What the loop starts with: its counters, the carried slots, and the numbers of arrays."""
        carried = [slot.start_form for slot in self._slots if slot.carried]
        return (*self._counters, *carried, *self._arrays.numbers.before())

    def unsettled(self) -> StateDisagrees:
        """The error: what the loop carries keeps changing."""
        return StateDisagrees(
            "what this loop carries does not settle",
            where=self._location,
            details=self._rounds[:_MOST_SHOWN],
            why="Each time its body was traced, a variable or a place had another structure.",
            way_out="Give the variables their final structure before the loop.",
        )

    def _invariants(self) -> list[Any] | None:
        """`shape_invariants` by loop variable; an ellipsis where none was given."""
        if not self._options.shape_invariants:
            return None
        given = {id(value): shape for value, shape in self._options.shape_invariants}
        carried = [given.get(id(slot.start), ...) for slot in self._slots if slot.carried]
        return [*[...] * len(self._counters), *carried, *[...] * len(self._arrays.numbers)]


def _happens_once() -> bool:
    """Whether the graph being built, that of a test, does something: it draws or prints, say."""
    builder = current_builder()
    return builder is not None and builder.effects.counts


def _same(value: Any) -> Any:
    return value
