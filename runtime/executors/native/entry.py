"""How Python calls a compiled graph: its arguments as eight bytes each, and what it gives likewise."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, ListSpec
from runtime.errors import ShapeError
from runtime.executors.native.calling import function_in_c
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
    gives = [_GivenList(spec) if isinstance(spec, ListSpec) else _Given(spec) for spec in graph.output_specs]
    results = struct.Struct("<" + "".join(map(_format, graph.output_specs)))
    words_of = ctypes.c_int64 * (CONTEXT_WORDS + results.size // 8 + 1)  # and the status
    unpack, start = results.unpack_from, 8 * CONTEXT_WORDS
    free = None
    if "ag_free" in library.addresses:
        free = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(library.addresses["ag_free"])

    def found(status: int, words: Any, arrays: Sequence[Any]) -> Any:
        """What a run gives, from its context."""
        if status:
            other = ended(Status(status), words, arrays)
            if other is not None:
                return other
        left = iter(unpack(words, start))
        results = [give(left) for give in gives]
        return results[0] if len(results) == 1 else tuple(results)

    def entry(*arrays: Any) -> Any:
        given: list[Any] = []
        lengths: dict[Any, int] = {}
        held = [take(array, given, lengths) for take, array in zip(takes, arrays, strict=True)]
        words = words_of()
        try:
            status = run(words, pack(*given))
            del held
            return found(status, words, arrays)
        finally:
            if free is not None:
                free(words)

    def resume(address: int, *arrays: Any) -> Any:
        words = words_of.from_address(address)
        return found(words[-1], words, arrays)

    if "ag_fast" in library.addresses:
        return function_in_c(graph, library, entry, resume)
    return entry


def _format(spec: Any) -> str:
    """The eight bytes of a number, or those of an address and of the lengths that are not known."""
    if isinstance(spec, ListSpec):
        return "Qqq"
    if not spec.shape:
        return _FORMATS[spec.dtype.name]
    return "Q" + "q" * sum(not isinstance(dim, int) for dim in spec.shape)


class _Taken:
    """One argument."""

    def __init__(self, spec: ArraySpec) -> None:
        self._spec = spec
        self._dtype = spec.dtype.numpy
        self._dims = spec.shape or ()

    def __call__(self, array: Any, words: list[Any], lengths: dict[Any, int]) -> Any:
        """Adds what stands for an array; gives what has to live meanwhile.

        Lengths of one name are equal: those that were met are in `lengths`.
        """
        whole = np.asarray(array, self._dtype)
        expected = [
            dim if isinstance(dim, int) else lengths.setdefault(dim, size)
            for dim, size in zip(self._dims, whole.shape, strict=False)
        ]
        if len(self._dims) != whole.ndim or tuple(expected) != whole.shape:
            raise ShapeError(f"an array of shape {whole.shape} is given where the graph takes {self._spec}")
        if not self._dims:
            words.append(whole.item())
            return None
        whole = np.ascontiguousarray(whole)
        words.append(whole.__array_interface__["data"][0])
        words += [size for dim, size in zip(self._dims, whole.shape, strict=True) if not isinstance(dim, int)]
        return whole


class _Given:
    """One result."""

    def __init__(self, spec: Any) -> None:
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


class _GivenList:
    """One result that is a list of numbers."""

    def __init__(self, spec: ListSpec) -> None:
        assert isinstance(spec.element, ArraySpec), "its elements are numbers"
        self._element = spec.element

    def __call__(self, words: Any) -> ListValue:
        """The handle of the list that the next words stand for."""
        address, length, _ = next(words), next(words), next(words)
        items = np.empty(length, self._element.dtype.numpy)
        ctypes.memmove(items.__array_interface__["data"][0], address, items.nbytes)
        return ListValue(list(map(np.asarray, items)), self._element)


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
