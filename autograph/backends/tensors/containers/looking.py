"""`x in items`, where the run knows `x` and Python the items."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.backends.tensors.containers.equality import one_truth
from autograph.backends.tensors.iteration.ordering import equal
from autograph.backends.tensors.iteration.produced import any_true, every_item
from runtime import ops
from runtime.graph.build import is_symbolic

__all__ = ["found_in"]

_FEW = 4
"""Numbers up to which each is asked for by itself."""
_EXACT = 2**53
"""Up to it, all ints are floats."""


def found_in(container: Any, item: Any) -> Any:
    """Whether one of the items equals this one, as one truth; of numbers, all are compared at once."""
    if _are_numbers(container, item):
        return ops.any(ops.equal(np.array(container), item))
    return any_true(container, every_item, wanted=True, truth=lambda value: one_truth(equal(value, item)))


def _are_numbers(container: Any, item: Any) -> bool:
    """Whether a number is looked for among many of one kind, all of which Python knows."""
    if type(container) not in {list, tuple} or len(container) <= _FEW or not is_symbolic(item):
        return False
    if (
        item.static_shape != ()
        or item.dtype.kind not in "if"
        or set(map(type, container)) not in ({int}, {float})
    ):
        return False
    return all(abs(each) <= _EXACT for each in container)  # a NaN is not, which may be equal to itself
