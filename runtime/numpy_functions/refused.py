"""What NumPy does itself: what has no adapter, and what writes into arrays; in a graph, the way out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Operators
from runtime.errors import ImmutableTensor, NoConcreteValue
from runtime.graph.build import as_tensor, is_symbolic
from runtime.numpy_functions.table import TABLE, title

__all__ = ["INSTEAD", "IN_PLACE", "fills_arrays", "on_arrays", "way_out"]

IN_PLACE: Mapping[str, str] = {
    "np.copyto": "`x = np.where(where, src, x)`",
    "np.fill_diagonal": "`x = np.where(np.eye(n, dtype=bool), value, x)`",
    "np.place": "`x = x.at[mask].set(values)`",
    "np.put": "`x = x.at[indices].set(values)`",
    "np.put_along_axis": "`x = x.at[indices].set(values)`",
    "np.putmask": "`x = np.where(mask, values, x)`",
}
"""Functions that change an array, which no tensor allows, and what to write instead."""

INSTEAD: Mapping[str, str] = {
    "np.array2string": "`rt.print`, which prints in the run",
    "np.array_repr": "`rt.print`, which prints in the run",
    "np.array_str": "`rt.print`, which prints in the run",
    "np.einsum_path": "`np.einsum`",
    "np.histogram2d": "`np.histogram`, or `np.bincount` of the numbers of the cells",
    "np.histogramdd": "`np.histogram`, or `np.bincount` of the numbers of the cells",
    "np.may_share_memory": "`a is b`, or what decides which part an array shows",
    "np.polydiv": "`np.polyval` of both polynomials",
    "np.poly": "`np.polymul` of the factors",
    "np.real_if_close": "`np.real`",
    "np.roots": "`np.linalg.eigvals` of the companion matrix",
    "np.save": "the result of the function, saved after the call",
    "np.savetxt": "the result of the function, saved after the call",
    "np.savez": "the result of the function, saved after the call",
    "np.savez_compressed": "the result of the function, saved after the call",
    "np.shares_memory": "`a is b`, or what decides which part an array shows",
}
"""What to write in a graph instead of functions whose names say nothing of it."""


def way_out(function: Callable[..., Any]) -> str:
    """What to write in a graph instead of a function that has no adapter."""
    name = title(function)
    if name in INSTEAD:
        return INSTEAD[name]
    from difflib import get_close_matches  # noqa: PLC0415  # most programs make no mistake

    names = {title(each).rpartition(".")[2]: title(each) for each in TABLE}
    near = get_close_matches(function.__name__, names, 1, 0.75)
    if near:
        return f"`{names[near[0]]}`"
    return (
        f"`ag.host_call({name}, …, result=…)`, which calls it when the graph runs, or the functions of `rt`"
    )


def on_arrays(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    name: str = "",
    instead: str = "",
) -> Any:
    """What a function without an adapter gives for the arrays of tensors that have their values.

    `name` is what users call it, and `instead` what to write in a graph, where its own name does not say.

    Raises
    ------
    NoConcreteValue
        When a tensor is part of a graph.
    ImmutableTensor
        When the function would change a tensor.
    """
    name = name or title(function)
    if name in IN_PLACE and isinstance(args[0] if args else None, Operators):
        raise ImmutableTensor(f"`{name}` would change a tensor", way_out=f"Write {IN_PLACE[name]}.")
    if any(map(_is_of_graph, [*args, *kwargs.values()])):
        raise NoConcreteValue(
            f"`{name}` does not take tensors of a graph",
            why="It looks at values, which only exist when the graph runs.",
            way_out=f"Use {instead or way_out(function)}; "
            "outside of a graph it takes tensors, and gives arrays.",
        )
    return function(*map(_array, args), **{key: _array(value) for key, value in kwargs.items()})


def fills_arrays(into: Sequence[Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call writes into arrays of NumPy's, and all that it takes is there: NumPy does it itself."""
    if not into or not all(isinstance(each, np.ndarray) for each in into):
        return False
    return not any(map(_is_of_graph, [*args, *kwargs.values()]))


def _is_of_graph(value: Any) -> bool:
    """Whether a tensor of a graph is somewhere in an argument."""
    if isinstance(value, (list, tuple)):
        return any(map(_is_of_graph, value))
    return isinstance(value, Operators) and is_symbolic(as_tensor(value))


def _array(value: Any) -> Any:
    """An argument with arrays in place of its tensors."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(map(_array, value))
    return np.asarray(as_tensor(value)) if isinstance(value, Operators) else value
