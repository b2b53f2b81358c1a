"""What counters give together, where only the run knows what is counted: `one & other`, `one <= other`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from autograph.staging.twins import converted_twin

__all__ = ["counted_out", "together"]


def together(name: str, one: Any, other: Any) -> Any:
    """What Python finds of two counters, key by key; `NotImplemented` where one of them is something else.

    Parameters
    ----------
    name : str
        A function of `autograph.staging.counting`.
    one, other : object
    """
    if not all(isinstance(each, Counter) or getattr(each, "built", None) is Counter for each in (one, other)):
        return NotImplemented
    return _converted(name)(one, other)


def counted_out(counter: Any) -> Any:
    """What gives each key as often as it counts."""
    return _converted("counted_out")(counter)


def _converted(name: str) -> Callable[..., Any]:
    return converted_twin(name, "counting")
