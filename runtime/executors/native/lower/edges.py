"""Elements around the edges of arrays: margins, and places that are picked in runs.

::

    p = pad(x, 1)                       for i in 0, 1..198, 199:        (three pieces of each axis)
    y[i] = p[i] + p[i + 2]      ⇒           y[i] = x[i - 1] + x[i + 1]  (in the middle)

A loop over what is read from them goes from seam to seam (`building.py`), and in a piece it is known on which
side of each edge an element is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import Apply, Expression, Number, add, as_int64, multiply
from runtime.executors.native.lower.lowering import Lowering
from runtime.executors.native.lower.values import Elements, InMemory
from runtime.graph.graph import Value
from runtime.graph.op import Const
from runtime.ops import core

__all__ = ["edges_of", "in_runs", "is_inside", "runs_of"]

_LEAST_ELEMENTS = 256
"""Of arrays that are not made: their elements are read where they are."""
_MOST_RUNS, _FEWEST_PICKED = 4, 2


def edges_of(op: core.AffineMap, sizes: Sequence[Any], shape: Sequence[Any]) -> tuple[frozenset[int], ...]:
    """The seams of an array with a margin: where it begins, and where it is over."""
    if not all(isinstance(dim, int) for dim in (*sizes, *shape)) or math.prod(shape) < _LEAST_ELEMENTS:
        return ()
    found = [frozenset[int]()] * len(shape)
    for size, terms in zip(sizes, op.places, strict=True):
        start = sum(factor for factor, _, index in terms if index is None)
        moving = [(factor, index) for factor, _, index in terms if index is not None]
        if any(names for _, names, _ in terms) or len(moving) != 1 or moving[0][0] != 1:
            return ()
        axis = moving[0][1]
        found[axis] |= {seam for seam in (-start, size - start) if 0 < seam < shape[axis]}
    return tuple(found) if any(found) else ()


def is_inside(known: tuple[int, int] | None, size: Expression) -> bool | None:
    """Whether a place, of which the ends are known, is inside of an axis; None where it may be."""
    if known is None or not isinstance(size, Number):
        return None
    if known[0] >= 0 and known[1] < size.value:
        return True
    return False if known[1] < 0 or known[0] >= size.value else None


@dataclass(frozen=True, slots=True)
class _Run:
    """Some places one after the other that are picked: from one on, each a step behind the other."""

    start: int
    stop: int
    first: int
    step: int


def runs_of(x: Value, indices: Sequence[Value], axes: Sequence[int]) -> list[_Run] | None:
    """What is picked along an axis, in a few runs; None where that is not known, or has many.

    So it is where the elements at the edges of an array are its neighbours outside.
    """
    shape, places = [dim for dim in x.shape or () if isinstance(dim, int)], _known(indices[0])
    if len(indices) != 1 or places is None or len(shape) < len(x.shape or ()):
        return None
    size = shape[axes[0]]
    others = math.prod([dim for axis, dim in enumerate(shape) if axis != axes[0]])
    if len(places) < _FEWEST_PICKED or others * len(places) < _LEAST_ELEMENTS:
        return None
    if places.min() < -size or places.max() >= size:
        return None
    places = np.where(places < 0, places + size, places)
    steps = np.diff(places)
    found, start = list[_Run](), 0
    while start < len(places):
        step = int(steps[start]) if start < len(steps) else 1
        unlike = np.flatnonzero(steps[start:] != step)
        stop = start + int(unlike[0]) + 1 if len(unlike) else len(places)
        if stop < len(places) and stop - start == _FEWEST_PICKED:  # the second had better begin the next
            stop -= 1
        found.append(_Run(start, stop, int(places[start]), step))
        if len(found) > _MOST_RUNS:
            return None
        start = stop
    return found


def _known(index: Value) -> Any:
    """The whole numbers of an index that is known, and has one axis; None of others."""
    if not isinstance(index.op, Const):
        return None
    places = np.asarray(index.op.value)
    return places if places.ndim == 1 and places.dtype.kind == "i" else None


def in_runs(lowering: Lowering, x: Value, index: Value, axis: int, runs: Sequence[_Run]) -> Elements:
    """Elements that are picked in runs: each begins with a seam."""
    source = lowering.values[x]
    if not isinstance(source, InMemory) and not (
        isinstance(source, Elements) and source.is_cheap and not (source.seams and source.seams[axis])
    ):
        source = lowering.in_memory(x)
    assert isinstance(source, InMemory | Elements), "it has axes"
    dims = list(lowering.dims(x))
    size, dims[axis] = dims[axis], Number(runs[-1].stop, int64)
    none = (frozenset[int](),) * len(dims)
    seams = list((isinstance(source, Elements) and source.seams) or none)
    seams[axis] = frozenset([run.start for run in runs[1:]])
    places, wraps = lowering.values[index], _known(index).min() < 0

    def at(indices: Sequence[Expression]) -> Expression:
        own, known = list(indices), lowering.range_of(indices[axis])
        for run in runs:
            if known is not None and run.start <= known[0] and known[1] < run.stop:
                own[axis] = add(multiply(run.step, add(indices[axis], -run.start)), run.first)
                return lowering.at(source, own)
        place = lowering.name(as_int64(lowering.at(places, [indices[axis]])))
        if wraps:
            is_behind = Apply("less", (place, Number(0, int64)), bool_)
            place = lowering.name(Apply("select", (is_behind, add(place, size), place), int64))
        own[axis] = place
        return lowering.at(source, own)

    return Elements(tuple(dims), source.dtype, at, is_cheap=True, seams=tuple(seams))
