"""Special methods that the interpreter calls itself (`__add__`, …), replaced in their classes during a trace.

`a + b`, `with m:`, `x.area` and `sorted(items)` call methods that no call in the code names. Which one, with
what order of operands, and what `NotImplemented` means, Python knows: so nothing is looked up here. While a
trace runs, a stand-in takes the place of each such method in the classes that the trace meets. It calls the
converted form in a thread that traces, and the method itself in all others.

>>> class Length:
...     __module__ = "program"
...     def __init__(self, metres): self.metres = metres
...     def __add__(self, other): return Length(self.metres + other.metres)
>>> own = vars(Length)["__add__"]
>>> with StandIns(Backends()) as stand_ins:
...     stand_ins.meet(Length)
...     vars(Length)["__add__"] is own, defined(Length)["__add__"] is own, (Length(1) + Length(2)).metres
(False, True, 3)
>>> vars(Length)["__add__"] is own
True
"""

from __future__ import annotations

import functools
import inspect
import operator
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from types import CodeType, FunctionType, MethodType
from typing import Any

from autograph.staging import notes, places
from autograph.staging.attributes import in_classes
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.state import Undefined
from autograph.staging.twins import does_by_methods, has_text, twin_of_method
from autograph_base.dataclass import dataclass
from autograph_base.packages import OURS

__all__ = ["StandIns", "defined", "is_left_alone", "meet", "without_stand_ins", "written"]

LEFT = frozenset(
    {"__class_getitem__", "__del__", "__getattribute__", "__init_subclass__", "__next__", "__subclasshook__"}
)
"""Methods that are about classes, that run at no place of the program's, that everybody calls who reads an
attribute, or that code of C calls until they raise: for ever, where only the run knows when they do."""

LEFT_ALONE = (sys.stdlib_module_names - {"__main__"}) | OURS | {"numpy"}
"""Packages whose classes are left alone."""

GIVES: Mapping[str, Callable[[Any], Any]] = {
    "__bool__": bool,
    "__complex__": complex,
    "__float__": float,
    "__format__": str,
    "__hash__": operator.index,
    "__index__": operator.index,
    "__int__": operator.index,
    "__len__": operator.index,
    "__length_hint__": operator.index,
    "__repr__": str,
    "__str__": str,
}
"""What is made of a backend's value that a method gives, where Python takes only one of its own."""


@dataclass
class _Dressed:
    """A class with stand-ins: how many traces want them, and what they stand for."""

    traces: int = 0
    methods: dict[str, Any] = field(default_factory=dict)
    stand_ins: dict[str, Any] = field(default_factory=dict)


_dressed: dict[type, _Dressed] = {}
_lock = threading.RLock()


class StandIns:
    """The classes that a trace has met; as a context, those of the outermost trace of this thread.

    Parameters
    ----------
    backends : Backends
        Asked for the converted form of a method.
    shown : collection of type
        The classes of which some objects stand for others, whose number must not be told.
    tell : callable, optional
        Gets each object of these whose number Python is about to tell, as its class says nothing else.

    Attributes
    ----------
    met : set of type
    """

    def __init__(
        self,
        backends: Backends,
        shown: Collection[type] = (),
        tell: Callable[[Any], None] = lambda _: None,
    ) -> None:
        self.backends = backends
        self.tell = tell
        self._shown = {*filter(_has_default_text, shown)}
        self.met: set[type] = set()
        self._dressed: list[type] = []

    def meet(self, kind: type) -> None:
        """Puts stand-ins into a class and into those that it derives from, where they are the user's."""
        if kind in self.met:
            return
        self.met.add(kind)
        for base in kind.__mro__:
            if base is kind or base not in self.met:
                self.met.add(base)
                if not is_left_alone(base):
                    self._dress(base)
        self.meet(type(kind))

    def _dress(self, kind: type) -> None:
        with _lock:
            dressed = _dressed.setdefault(kind, _Dressed())
            dressed.traces += 1
            self._dressed.append(kind)
            if dressed.traces == 1:
                _put_on(kind, dressed)
            if any(kind in each.__mro__ for each in self._shown) and "__repr__" not in vars(kind):
                dressed.stand_ins["__repr__"] = _of_default_text()
                type.__setattr__(kind, "__repr__", dressed.stand_ins["__repr__"])
        for value in defined(kind).values():
            if not isinstance(value, FunctionType | type):
                self.meet(type(value))  # a descriptor's methods are called by Python, too

    def __enter__(self) -> StandIns:
        staging.stand_ins = self
        return self

    def __exit__(self, *_: object) -> None:
        staging.stand_ins = None
        with _lock:
            while self._dressed:
                kind = self._dressed.pop()
                dressed = _dressed[kind]
                dressed.traces -= 1
                if not dressed.traces:
                    _take_off(kind, _dressed.pop(kind))


def meet(values: Iterable[Any]) -> None:
    """Puts stand-ins into the classes of some values, and into those among them, while this thread traces."""
    stand_ins = staging.stand_ins
    if stand_ins is not None:
        for value in values:
            kind = type(value)
            if kind not in stand_ins.met:
                stand_ins.meet(kind)
            if issubclass(kind, type):
                stand_ins.meet(value)


def without_stand_ins() -> AbstractContextManager[None]:
    """While it lasts, Python finds in this thread the methods as they are written."""
    return staging.having(stand_ins=None)


def defined(kind: type) -> Mapping[str, Any]:
    """What a class holds, as the program has defined it.

    Parameters
    ----------
    kind : type

    Returns
    -------
    mapping of str to object
    """
    own: Mapping[str, Any] = type.__dict__["__dict__"].__get__(kind)
    dressed = _dressed.get(kind)
    if dressed is None:
        return own
    stand_ins, methods = dressed.stand_ins, dressed.methods
    return {
        name: methods[name] if value is stand_ins.get(name, dressed) else value
        for name, value in own.items()
        if name in methods or value is not stand_ins.get(name, dressed)
    }


def written(value: Any) -> Any:
    """A function as the program has written it: what a stand-in stands for; any other value itself."""
    if type(value) is FunctionType and value.__code__ in _CODES:
        return getattr(value, "__wrapped__", object.__repr__)  # `wraps` has given it one
    if type(value) is MethodType and getattr(value.__func__, "__code__", None) in _CODES:
        return MethodType(written(value.__func__), value.__self__)
    return value


# ── classes ──


def is_left_alone(kind: type | FunctionType) -> bool:
    """Whether a class or function is none of a program's own, but Python's, or of a package with arrays."""
    module = str(kind.__module__)
    return module.partition(".")[0] in LEFT_ALONE and not does_by_methods(module, kind.__qualname__)


def _put_on(kind: type, dressed: _Dressed) -> None:
    for name, value in vars(kind).items():
        stand_in = _stand_in(kind, name, value)
        if stand_in is not None and not hasattr(type(in_classes(type(kind), name)), "__set__"):
            dressed.methods[name], dressed.stand_ins[name] = value, stand_in
    for name, stand_in in dressed.stand_ins.items():
        type.__setattr__(kind, name, stand_in)


def _take_off(kind: type, dressed: _Dressed) -> None:
    own = vars(kind)
    for name, stand_in in dressed.stand_ins.items():
        if own.get(name) is not stand_in:
            continue  # the program has given it another one
        if name in dressed.methods:
            type.__setattr__(kind, name, dressed.methods[name])
        else:
            type.__delattr__(kind, name)


def _stand_in(owner: type, name: str, value: Any) -> Any:
    """What stands for an attribute of a class; None where Python calls nothing in it by itself."""
    kind = type(value)
    if kind is property:
        parts = {part: _of_function(owner, getattr(value, part)) for part in ("fget", "fset", "fdel")}
        found: Any = property(**parts, doc=value.__doc__)
        found.__set_name__(owner, name)  # errors say it
        return found
    if kind is functools.cached_property:
        return _Cached(owner, value)
    if not (name.startswith("__") and name.endswith("__")) or name in LEFT:
        return None
    if name == "__getitem__" and kind is FunctionType and _is_iterated_by_index(owner):
        return _of_keys(value, _of_function(owner, value))
    if kind is FunctionType:
        return _of_function(owner, value)
    if kind is staticmethod and type(value.__func__) is FunctionType:
        return staticmethod(_of_function(owner, value.__func__))
    return None


def _is_iterated_by_index(kind: type) -> bool:
    """Whether code of C may ask for the items 0, 1, 2 … until there is none."""
    return getattr(kind, "__iter__", Sequence.__iter__) is Sequence.__iter__


# ── functions ──


def _of_function(owner: type, function: Any) -> Any:
    """The stand-in of a function; what is none of Python's stays."""
    if type(function) is not FunctionType or function.__code__ in _CODES:
        return function
    return _made(owner, function)


def _made(owner: type, function: FunctionType) -> FunctionType:
    gives = GIVES.get(function.__name__)
    twin = twin_of_method(owner, function)
    if not has_text(twin) or twin.__code__.co_flags & _RUNS_LATER:
        return function

    @functools.wraps(function)
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        result = _run(function, twin, args, kwargs)
        stand_ins = staging.stand_ins
        if gives is None or stand_ins is None or not stand_ins.backends.owned[type(result)]:
            return result
        return gives(result)

    return stand_in  # type: ignore[return-value]  # it is a function


def _has_default_text(kind: Any) -> bool:
    """Whether the text of an object of a class is its number."""
    return kind.__repr__ is object.__repr__


def _of_default_text() -> FunctionType:
    """Stands for `object.__repr__` in a class, whose text has the number of the object."""

    def shown(self: Any) -> str:
        if staging.stand_ins is not None:
            staging.stand_ins.tell(self)
        return object.__repr__(self)

    return shown  # type: ignore[return-value]  # it is a function


def _of_keys(function: FunctionType, stand_in: Any) -> FunctionType:
    """A stand-in for the items under all keys but those that code of C counts up."""

    @functools.wraps(function)
    def get(self: Any, key: Any) -> Any:
        return (function if type(key) is int else stand_in)(self, key)

    return get  # type: ignore[return-value]  # it is a function


class _Cached:
    """Stands for a `cached_property`: what it keeps in the object may be there on some paths only."""

    def __init__(self, owner: type, original: functools.cached_property[Any]) -> None:
        self.func, self.__doc__ = _of_function(owner, original.func), original.__doc__
        self._name = original.attrname
        self._original = original

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        stand_ins = staging.stand_ins
        if owner is None or self._name is None or stand_ins is None:
            return self._original.__get__(owner, kind)
        place = places.Attribute(owner, self._name)
        held = vars(owner).get(self._name, self)
        if held is not self and not issubclass(type(held), Undefined):
            return held
        notes.note(place)
        if held is self:
            value = self.func(owner)
        else:
            value = stand_ins.backends.of(held).where_present(held, lambda: self.func(owner))
        place.set(value)
        return value

    def __set__(self, owner: Any, value: Any) -> None:
        notes.note(places.Attribute(owner, str(self._name)))
        vars(owner)[self._name] = value

    def __delete__(self, owner: Any) -> None:
        notes.note(places.Attribute(owner, str(self._name)))
        try:
            del vars(owner)[self._name]
        except KeyError:
            raise AttributeError(self._name) from None


def _run(method: Any, twin: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    stand_ins = staging.stand_ins
    if stand_ins is None:
        return method(*args, **kwargs)
    backends = stand_ins.backends
    backend = backends.staging_now()
    converted = method if backend is backends.plain else backends.convert(twin)
    if converted is method:
        return method(*args, **kwargs)
    return backend.call(method, converted, args, kwargs)


_RUNS_LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_CODES = frozenset(
    constant
    for function in (_made, _of_default_text, _of_keys)
    for constant in function.__code__.co_consts
    if isinstance(constant, CodeType)
)
"""The code of all stand-ins."""
