"""What ops on lists have in common: they compute on Python's lists of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.core.lists import ListValue, known_shape
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.graph.op import Op
from runtime.ops.facts import sharing

__all__ = ["ListOp", "ListUpdate", "is_equal"]


class ListOp(Op, abstract=True):
    """An op that is told Python's lists for its lists, by its kernel and by programs alike."""

    on_items: ClassVar[Callable[..., Any]]
    """``on_items(self, *operands)``, as a kernel, on Python's lists; one that it gives is a new list."""
    lists: ClassVar[int] = 1
    """How many of its operands, the first ones, are lists."""
    keeps_scalars: ClassVar[bool] = False
    """Whether what it gives without axes is a NumPy scalar, as what is in Python's lists of a program is."""
    takes_shape: ClassVar[bool] = False
    """Whether `on_items` takes the shape of an element at the end, with None for what is not known."""

    def kernel(self, *operands: Any) -> Any:
        given = [each.items if index < self.lists else each for index, each in enumerate(operands)]
        if self.takes_shape:
            given.append(known_shape(operands[0].element))
        result = self.on_items(*given)
        return self.handle(result, operands) if type(result) is list else result

    def handle(self, items: list[Any], operands: tuple[Any, ...]) -> ListValue:
        """The handle of a list that the op gives for these operands."""
        spec = self.infer(*map(_spec_of, operands))
        assert isinstance(spec, ListSpec), "its result is a list"
        return ListValue(items, spec.element)


class ListUpdate(ListOp, abstract=True):
    """An op that gives its list with a part changed."""

    change: ClassVar[Callable[..., None]]
    """``change(self, items, *operands)`` changes a list that is the caller's own."""
    aliases = sharing()

    def updates(self, *specs: Any) -> bool:
        return True

    def kernel(self, *operands: Any) -> Any:
        handle, *others = operands
        items = handle.items.copy()
        self.change(items, *others)
        return self.handle(items, operands)


def is_equal(item: Any, value: Any) -> Any:
    """Whether two elements have one shape and are equal; most of them are numbers."""
    if isinstance(item, np.generic) and isinstance(value, np.generic):
        return item == value
    return np.array_equal(item, value)


def _spec_of(operand: Any) -> Spec:
    if isinstance(operand, ListValue):
        return operand.spec
    array = np.asarray(operand)
    return ArraySpec(array.shape, as_dtype(array.dtype))
