"""The names that functions read outside of themselves, and the functions that they reach by name."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dis import EXTENDED_ARG, opmap
from functools import lru_cache, partial
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from autograph_base.named_tuple import NamedTuple
from runtime.functions.decorated import Decorated
from runtime.graph.location import is_users_file

__all__ = ["Name", "functions_behind", "names_in", "names_of", "texts_in", "variables_in"]

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
    """

    name: str
    home: dict[str, Any] | CellType
    function: FunctionType

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
        elif issubclass(type(callee), Decorated):
            callee = callee.python_function
        else:
            return None


def names_of(function: FunctionType) -> Iterator[Name]:
    """The global and free variables of a function, those of functions defined in it included."""
    code = function.__code__
    for name in sorted(variables_in(code)):
        if name in function.__globals__:
            yield Name(name, function.__globals__, function)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield Name(name, cell, function)


@lru_cache(maxsize=_CODES_REMEMBERED)
def names_in(code: CodeType) -> frozenset[str]:
    """The names in code, of variables and of attributes; those of functions defined in it included."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return frozenset(code.co_names).union(*map(names_in, inner))


@lru_cache(maxsize=_CODES_REMEMBERED)
def variables_in(code: CodeType) -> frozenset[str]:
    """The names in code that may be those of global variables; those of functions defined in it included.

    Code lists its names without saying which are those of attributes: only its instructions do.
    """
    found, more, instructions = set[str](), 0, code.co_code
    for instruction, low in zip(instructions[::2], instructions[1::2], strict=True):
        argument = low | more
        more = argument << 8 if instruction == EXTENDED_ARG else 0
        if instruction == _LOAD_GLOBAL:
            found.add(code.co_names[argument >> 1])  # the last bit says whether it is called
        elif instruction in _BY_NAME:
            found.add(code.co_names[argument])
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return frozenset(found).union(*map(variables_in, inner))


_LOAD_GLOBAL = opmap["LOAD_GLOBAL"]
_BY_NAME = frozenset(
    opmap[each]
    for each in (
        "LOAD_NAME",
        "STORE_NAME",
        "DELETE_NAME",
        "STORE_GLOBAL",
        "DELETE_GLOBAL",
        "LOAD_FROM_DICT_OR_GLOBALS",
    )
    if each in opmap
)


@lru_cache(maxsize=_CODES_REMEMBERED)
def texts_in(code: CodeType) -> frozenset[str]:
    """What stands in code as text, and may be a name; in functions defined in it, too."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    texts = [each for each in code.co_consts if isinstance(each, str) and each.isidentifier()]
    return frozenset(texts).union(*map(texts_in, inner))
