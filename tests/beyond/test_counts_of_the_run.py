"""Functions of NumPy that are told by a number how many elements there are, which only the run knows."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue

VECTOR = np.arange(6.0)
MATRIX = np.arange(6.0).reshape(2, 3)


def points(n, v, x):
    return np.linspace(0, 1, n), np.linspace(v, 7, num=n, endpoint=False), np.linspace(0, 10, n, dtype=int)


def points_between_vectors(n, v, x):
    return np.linspace(x, 3, n, axis=1), np.linspace(np.float32(v), np.float32(7), n, retstep=True)


def points_between_tiny_numbers(n, v, x):
    return np.linspace(0, 5e-324 * 3, n)


def powers(n, v, x):
    return np.logspace(0, v, n), np.geomspace(1, v + 1, n), np.geomspace(-1, -100, n, endpoint=False)


def matrices(n, v, x):
    return np.eye(3, k=n - 2), np.eye(n, 4, k=1), np.identity(n), np.diag(x, k=n - 2), np.diagflat(x, n)


def tiles(n, v, x):
    return (
        np.tile(VECTOR, n),
        np.tile(x, (n, 1)),
        np.tile(MATRIX, (n, 2, 1)),
        np.tile(v, n),
        np.tile(x, (2, n)),
    )


def tiles_of_a_vector_of_counts(n, v, x):
    return np.tile(x, np.array([n, 2]))


def surrounded(n, v, x):
    return np.pad(VECTOR, n), np.pad(x, (0, 8 - n), constant_values=v), np.pad(MATRIX * v, ((n, 1), (0, n)))


def surrounded_by_constants(n, v, x):
    return np.pad(MATRIX * v, ((n, 1), (0, 2)), constant_values=((1, 2), (3, 4)))


def surrounded_by_its_own(n, v, x):
    return [np.pad(x, (n, 2), mode=mode) for mode in ("edge", "wrap", "reflect", "symmetric")]


def split(n, v, x):
    return np.split(VECTOR, [n % 3, 4]), np.array_split(x, [n, n + 1]), np.split(MATRIX * v, (1, n), axis=1)


def split_at_a_vector_of_places(n, v, x):
    return np.array_split(VECTOR, np.array([n, 2])), np.hsplit(MATRIX, [n])


def frequencies(n, v, x):
    return np.fft.fftfreq(n + 2), np.fft.fftfreq(n + 2, v + 1), np.fft.rfftfreq(n + 2, d=0.25)


def surrounded_though_empty(n, v, x):
    return np.pad(x[:0], (n, 0), mode="edge")


PROGRAMS = [
    points,
    points_between_vectors,
    points_between_tiny_numbers,
    powers,
    matrices,
    tiles,
    tiles_of_a_vector_of_counts,
    surrounded,
    surrounded_by_constants,
    surrounded_by_its_own,
    split,
    split_at_a_vector_of_places,
    frequencies,
    surrounded_though_empty,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_count_that_only_the_run_knows_is_a_count(program):
    first, *others = [
        (np.int64(n), np.float64(v), np.array(x))
        for n, v, x in [
            (4, 2.5, [1.0, 2, 3]),
            (5, 0.5, [0, -2.0, 3]),
            (0, 0.0, [0.0, 1, 2]),
            (1, 3.0, [4.0, 5, 6]),
        ]
    ]
    ag.check(program, *first, then=others)


@pytest.mark.parametrize("program", [points, powers, matrices, tiles, surrounded, surrounded_by_its_own])
def test_a_negative_count_is_refused_as_numpy_does(program):
    x = np.array([1.0, 2, 3])
    ag.check(program, np.int64(2), np.float64(2.5), x, then=[(np.int64(-1), np.float64(2.5), x)])


def test_a_count_is_an_integer():
    def counted(v):
        return np.linspace(0, 1, v)

    ag.check(counted, np.float64(2.5))


def test_an_axis_that_only_the_run_knows_is_refused_as_a_number_of_the_graph():
    @ag.function
    def flipped(n):
        return np.flip(MATRIX, axis=n % 2)

    with pytest.raises(NoConcreteValue, match="a tensor of a graph was used as a Python int"):
        flipped(np.int64(1))
