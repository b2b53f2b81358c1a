"""A converted program does what the program does: values, exceptions, effects and their order."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from autograph.transpiler import Transpiler

sys.path.insert(0, str(Path(__file__).parent))
from programs import programs

TRANSPILER = Transpiler()


def outcome(function, arguments):
    """What a call gives: a value, or the type and text of an exception."""
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001  (whatever it is, both must raise it)
        return type(error), str(error)


def observed(program, transform):
    """The outcome of a program and the numbers that it noted."""
    notes = []
    function = transform(program.function(note=notes.append))
    return outcome(function, program.arguments), notes


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs(effects=True))
def test_converted_programs_give_what_plain_ones_give(program):
    assert observed(program, TRANSPILER.convert) == observed(program, lambda function: function)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs(effects=True, undefined=True))
def test_variables_without_a_value_fail_as_in_plain_python(program):
    assert observed(program, TRANSPILER.convert) == observed(program, lambda function: function)
