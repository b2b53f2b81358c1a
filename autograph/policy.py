"""Which callables are converted, which are called as they are, and why.

Converted: Python functions and lambdas with source, methods, `functools.partial` objects and objects with
`__call__` that lead to one. Everything else is called as it is, and every verdict has its reason.
"""

from __future__ import annotations

import functools
import inspect
import sys
from types import FunctionType, MethodType
from typing import Any

from autograph.frames import is_ours
from autograph.staging.attributes import in_classes
from autograph.staging.operators import holds_operators
from autograph.staging.twins import MARK, ORDERING, does_by_methods
from autograph_base.dataclass import dataclass

__all__ = ["GENERATOR", "LEFT_ALONE", "Verdict", "call_method", "verdict"]

LEFT_ALONE = frozenset(
    {
        *(sys.stdlib_module_names - ORDERING),
        "IPython",
        "_pytest",
        "astunparse",
        "google",
        "hypothesis",
        "ipykernel",
        "jax",
        "jaxlib",
        "keras",
        "llvmlite",
        "matplotlib",
        "numba",
        "numpy",
        "onnx",
        "pandas",
        "pluggy",
        "pytest",
        "tensorflow",
        "torch",
    }
) - {"__main__"}
"""Top-level modules whose functions are called as they are: nothing in them waits for a converted `if`, and
much of them is too large or too clever to be worth it. A library that is not here is converted like the
user's own code."""

DECORATING = "contextlib", "ContextDecorator.__call__.<locals>.inner"
"""The function that a context manager makes of one that it decorates: `with` around its call."""

TYPES_REMEMBERED = 1024
"""Classes whose `__call__` has been looked up."""


@dataclass(frozen=True)
class Verdict:
    """Whether a callable is converted.

    Attributes
    ----------
    convert : bool
    reason : str
        A half-sentence: "it is a generator function".
    """

    convert: bool
    reason: str


CONVERT = Verdict(True, "it is a Python function")
GENERATOR = Verdict(False, "it is a generator function")


def verdict(callee: Any) -> Verdict:
    """Whether a callable is converted before converted code calls it.

    Parameters
    ----------
    callee : callable

    Returns
    -------
    Verdict

    Examples
    --------
    >>> verdict(len).reason
    'it is not written in Python'
    >>> verdict(lambda x: x).convert
    True
    """
    if isinstance(callee, MethodType):
        return verdict(callee.__func__)
    if isinstance(callee, functools.partial):
        return verdict(callee.func)
    if isinstance(callee, type):
        return Verdict(False, "it is a class, whose instances are made as usual")
    if not isinstance(callee, FunctionType):
        call = call_method(callee)
        if call is not None:
            return verdict(call)
        return Verdict(False, "it is not written in Python")
    return _of_function(callee)


def call_method(callee: Any) -> FunctionType | None:
    """The `__call__` of an object whose class defines one in Python.

    Parameters
    ----------
    callee : object

    Returns
    -------
    function or None
    """
    return None if isinstance(callee, type) else _call_method(callee.__class__)


@functools.lru_cache(maxsize=TYPES_REMEMBERED)
def _call_method(kind: type) -> FunctionType | None:
    call = in_classes(kind, "__call__")
    return call if isinstance(call, FunctionType) else None


def _of_function(function: FunctionType) -> Verdict:
    """The verdict on a plain function."""
    code = function.__code__
    if is_ours(code.co_filename):
        return Verdict(False, "it is our own, or marked with do_not_convert")
    if holds_operators(function):
        return Verdict(False, "it is converted already")
    # The module that the code stands in; `__module__` is what decorators copy from elsewhere.
    module = str(function.__globals__.get("__name__") or "")
    waits = MARK in function.__globals__ or does_by_methods(module, code.co_qualname)
    waits = waits or (module, code.co_qualname) == DECORATING
    if module.partition(".")[0] in LEFT_ALONE and not waits:
        return Verdict(False, f"the functions of {module} are left alone")
    if code.co_flags & inspect.CO_GENERATOR:
        return GENERATOR
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return Verdict(False, "it is an async function")
    return CONVERT
