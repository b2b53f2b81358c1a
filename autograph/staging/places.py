"""Where a program keeps values outside of local variables, and how it says that they are about to change.

Converted code announces every place before it changes it: an attribute, an item of a dict, a variable of a
function around or of the module, the contents of a list. As a rule nobody listens; where a backend records a
branch or a loop, a `Journal` does (`journal.py`).

The same place is announced in callees as in the function itself, so effects are found wherever they happen.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from array import array
from collections import deque
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from functools import partial
from types import (
    CellType,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
)
from typing import TYPE_CHECKING, Any

from autograph.staging import heap
from autograph.staging.attributes import dict_of, in_classes, spoken_name
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.fresh import note_refilled
from autograph.staging.notes import note
from autograph.staging.state import Missing, Role, State, Undefined

if TYPE_CHECKING:
    from autograph.staging.journal import Journal

__all__ = [
    "BUFFERS",
    "CONTAINERS",
    "Attribute",
    "Cell",
    "Contents",
    "Item",
    "Moved",
    "Place",
    "Variable",
    "backwards",
    "keeps_in",
    "set_left_in",
    "set_takes",
]


class Place(ABC):
    """Something that holds a value and can be given another one.

    Attributes
    ----------
    key : hashable
        Equal for two objects that stand for the same place.
    name : str
        What messages call it.
    owner : object
        What the place is in.
    missing : type of exception
        What Python raises for the place when it has no value.
    """

    __slots__ = ("key", "name", "owner")
    key: Hashable
    name: str
    owner: Any
    missing: Any = UnboundLocalError

    @property
    def absence(self) -> Missing:
        """What is raised, with its text."""
        return Missing(self.missing)

    @property
    def role(self) -> Role:
        """What it is there for: the user's own, unless it is a variable of a generated statement."""
        return Role.USER

    @abstractmethod
    def get(self) -> Any:
        """The value now; `Undefined` where there is none."""

    @abstractmethod
    def set(self, value: Any) -> None:
        """Gives it a value, or takes it away with `Undefined`."""

    @abstractmethod
    def at(self, owner: Any) -> Place:
        """The same place in another owner."""

    def beside(self) -> Iterator[Place]:
        """Further places that change where it does."""
        return iter(())

    def is_part_of(self, known: Container[Hashable]) -> bool:
        """Whether it is an item of a container of which all that it holds is among places with these keys."""
        del known
        return False

    def put_back(self, value: Any, *, existed: bool | None) -> None:
        """Gives it what it held before a run that is given up.

        `existed` says whether its owner was there before the run; None where only another run can say.
        """
        del existed
        self.set(value)

    def announce(self) -> None:
        """Says that it is about to change."""
        note(self)

    def ask_again(self, journal: Journal) -> None:
        """Where it is an attribute of a class: objects that only some paths gave their own ask for it now."""
        del journal

    def columns(self) -> tuple[Any, ...]:
        """Of a container that comes into a graph as one of any length: what the leaves of its elements are.

        The class of a number of Python's, or of a list of such, or a spec.
        """
        return ()

    def operands(self, owner: Any, columns: tuple[Any, ...], form: Any) -> Any:
        """What comes in of another owner of such a place, where that is said at once; None for all else.

        Parameters
        ----------
        owner : container
        columns : tuple
            What the leaves of the elements are to be.
        form : Structure
            What an element is to be.
        """
        del owner, columns, form
        return None

    def is_unchanged(self, before: Any, now: Any) -> bool:
        """Whether it still has the value that it had, given both: the same object."""
        return _is_same(before, now)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"


OF_PYTHON = frozenset({"__cause__", "__class__", "__context__"})
"""Attributes that Python itself looks into: exceptions behind an exception, and the class of an object."""

_takes: Callable[[str, Any], Any] = lambda _, value: value  # noqa: E731  # until a backend says otherwise


_left_in: Callable[[Attribute, Any, Callable[[], Any]], Any] = lambda place, _, __: place.get()  # noqa: E731  # as `_takes`


def set_left_in(left_in: Callable[[Attribute, Any, Callable[[], Any]], Any]) -> None:
    """Says what an attribute holds that an object keeps on some paths, given what is shown on the others."""
    global _left_in  # noqa: PLW0603  (set once, at import)
    _left_in = left_in


def set_takes(takes: Callable[[str, Any], Any]) -> None:
    """Says what an attribute that Python looks into is given for a value of a backend, by its name."""
    global _takes  # noqa: PLW0603  (set once, at import)
    _takes = takes


def _said_of_empty(kind: type, slot: MemberDescriptorType) -> str:
    """What Python says of a slot without a value, in its version's words; empty where it cannot be asked."""
    try:
        slot.__get__(object.__new__(kind))
    except (AttributeError, TypeError) as error:
        return str(error) if isinstance(error, AttributeError) else ""
    return ""


_KEEPERS: dict[type, Callable[[Any], Any]] = {}
"""Classes of objects that keep no attributes themselves, and what says which object has theirs."""


def keeps_in(kind: type, keeper: Callable[[Any], Any]) -> None:
    """Says that the attributes of instances of just this class are those of another object."""
    _KEEPERS[kind] = keeper


class Attribute(Place):
    """An attribute that an instance, a class or a module keeps itself; no property is asked.

    Parameters
    ----------
    owner : object
    attribute : str
    name : str, optional
        The attribute as the user wrote it: ``self.total``.
    """

    __slots__ = ("_attribute",)
    missing = AttributeError

    def __init__(self, owner: Any, attribute: str, name: str = "") -> None:
        while type(owner) in _KEEPERS:
            owner = _KEEPERS[type(owner)](owner)
        self.key = "attribute", id(owner), attribute
        self.name = name or f"{type(owner).__name__}.{attribute}"
        self.owner = owner
        self._attribute = attribute

    def at(self, owner: Any) -> Attribute:
        return type(self)(owner, self._attribute, self.name)

    @property
    def absence(self) -> Missing:
        own = self.owner
        instead = _of_class(own, self._attribute)
        if instead is None:
            asked = _asked_for_any_name(own)
            instead = None if asked is None else partial(asked, self._attribute)
        text = f"{_home(own)} has no attribute '{self._attribute}'"
        if isinstance(self._slot(), MemberDescriptorType):
            text = _said_of_empty(type(own), self._slot()) or text
        return Missing(AttributeError, text, instead)

    def get(self) -> Any:
        own = self._own()
        if self._attribute in own:
            return own[self._attribute]
        slot = self._slot()
        if slot is None:
            return self._inherited()
        try:
            return slot.__get__(self.owner)
        except AttributeError:
            return Undefined(self.name)

    def set(self, value: Any) -> None:
        gone = type(value) is Undefined
        slot = self._slot()
        if slot is not None:
            if not gone:
                is_pythons = self._attribute in OF_PYTHON
                slot.__set__(self.owner, _takes(self._attribute, value) if is_pythons else value)
            elif type(self.get()) is not Undefined:  # where only some paths have set it, it is set
                slot.__delete__(self.owner)
        elif gone:
            self._unbind()
        elif self._attribute in self._own() or value is not self._inherited():
            self.hold(value)  # the class's value stays the class's, until `IsOwn` says otherwise

    def _own(self) -> Mapping[str, Any]:
        """What the owner keeps by name."""
        found: Mapping[str, Any] = dict_of(self.owner, {})
        return found

    def hold(self, value: Any) -> None:
        """Gives it a value, which is the owner's own."""
        own = self._own()
        if isinstance(own, dict):
            own[self._attribute] = value
        else:
            setattr(self.owner, self._attribute, value)  # a class: its dict is read-only

    def _unbind(self) -> None:
        own = self._own()
        if isinstance(own, dict):
            own.pop(self._attribute, None)
        elif self._attribute in own:
            delattr(self.owner, self._attribute)

    def _inherited(self) -> Any:
        """What the class says, or those above it, where the owner has no value; `Undefined` for nothing."""
        for kind in self.classes():
            if self._attribute in vars(kind):
                found = vars(kind)[self._attribute]
                return Undefined(self.name) if hasattr(found, "__get__") else found
        return Undefined(self.name)

    def shown(self) -> Any:
        """What the owner shows where it keeps no value itself: its class's, as that is by now."""
        found = self._inherited()
        return found.read() if isinstance(found, Undefined) and type(found) is not Undefined else found

    def may_show(self, changed: Attribute) -> bool:
        """Whether an owner that keeps no value itself may show the one of a class."""
        for kind in self.classes():
            between = changed.at(kind)
            if kind is changed.owner:
                return True
            if between.is_own() is True and not isinstance(between.get(), Undefined):
                return False
        return False

    def classes(self) -> tuple[type, ...]:
        """Those that are asked where the owner keeps no value itself, the first one first."""
        return self.owner.__mro__[1:] if isinstance(self.owner, type) else type(self.owner).__mro__

    @property
    def item(self) -> str:
        """The name of the attribute in its owner."""
        return self._attribute

    def _slot(self) -> Any:
        found = in_classes(type(self.owner), self._attribute)
        return found if isinstance(found, MemberDescriptorType | GetSetDescriptorType) else None

    def beside(self) -> Iterator[Place]:
        if type(self._inherited()) is not Undefined and self._slot() is None:
            yield IsOwn(self)

    def is_own(self) -> Any:
        """Whether the owner has a value itself: a bool, or one of a graph where a tensor has decided it."""
        return self._attribute in self._own() and staging.own_on_paths.get(self.key, (None, True))[1]

    def ask_again(self, journal: Journal) -> None:
        if not isinstance(self.owner, type):
            return
        asked = [each for each in staging.own_on_paths.values() if each[0].item == self.item]
        for attribute, is_own in [each for each in asked if each[0].may_show(self)]:
            journal.note(attribute)
            attribute.hold(_left_in(attribute, is_own, attribute.shown))
            del staging.own_on_paths[attribute.key]

    def become_own(self, valid: Any) -> None:
        """Says whether the owner has a value itself."""
        staging.own_on_paths.pop(self.key, None)
        if valid is False:
            self._unbind()
            return
        if self._attribute not in self._own():
            self.hold(self._inherited())
        if valid is not True:
            staging.own_on_paths[self.key] = self, valid


def _home(owner: Any) -> str:
    """What Python calls an object that has no attribute of a name."""
    if isinstance(owner, type):
        return f"type object '{owner.__name__}'"
    if isinstance(owner, ModuleType):
        return f"module '{owner.__name__}'"
    return f"'{spoken_name(type(owner))}' object"


def _of_class(owner: Any, name: str) -> Callable[[], Any] | None:
    """What gives the attribute of an object that keeps none: a method of its class, or what is like one."""
    found: Any = None if isinstance(owner, type | ModuleType) else in_classes(type(owner), name)
    if not hasattr(found, "__get__") or hasattr(found, "__set__") or hasattr(found, "__delete__"):
        return None
    return partial(type(found).__get__, found, owner, type(owner))


def _asked_for_any_name(owner: Any) -> Callable[[str], Any] | None:
    """The `__getattr__` that knows the attributes which an object does not keep; None where there is none."""
    if isinstance(owner, ModuleType):
        return vars(owner).get("__getattr__")
    asked = in_classes(type(owner), "__getattr__")  # a metaclass's is none of the instances'
    return None if asked is None else partial(asked, owner)


class IsOwn(Place):
    """Whether an object keeps an attribute itself that its class has as well, or one above it.

    Parameters
    ----------
    attribute : Attribute
    """

    __slots__ = ("_attribute",)

    def __init__(self, attribute: Attribute) -> None:
        self.key = "own", attribute.key
        self.name = attribute.name
        self.owner = attribute.owner
        self._attribute = attribute

    def at(self, owner: Any) -> Place:
        return IsOwn(self._attribute.at(owner))

    def get(self) -> Any:
        return self._attribute.is_own()

    def set(self, value: Any) -> None:
        self._attribute.become_own(value)


def backwards(changed: Iterable[tuple[Place, Any]]) -> list[tuple[Place, Any]]:
    """Places in the order in which they get their former values: the first announced holds what was first.

    Whether an attribute is an object's own is said when both the object and its classes hold what they held.
    """
    pairs = [*reversed([*changed])]
    last = [pair for pair in pairs if isinstance(pair[0], IsOwn)]
    return [*[pair for pair in pairs if not isinstance(pair[0], IsOwn)], *last]


class Item(Place):
    """An item of a dict, or a variable of a module.

    Parameters
    ----------
    container : dict
    item : hashable
    name : str
    missing : type of exception
        KeyError, or NameError for a variable of a module.
    """

    __slots__ = ("item", "missing")

    def __init__(
        self,
        container: dict[Any, Any],
        item: Hashable,
        name: str,
        missing: type[Exception] = KeyError,
    ) -> None:
        self.missing = missing
        self.key = "item", id(container), item
        self.name = name
        self.owner = container
        self.item = item

    @classmethod
    def of(cls, container: dict[Any, Any], item: Hashable) -> Item:
        """An item of a dict, whose name runs no code of the program's."""
        is_plain = type(item) in ATOMS or (type(item) is tuple and all(type(part) in ATOMS for part in item))
        return cls(container, item, f"dict[{item!r}]" if is_plain else f"dict[a {type(item).__name__}]")

    @property
    def absence(self) -> Missing:
        return Missing(self.missing, f"name '{self.item}' is not defined" if self.is_variable else "")

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable of a module."""
        return self.missing is NameError

    def is_part_of(self, known: Container[Hashable]) -> bool:
        return ("contents", id(self.owner)) in known

    def at(self, owner: Any) -> Place:
        return Item(owner, self.item, self.name, self.missing)

    def under(self, item: Hashable) -> Place:
        """The same dict under another key."""
        return Item(self.owner, item, self.name, self.missing)

    def get(self) -> Any:
        return self.owner.get(self.item, Undefined(self.name))

    def set(self, value: Any) -> None:
        if type(value) is Undefined:
            self.owner.pop(self.item, None)
        else:
            self.owner[self.item] = value


class Cell(Place):
    """A variable of a function around.

    Parameters
    ----------
    cell : CellType
    name : str
    """

    __slots__ = ()

    def __init__(self, cell: CellType, name: str) -> None:
        self.key = "cell", id(cell)
        self.name = name
        self.owner = cell

    def at(self, owner: Any) -> Place:
        return Cell(owner, self.name)

    def get(self) -> Any:
        try:
            return self.owner.cell_contents
        except ValueError:
            return Undefined(self.name)

    def set(self, value: Any) -> None:
        self.owner.cell_contents = value


class Contents(Place):
    """What a mutable container holds: a copy to read, and everything replaced in place to write.

    Parameters
    ----------
    container : list, dict, set, deque, array, or an object with an attribute `contents`
    name : str
    """

    __slots__ = ()

    def __init__(self, container: Any, name: str = "") -> None:
        store = STORES.get(type(container))
        container = container if store is None else store(container)
        self.key = "contents", id(container)
        self.name = name or f"a {type(container).__name__}"
        self.owner = container

    def at(self, owner: Any) -> Place:
        return Contents(owner, self.name)

    def get(self) -> Any:
        match self.owner:
            case list() | deque():
                return list(self.owner)
            case dict():
                return dict(self.owner)
            case set():
                return set(self.owner)
        return self.owner.contents if hasattr(self.owner, "contents") else copy.copy(self.owner)

    def set(self, value: Any) -> None:
        match self.owner:
            case list() | dict() | set() | deque() if not isinstance(value, CONTAINERS):
                self._move(value)
                if type(self.owner) not in CONTAINERS and hasattr(type(value), "stands_for"):
                    value.stands_for = type(self.owner)
            case list():
                self.owner[:] = value
            case set() if {*map(id, self.owner)} == {*map(id, value)}:
                return  # nothing has come or gone: the set keeps the order that it has
            case dict() | set():
                self.owner.clear()
                self.owner.update(value)
                note_refilled(self.owner)
            case deque() if len(self.owner) == len(value):
                for index, item in enumerate(value):
                    self.owner[index] = item  # no iterator of Python's takes that for a change
            case deque():
                self.owner.clear()
                self.owner.extend(value)
            case _ if hasattr(self.owner, "contents"):
                self.owner.contents = value
            case _:
                self.owner[:] = value  # an array

    def is_unchanged(self, before: Any, now: Any) -> bool:
        """Whether the container holds the same objects, in the same order where it has one."""
        if _is_same(before, now):
            return True
        if type(before) is not type(now) or type(before) not in (*CONTAINERS, *BUFFERS):
            return False
        if isinstance(before, BUFFERS):
            return bool(before == now)
        if len(before) != len(now):
            return False
        if isinstance(before, dict):
            is_same_order = all(one is other for one, other in zip(before, now, strict=True))
            return is_same_order and all(_is_same(before[key], now[key]) for key in before)
        if isinstance(before, set):
            return bool(before == now)
        return all(map(_is_same, before, now))

    def extend(self, items: Iterable[Any]) -> None:
        """Adds elements to a list, or to what has taken its place."""
        note(self)
        now = heap.moved_to(self.owner)
        if now is not self.owner or isinstance(items, list):
            now.extend(items)
        else:
            self._move(now + items)

    def _move(self, other: Any) -> None:
        """Puts what a backend has for a container in its place, until the path that does so is undone."""
        moved = Moved(self.owner)
        note(moved)
        moved.set(other)


class Variable(Place):
    """A variable of a statement whose body runs inside of other statements: those of a generator.

    Parameters
    ----------
    state : State
        The variables of the statement.
    index : int
    name : str
    """

    __slots__ = ("_index",)

    def __init__(self, state: State, index: int, name: str) -> None:
        self.key = "variable", id(state), index
        self.name = name
        self.owner = state
        self._index = index

    @property
    def role(self) -> Role:
        return self.owner.roles[self._index]  # type: ignore[no-any-return]  # a state

    def at(self, owner: Any) -> Place:
        return Variable(owner, self._index, self.name)

    def get(self) -> Any:
        return self.owner.get()[self._index]

    def set(self, value: Any) -> None:
        values = list(self.owner.get())
        values[self._index] = value
        self.owner.set(tuple(values))


class Moved(Place):
    """What a list has become: the list itself, or what a backend has put in its place.

    Parameters
    ----------
    original : list
    """

    __slots__ = ()

    def __init__(self, original: Any) -> None:
        self.key = "moved", id(original)
        self.name = f"a {type(original).__name__}"
        self.owner = original

    def is_unchanged(self, before: Any, now: Any) -> bool:
        return before is now  # everywhere else an object and what took its place are one

    def at(self, owner: Any) -> Place:
        return Moved(owner)

    def get(self) -> Any:
        return heap.moved_to(self.owner)

    def set(self, value: Any) -> None:
        heap.take_back(self.owner)
        if value is not self.owner:
            heap.move(self.owner, value)


STORES: dict[type, Callable[[Any], Any]] = {}
"""By the class of a container of a backend's that is a part of another one: what has it."""

CONTAINERS = (list, dict, set, deque)
"""Python's own containers that change in place."""

BUFFERS = (bytearray, array)
"""Python's own sequences of numbers that change in place."""


def _is_same(before: Any, now: Any) -> bool:
    """Whether two values are one object, or a place has neither."""
    if heap.moved_to(before) is heap.moved_to(now):
        return True
    return type(before) is type(now) is Undefined  # not of a subclass: it may have a value
