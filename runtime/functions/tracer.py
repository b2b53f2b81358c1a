"""`Tracer`: the graphs of a function, one for each signature, which are traced when they are asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakMethod, ref

from autograph_base.dataclass import dataclass
from autograph_base.garbage import garbage_waits
from autograph_base.log import INFO, Log
from runtime.core.dtypes import Defaults
from runtime.core.instances import NOTHING_APART, TakenApart
from runtime.core.stack import in_one_piece
from runtime.core.tensor import Tensor
from runtime.core.tracing import tracing
from runtime.errors import GraphError, Notice
from runtime.functions.budget import Budget
from runtime.functions.changed import Varying, loaded
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.external_state import Guards, Observer, Unobserved
from runtime.functions.inside import GraphsInside
from runtime.functions.kept import MOST_GRAPHS, KeptGraphs, unknown_dims
from runtime.functions.key import Key, NotForAll
from runtime.functions.meeting import Met, require_apart
from runtime.functions.passed_containers import PassedContainers
from runtime.functions.passed_instances import PassedInstances
from runtime.functions.passed_numbers import PassedNumbers
from runtime.functions.reads import functions_behind, names_of
from runtime.functions.recursion import OpenTrace, in_rounds, is_given_ever_more, widened_by_depth
from runtime.functions.retraces import TraceLog
from runtime.functions.signature import Arguments, Parameters
from runtime.functions.stand_ins import SetKey
from runtime.functions.stand_ins import lent as generators_lent
from runtime.functions.trace import Manner, Trace, trace
from runtime.functions.trace_warnings import check_leaks, check_nodes, give_notices
from runtime.graph.build import current_builder
from runtime.graph.location import caller_location

__all__ = ["TRACES", "TraceOptions", "Tracer"]

_log = Log("autograph.tracing")  # one tree of loggers for both packages

_tracing = threading.RLock()
"""Held while a function is traced. One for all: two functions that call each other
must not lock in two orders."""


@dataclass(frozen=True)
class TraceOptions:
    """How a function is traced: what its decorator was told.

    Attributes
    ----------
    function : callable
        As the program writes it.
    transform : callable or None
        Applied to it before it is traced.
    parameters : Parameters
    name : str
        What it is called in graphs.
    reduce_retracing, executor, defaults, strict, rolls, observer, is_inside
        As of a `PolymorphicFunction`.
    effects_run : bool
        Whether effects happen when the graph runs.
    """

    function: Callable[..., Any]
    transform: Callable[[Callable[..., Any]], Callable[..., Any]] | None
    parameters: Parameters
    name: str
    reduce_retracing: bool
    executor: str | None
    defaults: Defaults
    strict: Callable[[], bool]
    rolls: bool
    effects_run: bool
    observer: Observer | None
    is_inside: bool

    def manner(self) -> Manner:
        """How the function is traced now."""
        return Manner(
            name=self.name,
            defaults=self.defaults,
            strict=self.strict(),
            rolls=self.rolls,
            effects_run=self.effects_run,
            observer=self.observer or Unobserved(),
            written=self.function,
        )


class Tracer:
    """Finds the graph that serves the arguments of a call, or traces one.

    Parameters
    ----------
    options : TraceOptions
    budget : Budget
    raised : callable
        Gets what a trace has ended with, and what the function had read outside.
    when_changed : WeakMethod
        Called when a graph is kept or dropped: another one may serve the next call.
    kept : KeptGraphs, optional
        Those that there are by now.

    Attributes
    ----------
    kept : KeptGraphs
    inner : GraphsInside
        Graphs that stand in the graphs around them.
    instances : PassedInstances
        The objects among the arguments that are taken apart.
    log : TraceLog
    notices : list of Notice
        What the traces were warned of.
    count : int
        How often the function was traced.
    """

    def __init__(
        self,
        options: TraceOptions,
        budget: Budget,
        raised: Callable[[Exception, Guards | None], None],
        when_changed: WeakMethod[Callable[[], None]],
        kept: KeptGraphs | None = None,
    ) -> None:
        self._options = options
        self._budget = budget
        self._raised = raised
        self._when_changed = when_changed
        self._transformed: Callable[..., Any] | None = None
        self.kept = kept or KeptGraphs()
        self.inner = GraphsInside(options.is_inside)
        self.instances = PassedInstances()
        self.log = TraceLog(options.name)
        self.notices: list[Notice] = []
        self.count = 0
        self._numbers = PassedNumbers()
        self._containers = PassedContainers((options.observer or Unobserved()).of_any_length)
        self._outside: dict[int, Any] = {}
        self._sets: dict[int, tuple[ref[set[Any]], SetKey]] = {}
        self._open: list[OpenTrace] = []
        self._widened: list[Key] = []
        self._are_apart = False
        self._made_variables: set[Key] = set()
        self._varying = Varying()
        self._pinned: set[Hashable] = set()

    def canonical(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], *, tells_arrays: bool = False
    ) -> Arguments:
        """The arguments of a call, with containers of any length where these are known to come in."""
        is_call = current_builder() is None
        return self._options.parameters.canonical(
            args,
            kwargs,
            self._outside,
            tells_arrays=tells_arrays,
            entering=self._containers.places if self._containers.are_there and is_call else None,
            apart=self.instances.apart if is_call else NOTHING_APART,
        )

    def whole(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], apart: TakenApart = NOTHING_APART
    ) -> Arguments:
        """The arguments of a call, with containers of the lengths that they have, and objects as objects."""
        return self._options.parameters.canonical(args, kwargs, self._outside, apart=apart)

    def names(self, arguments: Arguments) -> list[str]:
        """What the parameters are called."""
        bound, named = arguments.nest
        return [*self._options.parameters.argument_names(len(bound)), *named]

    def fitting(
        self, arguments: Arguments, *, are_values: bool = False
    ) -> tuple[Arguments, ConcreteFunction, Sequence[Tensor]]:
        """These arguments, each object once, with a graph for them and its inputs from outside.

        `are_values` says that they are those of a call: a graph may serve other numbers of Python's, too.
        """
        may_pass = are_values and self._options.parameters.lends and current_builder() is None
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

    @in_one_piece
    def _traced_anew(
        self, arguments: Arguments, *, may_pass: bool
    ) -> tuple[Arguments, ConcreteFunction, Sequence[Tensor]]:
        """A new graph, for other objects as well where these have changed before."""
        if not may_pass:
            return arguments, *self._traced_for(arguments, self._relaxed(arguments.key))
        if self._options.parameters.input_signature is not None:
            return self._traced_for_lengths(arguments)
        if self.instances.meet(arguments.leaves):
            self.kept.forget(self.instances.apart.kinds)
            self._tell_of_change()
            raise Met  # there may be a graph for such objects
        self._see_numbers(arguments)
        if not arguments.instances:
            return self._traced_for_lengths(arguments)
        try:
            return self._traced_for_lengths(arguments)
        except Exception as error:  # noqa: BLE001  # as below
            refused = error
        args, kwargs = arguments.nest
        found = self._traced_for_lengths(self.whole(args, kwargs))
        names = [path for path in arguments.paths if "." in path]
        self.instances.fail({type(each) for each in arguments.instances.values()})
        self.log.refuse(names, refused)
        _log.log(INFO, "%s() has a graph for each of its objects: %s", self._options.name, refused)
        return found

    def _see_numbers(self, arguments: Arguments) -> None:
        """Takes in the numbers of objects that are not taken apart, but may be in a later call."""
        apart = self.instances.looked_at(arguments.leaves)
        if apart.kinds:
            args, kwargs = arguments.nest
            self._numbers.see(self.whole(args, kwargs, apart))

    def _traced_for_lengths(
        self, arguments: Arguments
    ) -> tuple[Arguments, ConcreteFunction, Sequence[Tensor]]:
        """A new graph, for containers of other lengths as well where these have changed before."""
        args, kwargs = arguments.nest
        more = self._containers.meet(self.names(arguments), (*args, *kwargs.values()))
        wider = self.canonical(args, kwargs) if more else arguments
        if not wider.entering:
            return arguments, *self._traced_for_numbers(arguments)
        try:
            return wider, *self._traced_for_numbers(wider)
        except Exception as error:  # noqa: BLE001  # `explain_retraces` tells it, where they can be traced
            refused = error
        arguments = self._options.parameters.canonical(
            args, kwargs, self._outside, apart=self.instances.apart
        )
        found = self._traced_for_numbers(arguments)
        names = [place.name for place in wider.entering.values()]
        self._containers.fail(names)
        self.log.refuse(names, refused)
        _log.log(INFO, "%s() has a graph for each of its containers: %s", self._options.name, refused)
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
        self.log.refuse([arguments.paths[index] for index in wider.passed()], refused)
        _log.log(INFO, "%s() has a graph for each of its numbers: %s", self._options.name, refused)
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
        """The same arguments; what was met several times counts as one object."""
        if len(self._outside) >= MOST_GRAPHS:
            self._outside.clear()
        for each in met.whole:
            self._outside[id(each)] = self._until_gone(each)
        self.instances.fail(met.kinds)
        self.instances.name(met.names)
        args, kwargs = arguments.nest
        return self.canonical(args, kwargs, tells_arrays=met.tells_arrays)

    def _until_gone(self, value: Any) -> Any:
        """What stands for an object of which it is known that it is one, as long as it lives."""
        outside, key = self._outside, id(value)
        is_weak = type(value).__weakrefoffset__ != 0
        return ref(value, lambda _: outside.pop(key, None)) if is_weak else value

    def _look_up(
        self, key: Key, held: Sequence[Any] = (), *, may_pass: bool = False
    ) -> tuple[ConcreteFunction, Sequence[Tensor]] | None:
        return self.kept.serving(key, self.inner, held, may_pass=may_pass)

    def _relaxed(self, key: Key) -> Key:
        """`key`, widened to the shapes seen before where retracing is to be reduced."""
        return self.kept.relaxed(key) if self._options.reduce_retracing else key

    def _keep_apart(self, key: Key) -> None:
        """Takes in that no graph serves all calls of this signature."""
        self._widened.remove(key)
        self._are_apart = True

    def _trace(self, arguments: Arguments, key: Key) -> ConcreteFunction:
        options = self._options
        if current_builder() is not None:  # calls inside one another would show it again
            key = next((wider for wider in self._widened if wider.accepts(key)), key)
        if any(opened.key == key for opened in self._open):
            raise GraphError(
                f"the graph of {options.name}() was asked for while it is traced",
                why="It is not finished yet.",
                way_out=f"Call {options.name}() instead: a function may call itself.",
            )
        where = caller_location()
        known_graphs = self.kept.accepting(key)
        reason = self.log.reason(key, arguments.paths, where, self._varying.since(known_graphs))
        if self.count and (self._budget.is_set or not self._open):
            self._budget.watch(self.count, self.log, reason, where, known=len(known_graphs))
        start = time.perf_counter()
        wanted = widened_by_depth(self._open, key, are_apart=self._are_apart)
        if wanted is not None:
            self._widened.append(wanted.key)
            raise wanted
        if any(opened.key.is_for_more for opened in self._open) and is_given_ever_more(self._open, key):
            raise NotForAll(options.name, "it calls itself with more and more, which only a number can end")
        learnt = self.inner.learnt(key) if tracing.may_guess else None
        tracing.has_guessed |= learnt is not None
        opened, traced = in_rounds(
            options.name, key, lambda opened: self._round(opened, arguments), learnt, self._keep_apart
        )
        key = traced.key
        if traced.notices and key.is_for_more:
            raise NotForAll(options.name, "it gives numbers of several kinds")
        self.inner.learn(traced, opened)
        self.count += 1
        if traced.makes_variables:
            self._made_variables.add(key)
            # As TensorFlow: none may be made anew.
            if options.defaults.static_shapes and current_builder() is None:
                opened, traced = in_rounds(options.name, key, lambda opened: self._round(opened, arguments))
        reason = replace(reason, seconds=time.perf_counter() - start)
        self.log.add(reason, key, arguments.paths)
        _log.log(INFO, "traced in %.1f ms: %s", reason.seconds * 1e3, reason)
        outer = current_builder()
        if outer is not None and options.is_inside:
            traced = replace(traced, captures=tuple(map(outer.arrays.origin, traced.captures)))
        concrete = ConcreteFunction(traced, options.parameters, options.executor, options.defaults.tensors)
        if not concrete.serves_once:  # what one leaves outside, or a variable, is not made twice
            if opened.is_provisional:
                self.inner.keep_provisional(key, concrete, opened.calls_around)
            elif traced.captures and outer is not None:
                self.inner.keep(outer, key, concrete)
            else:
                self._tell_of_change()
                self.kept.store(key, concrete)
        if outer is None:
            self._look_back(concrete, traced, arguments)
        return concrete

    def _tell_of_change(self) -> None:
        tell = self._when_changed()
        if tell is not None:
            tell()

    def _may_make_variables(self, key: Key) -> bool:
        """Whether no graph for such arguments has made any: a call like that one wants them as they are."""
        self._made_variables = {known for known in self._made_variables if not known.is_dead}
        return not any(known.accepts(key) for known in self._made_variables)

    def _look_back(self, concrete: ConcreteFunction, traced: Trace, arguments: Arguments) -> None:
        """Warns of what the trace left outside, and of what it made of the function."""
        names = [name for function in functions_behind(self._options.function) for name in names_of(function)]
        objects = list(zip(arguments.paths, arguments.leaves, strict=True))
        check_leaks(traced, names, objects)
        if traced.returns:  # of a graph that always raises nobody wonders why it is large
            check_nodes(concrete.graph, traced.loops)
        self.notices += traced.notices
        give_notices(traced.notices)

    def _traceable(self) -> Callable[..., Any]:
        options = self._options
        if options.transform is None:
            return options.function
        if self._transformed is None:
            self._transformed = options.transform(options.function)
        return self._transformed

    def opened_for(self, key: Key) -> OpenTrace | None:
        """The trace around this call that a call with such arguments goes back to."""
        if current_builder() is None or self._look_up(key) is not None:
            return None
        return next((opened for opened in reversed(self._open) if opened.key.accepts(key)), None)

    def _round(
        self, opened: OpenTrace, arguments: Arguments, function: Callable[..., Any] | None = None
    ) -> Trace:
        """One trace of the function, or of one in its place."""
        options = self._options
        self._open.append(opened)
        opened.observer = options.observer
        known = opened.outcome.inputs if opened.outcome is not None else opened.asked
        try:
            with opened.on_stack():
                return trace(
                    function or self._traceable(),
                    arguments,
                    opened.key,
                    options.manner(),
                    allows_variables=self._may_make_variables(opened.key) and opened.outcome is None,
                    begin=opened.begin,
                    asked=[*self._varying.asked(), *known],
                    pinned=self._pinned,
                    raised=self._raised,
                )
        finally:
            self._open.remove(opened)

    @in_one_piece
    def traced_in_place(self, function: Callable[..., Any], arguments: Arguments) -> Trace:
        """A trace of `function` in the place of its own, which is not kept."""
        with _tracing, garbage_waits:
            while True:
                try:
                    return self._in_place(function, arguments)
                except Met as met:
                    arguments = self._once(arguments, met)

    def _in_place(self, function: Callable[..., Any], arguments: Arguments) -> Trace:
        name, key = self._options.name, arguments.key
        return in_rounds(name, key, lambda opened: self._round(opened, arguments, function))[1]

    def serves_all_lengths(self, concrete: ConcreteFunction) -> bool:
        """Whether a graph serves all arrays of the lengths that it takes: it says so, or is the only one."""
        return not unknown_dims(concrete) or len(self.kept) == 1


TRACES = Tracer._trace.__code__  # noqa: SLF001  # a constant of this file
"""The code of the frame below which functions are traced."""
