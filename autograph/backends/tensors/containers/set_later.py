"""What elements of lists need of modules that stand on lists: these set it when they are loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.structure import Structure
from runtime.core.tensor import Tensor

if TYPE_CHECKING:
    from autograph.backends.tensors.containers.elements import Elements

optional: type | None = None
"""The class of values that may be None: it takes the bit, and the value."""

# ── of choices, and objects that have numbers ──

choices: frozenset[type] = frozenset()
"""The classes of values that are one of several."""
flat: Callable[[Any], Any]
"""What makes a choice of choices one."""
catalogued: Callable[[Any], Any]
"""An element freed of objects that have numbers."""
numbered: Callable[[Any], Any]
"""An element of None and tuples alone, by its number."""
by_order: Callable[[Structure, Sequence[Tensor]], Sequence[Tensor]]
"""Columns of numbers by which objects sort."""
shown: Callable[[Structure], Structure]
"""The form by which objects show."""
in_order: Callable[[Elements, bool], Tensor]
"""Which places the elements have in order, or in reverse."""

# ── of elements of several lengths ──

common_form: Callable[[Sequence[Elements], Sequence[Any]], Structure | None]
"""Which form elements have in common."""
in_form: Callable[[Any, Structure], Any]
"""One element in such a form."""
converted: Callable[[Elements, Structure], Elements]
"""All of a list in such a form."""
stay_apart: Callable[[Sequence[Sequence[Any]]], bool]
"""Whether integers and floats stay what they are in a part of such rows."""
matches: Callable[[Elements, Any], Tensor]
"""For each element, whether it equals another one, item by item."""
same: Callable[[Elements, Elements], Tensor]
"""Whether all elements are equal in pairs, item by item."""

# ── of lists that have numbers ──

by_number: Callable[[Any], Any]
"""An element freed of lists, which have numbers."""
as_values: Callable[[Elements], Elements]
"""Elements with lists in the places of numbers."""
as_value: Callable[[Any], Any]
"""Likewise one element."""

# ── of rows ──

row_kinds: tuple[type, ...] = ()
"""The classes of elements that are lists of the graph."""
stacked_rows: Callable[[Elements], Tensor]
"""One array of them."""
