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
