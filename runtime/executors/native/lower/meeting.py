"""Which arrays need no memory though several maps ask for them: all that these make meets in one map.

::

    near = ...                       for i in range(n):
    three = near == 3                    t = ...
    two = near == 2            ⇒         alive[i] = t == 3 or t == 2 and alive[i]
    lives = two & alive
    alive = three | lives

Both that ask for an element of `near` stand in one turn of a loop, which computes it once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.graph.graph import Graph, Node, Value
from runtime.ops.core import Map

__all__ = ["meeting"]

_MOST = 12
"""Maps on the ways from an array to where they meet."""


def meeting(graph: Graph) -> frozenset[Value]:
    """The results of maps that several maps ask for, element by element, and that meet in one."""
    users: dict[Value, list[Node]] = {}
    for node in graph.nodes:
        for value in dict.fromkeys(node.inputs):
            users.setdefault(value, []).append(node)
    shared = [value for value, of in users.items() if len(of) > 1 and isinstance(value.op, Map)]
    if not shared:
        return frozenset()
    positions = {node: position for position, node in enumerate(graph.nodes)}
    given = set(graph.outputs)
    return frozenset([value for value in shared if _meets(value, users, positions, given)])


def _meets(
    value: Value, users: Mapping[Value, Sequence[Node]], positions: Mapping[Node, int], given: set[Value]
) -> bool:
    """Whether the ways from a value come together, and pass maps of its shape alone."""
    shape = value.shape
    if not shape or value in given:
        return False
    heads, passed = set(users[value]), 0
    while True:
        first = min(heads, key=positions.__getitem__)
        if not isinstance(first.op, Map) or first.outputs[0].shape != shape:
            return False
        if len(heads) == 1:
            return True
        heads.remove(first)
        passed += 1
        result = first.outputs[0]
        if result in given or passed > _MOST or not users.get(result):
            return False
        heads.update(users[result])
