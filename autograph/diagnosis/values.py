"""Short descriptions of values: what decided a statement, and what a variable holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.tensors.containers.lists import Staged, StagedTuple
from autograph.backends.tensors.iteration.pushed import Pushed
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.turn_numbers import TurnNumber
from autograph.staging.state import Undefined, UndefinedReturnValue
from runtime.core.tensor import Tensor
from runtime.graph.build import is_symbolic
from runtime.messages import with_article
from runtime.variables import Variable

__all__ = ["held", "in_words"]

LONGEST = 24
"""Characters of a Python value that are worth showing."""
MOST = 4
"""Items of a container that are worth showing."""


def in_words(value: Any) -> str:
    """What a value is, for a sentence: ``i64[] of the graph``, ``a Python bool: True``."""
    if isinstance(value, TurnNumber):
        return f"a Python {value.ag__kind.__name__} of each turn"
    if is_symbolic(value):
        return f"{value.spec} of the graph"
    if isinstance(value, Variable):
        return f"a variable, {value.spec}"
    if isinstance(value, Tensor):
        return f"{value.spec} whose value is known"
    if isinstance(value, bool | int | float | complex | str | bytes):
        text = repr(value)
        return f"a Python {type(value).__name__}" + (f": {text}" if len(text) <= LONGEST else "")
    if value is None:
        return "None"
    if isinstance(value, Pushed):
        return "a generator that hands over its items"
    kind = type(value)
    name = f"Python {kind.__name__}" if kind.__module__ == "builtins" else kind.__name__
    return with_article(name)


def held(value: Any) -> str:
    """What a variable holds, as a type: ``f64[2]``, ``[f64[], f64[]]``, ``a Python int: 0``."""
    if isinstance(value, MaybeUndefined):
        return f"{held(value.ag__value)} or no value"
    if isinstance(value, MaybeNone):
        return f"{held(value.ag__value)} or None"
    if isinstance(value, Undefined):
        return "no value"
    if isinstance(value, Staged):
        return f"a {value.built.__name__} of the graph"
    if isinstance(value, StagedTuple):
        return "a list of the graph"
    if isinstance(value, UndefinedReturnValue):
        return "nothing"
    if is_symbolic(value):
        return str(value.spec)
    if type(value) is dict:
        return _nested(value, "{}", lambda key: f"{key!r}: {held(value[key])}")
    if type(value) in (list, tuple):
        return _nested(value, "[]" if type(value) is list else "()", held)
    return in_words(value)


def _nested(items: Any, brackets: str, shown: Callable[[Any], str]) -> str:
    parts = [shown(item) for item, _ in zip(items, range(MOST), strict=False)]
    if len(items) > MOST:
        parts.append("…")
    return f"{brackets[0]}{', '.join(parts)}{brackets[1]}"
