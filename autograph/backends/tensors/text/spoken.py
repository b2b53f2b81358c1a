"""Whether an error of a library's is about values of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType, MethodType
from typing import Any

from autograph.staging.functions import closed_over
from autograph.staging.heap import current
from runtime.core.instances import dict_of
from runtime.errors import Error
from runtime.graph.location import is_of_library

__all__ = ["names_of_values"]


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
