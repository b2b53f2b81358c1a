"""How long a program goes on with its first code."""

from __future__ import annotations

from autograph_base.dataclass import dataclass

__all__ = ["CALL", "Patience"]

CALL = 4
"""Looks at the clock as which a call counts."""


@dataclass(slots=True)
class Patience:
    """How long a program goes on with its first code.

    Attributes
    ----------
    left : int
        Looks at the clock in calls of it, each of which counts as some more.
    """

    left: int

    def spend(self, looks: int) -> None:
        """Counts a call that has looked at the clock so often."""
        self.left -= CALL + looks
