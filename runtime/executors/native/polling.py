"""Where loops poll for signals and other threads: after about a millisecond of work.

Work is counted in units of about one operation on a number. A loop of known and little work is counted where
it stands; any other counts its own, in chunks, so that the loop inside of a chunk is as plain as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native.intrinsics.helpers import LIBRARY
from runtime.executors.native.intrinsics.services import BUDGET
from runtime.executors.native.loops import (
    Allocate,
    Apply,
    Call,
    Cast,
    Copy,
    Expression,
    Fold,
    For,
    Host,
    If,
    Load,
    Number,
    Rows,
    Set,
    Statement,
    Store,
    Try,
    While,
)

__all__ = ["BUDGET", "CALL", "chunk_of", "is_little", "work_of"]

CALL = 16
"""Units of a call of a function of the program."""
_CHUNK, _SHORTEST = 1 << 16, 1 << 8
_LITTLE = 1 << 10
_LIBRARY, _HOST, _MEMORY = 20, 100, 20
"""Units of a function of the C library, of a call of Python, of making memory."""


def is_little(loop: For) -> bool:
    """Whether a loop is counted where it stands."""
    return isinstance(loop.count, Number) and loop.count.value * max(1, work_of(loop.body)) <= _LITTLE


def chunk_of(loop: For) -> int:
    """The turns of a loop between two looks at how much was done."""
    return max(_SHORTEST, _CHUNK // max(1, work_of(loop.body)))


def work_of(statements: Sequence[Statement]) -> int:
    """The units of statements, without those of loops that count their own; where one branches, the most."""
    return sum(map(_work, statements))


def _work(statement: Statement) -> int:
    match statement:
        case Set(_, value) | Fold(_, _, value):
            return 1 + _cost(value)
        case Store(_, place, value):
            return 1 + _cost(place) + _cost(value)
        case For(_, Number(count), body) if is_little(statement):
            return int(count) * max(1, work_of(body))
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
        case For() | While() | Rows():
            return 1
    return 0


def _cost(expression: Expression) -> int:
    match expression:
        case Apply(function, arguments):
            return (_LIBRARY if function in LIBRARY else 1) + sum(map(_cost, arguments))
        case Cast(of):
            return 1 + _cost(of)
        case Load(_, place):
            return 1 + _cost(place)
    return 0
