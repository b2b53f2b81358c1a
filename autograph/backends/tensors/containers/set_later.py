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

# ── of objects that have numbers ──

catalogued: Callable[[Any], Any]
"""An element freed of objects that have numbers."""
numbered: Callable[[Any], Any]
"""An element of None and tuples alone, by its number."""
by_order: Callable[[Structure, Sequence[Tensor]], Sequence[Tensor]]
"""Columns of numbers by which objects sort."""
shown: Callable[[Structure], Structure]
"""The form by which objects show."""

# ── of rows ──

row_kinds: tuple[type, ...] = ()
"""The classes of elements that are lists of the graph."""
stacked_rows: Callable[[Elements], Tensor]
"""One array of them."""
