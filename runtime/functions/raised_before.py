"""Calls that raise before there is a graph: the next ones like them run as plain Python.

A `raise` that the arguments alone decide, texts or lengths, needs no graph, and ends the trace. To trace such
a function again, call after call, takes a thousand times as long as what Python does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from runtime.core.tensor import Tensor
from runtime.errors import Error
from runtime.functions.alike import serving
from runtime.functions.bound import Result
from runtime.functions.external_state import Guards
from runtime.functions.fast_key import FastKey, are_taken_over
from runtime.functions.signature import Arguments
from runtime.graph.build import current_builder
from runtime.ops.raising import is_of_program
from runtime.ops.refused_calls import as_plain_python

__all__ = ["RaisedBefore"]

_MOST = 512
"""Calls that are known."""
_FREQUENT = 10
"""Calls from which on it is worth while to make what serves them."""


class RaisedBefore:
    """The calls of a function that have raised while it was traced."""

    def __init__(self) -> None:
        self._guards: dict[FastKey | None, Guards | None] = {}
        self._times: dict[FastKey | None, int] = {}
        self._last: tuple[Exception, Guards | None] | None = None

    def note(self, error: Exception, guards: Guards | None) -> None:
        """Says what a trace has ended with, and what the function had read outside."""
        self._last = error, guards

    def learn(
        self,
        error: Exception,
        key: FastKey | None,
        arguments: Arguments,
        names: Sequence[str],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> None:
        """Has calls like this one be known, if it is the program that has raised what a trace has ended with.

        Parameters
        ----------
        error : Exception
        key : FastKey or None
        arguments : Arguments
        names : sequence of str
            What the parameters are called.
        args, kwargs
            Those of the call.
        """
        last, self._last = self._last, None
        if last is None or last[0] is not error or key is None or current_builder() is not None:
            return
        if isinstance(error, Error) or not is_of_program(error):
            return
        if any(isinstance(each, Tensor) for each in arguments.given):  # of which Python would make others
            return
        if are_taken_over(arguments, names, len(args), kwargs):
            if len(self._guards) >= _MOST:
                self._guards.clear()
                self._times.clear()
            self._guards[key] = last[1]

    def knows(self, key: FastKey | None) -> bool:
        """Whether a call raises what one like it has raised: all that it read outside is as it was."""
        if key not in self._guards or current_builder() is not None:
            return False
        guards = self._guards[key]
        return guards is None or guards.hold()

    def run(
        self, function: Callable[..., Result], key: FastKey | None, /, *args: Any, **kwargs: Any
    ) -> Result:
        """A call that is known, as plain Python, which raises; if it does not, the next one is traced."""
        with as_plain_python(once_more=True):
            result = function(*args, **kwargs)
        self._guards.pop(key, None)
        self._times.pop(key, None)
        return result

    def serving(
        self,
        function: Callable[..., Any],
        key: FastKey | None,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> tuple[Callable[..., Any] | None, Guards | None]:
        """What serves calls like one that is known, without its key, once it is frequent; its guards."""
        self._times[key] = self._times.get(key, 0) + 1
        if self._times[key] != _FREQUENT:
            return None, None
        names = {"run": partial(self.run, function, key), "known": [True]}
        body = ["if not known: return None", "result = run({given})", "known.clear()"]
        return serving(args, kwargs, names, body), self._guards[key]
