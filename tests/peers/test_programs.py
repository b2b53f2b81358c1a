"""Ordinary Python, converted, traced and written, runs in TensorFlow with the results that Python gives."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, reject, settings
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from tests.properties.grammar import Program

NUMBERS = ("number", "if", "while", "range", "match", "return", "break", "continue")
"""Constructs of programs that compute with numbers alone."""

pytestmark = pytest.mark.peers


def traced(function, arguments):
    return ag.function(function).get_concrete_function(*map(rt.asarray, arguments))


def in_tensorflow(tensorflow, concrete, arguments):
    """What TensorFlow returns for a function of tensors that returns tensors."""
    graph = concrete.graph
    message = graph.as_graph_def()
    names = [node.name for node in message.node if node.op == "Placeholder"]
    outputs = [f"{node.name}:0" for node in message.node if node.op == "Identity"][-len(graph.outputs) :]
    inputs = dict(zip(names, map(np.asarray, arguments), strict=True))
    return [array.tolist() for array in tensorflow.run(message, inputs, outputs).arrays]


@settings(max_examples=40, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9))
def test_random_programs_give_what_python_gives(tensorflow, seed):
    program = Program.from_seed(seed, ideas=["integers"], constructs=NUMBERS)
    live = program.live()
    try:
        wanted = live.function(*live.calls[0])
    except Exception:  # noqa: BLE001  # what a program raises, TensorFlow's nodes do not
        reject()
    concrete = traced(live.function, live.calls[0])
    given = concrete.structured_outputs
    assume(
        len(given if isinstance(given, tuple) else (given,)) == len(concrete.graph.outputs)
    )  # on every path
    found = in_tensorflow(tensorflow, concrete, live.calls[0])
    assert found == list(wanted if isinstance(wanted, tuple) else (wanted,)), program


def test_a_greatest_common_divisor_runs(tensorflow):
    def gcd(a, b):
        while b != 0:
            a, b = b, a % b
        return a

    assert in_tensorflow(tensorflow, traced(gcd, (84, 36)), (84, 36)) == [12]


def test_an_early_exit_runs(tensorflow):
    def root(x):
        guess = x
        for _ in range(50):
            better = (guess + x / guess) / 2
            if rt.abs(better - guess) < 1e-12:
                break
            guess = better
        return guess

    (result,) = in_tensorflow(tensorflow, traced(root, (2.0,)), (2.0,))
    assert result == pytest.approx(math.sqrt(2))
