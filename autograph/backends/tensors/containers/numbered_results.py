"""What a function gives whose lists are held by number: the lists behind the numbers, each one once.

A run gives what the columns hold, and numbers in the places of lists. Where it is over, the lists of the
columns are made first, and a number is the list that has it: what is one list in the graph is one list there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from autograph.backends.tensors.containers.elements import Elements, numbers_lists
from autograph.backends.tensors.containers.lists import StagedList, StagedTuple
from autograph.backends.tensors.containers.numbered_lists import (
    NUMBERED_KINDS,
    NumberedList,
    as_values,
    columns,
    kind_of,
    place_of,
    with_columns,
)
from autograph.backends.tensors.containers.numbered_rows import NumberedRow
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.heap import moved_to
from runtime import ops
from runtime.core.containers import Boxes, Finish, register
from runtime.core.structure import Structure, level_of
from runtime.errors import StateDisagrees
from runtime.graph.build import as_tensor, current_builder
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.validity import require

__all__ = ["given_out", "require_no_numbers"]


class GivenColumn:
    """What the lists of a kind hold, beside what a function gives.

    Parameters
    ----------
    kind : hashable
    held : StagedList
    """

    def __init__(self, kind: Hashable, held: StagedList) -> None:
        self.kind = kind
        self.held = held


class Given:
    """What a function gives, with numbers in the places of lists.

    Parameters
    ----------
    columns : sequence of GivenColumn
        Those that hold no numbers come first, and each before those with its numbers in them.
    value : nest
    """

    def __init__(self, columns: Sequence[GivenColumn], value: Any) -> None:
        self.columns = columns
        self.value = value

    def __repr__(self) -> str:
        return "<lists that are held by number, in a graph>"


def given_out(result: Any) -> Any:
    """What a function gives, with the columns in which its lists are, where these are held by number."""
    made: dict[int, tuple[Any, Any]] = {}
    value = _moved(result, made)
    kinds: dict[Hashable, None] = {}
    for _, each in made.values():
        _note_kinds(each, kinds)
    if not kinds:
        return result
    return Given([GivenColumn(kind, columns()[kind]) for kind in kinds], value)


def require_no_numbers(left: Iterable[Any], what: str = "is left outside of the function") -> None:
    """Sees to it that no list that is held by number is in some values; `what` is done with these."""
    if not numbers_lists():
        return
    made: dict[int, tuple[Any, Any]] = {}
    kinds: dict[Hashable, None] = {}
    for value in left:
        _moved(value, made)
    for _, each in made.values():
        _note_kinds(each, kinds)
    if kinds:
        raise StateDisagrees(
            f"a list that is an element of others {what}",
            where=caller_location(),
            why="A list that grows in a graph keeps the values of its elements: these would be two.",
            way_out="Give a copy away, as in `self.rows = [list(row) for row in rows]`.",
        )


def _moved(value: Any, made: dict[int, tuple[Any, Any]]) -> Any:
    """A nest, with what has taken the place of its containers."""
    if type(value) in ATOMS or type(value) is Symbol:
        return value
    if id(value) not in made:
        now = found = moved_to(value)
        level = None if isinstance(now, StagedTuple) else level_of(now)
        if level is not None:
            inner = [_moved(child, made) for child in level[1]]
            if any(one is not other for one, other in zip(inner, level[1], strict=True)):
                found = level[0].build(inner)
        made[id(value)] = value, found
    return made[id(value)][1]


def _note_kinds(value: Any, kinds: dict[Hashable, None]) -> None:
    """Notes which columns the numbers in a value, or in its elements, are places of."""
    if type(value) in NUMBERED_KINDS:
        _note_kind(kind_of(value), kinds)
    elif isinstance(value, StagedTuple):
        _note_kinds_in(value.contents.form, kinds)
    elif isinstance(value, Elements):
        _note_kinds_in(value.form, kinds)


def _note_kinds_in(form: Structure, kinds: dict[Hashable, None]) -> None:
    if form.kind in NUMBERED_KINDS:
        _note_kind(form.extra, kinds)
        return
    of_elements = form.extra if isinstance(form.extra, tuple) else (form.extra,)
    for child in (*form.children, *[each for each in of_elements if isinstance(each, Structure)]):
        _note_kinds_in(child, kinds)


def _note_kind(kind: Hashable, kinds: dict[Hashable, None]) -> None:
    if kind not in kinds:
        _note_kinds_in(columns()[kind].contents.form, kinds)
        kinds[kind] = None


# ── when the run is over ──


def _build_column(kind: type, keys: Sequence[Any], children: Sequence[Any], of: Hashable) -> GivenColumn:
    del kind, keys
    (held,) = children
    if type(held) is list:
        staging.given_lists = {**staging.given_lists, of: held}
    return GivenColumn(of, held)


def _build_given(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: Any) -> Any:
    """The value where the run is over; in another graph, one whose lists are known to be different ones."""
    del kind, keys, extra
    *held, value = children
    if all(type(each.held) is list for each in held):
        staging.given_lists = {}
        return value
    if current_builder() is None:  # what shows the structure
        return Given(held, value)
    with with_columns({each.kind: each.held for each in held}):
        return _Values().all_of(value)


def _build(kind: Any, keys: Sequence[Any], children: Sequence[Any], of: Hashable) -> Any:
    del keys
    (number,) = children
    if of in staging.given_lists and current_builder() is None:
        return staging.given_lists[of][int(number)]
    return kind(number, of)


def _finish(structure: Structure, _: Boxes) -> Any:
    kind = structure.extra
    return lambda parts: staging.given_lists[kind][int(parts[0])]


def _finish_rows(structure: Structure, _: Boxes) -> Any:
    kind = structure.extra
    return lambda given: [staging.given_lists[kind][number] for number in given[0].own_values()]


# ── in another graph ──


class _Values:
    """Lists in the places of numbers, in a graph that has none."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, list[Any]] = {}

    def all_of(self, value: Any) -> Any:
        """A nest, with lists in the places of numbers; none is given twice, as the run checks."""
        found = self._of(value)
        for several in self._numbers.values():
            if len(several) > 1 or several[0].ndim:
                ordered = ops.sort(ops.concat([ops.reshape(each, (-1,)) for each in several]))
                require(ops.all(ordered[1:] != ordered[:-1]), StateDisagrees, TWICE)
        return found

    def _of(self, value: Any) -> Any:
        if type(value) in ATOMS or type(value) is Symbol:
            return value
        if isinstance(value, Elements):
            self._note(value.form, iter(value.handles))
            return as_values(value)
        if type(value) in NUMBERED_KINDS:
            self._numbers.setdefault(kind_of(value), []).append(as_tensor(place_of(value)))
        if type(value) is NumberedRow:
            return self._of(value.ag__held())
        if type(value) is NumberedList:
            return StagedList(self._of(value.contents))
        if isinstance(value, StagedTuple):
            held = self._of(value.contents)
            return value if held is value.contents else value.of(held)
        level = level_of(value)
        return value if level is None else level[0].build(list(map(self._of, level[1])))

    def _note(self, form: Structure, handles: Iterator[Any]) -> None:
        """Keeps the numbers in elements of a form."""
        if form.kind is None:
            next(handles)
        elif form.kind in NUMBERED_KINDS:
            self._numbers.setdefault(form.extra, []).append(ops.list_stack(next(handles)))
        else:
            for child in form.children:
                self._note(child, handles)


TWICE = (
    "a function that another one calls gives one list twice: it would be two there; "
    "put a copy of it in, as in `rows.append(list(row))`"
)


def _split_given(value: Given) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return range(len(value.columns) + 1), [*value.columns, value.value], None


def _split_column(value: GivenColumn) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("held",), (value.held,), value.kind


def _split(value: NumberedList | NumberedRow) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("number",), (place_of(value),), kind_of(value)


for _kind in NUMBERED_KINDS:
    register(_kind, _split, _build, lambda *_: "list", Finish(_finish, _finish_rows))
register(GivenColumn, _split_column, _build_column, lambda _, inside: inside[0])
register(Given, _split_given, _build_given, lambda _, inside: inside[-1])
