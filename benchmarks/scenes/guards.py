"""What it costs to check what a function reads outside: ten attributes, globals and items."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer

scale, shift, table, settings = 2.0, 1.0, {"a": 1.0, "b": 2.0}, SimpleNamespace(rate=0.5, deep=None)
settings.deep = SimpleNamespace(low=0.0, high=1.0)


@ag.function
def bare(x: rt.Tensor) -> rt.Tensor:
    return x * 2.0 + 8.5


@ag.function
def guarded(x: rt.Tensor) -> rt.Tensor:
    more = settings.rate + settings.deep.low + settings.deep.high + table["a"] + table["b"] + shift
    return x * scale + more + 3.0


def scene(peer: Peer | None) -> Scene:
    """The same sums, with constants of the function's own and with numbers from outside."""
    del peer
    array = np.ones(4, np.float32)
    tensor = rt.asarray(array)
    concrete = guarded.get_concrete_function(tensor)
    guards = concrete.guards
    assert guards is not None, "it reads from outside"
    contenders = [
        Contender("reads nothing", timed(lambda: bare(tensor))),
        Contender("reads from outside", timed(lambda: guarded(tensor))),
        Contender("the check", timed(guards.hold)),
    ]
    return Scene("ten numbers from outside", contenders, "ten guards in at most 1 µs")
