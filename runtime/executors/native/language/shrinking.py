"""`While` loops that end soon whatever their numbers are, because one of these shrinks in each turn.

::

    while n > 0:            while n != 0:
        n = n // 10             n = n & (n - 1)

The first has 22 turns at most, the second 64: there is nothing in them to interrupt, so they are as plain as
they were written. LLVM knows some of them by their form, and has an instruction for all turns at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, bool_
from runtime.executors.native.language.loops import (
    Apply,
    Cast,
    Expression,
    If,
    Number,
    Set,
    Statement,
    Variable,
    While,
)
from runtime.executors.native.language.walking import changed_in, changes_of

__all__ = ["most_turns"]


def most_turns(loop: While) -> int | None:
    """The most turns that a loop can have, where one of its numbers says so."""
    changed = changed_in(loop.before)
    found = [
        turns
        for kept in _kept(loop.before, loop.test)
        if kept.variable.name not in changed and (turns := _turns(kept, loop.body))
    ]
    return min(found, default=None)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A whole number that is not zero at the beginning of a turn, and whether it is above."""

    variable: Variable
    is_positive: bool


def _kept(before: Sequence[Statement], test: Expression) -> Iterator[_Kept]:
    """The numbers of which a test says something."""
    match test:
        case Variable(name):
            for index in reversed(range(len(before))):
                statement = before[index]
                match statement:
                    case Set(Variable(known), value) if known == name:
                        yield from _kept(before[:index], value)
                    case If(first, _, [Set(Variable(known), Number(False))]) if known == name:
                        yield from _kept(before[:index], first)  # the first part of an `and`
                if name in changes_of(statement):
                    return
        case Apply("logical_and", arguments):
            for each in arguments:
                yield from _kept(before, each)
        case Apply("greater", (Variable(_, dtype) as variable, Number(least))) | Apply(
            "less", (Number(least), Variable(_, dtype) as variable)
        ) if dtype.is_integer and least >= 0:
            yield _Kept(variable, is_positive=True)
        case Apply("greater_equal", (Variable(_, dtype) as variable, Number(least))) | Apply(
            "less_equal", (Number(least), Variable(_, dtype) as variable)
        ) if dtype.is_integer and least >= 1:
            yield _Kept(variable, is_positive=True)
        case Apply("not_equal", (Variable(_, dtype) as variable, Number(0))) | Apply(
            "not_equal", (Number(0), Variable(_, dtype) as variable)
        ) if dtype.is_integer:
            yield _Kept(variable, is_positive=dtype.kind == "u")
        case Cast(Variable(_, dtype) as variable, kind) if kind is bool_ and dtype.is_integer:
            yield _Kept(variable, is_positive=dtype.kind == "u")


@dataclass(frozen=True, slots=True)
class _Part:
    """What is left of a number: as it was at the beginning of a turn, or so many times halved, at least.

    `lost_bit` says that its lowest bit of those set is gone, and `is_less` that it is the number less one.
    """

    halved: int = 0
    lost_bit: bool = False
    is_less: bool = False


_ALL = _Part()


def _turns(kept: _Kept, body: Sequence[Statement]) -> int | None:
    """The most turns of a body, as far as one number tells."""
    parts = {kept.variable.name: _ALL}
    for statement in body:
        part = _part(statement.value, parts, kept) if isinstance(statement, Set) else None
        for name in changes_of(statement):
            parts.pop(name, None)
        if part is not None and isinstance(statement, Set):
            parts[statement.variable.name] = part
    bits = kept.variable.dtype.itemsize * 8
    match parts.get(kept.variable.name):
        case _Part(lost_bit=True):
            return bits
        case _Part(halved=times) if times:
            return bits // times + 1
    return None


def _part(value: Expression, parts: dict[str, _Part], kept: _Kept) -> _Part | None:
    match value:
        case Variable(name):
            return parts.get(name)
        case Cast(of, dtype) if kept.is_positive and _holds(dtype, kept.variable.dtype):
            return _part(of, parts, kept)
        case Apply("subtract", (one, Number(1))) | Apply("add", (one, Number(-1)) | (Number(-1), one)):
            return _Part(is_less=True) if _part(one, parts, kept) == _ALL else None
        case Apply("bitwise_and", (one, other)):
            both = {_part(one, parts, kept), _part(other, parts, kept)}
            return _Part(lost_bit=True) if both == {_ALL, _Part(is_less=True)} else None
        case Apply("right_shift", (one, Number(times))) if 0 < times < kept.variable.dtype.itemsize * 8:
            return _halved(_part(one, parts, kept), int(times), kept)
        case Apply("floor_divide", (one, Number(by))) if by >= 2:
            return _halved(_part(one, parts, kept), int(by).bit_length() - 1, kept)
    return None


def _holds(dtype: DType, of: DType) -> bool:
    """Whether a number has the same value in a dtype: it is above zero, and of another one."""
    is_alike = dtype.is_integer and dtype.itemsize == of.itemsize
    return is_alike and (dtype.kind == "u" or of.kind == "i")


def _halved(part: _Part | None, times: int, kept: _Kept) -> _Part | None:
    if part is None or part.is_less or part.lost_bit or not kept.is_positive:
        return None
    return _Part(halved=part.halved + times)
