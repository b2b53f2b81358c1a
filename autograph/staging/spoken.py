"""What messages call the classes of our values: by what these stand for in the program.

Python's own errors name the class of a value: `unsupported operand type(s) for +: 'dict' and 'int'` is what a
user reads of a dict of a graph, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["NAMES", "called"]

_Kind = TypeVar("_Kind", bound=type)

NAMES: dict[type, str] = {}
"""What the classes are called that are loaded by now."""


def called(name: str) -> Callable[[_Kind], _Kind]:
    """Has Python, too, call a class of ours by a name."""

    def named(kind: _Kind) -> _Kind:
        kind.__name__ = kind.__qualname__ = name
        if not any("__repr__" in vars(each) for each in kind.__mro__[:-1]):  # Python's would name our module
            kind.__repr__ = _shown  # type: ignore[method-assign, assignment]
        NAMES[kind] = name
        return kind

    return named


def _shown(value: Any) -> str:
    return f"<{type(value).__name__} of a graph>"
