"""Objects that loops of the graph allocate (linked lists, trees), as indices into columns of attributes.

    head = Node(v, head)          in a loop of the graph: there are as many as the run makes
    node = node.next

An object that holds one more object in every turn has no structure that a graph could know. Its attributes
stand in columns instead, a list of the graph for each attribute of its class, and the object is its number:
the place that it has in all of them. To read an attribute is to look it up there, to bind one writes there,
and two names are one object where the numbers are equal.

Which classes are held so shows while a function is traced: then the trace starts anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import partial
from typing import Any, NoReturn

from autograph.backends.tensors.containers.copied import mark
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import StagedList, changes_in_place
from autograph.backends.tensors.containers.other_names import Shared, other_names
from autograph.backends.tensors.objects.choices import OneOf, possible_values
from autograph.backends.tensors.objects.proxies import EveryName
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.raising import Signal, belongs_to_program
from autograph.staging import heap
from autograph.staging.context import staging
from autograph.staging.heap import leads_on
from autograph.staging.places import Attribute
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.containers import register
from runtime.core.instances import attributes_of
from runtime.core.structure import Structure, flatten, level_of
from runtime.core.taken_apart import was_made
from runtime.core.text import is_marking
from runtime.errors import Error, LeakedTensor, NoConcreteValue, StateDisagrees
from runtime.graph.location import caller_location

__all__ = [
    "Kinds",
    "Linked",
    "columns",
    "identity",
    "linking",
    "made",
    "note_identified",
    "note_links",
    "require_none_outlives",
]


_MOST_ASKED = 16
"""Traces of one statement, in those of others, after which what is asked for was in vain."""


class Kinds:
    """Classes whose objects may be held by number, as it shows in the traces of one function.

    Attributes
    ----------
    held : dict of type to tuple of hashable
        Those that are, with their attributes; of lists, with the kinds of their elements.
    made : dict of type to tuple of str
        Those of which the function has made objects in this trace.
    met : dict of type to tuple of str
        Those of which a statement of the graph has made objects in this trace.
    columns : dict of type to dict of hashable to StagedList
        What the objects hold, in this trace.
    existed : callable
        Whether an object was there before this trace.
    numbers_rows : bool
        Whether lists with items of several kinds, and dicts of known keys, are held by number, too.
    """

    def __init__(self) -> None:
        self.held: dict[type, tuple[Any, ...]] = {}
        self.made: dict[type, tuple[str, ...]] = {}
        self.met: dict[type, tuple[str, ...]] = {}
        self.columns: dict[type, dict[Any, StagedList]] = {}
        self.existed: Callable[[Any], bool] = bool
        self._asked: Counter[Hashable] = Counter()
        self._in_trace: set[type] = set()
        self._united: dict[Hashable, Hashable] = {}
        self._may_hold = True
        self._has_to = False
        self._has_tried_lists = False
        self.numbers_rows = False
        self._begins_with_rows = False

    @property
    def known(self) -> Hashable:
        """What tells a trace from those that know of other classes."""
        return frozenset(self.held), self.numbers_rows

    def begin(self) -> None:
        """Before a trace: nothing was made."""
        self._asked.clear()
        self._in_trace.clear()
        self.made.clear()
        self.met.clear()
        self.columns = {
            kind: {name: StagedList(Elements.of(())) for name in names or (_NOTHING,)}
            for kind, names in self.held.items()
        }

    def holds(self, kind: type) -> bool:
        """Whether objects of a class are held by number.

        A class that the function makes is another one in each trace: it takes the place of the one before.
        """
        if kind not in self._in_trace:
            self._in_trace.add(kind)
            known = (each for each in self.held if each not in self._in_trace and _are_alike(each, kind))
            former = None if kind in self.held else next(known, None)
            if former is not None:
                self.held = {kind if each is former else each: names for each, names in self.held.items()}
                self.columns = {kind if each is former else each: row for each, row in self.columns.items()}
        return kind in self.held

    def hold(
        self,
        kind: type,
        names: Sequence[Any],
        *,
        what: str = "a {} is bound to an attribute of another that stays there",
        has_to: bool = True,
    ) -> None:
        """Has the trace start anew, with the objects of one more class held by number.

        Where it `has_to`, this trace would do something else than Python.
        """
        if self._may_hold and self._can_hold(kind):
            self._has_to |= has_to
            _note(self.held, kind, names)
            other_names().forgets = True  # lists that grow hold others in the next trace
            raise Shared
        if has_to:
            _refuse(f"{what.format(kind.__name__)}, and a loop of the graph has made it")

    def unite(self, one: Hashable, other: Hashable) -> None:
        """Has the trace start anew with one column for two kinds of lists."""
        if one != other:
            self._united[one] = other
            other_names().forgets = True
            raise Shared

    def may_ask(self, name: Hashable) -> bool:
        """Whether a statement may start anew for an object of this name once more."""
        self._asked[name] += 1
        return name is not None and self._asked[name] < _MOST_ASKED

    def representative(self, kind: Hashable) -> Hashable:
        """The kind whose column has what is of this kind."""
        while kind in self._united:
            kind = self._united[kind]
        return kind

    def hold_made(self, kind: type) -> None:
        """Has the trace start anew with objects of a class held by number, where the function makes such."""
        if kind is list or kind is dict:
            self.met[list] = ()
            self._begins_with_rows |= kind is dict
        elif kind in self.made and kind not in self.held:
            self.hold(kind, self.made[kind], has_to=False)

    def has_more(self, error: Exception) -> bool:
        """Whether another trace may do what one refuses: it holds objects by number, or does no more."""
        may_be_mended = isinstance(error, MAY_BE_MENDED)
        if list in self.held:
            may_be_mended |= isinstance(error, Error | Signal) or not belongs_to_program(error)
        if not self._may_hold or not may_be_mended:
            return False
        news = {
            kind: names for kind, names in self.met.items() if kind not in self.held and self._can_hold(kind)
        }
        lists = news.pop(list, None)
        if news:
            self.held |= news
        elif lists is not None and not self._has_tried_lists:
            self.held[list], self.numbers_rows = lists, self._begins_with_rows
            self._has_tried_lists = True
        elif list in self.held and not self.numbers_rows:
            self.held[list], self.numbers_rows = (), True
        elif list in self.held:
            del self.held[list]
            self.numbers_rows = False
        elif self._has_to or not self.held:
            return False
        else:
            self._may_hold = False
            self.held.clear()
        other_names().forgets = True
        return True

    def _can_hold(self, kind: type) -> bool:
        """Whether Python finds the methods that it calls itself, and the class is the same in every trace."""
        if kind is list:
            return True
        names = {(each.__module__, each.__qualname__) for each in self.held if each is not kind}
        if (kind.__module__, kind.__qualname__) in names:
            return False
        return all(_is_found(name, vars(base)[name]) for base in kind.__mro__[:-1] for name in vars(base))


def _are_alike(one: type, other: type) -> bool:
    """Whether one `class` statement in a function has made two classes, in two traces."""
    names = {(each.__module__, each.__qualname__, *vars(each)) for each in (one, other)}
    return len(names) == 1 and "<locals>" in one.__qualname__


def _note(known: dict[type, tuple[Any, ...]], kind: type, names: Iterable[Any]) -> None:
    """Adds a class and attributes to those that are known, in the order in which they were met."""
    known[kind] = tuple(dict.fromkeys((*known.get(kind, ()), *names)))


_NOTHING = ""
"""The column of a class whose objects have no attributes: there are as many as elements in it."""

MAY_BE_MENDED = (StateDisagrees, LeakedTensor, NoConcreteValue, AttributeError)
"""What is raised where objects refer to each other that loops have made; None has no attributes."""


@contextmanager
def linking(kinds: Kinds | None, existed: Callable[[Any], bool]) -> Iterator[None]:
    """While a function is traced of which these are known; `existed` says what was there before it."""
    around = staging.linked, staging.hold_instances, staging.numbers_lists
    staging.linked = kinds
    if kinds is not None:
        kinds.existed = existed
        kinds.begin()
        staging.numbers_lists = list in kinds.held
        staging.hold_instances = partial(_hold_instances, staging.hold_instances, kinds)
    try:
        yield
    finally:
        staging.linked, staging.hold_instances, staging.numbers_lists = around


def _hold_instances(outside: Callable[[type], None], kinds: Kinds, kind: type) -> None:
    """Has the trace start anew with objects of a class held by number: those from outside, or made inside."""
    outside(kind)
    kinds.hold_made(kind)


@called("object")
@leads_on
class Linked(EveryName):
    """An object whose attributes are in columns of the graph.

    Parameters
    ----------
    number : integer Tensor without axes
        Its place in them.
    kind : type
        Its class.
    """

    __slots__ = ("ag__kind", "ag__number")
    ag__number: Any
    ag__kind: type

    def __init__(self, number: Any, kind: type) -> None:
        staging.chosen = True
        object.__setattr__(self, "ag__number", number)
        object.__setattr__(self, "ag__kind", kind)

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return object.__getattribute__(self, "ag__kind")
        return super().__getattribute__(name)

    def ag__attribute(self, name: str) -> Any:
        column = _columns(self.ag__kind).get(name)
        if column is not None:
            number = self.ag__number
            return heap.current(mark(column.contents.get(number), column, changes_in_place, lambda: number))
        found = getattr(self.ag__kind, name)  # an AttributeError is Python's
        own = next(vars(base)[name] for base in self.ag__kind.__mro__ if name in vars(base))
        return own.__get__(self, self.ag__kind) if hasattr(type(own), "__get__") else found

    def ag__each(self, use: Any) -> Any:
        return use(self)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("ag__"):
            object.__setattr__(self, name, value)
            return
        columns = _columns(self.ag__kind)
        own: Any = getattr(self.ag__kind, name, None)
        if name not in columns and hasattr(type(own), "__set__"):
            own.__set__(self, value)
            return
        if name not in columns:
            _refuse_attribute(self.ag__kind, name)
        columns[name][self.ag__number] = value

    def __delattr__(self, name: str) -> NoReturn:
        _refuse_attribute(self.ag__kind, name)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, MaybeNone | MaybeUndefined | OneOf):
            return NotImplemented  # they ask each of theirs
        method: Any = self.ag__kind.__eq__
        if method is object.__eq__:
            return self.ag__is(other)
        if is_dataclass(self.ag__kind) and not isinstance(other, Linked):
            return False
        if is_dataclass(self.ag__kind):
            _refuse(
                f"two objects of {self.ag__kind.__name__} are compared, and a loop of the graph has made one"
            )
        return method(self, other)

    def __ne__(self, other: object) -> Any:
        found = Linked.__eq__(self, other)  # by the class: attributes of ours are those of the object
        if found is NotImplemented or isinstance(found, bool):
            return found if found is NotImplemented else not found
        return ops.stands_for_python(ops.logical_not(found))

    def __hash__(self) -> int:
        return id(self)

    def ag__is(self, other: object) -> Any:
        """Whether it is the same object as another one."""
        if not isinstance(other, Linked) or other.ag__kind is not self.ag__kind:
            return False
        return ops.stands_for_python(self.ag__number == other.ag__number)

    def ag__truth(self) -> Any:
        """What the methods of its class say, if they say anything: whether it is true."""
        for name in ("__bool__", "__len__"):
            if hasattr(self.ag__kind, name):
                return getattr(self.ag__kind, name)(self)
        return True

    def __copy__(self) -> NoReturn:
        self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        _refuse(f"a {self.ag__kind.__name__} that a loop of the graph has made is copied")

    def __repr__(self) -> str:
        if is_marking():
            _refuse(f"text is made of a {self.ag__kind.__name__} that a loop of the graph has made")
        return f"<{self.ag__kind.__name__} of the graph>"


def _forward(name: str) -> None:
    """Has Python find a special method of the object's class."""

    def method(self: Linked, other: Any) -> Any:
        own = getattr(self.ag__kind, name, None)
        return NotImplemented if own is None else own(self, other)

    method.__name__ = name
    setattr(Linked, name, method)


def _is_found(name: str, value: Any) -> bool:
    """Whether Python finds what a class has under a name, in the place of one of its objects."""
    is_special = name.startswith("__") and name.endswith("__")
    return not (is_special and callable(value)) or name in FORWARDED or name in OWN


FORWARDED = (
    *("__lt__", "__le__", "__gt__", "__ge__", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__"),
    *("__rmul__", "__truediv__", "__rtruediv__"),
)
"""Operators of the program's that Python finds on the number of an object."""

OWN = frozenset(
    {"__eq__", "__init__", "__new__", "__repr__", "__str__"}
    | {"__annotate__", "__annotate_func__", "__replace__"}
)
"""Methods that are called before there is a number, or of which we know what they mean."""

for _name in FORWARDED:
    _forward(_name)


def made(instance: Any) -> Any:
    """An instance that the program has made, or what stands for it: its number."""
    kinds: Kinds | None = staging.linked
    if kinds is None or not was_made(instance):
        return instance
    kind, held = type(instance), attributes_of(instance)
    columns = kinds.columns[kind] if kinds.holds(kind) else None
    if columns is None:
        _note(kinds.made, kind, held)
        if staging.journal is not None and staging.journal.around is not None:
            _note(kinds.met, kind, held)
        return instance
    if not held.keys() <= columns.keys():
        kinds.hold(kind, [*held])
    if held.keys() != columns.keys() - {_NOTHING}:
        _refuse_attribute(kind, next(name for name in columns if name not in held))
    found = Linked(next(iter(columns.values())).length, kind)
    heap.move(instance, found)
    for name, column in columns.items():
        column.append(0 if name is _NOTHING else heap.current(held[name]))
    return found


def identity(value: Linked) -> Any:
    """A number that is another one for each of the objects, and the `id` of nothing of Python's."""
    kinds = [*staging.linked.columns]
    return ops.stands_for_python(-1 - (value.ag__number * len(kinds) + kinds.index(value.ag__kind)))


def note_identified(value: Any) -> None:
    """Has the trace start anew where the `id` is asked of an object that a turn has made."""
    kinds: Kinds | None = staging.linked
    kind = type(value)
    if kinds is not None and kind not in kinds.columns:
        kinds.hold(kind, [*attributes_of(value)], what="the id of a {} is asked for")


def note_links(changes: Iterable[tuple[Any, Any]], lasting: Collection[Any]) -> None:
    """Has the trace start anew where a turn of a loop binds an object to an attribute of one of its kind.

    What later turns do with it, the other must see, if that is `lasting`: it was there before the path.
    """
    kinds: Kinds | None = staging.linked
    if kinds is None or staging.turn_since is None:
        return
    for place, now in changes:
        kind = type(place.owner)
        if isinstance(place, Attribute) and kind not in kinds.columns and was_made(place.owner):
            for each in _candidates(now):
                if type(each) is kind and was_made(each):
                    kinds.hold(kind, [*attributes_of(each)], has_to=place.key in lasting)


def _candidates(value: Any) -> Sequence[Any]:
    if isinstance(value, MaybeNone | MaybeUndefined):
        return _candidates(value.ag__value)
    return possible_values(value)


def require_none_outlives(*values: Any) -> None:
    """Sees to it that no such object outlives the trace: it, and all it leads to, is in columns."""
    if staging.linked is None or not staging.linked.held:
        return
    pending, seen = [*values], set[int]()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        form = flatten(value)[1] if level_of(value) is not None else None
        if form is not None and _holds_linked(form):
            kind = _holds_linked(form)
            _refuse(f"a {kind.__name__} that a loop of the graph has made outlives the function")


def _holds_linked(form: Any) -> Any:
    """The class of an object that is in a form, if one is."""
    if isinstance(form, Structure):
        if form.kind is Linked:
            return form.extra
        inner = [*form.children, *(form.extra if isinstance(form.extra, tuple) else (form.extra,))]
        return next((found for each in inner if (found := _holds_linked(each)) is not None), None)
    return None


def columns() -> list[StagedList]:
    """What all such objects of the trace hold."""
    kinds: Kinds | None = staging.linked
    return [] if kinds is None else [each for held in kinds.columns.values() for each in held.values()]


def _columns(kind: type) -> dict[str, StagedList]:
    found: dict[str, StagedList] = staging.linked.columns[kind]
    return found


def _refuse(message: str) -> NoReturn:
    raise StateDisagrees(
        message,
        where=caller_location(),
        why="It has a place in columns of the graph, and is no object of Python's.",
        way_out="Use numbers and lists of them; or keep such objects in a list, and refer to them by index.",
    )


def _refuse_attribute(kind: type, name: str) -> NoReturn:
    raise StateDisagrees(
        f"the attribute {name!r} of a {kind.__name__} is not there from the beginning",
        where=caller_location(),
        why="A loop of the graph makes objects of this class, so all of them have the same attributes.",
        way_out="Bind it in `__init__`.",
    )


def _split(value: Linked) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("number",), (value.ag__number,), value.ag__kind


def _build(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: type) -> Linked:
    del kind, keys
    return Linked(children[0], extra)


register(Linked, _split, _build, lambda kind, _: kind.__name__)
