"""The least and the most of long loops: branches that are expected not to be taken."""

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.language.loops import If
from runtime.executors.native.language.walking import inside
from runtime.executors.native.whole import lowered


def extremes(x):
    low, high, at = x[0], x[0], 0
    for i in range(len(x)):
        if x[i] < low:
            low = x[i]
            at = i
        if x[i] >= high:
            high = x[i]
    return low, high, at


def place_of_largest(x):
    at = 0
    for i in range(len(x)):
        if x[i] > x[at]:
            at = i
    return at, x[at], x[0]


def largest_step(x):
    largest, i = 0.0, 1
    while i < len(x) and x[i] < 1e300:
        step = abs(x[i] - x[i - 1])
        if largest < step:
            largest = step
        i += 1
    return largest, i


def in_steps(x):
    low, high = 0.0, 1.0
    for i in range(len(x)):
        middle = 0.5 * (low + high)
        if middle < x[i]:
            low = middle
        else:
            high = middle
    return low, high


def place_of_least_left(x):
    gone, order = np.zeros(len(x), bool), np.zeros(len(x), int)
    for turn in range(len(x)):
        best = -1
        for i in range(len(x)):
            if not gone[i] and (best < 0 or x[i] < x[best]):
                best = i
        gone[best] = True
        order[turn] = best
    return order, gone, x[order]


RANDOM = np.random.default_rng(0).normal(size=300)
ORDERS = {"random": RANDOM, "up": np.sort(RANDOM), "down": np.sort(RANDOM)[::-1].copy(), "one": np.ones(300)}
ORDERS["nan"] = np.where(np.arange(300) % 7 == 3, np.nan, RANDOM)
ORDERS["zeros"] = np.where(np.arange(300) % 2, 0.0, -0.0)


def expected_branches(program, x):
    module = ag.function(program).get_concrete_function(x).optimised_module
    statements = inside(lowered(module).functions[-1].body)
    return sum(isinstance(each, If) and each.is_rare and bool(each.orelse) for each in statements)


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["default", "jit_compile"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("program", [extremes, place_of_largest, place_of_least_left, largest_step, in_steps])
def test_extremes_are_pythons_in_any_order(program, order, options):
    x = ORDERS[order]
    found = ag.function(program, **options)(x)
    for one, other in zip(found, program(x), strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


@pytest.mark.parametrize(
    ("program", "count"), [(extremes, 1), (place_of_largest, 1), (largest_step, 0), (in_steps, 0)]
)
def test_branches_that_exceed_what_was_found_and_do_more_are_expected_not_to_be_taken(program, count):
    assert expected_branches(program, RANDOM) == count


def test_nothing_is_expected_of_whole_numbers_and_of_short_loops():
    assert expected_branches(extremes, np.arange(300)) == 0
    assert expected_branches(extremes, RANDOM[:20]) == 0


def test_a_place_is_expected_to_stay_also_where_more_has_to_hold_and_of_whole_numbers():
    for x in (RANDOM, np.arange(300)):
        assert expected_branches(place_of_largest, x) == 1
        assert expected_branches(place_of_least_left, x) >= 1
