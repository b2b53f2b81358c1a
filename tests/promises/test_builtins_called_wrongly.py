"""A builtin that cannot be called so says what Python says, in Python's words."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

CALLS = [
    lambda x, n: len(x, x),
    lambda x, n: abs(x, 1),
    lambda x, n: round(x, 1, 2),
    lambda x, n: sorted(x, 3),
    lambda x, n: sorted(x, keey=abs),
    lambda x, n: sum(x, 1, 2),
    lambda x, n: sum(x, begin=1),
    lambda x, n: enumerate(x, 1, 2),
    lambda x, n: range(n, 1, 2, 3),
    lambda x, n: max(x, kee=abs),
    lambda x, n: pow(n, 1, 2, 3),
    lambda x, n: isinstance(x),
    lambda x, n: list(x, x),
    lambda x, n: set(x, x),
    lambda x, n: any(x, x),
    lambda x, n: zip(x, strikt=True),
    lambda x, n: next(iter(x), 1, 2),
    lambda x, n: chr(n, n),
    lambda x, n: print(x, sepp=""),
    lambda x, n: format(n, n, n),
    lambda x, n: map(abs),
]


@pytest.mark.parametrize("call", CALLS, ids=map(str, range(len(CALLS))))
def test_it_says_what_python_says(call):
    with pytest.raises(TypeError) as plain:
        call(np.ones(2), np.int64(3))
    with pytest.raises(TypeError) as found:
        ag.function(call)(np.ones(2), np.int64(3))
    assert str(found.value) == str(plain.value)


CONSTRUCTED = """
import dataclasses
@dataclasses.dataclass
class Point:
    x: int
    y: int = 2
class Plain:
    def __init__(self, x, *, y=1):
        self.x = x
def f(n):
    try:
        return {call}
    except TypeError as error:
        return str(error)
"""


@pytest.mark.parametrize(
    "call", ["Point(n, 1, 2).x", "Point(n, z=1).x", "Point(y=n).x", "Plain(n, 2).x", "Plain(n, y=n, z=3).x"]
)
def test_a_constructor_that_takes_no_such_arguments_is_told_in_pythons_words(call):
    ag.check(function_of(CONSTRUCTED.replace("{call}", call)), np.int64(3), then=[(np.int64(0),)])
