"""A program of the grammar, run in every way there is; what a failure shows, made small.

    check(seed, "graph")     # raises `Different`, with the smallest program found that differs as well

A `Case` holds one program. Each of `PROPERTIES` compares one way of running it with another, and raises
`Different`. A program that a graph refuses, in words that the documents have, raises `Refused` instead: who
counts programs counts these by their cause.
"""

from __future__ import annotations

import contextlib
import io
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from autograph.errors import AutoGraphError, ConversionWarning
from autograph.transpiler import Transpiler
from runtime import errors
from runtime.core import shapes
from runtime.core.structure import map_leaves
from runtime.executors.base import choose
from runtime.functions.concrete import ConcreteFunction
from runtime.graph.file import digest, from_bytes, to_bytes
from runtime.graph.module import Module
from runtime.graph.parser import module_from_text
from runtime.passes.decompose import decompose
from tests.properties.choices import Choices, shrunk
from tests.properties.grammar import Program

__all__ = [
    "PATIENCE",
    "PROPERTIES",
    "Case",
    "Different",
    "Refused",
    "check",
    "outcome",
    "patience",
    "smallest",
]

PATIENCE = 20
"""Seconds of the processor's for one property of one program: in plain Python it takes a moment."""

RAISED = (NameError, UnboundLocalError, ValueError, IndexError, ZeroDivisionError, KeyError)
"""What a program may raise."""

REFUSALS = (errors.StateDisagrees,)
"""What a graph may say that it cannot hold."""

HARMLESS = (errors.RetracingWarning, errors.UnrollingWarning, errors.LargeConstantWarning)
"""Warnings of how long something takes."""

TRANSPILER = Transpiler()


class Refused(Exception):
    """A program that cannot be run in this way, as an error or a warning says."""


class Different(AssertionError):
    """Two ways of running a program that do not do the same."""


@dataclass(frozen=True)
class Observed:
    """What can be seen of a call."""

    result: Any
    error: type[BaseException] | None
    message: str
    printed: str
    ran: bool = True
    outside: Any = None

    def __str__(self) -> str:
        did = (
            f"returns {self.result}"
            if self.error is None
            else f"raises {self.error.__name__}({self.message})"
        )
        return f"{did}\n    prints {self.printed!r}\n    leaves {self.outside}"

    def agrees(self, wanted: Observed) -> bool:
        """Whether this is what was wanted.

        A graph may say more of an error. What it leaves outside then is its own, and where the error ended
        the trace, there was no run that could print.
        """
        if wanted.error is None or self.error is None:
            return self == wanted
        is_same = issubclass(self.error, wanted.error) and wanted.message in self.message
        return is_same and (self.printed == wanted.printed or not self.ran)


class Case:
    """A program, the ways to run it, and the graphs that it becomes."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def plain(self) -> list[Observed]:
        """What the program does, call by call, up to one that raises."""
        live = self.program.live()
        return list(_calls(live.function, self.program.calls, live.outside))

    @cached_property
    def converted(self) -> list[Observed]:
        """What the converted program does while no graph is built."""
        live = self.program.live()
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always", ConversionWarning)
            function = TRANSPILER.convert(live.function)
        if given:
            raise Refused(type(given[0].message).__name__)
        return list(_calls(function, self.program.calls, live.outside))

    @cached_property
    def graphs(self) -> tuple[list[Observed], list[ConcreteFunction], list[warnings.WarningMessage]]:
        """What the program does as graphs, these graphs, and warnings that were given."""
        live = self.program.live()
        staged = ag.function(live.function)
        pairs = [zip(call, self.program.staged, strict=True) for call in self.program.calls]
        calls = [
            [rt.asarray(number) if is_staged else number for number, is_staged in pair] for pair in pairs
        ]

        def run(*arguments: Any) -> Any:
            try:
                staged.get_concrete_function(*arguments)
            except Exception as error:
                raise _WhileTraced from error
            return staged(*arguments)

        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            for each in HARMLESS:
                warnings.simplefilter("ignore", each)
            seen = list(_calls(run, calls, live.outside))
        return seen, staged.concrete_functions, given

    @cached_property
    def module(self) -> Module:
        """The first graph, as it was traced."""
        return self.graphs[1][0].module

    def text(self) -> str:
        """The program, its arguments, and its graph as it was traced."""
        parts = [str(self.program)]
        with contextlib.suppress(Exception):  # what cannot be traced has no graph to show
            parts += ["", str(self.module)]
        return "\n".join(parts)


# ── ways of running ──


class _WhileTraced(Exception):
    """An error, its cause, that ended the trace."""


def _calls(
    function: Callable[..., Any], calls: Sequence[Sequence[Any]], outside: Callable[[], Any]
) -> Iterator[Observed]:
    """What each call does. One that raises is the last: what a graph leaves outside then is its own."""
    for arguments in calls:
        seen = _observed(function, arguments)
        yield replace(seen, outside=map_leaves(_number, outside()))
        if seen.error is not None:
            return


def _observed(function: Callable[..., Any], arguments: Sequence[Any]) -> Observed:
    result: Any = None
    error: BaseException | None = None
    with contextlib.redirect_stdout(io.StringIO()) as printed, np.errstate(all="ignore"):
        try:
            result = map_leaves(_number, function(*arguments))
        except (*RAISED, _WhileTraced, errors.Error, AutoGraphError) as raised:
            error = raised
    ran = not isinstance(error, _WhileTraced)
    error = error if ran else error.__cause__
    if error is None:
        return Observed(result, None, "", printed.getvalue())
    if not isinstance(error, (*RAISED, errors.Error, AutoGraphError)):
        raise error
    return Observed(None, type(error), str(error), printed.getvalue(), ran)


def _number(leaf: Any) -> Any:
    """A tensor as a number of Python's."""
    return leaf.item() if isinstance(leaf, rt.Tensor) else leaf


def _runs(module: Module, executor: str, calls: Sequence[Sequence[Any]]) -> list[Observed]:
    """What a module does from the same start, call by call, to the bit."""
    variables = [each for each in module.resources.values() if isinstance(each, rt.Variable)]
    before = [variable.numpy() for variable in variables]
    program = choose(executor).compile(module)

    def outside() -> Any:
        return [variable.numpy().tobytes() for variable in variables]

    def run(*arrays: Any) -> Any:
        results = map(np.asarray, program.run(arrays))
        return [(result.dtype, result.shape, result.tobytes()) for result in results]

    try:
        return list(_calls(run, calls, outside))
    finally:
        for variable, value in zip(variables, before, strict=True):
            variable.assign(value)


# ── what must be the same ──


def _same(case: Case, way: str, found: list[Observed], other: str, wanted: list[Observed]) -> None:
    is_same = len(found) == len(wanted) and all(map(Observed.agrees, found, wanted))
    if not is_same:
        index = next(
            (i for i, pair in enumerate(zip(found, wanted)) if not pair[0].agrees(pair[1])),
            min(len(found), len(wanted)) - 1,
        )
        raise Different(
            f"{case.text()}\n\ncall {index + 1}\n  {way}: {found[index]}\n  {other}: {wanted[index]}"
        )


def converted(case: Case) -> None:
    """Converted, the program does what it does."""
    _same(case, "converted", case.converted, "plain Python", case.plain)


def graph(case: Case) -> None:
    """As a graph, the program does what it does."""
    seen, _, given = case.graphs
    last = seen[-1].error
    if last is not None and issubclass(last, REFUSALS):
        raise Refused(last.__name__)
    if given:
        raise Refused(type(given[0].message).__name__)
    _same(case, "the graph", seen, "plain Python", case.plain)


def _ones(spec: Any) -> Any:
    return np.ones(shapes.smallest(spec.shape), spec.dtype.numpy)


def modules(case: Case) -> None:
    """Every form of the graph does the same on every executor."""
    if not case.graphs[1]:
        raise Refused("nothing was traced")
    raw = case.module
    calls = [
        [np.asarray(number) for number, is_staged in zip(call, case.program.staged, strict=True) if is_staged]
        for call in case.program.calls
    ]
    for arrays in calls:  # what the program reads outside of itself comes in behind the arguments
        arrays += [_ones(spec) for spec in raw.entry.input_specs[len(arrays) :]]
    wanted = _runs(raw, "reference", calls)
    _same(case, "the graph on numpy", _runs(raw, "numpy", calls), "on reference", wanted)
    optimised = case.graphs[1][0].optimised_module
    _same(case, "optimised", _runs(optimised, "reference", calls), "as traced", wanted)
    _same(case, "optimised, on numpy", _runs(optimised, "numpy", calls), "as traced", wanted)
    _same(case, "decomposed", _runs(raw.mapped(decompose), "reference", calls), "as traced", wanted)
    text = raw.text(longest=None)
    again = module_from_text(text, objects=raw.resources)
    if again.text(longest=None) != text:
        raise Different(f"{case.text()}\n\nread back from its text:\n{again}")
    _same(case, "read back from its text", _runs(again, "reference", calls[:1]), "as traced", wanted[:1])
    again = from_bytes(to_bytes(raw), objects=raw.resources)
    if again.text(longest=None) != text or digest(again) != digest(raw):
        raise Different(f"{case.text()}\n\nread back from its bytes:\n{again}")
    _same(case, "read back from its bytes", _runs(again, "reference", calls[:1]), "as traced", wanted[:1])


def outcome(case: Case, name: str) -> str:
    """What became of a property: ``"same"``, or why the program is refused.

    Raises
    ------
    Different
        Also where something fails in a way that no program should.
    TimeoutError
        Where `patience` is over: nothing of the program runs again.
    """
    try:
        PROPERTIES[name](case)
    except Refused as refused:
        return f"refused: {refused}"
    except (Different, TimeoutError):
        raise
    except Exception as error:  # whatever it is, it is a defect of what runs the program
        raise Different(f"{case.text()}\n\n{name}: {traceback.format_exc()}") from error
    return "same"


PROPERTIES: dict[str, Callable[[Case], None]] = {
    "converted": converted,
    "graph": graph,
    "modules": modules,
}
"""What is held of every program, by name."""


# ── from a seed to the smallest difference ──


def check(seed: int, *names: str) -> Program:
    """Requires some of the `PROPERTIES` of the program of a seed, and returns it.

    Raises
    ------
    Different
        Of the smallest program found that differs in the same property.
    """
    choices = Choices(Random(seed).randrange)
    program = Program.from_choices(choices)
    case = Case(program)
    for name in names:
        if _difference(case, name) is not None:
            raise smallest(choices, name)
    return program


def smallest(choices: Choices, name: str, seconds: float = 60) -> Different:
    """What differs in the smallest program found that differs as that of `choices` does."""
    end = time.monotonic() + seconds
    texts: dict[str, bool] = {}

    def fails(choices: Choices) -> bool:
        program = Program.from_choices(choices)
        if str(program) not in texts and time.monotonic() < end:
            texts[str(program)] = _difference(Case(program), name) is not None
        return texts.get(str(program), False)

    numbers = shrunk(choices, fails).made
    found = _difference(Case(Program.from_choices(Choices.again(numbers))), name)
    assert found is not None
    return found


def _difference(case: Case, name: str) -> Different | None:
    try:
        with patience(PATIENCE):
            outcome(case, name)
    except Different as different:
        return different
    except TimeoutError:
        return Different(f"{case.program}\n\n{name}: takes more than {PATIENCE} s")
    return None


@contextlib.contextmanager
def patience(seconds: int) -> Iterator[None]:
    """A program that has not ended after so many seconds of the processor's raises TimeoutError."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGPROF"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
