"""A list of lists, of which only the run knows how long they are, is an array where NumPy makes one of it."""

import numpy as np
import pytest

import autograph as ag

A = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]])


def of_items_that_pass(a, least):
    rows = []
    for row in a:
        rows.append([v * 2 for v in row if v > least])
    return np.array(rows)


def of_rows_that_grew(a, least):
    rows = []
    for row in a:
        new = []
        for v in row:
            new.append(v - least)
        rows.append(new)
    return np.array(rows), np.asarray(rows).sum(axis=0), np.sum(rows), np.mean(rows, axis=1)


def of_planes(_, n):
    planes = []
    for i in range(int(n)):
        plane = []
        for j in range(int(n) + 1):
            plane.append([i * j + k for k in range(int(n))])
        planes.append(plane)
    return np.array(planes), np.array(planes).shape


def of_pairs(_, n):
    rows = []
    for i in range(int(n)):
        row = []
        for j in range(int(n)):
            row.append((i, j))
        rows.append(row)
    return np.array(rows)


def of_several_lengths(_, n):
    rows = []
    for i in range(int(n)):
        rows.append([i] * (i + 1))
    try:
        return np.array(rows)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize(
    "program", [of_items_that_pass, of_rows_that_grew, of_planes, of_pairs, of_several_lengths]
)
def test_rows_become_an_array(program):
    ag.check(
        program, A, np.float64(-1.0 if program is of_items_that_pass else 1.0), then=[(A, np.float64(3.0))]
    )


def test_rows_of_several_lengths_are_refused_as_numpy_refuses_them():
    graph = ag.function(of_items_that_pass)
    with pytest.raises(
        ValueError, match=r"inhomogeneous shape after 1 dimensions. The detected shape was \(3,\)"
    ):
        graph(A, np.float64(1.5))


def merged(row):
    """One row of the game 2048, to the left."""
    tiles, out, i = [t for t in row if t], [], 0
    while i < len(tiles):
        twice = i + 1 < len(tiles) and tiles[i] == tiles[i + 1]
        out.append(tiles[i] * 2 if twice else tiles[i])
        i += 2 if twice else 1
    return out + [0] * (len(row) - len(out))


def moved(grid, turns):
    rows = [merged(row) for row in np.rot90(grid, turns)]
    result = np.rot90(np.array(rows), -turns)
    return result, np.array_equal(result, grid)


def test_a_move_of_a_game():
    grid = np.array([[2, 2, 4, 0], [0, 4, 4, 8], [2, 0, 2, 2], [0, 0, 0, 0]])
    ag.check(moved, grid, 0, then=[(grid, 1), (grid.T.copy(), 2), (np.zeros((4, 4), int), 3)])
