"""What code reads: the attributes and variables that it names, and what it does with their values."""

from __future__ import annotations

import dis
from functools import lru_cache
from types import CodeType
from typing import NamedTuple

from autograph.staging.reach import OPEN_NAMES

__all__ = ["Uses", "uses"]

_CODES_REMEMBERED = 4096
_DYNAMIC = frozenset(
    {
        "getattr",
        "hasattr",
        "vars",
        "__dict__",
        "dir",
        "attrgetter",
        "asdict",
        "astuple",
        "replace",
        "copy",
        "deepcopy",
    }
)
"""Names in code that reads attributes which it does not name."""
_OPEN = OPEN_NAMES | {
    *(
        "__import__",
        "compile",
        "dir",
        "eval",
        "exec",
        "gc",
        "globals",
        "importlib",
        "inspect",
        "locals",
        "sys",
    ),
}
"""Names in code that reads variables which it does not name."""
_ADDING = frozenset({"append", "extend"})
"""Methods of a list that do not look at what is in it."""


class Uses(NamedTuple):
    """What code reads.

    Attributes
    ----------
    attributes : frozenset of str
        The attributes that it may name; ``*`` where it may read any.
    read : frozenset of str
        Names and attributes of whose value it does more than add to it.
    escaping : frozenset of str
        Those of whose value it does more than take an attribute.
    globals : frozenset of str
        Variables of the module, or builtins, that it reads.
    is_open : bool
        Whether it may reach what it does not name.
    """

    attributes: frozenset[str]
    read: frozenset[str]
    escaping: frozenset[str]
    globals: frozenset[str]
    is_open: bool


@lru_cache(maxsize=_CODES_REMEMBERED)
def uses(code: CodeType) -> Uses:
    """What code reads: whatever an instruction does with a name counts, unless it is known to do less."""
    named = {*code.co_names}
    attributes = named | ({"*"} if named & _DYNAMIC else set())
    read: set[str] = set()
    escaping: set[str] = set()
    is_open = bool(named & (_DYNAMIC | _OPEN))
    found = [each for each in dis.get_instructions(code) if each.opname not in _NOISE]
    module = {each.argval for each in found if each.opname == "LOAD_GLOBAL"}
    instructions = [one for each in found for one in _taken_apart(each)]
    for index, instruction in enumerate(instructions):
        names = _names_of(instruction)
        if not names or instruction.opname.startswith(("STORE_", "DELETE_")):
            continue
        is_read_by_operator = index > 0 and instructions[index - 1].argval == "ld"  # in converted code
        following = instructions[index + (2 if is_read_by_operator else 1) :][:1]
        taken = [each.argval for each in following if each.opname in _ATTRIBUTES]
        if not taken and not any(each.opname in _OF_ATTRIBUTES for each in following):
            escaping |= names
        if not taken or taken[0] not in _ADDING:
            read |= names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner = uses(constant)
            attributes |= inner.attributes
            read |= inner.read
            escaping |= inner.escaping
            module |= inner.globals
            is_open |= inner.is_open
    return Uses(frozenset(attributes), frozenset(read), frozenset(escaping), frozenset(module), is_open)


def _taken_apart(instruction: dis.Instruction) -> list[dis.Instruction]:
    """An instruction for each variable of one that names two, as `LOAD_FAST_LOAD_FAST` does."""
    if instruction.opcode not in dis.haslocal or not isinstance(instruction.argval, tuple):
        return [instruction]
    does = [part for part in instruction.opname.split("_") if part in {"LOAD", "STORE"}]
    pairs = zip(does, instruction.argval, strict=True)
    return [instruction._replace(opname=f"{one}_FAST", argval=name) for one, name in pairs]


def _names_of(instruction: dis.Instruction) -> set[str]:
    """The variable or attribute that an instruction names."""
    is_name = isinstance(instruction.argval, str) and instruction.opcode not in dis.hasconst
    return {instruction.argval} if is_name else set()


_NOISE = frozenset(
    {"CACHE", "COPY", "COPY_FREE_VARS", "EXTENDED_ARG", "NOP", "PRECALL", "PUSH_NULL", "RESUME"}
)
_OF_ATTRIBUTES = frozenset({"DELETE_ATTR", "STORE_ATTR"})
_ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"})
