"""Containers that are in themselves: nobody can take them apart into leaves."""

from __future__ import annotations

from typing import Any

from runtime.core.structure import level_of

__all__ = ["holds_itself"]


def holds_itself(value: Any) -> bool:
    """Whether a container in a nest is in itself: such a nest has no leaves in order.

    >>> rows = [1]
    >>> holds_itself(rows), rows.append(rows), holds_itself((rows,))
    (False, None, True)
    """
    seen, around = dict[int, Any](), set[int]()
    pending: list[tuple[Any, bool]] = [(value, False)]
    while pending:
        each, is_over = pending.pop()
        if is_over:
            around.discard(id(each))
            continue
        if id(each) in around:
            return True
        level = level_of(each) if id(each) not in seen else None
        if level is not None:
            seen[id(each)] = each  # which keeps its id
            around.add(id(each))
            pending.append((each, True))
            pending += [(child, False) for child in level[1]]
    return False
