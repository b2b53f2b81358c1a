"""`ag.function`: a Python function, converted, traced, and run as a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from operator import attrgetter
from typing import Any, ParamSpec, TypedDict, TypeVar, Unpack, overload

from autograph.backends.tensors import TENSORS
from autograph.converters.callees import PYTHON_KINDS
from autograph.frames import hide
from autograph.options import Options
from autograph.staging.closed import NOT_CLOSED, closed_call
from autograph.staging.functions import behind_cache
from autograph.staging.places import keeps_in
from autograph.staging.reach import WRAPPERS, Wrapper
from autograph.tracing.observing import Outside
from autograph.transpiler import Transpiler
from runtime.core.dtypes import NUMPY_DEFAULTS, Defaults
from runtime.errors import RetracingWarning
from runtime.executors.base import choose
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.eagerly import functions_run_eagerly, run_as_written, run_functions_eagerly
from runtime.functions.options import EffectsWhen, OnMaxTraces, require_kinds, require_known
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.frames import shows_callers_alone

__all__ = [
    "ConcreteFunction",
    "PolymorphicFunction",
    "RetracingWarning",
    "function",
    "functions_run_eagerly",
    "run_functions_eagerly",
]

Params = ParamSpec("Params")
Result = TypeVar("Result")


class FunctionOptions(TypedDict, total=False):
    """What `function` takes beside the function: its parameters, for those who pass them on."""

    input_signature: Sequence[Any] | None
    autograph: bool
    jit_compile: bool | None
    reduce_retracing: bool
    max_traces: int | None
    on_max_traces: OnMaxTraces
    strict: bool | None
    effects: EffectsWhen
    options: Options | None
    name: str | None
    executor: str | None
    defaults: Defaults


@overload
def function(
    func: Callable[Params, Result], /, **options: Unpack[FunctionOptions]
) -> PolymorphicFunction[Params, Result]: ...


@overload
def function(
    func: None = None, /, **options: Unpack[FunctionOptions]
) -> Callable[[Callable[Params, Result]], PolymorphicFunction[Params, Result]]: ...


@shows_callers_alone
def function(
    func: Callable[..., Any] | None = None,
    /,
    *,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    max_traces: int | None = None,
    on_max_traces: OnMaxTraces = "warn",
    strict: bool | None = None,
    effects: EffectsWhen = "run",
    options: Options | None = None,
    name: str | None = None,
    executor: str | None = None,
    defaults: Defaults = NUMPY_DEFAULTS,
    **unknown: Any,
) -> Any:
    """Makes a Python function run as a graph, which is traced once for each signature that it is called with.

    A signature is the dtypes and shapes of tensors, the values of numbers and texts, and which objects the
    others are.

    Used as ``@function``, as ``@function(...)``, or called with the function. An option that there is not, or
    that is not what it has to be, is refused here.

    Parameters
    ----------
    func : callable
        Ordinary Python on tensors. `if`, `for`, `while` and the rest that depend on tensors become part of
        the graph; so do the functions that it calls.
    input_signature : sequence of TensorSpec, optional
        The one signature that every call is converted to; that of a method leaves out `self`.
    autograph : bool
        Whether the function is converted. Without it, a tensor cannot decide Python's control flow.
    jit_compile : bool, optional
        Whether graphs become machine code, which calls Python for what has none; without llvmlite there is a
        `CompileError`. By default the graphs with loops over numbers do, where llvmlite is installed and the
        results keep every bit; all others run as NumPy programs.
    reduce_retracing : bool
        After the second shape, trace once for any length of the axes that differ.
    max_traces : int, optional
        How many graphs it may be traced to. Without it, there is a warning when call after call is traced.
    on_max_traces : {"warn", "raise"}
        What a trace beyond `max_traces` does: give a `RetracingWarning`, once, or raise `TooManyTraces`.
    strict : bool, optional
        Whether what TensorFlow's AutoGraph refuses is refused, in its words. By default what `set_strict`
        says, which is no.
    effects : {"run", "trace"}
        When prints, changes outside and other effects happen: on each run of the graph, in program order, as
        in plain Python, and what it reads outside is checked before; or once, while the function is traced,
        as in TensorFlow.
    options : Options, optional
        How it is converted.
    name : str, optional
        What it is called in graphs; its own name by default.
    executor : str, optional
        ``"reference"``, ``"numpy"`` or ``"native"``, which is machine code; ``"auto"`` by default, which
        chooses between the last two.
    defaults : Defaults
        The dtypes of Python numbers that no tensor decides; int64, float64 and complex128 by default.
    **unknown
        Nothing: there are no other options.

    Returns
    -------
    PolymorphicFunction
        Called like the function.

    Raises
    ------
    SignatureError
        When there is no option of a name.
    InvalidValue
        When an option is not what it has to be.

    Examples
    --------
    >>> import runtime as rt
    >>> @function
    ... def collatz(n):
    ...     steps = 0
    ...     while n != 1:
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...         steps += 1
    ...     return steps
    >>> collatz(rt.asarray(27))
    <Tensor: shape=(), dtype=int64, numpy=111>
    """
    require_known("function", unknown, FunctionOptions.__annotations__)
    require_kinds(
        {"autograph": autograph, "reduce_retracing": reduce_retracing, "defaults": defaults}, _KINDS
    )
    maybe = {"jit_compile": jit_compile, "strict": strict, "options": options, "name": name}
    require_kinds({key: value for key, value in maybe.items() if value is not None}, _KINDS)
    choose(executor)  # which there is
    settings: dict[str, Any] = {
        "input_signature": input_signature,
        "reduce_retracing": reduce_retracing,
        "max_traces": max_traces,
        "on_max_traces": on_max_traces,
        "effects": effects,
        "name": name,
        "executor": executor or ("native" if jit_compile else None),
        "defaults": defaults,
    }
    options = options or Options()
    if strict is not None:
        options = replace(options, strict=bool(strict))
    settings["strict"] = options.is_strict
    settings["rolls"] = options.rolls
    options = replace(options, strict=None, rolls=True)  # what is converted is the same: graphs differ
    make = partial(_polymorphic, autograph=autograph, options=options, settings=settings)
    return make if func is None else make(func)


_KINDS: dict[str, type] = {
    "autograph": bool,
    "defaults": Defaults,
    "jit_compile": bool,
    "name": str,
    "options": Options,
    "reduce_retracing": bool,
    "strict": bool,
}
"""What the options are, of which another kind would be taken in silence."""


@cache
def _transpiler(options: Options) -> Transpiler:
    """One transpiler for all functions with the same options: what they call is converted once."""
    return Transpiler((TENSORS,), options)


WRAPPERS[PolymorphicFunction] = Wrapper(attrgetter("as_written"), run_as_written)
keeps_in(PolymorphicFunction, attrgetter("python_function"))


def _polymorphic(
    func: Callable[Params, Result], *, autograph: bool, options: Options, settings: dict[str, Any]
) -> PolymorphicFunction[Params, Result]:
    def transform(function: Callable[..., Any]) -> Any:
        return _traced_form(transpiler, TENSORS.undecorated(behind_cache(function)))

    transpiler = _transpiler(options)
    if autograph:
        transpiler.require_source(TENSORS.undecorated(behind_cache(func)))
    observer = Outside(transpiler.backends, transpiler.as_written) if autograph else Outside()
    return PolymorphicFunction(
        func,
        transform if autograph else None,
        on_error=settings["defaults"].on_error or hide,
        observer=observer,
        **settings,
    )


def _traced_form(transpiler: Transpiler, written: Callable[..., Any]) -> Callable[..., Any]:
    """What is traced of a function: a call that cannot meet a tensor runs as the user wrote it.

    So a function that only meets such calls is never converted.
    """
    backends, convert = transpiler.backends, cache(transpiler.convert)
    if type(written) not in PYTHON_KINDS or not backends.leaves_closed_calls:
        return convert(written)  # type: ignore[no-any-return]  # it is a callable

    def traced(*args: Any, **kwargs: Any) -> Any:
        result = closed_call(backends, written, args, kwargs)
        return convert(written)(*args, **kwargs) if result is NOT_CLOSED else result

    return traced
