"""Library functions such as `math.sin` that a backend takes over when an argument is its own.

And wrappers of `functools` that stand between a call and the function that is converted, and what a function
closes over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial, singledispatch, singledispatchmethod
from types import FunctionType, MethodType
from typing import Any

from autograph.staging.dispatch import Backends
from autograph.staging.operators import holds_operators
from autograph.staging.twins import element_by_element

__all__ = [
    "WRAPPERS",
    "asks_cache",
    "behind_cache",
    "behind_wrapper",
    "by_chosen_class",
    "closed_over",
    "defaults_of",
    "keeps_longer",
    "staged_function",
]

_CACHED: Any = type(lru_cache(print))
WRAPPERS = frozenset({_CACHED, FunctionType, MethodType})
"""Classes of callables that `behind_wrapper` knows."""

_DISPATCHING = singledispatch(print).__code__  # type: ignore[attr-defined]  # it is a function
_DISPATCHING_METHOD = singledispatchmethod(print).__get__(None, type).__code__


def staged_function(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Callable[..., Any] | None:
    """The backend's version of a function of a library; None where the function itself is right.

    Parameters
    ----------
    backends : Backends
    callee : callable
        What is called as it is: no builtin that is an operator, and nothing that is converted.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    callable or None
    """
    if getattr(callee, "__module__", None) not in backends.modules or type(callee).__hash__ is None:
        return None
    backend = backends.inside(*args, *(kwargs or {}).values())
    if backend is backends.plain:
        return backends.staging_now().instead(callee)
    of_class = element_by_element(type(callee))
    if of_class is not None and not (kwargs or callee.excluded or callee.signature):  # of `np.vectorize`
        kinds = callee.otypes or (None,)
        if len(kinds) == 1:
            return partial(backends.convert(of_class), callee.pyfunc, kinds[0])
    twin = None if isinstance(callee, type) else element_by_element(callee)
    if twin is not None:
        return partial(backends.convert(twin))  # of `np.piecewise`
    return partial(backend.function, callee)


def behind_cache(callee: Any) -> Any:
    """The function behind `functools.lru_cache` or `cache`, bound as the callable is; else the callable.

    Parameters
    ----------
    callee : callable

    Returns
    -------
    callable
    """
    if type(callee) is _CACHED:
        return callee.__wrapped__
    if type(callee) is MethodType and type(callee.__func__) is _CACHED:
        return MethodType(behind_cache(callee.__func__), callee.__self__)
    return callee


def keeps_longer(callee: Any) -> bool:
    """Whether a callable is a cache that was there before the function that is traced."""
    behind = behind_cache(callee)
    return behind is not callee and not holds_operators(behind)


def asks_cache(callee: Any) -> bool:
    """Whether a builtin method asks a cache for its counts, or empties it."""
    return type(getattr(callee, "__self__", None)) is _CACHED


def _class_of(backends: Backends, value: Any) -> Any:
    backend = backends.of(value)
    return value.__class__ if backend is backends.plain else backend.type_(value)


def _is_by_class(callee: Any) -> bool:
    return getattr(callee, "__code__", None) in {_DISPATCHING, _DISPATCHING_METHOD}


def _for_class(callee: Any, kind: type) -> Any:
    """What is called for a first argument of a class."""
    if callee.__code__ is _DISPATCHING:
        return callee.dispatch(kind)
    found = closed_over(callee)
    dispatch = found["dispatch"] if "dispatch" in found else found["self"].dispatcher.dispatch
    return dispatch(kind).__get__(found["obj"], found["cls"])  # 3.13 keeps no more of it


def by_chosen_class(
    backends: Backends, callee: Any, args: tuple[Any, ...], call: Callable[[Any, tuple[Any, ...]], Any]
) -> Any:
    """What a function gives that is chosen by the class of an argument, which a tensor has chosen.

    ``call(callee, args)`` is for each. `NotImplemented` where nothing is chosen.
    """
    if not (args and _is_by_class(callee)):
        return NotImplemented
    backend = backends.staging_now()
    found = backend.of_each(args[0], lambda one: call(callee, (one, *args[1:])))
    if found is not NotImplemented:
        return found
    return backend.of_each(_class_of(backends, args[0]), lambda kind: call(_for_class(callee, kind), args))


def behind_wrapper(backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a wrapper of a library leads to while a backend stages; the callable itself where it is none.

    A cache keeps nothing of a graph: a call that is given a backend's value goes past it. A function that is
    chosen by the class of the first argument (`singledispatch`) is chosen here.

    Parameters
    ----------
    backends : Backends
    callee : callable
        What is called as it is.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    callable
    """
    if _is_by_class(callee) and args:
        return _for_class(callee, _class_of(backends, args[0]))
    behind = behind_cache(callee)
    if behind is callee:
        return backends.staging_now().undecorated(callee)
    if backends.of(*args, *kwargs.values()) is not backends.plain:
        return behind
    # what it would keep belongs to this path: another path, or what comes after, may not be given it
    is_of_trace = holds_operators(behind) and backends.staging_now().decides_here()
    return behind if is_of_trace else callee


def closed_over(function: FunctionType) -> dict[str, Any]:
    """What the variables of functions around hold that a function names, those that have a value."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # the variable has no value yet
            continue
    return found


def defaults_of(function: FunctionType) -> dict[str, Any]:
    """The defaults of a function, by its parameters."""
    values, code = function.__defaults__ or (), function.__code__
    names = code.co_varnames[code.co_argcount - len(values) : code.co_argcount]
    return dict(zip(names, values, strict=True)) | (function.__kwdefaults__ or {})
