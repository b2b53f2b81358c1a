"""What may become a graph, and what to do with a callable that may not."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any

from runtime.errors import NotAFunction

__all__ = ["is_written_in_python", "signature_of"]


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a callable that is to become a graph.

    Parameters
    ----------
    function : callable

    Returns
    -------
    inspect.Signature

    Raises
    ------
    NotAFunction
        When it is something else than a function that takes values and returns values.
    """
    name = getattr(function, "__name__", None) or repr(function)
    if isinstance(function, type):
        raise NotAFunction(
            f"`{name}` is a class, and was to become a graph",
            why="A graph computes values from values; an object of a class is not one.",
            way_out="Decorate its methods, or a function that makes an object and computes with it.",
        )
    given: Any = function  # whatever stands below the decorator
    if isinstance(given, property):
        name = getattr(given.fget, "__name__", name)
    if isinstance(given, classmethod | staticmethod | property):
        kind = type(given).__name__
        raise NotAFunction(
            f"`{name}` is a {kind} already, and was to become a graph",
            why=f"What `@{kind}` makes belongs to a class, and finds its first argument there.",
            way_out=f"Write `@{kind}` first, above this decorator.",
        )
    if not callable(function):
        raise NotAFunction(
            f"{function!r} cannot be called, and was to become a graph",
            why="A graph is made of what a function does.",
            way_out="Give a function, a method or an object with `__call__`.",
        )
    _require_result(function, name)
    for follow in False, True:  # a wrapper may take other arguments than what `functools.wraps` copies from
        with suppress(ValueError):
            return inspect.signature(function, follow_wrapped=follow)
    raise NotAFunction(
        f"`{name}` does not say which arguments it takes",
        why="It is not written in Python, and its arguments decide which graph runs.",
        way_out=f"Write a function around it: `lambda x: {name}(x)`.",
    )


def is_written_in_python(function: Callable[..., Any]) -> bool:
    """Whether the defaults that a signature names can be given: one in C may take them for something said.

    >>> import numpy as np
    >>> is_written_in_python(np.sin), is_written_in_python(np.sum)
    (False, True)
    """
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(getattr(function, "__func__", function))
    return isinstance(function, FunctionType) or isinstance(type(function).__call__, FunctionType)


def _require_result(function: Callable[..., Any], name: str) -> None:
    """Refuses functions whose calls give something that is yet to run."""
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function):
        function = type(function).__call__
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise NotAFunction(
            f"`{name}` is an async function, and was to become a graph",
            why="Its frame belongs to an event loop and stops at every `await`; a graph runs in one go.",
            way_out="Put what it computes into a function of its own, decorate that, and call it from here.",
        )
    if inspect.isgeneratorfunction(function):
        raise NotAFunction(
            f"`{name}` is a generator function, and was to become a graph",
            why="Its frame stops at every `yield`; a graph runs in one go.",
            way_out="Decorate a function that goes over its items: a graph runs generators that it calls.",
        )
