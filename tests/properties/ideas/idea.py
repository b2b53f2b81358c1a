"""An idea that small programs are about."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Idea"]


@dataclass(frozen=True)
class Idea:
    """One idea.

    Attributes
    ----------
    names : mapping of str to tuple of str
        The variables of each kind.
    setup : tuple of str
        The lines that make them, in the function.
    statements : tuple of str
        What may be done with them; lines of one statement are parted by newlines.
    floats, tests : tuple of str
        Expressions that it adds.
    around : str
        What the module has for it.
    results : tuple of str
        What the function returns of it.
    arguments : mapping of str to str
        More parameters, each with what it is called with.
    """

    names: dict[str, tuple[str, ...]]
    statements: tuple[str, ...]
    setup: tuple[str | tuple[str, ...], ...] = ()
    floats: tuple[str, ...] = ()
    ints: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    around: str = ""
    results: tuple[str, ...] = ()
    arguments: dict[str, str] | None = None
