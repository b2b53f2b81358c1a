"""Notes about mixed kinds of numbers that a trace has unified to one dtype, for its warnings.

A join, and a list that grows, hold all that meets there in one dtype. Where that makes another kind of a
number, it is noted with the graph in which it happens: what is traced on trial is given up, and says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from runtime.core.dtypes import DType
from runtime.errors import KindsMeetWarning
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import Location
from runtime.messages import with_article

__all__ = ["WHOLE", "note_kinds"]

WHOLE = frozenset("biu")
"""The kinds of dtypes of integers, and of bools."""

_NOTHING_ELSE: Mapping[str, str] = MappingProxyType({})


def note_kinds(
    builder: Builder,
    name: str,
    kinds: Sequence[tuple[DType, bool]],
    dtype: DType,
    where: Location,
    values: Sequence[Value] = (),
    *,
    loses_digits: bool = False,
    parts: Mapping[str, str] = _NOTHING_ELSE,
) -> None:
    """Notes that values of several kinds become values of one dtype, unless they are of one kind.

    Parameters
    ----------
    builder : Builder
        Of the graph in which they meet.
    name : str
        What they are values of, for a message.
    kinds : sequence of (DType, bool)
        The dtype of each, and whether it stands for a number of Python's own.
    dtype : DType
        What they become.
    where : Location
        The line at which they meet.
    values : sequence of Value
        What they become, where nothing is to be said if nobody sees of what kind that is.
    loses_digits : bool
        Whether one of Python's own has more digits than the dtype, which is said in any case.
    parts : mapping of str
        Other parts of the message, where those of its class do not fit.
    """
    are_kept = not loses_digits and all(_is_kept(kind, weak, dtype) for kind, weak in kinds)
    if builder.strict or are_kept:
        return
    shown = sorted({_name(kind, weak) for kind, weak in kinds})
    become = _name(dtype, all(weak for _, weak in kinds))
    notice = KindsMeetWarning(
        f"{name} may be {' or '.join(shown)}, and in a graph it is always {become}", where=where, **parts
    )
    builder.add_notice(notice, () if loses_digits else values)
    if dtype.kind == "c" and any(kind.kind != "c" for kind, _ in kinds):
        builder.context.real_on_paths.update(values)
    if any(kind.kind in WHOLE for kind, _ in kinds):
        builder.context.whole_on_paths.update(values)


def _is_kept(kind: DType, weak: bool, dtype: DType) -> bool:
    """Whether a number is what it was: one of Python's own takes the dtype of others of its kind."""
    return kind is dtype or (weak and kind.kind == dtype.kind)


def _name(dtype: DType, weak: bool) -> str:
    """What users call numbers of a dtype."""
    name = {"b": "bool", "i": "int", "f": "float", "c": "complex"}.get(dtype.kind) if weak else None
    return with_article(name or dtype.name)
