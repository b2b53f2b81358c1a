"""`PolymorphicFunction`: a Python function as one graph per signature."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar, overload
from weakref import ref

from runtime.core.dtypes import NUMPY_DEFAULTS, Defaults
from runtime.core.garbage import garbage_waits
from runtime.core.instances import NOTHING_APART
from runtime.core.printed import without_first
from runtime.core.tensor import Tensor
from runtime.core.tracing import tracing
from runtime.errors import GraphError, Notice
from runtime.executors.native.calls.method import is_called_in_c
from runtime.functions.alike import NONE_RETURNED
from runtime.functions.bound import BoundFunction, Rest, Result
from runtime.functions.budget import Budget
from runtime.functions.changed import Varying, loaded
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.decorated import Decorated
from runtime.functions.eagerly import switch
from runtime.functions.external_state import Guards, Observer, Unobserved
from runtime.functions.fast_key import FastKey, are_taken_over, sorted_out
from runtime.functions.inside import GraphsInside
from runtime.functions.kept import MOST_GRAPHS, KeptGraphs, unknown_dims
from runtime.functions.key import Key, NotForAll
from runtime.functions.meeting import Met, require_apart
from runtime.functions.options import EffectsWhen, OnMaxTraces, effects_run
from runtime.functions.passed_containers import PassedContainers
from runtime.functions.passed_instances import PassedInstances
from runtime.functions.passed_numbers import AsNumPys, PassedNumbers
from runtime.functions.raised_before import RaisedBefore
from runtime.functions.reads import functions_behind, names_of
from runtime.functions.recursion import OpenTrace, in_rounds, is_given_ever_more, widened_by_depth
from runtime.functions.retraces import Retraces, TraceLog
from runtime.functions.signature import Arguments, Parameters
from runtime.functions.stand_ins import SetKey
from runtime.functions.stand_ins import lent as generators_lent
from runtime.functions.trace import Trace, trace
from runtime.functions.trace_warnings import check_leaks, check_nodes, give_notices, warn_of_lost_changes
from runtime.functions.written import NotApart, NotRun, Stopped
from runtime.graph.build import current_builder, open_graphs
from runtime.graph.frames import hide
from runtime.graph.location import caller_location
from runtime.ops.refused_calls import as_plain_python

__all__ = ["PolymorphicFunction"]

_logger = logging.getLogger("autograph.tracing")  # one tree of loggers for both packages

_MOST_IN_TURNS = 8
"""Graphs for objects that are tried one after the other, before a call is sorted out."""

Params = ParamSpec("Params")
Owner = TypeVar("Owner")

_tracing = threading.RLock()
"""Held while a function is traced. One for all: two functions that call each other
must not lock in two orders."""


class PolymorphicFunction(Decorated[Params, Result]):
    """A Python function that runs as a graph: one for each signature that it is called with.

    Tensors decide by dtype and shape, containers by structure, and everything else by value (numbers,
    strings) or by identity (objects). Made by `autograph.function`, or directly where nothing is to be
    converted.

    Parameters
    ----------
    function : callable
    transform : callable, optional
        Applied to `function` before it is traced; AutoGraph's converter, for one.
    input_signature : sequence of TensorSpec, optional
        The one signature that every call is converted to; that of a method leaves out `self`.
    reduce_retracing : bool
        After the second shape, trace once for any length of the axes that differ.
    max_traces : int, optional
        How many graphs it may be traced to. Without it, there is a warning when call after call is traced.
    on_max_traces : {"warn", "raise"}
        What a trace beyond `max_traces` does: give a `RetracingWarning`, once, or raise `TooManyTraces`.
    executor : str, optional
        ``"reference"`` or ``"numpy"``; the fastest there is by default.
    defaults : Defaults
        The dtypes of Python numbers that no tensor decides.
    name : str, optional
        What the function is called in graphs.
    strict : callable, optional
        Says at each trace whether what TensorFlow refuses is refused.
    rolls : bool
        Whether long loops of Python may become loops of the graph.
    effects : {"run", "trace"}
        When prints and other effects happen: on each run of the graph, in program order, or once, while the
        function is traced.
    on_error : callable, optional
        Gets every exception that leaves a call, before the caller does, and hides our frames.
    observer : Observer, optional
        Watches the function while it is traced: what it reads outside of itself is checked before each run,
        and what it changes there changes after each run.
    is_inside : bool
        Whether it is there for one trace only, in which it stands for a function of the program's.
    """

    __slots__ = (
        "_are_apart",
        "_budget",
        "_containers",
        "_defaults",
        "_effects_run",
        "_executor",
        "_fast",
        "_front",
        "_inner",
        "_instances",
        "_is_inside",
        "_is_strict",
        "_kept",
        "_log",
        "_made_variables",
        "_name",
        "_notices",
        "_numbers",
        "_observer",
        "_of_objects",
        "_open",
        "_outside",
        "_parameters",
        "_pinned",
        "_quick",
        "_raised",
        "_reduce_retracing",
        "_rolls",
        "_sets",
        "_traced",
        "_transform",
        "_transformed",
        "_varying",
        "_widened",
        "on_error",
    )

    __name__: str
    __wrapped__: Callable[Params, Result]
    _front: Callable[..., Any] | None

    def __init__(
        self,
        function: Callable[Params, Result],
        transform: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None,
        *,
        input_signature: Sequence[Any] | None = None,
        reduce_retracing: bool = False,
        max_traces: int | None = None,
        on_max_traces: OnMaxTraces = "warn",
        executor: str | None = None,
        defaults: Defaults = NUMPY_DEFAULTS,
        name: str | None = None,
        strict: Callable[[], bool] = bool,
        rolls: bool = True,
        effects: EffectsWhen = "run",
        on_error: Callable[[BaseException], None] = hide,
        observer: Observer | None = None,
        is_inside: bool = False,
    ) -> None:
        super().__init__(function)
        self._transform = transform
        self._reduce_retracing = reduce_retracing
        self._executor = executor
        self._defaults = defaults
        self._is_strict = strict
        self._rolls = rolls
        self._effects_run = effects_run(effects)
        draws_when_run = self._effects_run and observer is not None
        self._parameters = Parameters(function, input_signature, lends=draws_when_run)
        self.on_error = on_error
        self._observer = observer
        self._is_inside = is_inside
        self._transformed: Callable[..., Any] | None = None
        self._name = name or self._parameters.name.replace("<lambda>", "lambda")
        self._budget = Budget(self._name, max_traces, on_max_traces)
        self._begin()

    def _begin(self) -> None:
        """Without any graph."""
        self._budget = self._budget.anew()
        self._fast: dict[FastKey | None, ConcreteFunction] = {}
        self._front = None
        self._raised = RaisedBefore()
        self._quick: tuple[Guards | None, Callable[..., Any]] | None = None
        self._kept = KeptGraphs()
        self._inner = GraphsInside(self._is_inside)
        self._open: list[OpenTrace] = []
        self._widened: list[Key] = []
        self._are_apart = False
        self._log = TraceLog(self._name)
        self._traced = 0
        self._notices: list[Notice] = []
        self._made_variables: set[Key] = set()
        self._varying = Varying()
        self._pinned: set[Hashable] = set()
        self._outside: dict[int, Any] = {}
        self._numbers = PassedNumbers()
        self._containers = PassedContainers((self._observer or Unobserved()).of_any_length)
        self._instances = PassedInstances()
        self._of_objects: tuple[Callable[..., Any], ...] = ()
        self._sets: dict[int, tuple[ref[set[Any]], SetKey]] = {}

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The one signature that every call is converted to, or None."""
        return self._parameters.input_signature

    # ── calling ──

    def __call__(self, *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Runs the graph for the signature of these arguments, tracing it first where there is none."""
        try:
            if open_graphs.count and (switch.on or tracing.builder is not None):
                if tracing.as_written:  # here, as functions recur through this frame
                    return self.python_function(*args, **kwargs)
                return self._call_within(args, kwargs)
            front = self._quick
            if front is not None:
                guards, quick = front
                if guards is None or guards.hold():
                    quickly: Result | None = quick(*args, **kwargs) if kwargs else quick(*args)
                    if quickly is not None:
                        return None if quickly is NONE_RETURNED else quickly  # type: ignore[return-value]
            apart = self._instances.apart
            if apart.kinds:
                for way in self._of_objects:
                    quickly = way(*args, **kwargs)
                    if quickly is not None:
                        return None if quickly is NONE_RETURNED else quickly  # type: ignore[return-value]
                told = sorted_out(args, kwargs, apart=apart)
            else:
                told = sorted_out(args, kwargs) if kwargs else sorted_out(args)
            key, arrays, lent, containers, drawn = told
            found = self._fast.get(key)
            if found is None or (containers and found.writes_tensors(lent)):
                return self._call(args, kwargs, key)
            run = found.beside(drawn) if drawn else found.run_arrays
            if not found.looks_outside:
                self._budget.missed_in_a_row = 0
                result: Result = run(arrays, lent)
                return result
            outside = found.loaded()
            if outside is None or (containers and found.reaches(containers)):
                return self._call(args, kwargs, key)
            self._budget.missed_in_a_row = 0
            signal: NotApart | Stopped | None = None
            try:
                result = run(arrays, lent, outside)
            except (NotApart, Stopped) as raised:
                signal = raised  # and no context of what comes behind this statement
            if signal is None:
                return result  # what it raises is no failure of ours
            if isinstance(signal, Stopped):
                return self._run_plainly(found, args, kwargs, signal)
            return self._call(args, kwargs, None)
        except BaseException as error:
            self.on_error(error)
            raise

    def _call_within(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
        """As a call of a program that is traced: what is said of it here tells no number of its objects."""
        before, tracing.tells = tracing.tells, False
        try:
            return self._call(args, kwargs, None)
        finally:
            tracing.tells = before

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], key: FastKey | None) -> Result:
        """As a call, for arguments that have to be sorted out; `key` finds their graph from now on."""
        if switch.on and current_builder() is None:
            return self.python_function(*args, **kwargs)
        if self._raised.knows(key):
            return self._run_as_written(args, kwargs, key)
        arguments = self._canonical(args, kwargs)
        arguments.refuse_specs(self._name)
        if self._open:
            opened = self._open_for(arguments.key)
            if opened is not None:
                within: Result = opened.recurse(arguments)
                return within
        try:
            arguments, concrete, outside = self._fitting(arguments, are_values=True)
        except Exception as error:
            self._raised.learn(error, key, arguments, self._names_of(arguments), args, kwargs)
            raise
        self._inner.call(concrete)
        if key is not None and self._instances.are_there:  # others may be taken apart by now
            key = sorted_out(args, kwargs, apart=arguments.apart)[0]
        serves_all = key is not None and self._serves_all(concrete, arguments, args, kwargs)
        if serves_all and not concrete.key.has_numbers:
            if len(self._fast) >= MOST_GRAPHS:
                self._fast.clear()
            self._fast[key] = concrete
            concrete.program.when_it_changes(self._serve_anew)
        way = self._way_of_objects(concrete, arguments, args, kwargs)
        try:
            given = arguments.given_as(concrete.key)
            with generators_lent(zip(concrete.key.leaves, arguments.leaves, strict=True)):
                result: Result = concrete.run(arguments.inputs(concrete.key), outside, arguments.nest, given)
            stopped = None
        except Stopped as raised:
            stopped = raised  # and no context of what Python raises
        if stopped is not None:
            return self._run_plainly(concrete, args, kwargs, stopped)
        if way is not None:
            self._serve_objects(way)
        elif arguments.instances:
            pass  # what is in them takes longer to be told
        elif key is not None and self._fast.get(key) is concrete:
            self._serve_again(concrete, args, kwargs, key)
        elif serves_all:
            self._serve_numbers(concrete, arguments, args, kwargs)
        return result

    def _run_as_written(self, args: tuple[Any, ...], kwargs: dict[str, Any], key: FastKey | None) -> Result:
        """A call as plain Python, which raises; if it does not, the next one is traced."""
        quick, guards = self._raised.serving(self.python_function, key, args, kwargs)
        if quick is not None:
            self._serve(quick, guards)
        return self._raised.run(self.python_function, key, *args, **kwargs)

    def _serve_again(
        self, concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any], key: FastKey
    ) -> None:
        """Has the next call like this one take a quicker way, where there is one."""
        is_told = self._is_told_by_lengths(concrete)
        quick = concrete.quicker(args, kwargs, self._budget.served) if is_told else None
        if quick is None and is_told:
            quick = concrete.run_quickly(key, args, kwargs, self._budget.served, self._run_plainly)
        self._serve(quick, concrete.asked_first)

    def _serve_numbers(
        self, concrete: ConcreteFunction, arguments: Arguments, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """As `_serve_again`, where numbers of Python's are inputs of the graph."""
        names = self._names_of(arguments)
        numbers = AsNumPys.of(arguments, concrete.key, names, len(args), kwargs)
        tells_order = len(kwargs) > 1 and not kwargs.keys() <= self._parameters.signature.parameters.keys()
        if numbers is None or tells_order or not self._is_told_by_lengths(concrete):
            return

        def plainly(concrete: ConcreteFunction, args: Any, kwargs: Any, stopped: Stopped) -> Any:
            return self._run_plainly(concrete, *numbers.raised(args, kwargs), stopped)

        lowered, named = numbers.lowered(args, kwargs)
        key, *_ = sorted_out(lowered, named)
        served = self._budget.served
        quick = concrete.quicker(lowered, named, served)
        if quick is None and key is not None:
            quick = concrete.run_quickly(key, lowered, named, served, plainly)
        if quick is not None:
            quick = numbers.in_front_of(quick, len(args), kwargs)
        self._serve(quick, concrete.asked_first)

    def _way_of_objects(
        self, concrete: ConcreteFunction, arguments: Arguments, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Callable[..., Any] | None:
        """A quicker way for calls like this one, which has not run yet, and whose objects are taken apart."""
        if not arguments.instances or concrete.serves_once or not self._is_told_by_lengths(concrete):
            return None
        return concrete.run_on_objects(arguments, args, kwargs, self._budget.served, self._run_plainly)

    def _serve_objects(self, way: Callable[..., Any]) -> None:
        """Has a way be tried in the next calls: several graphs may serve objects in turns."""
        if way not in self._of_objects:
            self._of_objects = (way, *self._of_objects)[:_MOST_IN_TURNS]

    def _serve(self, quick: Callable[..., Any] | None, guards: Guards | None) -> None:
        """Has the next call begin with what gives None for calls that it leaves, while all is as it was."""
        is_free = quick is not None and guards is None
        in_c = is_free and is_called_in_c(
            PolymorphicFunction, "_front", _failed, open_graphs.word, NONE_RETURNED
        )
        self._front = quick if in_c else None
        self._quick = None if in_c or quick is None else (guards, quick)

    def _serve_anew(self) -> None:
        """Has calls be served by what there is now: a graph has another program."""
        self._fast.clear()
        self._front = self._quick = None

    def _is_told_by_lengths(self, concrete: ConcreteFunction) -> bool:
        """Whether a graph serves all arrays of the lengths that it takes: it says so, or is the only one."""
        return not unknown_dims(concrete) or len(self._kept) == 1

    def _run_plainly(
        self, concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any], stopped: Stopped
    ) -> Result:
        """The call as plain Python, where its graph has raised: the world is as it was before the call.

        It raises what Python raises, and leaves what Python leaves. What the graph has printed is not printed
        once more.
        """
        if not (concrete.may_run_again or isinstance(stopped, NotRun)):
            warn_of_lost_changes(self._name, stopped.error)
            raise stopped.error from None
        with concrete.on_arrays(), without_first(stopped.printed), as_plain_python(once_more=True):
            return self.python_function(*args, **kwargs)

    def _serves_all(
        self, concrete: ConcreteFunction, arguments: Arguments, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> bool:
        """Whether a graph serves all calls like this one, and nothing of them has to be sorted out."""
        if concrete.changes_arguments or concrete.compares_arguments or concrete.serves_once:
            return False
        names = self._names_of(arguments)
        return not arguments.entering and are_taken_over(arguments, names, len(args), kwargs)

    def _names_of(self, arguments: Arguments) -> list[str]:
        """What the parameters are called."""
        bound, named = arguments.nest
        return [*self._parameters.argument_names(len(bound)), *named]

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph for arguments like these, without running it.

        Parameters
        ----------
        *args, **kwargs
            Those of the function, with a `TensorSpec` wherever only shape and dtype matter. Without any,
            where the function has an `input_signature`, the graph for that.
        """
        try:
            of_class = PolymorphicFunction.arguments  # the program's function may have an attribute so called
            return self._fitting(of_class(self, args, kwargs))[1]
        except BaseException as error:
            self.on_error(error)
            raise

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        """Arguments or specs by parameter; without any, the `input_signature` where there is one."""
        if self.input_signature is not None and len(args) == self._parameters.skipped and not kwargs:
            args = (*args, *self.input_signature)
        return self._parameters.canonical(args, kwargs, self._outside)

    def _canonical(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], *, tells_arrays: bool = False
    ) -> Arguments:
        """The arguments of a call, with containers of any length where these are known to come in."""
        is_call = current_builder() is None
        return self._parameters.canonical(
            args,
            kwargs,
            self._outside,
            tells_arrays=tells_arrays,
            entering=self._containers.places if self._containers.are_there and is_call else None,
            apart=self._instances.apart if is_call else NOTHING_APART,
        )

    # ── the cache of graphs ──

    def _fitting(
        self, arguments: Arguments, *, are_values: bool = False
    ) -> tuple[Arguments, ConcreteFunction, Sequence[Tensor]]:
        """These arguments, each object once, with a graph for them and its inputs from outside.

        `are_values` says that they are those of a call: a graph may serve other numbers of Python's, too.
        """
        may_pass = are_values and self._parameters.lends and current_builder() is None
        while True:
            key = arguments.key
            held = arguments.any_length
            watched = self._budget.watched
            found = self._look_up(key, held, may_pass=may_pass)
            try:
                if found is None:
                    with _tracing, garbage_waits:
                        found = self._look_up(key, held, may_pass=may_pass)
                        if found is None:
                            arguments, concrete, outside = self._traced_anew(arguments, may_pass=may_pass)
                            found = concrete, outside
                else:
                    self._budget.missed_in_a_row = 0
                require_apart(found[0].trace, arguments)
            except Met as met:
                if met.depth is not None and met.depth != len(tracing.handed):
                    raise  # it is about arguments of a function around
                self._budget.begins_again = self._budget.watched > watched
                arguments = self._once(arguments, met)
            else:
                return arguments, *found

    def _traced_anew(
        self, arguments: Arguments, *, may_pass: bool
    ) -> tuple[Arguments, ConcreteFunction, Sequence[Tensor]]:
        """A new graph, for other objects as well where these have changed before."""
        if not may_pass:
            return arguments, *self._traced_for(arguments, self._relaxed(arguments.key))
        if self.input_signature is not None:
            return self._traced_for_lengths(arguments)
        if self._instances.meet(arguments.leaves):
            self._kept.forget(self._instances.apart.kinds)
            self._serve_anew()
            raise Met  # there may be a graph for such objects
        self._see_numbers(arguments)
        if not arguments.instances:
            return self._traced_for_lengths(arguments)
        try:
            return self._traced_for_lengths(arguments)
        except Exception as error:  # noqa: BLE001  # as below
            refused = error
        args, kwargs = arguments.nest
        found = self._traced_for_lengths(self._parameters.canonical(args, kwargs, self._outside))
        names = [path for path in arguments.paths if "." in path]
        self._instances.fail({type(each) for each in arguments.instances.values()})
        self._log.refuse(names, refused)
        _logger.info("%s() has a graph for each of its objects: %s", self._name, refused)
        return found

    def _see_numbers(self, arguments: Arguments) -> None:
        """Takes in the numbers of objects that are not taken apart, but may be in a later call."""
        apart = self._instances.looked_at(arguments.leaves)
        if apart.kinds:
            args, kwargs = arguments.nest
            self._numbers.see(self._parameters.canonical(args, kwargs, self._outside, apart=apart))

    def _traced_for_lengths(
        self, arguments: Arguments
    ) -> tuple[Arguments, ConcreteFunction, Sequence[Tensor]]:
        """A new graph, for containers of other lengths as well where these have changed before."""
        args, kwargs = arguments.nest
        more = self._containers.meet(self._names_of(arguments), (*args, *kwargs.values()))
        wider = self._canonical(args, kwargs) if more else arguments
        if not wider.entering:
            return arguments, *self._traced_for_numbers(arguments)
        try:
            return wider, *self._traced_for_numbers(wider)
        except Exception as error:  # noqa: BLE001  # `explain_retraces` tells it, where they can be traced
            refused = error
        arguments = self._parameters.canonical(args, kwargs, self._outside, apart=self._instances.apart)
        found = self._traced_for_numbers(arguments)
        names = [place.name for place in wider.entering.values()]
        self._containers.fail(names)
        self._log.refuse(names, refused)
        _logger.info("%s() has a graph for each of its containers: %s", self._name, refused)
        return arguments, *found

    def _traced_for_numbers(self, arguments: Arguments) -> tuple[ConcreteFunction, Sequence[Tensor]]:
        """A new graph, for other numbers of Python's as well where those have changed before."""
        key = self._relaxed(arguments.key)
        wider = self._numbers.key_for(key, arguments.paths, arguments.of_objects)
        if wider is None:
            return self._traced_for(arguments, key)
        try:
            return self._traced_for(arguments, wider)
        except Exception as error:  # noqa: BLE001  # as above
            refused = error
        found = self._traced_for(arguments, key)
        self._numbers.fail(wider, arguments.paths)
        self._log.refuse([arguments.paths[index] for index in wider.passed()], refused)
        _logger.info("%s() has a graph for each of its numbers: %s", self._name, refused)
        return found

    def _traced_for(self, arguments: Arguments, key: Key) -> tuple[ConcreteFunction, Sequence[Tensor]]:
        """A new graph; where a set holds something else than in an earlier trace, for that very set."""
        pairs = zip(key.leaves, arguments.leaves, strict=True)
        sets = [(place, leaf) for place, leaf in pairs if isinstance(place, SetKey)]
        whole = [leaf for place, leaf in sets if self._has_changed(leaf, place) or not place.has_its_order]
        if whole:
            raise Met(whole, tells_arrays=False)
        if len(self._sets) >= MOST_GRAPHS:
            self._sets.clear()
        self._sets.update([(id(leaf), (ref(leaf), place)) for place, leaf in sets])
        with generators_lent(zip(key.leaves, arguments.leaves, strict=True)):
            return loaded(self._trace(arguments, key), arguments.any_length)

    def _has_changed(self, given: set[Any], place: SetKey) -> bool:
        """Whether a set held something else when the function was traced for it."""
        known, before = self._sets.get(id(given), (None, place))
        return known is not None and known() is given and before != place

    def _once(self, arguments: Arguments, met: Met) -> Arguments:
        """The same arguments, of which what was met counts as one object."""
        if len(self._outside) >= MOST_GRAPHS:
            self._outside.clear()
        for each in met.whole:
            self._outside[id(each)] = self._until_gone(each)
        self._instances.fail(met.kinds)
        self._instances.name(met.names)
        args, kwargs = arguments.nest
        return self._canonical(args, kwargs, tells_arrays=met.tells_arrays)

    def _until_gone(self, value: Any) -> Any:
        """What stands for an object of which it is known that it is one, as long as it lives."""
        outside, key = self._outside, id(value)
        is_weak = type(value).__weakrefoffset__ != 0
        return ref(value, lambda _: outside.pop(key, None)) if is_weak else value

    def _look_up(
        self, key: Key, held: Sequence[Any] = (), *, may_pass: bool = False
    ) -> tuple[ConcreteFunction, Sequence[Tensor]] | None:
        return self._kept.serving(key, self._inner, held, may_pass=may_pass)

    def _relaxed(self, key: Key) -> Key:
        """`key`, widened to the shapes seen before where retracing is to be reduced."""
        return self._kept.relaxed(key) if self._reduce_retracing else key

    def _keep_apart(self, key: Key) -> None:
        """Takes in that no graph serves all calls of this signature."""
        self._widened.remove(key)
        self._are_apart = True

    def _trace(self, arguments: Arguments, key: Key) -> ConcreteFunction:
        if current_builder() is not None:  # calls inside one another would show it again
            key = next((wider for wider in self._widened if wider.accepts(key)), key)
        if any(opened.key == key for opened in self._open):
            raise GraphError(
                f"the graph of {self._name}() was asked for while it is traced",
                why="It is not finished yet.",
                way_out=f"Call {self._name}() instead: a function may call itself.",
            )
        where = caller_location()
        known_graphs = self._kept.accepting(key)
        reason = self._log.reason(key, arguments.paths, where, self._varying.since(known_graphs))
        if self._traced and (self._budget.is_set or not self._open):
            self._budget.watch(self._traced, self._log, reason, where, known=len(known_graphs))
        start = time.perf_counter()
        wanted = widened_by_depth(self._open, key, are_apart=self._are_apart)
        if wanted is not None:
            self._widened.append(wanted.key)
            raise wanted
        if any(opened.key.is_for_more for opened in self._open) and is_given_ever_more(self._open, key):
            raise NotForAll(self._name, "it calls itself with more and more, which only a number can end")
        learnt = self._inner.learnt(key) if tracing.may_guess else None
        tracing.has_guessed |= learnt is not None
        opened, traced = in_rounds(
            self._name, key, lambda opened: self._round(opened, arguments), learnt, self._keep_apart
        )
        key = traced.key
        if traced.notices and key.is_for_more:
            raise NotForAll(self._name, "it gives numbers of several kinds")
        self._inner.learn(traced, opened)
        self._traced += 1
        if traced.makes_variables:
            self._made_variables.add(key)
            # As TensorFlow: none may be made anew.
            if self._defaults.static_shapes and current_builder() is None:
                opened, traced = in_rounds(self._name, key, lambda opened: self._round(opened, arguments))
        reason = replace(reason, seconds=time.perf_counter() - start)
        self._log.add(reason, key, arguments.paths)
        _logger.info("traced in %.1f ms: %s", reason.seconds * 1e3, reason)
        outer = current_builder()
        if outer is not None and self._is_inside:
            traced = replace(traced, captures=tuple(map(outer.arrays.origin, traced.captures)))
        concrete = ConcreteFunction(traced, self._parameters, self._executor, self._defaults.tensors)
        if not concrete.serves_once:  # what one leaves outside, or a variable, is not made twice
            if opened.is_provisional:
                self._inner.keep_provisional(key, concrete, opened.calls_around)
            elif traced.captures and outer is not None:
                self._inner.keep(outer, key, concrete)
            else:
                self._front = self._quick = None
                self._kept.store(key, concrete)
        if outer is None:
            self._look_back(concrete, traced, arguments)
        return concrete

    def _may_make_variables(self, key: Key) -> bool:
        """Whether no graph for such arguments has made any: a call like that one wants them as they are."""
        self._made_variables = {known for known in self._made_variables if not known.is_dead}
        return not any(known.accepts(key) for known in self._made_variables)

    def _look_back(self, concrete: ConcreteFunction, traced: Trace, arguments: Arguments) -> None:
        """Warns of what the trace left outside, and of what it made of the function."""
        names = [name for function in functions_behind(self.python_function) for name in names_of(function)]
        objects = list(zip(arguments.paths, arguments.leaves, strict=True))
        check_leaks(traced, names, objects)
        check_nodes(concrete.graph, traced.loops)
        self._notices += traced.notices
        give_notices(traced.notices)

    def _traceable(self) -> Callable[..., Any]:
        if self._transform is None:
            return self.python_function
        if self._transformed is None:
            self._transformed = self._transform(self.python_function)
        return self._transformed

    # ── calls of itself ──

    def on_executor(self, executor: str) -> PolymorphicFunction[Params, Result]:
        """The same function on another executor, with the graphs that it has by now.

        Parameters
        ----------
        executor : str
        """
        twin = object.__new__(type(self))  # a copy, as of any function, would be this one
        Decorated.__init__(twin, self.python_function)
        for name in PolymorphicFunction.__slots__:
            object.__setattr__(twin, name, getattr(self, name))
        twin._begin()
        twin._executor = executor
        twin._kept = self._kept.on_executor(executor)
        return twin

    def _open_for(self, key: Key) -> OpenTrace | None:
        """The trace around this call that a call with such arguments goes back to."""
        if current_builder() is None or self._look_up(key) is not None:
            return None
        return next((opened for opened in reversed(self._open) if opened.key.accepts(key)), None)

    def _round(
        self, opened: OpenTrace, arguments: Arguments, function: Callable[..., Any] | None = None
    ) -> Trace:
        """One trace of the function, or of one in its place."""
        self._open.append(opened)
        opened.observer = self._observer
        known = opened.outcome.inputs if opened.outcome is not None else opened.asked
        try:
            with opened.on_stack():
                return trace(
                    function or self._traceable(),
                    arguments,
                    opened.key,
                    **self._asks(),
                    allows_variables=self._may_make_variables(opened.key) and opened.outcome is None,
                    begin=opened.begin,
                    asked=[*self._varying.asked(), *known],
                    pinned=self._pinned,
                    raised=self._raised.note,
                )
        finally:
            self._open.remove(opened)

    def _asks(self) -> dict[str, Any]:
        """What every trace of the function is told of it."""
        return {
            "name": self._name,
            "defaults": self._defaults,
            "strict": self._is_strict(),
            "rolls": self._rolls,
            "effects_run": self._effects_run,
            "observer": self._observer,
            "written": self.python_function,
        }

    # ── looking at it ──

    @property
    def transform(self) -> Callable[[Callable[..., Any]], Callable[..., Any]] | None:
        """What is applied to the function before it is traced, or None."""
        return self._transform

    @property
    def name(self) -> str:
        """What it is called in graphs."""
        return self._name

    @property
    def as_written(self) -> Callable[Params, Result] | None:
        """The function, where a call in a trace that meets no tensor gives what it gives; None elsewhere."""
        says_more = self.input_signature is not None or self._budget.is_set or self._is_strict()
        is_python = self._defaults is NUMPY_DEFAULTS and self._effects_run and not says_more
        return self.python_function if is_python else None

    def traced_anew(self, function: Callable[..., Any], arguments: Arguments) -> Trace:
        """A trace of `function` in the place of its own, which is not kept."""
        with _tracing, garbage_waits:
            while True:
                try:
                    return self._traced_in_place(function, arguments)
                except Met as met:
                    arguments = self._once(arguments, met)

    def _traced_in_place(self, function: Callable[..., Any], arguments: Arguments) -> Trace:
        return in_rounds(self._name, arguments.key, lambda opened: self._round(opened, arguments, function))[
            1
        ]

    def explain_retraces(self) -> Retraces:
        """Why each graph was traced: which argument asked for it, and how to do with fewer.

        Returns
        -------
        Retraces
            Prints as text; `traces` are data, and `to_dict` makes dicts of them.

        Examples
        --------
        >>> import runtime as rt
        >>> f = PolymorphicFunction(lambda x, n: x * n)
        >>> result = f(rt.asarray(1.0), 3), f(rt.asarray(1.0), 4)
        >>> f.explain_retraces().traces[1].differences[0].way_out
        'pass a tensor where the number may change'
        """
        return self._log.explanation()

    def experimental_get_tracing_count(self) -> int:
        """How often the function was traced."""
        return self._traced

    @property
    def notices(self) -> Sequence[Notice]:
        """What its traces were warned of: numbers of several kinds that are of one in a graph."""
        return self._notices

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The graphs that it keeps, in the order of tracing."""
        return self._kept.all()

    def pretty_printed_concrete_signatures(self, verbose: bool | None = None) -> str:
        """The signature of each graph: arguments and results; `verbose` as of a concrete function's."""
        found = [concrete.pretty_printed_signature(verbose) for concrete in self.concrete_functions]
        return "\n\n".join(found)

    def __repr__(self) -> str:
        count = len(self.concrete_functions)
        graphs = f"{count} graph" + "s" * (count != 1)
        return f"<PolymorphicFunction {self._name}{self._parameters.signature}, {graphs}>"

    def __reduce__(self) -> str:
        """Pickled and copied by reference, as functions are."""
        return self.python_function.__qualname__

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> PolymorphicFunction[Params, Result]: ...

    @overload
    def __get__(
        self: PolymorphicFunction[Concatenate[Owner, Rest], Result],
        instance: Owner,
        owner: type | None = None,
    ) -> BoundFunction[Rest, Result]: ...

    @overload
    def __get__(  # a class method, of which a checker says that it is reached through an object
        self: PolymorphicFunction[Concatenate[type[Owner], Rest], Result],
        instance: Owner,
        owner: type | None = None,
    ) -> BoundFunction[Rest, Result]: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundFunction(self, instance)


def _failed(function: PolymorphicFunction[..., Any], error: BaseException) -> None:
    function.on_error(error)
