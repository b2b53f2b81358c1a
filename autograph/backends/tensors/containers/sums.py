"""Python's `sum` on arrays and lists of the graph: in its order, and of the kind that it is of no items."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import StagedList
from autograph.backends.tensors.containers.sets import StagedSet, unordered
from autograph.backends.tensors.iteration.items import length_of
from autograph.backends.tensors.iteration.ordering import converted, dtype_within
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.structure import LEAF
from runtime.core.tensor import Tensor
from runtime.errors import KindsMeetWarning
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
from runtime.graph.whose_numbers import chosen, note_whose, whose

__all__ = ["are_whole", "sum_of_array", "sum_of_items", "sum_of_list", "without_rounding"]

_COMPENSATES = sys.version_info >= (3, 12)
"""Whether Python's `sum` of its own floats makes up for what is lost in rounding."""


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
        _warn_of_some_pythons([start, *items.contents.handles])
        total = _added_in_turn(stacked, start)
    elif stacked.dtype.is_floating and _kind(start):
        total = _sum_of_floats(stacked, start)
    elif stacked.dtype.is_floating:
        total = _added_in_turn(stacked, start)
    else:
        ops.check_total(stacked)
        total = ops.stands_for_python(ops.sum(stacked, axis=0)) + start
    _note_kind_of_empty(total, start, "a list", lambda: items.contents.length == 0)
    return total


def _sum_of_floats(items: Tensor, start: Any) -> Any:
    """`start`, a number of Python's, and floats of Python's."""
    kind = _kind(start)
    if not _COMPENSATES or kind not in "if":
        return ops.stands_for_python(_added_in_turn(items, start))
    is_nothing = not is_symbolic(start) and start == 0
    plain = () if kind == "f" or is_nothing else (0,)
    return ops.stands_for_python(ops.add_with_compensation(items, start, plain))


def sum_of_items(items: Sequence[Any], start: Any) -> Any:
    """`start` and a few items, one after the other; Python's own numbers as Python adds them."""
    if not _COMPENSATES or not any(map(is_symbolic, [start, *items])):
        return sum(items, start)
    _warn_of_some_pythons([start, *items])
    total, place = start, 0
    while place < len(items) and _kind(total) == "i":
        total, place = total + items[place], place + 1
    if _kind(total) != "f":
        return sum(items[place:], total)
    added = list(takewhile(lambda item: _kind(item) in {*"bif"}, items[place:]))
    if added and any(map(is_symbolic, [total, *added])):
        plain = [at for at, item in enumerate(added) if _kind(item) != "f"]
        total = ops.stands_for_python(ops.add_with_compensation(ops.stack(added), total, plain))
    else:
        total = sum(added, total)
    return sum(items[place + len(added) :], total)


def _warn_of_some_pythons(numbers: Sequence[Any]) -> None:
    """Warns where floats are added of which some may be Python's, or not, as the run decides."""
    builder = current_builder()
    if builder is None or not _COMPENSATES or not any(map(_is_float, numbers)):
        return
    if any(is_symbolic(each) and not isinstance(whose(each), bool) for each in numbers):
        builder.add_notice(KindsMeetWarning(_SOME_PYTHONS, where=caller_location(), **_OF_SOME_PYTHONS))


def _is_float(number: Any) -> bool:
    """Whether a number, or all in a list of the graph, are floats."""
    if not is_symbolic(number):
        return isinstance(number, float)
    dtype = dtype_within(number)
    return dtype is not None and dtype.is_floating


def _kind(number: Any) -> str:
    """Of a number of Python's own the kind of its dtype; else nothing."""
    if is_symbolic(number):
        return str(as_tensor(number).dtype.kind) if is_weak(number) else ""
    return {bool: "b", int: "i", float: "f", complex: "c"}.get(type(number), "")


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


_SOME_PYTHONS = "`sum` adds numbers that may be Python's own or NumPy's, and in a graph they are NumPy's"
_OF_SOME_PYTHONS = {
    "why": "Python makes up for what it loses in rounding its own floats, and not for what NumPy's lose.",
    "way_out": "Add numbers of one kind: convert each of them with `float(x)` or `np.float64(x)`.",
}

_OF_NOTHING = {
    "why": "Python's sum of no items is what it starts from, an int if nothing is said; "
    "a value of a graph has one dtype, whichever path is taken.",
    "way_out": "Start from a number of their kind, as in `sum(items, 0.0)`.",
}
"""Why a sum may be of another kind than its items, and what to do about it."""
