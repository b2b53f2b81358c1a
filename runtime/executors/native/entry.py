"""How Python calls a compiled graph: its arguments as eight bytes each, and what it gives likewise."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.spec import ArraySpec
from runtime.executors.native.code import Status
from runtime.executors.native.emit import CONTEXT_WORDS, MOST_SHOWN
from runtime.executors.native.engine import Library
from runtime.executors.native.loops import Program, Site
from runtime.executors.notes import located
from runtime.graph.graph import Graph
from runtime.ops.core import Check

__all__ = ["SITE", "entry_of", "failure"]

_FORMATS = {
    "bool": "?7x",
    "int8": "b7x",
    "uint8": "B7x",
    "int16": "h6x",
    "uint16": "H6x",
    "int32": "i4x",
    "uint32": "I4x",
    "int64": "q",
    "uint64": "Q",
    "float32": "f4x",
    "float64": "d",
}
"""A number in eight bytes, for `struct`."""

SITE, _SHOWN = 5, 6
"""Where in a context the site of a failure is, or which flags were raised, and what it shows."""


Ended: TypeAlias = Callable[[Status, Any, Sequence[Any]], Any]
"""What to give for a run that did not simply end, from its status, its context and its arguments.

It may raise. None stands for what the run has found.
"""


def entry_of(graph: Graph, program: Program, library: Library, ended: Ended) -> Callable[..., Any]:
    """The function that takes the arrays of a graph's inputs and gives those of its outputs.

    Parameters
    ----------
    graph : Graph
        What the program's last function computes.
    program : Program
    library : Library
        Its machine code.
    ended : callable
    """
    run = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(library.addresses["ag_entry"])
    for name, array in program.constants.items():
        ctypes.c_void_p.from_address(library.addresses[name]).value = array.ctypes.data
    pack = struct.Struct("<" + "".join(map(_format, graph.input_specs))).pack
    takes = [_Taken(spec) for spec in graph.input_specs if isinstance(spec, ArraySpec)]
    gives = [_Given(spec) for spec in graph.output_specs if isinstance(spec, ArraySpec)]
    results = struct.Struct("<" + "".join(map(_format, graph.output_specs)))
    words_of = ctypes.c_int64 * (CONTEXT_WORDS + results.size // 8)
    unpack, start = results.unpack_from, 8 * CONTEXT_WORDS
    specs = [*graph.input_specs, *graph.output_specs]
    free = None
    if "ag_free" in library.addresses:
        free = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(library.addresses["ag_free"])
    if free is None and len(gives) == 1 and all(spec.is_scalar for spec in specs):
        kind = graph.outputs[0].dtype.numpy.type

        def of_numbers(*numbers: Any) -> Any:
            words = words_of()
            status = run(words, pack(*[number.item() for number in numbers]))
            if status:
                other = ended(Status(status), words, numbers)
                if other is not None:
                    return other
            return kind(unpack(words, start)[0])

        return of_numbers

    def entry(*arrays: Any) -> Any:
        given: list[Any] = []
        held = [take(array, given) for take, array in zip(takes, arrays, strict=True)]
        words = words_of()
        try:
            status = run(words, pack(*given))
            if status:
                other = ended(Status(status), words, arrays)
                if other is not None:
                    return other
            left = iter(unpack(words, start))
            found = [give(left) for give in gives]
        finally:
            if free is not None:
                free(words)
        del held
        return found[0] if len(found) == 1 else tuple(found)

    return entry


def _format(spec: Any) -> str:
    """The eight bytes of a number, or those of an address and of the lengths that are not known."""
    if not spec.shape:
        return _FORMATS[spec.dtype.name]
    return "Q" + "q" * sum(not isinstance(dim, int) for dim in spec.shape)


class _Taken:
    """One argument."""

    def __init__(self, spec: ArraySpec) -> None:
        self._dtype = spec.dtype.numpy
        self._unknown = [axis for axis, dim in enumerate(spec.shape or ()) if not isinstance(dim, int)]
        self._is_scalar = not spec.shape

    def __call__(self, array: Any, words: list[Any]) -> Any:
        """Adds what stands for an array; gives what has to live meanwhile."""
        if self._is_scalar:
            words.append(array.item())
            return None
        whole = np.ascontiguousarray(array, self._dtype)
        words.append(whole.__array_interface__["data"][0])
        words += [whole.shape[axis] for axis in self._unknown]
        return whole


class _Given:
    """One result."""

    def __init__(self, spec: ArraySpec) -> None:
        self._dtype: DType = spec.dtype
        self._dims = spec.shape or ()

    def __call__(self, words: Any) -> Any:
        """The array that the next words stand for."""
        if not self._dims:
            return self._dtype.numpy.type(next(words))
        address = next(words)
        shape = tuple([dim if isinstance(dim, int) else next(words) for dim in self._dims])
        result = np.empty(shape, self._dtype.numpy)
        ctypes.memmove(result.__array_interface__["data"][0], address, result.nbytes)
        return result


def failure(status: Status, sites: Sequence[Site], words: Any) -> BaseException:
    """What to raise for a run that has ended early."""
    if status is Status.NO_MEMORY:
        return MemoryError("there is not enough memory for an array of this graph")
    if status is Status.TOO_DEEP:
        return RecursionError("maximum recursion depth exceeded")
    assert status is Status.FAILED, "an interrupted run has raised already"
    site = sites[words[SITE]]
    bits = words[_SHOWN : _SHOWN + MOST_SHOWN]
    shown = [_number(word, dtype) for word, dtype in zip(bits, site.dtypes, strict=False)]
    try:
        Check(site.error, site.message).kernel(False, *shown)
    except Exception as error:  # noqa: BLE001  # it is what the program raises
        return located(error, site.node)
    raise AssertionError("a check that does not hold raises")


def _number(word: int, dtype: DType) -> Any:
    """A number from the 64 bits in which a failure shows it."""
    if dtype.is_floating:
        return dtype.numpy.type(struct.unpack("<d", struct.pack("<q", word))[0])
    return dtype.numpy.type(np.int64(word).astype(dtype.numpy))
