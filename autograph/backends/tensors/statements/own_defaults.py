"""Containers that parameters have by default, `memo={}`, of a function of the graph that calls itself.

One of these lies outside of the function, as a global variable does, and is the same in every call. It is no
argument, which the graph would take as a value: in the place of it a call has a mark, and the function takes
its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from autograph.backends.tensors.containers.lists import changes_in_place
from autograph.staging.heap import moved_to

__all__ = ["OwnDefaults"]


class OwnDefaults:
    """What a function has for parameters that a call does not give.

    Parameters
    ----------
    function : callable

    Attributes
    ----------
    signature : inspect.Signature
        That of the function, with a mark in the place of each container.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        parameters = inspect.signature(function).parameters
        held = {name: each.default for name, each in parameters.items()}
        self._held = {name: default for name, default in held.items() if changes_in_place(default)}
        marked = [
            each.replace(default=_OWN) if name in self._held else each for name, each in parameters.items()
        ]
        self.signature = inspect.Signature(marked)

    def bound(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> inspect.BoundArguments:
        """The arguments of a call, marks included, also where the call gives what is there by default."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, default in self._held.items():
            given = bound.arguments[name]
            if given is default or given is moved_to(default):
                bound.arguments[name] = _OWN
        return bound

    def without_marks(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call of the function itself, which takes its own containers."""
        if not self._held:
            return args, kwargs
        bound = self.signature.bind(*args, **kwargs)
        for name in [name for name in self._held if bound.arguments.get(name) is _OWN]:
            del bound.arguments[name]
        return bound.args, bound.kwargs


class _Own:
    """The mark."""

    def __repr__(self) -> str:
        return "its own"


_OWN = _Own()
