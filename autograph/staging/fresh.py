"""Sets of Python's that a trace has made, and the order in which their elements were put in.

The order of a set follows from all that was ever put in and taken out, so it is known of one that the traced
program has made and has done nothing to but put elements in. What may do something else to it, or may do so
where nobody looks, has it forgotten.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, cast
from weakref import ref

from autograph.staging.context import staging
from autograph_base.named_tuple import NamedTuple

__all__ = [
    "forget_fresh",
    "forget_fresh_in",
    "note_fresh",
    "note_refilled",
    "note_set_method",
    "order_of_adding",
]

Made = TypeVar("Made")


class Fresh(NamedTuple):
    """A set, and what was put into it, in this order."""

    made: ref[set[Any]]
    put_in: list[Any]


ONE_BY_ONE = (list, tuple, range, str)
"""Of these Python makes a set by putting in one element after the other."""


def note_fresh(found: Made, *items: Any) -> Made:
    """What a program has made just now of some items, or of none; noted, where it is a set."""
    if type(found) is set and all(type(each) in ONE_BY_ONE for each in items):
        name, known = id(found), staging.fresh
        put_in = [element for each in items for element in each]
        known[name] = Fresh(ref(cast("set[Any]", found), lambda _: known.pop(name, None)), put_in)
    return found


def note_set_method(method: Any, args: Sequence[Any]) -> None:
    """Notes what a method of a set does to that, which is about to be called."""
    fresh = staging.fresh.get(id(method.__self__))
    if fresh is None or method.__name__ in _READING:
        return
    if method.__name__ == "add":
        fresh.put_in.extend(args)
    elif method.__name__ == "update" and all(type(each) in ONE_BY_ONE for each in args):
        fresh.put_in.extend(element for each in args for element in each)
    elif method.__name__ == "clear":
        fresh.put_in.clear()
    else:
        forget_fresh(method.__self__)


_READING = frozenset({"__contains__", "copy", "isdisjoint", "issubset", "issuperset", "union"})
"""Methods that change nothing."""


def forget_fresh(owner: Any) -> None:
    """Says that of a container it is not known any more how it came about."""
    staging.fresh.pop(id(owner), None)


def note_refilled(owner: Any) -> None:
    """Says that a container was filled again with what it held before: an empty one is as it was made."""
    fresh = staging.fresh.get(id(owner))
    if fresh is not None and not owner:
        fresh.put_in.clear()
    else:
        forget_fresh(owner)


def forget_fresh_in(containers: Iterable[Any]) -> None:
    """Likewise of those of some containers that are sets."""
    if staging.fresh:
        for each in containers:
            if type(each) is set:
                forget_fresh(each)


def order_of_adding(original: set[Any]) -> Sequence[Any] | None:
    """Its elements in the order in which they were put in; None of a set of which that is not known."""
    fresh = staging.fresh.get(id(original))
    if fresh is None or fresh.made() is not original:
        return None
    try:
        order = [*dict.fromkeys(fresh.put_in)]
    except TypeError:  # something without a hash was to be put in, and was refused
        return None
    again = set[Any]()
    for each in order:
        again.add(each)
    is_alike = sys.getsizeof(again) == sys.getsizeof(original) and [*again] == [*original]
    return order if is_alike else None
