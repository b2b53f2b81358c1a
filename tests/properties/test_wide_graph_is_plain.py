"""Random programs with lists, None, effects, exceptions and patterns: a graph does what plain Python does."""

from hypothesis import HealthCheck, given, settings

import autograph as ag
import runtime as rt
from runtime.core.structure import map_leaves
from tests.properties.wide_programs import NAMES, wide_programs

SLOW = settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(wide_programs())
def test_a_graph_does_what_plain_python_does(program):
    wanted, error = outcome(program.function(**NAMES), program.arguments)
    for executor in ("numpy", "reference"):
        staged = ag.function(program.function(**NAMES), executor=executor)
        found, raised = outcome(staged, [rt.asarray(argument) for argument in program.arguments])
        assert raised is error, executor
        assert map_leaves(number, found) == map_leaves(number, wanted), executor


def outcome(function, arguments):
    """What a function returns, or the class of what it raises."""
    try:
        return function(*arguments), None
    except (UnboundLocalError, ValueError, IndexError, ZeroDivisionError) as error:
        return None, type(error)


def number(leaf):
    """A tensor as a number of Python's."""
    return leaf.item() if isinstance(leaf, rt.Tensor) else leaf
