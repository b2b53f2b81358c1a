"""Whether a value stands for a Python number or a NumPy scalar, where paths differ.

    k = 0                  Python's
    if v > 1:
        k = n              NumPy's here, so behind the `if` that depends on the test
    k == 0                 a bool of Python's, or one of NumPy's

Promotion counts such a value as NumPy's. What asks for its class, as `isinstance` or `case True`, asks here.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from autograph_base.dataclass import dataclass
from runtime.graph.build import current_builder, is_weak
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Value
from runtime.graph.symbol import Symbol

__all__ = [
    "Chosen",
    "Every",
    "Unknown",
    "Whose",
    "chosen",
    "every",
    "note_whose",
    "one_of",
    "seen_from",
    "whose",
    "without",
]


@dataclass(frozen=True, eq=False)
class Chosen:
    """Python's where one of two is, as a value of the graph decides."""

    test: Value
    then: Whose
    orelse: Whose
    graphs: frozenset[Graph] | None
    """Those whose values decide, at all depths; None where nothing that is known does."""


@dataclass(frozen=True, eq=False)
class Every:
    """Python's where each of some numbers is, from which it was computed; none of them is such a one."""

    parts: tuple[Whose, ...]
    graphs: frozenset[Graph] | None
    """As of a choice."""


@dataclass(frozen=True)
class Unknown:
    """Python's on some paths: which these are, no value says that is known here."""


Whose: TypeAlias = bool | Chosen | Every | Unknown
"""Whether a number is Python's."""

_known: WeakValueDictionary[tuple[Any, ...], Chosen | Every] = WeakValueDictionary()
"""What was said of the same parts, by these: it is one object, so that nobody looks into it to compare."""


def whose(operand: Any) -> Whose:
    """Whether an operand is, or stands for, a number of Python's."""
    if is_weak(operand):
        return True
    value = operand.value if type(operand) is Symbol else operand
    builder = current_builder()
    return (
        builder.context.mixed.get(value, False) if builder is not None and isinstance(value, Value) else False
    )


def every(numbers: Iterable[Whose]) -> Whose:
    """Whether what is computed of numbers is Python's: where all of them are."""
    parts = [each for each in numbers if each is not True]
    if not parts or any(each is False for each in parts):
        return not parts
    single = dict.fromkeys(
        part for each in parts for part in (each.parts if isinstance(each, Every) else (each,))
    )
    if len(single) == 1:
        return next(iter(single))
    return _known.setdefault(tuple(single), Every(tuple(single), _deciding(single)))


def chosen(builder: Builder, test: Value, then: Whose, orelse: Whose) -> Whose:
    """Whether what two branches leave is Python's, as far as the graph around them, `builder`'s, can tell."""
    left, right = seen_from(builder, then), seen_from(builder, orelse)
    if left == right:
        return left
    graphs = _deciding((left, right))
    own = None if graphs is None else graphs | {test.node.graph}
    return _known.setdefault((test, left, right), Chosen(test, left, right, own))


def one_of(numbers: Sequence[Whose]) -> Whose:
    """Whether one of several numbers is Python's, where nothing tells which of them it is."""
    first = numbers[0] if numbers else False
    return first if all(each == first for each in numbers) else Unknown()


def note_whose(value: Value, found: Whose) -> None:
    """Remembers of a value whose number it stands for, where that depends on the path."""
    builder = current_builder()
    if builder is not None and not isinstance(found, bool):
        builder.context.mixed[value] = found


def seen_from(builder: Builder, found: Whose) -> Whose:
    """As `found`, where a graph knows all that decides."""
    graphs = _deciding((found,))
    return found if graphs is not None and all(map(builder.sees, graphs)) else Unknown()


def without(found: Whose, gone: Container[Value]) -> Whose:
    """As `found`, where values are gone into a graph inside: what one of them has decided, nothing tells."""
    return Unknown() if any(test in gone for test in _tests(found)) else found


def _tests(found: Whose) -> Iterator[Value]:
    """The values that decide, at all depths."""
    if isinstance(found, Chosen):
        yield found.test
        yield from _tests(found.then)
        yield from _tests(found.orelse)
    elif isinstance(found, Every):
        for part in found.parts:
            yield from _tests(part)


def _deciding(numbers: Iterable[Whose]) -> frozenset[Graph] | None:
    """The graphs whose values decide about numbers; None where nothing that is known does."""
    found = frozenset[Graph]()
    for each in numbers:
        if isinstance(each, bool):
            continue
        if isinstance(each, Unknown) or each.graphs is None:
            return None
        found |= each.graphs
    return found
