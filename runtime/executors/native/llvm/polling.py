"""Where loops look at the clock, and every 10 ms at signals: after some tenths of a millisecond of work.

Work is counted in units of about one operation on a number. A loop of known and little work is counted where
it stands; any other counts its own, in chunks, so that the loop inside of a chunk is as plain as it was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from runtime.executors.native.c_functions import LIBRARY
from runtime.executors.native.intrinsics.services import BUDGET
from runtime.executors.native.language.loops import (
    Allocate,
    Apply,
    Call,
    Cast,
    Copy,
    Draw,
    Expression,
    Fold,
    For,
    Host,
    If,
    Load,
    Matrices,
    Number,
    Rows,
    Set,
    Statement,
    Store,
    Sums,
    Try,
    While,
)
from runtime.executors.native.language.shrinking import most_turns
from runtime.executors.native.numpys_own import PREFIX

__all__ = ["BUDGET", "CALL", "chunk_of", "is_little", "most_turns_of", "turn_of", "work_of"]

CALL = 16
"""Units of a call of a function of the program."""
_CHUNK, _SHORTEST = 1 << 18, 1 << 4
_LITTLE = _CHUNK // _SHORTEST
_SELDOM_MORE = 1 << 10
"""Likewise of a loop that may have fewer turns: it counts as if it had all."""
_LIBRARY, _HOST, _MEMORY = 20, 100, 20
"""Units of a function of the C library, of a call of Python, of making memory."""
_UNKNOWN = 16
"""What stands for a length of sums that is not known."""


def is_little(loop: For | While) -> bool:
    """Whether a loop is counted where it stands."""
    turns = most_turns_of(loop)
    little = _LITTLE if isinstance(loop, For) else _SELDOM_MORE
    return turns is not None and turns * turn_of(loop) <= little


def turn_of(loop: For | While) -> int:
    """The units of one turn."""
    return max(1, work_of(loop.body) + (work_of(loop.before) if isinstance(loop, While) else 0))


def most_turns_of(loop: For | While) -> int | None:
    """The most turns that a loop can have, where that is known before a run."""
    if isinstance(loop, While):
        known = [turns for turns in (loop.most, most_turns(loop)) if turns is not None]
        return min(known, default=None)
    return int(loop.count.value) if isinstance(loop.count, Number) else None


def chunk_of(loop: For | While) -> int:
    """The turns of a loop between two looks at how much was done."""
    return max(_SHORTEST, _CHUNK // turn_of(loop))


def work_of(statements: Sequence[Statement]) -> int:
    """The units of statements, without those of loops that count their own; where one branches, the most."""
    return sum(map(_work, statements))


def _work(statement: Statement) -> int:
    match statement:
        case Set(_, value) | Fold(_, _, value):
            return 1 + _cost(value)
        case Store(_, place, value):
            return 1 + _cost(place) + _cost(value)
        case For() | While() if is_little(statement):
            return (most_turns_of(statement) or 0) * turn_of(statement)
        case If(test, then, orelse):
            return 1 + _cost(test) + max(work_of(then), work_of(orelse))
        case Try(body):
            return 1 + work_of(body)
        case Allocate() | Copy():
            return _MEMORY
        case Call():
            return CALL
        case Host():
            return _HOST
        case Draw():
            return _LIBRARY
        case Sums(lengths=lengths):
            return _of_sums(lengths)
        case Matrices(lengths=lengths):
            return 8 * _of_sums(lengths)
        case For() | While() | Rows():
            return 1
    return 0


def _of_sums(lengths: Sequence[Expression]) -> int:
    """The units of sums by NumPy's loops: eight numbers that are added are about one."""
    known = [int(each.value) if isinstance(each, Number) else _UNKNOWN for each in lengths]
    return _HOST + math.prod(known) // 8


def _cost(expression: Expression) -> int:
    match expression:
        case Apply(function, arguments):
            return (_LIBRARY if function in LIBRARY or function.startswith(PREFIX) else 1) + sum(
                map(_cost, arguments)
            )
        case Cast(of):
            return 1 + _cost(of)
        case Load(_, place):
            return 1 + _cost(place)
    return 0
