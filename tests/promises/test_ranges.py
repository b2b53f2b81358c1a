"""Ranges of which only the run knows the bounds do what Python's do."""

import numpy as np
import pytest

import autograph as ag


def looked_up(n, value):
    numbers = range(1, n, 2)
    try:
        place = numbers.index(value)
    except ValueError as error:
        place = str(error)
    return place, numbers.count(value), numbers.count("a")


@pytest.mark.parametrize("value", [3, 4, -1, np.int64(5), np.int64(6), np.int64(99), np.float64(3.0)])
def test_a_value_is_looked_up(value):
    ag.check(looked_up, np.int64(9), value, then=[(np.int64(1), value)])


def backwards(n):
    numbers = range(n, 0, -3)
    return numbers.index(n), numbers.count(1), [numbers.index(each) for each in numbers]


def test_a_value_is_looked_up_in_a_range_that_goes_down():
    ag.check(backwards, np.int64(9), then=[(np.int64(1),)])


def test_the_text_of_a_range_leaves_out_a_step_of_one():
    def shown(n, step):
        numbers = range(0, n, step)
        print(numbers, [range(n, -3, -step)])
        return f"{numbers}", repr(numbers), f"{numbers!s:>20}"

    ag.check(shown, np.int64(9), np.int64(3), then=[(np.int64(4), np.int64(n)) for n in (1, -2, 0)])
