"""How long each of the user's lines takes: a concrete function is called with clocks between its lines."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from autograph_base.dataclass import dataclass
from runtime.core.stack import room
from runtime.errors import CompileError
from runtime.executors.base import choose
from runtime.executors.clocks import ELSEWHERE, Clocked, Spent
from runtime.executors.native.run import Native
from runtime.executors.numpy_plan.run import NumPyPlan
from runtime.executors.program import Program
from runtime.functions.concrete import ConcreteFunction
from runtime.graph.location import Location

__all__ = ["Measured", "measured"]

_SECONDS = 0.15
"""Of calls with clocks, and of calls without, where a function may be called again."""


@dataclass(frozen=True)
class Measured:
    """How long the lines of a function take.

    Attributes
    ----------
    executor : str
    calls : int
        How often it was called with clocks.
    seconds : float
        What a run of the graph takes, without clocks, the least of several; of a function that is called
        once, what the call takes.
    lines : mapping of Location to (float, float)
        For each line, the seconds of a run, and how often a run comes to it.
    """

    executor: str
    calls: int
    seconds: float
    lines: Mapping[Location, tuple[float, float]]


def measured(concrete: ConcreteFunction, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Measured:
    """Calls a function, with clocks and without, on what runs it when it has been called often.

    A function that leaves something behind (text, variables, arrays that it writes into) is called once.
    """
    program = concrete.program.lasting()
    executor, clocked = _clocked(concrete, program)
    first = _First(clocked.program)
    before: Sequence[Spent] = [Spent(0, 0)] * len(clocked.lines.places)
    with clocked.watched():
        start = time.perf_counter()
        concrete.with_program(first)(*args, **kwargs)
        calls, seconds = 1, time.perf_counter() - start
    if not concrete.leaves_something:
        before = clocked.spent()
        with clocked.watched():
            calls, _ = _called(clocked.program, first.arrays)
        _, seconds = _called(program, first.arrays)
    spent = [
        (place, now.time - then.time, now.count - then.count)
        for place, now, then in zip(clocked.lines.places, clocked.spent(), before, strict=True)
    ][ELSEWHERE + 1 :]
    whole = sum(time for _, time, _ in spent) or 1.0
    lines = {place: (time / whole * seconds, count / calls) for place, time, count in spent}
    return Measured(executor, calls, seconds, lines)


class _First(Program):
    """A program that keeps what it is called with."""

    def __init__(self, program: Program) -> None:
        self.explain = program.explain  # type: ignore[method-assign]  # it is the program's own
        self._entry = program.entry
        self.arrays: tuple[Any, ...] = ()

    def entry(self, *arrays: Any) -> Any:
        self.arrays = arrays
        return self._entry(*arrays)


def _clocked(concrete: ConcreteFunction, program: Program) -> tuple[str, Clocked]:
    """The executor that runs a program of a function, and one of that executor with clocks.

    A NumPy program of which loops are machine code is machine code that calls Python for the rest.
    """
    report = program.report()
    is_native = any(step.runs == "machine code" for step in report.steps)
    name = Native.name if is_native else report.executor
    module = concrete.optimised_module if choose(name).optimises else concrete.module
    clocked: Clocked | None = None
    with room(module.depth):
        if name == Native.name:
            clocked = Native().clocked(module)
        elif name == NumPyPlan.name:
            clocked = NumPyPlan().clocked(module)
    if clocked is None:
        raise CompileError(
            f"{concrete.name}() runs on the executor {name!r}, which has no clocks here",
            why="Programs of NumPy have clocks, and machine code on systems with POSIX.",
            way_out='Profile `ag.function(f, executor="numpy")`.',
        )
    return name, clocked


def _called(program: Program, arrays: Sequence[Any]) -> tuple[int, float]:
    """How often a program was called in the time that there is, and the least seconds of a call."""
    calls, least, end = 0, float("inf"), time.perf_counter() + _SECONDS
    now = time.perf_counter()
    while calls == 0 or now < end:
        program.entry(*arrays)
        before, now = now, time.perf_counter()
        least = min(least, now - before)
        calls += 1
    return calls, least
