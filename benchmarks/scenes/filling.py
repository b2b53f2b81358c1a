"""One iteration of a staged loop that fills an array: a larger array costs no more, as nothing is copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer

_SIZES = (10_000, 100_000)


def running_total(x: Any, n: Any) -> Any:
    i = 1
    while i < n:
        x[i] = x[i - 1] + i
        i += 1
    return x


def scene(_: Peer | None) -> Scene:
    """The staged loop on NumPy, on two sizes, and the same function of plain Python on NumPy's arrays."""
    signature = [rt.TensorSpec((None,), rt.int64), rt.TensorSpec((), rt.int64)]
    graph = ag.function(running_total, input_signature=signature, executor="numpy")
    contenders = []
    for size in _SIZES:
        zeros, length = rt.zeros(size, dtype=rt.int64), rt.asarray(size)
        assert int(graph(zeros, length)[-1]) == size * (size - 1) // 2
        contenders.append(
            _per_iteration(f"graph, {size:,} elements", lambda z=zeros, n=length: graph(z, n), size)
        )
    for size in _SIZES:
        array = np.zeros(size, np.int64)
        contenders.append(
            _per_iteration(f"plain Python, {size:,} elements", lambda x=array: running_total(x, len(x)), size)
        )
    return Scene("filling an array, one iteration", contenders, "the same for both sizes")


def _per_iteration(name: str, work: Callable[[], object], size: int) -> Contender:
    seconds = timed(work)
    return Contender(name, lambda: seconds() / size)
