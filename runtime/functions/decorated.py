"""`Decorated`: what a decorator of ours gives for a function, and whose attributes are the function's."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

__all__ = ["Decorated"]

Params = ParamSpec("Params")
Result = TypeVar("Result")


class Decorated(Generic[Params, Result]):
    """What stands for a function of the program's under its name.

    To the program it is that function: what is set as an attribute of it (`f.calls = 0`) is set on the
    function, where a decorator below finds it, too (`inner.calls += 1`). Only what `functools.wraps` says of
    a function (`__name__`, `__doc__` ...) it has itself.

    Parameters
    ----------
    function : callable

    Attributes
    ----------
    python_function : callable
        The function, as it is written.
    """

    python_function: Callable[Params, Result]

    def __init__(self, function: Callable[Params, Result]) -> None:
        self.python_function = function
        update_wrapper(self, function, updated=())  # type: ignore[arg-type]  # who inherits can be called
        for name, value in self.__dict__.items():
            self._shadow(name, value)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # all is written through `__setattr__`
        found: dict[str, Any] = getattr(self.python_function, "__dict__", {})
        return found

    def __getattr__(self, name: str) -> Any:
        if _is_own(self, name):  # of Python's protocols, say
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.python_function, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if _is_own(self, name):
            object.__setattr__(self, name, value)
        else:
            setattr(self.python_function, name, value)
            self._shadow(name, value)

    def __delattr__(self, name: str) -> None:
        if _is_own(self, name):
            object.__delattr__(self, name)
        else:
            delattr(self.python_function, name)
            if hasattr(type(self), name):
                object.__delattr__(self, name)

    def _shadow(self, name: str, value: Any) -> None:
        """Has an attribute of the program's stand before a method of ours that is called like it."""
        if hasattr(type(self), name) and not _is_own(self, name):
            object.__setattr__(self, name, value)


def _is_own(decorated: Decorated[..., Any], name: str) -> bool:
    """Whether an attribute is none of the function's: Python's, or in a slot of ours."""
    slot = getattr(type(decorated), name, None)
    return name.startswith("__") or name == "python_function" or hasattr(type(slot), "__set__")
