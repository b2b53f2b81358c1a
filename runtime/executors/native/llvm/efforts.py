"""How much time code gets: of long code, LLVM would take seconds, and seldom gain."""

from __future__ import annotations

from enum import Enum

from runtime.executors.native.llvm.code import LONG, SHORT

__all__ = ["AS_IT_STANDS", "Effort", "effort_of", "has_arrays"]


class Effort(Enum):
    """How much time code gets, as LLVM counts it: of long code, it would take seconds, and seldom gain."""

    FULL = 2
    SOME = 1
    LITTLE = 0
    NONE = -1

    @property
    def level(self) -> int:
        """What instructions are chosen with."""
        return max(0, self.value)


_LONG, _VERY_LONG = 1_500, 12_000
"""Lines of code from which on it gets some of the time, and little; with `LONG` loops never some."""


AS_IT_STANDS = "; as it stands\n"
"""What code begins with that is short, and written as it is to run: it gets little time."""


def effort_of(text: str) -> Effort:
    """What the text of a module gets."""
    if text.startswith(AS_IT_STANDS):
        return Effort.LITTLE
    lines = text.count("\n")
    if lines < (_VERY_LONG if _begins(text, LONG) else _LONG):
        return Effort.FULL
    return Effort.SOME if lines < _VERY_LONG else Effort.LITTLE


def has_arrays(text: str) -> bool:
    """Whether code has loops over arrays."""
    return _begins(text, LONG) or _begins(text, SHORT)


def _begins(text: str, stem: str) -> bool:
    """Whether code has a block with such a name."""
    return f"\n{stem}." in text
