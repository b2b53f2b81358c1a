"""The table: a function of NumPy, and the adapter that does its work on tensors.

    @implements(np.cumsum)
    def _cumsum(a, axis=None, dtype=None): ...

An adapter has the parameters of NumPy's function that mean something for tensors, by the same names. It is
given only what the call gave: an argument left at NumPy's default never reaches it, and its own counts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np

from runtime.errors import Error, ImmutableTensor, InvalidValue

__all__ = ["TABLE", "implements", "left_out", "on_tensors", "title"]

Adapter = TypeVar("Adapter", bound=Callable[..., Any])

TABLE: dict[Callable[..., Any], Callable[..., Any]] = {}
"""NumPy's function → our adapter."""

_REASONS: Mapping[str, tuple[type[Error], str]] = {
    "device": (InvalidValue, "There is one device."),
    "order": (InvalidValue, "Tensors have no order in memory to choose."),
    "out": (ImmutableTensor, "A tensor never changes."),
}
"""What is raised, and why, where a parameter is given that no adapter has."""
_NO_VALUE: Any = getattr(np, "_NoValue", inspect.Parameter.empty)
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)


def implements(*functions: Callable[..., Any] | None) -> Callable[[Adapter], Adapter]:
    """Puts an adapter into the table; None stands for a function that this version of NumPy has not."""

    def register(adapter: Adapter) -> Adapter:
        for function in functions:
            if function is not None:
                assert function not in TABLE, f"two adapters for {title(function)}"
                TABLE[function] = adapter
        return adapter

    return register


def title(function: Callable[..., Any]) -> str:
    """What a user calls a function: ``np.sum``, ``np.linalg.norm``."""
    module = (getattr(function, "__module__", None) or "numpy").replace("numpy", "np", 1)
    return f"{module}.{function.__name__}"


@cache
def _parameters(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except ValueError:  # a builtin of an older NumPy: its adapter takes the arguments as they come
        return None


def on_tensors(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What `function(*args, **kwargs)` gives, by its adapter.

    Raises
    ------
    InvalidValue, ImmutableTensor
        When an argument is given that means nothing for tensors.
    """
    adapter = TABLE[function]
    signature = _parameters(function)
    if signature is None:
        return adapter(*args, **kwargs)
    positional, keywords = _given(signature, args, kwargs)
    for name in keywords:
        if name not in _names(adapter):
            kind, why = _REASONS.get(name, (InvalidValue, "It means nothing for tensors."))
            raise kind(
                f"`{title(function)}` takes no `{name}=` where a tensor is",
                why=why,
                way_out="Use what the function returns." if name == "out" else "Leave it out.",
            )
    return adapter(*positional, **keywords)


def _given(
    signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments that say something: by position where they have no name, else by name."""
    bound = signature.bind(*args, **kwargs)
    parameters = signature.parameters
    has_rest = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters.values())
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        parameter = parameters[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += value
        elif parameter.kind is parameter.VAR_KEYWORD:
            keywords |= value
        elif parameter.kind is parameter.POSITIONAL_ONLY or (
            has_rest and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ):
            positional.append(value)
        elif value is not parameter.default and value is not _NO_VALUE:
            keywords[name] = value
    return positional, keywords


@cache
def _names(adapter: Callable[..., Any]) -> frozenset[str]:
    parameters = inspect.signature(adapter).parameters.values()
    return frozenset(each.name for each in parameters if each.kind not in _POSITIONAL)


def left_out(function: Callable[..., Any]) -> list[str]:
    """The parameters of a function of NumPy that its adapter does not take."""
    signature = _parameters(function)
    if signature is None:
        return []
    adapter = inspect.signature(TABLE[function]).parameters
    takes_all = any(each.kind is each.VAR_KEYWORD for each in adapter.values())
    return [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in {parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD}
        and name not in adapter
        and not takes_all
    ]
