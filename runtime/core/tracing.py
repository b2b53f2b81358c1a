"""`tracing`: what this thread is in the middle of, in one object."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime.graph.builder import Builder

__all__ = ["Tracing", "tracing"]


class Tracing(threading.local):
    """The state of the trace that a thread is in; each thread has its own.

    Attributes
    ----------
    builder : Builder or None
        Of the graph that is being built; None in eager code.
    """

    builder: Builder | None = None


tracing = Tracing()
"""Whoever changes it gives it back as it was."""
