"""Comprehensions, generator expressions, `map` and `filter` whose items or conditions are tensors.

A comprehension comes as a function `clauses(items, keep)`: Python's own comprehension over `items`, which
hands each condition to `keep` as a function. Here it gets one item at a time. Where a condition is a tensor,
the item is handed over again, inside a branch of the graph, and the condition counts as true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from types import GeneratorType
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.becoming import grown
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import StagedList, contents_of, gathered
from autograph.backends.tensors.iteration.items import (
    MOST_COPIES,
    Items,
    Produced,
    as_items,
    is_short,
    unrolled,
)
from autograph.backends.tensors.iteration.once import Once
from autograph.backends.tensors.iteration.progress import EXHAUSTED, FRESH, LEFT, Progress
from autograph.backends.tensors.iteration.pushed import Derived, Pushed, negated
from autograph.backends.tensors.objects.choices import choose
from autograph.backends.tensors.statements.branches import stage_if
from autograph.backends.tensors.statements.deciding import truth_of
from autograph.backends.tensors.statements.loops import stage_loop
from autograph.backends.tensors.statements.maybe import MaybeUndefined
from autograph.backends.tensors.statements.raising import outcome_or_raise
from autograph.backends.tensors.statements.turn_numbers import TurnNumber, TurnTruth
from autograph.converters.for_stmt import all_turns
from autograph.staging.backend import Backend, Clauses, ComprehensionKind, LoopOptions, LoopTest, Thunk
from autograph.staging.context import staging
from autograph.staging.heap import current
from autograph.staging.iterators import growing_under, until_moved
from autograph.staging.journal import recording
from autograph.staging.meeting import note_made
from autograph.staging.notes import listener, note
from autograph.staging.places import Attribute, Cell, Contents, Place
from autograph.staging.spoken import called
from autograph.staging.state import Role, State, Undefined, nothing
from runtime import ops
from runtime.core.tensor import Tensor
from runtime.errors import GraphError, NoConcreteValue
from runtime.graph.build import as_tensor, current_builder, is_symbolic
from runtime.graph.graph import effects_of
from runtime.ops.control_flow import NoOutcome

__all__ = [
    "Generated",
    "OneByOne",
    "any_true",
    "decides",
    "every_item",
    "gathered_by",
    "gathered_of_range",
    "generated",
    "is_long_range",
    "made_ahead",
]

PLAIN = ComprehensionKind()


class _Undecided(BaseException):  # a signal between two functions of this file, never seen outside
    """A condition is a tensor."""

    def __init__(self, condition: Any) -> None:
        super().__init__()
        self.condition = condition


class _Keep:
    """What the conditions of one item are handed to: the first `taken` of them count as true."""

    def __init__(self, taken: int) -> None:
        self._taken = taken

    def __call__(self, condition: Thunk) -> bool:
        if self._taken:
            self._taken -= 1
            return True
        found = truth_of(condition())
        if is_symbolic(found):
            raise _Undecided(found)
        return bool(found)


def each_item(clauses: Clauses, item: Any, add: Callable[[Any], None], state: State, taken: int = 0) -> None:
    """Hands what a comprehension makes of one item to `add`, in a branch where a tensor decides.

    Parameters
    ----------
    clauses : callable
        ``body(items, keep)``.
    item : object
    add : callable
    state : State
        The variables that `add` changes.
    taken : int
        How many conditions are known to hold here.
    """
    try:
        values = list(clauses((item,), _Keep(taken)))
    except _Undecided as signal:
        stage_if(signal.condition, lambda: each_item(clauses, item, add, state, taken + 1), nothing, state)
        return
    for value in values:
        add(value)


class _Collected:
    """A list that is being filled; from the first tensor that decides on, a list of the graph."""

    def __init__(self, found: list[Any] | StagedList) -> None:
        self.found = found
        note_made(found)

    def take(self, value: Any) -> None:
        found = current(self.found)
        note(Contents(found))
        found.append(value)

    def take_all(self, values: Any) -> None:
        more, found = gathered(values), current(self.found)
        if isinstance(more, list):
            for value in more:
                self.take(value)
        elif isinstance(found, list):
            self.found = grown(found, more)
            self.found.extend(more)
        else:
            found.extend(more)

    @property
    def state(self) -> State:
        """The list changes in place, and is no variable of the user's."""
        return State(lambda: (self.found,), self._set, ("a comprehension",), 1, (Role.HELPER,))

    def _set(self, values: tuple[Any, ...]) -> None:
        (self.found,) = values

    @property
    def gathered(self) -> list[Any] | StagedList:
        """The list, or what has taken its place."""
        found: list[Any] | StagedList = current(self.found)
        return found


def made_ahead(gather: Callable[[], list[Any] | StagedList], label: str) -> list[Any] | StagedList:
    """All items, for callers that may use some before others are made: that must not show.

    Parameters
    ----------
    gather : callable
        Makes them.
    label : str
        What gives them, in messages.
    """
    builder = current_builder()
    before = 0 if builder is None else len(builder.nodes)
    with recording() as journal:
        found = gather()
    happens = builder is not None and effects_of(builder.nodes[before:]).counts
    changed = [
        place
        for place, _ in journal.changed().values()
        if journal.existed(place.owner) is not False and not isinstance(place.owner, Progress)
    ]
    journal.pass_on()
    if happens or changed:
        bound = [f"`{place.name}`" for place in changed if isinstance(place, Cell)]
        does = f"binds {', '.join(bound)}" if bound and not happens else "has effects"
        raise GraphError(
            f"{label} is asked for items one by one, and making them {does}",
            why="A graph makes all of them before the first is used: that would come too early.",
            way_out="Write the loop that makes them, with a `break` behind the item that is wanted, or "
            "put all of them into a list first, `list(...)`.",
        )
    return found


def gathered_by(items: Any, clauses: Clauses, kind: ComprehensionKind = PLAIN) -> list[Any] | StagedList:
    """The list that a comprehension gives; of a dict comprehension, its pairs.

    Parameters
    ----------
    items : iterable of Python, or of the graph
    clauses : callable
    kind : ComprehensionKind
    """
    collected = _Collected([])
    add = collected.take_all if kind.is_nested else collected.take
    take = _taking(clauses, add, collected.state)
    while isinstance(items, Generated) and items.is_untouched:
        source, inner = items.source, items.clauses
        items.become(EXHAUSTED)
        items, take, clauses = source, _taking(inner, take, collected.state), _in_one(inner, clauses)
    if isinstance(items, Pushed) and not items.is_python:
        items.for_each(take, collected.state)
        return collected.gathered
    if isinstance(items, Produced):
        items = items.ahead() if isinstance(items, Generated) else items.gathered()
    if type(items) is range:
        _over_numbers(items, take, collected.state)
    elif is_short(items):
        turns = OneByOne(items)
        for item in turns:
            take(item)
        turns.over_rest(take, collected.state)
    else:
        sequence = items.whole() if isinstance(items, Once) else as_items(items)
        changes: list[Place] = []
        with suppress(NoOutcome):  # where each item raises, the list stays the empty one that it is
            collected.found = StagedList(
                Elements.like(lambda: outcome_or_raise(lambda: _model(clauses, sequence, kind)))
            )
            changes.append(Contents(collected.found))
        if isinstance(items, Once):
            items.for_each(take, collected.state, LoopOptions(), _and, None, changes)
        else:
            run_over(sequence, take, collected.state, changes=changes)
    return collected.gathered


def gathered_of_range(items: range, clauses: Clauses) -> list[Any] | StagedList:
    """The list that a comprehension without conditions gives, of many numbers of Python's."""
    collected = _Collected([])
    take = _taking(clauses, collected.take, collected.state)
    recorded, _ = _staging_now().recorded(partial(take, items[0]))  # it shows whether there is anything in it
    if recorded:
        _over_numbers(items[1:], take, collected.state)
    else:
        for value in clauses(items[1:], _Keep(0)):
            collected.take(value)
    return collected.gathered


def is_long_range(items: Any) -> bool:
    """Whether a comprehension over these had better be one loop of the graph, where it can be."""
    return type(items) is range and len(items) > MOST_COPIES and current_builder() is not None


def _staging_now() -> Backend:
    """The backend whose graph is being built."""
    assert staging.stand_ins is not None, "a list is gathered while a function is traced"
    return staging.stand_ins.backends.staging_now()


def _over_numbers(numbers: range, take: Callable[[Any], None], state: State) -> None:
    """Takes each number, or all that are left in one loop of the graph, as a `for` over them does."""
    all_turns(
        _staging_now(), numbers, take, state, LoopOptions(), lambda left: _over_numbers(left, take, state)
    )


def _taking(clauses: Clauses, add: Callable[[Any], None], state: State) -> Callable[[Any], None]:
    """What is done with an item of the source: once, whatever is asked of what is made of it."""
    return lambda item: each_item(clauses, item, add, state)


def _in_one(inner: Clauses, outer: Clauses) -> Clauses:
    """What makes the items of one generator expression of those of the source of another one."""
    return lambda given, keep: outer(inner(given, keep), keep)


def _model(clauses: Clauses, sequence: Items, kind: ComprehensionKind) -> Elements:
    """What a comprehension makes of an item for which every condition holds; conditions may bind names."""

    def keep(condition: Thunk) -> bool:
        condition()
        return True

    (value,) = clauses((sequence.item(as_tensor(0)),), keep)
    return contents_of(value) if kind.is_nested else Elements.of([value])


def run_over(
    sequence: Items,
    turn: Callable[[Any], None],
    state: State,
    going: Callable[[], Any] = lambda: True,
    changes: Sequence[Place] = (),
) -> None:
    """A loop of the graph over items, while `going()`; it changes these places, if anything."""

    def test(index: Tensor) -> Any:
        more, wanted = index < sequence.length, going()
        return more if wanted is True else ops.logical_and(more, wanted)

    def once(index: Tensor) -> tuple[Tensor]:
        turn(sequence.item(index))
        return (index + 1,)

    stage_loop(state, LoopOptions(), (0,), test, once, changes=changes)


class OneByOne(Iterator[Any]):
    """Items for Python to run over one by one, and what is left when it is through with them.

    Turns may make the list longer that they run over, by what a tensor decides. From then on a list of the
    graph has its place, of which Python's iterator does not know.

    Parameters
    ----------
    items : iterable of Python, or of the graph
    """

    def __init__(self, items: Any) -> None:
        self._once = items if isinstance(items, Once) and items.is_python else None
        self._growing = growing_under(items)
        found = () if self._once is not None else unrolled(items)
        self._items = until_moved(iter(items if found is None else found), self._growing)
        self._count = 0

    def __next__(self) -> Any:
        if self._once is None:
            item = next(self._items)
            self._count += 1
            return item
        if self._is_left:
            raise StopIteration
        if self._once.is_at_end:
            self._once.end()
            raise StopIteration
        return self._once.take()

    @property
    def _is_left(self) -> bool:
        """Whether only the graph knows if there are more items."""
        once = self._once
        if once is not None:
            return not once.is_python or is_symbolic(once.is_at_end)
        return self._growing is not None and self._growing.has_moved

    @property
    def rest(self) -> Any:
        """What is left for a loop of the graph; no items of it where Python has run over all."""
        if not self._is_left:
            return None
        if self._growing is None:
            return self._once
        assert staging.stand_ins is not None, "a list gives way while a function is traced"
        return self._growing.behind(staging.stand_ins.backends.staging_now(), self._count)

    def over_rest(self, turn: Callable[[Any], None], state: State, going: LoopTest | None = None) -> None:
        """A loop of the graph over what is left, while `going()`, if anything is."""
        rest = self.rest
        if isinstance(rest, Once):
            rest.for_each(turn, state, LoopOptions(), _and, going)
        elif isinstance(rest, Items):
            run_over(rest, turn, state, going or (lambda: True))

    def with_rest(self, found: list[Any], clauses: Clauses) -> list[Any] | StagedList:
        """The list that Python's comprehension has made, and what it makes of the items that are left."""
        if not self._is_left:
            return found
        collected = _Collected(found)
        self.over_rest(
            lambda item: each_item(clauses, item, collected.take, collected.state), collected.state
        )
        return collected.gathered

    def decided(self) -> Iterator[Any]:
        """The items for code of Python's.

        Raises
        ------
        NoConcreteValue
            When a tensor has decided that there are more.
        """
        yield from self
        if self._is_left:
            raise NoConcreteValue(
                "a list gets longer while Python runs over it, and a tensor decides by how much",
                why="A generator or a `map` takes one item after the other, whenever it is asked for one.",
                way_out="Write a `for` loop over the list, or a list comprehension.",
            )


@called("generator")
class Generated(Progress, Produced):
    """A generator expression while a graph is built: its items are given once.

    Parameters
    ----------
    source : iterable of Python, or of the graph
    clauses : callable
    kind : ComprehensionKind
    once : Once, optional
        An iterator over the source, which says where it stands.
    beside : Once, optional
        An iterator that the source takes items of, and that others may ask, too.
    """

    pythons_class = GeneratorType

    def __init__(
        self,
        source: Any,
        clauses: Clauses,
        kind: ComprehensionKind = PLAIN,
        once: Once | None = None,
        beside: Once | None = None,
    ) -> None:
        super().__init__()
        self._beside = beside
        self._source = source
        self.clauses = clauses
        self.kind = kind
        self._once = once
        self._iterator: Iterator[Any] | None = None
        self._rest: list[Any] | StagedList | None = None

    @property
    def items(self) -> Items:
        found = as_items(self.ahead())
        self.become(LEFT)  # nobody is to find it empty who asks for its items twice
        return found

    @property
    def source(self) -> Any:
        """What it takes its items from: the iterator, once that has given any."""
        has_begun = self._once is not None and (is_symbolic(self._once.place) or self._once.place)
        return self._once if has_begun else self._source

    @property
    def one_by_one(self) -> Once | None:
        """What it takes an item from for each of its own, where they can be made one after the other."""
        if self._iterator is not None or self._rest is not None or self.kind.is_nested or not self.starts():
            return None
        return self._source.one_by_one if isinstance(self._source, Generated) else self._once

    @property
    def is_filtered(self) -> bool:
        """Whether there may be items of the source of which it makes none."""
        return self.kind.is_filtered or (isinstance(self._source, Generated) and self._source.is_filtered)

    def next(self, over: Callable[..., None], missing: Callable[[], Any]) -> Any:
        """The next item, what `missing` gives where there is none; `over` runs a loop over an iterator."""
        once = self.one_by_one
        assert once is not None, "the caller has asked"
        if not self.is_filtered:
            return once.next_or(missing, self.made)
        found = _First()
        turn = self.turn(found.take, found.state)
        over(once, lambda: negated(found.is_there), turn, found.state, LoopOptions())
        return found.value(missing)

    def made(self, item: Any) -> Any:
        """What it makes of an item of the iterator, where there are no conditions."""
        given = self._source.made(item) if isinstance(self._source, Generated) else item
        (value,) = self.clauses((given,), lambda _: True)
        return value

    @property
    def is_untouched(self) -> bool:
        """Whether a loop over the source may make the items, each in its turn: nobody has asked for any."""
        return not self.kind.is_nested and self._iterator is None and self._rest is None and self.starts()

    def gathered(self) -> list[Any] | StagedList:
        """All values: a list of the graph, where a tensor decides how many there are."""
        if self._iterator is not None:
            return list(self._iterator)
        if not self.starts():
            return []
        self.become(EXHAUSTED)
        rest = self._rest
        return gathered_by(self.source, self.clauses, self.kind) if rest is None else gathered(rest)

    def rest(self) -> list[Any] | StagedList:
        """The items that are yet to come, in a list from which they are taken one by one."""
        if self._rest is None:
            found = self.ahead()
            self.become(FRESH)
            if self._once is None and self._beside is not None:  # nobody knows how many of its items are used
                self._beside.become(LEFT)
            if listener() is not self._made_under:
                note(Attribute(self, "_rest", self.label))
            self._rest = found
        elif not self.starts():
            return []
        return self._rest

    def ahead(self) -> list[Any] | StagedList:
        """All values, for callers that may use some before others are made: that must not show."""
        return made_ahead(self.gathered, self.label)

    def in_turn(self, body: Callable[[Any], None], state: State) -> Callable[[Any], None]:
        """What a loop over the source does with each item of it, where `body` is done with these."""
        self.become(LEFT)  # nobody is to find it empty who asks for its items twice
        return lambda item: each_item(self.clauses, item, body, state)

    def turn(self, body: Callable[[Any], None], state: State) -> Callable[[Any], None]:
        """What is done with an item of the iterator, where `body` is done with those that are made of it."""

        def own(item: Any) -> None:
            each_item(self.clauses, item, body, state)

        return self._source.turn(own, state) if isinstance(self._source, Generated) else own

    def leave(self, rest: Any, count: Any) -> None:
        """Says that a loop has taken so many of what was left."""
        self.become(FRESH)
        if listener() is not self._made_under:
            note(Attribute(self, "_rest", self.label))
        self._rest = StagedList(contents_of(rest).sliced(slice(count, None)))

    def decides(self, wanted: bool, truth: Callable[[Any], Any]) -> Any:
        """Whether one value is true, or, where `wanted` is false, whether all are; see `any_true`."""
        if self._iterator is not None or self._rest is not None:
            found = self.gathered()
            self.become(LEFT)
            return any_true(found, every_item, wanted, truth)
        if not self.starts():
            return not wanted
        self.become(LEFT)
        of_each = partial(decides, wanted=wanted, truth=truth) if self.kind.is_nested else truth
        return any_true(self.source, self.clauses, wanted, of_each)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._iterator is None:
            found = self.clauses(self._for_python(), _decided_now)
            self._iterator = iter(chain.from_iterable(found) if self.kind.is_nested else found)
        return next(self._iterator)

    def _for_python(self) -> Iterable[Any]:
        return iter(self.source) if isinstance(self.source, Pushed) else OneByOne(self.source).decided()


@called("generator")
class Filtered(Derived):
    """A generator expression over what is pushed to it.

    Parameters
    ----------
    source : Pushed
    clauses : callable
    """

    pythons_class = GeneratorType

    def __init__(self, source: Pushed, clauses: Clauses) -> None:
        super().__init__(source)
        self._clauses = clauses

    def _iterator(self) -> Iterator[Any]:
        return iter(self._clauses(self._source, _decided_now))

    def for_each(self, body: Callable[[Any], None], state: State, extra_test: LoopTest | None = None) -> None:
        """The source, with the body in the branches that the conditions make."""
        self._source.for_each(lambda item: each_item(self._clauses, item, body, state), state, extra_test)


def generated(
    items: Any,
    clauses: Clauses,
    kind: ComprehensionKind = PLAIN,
    once: Once | None = None,
    beside: Once | None = None,
) -> Generated | Filtered:
    """A generator expression while a graph is built.

    Parameters
    ----------
    items : iterable of Python, or of the graph
    clauses : callable
    kind : ComprehensionKind
    once : Once, optional
        An iterator over the items.
    beside : Once, optional
        An iterator that these take items of.
    """
    if isinstance(items, Pushed) and not kind.is_nested:
        return Filtered(items, clauses)
    return Generated(items, clauses, kind, once, beside)


def _decided_now(condition: Thunk) -> bool:
    found = truth_of(condition())
    if is_symbolic(found):
        raise NoConcreteValue(
            "a tensor decides which items a generator gives, so Python itself cannot run over them",
            way_out="Write a list comprehension, or hand the generator to `list`, `sum`, `any`, `all`, "
            "`min`, `max` or `sorted`.",
        )
    return bool(found)


class _First:
    """The first value that a loop comes to."""

    def __init__(self) -> None:
        self.is_there: Any = False
        self._value: Any = Undefined("the item")
        names = "whether there is an item", "the item"
        roles = Role.HELPER, Role.HELPER
        self.state = State(lambda: (self.is_there, self._value), self._set, names, 2, roles)

    def _set(self, values: tuple[Any, ...]) -> None:
        self.is_there, self._value = values

    def take(self, value: Any) -> None:
        self._set((True, value))

    def value(self, missing: Callable[[], Any]) -> Any:
        """The value; what `missing` gives where there is none."""
        found = self._value
        if isinstance(found, MaybeUndefined):
            return choose(found.ag__valid, lambda: found.ag__value, missing)
        if not is_symbolic(self.is_there):
            return found if self.is_there else missing()
        return choose(self.is_there, lambda: found, missing)


class _Truth:
    """A truth that items may decide, for `any` and `all`."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.state = State(lambda: (self.value,), self._set, ("the outcome",), 1, (Role.HELPER,))

    def _set(self, values: tuple[Any, ...]) -> None:
        (self.value,) = values


def every_item(items: Iterable[Any], keep: Any) -> list[Any]:
    """The clauses of a comprehension that takes every item as it is."""
    del keep
    return list(items)


def decides(items: Any, wanted: bool, truth: Callable[[Any], Any]) -> Any:
    """Whether one item is true, or, where `wanted` is false, whether all are; see `any_true`."""
    if isinstance(items, Generated):
        return items.decides(wanted, truth)
    return any_true(items, every_item, wanted, truth)


def any_true(items: Any, clauses: Clauses, wanted: bool, truth: Callable[[Any], Any]) -> Any:
    """Whether one value is true, or, where `wanted` is false, whether all are. Those behind are not made.

    Parameters
    ----------
    items, clauses
        The source of a generator expression, and the expression.
    wanted : bool
    truth : callable
        Gives a bool, or a tensor of bool, for a value.
    """
    found = _Truth(False)

    def add(value: Any) -> None:
        true = truth(value)
        if isinstance(true, TurnNumber | TurnTruth | np.bool):  # NumPy's own is known, too
            true = bool(true)  # which ends the attempt to roll a loop where turns differ
        found.value = true if wanted else negated(true)

    take = _taking(clauses, add, found.state)
    while isinstance(items, Generated) and items.is_untouched:
        source, inner = items.source, items.clauses
        items.become(LEFT)
        items, take = source, _taking(inner, take, found.state)
    if isinstance(items, Pushed) and items.is_python:
        items = chain(items)
    if isinstance(items, Pushed):
        items.for_each(take, found.state, lambda: negated(found.value))
    elif isinstance(items, Once):
        found.value = as_tensor(False)
        items.for_each(take, found.state, LoopOptions(), _and, lambda: negated(found.value))
    elif is_short(items):
        turns = OneByOne(items)
        for item in turns:
            if is_symbolic(found.value):
                stage_if(found.value, nothing, lambda item=item: take(item), found.state)  # type: ignore[misc]
            else:
                take(item)
            if found.value is True:
                return wanted
        turns.over_rest(take, found.state, lambda: negated(found.value))
    else:
        found.value = as_tensor(False)
        run_over(as_items(items), take, found.state, lambda: negated(found.value))
    return found.value if wanted else negated(found.value)


def _and(within: Any, wanted: LoopTest) -> Any:
    return ops.logical_and(within, wanted())
