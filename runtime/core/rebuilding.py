"""Nests that are put together again and again: `unflatten` for one structure, written as an expression.

A call of a graph gives a nest of tensors. Its structure is known, so what makes it is one line of Python::

    [leaf 0, (leaf 1, leaf 2)]   ⇒   lambda given: [tensor(given[0]), (tensor(given[1]), tensor(given[2]),)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.core.structure import Level, Structure

__all__ = ["named", "rebuilding"]

_MOST = 1000
"""Leaves up to which an expression is written: to compile one takes as long as a few hundred calls gain."""


def rebuilding(
    structure: Structure, leaves: Sequence[str], names: dict[str, Any]
) -> Callable[[Any], Any] | None:
    """What makes a nest of this structure; None where nothing is gained.

    Parameters
    ----------
    structure : Structure
    leaves : sequence of str
        For each leaf an expression, over `given` and `names`.
    names : dict of str to object
        More are added, which begin with an underscore.
    """
    if len(leaves) > _MOST or structure.shares:
        return None
    text = _text(structure, iter(leaves), names)
    exec(compile(f"def built(given): return {text}", "<results>", "exec"), names)  # noqa: S102
    built: Callable[[Any], Any] = names["built"]
    return built


def _text(structure: Structure, leaves: Iterator[str], names: dict[str, Any]) -> str:
    kind = structure.kind
    if kind is None:
        return next(leaves)
    inside = [_text(child, leaves, names) for child in structure.children]
    if kind is list:
        return f"[{', '.join(inside)}]"
    if kind is tuple:
        return f"({', '.join(inside)}{',' * (len(inside) == 1)})"
    if kind is dict:
        keys = [named(names, key) for key in structure.keys]
        return f"{{{', '.join(f'{key}: {each}' for key, each in zip(keys, inside, strict=True))}}}"
    build = named(names, Level(kind, structure.keys, structure.extra).building())
    return f"{build}([{', '.join(inside)}])"


def named(names: dict[str, Any], value: Any) -> str:
    """A new name for something that is known."""
    name = f"_{len(names)}"
    names[name] = value
    return name
