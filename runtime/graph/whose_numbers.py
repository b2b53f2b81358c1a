"""Whose number a value of a graph stands for where paths differ: Python's on some, NumPy's on others.

    k = 0                  Python's
    if v > 1:
        k = n              NumPy's here, so behind the `if` that depends on the test
    k == 0                 a bool of Python's, or one of NumPy's

Promotion counts such a value as NumPy's. What asks for its class, as `isinstance` or `case True`, asks here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from runtime.graph.build import current_builder, is_weak
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol

__all__ = ["Chosen", "Every", "Unknown", "Whose", "chosen", "every", "note_whose", "one_of", "whose"]


@dataclass(frozen=True)
class Chosen:
    """Python's where one of two is, as a value of the graph decides."""

    test: Value
    then: Whose
    orelse: Whose


@dataclass(frozen=True)
class Every:
    """Python's where each of some numbers is, from which it was computed."""

    parts: tuple[Whose, ...]


@dataclass(frozen=True)
class Unknown:
    """Python's on some paths: which these are, no value says that is known here."""


Whose: TypeAlias = bool | Chosen | Every | Unknown
"""Whether a number is Python's."""


def whose(operand: Any) -> Whose:
    """Whether an operand is, or stands for, a number of Python's."""
    if is_weak(operand):
        return True
    value = operand.value if type(operand) is Symbol else operand
    builder = current_builder()
    return builder.mixed.get(value, False) if builder is not None and isinstance(value, Value) else False


def every(numbers: Iterable[Whose]) -> Whose:
    """Whether what is computed of numbers is Python's: where all of them are."""
    parts = [each for each in numbers if each is not True]
    if not parts or False in parts:
        return not parts
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def chosen(builder: Builder, test: Value, then: Whose, orelse: Whose) -> Whose:
    """Whether what two branches leave is Python's, as far as the graph around them, `builder`'s, can tell."""
    left, right = _seen_from(builder, then), _seen_from(builder, orelse)
    return left if left == right else Chosen(test, left, right)


def one_of(numbers: Sequence[Whose]) -> Whose:
    """Whether one of several numbers is Python's, where nothing tells which of them it is."""
    first = numbers[0] if numbers else False
    return first if all(each == first for each in numbers) else Unknown()


def note_whose(value: Value, found: Whose) -> None:
    """Remembers of a value whose number it stands for, where that depends on the path."""
    builder = current_builder()
    if builder is not None and not isinstance(found, bool):
        builder.mixed[value] = found


def _seen_from(builder: Builder, found: Whose) -> Whose:
    """As `found`, where a graph knows all that decides."""
    match found:
        case Chosen(test, then, orelse):
            return found if builder.sees(test.node.graph) and _is_seen(builder, then, orelse) else Unknown()
        case Every(parts):
            return found if _is_seen(builder, *parts) else Unknown()
    return found


def _is_seen(builder: Builder, *parts: Whose) -> bool:
    return not any(isinstance(_seen_from(builder, each), Unknown) for each in parts)
