"""Python's `sum` on arrays and lists of the graph: in its order, and of the kind that it is of no items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import StagedList
from autograph.backends.tensors.containers.sets import StagedSet, unordered
from autograph.backends.tensors.iteration.items import length_of
from autograph.backends.tensors.iteration.ordering import converted
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.structure import LEAF
from runtime.core.tensor import Tensor
from runtime.graph.build import (
    as_tensor,
    current_builder,
    current_defaults,
    is_strict,
    is_symbolic,
    is_weak,
    value_in,
)
from runtime.graph.kinds import note_kinds
from runtime.graph.location import caller_location
from runtime.graph.whose_numbers import chosen, note_whose

__all__ = ["are_whole", "sum_of_array", "sum_of_list", "without_rounding"]


def without_rounding(items: Any) -> Any:
    """A set of whole numbers, whose sum does not depend on their order, as a list; anything else as it is."""
    if not isinstance(items, StagedSet):
        return items
    return unordered(items) if are_whole(items.contents) else items


def are_whole(elements: Elements) -> bool:
    """Whether elements are whole numbers, bools, or nests of these."""
    specs = [handle.spec.element for handle in elements.handles]
    return all(isinstance(spec, ArraySpec) and spec.dtype.kind in "biu" for spec in specs)


def _added_in_turn(items: Tensor, start: Any) -> Any:
    """`start` and, one after the other, the items: in NumPy's dtype of such a sum, and with its last bits."""
    if isinstance(start, (bool, int, float, complex, np.generic, np.ndarray)) or is_symbolic(start):
        return ops.add_in_turn(items, start)
    return converted("total")(items, start)


def sum_of_array(items: Tensor, start: Any) -> Any:
    """`start` and the items of an array; where there are none it is `start` itself, as in Python."""
    shape = items.static_shape
    if is_strict() or current_defaults().static_shapes or shape is None:
        return _added_in_turn(items, start)
    if shape[0] == 0:
        return start
    total = _added_in_turn(items, start)
    if len(shape) == 1 and type(shape[0]) is not int:
        _note_kind_of_empty(total, start, "an array", lambda: length_of(items) == 0)
    return total


def sum_of_list(items: StagedList, start: Any) -> Any:
    """`start` and the elements of a list of the graph."""
    if items.contents.form is not LEAF:
        return converted("total")(items, start)
    stacked = items.contents.stacked()
    if not all(items.contents.are_numbers):
        total = _added_in_turn(stacked, start)
    elif stacked.dtype.is_floating and (not is_symbolic(start) or is_weak(start)):
        total = ops.stands_for_python(_added_in_turn(stacked, start))
    else:
        ops.check_total(stacked)
        total = ops.stands_for_python(ops.sum(stacked, axis=0)) + start
    _note_kind_of_empty(total, start, "a list", lambda: items.contents.length == 0)
    return total


def _note_kind_of_empty(total: Any, start: Any, of: str, is_empty: Callable[[], Any]) -> None:
    """Notes that the sum of no items is what it starts from, in Python of the kind that this is."""
    builder = current_builder()
    if builder is None or not is_symbolic(total):
        return
    if is_weak(start):
        builder.context.started[total.value] = is_empty, start
        if not is_weak(total):
            note_whose(total.value, chosen(builder, value_in(builder, is_empty()), then=True, orelse=False))
    if not is_symbolic(start):
        kinds = [(as_tensor(each).dtype, is_weak(each)) for each in (total, start)]
        where = caller_location()
        note_kinds(builder, f"the sum of {of}", kinds, total.dtype, where, [total.value], parts=_OF_NOTHING)


_OF_NOTHING = {
    "why": "Python's sum of no items is what it starts from, an int if nothing is said; "
    "a value of a graph has one dtype, whichever path is taken.",
    "way_out": "Start from a number of their kind, as in `sum(items, 0.0)`.",
}
"""Why a sum may be of another kind than its items, and what to do about it."""
