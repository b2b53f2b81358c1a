"""Named tuples are keys and elements like other tuples, and are equal to those of the same elements."""

from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


class Point(NamedTuple):
    x: float
    y: float

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    def cross(self, other):
        return self.x * other.y - self.y * other.x


A = np.array([[0.0, 1.0], [2.0, 3.0], [0.0, 1.0]])


def in_a_set(a):
    return sorted({Point(x, y) for x, y in a})


def in_a_dict(a):
    counts = {}
    for x, y in a:
        counts[Point(x, y)] = counts.get((x, y), 0) + 1
    return counts, counts[0.0, 1.0], Point(2.0, 3.0) in counts, (5.0, 5.0) in counts, [p.x for p in counts]


def in_a_list(a):
    rows = []
    for x, y in a:
        rows.append(Point(x, y))
    return (0.0, 1.0) in rows, rows.count((0.0, 1.0)), rows.index((2.0, 3.0)), rows[0] == (0.0, 1.0)


def among_tuples(a):
    rows = []
    for x, y in a:
        rows.append((x, y))
    points = [Point(x, y) for x, y in rows]
    return Point(0.0, 1.0) in rows, rows.count(Point(0.0, 1.0)), rows == points, points == rows


def hull(a):
    points = sorted({Point(x, y) for x, y in a})

    def half(points):
        out = []
        for p in points:
            while len(out) >= 2 and (out[-1] - out[-2]).cross(p - out[-2]) <= 0:
                out.pop()
            out.append(p)
        return out

    return half(points)[:-1] + half(reversed(points))[:-1] if len(points) > 2 else points


@pytest.mark.parametrize("program", [in_a_set, in_a_dict, in_a_list, among_tuples])
def test_named_tuples_are_compared_by_their_elements(program):
    ag.check(program, A, then=[(A[::-1].copy(),)])


def test_the_hull_of_points():
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]])
    ag.check(hull, square, then=[(square * 2,), (np.zeros((5, 2)),)])


def test_a_set_of_tuples_takes_no_new_one_of_another_class():
    def mixed(a):
        found = {(x, y) for x, y in a}
        found.add(Point(9.0, 9.0))
        return len(found)

    with pytest.raises(StateDisagrees, match="is in one container with keys that only the run knows"):
        ag.function(mixed)(A)
