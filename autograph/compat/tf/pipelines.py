"""What datasets of `tf.data` become of datasets whose elements decide how many there are.

A staged `for` needs a length and the element at an index. Where elements decide, as of a filter, a first pass
over them finds which there are, when a loop over the dataset begins; a second one makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.backends.tensors.iteration.items import least
from autograph.compat.tf.loops import collect, element_specs
from autograph.compat.tf.shapes import TensorShape
from autograph.compat.tf.texts import TextArgument
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.shapes import all_known, written
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.errors import NoConcreteValue
from runtime.functions.signature import adapted
from runtime.graph.build import is_symbolic
from runtime.ops.tensor_list import TensorArray

__all__ = [
    "Opened",
    "batches",
    "first_failing",
    "interleaved",
    "least_of",
    "of_length",
    "of_specs",
    "opened_by_item",
    "padded",
    "places",
    "running",
    "stacked",
    "true_at",
]

Item = Callable[[Any], Any]


@dataclass(frozen=True)
class Opened:
    """A dataset at the start of a loop: its length, the element at an index, a run of elements stacked."""

    length: Any
    item: Item
    rows: Callable[[Any, Any], Any]


def opened_by_item(length: Any, item: Item) -> Opened:
    """A dataset whose runs of elements are made one by one."""
    return Opened(length, item, lambda start, count: collect(count, lambda index: item(start + index)))


def stacked(value: Any) -> Any:
    """A nest whose lists are tensors: TensorFlow's datasets nest by tuple and dict only."""
    if isinstance(value, list):
        return convert_to_tensor(value)
    if isinstance(value, dict):
        return {key: stacked(child) for key, child in value.items()}
    return tuple(map(stacked, value)) if type(value) is tuple else value


def true_at(length: Any, test: Item) -> Tensor:
    """The indices at which `test` holds."""
    return ops.argwhere(collect(length, lambda index: convert_to_tensor(test(index))))[:, 0]


def first_failing(length: Any, test: Item) -> Any:
    """The first index at which `test` does not hold, or the length."""

    def goes_on(index: Any) -> Any:
        inside = index < length
        return ops.cond(inside, lambda: convert_to_tensor(test(index)), lambda: convert_to_tensor(False))

    (count,) = ops.while_loop(goes_on, lambda index: (index + 1,), (ops.asarray(0, dtype=int64),))
    return count


def places(lengths: Tensor) -> tuple[Any, Callable[[Any], tuple[Any, Any]]]:
    """How many elements sequences of these lengths have; and of each, its sequence and its place there."""
    counts = ops.cast(lengths, int64)
    ends = ops.cumulative_sum(counts)
    total = ops.sum(counts)

    def find(index: Any) -> tuple[Any, Any]:
        at = ops.cast(convert_to_tensor(index), int64)
        which = ops.searchsorted(ends, at, side="right")
        return which, at - ops.take(ends - counts, which, axis=0)

    return total, find


def interleaved(lengths: Any, cycle: int, block: int) -> tuple[Any, Any]:
    """Sequence and place of each element: `block` elements in turn from each of `cycle` open sequences.

    Raises
    ------
    NoConcreteValue
        When only a run knows the lengths.
    """
    if is_symbolic(lengths):
        raise NoConcreteValue(
            "`interleave` was asked for the order of elements, while only a run knows how many there are",
            why="The order follows from the lengths of all datasets that are woven together.",
            way_out="Use `flat_map`, or datasets of known length.",
        )
    left = np.asarray(lengths).tolist()
    waiting = iter(range(len(left)))
    slots: list[list[int] | None] = [None] * cycle
    order: list[tuple[int, int]] = []
    slot = taken = 0
    more = True
    while more or any(slots):
        current = slots[slot]
        if current is None and more:
            following = next(waiting, None)
            more = following is not None
            slots[slot] = None if following is None else [following, 0]
            continue
        if current is not None and current[1] < left[current[0]]:
            order.append((current[0], current[1]))
            current[1] += 1
            taken += 1
            if taken < block:
                continue
        else:
            slots[slot] = None
        slot, taken = (slot + 1) % cycle, 0
    which, where = zip(*order, strict=True) if order else ((), ())
    return np.asarray(which, np.int64), np.asarray(where, np.int64)


def running(length: Any, item: Item, step: Callable[[Any, Any], Any], state: Any) -> Any:
    """What ``step(state, element)`` gives for each element beside the next state, stacked."""
    first = map_leaves(convert_to_tensor, state)
    specs, structure = element_specs(lambda index: step(first, item(index))[1])
    arrays = [TensorArray(spec.dtype, size=length, element_shape=written(spec.shape)) for spec in specs]

    def turn(index: Tensor, state: Any, arrays: list[TensorArray]) -> tuple[Tensor, Any, list[TensorArray]]:
        after, given = step(state, item(index))
        leaves, _ = flatten(given)
        written = [array.write(index, leaf) for array, leaf in zip(arrays, leaves, strict=True)]
        return index + 1, map_leaves(convert_to_tensor, after), written

    start = convert_to_tensor(0), first, arrays
    _, _, arrays = ops.while_loop(lambda index, *_: index < length, turn, start)
    return unflatten(structure, [array.stack() for array in arrays])


def padded(count: Any, item: Item, shapes: Any, values: Any) -> Any:
    """``item(0)`` up to ``item(count - 1)`` stacked, each padded to the largest or to given shapes."""
    specs, structure = element_specs(item)
    given = [None] * len(specs) if shapes is None else _shapes(shapes, len(specs))
    fills = [0] * len(specs) if values is None else flatten(values)[0]

    def dims(index: Any) -> list[Tensor]:
        return [ops.shape(leaf) for leaf in flatten(item(index))[0]]

    longest = [ops.max(each, axis=0) for each in collect(count, dims)]

    def grown(index: Any) -> Any:
        leaves, _ = flatten(item(index))
        parts = zip(leaves, specs, longest, given, fills, strict=True)
        return unflatten(structure, [_grown(*part) for part in parts])

    return collect(count, grown)


def _shapes(shapes: Any, count: int) -> list[Any]:
    """A shape for each leaf of an element."""
    return [shapes] if count == 1 else list(shapes.values() if isinstance(shapes, dict) else shapes)


def _grown(leaf: Any, spec: Any, longest: Tensor, given: Any, fill: Any) -> Tensor:
    """One tensor in the corner of a larger one."""
    tensor = convert_to_tensor(leaf)
    axes = range(tensor.ndim)
    wanted = [None] * tensor.ndim if given is None else list(TensorShape(given))
    target = tuple([longest[axis] if wanted[axis] in {None, -1} else wanted[axis] for axis in axes])
    whole = ops.full(target, convert_to_tensor(fill, spec.dtype), dtype=spec.dtype)
    return ops.set_item(whole, tuple([slice(0, ops.shape(tensor)[axis]) for axis in axes]), tensor)


def least_of(lengths: list[Any]) -> Any:
    """The least of several lengths."""
    found = lengths[0]
    for length in lengths[1:]:
        found = least(found, length)
    return found


def batches(length: Any, size: Any, drop_remainder: bool) -> Any:
    """How many batches there are; None where nobody knows."""
    if length is None:
        return None
    return length // size if drop_remainder else -(-length // size)


def of_specs(specs: list[Any], signature: Any, element: Any) -> Any:
    """What a generator gave, as the tensors that were declared."""
    structure = flatten(signature)[1]
    element = adapted(element, structure)
    leaves, _ = flatten(element) if len(specs) > 1 or structure.kind is TextArgument else ([element], None)
    tensors = [
        ops.cast(convert_to_tensor(leaf), spec.dtype) for leaf, spec in zip(leaves, specs, strict=True)
    ]
    return unflatten(structure, tensors)


def of_length(tensor: Tensor, length: int) -> Tensor:
    """A tensor whose first axis has a length that the graph does not know."""
    known = tensor.static_shape is not None and all_known(tensor.static_shape[1:])
    return ops.reshape(tensor, (length, *(tensor.static_shape or ())[1:])) if known else tensor
