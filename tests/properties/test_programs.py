"""Random programs, in which every construct meets every other, do the same in every way of running them.

`pytest tests/properties/test_programs.py -n 0 --covered` prints which pairs of constructs the programs had;
`python -m tests.properties 2000` compares as many programs as one likes; docs/semantics.md has such counts.
"""

import pytest

from tests.properties.case import check
from tests.properties.constructs import IDEAS, WAYS
from tests.properties.grammar import CONSTRUCTS, LARGE, PAIRS, SMALL, Program, Size, count

TOGETHER = 10
"""Programs of a test."""


def seeds(most):
    """The first programs, some for each test."""
    return pytest.mark.parametrize("first", range(0, most, TOGETHER))


@seeds(80)
def test_a_converted_program_does_what_the_program_does(first):
    for seed in range(first, first + TOGETHER):
        count(check(seed, "converted"))


@seeds(80)
def test_a_graph_does_what_the_program_does_call_by_call_or_is_refused(first):
    for seed in range(first, first + TOGETHER):
        count(check(seed, "graph", size=SMALL))


@seeds(10)
def test_so_does_the_graph_of_a_large_program(first):
    for seed in range(first, first + TOGETHER):
        count(check(seed, "graph", size=LARGE))


@seeds(10)
def test_every_form_of_a_graph_does_the_same_on_every_executor(first):
    for seed in range(first, first + TOGETHER):
        count(check(seed, "modules"))


def test_every_construct_can_stand_in_and_after_every_other():
    """Of others only that each is there: what was drawn before decides nothing."""
    huge = Size(statements=10**6, depth=5, block=3, weight=len(IDEAS), expressions=0, lines=700)
    found, inside, seed = set(), {pair for pair in PAIRS if pair[0] == "in"}, 0
    while not inside <= found and seed < 120:
        found |= Program.from_seed(seed, ideas=list(IDEAS), size=huge).pairs
        seed += 1
    assert inside <= found
    following = [pair for pair in found if pair[0] == "then"]
    assert {one for _, one, _ in following} == {two for _, _, two in following} == {*CONSTRUCTS}
    places = [pair for pair in found if pair[0] == "with"]
    assert {way for _, way, _ in places} == {name for name, each in WAYS.items() if each.places}
