"""Staged iterators: items by index and the position of the next one, which a loop may leave anywhere.

A loop over one counts its turns, and the count says how far it came. Where the body asks the same iterator
for items, the place of the next one is what the loop goes by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from autograph.backends.tensors.iteration.items import Items
from autograph.backends.tensors.iteration.progress import LEFT, Progress, refuse_to_go_on
from autograph.backends.tensors.objects.choices import choose
from autograph.backends.tensors.statements.loops import StartAnew, stage_loop
from autograph.backends.tensors.statements.refused import refused
from autograph.staging.backend import LoopOptions, LoopTest
from autograph.staging.notes import listener, note
from autograph.staging.places import Attribute, Place
from autograph.staging.spoken import called
from autograph.staging.state import State
from runtime.errors import GraphError
from runtime.graph.build import builder_in_use, is_symbolic

__all__ = ["ENDLESS", "Behind", "Once"]

ENDLESS = 2**62
"""How many items there are where there is no end."""


@called("iterator")
class Once(Progress, Items):
    """What `iter`, `zip`, `enumerate` and `reversed` give: each item is given once.

    Parameters
    ----------
    length, item
        As of `Items`.
    label : str
        What users call it.
    held : callable, optional
        What says which values a list that may change holds now: of one that has changed since items were
        taken, nobody knows whether it was at its end.
    source : list, tuple, range or str, optional
        Where it gives the items of one of Python's.
    behind : sequence of Behind
        Other iterators, of each of which it takes an item for each of its own.
    at_end : callable, optional
        ``at_end(asked)`` is called where an item behind the last one is asked for, if `asked` is true.
    over : sequence, optional
        What it gives the items of in tuples, where Python can run over all of that.
    """

    def __init__(
        self,
        length: Any,
        item: Callable[[Any], Any],
        label: str,
        held: Callable[[], Any] | None = None,
        source: Any = None,
        behind: Sequence[Behind] = (),
        at_end: Callable[[Any], None] | None = None,
        over: Sequence[Any] | None = None,
    ) -> None:
        Progress.__init__(self)
        Items.__init__(self, length, item)
        self.label = label
        self.source = source
        self._place: Any = 0
        self._held, self._known = held, None if held is None else held()
        self.loops = 0
        self.is_stepped = False
        self.at_end = at_end
        self._behind = behind
        self._over = over

    @property
    def place(self) -> Any:
        """The index of the next item."""
        place = self.stands()
        if self.loops:
            self.is_stepped = True
        return place

    def stands(self) -> Any:
        """Likewise, for callers that take no item."""
        self.starts()
        if self._held is not None and self._known is not self._held():
            if is_symbolic(self._place) or self._place:
                self.become(LEFT)
                self.starts()
            self._known = self._held()
        for each in self._behind:
            each.meet(self._place)
        return self._place

    def move(self, place: Any) -> None:
        """Says which item is the next one, to the statements around as well."""
        if listener() is not self._made_under:
            note(Attribute(self, "_place", self.label))
        self._place = place
        for each in self._behind:
            each.move(place)

    def become(self, progress: int) -> None:
        """Likewise of what is behind it."""
        super().become(progress)
        for each in self._behind:
            each.source.become(progress)

    def taken_from(self) -> Iterator[Behind]:
        """What it takes items of, and what that takes items of."""
        for each in self._behind:
            yield each
            yield from each.source.taken_from()

    def all_behind(self) -> list[Once]:
        """The iterators that it takes items of, and those that these take items of."""
        return [each.source for each in self.taken_from()]

    @property
    def items(self) -> Items:
        """What is left, for callers that may stop anywhere and do not say where."""
        if self.at_end is not None:
            self.at_end(True)
        return self.handed_on()

    def handed_on(self) -> Items:
        """Likewise, for another iterator that does what is to be done at the end."""
        found = self.rest()
        self.become(LEFT)
        return found

    def taken(self) -> Items:
        """What is left, for callers that take all of it."""
        found = self.whole()
        self.move(self.length)
        self.end()
        return found

    def whole(self) -> Items:
        """What is left, of something that has an end."""
        if not is_symbolic(self.length) and self.length >= ENDLESS:
            raise GraphError(
                f"{self.label} has no end, and is asked for all of its items",
                why="A graph makes them before anything is done with the first.",
                way_out="Loop over it, and make what you need of an item in the body of the loop.",
            )
        return self.rest()

    def end(self, asked: Any = True) -> None:
        """Has no items any more, whatever is put behind those of its source."""
        if self.at_end is not None:
            self.at_end(asked)
        if self.source is not None and not is_symbolic(self.length):
            self._length = self.length

    def taken_in_turn(self, number: int) -> list[Items]:
        """What is left, for several that each take an item in turn: ``zip(it, it)``."""
        ahead = self.handed_on()

        def every(first: int) -> Items:
            length = (ahead.length + (number - 1 - first)) // number
            return Items(length, lambda index: ahead.item(index * number + first))

        return [every(first) for first in range(number)]

    def rest(self) -> Items:
        """What is left, for callers that say how much they took."""
        place = self.place
        is_whole = not is_symbolic(place) and place == 0
        begun = [(each, each.began) for each in self.taken_from()]
        if is_whole and not begun:
            return Items(self._length, self.item)

        def length() -> Any:
            with _as_begun(begun):
                return self.length if is_whole else self.length - place

        def item(index: Any) -> Any:
            with _as_begun(begun):
                return self.item(index if is_whole else place + index)

        return Items(length, item)

    @property
    def is_python(self) -> bool:
        """Whether Python runs over it, as over its source: it is known where it stands."""
        if self.source is None and self._over is None:
            return False
        iterators = [each for each in self._over or () if isinstance(each, Once)]
        return not is_symbolic(self.place) and all(each.is_python for each in iterators)

    @property
    def sources(self) -> list[Any]:
        """The lists, ranges and others of Python's that it gives the items of."""
        if self._over is None:
            return [] if self.source is None else [self.source]
        nested = [each.sources if isinstance(each, Once) else [each] for each in self._over]
        return list(chain.from_iterable(nested))

    @property
    def ahead(self) -> Any:
        """How many there are to come."""
        return self.rest().length

    @property
    def is_at_end(self) -> Any:
        """Whether no item is left."""
        return self.place >= self.length

    def take(self) -> Any:
        """The next item, which is there."""
        place = self.place
        self.move(place + 1)
        return self.item(place)

    def next(self, *default: Any) -> Any:
        """`next(self, *default)`."""
        if default:
            return self.next_or(lambda: default[0])
        over = self.is_at_end
        if not is_symbolic(over):
            if not over:
                return self.take()
            self.end()
            raise StopIteration
        if self.at_end is not None:
            self.at_end(over)
        refused(over, StopIteration())
        return self.take()

    def next_or(self, missing: Callable[[], Any], use: Callable[[Any], Any] = lambda item: item) -> Any:
        """What `use` makes of the next item, or what `missing` gives where there is none."""
        over = self.is_at_end
        if not is_symbolic(over):
            if not over:
                return use(self.take())
            self.end()
            return missing()
        if self.at_end is not None:
            self.at_end(over)
        return choose(over, missing, lambda: use(self.take()))

    def for_each(
        self,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
        both: Callable[[Any, Any], Any],
        extra_test: LoopTest | None,
        changes: Sequence[Place] = (),
    ) -> None:
        """`for item in self: body(item)`.

        Parameters
        ----------
        body : callable
        state : State
        options : LoopOptions
        both : callable
            What `and` means.
        extra_test : callable, optional
            Whether the loop goes on after a turn.
        changes : sequence of Place, optional
            What the loop is made to change.
        """
        ahead, first, behind = self.rest(), self._place, self.all_behind()
        if builder_in_use().watcher is not None:  # in a `try`, a turn that raises has taken its item
            self.is_stepped = True

        def test(index: Any) -> Any:
            within = self.stands() < self.length if self.is_stepped else index < ahead.length
            return within if extra_test is None else both(within, extra_test)

        def turn(index: Any) -> tuple[Any]:
            was_stepped = self.is_stepped
            body(self.take() if was_stepped else ahead.item(index))
            for each in behind:
                if each.is_stepped:
                    refuse_to_go_on(each.label)
            if self.is_stepped is not was_stepped:
                raise StartAnew
            return (index + 1,)

        running = [self, *behind]
        for each in running:
            each.loops += 1
        try:
            (count,) = stage_loop(state, options, (0,), test, turn, changes=changes)
        finally:
            for each in running:
                each.loops -= 1
        if self.is_stepped:
            self.stands()  # turns have moved those behind it, and that was in the graph of a turn
        else:
            self.move(first + count)
        if extra_test is None:
            self.end()
        elif self.at_end is not None:
            self.at_end(both(self.is_at_end, extra_test))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        over = self.is_at_end
        if is_symbolic(over):
            return next(iter(self.rest()))
        return self.next()


class Behind(Items):
    """The items of another iterator by the indices of one that takes them, wherever the other stands by now.

    Parameters
    ----------
    source : Once

    Attributes
    ----------
    began : int or Tensor
        Which of its items has the index 0.
    """

    def __init__(self, source: Once) -> None:
        self.source: Once = source
        self.began: Any = source.place
        super().__init__(
            lambda: _difference(self.source.length, self.began),
            lambda index: self.source.item(_sum(self.began, index)),
        )

    def meet(self, place: Any) -> None:
        """Looks where the other stands, of which the next item is the one for this index."""
        self.began = _difference(self.source.stands(), place)

    def move(self, place: Any) -> None:
        """Says for which index the next item is."""
        self.source.move(_sum(self.began, place))


@contextmanager
def _as_begun(begun: Sequence[tuple[Behind, Any]]) -> Iterator[None]:
    """While items are taken that were left where these began there."""
    now = [each.began for each, _ in begun]
    for each, began in begun:
        each.began = began
    try:
        yield
    finally:
        for (each, _), began in zip(begun, now, strict=True):
            each.began = began


def _difference(one: Any, other: Any) -> Any:
    """`one - other`, with nothing to compute where that is known."""
    return 0 if one is other else one if _is_nothing(other) else one - other


def _sum(one: Any, other: Any) -> Any:
    return other if _is_nothing(one) else one + other


def _is_nothing(number: Any) -> bool:
    return not is_symbolic(number) and number == 0
