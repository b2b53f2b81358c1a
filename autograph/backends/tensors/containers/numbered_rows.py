"""Lists with items of several kinds, and dicts of known keys, that are elements of others: held by number.

    table = [[name, score] for name, score in zip(names, scores)]        numbers
    for row in [row for row in table if row[1] > 1]:                     a number
        row[1] *= 2                          written to the column: `table` sees it

A column keeps what they hold, as it does for lists of one kind (`numbered_lists`). Such a row has as many
items, or the keys, that Python knows, so it is no list of the graph. Who reads it gets a list or dict of what
the column holds by then, as from one of several objects that a tensor chooses, where there is but one; who
changes it puts another one into the column.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NoReturn

from autograph.backends.tensors.containers.copied import Copied, outdate_copies
from autograph.backends.tensors.containers.elements import of_values
from autograph.backends.tensors.containers.lists import StagedList
from autograph.backends.tensors.objects.choices import NUMBERED_ROWS, OneOf, as_text, attribute
from autograph.backends.tensors.objects.proxies import SYMBOLS, in_place
from autograph.staging.context import staging
from autograph.staging.heap import leads_on
from autograph_base.dataclass import dataclass
from runtime.core.structure import flatten
from runtime.errors import StateDisagrees
from runtime.graph.build import current_builder
from runtime.graph.location import caller_location

__all__ = ["NumberedRow", "row_of"]


@dataclass(eq=False)
class CopyOfRow(Copied):
    """What a row holds, to be read only: to change it is refused, and to keep it keeps the row.

    Parameters
    ----------
    row : NumberedRow
    """

    row: Any = None


def row_of(held: Any) -> Any:
    """The row that a list or dict shows the items of; None of any other."""
    known = staging.copies.get(id(held))
    return known.row if isinstance(known, CopyOfRow) else None


@leads_on
class NumberedRow(OneOf):
    """A row that is an element of others.

    Parameters
    ----------
    number : integer Tensor without axes
        Its place in a column.
    kind : hashable
        Which column that is: what a row holds.
    """

    __slots__ = ("ag__kind", "ag__row")
    ag__kind: Any
    ag__row: Any

    def __init__(self, number: Any, kind: Hashable) -> None:
        staging.chosen = True
        for name, value in (("number", 0), ("row", number), ("kind", kind)):
            object.__setattr__(self, f"ag__{name}", value)

    __hash__ = None  # type: ignore[assignment]  # as Python's lists and dicts

    @property
    def ag__candidates(self) -> tuple[Any, ...]:  # type: ignore[override]
        return (self.ag__held(),)

    @property
    def ag__column(self) -> StagedList:
        found: StagedList = (staging.given_columns or staging.linked.columns[list])[self.ag__kind]
        return found

    def ag__held(self) -> Any:
        """A list or dict of what it holds by now."""
        column, builder = self.ag__column, current_builder()
        held = column.contents.get(self.ag__row)
        staging.copies[id(held)] = CopyOfRow(held, column, held, None, builder, row=self)
        return held

    def ag__change(self, change: Callable[[Any], Any]) -> Any:
        """What `change` gives for what it holds, which is written back."""
        column = self.ag__column
        held = column.contents.get(self.ag__row)
        outline = _outline(held)
        found = change(held)
        numbered_in(held)
        if _outline(held) != outline:
            _refuse(type(held))
        with of_values():
            contents = column.contents.put(self.ag__row, held)
        outdate_copies(column)
        column._become(contents, keeps_places=True)  # noqa: SLF001  # the column is ours
        return self if found is held else found

    def ag__attribute(self, name: str) -> Any:
        if name not in _CHANGING:
            return attribute(self, name)

        def method(*arguments: Any, **options: Any) -> Any:
            return self.ag__change(lambda held: getattr(held, name)(*arguments, **options))

        return method

    def __setitem__(self, index: Any, value: Any) -> None:
        def assign(held: Any) -> None:
            held[index] = value

        self.ag__change(assign)

    def __delitem__(self, index: Any) -> NoReturn:
        _refuse(type(self.ag__held()))


NUMBERED_ROWS.add(NumberedRow)

_CHANGING = frozenset(
    {
        *("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"),
        *("update", "setdefault", "popitem"),
    }
)
"""Methods of lists and dicts that change them."""


def _outline(held: Any) -> Any:
    """How a row is made: its class, keys or length, and the forms of its items; strings are alike."""
    items = held.values() if isinstance(held, dict) else held
    forms = [None if as_text(item) is not None else flatten(item)[1] for item in items]
    return type(held), [*held] if isinstance(held, dict) else len(held), forms


def numbered_in(held: Any) -> Any:
    """The list or dict itself, with numbers in the places of containers in it."""
    from autograph.backends.tensors.containers.numbered_lists import numbered  # noqa: PLC0415  # lists of rows

    if isinstance(held, dict):
        held.update({key: numbered(item) for key, item in held.items()})
    else:
        held[:] = map(numbered, held)
    return held


def _write(name: str, symbol: str) -> None:
    """Has `row += [x]` change the row, and the variable stay the row."""

    def change(self: NumberedRow, value: Any) -> Any:
        return self.ag__change(lambda held: in_place(held, symbol, value))

    change.__name__ = f"__i{name}__"
    setattr(NumberedRow, change.__name__, change)


for _name, _symbol in SYMBOLS.items():
    _write(_name, _symbol)


def _refuse(kind: Any) -> NoReturn:
    what = "gets other keys" if kind is dict else "gets longer or shorter"
    raise StateDisagrees(
        f"a {kind.__name__} that is an element of several lists {what}, or is given items of other kinds",
        where=caller_location(),
        why="It is a row of a column in the graph, beside all that were made alike.",
        way_out="Put everything in where you make it, with a 0 where there is nothing yet.",
    )
