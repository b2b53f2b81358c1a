"""What messages call the classes of values of a graph: by what these stand for in the program.

Python's own errors name the class of a value: `unsupported operand type(s) for +: 'dict' and 'int'` is what a
user reads of a dict of the graph, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType, MethodType
from typing import Any

from autograph.backends.tensors.containers.deques import StagedDeque
from autograph.backends.tensors.containers.dicts import StagedDict
from autograph.backends.tensors.containers.elements import AsPutIn, Elements, Replayed
from autograph.backends.tensors.containers.keyed import StagedKeyed
from autograph.backends.tensors.containers.linked import Linked
from autograph.backends.tensors.containers.lists import StagedList, StagedTuple
from autograph.backends.tensors.containers.sets import StagedSet
from autograph.backends.tensors.containers.views import Keys, Pairs, SetView, Values, ViewItems
from autograph.backends.tensors.effects.host import HostValue
from autograph.backends.tensors.iteration.generators import GeneratorCall
from autograph.backends.tensors.iteration.items import Range
from autograph.backends.tensors.iteration.once import Once
from autograph.backends.tensors.iteration.produced import Filtered, Generated
from autograph.backends.tensors.iteration.pushed import Numbered, Zipped
from autograph.backends.tensors.objects.choices import OneOf
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.truths import OnlyTruth
from autograph.backends.tensors.statements.turn_numbers import Guess, TurnNumber, TurnTruth
from autograph.backends.tensors.text.strings import Text
from autograph.staging.functions import closed_over
from autograph.staging.heap import current
from autograph.staging.state import Undefined, UndefinedReturnValue
from runtime.core.instances import dict_of
from runtime.errors import Error
from runtime.graph.location import is_of_library

__all__ = ["NAMES", "names_of_values"]

NAMES: dict[type, str] = {
    AsPutIn: "elements",
    Elements: "elements",
    Filtered: "generator",
    Generated: "generator",
    GeneratorCall: "generator",
    Guess: "int",
    HostValue: "object",
    Linked: "object",
    MaybeNone: "value or None",
    MaybeUndefined: "value or nothing",
    Numbered: "enumerate",
    Once: "iterator",
    OneOf: "one of several objects",
    OnlyTruth: "bool",
    Range: "range",
    Replayed: "elements",
    StagedDeque: "deque",
    StagedDict: "dict",
    StagedKeyed: "dict",
    StagedList: "list",
    StagedSet: "set",
    StagedTuple: "tuple",
    Text: "str",
    TurnNumber: "int",
    TurnTruth: "bool",
    Undefined: "nothing",
    UndefinedReturnValue: "nothing",
    Keys: "dict_keys",
    Pairs: "dict_items",
    SetView: "dict_keys",
    Values: "dict_values",
    ViewItems: "iterator",
    Zipped: "zip",
}


def _shown(value: Any) -> str:
    return f"<{type(value).__name__} of a graph>"


for _kind, _name in NAMES.items():
    _kind.__name__ = _kind.__qualname__ = _name
    if not any("__repr__" in vars(each) for each in _kind.__mro__[:-1]):  # Python's would name our module
        _kind.__repr__ = _shown  # type: ignore[method-assign, assignment]


def names_of_values(error: Exception, values: Iterable[Any], kinds: tuple[type, ...]) -> bool:
    """Whether an error of a library's says what one of these values is, or one in a container among them.

    A `TypeError` is about a value that is there, whatever it says; so is an error of a library's class.

    Parameters
    ----------
    error : Exception
    values : iterable
        What the library was given.
    kinds : tuple of type
        The classes of values of a graph.
    """
    if isinstance(error, Error):
        return False
    names = [*_names(values, kinds)]
    kind = type(error)
    if kind is TypeError or (kind.__module__ != "builtins" and is_of_library(kind)):
        return bool(names)
    return isinstance(error, TypeError | ValueError) and any(name in str(error) for name in names)


def _names(values: Iterable[Any], kinds: tuple[type, ...]) -> Iterator[str]:
    for value in values:
        if isinstance(value, kinds):
            yield type(value).__name__
        elif type(value) in {list, tuple, set}:
            yield from _names(value, kinds)
        elif type(value) is dict:
            yield from _names(value.values(), kinds)
        elif isinstance(value, MethodType):
            yield from _names(map(current, dict_of(value.__self__, {}).values()), kinds)
        elif type(value) is FunctionType:  # what it gives the library may be one
            yield from _names(map(current, closed_over(value).values()), kinds)
