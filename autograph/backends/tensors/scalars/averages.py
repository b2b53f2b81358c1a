"""Python's `statistics` on values of a graph: calls of Python when the graph runs.

It computes with fractions, which no graph has: its functions are called when the graph runs, with the numbers
that there are by then, and give the same to the last bit.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from autograph.backends.tensors.containers.lists import StagedTuple
from autograph.backends.tensors.statements.refused import refused
from runtime import ops
from runtime.core.dtypes import DType, float64
from runtime.core.spec import ArraySpec
from runtime.core.structure import flatten
from runtime.core.text import unknown_to_library
from runtime.errors import NoConcreteValue
from runtime.graph.build import as_tensor, is_weak
from runtime.graph.location import caller_location
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["STATISTICS", "kinds_of"]

Functions: TypeAlias = frozenset[Callable[..., Any]]

_OF_PYTHON: Functions = frozenset(
    {
        *(statistics.correlation, statistics.covariance, statistics.fmean, statistics.geometric_mean),
        *(statistics.median_grouped, statistics.pstdev, statistics.stdev),
    }
)
"""Functions that give a float of Python's, whatever they are given."""
_OF_TWO: Functions = frozenset({statistics.correlation, statistics.covariance})
"""Functions of two rows of numbers, which say in the run what is wrong with these."""
_ONE_OF_THEM: Functions = frozenset({statistics.median_high, statistics.median_low, statistics.mode})
"""Functions that give one of the numbers."""
_OF_FLOATS: Functions = frozenset(
    {
        *(statistics.harmonic_mean, statistics.mean, statistics.median, statistics.pvariance),
        statistics.variance,
    }
)
"""Functions that give a number of the class of those that they are given, or a float where these are ints."""


def _put_off(function: Callable[..., Any], data: Any, *arguments: Any, **options: Any) -> Any:
    """What a function of `statistics` gives when the graph runs."""
    if isinstance(data, StagedTuple) and function not in _OF_TWO:
        _refuse_too_few(function, data.length)
    dtypes, are_python = kinds_of(data)
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    if function in _OF_PYTHON and dtype is not None:
        return ops.host_call(function, data, *arguments, result=float, **options)
    if dtype is not None and dtype.is_integer and function in _OF_FLOATS:
        raise NoConcreteValue(
            f"`statistics.{function.__name__}` of ints gives an int, or a float where that is none",
            where=caller_location(),
            why="A graph has to know the kind of a number before it runs.",
            way_out=f"Give it floats: `statistics.{function.__name__}([float(x) for x in numbers])`.",
        )
    is_known = dtype is float64 or (dtype is not None and dtype.is_integer and function in _ONE_OF_THEM)
    if not is_known or dtype is None:
        raise unknown_to_library(function)
    own = float if dtype is float64 else int
    called = partial(_of_class, own if are_python else dtype.numpy.type, function)
    return ops.host_call(called, data, *arguments, result=own if are_python else dtype, **options)


def _quantiles(data: Any, *, n: Any = 4, **options: Any) -> Any:
    """`statistics.quantiles`, which divides, so that what it gives of ints are floats."""
    dtypes, are_python = kinds_of(data)
    if len(dtypes) != 1 or not (dtypes <= {float64} or dtypes.pop().is_integer) or type(n) is not int:
        raise unknown_to_library(statistics.quantiles)
    kind: Any = float if are_python else float64

    def cut(data: Any) -> list[Any]:
        numbers = statistics.quantiles(data, n=n, **options)
        return [kind(each) if are_python else float64.numpy.type(each) for each in numbers]

    return ops.host_call(cut, data, result=[kind] * max(n - 1, 0))


def _linear_regression(*data: Any, **options: Any) -> Any:
    """`statistics.linear_regression`, which sums floats of Python's."""
    if any(len(kinds_of(each)[0]) != 1 for each in data):
        raise unknown_to_library(statistics.linear_regression)
    result = statistics.LinearRegression(float, float)  # type: ignore[arg-type]  # what a graph is told of it
    return ops.host_call(statistics.linear_regression, *data, result=result, **options)


def _refuse(function: Callable[..., Any], *_: Any, **__: Any) -> Any:
    raise unknown_to_library(function)


def _refuse_too_few(function: Callable[..., Any], length: Any) -> None:
    """Has the program raise what a function says of no numbers, and of a single one."""
    for count in range(2):
        try:
            function([1.0] * count)
        except statistics.StatisticsError as error:
            refused(length == count, error)


def _of_class(kind: type, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    return kind(function(*arguments, **options))


def kinds_of(data: Any) -> tuple[set[DType], bool]:
    """The dtypes of some numbers, none where there is something else, and whether all are Python's own."""
    if isinstance(data, StagedTuple):
        specs = [handle.spec.element for handle in data.contents.handles]
        are_single = len(specs) == 1 and isinstance(specs[0], ArraySpec) and specs[0].shape == ()
        return ({specs[0].dtype} if are_single else set()), all(data.contents.are_numbers)
    leaves = flatten(data)[0]
    if not all(map(is_tensor, leaves)):
        return set(), False
    return {as_tensor(each).dtype for each in leaves}, all(map(is_weak, leaves))


STATISTICS: dict[Any, Callable[..., Any]] = {
    **{each: partial(_put_off, each) for each in (*_OF_PYTHON, *_ONE_OF_THEM, *_OF_FLOATS)},
    **{each: partial(_refuse, each) for each in (statistics.NormalDist, statistics.multimode)},
    statistics.linear_regression: _linear_regression,
    statistics.quantiles: _quantiles,
}
"""A function of `statistics`, and what it is on values of a graph."""
