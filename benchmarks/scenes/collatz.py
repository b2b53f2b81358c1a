"""One iteration of a loop over scalars that the data decides: the Collatz steps of 27."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer
from benchmarks.rivals.programs import collatz

_STEPS = 111


def scene(peer: Peer | None) -> Scene:
    """The staged loop, the same function on Python's ints and on NumPy's, and TensorFlow's graph."""
    start = rt.asarray(27)
    graph, chosen = ag.function(collatz, executor="numpy"), ag.function(collatz)
    assert int(graph(start)) == int(chosen(start)) == _STEPS
    contenders = [
        _per_step("graph, on NumPy", lambda: graph(start)),
        _per_step("graph, as chosen by default", lambda: chosen(start)),
        _per_step("plain Python, int", lambda: collatz(27)),
        _per_step("plain Python, np.int64", lambda: collatz(np.int64(27))),
        _per_step("eager tensors", lambda: collatz(start)),
    ]
    if peer is not None:
        contenders.append(peer.contender("graph", "collatz"))
    return Scene("collatz, one iteration", contenders)


def _per_step(name: str, work: Callable[[], object]) -> Contender:
    seconds = timed(work)
    return Contender(name, lambda: seconds() / _STEPS)
