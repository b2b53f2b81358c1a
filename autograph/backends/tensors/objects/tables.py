"""Rows of numbers that a tensor chooses from: an item is looked up in one table, in no branch.

    grid[i][j]              the numbers of all rows in one list of the graph, at i * width + j
    grid[i][j] = x          likewise; each row is left with its numbers of then

Rows are lists or tuples of Python's, of one length, whose numbers are all of one kind. What else a tensor
chooses from is used in a branch for each candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, number_of
from autograph.backends.tensors.objects.objects import position_among
from autograph.backends.tensors.scalars.indices import require_index
from autograph.staging.heap import current
from autograph.staging.notes import note
from autograph.staging.places import Contents
from runtime import ops
from runtime.core.dtypes import DType, as_dtype
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.graph.build import is_strict, is_symbolic, is_weak
from runtime.graph.whose_numbers import whose

__all__ = ["looked_up_in_rows", "put_into_rows"]


def looked_up_in_rows(chosen: Any, index: Any) -> Any:
    """The item of the row that is chosen; NotImplemented where the candidates are no rows of numbers."""
    rows = _rows_of(chosen, index)
    if rows is None:
        return NotImplemented
    if type(index) is int:
        column = [row[index] for row in rows]
        return NotImplemented if _kind_of(column) is None else Elements.of(column).get(number_of(chosen))
    kinds = {_kind_as_a_list(row) for row in rows}
    if len(kinds) > 1 or None in kinds:
        return NotImplemented
    return _in_a_row(rows).get(_place(chosen, rows, index, "index out of range"))


def put_into_rows(chosen: Any, index: Any, value: Any) -> Any:
    """Gives an item of the row that is chosen another value; NotImplemented likewise."""
    rows = _rows_of(chosen, index)
    if rows is None or type(rows[0]) is not list:
        return NotImplemented
    if _kind_of([value, *[item for row in rows for item in row]]) is None:
        return NotImplemented
    width = len(rows[0])
    place = _place(chosen, rows, index, "assignment index out of range")
    items = _in_a_row(rows).put(place, value)
    for number, row in enumerate(rows):
        note(Contents(row))
        row[:] = map(items.get, range(number * width, (number + 1) * width))
    return chosen


def _rows_of(chosen: Any, index: Any) -> Sequence[Any] | None:
    """The candidates, where they are rows of one length, and the index means an item of such a row."""
    if not isinstance(chosen, OneOf) or is_strict():
        return None
    kind = type(candidates_of(chosen)[0])
    if kind is not list and kind is not tuple:
        return None
    rows = [current(each) for each in candidates_of(chosen)]
    width = len(rows[0])
    if any(type(row) is not kind or len(row) != width for row in rows):
        return None
    if type(index) is int:
        return rows if -width <= index < width else None
    if not (isinstance(index, Tensor) and is_symbolic(index) and width) or index.static_shape != ():
        return None
    require_index(kind, index)
    return rows


def _kind_of(items: Sequence[Any]) -> tuple[DType, bool] | None:
    """The kind of some numbers; None where it is not one, or there are others among them."""
    kinds = {*map(_kind, items)}
    return kinds.pop() if len(kinds) == 1 else None


def _kind_as_a_list(items: Sequence[Any]) -> tuple[DType, bool] | None:
    """The same, of what an item is whose place only the run knows: NumPy's, where one of them is."""
    kinds = [_kind(item) for item in items]
    known = [each for each in kinds if each is not None]
    if len(known) < len(kinds) or len({dtype for dtype, _ in known}) > 1:
        return None
    return known[0][0], all(is_pythons for _, is_pythons in known)


def _kind(item: Any) -> tuple[DType, bool] | None:
    """The dtype of a number, and whether it is Python's; None of all else, and where only the run knows."""
    if type(item) in _DTYPES:
        is_small = type(item) is not int or -_LARGE <= item < _LARGE
        return (as_dtype(_DTYPES[type(item)]), True) if is_small else None
    if not (isinstance(item, Tensor) and is_symbolic(item) and isinstance(item.spec, ArraySpec)):
        return None
    if item.static_shape != () or ops.is_array(item):
        return None
    is_pythons = is_weak(item)
    return (item.dtype, is_pythons) if whose(item) is is_pythons else None


_DTYPES = {bool: "bool", int: "int64", float: "float64"}

_LARGE = 1 << 63


def _in_a_row(rows: Sequence[Any]) -> Elements:
    return Elements.of([item for row in rows for item in row])


def _place(chosen: OneOf, rows: Sequence[Any], index: Any, outside: str) -> Any:
    """Where an item is among those of all rows, behind one another; the graph raises IndexError outside."""
    within = index % len(rows[0]) if type(index) is int else position_among(rows[0], index, outside)
    return number_of(chosen) * len(rows[0]) + within
