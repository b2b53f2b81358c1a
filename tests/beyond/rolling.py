"""What tests of rolled loops share."""

import importlib

import numpy as np
import pytest

import autograph as ag

for_stmt = importlib.import_module("autograph.converters.for_stmt")
"""The module, which the package hides behind the operator."""

X = np.arange(8.0) + 0.5


@pytest.fixture
def short_loops_roll(monkeypatch):
    """Loops of six turns are rolled."""
    monkeypatch.setattr(for_stmt, "FEWEST_ROLLED", 6)


def loops_of(function, *arguments):
    """Whether the graph has a loop where the outermost loop stands."""
    mark = next(
        each
        for section in ag.explain(function, *arguments).sections[:1]
        for each in section.marks
        if each.text.startswith("for ")
    )
    return mark.how == "rolled"
