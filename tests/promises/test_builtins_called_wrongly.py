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


OF_NUMBERS = [
    "next(n)",
    "next(k)",
    "list(map(n, [1]))",
    "list(map(k, x))",
    "list(filter(n, x))",
    "n in 5",
    "k in 3.5",
    "x in None",
    "n in np.float64(1)",
    "format(3, n)",
    "'%d' % (n, k)",
    "operator.delitem(n, 0)",
]


@pytest.mark.parametrize("call", OF_NUMBERS)
def test_a_number_where_something_else_is_asked_for_is_named_by_its_own_class(call):
    text = f"""
import operator
import numpy as np
def f(x, n):
    k = int(n)
    try:
        return {call}
    except TypeError as error:
        return str(error)
"""
    ag.check(function_of(text), np.ones(2), np.int64(3))


def test_an_item_of_a_number_cannot_be_deleted():
    def of_numpys(n):
        try:
            del n[0]
        except TypeError as error:
            return str(error)

    def of_pythons(n):
        return of_numpys(int(n))

    ag.check(of_numpys, np.int64(3))
    ag.check(of_pythons, np.int64(3))


def test_what_is_in_a_number_is_an_error_in_pythons_words():
    with pytest.raises(TypeError, match="argument of type 'int' is not"):
        ag.function(lambda n: n in 5)(np.int64(3))
