"""How many threads compute at once."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable

__all__ = ["get_num_threads", "on_change", "set_num_threads"]

_wanted: int | None = None
_told: list[Callable[[], None]] = []


def get_num_threads() -> int:
    """How many threads share the large loops of machine code.

    Returns
    -------
    int
        What `set_num_threads` was told last, or else the cores that this process may use.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.get_num_threads() >= 1
    True
    """
    return _cores() if _wanted is None else _wanted


def set_num_threads(number: int | None) -> None:
    """Says how many threads share the large loops of machine code; results do not depend on it.

    It is of the process, and of all calls from now on, of graphs that are compiled already, too. The calling
    thread is one of them. NumPy's own threads, those of large products of matrices, are not meant.

    Parameters
    ----------
    number : int or None
        1 for none but the calling one; None for as many as there are cores that this process may use.

    Raises
    ------
    TypeError
        When `number` is no whole number.
    ValueError
        When it is less than 1.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.set_num_threads(1)
    >>> rt.get_num_threads()
    1
    >>> rt.set_num_threads(None)
    """
    global _wanted  # noqa: PLW0603  # it is of the process
    if number is not None:
        number = operator.index(number)
        if number < 1:
            raise ValueError(f"{number} threads compute nothing: one is the least")
    _wanted = number
    for tell in _told:
        tell()


def on_change(tell: Callable[[], None]) -> None:
    """Has a function called whenever somebody says how many there shall be."""
    _told.append(tell)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
