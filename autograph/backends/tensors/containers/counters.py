"""What counters give together, where only the run knows what is counted: `one & other`, `one <= other`."""

from __future__ import annotations

from collections import Counter
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
    return converted_twin(name, "counting")(one, other)


def counted_out(counter: Any) -> Any:
    """What gives each key as often as it counts."""
    return converted_twin("counted_out", "counting")(counter)
