"""Functions on lists of tensors: dtypes are promoted, so that one list can hold what one array could."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, bool_, float32, float64, result_type
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, Element, ListSpec
from runtime.core.tensor import EAGER, Tensor, TensorLike
from runtime.errors import IntTooLarge
from runtime.graph.build import (
    as_tensor,
    bind,
    current_builder,
    current_defaults,
    is_pythons_own,
    is_weak,
    promotion_operand,
    set_remake,
)
from runtime.graph.graph import Value
from runtime.graph.kinds import note_kinds
from runtime.graph.location import caller_location
from runtime.graph.op import Const
from runtime.graph.symbol import Symbol
from runtime.ops.tensor_list.edits import (
    TensorListCast,
    TensorListConcatLists,
    TensorListInsert,
    TensorListPosition,
    TensorListPushBack,
    TensorListSlice,
)
from runtime.ops.tensor_list.nodes import (
    TensorListFromTensor,
    TensorListGetItem,
    TensorListLength,
    TensorListReserve,
    TensorListSetItem,
    TensorListStack,
    element_of,
)
from runtime.ops.tensor_list.places import TensorListPlace

__all__ = [
    "are_placed",
    "is_made_empty",
    "list_append",
    "list_elements",
    "list_extend",
    "list_from",
    "list_get",
    "list_insert",
    "list_length",
    "list_place",
    "list_position",
    "list_set",
    "list_slice",
    "list_stack",
    "list_widened",
]


def list_from(values: Sequence[TensorLike], element: Element | None = None) -> Tensor:
    """A list of these values; `element` says what it will hold, where there are none."""
    column: Any = None
    if element is None and values:
        column = list(values) if {*map(type, values)} in _NUMBERS else _column(values)
    if column is not None:
        elements = ops.asarray(column)
        if type(column[0]) is int and not elements.dtype.is_integer:  # NumPy makes floats of those
            raise IntTooLarge(f"no integer dtype holds both {min(column)} and {max(column)}")
        numbers: Tensor = bind(TensorListFromTensor(), elements)
        return numbers
    tensors = [as_tensor(value) for value in values]
    alike = len({tensor.spec for tensor in tensors}) == 1
    if alike and element is None and isinstance(tensors[0].spec, ArraySpec):
        rows: Tensor = bind(TensorListFromTensor(), ops.stack(tensors))
        return rows
    handle: Tensor = bind(TensorListReserve(_dtype(element), element), 0)
    for value in values:
        handle = list_append(handle, value)
    return handle


_NUMBERS = ({bool}, {int}, {float})


def _column(values: Sequence[Any]) -> np.ndarray | None:
    """Numbers that are known, of one dtype of Python's own, as one array; None for all else."""
    if not {*map(type, values)} <= EAGER:
        return None
    arrays = [value._array for value in values]
    if not arrays or {*map(type, arrays)} != {np.ndarray} or any(array.ndim for array in arrays):
        return None
    dtypes = {array.dtype for array in arrays}
    dtype = dtypes.pop()
    return None if dtypes or dtype not in _PYTHONS else np.array([array.item() for array in arrays], dtype)


_PYTHONS = frozenset(map(np.dtype, (bool, np.int64, np.float64)))
"""Dtypes of which numbers of Python's say all."""


def _dtype(element: Element | None) -> DType:
    """The dtype of elements, or the one that they have where nothing says so."""
    return element.dtype if isinstance(element, ArraySpec) else current_defaults().floating


def list_append(handle: Tensor, item: TensorLike) -> Tensor:
    """The list with one more element."""
    longer: Tensor = bind(TensorListPushBack(), *_together(handle, item))
    return longer


def list_insert(handle: Tensor, index: TensorLike, item: TensorLike) -> Tensor:
    """The list with another element before an index."""
    handle, item = _together(handle, item)
    longer: Tensor = bind(TensorListInsert(), handle, index, item)
    return longer


def list_set(handle: Tensor, index: TensorLike, item: TensorLike, *, grows: bool = False) -> Tensor:
    """The list with another element at an index, which is in range, or, where it `grows`, just behind it."""
    handle, item = _together(handle, item)
    changed: Tensor = bind(TensorListSetItem(grows), handle, index, item)
    return changed


def list_extend(left: Tensor, right: Tensor) -> Tensor:
    """The elements of both lists."""
    element = element_of(left.spec.join(right.spec))
    both: Tensor = bind(TensorListConcatLists(), list_widened(left, element), list_widened(right, element))
    return both


def list_elements(handle: Tensor) -> list[Tensor]:
    """The elements of a list of eager code; none is missing."""
    items: Any = handle._array  # ops are friends of Tensor
    return [type(handle)(element) for element in items.items]


def list_get(handle: Tensor, index: TensorLike) -> Tensor:
    """The element at an index, which is in range."""
    item: Tensor = bind(TensorListGetItem(_dtype(element_of(handle.spec))), handle, index)
    return item


def are_placed(handles: Sequence[Tensor], parts: Sequence[TensorLike]) -> bool:
    """Whether parts of an element are numbers or truths, of the dtypes that their lists have."""
    tensors = [as_tensor(part) for part in parts]
    return bool(tensors) and all(
        element_of(handle.spec) == part.spec == ArraySpec((), part.dtype)
        and (part.dtype.is_integer or part.dtype in {bool_, float32, float64})
        for handle, part in zip(handles, tensors, strict=True)
    )


def list_place(handles: Sequence[Tensor], parts: Sequence[TensorLike]) -> Tensor:
    """Where the lists of parts hold these parts together; their length, where they do not."""
    place: Tensor = bind(TensorListPlace(len(handles)), *handles, *parts)
    return place


def list_position(handle: Tensor, index: TensorLike, outside: str, empty: str | None = None) -> Tensor:
    """An index counted from the front; where there is no such element, an IndexError of these words."""
    position: Tensor = bind(TensorListPosition(outside, empty or outside), handle, index)
    return position


def list_length(handle: Tensor) -> Tensor:
    """The number of elements."""
    length: Tensor = bind(TensorListLength(current_defaults().integer), handle)
    return length


def list_slice(handle: Tensor, key: slice) -> Tensor:
    """The list of the elements that a slice selects."""
    ends = [key.start, key.stop, key.step]
    start, stop, step = [end is not None for end in ends]
    part: Tensor = bind(
        TensorListSlice((start, stop, step)), handle, *[end for end in ends if end is not None]
    )
    return part


def list_stack(handle: Tensor) -> Tensor:
    """Every element along a new first axis."""
    stacked: Tensor = bind(TensorListStack(_dtype(element_of(handle.spec))), handle)
    return stacked


def list_widened(handle: Tensor, element: Element | None) -> Tensor:
    """The list with elements of the dtype of `element`."""
    own = element_of(handle.spec)
    if own is None and element is not None and is_made_empty(handle):
        return list_from((), element)
    before, after = _innermost(own), _innermost(element)
    if before is None or after is None or before.dtype is after.dtype:
        return handle
    _note_meeting((before.dtype, is_weak(handle)), (after.dtype, False))
    cast: Tensor = bind(TensorListCast(after.dtype), handle)
    return cast


def _innermost(element: Element | None) -> ArraySpec | None:
    """What is in the lists in lists."""
    return _innermost(element.element) if isinstance(element, ListSpec) else element


def _note_meeting(*kinds: tuple[DType, bool]) -> None:
    """Notes that elements of several kinds meet in a list of the graph being built: the second stays."""
    builder = current_builder()
    if builder is not None and not current_defaults().static_shapes:
        note_kinds(builder, "an element of a list", kinds, kinds[-1][0], caller_location())


def _together(handle: Tensor, item: TensorLike) -> tuple[Tensor, Tensor]:
    """A list and a new element in one dtype."""
    value, own = as_tensor(item), element_of(handle.spec)
    new = value.spec
    if own is None and isinstance(new, (ArraySpec, ListSpec)):
        return list_widened(handle, new), value
    if isinstance(own, ListSpec) and isinstance(new, ListSpec):
        held = own.join(new)
        return list_widened(handle, held), list_widened(value, held.element)
    if not isinstance(own, ArraySpec) or not isinstance(new, ArraySpec):
        return handle, value
    weight = item if is_pythons_own(item) else promotion_operand(value)
    dtype = ops.dtype_with_room(result_type(own.dtype, weight, defaults=current_defaults()), item)
    widened = list_widened(handle, own.with_dtype(dtype))
    _note_meeting((value.dtype, is_weak(item)), (dtype, is_weak(handle)))
    return widened, ops.held_as(value, dtype)


def is_made_empty(handle: Any) -> bool:
    """Whether a list of a graph has no elements, and nobody has said of which kind they will be."""
    value = handle.value if isinstance(handle, Symbol) else handle
    builder = current_builder()
    if builder is None or not isinstance(value, Value):
        return False
    match builder.arrays.captured.get(value, value):
        case Value(TensorListReserve(), [Value(Const(size), _)]):
            return not size
    return False


def _remade(items: ListValue) -> Tensor:
    """A list that eager code has made, made once more by the graph that reads it."""
    reserve = TensorListReserve(_dtype(items.element), items.element)
    handle: Tensor = bind(reserve, items.length)
    for index, value in items.written_items():
        handle = bind(TensorListSetItem(False), handle, index, Tensor(value))
    return handle


set_remake(_remade)
