"""Lists in lists in lists of numbers are machine code, and each is changed where it lies."""

import contextlib

import numpy as np
import pytest

import autograph as ag

X = np.arange(60.0) % 7


def cube_of(n):
    cube = []
    for i in range(n):
        plane = []
        for j in range(n):
            row = []
            for k in range(n):
                row.append(i * j + k)
            plane.append(row)
        cube.append(plane)
    return cube


def summed(x, n):
    cube, total = cube_of(n), 0
    for i in range(n):
        for j in range(n):
            for k in range(n):
                total += cube[i][j][k] * (i - k) + cube[-1][k][j]
    return total


def by_items(x, n):
    total = 0
    for plane in [[[i * j - k for k in range(n)] for j in range(i)] for i in range(n)]:
        for row in plane:
            for value in row:
                total = (total * 3 + value) % 1000003
    return total


def given(x, n):
    return cube_of(n), [[[x[k] for k in range(i)] for i in range(j)] for j in range(n)]


def each_of_them(x, n):
    cube = [[[0.0 for _ in range(n)] for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                cube[i][j][k] = cube[i - 1][j][k] + cube[j][i][k - 1] * 0.5 + x[k]
    return cube


def groups(x, n):
    found = [[[] for _ in range(3)] for _ in range(n)]
    for i in range(n * 6):
        found[i % n][i % 3].append(x[i])
        found[-1][0].append(x[i] * 2.0)
    return found, len(found[0][1])


def rows_that_come(x, n):
    found = [[] for _ in range(n)]
    for i in range(n * 6):
        found[i % n].append([x[i]] * (i % 4))
        found[0][0].append(x[i])
        if len(found[i % n]) > 4:
            found[i % n].pop(1)
    return found


def a_plane_under_a_name(x, n):
    cube, total = [[[x[k] for k in range(n)] for _ in range(n)] for _ in range(n)], 0.0
    for i in range(n):
        plane = cube[i]
        before = cube[i][0][:]
        for j in range(n):
            plane[j][i] = x[j] + total
        cube[i][0][0] += 1.0
        total += plane[0][0] + sum(before) + sum(cube[i - 1][-1])
    return cube, total


def planes_that_take_places(x, n):
    cube = [[[x[k] + i for k in range(i)] for _ in range(n)] for i in range(n)]
    for i in range(n):
        cube[i] = [[x[i]] * i for _ in range(i + 2)]
        cube[i][1] = [x[i], x[i + 1], x[i + 2]]
        cube[i - 1] = [row[:] for row in cube[i]]
        cube[i - 1][0] = [x[i + 1]] * (n - i)
        cube[i][i % 2].append(x[3])
    return cube


def kept_from_before(x, n):
    cube = [[[x[k] for k in range(3)] for _ in range(2)] for _ in range(n)]
    kept = [row[:] for row in cube[0]]
    for i in range(n):
        cube[0][1][i % 3] = x[i] + 10.0
        cube[i].append([x[i]])
    return cube, kept, [len(plane) for plane in cube]


def in_some_turns(x, n):
    cube, faults = [[[x[j]] for j in range(n)] for _ in range(n)], 0
    for i in range(n * 6):
        try:
            if x[i] > 3.0:
                cube[i % n][i % 4][0] = x[i]
            else:
                cube[i % n][0].append(x[i])
                cube[i % n][1][i] = 0.0
        except IndexError:
            faults += 1
    return cube, faults


def of_one_more(x, n):
    found = [[[[0.0] * 3 for _ in range(2)] for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            found[i][j][1][2] += x[i + j]
            found[j][i][0].append(found[i][j][1][2])
            found[j][0].append([x[i]])
    total = 0.0
    for cube in found:
        for plane in cube:
            for row in plane:
                total += sum(row) * len(plane)
    return found, total


def outside(x, n):
    cube = cube_of(n)
    cube[n - 1][1][n] = 7
    return cube


PROGRAMS = [
    *(summed, by_items, given, each_of_them, groups, rows_that_come, a_plane_under_a_name),
    *(planes_that_take_places, kept_from_before, in_some_turns, of_one_more, outside),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_does_what_python_does(program):
    ag.check(program, X, np.int64(3), then=[(X, np.int64(5))], executors=["native", "numpy"])


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_machine_code(program):
    graph = ag.function(program)
    for _ in range(2):
        with contextlib.suppress(IndexError):
            graph(X, np.int64(3))
    report = graph.concrete_functions[0].report()
    assert report.executor == "native", report.why


def test_nothing_is_copied_for_a_number():
    def made(n):
        cube = [[[0 for _ in range(n)] for _ in range(n)] for _ in range(n)]
        return cube[0][1][2]

    def changed(n):
        cube = [[[0 for _ in range(n)] for _ in range(n)] for _ in range(n)]
        for i in range(n):
            for j in range(n):
                cube[i][j][j] = cube[j - 1][i][j] + i
        return cube[0][1][2]

    one, other = (
        ag.function(each).get_concrete_function(np.int64(3)).program.source() for each in (made, changed)
    )
    assert one.count("memory(") == other.count("memory(")
    assert one.count("[:]") == other.count("[:]")
