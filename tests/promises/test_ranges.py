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


LEAST, MOST = -(2**63), 2**63 - 1
BOUNDS = [LEAST, -5, 0, 7, MOST - 1, MOST]


def first_turns(numbers):
    turns, last = 0, None
    for i in numbers:
        turns, last = turns + 1, i
        if turns == 4:
            break
    return turns, last


RANGES = {
    "two bounds": lambda low, high, step: first_turns(range(low, high)),
    "any step": lambda low, high, step: first_turns(range(low, high, step)),
    "down": lambda low, high, step: first_turns(range(low, high, -1)),
    "by a known step": lambda low, high, step: first_turns(range(low, high, 3)),
    "by the largest step": lambda low, high, step: first_turns(range(low, high, MOST)),
    "down by the largest step": lambda low, high, step: first_turns(range(low, high, LEAST)),
    "from a known number": lambda low, high, step: (
        first_turns(range(-1, high)),
        first_turns(range(1, high)),
    ),
    "to a known number": lambda low, high, step: (first_turns(range(low, 1)), first_turns(range(low, -2, 2))),
    "down to a known number": lambda low, high, step: first_turns(range(low, -1, -1)),
    "by twos": lambda low, high, step: (first_turns(range(0, high, 2)), first_turns(range(low, 0, -2))),
}


@pytest.mark.parametrize("program", RANGES.values(), ids=RANGES)
def test_a_range_has_as_many_numbers_as_pythons_for_all_bounds_of_64_bits(program):
    rows = [(low, high) for low in BOUNDS for high in BOUNDS]
    steps = [1, -1, 2, MOST, LEAST, -3]
    calls = [(*row, steps[index % len(steps)]) for index, row in enumerate(rows)]
    first, *others = [tuple(map(np.int64, call)) for call in calls]
    ag.check(program, *first, then=others, executors=("numpy", "native"))


def test_the_length_of_a_range_that_is_too_long_is_an_overflow():
    def lengths(low, high):
        try:
            return len(range(low, high)), range(low, high)[-1]
        except OverflowError as error:
            return str(error)

    ag.check(
        lengths, np.int64(-5), np.int64(9), then=[(np.int64(-1), np.int64(MOST)), (np.int64(5), np.int64(1))]
    )
    assert ag.function(lengths)(np.int64(LEAST), np.int64(1)) == lengths(np.int64(LEAST), np.int64(1))
