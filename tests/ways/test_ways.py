"""Each idea about a promise is held against plain Python in one way, and each way for some ideas.

`python -m tests.ways` holds all ideas in all ways, which takes many minutes.
"""

import random

import numpy as np
import pytest

from tests.properties.case import Case, outcome
from tests.ways.__main__ import kind_of
from tests.ways.known import FILE, expected, written
from tests.ways.program import Program, ideas, programs, reached, ways

STEP = 7
"""From one idea to the next, so many ways further: no common part with how many there are."""


SLOW = frozenset({"hanoi", "subsets"})
"""Ideas of recursion that take seconds to trace."""


def one_way_each() -> list[Program]:
    """A program of every idea that is quickly traced."""
    chosen = [idea for idea in ideas() if idea.name not in SLOW]
    tried = list(ways())
    return [reached(idea, tried[STEP * number % len(tried)]) for number, idea in enumerate(chosen)]


@pytest.fixture
def generators_as_they_were():
    """Programs draw from the generators of the process."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002  # what programs draw from
    yield
    random.setstate(before[0])
    np.random.set_state(before[1])  # noqa: NPY002  # as above


@pytest.mark.parametrize("program", one_way_each(), ids=lambda program: program.name)
def test_an_idea_is_the_same_however_it_is_reached(program, generators_as_they_were):
    """What is refused is known by its name, so that it cannot become more."""
    became = outcome(Case(program), "graph")
    kind = kind_of(became)
    assert kind in {"same", expected().get(program.name, "same")}, f"{program.shown}\n{became.text}"


def test_every_way_is_tried():
    assert {program.way for program in one_way_each()} == set(ways())


def test_what_is_known_is_known_of_programs_that_there_are():
    names = {program.name for idea in ideas() for program in programs(idea)}
    assert expected().keys() <= names


def test_what_is_known_is_written_as_it_is_read():
    assert written(sorted(expected().items())) == FILE.read_text()
