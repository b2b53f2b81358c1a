"""Loggers of `logging`, which is slow to load: who wants to hear of something has loaded it."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["DEBUG", "INFO", "Log"]

DEBUG, INFO = 10, 20
"""What `logging` calls the levels."""


class Log:
    """A logger that is asked for where anybody has loaded `logging`; nobody has set a level elsewhere.

    Parameters
    ----------
    name : str
        Its place in the tree. What it says is less than a warning, and heard by those alone who ask for it.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def says(self, level: int) -> bool:
        """Whether messages of a level, as `logging` counts, are heard."""
        library: Any = sys.modules.get("logging")
        return library is not None and bool(library.getLogger(self.name).isEnabledFor(level))

    def log(self, level: int, message: str, *values: object) -> None:
        """Says something, where it is heard."""
        if self.says(level):
            sys.modules["logging"].getLogger(self.name).log(level, message, *values, stacklevel=2)
