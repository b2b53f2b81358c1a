"""The names that functions read outside of themselves, and the functions that they reach by name."""

from __future__ import annotations

import dis
from collections import deque
from collections.abc import Iterator
from functools import lru_cache, partial
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

from runtime.graph.location import is_users_file

__all__ = ["Name", "functions_behind", "names_of"]

_MOST_FUNCTIONS = 256
"""Functions that are looked into, the nearest first: a large program reaches all of itself by name."""
_CODES_REMEMBERED = 4096


class Name(NamedTuple):
    """A global or free variable that a function reads.

    Attributes
    ----------
    name : str
    home : dict or cell
        The namespace of the module, or the cell of the function around.
    function : function
        Which function reads it.
    is_bound : bool
        Whether the function binds it itself, too.
    """

    name: str
    home: dict[str, Any] | CellType
    function: FunctionType
    is_bound: bool

    def value(self) -> Any:
        """The value now; `Ellipsis` where there is none."""
        if isinstance(self.home, dict):
            return self.home.get(self.name, ...)
        try:
            return self.home.cell_contents
        except ValueError:
            return ...


def functions_behind(function: Any) -> list[FunctionType]:
    """A function and the users' functions that it reaches by name, the nearest first."""
    found: dict[FunctionType, None] = {}
    pending = deque([function])
    while pending and len(found) < _MOST_FUNCTIONS:
        current = _plain_function(pending.popleft())
        if current is None or current in found or not is_users_file(current.__code__.co_filename):
            continue
        found[current] = None
        pending += [name.value() for name in names_of(current)]
    return list(found)


def _plain_function(callee: Any) -> FunctionType | None:
    """The function of Python's behind a method, a partial call or a graph function."""
    while True:
        if isinstance(callee, FunctionType):
            return callee
        if isinstance(callee, MethodType):
            callee = callee.__func__
        elif isinstance(callee, partial):
            callee = callee.func
        elif "python_function" in getattr(callee, "__dict__", ()):
            callee = callee.python_function
        else:
            return None


def names_of(function: FunctionType) -> Iterator[Name]:
    """The global and free variables of a function, those of functions defined in it included."""
    code = function.__code__
    reads, binds = _global_names(code)
    for name in sorted(reads | (binds - {*code.co_freevars})):
        if name in function.__globals__:
            yield Name(name, function.__globals__, function, name in binds)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield Name(name, cell, function, name in binds)


@lru_cache(maxsize=_CODES_REMEMBERED)
def _global_names(code: CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """The names that code reads from its module, and those that it binds outside of itself."""
    reads: set[str] = set()
    binds: set[str] = set()
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    for instruction in dis.get_instructions(code):
        if instruction.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            reads.add(instruction.argval)
        elif instruction.opname in {"STORE_GLOBAL", "DELETE_GLOBAL"} or (
            instruction.opname in {"STORE_DEREF", "DELETE_DEREF"} and instruction.argval in code.co_freevars
        ):
            binds.add(instruction.argval)
    for below in map(_global_names, inner):
        reads |= below[0]
        binds |= below[1] - {*code.co_cellvars}
    return frozenset(reads), frozenset(binds)
