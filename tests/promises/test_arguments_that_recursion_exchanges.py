"""What a function that calls itself changes of its arguments is changed for its caller, in whatever order
they are handed on."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

HOLDERS = {
    "an instance": ("P({})", "{}.k"),
    "a dict": ("{{'k': {}}}", "{}['k']"),
    "a list": ("[{}]", "{}[0]"),
    "an instance in a tuple": ("(P({}), 0)", "{}[0].k"),
    "an instance in an instance": ("P(P({}))", "{}.k.k"),
}

ORDERS = {"as they are": "a, b, c", "two exchanged": "b, a, c", "in a ring": "b, c, a"}

BODIES = {
    "before": "{a} += n\n        go({order}, n - 1)",
    "behind": "go({order}, n - 1)\n        {a} = {a} * 2 + n",
    "on both sides": "{a} += n\n        go({order}, n - 1)\n        {b} -= {a}",
    "two calls": "{a} += n\n        go({order}, n - 1)\n        go({order}, n - 2)",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_callers_see_what_calls_change(holder, order, body):
    make, place = HOLDERS[holder]
    a, b, c = [place.format(name) for name in "abc"]
    function = function_of(
        f"""
class P:
    def __init__(self, k):
        self.k = k

def go(a, b, c, n):
    if n > 0:
        {BODIES[body].format(a=a, b=b, order=ORDERS[order])}

def f(n):
    a, b, c = {make.format(1)}, {make.format(2)}, {make.format(3)}
    go(a, b, c, n)
    return {a}, {b}, {c}
"""
    )
    converted = ag.function(function)
    for n in (5, 0, 1, 2):
        np.testing.assert_array_equal(converted(np.int64(n)), function(n))
