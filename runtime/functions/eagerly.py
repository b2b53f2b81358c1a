"""The switch that makes functions run as plain Python, so that a debugger can follow them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType

from runtime.core.tracing import tracing
from runtime.graph.build import open_graphs

__all__ = ["functions_run_eagerly", "run_as_written", "run_functions_eagerly", "switch"]


class _Switch:
    """Whether functions run as plain Python, for the whole process."""

    def __init__(self) -> None:
        self._on = False

    @property
    def on(self) -> bool:
        """Whether they do. Then each call is looked at, as while a graph is built."""
        return self._on

    @on.setter
    def on(self, on: bool) -> None:
        open_graphs.change(bool(on) - bool(self._on))
        self._on = on


switch = _Switch()


class _Restore:
    """Undoes `run_functions_eagerly` at the end of a `with` block."""

    def __init__(self, before: bool) -> None:
        self._before = before

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        switch.on = self._before


def run_functions_eagerly(run_eagerly: bool) -> _Restore:
    """Makes every function run as plain Python, operation by operation, or as a graph again.

    Parameters
    ----------
    run_eagerly : bool
        True switches graphs off, for the whole process and all threads.

    Returns
    -------
    A context manager that restores the former state; without `with`, the switch stays.

    Examples
    --------
    >>> with run_functions_eagerly(True):
    ...     functions_run_eagerly()
    True
    >>> functions_run_eagerly()
    False
    """
    restore = _Restore(switch.on)
    switch.on = run_eagerly
    return restore


def run_as_written() -> AbstractContextManager[None] | None:
    """A context in which functions that this thread's trace calls run as plain Python; None outside of one.

    It is for calls that meet no tensor.
    """
    return None if tracing.builder is None else _as_written()


@contextmanager
def _as_written() -> Iterator[None]:
    before, tracing.as_written = tracing.as_written, True
    try:
        yield
    finally:
        tracing.as_written = before


def functions_run_eagerly() -> bool:
    """Whether functions run as plain Python now."""
    return switch.on
