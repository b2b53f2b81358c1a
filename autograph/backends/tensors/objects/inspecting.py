"""Queries of array libraries about an array (`array_api_compat`), answered for tensors of unknown shape.

Libraries that serve every array library ask `array_api_compat`, of which many carry a copy. Of a tensor whose
length is not known it says that it has no size, which a test like ``while size(active)`` takes for zero.
"""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

from autograph.backends.tensors.scalars.indices import require_callable
from autograph.backends.tensors.text.spoken import names_of_values
from runtime import ops
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor
from runtime.core.text import require_no_description, unknown_to_library
from runtime.core.tracing import tracing
from runtime.graph.location import is_of_library, is_ours
from runtime.graph.refusals import forget_since, refusals, require_heard, was_asked_by_library
from runtime.ops.refused_calls import IN_OUR_WORDS

__all__ = ["LeftAlone", "answer"]

ASKED = "array_api_compat.common._helpers"
"""The module of the questions, in whatever package it lies."""

_ROOM = f"{__package__.rpartition('.')[0]}."
"""How the modules of this backend are named."""


def answer(function: Any) -> Callable[[Any], Any] | None:
    """What is asked in the place of a function of these libraries; None for any other function.

    They ask for classes, and are told ours: converted, they would take a tensor for an array of NumPy's.
    """
    if not (getattr(function, "__module__", None) or "").endswith(ASKED):
        return None
    answered: Callable[[Any], Any] = ANSWERS.get(function.__name__, function)
    return answered


def _size(x: Any) -> Any:
    """The number of elements: a tensor, where only the run knows it."""
    return ops.count_elements(x) if isinstance(x, Tensor) else x.size


def _is_lazy_array(x: Any) -> bool:  # noqa: ARG001  # the signature is the other library's
    """Whether a test of its values is impossible: in converted code it is not."""
    return False


ANSWERS: dict[str, Callable[[Any], Any]] = {"is_lazy_array": _is_lazy_array, "size": _size}


def _is_named_by_module(callee: Any) -> bool:
    """Whether what is called is a function or a class of a library's: no builtin, and no method of C."""
    is_function = type(callee) in {FunctionType, BuiltinFunctionType, type}
    return is_function and is_of_library(callee) and callee.__module__ not in {None, "builtins"}


class LeftAlone:
    """Around a call of what is not converted: it runs while the graph is traced.

    Parameters
    ----------
    callee : callable
    values : tuple
        What it is given.
    owns : tuple of type
        The classes of values of a graph.
    """

    __slots__ = ("_around", "_callee", "_owns", "_refusals", "_refused", "_values")

    def __init__(self, callee: Any, values: tuple[Any, ...], owns: tuple[type, ...]) -> None:
        self._callee = callee
        self._values = values
        self._owns = owns
        self._refused: Exception | None = None
        self._refusals = refusals()
        self._around = tracing.asker

    def __enter__(self) -> Callable[[Any], Any]:
        tracing.asker = self
        return self._given_back

    def asks_for_text(self) -> None:
        """As of every `Asker`: a library makes none."""
        if is_of_library(self._callee):
            self._refused = unknown_to_library(self._callee)
            raise self._refused

    def _given_back(self, result: Any) -> Any:
        if self._refused is not None:  # and it has caught that
            raise self._refused
        require_heard(self._refusals)
        if type(self._callee) is FunctionType and is_ours(self._callee.__code__.co_filename):
            ops.note_of_tensors(result)
        if tracing.shown:
            for leaf in flatten(result)[0]:
                require_no_description(leaf)
        return result

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        tracing.asker = self._around
        forget_since(self._refusals)  # an error has ended the call
        if isinstance(error, Exception):
            if IN_OUR_WORDS in vars(error):  # which it has not caught
                raise vars(error)[IN_OUR_WORDS] from None
            if was_asked_by_library(error) and _is_named_by_module(self._callee):
                raise unknown_to_library(self._callee) from None
            require_callable(self._callee)
            if not callable(self._callee):
                return
            if type(self._callee) is FunctionType and self._callee.__module__.startswith(_ROOM):
                return  # a method of what stands for an object of Python's says what Python says
            if _takes_no_such_arguments(self._callee, error):
                return
            if names_of_values(error, (self._callee, *self._values), self._owns):
                raise unknown_to_library(self._callee) from error


def _takes_no_such_arguments(callee: Any, error: Exception) -> bool:
    """Whether Python itself has refused a call of a function, or of a class with a constructor in Python.

    It raises then where the call stands, and no line of the function has run.
    """
    called = callee.__init__ if isinstance(callee, type) else callee  # type: ignore[misc]  # not called here
    is_python = type(getattr(called, "__func__", called)) is FunctionType
    return is_python and error.__traceback__ is not None and error.__traceback__.tb_next is None
