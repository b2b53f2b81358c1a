"""A function in C in front of machine code: it takes what a function is called with, and gives its result.

Tensors are opened, what is no input is compared with what the graph was made for, as is what the function
reads outside, arrays of NumPy's that the
function writes into get what it has left in them, and results become tensors, and a tuple of these. What it
cannot do it leaves to its caller, and gives None: nothing has happened then.

One function serves all graphs: what is particular lies in a table, which is its `self`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from runtime.core.spec import ArraySpec, Spec
from runtime.executors.native.calls.calling import made_function
from runtime.executors.native.calls.front_code import CELL, MOST, NESTS_FROM, WORDS, front_code
from runtime.executors.native.calls.layout import array_new, place_in_tensor
from runtime.executors.native.calls.opening import can_open, opened_words
from runtime.executors.native.llvm import engine
from runtime.executors.program import NEXT, Given, Holder, Program
from runtime.graph.graph import Graph

__all__ = ["in_front_of"]

_WRITEABLE = 0x400
"""The flag of an array that may be written to."""


def in_front_of(
    program: Program, code: ctypes.c_void_p, given: Given, graph: Graph, lent: Sequence[int] = ()
) -> Callable[..., Any] | None:
    """The function for a graph; None where there is none.

    Parameters
    ----------
    program : Program
        That of the graph, which is to live as long.
    code : pointer
        Where its function in C is, at the time of a call: while that is nowhere, all is left to the caller.
    given : Given
    graph : Graph
    lent : sequence of int
        The inputs that the code writes into where they are: of a tensor, it gets a copy.
    """
    too_long = max(len(given.positions), len(given.leaves)) > MOST or not can_open(given)
    if too_long or array_new() is None or place_in_tensor() is None:
        return None
    words = _table(code, given, graph.input_specs, lent, is_one=len(graph.outputs) - len(lent) == 1)
    table = struct.pack(f"<{len(words)}q", *words)
    kept = (
        program,
        code,
        given.tensors,
        list(given.known.values()),
        given.names,
        given.served,
        given.leaves,
        given.outside,
        given.nests,
        given.finish,
    )
    return made_function("call", _library().addresses["ag_front"], table, kept, takes_names=True)


def _table(
    code: ctypes.c_void_p, given: Given, specs: Sequence[Spec], lent: Sequence[int], *, is_one: bool
) -> list[int]:
    """What is particular to a graph, in words: see `front_code`."""
    known, writes = sorted(given.known.items()), {*given.written.values(), *lent}
    written = {} if lent else given.written
    words = [
        given.count - len(given.names),
        id(given.tensors),
        id(np.ndarray) if given.lent else 0,
        id(np.ndarray),
        ctypes.addressof(code),
        len(given.positions),
        len(known),
        len(written),
        id(None),
        int(not is_one),
        id(given.names) if given.names else 0,
        ctypes.addressof(given.served),
        len(lent),
        array_new() or 0,
        len(given.leaves),
        int(given.is_tuple),
        len(given.outside),
        len(given.nests),
        0,
        0 if given.finish is None else id(given.finish),
    ]
    assert len(words) == WORDS, "the code knows where each is"
    for index, position in enumerate(given.positions):
        words += _words_of_input(position, _array_at(specs, index), index in writes, index in given.cells)
    for position, value in known:
        words += [position, id(value)]
    for output, index in written.items():
        words += [output, index, _array_at(specs, index).dtype.itemsize]
    for index in lent:
        spec = _array_at(specs, index)
        words += [index, spec.dtype.itemsize, spec.dtype.numpy.num]
    words += [0 if leaf is NEXT else id(leaf) for leaf in given.leaves]
    for held in given.outside:
        is_none_in_c = held.value is None and held.holder is Holder.DEFAULTS
        words += [held.holder, id(held.owner), id(held.key), 0 if is_none_in_c else id(held.value)]
    words[NESTS_FROM] = len(words)
    return words + opened_words(given.nests)


def _words_of_input(position: int, spec: ArraySpec, is_written: bool, is_cell: bool) -> list[int]:
    """Where an input is among what is given, what its array has to be, and the class of NumPy's numbers."""
    is_number = not (is_written or is_cell) and spec.shape == ()
    flags = (_WRITEABLE if is_written else 0) | (CELL if is_cell else 0)
    return [position, flags, id(spec.dtype.numpy.type) if is_number else 0]


def _array_at(specs: Sequence[Spec], index: int) -> ArraySpec:
    spec = specs[index]
    assert isinstance(spec, ArraySpec), "it has code that is called in C"
    return spec


@cache
def _library() -> engine.Library:
    return engine.compiled(front_code(), ["ag_front"])
