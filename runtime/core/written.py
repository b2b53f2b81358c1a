"""Functions that are written as text: they do in one expression what would be a loop over a description.

Many of them are alike but for what their names stand for: so the same text is compiled once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

__all__ = ["as_written"]


def as_written(name: str, text: str, filename: str, names: dict[str, Any]) -> Callable[..., Any]:
    """The function that a text defines.

    Parameters
    ----------
    name : str
        Of the function.
    text : str
        ``def name(…): …``
    filename : str
        Where tracebacks say that it stands.
    names : dict of str to object
        What the text names: its globals, in which the function is put.
    """
    exec(_compiled(text, filename), names)  # noqa: S102  # a text of our own
    function: Any = names[name]
    function.__code__ = function.__code__.replace()  # its own, since Python adapts code to what it meets
    found: Callable[..., Any] = function
    return found


@lru_cache(maxsize=512)
def _compiled(text: str, filename: str) -> CodeType:
    return compile(text, filename, "exec", dont_inherit=True)
