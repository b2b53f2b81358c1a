"""How Python calls a compiled graph: its arguments in words, and what it gives likewise."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from runtime.core.spec import ArraySpec
from runtime.errors import ShapeError
from runtime.executors.native.calls.calling import function_in_c, tell_objects
from runtime.executors.native.forms import Anything, NumberForm, Shelter, address_of, form_of
from runtime.executors.native.language.loops import Program
from runtime.executors.native.llvm.code import CONTEXT_WORDS, LOOKS, PATIENCE, PRIVATE, Status
from runtime.executors.native.llvm.engine import Library
from runtime.executors.native.patience import Patience
from runtime.graph.graph import Graph

__all__ = ["entry_of"]

_NOTHING: Mapping[int, Any] = MappingProxyType({})

Ended: TypeAlias = Callable[[Status, Any, Sequence[Any]], Any]
"""What to give for a run that did not simply end, from its status, its context and its arguments.

It may raise. None stands for what the run has found.
"""


def entry_of(
    graph: Graph, program: Program, library: Library, ended: Ended, patience: Patience | None = None
) -> Callable[..., Any]:
    """The function that takes the arrays of a graph's inputs and gives those of its outputs.

    Parameters
    ----------
    graph : Graph
        What the program's last function computes.
    program : Program
    library : Library
        Its machine code.
    ended : callable
    patience : Patience, optional
        Counts what is run, and ends a run that lasts longer.
    """
    run = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(library.addresses["ag_entry"])
    run.library = library  # type: ignore[attr-defined]  # the code lives as long as a run of it
    for name, array in program.constants.items():
        ctypes.c_void_p.from_address(library.addresses[name]).value = address_of(array)
    for name, value in program.objects.items():
        ctypes.c_void_p.from_address(library.addresses[name]).value = id(value) | 1
    takes, lent = [_Taken(spec, has_nested=program.has_nested) for spec in graph.input_specs], program.lent
    gives = [
        form_of(spec, has_nested=program.has_nested)
        for output, spec in enumerate(graph.output_specs)
        if output not in lent
    ]
    pack = struct.Struct("<" + "".join(each.format for each in takes)).pack
    results = struct.Struct("<" + "".join(form.format for form in gives))
    words_of = ctypes.c_int64 * (CONTEXT_WORDS + results.size // 8 + 1)  # and the status
    unpack, start = results.unpack_from, 8 * CONTEXT_WORDS
    in_order, free = program.is_in_order, None
    if "ag_free" in library.addresses:
        free = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(library.addresses["ag_free"])

    def found(status: int, words: Any, arrays: Sequence[Any], own: Mapping[int, Any] = _NOTHING) -> Any:
        """What a run gives, from its context, and what it has left in arrays of its `own`."""
        if status:
            other = ended(Status(status), words, arrays)
            if other is not None:
                return other
        left = iter(unpack(words, start))
        results = [form.read(left) for form in gives]
        for output, index in lent.items():  # they are the last
            assert output == len(results), "all that is before it is there"
            results.append(own[index])
        return results[0] if len(results) == 1 else tuple(results)

    def entry(*arrays: Any) -> Any:
        if in_order and not all(map(_lies_in_order, arrays)):
            return ended(Status.GIVES_WAY, None, arrays)
        given: list[Any] = []
        lengths: dict[Any, int] = {}
        held = Shelter()
        own = {index: np.array(arrays[index], order="C") for index in lent.values()}
        for index, (take, array) in enumerate(zip(takes, arrays, strict=True)):
            given += take(own.get(index, array), held, lengths)
        words = words_of()
        words[PRIVATE] = -1
        if patience is not None:
            words[PATIENCE] = max(1, patience.left)
        try:
            status = run(words, pack(*given))
            if patience is not None:
                patience.spend(words[LOOKS])
            return found(status, words, arrays, own)
        finally:
            del held  # what is found may lie in it
            if free is not None:
                free(words)

    def resume(address: int, *arrays: Any) -> Any:
        words = words_of.from_address(address)
        return found(words[-1], words, arrays)

    if patience is not None or "ag_fast" not in library.addresses:
        return entry
    if lent:  # that function writes into what it is given
        entry.kept = tell_objects(graph, library, entry, resume, lent)  # type: ignore[attr-defined]
        return entry
    return function_in_c(graph, library, entry, resume)


def _lies_in_order(value: Any) -> bool:
    """Whether the elements of an array lie in the order of their indices, as machine code reads them."""
    return not isinstance(value, np.ndarray) or value.flags.c_contiguous


class _Taken:
    """One argument."""

    def __init__(self, spec: Any, *, has_nested: bool) -> None:
        self._spec = spec
        self._form = form_of(spec, has_nested=has_nested)
        self.format = self._form.format
        self._dtype = None
        if isinstance(self._form, NumberForm) and not self._form.dtype.is_complex:
            self._dtype = self._form.dtype.numpy

    def __call__(self, value: Any, held: Shelter, lengths: dict[Any, int]) -> list[Any]:
        """The words for a value.

        Lengths of one name are equal: those that were met are in `lengths`.
        """
        is_numpy = isinstance(value, (np.generic, np.ndarray))
        if is_numpy and value.dtype is self._dtype and not value.shape:  # as most numbers are
            return [value.item()]
        spec = self._spec
        if isinstance(spec, ArraySpec) and not isinstance(self._form, Anything):
            shape, dims = np.shape(value), spec.shape or ()
            expected = [
                dim if isinstance(dim, int) else lengths.setdefault(dim, size)
                for dim, size in zip(dims, shape, strict=False)
            ]
            if len(dims) != len(shape) or tuple(expected) != shape:
                raise ShapeError(f"an array of shape {shape} is given where the graph takes {spec}")
        return self._form.write(value, held)
