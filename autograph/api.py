"""What users call to convert a function, to see the result, and to keep a function as it is."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypedDict, TypeVar, Unpack, overload

from autograph.options import Options
from autograph.staging.backend import Backend
from autograph.transpiler import Transpiler, is_converted

__all__ = ["convert", "do_not_convert", "is_converted", "to_code", "to_graph"]

Function = TypeVar("Function", bound=Callable[..., Any])

TRANSPILERS_REMEMBERED = 64
"""Each remembers its own conversions; a program has few sets of backends and options."""


class ConvertOptions(TypedDict, total=False):
    """What `convert` takes beside the function: its parameters, for those who pass them on."""

    backends: Sequence[Backend] | None
    recursive: bool
    user_requested: bool
    always: bool
    options: Options | None


@overload
def convert(f: Function, /, **options: Unpack[ConvertOptions]) -> Function: ...


@overload
def convert(f: None = None, /, **options: Unpack[ConvertOptions]) -> Callable[[Function], Function]: ...


def convert(
    f: Callable[..., Any] | None = None,
    /,
    *,
    backends: Sequence[Backend] | None = None,
    recursive: bool = True,
    user_requested: bool = True,
    always: bool = False,
    options: Options | None = None,
) -> Any:
    """Converts a function, so that values of a backend may decide its branches and loops.

    On plain values the result does what the function does: while nothing can be staged (no graph is being
    built), it runs the function's own statements at their own speed. Used as ``@convert``,
    ``@convert(...)`` or called with the function.

    Parameters
    ----------
    f : callable
        A function, lambda, method, partial object or object with `__call__`.
    backends : sequence of Backend, optional
        The libraries that may take over; this project's own tensors by default.
    recursive : bool
        Convert the functions it calls, too, as they are called.
    user_requested : bool
        Shown in the generated code.
    always : bool
        Run the converted form in eager code as well, and convert what it calls: ``x[i] = v`` then binds `x`
        anew in all of it, so that functions which write into arrays take tensors.
    options : Options, optional
        All options at once, instead of the three above.

    Returns
    -------
    callable
        `f` itself where it is to be called as it is: a class, a builtin, a function of a library.

    Raises
    ------
    ConversionError
        When it cannot be converted and ``options.on_failure`` is "raise"; otherwise there is a warning.
    TypeError
        When an argument is of another kind.

    Examples
    --------
    >>> @convert(backends=[])
    ... def larger(a, b):
    ...     if a > b:
    ...         return a
    ...     return b
    >>> larger(3, 5)
    5
    """
    if options is not None and not isinstance(options, Options):
        raise TypeError(f"`options` are `Options`, and not {options!r}")
    chosen = options or Options(recursive=recursive, user_requested=user_requested, always=always)
    if f is None:
        return functools.partial(_convert, backends=backends, options=chosen)
    return _convert(f, backends=backends, options=chosen)


def _convert(f: Any, *, backends: Sequence[Backend] | None, options: Options) -> Any:
    return _transpiler(None if backends is None else _members(backends), options).convert(f)


def _members(backends: Any) -> tuple[Backend, ...]:
    """The backends that were given, each of which says what it owns."""
    members: tuple[Any, ...] = tuple(backends) if isinstance(backends, Iterable) else (backends,)
    if members == (backends,) or any(isinstance(each, type) or not hasattr(each, "owns") for each in members):
        raise TypeError(
            "`backends` is a list of objects whose classes derive from `autograph.staging.plain.Plain`, "
            f"and not {backends!r}"
        )
    return members


def to_graph(f: Function, /, *, recursive: bool = True) -> Function:
    """The converted function; TensorFlow's name for `convert`.

    Parameters
    ----------
    f : callable
    recursive : bool
        Convert the functions it calls, too, as they are called.

    Returns
    -------
    callable

    Raises
    ------
    ConversionError
        When it cannot be converted.
    """
    converted: Function = _convert(f, backends=None, options=Options(recursive=recursive, on_failure="raise"))
    return converted


def to_code(f: Callable[..., Any], /, *, recursive: bool = True) -> str:
    """The source text of the converted function.

    Parameters
    ----------
    f : callable
    recursive : bool
        As for `convert`; the text names it.

    Returns
    -------
    str
        The text of the very tree that `convert` compiles, without the user's own statements beside it.

    Raises
    ------
    ConversionError
        When it cannot be converted.
    TypeError
        When there is no Python function behind `f`.

    Examples
    --------
    >>> def double(x):
    ...     return x + x
    >>> print(to_code(double))
    def tf__double(x):
        with ag__.FunctionScope('double', 'fscope', ag__.ConversionOptions(...)) as fscope:
            do_return = False
            retval_ = ag__.UndefinedReturnValue()
            try:
                do_return = True
                retval_ = ag__.ld(x) + ag__.ld(x)
            except:
                do_return = False
                raise
            return fscope.ret(retval_, do_return)
    <BLANKLINE>
    """
    return _transpiler((), Options(recursive=recursive)).to_code(f)


def do_not_convert(f: Function, /) -> Function:
    """Keeps a function from being converted: converted code calls it, and what it calls, as they are.

    Parameters
    ----------
    f : callable

    Returns
    -------
    callable
        A function that does the same.

    Raises
    ------
    TypeError
        When `f` cannot be called.

    Examples
    --------
    >>> @do_not_convert
    ... def leave_me(x):
    ...     return x + 1
    >>> convert(leave_me) is leave_me
    True
    """
    if not callable(f):
        raise TypeError(f"{f!r} cannot be called, and was to be called as it is")

    # It stands in a file of ours, and that is all that policy asks.
    @functools.wraps(f)
    def as_it_is(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return as_it_is  # type: ignore[return-value]  # of the same signature, says `wraps`


@functools.lru_cache(maxsize=TRANSPILERS_REMEMBERED)
def _transpiler(backends: tuple[Backend, ...] | None, options: Options) -> Transpiler:
    """The transpiler for some backends and options."""
    return Transpiler([_tensors()] if backends is None else backends, options)


def _tensors() -> Backend:
    """Our own tensors, loaded when first asked for: a program with another library never pays for them."""
    backend: Backend = importlib.import_module("autograph.backends.tensors").TENSORS
    return backend
