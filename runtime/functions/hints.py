"""What a trace adds to an error of Python's own that a tensor of unknown length may have caused."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from runtime.core.shapes import is_known
from runtime.core.spec import ArraySpec
from runtime.graph.builder import Builder
from runtime.graph.location import is_users_file

__all__ = ["unknown_dims_explained"]


@contextmanager
def unknown_dims_explained(builder: Builder) -> Iterator[None]:
    """Adds a note to a TypeError about None, in a function that reads a shape with unknown dims."""
    try:
        yield
    except TypeError as error:
        arrays = [value for value in builder.inputs if isinstance(value.spec, ArraySpec)]
        unknown = [value for value in arrays if not is_known(value.shape)]
        if unknown and "NoneType" in str(error) and _reads_a_shape(error.__traceback__):
            error.add_note(
                f"None may be a length that only a run knows: the graph `{builder.name}` is traced for "
                f"{', '.join(str(value.spec) for value in unknown)}, and `x.shape` has None there.\n"
                "Take lengths from `rt.shape(x)`, a number of elements from `rt.size(x)`: these are tensors."
            )
        raise


def _reads_a_shape(trace: TracebackType | None) -> bool:
    """Whether the innermost function of the user's in a traceback says `.shape` or `.size`."""
    code = None
    while trace is not None:
        if is_users_file(trace.tb_frame.f_code.co_filename):
            code = trace.tb_frame.f_code
        trace = trace.tb_next
    if code is None:
        return False
    numbers = {line for _, _, line in code.co_lines() if line}
    text = "".join(linecache.getline(code.co_filename, line) for line in numbers)
    return ".shape" in text or ".size" in text
