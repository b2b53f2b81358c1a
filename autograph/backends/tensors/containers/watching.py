"""Loops over dicts, sets and deques: Python raises where one has changed when its loop asks for an item.

Python's own iterator does so of a container that is Python's. Of one that is the graph's, or becomes it on
the way, a loop asks before each of its turns and once behind the last, unless a `break` has left it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from typing import Any

from autograph.backends.tensors.containers.deques import StagedDeque
from autograph.backends.tensors.containers.dicts import StagedDict
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.keyed import StagedKeyed, python_keys
from autograph.backends.tensors.containers.lists import StagedTuple
from autograph.backends.tensors.containers.views import View
from autograph.backends.tensors.iteration.items import Lazy, as_items, both
from autograph.backends.tensors.iteration.once import Once
from autograph.backends.tensors.objects.choices import choose, over, possible_values
from autograph.backends.tensors.statements.refused import refused
from autograph.staging.context import staging
from autograph.staging.heap import VIEWS, current, dict_behind
from autograph.staging.notes import note
from autograph.staging.places import Attribute
from runtime import ops
from runtime.graph.build import current_builder

__all__ = ["LoopWatch", "asked_one_by_one", "is_watched", "watch_over", "watched_by_index"]


class LoopWatch:
    """A loop over a container that must not change under it.

    Parameters
    ----------
    items : object
        What the loop is to go through.
    owner : object
        The container, or a choice of several.

    Attributes
    ----------
    items : object
        What it goes through: a deque of Python's by index, since a path that is not taken changes it, too.
    is_reshaped : bool or Tensor
        Whether items were taken out of the container since, or moved; of a deque, whether any were put in.
    """

    def __init__(self, items: Any, owner: Any) -> None:
        self.is_reshaped: Any = False
        self.items = _ByIndex(items) if isinstance(items, deque) else items
        self._owner = owner
        self._before = [_Before(each) for each in _candidates(owner)]
        self._length = _length_of(owner)
        self._builder = current_builder()

    def __enter__(self) -> LoopWatch:
        staging.watches.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        staging.watches.remove(self)

    def hear(self, container: Any, when: Any = True) -> None:
        """Is told that a container has been reshaped, in this case, or is about to be."""
        (owner, *others) = _candidates(self._owner)
        if others or current(owner) is not container or self._is_over():
            return
        note(Attribute(self, "is_reshaped", "a loop over a container"))
        self.is_reshaped = when if self.is_reshaped is False else ops.logical_or(self.is_reshaped, when)

    def _is_over(self) -> bool:
        """Whether it is of a graph that is built no more: somebody still has the iterator."""
        builder = current_builder()
        return self._builder is not None and (builder is None or not builder.sees(self._builder.graph))

    @property
    def asks(self) -> bool:
        """Whether anything may have changed."""
        return self.is_reshaped is not False or any(before.has_changed for before in self._before)

    def ask(self, when: Any = True) -> None:
        """Has the graph raise where the container has changed; of dicts and sets of Python's, these raise."""
        if not self.asks:
            return
        now = current(_candidates(self._owner)[0])
        if isinstance(now, deque | StagedDeque):
            refused(both(when, self.is_reshaped), RuntimeError("deque mutated during iteration"))
            return
        refused(both(when, _length_of(self._owner) != self._length), RuntimeError(now.changed))
        if isinstance(now, StagedDict) and self.is_reshaped is not False:
            are_others = ops.logical_not(now.keys_held.same_as(self._before[0].keys))
            refused(
                both(when, ops.logical_and(self.is_reshaped, are_others)),
                RuntimeError("dictionary keys changed during iteration"),
            )


class _Before:
    """What a container was when a loop over it began."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner
        self._contents = getattr(owner, "contents", None)
        self._keys = [*owner] if isinstance(owner, dict) else getattr(owner, "keys_held", ())

    @property
    def has_changed(self) -> bool:
        return getattr(current(self._owner), "contents", None) is not self._contents

    @property
    def keys(self) -> Elements:
        """The keys that a dict had."""
        return self._keys if isinstance(self._keys, Elements) else Elements.of(python_keys(self._keys))


def _candidates(owner: Any) -> list[Any]:
    return [dict_behind(each) if type(each) in VIEWS else each for each in possible_values(owner)]


def _length_of(owner: Any) -> Any:
    return over((owner,), lambda each: _own_length(current(each)))


def _own_length(container: Any) -> Any:
    return container.length if isinstance(container, StagedTuple | StagedKeyed) else len(container)


class _ByIndex(Iterator[Any]):
    """The items of a deque, as they are when they are asked for; what is gone by then nobody gets."""

    def __init__(self, items: deque[Any]) -> None:
        self._items, self._first, self._place = items, [*items], 0

    def __next__(self) -> Any:
        index, now = self._place, current(self._items)
        if index == len(self._first):
            raise StopIteration
        self._place, first = index + 1, self._first[index]
        if isinstance(now, StagedDeque):
            return choose(now.length > index, lambda: now.contents.get(index), lambda: first)
        return now[index] if index < len(now) else first


def watch_over(items: Any) -> LoopWatch | None:
    """What watches a loop over these items; None where they may change as they like."""
    return LoopWatch(items, _owner_of(items)) if is_watched(items) else None


def is_watched(items: Any) -> bool:
    """Whether these are items of what must not change while something goes over them."""
    return all(isinstance(each, _WATCHED) for each in _candidates(_owner_of(items)))


def _owner_of(items: Any) -> Any:
    return items.holder if isinstance(items, View) else items


def asked_one_by_one(items: Any) -> Any:
    """What Python's iterators are to go through instead of a container that must not change under them."""
    watch = watch_over(items)
    if watch is None:
        return items
    asked = _each_of(watch)
    next(asked)  # from now on it hears of changes, and no longer than somebody has it
    return asked


def watched_by_index(items: Lazy) -> Once | None:
    """What gives the items of a container of the graph that must not change under it; None of any other."""
    watch = watch_over(items)
    if watch is None:
        return None
    sequence, listening = as_items(items), _each_of(watch)
    next(listening)

    def item(index: Any) -> Any:
        watch.ask()
        return sequence.item(index)

    def at_end(asked: Any, _: object = listening) -> None:  # it hears of changes as long as this is there
        watch.ask(asked)

    return Once(lambda: sequence.length, item, "an iterator", at_end=at_end)


def _each_of(watch: LoopWatch) -> Generator[Any, None, None]:
    with watch:
        yield
        items = iter(watch.items)
        while True:
            watch.ask()
            try:
                item = next(items)
            except StopIteration:
                return
            yield item


_WATCHED = (dict, set, deque, StagedKeyed, StagedDeque)
