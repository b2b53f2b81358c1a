"""Runs a call of somebody else's library on NumPy's arrays, and then on tensors in three ways, and compares.

The calls are the rows of the tables in `docs/consumers.md`: what it says of eager code, of converted code and
of graphs is what happens.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt

__all__ = ["WAYS", "Row", "check", "program_of", "rows"]

PAGE = Path(__file__).parents[2] / "docs" / "consumers.md"
EXECUTORS = ("numpy", "reference")

_draws = np.random.default_rng(1)
DATA: Mapping[str, Any] = {
    "v": _draws.normal(size=8) + 3,
    "w": _draws.normal(size=8) + 3,
    "p": np.array([0.1, 0.2, 0.05, 0.15, 0.3, 0.2]),
    "X": _draws.normal(size=(6, 3)),
    "Y": _draws.normal(size=(6, 3)),
    "y": np.array([1.0, -2.0, 0.5, 3.0, -1.0, 2.0]),
    "l": np.array([0, 1, 0, 1, 1, 0]),
    "k": np.array([0, 1, 1, 1, 0, 0]),
    "i": np.array([3, 1, 2, 1, 3]),
    "j": np.array([0, 2]),
    "b": np.array([True, False, True, False, True, True, False, True]),
    "c": np.array([1 + 2j, 3 - 1j]),
    "n": np.array([1.0, np.nan, 3.0, np.inf]),
    "e": np.array(2.0),
}
"""What the letters in the calls stand for."""


@dataclass(frozen=True)
class Row:
    """A call, and what the page says of it."""

    call: str
    said: Mapping[str, str]

    def __str__(self) -> str:
        return self.call


def rows(library: str) -> list[Row]:
    """The rows of the page whose calls begin with the name of a library."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^\| `(.+?)` \| (.+?) \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    return [
        Row(call, dict(zip(WAYS, said, strict=True)))
        for call, *said in found
        if call.startswith(f"{library}.")
    ]


def program_of(call: str, names: Mapping[str, Any]) -> tuple[Callable[..., Any], list[np.ndarray]]:
    """The call as a function of the letters in it, and what they stand for."""
    letters = [letter for letter in DATA if re.search(rf"(?<![\w.'\"]){letter}(?![\w'\"=(])", call)]
    source = f"def program({', '.join(letters)}):\n    return {call}\n"
    filename = f"<call {call}>"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    namespace = dict(names)
    exec(compile(source, filename, "exec"), namespace)
    return namespace["program"], [DATA[letter] for letter in letters]


def _in_graphs(program: Callable[..., Any]) -> Callable[..., Any]:
    staged = [ag.function(program, executor=executor) for executor in EXECUTORS]

    def run(*arguments: Any) -> Any:
        one, other = [each(*arguments) for each in staged]
        compare(one, other, 1e-15)
        return one

    return run


WAYS: Mapping[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "eager": lambda program: program,
    "converted": lambda program: ag.convert(program, always=True),
    "traced": _in_graphs,
}
"""What a program may run as; the columns of the tables."""


def check(row: Row, way: str, names: Mapping[str, Any], tolerance: float = 1e-10) -> None:
    """Requires what the page says of a call: NumPy's result, or that it is refused."""
    program, arrays = program_of(row.call, names)
    expected = program(*[array.copy() for array in arrays])
    tensors = [rt.asarray(array) for array in arrays]
    if row.said[way] == "yes":
        compare(WAYS[way](program)(*tensors), expected, tolerance)
        return
    try:
        WAYS[way](program)(*tensors)
    except Exception:  # noqa: BLE001  (libraries fail in their own ways)
        return
    raise AssertionError(f"{row.call} works as {way} code by now: say so in {PAGE.name}")


def compare(found: Any, expected: Any, tolerance: float) -> None:
    """Requires the same structure, and numbers as near as the tolerance says."""
    found, expected = _leaves(found), _leaves(expected)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=tolerance, atol=tolerance)


def _leaves(result: Any) -> list[Any]:
    """The numbers and arrays in what a library returns."""
    if isinstance(result, dict):
        return [leaf for name, value in result.items() if name[0] != "_" for leaf in _leaves(value)]
    if isinstance(result, (tuple, list)):
        return [leaf for value in result for leaf in _leaves(value)]
    return [] if result is None else [result]
