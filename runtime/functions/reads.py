"""What a traced function read outside of itself: numbers and arrays that its graph holds as they were."""

from __future__ import annotations

import dis
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from operator import itemgetter
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

import numpy as np

from runtime.core.tensor import Tensor
from runtime.graph.location import is_users_file

__all__ = ["Name", "Reads", "functions_behind", "names_of"]

_PLAIN = (int, float, complex, str, bytes, type(None))
"""Values that are compared; arrays and tensors are known by identity."""
_ARRAYS = (np.ndarray, Tensor)
_MOST_NAMES = 32
"""Names that are asked for in front of every run: those nearest to the function that is called."""
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


class Reads:
    """The numbers, texts and arrays that some functions read from their surroundings, as they were.

    What an object or a container holds is not looked at, nor what a method of an object reads: a call must
    not pay for that. Names that the functions bind themselves are left out.

    Parameters
    ----------
    names : sequence of Name
    """

    def __init__(self, names: Sequence[Name]) -> None:
        known = [(name, name.value()) for name in names]
        fixed = [pair for pair in known if _is_plain(pair[1]) or isinstance(pair[1], _ARRAYS)]
        self._known = fixed[:_MOST_NAMES]
        self._prepare()

    def _prepare(self) -> None:
        """Sorts the names so that looking at all of them is a few calls of C."""
        namespaces: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
        cells: list[tuple[CellType, Any]] = []
        arrays: list[tuple[CellType, Any]] = []
        for name, value in self._known:
            if isinstance(name.home, dict):
                namespaces.setdefault(id(name.home), (name.home, {}))[1][name.name] = value
            else:
                (cells if _is_plain(value) else arrays).append((name.home, value))
        self._globals = [
            # One name twice: `itemgetter` gives a tuple then, and tuples compare items by identity first.
            (itemgetter(*values, *values), namespace, (*values.values(), *values.values()))
            for namespace, values in namespaces.values()
        ]
        self._cells = tuple([cell for cell, _ in cells])
        self._contents = tuple([CellType(value) for _, value in cells])
        self._arrays = arrays

    def __bool__(self) -> bool:
        return bool(self._known)

    def unchanged(self) -> bool:
        """Whether every name means what it meant. Called in front of every run of the graph."""
        try:
            for values_now, namespace, values in self._globals:
                if values_now(namespace) != values:
                    return False
            if self._cells != self._contents:
                return False
            return not self._arrays or all(cell.cell_contents is value for cell, value in self._arrays)
        except Exception:  # noqa: BLE001  # a name that is gone, or an array where a number was
            return False

    def changes(self) -> Iterator[tuple[Name, Any, Any]]:
        """The names that mean another thing now, with both values. They are not asked for again."""
        before, self._known = self._known, []
        for name, value in before:
            now = name.value()
            if _differs(value, now):
                yield name, value, now
            else:
                self._known.append((name, now))
        self._prepare()


def _is_plain(value: Any) -> bool:
    return isinstance(value, _PLAIN) or (type(value) is tuple and all(map(_is_plain, value)))


def _differs(before: Any, now: Any) -> bool:
    if isinstance(before, _ARRAYS) or isinstance(now, _ARRAYS):
        return before is not now
    return type(before) is not type(now) or bool(before != now)


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
