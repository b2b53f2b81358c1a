"""Stores what a run leaves outside of the function: values, in attributes, globals and items."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NoReturn, TypeAlias

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.circular import holds_itself
from runtime.core.instances import attributes_of
from runtime.core.lists import ListValue
from runtime.core.rosters import rosters_in
from runtime.core.spec import ArraySpec, ListSpec
from runtime.core.structure import flatten, level_of
from runtime.errors import StateDisagrees
from runtime.functions.blueprints import Blueprints
from runtime.functions.external_state import Change, ExternalInput, Place, Seen, is_contents
from runtime.functions.shown import Views
from runtime.graph.build import current_builder, is_symbolic
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Whose
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["Effects", "Handed", "effects_of", "holds_symbol"]


@dataclass(frozen=True)
class Left:
    """A place that a function leaves with another value.

    Attributes
    ----------
    place : Place
    owner : int or None
        Which of the made values it is in, where that is among the arguments.
    value : int
        Which of the made values it gets.
    item : int or None
        Which of the made values is its key in a dict, where that is among the arguments.
    """

    place: Any
    owner: int | None
    value: int
    item: int | None = None

    @property
    def key(self) -> Hashable:
        """The key of the place; what is among the arguments has the same one for those of another call."""
        key: tuple[Hashable, ...] = self.place.key
        return key if self.owner is None else ("argument", key[0], self.owner, *key[2:])

    def here(self, made: Sequence[Any]) -> Any:
        """The place, for the arguments of a call."""
        here = self.place if self.owner is None else self.place.at(made[self.owner])
        return here if self.item is None else here.under(made[self.item])


@dataclass(frozen=True)
class Effects:
    """What a function leaves in places outside of it.

    Attributes
    ----------
    blueprints : Blueprints
    places : sequence of Left
    added : sequence of Left
        Lists, each with which of the made lists is added to it.
    weak : sequence of bool
        Whether an output of the graph stands for a Python number.
    mixed : sequence of bool
        Whether it does on some paths.
    returned : int or None
        Which of the made values the function returns, where its structure does not say.
    """

    blueprints: Blueprints
    places: Sequence[Left]
    added: Sequence[Left]
    weak: Sequence[bool]
    mixed: Sequence[bool]
    returned: int | None = None

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """The places, by their keys."""
        return tuple([each.key for each in (*self.places, *self.added)])

    def left(self, found: Sequence[Any], tensors: Callable[[Any], Any], arguments: Any, result: Any) -> Any:
        """After a run with these arguments, which has found this behind its results: what the call gives.

        That is `result`, unless it holds objects that have to be made anew, or found among the arguments.
        `tensors` makes a tensor of what is found.
        """
        leaves = [
            _as_pythons(each, tensors) if weak else tensors(each)
            for each, weak in zip(found, self.weak, strict=True)
        ]
        return self.store(leaves, arguments, result)

    def store(self, leaves: Sequence[Any], arguments: Any, result: Any) -> Any:
        """As `left`, of the tensors that stand for what was found, and of numbers of Python's own."""
        made = self.blueprints.made(leaves, arguments)
        for each in self.added:
            each.here(made).extend(made[each.value])
        left = [(each.here(made), made[each.value]) for each in self.places]
        for place, _ in left:  # all before any: a dict and its items change together
            place.announce()
        for place, value in left:
            place.set(value)
        return result if self.returned is None else made[self.returned]


def _as_pythons(found: Any, tensors: Callable[[Any], Any]) -> Any:
    """A number, or a list of numbers, as Python's own; the characters of a text stay what they are."""
    if isinstance(found, ListValue):
        element = found.element
        if isinstance(element, ListSpec):
            element = element.element
        are_numbers = isinstance(element, ArraySpec) and element.shape == ()
        return found.own_values() if are_numbers else tensors(found)
    return tensors(found) if np.ndim(found) else found.item()


class Handed:
    """What is among the arguments of a trace: containers that stand for the caller's, and tensors.

    Parameters
    ----------
    arguments : tuple
        The positional ones, and the keyword arguments.
    whole : collection of int
        The ids of objects among them that are the caller's own, because the function has them from outside.
    stand_ins : collection of int
        The ids of generators and sets that stand for the caller's.
    """

    def __init__(
        self,
        arguments: tuple[tuple[Any, ...], dict[str, Any]],
        whole: Collection[int] = (),
        stand_ins: Collection[int] = (),
    ) -> None:
        self._whole = whole
        self._stand_ins = stand_ins
        self._kept: list[Any] = []
        self._kinds: list[tuple[Any, type]] = []
        self.containers: dict[int, Callable[[Any], Any]] = {}
        self.all: dict[int, Callable[[Any], Any]] = {}
        for part, child in enumerate(arguments):
            self._walk(child, ((part, part),))

    def _walk(self, value: Any, steps: tuple[_Step, ...]) -> None:
        level = level_of(value)
        is_stand_in = id(value) in self._stand_ins
        is_known = level is not None or is_stand_in or isinstance(value, Symbol)
        if value is None or id(value) in self._whole or not is_known:
            return
        self._kept.append(value)
        self.all.setdefault(id(value), partial(_found, steps))
        if is_stand_in:
            self.containers.setdefault(id(value), partial(_found, steps))
        if level is not None:
            if type(value) is not tuple:
                self.containers.setdefault(id(value), partial(_found, steps))
                self._kinds.append((value, type(value)))
            for step, child in zip(enumerate(level[0].keys), level[1], strict=True):
                self._walk(child, (*steps, step))

    def holds(self, place: Place) -> bool:
        """Whether a place is in a container among the arguments."""
        return id(place.owner) in self.containers

    def without(self, places: Iterable[Place]) -> tuple[Place, ...]:
        """The places that are in none of these containers."""
        return tuple([each for each in places if not self.holds(each)])

    def of_other_classes(self, arguments: Any) -> list[Any]:
        """Those of the caller's containers whose stand-ins have another class by now."""
        changed = [value for value, kind in self._kinds if type(value) is not kind]
        return [self.containers[id(value)](arguments) for value in changed]

    @property
    def tensors(self) -> dict[Value, Callable[[Any], Any]]:
        """How each tensor of the graph is found in the arguments of a call."""
        return {each.value: self.all[id(each)] for each in self._kept if isinstance(each, Symbol)}

    @property
    def roots(self) -> list[Any]:
        """The containers."""
        return [value for value in self._kept if id(value) in self.containers]


_Step: TypeAlias = tuple[int, Any]
"""From a container to a child: which one it is, and its key."""


def _found(steps: Sequence[_Step], arguments: Any) -> Any:
    """What is there, in the arguments of a call: each container is taken apart as for the trace."""
    for index, key in steps:
        level = level_of(arguments)
        if level is not None:
            arguments = level[1][index]
        else:  # an instance, of which no property is asked
            held = attributes_of(arguments)
            arguments = held[key] if key in held else getattr(arguments, key)
    return arguments


def effects_of(
    builder: Builder,
    seen: Seen,
    entered: Sequence[ExternalInput],
    outputs: list[Value],
    returned: Callable[[Any], Value],
    whose_of: Callable[[Any], Whose],
    handed: Handed,
    result: Any,
) -> Effects | None:
    """What the changes of a trace become: `outputs` gets the values of the graph that they need."""
    known: dict[Value, int] = {}
    owners: list[Whose] = []

    def output(leaf: Any) -> int:
        value = returned(leaf)
        if value not in known:
            known[value] = len(known)
            outputs.append(value)
            owners.append(whose_of(leaf))
        return known[value]

    found = handed.all if any(handed.holds(change.place) for change in seen.changes) else handed.containers
    views = Views(builder, seen, output, {**_held(entered), **handed.tensors})

    def made_of(output: Callable[[Any], int]) -> Blueprints:
        known = output, is_symbolic, seen.existed, found, seen.as_written, views
        return Blueprints(*known, whose=seen.whose, own=seen.own)

    is_new = holds_itself(result) or _is_made(result, seen, handed) or _holds_twice(result, set())
    if seen.changes:
        plans = made_of(lambda _: 0)
        views.share(lambda: _plan_all(seen.changes, [result] if is_new else [], plans))
    blueprints = made_of(output)
    inputs = {each.place.key: each for each in entered}
    left: list[Left] = []
    added: list[Left] = []
    for change in seen.changes:
        entering = inputs.get(change.place.key)
        if entering is not None and entering.is_kept(change.now):
            continue
        if not seen.are_stored and entering is None:
            continue
        kept = added if change.place.key in seen.added else left
        owner = blueprints.of(change.place.owner) if handed.holds(change.place) else None
        item = _own_key(change.place, handed)
        kept.append(
            Left(
                change.place,
                owner,
                _plan_left(change, blueprints),
                None if item is None else blueprints.of(item),
            )
        )
    wanted = is_new or _is_stored(result, blueprints)
    made = blueprints.of(result) if wanted else None
    if not left and not added and made is None:
        return None
    weak, mixed = [each is True for each in owners], [not isinstance(each, bool) for each in owners]
    return Effects(blueprints.finish(), left, added, weak, mixed, made)


def _own_key(place: Place, handed: Handed) -> Any:
    """The key of an item of a dict that is, or holds, what stands for an argument; None otherwise."""
    key = place.key[2] if place.key[0] == "item" else None
    parts = key if isinstance(key, tuple) else (key,)
    return key if any(id(part) in handed.containers for part in parts) else None


def _plan_all(changes: Sequence[Change], values: Sequence[Any], plans: Blueprints) -> None:
    for change in changes:
        _plan_left(change, plans)
    for value in values:
        plans.of(value)


def _plan_left(change: Change, plans: Blueprints) -> int:
    """Which of the made values a place is left with."""
    return plans.of_contents(change.now) if is_contents(change.place) else plans.of(change.now)


def _held(entered: Sequence[ExternalInput]) -> dict[Value, Callable[[Any], Any]]:
    """How what came in from places is found in these when a call is over, and nothing is stored yet."""

    def found(place: Place, index: int, _: Any) -> Any:
        leaves, _ = flatten(place.get())
        return leaves[index] if index < len(leaves) else None

    return {
        leaf.value: partial(found, each.place, index)
        for each in entered
        for index, leaf in enumerate(flatten(each.nest)[0])
        if isinstance(leaf, Symbol)
    }


def _is_made(result: Any, seen: Seen, handed: Handed) -> bool:
    """Whether a function returns an object that each run makes, or one that was there before."""
    if id(result) in handed.containers:
        return True
    level = level_of(result)
    if level is not None:
        if seen.whose(result) is not None:
            return True
        if seen.existed(result) and not isinstance(result, tuple):
            return True
        if next(rosters_in(level[0]), None) is not None:
            return True
        return any(_is_made(child, seen, handed) for child in level[1])
    if is_tensor(result):
        return False
    if isinstance(result, Iterator) and not seen.existed(result):
        _refuse_iterator(result)
    plans = Blueprints(lambda _: 0, is_symbolic, seen.existed)
    plans.of(result)
    if not seen.are_stored:  # then nobody says what was there before
        return plans.serves_once or holds_symbol(result, seen.existed)
    return plans.serves_once or plans.makes


def _refuse_iterator(result: Any) -> NoReturn:
    builder = current_builder()
    name = builder.name if builder is not None else "the function"
    raise StateDisagrees(
        f"{name}() returns an iterator (`{type(result).__name__}`)",
        why="Its items would be made after the graph has run, by Python.",
        way_out="Return `list(...)` of it, or go over it where it is made.",
    )


def _holds_twice(value: Any, known: set[int]) -> bool:
    """Whether a container that may change is in a result more than once: it is one object there."""
    level = level_of(value)
    if level is None or value is None:
        return False
    if id(value) in known and not isinstance(value, tuple):
        return True
    known.add(id(value))
    return any(_holds_twice(child, known) for child in level[1])


def _is_stored(value: Any, blueprints: Blueprints) -> bool:
    """Whether a container in a result that may change is in what a place is left with, too."""
    level = level_of(value)
    if level is None or value is None:
        return False
    is_known = blueprints.knows(value) and not isinstance(value, tuple)
    return is_known or any(_is_stored(child, blueprints) for child in level[1])


def holds_symbol(value: Any, existed: Callable[[Any], bool]) -> bool:
    """Whether a value of the graph is somewhere in what a place is left with."""
    found: list[Any] = []

    def output(leaf: Any) -> int:
        found.append(leaf)
        return 0

    Blueprints(output, is_symbolic, existed, asks=True).of(value)
    return bool(found)
