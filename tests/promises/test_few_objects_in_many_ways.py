"""A few objects of which tensors choose pairs, again and again, are held by a list of the graph."""

import math

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def to(self, other):
        return math.hypot(self.x - other.x, self.y - other.y)

    def is_near(self, other, reach):
        return self.to(other) < reach


CORNERS = np.array([[0.5, 1.0], [0.1, 2.0], [0.9, 0.2], [0.3, 0.3], [0.6, 0.7], [0.0, 0.0]])


def test_those_that_are_kept_of_some():
    def apart(rows, reach):
        points, kept = [Point(x, y) for x, y in rows], []
        points.sort(key=lambda point: point.x)
        while points:
            first = points.pop(0)
            kept.append(first)
            points = [point for point in points if not first.is_near(point, reach)]
        return [point.y for point in kept], kept

    ag.check(apart, CORNERS, 0.4, then=[(CORNERS[::-1].copy(), 0.4), (CORNERS, np.float64(0.9))])


def test_such_a_function_is_traced_with_few_branches():
    def shortest(rows):
        points = [Point(x, y) for x, y in rows]
        points.sort(key=lambda point: point.x)
        return min(one.to(other) for one in points for other in points if one is not other)

    ag.check(shortest, CORNERS, then=[(CORNERS + 1,)])
    assert len(ag.function(shortest).get_concrete_function(CORNERS).graph.ops) < 300


def test_other_names_of_them_show_what_is_changed():
    def moved(rows):
        points = [Point(x, y) for x, y in rows]
        first, same = points[0], list(points)
        points.sort(key=lambda point: point.x)
        total = sum(one.to(other) for one in points for other in points)
        points[0].y = 100.0
        return total, first.y, [point.y for point in same], [point.y for point in points], points[0] is first

    ag.check(moved, CORNERS[:4], then=[(CORNERS[1:5],)])


def test_objects_from_outside_stay_these():
    points = [Point(x, y) for x, y in CORNERS[:4]]

    def nearest(scale):
        ordered = sorted(points, key=lambda point: point.x * scale)
        total = sum(one.to(other) for one in ordered for other in ordered)
        ordered[0].y += 1.0
        return ordered, total

    ag.check(nearest, np.float64(1.0), then=[(np.float64(-1.0),), (np.float64(2.0),)])


def test_what_would_make_too_many_branches_is_refused_soon():
    def codes(weights):
        nodes = [[weight, [[text, ""]]] for text, weight in zip("abcdefgh", weights)]
        while len(nodes) > 1:
            nodes.sort()
            low, high = nodes.pop(0), nodes.pop(0)
            for pair in low[1]:
                pair[1] = "0" + pair[1]
            for pair in high[1]:
                pair[1] = "1" + pair[1]
            nodes.append([low[0] + high[0], low[1] + high[1]])
        return sorted(nodes[0][1])

    with pytest.raises(StateDisagrees, match="more than 1000 branches"):
        ag.function(codes)([np.int64(weight) for weight in (5, 9, 12, 13, 16, 45, 3, 8)])
