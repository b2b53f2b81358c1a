"""Loops that draw random numbers, beside plain Python, and Numba where that is installed.

python -m benchmarks draws

Numba draws from generators of NumPy's, too, in NumPy's order: what they give is the same.
"""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt

__all__ = ["PROGRAMS", "report"]

_ROUNDS, _WARM = 10, 30
"""Turns that are timed, at least, and calls before these: better code has come by then."""


def circle(draws: int, rng: np.random.Generator) -> float:
    """How many of some points are in a circle."""
    inside = 0
    for _ in range(draws):
        x = rng.random()
        y = rng.random()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / draws


def price(steps: int, rng: np.random.Generator) -> float:
    """A price that goes up and down."""
    value = 100.0
    for _ in range(steps):
        value *= 1.0001 + 0.01 * rng.standard_normal()
    return value


def chain(steps: int, rng: np.random.Generator) -> float:
    """The second moment of a normal distribution, by Metropolis and Hastings."""
    place, total = 0.0, 0.0
    for _ in range(steps):
        other = place + rng.uniform(-1.0, 1.0)
        if rng.random() < np.exp((place * place - other * other) / 2):
            place = other
        total += place * place
    return total / steps


def dice(throws: int, rng: np.random.Generator) -> int:
    """How often two dice show the same."""
    same = 0
    for _ in range(throws):
        if rng.integers(1, 7) == rng.integers(1, 7):
            same += 1
    return same


def queue(customers: int, rng: np.random.Generator) -> float:
    """How long customers wait for one server."""
    waited, total = 0.0, 0.0
    for _ in range(customers):
        waited = max(0.0, waited + rng.exponential(0.9) - rng.exponential(1.0))
        total += waited
    return total / customers


def infected(days: int, rng: np.random.Generator) -> int:
    """An epidemic, by binomial numbers."""
    well, ill = 10_000, 10
    for _ in range(days):
        new = rng.binomial(well, 1 - np.exp(-0.3 * ill / 10_000))
        over = rng.binomial(ill, 0.1)
        well, ill = well - new, ill + new - over
    return well


def path(steps: int, rng: np.random.Generator) -> np.ndarray:
    """A walk in two directions."""
    place = np.zeros(2)
    for _ in range(steps):
        place += rng.normal(0.0, 1.0, 2)
    return place


def old_walk(steps: int) -> float:
    """A walk, as scripts have it."""
    np.random.seed(1)  # noqa: NPY002  # that is how
    place = 0.0
    for _ in range(steps):
        place += np.random.normal(0.0, 1.0)  # noqa: NPY002
    return place


def of_a_seed(steps: int, seed: int) -> float:
    """A generator that the function makes."""
    rng = np.random.default_rng(seed)
    total = 0.0
    for _ in range(steps):
        total += rng.random()
    return total


def pythons(draws: int) -> float:
    """Numbers of Python's own generator."""
    total = 0.0
    for _ in range(draws):
        total += random.uniform(-1.0, 1.0) * random.randint(1, 6)  # noqa: S311
    return total


def split_keys(draws: int, key: rt.Tensor) -> rt.Tensor:
    """A new key for each draw."""
    total = rt.asarray(0.0)
    for _ in range(draws):
        key, now = rt.random.split(key)
        total += rt.random.uniform((), key=now)
    return total


def folded_keys(draws: int, key: rt.Tensor) -> rt.Tensor:
    """Keys of a key and a number, each for an array."""
    total = rt.asarray(0.0)
    for turn in range(draws):
        total += rt.random.normal((8,), key=rt.random.fold_in(key, turn)).sum()
    return total


_RNG = np.random.default_rng(1)

PROGRAMS: Sequence[tuple[Callable[..., Any], Callable[[], Sequence[Any]], bool]] = (
    (circle, lambda: (np.int64(10_000), _RNG), True),
    (price, lambda: (np.int64(10_000), _RNG), True),
    (chain, lambda: (np.int64(10_000), _RNG), True),
    (dice, lambda: (np.int64(10_000), _RNG), True),
    (queue, lambda: (np.int64(10_000), _RNG), True),
    (infected, lambda: (np.int64(365), _RNG), True),
    (path, lambda: (np.int64(10_000), _RNG), True),
    (old_walk, lambda: (np.int64(10_000),), True),
    (of_a_seed, lambda: (np.int64(10_000), np.int64(7)), False),
    (pythons, lambda: (np.int64(10_000),), False),
    (split_keys, lambda: (np.int64(1_000), rt.random.key(1)), False),
    (folded_keys, lambda: (np.int64(1_000), rt.random.key(1)), False),
)
"""Each with arguments, and whether Numba takes it and has its numbers."""


def report(rounds: int) -> str:
    """The table, as text."""
    numba = importlib.util.find_spec("numba") is not None
    lines = ["function     plain Python   machine code   Python takes   Numba takes"]
    for function, make, is_numbas in PROGRAMS:
        contenders: list[Callable[..., Any]] = [function, ag.function(function)]
        if numba and is_numbas:
            contenders.append(_compiled(function))
        for each in contenders[1:]:
            for _ in range(_WARM):
                each(*make())
        least = [float("inf")] * len(contenders)
        for _ in range(max(_ROUNDS, rounds)):
            for at, each in enumerate(contenders):
                least[at] = min(least[at], _time(each, make()))
        plain, ours, *others = least
        beside = f"{others[0] / ours:9.2f} ×" if others else ""
        lines.append(
            f"{function.__name__:10} {plain * 1e6:11.0f} µs {ours * 1e6:11.1f} µs "
            f"{plain / ours:11.1f} × {beside}"
        )
    return "\n".join(lines)


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    import numba  # noqa: PLC0415  # a rival

    found: Callable[..., Any] = numba.njit(function)
    return found


def _time(function: Callable[..., Any], args: Sequence[Any]) -> float:
    start = time.perf_counter()
    function(*args)
    return time.perf_counter() - start
