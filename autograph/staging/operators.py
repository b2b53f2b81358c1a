"""The `ag__` object: everything that generated code calls, bound to one set of backends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import CodeType, MethodType
from typing import Any, TypeVar

from autograph.options import STD, ConversionOptions, conversion_options
from autograph.source.template import OURS
from autograph.staging import patterns
from autograph.staging.dispatch import Backends
from autograph.staging.scope import Convert, FunctionScope, function_scope
from autograph.staging.state import Undefined, UndefinedReturnValue

__all__ = ["Observer", "Operators", "holds_operators", "operator", "unbound_operator"]

Function = TypeVar("Function", bound=Callable[..., Any])

_BOUND: dict[str, Callable[..., Any]] = {}
_UNBOUND: dict[str, Callable[..., Any]] = {}
_CONSTANTS: dict[str, Any] = {
    "ConversionOptions": conversion_options,
    "STD": STD,
    "Undefined": Undefined,
    "UndefinedReturnValue": UndefinedReturnValue,
    "dict": dict,  # for functions that mean something else by these two
    "patterns": patterns,
    "slice": slice,
    "type": type,
    "BaseException": BaseException,
}


def operator(function: Function) -> Function:
    """Gives a function a place in `ag__`. Its first parameter is the `Backends` it may ask.

    Parameters
    ----------
    function : callable
        ``(backends, *arguments of the generated call)``.

    Returns
    -------
    callable
        The same function.
    """
    _BOUND[function.__name__] = function
    return function


def unbound_operator(function: Function) -> Function:
    """Gives a function that needs no backend a place in `ag__`.

    Parameters
    ----------
    function : callable
        Called by generated code as it is.

    Returns
    -------
    callable
        The same function.
    """
    _UNBOUND[function.__name__] = function
    return function


class Observer:
    """Hears what operators are called with. This one lets them be: derive from it, and override."""

    def observed(self, name: str, operate: Callable[..., Any]) -> Callable[..., Any]:
        """What generated code calls in the place of an operator.

        Parameters
        ----------
        name : str
        operate : callable
            The operator, with the backends filled in.
        """
        del name
        return operate

    def reached(self, filename: str, line: int, column: int) -> None:
        """A statement is about to run, in code that says so."""


class Operators:
    """`ag__`: each operator with the backends filled in.

    Parameters
    ----------
    backends : Backends
        Asked by every operator.
    convert : callable
        Turns a callable into the one that converted code calls in its place.
    observer : Observer, optional
    """

    def __init__(self, backends: Backends, convert: Convert, observer: Observer | None = None) -> None:
        self.backends = backends
        backends.convert = convert
        self.is_staging = backends.staging()
        self.owned = backends.owned
        self.FunctionScope = partial(function_scope, {}, convert)
        for name, value in (_CONSTANTS | _UNBOUND).items():
            setattr(self, name, value)
        for name, function in _BOUND.items():
            # A bound method is called by the interpreter without a detour through C, a partial object is not.
            bound = MethodType(function, backends)
            setattr(self, name, bound if observer is None else observer.observed(name, bound))
        if observer is not None:
            self.reached = observer.reached

    def with_function_scope(
        self, body: Callable[[FunctionScope], Any], scope_name: str, options: ConversionOptions
    ) -> Any:
        """The value of a lambda, evaluated in a scope of its own."""
        with self.FunctionScope("<lambda>", scope_name, options) as scope:
            return body(scope)

    def __getattr__(self, name: str) -> Any:
        # Only for the type checker and for a misspelled template: the operators are instance attributes.
        raise AttributeError(f"no operator is called {name!r}")


def holds_operators(function: Any) -> bool:
    """Whether a function is converted code: its closure holds the operators.

    Parameters
    ----------
    function : function or method
        Anything else that is callable is not.

    Returns
    -------
    bool
    """
    code, closure = getattr(function, "__code__", None), getattr(function, "__closure__", None)
    if type(code) is not CodeType or closure is None or OURS not in code.co_freevars:
        return False
    try:
        held = closure[code.co_freevars.index(OURS)].cell_contents
    except ValueError:  # a variable of the user's that has no value yet
        return False
    return isinstance(held, Operators)
