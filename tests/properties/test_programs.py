"""Random programs, in which every construct meets every other, do the same in every way of running them.

`pytest tests/properties/test_programs.py -n 0 --covered` prints which pairs of constructs the programs had;
`--hypothesis-profile=search` makes new programs, `python -m tests.properties 2000` as many as one likes.
"""

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.properties.case import check
from tests.properties.grammar import PAIRS, Program, count

SEEDS = st.integers(0, 10**9)


def programs(most):
    """So many programs; a `Different` is made small by the check, and not by Hypothesis."""
    return settings(
        max_examples=most, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )


@programs(50)
@given(SEEDS)
def test_a_converted_program_does_what_the_program_does(seed):
    count(check(seed, "converted"))


@programs(25)
@given(SEEDS)
def test_a_graph_does_what_the_program_does_call_by_call(seed):
    count(check(seed, "graph"))


@programs(20)
@given(SEEDS)
def test_every_form_of_a_graph_does_the_same_on_every_executor(seed):
    count(check(seed, "modules"))


def test_every_pair_of_constructs_can_occur():
    missing = set(PAIRS)
    seed = 0
    while missing and seed < 5000:
        missing -= Program.from_seed(seed).pairs
        seed += 1
    assert not missing
