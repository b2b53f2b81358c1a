"""How often values occur."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import ops
from runtime.core.tensor import Tensor
from runtime.errors import InvalidValue
from runtime.graph.build import as_tensor, bind, bind_all, is_weak
from runtime.numpy_functions.operands import count_of, known, refuse_unless, require_rank, strong, whole
from runtime.numpy_functions.table import implements
from runtime.ops.counting import Bincount, Histogram
from runtime.ops.known import concrete

__all__: list[str] = []


@implements(np.bincount)
def _bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Tensor:
    inputs = [require_rank(strong(each), 1, "np.bincount") for each in (x, weights) if each is not None]
    least = count_of(minlength)
    if isinstance(least, int):
        return bind(Bincount(least), *inputs)
    refuse_unless(ops.greater_equal(least, 0), "ValueError", "'minlength' must not be negative")
    counts = bind(Bincount(0), *inputs)
    length = ops.dimension(counts, 0)
    return ops.concat([counts, ops.zeros((ops.maximum(least, length) - length,), dtype=counts.dtype)], axis=0)


@implements(np.histogram)
def _histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Tensor, ...]:
    if isinstance(bins, str):
        raise InvalidValue(
            f"`np.histogram` of a tensor with bins={bins!r}",
            why="A rule that chooses their number looks at the values.",
            way_out="Give the number of intervals, or their ends.",
        )
    ends = strong(bins)
    count = whole(ends, "the number of intervals") if ends.ndim == 0 else None
    limits: tuple[float, float] | None = None
    of_run: list[Any] = []
    if range is not None and all(concrete(each) is not None for each in map(as_tensor, range)):
        limits = tuple(known(range, "`range`").tolist())
    elif range is not None and count is not None:  # the ends say it themselves where they are given
        of_run = list(range)
    are_pythons = tuple(map(is_weak, of_run))
    inputs = [strong(each) for each in (a, *of_run)]
    inputs += [ends] if count is None else []
    inputs += [] if weights is None else [strong(weights)]
    return bind_all(Histogram(count, limits, bool(density), weights is not None, are_pythons), *inputs)


@implements(np.histogram_bin_edges)
def _histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Tensor:
    return _histogram(a, bins, range, None, weights)[1]
