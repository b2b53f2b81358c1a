"""Conversion of functions of the standard library: from the text to a code object, per ten lines."""

from __future__ import annotations

import argparse
import difflib
import inspect
import json.decoder
import statistics
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType

from autograph.policy import verdict
from autograph.transpiler import Transpiler
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer

_MODULES = (argparse, difflib, inspect, json.decoder, statistics, textwrap)

_LINES = 10


def scene(_: Peer | None) -> Scene:
    """Every function of some modules, their files parsed before; Python compiling them is for comparison."""
    corpus = [function for module in _MODULES for function in _functions(module)]
    texts = [textwrap.dedent(inspect.getsource(function)) for function in corpus]
    lines = sum(text.count("\n") for text in texts)

    def convert() -> None:
        transpiler = Transpiler()
        for function in corpus:
            transpiler.convert(function)

    def compile_all() -> None:
        for text in texts:
            compile(text, "<corpus>", "exec")

    return Scene(
        f"conversion, 10 of {lines} lines",
        [_per_ten_lines("Python's compile", compile_all, lines), _per_ten_lines("convert", convert, lines)],
        "about 1 ms",
    )


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """The functions and methods of a module that would be converted if they were the user's."""
    classes = [kind for kind in vars(module).values() if isinstance(kind, type)]
    for owner in (module, *classes):
        for function in vars(owner).values():
            if isinstance(function, FunctionType) and function.__code__.co_filename == module.__file__:
                scope = function.__globals__ | {"__name__": "corpus"}  # the standard library is left alone
                twin = FunctionType(function.__code__, scope, function.__name__, closure=function.__closure__)
                if verdict(twin).convert:
                    yield twin


def _per_ten_lines(name: str, work: Callable[[], None], lines: int) -> Contender:
    seconds = timed(work)
    return Contender(name, lambda: seconds() / lines * _LINES)
