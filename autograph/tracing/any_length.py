"""Containers outside of a function that come in as containers of its graph: it serves all of their lengths.

A list that a function reads and makes longer has another length before each call. It is a constant of the
trace at first; once its length has changed twice, the list comes in as one of the graph, as if the function
had begun with a loop that makes it longer.

    self.seen.append(x)
    return sum(self.seen) / len(self.seen)      one graph for all calls, from the third on

A list among the arguments may hold lists of numbers, too: no other name leads to these then, and each call
gives the lists of its caller what the function leaves in them.
"""

from __future__ import annotations

import copy
from array import array
from collections.abc import Sequence
from itertools import chain
from types import GenericAlias
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.containers.becoming import STAND_INS
from autograph.backends.tensors.containers.elements import Elements, numbers_lists
from autograph.backends.tensors.containers.lists import Staged, StagedList
from autograph.staging import heap, notes
from autograph.staging.places import Contents, Moved, Place
from runtime.core.dtypes import as_dtype
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, ListSpec
from runtime.core.structure import LEAF, Structure, flatten, level_of
from runtime.core.tensor import EAGER, Tensor
from runtime.errors import StateDisagrees
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

    Parameters
    ----------
    container : list, dict, deque or set
    name : str
    takes_rows : bool
        Whether a list may hold lists of Python's numbers, which have no other names then.
    """

    __slots__ = ("_columns", "_model", "_takes_rows")

    def __init__(self, container: Any, name: str = "", *, takes_rows: bool = False) -> None:
        super().__init__(container, name)
        self._columns: tuple[Any, ...] = ()
        self._model: Any = None
        self._takes_rows = takes_rows

    @classmethod
    def of(cls, container: Any, name: str, *, takes_rows: bool = False) -> AnyLength | None:
        """What a container holds; None where no graph has such a one."""
        found = cls(container, name, takes_rows=takes_rows)
        return found if found.get() is not None else None

    def at(self, owner: Any) -> AnyLength:
        return AnyLength(owner, self.name, takes_rows=self._takes_rows)

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
            self._columns = (self._takes_rows and _kind_of_rows(self.owner)) or _columns(self.owner)
        if not self._columns:
            return None
        try:
            staged = self._rows() if self._are_rows else STAND_INS[kind](self.owner, self._model)
        except OverflowError:  # an int that no dtype holds
            return None
        self._model = staged.contents
        return staged

    @property
    def _are_rows(self) -> bool:
        """Whether there are lists in the container."""
        return isinstance(self._columns[0], GenericAlias)

    def _rows(self) -> StagedList:
        """A list of known lists."""
        (operand,) = _operands(self.owner, self._columns)
        return StagedList(Elements(_form_of_rows(), [operand]))

    def operands(self, owner: Any, columns: tuple[Any, ...], form: Structure) -> Sequence[Tensor] | None:
        """As of every `Place`: numbers of Python's, lists of these in a list, or tuples of these."""
        try:
            return _operands(owner, columns) if _are_like(owner, columns, form) else None
        except OverflowError:  # an int that no dtype holds
            return None

    def set(self, value: Any) -> None:
        if isinstance(value, Staged):
            if self._are_rows and numbers_lists():
                _refuse_numbers(self.name)
            # which the function changes: `value` stays what has come in, and is no other list for it
            staged = StagedList(value.contents) if self._are_rows else copy.copy(value)
            staged.original = self.owner
            Moved(self.owner).set(staged)
        else:
            super().set(value)

    def announce(self) -> None:
        notes.note(Moved(self.owner))


_NUMBERS = frozenset({bool, int, float, complex})


def _are_like(container: Any, columns: tuple[Any, ...], form: Structure) -> bool:
    """Whether the elements of a list are of these kinds and this form, as is said at once of most."""
    if type(container) is not list or not container or not all(each.kind is None for each in form.children):
        return False
    if isinstance(columns[0], GenericAlias):
        return _kind_of_rows(container) == columns
    kinds = {*map(type, container)}
    if form.kind is None:
        return kinds == {*columns} and kinds <= _CODES.keys()
    if form.kind is not tuple or kinds != {tuple} or {*map(len, container)} != {len(columns)}:
        return False
    found = [{*map(type, column)} for column in zip(*container, strict=True)]
    return found == [{kind} for kind in columns] and {*columns} <= _CODES.keys()


def _operands(container: list[Any], columns: tuple[Any, ...]) -> list[Tensor]:
    """What a list like `columns` says is in a graph: a list of numbers for each of these, or one of lists."""
    if container and type(container[0]) is tuple:
        pairs = zip(zip(*container, strict=True), columns, strict=True)
        return [each for column, kind in pairs for each in _operands([*column], (kind,))]
    (kind,) = columns
    is_nested = isinstance(kind, GenericAlias)
    numbers = _together([*chain.from_iterable(container)] if is_nested else container, _number_in(kind))
    element = ArraySpec((), as_dtype(numbers.dtype))
    if not is_nested:
        return [Tensor(ListValue.packed(numbers, element))]
    lengths = np.array([*map(len, container)], np.int64)
    return [Tensor(ListValue.of_rows(numbers, lengths, ListSpec(element)))]


def _number_in(kind: Any) -> type:
    found: type = kind.__args__[0] if isinstance(kind, GenericAlias) else kind
    return found


def _together(numbers: list[Any], kind: type) -> np.ndarray:
    """Numbers of a class as an array, which nobody else has."""
    code = _CODES.get(kind)
    if code is None or not numbers:
        return np.array(numbers, kind)
    return np.frombuffer(array(code, numbers), kind)  # in a third of the time


_CODES = {int: "q", float: "d"}


def _refuse_numbers(name: str) -> NoReturn:
    """Says that lists which come in cannot be held by number: the program has them where they are."""
    raise StateDisagrees(
        f"a list in `{name}`, of any length, is put into another one, or is given to the caller",
        why="Only a run knows how many lists there are: the graph has copies of what they hold.",
        way_out="Put a copy into it: `found.append(list(row))`.",
    )


def _form_of_rows() -> Structure:
    """What a list is in a list of the graph."""
    return flatten(StagedList(Elements.of([0])))[1]


def _kind_of_rows(container: Any) -> tuple[Any, ...]:
    """The kind of lists in a list, each of which is there once: ``list[int]``; nothing for all else."""
    if type(container) is not list or {*map(type, container)} != {list}:
        return ()
    kinds = {*map(type, chain.from_iterable(container))}
    is_one = len(kinds) == 1 and kinds <= _NUMBERS and len({*map(id, container)}) == len(container)
    return (GenericAlias(list, kinds.pop()),) if is_one else ()


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
