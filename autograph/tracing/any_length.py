"""Containers outside of a function that come in as containers of its graph: it serves all of their lengths.

A list that a function reads and makes longer has another length before each call. It is a constant of the
trace at first; once its length has changed twice, the list comes in as one of the graph, as if the function
had begun with a loop that makes it longer.

    self.seen.append(x)
    return sum(self.seen) / len(self.seen)      one graph for all calls, from the third on
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.lists import STAND_INS, Staged
from autograph.staging import heap, notes
from autograph.staging.places import Contents, Moved, Place
from runtime.core.spec import ArraySpec
from runtime.core.structure import LEAF, Structure, flatten, level_of
from runtime.core.tensor import EAGER
from runtime.graph.build import as_operand, current_builder, spec_of

__all__ = ["AnyLength", "of_any_length"]


def of_any_length(place: Place, before: Any, now: Any) -> Contents | None:
    """What a container holds that has become longer or shorter, as an input; None where it can be none."""
    if not isinstance(place, Contents) or len(before) == len(now):
        return None
    return AnyLength.of(place.owner, place.name)


class AnyLength(Contents):
    """What a container holds, as one of the graph: numbers or tuples of numbers, of one kind.

    Those are values of Python's, NumPy's numbers or tensors, and so are keys and values of a dict.
    """

    __slots__ = ("_columns", "_model")

    def __init__(self, container: Any, name: str = "") -> None:
        super().__init__(container, name)
        self._columns: tuple[Any, ...] = ()
        self._model: Any = None

    @classmethod
    def of(cls, container: Any, name: str) -> AnyLength | None:
        """What a container holds; None where no graph has such a one."""
        found = cls(container, name)
        return found if found.get() is not None else None

    def at(self, owner: Any) -> AnyLength:
        return AnyLength(owner, self.name)

    def columns(self) -> tuple[Any, ...]:
        """As of every `Place`, when it was last asked what it holds."""
        return self._columns

    def get(self) -> Any:
        """A container of known values; None where no graph has such a one, or while a graph is built."""
        kind = type(self.owner)
        if (
            kind not in STAND_INS
            or heap.moved_to(self.owner) is not self.owner
            or current_builder() is not None
        ):
            return None
        if self.owner:  # what is empty counts as it was
            self._columns = _columns(self.owner)
        if not self._columns:
            return None
        try:
            staged = STAND_INS[kind](self.owner, self._model)
        except OverflowError:  # an int that no dtype holds
            return None
        self._model = staged.contents
        return staged

    def set(self, value: Any) -> None:
        if isinstance(value, Staged):
            staged = copy.copy(value)  # which the function changes: `value` stays what has come in
            staged.original = self.owner
            Moved(self.owner).set(staged)
        else:
            super().set(value)

    def announce(self) -> None:
        notes.note(Moved(self.owner))


_NUMBERS = frozenset({bool, int, float, complex})


def _columns(container: Any) -> tuple[Any, ...]:
    """The kind of each leaf of the elements; nothing where elements differ, or are no numbers."""
    items = list(container.items() if isinstance(container, dict) else container)
    if not {*map(type, items)} <= EAGER | _NUMBERS:
        forms = [_form(item) for item in items]
        return forms[0][0] if None not in forms[0][0] and forms.count(forms[0]) == len(forms) else ()
    kinds = {*map(_told, items)}
    found = _kind(items[0])
    return () if len(kinds) > 1 or found is None else (found,)


def _told(number: Any) -> Any:
    """What tells the kind of a known number, or of a tensor, from another one."""
    kind = type(number)
    if kind not in EAGER:
        return kind
    array = number._array
    return (array.dtype, array.shape) if type(array) is np.ndarray else (number.dtype, number.shape)


def _form(item: Any) -> tuple[tuple[Any, ...], Structure]:
    if not _is_of_tuples(item):
        return (None,), LEAF
    leaves, structure = flatten(item)
    return tuple(map(_kind, leaves)), structure


def _is_of_tuples(item: Any) -> bool:
    """Whether there are no containers in an element but tuples: none that may be in itself."""
    return all(map(_is_of_tuples, item)) if type(item) is tuple else level_of(item) is None


def _kind(leaf: Any) -> Any:
    """The class of a number of Python's, or the spec of a tensor or a number of NumPy's; None for others."""
    kind = type(leaf)
    if kind in _NUMBERS:
        return kind
    if kind not in EAGER and not isinstance(leaf, np.number | np.bool):
        return None
    spec = spec_of(as_operand(leaf))
    return spec if isinstance(spec, ArraySpec) and spec.shape == () else None
