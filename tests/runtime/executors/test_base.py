"""Executors are chosen by name, and new ones are added beside the two that are there."""

import numpy as np
import pytest

from runtime import ArraySpec, float32
from runtime.executors.base import choose, register
from tests.runtime.executors.tracing import traced


def test_the_numpy_plan_is_the_default():
    assert choose().name == choose("numpy").name == "numpy"


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no executor called 'fast'(?s:.)*There are numpy, reference"):
        choose("fast")


def test_another_executor_can_be_registered(monkeypatch):
    class Doubling:
        name = "doubling"

        def compile(self, graph):
            return lambda arrays: [2 * array for array in arrays]

    monkeypatch.setattr("runtime.executors.base._executors", {})
    register(Doubling())
    graph = traced(lambda x: x, ArraySpec((2,), float32))
    assert choose("doubling").compile(graph)([np.ones(2)])[0].tolist() == [2.0, 2.0]
