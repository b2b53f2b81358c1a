"""Tensors outside of a function that Python itself runs: arrays are in their places meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import is_
from typing import Any

import numpy as np

from runtime.core.tensor import EAGER, Tensor
from runtime.functions.external_state import ExternalInput, Place, is_contents

__all__ = ["shown_as_arrays"]


@contextmanager
def shown_as_arrays(places: Iterable[Place], inputs: Sequence[ExternalInput]) -> Iterator[None]:
    """While Python runs a function: arrays are in these places instead of tensors, and may be written into.

    A tensor that is in several places is one array. Behind the function it is there again, or another one
    with what was written, in whichever of the places the function has put it.
    """
    arrays: dict[int, tuple[Tensor, Any]] = {}

    def array_of(value: Any, is_written: bool = False) -> Any:
        if type(value) not in EAGER:
            return value
        array = np.array(value)  # one without axes is a number, unless the function writes into it
        return arrays.setdefault(id(value), (value, array if is_written else array[()]))[1]

    def tensor_of(value: Any, _: bool = False) -> Any:
        return back.get(id(value), value)

    shown = list(places)
    for place in shown:
        _replace(place, array_of)
    for each in inputs:
        each.replace_leaves(array_of)
    try:
        yield
    finally:
        back = {id(array): _with_contents(tensor, array) for tensor, array in arrays.values()}
        for place in shown:
            _replace(place, tensor_of)
        for each in inputs:
            each.replace_leaves(tensor_of)


def _with_contents(tensor: Tensor, array: Any) -> Tensor:
    """A tensor, or another one where the array that stood for it holds something else by now."""
    return tensor if array.tobytes() == tensor.numpy().tobytes() else Tensor(array.copy())


def _replace(place: Place, other: Callable[[Any], Any]) -> None:
    """Puts others into a place, or into the container that it is of, where there are others."""
    try:
        held = place.get()
    except Exception:  # noqa: BLE001  # the program has taken it away, and its owner says so in its own way
        return
    now = [*map(other, held)] if is_contents(place) else other(held)
    if now is not held and not (is_contents(place) and all(map(is_, now, held))):
        place.set(now)
