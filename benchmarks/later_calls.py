"""Later calls of functions as people write them on their first day, beside plain Python.

python -m benchmarks later_calls --rounds 15

Each function is called until it is decided what serves its calls. Then both take turns; least times count.
"""

from __future__ import annotations

import bisect
import itertools
import math
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import autograph as ag
from benchmarks import small_functions

__all__ = ["PROGRAMS", "report", "times"]

_WARM = 2600
_SECONDS = 3.0
"""How many calls come before the clock, and the time in which they end."""
_MUCH = 1.5

Program = tuple[Callable[..., Any], Callable[[], Sequence[Any]]]
"""A function, and what makes the arguments of a call."""


def caesar(text: str, shift: int) -> str:
    """Letters, one by one."""
    return "".join([chr((ord(each) - 97 + shift) % 26 + 97) if each.isalpha() else each for each in text])


def grade(score: float) -> str:
    """Text that a number chooses."""
    return "FDCBA"[bisect.bisect([60.0, 70.0, 80.0, 90.0], score)]


def described(prices: Sequence[float], rate: float) -> list[str]:
    """A line for each of some prices."""
    return [f"{index}: {price * (1 + rate):.2f}" for index, price in enumerate(prices)]


def counted(words: Sequence[str], least: float) -> dict[str, int]:
    """How often each word is there."""
    found: dict[str, int] = {}
    for word in words:
        if len(word) > least:
            found[word] = found.get(word, 0) + 1
    return found


def walk(steps: int, generator: np.random.Generator) -> list[float]:
    """Draws, one by one."""
    place, found = 0.0, []
    for _ in range(steps):
        place += generator.random() - 0.5
        found.append(place)
    return found


def estimate(draws: int, generator: random.Random) -> float:
    """How many of some draws are in a circle."""
    inside = 0
    for _ in range(draws):
        x, y = generator.random(), generator.random()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / draws


def roman(number: int) -> str:
    """Text in a loop that a number ends."""
    found = ""
    for value, digits in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while number >= value:
            found += digits
            number -= value
    return found


def binary(number: int) -> str:
    """Digits, from the last to the first."""
    digits = []
    while number > 0:
        digits.append(str(number % 2))
        number //= 2
    return "".join(reversed(digits))


def collatz(number: int) -> int:
    """Turns until 1."""
    turns = 0
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        turns += 1
    return turns


def primes(most: int) -> list[int]:
    """A sieve."""
    is_prime = [True] * (most + 1)
    for number in range(2, int(most**0.5) + 1):
        if is_prime[number]:
            for multiple in range(number * number, most + 1, number):
                is_prime[multiple] = False
    return [number for number in range(2, most + 1) if is_prime[number]]


def pascal(rows: int) -> list[list[int]]:
    """Lists of lists."""
    found = [[1]]
    for _ in range(rows):
        last = found[-1]
        found.append([1, *[a + b for a, b in itertools.pairwise(last)], 1])
    return found


def moving(values: np.ndarray, width: int) -> list[float]:
    """Means of windows, by a queue."""
    window: deque[float] = deque(maxlen=width)
    found = []
    for value in values:
        window.append(value)
        total = 0.0
        for each in window:
            total += each
        found.append(total / len(window))
    return found


def insertion(values: np.ndarray) -> np.ndarray:
    """Sorts in place."""
    for end in range(1, len(values)):
        value, at = values[end], end
        while at > 0 and values[at - 1] > value:
            values[at] = values[at - 1]
            at -= 1
        values[at] = value
    return values


def balanced(text: str) -> bool:
    """Brackets, on a stack."""
    stack: list[str] = []
    for each in text:
        if each in "([":
            stack.append(each)
        elif not stack or stack.pop() + each not in {"()", "[]"}:
            return False
    return not stack


def account(amounts: Sequence[float], limit: float) -> tuple[float, list[str]]:
    """Exceptions that are caught."""
    total, told = 0.0, []
    for amount in amounts:
        try:
            if total + amount < limit:
                raise ValueError(f"no {amount}")  # noqa: TRY301  # as people write it
            total += amount
        except ValueError as error:
            told.append(str(error))
    return total, told


def quadratic(a: float, b: float, c: float) -> tuple[float, float]:
    """A small call."""
    root = math.sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def newton(value: float) -> float:
    """A loop until two numbers are near."""
    guess = value
    while abs(guess * guess - value) > 1e-9:
        guess = (guess + value / guess) / 2
    return guess


def distance(left: str, right: str, price: float) -> float:
    """Edits from one text to the other."""
    row = [index * price for index in range(len(right) + 1)]
    for i, one in enumerate(left, 1):
        before, row[0] = row[0], i * price
        for j, other in enumerate(right, 1):
            change = before + (0.0 if one == other else price)
            before, row[j] = row[j], min(row[j] + price, row[j - 1] + price, change)
    return row[-1]


def spread(values: np.ndarray) -> tuple[float, float]:
    """Reductions of NumPy's."""
    return values.mean(), values.std()


def matrix(rows: np.ndarray) -> list[list[float]]:
    """A product, element by element, in lists."""
    size = len(rows)
    found = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            for k in range(size):
                found[i][j] += rows[i, k] * rows[k, j]
    return found


def votes(names: Sequence[str], factor: float) -> list[str]:
    """The most common ones, as lines."""
    return [f"{name}: {count * factor:.1f}" for name, count in Counter(names).most_common(2)]


_TEXT = "the quick brown fox jumps over the lazy dog"
_GENERATOR = np.random.default_rng(1)
_DRAWS = random.Random(1)  # noqa: S311
_VALUES = np.linspace(0.0, 1.0, 40)[::-1]

PROGRAMS: Sequence[Program] = (
    (caesar, lambda: (_TEXT, np.int64(3))),
    (grade, lambda: (np.float64(75.5),)),
    (described, lambda: ([1.5, 2.25, 9.0], np.float64(0.19))),
    (counted, lambda: (_TEXT.split(), np.float64(2.5))),
    (walk, lambda: (20, _GENERATOR)),
    (estimate, lambda: (50, _DRAWS)),
    (roman, lambda: (np.int64(38),)),
    (binary, lambda: (np.int64(1000),)),
    (collatz, lambda: (np.int64(27),)),
    (primes, lambda: (100,)),
    (pascal, lambda: (8,)),
    (moving, lambda: (_VALUES, 5)),
    (insertion, lambda: (_VALUES.copy(),)),
    (balanced, lambda: ("([()[]])" * 4,)),
    (account, lambda: ([5.0, -9.0, 3.0, -1.0], np.float64(0.0))),
    (quadratic, lambda: (np.float64(1), np.float64(-3), np.float64(2))),
    (newton, lambda: (np.float64(7),)),
    (distance, lambda: ("kitten", "sitting", np.float64(1))),
    (spread, lambda: (_VALUES,)),
    (matrix, lambda: (_VALUES[:16].reshape(4, 4),)),
    (votes, lambda: (_TEXT.split(), np.float64(0.5))),
    *small_functions.PROGRAMS,
)


def report(rounds: int) -> str:
    """The table, as text."""
    lines = ["function          Python       graph   ratio   what serves the calls"]
    ratios = []
    for function, make in PROGRAMS:
        plain, graph, why = times(function, make, rounds)
        ratios.append(graph / plain)
        lines.append(
            f"{function.__name__:14} {plain * 1e6:6.1f} µs {graph * 1e6:8.1f} µs {graph / plain:7.2f}   {why}"
        )
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    slower, much = [sum(ratio > most for ratio in ratios) for most in (1, _MUCH)]
    lines.append(
        f"{len(ratios)} functions; slower than Python: {slower}; by more than half: {much}; "
        f"geometric mean: {mean:.2f}"
    )
    return "\n".join(lines)


def times(
    function: Callable[..., Any], make: Callable[[], Sequence[Any]], rounds: int, warm: int = _WARM
) -> tuple[float, float, str]:
    """The least times of plain Python and of the graph, in turns, and what serves the calls of the graph."""
    staged = ag.function(function)
    end = time.perf_counter() + _SECONDS
    for _ in range(warm):
        staged(*make())
        if time.perf_counter() > end:
            break
    least = [_time(function, make()), _time(staged, make())]
    for _ in range(10 * rounds):
        least = [min(least[0], _time(function, make())), min(least[1], _time(staged, make()))]
    found = staged.concrete_functions[-1].report()
    why = "plain Python" if "plain Python" in found.why else found.executor
    return least[0], least[1], why


def _time(function: Callable[..., Any], args: Sequence[Any]) -> float:
    start = time.perf_counter()
    function(*args)
    return time.perf_counter() - start
