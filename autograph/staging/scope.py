"""`FunctionScope`: the scope that every generated function opens, with its options and its return value."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeAlias

from autograph.frames import hide
from autograph.options import ConversionOptions
from autograph.staging.state import Undefined, UndefinedReturnValue

__all__ = ["Convert", "FunctionScope"]

Convert: TypeAlias = Callable[[Any], Any]
"""A callable → what converted code calls in its place."""


SCOPES_REMEMBERED = 4096
"""A program that makes functions of new names without end must not fill the memory."""


class FunctionScope:
    """One call of a generated function.

    Parameters
    ----------
    convert : callable
        The recursion: the transpiler that made the function sits above this module, so it is handed in.
    function_name : str
        The user's name of the function.
    scope_name : str
        What the generated code calls this object.
    options : ConversionOptions
        The options the function was converted with.
    """

    __slots__ = ("convert", "function_name", "options")

    def __init__(
        self, convert: Convert, function_name: str, scope_name: str, options: ConversionOptions
    ) -> None:
        del scope_name  # for the reader of the generated code
        self.convert = convert
        self.function_name = function_name
        self.options = options

    def __enter__(self) -> FunctionScope:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            hide(error)

    def ret(self, value: Any, did_return: Any) -> Any:
        """What the function returns: None unless a `return` gave a value.

        Parameters
        ----------
        value : object
            The variable that the `return` statements assign.
        did_return : bool or backend value
            Whether one of them did.

        Returns
        -------
        object
        """
        # False of Python's own: a `return` that was called off has left its value behind.
        if type(value) is UndefinedReturnValue or did_return is False:
            return None
        return value.read() if issubclass(type(value), Undefined) else value


def function_scope(
    known: dict[str, FunctionScope],
    convert: Convert,
    function_name: str,
    scope_name: str,
    options: ConversionOptions,
) -> FunctionScope:
    """The scope of a call: one object for all functions of a name and with the same options.

    `known` keeps them. A program has few names, and a scope does not change.
    """
    scope = known.get(function_name)
    if scope is None or scope.options is not options:
        if len(known) >= SCOPES_REMEMBERED:
            known.clear()
        scope = known[function_name] = FunctionScope(convert, function_name, scope_name, options)
    return scope
