"""`ag.compile_library`: a function compiled to a C library for programs that have no Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from autograph.tracing.function import ConcreteFunction, PolymorphicFunction, function
from runtime.functions.bound import BoundFunction
from runtime.functions.libraries import write_library
from runtime.graph.frames import shows_callers_alone

__all__ = ["compile_library"]


@shows_callers_alone
def compile_library(
    f: ConcreteFunction | Callable[..., Any],
    path: str | PathLike[str],
    *,
    spec: Sequence[Any] | Mapping[str, Any] = (),
    header: bool = True,
    name: str | None = None,
    cpu: str = "baseline",
    freeze: bool = False,
) -> tuple[Path, ...]:
    """Writes machine code that needs neither Python nor this project, and a header for C beside it.

    The function in C takes numbers as numbers, and arrays as pointers; a length that the graph does not know
    is an argument behind its array. Results go out through pointers, and what it returns is 0, or says which
    kind of error there was; ``NAME_error()`` gives the message, with the line of the program. Arrays that the
    function writes into are changed in place. The header says the rest.

    Parameters
    ----------
    f : ConcreteFunction or callable
        One graph; or a function, with a `spec`.
    path : str or path
        Its ending says what is written: ``.o``, an object; ``.so``, a shared library, made by the system's
        ``cc``; ``.a``, an archive, made by ``ar``. Files are written whole or not at all.
    spec : sequence or mapping, optional
        What the function would be called with: a `TensorSpec` wherever only shape and dtype matter. By
        default the function's `input_signature`.
    header : bool
        Whether the header is written, into a file of the same name that ends in ``.h``.
    name : str, optional
        What the function is called in C; its own name by default.
    cpu : str
        ``"baseline"``: the code runs on every processor of this kind. ``"native"``: it may use all that this
        one has. ``"x86-64-v2"`` to ``"x86-64-v4"`` are levels in between.
    freeze : bool
        Whether the variables that it reads, and other values outside of it, become constants.

    Returns
    -------
    tuple of Path
        The files that were written.

    Raises
    ------
    CompileError
        When a part of the graph is Python's to compute, or a tool is missing that makes such a file.

    Examples
    --------
    >>> import tempfile
    >>> import runtime as rt
    >>> def mean(x):
    ...     return rt.sum(x) / len(x)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = compile_library(mean, f"{folder}/mean.o", spec=[rt.TensorSpec((None,), "float64")])
    ...     lines = files[1].read_text().splitlines()
    >>> next(line for line in lines if line.startswith("int mean("))
    'int mean(const double *x, int64_t x_dim0, double *result);'
    """
    if not isinstance(f, ConcreteFunction):
        staged = f if isinstance(f, PolymorphicFunction | BoundFunction) else function(f)
        args, kwargs = ((), spec) if isinstance(spec, Mapping) else (spec, {})
        f = staged.get_concrete_function(*args, **kwargs)
    return write_library(f, path, header=header, name=name, cpu=cpu, freeze=freeze)
