"""A sum of nothing is the number of Python's that it starts from: divided by 0 it raises."""

import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt

SOME, NONE = np.array([1.0, 4.0, -1.0]), np.array([-2.0, -3.0, -1.0])


def of_list(xs):
    kept = [x for x in xs if x > 0]
    return sum(kept) / len(kept)


def of_floats(xs):
    kept = [float(x) for x in xs if x > 0]
    return sum(kept) / len(kept)


def from_float(xs):
    kept = [x for x in xs if x > 0]
    return sum(kept, 0.0) / len(kept)


def of_selected(xs):
    kept = xs[xs > 0]
    return sum(kept) / len(kept)


def by_weights(xs):
    return sum(x * 0.5 for x in xs if x > 0) / sum(x for x in xs if x > 0)


def in_a_loop(xs):
    total, n = 0.0, 0
    for x in xs:
        if x > 0:
            total += x
            n += 1
    return total / n


def or_nothing(xs):
    kept = [x for x in xs if x > 0]
    try:
        return sum(kept) / len(kept)
    except ZeroDivisionError:
        return -1.0


@pytest.mark.parametrize(
    "mean", [of_list, of_floats, from_float, of_selected, by_weights, in_a_loop, or_nothing]
)
def test_it_raises_as_python_does_and_nothing_is_said_before(mean):
    ag.check(mean, SOME, then=[(NONE,)])


@pytest.mark.parametrize("mean", [of_list, of_floats, from_float])
def test_a_mean_is_a_float_however_many_there_are(mean):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ag.function(mean)(SOME) == 2.5


def test_a_sum_that_is_seen_is_told_of():
    @ag.function
    def total(xs):
        return sum([float(x) for x in xs if x > 0])

    with pytest.warns(rt.errors.KindsMeetWarning, match="the sum"):
        total(SOME)


def test_a_sum_divided_by_a_zero_of_numpys_is_not_a_number():
    def shared(xs, by):
        return sum([x for x in xs if x > 0]) / by

    ag.check(shared, SOME, np.float64(2.0), then=[(NONE, np.float64(2.0)), (SOME, np.float64(4.0))])
