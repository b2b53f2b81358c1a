"""An array that is made without being set holds zeros in a graph, whatever was in the memory before."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def by_shape(x):
    made = np.empty(37)
    made[0] = x
    return made


def in_a_loop(x):
    rows = []
    for _ in range(2):
        row = np.empty((37,), dtype=float, order="F")
        row[0] = x
        rows.append(row)
    return rows[0] + rows[1]


def like_another(x):
    made = np.empty_like(np.ones(37))
    made[0] = x
    return made


def like_one_of_the_graph(x):
    made = np.empty_like(x + np.ones(37))
    made[0] = x
    return made


def of_the_class(x):
    made = np.ndarray(shape=37)
    made[0] = x
    return made


class Filter:
    def __init__(self):
        self.state = np.empty(37)


def in_an_attribute(x):
    kept = Filter()
    kept.state[0] = x
    return kept.state


def made_by(length):
    return np.empty(length)


def in_a_function_without_values_of_the_graph(x):
    made = made_by(37)
    made[0] = x
    return made


PROGRAMS = [
    *(by_shape, in_a_loop, like_another, like_one_of_the_graph, of_the_class, in_an_attribute),
    in_a_function_without_values_of_the_graph,
]


def soil(number):
    """Leaves a number in memory that the next arrays of this size get."""
    for _ in range(3):
        arrays = [np.full(37, number) for _ in range(20)]
        del arrays


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_it_starts_with_zeros(program):
    texts = []
    for number in (5.5, 7.75):
        soil(number)
        graph = ag.function(program)
        found = np.asarray(graph(rt.asarray(2.0)))
        assert found[0] != 0
        np.testing.assert_array_equal(found[1:], np.zeros(36))
        texts.append(graph.concrete_functions[0].to_python())
    assert texts[0] == texts[1]


def test_memory_of_somebody_else_is_left_as_it_is():
    memory = np.arange(4.0)

    def program(x):
        return np.ndarray((2,), buffer=memory, offset=8) + x

    np.testing.assert_array_equal(ag.function(program)(rt.asarray(0.0)), [1.0, 2.0])


def test_objects_are_none():
    def program(x):
        return x if np.empty(2, dtype=object)[0] is None else -x

    assert ag.function(program)(rt.asarray(2.0)) == 2.0
