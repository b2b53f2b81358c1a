"""Writes to `sys.stdout` and `sys.stderr` during a trace, recorded as effects of the graph.

`print` in converted code needs none of this. But a program also prints in code that Python calls itself, such
as `__init__`, `__enter__` or a property, in code of libraries (`pprint`), and by `sys.stdout.write`. All of
that ends at the two streams, in the order of the program.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from autograph.backends.tensors.text import text as texts
from autograph.backends.tensors.text.strings import Text
from autograph.staging.context import staging
from runtime.core.text import is_said_about_trace, require_no_description
from runtime.core.tracing import tracing
from runtime.graph.build import effects_run

__all__ = ["recorded_streams"]


class RecordedStream:
    """Stands for a stream while a program is traced.

    In a thread that builds no graph, and for what is said about the trace itself, it is that stream.

    Parameters
    ----------
    name : {"stdout", "stderr"}
    stream : file
    """

    def __init__(self, name: str, stream: TextIO) -> None:
        self.name = name
        self.stream = stream

    def write(self, text: Any) -> Any:
        """Writes text: now, or when the graph runs."""
        if not self._is_recorded():
            return self.stream.write(text)
        if not isinstance(text, (str, Text)):
            return self.stream.write(text)  # raises what Python does
        texts.write_text(self._with_values(text), self.name)
        return None if isinstance(text, Text) else len(text)

    def writelines(self, lines: Iterable[Any]) -> None:
        """Writes one text after the other."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Writes what is kept back: now, or when the graph runs."""
        if self._is_recorded():
            texts.write_text("", self.name, flush=True)
        else:
            self.stream.flush()

    def _is_recorded(self) -> bool:
        return effects_run() and not is_said_about_trace()

    def _with_values(self, text: Any) -> Any:
        """Text that shows no tensor as it is shown while it has no value.

        `print` writes the very text that `str(tensor)` has given.
        """
        known = tracing.shown.get(id(text))
        if known is not None:
            return texts.shown(known[1], str if known[2] == "str" else repr)
        require_no_description(text)
        return text

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


io.TextIOBase.register(RecordedStream)  # by name only: what derives from it is closed when it is gone


@contextmanager
def recorded_streams() -> Iterator[None]:
    """While a program is traced, what is written to the two streams is recorded."""
    before = sys.stdout, sys.stderr
    staging.streams = RecordedStream("stdout", before[0]), RecordedStream("stderr", before[1])
    sys.stdout, sys.stderr = staging.streams
    try:
        yield
    finally:
        now = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = [
            own if found is recorded else found
            for own, found, recorded in zip(before, now, staging.streams, strict=True)
        ]
        staging.streams = None, None
        tracing.shown.clear()
