"""Sets of Python's that a trace has made, and in which order the same elements give the same set.

The order of a set follows from all that was ever put in and taken out: from the places of elements in its
table, which keeps a mark where one was taken out. A set that a trace has made was changed by the program
alone. If its table has no marks, and elements that are put into another set one after the other take the same
places there, that other set is the same in all that is to come.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple, TypeVar
from weakref import ref

from autograph.staging.context import staging

__all__ = ["forget_fresh", "note_fresh", "order_of_adding"]

Made = TypeVar("Made")


def note_fresh(found: Made) -> Made:
    """What a program has made just now; noted, where it is a set."""
    if type(found) is set:
        name, known = id(found), staging.fresh
        known[name] = ref(found, lambda _: known.pop(name, None))
    return found


def forget_fresh(owner: Any) -> None:
    """Says that a container was filled again with what it held before: a set has other places then."""
    staging.fresh.pop(id(owner), None)


def order_of_adding(original: set[Any]) -> Sequence[Any] | None:
    """Its elements in an order in which they make the same set; None where there may be no such order.

    None, too, of a set that was not made in this trace.
    """
    made = staging.fresh.get(id(original))
    if made is None or made() is not original or not _is_table_known():
        return None
    table = _table(original)
    if table.taken != len(original):
        return None
    return next((order for order in _orders(original, table) if _table(_put_in(order)) == table), None)


class _Table(NamedTuple):
    """Where the elements of a set are: the address and the hash of what is in each place."""

    taken: int
    places: tuple[int | None, ...]


def _table(elements: set[Any]) -> _Table:
    taken, _, mask, address = (ctypes.c_ssize_t * 4).from_address(id(elements) + object.__basicsize__)
    return _Table(taken, tuple((ctypes.c_void_p * (2 * (mask + 1))).from_address(address)))


def _put_in(elements: Sequence[Any]) -> set[Any]:
    found = set()
    for each in elements:
        found.add(each)
    return found


def _orders(elements: set[Any], table: _Table) -> Iterator[Sequence[Any]]:
    """Orders that are worth a try: that of the places, then those first that are where their hashes say."""
    in_places = list(elements)
    yield in_places
    count = len(table.places) // 2
    places = [place for place in range(count) if table.places[2 * place] is not None]
    gone = {id(each): (place - hash(each)) % count for place, each in zip(places, in_places, strict=True)}
    yield sorted(in_places, key=lambda each: gone[id(each)])
    if len(in_places) <= _FEW:
        yield from permutations(in_places)


_FEW = 4
"""Elements of which all orders are tried: a table that holds so many has eight places."""


@cache
def _is_table_known() -> bool:
    """Whether this Python keeps sets where `_table` looks: tried with sets of which that is known."""
    for size in (0, 1, 4, 100):
        elements = set(range(1000, 1000 + size))
        head = (ctypes.c_ssize_t * 3).from_address(id(elements) + object.__basicsize__)
        if head[:2] != [size, size] or head[2] + 1 not in {8, 32, 128, 256, 512}:
            return False
        places = _table(elements).places
        held = [address for address in places[::2] if address is not None]
        hashes = [number for address, number in zip(places[::2], places[1::2], strict=True) if address]
        if held != [*map(id, elements)] or hashes != [*map(hash, elements)]:
            return False
    marked = {1, 2}
    marked.discard(2)
    return _table(marked).taken == 2  # one is there, and one was
