"""Items of rows that a tensor chooses from: one table, where all rows are numbers of one kind."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

N = np.int64


def branches_of(function, *arguments):
    """How many branches are in the graph of a call."""
    traced = ag.function(function)
    traced(*arguments)
    return traced.concrete_functions[0].graph.ops.count("If")


def read(i, j):
    grid = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    return grid[i][j], grid[i][-1], grid[i][j] / 2, type(grid[i][j]) is int


def test_an_item_of_a_chosen_row_is_looked_up_in_no_branch():
    ag.check(read, N(1), N(2), then=[(N(-1), N(-3)), (N(3), N(0)), (N(0), N(3)), (N(0), N(-4))])

    def item(i, j):
        grid = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
        return grid[i][j]

    assert branches_of(item, N(1), N(2)) == 0


def test_an_item_of_a_chosen_row_is_put_in_no_branch():
    def program(i, j):
        grid = [[0] * 3 for _ in range(3)]
        first = grid[0]
        grid[i][j] += 2
        grid[j][i] -= 1
        return grid, first, grid[0] is first, [type(item) is int for row in grid for item in row]

    ag.check(program, N(1), N(2), then=[(N(0), N(0)), (N(-1), N(0)), (N(3), N(0)), (N(0), N(-4))])

    def put(i, j):
        grid = [[0] * 3 for _ in range(3)]
        grid[i][j] = 2
        return grid

    assert branches_of(put, N(1), N(2)) == 0


@pytest.mark.parametrize("value", [2, "two", None, [1]])
def test_what_is_put_in_keeps_its_class(value):
    def program(i, j):
        grid = [[0, 1], [2, 3]]
        grid[i][j] = value
        return [item for row in grid for item in row], grid[1][1] == value, isinstance(grid[1][1], int)

    ag.check(program, N(1), N(1), then=[(N(0), N(1))])


def test_the_class_of_an_item_is_refused_where_one_of_numpys_was_put_in_beside_pythons():
    def put(i, j):
        grid = [[0, 1], [2, 3]]
        grid[i][j] = N(2)
        return grid[1]

    def asked(i, j):
        return isinstance(put(i, j)[1], int)

    ag.check(put, N(1), N(1), then=[(N(0), N(1))])
    with pytest.raises(StateDisagrees, match="Python's on some paths"):
        ag.function(asked)(N(1), N(0))


def test_rows_of_several_kinds_are_left_to_branches():
    def program(i, j, x):
        rows = [[0.0, 1.0, 2.0], [x, x, x]]
        found = rows[i][j]
        rows[i][1] = x
        return found, rows

    ag.check(program, N(0), N(0), np.float64(3.0), then=[(N(i), N(i), np.float64(3.0)) for i in (1, 2, 3)])


def test_rows_of_several_lengths_raise_as_python_does():
    def program(i, j):
        rows = [[1, 2], [3, 4, 5]]
        rows[i][j] = 7
        return rows[i][j], rows

    ag.check(program, N(1), N(2), then=[(N(0), N(2)), (N(0), N(1))])


def test_rows_that_are_tuples_are_read():
    def program(i, j):
        rows = [(1.0, 2.0), (3.0, 4.0)]
        return rows[i][j], rows[i][0]

    ag.check(program, N(0), N(1), then=[(N(1), N(1)), (N(1), N(2))])


def test_integers_that_no_dtype_holds_stay():
    def program(i):
        rows = [[2**70, 1], [3, 4]]
        return rows[i][1]

    ag.check(program, N(0), then=[(N(1),)])


def test_an_item_is_changed_in_a_loop_under_another_name():
    def program(n):
        grid = [[0] * 3 for _ in range(3)]
        row = grid[1]
        for k in range(n):
            grid[k % 3][k // 3] += k
            row[0] += 1
        return grid, row

    ag.check(program, N(5), then=[(N(0),), (N(9),), (N(10),)])


def test_what_a_try_has_changed_before_it_raised_is_seen():
    def program(i, j):
        grid = [[0] * 2 for _ in range(2)]
        try:
            grid[i][0] = 1
            grid[i][j] = 2
        except IndexError:
            grid[0][0] += 10
        return grid

    ag.check(program, N(1), N(1), then=[(N(1), N(2)), (N(2), N(0))])


def test_rows_of_the_caller_are_changed_for_the_caller():
    def program(grid, i, j):
        grid[i][j] = 5
        return grid[j][i]

    ag.check(program, [[1, 2], [3, 4]], N(0), N(1), then=[([[1, 2], [3, 4]], N(1), N(0))])
