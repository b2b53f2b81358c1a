"""`StagedDeque`: a deque whose length a tensor decides, with the interface of Python's."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from autograph.backends.tensors.containers.becoming import STAND_INS
from autograph.backends.tensors.containers.beside_arrays import asks_arrays
from autograph.backends.tensors.containers.copied import mark, note_copied, note_joined, note_taken_out
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import COPIED, StagedList, changes_in_place, contents_of
from autograph.backends.tensors.scalars.indices import is_array, refuse
from autograph.backends.tensors.statements.refused import refused
from autograph.staging.heap import leads_on
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.containers import Boxes, Finish, register
from runtime.core.rebuilding import rows_of
from runtime.core.structure import Structure, unflattening
from runtime.core.text import Apply
from runtime.graph.build import as_tensor

__all__ = ["StagedDeque"]


def _not_in_deque() -> str:
    try:
        deque([1]).remove(0)
    except ValueError as error:
        return str(error).replace("0", "{}")
    raise AssertionError("an empty deque holds nothing")


NOT_IN_DEQUE = _not_in_deque()
"""What this version of Python says of an element that is to be removed."""


@called("deque")
@leads_on
@asks_arrays
class StagedDeque(StagedList):
    """A deque whose length a tensor decides.

    Parameters
    ----------
    contents : Elements
    maxlen : int, optional
        How many elements it keeps: those that were put in last.
    """

    built: type[Any] = deque
    stands_for: type[Any] = deque
    outside = "deque index out of range"
    __hash__ = None  # as Python's deques

    def __init__(self, contents: Elements, maxlen: int | None = None) -> None:
        super().__init__(contents)
        self.maxlen = maxlen
        if maxlen is not None:
            self.contents = self._last(contents)

    def _template(self, contents: Elements) -> Apply:
        text = super()._template(contents)
        if self.maxlen is None:
            return text
        return Apply("join", (Apply("slice", (text, None, -1)), f", maxlen={self.maxlen})"))

    def _last(self, contents: Elements) -> Elements:
        """The elements that are kept, where more are put in at the end."""
        if self.maxlen is None or contents.is_unknown:
            return contents
        return contents.sliced(slice(ops.maximum(contents.length - self.maxlen, 0), None, None))

    def _first(self, contents: Elements) -> Elements:
        """The elements that are kept, where more are put in at the front."""
        if self.maxlen is None or contents.is_unknown:
            return contents
        return contents.sliced(slice(None, self.maxlen, None))

    def append(self, element: Any) -> None:
        before = self.contents
        self._reshape(self._last(before.appended(element)), keeps_places=self.maxlen is None)
        mark(element, self, changes_in_place, None if self.maxlen is not None else lambda: before.length)

    def appendleft(self, element: Any) -> None:
        """Adds an element at the front."""
        self._reshape(self._first(self.contents.inserted(0, element)))
        mark(element, self, changes_in_place, lambda: 0)

    def extend(self, items: Any) -> None:
        more = contents_of(items)
        self._reshape(self._last(self.contents.joined(more)), when=lambda: more.length > 0)
        self._note_extended(more, items)

    def extendleft(self, items: Any) -> None:
        """Adds elements at the front, one after the other."""
        turned = contents_of(items).sliced(slice(None, None, -1))
        self._reshape(self._first(turned.joined(self.contents)), when=lambda: turned.length > 0)
        self._note_extended(turned, items)

    def _note_extended(self, more: Elements, items: Any) -> None:
        """Says that it holds what others hold, too."""
        note_joined(self, more, self, items)
        if isinstance(items, list | tuple | deque):
            mark(tuple(items), self, changes_in_place)

    def pop(self) -> Any:  # type: ignore[override]  # Python's deques take no index
        """Takes the last element out."""
        return self._taken(self.length - 1)

    def popleft(self) -> Any:
        """Takes the first element out."""
        return self._taken(as_tensor(0))

    def _taken(self, position: Any) -> Any:
        refused(self.length == 0, IndexError("pop from an empty deque"))
        element = self.contents.get(position)
        self._reshape(self.contents.without(position))
        return note_taken_out(element, self)

    def rotate(self, n: Any = 1) -> None:
        """Moves the last elements to the front."""
        steps = -n % ops.maximum(self.length, 1)
        front, back = self.contents.sliced(slice(steps, None)), self.contents.sliced(slice(None, steps))
        self._reshape(front.joined(back), when=lambda: self.length > 1)

    def insert(self, index: Any, element: Any) -> None:
        if self.maxlen is not None:
            refused(self.length >= self.maxlen, IndexError("deque already at its maximum size"))
        super().insert(index, element)

    def remove(self, element: Any) -> None:
        position = self.contents.find(element, NOT_IN_DEQUE)
        self._reshape(self.contents.without(position))

    def copy(self) -> StagedDeque:
        return note_copied(StagedDeque(self.contents, self.maxlen), self.contents, self)

    __copy__ = copy

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            refuse(TypeError("sequence index must be integer, not 'slice'"))
        return self._item(self.contents.position(key, self.outside))

    def __setitem__(self, key: Any, value: Any) -> None:
        position = self.contents.position(key, self.outside)
        self._become(self.contents.put(position, value))
        mark(value, self, changes_in_place, lambda: position)

    def __delitem__(self, key: Any) -> None:
        self._reshape(self.contents.without(self.contents.position(key, self.outside)))

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, StagedDeque | deque):
            refuse(TypeError(f'can only concatenate deque (not "{type(other).__name__}") to deque'))
        contents = self.contents.joined(contents_of(other))
        return note_joined(StagedDeque(contents, self.maxlen), contents, self, other)

    def __mul__(self, count: Any) -> Any:
        items = StagedList(self.contents)
        return items * count if is_array(count) else StagedDeque((items * count).contents, self.maxlen)

    __rmul__ = __mul__


def _stand_in(original: deque[Any], model: Elements | None) -> StagedDeque:
    return StagedDeque(Elements.of(list(original), model), original.maxlen)


STAND_INS[deque] = _stand_in
COPIED.add(StagedDeque)


def _split(value: StagedDeque) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return range(len(value.contents.handles)), value.contents.handles, (value.contents.form, value.maxlen)


def _build(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: Any) -> Any:
    """A deque of Python's where the run is over, otherwise one of the graph."""
    del kind, keys
    form, maxlen = extra
    contents = Elements(form, children)
    if not contents.are_there:
        staged = StagedDeque(contents)
        staged.maxlen = maxlen
        return staged
    return deque(map(unflattening(form), contents.rows()), maxlen)


def _finish(structure: Structure, boxes: Boxes) -> Callable[[Sequence[Any]], Any]:
    form, maxlen = structure.extra
    rows = rows_of(form, boxes)
    return lambda columns: deque(rows(columns), maxlen)


register(
    StagedDeque,
    _split,
    _build,
    lambda _, inside: f"a deque that grows of {', '.join(inside)}",
    Finish(_finish),
)
