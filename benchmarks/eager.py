"""What an eager call costs beyond NumPy's own, function by function, on arrays of a few elements."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np

import runtime as rt
from benchmarks.harness import Contender, Result, Scene, measure_in_turns, timed

__all__ = ["report"]

GOAL = 3.0
"""Microseconds that a call may take beyond NumPy's."""

CALLS = {
    "xp.{}(floats)": "abs acos asin atan ceil cos cosh exp expm1 floor isfinite isinf isnan log log10 log1p "
    "log2 negative positive reciprocal round sign signbit sin sinh sqrt square tan tanh trunc cumulative_sum "
    "nonzero",
    "xp.{}(floats, floats)": "add atan2 copysign divide equal floor_divide greater greater_equal hypot less "
    "less_equal logaddexp maximum minimum multiply nextafter not_equal pow remainder subtract vecdot "
    "searchsorted",
    "xp.{}(integers)": "bitwise_invert unique_values",
    "xp.{}(integers, integers)": "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift",
    "xp.{}(bools)": "logical_not",
    "xp.{}(bools, bools)": "logical_and logical_or logical_xor",
    "xp.{}(matrix)": "all any argmax argmin count_nonzero max mean min prod std sum var argsort diff flip "
    "matrix_transpose ones_like sort tril triu zeros_like linalg.det linalg.inv",
    "xp.{}(matrix, matrix)": "matmul tensordot linalg.solve",
    "xp.{}([matrix, matrix])": "concat stack",
    "floats {} floats": "+ - * / < ==",
    "floats {} 2": "+ * ** <",
    "floats[{}]": "1 1:3 integers bools",
    "xp.{}": "arange(4) asarray([1.0,2.0]) astype(floats,xp.float64) broadcast_to(floats,(3,4)) "
    "clip(floats,0.2,0.5) expand_dims(floats,axis=0) eye(3) full((3,),2.0) linspace(0.0,1.0,5) "
    "permute_dims(matrix,(1,0)) repeat(floats,2) reshape(matrix,(9,)) roll(floats,1) squeeze(row,axis=0) "
    "sum(matrix,axis=1) take(floats,integers) tile(floats,(2,)) where(bools,floats,floats) zeros((3,))",
}
"""Expressions in the names of `_small`, and `xp` for the library: a pattern, and what goes into it."""


def report(rounds: int) -> str:
    """A table in Markdown, the dearest call last, with the median and how many meet the goal."""
    results = sorted(measure_in_turns(list(map(_scene, _calls())), rounds), key=_beyond)
    beyond = [_beyond(result) for result in results]
    met = sum(each <= GOAL for each in beyond)
    lines = ["| call | NumPy | here | beyond |", "|---|---:|---:|---:|", *map(_line, results)]
    lines.append(
        f"| **median of {len(beyond)}** (goal {GOAL:g} µs, met by {met}) | | "
        f"| **{statistics.median(beyond):.2f} µs** |"
    )
    return "\n".join(lines)


def _calls() -> Iterator[str]:
    for pattern, parts in CALLS.items():
        for part in parts.split():
            yield pattern.format(part)


def _small(xp: Any) -> dict[str, Any]:
    """The library and its operands, by name."""
    floats = np.linspace(0.1, 0.9, 4, dtype=np.float32)
    arrays = {
        "floats": floats,
        "row": floats[None],
        "matrix": np.linspace(0.1, 0.9, 9).reshape(3, 3) + np.eye(3),
        "integers": np.arange(4),
        "bools": np.arange(4) > 1,
    }
    return {"xp": xp} | {name: xp.asarray(array) for name, array in arrays.items()}


def _scene(call: str) -> Scene:
    contenders = [
        Contender(name, timed(eval(f"lambda: {call}", _small(xp)), 0.0005))  # noqa: S307  # our own text
        for name, xp in (("NumPy", np), ("here", rt))
    ]
    return Scene(call, contenders)


def _beyond(result: Result) -> float:
    """Microseconds beyond NumPy's own."""
    numpy, here = result.seconds
    return (here - numpy) * 1e6


def _line(result: Result) -> str:
    numpy, here = result.seconds
    return (
        f"| `{result.scene.title}` | {numpy * 1e6:.2f} µs | {here * 1e6:.2f} µs | {_beyond(result):.2f} µs |"
    )
