"""Whose numbers a list of the graph holds: Python's, NumPy's, or some of each.

    counts = [0] * 5          Python's
    counts[i] = x[i]          NumPy's in one place that only the run knows

A list that is made empty holds nobody's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.core.text import Slot, is_marking
from runtime.graph.build import builder_in_use, current_builder, is_symbolic, is_weak
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Unknown, Whose, note_whose, one_of, whose
from runtime.ops.tensor_list import is_made_empty
from runtime.ops.whose import note_shown

__all__ = ["item_of", "owned", "owner_of", "slots_for"]


def owner_of(parts: Sequence[Any]) -> Whose:
    """Whose numbers some lists hold, or whose numbers are to be put into one."""
    for part in parts:
        if ops.is_array(part) and part.static_shape == ():  # a number from here on
            builder_in_use().arrays.in_lists.add(part.dtype)
    found = [whose(part) for part in parts if not is_made_empty(part)]
    return one_of(found) if found else True


def owned(handles: Sequence[Any], owner: Whose = True) -> Sequence[Any]:
    """The handles of lists, with a note of whose numbers all elements are."""
    builder = current_builder()
    if builder is not None and owner is not False:
        for handle in filter(is_symbolic, handles):
            if owner is True:
                builder.context.weak.add(handle.value)
            else:
                note_whose(handle.value, Unknown())
    return handles


def item_of(handle: Tensor, item: Tensor) -> Tensor:
    """An item that was read from a list, as a number of the same owner as those in the list."""
    if is_weak(handle):
        return ops.stands_for_python(item)
    if isinstance(item, Symbol) and not isinstance(whose(handle), bool):
        note_whose(item.value, Unknown())
    if isinstance(item, Symbol) and _may_hold_arrays(handle):
        builder_in_use().arrays.of_lists.add(item.value)
    return item


def _may_hold_arrays(handle: Any) -> bool:
    """Whether a list may hold arrays without axes: it has the dtype of some that were put into a list."""
    element = handle.spec.element if is_symbolic(handle) else None
    return isinstance(element, ArraySpec) and element.dtype in builder_in_use().arrays.in_lists


def slots_for(handles: Sequence[Any]) -> list[Slot]:
    """The slots of a text for lists of numbers; warns where it shows Python's numbers as NumPy's."""
    if is_marking() and not all(isinstance(whose(handle), bool) for handle in handles):
        note_shown()
    if is_marking() and any(_may_hold_arrays(handle) and not is_weak(handle) for handle in handles):
        builder_in_use().note_array_told()
    return [Slot(is_weak(handle)) for handle in handles]
