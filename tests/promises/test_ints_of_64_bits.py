"""What `int` makes of NumPy's 64 bits: the same ints as in Python, or an error where a graph has no room."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

EXTREMES = [
    *[np.uint64(each) for each in (5, 2**63 - 1, 2**63, 2**64 - 1)],
    *[np.int64(each) for each in (-(2**63), 2**63 - 1, -7)],
]
FUNCTIONS: list[Callable[[Any], Any]] = [
    lambda v: int(v),
    lambda v: v.item(),
    lambda v: round(v),
    lambda v: int(v) + 1,
    lambda v: int(v) - 1,
    lambda v: int(v) * 2,
    lambda v: -int(v),
    lambda v: abs(int(v)),
    lambda v: ~int(v),
    lambda v: float(int(v)),
    lambda v: divmod(int(v), 7),
    lambda v: pow(int(v), 3, 10007),
    lambda v: int(v) // 3,
    lambda v: int(v) >> 3,
    lambda v: int(v) & 255,
    lambda v: int(v) / 3,
    lambda v: f"{int(v)} {hex(int(v))}",
    lambda v: max(int(v), 5),
    lambda v: np.array([int(v), 1]),
    lambda v: math.isqrt(abs(int(v))),
    lambda v: np.array([v, v]).tolist()[0] // 2,
]


def _exactly(function: Callable[[Any], Any], v: Any) -> Any:
    try:
        return str(function(v))
    except rt.errors.IntTooLarge:
        return "too large"


@pytest.mark.parametrize("function", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_an_int_is_that_of_python_or_too_large(function: Callable[[Any], Any]) -> None:
    graph = ag.function(function)
    for v in EXTREMES:
        wanted = str(function(v))
        found = _exactly(lambda v: np.asarray(graph(v)) if "array" in wanted else graph(v), v)
        if found == "too large":
            assert int(v) >= 2**63 or abs(int(v)) >= 2**62
        else:
            ag.check(function, v)


@pytest.mark.parametrize("compares", [operator.eq, operator.lt, operator.ge, operator.ne])
@pytest.mark.parametrize("limit", [2**63, 2**64 - 1, 2**70, -(2**63) - 1, -(2**70)])
def test_an_int_is_compared_with_any_other(compares: Any, limit: int) -> None:
    for v in (5, -(2**63), 2**63 - 1):
        ag.check(lambda v: (compares(int(v), limit), compares(limit, int(v))), np.int64(v))


@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000, -3])
def test_the_sum_of_a_range_is_added_up_by_nobody(n):
    def program(n):
        return sum(range(n)), sum(range(3, n, 7)), sum(range(n, -4, -2), 0.5), type(sum(range(n))) is int

    ag.check(program, np.int64(n))


def test_the_sum_of_a_range_has_64_bits_or_raises():
    total = ag.function(lambda n: sum(range(n)))
    assert total(np.int64(2**32)) == 2**31 * (2**32 - 1)
    with pytest.raises(rt.errors.IntTooLarge):
        total(np.int64(2**33))


def _grown(n: Any, step: int) -> list[Any]:
    values = []
    for i in range(n):
        values.append(step * (i + 1))
    return values


def _by_key(n: Any) -> Any:
    found = {}
    for i in range(n):
        found[i] = 2**62 - i
    return sum(found.values())


SUMS: list[Callable[[Any], Any]] = [
    lambda n: sum(_grown(n, 2**60)),
    lambda n: sum(_grown(n, -(2**60))),
    lambda n: sum(_grown(n, 2**60), 2**61),
    lambda n: sum([-(2**61)] * n),
    lambda n: sum(map(lambda i: 2**61 + i, range(n))),
    lambda n: sum(2**61 - i for i in range(n)),
    lambda n: math.prod(_grown(n, 2**20), start=3),
    lambda n: math.prod(x + 5 for x in _grown(n, 2**19)),
    lambda n: math.lcm(*(int(n) * each + 1 for each in (2**20, 2**21, 2**22))),
    _by_key,
]


@pytest.mark.parametrize("function", SUMS, ids=range(len(SUMS)))
def test_what_is_made_of_many_ints_is_that_of_python_or_too_large(function: Callable[[Any], Any]) -> None:
    graph = ag.function(function)
    outcomes = set()
    for n in (0, 1, 2, 3, 4, 5, 7):
        wanted = function(np.int64(n))
        has_room = -(2**63) <= wanted < 2**63
        assert _exactly(lambda v: int(graph(v)), np.int64(n)) == (str(wanted) if has_room else "too large")
        outcomes.add(has_room)
    assert outcomes == {True, False}


def test_a_sum_may_leave_the_64_bits_and_come_back() -> None:
    @ag.function
    def total(n: Any) -> Any:
        return sum([2**62 * (1 if i < 4 else -1) for i in range(n)])

    assert int(total(np.int64(8))) == 0
    assert int(total(np.int64(9))) == -(2**62)


RANGES = [
    lambda low, high: [i for i, _ in zip(range(low, high), range(2))],
    lambda low, high: len(range(high, low, -(2**61))),
    lambda low, high: low in range(low, high, 2**60),
    lambda low, high: sum(range(low, high, 2**60)),
]


@pytest.mark.parametrize("function", RANGES, ids=range(len(RANGES)))
def test_bounds_of_a_range_that_lie_too_far_apart_are_too_large(function: Callable[[Any, Any], Any]) -> None:
    ag.check(function, np.int64(-5), np.int64(5), then=[(np.int64(5), np.int64(-(2**62)))])
    graph = ag.function(function)
    for low, high in [(-(2**63), 2**63 - 1), (-(2**62), 2**62), (2**62, -(2**61))]:
        found = _exactly(lambda v, high=high: int(np.sum(graph(v, np.int64(high)))), np.int64(low))
        assert found in {"too large", str(int(np.sum(function(low, high))))}


def test_a_triangle_of_turns_is_not_looked_at() -> None:
    def pairs(n: Any) -> Any:
        total = 0
        for i in range(1, n):
            for j in range(i + 1, n):
                total = (total + i * j) % 7
            for j in range(i, n):
                total = (total - i * j) % 5
        return total

    concrete = ag.function(pairs).get_concrete_function(rt.TensorSpec((), rt.int64))
    assert "CheckWhole(n" not in concrete.optimised_graph.text()


def _smallest(numbers: Any, bound: int) -> Any:
    best = bound
    for number in numbers:
        if number < best:
            best = number
    return best


def _smaller(number: Any, bound: int) -> Any:
    return bound if number > 1 else number


def _while_smaller(number: Any, bound: int) -> Any:
    best = bound
    while number > 0:
        number = number - 1
        best = number
    return best


def _tried(number: Any, bound: int) -> Any:
    best = bound
    try:
        if number > 1:
            raise ValueError
        best = number
    except ValueError:
        pass
    return best


def _put(number: Any, bound: int) -> Any:
    bounds = [bound] * 3
    bounds[number % 3] = number
    return bounds


def _looked_up(number: Any, bound: int) -> Any:
    return [1, 2, bound][number % 3]


LARGE: list[tuple[Callable[[Any, int], Any], Any]] = [
    (_smallest, np.array([3, 1])),
    (_smaller, np.int64(3)),
    (_while_smaller, np.int64(3)),
    (_tried, np.int64(3)),
    (_put, np.int64(3)),
    (_looked_up, np.int64(2)),
    (min, np.int64(3)),
]


@pytest.mark.parametrize("bound", [2**63, 2**64, -(2**63) - 1, 10**30])
@pytest.mark.parametrize(("function", "given"), LARGE)
def test_a_known_int_that_has_no_64_bits_is_refused_beside_integers(
    function: Callable[[Any, int], Any], given: Any, bound: int
) -> None:
    """As a bound that a search begins with: `float("inf")` is one that a graph has room for."""

    def program(x: Any) -> Any:
        return function(x, bound)

    try:
        ag.check(program, given, executors=("auto",))
    except rt.errors.IntTooLarge:
        return
    except ag.Difference as difference:
        assert "warning:" in str(difference), "a list of floats and integers"
