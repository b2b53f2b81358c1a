"""The guide's `power(x, 100)`: a chain of a hundred 10x10 integer products."""

from __future__ import annotations

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer


def power(x: rt.Tensor, y: int) -> rt.Tensor:
    result = rt.eye(10, dtype=rt.int32)
    for _ in range(y):
        result = rt.matmul(x, result)
    return result


def _in_numpy(x: np.ndarray, y: int) -> np.ndarray:
    result = np.eye(10, dtype=np.int32)
    for _ in range(y):
        result = np.matmul(x, result)
    return result


def scene(peer: Peer | None) -> Scene:
    """The graph, eager tensors, NumPy by hand, and TensorFlow's graph and eager execution."""
    array = np.random.default_rng(0).integers(0, 10, (10, 10)).astype(np.int32)
    tensor = rt.asarray(array)
    graph = ag.function(power)
    contenders = [
        Contender("graph", timed(lambda: graph(tensor, 100))),
        Contender("eager tensors", timed(lambda: power(tensor, 100))),
        Contender("NumPy by hand", timed(lambda: _in_numpy(array, 100))),
    ]
    if peer is not None:
        contenders.append(peer.contender("graph", "power graph"))
        contenders.append(peer.contender("eager", "power eager"))
    return Scene("power(x, 100), int32[10,10]", contenders, "no slower than TensorFlow's graph")
