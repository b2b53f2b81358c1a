"""NumPy functions that ask Python for each element (`np.vectorize`), as Python code to convert."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

__all__ = ["listed", "ndenumerate", "piecewise", "vectorize"]


def listed(array: Any) -> list[Any]:
    """What `array.tolist()` gives of an array with axes."""
    if array.ndim > 1:
        return [row.tolist() for row in array]
    return [number.item() for number in array]


def ndenumerate(arr: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The places of an array, row by row, with what is there."""
    array = np.asarray(arr)
    shape = array.shape
    for number in range(array.size):
        place: tuple[int, ...] = ()
        rest = number
        for length in shape[::-1]:
            place = (rest % length, *place)
            rest = rest // length
        yield place, array[place]


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """An array of what functions give for the elements at which conditions hold; they see no others."""
    array = np.asarray(x)
    conditions = list(condlist) if isinstance(condlist, list | tuple) else [condlist]
    if array.ndim and np.ndim(conditions[0]) == 0:
        conditions = [np.asarray(conditions)]
    if len(funclist) == len(conditions) + 1:
        conditions = [*conditions, ~np.any(np.stack(conditions), axis=0)]
    elif len(funclist) != len(conditions):
        n = len(conditions)
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    result = np.zeros_like(array)
    for condition, function in zip(conditions, funclist, strict=True):
        if not callable(function):
            result[condition] = function
        else:
            chosen = array[condition]
            if chosen.size > 0:
                result[condition] = function(chosen, *args, **kw)
    return result


def vectorize(function: Callable[..., Any], kinds: str | None, *args: Any) -> Any:
    """What a function of numbers gives for each element; NumPy calls it once more, for the dtype."""
    arrays = np.broadcast_arrays(*args)
    columns = [array.reshape(-1) for array in arrays]
    if kinds is None:
        if len(columns[0]) == 0:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        function(*[column[0] for column in columns])
    count = len(columns[0])
    found = [function(*[column[index].item() for column in columns]) for index in range(count)]
    return np.array(found, dtype=kinds).reshape(arrays[0].shape)
