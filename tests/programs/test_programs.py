"""Programs as people write them do in a graph what they do in Python, or say why they cannot.

Each is an ordinary function of NumPy's values, in a module of its family, and is called more than once.
"""

import random

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutoGraphError, Difference
from runtime.errors import GraphError, Message
from tests.programs import (
    algorithms,
    chance,
    equations,
    everyday,
    first_days,
    graphs,
    learning,
    machines,
    matrices,
    numbers,
    optimisers,
    puzzles,
    records,
    sequences,
    signals,
    simulations,
    sorting,
    structures,
    tables,
    textbook,
)

i, f, a = np.int64, np.float64, np.array
rng = np.random.default_rng


def grid(*rows):
    """A matrix of digits."""
    return np.array([[int(cell) for cell in row] for row in rows])


def codes(text):
    """The codes of the characters of a text."""
    return np.array([*text.encode()])


CYCLES = np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2], [0, 5]])
VALLEY = a([-1.2, 1.0])
POINTS = np.array([[1.0, 0.5], [0.2, 1.0], [0.3, 0.1]])
TRIANGLE = np.array([[0.0, 4, 1], [4, 0, 2], [1, 2, 0]])
BLOBS = np.array([[0.0, 0.0], [0.1, 0.2], [3.0, 3.0], [3.1, 2.9], [0.2, 0.1]])
SPD = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
MAZE = grid("0010", "0000", "1110")
ROADS = rng(0).integers(0, 20, (30, 2))
WAYS = np.array(
    [[0.0, 4.0, np.inf, np.inf], [4.0, 0.0, 1.0, np.inf], [np.inf, 1.0, 0.0, 2.0], [np.inf] * 3 + [0.0]]
)

SAME = [
    (optimisers.line_search, [(VALLEY, i(6)), (a([1.0, 1.0]), i(5))]),
    (optimisers.nelder_mead, [(VALLEY,), (a([2.0, 2.0]),)]),
    (optimisers.damped_newton, [(VALLEY,), (a([1.0, 1.0]),), (a([3.0, -2.0]),)]),
    (
        optimisers.annealing,
        [(rng(3), f(4.0), i(40)), (rng(4), f(-2.0), i(3))],
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
    (equations.heun, [(f(1.0), f(10.0), f(1e-4)), (f(2.0), f(5.0), f(1e-6)), (f(0.5), f(0.0), f(1e-3))]),
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
    (graphs.dijkstra_by_name, [(f(1.0),), (f(0.5),)]),
    (graphs.floyd_warshall, [(TRIANGLE,)]),
    (graphs.page_rank, [(grid("0110", "0010", "1000", "0000"),)]),
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
    (tables.fibonacci, [(i(7),), (i(3),), (i(12),)]),
    (tables.fibonacci_up_to, [(i(50),), (i(0),)]),
    (tables.pascal, [(i(5),), (i(0),)]),
    (sequences.viterbi, [(a([0, 1, 2, 2]),), (a([2, 0, 0, 1]),)]),
    (sequences.forward_backward, [(a([0, 1, 2, 2]),), (a([2, 0, 0, 1]),)]),
    (sequences.beam_search, [(a([[0.1, 0.5, 0.2], [0.3, 0.9, 0.1], [0.4, 0.2, 0.3]]),), (np.ones((3, 3)),)]),
    (sequences.kalman, [(a([1.0, 2.1, np.nan, 4.2, 50.0]), f(0.1)), (a([1.0, 2.0, 3.0, 4.0, 5.0]), f(1.0))]),
    (sequences.particle_filter, [(rng(1), a([0.1, 0.3, 2.0])), (rng(2), a([0.0, 0.0, 0.0]))]),
    (sequences.run_lengths, [(a([1, 1, 2, 2, 2, 3]),), (a([5, 5, 5, 5, 5, 5]),)]),
    (sequences.moving_median, [(a([3.0, 1.0, 2.0, 9.0, 4.0]),)]),
    (
        sequences.histogram,
        [
            (a([0.5, 1.5, 1.7, -1.0, 9.0]), a([0.0, 1.0, 2.0])),
            (a([0.0, 0.0, 0.0, 0.0, 2.0]), a([0.0, 1.0, 2.0])),
        ],
    ),
    (machines.traffic, [(a([1, 2, 0, 3, 0, 0, 0]),), (a([0, 0, 0, 0, 0, 0, 0]),)]),
    (machines.calculate, [(a([1, 2, 10, 3, 11, 4]),), (a([2, 11, 3, 10, 4, 4]),)]),
    (machines.brackets, [(a([1, 2, -2, -1]),), (a([1, 2, -1, -2]),), (a([1, 0, 0, 2]),)]),
    (
        machines.run_machine,
        [
            (a([[1, 3], [0, 5], [3, 0], [2, 1]]),),
            (a([[1, 99], [0, 5], [3, 0], [2, 1]]),),
            (a([[9, 0], [0, 0], [0, 0], [0, 0]]),),
        ],
    ),
    (machines.elevator, [(a([3, 1, 1, 4]),), (a([0, 0, 0, 0]),)]),
    (machines.vending, [(a([10, 10, 7, 25]),), (a([5, 5, 5, 1]),)]),
    (machines.checksum, [(a([7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3]),), (a([7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 0]),)]),
    (machines.robot, [(a([2, 2, 0, 2, 1, 2]),), (a([0, 0, 2, 2, 2, 2]),)]),
    (machines.levels, [(a([1, 1, 0, 0]),), (a([1, 0, 0, 1]),)]),
    (
        matrices.householder,
        [(a([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),), (a([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]]),)],
    ),
    (matrices.cholesky, [(SPD,), (a([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),)]),
    (matrices.jacobi, [(SPD,), (np.eye(3),)]),
    (matrices.power_method, [(SPD, i(50)), (SPD, i(2))]),
    (matrices.conjugate_gradients, [(SPD, a([1.0, 2.0, 3.0])), (SPD, np.zeros(3))]),
    (matrices.gauss_seidel, [(SPD, a([1.0, 2.0, 3.0]), i(30)), (SPD, a([1.0, 2.0, 3.0]), i(2))]),
    (matrices.gram_schmidt, [(a([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 1.0, 1.0]]),)]),
    (matrices.determinant, [(SPD,), (a([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [4.0, 5.0, 6.0]]),)]),
    (matrices.echelon, [(a([[0, 2, 4], [1, 1, 1], [1, 3, 5]]),), (a([[0, 0, 0], [0, 0, 0], [0, 0, 1]]),)]),
    (
        learning.k_means,
        [
            (BLOBS, a([[0.0, 0.0], [1.0, 1.0], [90.0, 90.0]])),
            (BLOBS, a([[0.0, 0.0], [3.0, 3.0], [0.1, 0.1]])),
        ],
    ),
    (
        learning.gaussian_mixture,
        [(a([0.0, 0.2, 0.1, 3.0, 3.1]), i(20)), (a([0.0, 1.0, 2.0, 3.0, 4.0]), i(2))],
    ),
    (learning.perceptron, [(BLOBS, a([-1, -1, 1, 1, -1]), i(10)), (BLOBS, a([-1, 1, -1, 1, -1]), i(3))]),
    (
        learning.decision_stump,
        [(a([3.0, 1.0, 2.0, 4.0]), a([1, -1, -1, 1])), (a([3.0, 1.0, 2.0, 4.0]), a([-1, 1, -1, 1]))],
    ),
    (
        learning.boosting,
        [(a([3.0, 1.0, 2.0, 4.0]), a([1, -1, 1, -1])), (a([3.0, 1.0, 2.0, 4.0]), a([1, -1, -1, 1]))],
    ),
    (
        learning.logistic_regression,
        [(BLOBS, a([0.0, 0, 1, 1, 0]), f(1.0)), (BLOBS, a([0.0, 0, 1, 1, 0]), f(50.0))],
    ),
    (
        learning.train_network,
        [(learning.Network(rng(5)), a([[0.0, 0], [0, 1], [1, 0], [1, 1]]), a([[0.0], [1], [1], [0]]), i(4))]
        * 2,
    ),
    (
        learning.nearest_neighbours,
        [(BLOBS, a([0, 0, 1, 1, 2]), a([0.5, 0.5]), i(3)), (BLOBS, a([0, 0, 1, 1, 2]), a([2.5, 2.5]), i(1))],
    ),
    (learning.q_learning, [(rng(1), i(3)), (rng(2), i(1))]),
    (chance.monte_carlo_pi, [(rng(1), i(50)), (rng(2), i(5))]),
    (chance.monte_carlo_pi_at_once, [(rng(1),), (rng(2),)]),
    (chance.ruin, [(i(3), i(6), f(0.5)), (i(1), i(9), f(0.1))]),
    (chance.random_walk, [(i(20),), (i(0),)]),
    (chance.metropolis, [(rng(1), i(30), f(2.0)), (rng(1), i(3), f(0.1))]),
    (chance.reservoir, [(rng(1), a([1, 2, 3, 4, 5, 6])), (rng(2), a([6, 5, 4, 3, 2, 1]))]),
    (chance.shuffle, [(rng(1), a([1, 2, 3, 4, 5, 6])), (rng(2), a([6, 5, 4, 3, 2, 1]))]),
    (chance.bootstrap, [(rng(1), a([1.0, 2.0, 4.0]), i(10)), (rng(2), a([1.0, 2.0, 4.0]), i(3))]),
    (chance.poisson, [(rng(1), f(2.0)), (rng(2), f(0.1))]),
    (
        simulations.life,
        [
            (grid("01000", "00100", "11100", "00000", "00000"), i(3)),
            (grid("00000", "00000", "11000", "11000", "00000"), i(3)),
        ],
    ),
    (simulations.life_cell_by_cell, [(grid("010", "010", "010"),), (grid("111", "101", "010"),)]),
    (
        simulations.bank_queue,
        [
            (a([0.0, 0.5, 1.0, 1.2]), a([3.0, 4.0, 1.0, 9.0])),
            (a([0.0, 5.0, 10.0, 15.0]), a([1.0, 1.0, 1.0, 1.0])),
        ],
    ),
    (simulations.transfers, [(f(10.0), a([4.0, 9.0, -2.0, -8.0])), (f(0.0), a([1.0, -1.0, 0.0, 0.0]))]),
    (simulations.predator_prey, [(f(100.0), f(10.0), i(8)), (f(5.0), f(200.0), i(8))]),
    (simulations.cached_squares, [(f(2.0),), (f(-1.0),)]),
    (simulations.cached_roots, [(a([4, 9, 4, 16, 9]),), (a([1, 1, 1, 1, 1]),)]),
    (simulations.swarm, [(f(0.1), i(5)), (f(0.3), i(9))]),
    (
        simulations.sandpile,
        [(a([[0, 0, 0], [0, 9, 0], [0, 0, 0]]),), (a([[1, 1, 1], [1, 1, 1], [1, 1, 1]]),)],
    ),
    (simulations.thermostat, [(a([17.0, 19.0, 23.0, 17.5]),), (a([20.0, 20.0, 20.0, 20.0]),)]),
    (sorting.quick_sort, [(a([3, 1, 2, 5, 4]),), (a([1, 1, 1, 1, 1]),)]),
    (sorting.merge_sort, [(a([3, 1, 2, 5, 4]),), (a([1, 1, 1, 1, 1]),)]),
    (sorting.heap_sort, [(a([3, 1, 2, 5, 4]),), (a([1, 1, 1, 1, 1]),)]),
    (sorting.insertion_sort, [(a([3, 1, 2, 5, 4]),), (a([1, 2, 3, 4, 5]),)]),
    (sorting.bubble_sort, [(a([3, 1, 2, 5, 4]),), (a([1, 2, 3, 4, 5]),)]),
    (sorting.counting_sort, [(a([3, 1, 2, 5, 4]),), (a([9, 9, 0, 0, 1]),)]),
    (sorting.binary_search, [(a([1, 3, 5, 7]), i(5)), (a([1, 3, 5, 7]), i(4)), (a([1, 3, 5, 7]), i(9))]),
    (sorting.smallest, [(a([5, 2, 8, 1, 9]), i(2)), (a([5, 2, 8, 1, 9]), i(4))]),
    (sorting.inversions, [(a([3, 1, 2]),), (a([1, 2, 3]),)]),
    (puzzles.queens, [(i(1),), (i(2),)]),
    (puzzles.queens_by_bits, [(i(4),), (i(5),)]),
    (puzzles.hanoi, [(i(5),), (i(0),)]),
    (puzzles.nim, [(a([3, 4, 5]),), (a([1, 2, 3]),)]),
    (
        puzzles.flood_fill,
        [
            (a([[1, 1, 0], [0, 1, 0], [1, 0, 1]]), i(0), i(0), i(7)),
            (a([[1, 1, 0], [0, 1, 0], [1, 0, 1]]), i(0), i(0), i(1)),
        ],
    ),
    (puzzles.subset_sum, [(a([3, 5, 7]), i(12)), (a([3, 5, 7]), i(1))]),
    (puzzles.permutations, [(a([1, 2, 3]),), (a([2, 2, 2]),)]),
    (numbers.gcd, [(i(240), i(46)), (i(7), i(0))]),
    (numbers.primes, [(i(30),), (i(2),)]),
    (numbers.factors, [(i(360),), (i(97),), (i(1),)]),
    (numbers.power_mod, [(i(3), i(96), i(97)), (i(2), i(0), i(5))]),
    (numbers.collatz_table, [(i(30),), (i(3),)]),
    (numbers.digits, [(i(12321), 10), (i(0), 10), (i(-77), 10)]),
    (numbers.happy, [(i(7),), (i(4),)]),
    (numbers.perfect_numbers, [(i(30),), (i(3),)]),
    (numbers.continued_fraction, [(f(3.245), i(10)), (f(2.0), i(10))]),
    (numbers.binomial, [(i(6), i(3)), (i(3), i(5)), (i(-1), i(0))]),
    (numbers.bits, [(i(44),), (i(0),)]),
    (numbers.roman, [(i(14),), (i(9),)]),
    (signals.fft, [(a([1.0, 2.0, 3.0, 4.0]),)]),
    (signals.fft_in_place, [(a([1.0, 2.0, 3.0, 4.0]),)]),
    (signals.convolve, [(a([1.0, 0.0, 3.0]), a([1.0, -1.0]))]),
    (signals.blur, [(a([[0.0, 1.0, 0.0], [1.0, 5.0, 1.0], [0.0, 1.0, 0.0]]), np.ones((3, 3)) / 9)]),
    (
        signals.spline,
        [
            (a([0.0, 1.0, 2.0, 4.0]), a([0.0, 1.0, 0.0, 2.0]), f(1.5)),
            (a([0.0, 1.0, 2.0, 4.0]), a([0.0, 1.0, 0.0, 2.0]), f(3.9)),
        ],
    ),
    (signals.mandelbrot, [(f(0.7), i(10)), (f(0.1), i(2))]),
    (signals.mandelbrot_at_once, [(a([0j, 1 + 1j, -1 + 0j]), i(10))]),
    (signals.ray_march, [(a([0.0, 0.0, 1.0]),), (a([0.0, 1.0, 0.0]),), (a([0.3, -0.4, 1.0]),)]),
    (
        signals.peaks,
        [
            (a([0.0, 3.0, 1.0, 4.0, 0.0, 0.0, 2.0, 0.0]), f(1.0)),
            (a([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), f(1.0)),
        ],
    ),
    (signals.low_pass, [(a([1.0, 2.0, 3.0]), f(0.5)), (a([1.0, 2.0, 3.0]), f(0.1))]),
    (signals.simpson, [(f(0.0), f(2.0), f(1e-4)), (f(0.0), f(0.1), f(1e-1))]),
    (signals.hull, [(a([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0]]),)]),
    (matrices.lu, [(a([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]),), (np.ones((3, 3)),)]),
    (sorting.quick_select, [(a([5, 2, 8, 1, 9]), i(2)), (a([5, 5, 5, 5, 5]), i(0))]),
    (puzzles.tic_tac_toe, [(a([[1, 2, 0], [2, 1, 0], [0, 0, 1]]),), (a([[1, 2, 0], [2, 1, 0], [0, 0, 2]]),)]),
    (puzzles.matrix_game, [(a([[1.0, -1.0], [-1.0, 1.0]]), i(6)), (a([[3.0, 2.0], [1.0, 0.0]]), i(4))]),
    (sequences.running_statistics, [(a([1.0, 5.0, 2.0]), f(4.0)), (a([9.0, 9.0, 9.0]), f(4.0))]),
    (optimisers.coordinate_descent, [(POINTS, a([1.0, 0.0, 0.5]), f(0.1))]),
    (graphs.bellman_ford, [(a([[0, 1], [1, 2], [0, 2]]), a([1.0, -2.0, 3.0]), 4)]),
    (graphs.a_star, [(MAZE, (2, 3))]),
    (graphs.breadth_first, [(MAZE, (0, 0))]),
    (
        puzzles.sudoku,
        [
            (a([[1, 0, 0, 4], [0, 0, 1, 0], [0, 1, 0, 0], [4, 0, 0, 1]]),),
            (a([[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),),
        ],
    ),
    (
        machines.tokenise,
        [(a([1, 2, 10, 3, 11, 4]),), (a([12, 9, 13, 10, 12, 7]),), (a([1, 2, 3, 4, 5, 99]),)],
    ),
    (simulations.printer_queue, [(a([3, 1, 4, 1, 5, 0, 0]), i(2)), (a([0, 0, 0, 0, 0, 0, 1]), i(2))]),
    (structures.least_on_stack, [(a([3, 1, 2, -1, -1, 5]),), (a([-1, -1, 2, 3, 1, 5]),)]),
    (structures.josephus, [(i(7), i(3)), (i(4), i(2))]),
    (
        structures.prefixes,
        [
            (a([[1, 2, 3], [1, 2, 4], [2, 2, 2]]), a([[1, 2], [2, 3]])),
            (a([[1, 2, 3], [1, 2, 4], [5, 5, 5]]), a([[1, 1], [5, 5]])),
        ],
    ),
    (structures.expression, [(a([2, 3, -1, 4, -2]),), (a([2, 3, 4, -1, -2]),)]),
    (structures.fit_by_terms, [(a([1.0, 2.0]), a([0.5, 0.8]), i(2)), (a([1.0, -2.0]), a([0.5, 0.8]), i(0))]),
    (
        machines.stack_machine,
        [
            (a([[0, 3], [0, 4], [1, 0], [3, 0], [2, 0], [6, 0]]),),
            (a([[0, 0], [5, 4], [0, 1], [6, 0], [0, 9], [6, 0]]),),
            (a([[9, 0], [9, 0], [9, 0], [9, 0], [9, 0], [9, 0]]),),
        ],
    ),
    (machines.cash, [(a([70, 35, 100]),), (a([10, 200, 90]),)]),
    (
        optimisers.linear_program,
        [
            (a([3.0, 5.0]), a([[1.0, 0.0], [0.0, 2.0], [3.0, 2.0]]), a([4.0, 12.0, 18.0])),
            (a([1.0, 1.0]), a([[-1.0, 0.0], [0.0, -2.0], [-3.0, 2.0]]), a([4.0, 12.0, 18.0])),
        ],
    ),
    (
        chance.permutation_test,
        [(np.arange(6.0), np.arange(4.0) + 2, i(40), 0), (a([1.0]), a([3.0, 2.0]), i(5), 3)],
    ),
    (chance.round_trip, [(ROADS[:7] * 1.0, i(30), 1), (ROADS[:3] * 1.0, i(4), 2)]),
    (chance.lottery, [(random.Random(1), i(9)), (random.Random(2), i(5))]),
    (
        graphs.schedule,
        [
            (a([3.0, 2.0, 4.0, 1.0, 2.0]), a([[0, 2], [1, 2], [2, 4], [3, 4]]), i(2)),
            (a([3.0, 2.0, 4.0, 1.0, 2.0]), a([[0, 2], [1, 2], [2, 4], [3, 4]]), i(1)),
        ],
    ),
    (textbook.parsed, [(codes("2*(3+4)-10/(1+1)*-3"),), (codes("-(1+2)*3-4*(5+6)+9-1"),)]),
    (textbook.way_out_of, [(grid("01010", "00010", "11000", "00010", "11000"),), (np.zeros((5, 5), int),)]),
    (textbook.strong_components, [(CYCLES,), (CYCLES[:, ::-1],)]),
    (textbook.cached_squares, [(a([1, 2, 3, 1, 4, 2, 5, 1]),), (a([1, 1, 1, 2, 2, 3, 3, 3]),)]),
    (textbook.code_lengths, [(a([5, 9, 12, 13]),), (a([0, 2, 2, 2]),)]),
    (textbook.fullest_knapsack, [(a([1, 3, 4]), a([1, 4, 5]), i(7)), (a([2, 2, 2]), a([1, 4, 5]), i(3))]),
    (everyday.justified, [("the quick brown fox jumps over".split(), i(12)), ("a bc def".split(), i(3))]),
    (everyday.two_colours, [(grid("010", "101", "010"),), (grid("011", "101", "110"),)]),
    (everyday.behind_its_operands, [(a([7, 0, 8, 2, 9]),), (a([7, 2, 8, 0, 9]),)]),
    (everyday.splits_evenly, [(a([1, 5, 11, 5]),), (a([1, 2, 3, 5]),), (a([2, 2, 3, 5]),)]),
    (everyday.probably_prime, [(i(97),), (i(561),), (i(1),), (i(7),)]),
    (everyday.states, [(a([0, 1, 0, 2, 1]),), (a([1, 1, 0, 0, 0]),)]),
    (everyday.words_in_a_trie, [(a([[0, 1], [0, 0]]),), (a([[1, 1], [1, 0]]),)]),
    (
        everyday.shortest_way,
        [(grid("000", "110", "000"), (0, 0), (2, 0)), (grid("010", "110"), (0, 0), (1, 2))],
    ),
    (
        everyday.undone_and_done_again,
        [(a([[0, 5], [0, 3], [1, 0], [2, 0], [1, 0]]),), (a([[1, 0], [2, 0], [0, 1], [0, 2], [1, 0]]),)],
    ),
    (everyday.merged, [(a([[1, 3], [2, 6], [8, 10]]),), (a([[5, 6], [1, 2], [1, 9]]),)]),
    (everyday.greatest_in_windows, [(a([1, 3, -1, -3, 5, 3]), i(3)), (a([1, 2, 3, 4, 5, 6]), i(1))]),
    (everyday.page, [(i(2),), (i(0),)]),
    (everyday.jobs, [(a([3, 1, 2]), i(1)), (a([3, 3, 3]), i(3))]),
    (first_days.magnet, [(rng(1), i(6), f(0.44)), (rng(2), i(5), f(0.2)), (rng(1), i(6), f(0.44))]),
    (first_days.dice, [(random.Random(1), i(20)), (random.Random(2), i(3)), (random.Random(3), i(20))]),
    (
        first_days.best_split,
        [
            (a([[2.7, 1.0, 0.0], [1.3, 1.5, 0.0], [7.6, 3.1, 1.0], [9.0, 3.2, 1.0]]),),
            (a([[2.0, 1.0, 1.0], [1.0, 5.0, 0.0], [2.0, 3.0, 1.0], [1.0, 1.0, 2.0]]),),
        ],
    ),
    (first_days.most_frequent, [(a([3, 1, 1, 3, 2]),), (a([64, 32, 0, 1, 0]),)]),
    (first_days.longest_chain, [(i(8),), (i(5),)]),
    (
        first_days.words_left,
        [("the cat and the dog", {"the", "and"}, i(2)), ("the cat and the dog", {"the", "and"}, i(4))],
    ),
    (algorithms.integral, [(f(0.0), f(1.0), f(1e-4)), (f(-2.0), f(3.0), f(1e-6))]),
    (algorithms.lbfgs, [(VALLEY,), (a([0.5, 0.5]),)]),
    (
        algorithms.distances,
        [(20, ROADS, rng(1).random(30), i(0)), (20, ROADS[::-1], rng(2).random(30), i(3))],
    ),
    (
        algorithms.spanning_tree,
        [
            (np.column_stack([ROADS, rng(1).random(30)]), 20),
            (np.column_stack([ROADS, rng(2).random(30)]), 20),
        ],
    ),
    (algorithms.suffixes, [(codes("banana"),), (codes("ananas"),)]),
    (algorithms.aligned, [(a([0, 1, 2, 3]), a([0, 2, 3])), (a([1, 1, 2, 0]), a([2, 0, 0]))]),
    (algorithms.packed_and_unpacked, [(codes("abcabcabcd"),), (codes("aaaaaaaaaa"),)]),
    (algorithms.heater_log, [(a([20.0, 17.0, 19.0, 22.0]),), (a([27.0, 60.0, 20.0, 1.0]),)]),
    (algorithms.route, [(WAYS, i(0), i(3)), (WAYS, i(3), i(0))]),
    (algorithms.spiral, [(np.arange(12).reshape(3, 4),), (np.arange(12).reshape(3, 4)[::-1],)]),
    (algorithms.bounced, [(a([0.1, 0.9]), a([-1.0, 2.0]), i(9)), (a([0.5, 0.5]), a([1.0, -1.0]), i(0))]),
    (
        algorithms.waits_in_a_bank,
        [(a([0.0, 0.5, 1.0, 1.2]), a([3.0, 4.0, 1.0, 9.0]), 2), (a([0.0, 5.0, 10.0, 15.0]), np.ones(4), 2)],
    ),
    (numbers.in_base, [(i(255), i(16)), (i(-37), i(2)), (i(0), i(7)), (i(12345), i(36))]),
    (
        everyday.days_later,
        [(i(2023), i(12), i(30), i(3)), (i(2024), i(2), i(27), i(400)), (i(1999), i(1), i(1), i(0))],
    ),
    (everyday.report, [(["apples", "fig"], a([12.5, 99.99])), (["apples", "fig"], a([0.5, 1000.0]))]),
    (everyday.plotted, [(np.sin(np.arange(12) / 2), 5), (np.ones(4), 3), (np.arange(6.0), i(4))]),
    (everyday.enciphered, [("Hello, World!", a([3, 1])), ("Hello, World!", a([25, 5])), ("", a([1]))]),
    (algorithms.found_in, [(codes("abababcabab"), codes("abab")), (codes("aaaa"), codes("b"))]),
    (tables.edits, [(codes("kitten"), codes("sitting")), (codes("a"), codes("abc"))]),
    (simulations.round_robin, [(a([3, 1, 2]), a([5, 2, 4]), i(2)), (a([1, 1]), a([5, 2]), i(10))]),
    (simulations.prey_and_hunters, [(30, f(0.1)), (i(5), f(0.05)), (3, f(0.5))]),
    (matrices.givens, [(SPD,), (a([[1.0, 2.0], [0.0, 1.0], [3.0, 3.0]]),)]),
    (
        learning.lstm,
        [(rng(0).normal(size=(4, 2)), rng(1).normal(size=(12, 5)), np.zeros(12), np.zeros(3))],
    ),
    (everyday.ordered_by_needs, [(a([[0, 1], [1, 2], [0, 2]]), i(4)), (a([[0, 1], [1, 2], [2, 0]]), i(3))]),
    (records.totals_by_region, [(f(3.0),), (f(6.0),), (f(99.0),)]),
    (records.grouped_by_name, [(a([3.0, 4.0, 5.0, 1.0]), f(3.5)), (a([1.0, 1.0, 2.0, 9.0]), f(9.0))]),
    (records.movements, [(a([5, 2, -6, -1]),), (a([-1, 2, 0, 3]),)]),
    (records.looked_up, [(a([1, 2, 1, 3, 2, 1]),), (a([3, 3, 3, 1, 2, 3]),)]),
    (records.summed_when_needed, [(a([1.0, 2.0, 3.0, 4.0]), i(2)), (a([1.0, -1.0, 2.0, 0.5]), i(3))]),
    (records.snake, [(i(4), i(1)), (i(3), i(0)), (i(0), i(5))]),
    (records.by_segment, [(a([0, 1, 1, 3, 0]), a([1.0, 2, 3, 4, 5])), (a([2, 2, 2, 0, 2]), np.ones(5))]),
    (records.cycles_of, [(a([4, 7, 1, 9]), a([0, 2, 3, 1])), (a([1, 2, 3, 4]), a([1, 0, 3, 2]))]),
    (
        records.monotone_spline,
        [
            (a([0.0, 1.0, 2.0, 3.0]), a([0.0, 1.0, 4.0, 9.0]), a([0.5, 2.5, 5.0])),
            (a([0.0, 2.0, 5.0, 6.0]), a([1.0, 0.0, 3.0, 3.0]), a([1.0, -1.0, 6.0])),
        ],
    ),
    (records.dithered, [(a([[10, 200], [250, 9]], np.uint8), i(3)), (a([[7, 7], [7, 7]], np.uint8), i(2))]),
    (
        records.american_put,
        [(f(100.0), f(100.0), f(0.2), f(0.05), i(20)), (f(80.0), f(100.0), f(0.3), f(0.1), i(3))],
    ),
    (records.clusters, [(BLOBS, f(1.0), i(2)), (BLOBS, f(0.1), i(1)), (BLOBS, f(9.0), i(1))]),
    (records.largest_so_far, [(a([4, 2, 9, 7, 5]), 3), (a([1, 1, 1, 5, 0]), 1)]),
    (tables.matrix_chain, [(a([10, 30, 5, 60]),), (a([4, 2]),), (a([40, 20, 30, 10, 30]),)]),
]

REFUSED = [
    (tables.paths, [(grid("000", "010", "000"),)], GraphError, "the cached function count"),
]

WIDER = [
    (puzzles.minimax, [(a([3, 5, 2, 9, 12, 5, 23, 23]),), (a([1, 1, 1, 1, 1, 1, 1, 1]),)]),
]
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
