"""A command that cannot be done, and what to write instead."""

from __future__ import annotations

__all__ = ["WrongCommand"]


class WrongCommand(Exception):
    """A command that cannot be done as it was given: one message, and no traceback.

    Parameters
    ----------
    message : str
        What is wrong, and what to write instead.
    """
