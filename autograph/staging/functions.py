"""Functions of libraries, such as `math.sin`, that a backend takes over where a value of its own goes in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from autograph.staging.dispatch import Backends

__all__ = ["staged_function"]


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
    if getattr(callee, "__module__", None) not in backends.modules:
        return None
    backend = backends.inside(*args, *(kwargs or {}).values())
    return None if backend is backends.plain else partial(backend.function, callee)
