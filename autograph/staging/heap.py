"""Replacement of objects during a trace: forwarding from an object to the one that has taken its place.

A list that a tensor makes longer becomes a list of the graph: another object, which takes its place wherever
the program looks. The program looks through variables, so a read of a variable is where the old object is
found: the value gives way to the new one, and so does whatever the value leads to, in attributes, items,
variables of functions and tuples. Each object is looked into once after each move, since whatever is stored
later has been read before.

    rows = [l, []]           move(l, staged)          ld(rows)          rows is [staged, []] from now on

Moves are taken back in reverse: what holds the new object holds the old one again.

>>> class Staged: ...
>>> old, new = [1], Staged()
>>> rows = {"a": (old, 2)}
>>> move(old, new)
>>> ld(old) is new, ld(rows)["a"][0] is new
(True, True)
>>> take_back(old)
>>> ld(old) is old, rows["a"][0] is old
(True, True)
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from types import BuiltinMethodType, CellType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, TypeVar

from autograph.staging.attributes import dict_of, slots_in
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS, TYPES_REMEMBERED
from autograph.staging.opaque import is_opaque
from autograph.staging.operators import unbound_operator
from autograph.staging.state import Undefined
from autograph_base.dataclass import dataclass
from autograph_base.packages import OURS

__all__ = [
    "again",
    "as_moved",
    "changed_unseen",
    "current",
    "dict_behind",
    "forget",
    "gives_way",
    "has_moved",
    "is_stand_in",
    "ld",
    "leads_on",
    "look_again",
    "look_into",
    "may_be_one",
    "move",
    "moved_to",
    "original_of",
    "originals",
    "outdate",
    "remember",
    "require_not_outdated",
    "take_back",
    "tell_apart",
    "to_change",
    "was_held",
]

NO_HOLDERS = OURS | {"_frozen_importlib", "_frozen_importlib_external", "importlib", "numpy"}
"""Packages whose objects hold nothing of a program's, or are what we keep about it: that stays as it is."""

Kind = TypeVar("Kind", bound=type)

_leading: set[type] = set()
"""Our own classes whose instances stand for objects of the program's."""


def leads_on(kind: Kind) -> Kind:
    """Says that values of a class of ours lead to objects of the program's: a choice between some, say."""
    _leading.add(kind)
    return kind


def is_stand_in(value: Any) -> bool:
    """Whether a value of ours stands for an object of the program's."""
    return type(value) in _leading


_SIZED = frozenset({list, dict, set, deque})
"""Python's own containers, which say how much they hold without running code."""

_giving_way: dict[type, Callable[[Any], Any]] = {}
"""Classes of objects that hold nothing and may give way to others, and what says to which."""


_memory: dict[type, Callable[[Any, Sequence[Any]], None]] = {}
"""Those of them into which code of C writes, without a word, and who is told what made one, of what."""


_changing: dict[type, Callable[[Any], Any]] = {}
"""Classes of objects that code of C changes in place, and what says what is changed instead."""


def gives_way(
    kind: type,
    now: Callable[[Any], Any],
    *,
    changed: Callable[[Any], Any] | None = None,
    made: Callable[[Any, Sequence[Any]], None] | None = None,
) -> None:
    """Says that instances of just this class may give way; `now` gives what is in the place of one.

    `changed` gives what an operator in place is to change instead of one. Into those that are memory code of
    C writes without a word, so what a program makes of them is remembered: `made` is told of what a library
    of theirs gives, and what it was given.
    """
    _giving_way[kind] = now
    if changed is not None:
        _changing[kind] = changed
    if made is not None:
        _memory[kind] = made
    for kinds in (_UNDEFINED, _ALL):
        kinds.clear()


VIEWS: Mapping[type, str] = {
    type(getattr(kind(), part)()): part
    for kind in (dict, OrderedDict)
    for part in ("keys", "values", "items")
}
"""What gives a part of a dict and follows it, with the method that makes one."""

HOLDERS = frozenset(
    {
        list,
        dict,
        tuple,
        set,
        frozenset,
        BuiltinMethodType,
        *VIEWS,
        CellType,
        FunctionType,
        MethodType,
        ModuleType,
        type,
    }
)
"""Python's own classes whose instances lead to other objects, and not by running code."""


@dataclass(eq=False)
class Move:
    """An object, and the one that has taken its place."""

    old: Any
    new: Any
    holders: list[Any] = field(default_factory=list)
    """What held the old one when it was read, and holds the new one since."""
    follows: int | None = None
    """Of a tuple: the id of the object in it that moved."""
    size: int | None = None
    """How much it held then, of what can be asked."""


def remember(value: Any, made_of: Sequence[Any] | None) -> None:
    """Remembers memory that a call has given, or made, for as long as somebody has it.

    Parameters
    ----------
    value : object
        What the call gives.
    made_of : sequence, optional
        What it was given, where nobody but its arguments can have handed it the memory.
    """
    if type(value) in _memory:
        staging.arrays_made.append(weakref.ref(value))
        if made_of is not None:
            _memory[type(value)](value, made_of)


# ── reads ──


class _Kinds(dict[type, bool]):
    """type → whether to read such a value means more than to have it.

    Asked at every read, by type: `isinstance` would ask the value for its `__class__`, which is the user's.
    """

    def __init__(self, *, follows: bool) -> None:
        super().__init__()
        self._follows = follows

    def __missing__(self, kind: type) -> bool:
        if len(self) >= TYPES_REMEMBERED:
            self.clear()
        special = issubclass(kind, Undefined) or kind in _memory or is_opaque(kind)  # type: ignore[arg-type]  # a class is hashable
        special = self[kind] = special or (self._follows and _may_hold(kind))
        return special


_UNDEFINED, _ALL = _Kinds(follows=False), _Kinds(follows=True)
_kinds = _UNDEFINED
_lock = threading.Lock()
busy = 0
"""Threads in which something has moved."""


def _count(change: int) -> None:
    """Reads follow moves as long as there are any, in whatever thread."""
    global busy, _kinds  # noqa: PLW0603  # one table for all threads: a read is to cost one look-up
    with _lock:
        busy += change
        _kinds = _ALL if busy else _UNDEFINED


@unbound_operator
def ld(value: Any) -> Any:
    """The value of a variable that is read."""
    if not _kinds[type(value)]:
        return value
    if issubclass(type(value), Undefined):
        return value.read()
    if staging.attempts:
        staging.attempts[-1].read(value)
    return current(value)


def to_change(value: Any) -> Any:
    """What an operator in place (`x += y`) is to change in the place of a value: mostly that value itself."""
    changed = _changing.get(type(value))
    return value if changed is None else changed(value)


def has_moved() -> bool:
    """Whether anything has given way to another object, in this thread."""
    return bool(staging.moves)


def current(value: Any) -> Any:
    """The value, or what has taken its place; what it leads to is current, too."""
    if not (staging.moves or staging.outdated) or not _ALL[type(value)]:
        return value
    return _followed(value)


def again(value: Any) -> Any:
    """What was read before other operands were computed, as it is by now."""
    return current(value) if busy and _kinds[type(value)] else value


def as_moved(value: Any) -> Any:
    """As `current`, of what nobody reads yet: it may be outdated."""
    if not staging.moves or not _ALL[type(value)]:
        return value
    passed, staging.passed = staging.passed, []
    try:
        return _followed(value)
    finally:
        if staging.passed:
            staging.seen.clear()
        staging.passed = passed


def as_moved_in(holder: Any, value: Any) -> Any:
    """As `as_moved`, of what an object holds: it gets back what it held where a move is taken back."""
    found = as_moved(value)
    _note_holder(holder, value, found)
    return found


def moved_to(value: Any) -> Any:
    """The value, or what has taken its place; nothing is looked into."""
    moves = staging.moves
    while id(value) in moves:
        value = moves[id(value)].new
    return value


def original_of(value: Any) -> Any:
    """The object in whose place a value is; None where it is in nobody's."""
    return next((old for old, new in originals() if new is value), None)


def look_into(holder: Any) -> None:
    """Sees to it that all that an object leads to is current."""
    as_moved(holder)


def look_again() -> None:
    """Says that places were given what they held before: what has given way since is in them again."""
    staging.seen.clear()


# ── moves ──


def move(old: Any, new: Any) -> None:
    """Puts an object in the place of another one, wherever that is read."""
    if not staging.moves:
        _count(1)
    staging.moves[id(old)] = Move(old, new, size=len(old) if type(old) in _SIZED else None)
    staging.seen.clear()


def take_back(old: Any) -> None:
    """Undoes the move of an object, in everything that was read since."""
    moves = staging.moves
    if id(old) in moves:
        _undo(moves.pop(id(old)))
        staging.seen.clear()
        if not moves:
            _count(-1)


def _undo(moved: Move) -> None:
    moves = staging.moves
    for key in [key for key, each in moves.items() if each.follows == id(moved.old)]:
        _undo(moves.pop(key))
    for holder in reversed(moved.holders):
        _exchange(holder, lambda value: moved.old if value is moved.new else value)


def outdate(outdated: Mapping[int, tuple[Any, Any]]) -> None:
    """Says what nobody may read any more, by id: each with what refuses that."""
    if bool(outdated) is not bool(staging.outdated):
        _count(1 if outdated else -1)
    if not outdated.keys() <= staging.outdated.keys():
        staging.seen.clear()
    staging.outdated = outdated


def require_not_outdated(value: Any) -> None:
    """Sees to it that what is read, or is about to change, is what it would be in Python."""
    if id(value) in staging.outdated:
        if staging.passed is None:
            staging.outdated[id(value)][1].refuse()
        else:
            staging.passed.append(value)


def may_be_one(one: Any, other: Any) -> None:
    """Sees to it that no copy of an object is asked whether it is the object.

    Statements make copies of what they change, and lists of the graph give copies of what they hold.
    """
    groups = staging.groups
    staging.compared |= {id(one): one, id(other): other}
    if one is other:
        return
    is_copy = id(one) in groups or id(other) in groups  # of another class, where it is one of the graph
    if staging.turn_since is not None and (is_copy or type(one) is type(other)):
        staging.told_apart.append((one, other))
    if id(one) in groups and groups[id(one)] is groups.get(id(other)):
        groups[id(one)].require_one(one, other)
    taken = _named_in(staging.taken, one) or _named_in(staging.taken, other)
    if taken is not None and taken.may_be_one(one, other):
        taken.refuse_identity()


def tell_apart(values: Iterable[Any]) -> None:
    """Sees to it that no copy of an object stands for it where its `id`, or its hash, says which it is."""
    if not staging.groups:
        return
    for value in values:
        kind: Any = type(value)
        if kind is tuple:
            tell_apart(value)
        elif id(value) in staging.groups and kind.__hash__ is object.__hash__:
            for other in [*staging.groups[id(value)].members.values()]:
                may_be_one(value, other)


def was_held(value: Any) -> bool:
    """Whether an object may be, or have been, in a container of the graph."""
    return any(_named_in(known, value) is not None for known in (staging.copies, staging.taken))


def _named_in(known: Mapping[int, Any], value: Any) -> Any:
    """What is known of an object, or of one that may be the same."""
    group = staging.groups.get(id(value))
    names = (id(value),) if group is None else (id(value), *group.members)
    return next((known[name] for name in names if name in known), None)


def originals() -> Iterator[tuple[Any, Any]]:
    """The objects that have moved, and where to; tuples around them are left out."""
    return ((each.old, each.new) for each in list(staging.moves.values()) if each.follows is None)


def changed_unseen() -> Iterator[Any]:
    """The containers to which something was added, or from which something was taken, since they moved.

    Code does so that holds them where no read of the program's looks: the frame of a generator of Python's.
    """
    for each in list(staging.moves.values()):
        if each.size is not None and len(each.old) != each.size:
            yield each.old


def forget() -> None:
    """Takes back every move: a trace is over."""
    for each in reversed(list(staging.moves.values())):
        take_back(each.old)
    outdate({})
    staging.seen.clear()


# ── what an object leads to ──


def _may_hold(kind: type) -> bool:
    """Whether instances of a class may lead to an object that moves."""
    home = str(kind.__module__)  # of a class of C it may be a descriptor
    if kind in _giving_way:
        return True
    if home == "builtins":
        return kind in HOLDERS
    return kind in _leading or home.partition(".")[0] not in NO_HOLDERS


def _followed(value: Any) -> Any:
    """The value as it is now, after everything that it leads to."""
    pending: list[Any] = []
    found = _one(value, pending)
    while pending:
        holder = pending.pop()
        _exchange(holder, lambda held, holder=holder: _held(held, holder, pending))  # type: ignore[misc]
    return found


def _held(value: Any, holder: Any, pending: list[Any]) -> Any:
    found = _one(value, pending)
    _note_holder(holder, value, found)
    return found


def _note_holder(holder: Any, value: Any, found: Any) -> None:
    """Remembers what holds the value that has taken the place of another one."""
    while value is not found:  # a chain of moves: each is taken back by itself
        moved = staging.moves[id(value)]
        moved.holders.append(holder)
        value = moved.new


def _one(value: Any, pending: list[Any]) -> Any:
    """What has taken the place of a value; what it leads to itself is put among the pending."""
    if not _ALL[type(value)]:
        return value
    if staging.outdated:
        require_not_outdated(moved_to(value))
    if type(value) in _giving_way:
        return _giving_way[type(value)](value)
    value, seen = moved_to(value), staging.seen
    if id(value) in seen:
        return value
    if isinstance(value, tuple):
        value = _tuple(value, pending)
    elif type(value) is BuiltinMethodType or type(value) is MethodType:
        value = _method(value, pending)
    elif type(value) in VIEWS:
        value = _view(value, pending)
    elif not _is_of_imports(value):
        pending.append(value)
    seen[id(value)] = value
    return value


def _tuple(value: tuple[Any, ...], pending: list[Any]) -> tuple[Any, ...]:
    """A tuple, or another one in its place where something in it has moved."""
    items = [_one(item, pending) for item in tuple.__iter__(value)]
    for old, item in zip(tuple.__iter__(value), items, strict=True):
        if old is not item:
            new = tuple(items) if type(value) is tuple else tuple.__new__(type(value), items)
            staging.moves[id(value)] = Move(value, new, follows=id(old))
            if id(value) in staging.groups:
                staging.groups[id(value)].take_place(value, new)
            return new
    return value


def _method(value: BuiltinMethodType | MethodType, pending: list[Any]) -> Any:
    """A method such as `l.append`, or that of the object in the place of `l`."""
    receiver = value.__self__
    if isinstance(receiver, ModuleType):  # `min` and its like: nobody reads a module through its functions
        return value
    now = _one(receiver, pending)
    if now is receiver:
        return value
    if type(value) is MethodType and getattr(type(receiver), value.__name__, None) is not value.__func__:
        new: Any = MethodType(value.__func__, now)  # a function of another class, as `super().update`
    else:
        new = getattr(now, value.__name__)
    staging.moves[id(value)] = Move(value, new, follows=id(receiver))
    return new


def _view(value: Any, pending: list[Any]) -> Any:
    """What `d.values()` gives and its like, or that of the dict in the place of `d`."""
    owner = dict_behind(value)
    now = _one(owner, pending)
    if now is owner:
        return value
    new = getattr(now, VIEWS[type(value)])()
    staging.moves[id(value)] = Move(value, new, follows=id(owner))
    return new


def dict_behind(view: Any) -> Any:
    """The dict that a view follows."""
    return view.mapping | _THE_DICT


class _TheDict:
    """What `view.mapping | _THE_DICT` asks for the dict: its proxy hands over to that."""

    def __ror__(self, mapping: Any) -> Any:
        return mapping


_THE_DICT = _TheDict()


def _exchange(holder: Any, exchanged: Callable[[Any], Any]) -> None:
    """Gives every value that an object holds the chance to be another one. No code of the user's runs."""
    kind = type(holder)
    own = _EXCHANGES.get(kind)
    if own is not None:  # as of most: none of these classes derives from another one
        own(holder, exchanged)
        return
    for base, exchange in _EXCHANGES.items():
        if issubclass(kind, base):
            exchange(holder, exchanged)
    if not issubclass(kind, (type, ModuleType)):
        _exchange_instance(holder, exchanged)


def _exchange_dict(holder: dict[Any, Any], exchanged: Callable[[Any], Any]) -> None:
    for key, value in [*dict.items(holder)]:
        new = exchanged(value)
        if new is not value:
            dict.__setitem__(holder, key, new)


def _exchange_list(holder: list[Any], exchanged: Callable[[Any], Any]) -> None:
    for index, value in enumerate([*list.__iter__(holder)]):
        if type(value) not in ATOMS:
            new = exchanged(value)
            if new is not value:
                list.__setitem__(holder, index, new)


def _exchange_deque(holder: deque[Any], exchanged: Callable[[Any], Any]) -> None:
    for index, value in enumerate([*deque.__iter__(holder)]):
        new = exchanged(value)
        if new is not value:
            deque.__setitem__(holder, index, new)


def _exchange_set(holder: Iterable[Any], exchanged: Callable[[Any], Any]) -> None:
    base: Any = set if isinstance(holder, set) else frozenset
    for value in [*base.__iter__(holder)]:  # what moves has no hash: it can only be further away
        exchanged(value)


def _exchange_cell(cell: CellType, exchanged: Callable[[Any], Any]) -> None:
    try:
        value = cell.cell_contents
    except ValueError:
        return
    new = exchanged(value)
    if new is not value:
        cell.cell_contents = new


def _exchange_cells(holder: FunctionType, exchanged: Callable[[Any], Any]) -> None:
    home = str(holder.__globals__.get("__name__"))
    if home.partition(".")[0] not in NO_HOLDERS:
        for cell in holder.__closure__ or ():
            _exchange_cell(cell, exchanged)


def _exchange_receiver(holder: MethodType, exchanged: Callable[[Any], Any]) -> None:
    exchanged(holder.__self__)


def _exchange_module(holder: ModuleType, exchanged: Callable[[Any], Any]) -> None:
    """The data in a module; its functions read their own variables, and modules are read by name."""
    if str(holder.__name__).partition(".")[0] in NO_HOLDERS:
        return
    for name, value in [*vars(holder).items()]:
        if not isinstance(value, ModuleType | FunctionType | type):
            new = exchanged(value)
            if new is not value:
                vars(holder)[name] = new


def _is_of_imports(value: Any) -> bool:
    """Whether a value is kept for imports: it leads to all that is loaded, pytest's finder to all tests."""
    return value is sys.modules or value is sys.meta_path


def _exchange_class(holder: type, exchanged: Callable[[Any], Any]) -> None:
    for kind in holder.__mro__:
        if kind.__module__ != "builtins" and str(kind.__module__).partition(".")[0] not in NO_HOLDERS:
            for name, value in [*vars(kind).items()]:
                if not isinstance(value, FunctionType | MemberDescriptorType):
                    new = exchanged(value)
                    if new is not value:
                        type.__setattr__(kind, name, new)


_EXCHANGES: Mapping[type, Callable[[Any, Callable[[Any], Any]], None]] = {
    dict: _exchange_dict,
    list: _exchange_list,
    deque: _exchange_deque,
    set: _exchange_set,
    frozenset: _exchange_set,
    CellType: _exchange_cell,
    FunctionType: _exchange_cells,
    MethodType: _exchange_receiver,
    ModuleType: _exchange_module,
    type: _exchange_class,
}


def _exchange_instance(owner: Any, exchanged: Callable[[Any], Any]) -> None:
    """The attributes that an instance keeps, and those of its class."""
    own = dict_of(owner)
    if isinstance(own, dict):
        _exchange_dict(own, exchanged)
    for _, slot in slots_in(type(owner)):
        try:
            value = slot.__get__(owner)
        except AttributeError:  # a slot without a value
            continue
        new = exchanged(value)
        if new is not value:
            slot.__set__(owner, new)
    exchanged(type(owner))
