"""Ordinary Python, converted, traced and written, runs in TensorFlow with the results that Python gives."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings

import autograph as ag
import runtime as rt
from runtime.errors import StateDisagrees

sys.path.insert(0, str(Path(__file__).parents[1] / "properties"))
from programs import programs

pytestmark = pytest.mark.peers


def in_tensorflow(tensorflow, function, arguments):
    """What TensorFlow returns for a function of tensors that returns tensors."""
    graph = ag.function(function).get_concrete_function(*map(rt.asarray, arguments)).graph
    message = graph.as_graph_def()
    names = [node.name for node in message.node if node.op == "Placeholder"]
    outputs = [f"{node.name}:0" for node in message.node if node.op == "Identity"][-len(graph.outputs) :]
    inputs = dict(zip(names, map(np.asarray, arguments), strict=True))
    return [array.tolist() for array in tensorflow.run(message, inputs, outputs).arrays]


def as_list(result):
    return list(result) if isinstance(result, tuple) else [result]


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(program=programs())
def test_random_programs_give_what_python_gives(tensorflow, program):
    function = program.function()
    expected = as_list(function(*program.arguments))
    try:
        found = in_tensorflow(tensorflow, function, program.arguments)
    except StateDisagrees:  # it returns one number here and three there
        reject()
    assert found == expected


def test_a_greatest_common_divisor_runs(tensorflow):
    def gcd(a, b):
        while b != 0:
            a, b = b, a % b
        return a

    assert in_tensorflow(tensorflow, gcd, (84, 36)) == [12]


def test_an_early_exit_runs(tensorflow):
    def root(x):
        guess = x
        for _ in range(50):
            better = (guess + x / guess) / 2
            if rt.abs(better - guess) < 1e-12:
                break
            guess = better
        return guess

    (result,) = in_tensorflow(tensorflow, root, (2.0,))
    assert result == pytest.approx(math.sqrt(2))
