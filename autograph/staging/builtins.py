"""Python's builtins that a backend may take over, and the operator that stands for each."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from autograph.staging.dispatch import Backends

__all__ = ["OPERATORS", "looks_at_caller", "staged_builtin", "staged_text_method"]

OPERATORS: Mapping[Callable[..., Any], str] = {
    abs: "abs_",
    all: "all_",
    any: "any_",
    bool: "bool_",
    complex: "complex_",
    enumerate: "enumerate_",
    float: "float_",
    format: "format_",
    hash: "hash_",
    int: "int_",
    len: "len_",
    max: "max_",
    min: "min_",
    print: "print_",
    range: "range_",
    repr: "repr_",
    str: "str_",
    sum: "sum_",
    zip: "zip_",
}
"""builtin → the method of `Backend` that is called when an argument belongs to a backend."""

AGGREGATES = frozenset({"all_", "any_", "max_", "min_"})
"""Operators that compare, or ask for the truth of, every item of a list: a backend's values inside decide."""

SHOWING = frozenset({"format_", "print_", "repr_", "str_"})
"""Operators that make text of values: a backend's own may be inside any object."""

TEXT_METHODS = frozenset({"format", "format_map", "join"})
"""Methods of `str` that put values into text."""

LOGGING = frozenset({"critical", "debug", "error", "exception", "fatal", "info", "log", "warn", "warning"})


def looks_at_caller(callee: Any) -> bool:
    """Whether a callable reports the line it is called from, and takes a `stacklevel` to say which one.

    Parameters
    ----------
    callee : callable

    Returns
    -------
    bool
    """
    if callee is warnings.warn:
        return True
    return getattr(callee, "__module__", None) == "logging" and getattr(callee, "__name__", "") in LOGGING


def staged_builtin(
    backends: Backends, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Callable[..., Any] | None:
    """The backend's version of a builtin; None when every argument is plain and the builtin itself is right.

    Parameters
    ----------
    backends : Backends
    name : str
        The operator, from `OPERATORS`.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    callable or None
    """
    backend = backends.of(*args, *kwargs.values()) if kwargs else backends.of(*args)
    if backend is backends.plain and name in AGGREGATES and len(args) == 1 and type(args[0]) in (list, tuple):
        backend = backends.of(*args[0])
    if backend is backends.plain and name in SHOWING:
        backend = backends.inside(*args)
    return None if backend is backends.plain else getattr(backend, name)


def staged_text_method(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Callable[..., Any] | None:
    """The backend's version of a method of a string, such as `"…".format`; None where Python's is right.

    Parameters
    ----------
    backends : Backends
    callee : callable
        A builtin that is no operator.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    callable or None
    """
    template = getattr(callee, "__self__", None)
    if type(template) is not str or callee.__name__ not in TEXT_METHODS:
        return None
    backend = backends.inside(*args, *(kwargs or {}).values())
    return None if backend is backends.plain else partial(backend.text_method, template, callee.__name__)
