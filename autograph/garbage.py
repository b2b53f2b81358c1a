"""Defers garbage collection while many objects are made that all stay alive."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["garbage_waits", "loading"]


@contextmanager
def garbage_waits() -> Iterator[None]:
    """Puts the collection of garbage off: what is made meanwhile is all alive, and looking it over costs.

    For trees of a conversion.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def loading() -> Iterator[None]:
    """As `garbage_waits`, for modules while they are loaded: what they hold is old at once.

    Otherwise the collection behind it looks over all of that, which takes a tenth of the time of the import.
    """
    with garbage_waits():
        yield
        if not gc.get_freeze_count():  # or the program, or Python 3.12, has put objects aside that stay there
            gc.freeze()
            gc.unfreeze()
