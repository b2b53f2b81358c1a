"""One iteration of a staged loop that fills, changes and empties a list: a longer list costs no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer

_SIZES = (1_000, 10_000)


def total(n: Any) -> Any:
    values = [0]
    for i in range(n):
        values.append(i)
        if i % 2 == 0:
            values[i] = values[i] + 1
    result = 0
    while len(values) > 1:
        result += values.pop()
    return result


def scene(_: Peer | None) -> Scene:
    """The staged loop on two lengths, and the same function of plain Python."""
    graph = ag.function(total, input_signature=[rt.TensorSpec((), rt.int64)])
    contenders = []
    for size in _SIZES:
        length = rt.asarray(size)
        assert int(graph(length)) == total(size)
        contenders.append(_per_iteration(f"graph, {size:,} elements", lambda n=length: graph(n), size))
    contenders += [
        _per_iteration(f"plain Python, {size:,} elements", lambda n=size: total(n), size) for size in _SIZES
    ]
    return Scene("filling and emptying a list, one element", contenders, "the same for both lengths")


def _per_iteration(name: str, work: Callable[[], object], size: int) -> Contender:
    seconds = timed(work)
    return Contender(name, lambda: seconds() / size)
