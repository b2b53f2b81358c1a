"""A list that grew leaves its operators to an array beside it, as a list of Python's does."""

from collections import deque

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

SIGNS = ["+", "-", "*", "/", "//", "%", "**", "@", "&", "<<", "==", "!=", "<", ">="]
GROWN = """def f(x):
    items = {empty}
    for each in x:
        items.append(each)
    {then}
    try:
        return {expression}
    except TypeError as error:
        return str(error)
"""
CALLS = [np.array([3, 1, 2]), np.array([4, 5, 1]), np.array([9, 1, 1])]


def check(expression, empty="[]", then=""):
    f = function_of(GROWN.format(empty=empty, then=then, expression=expression), deque=deque)
    ag.check(f, CALLS[0], then=[(x,) for x in CALLS[1:]], executors=["numpy"])


@pytest.mark.parametrize("sign", SIGNS)
def test_an_array_beside_a_list_takes_it_for_an_array(sign):
    check(f"[items {sign} x, x {sign} items]")


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("number", ["x[1]", "x[1] * 1.0", "int(x[1])"])
def test_a_number_beside_a_list_does_what_numpy_or_python_does(sign, number):
    check(f"items {sign} ({number})")
    check(f"({number}) {sign} items")


def test_so_do_tuples_and_deques():
    check("[items + x, x - items, items == x, items < x]", then="items = tuple(items)")
    check("[items + x, x - items, items == x, items * x]", empty="deque()")


def test_in_place_it_is_another_value_and_not_the_list():
    def f(x):
        items, held = [], deque()
        for each in x:
            items.append(each)
            held.append(each)
        kept, same = items, held
        items += x
        held += x
        return items, kept, held, held is same

    ag.check(f, CALLS[0], then=[(x,) for x in CALLS[1:]])


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("other", ["x", "x[1]", "x[1] * 1.0", "int(x[1])", "float(x[1])"])
def test_a_range_beside_numbers_of_numpys_is_an_array(sign, other):
    f = function_of(f"""def f(x):
    found = []
    for turned in (False, True):
        try:
            found.append(range(3) {sign} {other} if turned else {other} {sign} range(3))
        except (TypeError, ValueError):
            found.append("refused")
    return found
""")
    ag.check(f, CALLS[0], executors=["numpy"])


def test_an_empty_range_beside_an_array_is_one_of_integers():
    ag.check(lambda x: (x[:0] + range(0), range(0) * x[:0]), CALLS[0], executors=["numpy"])
