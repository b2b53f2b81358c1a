"""Calls that a cache leaves out: `functools.cache` and `lru_cache` while a graph is built.

A cache that gets values of the graph, or is made in a function and called where a tensor decides, computes
each time what it would keep. Nobody can tell as long as the call does nothing beside giving a value, and what
it gives is neither changed nor asked which object it is.

Any other cache is called as it is. What it keeps outlives the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any, NoReturn

from autograph.backends.tensors.containers.lists import changes_in_place
from autograph.staging import meeting
from autograph.staging.context import staging
from autograph.staging.functions import behind_cache
from autograph.staging.journal import Journal, recording
from autograph.staging.places import Cell, Place
from autograph_base.dataclass import dataclass
from runtime.core.structure import flatten, level_of
from runtime.errors import GraphError
from runtime.graph.build import current_builder, effects_run, is_symbolic
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.ops.control_flow.try_catch import Checkpoint
from runtime.ops.writing import is_array

__all__ = ["as_it_is", "asked_about", "without_effects"]


def without_effects(function: Callable[..., Any], run: Callable[[], Any]) -> Any:
    """What a call gives that changes nothing: how often it happens makes no difference then.

    Raises
    ------
    GraphError
        When it changes, prints or draws something; later on, when what it has given is changed.
    """
    meeting.meet()
    call = _Observed(function)
    result = call.made(run)
    if call.effects:
        raise GraphError(
            f"the cached function {function.__name__}() does something beside giving a value",
            details=call.effects[:1],
            why="A cache leaves out calls that were made before, and only the run knows which these are.",
            way_out="Do it outside of the cached function, or do without the cache.",
        )
    given = OfCache(function.__name__, result)
    for each in _that_may_change(result):
        if not call.was_there(each):
            staging.taken[id(each)] = given
    return result


def as_it_is(cache: Any, run: Callable[[], Any]) -> Any:
    """What the call of a cache gives that was there before the graph, and keeps what it gives.

    Raises
    ------
    GraphError
        When the cache would keep what belongs to the graph, or leave out in later runs what this one does.
    """
    held: Any = getattr(cache, "__func__", cache)
    missed = held.cache_info().misses
    meeting.meet()
    call = _Observed(behind_cache(held))
    result = call.made(run)
    if held.cache_info().misses == missed:
        return result
    effects = call.effects + call.stale()
    effects += ["it gives what only the run knows"] * any(map(is_symbolic, flatten(result)[0]))
    if effects:
        held.cache_clear()  # it would give what no run has computed
        raise GraphError(
            f"the cached function {held.__name__}() is called for the first time while a graph is made of it",
            details=effects[:1],
            why="The cache keeps what the first call gives, and leaves out the others: a graph is made once, "
            "and does in each run what it was made of.",
            way_out="Call it before, outside of the graph, or do without the cache.",
        )
    return result


def asked_about(question: Any) -> NoReturn:
    """Says that a cache is emptied, or asked how often it was called."""
    raise GraphError(
        f"`{question.__name__}` of a cached function is called in a graph",
        where=caller_location(),
        why="A graph is made once: which calls a cache would leave out in later runs, it has not heard.",
        way_out="Call it outside of the graph, or keep the results in a dict of your own.",
    )


@dataclass(frozen=True)
class OfCache:
    """What a call has given that a cache would have kept: to others, it would give the same object."""

    name: str
    value: Any

    def change(self) -> NoReturn:
        """Says that it is about to be changed, and that the others do not hear of it."""
        self._refuse("is changed")

    def may_be_one(self, one: Any, other: Any) -> bool:
        """Whether nobody knows if two objects, of which this is one, are one."""
        return type(one) is type(other)

    def refuse_identity(self) -> NoReturn:
        """Says that somebody asks which object it is."""
        self._refuse("is asked which object it is")

    def _refuse(self, what: str) -> NoReturn:
        raise GraphError(
            f"what the cached function {self.name}() gives {what}",
            where=caller_location(),
            why="A cache gives one object for equal arguments, and only the run knows which are equal: the "
            "graph computes it in each call.",
            way_out="Copy it first (`x.copy()`), give a tuple or numbers, or do without the cache.",
        )


class _Observed:
    """One call of a cached function, and what it has done."""

    def __init__(self, function: Any) -> None:
        self._read = _Read(function)
        self._builder = current_builder()
        self._before = [(each, len(each.nodes)) for each in _around(self._builder)]
        self.effects: list[str] = []

    def made(self, run: Callable[[], Any]) -> Any:
        """What the call gives."""
        with recording() as journal:
            result = run()
        journal.pass_on()
        self._journal = journal
        changed = [place for place, _ in journal.changed().values() if self._is_outside(place, journal)]
        self.effects = [
            f"it changes {name}" for name in (*(each.name for each in changed), *self._read.bound())
        ]
        if self._builder is not None and effects_run():
            added = self._builder.nodes[self._before[0][1] :]
            kinds = [node.op for node in added if not isinstance(node.op, Checkpoint)]  # a `try` leaves these
            self.effects += [f"it does what {op.name} does" for op in kinds if op.effects.counts]
        return result

    def stale(self) -> list[str]:
        """What the call has read that holds something else in the run: arrays to which the graph writes."""
        arrays = () if self._builder is None else self._builder.arrays.in_place_of.values()
        return ["it reads an array to which the graph writes"] * any(map(self._read.has, arrays))

    def _is_outside(self, place: Place, journal: Journal) -> bool:
        """Whether a place that has changed was there before the call."""
        if isinstance(place.owner, Value):
            builder = self._builder
            stands_for = None if builder is None else builder.arrays.in_place_of.get(place.owner)
            return self._was_value(place.owner) or self._read.has(stands_for)
        if isinstance(place, Cell):
            return bool(journal.existed(place.owner)) or self._read.has(place.owner)
        return bool(journal.existed(place.owner))

    def was_there(self, owner: Any) -> bool:
        """Whether what the call gives was there before."""
        return self._was_value(owner) if isinstance(owner, Value) else bool(self._journal.existed(owner))

    def _was_value(self, value: Value) -> bool:
        return any(
            value in each.inputs or any(node is value.node for node in each.nodes[:count])
            for each, count in self._before
        )


def _around(builder: Builder | None) -> Iterator[Builder]:
    while builder is not None:
        yield builder
        builder = builder.parent


class _Read:
    """The variables outside of a function that it names, and those that functions in these name."""

    def __init__(self, function: Any) -> None:
        self._cells: list[tuple[str, CellType, Any]] = []
        self._globals: list[tuple[str, dict[str, Any], Any]] = []
        pending, seen = [function], set[int]()
        while pending:
            one = behind_cache(pending.pop())
            one = getattr(one, "__func__", one)
            if not isinstance(one, FunctionType) or id(one) in seen:
                continue
            seen.add(id(one))
            for name, cell in zip(one.__code__.co_freevars, one.__closure__ or (), strict=True):
                self._cells.append((name, cell, _held(cell)))
                pending.append(_held(cell))
            names = {name for name in one.__code__.co_names if name in one.__globals__}
            self._globals += [(name, one.__globals__, one.__globals__[name]) for name in names]
            pending += [one.__globals__[name] for name in names]

    def has(self, thing: Any) -> bool:
        """Whether something is one of the variables, or what one has held."""
        held = [*self._cells, *self._globals]
        return thing is not None and any(thing is owner or thing is before for _, owner, before in held)

    def bound(self) -> list[str]:
        """The variables that hold something else by now: of code that is not converted, no journal hears."""
        found = [name for name, cell, before in self._cells if _held(cell) is not before]
        return found + [name for name, owner, before in self._globals if owner.get(name) is not before]


def _held(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the variable has no value yet
        return None


def _that_may_change(result: Any) -> Iterator[Any]:
    """The objects in a result that may be changed where they are; of an array, what it started as."""
    pending, seen = [result], set[int]()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if is_array(one):
            builder = current_builder()
            if builder is not None:
                yield builder.arrays.root(one.value)
            continue
        level = level_of(one)
        if level is not None:
            pending += level[1]
        elif isinstance(getattr(one, "__dict__", None), dict) and not callable(one):
            pending += vars(one).values()
            yield one
            continue
        if changes_in_place(one):
            yield one
