"""Calls that plain Python is quicker at: they run the function as it is written, and give what a graph gives.

::

    call 1 … 30           the graph
    12 to 60 of them      in turns, both on the clock
    from then on          the quicker one

A graph that NumPy runs op by op, of texts, lists of lists, or draws one by one, is no quicker than Python,
and may be slower. What the function does as plain Python is what its graph promises to do: numbers, text,
warnings and exceptions are the same. So are the classes of what it returns.
"""

from __future__ import annotations

import ctypes
import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakMethod

from runtime.analysis.certainty import gives_pythons_bits, raises_of_its_own
from runtime.core.structure import flatten
from runtime.core.tensor import EAGER, Tensor
from runtime.functions.alike import serving
from runtime.functions.given_as import Unfit, agree, as_graph_gives, in_any_form

if TYPE_CHECKING:
    from runtime.functions.concrete import ConcreteFunction
    from runtime.functions.external_state import Guards

_Decided: TypeAlias = "Callable[[ConcreteFunction, tuple[Any, ...], dict[str, Any]], None]"

__all__ = ["NONE_RETURNED", "AsWritten", "comparable", "has_tensors", "raising"]

NONE_RETURNED = object()
"""Stands for a result that is None, which says that nothing has run."""

_CALLS = 30
"""Calls of a graph until plain Python is tried."""
_SECONDS = 0.1
"""The time in such calls until it is, in fewer of them."""
_TURNS, _MOST_TURNS = 12, 60
"""Calls on the clock, of both together; short calls need more of them to tell."""
_LONG = 0.01
"""The time in such calls that is enough."""
_TOO_LONG = 0.1
"""The time of one that may be long, however busy the machine is."""
_MOST_SECONDS = 0.005
"""A graph with machine code that takes longer is not compared: Python might take a hundred times that.

Nor is one that calls itself, which may go deeper there.
"""
_TIMES, _LEAST_SECONDS = 8, 0.0001
"""A call that takes so many times the least, and so long, shows that machine code is to have further ones."""
_MOST_LATE = 3
"""Such calls in a row that show it: a busy machine may put off one or two."""
_MOST_WRITTEN = 8
"""Functions that are written to serve calls; the last one stays."""
_MUCH = 4
"""How many times the time of the graph ends the comparison after a few calls; the first takes longest."""


def comparable(concrete: ConcreteFunction) -> bool:
    """Whether a graph does no more than its function, as plain Python, does for the same arguments.

    What a function leaves outside of itself is of other classes then, numbers in place of tensors. What a
    trace was warned of is what the two may differ in.
    """
    trace = concrete.trace
    leaves = trace.effects is not None or trace.makes_variables or trace.captures or concrete.variables
    return not (leaves or trace.notices or trace.written.compared)


class AsWritten:
    """Compares a graph with its function as plain Python, and serves calls where that is the quicker one.

    Parameters
    ----------
    function : callable
        As the user wrote it.
    concrete : ConcreteFunction
    tensors : type
        Of the results.
    served : c_ssize_t
        Becomes 1 where a call is served.
    by_graph : WeakMethod
        Gives what the graph gives for arguments, and keyword arguments.

    Attributes
    ----------
    is_open : bool
        Whether nothing is decided.
    concrete : ConcreteFunction
    is_chosen : bool
        Whether plain Python is quicker.
    quicker : callable or None
        The quicker way into the graph, which gives None for calls that it leaves.
    late : int
        The last calls that took much longer than the least, as plain Python.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        concrete: ConcreteFunction,
        tensors: type[Tensor],
        served: ctypes.c_ssize_t,
        by_graph: WeakMethod[Callable[..., Any]],
    ) -> None:
        self._function = function
        self._anew = by_graph
        self.concrete = concrete
        self._tensors = tensors
        self._served = served
        self.is_open = _is_usual(function)
        self.is_chosen = False
        self.quicker: Callable[..., Any] | None = None
        self._form: Callable[[Any], Any] = _same
        self._has_code = False
        self._calls = 0
        self._seconds = 0.0
        self._turns = -1
        self._least = {True: float("inf"), False: float("inf")}
        self._last: dict[bool, Any] = {}
        self._serving: Callable[..., Any] | None = None
        self._known: Callable[..., Any] | None = None
        self._written = 0
        self.late = 0

    @property
    def may_run(self) -> bool:
        """Whether plain Python is quicker, or may be."""
        return self.is_open or self.is_chosen

    @property
    def is_decided(self) -> bool:
        """Whether it is known which is quicker."""
        return not self.is_open

    def quicker_result(
        self, by_graph: Callable[[], Any], decided: _Decided, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """The result of a call by the quicker one, or by the one whose turn it is.

        Parameters
        ----------
        by_graph : callable
            Gives what the graph gives.
        decided : callable
            Is told behind the call that decides, and behind each that plain Python serves.
        args, kwargs
            Those of the call, without a tensor.
        """
        if self.is_open:
            try:
                return self._timed(by_graph, args, kwargs)
            finally:
                if self.is_decided:
                    decided(self.concrete, args, kwargs)
        if not self._is_as_traced():
            return by_graph()
        try:
            result = self._run_once(args, kwargs)
        except Unfit:
            is_left = True  # and no context of what the graph raises
        else:
            is_left = False
            decided(self.concrete, args, kwargs)
        return by_graph() if is_left else result

    def quickly(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What the quicker way into the graph gives; None where it leaves the call."""
        if self._known is not None:
            return self._known(*args, **kwargs)
        guards = self.concrete.guards
        is_there = self.quicker is not None and (guards is None or guards.hold())
        return self.quicker(*args, **kwargs) if is_there and self.quicker is not None else None

    def _timed(self, by_graph: Callable[[], Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result of a call, by the one whose turn it is."""
        if self._turns < 0 and (self._calls >= _CALLS or self._seconds > _SECONDS):
            self._begin(args, kwargs)
        is_plain = self.is_open and self._turns >= 0 and self._turns % 2 == 0 and self._is_as_traced()
        result, is_left = None, False
        start = time.perf_counter()
        try:
            try:
                result = self._run_once(args, kwargs) if is_plain else by_graph()
            except Unfit as unfit:
                self.is_open, is_left = unfit.has_raised, True
            if is_left:
                result = by_graph()  # and no context of what it raises
        finally:
            self._note(is_plain, time.perf_counter() - start, result)
        return result

    def _begin(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Has both run in turns from now on, or none of that."""
        program = self.concrete.program
        if not program.is_settled:
            self._calls, self._seconds = 0, 0.0
            return
        self._turns, self._seconds = 0, 0.0
        self._has_code = any("machine code" in each for each in program.report().counts)
        concrete = self.concrete
        is_long = self._least[False] > _MOST_SECONDS or bool(concrete.trace.functions)
        may_run = not (self._has_code and is_long)
        may_run = may_run and (concrete.only_computes or not raises_of_its_own(concrete.optimised_module))
        may_run = may_run and gives_pythons_bits(concrete.module, concrete.optimised_module)
        form = as_graph_gives(concrete.trace, self._tensors) if may_run else None
        self.is_open = form is not None
        self._form = form or self._form
        self._known = _known_result(self.concrete, args, kwargs, self._served)

    def _note(self, is_plain: bool, seconds: float, result: Any) -> None:
        """Takes in how long a call took, and decides behind the last one."""
        self._calls += 1
        self._seconds += seconds
        if self._turns < 0:
            self._least[False] = min(seconds, self._least[False])
            return
        self._turns += 1
        self._least[is_plain] = min(seconds, self._least[is_plain])
        self._last[is_plain] = result
        if len(self._last) < 2 or not self.is_open:
            return
        plain, graph = self._least[True], self._least[False]
        is_few = self._turns < _TURNS // 2 and seconds < _TOO_LONG
        is_enough = self._turns >= (_TURNS if self._seconds > _LONG else _MOST_TURNS)
        if not agree(self._last[True], self._last[False]) or (plain > _MUCH * graph and not is_few):
            self.is_open = False
        elif is_enough:
            self.is_open, self.is_chosen = False, plain < graph
        if not self.is_open:
            self._last.clear()

    def _run_once(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The result of the function as it is written; raises `Unfit` where the graph may run instead."""
        start = time.perf_counter()
        try:
            result = self._function(*args, **kwargs)
        except Exception:
            if self.concrete.only_computes:  # what it raises is said by the graph
                raise Unfit(has_raised=True) from None
            raise
        if self.is_chosen and self._has_code:
            self._watch(time.perf_counter() - start)
        try:
            return self._form(result)
        except Unfit:
            return self._in_any_form(result)

    @property
    def _limit(self) -> float:
        """How long a call may take as plain Python where the graph has machine code."""
        return max(_TIMES * self._least[True], _LEAST_SECONDS)

    def _watch(self, seconds: float) -> None:
        """Takes in how long a call took as plain Python, where the graph has machine code."""
        self.late = self.late + 1 if seconds > self._limit else 0
        if self.late >= _MOST_LATE or seconds > max(_TOO_LONG, self._limit):
            self._leave()

    def _leave(self) -> None:
        """Leaves further calls to the graph, which has machine code for data like those of this one."""
        self.is_chosen = False
        self._serving = None

    def _in_any_form(self, result: Any) -> Any:
        """A result that is not of the graph's form; raises `Unfit` where the graph may run instead."""
        if self.concrete.only_computes:
            self._leave()
            raise Unfit
        try:
            return in_any_form(self._tensors)(result)
        except Unfit:
            return result

    def _is_as_traced(self) -> bool:
        """Whether what the function reads outside is what the graph that was looked at was traced with."""
        trace = self.concrete.trace
        if trace.inputs:
            return self.concrete.loaded() is not None
        return trace.guards is None or trace.guards.hold()

    def _by_graph(self, *args: Any, **kwargs: Any) -> Any:
        """The result of a call that has raised as plain Python: what it raises is said by the graph."""
        by_graph = self._anew()
        assert by_graph is not None, "the function that is called is there"
        return by_graph(args, kwargs)

    def note_quicker(self, quick: Callable[..., Any] | None) -> None:
        """Takes in the quicker way into the graph, which ends the comparison where it begins in C."""
        self.quicker = quick
        self.is_open = quick is None or self.concrete.guards is not None

    def serving(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Callable[..., Any] | None:
        """What serves calls with arguments like these, and gives None for any others; or None.

        That runs the function as it is written, or gives what a graph that computes nothing gives.
        """
        if not self.is_chosen:
            return self._known
        if self._written < _MOST_WRITTEN:
            self._written += 1
            self._serving = self._write(args, kwargs)
        return self._serving

    def _write(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Callable[..., Any] | None:
        names: dict[str, Any] = {
            "function": self._function,
            "form": self._form,
            "unfit": Unfit,
            "again": self._in_any_form,
            "served": self._served,
            "none": NONE_RETURNED,
            "owner": self,
            "by_graph": self._by_graph,
        }
        if self._has_code:
            names |= {"clock": time.perf_counter, "limit": self._limit, "watch": self._watch}
        trace = self.concrete.trace
        if trace.inputs or trace.guards is not None:
            names["hold"] = self._is_as_traced if trace.inputs or trace.guards is None else trace.guards.hold
        body = _served_by(
            is_told="hold" in names, is_watched=self._has_code, is_left=self.concrete.only_computes
        )
        return serving(args, kwargs, names, body)


def _served_by(*, is_told: bool, is_watched: bool, is_left: bool) -> list[str]:
    """The lines of what serves calls: while all is as it was, on the clock, or leaving what is raised."""
    call = ["result = function({given})"]
    if is_watched:
        late = "if owner.late or clock() - start > limit: watch(clock() - start)"
        call = ["start = clock()", *call, late]
    if is_left:
        call = ["try:", *[f"    {line}" for line in call], *_LEFT]
    test = "not (owner.is_chosen and hold())" if is_told else "not owner.is_chosen"
    return [f"if {test}: return None", "served.value = 1", *call, *_FORM]


_RETURN = "return none if result is None else result"
_LEFT = f"""except Exception:
    result = unfit
if result is unfit:
    result = by_graph({{given}})
    {_RETURN}""".splitlines()
_FORM = f"""try:
    result = form(result)
except unfit:
    try:
        result = again(result)
    except unfit:
        return None
{_RETURN}""".splitlines()


def _known_result(
    concrete: ConcreteFunction, args: Sequence[Any], kwargs: Mapping[str, Any], served: ctypes.c_ssize_t
) -> Callable[..., Any] | None:
    """What serves calls like one where the graph computes nothing; None where it does."""
    make = concrete.known_result()
    if make is None:
        return None
    names = {"make": make, "served": served, "none": NONE_RETURNED}
    guards = concrete.guards
    body = ["served.value = 1", "result = make()", "return none if result is None else result"]
    if guards is not None:
        names["hold"] = guards.hold
        body.insert(0, "if not hold(): return None")
    return serving(args, kwargs, names, body, exactly=True)


def raising(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    guards: Guards | None,
    forget: Callable[[], None],
) -> Callable[..., Any] | None:
    """What serves calls like one that has raised before there was a graph, as `RaisedBefore` says."""
    names = {"function": function, "forget": forget, "none": NONE_RETURNED}
    body = ["result = function({given})", "forget()", "return none if result is None else result"]
    if guards is not None:
        names["hold"] = guards.hold
        body.insert(0, "if not hold(): return None")
    return serving(args, kwargs, names, body, exactly=True)


def _same(value: Any) -> Any:
    return value


def has_tensors(args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether there is a tensor among arguments, of which plain Python makes others."""
    return any(type(each) in EAGER for each in flatten([*args, *kwargs.values()])[0])


def _is_usual(function: Callable[..., Any]) -> bool:
    """Whether a function returns what it computes, and no generator of that."""
    function = inspect.unwrap(function)
    flags = getattr(getattr(function, "__code__", None), "co_flags", None)
    return flags is not None and not flags & _GIVES_LATER


_GIVES_LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
