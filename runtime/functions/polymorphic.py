"""`PolymorphicFunction`: a Python function as one graph per signature."""

from __future__ import annotations

import functools
import logging
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from runtime.core.dtypes import NUMPY_DEFAULTS, Defaults
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import GraphError, InvalidValue, RetracingWarning, TooManyTraces
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.eagerly import switch
from runtime.functions.external_state import Observe, unobserved
from runtime.functions.reads import Reads, functions_behind, names_of
from runtime.functions.recursion import OpenTrace, in_rounds, widen_deep_recursion
from runtime.functions.retraces import Retraces, Traced, TraceLog
from runtime.functions.signature import Arguments, Key, Parameters
from runtime.functions.trace import Trace, trace
from runtime.functions.trace_warnings import check_leaks, check_nodes, warn_of_changes
from runtime.graph.build import current_builder
from runtime.graph.builder import Builder
from runtime.graph.location import Location, caller_location

__all__ = ["EffectsWhen", "OnMaxTraces", "PolymorphicFunction"]

_logger = logging.getLogger("autograph.tracing")  # one tree of loggers for both packages

OnMaxTraces: TypeAlias = Literal["warn", "raise"]
EffectsWhen: TypeAlias = Literal["run", "trace"]

_MAX_TRACES = 512
"""Graphs that one function keeps; the oldest goes first."""
_WARN_AFTER = 5
"""Calls in a row that each traced anew before we say so."""

_tracing = threading.RLock()
"""Held while a function is traced. One for all: two functions that call each other
must not lock in two orders."""


class PolymorphicFunction:
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
    effects : {"run", "trace"}
        When prints and other effects happen: on each run of the graph, in program order, or once, while the
        function is traced.
    on_error : callable, optional
        Gets every exception that leaves a call, before the caller does; AutoGraph hides its frames there.
    observe : callable, optional
        Runs the function while it is traced, and says which places outside of it changed: where they are left
        with tensors, the graph keeps them up to date, call after call.
    """

    def __init__(
        self,
        function: Callable[..., Any],
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
        effects: EffectsWhen = "run",
        on_error: Callable[[BaseException], None] | None = None,
        observe: Observe = unobserved,
    ) -> None:
        functools.update_wrapper(self, function)
        self.python_function = function
        self._parameters = Parameters(function, input_signature)
        self._transform = transform
        self._reduce_retracing = reduce_retracing
        self._max_traces = max_traces
        self._on_max_traces = _checked(max_traces, on_max_traces)
        self._executor = executor
        self._defaults = defaults
        self._is_strict = strict
        self._effects_run = _runs(effects)
        self._on_error = on_error
        self._observe = observe
        self._transformed: Callable[..., Any] | None = None
        self._name = name or self._parameters.name.replace("<lambda>", "lambda")
        self._fast: dict[_FastKey | None, ConcreteFunction] = {}
        self._concretes: dict[Key, ConcreteFunction] = {}
        self._inner: weakref.WeakKeyDictionary[Builder, dict[Key, ConcreteFunction]] = (
            weakref.WeakKeyDictionary()
        )
        self._open: list[OpenTrace] = []
        self._log = TraceLog(self._name)
        self._traced = 0
        self._missed_in_a_row = 0

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The one signature that every call is converted to, or None."""
        return self._parameters.input_signature

    # ── calling ──

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph for the signature of these arguments, tracing it first where there is none."""
        try:
            if switch.on or current_builder() is not None:
                return self._call(args, kwargs, None)
            key, arrays, lent = _sorted_out(args, kwargs) if kwargs else _sorted_out(args)
            found = self._fast.get(key)
            if found is None:
                return self._call(args, kwargs, key)
            self._missed_in_a_row = 0
            if found.reads is not None and not found.reads.unchanged():
                warn_of_changes(self._name, found.reads)
            return found.run_arrays(arrays, lent)
        except BaseException as error:
            if self._on_error is not None:
                self._on_error(error)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], key: _FastKey | None) -> Any:
        """As a call, for arguments that have to be sorted out; `key` finds their graph from now on."""
        if switch.on and current_builder() is None:
            return self._run_eagerly(args, kwargs)
        arguments = self._parameters.canonical(args, kwargs)
        arguments.refuse_specs(self._name)
        if self._open:
            opened = self._open_for(arguments.key)
            if opened is not None:
                return opened.recurse(arguments)
        concrete = self._concrete_for(arguments)
        if key is not None and arguments.paths[len(args) :] == list(kwargs):  # in the parameters' order
            self._remember_fast(key, (*args, *kwargs.values()), arguments, concrete)
        if concrete.reads is not None and not concrete.reads.unchanged():
            warn_of_changes(self._name, concrete.reads)
        return concrete.run(arguments.inputs(concrete.key))

    def _remember_fast(
        self, key: _FastKey, given: tuple[Any, ...], arguments: Arguments, concrete: ConcreteFunction
    ) -> None:
        """Skips the sorting out of arguments for calls like this one, where nothing was converted."""
        unchanged = len(arguments.leaves) == len(given) and all(map(_is_taken_over, arguments.leaves, given))
        if unchanged and not concrete.key.has_numbers:
            if len(self._fast) >= _MAX_TRACES:
                self._fast.clear()
            self._fast[key] = concrete

    def _run_eagerly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        arguments = self._parameters.canonical(args, kwargs)
        args, kwargs = arguments.rebuilt(arguments.leaves)
        return self.python_function(*args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph for arguments like these, without running it.

        Parameters
        ----------
        *args, **kwargs
            Those of the function, with a `TensorSpec` wherever only shape and dtype matter. Without any,
            where the function has an `input_signature`, the graph for that.
        """
        return self._concrete_for(self.arguments(args, kwargs))

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        """Arguments or specs by parameter; without any, the `input_signature` where there is one."""
        if self.input_signature is not None and len(args) == self._parameters.skipped and not kwargs:
            args = (*args, *self.input_signature)
        return self._parameters.canonical(args, kwargs)

    # ── the cache of graphs ──

    def _concrete_for(self, arguments: Arguments) -> ConcreteFunction:
        key = arguments.key
        found = self._look_up(key)
        if found is not None:
            self._missed_in_a_row = 0
            return found
        with _tracing:
            found = self._look_up(key)
            return found if found is not None else self._trace(arguments, self._relaxed(key))

    def _look_up(self, key: Key) -> ConcreteFunction | None:
        builder = current_builder()
        if builder is not None:
            inner = self._inner.get(builder)
            if inner is not None and key in inner:
                return inner[key]
        found = self._concretes.get(key)
        if found is not None:
            return found
        fitting = [concrete for concrete in list(self._concretes.values()) if concrete.key.accepts(key)]
        return min(fitting, key=_unknown_dims) if fitting else None

    def _relaxed(self, key: Key) -> Key:
        """`key`, widened to the shapes seen before where retracing is to be reduced."""
        if self._reduce_retracing:
            for other in reversed(self._concretes):
                relaxed = other.relaxed(key)
                if relaxed is not None:
                    return relaxed
        return key

    def _trace(self, arguments: Arguments, key: Key) -> ConcreteFunction:
        if any(opened.key == key for opened in self._open):
            raise GraphError(
                f"the graph of {self._name}() was asked for while it is traced",
                why="It is not finished yet.",
                way_out=f"Call {self._name}() instead: a function may call itself.",
            )
        where = caller_location()
        reason = self._log.reason(key, arguments.paths, where)
        self._watch_budget(reason, where)
        start = time.perf_counter()
        widen_deep_recursion(self._open, key)
        opened, traced = in_rounds(self._name, key, lambda opened: self._round(opened, arguments))
        key = traced.key
        self._traced += 1
        reason = replace(reason, seconds=time.perf_counter() - start)
        self._log.add(reason, key, arguments.paths)
        _logger.info("traced in %.1f ms: %s", reason.seconds * 1e3, reason)
        concrete = ConcreteFunction(traced, self._parameters, self._executor)
        outer = current_builder()
        if not opened.is_provisional:
            if traced.captures and outer is not None:
                self._inner.setdefault(outer, {})[key] = concrete
            else:
                self._store(key, concrete)
        if outer is None:
            self._look_back(concrete, traced, arguments)
        return concrete

    def _look_back(self, concrete: ConcreteFunction, traced: Trace, arguments: Arguments) -> None:
        """Notes what the graph took from outside as it was then, and warns of what the trace left there."""
        functions = functions_behind(self.python_function)
        names = [name for function in functions for name in names_of(function)]
        concrete.reads = Reads([name for name in names if not name.is_bound]) or None
        objects = list(zip(arguments.paths, arguments.leaves, strict=True))
        check_leaks(traced, names, objects)
        check_nodes(concrete.graph)

    def _store(self, key: Key, concrete: ConcreteFunction) -> None:
        for dead in [each for each in self._concretes if each.is_dead]:
            del self._concretes[dead]
        self._concretes[key] = concrete
        if len(self._concretes) > _MAX_TRACES:
            del self._concretes[next(iter(self._concretes))]

    def _traceable(self) -> Callable[..., Any]:
        if self._transform is None:
            return self.python_function
        if self._transformed is None:
            self._transformed = self._transform(self.python_function)
        return self._transformed

    def _watch_budget(self, reason: Traced, where: Location) -> None:
        """Warns of a trace beyond the budget, or refuses it."""
        is_inside_itself = bool(self._open) and self._max_traces is None
        if not self._traced or is_inside_itself:
            return
        self._missed_in_a_row += 1
        if self._max_traces is None:
            exceeded = self._missed_in_a_row == _WARN_AFTER
            happened = f"{self._name}() was traced anew in {_WARN_AFTER} calls in a row, which is slow"
        else:
            exceeded = self._traced == self._max_traces
            happened = f"{self._name}() needs a trace more than its `max_traces={self._max_traces}`"
        if not exceeded:
            return
        cause = "; ".join(map(str, reason.differences)) or "graphs like it are gone"
        ways = "; ".join(dict.fromkeys(each.way_out for each in reason.differences))
        one = f"To do without this one: {ways}. " if ways else ""
        parts: dict[str, Any] = {
            "retraces": self._log.explanation(reason),
            "way_out": f"{one}`{self._name}.explain_retraces()` lists all of them.",
        }
        if self._max_traces is not None and self._on_max_traces == "raise":
            raise TooManyTraces(f"{happened}: {cause}", **parts)
        notice = RetracingWarning(f"{happened}: {cause}", **parts)
        warnings.warn_explicit(notice, RetracingWarning, where.filename, where.line)

    # ── calls of itself ──

    def _open_for(self, key: Key) -> OpenTrace | None:
        """The trace around this call that a call with such arguments goes back to."""
        if current_builder() is None or self._look_up(key) is not None:
            return None
        return next((opened for opened in reversed(self._open) if opened.key.accepts(key)), None)

    def _round(self, opened: OpenTrace, arguments: Arguments) -> Trace:
        """One trace of the function."""
        self._open.append(opened)
        try:
            with opened.on_stack():
                return trace(
                    self._traceable(),
                    arguments,
                    opened.key,
                    name=self._name,
                    defaults=self._defaults,
                    allows_variables=self._traced == 0 and opened.outcome is None,
                    strict=self._is_strict(),
                    effects_run=self._effects_run,
                    begin=opened.begin,
                    observe=self._observe,
                    written=self.python_function,
                )
        finally:
            self._open.remove(opened)

    # ── looking at it ──

    @property
    def transform(self) -> Callable[[Callable[..., Any]], Callable[..., Any]] | None:
        """What is applied to the function before it is traced, or None."""
        return self._transform

    @property
    def name(self) -> str:
        """What it is called in graphs."""
        return self._name

    def traced_anew(self, function: Callable[..., Any], arguments: Arguments) -> Trace:
        """A trace of `function` in the place of its own, which is not kept."""
        with _tracing:
            return trace(
                function,
                arguments,
                arguments.key,
                name=self._name,
                defaults=self._defaults,
                allows_variables=self._traced == 0,
                strict=self._is_strict(),
                effects_run=self._effects_run,
                observe=self._observe,
                written=self.python_function,
            )

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
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The graphs that it keeps, in the order of tracing."""
        return list(self._concretes.values())

    def pretty_printed_concrete_signatures(self) -> str:
        """The signature of each graph: arguments and results."""
        return "\n\n".join(concrete.pretty_printed_signature() for concrete in self.concrete_functions)

    def __repr__(self) -> str:
        return (
            f"<PolymorphicFunction {self._name}{self._parameters.signature}, {len(self._concretes)} graphs>"
        )

    def __reduce__(self) -> str:
        """Pickled and copied by reference, as functions are."""
        return self.python_function.__qualname__

    def __get__(self, instance: Any, owner: type | None = None) -> PolymorphicFunction | BoundFunction:
        return self if instance is None else BoundFunction(self, instance)


class BoundFunction:
    """A `PolymorphicFunction` that is a method, with the object it belongs to."""

    def __init__(self, function: PolymorphicFunction, instance: Any) -> None:
        functools.update_wrapper(self, function.python_function)
        self.__func__ = function
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """As the function, with the object as first argument."""
        return self.__func__(self.__self__, *args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """As of the function, with the object as first argument."""
        return self.__func__.get_concrete_function(self.__self__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, BoundFunction) and self.__func__ is other.__func__
        return same and isinstance(other, BoundFunction) and self.__self__ is other.__self__

    def __hash__(self) -> int:
        return hash((self.__func__, id(self.__self__)))


_FastKey: TypeAlias = tuple[object, ...]
"""What tells some arguments from others, the last one first: pairs inside pairs are the cheapest to make."""


def _sorted_out(
    args: tuple[Any, ...], kwargs: Mapping[str, Any] = MappingProxyType({})
) -> tuple[_FastKey | None, list[Array], int]:
    """A key for these arguments, the arrays among them, and a bit for each that is the caller's.

    This is the hot path of a call.

    The key has dtype and shape of a tensor or an array, a number or text with its class, and an object by a
    reference that does not keep it. It is None where telling them apart takes more.
    """
    key: _FastKey = ()
    arrays: list[Array] = []
    lent = 0
    if kwargs:
        key = tuple(kwargs)
        args = (*args, *kwargs.values())
    if len(args) > _MOST_SORTED:
        return None, arrays, lent
    for value in args:
        kind: Any = type(value)
        if kind is Tensor:
            array = value._array
            arrays.append(array)
            key = key, array.dtype, array.shape
        elif kind is _ARRAY:
            lent |= 1 << len(arrays)
            arrays.append(value)
            key = key, value.dtype, value.shape
        elif kind in _EXACT:
            key = key, kind, value
        elif kind.__hash__ is object.__hash__ and kind.__weakrefoffset__:
            key = key, weakref.ref(value)
        elif isinstance(value, np.generic):
            arrays.append(np.asarray(value))
            key = key, value.dtype, ()
        else:
            return None, arrays, lent
    return key, arrays, lent


_ARRAY = np.ndarray
_MOST_SORTED = 100
"""Arguments from which on a key of pairs inside pairs would be too deep for a hash."""
_EXACT = frozenset((int, bool, str, bytes, type(None)))
"""Classes whose equal instances are the same argument; 0.0 and -0.0 differ, so floats take the longer way."""


def _is_taken_over(leaf: Any, given: Any) -> bool:
    """Whether a leaf of the arguments is what was given: itself, or the same elements as a tensor."""
    if leaf is given:
        return True
    is_array = type(given) is np.ndarray or isinstance(given, np.generic)
    return is_array and type(leaf) is Tensor and leaf._array.dtype == given.dtype


def _checked(max_traces: int | None, on_max_traces: OnMaxTraces) -> OnMaxTraces:
    """What a trace too many does, where both parameters make sense."""
    if on_max_traces not in get_args(OnMaxTraces):
        raise InvalidValue(f"on_max_traces is {on_max_traces!r}, which is neither 'warn' nor 'raise'")
    if max_traces is not None and max_traces < 1:
        raise InvalidValue(f"max_traces is {max_traces}, but a function needs one trace to run")
    return on_max_traces


def _runs(effects: EffectsWhen) -> bool:
    """Whether effects happen when the graph runs."""
    if effects not in get_args(EffectsWhen):
        raise InvalidValue(f"effects is {effects!r}, which is neither 'run' nor 'trace'")
    return effects == "run"


def _unknown_dims(concrete: ConcreteFunction) -> int:
    """How general a graph is: the most exact one serves a call."""
    shapes = [spec.shape for spec in concrete.graph.input_specs if isinstance(spec, ArraySpec)]
    return sum(100 if shape is None else shape.count(None) for shape in shapes)
