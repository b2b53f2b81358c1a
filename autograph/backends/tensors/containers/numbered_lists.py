"""Lists that are elements of others, held by number: two names for one list are the same number.

A list of the graph keeps the values of its elements (`copied`). Where a program changes one that another list
holds, too, or gives a list to its caller of which nobody knows whether it holds one object twice, that is not
enough. The trace then starts anew, and what is put into a list of the graph is a number: the place that the
element has in a column, in which the trace keeps what all such lists hold.

    rows = sorted(x.tolist())        numbers, in order
    for row in rows:                 a number
        if row[0] <= out[-1][1]:     what the columns hold under two numbers
            out[-1][1] = row[1]      written there: `rows` sees it
        else:
            out.append(row)          a number

There is a column for each kind of elements. What is given to the caller are lists again (`numbered_results`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NoReturn

from autograph.backends.tensors.containers.becoming import NUMBERED
from autograph.backends.tensors.containers.copied import may_change
from autograph.backends.tensors.containers.elements import Elements, numbers_lists, of_values
from autograph.backends.tensors.containers.lists import StagedList, changes_in_place
from autograph.backends.tensors.containers.numbered_rows import NumberedRow, numbered_in, row_of
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, number_of
from autograph.backends.tensors.statements.retracing import Grows
from autograph.staging import places
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.heap import as_moved, moved_to
from autograph.staging.notes import note
from autograph.staging.places import Contents, Moved
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.structure import LEAF, Structure, level_of
from runtime.errors import StateDisagrees
from runtime.graph.build import as_tensor, current_builder, is_weak
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import while_loop

__all__ = [
    "NUMBERED_KINDS",
    "NumberedList",
    "are_one_list",
    "as_values",
    "columns",
    "kind_of",
    "number_left",
    "numbered_like",
    "place_of",
    "require_numbers",
    "unite",
    "with_columns",
]


class NumberedList(StagedList):
    """A list that is an element of others.

    Parameters
    ----------
    number : integer Tensor without axes
        Its place in a column.
    kind : hashable
        Which column that is: what its elements are.
    """

    is_numbered = True

    def __init__(self, number: Any, kind: Hashable) -> None:
        staging.chosen = True
        self.number = number
        self.kind = kind

    @property
    def contents(self) -> Any:
        """What the column holds."""
        found: StagedList = self.column.contents.get(self.number)
        return found.contents

    @contents.setter
    def contents(self, contents: Elements) -> None:
        with of_values():
            held = self.column.contents.put(self.number, StagedList(contents))
        self.column._become(held, keeps_places=True)  # noqa: SLF001  # the column is part of it

    @property
    def column(self) -> StagedList:
        """What all lists of its kind hold."""
        return columns()[self.kind]

    def _become(self, contents: Any, **_: bool) -> None:
        self.contents = contents

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        _refuse("a list that is an element of others is copied with all that is in it")

    def of(self, contents: Elements) -> StagedList:
        return StagedList(contents)

    def __repr__(self) -> str:
        return super().__repr__() if numbers_lists() else "<list that is held by number, in a graph>"


def columns() -> Mapping[Hashable, StagedList]:
    """By kind, what lists hold."""
    found: Mapping[Hashable, StagedList] = staging.given_columns or staging.linked.columns[list]
    return found


def with_columns(given: Mapping[Hashable, StagedList]) -> AbstractContextManager[None]:
    """While it lasts, lists are in the columns that another function has given."""
    return staging.having(given_columns=given)


# ── numbers ──


def numbered(value: Any) -> Any:
    """An element of a list, with numbers in the places of the lists in it."""
    kind = type(value)
    if kind in ATOMS or kind is Symbol:
        return value
    value = moved_to(value)
    kind = type(value)
    if kind in NUMBERED_KINDS:
        return value
    if kind is list or kind is StagedList or (kind is dict and staging.linked.numbers_rows):
        return row_of(value) or give_number(value)
    if kind is dict and id(value) in staging.copies:
        _refuse("a dict is put into a list that others hold, and is in a list")  # where dicts have no numbers
    level = level_of(value)
    if level is None:
        return value
    if type(value) is OneOf:
        return _chosen(value)
    form, children = level
    if changes_in_place(value):
        _require_no_lists(children)
    inner = [numbered(child) for child in children]
    same = all(one is other for one, other in zip(inner, children, strict=True))
    return value if same else form.build(inner)


NUMBERED_KINDS = frozenset({NumberedList, NumberedRow})


def _require_no_lists(children: Sequence[Any]) -> None:
    """Sees to it that an object that stays as it is holds no list."""
    if any(type(moved_to(child)) in {list, StagedList} for child in children):
        _refuse("a list that an object holds, which is an element of a list, is changed or given twice")


def _chosen(value: OneOf) -> Any:
    """The number of one of several lists; what is one of several other objects stays that."""
    journal, candidates = staging.journal, [*map(moved_to, candidates_of(value))]
    if journal is not None and journal.starts_anew:
        older = [each for each in _lists_among(candidates) if journal.existed(each)]
        if older and not staging.makes_model:
            raise Grows([(each, NUMBERED) for each in older])
    found = [*map(numbered, candidates)]
    if not any(type(each) is NumberedList for each in found):
        return value
    for each in found:
        if type(each) is NumberedList and each.kind == found[0].kind:
            continue
        if type(each) is NumberedList:
            unite(found[0].kind, each.kind)
        _refuse("one of several objects is put into a list, not all of which are lists of the same items")
    numbers = ops.stack([as_tensor(each.number) for each in found])
    return NumberedList(ops.take(numbers, number_of(value)), found[0].kind)


def number_left(changed: Collection[tuple[places.Place, Any]], before: Callable[[places.Place], Any]) -> None:
    """Numbers the lists that a path leaves: first those that are in lists of Python's, then what is bound."""
    for place, now in changed:
        if type(now) is list and type(place.owner) is list and isinstance(place, Contents):
            known = {*map(id, before(place))}
            items = [item if id(item) in known else numbered(item) for item in now]
            if any(one is not other for one, other in zip(items, now, strict=True)):
                place.owner[:] = items
    for place, now in changed:
        if isinstance(place, _BOUND):
            (found,) = numbered_like([before(place)], [now])
            if found is not now:
                place.set(found)


_BOUND = (places.Attribute, places.Cell, places.Item, places.Variable)
"""Places that hold one value."""


def numbered_like(before: Sequence[Any], now: Sequence[Any]) -> tuple[Any, ...]:
    """What variables hold where a path ends: numbers of lists that got them there, or held them before."""
    found = []
    for one, value in zip(before, map(as_moved, now), strict=True):
        is_bound = type(one) in NUMBERED_KINDS and type(value) in {list, dict, StagedList}
        found.append(numbered(value) if is_bound else value)
    return tuple(found)


def _lists_among(candidates: Iterable[Any]) -> Iterator[Any]:
    """Those lists among which a tensor chooses that have no numbers yet."""
    for each in candidates:
        if type(each) is OneOf:
            yield from _lists_among(map(moved_to, candidates_of(each)))
        elif type(each) in {list, StagedList}:
            yield each


def give_number(value: Any) -> Any:
    """The number of a list, which takes its place from now on."""
    journal = staging.journal
    if staging.linked.existed(value):
        _refuse("a list from outside of the function is put into a list that grows in its graph")
    if not staging.makes_model:
        if journal is not None and journal.starts_anew and journal.existed(value):
            raise Grows([(value, NUMBERED)])
        around = journal
        while around is not None and around.home is None:
            around = around.around
        if around is None or current_builder() is not around.home:
            _refuse("a list is put into a list of the graph where no statement sees it")
    if _is_row(value):
        held = numbered_in(value.copy())
        kind = _kind_of_row(held)
    else:
        held = StagedList(_contents(value))
        kind = _kind_of(held.contents)
    column = columns().get(kind)
    if column is None:
        staging.linked.hold(list, [kind], has_to=False)
    assert column is not None, "otherwise the trace starts anew"
    made = NumberedRow if type(held) is not StagedList else NumberedList
    if staging.makes_model:
        return made(ops.stands_for_python(as_tensor(0)), kind)
    number = column.length
    with of_values():
        more = column.contents.appended(held)
    column._become(more, keeps_places=True)  # noqa: SLF001  # the column is ours
    found = made(number, kind)
    moved = Moved(value)
    note(moved)
    moved.set(found)
    return found


def _is_row(value: Any) -> bool:
    """Whether something is a dict, or a list with items of several kinds, where such have numbers."""
    if type(value) is dict:
        return True
    if type(value) is not list or not staging.linked.numbers_rows:
        return False
    return len({_kind_of(Elements.of([item])) for item in map(numbered, value)}) > 1


def _kind_of_row(held: Any) -> Hashable:
    """Which column has the rows that are made alike."""
    with of_values():
        contents = Elements.of([held])
    if any(map(may_change, contents.form.children)):
        _refuse("a list or dict of objects is changed, or given away, that two lists hold")
    kind: Any = _kind_of(contents)
    return staging.linked.representative((*kind, "row"))  # type: ignore[no-any-return]


def _contents(value: Any) -> Elements:
    """What a list holds, which are items of one kind: a column would make one kind of several."""
    if isinstance(value, StagedList):
        contents: Elements = value.contents
    else:
        items = [*map(numbered, value)]
        if len({_kind_of(Elements.of([item])) for item in items}) > 1:
            _refuse("a list with items of several kinds is changed, or given away, that two lists hold")
        contents = Elements.of(items)
    if may_change(contents.form):
        _refuse("a list of objects is changed, or given away, that two lists hold")
    return contents


def _kind_of(contents: Elements) -> Hashable:
    """Which column has the lists of such elements; what those will hold that are empty, shows later."""
    if contents.is_unknown:
        own: Hashable = EMPTY, caller_location()
    else:
        specs = [(handle.spec.element, is_weak(handle)) for handle in contents.handles]
        if not all(isinstance(spec, ArraySpec) for spec, _ in specs):
            _refuse("a list of texts is changed, or given away, that two lists hold")
        own = contents.form, tuple([(str(spec.dtype), spec.rank, weak) for spec, weak in specs])
    found: Hashable = staging.linked.representative(own)
    return found


EMPTY = "empty"
"""The kind of lists in which nothing was when they got their numbers, with where that was."""


def unite(one: Hashable, other: Hashable) -> None:
    """Has the trace start anew with one column for lists that meet.

    Where some were empty at first, or have Python's numbers, which are NumPy's beside such.
    """
    kinds: Any = (one, other)
    for fewer, kind in (kinds, kinds[::-1]):
        if fewer[0] is EMPTY or (fewer != kind and _as_numpys(fewer) == kind):
            staging.linked.unite(fewer, kind)


def _as_numpys(kind: Any) -> Hashable:
    """The kind of lists that have NumPy's numbers where those of a kind have Python's."""
    return kind[0], tuple([(*spec, False) for *spec, _ in kind[1]]), *kind[2:]


def require_numbers(left: Any, right: Any, *, may_start_anew: bool) -> None:
    """Has both lists that two paths leave held by number, as one of them is.

    The other one gets its number before the statement, if it was there. One that a path has made is another
    one in the next trace, in vain.
    """
    if type(left) is type(right):
        unite(kind_of(left), kind_of(right))
        return
    for value in (left, right):
        if type(value) not in NUMBERED_KINDS:
            is_list = type(value) in {list, dict, StagedList} and not staging.linked.existed(value)
            if may_start_anew and is_list and staging.linked.may_ask(staging.names.get(id(value))):
                raise Grows([(value, NUMBERED)])
            _refuse("a list that is an element of others is one on some paths, and on others it is not")


def are_one_list(one: Any, other: Any) -> Any:
    """Whether two are one list, where at least one is held by number."""
    if type(one) is not type(other) or kind_of(one) != kind_of(other):
        return False
    return ops.stands_for_python(place_of(one) == place_of(other))


def kind_of(value: Any) -> Any:
    """Which column has what is held by number."""
    return value.ag__kind if type(value) is NumberedRow else value.kind


def place_of(value: Any) -> Any:
    """The place that it has in its column."""
    return value.ag__row if type(value) is NumberedRow else value.number


# ── values ──


def as_value(value: Any) -> Any:
    """The list that has a number, as a list of its own; every other value as it is."""
    if type(value) is NumberedRow:
        return value.ag__held()
    return StagedList(as_values(value.contents)) if type(value) is NumberedList else value


def as_values(contents: Elements) -> Elements:
    """The elements, with lists in the places of numbers."""
    if not _has_numbers(contents.form):
        return contents
    handles = iter(contents.handles)
    form, found = _valued(contents.form, handles)
    return Elements(form, found)


def _has_numbers(form: Structure) -> bool:
    return form.kind in NUMBERED_KINDS or any(map(_has_numbers, form.children))


def _valued(form: Structure, handles: Iterator[Any]) -> tuple[Structure, list[Any]]:
    if form.kind is None:
        return LEAF, [next(handles)]
    if form.kind in NUMBERED_KINDS:
        held = _held(form.extra, next(handles))
        return held.form, [*held.handles]
    parts = [_valued(child, handles) for child in form.children]
    inner = tuple([part for part, _ in parts])
    return Structure(form.kind, form.keys, inner, form.extra), [each for _, found in parts for each in found]


def _held(kind: Hashable, numbers: Any) -> Elements:
    """What lists hold that have these numbers."""
    held = columns()[kind].contents.selected(ops.list_stack(numbers))
    if not _has_numbers(held.form.extra if held.form.kind is StagedList else held.form):
        return held
    if held.form.kind is not StagedList:
        _refuse("lists or dicts are compared or shown that hold others, and that two lists hold")

    def row(index: Any) -> StagedList:
        return StagedList(as_values(held.get(index).contents))

    def turn(index: Any, found: Elements) -> tuple[Any, Elements]:
        return index + 1, found.appended(row(index))

    with of_values():
        start = Elements.like(lambda: Elements.of([row(as_tensor(0))]))
        _, found = while_loop(lambda index, _: index < held.length, turn, (0, start))
    elements: Elements = found
    return elements


def _refuse(message: str) -> NoReturn:
    raise StateDisagrees(
        message,
        where=caller_location(),
        why="Lists that other lists hold are numbers in a graph, which has no such lists of its own.",
        way_out="Put copies in, as in `rows.append(list(row))`.",
    )


def _store(value: NumberedList) -> StagedList:
    return value.column


places.STORES[NumberedList] = _store
