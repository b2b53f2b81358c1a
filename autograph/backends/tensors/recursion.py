"""Functions that a tensor has call themselves, though nobody made graph functions of them.

A function that converted code calls is traced in place. Where it is called again below a branch that a tensor
decides, with arguments of the same form, tracing would not end: from there on it is a graph function.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any

from runtime.core.structure import flatten
from runtime.errors import GraphError
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.functions.recursion import OpenTrace, innermost, outermost
from runtime.functions.signature import Key, key_of
from runtime.graph.build import current_builder, current_defaults, effects_run
from runtime.graph.builder import Builder

__all__ = ["call", "generator_running", "is_below_branch"]

IN_PLACE = 4
"""Calls inside one another that are traced in place where their shapes or numbers differ: Python may well end
them. A function that calls itself twice is traced in place up to sixteen times so."""


@dataclass
class _Call:
    """A call that is running; what it was called with says whether another one is alike."""

    code: CodeType
    builder: Builder | None
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @functools.cached_property
    def key(self) -> Key:
        """What tells its arguments from others."""
        return key_of(self.args, self.kwargs)


def is_below_branch() -> bool:
    """Whether a tensor decides if, or how often, the code that is traced now runs."""
    opened = innermost()
    return opened is not None and current_builder() is not opened.builder


def call(
    function: Callable[..., Any], converted: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`converted(*args, **kwargs)`, traced in place, or as a graph function where it calls itself."""
    opened = innermost()
    if opened is None:
        return converted(*args, **kwargs)
    own = getattr(function, "__self__", None)
    shown = args if own is None else (own, *args)
    new = _Call(function.__code__, current_builder(), shown, kwargs)
    if _is_repeated(new, opened.calls, IN_PLACE if _known(function, own) is None else 1):
        return _outlined(function, converted, own)(*args, **kwargs)
    return _in_place(new, opened, converted, args, kwargs)


def _in_place(
    new: _Call,
    opened: OpenTrace,
    converted: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Traces a call where it stands, as one of those that are running."""
    opened.calls.append(new)
    try:
        return converted(*args, **kwargs)
    finally:
        opened.calls.pop()


@contextmanager
def generator_running(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """While the push form of a generator function runs; gives what is entered while its consumer does.

    Raises
    ------
    GraphError
        When a tensor decides whether the function is called again: a graph function cannot give its items.
    """
    opened = innermost()
    calls: list[Any] = [] if opened is None else opened.calls
    new = _Call(function.__code__, current_builder(), args, kwargs)
    if _is_repeated(new, calls, IN_PLACE):
        raise GraphError(
            f"the generator function {function.__name__}() calls itself where a tensor decides",
            why="Its calls would go on forever while they are traced.",
            way_out="Write a function that calls itself and gives a list or a tensor, or a loop.",
        )
    around = tuple(calls)

    @contextmanager
    def consumer() -> Iterator[None]:
        inside = tuple(calls)
        calls[:] = around
        try:
            yield
        finally:
            calls[:] = inside

    calls.append(new)
    try:
        yield consumer
    finally:
        calls[:] = around


def _is_repeated(new: _Call, calls: Sequence[_Call], deepest: int) -> bool:
    """Whether the function is running already, and a tensor decides whether it is called again.

    It is after one call with the same form of arguments, or `deepest` calls with other shapes or numbers.
    """
    around = [each for each in calls if each.code is new.code and each.builder is not new.builder]
    if not around:
        return False
    if any(each.key == new.key for each in around):
        return True
    return sum(each.key.widened(new.key) is not None for each in around) >= deepest


def _known(function: Any, own: Any) -> PolymorphicFunction | None:
    """The graph function in the place of a function, where there is one in the outermost trace."""
    first = outermost()
    assert first is not None, "a function is traced"
    found: PolymorphicFunction | None = first.outlined.get(_name_of(function, own))
    return found


def _name_of(function: Any, own: Any) -> tuple[Any, int]:
    """What tells a function or a bound method from others; the graph function keeps both alive."""
    return getattr(function, "__func__", function), id(own)


def _outlined(function: Any, converted: Callable[..., Any], own: Any) -> PolymorphicFunction:
    """The graph function in the place of a function, made when it is first needed."""
    found = _known(function, own)
    if found is None:
        first = outermost()
        assert first is not None, "a function is traced"
        around = innermost()
        found = first.outlined[_name_of(function, own)] = PolymorphicFunction(
            _entry(function, converted, own),
            defaults=current_defaults(),
            observer=None if around is None else around.observer,
            effects="run" if effects_run() else "trace",
            name=function.__name__.replace("<lambda>", "lambda"),
            max_traces=sys.maxsize,
        )
    return found


def _entry(function: Any, converted: Callable[..., Any], own: Any) -> Callable[..., Any]:
    """The function as the graph function runs it."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        opened = innermost()
        assert opened is not None, "the function is traced"
        before, structure = flatten((args, kwargs))
        shown = args if own is None else (own, *args)
        new = _Call(function.__code__, current_builder(), shown, kwargs)
        result = _in_place(new, opened, converted, args, kwargs)
        after, other = flatten((args, kwargs))
        if structure != other or any(one is not two for one, two in zip(before, after, strict=True)):
            raise GraphError(
                f"{function.__name__}() changes an argument, and calls itself where a tensor decides",
                why="It becomes a function of the graph, which takes values and gives values.",
                way_out="Return the changed list, dict or object instead.",
            )
        return result

    return run
