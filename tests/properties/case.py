"""A program of the grammar, run in every way there is; what a failure shows, made small.

    check(seed, "graph")     # raises `Different`, with the smallest program found that fails in the same way

A `Case` holds one program. Each of `PROPERTIES` compares one way of running it with another, and raises
`Different`, or, of a program that cannot be run in this way and that is told so in words that a user
understands, `Refused`: who counts programs counts these by their cause.
"""

from __future__ import annotations

import contextlib
import re
import signal
import threading
import time
import traceback
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from autograph.checking.outcome import Outcome as Seen
from autograph.checking.outcome import Telling, difference
from autograph.checking.running import outcome_of
from autograph.errors import (
    AutoGraphError,
    ConversionWarning,
    Difference,
    FoundDifference,
    FoundWarnedDifference,
)
from autograph.transpiler import Transpiler
from runtime import errors
from runtime.core import shapes
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec
from runtime.executors.base import choose
from runtime.functions.concrete import ConcreteFunction
from runtime.graph.file import digest, from_bytes, to_bytes
from runtime.graph.module import Module
from runtime.graph.parser import module_from_text
from runtime.passes.decompose import decompose
from tests.properties.choices import Choices, shrunk
from tests.properties.grammar import Live, Program
from tests.properties.names import OURS
from tests.properties.reduced import reduced

__all__ = [
    "PATIENCE",
    "PROPERTIES",
    "Case",
    "Different",
    "Outcome",
    "Refused",
    "check",
    "outcome",
    "smallest",
]

PATIENCE = 20
"""Seconds of the processor's for one property of one program: in plain Python it takes a moment."""

SHORT_PATIENCE = 4
"""Of a program that is being made smaller: what ends a loop may be what was taken out of it."""

PARTS = {
    "is printed\n": "what is printed",
    "exception\n": "exceptions",
    "has changed": "what a refusal leaves",
    ":  the same object as": "which objects are one",
    ":   the same object as": "which objects are one",
    "nothing": "what there is",
}
"""By what a message of `ag.check` has in it: what two ways of running a program differ in."""

DEFECTS = (errors.LeakedTensor,)
"""Errors of ours that no program of the grammar has earned."""

TRANSPILER = Transpiler()


class Refused(Exception):
    """A program that cannot be run in this way, as an error or a warning says."""


class TakesTooLong(BaseException):
    """A program has not ended. It is no Exception, since what a program raises is part of its outcome."""


class Different(AssertionError):
    """Two ways of running a program that do not do the same."""


@dataclass(frozen=True)
class Outcome:
    """What became of a property of a program.

    Attributes
    ----------
    became : str
        ``"same"``, ``"warned"`` where it differs as a warning says, ``"refused: …"`` with the cause,
        ``"different: …"`` with what is, or ``"internal: …"`` with the error.
    text : str
        What was said.
    """

    became: str
    text: str = ""

    @property
    def is_defect(self) -> bool:
        """Whether it neither did the same, nor was refused in a user's words."""
        return self.became.startswith(("different", "internal"))


class Case:
    """A program, and the graph that it becomes.

    Parameters
    ----------
    program : Program
    executors : sequence of str or None
        Those that are to run its graph; all of them for None.
    """

    def __init__(self, program: Program, executors: Sequence[str] | None = ("numpy",)) -> None:
        self.program = program
        self.executors = executors

    @cached_property
    def live(self) -> Live:
        """The program, compiled; each use of it leaves it as it was."""
        return self.program.live()

    @cached_property
    def concrete(self) -> ConcreteFunction:
        """The graph of the first call."""
        live = self.program.live()
        with _quiet():
            return ag.function(live.function).get_concrete_function(*live.calls[0])

    def text(self) -> str:
        """The program, its arguments, and its graph as it was traced."""
        parts = [str(self.program)]
        with contextlib.suppress(Exception):  # what cannot be traced has no graph to show
            parts += ["", str(self.concrete.module)]
        return "\n".join(parts)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


# ── converted, without a graph ──


def converted(case: Case) -> None:
    """Converted, the program does what it does."""
    try:
        plain, other = case.program.live(), case.program.live()
    except SyntaxError as error:
        raise Refused("no Python") from error
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", ConversionWarning)
        function = TRANSPILER.convert(other.function)
    with _quiet():
        found = list(_calls(other, function))
        wanted = list(_calls(plain, plain.function))
    for number, pair in enumerate(zip(wanted, found, strict=True), 1):
        differs = difference(*pair, ulps=0)
        if differs is not None:
            shown = f"plain Python: {differs.plain}\n  converted: {differs.graph}"
            raise Different(f"call {number}, {differs.what}\n  {shown}")
    if given:
        raise Refused(type(given[0].message).__name__)


def _calls(live: Live, function: Callable[..., Any]) -> Iterator[Seen]:
    """What each call does, and leaves in its arguments and in the module."""
    for arguments in live.calls:
        if callable(arguments):
            arguments()
            continue
        seen = outcome_of(partial(_called, function, arguments))
        telling = Telling({})
        for path, value in seen.facts.items():
            telling.tell(path, value)
        telling.tell("arguments", list(arguments))
        for name, value in vars(live.module).items():
            if not name.startswith("__") and not isinstance(value, types.ModuleType | types.FunctionType):
                telling.tell(name, value)
        telling.tell("error", _failure(seen.error, live.function.__code__.co_filename))
        yield Seen(telling.facts, None, seen.texts, seen.lines)


def _called(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """What a function gives, with what functions give that are in that."""
    result = function(*arguments)
    parts = result if isinstance(result, tuple) else (result,)
    functions: list[types.FunctionType] = []
    for part in parts:
        if isinstance(part, list):
            functions += [each for each in part if isinstance(each, types.FunctionType)]
            part[:] = [each.__qualname__ if each in functions else each for each in part]
    return result, list(map(_value, functions))


def _value(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except Exception as error:  # noqa: BLE001  (both must raise it)
        return type(error).__name__, str(error)


def _failure(error: BaseException | None, filename: str) -> Any:
    """What can be seen of an exception, and of those behind it."""
    if error is None:
        return None
    parts = [_failure(part, "") for part in getattr(error, "exceptions", ())]
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return type(error).__name__, str(error), _last_line(error, filename), parts, _failure(behind, "")


def _last_line(error: BaseException, filename: str) -> int | None:
    """The line of the program that raised; what `except*` raises again has none in plain Python."""
    if isinstance(error, BaseExceptionGroup):
        return None
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename
    ]
    return lines[-1] if lines else None


# ── as a graph ──


def graph(case: Case) -> None:
    """As a graph, the program does what it does, call after call."""
    first, *others = case.live.calls
    with _quiet():
        ag.check(case.live.function, *first, then=others, executors=case.executors)


def numbers(case: Case) -> None:
    """So it does with numbers of Python's own, which one graph serves from the third value on."""
    program = case.program.with_numbers_of_python()
    graph(Case(program, case.executors))


def modules(case: Case) -> None:
    """Every form of the graph does the same on every executor, to the bit."""
    try:
        raw = case.concrete.module
    except Exception as error:  # why, `graph` says
        raise Refused("nothing was traced") from error
    if not all(isinstance(spec, ArraySpec) for spec in raw.entry.input_specs):
        raise Refused("takes more than arrays")
    calls = [_arrays(raw, call) for call in case.live.calls if not callable(call)]
    wanted = _runs(raw, "reference", calls)
    optimised = case.concrete.optimised_module
    text = raw.text(longest=None)
    read, loaded = (
        module_from_text(text, objects=raw.resources),
        from_bytes(to_bytes(raw), objects=raw.resources),
    )
    if read.text(longest=None) != text:
        raise Different(f"read back from its text:\n{read}")
    if loaded.text(longest=None) != text or digest(loaded) != digest(raw):
        raise Different(f"read back from its bytes:\n{loaded}")
    for way, module, executor in (
        ("on numpy", raw, "numpy"),
        ("optimised", optimised, "reference"),
        ("optimised, on numpy", optimised, "numpy"),
        ("decomposed", raw.mapped(decompose), "reference"),
        ("read back from its text", read, "reference"),
        ("read back from its bytes", loaded, "reference"),
    ):
        for number, pair in enumerate(zip(_runs(module, executor, calls), wanted, strict=True), 1):
            if pair[0] != pair[1]:
                raise Different(f"call {number}\n  {way}: {pair[0]}\n  as traced: {pair[1]}")


def _arrays(module: Module, call: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
    """What a module takes for a call: what the program reads outside of itself is ones."""
    given = dict(zip(("x", "n", "v"), call, strict=False))
    return [
        np.array(given.get(value.origin, np.ones(shapes.smallest(value.array_spec.shape))), value.dtype.numpy)
        for value in module.entry.inputs
    ]


def _runs(module: Module, executor: str, calls: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """What a module does from the same start, call by call, to the bit; one that raises is the last."""
    variables = [each for each in module.resources.values() if isinstance(each, rt.Variable)]
    before = [variable.numpy() for variable in variables]
    program = choose(executor).compile(module)
    done: list[tuple[Any, ...]] = []
    try:
        for arrays in calls:
            with _quiet():
                seen = outcome_of(partial(program.run, [array.copy() for array in arrays]))
            results = [_bits(each) for each in seen.facts.get("result", ())]
            left = [variable.numpy().tobytes() for variable in variables]
            done.append((results, repr(seen.error), seen.texts, left))
            if seen.error is not None:
                break
    finally:
        for variable, value in zip(variables, before, strict=True):
            variable.assign(value)
    return done


def _bits(value: Any) -> Any:
    """All of an array, or of a list of some."""
    if isinstance(value, ListValue):
        return [(index, _bits(item)) for index, item in value.written_items()]
    array = np.asarray(value)
    return array.dtype, array.shape, array.tobytes()


PROPERTIES: Mapping[str, Callable[[Case], None]] = {
    "converted": converted,
    "graph": graph,
    "numbers": numbers,
    "modules": modules,
}
"""What is held of every program, by name."""


# ── from a seed to the smallest difference ──


def outcome(case: Case, name: str, patience: int = PATIENCE) -> Outcome:
    """What became of a property within some seconds of the processor's."""
    try:
        with _patience(patience):
            PROPERTIES[name](case)
    except Refused as refused:
        return Outcome(f"refused: {refused}")
    except (Different, Difference) as different:
        told = getattr(different, "diagnostic", None)
        is_warned = isinstance(told, FoundWarnedDifference)
        return Outcome("warned" if is_warned else f"different: {_part(told)}", str(different))
    except (AutoGraphError, errors.Error) as error:
        text = str(error)
        is_ours = isinstance(error, DEFECTS) or OURS.search(text)
        return Outcome(f"{'internal' if is_ours else 'refused'}: {_cause(text)}", text)
    except TakesTooLong:
        return Outcome("internal: takes too long", f"more than {patience} s")
    except Exception as error:  # noqa: BLE001  # whatever it is, it is a defect of what runs the program
        return Outcome(f"internal: {type(error).__name__}", "".join(traceback.format_exception(error)[-4:]))
    return Outcome("same")


def _part(told: Any) -> str:
    """What is different, in general: a smaller program is to differ in that, too."""
    shown = "\n".join(told.shown) if isinstance(told, FoundDifference) else ""
    return next((part for sign, part in PARTS.items() if sign in shown), "values")


def _cause(text: str) -> str:
    """The first line of a message, without the names of the program."""
    line = re.sub(r"`[^`]*`|'[^']*'|\b\d+\b", "…", text.splitlines()[0])
    return re.sub(r"…(, …)+", "…", line)


def case_of(choices: Choices, seed: int, name: str, **options: Any) -> Case:
    """The case of numbers: every fourth seed runs on all executors; what only Python runs is converted."""
    program = Program.from_choices(choices, staged=name != "converted", **options)
    return Case(program, None if seed % 4 == 0 else ("numpy",))


def check(seed: int, name: str, **options: Any) -> Program:
    """Requires one of the `PROPERTIES` of the program of a seed, and returns it.

    Raises
    ------
    Different
        Of the smallest program found that fails in the same way.
    """
    case = case_of(Choices(Random(seed).randrange), seed, name, **options)
    if outcome(case, name).is_defect:
        raise Different(smallest(seed, name, **options))
    return case.program


def smallest(seed: int, name: str, *, seconds: float = 30, **options: Any) -> str:
    """The smallest program found that fails as the program of a seed does, its graph, and what is said.

    The numbers that it is written from are made smaller first, then its text, each for so many seconds.
    """
    choices = Choices(Random(seed).randrange)
    large = case_of(choices, seed, name, **options)
    wanted, known = outcome(large, name).became, dict[Program, bool]()

    def fails(end: float, program: Program) -> bool:
        if program not in known and time.monotonic() < end:
            found = outcome(Case(program, large.executors), name, SHORT_PATIENCE)
            known[program] = found.became == wanted
        return known.get(program, False)

    def written(candidate: Choices) -> Program:
        return case_of(candidate, seed, name, **options).program

    end = time.monotonic() + seconds
    program = written(Choices.again(shrunk(choices, lambda each: fails(end, written(each))).made))
    case = Case(reduced(program, partial(fails, end + seconds)), large.executors)
    return f"program {seed}, {name}\n\n{case.text()}\n\n{outcome(case, name).text}"


@contextlib.contextmanager
def _patience(seconds: int) -> Iterator[None]:
    """A program that has not ended after so many seconds of the processor's raises TakesTooLong."""

    def stop(*_: Any) -> None:
        raise TakesTooLong

    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGPROF"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1)  # and again: programs catch what they like
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
