"""Functions that a path of a staged statement makes and that outlive it: what they may read."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any

from autograph.backends.tensors.containers.lists import SINGLE
from autograph.staging.functions import closed_over, defaults_of
from runtime.core.circular import holds_itself
from runtime.core.structure import flatten
from runtime.errors import StateDisagrees
from runtime.graph.builder import Builder
from runtime.graph.location import Location
from runtime.ops.control_flow import attempt

__all__ = ["require_outer_variables"]


def require_outer_variables(values: Iterable[Any], builder: Builder, where: Location) -> None:
    """Sees to it that no function reads a variable, or has a default, that has a value on one path alone.

    Parameters
    ----------
    values : iterable of nest
        What a statement leaves, when all variables have the values that they have behind it.
    builder : Builder
        Of the graph that the statement is in.
    where : Location
        The statement.

    Raises
    ------
    StateDisagrees
    """
    for value in values:
        leaves = () if type(value) in SINGLE else _leaves_of(value, where)
        for function in (leaf for leaf in leaves if type(leaf) is FunctionType):
            for name, held in (closed_over(function) | defaults_of(function)).items():
                if not all(attempt.is_seen(leaf, builder) for leaf in flatten(held)[0]):
                    raise StateDisagrees(
                        f"a function that is made in this statement reads `{name}`, a variable of one path",
                        where=where,
                        why="A tensor decides whether that path is taken, and the function outlives it.",
                        way_out=f"Make a `functools.partial` that takes `{name}` as an argument.",
                    )


def _leaves_of(value: Any, where: Location) -> list[Any]:
    try:
        return flatten(value)[0]
    except RecursionError:
        if not holds_itself(value):
            raise
    raise StateDisagrees(
        "a container holds itself on one path of this statement, and something else on the other",
        where=where,
        why="A tensor decides between the paths, and what a container holds then is joined, part by part.",
        way_out="Let an instance of a class of your own hold it.",
    )
