"""What machine code calls: Python, at the places of a program where an op has no machine code.

A call reads its arguments from words (`forms.py`), and leaves its results in others, with copies of arrays in
memory of the run. What it raises is kept in the context of the run, which ends there, or goes on where the
program catches it.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.spec import ArraySpec
from runtime.executors.native.code import CONTEXT_WORDS, Status
from runtime.executors.native.engine import Library
from runtime.executors.native.failures import failure
from runtime.executors.native.forms import Anything, Shelter, address_of
from runtime.executors.native.loops import HostSite, Program
from runtime.executors.notes import located
from runtime.graph.graph import Node

__all__ = ["HOST_SYMBOLS", "serve"]

HOST_SYMBOLS = ("ag_host", "ag_memory", "ag_hold")
"""What a program that calls Python names."""

_increase = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("Py_IncRef", ctypes.pythonapi))
_decrease = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("Py_DecRef", ctypes.pythonapi))


class _OfTheRun(Shelter):
    """Memory and references that a run gives back."""

    def __init__(self, context: int, memory: Callable[..., Any], hold: Callable[..., Any]) -> None:
        self.context = context
        self._memory = memory
        self._hold = hold

    def array(self, array: Any) -> int:
        place = self._memory(self.context, array.nbytes)
        if place is None:
            raise MemoryError("there is not enough memory for an array of this graph")
        ctypes.memmove(place, address_of(array), array.nbytes)
        found: int = place
        return found

    def object(self, value: object) -> int:
        _increase(id(value))
        if not self._hold(self.context, id(value)):
            _decrease(id(value))
            raise MemoryError("there is not enough memory for an object of this graph")
        return id(value)


_Call = Callable[[_OfTheRun, int, int], None]
"""From the address of some words to that of others."""


def serve(program: Program, library: Library) -> Any:
    """Lets machine code call Python; gives what has to live as long as the code.

    Machine code calls it as C does: no exception is lost, not even that of Ctrl-C on its first line.
    """
    addresses = library.addresses
    memory = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(addresses["ag_memory"])
    hold = ctypes.PYFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(addresses["ag_hold"])
    calls = [*map(_call_of, program.hosts), _catching(program)]

    def called(site: int, context: int, arguments: int, results: int) -> None:
        calls[site](_OfTheRun(context, memory, hold), arguments, results)

    ctypes.c_void_p.from_address(addresses["ag_host"]).value = id(called)
    return called


def _catching(program: Program) -> _Call:
    """Makes the exception of a run that has ended early with a status."""

    def catch(run: _OfTheRun, arguments: int, results: int) -> None:
        status = Status(ctypes.c_int64.from_address(arguments).value)
        words = (ctypes.c_int64 * CONTEXT_WORDS).from_address(run.context)
        error = failure(status, program.sites, words)
        (word,) = Anything().write(error, run)
        ctypes.c_int64.from_address(results).value = word

    return catch


def _call_of(site: HostSite) -> _Call:
    """The function of one site."""
    given = struct.Struct("<" + "".join(form.format for form in site.takes))
    found = struct.Struct("<" + "".join(form.format for form in site.gives))
    given_words, found_words = ctypes.c_char * given.size, ctypes.c_char * found.size
    takes, gives, call, copies = site.takes, site.gives, site.call, site.copies

    def run(shelter: _OfTheRun, arguments: int, results: int) -> None:
        words = iter(given.unpack(given_words.from_address(arguments)))
        operands = [form.read(words, copies=copies) for form in takes]
        try:
            values = call(*operands)
        except Exception as error:
            explained = located(error, site.node, _specs(site.node, operands))
            if explained is error:
                raise
            raise explained from None
        several = values if type(values) is tuple else (values,)
        left: list[Any] = []
        for form, value in zip(gives, several, strict=True):
            left += form.write(value, shelter)
        found.pack_into(found_words.from_address(results), 0, *left)

    return run


def _specs(node: Node | None, operands: Sequence[Any]) -> list[Any] | None:
    """What the operands of a node are in this run; None where other values are handed over."""
    if node is None or len(operands) != len(node.inputs):
        return None
    return [
        spec.with_shape(np.shape(operand)) if isinstance(spec, ArraySpec) else spec
        for spec, operand in zip([value.spec for value in node.inputs], operands, strict=True)
    ]
