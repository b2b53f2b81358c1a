"""Random loops over ranges of Python's do the same rolled, unrolled, and in plain Python."""

import importlib
from contextlib import contextmanager
from random import Random

import pytest

from tests.properties.case import case_of, outcome
from tests.properties.choices import Choices

for_stmt = importlib.import_module("autograph.converters.for_stmt")
"""The module, which the package hides behind the operator."""

TOGETHER = 5
"""Programs of a test."""


@pytest.fixture(autouse=True)
def _all_loops_roll(monkeypatch):
    monkeypatch.setattr(for_stmt, "FEWEST_ROLLED", 2)
    monkeypatch.setattr(for_stmt, "FIRST_TURNS", 1)


@pytest.fixture
def _short_loops_are_weighed(monkeypatch):
    monkeypatch.setattr(for_stmt, "FEWEST_ROLLED", 10**9)
    monkeypatch.setattr(for_stmt, "FEWEST_WEIGHED", 2)
    monkeypatch.setattr(for_stmt, "MOST_RECORDED", 0)
    monkeypatch.setattr(for_stmt, "FEWEST_RECORDED", 0)


@contextmanager
def unrolling():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(for_stmt, "FEWEST_ROLLED", 10**9)
        patch.setattr(for_stmt, "FEWEST_WEIGHED", 10**9)
        yield


def case(seed, ideas=None):
    return case_of(Choices(Random(seed).randrange), seed, "graph", ideas=ideas)


@pytest.mark.parametrize("first", range(0, 20, TOGETHER))
def test_a_program_of_the_grammar_is_no_defect_where_it_is_none_unrolled(first):
    for seed in range(first, first + TOGETHER):
        rolled = outcome(case(seed), "graph")
        if rolled.is_defect:
            with unrolling():
                unrolled = outcome(case(seed), "graph")
            assert unrolled.is_defect, f"{case(seed).text()}\n\n{rolled.text}"


def require_same_where_unrolled(first):
    """Programs of long loops do what Python does, or do something else without rolled loops, too."""
    for seed in range(first, first + TOGETHER):
        rolled = outcome(case(seed, ["turns"]), "graph")
        if rolled.became != "same":
            with unrolling():
                unrolled = outcome(case(seed, ["turns"]), "graph")
            assert unrolled.became != "same", f"{case(seed, ['turns']).text()}\n\n{rolled.text}"


@pytest.mark.parametrize("first", range(0, 30, TOGETHER))
def test_a_program_of_long_loops_does_what_python_does_where_it_does_so_unrolled(first):
    require_same_where_unrolled(first)


@pytest.mark.usefixtures("_short_loops_are_weighed")
@pytest.mark.parametrize("first", range(30, 50, TOGETHER))
def test_a_program_of_short_loops_that_add_too_much_does_what_python_does(first):
    require_same_where_unrolled(first)
