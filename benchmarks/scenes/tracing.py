"""From a Python function to a graph, and on to a program that runs: twenty operations."""

from __future__ import annotations

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer
from runtime.executors.base import choose


def twenty(x: rt.Tensor) -> rt.Tensor:
    for number in range(10):
        x = x * 2.0 + float(number)
    return x


def scene(peer: Peer | None) -> Scene:
    """Tracing, optimising and compiling."""
    vector = rt.ones(4, dtype=rt.float32)

    def trace() -> object:
        return ag.function(twenty).get_concrete_function(vector)

    def first_call() -> object:
        return ag.function(twenty)(vector)

    optimised = ag.function(twenty).get_concrete_function(vector).optimised_module
    contenders = [
        Contender("trace", timed(trace)),
        Contender("trace, optimise, compile, run", timed(first_call)),
        Contender("compile alone", timed(lambda: choose().compile(optimised))),
    ]
    if peer is not None:
        contenders.append(peer.contender("trace", "trace"))
    return Scene("20 operations, first call", contenders, "tracing at most 5 ms")
