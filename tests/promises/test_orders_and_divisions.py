"""Items are ordered as Python compares them, NaNs too, and Python's own numbers are divided by its rules."""

import math
from collections import deque

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

NAN = math.nan
CALLS = [(np.int64(n), np.float64(v)) for n, v in ((3, 2.0), (0, 0.5), (1, -2.0), (5, NAN), (4, 1.0))]


def of_a_few(n, v):
    w = NAN if n > 2 else v
    return (
        sorted([3.0, w, 1.0, v]),
        sorted([3.0, w, 1.0, v], reverse=True),
        sorted([(1, w), (1, v), (0, w)]),
        max([(1, w), (1, v), (1, 0.0)]),
    )


def of_many(n, v):
    items = [2.0, 1.0, 7.0]
    for i in range(n):
        items.append(v if i == 1 else i * 0.5)
    items.sort()
    return items, sorted(items, key=lambda k: -k), min(items), max(items, key=lambda k: (k, 1))


def of_grown_lists(n, v):
    a, b = [1.0], [1.0, 2.0]
    for i in range(n):
        a.append(v)
    return a < b, a <= b, a > b, a >= b, (a < b) + 1, b < a


def of_rows(n, v):
    rows = [[1, 2]]
    for i in range(n):
        rows.append([i, 2])
    return rows < [[1, 2], [0, 3]], rows > [[1, 2]], sorted(rows), (1.0,) * n < (1.0, v)


@pytest.mark.parametrize("program", [of_a_few, of_many, of_grown_lists, of_rows])
def test_items_are_ordered_as_python_compares_them(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


DIVISIONS = [
    *("1 / int(n)", "1 // int(n)", "1 % int(n)", "1.0 / float(n)", "2.0 // float(n)", "2.5 % float(n)"),
    *("int(n) / 2", "1 / len([i for i in range(n)])", "float(v) / int(n)", "divmod(7, int(n))"),
    *("n / 2", "sum([1.0]) / sum([i for i in range(n)])"),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("expression", DIVISIONS)
def test_numbers_of_python_are_divided_by_its_rules(expression):
    f = function_of(expression, parameters="x, n, v")
    calls = [(np.arange(3.0), *call) for call in CALLS]
    ag.check(f, *calls[0], then=calls[1:])


def test_a_division_by_zero_can_be_caught():
    def f(n):
        try:
            return 1.0 / int(n)
        except ZeroDivisionError as error:
            return str(error)

    ag.check(f, np.int64(2), then=[(np.int64(0),)])


KEYS = ["{x: 1}", "{x}", "{(x, 1): 2}"]


@pytest.mark.parametrize("expression", KEYS)
def test_an_array_is_no_key(expression):
    ag.check(
        function_of(
            f"def f(x):\n    try:\n        {expression}\n    except TypeError as e:\n        return str(e)\n"
        ),
        np.arange(2.0),
    )


COUNTED = """
def f(n, v):
    m, k = int(n), 0.5
    for i in range(n):
        k += i
"""
BESIDE_A_LIST = """
m + [1, v]
[1, v] - m
k / (1, v)
m @ [v]
divmod(k, [v])
[v] <= k
m > (1, v)
max(k, [v])
[v] == m, (m,) != m, k in [[k]], [v] + [m]
np.add(k, [v]), np.float64(k) + [v], (1, 2) * m
""".strip().splitlines()


@pytest.mark.parametrize("expression", BESIDE_A_LIST)
def test_a_number_of_python_s_own_does_not_count_with_a_list(expression):
    ag.check(function_of(f"{COUNTED}    return {expression}"), *CALLS[0], then=CALLS[1:3])


@pytest.mark.parametrize("statement", ["k += [v]", "s = [v]; s += k", "s = deque(); s += m"])
def test_nor_does_it_in_place(statement):
    ag.check(function_of(f"{COUNTED}    {statement}", deque=deque), *CALLS[0], then=CALLS[1:3])


REFUSED = ["v + 'a'", "v + None", "[1, 2] + v", "n.nothing", "{}['a']", "None + v"]
CAUGHT = """
def f(n, v):
    k = 0
    try:
        k = 1
        EXPRESSION
        k = 2
    except (TypeError, AttributeError, KeyError):
        k += 10
    return k
"""


@pytest.mark.parametrize("expression", REFUSED)
def test_what_objects_cannot_do_is_caught_where_it_is_expected(expression):
    program = CAUGHT.replace("EXPRESSION", expression)
    ag.check(function_of(program), *CALLS[0], then=CALLS[1:3])


REVERSED = """
sorted([3.0, v, 1.0], reverse=m > 1), sorted([3.0, 1.0, 2.0], key=abs, reverse=m > 2)
sorted([3.0, v, 1.0], reverse=n > 1)
sorted([i * v % 3 for i in range(n)], reverse=m > 2)
""".strip().splitlines()


@pytest.mark.parametrize("expression", REVERSED)
def test_a_tensor_may_say_whether_the_order_is_turned_round(expression):
    ag.check(function_of(f"{COUNTED}    return {expression}"), *CALLS[0], then=CALLS[1:3])


def sorted_complex(n, v):
    return sorted([complex(v, 1), 2j, complex(n)])


def best_of_pairs(n, v):
    return max([(1, complex(v)), (n, 1j)])


def many_complex(n, v):
    items = [complex(v, 1) * i for i in range(n)]
    ordered = sorted(items, key=abs)
    items.sort()
    return ordered, items, max(items)


@pytest.mark.parametrize("program", [sorted_complex, best_of_pairs, many_complex])
def test_complex_numbers_of_pythons_have_no_order_where_two_are_compared(program):
    for n in range(4):
        n, v = np.int64(n), np.float64(0.5)
        expected, found = [outcome(f, n, v) for f in (program, ag.function(program))]
        assert found == expected


def outcome(f, *arguments):
    """What a call gives, or the class of what it raises: Python says `<` or `>` of complex numbers."""
    try:
        return f(*arguments)
    except (TypeError, ValueError) as error:
        return next(kind for kind in type(error).__mro__ if kind in {TypeError, ValueError})


def test_complex_numbers_of_numpys_have_an_order():
    def f(n, v):
        return sorted([v * 1j, n * 2j, v * 0.5j]), max([v * 1j, n * 2j])

    ag.check(f, *CALLS[0], then=CALLS[1:3])


@pytest.mark.parametrize("builtin", ["max({})", "min({})", "sorted([{}])", "max({}, key=lambda v: v)"])
@pytest.mark.parametrize(
    "pair", ["float(v), 1j", "float(v), 'a'", "n, None", "int(n), {}", "'a', float(v)", "v, 'a'"]
)
def test_what_has_no_order_is_named_in_pythons_order(builtin, pair):
    call = builtin.replace("{}", pair, 1)
    text = f"""
def f(n, v):
    try:
        return {call}
    except TypeError as error:
        return str(error)
"""
    ag.check(function_of(text), np.int64(3), np.float64(2.0))


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
def test_an_operator_names_its_operands_as_they_stand(sign):
    text = f"""
class Plain:
    pass
def f(n, v):
    found = []
    for one in ("a", None, 1j, set(), object, len, lambda: n, ..., Plain(), slice(1), "a".join):
        for number in (int(n), n, v):
            try:
                found.append(one {sign} number)
            except TypeError as error:
                found.append(str(error))
            try:
                found.append(number {sign} one)
            except TypeError as error:
                found.append(str(error))
    return found
"""
    ag.check(function_of(text), np.int64(3), np.float64(2.0))


@pytest.mark.parametrize("sign", ["//", "%"])
def test_complex_numbers_of_pythons_own_have_no_floor(sign):
    text = f"""
def f(v):
    try:
        return complex(v) {sign} 2
    except TypeError as error:
        return str(error)
"""
    ag.check(function_of(text), np.float64(2.0))
