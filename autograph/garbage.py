"""Defers garbage collection while many objects are made that all stay alive."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["garbage_waits"]


@contextmanager
def garbage_waits() -> Iterator[None]:
    """Puts the collection of garbage off: what is made meanwhile is all alive, and looking it over costs.

    For trees of a conversion, and for modules while they are loaded.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
