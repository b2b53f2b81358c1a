"""A variable outside that turns bind to views of what it was shows the memory of that after the run."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

VIEWS = {
    "turned round": "held[::-1]",
    "the whole": "held[:]",
    "all but the first": "held[1:]",
}
TABLES = {
    "transposed": "held.T",
    "rows the other way": "held[::-1]",
    "columns the other way": "held[:, ::-1]",
    "both, and transposed": "held[::-1, ::-1].T",
}


def check_held(cut, start, index):
    """The function over three calls, with what is outside, and what that was before."""
    program = function_of(
        f"""
held = {start}
first = held
def f(n, v):
    global held
    for i in range(n):
        held = {cut}
    held[{index}] += v
    return held, first
"""
    )
    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(n), np.float64(0.5)) for n in (2, 0)])


@pytest.mark.parametrize("cut", VIEWS)
def test_it_shows_a_row(cut):
    check_held(VIEWS[cut], "np.arange(6.0)", "0")


@pytest.mark.parametrize("cut", TABLES)
def test_it_shows_a_table(cut):
    check_held(TABLES[cut], "np.arange(9.0).reshape(3, 3)", "0, 1")


def test_it_shows_a_part_of_an_array_with_columns_in_memory_one_after_the_other():
    check_held("held[:, ::-1]", "np.asfortranarray(np.arange(6.0).reshape(2, 3))", "0, 1")


def test_it_shows_a_part_of_a_part():
    check_held("held[::-1]", "np.arange(12.0)[2:10:2]", "0")


def test_an_attribute_that_is_exchanged_and_bound_to_a_view_is_one():
    program = function_of(
        """
class Box:
    held = np.ones(4)
box = Box()
box.held = np.ones(4)
def f(x, n, v):
    for i in range(n):
        x, box.held = box.held, x
        box.held = x[::-1]
    box.held[0] += v
"""
    )
    given = [(np.arange(4.0), np.int64(n), np.float64(2.0)) for n in (3, 2, 1)]
    ag.check(program, *given[0], then=given[1:])


def test_a_variable_of_a_function_around_that_a_helper_binds_is_one():
    program = function_of(
        """
def holding(held):
    def swap(value):
        nonlocal held
        before, held = held, value
        return before
    def write(by):
        held[0] += by
    return swap, write
swap, write = holding(np.ones(4))
def halves(value):
    while value > 0:
        value = value // 2
        yield value
def f(x, n, v):
    for i in halves(n):
        x = swap(x)
        swap(x[::-1])
    write(v)
"""
    )
    given = [(np.arange(4.0), np.int64(n), np.float64(2.0)) for n in (3, 0, 9)]
    ag.check(program, *given[0], then=given[1:])
