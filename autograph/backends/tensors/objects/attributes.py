"""The attributes that a value of the graph has for a program: those of what it stands for.

    hasattr(x.sum(), "__len__")       no: a number of NumPy's has no length
    getattr(x, "value", x)            x: an array has no such attribute, whatever we call `value`
    hasattr(items, "items")           no, of a list

Tensors have methods that arrays do not have (`x.numpy()`, `x.at[i]`). A program that knows tensors may call
them; one that asks first whether they are there is written for several kinds of arrays, and is told NumPy's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from types import GeneratorType, ModuleType
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.containers.keyed import raise_always
from autograph.backends.tensors.containers.lists import Staged, StagedList, StagedTuple
from autograph.backends.tensors.iteration import generators, produced
from autograph.backends.tensors.iteration.items import Lazy, Source
from autograph.backends.tensors.objects.choices import OneOf, asked, choose, set_reading
from autograph.backends.tensors.objects.classes import Classes, class_of
from autograph.backends.tensors.objects.proxies import EveryName
from autograph.backends.tensors.statements.maybe import (
    MaybeNone,
    MaybeUndefined,
    left_in,
    require_known_names,
)
from autograph.backends.tensors.statements.refused import refused
from autograph.backends.tensors.statements.truths import OnlyTruth
from autograph.backends.tensors.text.strings import Text
from autograph.staging.attributes import spoken_name
from autograph.staging.places import Attribute
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.errors import NoConcreteValue
from runtime.graph.build import builder_in_use, is_symbolic, note_kind_told, value_in
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import whose
from runtime.ops.examples import NUMBERS
from runtime.ops.whose import as_test, is_told, keeps_our_classes, note_read, whose_number

__all__ = ["OF_US", "Attributes"]

OF_TENSORS = frozenset({"at", "get_shape", "numpy"})
"""Attributes of tensors, beside those of arrays, that programs may use."""

_OF_NUMPY = frozenset(name for kind in (np.ndarray, np.float64, np.int64) for name in dir(kind))

_OF_PYTHON = frozenset(
    name
    for kind in (list, tuple, dict, set, str, range, deque)
    for name in dir(kind)
    if name not in {"items", "sort"}  # which we have of what is no dict, and of deques
)

_FIELDS = frozenset(
    {"at_end", "clauses", "contents", "default_factory", "is_stepped", "item", "kind", "label", "loops"}
    | {"source"}
)
"""Attributes that methods of these classes set, and no class names."""

_WAITING = frozenset(
    {"close", "first", "is_filtered", "is_untouched", "leave", "made", "send", "throw", "turn"}
    | {"column", "decides", "has_pythons_order", "in_no_order", "in_order", "in_turn", "require_keys", "tied"}
)
"""Those of classes whose modules wait: code is converted before there is anything of them."""

_OF_CONTAINERS = frozenset({"builtins", "collections"})
"""Where the containers of Python's are, which are made without arguments."""

_OF_KIND = frozenset({"dtype", "itemsize", "nbytes"})
"""What says of what kind the numbers are."""

_OF_EXCHANGE = frozenset({"__dlpack__", "__dlpack_device__"})
"""What a tensor without axes has, too, and a number of NumPy's has not: a graph refuses who takes it."""


def _own_names() -> frozenset[str]:
    found = {name for name in dir(Symbol) if name not in _OF_NUMPY} | _FIELDS | _WAITING
    for kind in (Text, Lazy, *_below(Lazy)):
        found.update(dir(kind), vars(kind).get("__annotations__", ()))
    return frozenset(name for name in found - _OF_PYTHON - OF_TENSORS if name[0] != "_")


def _below(kind: Any) -> Iterator[type]:
    """The classes that derive from one."""
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


OF_US = _own_names()
"""Attributes that values of a graph have for us alone: who reads one is told what Python says."""


class Attributes(Classes):
    """The part of the tensors' backend that is about attributes."""

    def require_known_names(self, value: Any) -> None:
        """Sees to it, in the run, that an object has the attributes that only some paths have bound."""
        require_known_names(value)

    def has_own(self, owner: Any, name: Any) -> Any:
        """Whether an object keeps an attribute itself, where only some paths have bound it, too."""
        if isinstance(owner, OneOf):
            return asked((owner,), lambda one: _in_own(one, name))
        return _in_own(owner, name)

    def require_own(self, owner: Any, name: str) -> None:
        """Has the graph raise where an attribute that is deleted is not the object's own."""
        place = Attribute(owner, name)
        left = left_in(place, place.is_own())
        if isinstance(left, MaybeUndefined):
            left.read()

    def require_settable(self, value: Any, name: str, *, is_read: bool) -> None:
        """Refuses an attribute that cannot be set: of a container.

        A container of Python's says so itself.
        """
        if isinstance(value, Staged | StagedTuple):
            own: type = value.stands_for if isinstance(value, StagedList) else list
            kind = value.built if own is list else own
            if kind.__module__ in _OF_CONTAINERS:
                empty = kind()  # says what any would
                setattr(empty, name, getattr(empty, name) if is_read else None)

    def require_numpys(self, value: Any, name: str) -> None:
        """Raises what Python says of a number of its own, on the paths on which it is one."""
        if name in _OF_KIND:
            note_kind_told(value)
        is_number = (
            isinstance(value, Symbol) and isinstance(value.spec, ArraySpec) and value.static_shape == ()
        )
        decides = whose(value) if is_number and not keeps_our_classes() else False
        if decides is False:
            return
        missing = _missing(NUMBERS[value.dtype.kind], name)
        if decides is True:
            raise missing
        if is_told(decides):
            refused(as_test(decides, {}), missing)
        else:
            note_read(name)

    def asked_of(self, value: Any, asks: Callable[..., Any]) -> Callable[..., Any]:
        """What `dir`, `getattr` and `hasattr` give for what a value stands for."""
        if asks is dir and isinstance(value, MaybeNone):
            _refuse_names("a value that is None on some paths")
        if asks is getattr and isinstance(value, EveryName):
            return _of_chosen
        if _kind(value) is None:
            return asks
        answers: dict[Callable[..., Any], Callable[..., Any]] = {
            dir: _listed,
            getattr: _attribute,
            hasattr: _has,
        }
        return answers[asks]


def _in_own(owner: Any, name: Any) -> Any:
    """`name in owner.__dict__`."""
    own = owner.__dict__
    is_shared = isinstance(owner, type | ModuleType)
    if not isinstance(name, str) or not (is_shared or isinstance(own, dict)):
        return NotImplemented
    held, valid = own.get(name), Attribute(owner, name).is_own()
    if isinstance(held, MaybeUndefined):
        valid = held.ag__valid if valid is True else ops.logical_and(valid, held.ag__valid)
    if isinstance(valid, bool):
        return NotImplemented if is_shared else valid
    return ops.stands_for_python(valid)


def _kind(value: Any) -> type | None:
    """The class whose attributes a value has; None where they are its own."""
    if isinstance(value, EveryName):
        return None
    if isinstance(value, OnlyTruth):
        raise value.error
    kind = class_of(value)
    if kind is not type(value):
        return kind
    if not isinstance(value, Lazy) or isinstance(value, Source):  # which has a name that programs know
        return None
    is_generator = isinstance(value, generators.GeneratorCall | produced.Generated | produced.Filtered)
    return GeneratorType if is_generator else enumerate  # as all iterators of Python's


def _of_class(kind: type | None, name: Any) -> bool:
    """Whether instances of a class of C's have an attribute."""
    assert kind is not None, "nobody asks for the attributes of others"
    if not isinstance(name, str):
        raise TypeError("attribute name must be string")
    return any(name in vars(base) for base in kind.__mro__)


def _of_chosen(value: Any, name: str, *default: Any) -> Any:
    """`getattr` of what a tensor chooses: a program is told of its protocols, as no library is."""
    is_protocol = isinstance(name, str) and name[:2] == "__" and name not in {"__class__", "__dict__"}
    return getattr(value, name, *default) if default or not is_protocol else value.ag__attribute(name)


def _listed(value: Any) -> list[str]:
    """`dir(value)`."""
    if whose_number(value) is not False:
        _refuse_names("a number that is Python's on some paths, and NumPy's on others")
    kind = _kind(value)
    return dir(np.ndarray((0,)) if kind is np.ndarray else kind)


def _has(value: Any, name: Any) -> Any:
    """`hasattr(value, name)`, a value of the graph where a number is Python's on some paths."""
    found = _of_class(_kind(value), name)
    decides = whose_number(value)
    if decides is False or _of_class(NUMBERS[value.dtype.kind], name) is found:
        return found
    return choose(as_test(decides, {}), lambda: not found, lambda: found)


def _attribute(value: Any, name: Any, *default: Any) -> Any:
    """`getattr(value, name, *default)`."""
    found = _has(value, name)
    if found is True:
        return _read(value, name)
    if found is not False:
        return choose(found, lambda: _read(value, name), lambda: _default(value, name, *default))
    return _default(value, name, *default)


def _seen(value: Any, name: str) -> Any:
    """`value.name` of what may be a value of the graph, in a choice or beside None."""
    is_plain = isinstance(value, EveryName) or name not in OF_US or _kind(value) is None
    return getattr(value, name) if is_plain else _attribute(value, name)


set_reading(_seen)


def _default(value: Any, name: str, *default: Any) -> Any:
    """What is to be had where there is no attribute."""
    if default:
        return default[0]
    if name in _OF_EXCHANGE and isinstance(value, Symbol):
        return getattr(value, name)
    kind = _kind(value)
    assert kind is not None, "it was asked"
    decides = whose_number(value)
    if decides is not False and is_told(decides):
        refused(as_test(decides, {}), _missing(NUMBERS[value.dtype.kind], name))
        raise_always(_missing(kind, name))
    raise _missing(kind, name)


def _missing(kind: type, name: str) -> AttributeError:
    """What Python says of an attribute that there is not: without the object, as handlers would see ours."""
    return AttributeError(f"'{spoken_name(kind)}' object has no attribute '{name}'", name=name)


def _read(value: Any, name: str) -> Any:
    """An attribute that is there in plain Python."""
    if name == "__doc__":
        return _kind(value).__doc__
    if isinstance(value, Tensor) and not is_symbolic(value):  # one from outside is a number of the graph here
        value = Symbol(value_in(builder_in_use(), value))
    try:
        return getattr(value, name)
    except AttributeError:
        _refuse(name)


def _refuse_names(what: str) -> NoReturn:
    raise NoConcreteValue(
        f"`dir` of {what}",
        where=caller_location(),
        why="They have other attributes, and which of them it is only the run knows.",
        way_out="Ask for an attribute by its name: `hasattr(x, name)`.",
    )


def _refuse(name: str) -> NoReturn:
    raise NoConcreteValue(
        f"`{name}` of a value of a graph",
        where=caller_location(),
        why="A graph computes what it stands for, and has nothing that it could give for this.",
        way_out="Read it of what the function returns, or in a function for `ag.host_call`.",
    )
