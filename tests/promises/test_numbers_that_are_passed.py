"""What programs do with a number of Python's that is passed: one graph serves from the third value on."""

import linecache
import math  # noqa: F401  # the forms use it, and what follows
import random  # noqa: F401
from datetime import timedelta  # noqa: F401
from fractions import Fraction  # noqa: F401

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

FORMS = """
range(n)
slice(n)
str(n), repr([n, (n,)]), "%d %s" % (n, n), "ab" * n, "abcdefgh"[n:]
n is 3
n in {1, 3}, {1: "x", 2: "y"}.get(n, "z")
isinstance(n, int), type(n).__name__, hash(n)
n.bit_length(), n.real, n.to_bytes(2, "little")
math.factorial(n), math.sqrt(n), math.comb(8, n), bin(n)
divmod(n, 3), pow(n, 3, 7), 2**n, 2**-n, n << 2, ~n, -n // 3, -n % 3, n / 3
round(3.14159, n)
Fraction(n, 3), timedelta(days=n)
np.random.default_rng(n).random(), random.Random(n).random()
np.arange(n), np.linspace(0, 1, n + 2), np.eye(n), np.full((n, n + 1), 2.5)
X.reshape(n + 1, -1), np.roll(X, n), np.repeat(X[:2], n), np.diff(X, n)
X[n], X[:n].sum(), X[n:], X[:: n + 1], X[-n - 1]
np.sum(X.reshape(3, 4), axis=n % 2)
np.float32(1.5) * n, np.int8(3) * n, X.astype(np.float32) * n, X**n
[n] * 3, [0] * n, (n,), {n: 1}, {n, 1, 2}, frozenset([n])
(lambda k=n: k + 1)()
max(n, 2), min(n, 2.5), abs(-n), bool(n), float(n), complex(n, 1) * 1j
(n if n > 1 else None), (n if n > 1 else "s"), [n, None][n % 2]
1 / n
[[j for j in range(i)] for i in range(n)], list(enumerate("abc", n))
eval("n + 1")
print(n, float(n), [n], {"k": n})
n == float(n), n < 2.5, not n, n and 5, n or 5
"""


@pytest.mark.parametrize("form", FORMS.strip().splitlines())
def test_each_value_does_what_it_does_in_python(form):
    text = f"def f(n):\n    return {form}\n"
    name = f"<form {form}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    space = {**globals(), "X": np.arange(12.0)}
    with pytest.warns(SyntaxWarning) if " is 3" in form else pytest.MonkeyPatch.context():
        exec(compile(text, name, "exec"), space)
    ag.check(space["f"], 1, then=[(2,), (3,), (5 if "reshape" in form else 4,), (0,), (3,)])


def test_whether_two_numbers_of_the_run_are_one_object_is_refused():
    @ag.function
    def f(x):
        steps = 0
        while x > 1:
            x, steps = x / 2, steps + 1
        return steps is not steps + 0

    with pytest.raises(StateDisagrees, match="whether two numbers are one object"):
        f(np.float64(300.0))


def test_truth_values_of_the_run_are_the_two_that_there_are():
    def plain(x, y):
        return bool(x > 1) is bool(y > 1)

    for x, y in [(0, 0), (0, 2), (2, 0), (2, 2)]:
        assert ag.function(plain)(np.float64(x), np.float64(y)) == plain(x, y)
