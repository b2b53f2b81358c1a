"""Programs as people write them do in a graph what they do in Python, or say why they cannot.

Each is an ordinary function of NumPy's values, in a module of its family, and is called more than once.
"""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutoGraphError, Difference
from runtime.errors import LeakedTensor, Message, NoConcreteValue, StateDisagrees
from tests.programs import equations, graphs, optimisers, tables

i, f, a = np.int64, np.float64, np.array


def grid(*rows):
    """A matrix of digits."""
    return np.array([[int(cell) for cell in row] for row in rows])


VALLEY = a([-1.2, 1.0])
POINTS = np.array([[1.0, 0.5], [0.2, 1.0], [0.3, 0.1]])
TRIANGLE = np.array([[0.0, 4, 1], [4, 0, 2], [1, 2, 0]])
MAZE = grid("0010", "0000", "1110")

SAME = [
    (optimisers.line_search, [(VALLEY, i(6)), (a([1.0, 1.0]), i(5))]),
    (optimisers.nelder_mead, [(VALLEY,), (a([2.0, 2.0]),)]),
    (optimisers.damped_newton, [(VALLEY,), (a([1.0, 1.0]),), (a([3.0, -2.0]),)]),
    (
        optimisers.annealing,
        [(np.random.default_rng(3), f(4.0), i(40)), (np.random.default_rng(4), f(-2.0), i(3))],
    ),
    (
        optimisers.fit_with_adam,
        [(a([0.0, 1.0, 2.0]), a([1.0, 3.0, 5.0]), i(30)), (a([0.0, 1.0, 1.0]), a([0.0, 0.0, 0.0]), i(9))],
    ),
    (optimisers.golden_section, [(f(-3.0), f(5.0), f(1e-6)), (f(0.0), f(1.0), f(0.1))]),
    (equations.bisection, [(f(1.0), f(2.0)), (f(2.0), f(3.0)), (f(0.0), f(4.0))]),
    (equations.secant, [(f(1.0), f(2.0), i(20)), (f(1.0), f(2.0), i(2)), (f(1.0), f(1.0), i(5))]),
    (equations.brent, [(f(1.0), f(2.0)), (f(2.0), f(3.0)), (f(-3.0), f(9.0))]),
    (equations.runge_kutta_45, [(a([2.0, 0.0]), f(1.0), f(1e-6)), (a([0.5, 0.5]), f(0.3), f(1e-3))]),
    (equations.bouncing_ball, [(f(1.0), f(0.7), f(1.5)), (f(0.2), f(0.2), f(3.0))]),
    (equations.newton_system, [(a([1.0, -1.7]),), (a([-1.8, 0.8]),), (a([0.0, 0.0]),)]),
    (equations.heat, [(a([0.0, 0.0, 10.0, 0.0, 1.0]), i(20)), (a([0.0, 0.0, 0.0, 0.0, 0.0]), i(3))]),
    (
        equations.leapfrog,
        [(a([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), np.zeros((3, 2)), a([1.0, 2.0, 0.5]), i(5))],
    ),
    (graphs.dijkstra, [(TRIANGLE, i(0)), (a([[0.0, 1, 0], [0, 0, 0], [0, 0, 0]]), i(0))]),
    (
        graphs.kruskal,
        [(a([[0, 1], [1, 2], [0, 2], [3, 4], [2, 3], [4, 5]]), a([3.0, 1.0, 2.0, 5.0, 4.0, 0.5]))],
    ),
    (graphs.percolates, [(grid("101", "110", "011"),), (grid("101", "010", "101"),)]),
    (
        graphs.topological_order,
        [(grid("0110", "0001", "0001", "0000"),), (grid("0100", "0010", "0100", "0000"),)],
    ),
    (graphs.floyd_warshall, [(TRIANGLE,)]),
    (graphs.components, [(i(3),), (i(4),)]),
    (
        tables.longest_common,
        [(a([1, 2, 3, 2, 4]), a([2, 4, 3, 1, 2])), (a([1, 1, 1, 1, 1]), a([2, 2, 2, 2, 2]))],
    ),
    (tables.edit_distance, [(a([1, 2, 3, 2]), a([2, 3, 1]))]),
    (
        tables.knapsack,
        [(a([10.0, 40.0, 30.0, 50.0]), a([5, 4, 6, 3]), i(10)), (np.ones(4), a([1, 1, 1, 1]), i(20))],
    ),
    (tables.coins, [(i(30),), (i(0),)]),
    (tables.longest_increasing, [(a([3, 1, 4, 1, 5, 9, 2, 6]),), (a([3, 2, 1, 1, 1, 1, 1, 1]),)]),
    (tables.largest_sum, [(a([-2.0, 1, -3, 4, -1, 2, 1, -5, 4]),), (a([-2.0, -1, -3]),)]),
    (tables.fibonacci_up_to, [(i(50),), (i(0),)]),
]

REFUSED = [
    (
        optimisers.coordinate_descent,
        [(POINTS, a([1.0, 0.0, 0.5]), f(0.1))],
        StateDisagrees,
        "an array that is met under two names",
    ),
    (graphs.dijkstra_by_name, [(f(1.0),)], NoConcreteValue, "the hash of an object that a tensor chooses"),
    (graphs.breadth_first, [(MAZE, (0, 0))], NoConcreteValue, "a tensor decides how many items there are"),
    (
        graphs.bellman_ford,
        [(a([[0, 1], [1, 2], [0, 2]]), a([1.0, -2.0, 3.0]), 4)],
        StateDisagrees,
        "elements of different structures",
    ),
    (
        graphs.page_rank,
        [(grid("0110", "0010", "1000", "0000"),)],
        StateDisagrees,
        "an array of NumPy is changed in place",
    ),
    (graphs.a_star, [(MAZE, (2, 3))], StateDisagrees, "is in its dict on one path"),
    (tables.paths, [(grid("000", "010", "000"),)], LeakedTensor, "a tensor of the graph"),
    (tables.fibonacci, [(i(7),)], NoConcreteValue, "as the key of a dict"),
    (tables.pascal, [(i(5),)], StateDisagrees, "elements of different structures"),
]

WIDER = [(tables.matrix_chain, [(a([10, 30, 5, 60]),)])]
"""Programs with a number that is an int on one path and a float on the other: a graph gives the float."""

ULPS = 64
"""Powers and sums differ by a few units in the last place, and programs compute on with them."""


def check(program, calls):
    """Compares several calls of a program."""
    first, *then = calls
    ag.check(program, *first, then=then, ulps=ULPS)


@pytest.mark.parametrize(("program", "calls"), SAME, ids=[program.__name__ for program, _ in SAME])
def test_a_program_does_in_a_graph_what_it_does_in_python(program, calls):
    check(program, calls)


@pytest.mark.parametrize(
    ("program", "calls", "error", "text"), REFUSED, ids=[program.__name__ for program, *_ in REFUSED]
)
def test_a_program_that_is_refused_shows_its_line_and_a_way_out(program, calls, error, text):
    with pytest.raises((Message, AutoGraphError)) as refusal:
        check(program, calls)
    assert isinstance(refusal.value, error)
    assert text in str(refusal.value)
    assert program.__code__.co_filename in str(refusal.value)
    assert refusal.value.way_out


@pytest.mark.parametrize(("program", "calls"), WIDER, ids=[program.__name__ for program, _ in WIDER])
def test_a_number_that_is_an_int_on_one_path_alone_is_a_float(program, calls):
    with pytest.raises(Difference, match=r"int64(.|\n)*float64"):
        check(program, calls)
