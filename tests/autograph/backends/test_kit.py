"""The kit of programs on our tensors: each as a graph, and converted in eager code."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.autograph.backends import kit


def lower(value):
    return value.numpy().tolist() if isinstance(value, rt.Tensor) else np.asarray(value).tolist()


@pytest.mark.parametrize("program", kit.PROGRAMS, ids=str)
def test_a_program_of_the_kit_gives_the_same_as_a_graph(program):
    program.check(run=ag.function, lift=rt.asarray, lower=lower)


@pytest.mark.parametrize("program", kit.PROGRAMS, ids=str)
def test_a_program_of_the_kit_gives_the_same_in_eager_code(program):
    program.check(run=ag.convert, lift=rt.asarray, lower=lower)
