"""Numbers among the objects that a variable may be: beside strings, and integers beside an infinity.

    found = "none"                     a string in the first turns, a number in others: one of two objects
    best = math.inf
    best = min(best, x)                an int in the end, unless there was none
    distances = [math.inf] * n
    distances[u] = 0                   ints and infinities in one list

Numbers of one kind are one candidate, or each turn of a loop would add one. An infinity that Python knows
stays what it is beside integers in a trace that is begun anew for it (`OtherNames.keeps_infinity`): in the
first one, all are floats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isinf
from typing import Any

from autograph.backends.tensors.arrays.arrays import has_no_axes
from autograph.backends.tensors.containers.becoming import is_number
from autograph.backends.tensors.containers.other_names import other_names
from runtime import ops
from runtime.core.spec import ArraySpec, Spec
from runtime.errors import StateDisagrees
from runtime.graph.build import as_tensor, building, is_strict, is_weak
from runtime.graph.builder import Builder
from runtime.graph.symbol import Symbol

__all__ = [
    "are_of_two_kinds",
    "are_one_number",
    "are_text_and_number",
    "is_infinity",
    "may_be_infinity",
    "require_no_cells",
    "stay_apart",
]


def is_infinity(value: Any) -> bool:
    """Whether a value is an infinity that Python knows."""
    return isinstance(value, float) and isinf(value)


def may_be_infinity(value: Any, known: Any) -> bool:
    """Whether a number of the graph may be an infinity that Python knows."""
    return is_infinity(known) and type(value) is Symbol and is_number(value) and value.dtype.is_floating


def are_one_number(builders: Sequence[Builder], left: Any, right: Any) -> bool:
    """Whether two candidates are one: numbers of one kind, not both known, or infinities of one sign."""
    if Symbol not in {type(left), type(right)}:
        return is_infinity(left) and type(left) is type(right) and bool(left == right)
    kinds = []
    for builder, value in zip(builders, (left, right), strict=True):
        with building(builder):
            if not _is_number(value):
                return False
            kinds.append((as_tensor(value).dtype, is_weak(value)))
    return kinds[0] == kinds[1]


def are_text_and_number(builders: Sequence[Builder], left: Any, right: Any) -> bool:
    """Whether one of two values is a string, and the other a number of the graph."""
    if {type(left), type(right)} != {str, Symbol}:
        return False
    side = int(type(right) is Symbol)
    with building(builders[side]):
        return _is_number((left, right)[side])


def are_of_two_kinds(builders: Sequence[Builder], left: Any, right: Any) -> bool:
    """Whether an infinity that Python knows meets another number, or what has become of one an integer."""
    if is_strict() or not (is_number(left) and is_number(right)):
        return False
    if is_infinity(left) != is_infinity(right):
        return other_names().keeps_infinity()
    if not other_names().has_infinity():
        return False
    kinds = set()
    for builder, value in zip(builders, (left, right), strict=True):
        with building(builder):
            kinds.add(as_tensor(value).dtype.kind)
    return kinds == {"i", "f"}


def stay_apart(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether some rows have an integer and a float in one place, which stay what they are in a list.

    Parameters
    ----------
    rows : sequence of sequences
        The parts of elements, or what is known of these.

    Returns
    -------
    bool
        No in a trace that does not keep an infinity beside integers: it is noted that there is one.
    """
    known = other_names()
    if not known.has_infinity():
        if any(is_infinity(part) for row in rows for part in row):
            known.keeps_infinity()
        return False
    if is_strict() or len({*map(len, rows)}) > 1:
        return False
    return any({*map(_kind_of, column)} >= {"i", "f"} for column in zip(*rows, strict=True))


def _kind_of(part: Any) -> str | None:
    """The kind of a number, or of what is known of one; None of all else."""
    spec = part if part is None or isinstance(part, Spec) else as_tensor(part).spec
    return spec.dtype.kind if isinstance(spec, ArraySpec) and spec.shape == () else None


def _is_number(value: Any) -> bool:
    """Whether a candidate is a number, and no array, to which somebody may write."""
    return is_number(value) and not ops.is_array(value)


def require_no_cells(name: str, candidates: Iterable[Any]) -> None:
    """Sees to it that no array without axes is among what a turn may leave beside other objects."""
    if any(map(has_no_axes, candidates)):
        raise StateDisagrees(
            f"`{name}` may be an array without axes after a turn of this loop, or another object",
            why="A turn knows such an array as a number: a later write would go into a copy.",
            way_out="Give the array an axis: `np.zeros(1)`.",
        )
