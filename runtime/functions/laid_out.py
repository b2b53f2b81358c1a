"""The arguments of a call with what tuples, lists and dicts among them hold, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph_base.named_tuple import NamedTuple
from runtime.core.structure import is_record
from runtime.executors.program import Held, Holder, Nest

__all__ = ["LaidOut", "is_no_argument", "laid_out"]

_NESTS = (tuple, list, dict)
_MOST = 100


class LaidOut(NamedTuple):
    """Arguments, and behind them what those hold that are tuples, lists and dicts.

    Attributes
    ----------
    values : list of object
    nests : list of Nest
        Where these are among the values, in the order in which what they hold comes.
    order : list of int
        Where all others are, in the order of the inputs of a graph.
    """

    values: list[Any]
    nests: list[Nest]
    order: list[int]


def laid_out(args: Sequence[Any]) -> LaidOut | None:
    """Arguments, laid out; None where one is a record, is there twice, has odd keys, or holds too many."""
    found = LaidOut([*args], [], [])
    seen = set[int]()

    def visit(places: range) -> bool:
        for place in places:
            value = found.values[place]
            kind = type(value)
            if kind not in _NESTS:
                if is_record(kind):
                    return False
                found.order.append(place)
                continue
            keys = tuple(value) if kind is dict else ()
            is_new = id(value) not in seen and len(found.values) + len(value) <= _MOST
            if not is_new or any(type(key) is not str for key in keys):
                return False
            seen.add(id(value))
            start = len(found.values)
            found.nests.append(Nest(place, kind, len(value), keys))
            found.values.extend(value.values() if kind is dict else value)
            if not visit(range(start, len(found.values))):
                return False
        return True

    return found if visit(range(len(args))) else None


def is_no_argument(held: Held) -> bool:
    """Whether what a function reads outside is no tuple, list or dict that may be among its arguments."""
    values = held.value if held.holder is Holder.DEFAULTS else (held.value,)
    return not any(isinstance(value, _NESTS) for value in values or ())
