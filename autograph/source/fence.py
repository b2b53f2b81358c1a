"""Functions that are left unconverted, each with the reason that is reported.

Left to Python means: the function runs unconverted and gives what plain Python gives, but a tensor cannot
decide its branches and loops. Whoever calls `check` says so, or refuses. Generators have another form, too,
that can be converted: see `push_form.py`.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from autograph.errors import Location, UnsupportedConstruct
from autograph.source.edit import SCOPES
from autograph.source.nodes import children
from autograph.source.parse import Parsed
from autograph_base.dataclass import dataclass

__all__ = ["LeftToPython", "check", "own_nodes", "reads_frame", "reason_to_leave"]

FRAME_READERS = {"locals": 0, "vars": 0, "dir": 0, "eval": 1, "exec": 1}
"""Builtins that look into the caller's frame when they get no more than this many arguments."""


WAITS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""The flags of code whose frame stops and goes on."""


@dataclass(frozen=True)
class LeftToPython:
    """The verdict that a function is to run as it is.

    Attributes
    ----------
    construct : str
        What stands in the way: "a generator".
    because : str
        Why it does, as a sentence.
    where : Location
        The line to blame.
    """

    construct: str
    because: str
    where: Location

    def diagnostic(self) -> UnsupportedConstruct:
        """The same as an error's diagnostic, for callers that refuse."""
        return UnsupportedConstruct(
            where=self.where,
            construct=self.construct,
            because=self.because,
            instead="Move the part to be converted into a function of its own, or mark this one with "
            "do_not_convert.",
        )


def check(parsed: Parsed) -> LeftToPython | None:
    """Why a function is left to Python; None when it can be converted.

    Parameters
    ----------
    parsed : Parsed
        A function as `autograph.source.parse.parse` returns it.

    Returns
    -------
    LeftToPython or None
    """
    code = parsed.function.__code__
    if not (code.co_flags & WAITS or FRAME_READERS.keys() & code.co_names):
        return None  # the quick answer: the code says that nothing of the kind is in the tree
    shadowed = _shadowed_builtins(parsed.function)  # type: ignore[arg-type]  # the field holds it: no method
    found = reason_to_leave(parsed.tree, shadowed)
    if found is None:
        return None
    node, construct, because = found
    return LeftToPython(construct, because, parsed.location(node))


def reason_to_leave(
    definition: Any, shadowed: frozenset[str] = frozenset()
) -> tuple[ast.AST, str, str] | None:
    """Why one definition, nested or not, is to stay as it is.

    Parameters
    ----------
    definition : ast.FunctionDef, ast.AsyncFunctionDef or ast.Lambda
        Its own body is looked at, not the definitions within.
    shadowed : frozenset of str
        Names that do not mean Python's builtins here.

    Returns
    -------
    tuple of node, construct, reason, or None
    """
    if isinstance(definition, ast.AsyncFunctionDef):
        return definition, "an async function", "Its frame belongs to an event loop and stops at every await."
    for node in own_nodes(definition):
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return node, "a generator", "Its frame stops at every yield and its caller may never go on."
        if _reads_frame(node) and node.func.id not in shadowed:
            because = "It reads the local variables of its frame, and conversion adds some."
            return node, f"`{node.func.id}()`", because
    return None


def reads_frame(definition: ast.AST) -> bool:
    """Whether a function asks for all variables of its frame, by `locals()` or the like."""
    return any(map(_reads_frame, own_nodes(definition)))


def _reads_frame(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in FRAME_READERS:
            return len(args) + len(keywords) <= FRAME_READERS[name]
    return False


def own_nodes(definition: Any) -> Iterator[Any]:
    """The nodes of a definition's body that run in its own frame."""
    body = definition.body if isinstance(definition.body, list) else [definition.body]
    pending = list(reversed(body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, SCOPES):
            pending.extend(reversed(children(node)))


def _shadowed_builtins(function: FunctionType) -> frozenset[str]:
    """The frame readers that the function, or its module, uses as names of its own."""
    code = function.__code__
    local = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    return frozenset(
        name
        for name in FRAME_READERS
        if name in local
        or function.__globals__.get(name, getattr(builtins, name)) is not getattr(builtins, name)
    )
