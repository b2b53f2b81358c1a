"""The errors of failed guards: what a graph has read outside of its function, and is different now."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Tensor
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.external_state import Change, can_come_in
from runtime.functions.retraces import Difference

__all__ = ["change_text", "changes_of", "difference", "may_vary"]

_BRIEF = 40
"""Characters of a value that a message shows."""


def changes_of(concrete: ConcreteFunction) -> list[Change]:
    """What a graph has read outside and is not as it was."""
    return [*concrete.guards.changes()] if concrete.guards is not None else []


def may_vary(change: Change) -> bool:
    """Whether a place holds another number, or another tensor, than before: one graph may serve both."""
    before, now = change.before, change.now
    if type(now) in {int, float}:
        return type(before) is type(now)
    return not isinstance(now, list) and can_come_in(now) and type(now) not in {bool, complex}


def difference(change: Change) -> Difference:
    """A change as a reason for another trace."""
    is_same = type(change.before) is type(change.now)
    return Difference(
        change.place.name, "outside" if is_same else "type outside", _brief(change.before), _brief(change.now)
    )


def change_text(change: Change) -> str:
    """A change as a line of a message."""
    return f"{change.place.name}: {_brief(change.before)}, then {_brief(change.now)}"


def _brief(value: Any) -> str:
    """A value in a line; an array by its kind, an object by its class."""
    if isinstance(value, (Tensor, np.ndarray)):
        return f"an array of shape {value.shape}"
    if isinstance(value, (bool, int, float, complex, str, bytes, type(None), list, tuple)):
        text = repr(value)
        return text if len(text) <= _BRIEF else f"{text[:_BRIEF]}…"
    return f"a {type(value).__name__}" if type(value).__name__ != "Undefined" else "nothing"
