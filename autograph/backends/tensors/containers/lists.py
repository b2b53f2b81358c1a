"""`StagedList`: a list whose length a tensor decides, with the interface of Python's lists.

While a graph is built, a Python list that a staged branch or loop makes longer or shorter gives way to a
`StagedList`. The object stays the same when it changes, so every name for it sees the change; what it holds,
its `contents`, are values of the graph. A function of the graph returns it to its caller as a Python list.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import is_dataclass
from functools import partial
from typing import Any, NoReturn

from autograph.backends.tensors.containers import exchanged, owners
from autograph.backends.tensors.containers.beside_arrays import asks_arrays, is_of_numpy
from autograph.backends.tensors.containers.copied import (
    Holder,
    homes_in,
    is_element,
    lose_places,
    mark,
    note_copied,
    note_joined,
    note_taken_out,
)
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.iteration.items import (
    Items,
    Lazy,
    Produced,
    Source,
    all_items,
    each_of,
    is_short,
    slice_bounds,
)
from autograph.backends.tensors.scalars.indices import (
    BOUND,
    REPEATED,
    is_array,
    refuse,
    require_index,
    require_iterable,
    require_whole,
)
from autograph.staging.attributes import spoken_name
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.heap import gives_way, is_stand_in, moved_to
from autograph.staging.meeting import note_made
from autograph.staging.notes import note, write_back
from autograph.staging.places import Contents
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.containers import Boxes, Finish, register
from runtime.core.dtypes import bool_
from runtime.core.instances import (
    is_frozen,
)
from runtime.core.rebuilding import (
    rows_of,
)
from runtime.core.structure import LEAF, Structure, unflattening
from runtime.core.taken_apart import is_taken_apart
from runtime.core.tensor import Tensor
from runtime.core.text import Apply, mark_text
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.build import as_tensor, is_symbolic
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import NoOutcome, while_loop
from runtime.ops.core import check
from runtime.ops.raising import record

__all__ = [
    "COPIED",
    "SINGLE",
    "Staged",
    "StagedList",
    "StagedTuple",
    "changes_in_place",
    "contents_of",
    "gathered",
    "keys_of",
    "refuse_python",
]

OUTSIDE = "list index out of range"


class Staged(Holder, Source):
    """A container of the graph that changes in place, for as long as one of Python's gives way to it.

    Whatever changes it announces its contents first, as a place.

    Attributes
    ----------
    contents : object
        A nest of values of the graph, which never changes itself.
    built : type
        What a function of the graph returns to its caller.
    original : container or None
        The one of Python's in whose place it is.
    keeps_objects : bool
        Whether its elements were only added to, and changed in place: the first ones are those of `original`,
        in this order, or in that of `order`.
    order : StagedList or None
        Which of the elements of `original` the first ones are, where these change places or are replaced.
    is_as_long : bool
        Whether elements were only replaced and changed in place.
    replaces_elements, changes_elements : bool
        Whether any was replaced, or changed in place.
    lost_changes : bool
        Whether an element was changed after it was taken out: what was put in may have been that.
    keeps_length : bool
        Whether it has taken a list's place for what is put into that, and is as long as that was.
    has_changed : bool
        Whether any trace has changed what it holds.
    holds_objects : bool
        Whether its elements are the program's objects, and no values of the graph.
    holds_one_twice : bool
        Whether one object may be two of its elements.
    """

    built: type[Any]
    holds_one_twice: bool = False
    keeps_length: bool = False
    original: Any = None
    keeps_objects: bool = True
    order: StagedList | None = None
    is_as_long: bool = True
    replaces_elements: bool = False
    changes_elements: bool = False
    lost_changes: bool = False
    has_changed: bool = False
    holds_objects: bool = False
    _contents: Any

    def __getattr__(self, name: str) -> NoReturn:
        kind = self.built
        if not hasattr(kind, name):
            refuse(AttributeError(f"'{spoken_name(kind)}' object has no attribute {name!r}", name=name))
        if name[:1] == "_":
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}", name=name, obj=self)
        raise StateDisagrees(
            f"`{name}` of a {kind.__name__} of which only the run knows what is in it",
            where=caller_location(),
            why=f"A {kind.__name__} of the graph does not have it.",
            way_out=f"Use another method of {kind.__name__}, or a loop.",
        )

    @property
    def contents(self) -> Any:
        """What it holds; the elements that have changed elsewhere are in it."""
        if staging.unwritten:
            write_back()
        return self._contents

    @contents.setter
    def contents(self, contents: Any) -> None:
        self._contents = contents

    def write_back(self, place: Any, element: Any) -> None:
        """Gives the element at a place what it holds by now; who changes that has announced it."""
        self.has_changed = self.changes_elements = True
        self._contents = self._contents.put(place, element)

    @property
    @abstractmethod
    def length(self) -> Tensor:
        """How many elements or keys there are."""

    def _become(
        self,
        contents: Any,
        *,
        keeps_places: bool = False,
        keeps_objects: bool = False,
        keeps_length: bool = False,
    ) -> None:
        note(Contents(self, f"a {self.built.__name__}"))
        self.has_changed = True
        self.keeps_length &= keeps_length
        self.is_as_long &= keeps_length
        self.keeps_objects &= keeps_places or keeps_objects
        if not keeps_places:
            lose_places(self)
        self.contents = contents

    def _reshape(
        self, contents: Any, *, keeps_places: bool = False, when: Callable[[], Any] = lambda: True
    ) -> None:
        """As `_become`, where loops over it have to know, at least `when` that is so."""
        case = when() if staging.watches else True
        self._become(contents, keeps_places=keeps_places)
        for watch in staging.watches:
            watch.hear(self, case)


def refuse_python(what: str) -> NoReturn:
    """Says that code which is not converted asks what only a run knows."""
    raise NoConcreteValue(
        f"Python asked {what}",
        why="A tensor decides what is in it.",
        way_out="Let AutoGraph convert the function that asks.",
    )


class _ItemsOf(Items):
    """The items of a sequence, for a loop; a program that calls them takes it for a dict."""

    def __init__(self, owner: StagedTuple) -> None:
        super().__init__(lambda: owner.length, owner._item)  # noqa: SLF001  # its own
        self._kind = owner.built

    def __call__(self) -> NoReturn:
        raise AttributeError(f"'{spoken_name(self._kind)}' object has no attribute 'items'", name="items")


@called("tuple")
@asks_arrays
class StagedTuple(Holder, Source):
    """A sequence whose length a tensor decides: what lists and tuples have in common.

    Parameters
    ----------
    contents : Elements

    Attributes
    ----------
    contents : Elements
    """

    built: type[Any] = tuple
    """What a function of the graph returns to its caller."""
    holds_one_twice: bool = False
    lost_changes: bool = False

    def __init__(self, contents: Elements) -> None:
        self.contents = contents

    def __hash__(self) -> NoReturn:  # noqa: PLE0309  # equal tuples are one key
        _refuse_hash()

    def of(self, contents: Elements) -> Any:
        """Another of its kind."""
        return type(self)(contents)

    @property
    def length(self) -> Tensor:
        """How many elements there are."""
        return self.contents.length

    @property
    def items(self) -> Items:
        """The elements by index, as many as there are when that is asked: the loop may add some."""
        return _ItemsOf(self)

    def _item(self, index: Any) -> Any:
        return mark(self.contents.get(index), self, changes_in_place, lambda: index)

    def __tensor__(self) -> Tensor:
        return self.contents.stacked()

    def __getitem__(self, key: Any) -> Any:
        require_index(self.built, key)
        if isinstance(key, slice):
            contents = self.contents.sliced(key)
            return note_copied(self.of(contents), contents, self, part=key)
        outside = OUTSIDE.replace("list", self.built.__name__)
        if self.contents.is_unknown:  # nothing was ever put in
            record(IndexError(outside), caller_location())
            raise NoOutcome
        element = self._item(self.contents.position(key, outside))
        if id(element) in staging.copies:
            staging.copies[id(element)].key = key
        return element

    def __contains__(self, element: object) -> Any:
        return ops.stands_for_python(ops.any(self.contents.matches(element)))

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # nobody knows
        refuse_python(f"whether a {self.built.__name__} of the graph is empty")

    def __len__(self) -> NoReturn:  # noqa: PLE0303  # nobody knows
        refuse_python(f"how long a {self.built.__name__} of the graph is")

    def __add__(self, other: Any) -> Any:
        _require_alike(self.built, other.built if isinstance(other, StagedTuple) else type(other))
        if is_stand_in(other):
            return NotImplemented
        contents = self.contents.joined(contents_of(other))
        return note_joined(self.of(contents), contents, self, other)

    def __radd__(self, other: Any) -> Any:
        _require_alike(type(other), self.built)
        contents = contents_of(other).joined(self.contents)
        return note_joined(self.of(contents), contents, other, self)

    def __mul__(self, count: Any) -> Any:
        if is_array(count):
            return as_tensor(self) * count
        require_whole((count,), REPEATED)
        length = self.length
        numbers = ops.arange(0, length * ops.maximum(count, 0))
        contents = self.contents.selected(numbers % ops.maximum(length, 1))
        made = self.of(contents)
        return note_copied(made, contents, self, made)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, (StagedTuple, self.built)):
            return NotImplemented
        return ops.stands_for_python(self.contents.same_as(contents_of(other)))

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else ops.stands_for_python(ops.logical_not(equal))

    def index(self, element: Any, start: Any = 0, *stop: Any) -> Tensor:
        """The position of the first element that equals this one, between two bounds."""
        if not stop and isinstance(start, int) and start == 0:
            return self.contents.find(element, NOT_IN[self.built])
        if any(isinstance(each, float) for each in (start, *stop)):
            refuse(TypeError(BOUND))
        require_whole((start, *stop), BOUND)
        part = self.contents.sliced(slice(start, *stop) if stop else slice(start, None))
        first = ops.where(ops.less(start, 0), ops.maximum(ops.add(self.length, start), 0), start)
        return ops.stands_for_python(ops.add(part.find(element, NOT_IN[self.built]), first))

    def count(self, element: Any) -> Tensor:
        """How many elements equal this one."""
        return ops.stands_for_python(ops.sum(self.contents.matches(element)))

    def __repr__(self) -> str:
        contents = self.contents.valued
        if contents.handles:
            marked = mark_text(self._template(contents), contents.handles)
            if marked is not None:
                return marked
        return f"<{type(self).__name__} of {self.contents.form}, in a graph>"

    def _template(self, contents: Elements) -> Apply:
        """What makes its text of the handles of its contents."""
        return Apply(
            "sequence", (self.built.__name__, contents.shown_form, *owners.slots_for(contents.handles))
        )


def _refuse_hash() -> NoReturn:
    """Says that Python is asked for the hash of a tuple of which nobody knows how long it is."""
    raise NoConcreteValue(
        "a tuple of which only the run knows how long it is was hashed",
        where=caller_location(),
        why="Equal tuples have equal hashes, and its items only exist when the graph runs.",
        way_out="Use it as a key of a dict, or of a set: `{key}` in the place of `frozenset([key])`.",
    )


def _require_alike(one: type, other: type) -> None:
    """Sees to it that a list is put behind a list, and a tuple behind a tuple."""
    if other in ATOMS or {one, other} == {list, tuple}:
        refuse(TypeError(f'can only concatenate {one.__name__} (not "{other.__name__}") to {one.__name__}'))


@called("list")
class StagedList(StagedTuple, Staged):
    """A list whose length a tensor decides."""

    built: type[Any] = list
    stands_for: type[Any] = list
    """The class of the program's, below `list`, in the place of whose instance it is."""
    __hash__ = None  # type: ignore[assignment]  # as Python's lists

    def __getattr__(self, name: str) -> NoReturn:
        kind = self.stands_for
        if not hasattr(kind, name):
            refuse(AttributeError(f"'{spoken_name(kind)}' object has no attribute {name!r}", name=name))
        if hasattr(list, name):
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}", name=name, obj=self)
        raise StateDisagrees(
            f"`{name}` of a {kind.__name__} of which only the run knows how long it is",
            where=caller_location(),
            why=f"It is a list of the graph by now, and a {kind.__name__} is more than a list.",
            way_out="Keep a list in an attribute of your class, instead of deriving the class from `list`.",
        )

    def __init__(self, contents: Elements) -> None:
        super().__init__(contents)
        note_made(self)

    def append(self, element: Any) -> None:
        """Adds an element at the end."""
        before = self.contents
        self._become(before.appended(element), keeps_places=True)
        mark(element, self, changes_in_place, lambda: before.length)

    def extend(self, items: Any) -> None:
        """Adds every element of another sequence at the end."""
        require_iterable(items)
        others = contents_of(items)
        self._become(self.contents.joined(others), keeps_places=True)
        note_joined(self, others, self, items)
        if isinstance(items, (list, tuple)):
            mark(tuple(items), self, changes_in_place)

    def insert(self, index: Any, element: Any) -> None:
        """Adds an element before an index."""
        self._reshape(self.contents.inserted(index, element))
        mark(element, self, changes_in_place)

    def pop(self, index: Any = -1) -> Any:
        """Takes an element out."""
        position = self.contents.position(index, "pop index out of range", "pop from empty list")
        element = self.contents.get(position)
        self._become(self.contents.without(position))
        return note_taken_out(element, self)

    def remove(self, element: Any) -> None:
        """Takes out the first element that equals this one."""
        position = self.contents.find(element, "list.remove(x): x not in list")
        self._become(self.contents.without(position))

    def clear(self) -> None:
        """Takes out every element."""
        self._reshape(self.contents.emptied(), when=lambda: self.length > 0)

    def copy(self) -> StagedList:
        """Another list of the same elements."""
        return note_copied(StagedList(self.contents), self.contents, self)

    __copy__ = copy

    def reverse(self) -> None:
        """Turns the elements round."""
        self._become(self.contents.sliced(slice(None, None, -1)))

    def sort(self, *, key: Callable[[Any], Any] | None = None, reverse: Any = False) -> None:
        """Brings the elements into order; equal ones keep theirs, also in reverse."""
        keys = self.contents if key is None else keys_of(self.contents, key)
        self._become(self.contents.selected(keys.order(reverse=reverse)))

    def __setitem__(self, key: Any, value: Any) -> None:
        require_index(list, key)
        if isinstance(key, slice):
            middle = contents_of(value)
            self._become(self._around(key, middle) if _is_whole(key) else self._between(key, middle))
            note_copied(self, middle, value)
            if isinstance(value, (list, tuple)):
                mark(tuple(value), self, changes_in_place)
            return
        known, before = staging.copies.get(id(value)), self.contents
        if known is not None and known.is_at(self, key):  # `rows[i] += [x]`
            return
        position = before.position(key, "list assignment index out of range")
        first, half = exchanged.ended(self, key, value), exchanged.begun(self, key, value, position)
        shows = exchanged.knows_objects(self) and not is_element(value) if first is None else first.showed
        self._become(before.put(position, value), keeps_length=True)
        if first is not None:
            first.end(value, position, changes_in_place)
        else:
            mark(value, self, changes_in_place, lambda: position)
        if half is not None:
            half.begin()
        if shows:
            exchanged.keep_order(self, position, first)

    def __delitem__(self, key: Any) -> None:
        require_index(list, key)
        if isinstance(key, slice):
            self._become(self._around(key, self.contents.emptied()) if _is_whole(key) else self._beside(key))
            return
        position = self.contents.position(key, "list assignment index out of range")
        self._become(self.contents.without(position))

    def _around(self, key: slice, middle: Elements) -> Elements:
        """The contents with others in place of a slice."""
        start, stop = slice_bounds(key, self.length)
        before = self.contents.sliced(slice(None, start, None))
        return before.joined(middle).joined(self.contents.sliced(slice(ops.maximum(start, stop), None, None)))

    def _between(self, key: slice, middle: Elements) -> Elements:
        """The contents with others in the places of a slice with a step, one in each."""
        length, count = self.length, middle.length
        size = ops.shape(ops.arange(length)[key])[0]
        if is_symbolic(key.step):  # of one that is 1, the slice takes as many as there are
            check(ops.logical_or(key.step != 1, size == count), "StateDisagrees", ONE_STRETCH)
        middle.require_length(size, TOO_MANY)
        chosen = ops.arange(length).at[key].set(length + ops.arange(count))
        return self.contents.joined(middle).selected(chosen)

    def _beside(self, key: slice) -> Elements:
        """The contents without those of a slice with a step."""
        stays = ops.ones(ops.reshape(self.length, (1,)), dtype=bool_).at[key].set(False)
        return self.contents.selected(ops.nonzero(stays)[0])

    def __iadd__(self, items: Any) -> Any:
        if is_of_numpy(items):
            return self + items
        self.extend(items)
        return self

    def __imul__(self, count: Any) -> Any:
        if is_array(count):
            return self * count
        self._become((self * count).contents)
        return self


def _is_whole(key: slice) -> bool:
    """Whether a slice is one stretch of its list."""
    return key.step is None or (isinstance(key.step, int) and key.step == 1)


TOO_MANY = "attempt to assign sequence of size {} to extended slice of size {}"

ONE_STRETCH = "a slice with a step that is 1 in this run, and in others not, gets another number of elements"

COPIED: set[type[Any]] = {list, dict, set, deque, Counter, OrderedDict, defaultdict, StagedList}
"""Containers that change in place, and have a method that copies them."""


SINGLE = ATOMS | {Symbol}
"""Classes of most values: nothing is in them, and they never change. Who asks all values asks this first."""


def changes_in_place(value: Any) -> bool:
    """Whether a value is a container that keeps its identity when what it holds changes."""
    kind = type(value)
    if kind in COPIED or kind is partial:
        return True
    return not is_frozen(kind) if is_dataclass(kind) else is_taken_apart(value)


NOT_IN: dict[type, str] = {
    deque: "{} is not in deque",
    list: "{} is not in list",
    tuple: "tuple.index(x): x not in tuple",
}


def contents_of(items: Any) -> Elements:
    """The elements of anything that Python's `list` takes, in a graph."""
    if isinstance(items, StagedTuple):
        return items.contents
    found = gathered(items)
    return found.contents if isinstance(found, StagedTuple) else Elements.of(found)


def keys_of(contents: Elements, key: Callable[[Any], Any]) -> Elements:
    """The key of every element, by a loop like one of the program's: it may change what lies around."""
    from autograph.backends.tensors.iteration.produced import gathered_by  # noqa: PLC0415  # makes such lists

    def found(items: Iterable[Any], _: Any) -> list[Any]:
        return [key(item) for item in items]

    return contents_of(gathered_by(Items(contents.length, contents.get), found))


def gathered(items: Any) -> list[Any] | StagedList:
    """What Python's `list` makes of anything that can be iterated over, in a graph."""
    if isinstance(items, StagedTuple):
        return note_copied(StagedList(items.contents), items.contents, items)
    if items is None:  # which would be an array without axes
        record(TypeError("'NoneType' object is not iterable"), caller_location())
        raise NoOutcome
    if isinstance(items, Items) and items.is_python:
        return list(items)
    if isinstance(items, Produced):
        produced: list[Any] | StagedList = items.gathered()
        return produced
    if is_short(items):
        return list(each_of(items))
    if isinstance(items, Lazy):
        return _filled(all_items(items))
    return StagedList(Elements.of_rows(as_tensor(items)))


def _filled(items: Items) -> StagedList:
    """A list of all items, by a loop of the graph."""
    length = items.length
    # by an index that is not known: an item of a text at a known place is a text of its own
    first = length - length if is_symbolic(length) else as_tensor(0)
    start = Elements.like(lambda: Elements.of([items.item(first)]))
    homes: list[Any] = []

    def turn(index: Tensor, contents: Elements) -> tuple[Tensor, Elements]:
        item = items.item(index)
        homes[:] = homes_in(item)
        return index + 1, contents.appended(item)

    _, contents = while_loop(lambda index, _: index < length, turn, (0, start))
    contents.homes = homes
    return note_copied(StagedList(contents), contents)


def _split(value: StagedTuple) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return range(len(value.contents.handles)), value.contents.handles, value.contents.form


def _build(kind: type[StagedTuple], keys: Sequence[Any], children: Sequence[Any], form: Structure) -> Any:
    """A sequence of Python's where the run is over, otherwise one of the graph."""
    del keys
    contents = Elements(form, children)
    if not contents.are_there:
        return kind(contents)
    if form.kind is StagedList and form.extra == LEAF and type(children[0]) is list:
        return kind.built(map(list, children[0]))  # which holds lists of numbers by now
    return kind.built(list(map(unflattening(form), contents.rows())))


def _finish(structure: Structure, boxes: Boxes) -> Callable[[Sequence[Any]], Any]:
    rows = rows_of(structure.extra, boxes)
    return rows if structure.kind is StagedList else lambda columns: tuple(rows(columns))


gives_way(StagedList, moved_to)
for _kind in (StagedTuple, StagedList):
    register(
        _kind, _split, _build, lambda _, inside: f"a list that grows of {', '.join(inside)}", Finish(_finish)
    )
