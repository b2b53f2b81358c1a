"""Immutable objects in containers of the graph (strings, enum members, classes), held by a number for each.

A graph holds numbers alone. What never changes and is told apart by what it is needs no more: a catalogue of
the trace numbers each such object when it is first put into a container, and what comes out of one is an
object that a tensor chooses, from those of its class that the program has put anywhere.

So are instances of the program's classes that were there before the function, once it shows which they are
(`Instances`, docs/decisions/0073).

A program may read before it has put everything in, as a loop does that looks at a list and then appends to
it. The trace is then done again, with the catalogue that is known by now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.containers import set_later
from autograph.backends.tensors.containers.becoming import STAND_INS
from autograph.backends.tensors.containers.element_forms import is_optional
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.other_names import Shared, other_names
from autograph.backends.tensors.containers.taken import has_own_number
from autograph.backends.tensors.objects.choices import (
    MOST_CONSTANTS,
    TAKE_BY_INDEX,
    OneOf,
    as_text,
    candidates_of,
    is_constant,
    is_numbered,
    number_of,
    require_few,
)
from autograph.backends.tensors.text import words
from autograph.backends.tensors.text.strings import Text, grounded, ranks
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.functions import closed_over
from autograph.staging.operators import Operators
from runtime import ops
from runtime.core import tensor
from runtime.core.containers import Boxes, Finish, register
from runtime.core.instances import is_frozen, is_plain_class
from runtime.core.rosters import Roster
from runtime.core.structure import LEAF, Structure, level_of
from runtime.core.text import Apply, Picked, Row, Shown, Slot
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.build import as_tensor, current_builder, is_symbolic
from runtime.graph.location import caller_location
from runtime.ops.control_flow.tracing import is_same_object, is_tensor

__all__ = [
    "Catalogue",
    "Catalogued",
    "Instances",
    "can_be_held",
    "catalogued",
    "cataloguing",
    "hold_by_number",
    "joined_text",
    "refuse_text_of_set",
]


MOST_INSTANCES = 1024
"""Objects of one class that are held by number, which costs little where nobody asks one for something."""


class Catalogue:
    """The objects of one class that containers of the graph hold, in the order of their numbers.

    Attributes
    ----------
    kind : type
        Their class.
    objects : list of object
        They never change.
    known : int or None
        How many there were when one was first taken out of a container in this trace.
    """

    __slots__ = ("kind", "known", "objects")

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.objects: list[Any] = []
        self.known: int | None = None

    def has(self, value: Any) -> bool:
        """Whether a value has to be held by number, though instances of its class as a rule are not."""
        del value
        return False

    def number(self, value: Any) -> int:
        """The number of an object, which it has from now on."""
        place = next((i for i, each in enumerate(self.objects) if _is_one(each, value)), None)
        if place is None:
            place = len(self.objects)
            self.objects.append(value)
        return place

    def taken_out(self) -> tuple[Any, ...]:
        """What something that comes out of a container may be."""
        if self.known is None:
            self.known = len(self.objects)
        self._require_few()
        return tuple(self.objects)

    def _require_few(self) -> None:
        require_few(self.objects, "what is in a container of the graph")

    @property
    def has_order(self) -> bool:
        """Whether Python has an order for them, which it does not say of one that is alone."""
        try:
            sorted([*self.objects[:1], *self.taken_out()])
        except TypeError:
            return False
        return True

    @property
    def order(self) -> Sequence[int]:
        """The place of each object among all of them when they are sorted.

        Raises
        ------
        TypeError
            Where Python has no order for them.
        """
        ascending = sorted(self.taken_out())
        return [ascending.index(each) for each in self.objects]

    @property
    def is_behind(self) -> bool:
        """Whether objects came in after one was taken out, which might have been one of them."""
        return self.known is not None and self.known < len(self.objects)


class Instances(Catalogue, Roster):
    """The instances of one class that were there before a function: by number, they stay these objects.

    As a rule a container of the graph holds what is in an instance. Where that would be another object than
    in Python, for whoever changes it or is given it, the trace starts anew and holds those that were there
    before by their numbers: they become objects that a tensor chooses.
    """

    __slots__ = ()

    def begin(self, found: Iterable[Any]) -> None:
        """Before a trace, in which these objects can be reached: some are made for it."""
        self.objects[:] = [each for each in found if type(each) is self.kind]

    def with_objects(self, objects: Sequence[Any]) -> Instances:
        others = Instances(self.kind)
        others.objects[:] = objects
        return others

    def has(self, value: Any) -> bool:
        return any(each is value for each in self.objects)

    def number(self, value: Any) -> int:
        return next(number for number, each in enumerate(self.objects) if each is value)

    def _require_few(self) -> None:
        require_few(
            self.objects, f"a {self.kind.__name__} in a list of the graph", TAKE_BY_INDEX, MOST_CONSTANTS
        )

    @property
    def order(self) -> Sequence[int]:
        raise StateDisagrees(
            f"instances of {self.kind.__name__} that a tensor chooses are put in order",
            where=caller_location(),
            why="They are held by number, and the comparisons of their class are not called.",
            way_out="Sort with `key=`.",
        )


@contextmanager
def cataloguing(
    known: dict[type, Catalogue], found: Callable[[], Iterable[Any]] | None = None
) -> Iterator[None]:
    """While it lasts, objects get numbers, in these catalogues; nothing was taken out of any.

    What was learnt in a trace before says of what form elements are, and so knows the catalogues. `found`
    gives what was there before, for traces that can start anew.
    """
    around = staging.catalogues, staging.hold_instances
    staging.catalogues = known
    if found is not None:
        staging.hold_instances = partial(_hold_instances, found)
    for each in known.values():
        each.known = None
        if isinstance(each, Instances):
            staging.chosen = True
            each.begin(() if found is None else found())
    try:
        yield
    finally:
        staging.catalogues, staging.hold_instances = around


def _hold_instances(found: Callable[[], Iterable[Any]], kind: type) -> None:
    """Has the trace start anew with the instances of a class held by number, where it holds none so far."""
    if kind in staging.catalogues or not (_is_plain(kind) and not is_frozen(kind)):
        return
    if 0 < sum(type(each) is kind for each in found()) <= MOST_INSTANCES:
        staging.catalogues[kind] = Instances(kind)
        other_names().forgets = True  # lists that grow hold others in the next trace
        raise Shared


class Catalogued:
    """One of the objects of a catalogue. It is made to be taken apart: put together, it is the object.

    Parameters
    ----------
    number : int64 Tensor without axes
    catalogue : Catalogue
    """

    __slots__ = ("catalogue", "number")

    def __init__(self, number: Any, catalogue: Catalogue) -> None:
        self.number = number
        self.catalogue = catalogue


def _is_one(one: Any, other: Any) -> bool:
    return bool(is_same_object(one, other) or one == other)


def _has_number(value: Any) -> bool:
    kind = type(value)
    if has_own_number(value):
        return True
    if kind is FunctionType:
        return _reads_no_variables(value)
    if kind is BuiltinFunctionType:
        return is_constant(value)
    if kind is tuple:
        return all(type(each) is tuple and _has_number(each) for each in value)
    return kind is str or kind is bytes or kind is type or (isinstance(value, Enum) and is_constant(value))


def _reads_no_variables(function: FunctionType) -> bool:
    """Whether a function is the same in every trace: without variables around, and defaults of a graph."""
    if function.__kwdefaults__ or vars(function):
        return False
    held = closed_over(function)
    are_ours = len(held) == len(function.__closure__ or ()) and all(
        isinstance(each, Operators) for each in held.values()
    )
    return are_ours and all(type(each) in ATOMS for each in function.__defaults__ or ())


def can_be_held(value: Any) -> bool:
    """Whether a container of the graph can hold a value."""
    level = level_of(value)
    if isinstance(value, OneOf) and not is_numbered(value):
        return as_text(value) is not None or all(map(can_be_held, candidates_of(value)))
    if level is not None:
        return all(map(can_be_held, level[1]))
    if type(value) in STAND_INS:
        held = [*value.items()] if isinstance(value, dict) else value
        return all(map(can_be_held, held))
    return _has_number(value) or is_tensor(value)


def hold_by_number(key: Any) -> None:
    """Has the trace start anew where objects are keys that a graph can hold in no other way.

    They are told apart by which they are, or say themselves which are equal.
    """
    pending = [key]
    while pending:
        each = pending.pop()
        if isinstance(each, OneOf):
            pending += candidates_of(each)
            continue
        kind: Any = type(each)
        level = level_of(each)
        pending += [] if level is None else level[1]
        is_itself = kind.__eq__ is object.__eq__ and not _has_number(each)
        if _is_plain(kind) and (is_itself or not can_be_held(each)):
            staging.hold_instances(kind)


def _is_plain(kind: type) -> bool:
    """Whether instances of a class are nothing but what they hold, and each is itself."""
    return kind is partial or is_plain_class(kind)


def _kind_of(values: Iterable[Any]) -> type | None:
    """The class of objects that can be numbered, where they have one."""
    values = tuple(values)
    first, *rest = map(_class_of, values)
    are_alike = all(each is first for each in rest)
    return first if are_alike and all(map(_has_number, values)) else None


def _class_of(value: Any) -> type:
    """The class of which a catalogue is; functions of Python's are functions."""
    return FunctionType if type(value) is BuiltinFunctionType else type(value)


def catalogued(value: Any) -> Any:
    """A nest with `Catalogued` in the places of what a graph holds by number, and containers of the graph."""
    if isinstance(value, Text):
        return grounded(value)
    if isinstance(value, OneOf) and not is_numbered(value):
        kind = _kind_of(candidates_of(value))
        if kind is None or any(map(_is_put_together, candidates_of(value))):
            text = as_text(value)
            return _each_catalogued(value) if text is None else grounded(text)
        catalogue = _catalogue(kind)
        numbers = [catalogue.number(each) for each in candidates_of(value)]
        return Catalogued(ops.take(ops.asarray(numbers), number_of(value)), catalogue)
    if _is_put_together(value):
        return grounded(value)
    if _has_number(value):
        return numbered(value)
    level = level_of(value)
    if level is None and type(value) in STAND_INS:
        return STAND_INS[type(value)](value, None)
    if level is None:
        return value
    form, children = level
    if form.kind is partial:  # what is called tells nobody which one it is
        staging.hold_instances(partial)
    inner = [catalogued(child) for child in children]
    same = all(one is other for one, other in zip(inner, children, strict=True))
    return value if same else form.build(inner)


def _each_catalogued(value: OneOf) -> OneOf:
    """One of several objects, of which those that are held by number are one of each class."""
    candidates = candidates_of(value)
    are_held = [_has_number(each) and type(each) is not tuple for each in candidates]  # beside other tuples
    kinds = [_class_of(each) if is_held else None for each, is_held in zip(candidates, are_held, strict=True)]
    found: list[Any] = []
    places = []
    for index, (kind, candidate) in enumerate(zip(kinds, candidates, strict=True)):
        known = kinds.index(kind)
        if kind is None or known == index:
            places.append(len(found))
            found.append(catalogued(candidate) if kind is None else _numbered_among(value, kind, kinds))
        else:
            places.append(places[known])
    number = number_of(value)
    is_as_it_was = places == [*range(len(places))]
    return OneOf(number if is_as_it_was else ops.take(ops.asarray(places), number), tuple(found))


def _numbered_among(value: OneOf, kind: type, kinds: Sequence[type | None]) -> Catalogued:
    """The candidate that is chosen, where it is of a class that is held by number."""
    catalogue = _catalogue(kind)
    numbers = [
        catalogue.number(each) if own is kind else 0
        for own, each in zip(kinds, candidates_of(value), strict=True)
    ]
    return Catalogued(ops.take(ops.asarray(numbers), number_of(value)), catalogue)


def numbered(value: Any) -> Catalogued:
    """An object that never changes, by its number."""
    catalogue = _catalogue(_class_of(value))
    return Catalogued(as_tensor(catalogue.number(value)), catalogue)


def _is_put_together(value: Any) -> bool:
    """Whether a string is one of those that a loop makes longer and longer: it is held by its characters."""
    catalogue = staging.catalogues.get(str) if type(value) is str else None
    if catalogue is None or catalogue.known is None or value in catalogue.objects:
        return False
    return words.grow([*[each for each in catalogue.objects if each in value], value])


def joined_text(separator: str, contents: Elements) -> Any:
    """`separator.join(texts)`, of texts in a container of the graph; None where it holds something else."""
    form = contents.form
    if contents.is_unknown:
        return ""
    if form.kind is Text:
        row = Row(form.extra)
    elif form.kind is Catalogued and all(isinstance(each, str) for each in form.extra.objects):
        row = Row(Apply("pick", (Slot(is_number=True), *form.extra.taken_out())))
    else:
        return None
    slots = [Slot() for _ in contents.handles]
    return Text(Apply("rows", (separator, row, *slots)), contents.handles)


def _catalogue(kind: type) -> Catalogue:
    found: Catalogue = staging.catalogues.setdefault(kind, Catalogue(kind))
    return found


def by_order(form: Structure, handles: Sequence[Any]) -> list[Any]:
    """The columns of a container's parts; numbers sort as the objects and texts that they are of."""
    return [_ranked(*pair) for pair in zip(_each_leaf(form), handles, strict=True)]


def _ranked(holder: Structure, handle: Any) -> Any:
    if holder.kind is Text:
        return ranks(handle)
    column = ops.list_stack(handle)
    return column if holder is LEAF else ops.take(ops.asarray(holder.extra.order), column)


def _each_leaf(form: Structure) -> Iterable[Structure]:
    """For each part, what holds it: a form of texts or of objects with numbers, or a leaf."""
    if form is LEAF or form.kind in {Catalogued, Text}:
        return [form]
    return [found for child in form.children for found in _each_leaf(child)]


def shown(form: Structure) -> Structure:
    """The form of elements as text of them is made when the graph runs: by plain data alone."""
    if getattr(form.kind, "built", None) is set:
        refuse_text_of_set()
    if form.kind is Catalogued and isinstance(form.extra, Instances):
        refuse_text_of_instances(form.extra.kind)
    if form.kind is Catalogued:
        return Structure(Shown, form.keys, form.children, form.extra.taken_out())
    for inner in form.extra if isinstance(form.extra, tuple) else (form.extra,):
        if isinstance(inner, Structure):  # what the elements of a container hold that is in these
            shown(inner)
    children = tuple(map(shown, form.children))
    if form.kind is OneOf:
        return Structure(Picked, form.keys, children)
    if is_optional(form.kind):
        valid, value = children
        return Structure(Picked, (0, 1, 2), (valid, NONE, value))
    return form if children == form.children else Structure(form.kind, form.keys, children, form.extra)


NONE = Structure(type(None))
"""The form of None."""


def refuse_text_of_set() -> NoReturn:
    """Says that text is made of a set."""
    raise NoConcreteValue(
        "text is made of a set whose elements only the run knows",
        why="Their order follows from how Python keeps the set, and a graph keeps it otherwise.",
        way_out="Make text of `sorted(elements)`.",
    )


def refuse_text_of_instances(kind: type) -> NoReturn:
    """Says that text is made of a container with instances of a class, which are held by number."""
    raise NoConcreteValue(
        f"text is made of a container with a {kind.__name__} in it that a tensor chooses",
        why="A graph holds which of them it is, and makes no text of what is in it.",
        way_out="Make text of their attributes: `[item.name for item in items]`.",
    )


def _split(value: Catalogued) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("number",), (value.number,), value.catalogue


def _build(kind: type, keys: Sequence[Any], children: Sequence[Any], catalogue: Catalogue) -> Any:
    """The object where the run is over; in a graph a choice, or what is to be taken apart."""
    del kind, keys
    (number,) = children
    if not isinstance(number, (tensor.Operators, np.generic, int)):  # a mark for a value to come
        return Catalogued(number, catalogue)
    if current_builder() is None and not is_symbolic(number):
        return catalogue.objects[int(number)]  # type: ignore[arg-type]  # of whatever class, a number
    objects = catalogue.taken_out()
    return objects[0] if len(objects) == 1 else OneOf(number, objects)


def _finish(structure: Structure, _: Boxes) -> Callable[[Sequence[Any]], Any]:
    objects = structure.extra.objects
    return lambda parts: objects[int(parts[0])]


def _finish_rows(structure: Structure, _: Boxes) -> Callable[[Sequence[Any]], list[Any]]:
    objects = structure.extra.objects
    return lambda columns: [objects[number] for number in columns[0].own_values()]


register(
    Catalogued, _split, _build, lambda catalogue, _: catalogue.kind.__name__, Finish(_finish, _finish_rows)
)
set_later.catalogued, set_later.numbered = catalogued, numbered
set_later.by_order, set_later.shown = by_order, shown
