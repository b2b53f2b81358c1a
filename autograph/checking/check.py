"""`ag.check`: runs a function as Python and as a graph, and says where the two differ first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from autograph.checking.outcome import Differs, Outcome, Part, Telling, difference
from autograph.checking.running import line_of_change, line_of_error, line_of_return, outcome_of
from autograph.checking.world import World
from autograph.errors import AutoGraphError, Difference, FoundDifference, FoundWarnedDifference, Location
from autograph.tracing.function import function
from runtime.core.tensor import Tensor
from runtime.errors import CheckFailed, IndexOutOfRange, IntTooLarge, InvalidValue, Message
from runtime.executors import base
from runtime.functions.bound import BoundFunction
from runtime.functions.callables import signature_of
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.functions.reads import functions_behind, names_of
from runtime.functions.signature import Parameters
from runtime.graph.frames import shows_callers_alone

__all__ = ["check"]

_CALLS = 3
_OF_PROGRAMS = (CheckFailed, IndexOutOfRange)
"""Errors of ours that programs raise: they say nothing of what a graph can do."""

Call: TypeAlias = tuple[tuple[Any, ...], Mapping[str, Any]]
Step: TypeAlias = Call | Callable[[], Any]


@shows_callers_alone
def check(
    f: Callable[..., Any],
    /,
    *args: Any,
    then: Sequence[tuple[Any, ...] | Callable[[], Any]] | None = None,
    executors: Sequence[str] | None = None,
    ulps: float = 4.0,
    options: Mapping[str, Any] | None = None,
    **kwargs: Any,
) -> None:
    """Compares the graph of a function with the function as plain Python, call after call.

    The function runs as Python, on NumPy's values where a tensor is given, and then as a graph on every
    executor, from the same world: whatever it and its arguments lead to is put back in between. Results,
    exceptions, what is printed, logged and warned of, and what the world holds have to be the same after
    every call; the first difference is raised.

    The function is traced once, where one graph serves, which then runs on one executor after another.
    Whether NumPy warns of a number or of an array makes no difference: "in divide" is "in scalar divide".

    Parameters
    ----------
    f : callable
        A function, a method, or what `function` made of one.
    *args, **kwargs
        What it is called with: tensors and NumPy's values are what a graph decides on, all else is Python's.
    then : sequence of tuple or callable, optional
        What happens after the first call: the arguments of another call, or a function without parameters
        that changes the world. By default the first call, twice more.
    executors : sequence of str, optional
        Those that run the graph. By default the one that is chosen where none is named, and all that run
        every graph.
    ulps : float
        How many units in the last place floating-point numbers may be apart; all others are equal.
    options : mapping, optional
        What else is given to `function`.

    Raises
    ------
    Difference
        An AssertionError that shows the first difference, with the line.
    AutoGraphError, runtime.errors.Error
        What a graph raises that cannot do what the function does. That is no difference; the world must be
        as it was before the call.

    Examples
    --------
    >>> import numpy as np
    >>> def collatz(n):
    ...     steps = 0
    ...     while n != 1:
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...         steps += 1
    ...     return steps
    >>> check(collatz, np.int64(27), then=[(np.int64(1),), (np.int64(97),)])
    """
    if isinstance(f, BoundFunction):
        f = getattr(f.__func__.python_function, "__get__")(f.__self__)  # noqa: B009  # a function has it
    elif isinstance(f, PolymorphicFunction):
        f = f.python_function
    first: Step = args, kwargs
    steps = [first] * _CALLS
    if then is not None:
        steps = [first, *map(_step, then)]
    checked = _Checked(f, steps, ulps)
    made = partial(function, **options or {})
    if executors is not None and not executors:
        return
    graph = made()(f) if executors is None else made(executor=executors[0])(f)
    checked.compare(graph)
    ran = _ran_on(graph) if executors is None else {executors[0]}
    for executor in executors or base.names():
        if executor not in ran:
            checked.compare(graph.on_executor(executor))


def _step(given: Any) -> Step:
    """A change of the world, or the arguments of another call."""
    if callable(given):
        change: Callable[[], Any] = given
        return change
    if not isinstance(given, Sequence):
        raise InvalidValue(
            f"a step of `then` is {given!r}",
            why="It is a sequence of arguments, or a function that changes the world.",
            way_out="Write a tuple, of a single argument too: `then=[(x,)]`.",
        )
    return tuple(given), {}


def _ran_on(graph: PolymorphicFunction[..., Any]) -> set[str]:
    """The executors that the graphs of a function run on."""
    return {concrete.report().executor for concrete in graph.concrete_functions}


class _Checked:
    """A function, and what it does as Python, call after call."""

    def __init__(self, f: Callable[..., Any], steps: Sequence[Step], ulps: float) -> None:
        self._f = f
        self._steps = steps
        self._ulps = ulps
        self._outside = _outside(f, steps)
        changes = filter(callable, steps)  # which may bring more of the world in
        self._before = World([f, *(read() for read in self._outside.values())], changes)
        self._plain = [after for _, after in self._run(f, is_plain=True)]

    def compare(self, graph: PolymorphicFunction[..., Any]) -> None:
        """Runs it as a graph, and compares call by call."""
        for number, (before, found) in enumerate(self._run(graph, is_plain=False)):
            plain = self._plain[number]
            refusal = _refusal(found)
            if refusal is not None and not _is_alike(plain, refusal):
                left = difference(before, replace(found, error=None), 0)
                if left is None:
                    raise refusal
                changed = f"refused, but `{left.what}` has changed, from {left.plain} to {left.graph}"
                raise self._difference(number, graph, found, None, changed) from refusal
            differs = difference(plain, found, self._ulps)
            if differs is not None:
                if refusal is not None and difference(before, replace(found, error=None), 0) is None:
                    raise refusal  # of a class of which Python's error is, too, before anything was done
                line = self._line_behind(number, differs)
                shown = (
                    f"{differs.what}{differs.place}",
                    f"  Python:  {differs.plain}",
                    f"  graph:   {differs.graph}",
                )
                raise self._difference(number, graph, found, line, *shown) from found.error

    def _run(self, f: Callable[..., Any], *, is_plain: bool) -> Iterator[tuple[Outcome, Outcome]]:
        """What holds before each call and after it, from the world as it was, which is put back then."""
        self._before.restore()
        if is_plain:
            self._before.tensors_to_numpy()
        try:
            for step in self._steps:
                if callable(step):
                    step()
                else:
                    before = self._told(Outcome({}, None, (), ()))
                    yield before, self._told(outcome_of(partial(_called, f, step, is_plain=is_plain)))
        finally:
            self._before.restore()

    def _told(self, outcome: Outcome) -> Outcome:
        """An outcome with what the world holds now; its only fact is the result until then."""
        telling = Telling(self._before.objects)
        if "result" in outcome.facts:
            telling.tell("result", outcome.facts["result"])
        for path, read in self._outside.items():
            telling.tell(path, read())
        return replace(outcome, facts=telling.facts)

    # ── the message ──

    def _difference(
        self,
        number: int,
        graph: PolymorphicFunction[..., Any],
        found: Outcome,
        line: Location | None,
        *shown: str,
    ) -> Difference:
        name = getattr(self._f, "__qualname__", repr(self._f))
        executor = " and ".join(sorted(_ran_on(graph))) or "auto"
        given = tuple(dict.fromkeys([*[each.happened for each in graph.notices], *found.told]))
        if given:
            return Difference(FoundWarnedDifference(line, name, number + 1, executor, shown, given))
        return Difference(FoundDifference(line, name, number + 1, executor, shown))

    def _line_behind(self, number: int, differs: Differs) -> Location | None:
        """The line of the user's that a difference comes from."""
        outcome = self._plain[number]
        if differs.part is Part.TEXT:
            return outcome.lines[differs.index] if differs.index < len(outcome.lines) else None
        if differs.part is Part.ERROR:
            return None if outcome.error is None else line_of_error(outcome.error)
        return self._last_change(number, differs.what)

    def _last_change(self, number: int, path: str) -> Location | None:
        """The line that changed last what is at a path, in another run as Python."""
        calls = [index for index, step in enumerate(self._steps) if not callable(step)]
        self._before.restore()
        self._before.tensors_to_numpy()
        try:
            for step in self._steps[: calls[number]]:
                if callable(step):
                    step()
                else:
                    outcome_of(partial(_called, self._f, step, is_plain=True))
            last = self._steps[calls[number]]
            assert not callable(last), "the index is one of a call"
            run = partial(_called, self._f, last, is_plain=True)
            changed = line_of_change(run, lambda: self._told(Outcome({}, None, (), ())).facts.get(path))
            return line_of_return(run, self._f) if changed is None else changed
        finally:
            self._before.restore()


def _called(f: Callable[..., Any], call: Call, *, is_plain: bool) -> Any:
    args, kwargs = call
    if is_plain:
        args = tuple(map(_as_numpy, args))
        kwargs = {name: _as_numpy(value) for name, value in kwargs.items()}
    return f(*args, **kwargs)


def _as_numpy(value: Any) -> Any:
    return value.numpy().copy()[()] if isinstance(value, Tensor) else value


def _outside(f: Callable[..., Any], steps: Sequence[Step]) -> dict[str, Callable[[], Any]]:
    """What is looked at before and after a call: the arguments, and what the function reads by name."""
    found: dict[str, Callable[[], Any]] = {}
    calls = [step for step in steps if not callable(step)]
    for number, (args, kwargs) in enumerate(calls, 1):
        for name, value in _bound(f, args, kwargs).items():
            if not isinstance(value, Tensor):
                label = name if number == 1 else f"{name} of call {number}"
                found[label] = partial(_same, value)
    if hasattr(f, "__self__"):
        found["self"] = partial(_same, f.__self__)
    for each in functions_behind(f):
        for read in names_of(each):
            found.setdefault(read.name, read.value)
        found[each.__qualname__] = partial(_same, each)
    return found


def _bound(f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by parameter."""
    try:
        return signature_of(f).bind(*args, **kwargs).arguments
    except TypeError:
        Parameters(f, None).canonical(args, dict(kwargs))  # which says what is wrong as Python does
        raise


def _same(value: Any) -> Any:
    return value


def _refusal(found: Outcome) -> Exception | None:
    """The error of a graph that cannot do what the function does; None where there is none of ours."""
    error = found.error
    is_ours = isinstance(error, Message | AutoGraphError) and not isinstance(error, _OF_PROGRAMS)
    return error if is_ours else None


def _is_alike(plain: Outcome, refusal: Exception) -> bool:
    """Whether Python raises an error of which that of a graph is, too."""
    is_raised = plain.error is not None and isinstance(refusal, type(plain.error))
    return is_raised and not isinstance(refusal, IntTooLarge)
