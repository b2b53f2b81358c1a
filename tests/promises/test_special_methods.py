"""The user's own special methods are converted, and run as often as Python runs them."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import GraphError
from tests.promises.kit import function_of

NUMBERS = (np.int64(3), np.int64(5), np.int64(0))

COUNTED = """
class V:
    calls = 0
    def __len__(self):
        V.calls += 1
        return 3
    def __getitem__(self, i):
        V.calls += 1
        return i * 2
    def __contains__(self, i):
        V.calls += 1
        return i > 2
def f(n):
    v, total = V(), 0
    for i in range(n):
        total += v[i] + len(v)
    return total, n in v, V.calls
"""
KEEPS = """
class V:
    def __init__(self):
        self.items, self.removed = [], 0
    def __setitem__(self, i, value):
        self.items.append(value if value > i else i)
    def __getitem__(self, i):
        return 1 if i > 3 else 2
    def __delitem__(self, i):
        self.removed += i if i > 3 else 1
def f(n):
    v = V()
    for i in range(n):
        v[i] = 2
    v[n] += 1
    del v[n]
    return v.items, v.removed
"""
CONSTRUCTED = """
class Base:
    def __init__(self, x):
        self.sign = 1 if x > 0 else -1
class A(Base):
    def __init__(self, x):
        super().__init__(x - 1)
        if x > 2:
            self.y = x
        else:
            self.y = -x
def f(n):
    total = 0
    for i in range(n):
        total += A(i).y
    a = A(n)
    return total + a.y, a.sign
"""
CONTAINS = """
class V:
    def __iter__(self):
        return iter([1, 2])
    def __contains__(self, i):
        return i > 2
def f(n):
    return n in V(), n not in V()
"""
LENGTH = """
class V:
    def __init__(self, x):
        self.x = x
    def __len__(self):
        return 4 if self.x > 2 else 1
    def __abs__(self):
        return self.x if self.x > 1 else 1
    def __float__(self):
        return 1.0 if self.x > 4 else 2.0
def f(n):
    v = V(n)
    return len(v), abs(v), float(v)
"""
ITERATED = """
class R:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield i * i
def f(n):
    total = 0
    for v in R(n):
        total += v
    return total
"""


@pytest.mark.parametrize("program", [COUNTED, KEEPS, CONSTRUCTED, CONTAINS, LENGTH, ITERATED])
def test_a_class_does_what_it_does_in_python(program):
    ag.check(function_of(program), NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


ONCE = """
def f(n):
    items = (2 * i for i in range(n))
    {}
"""


@pytest.mark.parametrize(
    "rest",
    [
        "return next(items, -1), next(items, -1), list(items)",
        "return sum(items), sum(items), list(items)",
        "return list(items), next(items, -1)",
    ],
)
def test_the_items_of_a_generator_are_given_once(rest):
    ag.check(function_of(ONCE.format(rest)), NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


@pytest.mark.parametrize("start", ["iter(range(5))", "iter([1, 2, 3, 4])", "(2 * i for i in range(n))"])
def test_an_iterator_that_a_loop_may_have_left_is_refused(start):
    source = f"""
def f(n):
    items, total = {start}, 0
    for i in items:
        total += i
        if total > n:
            break
    for i in items:
        total += 100 * i
    return total
"""
    with pytest.raises(GraphError, match="asked for items again"):
        ag.function(function_of(source))(np.int64(3))


@pytest.mark.parametrize("made", ["zip(range(n), range(n))", "enumerate(range(n))", "reversed(range(n))"])
def test_what_is_made_of_items_is_refused_a_second_time(made):
    for rest in ("return list(items), list(items)", "return next(items, -1)"):
        f = ag.function(function_of(f"def f(n):\n    items = {made}\n    {rest}\n"))
        with pytest.raises(GraphError):
            f(np.int64(3))
