"""`heapq.nsmallest` and `heapq.nlargest` as Python code to convert: comparison by comparison as `heapq` does.

`heapq` gives back its list of pairs where there is nothing to select from. Of that list a graph would have to
know that it is as good as a list of items; here only items are given.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, arg-type, misc"
# ruff: noqa: ANN001, ANN201, D103

from __future__ import annotations

import heapq

heapify_max = getattr(heapq, "heapify_max", None) or heapq._heapify_max  # noqa: SLF001  # before Python 3.14
heapreplace_max = getattr(heapq, "heapreplace_max", None) or heapq._heapreplace_max  # type: ignore[attr-defined]  # noqa: SLF001  # as above


def nsmallest(n, iterable, key=None):
    if n == 1:
        return [min(items, key=key)] if (items := list(iterable)) else []
    try:
        size = len(iterable)
    except (TypeError, AttributeError):
        pass
    else:
        if n >= size:
            return sorted(iterable, key=key)[:n]
    rest = iter(iterable)
    if key is None:
        found = [(item, place) for place, item in zip(range(n), rest, strict=False)]
    else:
        found = [(key(item), place, item) for place, item in zip(range(n), rest, strict=False)]
    if found:
        heapify_max(found)
        greatest, place = found[0][0], n
        for item in rest:
            rank = item if key is None else key(item)
            if rank < greatest:
                heapreplace_max(found, (rank, place) if key is None else (rank, place, item))
                greatest = found[0][0]
                place += 1
        found.sort()
    return [each[-1] for each in found] if key is not None else [each[0] for each in found]


def nlargest(n, iterable, key=None):
    if n == 1:
        return [max(items, key=key)] if (items := list(iterable)) else []
    try:
        size = len(iterable)
    except (TypeError, AttributeError):
        pass
    else:
        if n >= size:
            return sorted(iterable, key=key, reverse=True)[:n]
    rest = iter(iterable)
    if key is None:
        found = [(item, place) for place, item in zip(range(0, -n, -1), rest, strict=False)]
    else:
        found = [(key(item), place, item) for place, item in zip(range(0, -n, -1), rest, strict=False)]
    if found:
        heapq.heapify(found)
        least, place = found[0][0], -n
        for item in rest:
            rank = item if key is None else key(item)
            if least < rank:
                heapq.heapreplace(found, (rank, place) if key is None else (rank, place, item))
                least = found[0][0]
                place -= 1
        found.sort(reverse=True)
    return [each[-1] for each in found] if key is not None else [each[0] for each in found]
