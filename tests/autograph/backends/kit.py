"""Small programs that every backend must run as plain Python does.

A test of a backend says how it runs a function, how it makes a value its own, and how it gives one back:

    @pytest.mark.parametrize("program", kit.PROGRAMS, ids=str)
    def test_the_kit(program):
        program.check(run=ag.function, lift=rt.asarray, lower=lambda tensor: tensor.numpy().tolist())

Arguments are ints, floats and lists of numbers; every one of them is lifted. Results are numbers, or tuples
and lists of them, and are compared with what the same function gives on the plain arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

__all__ = ["PROGRAMS", "Program"]

PROGRAMS: list[Program] = []


@dataclass(frozen=True)
class Program:
    """A function and what to call it with."""

    function: Callable[..., Any]
    argument_sets: tuple[tuple[Any, ...], ...]

    def check(self, *, run: Callable, lift: Callable, lower: Callable) -> None:
        """Compare a backend's results with plain Python's, for every set of arguments."""
        function = run(self.function)
        for arguments in self.argument_sets:
            expected = self.function(*arguments)
            found = lowered(function(*map(lift, arguments)), lower)
            assert found == pytest.approx(expected), f"{self}{arguments}"

    def __str__(self) -> str:
        return self.function.__name__


def lowered(result: Any, lower: Callable) -> Any:
    """A result with plain numbers in it."""
    if isinstance(result, tuple | list):
        return type(result)(lowered(part, lower) for part in result)
    return result if isinstance(result, int | float | type(None)) else lower(result)


def program(*argument_sets):
    """Adds a function to the kit."""

    def add(function):
        PROGRAMS.append(Program(function, argument_sets))
        return function

    return add


# ── if ──


@program((3,), (-3,), (0,))
def absolute(x):
    if x < 0:
        x = -x
    return x


@program((3,), (-3,), (0,))
def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    else:
        return 0


@program((1, 2), (2, 1))
def swapped(a, b):
    if a > b:
        a, b = b, a
    return a, b


@program((1,), (-1,))
def defined_in_both_branches(x):
    if x > 0:
        y = x + 1
        z = y * 2
    else:
        z = x
        y = x - 1
    return y, z


@program((5, 1), (5, -1), (-5, 1), (-5, -1))
def nested_branches(a, b):
    result = 0
    if a > 0:
        if b > 0:
            result = a + b
        else:
            result = a - b
    elif b > 0:
        result = a * b
    return result


@program((4,), (7,))
def early_return(x):
    if x % 2 == 0:
        return x // 2
    return 3 * x + 1


@program((2,), (200,))
def branch_with_temporaries(x):
    y = x
    if x < 100:
        temporary = x * x
        y = temporary + 1
    return y


@program((3, 4), (4, 3), (4, 4))
def guarded_returns(a, b):
    if a == b:
        return 0
    if a != 3:
        b = b + 1
        if b > 3:
            return b
    return a


# ── while ──


@program((10,), (0,), (-1,))
def sum_down(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


@program((27,), (1,))
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@program((48, 36), (7, 0))
def greatest_common_divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@program((10,), (1000,))
def while_with_break(n):
    i = 0
    while i < n:
        if i * i > 50:
            break
        i += 1
    return i


@program((10,), (3,))
def while_with_continue(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 3 == 0:
            continue
        total += n
    return total


@program((20,), (5,))
def while_true_with_break(n):
    i = 0
    while True:
        if i * 3 > n:
            break
        i += 1
    return i


@program((17,), (18,))
def smallest_divisor(n):
    i = 2
    while i * i <= n:
        if n % i == 0:
            return i
        i += 1
    return n


@program((4, 3), (0, 3))
def nested_while(n, m):
    total = 0
    while n > 0:
        j = m
        while j > 0:
            total += n * j
            j -= 1
        n -= 1
    return total


@program((5,), (50,))
def while_else(n):
    found = 0
    i = 1
    while i < n:
        if i * 7 == 49:
            found = i
            break
        i += 1
    else:
        found = -1
    return found


@program((2.0,), (9.0,))
def newton_root(x):
    guess = x
    while abs(guess * guess - x) > 1e-9:
        guess = (guess + x / guess) / 2.0
    return guess


@program((3, 12), (12, 3))
def conjunction_in_the_test(a, b):
    steps = 0
    while a < 10 and b > 0:
        a += 1
        b -= 1
        steps += 1
    return steps, a, b


# ── for ──


@program(([1, 2, 3],), ([5],))
def sum_items(items):
    total = 0
    for item in items:
        total += item
    return total


@program((5,), (0,))
def sum_range(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


@program((3, 17), (5, 5))
def sum_range_with_bounds(start, stop):
    total = 0
    for i in range(start, stop, 3):
        total += i
    return total


@program(([3, 1, 2],), ([7],))
def largest(items):
    best = items[0]
    for item in items:
        if item > best:
            best = item
    return best


@program(([1, 5, -2, 9],), ([1, 2],))
def for_with_break(items):
    total = 0
    for item in items:
        if item < 0:
            break
        total += item
    return total


@program(([1, 2, 3, 4, 5, 6],))
def for_with_continue(items):
    total = 0
    for item in items:
        if item % 2 == 0:
            continue
        total += item
    return total


@program(([4, 8, 15], 8), ([4, 8, 15], 16))
def index_of(items, wanted):
    index = 0
    for item in items:
        if item == wanted:
            return index
        index += 1
    return -1


@program(([1, 2, 3], 2), ([1, 2, 3], 9))
def for_else(items, wanted):
    result = -1
    for item in items:
        if item == wanted:
            result = 1
            break
    else:
        result = 0
    return result


@program((7,), (2,))
def break_in_a_python_range(n):
    total = 0
    for i in range(10):
        if i == n:
            break
        total += i
    return total


@program((4,))
def nested_for(n):
    total = 0
    for i in range(n):
        for j in range(i):
            total += i * j
    return total


@program((10,), (2,))
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program(([1, 2, 3, 4],))
def loop_in_branch_in_loop(items):
    total = 0
    for item in items:
        if item > 2:
            k = item
            while k > 0:
                total += k
                k -= 1
    return total


# ── expressions ──


@program((3,), (-3,))
def conditional_expression(x):
    return x * 2 if x > 0 else x - 1


@program((1, 1), (1, -1), (-1, 1))
def logic(a, b):
    result = 0
    if a > 0 and b > 0:
        result += 1
    if a > 0 or b > 0:
        result += 10
    if not a > 0:
        result += 100
    return result


@program((5,), (0,), (10,))
def chained_comparison(x):
    if 0 < x < 10:
        return 1
    return 0


@program((5, 5), (5, 6))
def equality(a, b):
    result = 0
    if a == b:
        result = 1
    if a != b:
        result = 2
    return result


@program((3, 0), (0, 3))
def truth_of_a_number(a, b):
    result = 0
    while a:
        a -= 1
        result += 1
    if not b:
        result += 10
    return result


# ── functions ──


def square(x):
    if x < 0:
        return 0
    return x * x


@program((3,), (-3,))
def calls_another_function(x):
    return square(x) + square(x + 1)


@program((4,), (-4,))
def closure_rebinds(x):
    count = 0

    def step(by):
        nonlocal count
        if by > 0:
            count += by
        else:
            count -= 1

    step(x)
    step(-x)
    return count


@program((4,), (0,))
def lambda_within(x):
    scale = lambda value: value * 3 if value > 0 else 1
    return scale(x) + scale(-x)


@program(([1, 2, 3],))
def builtins(items):
    return len(items), abs(items[0] - items[2])


@program(([4, 5, 6], 1), ([4, 5, 6], 2))
def item_by_computed_index(items, i):
    return items[i] + items[i - 1]


@program((3,), (-3,))
def assertion(x):
    assert x != 0, "zero"
    return x


class Accumulator:
    def __init__(self, total):
        self.total = total

    def add(self, x):
        if x > 0:
            self.total = self.total + x


@program((3,), (-3,))
def attribute_in_branch(x):
    accumulator = Accumulator(x)
    accumulator.add(x)
    if accumulator.total > 5:
        accumulator.total = accumulator.total - 5
    return accumulator.total
