"""Twenty lines of everything: what to run after every edit."""

import numpy as np

import autograph as ag
import runtime as rt


@ag.function
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_a_loop_that_tensors_decide_becomes_a_graph_that_runs():
    assert collatz(rt.asarray(27)).numpy() == 111
    concrete = collatz.get_concrete_function(rt.TensorSpec((), rt.int64))
    assert concrete.graph.ops == ["NotEqual", "StatelessWhile"]
    assert "while" in concrete.to_python()


def test_eager_tensors_compute_like_numpy():
    x = rt.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert np.array_equal((x @ x + 1).numpy(), x.numpy() @ x.numpy() + 1)
