"""The executor where none is named: machine code where that gains and no bit differs, or else NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.executors.loops_apart import LoopsApart
from runtime.executors.native.beyond import Unsupported
from runtime.executors.native.llvm import engine
from runtime.executors.native.run import Kept, Native, said
from runtime.executors.native.suiting import has_loops, has_nests, run_once, seconds_to_compile, stays_inside
from runtime.executors.numpy_plan import patience, standalone
from runtime.executors.numpy_plan.run import NumPyPlan
from runtime.executors.often import Often, calls_until
from runtime.executors.program import Program, Report
from runtime.graph.module import Module

__all__ = ["Automatic"]

_MOST_ONCE = 2000
"""Nodes that a call runs once, up to which machine code is made at once: each takes a millisecond to compile,
and about one microsecond as a line of a NumPy program."""

_MOST_AT_ONCE = 0.1
"""Seconds that machine code may take to make, about, to be made for the first call."""
_PATIENCE = 0.5
"""For how much of the time that machine code takes to make a first call may go on without it."""
_FIRST = "the first call of a large graph; the second one makes machine code, if there is some"


class Automatic:
    """Chooses by the graph alone, so that a program does the same on every call.

    A graph of which machine code might give another bit stays on NumPy, but for loops that have machine code
    of their own. A large one is a NumPy program in its first call, as long as that does not last. One without
    loops begins there, and becomes machine code when it has been called often; so does one with thousands of
    operations outside of its loops, which have machine code until then. The report of the program says what
    was chosen, and why.
    """

    name = "auto"
    optimises = True
    is_complete = True

    def __init__(self) -> None:
        self._native = Native()

    def compile(self, module: Module) -> Program:
        """The program that runs `module`."""
        return self.compile_lending(module, ())

    def compile_lending(self, module: Module, written: Sequence[int]) -> Program:
        """The program that runs `module`, whose last outputs say what inputs hold that are `written`."""
        return _Choice(self._native, module, written).made()


class _Choice:
    """What may run a module, and what does.

    Its NumPy programs share what they have warned of: a line that has warned once has in later programs, too.
    """

    def __init__(self, native: Native, module: Module, written: Sequence[int]) -> None:
        self._native = native
        warned: dict[Any, Any] = {}
        self._numpy = NumPyPlan(warned)
        self._loops = LoopsApart(module, self._loop)
        self._relaying = NumPyPlan(warned, self._loops.of)
        self._module = module
        self._written = written

    def made(self) -> Program:
        """The program of the first call, which may become another one."""
        module = self._module
        if not has_loops(module):
            program, calls = self._numpy.compile(module), calls_until(module)
            return program if calls is None else Often(program, self._compiled, calls=calls)
        once = run_once(module)
        is_large = once > _MOST_ONCE and not module.functions
        if is_large and not has_nests(module, apart=self._loops.lasting()):
            why = f"no machine code: {once} operations run once in a call, and take longer to compile"
            return Often(self._parts(why), self._compiled, calls=once)
        seconds = seconds_to_compile(module)
        if seconds <= _MOST_AT_ONCE or not (engine.is_there() and stays_inside(module)):
            return self._at_once()
        first = _Explained(self._numpy.patient(module, seconds * _PATIENCE), module, _FIRST)
        return Often(first, lambda _: self._at_once(), calls=1, again=(patience.Lasts, RecursionError))

    def _at_once(self) -> Program:
        """Machine code, as far as there is some."""
        try:
            return self._native.in_place_of(self._numpy, self._module, self._written)
        except Unsupported as unsupported:
            return self._parts(f"no machine code: {said(unsupported)}")

    def _compiled(self, program: Program) -> Program:
        """Machine code that leaves to a program what it does not do itself."""
        return self._native.in_place_of(Kept(program), self._module)

    def _loop(self, loop: Module) -> Program:
        """Machine code for a loop alone."""
        return self._native.in_place_of(self._numpy, loop)

    def _parts(self, why: str) -> Program:
        """The NumPy program of the module, with some loops as machine code."""
        if self._loops.lasting():
            why = why.replace("no machine code", "machine code for loops, not for all", 1)
        return _Explained(self._relaying.compile(self._module), self._module, why)


class _Explained(Program):
    """A NumPy program of a module, and why it is no machine code."""

    def __init__(self, program: Program, module: Module, why: str) -> None:
        self.entry = program.entry
        self._module = module
        self._program = program
        self._why = why

    def lasting(self) -> Program:
        self._program.lasting()
        return self

    def explain(self, error: Exception) -> Exception:
        return self._program.explain(error)

    def report(self) -> Report:
        return replace(self._program.report(), why=self._why)

    def source(self) -> str:
        return standalone.to_python(self._module)
