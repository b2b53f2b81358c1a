"""What tests of rolled loops share."""

import importlib
from functools import partial

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


class Programs(list):
    """Programs, and whether the loop of each is rolled; what it is called with, where that is not `X`."""

    def rolls(self, *arguments):
        return partial(self._add, arguments, True)

    def unrolls(self, *arguments):
        return partial(self._add, arguments, False)

    def _add(self, arguments, rolls, function):
        self.append(pytest.param(function, arguments or (X,), rolls, id=function.__name__))
        return function


def loops_of(function, *arguments):
    """Whether the graph has a loop where the outermost loop stands."""
    mark = next(
        each
        for section in ag.explain(function, *arguments).sections[:1]
        for each in section.marks
        if each.text.startswith(("for ", "while "))
    )
    return mark.how == "rolled"
