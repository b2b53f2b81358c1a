"""Random programs whose control flow tensors decide: a graph gives what plain Python gives."""

import numpy as np
from hypothesis import HealthCheck, given, settings

import autograph as ag
import runtime as rt
from runtime.executors.base import choose
from runtime.graph.module import Module
from tests.properties.programs import programs

SLOW = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(programs(tuples=False))
def test_a_graph_gives_what_plain_python_gives(program):
    wanted = program.function()(*program.arguments)
    staged = ag.function(program.function())
    arguments = [rt.asarray(argument) for argument in program.arguments]
    assert int(staged(*arguments)) == wanted

    concrete = staged.get_concrete_function(*arguments)
    arrays = [np.asarray(argument) for argument in program.arguments]
    for graph in (concrete.graph, concrete.optimised_graph):
        for executor in ("reference", "numpy"):
            (output,) = choose(executor).compile(Module(graph)).run(arrays)
            assert int(output) == wanted, executor
