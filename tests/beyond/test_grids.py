"""`np.r_`, `np.c_`, `np.mgrid` and `np.ogrid`, asked by an index of which a tensor is a part."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import InvalidValue

MATRIX = np.arange(6.0).reshape(2, 3)


def laid_behind_another(n, v, x):
    return np.r_[x, v, n], np.r_[v, 0:3, x[::-1]], np.r_[[v, 1], x], np.r_[MATRIX, MATRIX * v]


def numbers(n, v, x):
    return np.r_[0:n], np.r_[0:v:5j], np.r_[n], np.r_[0:v:0.5, 7]


def dtypes(n, v, x):
    return (
        np.r_[1, n, True],
        np.r_[np.int8(3), 1, np.float32(v)],
        np.r_[1.5, np.float32(v)],
        np.r_[float(v), 1],
    )


def directives(n, v, x):
    return (
        np.r_["1", MATRIX, MATRIX * v],
        np.r_["0,2", x, x * v],
        np.r_["1,2,0", x, x * v],
        np.r_["-1,3,1", x, v],
    )


def columns(n, v, x):
    return np.c_[x, x * v], np.c_[x, MATRIX[0]], np.c_[MATRIX * v, [n, 1]], np.c_[n, v], np.c_[0:3, x]


def grids(n, v, x):
    return np.mgrid[0:n, 0:2], np.mgrid[:n, :n], np.mgrid[0:v:3j, 0:n], np.mgrid[0:v:0.5, 0:2], np.mgrid[0:n]


def open_grids(n, v, x):
    return np.ogrid[0:n, 0:3], np.ogrid[0:v:1j, 0:3], np.ogrid[0:n], np.ogrid[0:v:4j]


def grown_in_a_loop(n, v, x):
    for a in range(n):
        x = np.r_[x, v * a]
    return x


def gathered_in_a_list(n, v, x):
    rows = []
    for a in range(n):
        rows.append(a * v)
    return np.r_[rows, 1]


def an_unknown_directive(n, v, x):
    return np.r_["q", x]


def a_late_directive(n, v, x):
    return np.r_[x, "0,2"]


PROGRAMS = [
    laid_behind_another,
    numbers,
    dtypes,
    directives,
    columns,
    grids,
    open_grids,
    grown_in_a_loop,
    gathered_in_a_list,
    an_unknown_directive,
    a_late_directive,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_index_says_what_numpy_makes(program):
    first = np.int64(4), np.float64(2.5), np.array([1.0, 2, 3])
    ag.check(program, *first, then=[(np.int64(1), np.float64(0.5), np.array([0.0, -2, 3]))])


def test_a_grid_of_negative_length_is_refused_as_numpy_does():
    def grid(n):
        return np.mgrid[0:n, 0:2]

    ag.check(grid, np.int64(2), then=[(np.int64(-1),), (np.int64(0),)])


def test_a_matrix_is_refused_with_a_way_out():
    @ag.function
    def matrix(x):
        return np.r_["r", x]

    with pytest.raises(InvalidValue, match=r"Write `np\.c_`"):
        matrix(np.ones(3))
