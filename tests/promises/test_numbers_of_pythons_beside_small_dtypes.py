"""Python's own numbers that only the run knows, beside arrays with less room: as NumPy takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

NUMBERS: dict[type, list[Any]] = {int: [5, -1, 128, 2**31, 2**40], float: [2.5, -1.0, 1e10, float("nan")]}

TAKES_WEAKLY = [
    "a + n",
    "a * n",
    "n - a",
    "a ^ n",
    "np.maximum(a, n)",
    "np.where(a > 1, a, n)",
    "np.clip(a, n, n)",
    "np.select([a > 2, a > 1], [a, a], n)",
    "np.select([a > 2, a > 1], [a, n], n)",
    "np.r_[a, n]",
    "np.result_type(a, n).name",
    "np.concatenate([a, n], axis=None)",
]
MAKES_AN_ARRAY = [
    "np.append(a, n)",
    "np.dot(a, n)",
    "np.multiply.outer(a, n)",
    "np.searchsorted(np.sort(a), n)",
    "np.stack([a[0], n])",
    "np.where(a > 1, n, n) + a",
    "np.sum(n) + a",
    "np.square(n) + a",
]
CONVERTS = [
    "np.array([n, n], a.dtype)",
    "a.dtype.type(n)",
    "np.full(2, n, a.dtype)",
    "np.full_like(a, n)",
    "np.sum(a, initial=n)",
]
WRITES = [
    "np.put(a, [0], n)",
    "np.copyto(a, n)",
    "np.fill_diagonal(a.reshape(1, 3), n)",
    "np.place(a, a > 1, [n])",
    "np.putmask(a, a > 1, n)",
    "a.fill(n)",
    "np.copyto(a, n, casting='unsafe')",
    "a[0] = n",
    "a[a > 1] = n",
]


def _told(compute: Callable[[], Any]) -> Any:
    try:
        result = compute()
    except (ArithmeticError, ValueError, TypeError) as error:
        return "TypeError" if isinstance(error, TypeError) else type(error).__name__
    return getattr(result, "dtype", str), repr(np.asarray(result).tolist())


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "float32"])
@pytest.mark.parametrize("expression", TAKES_WEAKLY + MAKES_AN_ARRAY + CONVERTS + WRITES)
def test_a_number_of_the_run_goes_as_a_number_that_is_written(
    expression: str, dtype: str, kind: type
) -> None:
    does = f"{expression}\n    return a" if expression in WRITES else f"return {expression}"
    function = function_of(f"def f(a, v):\n    n = {kind.__name__}(v)\n    {does}\n")
    graph = ag.function(function)
    for value in NUMBERS[kind]:
        given = np.array([3, 1, 2], dtype), (np.int64 if kind is int else np.float64)(value)
        assert _told(lambda: graph(given[0].copy(), given[1])) == _told(
            lambda: function(given[0].copy(), given[1])
        )


def test_a_range_of_truth_values_has_two_elements_at_most() -> None:
    ag.check(lambda n: np.arange(int(n), dtype=bool), np.int64(2), then=[(np.int64(3),)])
