"""`PolymorphicFunction`: a Python function as one graph per signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar, overload
from weakref import WeakMethod

from runtime.core.dtypes import NUMPY_DEFAULTS, Defaults
from runtime.core.printed import without_first
from runtime.core.structure import Structure
from runtime.core.tracing import tracing
from runtime.errors import Notice
from runtime.executors.native.calls.method import is_called_in_c
from runtime.functions.alike import NONE_RETURNED
from runtime.functions.bound import BoundFunction, Rest, Result
from runtime.functions.budget import Budget
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.decorated import Decorated
from runtime.functions.eagerly import switch
from runtime.functions.external_state import Guards, Observer
from runtime.functions.fast_key import FastKey, are_taken_over, sorted_out
from runtime.functions.kept import MOST_GRAPHS, KeptGraphs
from runtime.functions.options import EffectsWhen, OnMaxTraces, effects_run
from runtime.functions.passed_numbers import AsNumPys
from runtime.functions.raised_before import RaisedBefore
from runtime.functions.retraces import Retraces
from runtime.functions.signature import Arguments, Parameters
from runtime.functions.stand_ins import lent as generators_lent
from runtime.functions.trace import Trace
from runtime.functions.trace_warnings import warn_of_lost_changes
from runtime.functions.tracer import TraceOptions, Tracer
from runtime.functions.written import NotApart, NotRun, Stopped
from runtime.graph.build import current_builder, open_graphs
from runtime.graph.frames import hide
from runtime.graph.warned import without_warned
from runtime.ops.refused_calls import as_plain_python

__all__ = ["PolymorphicFunction"]

_MOST_IN_TURNS = 8
"""Graphs for objects that are tried one after the other, before a call is sorted out."""

Params = ParamSpec("Params")
Owner = TypeVar("Owner")


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
        ``"reference"``, ``"numpy"`` or ``"native"``, which is machine code; ``"auto"`` by default, which
        chooses between the last two.
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
        "_budget",
        "_fast",
        "_front",
        "_instances",
        "_of_objects",
        "_options",
        "_parameters",
        "_quick",
        "_raised",
        "_tracer",
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
        runs = effects_run(effects)
        draws_when_run = runs and observer is not None
        self._parameters = Parameters(function, input_signature, lends=draws_when_run)
        self.on_error = on_error
        name = name or self._parameters.name.replace("<lambda>", "lambda")
        self._options = TraceOptions(
            function=function,
            transform=transform,
            parameters=self._parameters,
            name=name,
            reduce_retracing=reduce_retracing,
            executor=executor,
            defaults=defaults,
            strict=strict,
            rolls=rolls,
            effects_run=runs,
            observer=observer,
            is_inside=is_inside,
        )
        self._budget = Budget(name, max_traces, on_max_traces)
        self._begin()

    def _begin(self, kept: KeptGraphs | None = None) -> None:
        """Without any graph but those that are kept already."""
        self._budget = self._budget.anew()
        self._fast: dict[FastKey | None, ConcreteFunction] = {}
        self._front = None
        self._quick: tuple[Guards | None, Callable[..., Any]] | None = None
        self._of_objects: tuple[Callable[..., Any], ...] = ()
        self._raised = RaisedBefore()
        changed = WeakMethod(self._serve_anew)
        self._tracer = Tracer(self._options, self._budget, self._raised.note, changed, kept)
        self._instances = self._tracer.instances

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
            for way in self._of_objects:
                quickly = way(*args, **kwargs)
                if quickly is not None:
                    return None if quickly is NONE_RETURNED else quickly  # type: ignore[return-value]
            apart = self._instances.apart
            if apart.kinds:
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
        arguments = self._tracer.canonical(args, kwargs)
        arguments.refuse_specs(self._options.name)
        opened = self._tracer.opened_for(arguments.key)
        if opened is not None:
            within: Result = opened.recurse(arguments)
            return within
        try:
            arguments, concrete, outside = self._tracer.fitting(arguments, are_values=True)
        except Exception as error:
            self._raised.learn(error, key, arguments, self._tracer.names(arguments), args, kwargs)
            raise
        self._tracer.inner.call(concrete)
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
        is_told = self._tracer.serves_all_lengths(concrete)
        quick = concrete.ways.quicker(args, kwargs, self._budget.served) if is_told else None
        if quick is None and is_told:
            quick = concrete.ways.of_key(key, args, kwargs, self._budget.served, self._run_plainly)
        self._serve(quick, concrete.ways.asked_first)

    def _serve_numbers(
        self, concrete: ConcreteFunction, arguments: Arguments, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """As `_serve_again`, where numbers of Python's are inputs of the graph."""
        names = self._tracer.names(arguments)
        numbers = AsNumPys.of(arguments, concrete.key, names, len(args), kwargs)
        tells_order = len(kwargs) > 1 and not kwargs.keys() <= self._parameters.signature.parameters.keys()
        if numbers is None or tells_order or not self._tracer.serves_all_lengths(concrete):
            return

        def plainly(concrete: ConcreteFunction, args: Any, kwargs: Any, stopped: Stopped) -> Any:
            return self._run_plainly(concrete, *numbers.raised(args, kwargs), stopped)

        lowered, named = numbers.lowered(args, kwargs)
        key, *_ = sorted_out(lowered, named)
        served = self._budget.served
        quick = concrete.ways.quicker(lowered, named, served)
        if quick is None and key is not None:
            quick = concrete.ways.of_key(key, lowered, named, served, plainly)
        if quick is not None:
            quick = numbers.in_front_of(quick, len(args), kwargs)
        self._serve(quick, concrete.ways.asked_first)

    def _way_of_objects(
        self, concrete: ConcreteFunction, arguments: Arguments, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Callable[..., Any] | None:
        """A quicker way for calls like this one, which has not run yet: what is in arguments comes in."""
        has_numbers = concrete.key.has_numbers and any(map(_holds_containers, arguments.structure.children))
        is_sorted_out = not (arguments.instances or arguments.entering or has_numbers)
        if is_sorted_out or concrete.serves_once or not self._tracer.serves_all_lengths(concrete):
            return None
        return concrete.ways.on_objects(arguments, args, kwargs, self._budget.served, self._run_plainly)

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

    def _run_plainly(
        self, concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any], stopped: Stopped
    ) -> Result:
        """The call as plain Python, where its graph has raised: the world is as it was before the call.

        It raises what Python raises, and leaves what Python leaves. What the graph has printed, or warned
        of, is not told once more.
        """
        if not (concrete.may_run_again or isinstance(stopped, NotRun)):
            warn_of_lost_changes(self._options.name, stopped.error)
            raise stopped.error from None
        with (
            concrete.on_arrays(),
            without_first(stopped.printed),
            without_warned(stopped.warned),
            as_plain_python(once_more=True),
        ):
            return self.python_function(*args, **kwargs)

    def _serves_all(
        self, concrete: ConcreteFunction, arguments: Arguments, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> bool:
        """Whether a graph serves all calls like this one, and nothing of them has to be sorted out."""
        if concrete.changes_arguments or concrete.compares_arguments or concrete.serves_once:
            return False
        names = self._tracer.names(arguments)
        return not arguments.entering and are_taken_over(arguments, names, len(args), kwargs)

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
            return self._tracer.fitting(of_class(self, args, kwargs))[1]
        except BaseException as error:
            self.on_error(error)
            raise

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        """Arguments or specs by parameter; without any, the `input_signature` where there is one."""
        if self.input_signature is not None and len(args) == self._parameters.skipped and not kwargs:
            args = (*args, *self.input_signature)
        return self._tracer.whole(args, kwargs)

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
        twin._options = replace(self._options, executor=executor)
        twin._begin(self._tracer.kept.on_executor(executor))
        return twin

    # ── looking at it ──

    @property
    def transform(self) -> Callable[[Callable[..., Any]], Callable[..., Any]] | None:
        """What is applied to the function before it is traced, or None."""
        return self._options.transform

    @property
    def name(self) -> str:
        """What it is called in graphs."""
        return self._options.name

    @property
    def as_written(self) -> Callable[Params, Result] | None:
        """The function, where a call in a trace that meets no tensor gives what it gives; None elsewhere."""
        says_more = self.input_signature is not None or self._budget.is_set or self._options.strict()
        is_python = self._options.defaults is NUMPY_DEFAULTS and self._options.effects_run and not says_more
        return self.python_function if is_python else None

    def traced_anew(self, function: Callable[..., Any], arguments: Arguments) -> Trace:
        """A trace of `function` in the place of its own, which is not kept."""
        return self._tracer.traced_in_place(function, arguments)

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
        return self._tracer.log.explanation()

    def experimental_get_tracing_count(self) -> int:
        """How often the function was traced."""
        return self._tracer.count

    @property
    def notices(self) -> Sequence[Notice]:
        """What its traces were warned of: numbers of several kinds that are of one in a graph."""
        return self._tracer.notices

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The graphs that it keeps, in the order of tracing."""
        return self._tracer.kept.all()

    def pretty_printed_concrete_signatures(self, verbose: bool | None = None) -> str:
        """The signature of each graph: arguments and results; `verbose` as of a concrete function's."""
        found = [concrete.pretty_printed_signature(verbose) for concrete in self.concrete_functions]
        return "\n\n".join(found)

    def __repr__(self) -> str:
        count = len(self.concrete_functions)
        graphs = f"{count} graph" + "s" * (count != 1)
        return f"<PolymorphicFunction {self._options.name}{self._parameters.signature}, {graphs}>"

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


def _holds_containers(structure: Structure) -> bool:
    """Whether containers are among arguments, positional ones or others."""
    return any(child.kind is not None for child in structure.children)


def _failed(function: PolymorphicFunction[..., Any], error: BaseException) -> None:
    function.on_error(error)
