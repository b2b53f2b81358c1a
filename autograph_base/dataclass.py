"""`dataclass`, as that of the standard library, in all but what it costs to make a class.

The library writes and compiles up to seven methods for each, in 0.3 ms: that is 60 ms of the import of our
classes, most of which have no instance in most programs. Here `__init__`, `__eq__` and `__hash__` are written
when they are first asked for, and the other methods serve all classes. Fields and matching are the library's,
which is asked for them as late.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import Any, Final, NoReturn, TypeVar, dataclass_transform, overload

__all__ = ["dataclass"]

_Kind = TypeVar("_Kind", bound=type)


@overload
@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(kind: _Kind, /) -> _Kind: ...


@overload
@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(
    *, init: bool = True, eq: bool = True, frozen: bool = False, slots: bool = False
) -> Callable[[_Kind], _Kind]: ...


def dataclass(kind: Any = None, /, **options: bool) -> Any:
    """Makes a class a dataclass, as the standard library does with the same options.

    What derives from a frozen dataclass of the library's is made by the library: its methods stand beside
    inherited ones.
    """
    if kind is None:
        return lambda kind: _made(kind, **options)
    return _made(kind, **options)


def _made(kind: Any, *, init: bool = True, eq: bool = True, frozen: bool = False, slots: bool = False) -> Any:
    if any(_is_frozen_elsewhere(base) for base in kind.__mro__[1:]):
        return dataclasses.dataclass(init=init, eq=eq, frozen=frozen, slots=slots)(kind)
    text = _Text(kind, {"init": init, "eq": eq, "frozen": frozen})
    for name, default in text.defaults.items():
        if isinstance(default, Field):
            delattr(kind, name)
            if default.default is not MISSING:
                setattr(kind, name, default.default)
    if slots:
        kind = _with_slots(kind, text)
    own = vars(kind)
    for name in _FACTS:
        if name not in own:
            setattr(kind, name, _Fact(kind, name, text))
    if "__repr__" not in own:
        kind.__repr__ = _shown
    if init and "__init__" not in own:
        kind.__init__ = _Later(kind, "__init__", _constructor)
    if eq:
        is_compared = "__eq__" in own  # then Python has put None for a hash
        if "__hash__" not in own or (is_compared and own["__hash__"] is None):
            kind.__hash__ = _Later(kind, "__hash__", _hash) if frozen else None
        if not is_compared:
            kind.__eq__ = _Later(kind, "__eq__", _equality)
    if frozen:
        kind.__setattr__, kind.__delattr__ = _refuse_to_set, _refuse_to_delete
        if slots and "__getstate__" not in own:
            kind.__getstate__, kind.__setstate__ = _state, _set_state
    return kind


class _Text:
    """What stands in a class that becomes a dataclass: its own fields, their defaults, and the options."""

    __slots__ = ("defaults", "options", "types")

    def __init__(self, kind: type, options: dict[str, bool]) -> None:
        own = vars(kind)
        self.types: dict[str, Any] = own.get("__annotations__", {})
        self.defaults = {name: own[name] for name in self.types if name in own}
        self.options = options


_OF_CLASS = ("ClassVar", "typing.ClassVar")
"""How the types of what is no field begin."""
_FACTS = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")


class _Fact:
    """What the library says of a class: it is found out when anybody asks, and stands there then."""

    __slots__ = ("_kind", "_name", "_text")

    def __init__(self, kind: type, name: str, text: _Text) -> None:
        self._kind, self._name, self._text = kind, name, text

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        kind: Any = self._kind
        found = _facts(kind, self._text)
        for name, fact in found.items():
            if type(vars(kind)[name]) is _Fact:  # and not its own
                setattr(kind, name, fact)
        return found[self._name]


def _facts(kind: Any, text: _Text) -> dict[str, Any]:
    """All of `_FACTS`, found by means of a class that has the same fields and nothing else."""
    held = text.defaults | {"__annotations__": text.types, "__module__": kind.__module__}
    held["__doc__"] = kind.__name__  # where there is none, the library has `inspect` write one
    alike: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(type(kind.__name__, (), held))
    named: dict[str, Any] = {}
    for base in reversed(kind.__mro__[1:]):
        named |= getattr(base, "__dataclass_fields__", {})
    alike.__dataclass_fields__ = named | alike.__dataclass_fields__
    told = alike.__dataclass_params__
    told.repr = True
    for name, is_so in text.options.items():
        setattr(told, name, is_so)
    in_order = tuple(field.name for field in _fields(alike) if field.init and not field.kw_only)
    return dict(zip(_FACTS, (alike.__dataclass_fields__, told, in_order), strict=True))


def _with_slots(kind: Any, text: _Text) -> Any:
    """The class, made anew with a place for each field: one that is there takes no more of them."""
    above = kind.__mro__[1:-1]
    taken = {name for base in above for name in getattr(base, "__slots__", ())}
    names = [
        field.name for base in reversed(above) if dataclasses.is_dataclass(base) for field in _fields(base)
    ]
    names += [name for name, told in text.types.items() if not str(told).startswith(_OF_CLASS)]
    left = {"__dict__", "__weakref__", *names}
    held = {name: value for name, value in vars(kind).items() if name not in left}
    held["__slots__"] = tuple(name for name in dict.fromkeys(names) if name not in taken)
    made = type(kind)(kind.__name__, kind.__bases__, held)
    made.__qualname__ = kind.__qualname__
    return made


def _is_frozen(kind: Any) -> bool:
    return bool(kind.__dataclass_params__.frozen)


def _is_frozen_elsewhere(kind: type) -> bool:
    """Whether it is a frozen dataclass that the library has made."""
    own = vars(kind)
    if "__dataclass_params__" not in own or own.get("__setattr__") is _refuse_to_set:
        return False
    told = own["__dataclass_params__"]
    return type(told) is not _Fact and bool(told.frozen)


FILENAME = "<runtime dataclass>"
"""The file of methods that are written here: no line of the user's is in it."""


class _Later:
    """A method that is written when it is first asked for, and stands in its class from then on."""

    __slots__ = ("_kind", "_name", "_write")

    def __init__(self, kind: type, name: str, write: Callable[[type, dict[str, Any]], Iterator[str]]) -> None:
        self._kind, self._name, self._write = kind, name, write

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        kind, name = self._kind, self._name
        names: dict[str, Any] = {"__name__": kind.__module__, "__annotations__": {}}
        text = "\n    ".join(self._write(kind, names))
        exec(compile(text, FILENAME, "exec"), names)  # noqa: S102  # names of fields are all that is not ours
        method = names[name]
        method.__qualname__, method.__annotations__ = f"{kind.__qualname__}.{name}", names["__annotations__"]
        setattr(kind, name, method)
        return method.__get__(instance, owner)


def _constructor(kind: Any, names: dict[str, Any]) -> Iterator[str]:
    """The lines of `__init__`; what they name beside the fields is put into `names`."""
    positional, by_name, values, types = ["self"], ["*"], dict[str, str](), dict[str, Any]()
    for field in _fields(kind):
        name = field.name
        default, make = f"_default_{name}", f"_make_{name}"
        if field.default_factory is not MISSING:
            names[default], names[make] = _UNSET, field.default_factory
            values[name] = f"{make}() if {name} is {default} else {name}" if field.init else f"{make}()"
        elif field.default is not MISSING:
            names[default] = field.default
            values[name] = name if field.init else default
        else:
            values[name] = name
        if field.init:
            types[name] = field.type
            (by_name if field.kw_only else positional).append(
                f"{name}={default}" if default in names else name
            )
        elif default not in names:
            del values[name]
    names["_set"], names["__annotations__"] = object.__setattr__, types | {"return": None}
    is_frozen = _is_frozen(kind)
    yield f"def __init__({', '.join([*positional, *(by_name if by_name[1:] else [])])}):"
    for name, value in values.items():
        if not is_frozen:
            yield f"self.{name} = {value}"
        elif (place := _place(kind, name)) is None:
            yield f"_set(self, {name!r}, {value})"
        else:  # in two thirds of the time: the place need not be looked for by its name
            names[f"_set_{name}"] = place.__set__
            yield f"_set_{name}(self, {value})"
    yield "self.__post_init__()" if hasattr(kind, "__post_init__") else "pass"


def _place(kind: type, name: str) -> MemberDescriptorType | None:
    """Where instances of a class with slots keep a field; None where they keep it under its name."""
    found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    return found if isinstance(found, MemberDescriptorType) else None


def _equality(kind: type, _: dict[str, Any]) -> Iterator[str]:
    mine, others = (_values(kind, of, lambda field: field.compare) for of in ("self", "other"))
    yield "def __eq__(self, other):"
    yield f"return {mine} == {others} if other.__class__ is self.__class__ else NotImplemented"


def _hash(kind: type, _: dict[str, Any]) -> Iterator[str]:
    mine = _values(kind, "self", lambda field: field.compare if field.hash is None else field.hash)
    yield "def __hash__(self):"
    yield f"return hash({mine})"


def _values(kind: type, of: str, counts: Callable[[Field[Any]], bool]) -> str:
    """The fields that count, as the text of a tuple."""
    return f"({''.join([f'{of}.{field.name}, ' for field in _fields(kind) if counts(field)])})"


def _fields(kind: Any) -> tuple[Field[Any], ...]:
    return dataclasses.fields(kind)


class _Unset:
    def __repr__(self) -> str:
        return "<factory>"


_UNSET: Final = _Unset()
"""What stands for a value that is not given, of a field with a default of its own in each instance."""


@recursive_repr()
def _shown(self: Any) -> str:
    shown = [f"{field.name}={getattr(self, field.name)!r}" for field in _fields(self) if field.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_set(_: object, name: str, value: object) -> NoReturn:
    del value
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in _fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(_fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
