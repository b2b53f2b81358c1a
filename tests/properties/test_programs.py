"""Programs of the grammar, in which every construct meets every other: converted, they do what they do.

`pytest tests/properties/test_programs.py --covered` prints which pairs of constructs the programs had;
`--hypothesis-profile=search` makes new programs.
"""

from hypothesis import HealthCheck, given, settings

from autograph.transpiler import Transpiler
from tests.properties.grammar import count, observe, programs

TRANSPILER = Transpiler()


@settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(programs())
def test_a_converted_program_does_what_the_program_does(program):
    count(program)
    converted = TRANSPILER.convert(program.function())
    assert observe(converted, program.arguments) == observe(program.function(), program.arguments)
