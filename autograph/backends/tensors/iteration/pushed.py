"""Push iteration: sources that call a consumer with each item, and `enumerate` and `zip` of them.

The consumer is a body, with the variables that it changes, and a test that says whether it wants more. It
runs wherever the items come up, which may be inside of loops and branches of the graph.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

from autograph.backends.tensors.containers.lists import StagedList
from autograph.backends.tensors.iteration.items import Items, Produced, as_items, both, least
from autograph.backends.tensors.objects.choices import choose
from autograph.backends.tensors.statements.branches import stage_if
from autograph.backends.tensors.statements.deciding import decided
from autograph.backends.tensors.statements.maybe import MaybeUndefined
from autograph.staging.backend import LoopTest
from autograph.staging.heap import current
from autograph.staging.meeting import note_made
from autograph.staging.notes import note
from autograph.staging.places import Contents
from autograph.staging.spoken import called
from autograph.staging.state import Role, State, Undefined, nothing
from runtime import ops
from runtime.core.dtypes import bool_
from runtime.graph.build import is_symbolic

__all__ = ["Counter", "Numbered", "Pushed", "Zipped", "negated"]


class Pushed(Produced):
    """Base class of items that are pushed to their consumer."""

    @property
    @abstractmethod
    def is_python(self) -> bool:
        """Whether Python iterates over them: no graph is built, or it has begun to."""

    @abstractmethod
    def for_each(self, body: Callable[[Any], None], state: State, extra_test: LoopTest | None = None) -> None:
        """`for item in self: body(item)`.

        Parameters
        ----------
        body : callable
        state : State
            The variables that the body changes.
        extra_test : callable, optional
            Whether the loop goes on after a turn.
        """

    @abstractmethod
    def __next__(self) -> Any:
        """The next item, for Python."""

    def __iter__(self) -> Any:
        return self

    @property
    def items(self) -> Items:
        return as_items(self.gathered())

    def gathered(self) -> list[Any] | StagedList:
        """All items: a list of the graph, where a tensor decides how many there are."""
        if self.is_python:
            return list(self)
        found: list[Any] = []
        note_made(found)

        def take(item: Any) -> None:
            items = current(found)
            note(Contents(items))
            items.append(item)

        self.for_each(take, State(tuple, lambda _: None, (), 0))
        gathered: list[Any] | StagedList = current(found)
        return gathered

    def first(self, missing: Callable[[], Any]) -> Any:
        """The first item, after which the items are left; what `missing` gives where there is none."""
        values: list[Any] = [Undefined("the item"), False]

        def set_values(state: tuple[Any, ...]) -> None:
            values[:] = state

        names, roles = ("the item", "whether it was found"), (Role.HELPER, Role.HELPER)
        state = State(lambda: tuple(values), set_values, names, 2, roles)
        self.for_each(lambda item: set_values((item, True)), state, lambda: negated(values[1]))
        found = values[0]
        if isinstance(found, MaybeUndefined):
            return choose(found.ag__valid, lambda: found.ag__value, missing)
        return missing() if isinstance(found, Undefined) else found


class Derived(Pushed):
    """Base class of what is made of the items of another one.

    Parameters
    ----------
    source : Pushed
    """

    def __init__(self, source: Pushed) -> None:
        self._source = source
        self._python: Iterator[Any] | None = None

    @abstractmethod
    def _iterator(self) -> Iterator[Any]:
        """The same for Python."""

    @property
    def is_python(self) -> bool:
        """Whether Python iterates over it, or over its source."""
        return self._python is not None or self._source.is_python

    def __next__(self) -> Any:
        if self._python is None:
            self._python = self._iterator()
        return next(self._python)


@called("enumerate")
class Numbered(Derived):
    """`enumerate(source, start)`.

    Parameters
    ----------
    source : Pushed
    start : int or integer Tensor
    """

    pythons_class = enumerate

    def __init__(self, source: Pushed, start: Any) -> None:
        super().__init__(source)
        self._start = start

    def _iterator(self) -> Iterator[Any]:
        return enumerate(self._source, self._start)

    def for_each(self, body: Callable[[Any], None], state: State, extra_test: LoopTest | None = None) -> None:
        """The source, with a counter among the variables."""
        counter = Counter(self._start)

        def numbered(item: Any) -> None:
            number = counter.value
            counter.value = number + 1
            body((number, item))

        self._source.for_each(numbered, counter.beside(state), extra_test)


@called("zip")
class Zipped(Derived):
    """`zip(...)` of sequences, one of which is pushed and leads the others.

    Parameters
    ----------
    before : sequence of Items
    source : Pushed
    after : sequence of Items
    """

    pythons_class = zip

    def __init__(self, before: Sequence[Any], source: Pushed, after: Sequence[Any]) -> None:
        super().__init__(source)
        self._before = before
        self._after = after

    def _iterator(self) -> Iterator[Any]:
        return zip(*self._before, self._source, *self._after, strict=False)

    def for_each(self, body: Callable[[Any], None], state: State, extra_test: LoopTest | None = None) -> None:
        """The source, with a counter among the variables, while the others have an item at that index.

        As Python asks them, in order: of the source, one more item is taken than there are tuples where one
        behind it has no more, and none at all where one before it has none.
        """
        before, after = [[as_items(each) for each in part] for part in (self._before, self._after)]
        limits = [reduce(least, [each.length for each in part]) if part else None for part in (before, after)]
        counter = Counter(0)
        around = counter.beside(state)

        def paired(item: Any, index: Any) -> None:
            others = [[each.item(index) for each in part] for part in (before, after)]
            body((*others[0], item, *others[1]))

        def turn(item: Any) -> None:
            index = counter.value
            counter.value = index + 1
            _where(limits[1] is None or index < limits[1], lambda: paired(item, index), around)

        def may_go_on() -> Any:
            asked = True if limits[0] is None else counter.value < limits[0]
            return asked if limits[1] is None else both(asked, counter.value <= limits[1])

        def going() -> Any:
            return both(may_go_on(), True if extra_test is None else decided(extra_test()))

        _where(may_go_on(), lambda: self._source.for_each(turn, around, going), around)


def _where(test: Any, run: Callable[[], None], state: State) -> None:
    """`if test: run()`."""
    if is_symbolic(test):
        stage_if(test, run, nothing, state)
    elif test:
        run()


class Counter:
    """A number that a consumer counts up, as a variable beside its others."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def beside(self, state: State) -> State:
        """The variables, with this one in front."""

        def set_all(values: tuple[Any, ...]) -> None:
            self.value = values[0]
            state.set(values[1:])

        return State(
            lambda: (self.value, *state.get()),
            set_all,
            ("the counter", *state.names),
            state.nouts + 1,
            (Role.HELPER, *state.roles),
        )


def negated(value: Any) -> Any:
    """`not value`, of what says whether a consumer goes on."""
    found = decided(value)
    return ops.logical_not(ops.cast(found, bool_)) if is_symbolic(found) else not found
