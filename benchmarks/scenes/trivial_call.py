"""What a call costs beside the work: ``x + y`` on four numbers."""

from __future__ import annotations

import numpy as np

import autograph as ag
import runtime as rt
from benchmarks.harness import Contender, Scene, timed
from benchmarks.peer import Peer


@ag.function
def add(x: rt.Tensor, y: rt.Tensor) -> rt.Tensor:
    return x + y


@ag.function
def step(
    parameters: dict[str, rt.Tensor], x: rt.Tensor, rate: float = 0.1, *, bias: bool = True
) -> rt.Tensor:
    return x * parameters["weights"] * rate + (parameters["bias"] if bias else 0.0)


def scene(peer: Peer | None) -> Scene:
    """NumPy itself, the compiled program, the function that finds it, and eager tensors."""
    array = np.ones(4, np.float32)
    tensor = rt.asarray(array)
    program = add.get_concrete_function(tensor, tensor).program.entry
    parameters = {"weights": tensor, "bias": tensor}
    contenders = [
        Contender("NumPy", timed(lambda: array + array)),
        Contender("plan", timed(lambda: program(array, array))),
        Contender("@ag.function", timed(lambda: add(tensor, tensor))),
        Contender("@ag.function, NumPy arrays", timed(lambda: add(array, array))),
        Contender("a dict of tensors, a tensor, a float", timed(lambda: step(parameters, tensor, 0.5))),
        Contender("the same with a default", timed(lambda: step(parameters, tensor, bias=False))),
        Contender("eager tensors", timed(lambda: tensor + tensor)),
    ]
    if peer is not None:
        contenders.append(peer.contender("tf.function", "add"))
    return Scene("x + y, float32[4]", contenders, "at most 2 µs over the plan, 1.5 times that for arrays")
