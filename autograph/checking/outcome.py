"""The observable outcome of a call as data to compare: result, exception, output, and objects changed.

Everything is told by a path as a user would write it: ``result[0]``, ``items[2].value``. A mutable object
that is met twice is told once, and the second time by the first path, so that two outcomes are alike only
where the same things are shared. Tuples and frozen dataclasses never change, and whether two are one is told
of none.
"""

from __future__ import annotations

import io
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.checking.world import is_open
from autograph.errors import Location
from autograph.staging.attributes import slots_in
from runtime.core.dtypes import DType
from runtime.core.instances import dict_of, is_value
from runtime.core.tensor import Tensor
from runtime.errors import Message
from runtime.functions.reachable import cells_of, finds_members, is_view, shown_by
from runtime.messages import with_article
from runtime.variables import Variable

__all__ = ["Differs", "Outcome", "Part", "Telling", "difference"]


@dataclass(frozen=True)
class Outcome:
    """What a call did.

    Attributes
    ----------
    facts : mapping of str to object
        What is at each path after the call; the result's first.
    error : Exception or None
        What it raised.
    texts : sequence of str
        What it printed, logged and warned of, a line each.
    lines : sequence of Location or None
        The user's line behind each of `texts`.
    told : sequence of str
        What we have warned of meanwhile, which is no part of the program.
    """

    facts: Mapping[str, Any]
    error: Exception | None
    texts: Sequence[str]
    lines: Sequence[Location | None]
    told: Sequence[str] = ()


class Part(Enum):
    """What two outcomes differ in."""

    TEXT = "a text"
    ERROR = "the exception"
    FACT = "what is at a path"


@dataclass(frozen=True)
class Differs:
    """Where two outcomes differ first.

    Attributes
    ----------
    part : Part
    what : str
        The path, or what messages call it.
    plain, graph : str
        What each has there.
    index : int
        Which text, counted from 0.
    place : str
        Which elements of an array there.
    """

    part: Part
    what: str
    plain: str
    graph: str
    index: int = 0
    place: str = ""


@dataclass(frozen=True)
class _Same:
    """An object that was told before."""

    path: str


@dataclass(frozen=True)
class _Kind:
    """An object, without what is in it: its class, and which object of the world before the call it is."""

    name: str
    origin: int | None
    size: int | None = None
    order: tuple[str, ...] = ()
    """The keys of a dict, which a loop over it shows in their order."""


_NUMBERS = (bool, int, float, complex, np.generic, np.ndarray, Tensor)
_SEQUENCES: tuple[Any, ...] = (list, tuple, deque)
_ITSELF = (str, bytes, type(None), type(...), np.dtype, range, slice)
_DICTS = frozenset({dict, OrderedDict, defaultdict, Counter})
_BY_IDENTITY = (type, FunctionType, BuiltinFunctionType, ModuleType)


class Telling:
    """Tells what some objects hold.

    Parameters
    ----------
    known : mapping of int to object
        The objects that were there before the call, by id.
    """

    def __init__(self, known: Mapping[int, Any]) -> None:
        self._order = {key: number for number, key in enumerate(known)}
        self._told: dict[int, str] = {}
        self._kept: list[Any] = []  # so that an id means one object
        self.facts: dict[str, Any] = {}

    def tell(self, path: str, value: Any) -> None:
        """Adds what an object holds, and all that it leads to."""
        pending = deque([(path, value)])
        while pending:
            path, value = pending.popleft()
            if isinstance(value, Variable):
                value = value.numpy()  # what counts
            if isinstance(value, _NUMBERS):
                self.facts[path] = _number(value)
            elif isinstance(value, DType):
                self.facts[path] = value.numpy  # as a tensor is told as an array
            elif isinstance(value, _ITSELF):
                self.facts[path] = value
            elif id(value) in self._told and not _never_changes(value):
                self.facts[path] = _Same(self._told[id(value)])
            else:
                self._told[id(value)] = path
                self._kept.append(value)
                self.facts[path] = self._kind(value)
                pending.extendleft(reversed([*_parts(path, value, self._rank)]))

    def _kind(self, value: Any) -> Any:
        if isinstance(value, _BY_IDENTITY) and id(value) in self._order:
            return _Kind(f"{value.__name__}", self._order[id(value)])
        try:
            size = len(value) if isinstance(value, list | tuple | dict | set | frozenset | deque) else None
        except Exception:  # noqa: BLE001  # the user's own
            size = None
        is_fixed = isinstance(value, MethodType) or _never_changes(value)  # they may be made anew
        origin = None if is_fixed else self._order.get(id(value))
        order = tuple(map(_key, value)) if type(value) in _DICTS else ()
        return _Kind(type(value).__qualname__, origin, size, order)

    def _rank(self, item: Any) -> tuple[str, int]:
        """Where a member of a set is told: by its text, and of several by which object it is."""
        return _key(item), self._order.get(id(item), len(self._order))


def _never_changes(value: Any) -> bool:
    """Whether an object is what is in it: two that are equal are as good as one."""
    return isinstance(value, tuple | frozenset) or is_value(type(value))


def _number(value: Any) -> Any:
    """A number or an array, on its own."""
    if isinstance(value, Tensor):
        return value.numpy().copy()[()]
    return value.copy() if isinstance(value, np.ndarray) else value


def _parts(path: str, value: Any, rank: Callable[[Any], Any]) -> Iterator[tuple[str, Any]]:
    """What an object holds, part by part, members of sets by `rank`. Of the user's code only `repr` runs."""
    for base in _SEQUENCES:
        if isinstance(value, base):
            yield from ((f"{path}[{index}]", item) for index, item in enumerate(base.__iter__(value)))
    if isinstance(value, dict):
        yield from ((f"{path}[{text}]", item) for text, item in _told_by(dict.items(value)))
    elif isinstance(value, set | frozenset):
        members = [(item, item) for item in sorted(value, key=rank)]
        yield from ((f"{path}{{{text}}}", item) for text, item in _told_by(members))
    elif isinstance(value, FunctionType):
        yield from ((f"{path}.{name}", cell) for name, cell in cells_of(value))
        yield from (
            (f"{path}.__defaults__[{index}]", each) for index, each in enumerate(value.__defaults__ or ())
        )
    elif isinstance(value, MethodType):
        yield f"{path}.__self__", value.__self__
    elif is_view(type(value)):
        yield path, shown_by(value)
    elif isinstance(value, CellType):
        try:
            yield path, value.cell_contents
        except ValueError:
            return
    elif isinstance(value, type):
        if is_open(value):
            yield from (
                (f"{path}.{name}", held) for name, held in vars(value).items() if _is_data(name, held)
            )
    elif isinstance(value, io.StringIO | io.BytesIO):
        yield f"{path}.getvalue()", value.getvalue()
    if is_open(type(value)):
        yield from _attributes(path, value)


def _attributes(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes that an instance keeps, those of slots included."""
    own = dict_of(value)
    if isinstance(own, dict):
        yield from ((f"{path}.{name}", held) for name, held in own.items())
    for name, slot in slots_in(type(value)):
        try:
            yield f"{path}.{name}", slot.__get__(value)
        except AttributeError:  # a slot without a value
            continue


def _is_data(name: str, held: Any) -> bool:
    is_code = callable(held) or hasattr(held, "__get__")
    if finds_members(held):  # which come in as they are asked for
        return False
    return not is_code and not (name.startswith("__") and name.endswith("__"))


def _told_by(items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    """Items by the texts of their keys: where several have one text, those behind the first are counted."""
    seen = Counter[str]()
    for key, item in items:
        text = _key(key)
        seen[text] += 1
        yield text if seen[text] == 1 else f"{text} #{seen[text]}", item


def _key(key: Any) -> str:
    """A key as text: numbers that are equal are one key, whatever their class."""
    key = key.numpy()[()] if isinstance(key, Tensor) else key
    if isinstance(key, tuple):
        return f"({', '.join(map(_key, key))})"
    if is_value(type(key)):
        held = [f"{name}={_key(getattr(key, name))}" for name in type(key).__dataclass_fields__]
        return f"{type(key).__name__}({', '.join(held)})"
    return repr(key.item() if isinstance(key, np.generic) else key)


# ── comparing ──


def difference(plain: Outcome, graph: Outcome, ulps: float) -> Differs | None:
    """Where two outcomes differ first; None where they do not.

    Parameters
    ----------
    plain, graph : Outcome
    ulps : float
        How many units in the last place numbers may be apart.
    """
    errors = Differs(Part.ERROR, "exception", _error_text(plain.error), _error_text(graph.error))
    are_same_errors = _are_same_errors(plain.error, graph.error)
    for index, texts in enumerate(zip_longest(plain.texts, graph.texts)):
        if texts[0] != texts[1]:
            if not are_same_errors and None in texts:  # it ended there
                return errors
            one, other = ("nothing" if text is None else repr(text) for text in texts)
            return Differs(Part.TEXT, f"line {index + 1} of what is printed", one, other, index)
    if not are_same_errors:
        return errors
    for path in [*plain.facts, *[path for path in graph.facts if path not in plain.facts]]:
        one, other = plain.facts.get(path, ...), graph.facts.get(path, ...)
        if not _are_alike(one, other, ulps):
            place, one, other = _first_apart(one, other, ulps)
            return Differs(Part.FACT, path, _fact_text(one), _fact_text(other), place=place)
    return None


def _first_apart(one: Any, other: Any, ulps: float) -> tuple[str, Any, Any]:
    """Of two arrays of one form the first elements that differ, and where they are; or else the two."""
    are_arrays = isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.ndim
    if not (are_arrays and _are_of_one_form(one, other)):
        return "", one, other
    places = np.argwhere(_apart(one, other, ulps))
    first = tuple(places[0])
    more = len(places) - 1
    others = f", and {more} more element{'s' * (more > 1)}" if more else ""
    return f"[{', '.join(map(str, first))}]{others}", one[first], other[first]


def _are_same_errors(plain: Exception | None, graph: Exception | None) -> bool:
    """The same class, or one of ours that says that it stands for it, with the same message."""
    if plain is None or graph is None:
        return plain is graph
    if isinstance(graph, Message):
        return isinstance(graph, type(plain))
    if type(plain) is RecursionError:  # its text says what Python was at when its stack was full
        return type(graph) is RecursionError
    return type(plain) is type(graph) and str(plain) == str(graph)


def _error_text(error: Exception | None) -> str:
    return "nothing is raised" if error is None else f"{type(error).__name__}: {error}".splitlines()[0]


def _are_alike(one: Any, other: Any, ulps: float) -> bool:
    if isinstance(one, _NUMBERS) and isinstance(other, _NUMBERS):
        return _are_close(one, other, ulps)
    if isinstance(one, _NUMBERS) or isinstance(other, _NUMBERS):
        return False
    return type(one) is type(other) and bool(one == other)


def _are_close(one: Any, other: Any, ulps: float) -> bool:
    """Numbers of one kind and shape, each the same, or at most so many units in the last place apart."""
    return _are_of_one_form(one, other) and not np.any(_apart(np.asarray(one), np.asarray(other), ulps))


def _are_of_one_form(one: Any, other: Any) -> bool:
    """Whether numbers are of one shape and kind, and those that have a dtype of the same."""
    first, second = np.asarray(one), np.asarray(other)
    if first.shape != second.shape or _sort(first) != _sort(second):
        return False
    is_typed = isinstance(one, np.generic | np.ndarray) and isinstance(other, np.generic | np.ndarray)
    return not is_typed or first.dtype == second.dtype


def _apart(first: Any, second: Any, ulps: float) -> Any:
    """Which elements of two arrays of one form differ."""
    if first.dtype.kind == "c" and second.dtype.kind == "c":
        return _apart(first.real, second.real, ulps) | _apart(first.imag, second.imag, ulps)
    if first.dtype.kind != "f" or second.dtype.kind != "f":
        return first != second
    same = (first == second) & (np.signbit(first) == np.signbit(second)) | (
        np.isnan(first) & np.isnan(second)
    )
    with np.errstate(all="ignore"):
        step = np.maximum(np.spacing(np.abs(first)), np.spacing(np.abs(second)))
        near = (np.abs(first - second) <= ulps * step) & (first != second)
    return ~(same | near)


def _sort(array: np.ndarray[Any, Any]) -> str:
    """Whether these are truth values, whole numbers, reals or complex numbers."""
    kind: str = array.dtype.kind
    return "i" if kind == "u" else kind


def _fact_text(fact: Any) -> str:
    match fact:
        case builtin if builtin is ...:
            return "nothing"
        case _Same(path):
            return f"the same object as {path}"
        case _Kind(name, origin, size, order):
            items = "" if size is None else f" of {size} items"
            items += f", {', '.join(order)}" if order else ""
            return f"{with_article(name)}{items}" + (", made by the call" if origin is None else "")
        case np.ndarray() | np.generic():
            return f"{fact!r} ({fact.dtype})" if np.ndim(fact) == 0 else repr(fact)
    return repr(fact)
