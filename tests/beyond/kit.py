"""Runs a program as plain Python, and then staged on every executor, and compares.

    check(f, 3, [1, 2])                      # numbers and lists of numbers become tensors
    check(f, 3, Same("left"))                # `Same` is handed over as it is
    check(f, 0, raises=ValueError)           # both raise it, with the same message
    check(f, Number(0), raises=ZeroDivisionError)

The plain run is the specification: it gets NumPy scalars and arrays, and a fresh copy of every other object.
A `Number` is one of Python's own there, and a tensor in the graph as any other: NumPy's integers divide by
zero.
What is printed is compared, too.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

import numpy as np

import autograph as ag
import runtime as rt
from runtime.graph.file import from_bytes, to_bytes
from runtime.graph.graph import Graph
from runtime.graph.module import Module
from runtime.graph.verify import verify_module

__all__ = ["EXECUTORS", "Number", "Same", "check", "loudly", "outcome_of", "upto"]

EXECUTORS = ("numpy", "reference")


@dataclass(frozen=True)
class Same:
    """An argument that is no tensor: every run gets its own copy."""

    value: Any


@dataclass(frozen=True)
class Number:
    """A number, or a list of numbers, that the plain run gets as it is."""

    value: Any


@dataclass(frozen=True)
class Outcome:
    """What a call did."""

    result: Any
    error: type[BaseException] | None
    message: str
    printed: str


def check(
    program: Callable[..., Any],
    *arguments: Any,
    raises: type[BaseException] | None = None,
    message: str | None = None,
    prints: bool = True,
    **options: Any,
) -> None:
    """The program gives, raises and prints the same as plain Python and in a graph.

    `raises` says what the plain run raises; `message` must be in the messages of the staged ones (the plain
    run's own message by default). `options` go to `ag.function`.
    """
    plain = outcome_of(program, [_plain(argument) for argument in arguments])
    assert plain.error is raises, f"the plain run: {plain}"
    for executor in EXECUTORS:
        staged = _staged(program, executor, **options)
        for round_ in ("first call", "second call"):
            found = outcome_of(staged, [_lifted(argument) for argument in arguments])
            where = f"{program.__name__} on {executor}, {round_}"
            assert _is_of_kind(found.error, plain.error), f"{where}: {found}"
            wanted = plain.message if message is None else message
            assert wanted in found.message, f"{where}: {found.message}"
            if plain.error is None:
                same(found.result, plain.result, where)
            if prints:
                assert found.printed == plain.printed, where
    for concrete in staged.concrete_functions:
        _survives(concrete.module)


def upto(n: Any) -> Iterator[Any]:
    """The numbers below `n`."""
    i = 0
    while i < n:
        yield i
        i += 1


def loudly(n: Any) -> Iterator[Any]:
    """The numbers below `n`, and what the generator does when."""
    print("started", n)
    for i in range(n):
        print("gives", i)
        yield i
    print("ended", n)


def _survives(module: Module) -> None:
    """A module is data: it is read back from bytes as it was, with what lies outside of it."""
    if module.entry in _SURVIVED:  # the same graph, in a check of other arguments
        return
    data = to_bytes(module)
    again = from_bytes(data, objects=module.resources)
    verify_module(again)
    assert to_bytes(again) == data  # which have its text in them, its constants, and its locations
    _SURVIVED.add(module.entry)


_SURVIVED: WeakSet[Graph] = WeakSet()
"""Graphs whose modules were read back: neither ever changes."""


@functools.lru_cache(maxsize=len(EXECUTORS))
def _staged(program: Callable[..., Any], executor: str, **options: Any) -> Any:
    """The program in graphs, which the next check of the same program finds there, as other executors do."""
    first = EXECUTORS[0]
    if executor != first:
        return _staged(program, first, **options).on_executor(executor)
    return ag.function(program, executor=executor, **options)


def _is_of_kind(found: type[BaseException] | None, wanted: type[BaseException] | None) -> bool:
    """Whether an exception is the wanted one; ours are also the built-in ones that they stand for."""
    is_ours = found is not None and wanted is not None and found.__module__ == "runtime.errors"
    return found is wanted or (is_ours and issubclass(found, wanted))


def outcome_of(function: Callable[..., Any], arguments: list[Any]) -> Outcome:
    """What calling a function gives, raises and prints."""
    printed = io.StringIO()
    result, error, message = None, None, ""
    with contextlib.redirect_stdout(printed):
        try:
            result = function(*arguments)
        except Exception as caught:  # noqa: BLE001  (the error is part of the outcome)
            error, message = type(caught), str(caught)
    return Outcome(result, error, message, printed.getvalue())


def _plain(argument: Any) -> Any:
    if isinstance(argument, Same):
        return copy.deepcopy(argument.value)
    if isinstance(argument, Number):
        return argument.value
    return np.array(argument)[()]  # its own: a program may write into it


def _lifted(argument: Any) -> Any:
    if isinstance(argument, Same):
        return copy.deepcopy(argument.value)
    return rt.asarray(np.asarray(argument.value if isinstance(argument, Number) else argument))


def same(found: Any, wanted: Any, where: str) -> None:
    """Equal numbers in equal containers."""
    if isinstance(wanted, list | tuple):
        assert type(found) is type(wanted), f"{where}: {found!r}, not {wanted!r}"
        assert len(found) == len(wanted), f"{where}: {found!r}, not {wanted!r}"
        for one, other in zip(found, wanted, strict=True):
            same(one, other, where)
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted), f"{where}: {found!r}, not {wanted!r}"
        for key in wanted:
            same(found[key], wanted[key], where)
    elif isinstance(found, rt.Tensor):
        assert np.shape(found.numpy()) == np.shape(wanted), f"{where}: {found!r}, not {wanted!r}"
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-12, err_msg=where)
    elif isinstance(wanted, np.generic | np.ndarray | int | float):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, err_msg=where)
    else:
        assert found == wanted, f"{where}: {found!r}, not {wanted!r}"
