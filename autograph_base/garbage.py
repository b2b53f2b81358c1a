"""Defers garbage collection while many objects are allocated of which most stay alive."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["garbage_waits", "loading"]

_YOUNG = 200_000
"""Objects that may come between two collections meanwhile, so that a program's own garbage stays bounded."""


class _Waiting:
    """Has Python look for garbage after many more objects than usual, until the last thread leaves.

    Graphs are alive while they are made, and each collection looks at all that is alive: the time would
    depend on how much else the process holds.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entered = 0
        self._usual: tuple[int, int, int] | None = None

    def __enter__(self) -> None:
        with self._lock:
            self._entered += 1
            usual = gc.get_threshold()
            if self._entered == 1 and 0 < usual[0] < _YOUNG:
                self._usual = usual
                gc.set_threshold(_YOUNG, *usual[1:])

    def __exit__(self, *error: Any) -> None:
        with self._lock:
            self._entered -= 1
            if self._entered == 0 and self._usual is not None:
                if gc.get_threshold()[0] == _YOUNG:  # the program has not set another one
                    gc.set_threshold(*self._usual)
                self._usual = None


garbage_waits = _Waiting()
"""For `with`: while a function is traced, and while its graph is compiled."""


@contextmanager
def loading() -> Iterator[None]:
    """As `garbage_waits`, for modules while they are loaded: what they hold is old at once.

    Otherwise the two collections behind it look over all of that, a tenth of the time of the import.
    """
    with garbage_waits:
        yield
        if not gc.get_freeze_count():  # or the program, or Python 3.12, has put objects aside that stay there
            gc.freeze()
            gc.unfreeze()
