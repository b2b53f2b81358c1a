"""The methods of numbers, Python's and NumPy's, that arrays do not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from runtime import ops
from runtime.core.dtypes import int64, uint64
from runtime.core.tensor import Tensor
from runtime.errors import NoConcreteValue
from runtime.graph.build import bind
from runtime.graph.location import caller_location, is_users_file
from runtime.graph.symbol import Symbol
from runtime.ops.examples import example_of
from runtime.ops.ufuncs import BitwiseCount

__all__ = ["attribute_of_number"]


def attribute_of_number(number: Symbol, name: str) -> Any:
    """An attribute that the number has which a tensor of a graph stands for; None where it has none.

    To a library a tensor is a tensor.

    Raises
    ------
    NoConcreteValue
        When it has one that a graph cannot tell.
    """
    if number.static_shape != () or not hasattr(example_of(number), name):
        return None
    if not is_users_file(caller_location().filename):
        return None
    found = _ATTRIBUTES.get(name)
    return _refuse(name) if found is None else found(number)


def _refuse(name: str) -> NoReturn:
    raise NoConcreteValue(
        f"`{name}` of a number of a graph",
        why="What it gives is no number of 64 bits, or text that only the run knows.",
        way_out=f"Call `{name}` on what the function returns, or in a function for `ag.host_call`.",
    )


def _bit_count(number: Tensor) -> Tensor:
    """How many bits of the magnitude are 1."""
    return ops.as_whole_number(bind(BitwiseCount(), _magnitude(number)))


def _bit_length(number: Tensor) -> Tensor:
    """How many bits the magnitude has, from the first that is 1 on."""
    bits = _magnitude(number)
    for distance in (1, 2, 4, 8, 16, 32):
        bits = bits | (bits >> distance)
    return ops.as_whole_number(bind(BitwiseCount(), bits))


def _magnitude(number: Tensor) -> Tensor:
    if number.dtype.numpy.kind == "u":
        return ops.cast(number, uint64)
    return ops.cast(ops.abs(ops.cast(number, int64)), uint64)  # that of the lowest one wraps around, twice


def _numerator(number: Tensor) -> Tensor:
    return number if number.dtype.is_integer else ops.as_whole_number(number)


def _denominator(number: Tensor) -> Tensor:
    return ops.as_whole_number(ops.ones_like(number))


_ATTRIBUTES: Mapping[str, Callable[[Tensor], Any]] = {
    "bit_count": lambda number: lambda: _bit_count(number),
    "bit_length": lambda number: lambda: _bit_length(number),
    "denominator": _denominator,
    "numerator": _numerator,
}
