"""A comprehension over a range of Python's that an array filters is a loop of the graph, as a `for` is."""

import math

import numpy as np

import autograph as ag
import runtime as rt


def near(points, i, reach):
    return [j for j in range(len(points)) if math.dist(points[i], points[j]) <= reach]


def ops_of(function, *args):
    return function.get_concrete_function(*args).graph.ops


def test_it_is_one_loop():
    points = np.random.default_rng(0).normal(size=(25, 2))
    ag.check(near, points, np.int64(3), 0.7, then=[(points, np.int64(4), 0.2)])
    kinds = ops_of(ag.function(near), points, np.int64(3), 0.7)
    assert (kinds.count("StatelessWhile"), kinds.count("StatelessIf")) == (1, 1)


def test_what_its_numbers_decide_for_python_stays_unrolled():
    names = {0: "a", 1: "b", 3: "d"}

    def named(x):
        return [names[i] for i in range(4) if i in names and x > i]

    ag.check(named, np.float64(2.0), then=[(np.float64(9.0),)])


def test_of_a_few_numbers_it_is_copies():
    def among(x, n):
        return [i for i in range(3) if x[i] > n]

    ag.check(among, np.array([1.0, 5.0, 3.0]), np.float64(2.0))
    assert "StatelessWhile" not in ops_of(ag.function(among), rt.TensorSpec((3,)), rt.TensorSpec(()))


def test_a_list_of_many_that_may_be_none_gives_way_to_one_of_the_graph():
    def groups(points, reach):
        labels, group = [None] * len(points), 0
        for i in range(len(points)):
            if labels[i] is not None:
                continue
            pending = near(points, i, reach)
            labels[i] = group
            while pending:
                j = pending.pop()
                if labels[j] is not None:
                    continue
                labels[j] = group
                pending += near(points, j, reach)
            group += 1
        return labels, group

    points = np.random.default_rng(1).normal(size=(20, 2))
    ag.check(groups, points, 0.5, then=[(points, np.float64(0.2))])
    assert len(ops_of(ag.function(groups), points, 0.5)) < 60


def test_such_a_list_may_be_read_and_given_back():
    def remembered(n, k):
        memo = [None] * 40
        for i in range(n):
            memo[i * 3 % 40] = i * 0.5
        return memo, memo[k], memo.count(None), [each for each in memo if each is not None]

    ag.check(remembered, np.int64(7), np.int64(3), then=[(np.int64(7), np.int64(1))])


def test_numbers_of_several_kinds_beside_none_stay_what_they_are():
    def mixed(x, k):
        kept = [None, 2, 2.5] * 6
        if x > 0:
            kept[k] = 7
        return kept

    ag.check(mixed, np.float64(1.0), 1, then=[(np.float64(-1.0), 1)])
