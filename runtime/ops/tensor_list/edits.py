"""What Python's lists do, as ops: each takes a list and gives another one.

Indices that a program gives pass through `TensorListPosition`, which counts negative ones from the end and
raises what Python raises; the ops that come after it take them as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN, Dim
from runtime.core.dtypes import DType, bool_, float32, int32, int64
from runtime.core.lists import ListValue, position_in
from runtime.core.shapes import Shape, is_known
from runtime.core.spec import ArraySpec, Element, ListSpec, Spec, as_array_spec
from runtime.core.tensor import Array, Tensor
from runtime.graph.build import bind
from runtime.graph.op import Effects, Failures, Op
from runtime.ops.core import check, computed, escaped, length, number_of, pick, scalar, scalar_map
from runtime.ops.facts import (
    STRING,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    Samples,
    axes_in_graphdef,
    raising,
    sharing,
    type_in_graphdef,
)
from runtime.ops.known import as_constant
from runtime.ops.slicing.cutting import Run
from runtime.ops.tensor_list.base import ListOp, ListUpdate, is_equal
from runtime.ops.tensor_list.nodes import (
    TensorListGetItem,
    TensorListLength,
    TensorListReserve,
    TensorListSetItem,
    TensorListStack,
    as_int32,
    each_place,
    element_of,
    element_shape,
    index_failures,
    sampled,
    with_item,
)

__all__ = [
    "TensorListCast",
    "TensorListConcatLists",
    "TensorListErase",
    "TensorListFound",
    "TensorListInsert",
    "TensorListMatches",
    "TensorListPosition",
    "TensorListPushBack",
    "TensorListSame",
    "TensorListSelect",
    "TensorListSlice",
    "UnpackLength",
]


class TensorListPushBack(ListUpdate):
    """The list with one more element at its end."""

    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "tensor")
    samples = sampled(np.array(9.0))
    raises = raising()

    def infer(self, handle: Spec, item: Spec) -> Spec:
        return with_item(handle, item)

    def kernel(self, handle: Any, item: Any) -> Any:
        return handle.put(handle.length, item, grows=True)

    def change(self, items: list[Any], item: Any) -> None:
        items.append(item)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        return [builder.node(self.name, inputs, "output_handle", element_dtype=type_in_graphdef(specs[1]))]


class TensorListConcatLists(ListOp):
    """The elements of one list behind those of another."""

    input_names: ClassVar[tuple[str, ...]] = ("input_a", "input_b")
    samples = Samples(
        lambda: [Sample((ListValue.of(left), ListValue.of([3.0]))) for left in ([1.0, 2.0], [])]
    )
    raises = raising()

    def infer(self, left: Spec, right: Spec) -> Spec:
        return _joined(left, right)

    lists = 2
    aliases = sharing()

    def on_items(self, left: list[Any], right: list[Any]) -> list[Any]:
        return [*left, *right]

    def decompose(self, left: Tensor, right: Tensor) -> Tensor:
        return each_place(
            _count(right), left, lambda place, items: bind(TensorListPushBack(), items, _item(right, place))
        )

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        element = _joined(*specs).element
        return [builder.node(self.name, inputs, "output", element_dtype=_dtype_of(element))]


class TensorListInsert(ListUpdate):
    """The list with an element before an index, which counts and stops at the ends as Python's does."""

    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "index", "item")
    samples = sampled(np.array(1), np.array(9.0))

    def infer(self, handle: Spec, index: ArraySpec, item: Spec) -> Spec:
        return with_item(handle, item)

    def raises(self, *specs: ArraySpec) -> Failures:
        return index_failures(specs[1])

    def change(self, items: list[Any], index: Any, item: Any) -> None:
        items.insert(int(index), item)

    def decompose(self, handle: Tensor, index: Tensor, item: Tensor) -> Tensor:
        count = _count(handle)
        place = computed(
            "maximum(minimum(select(x0 < i64(0), x0 + x1, x0), x1), i64(0))", scalar(index), count
        )

        def shift(done: Tensor, items: Tensor) -> Tensor:
            behind = number_of(count - scalar(done))
            return bind(TensorListSetItem(False), items, behind, _item(items, behind - 1))

        longer = each_place(count - place, bind(TensorListPushBack(), handle, item), shift)
        return bind(TensorListSetItem(False), longer, number_of(place), item)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, index, item = inputs
        length = _length(builder, handle)
        index = _from_front(builder, as_int32(builder, index, specs[1]), length)
        zero = builder.constant(0, int32)
        index = builder.node("Maximum", [index, zero], "z", T=int32)
        index = builder.node("Minimum", [index, length], "z", T=int32)
        before = _rows(builder, handle, specs[0], _count_up(builder, zero, index))
        after = _rows(builder, handle, specs[0], _count_up(builder, index, length))
        dtype = type_in_graphdef(specs[2])
        longer = builder.node("TensorListPushBack", [before, item], "output_handle", element_dtype=dtype)
        return [builder.node("TensorListConcatLists", [longer, after], "output", element_dtype=dtype)]


class TensorListErase(ListUpdate):
    """The list without the element at an index."""

    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "index")
    samples = sampled(np.array(-1))

    def infer(self, handle: Spec, index: ArraySpec) -> Spec:
        return ListSpec(element_of(handle))

    def raises(self, *specs: ArraySpec) -> Failures:
        return index_failures(specs[1]) | {IndexError}

    def change(self, items: list[Any], index: Any) -> None:
        items.pop(index)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, index = inputs
        index = as_int32(builder, index, specs[1])
        zero, one = builder.constant(0, int32), builder.constant(1, int32)
        behind = builder.node("AddV2", [index, one], "z", T=int32)
        parts = [_count_up(builder, zero, index), _count_up(builder, behind, _length(builder, handle))]
        kept = builder.node("ConcatV2", [*parts, zero], "output", N=2, T=int32, Tidx=int32)
        return [_rows(builder, handle, specs[0], kept)]


class TensorListSelect(ListOp):
    """The list of the elements at these indices."""

    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "indices")
    samples = sampled(np.array([1, 0, 1]))
    raises = raising(IndexError, TypeError)

    def infer(self, handle: Spec, indices: ArraySpec) -> Spec:
        return ListSpec(element_of(handle))

    aliases = sharing()

    def on_items(self, items: list[Any], indices: Array) -> list[Any]:
        return [items[index] for index in indices]

    def decompose(self, handle: Tensor, indices: Tensor) -> Tensor | None:
        if indices.static_shape is None:
            return None
        count = number_of(_count(handle))

        def at(place: Tensor) -> Tensor:
            index = ops.cast(pick(indices, 0, scalar(place)), int64)
            return ops.where(index < 0, index + count, index)

        return _chosen(handle, length(indices, 0), at)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, indices = inputs
        return [_rows(builder, handle, specs[0], as_int32(builder, indices, specs[1]))]


class TensorListSlice(ListOp):
    """The list of the elements that a slice selects. Its inputs are the ends that `given` says are there."""

    given: tuple[bool, bool, bool]
    input_names: ClassVar[tuple[str, ...]] = ("input_handle",)
    samples = Samples(
        lambda: [
            Sample((ListValue.of([1.0, 2.0, 4.0]), *map(np.array, ends)), {"given": given})
            for ends, given in (
                ((0, 2), (True, False, True)),
                ((), (False,) * 3),
                ((-2,), (False, True, False)),
            )
        ]
    )
    raises = raising(TypeError, ValueError)

    def infer(self, handle: Spec, *ends: ArraySpec) -> Spec:
        return ListSpec(element_of(handle))

    aliases = sharing()

    def on_items(self, items: list[Any], *ends: Any) -> list[Any]:
        rest = iter(ends)
        start, stop, step = [int(next(rest)) if is_given else None for is_given in self.given]
        return items[start:stop:step]

    def decompose(self, handle: Tensor, *ends: Tensor) -> Tensor | None:
        rest = iter(ends)
        part = slice(*[next(rest) if is_given else None for is_given in self.given])
        run = Run.of(part, _count(handle))
        if run is None:
            return None
        start, step = number_of(run.start), run.step
        return _chosen(handle, run.count, lambda place: start + place * step)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, *ends = inputs
        zero, one = builder.constant(0, int32), builder.constant(1, int32)
        numbers = _count_up(builder, zero, _length(builder, handle))
        rest = iter([as_int32(builder, end, spec) for end, spec in zip(ends, specs[1:], strict=True)])
        start, stop, step = [next(rest) if is_given else one for is_given in self.given]
        ends = [builder.node("ExpandDims", [end, zero], T=int32, Tdim=int32) for end in (start, stop, step)]
        options: dict[str, Any] = {"begin_mask": int(not self.given[0]), "end_mask": int(not self.given[1])}
        options |= {"ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0, "Index": int32}
        chosen = builder.node("StridedSlice", [numbers, *ends], T=int32, **options)
        return [_rows(builder, handle, specs[0], chosen)]


class TensorListCast(ListOp):
    """The list with its elements cast to a dtype."""

    dtype: DType
    input_names: ClassVar[tuple[str, ...]] = ("input_handle",)
    samples = sampled(dtype=float32)
    raises = raising()

    def infer(self, handle: Spec) -> Spec:
        return ListSpec(self._cast(element_of(handle)))

    def _cast(self, element: Element | None) -> Element | None:
        if isinstance(element, ListSpec):
            return ListSpec(self._cast(element.element))
        return element and element.with_dtype(self.dtype)

    aliases = sharing()

    def kernel(self, handle: ListValue) -> ListValue:
        if not isinstance(handle.element, ListSpec):
            return self.handle(self.on_items(handle.items), (handle,))
        return ListValue(list(map(self.kernel, handle.items)), self._cast(handle.element))

    def on_items(self, items: list[Any]) -> list[Any]:
        return _cast_items(items, self.dtype.numpy)

    def decompose(self, handle: Tensor) -> Tensor | None:
        element = element_of(handle.spec)
        if element is None:
            return None

        def add(place: Tensor, items: Tensor) -> Tensor:
            item = _item(handle, place)
            cast = bind(self, item) if isinstance(element, ListSpec) else ops.cast(item, self.dtype)
            return bind(TensorListPushBack(), items, cast)

        return each_place(_count(handle), _empty(self._cast(element)), add)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        element = element_of(specs[0])
        shape, source = element_shape(builder, element), _dtype_of(element)
        stacked = builder.node(
            "TensorListStack", [*inputs, shape], "tensor", element_dtype=source, num_elements=-1
        )
        cast = builder.node("Cast", [stacked], "y", SrcT=source, DstT=self.dtype)
        kinds = {"element_dtype": self.dtype, "shape_type": int32}
        return [builder.node("TensorListFromTensor", [cast, shape], "output_handle", **kinds)]


def _cast_items(items: list[Any], dtype: np.dtype[Any]) -> list[Any]:
    return [_cast_items(item, dtype) if isinstance(item, list) else item.astype(dtype) for item in items]


class TensorListPosition(ListOp):
    """An index of the list, counted from its front.

    Raises an IndexError with one of the two messages where there is no such element.
    """

    outside: str
    empty: str
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "index")
    samples = sampled(np.array(-1), outside="list index out of range", empty="pop from empty list")
    aliases = sharing()
    keeps_scalars = True

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def raises(self, *specs: ArraySpec) -> Failures:
        index = specs[1]
        is_index = index.shape == () and index.dtype.is_integer
        return frozenset([IndexError] if is_index else [IndexError, TypeError, ValueError])

    def infer(self, handle: Spec, index: ArraySpec) -> Spec:
        element_of(handle)
        return ArraySpec((), int64)

    def on_items(self, items: list[Any], index: Any) -> Any:
        return position_in(items, index, self.outside, self.empty)

    def decompose(self, handle: Tensor, index: Tensor) -> Tensor:
        count = number_of(_count(handle))
        place = scalar_map("select(x0 < i64(0), x0 + x1, x0)", ops.cast(index, int64), count)
        if self.empty != self.outside:
            check(count > 0, "IndexError", escaped(self.empty))
        # as indices of arrays are looked at: compilers know this form
        is_inside = scalar_map("logical_and(x0 >= i64(0), x0 < x1)", place, count)
        check(is_inside, "IndexError", escaped(self.outside))
        return place

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, index = inputs
        counted = _from_front(builder, as_int32(builder, index, specs[1]), _length(builder, handle))
        return [builder.node("Cast", [counted], "y", SrcT=int32, DstT=int64)]


class TensorListMatches(ListOp):
    """For each element, whether it equals a value."""

    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "value")
    samples = sampled(np.array(2.0))
    raises = raising()
    aliases = sharing()

    def infer(self, handle: Spec, value: ArraySpec) -> Spec:
        element_of(handle)
        return ArraySpec((UNKNOWN,), bool_)

    def on_items(self, items: list[Any], value: Any) -> Array:
        return np.array([is_equal(item, value) for item in items], np.bool_)

    def decompose(self, handle: Tensor, value: Tensor) -> Tensor | None:
        shape = _shape_of(handle)
        if shape is None or shape != value.static_shape:
            return None
        equal = ops.equal(_laid_out(handle), value)
        return ops.all(equal, axis=tuple(range(1, equal.ndim))) if shape else equal

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        handle, value = inputs
        shape, dtype = element_shape(builder, element_of(specs[0])), type_in_graphdef(specs[1])
        stacked = builder.node(
            "TensorListStack", [handle, shape], "tensor", element_dtype=dtype, num_elements=-1
        )
        equal = builder.node("Equal", [stacked, value], "z", T=dtype, incompatible_shape_error=True)
        axes = axes_in_graphdef(builder, stacked, dtype, first=1)
        return [builder.node("All", [equal, axes], Tidx=int32, keep_dims=False)]


class TensorListSame(ListOp):
    """Whether two lists are equal element by element."""

    input_names: ClassVar[tuple[str, ...]] = ("left", "right")
    samples = Samples(
        lambda: [Sample((ListValue.of([1.0, 2.0]), ListValue.of(right))) for right in ([1.0, 2.0], [1.0], [])]
    )
    raises = raising()
    aliases = sharing()

    def infer(self, left: Spec, right: Spec) -> Spec:
        _joined(left, right)
        return ArraySpec((), bool_)

    lists = 2

    def on_items(self, left: list[Any], right: list[Any]) -> Array:
        return np.asarray(len(left) == len(right) and all(map(is_equal, left, right)), np.bool_)

    def decompose(self, left: Tensor, right: Tensor) -> Tensor | None:
        shape = _shape_of(left)
        if shape is None or shape != _shape_of(right):
            return None
        here, there = number_of(_count(left)), number_of(_count(right))
        both = ops.minimum(here, there)
        equal = ops.equal(_laid_out(left)[:both], _laid_out(right)[:both])
        return ops.logical_and(ops.equal(here, there), ops.all(equal))


def _shape_of(handle: Tensor) -> Shape:
    """The shape of all elements; None where they are no arrays, or of shapes that only the run knows."""
    element = element_of(handle.spec)
    return element.shape if isinstance(element, ArraySpec) and is_known(element.shape) else None


def _laid_out(handle: Tensor) -> Tensor:
    """The elements along a first axis, where their shape is known."""
    return bind(TensorListStack(_dtype_of(element_of(handle.spec))), handle)


class TensorListFound(Op):
    """The index of the first match; raises a ValueError with the message where there is none."""

    message: str
    input_names: ClassVar[tuple[str, ...]] = ("matches",)
    samples = (
        Sample((np.array([False, True, True]), np.array(3)), {"message": "{} is not in list"}),
        Sample((np.array([False]), np.array(3)), {"message": "{} is not in list"}, ValueError),
    )
    raises = raising(ValueError)
    aliases = sharing()

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, matches: ArraySpec, *shown: ArraySpec) -> Spec:
        return ArraySpec((), int64)

    def kernel(self, matches: Array, *shown: Any) -> Array:
        if not np.any(matches):
            raise ValueError(self.message.format(*shown))
        return np.asarray(np.argmax(matches), np.int64)

    def decompose(self, matches: Tensor, *shown: Tensor) -> Tensor:
        check(ops.any(matches), "ValueError", self.message, *shown)
        return ops.argmax(matches, axis=0)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        zero = builder.constant(0, int32)
        numbers = builder.node("Cast", [inputs[0]], "y", SrcT=bool_, DstT=int32)
        return [builder.node("ArgMax", [numbers, zero], T=int32, Tidx=int32, output_type=int64)]


class UnpackLength(Op):
    """Nothing, where a sequence has as many items as its targets take; else Python's ValueError."""

    least: int
    exact: bool
    input_names: ClassVar[tuple[str, ...]] = ("length",)
    samples = (
        Sample((np.array(3),), {"least": 3, "exact": True}),
        Sample((np.array(4),), {"least": 3, "exact": False}),
        Sample((np.array(4),), {"least": 3, "exact": True}, ValueError),
    )
    raises = raising(ValueError)

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, length: ArraySpec) -> tuple[ArraySpec, ...]:
        return ()

    def kernel(self, length: Any) -> tuple[Array, ...]:
        if length < self.least:
            wanted = f"expected {self.least}" if self.exact else f"expected at least {self.least}"
            raise ValueError(f"not enough values to unpack ({wanted}, got {length})")
        if self.exact and length > self.least:
            raise ValueError(f"too many values to unpack (expected {self.least})")
        return ()

    def decompose(self, length: Tensor) -> tuple[Tensor, ...]:
        wanted = f"expected {self.least}" if self.exact else f"expected at least {self.least}"
        enough = scalar_map(f"x0 >= T({self.least})", length)
        check(enough, "ValueError", f"not enough values to unpack ({wanted}, got {{0}})", length)
        if self.exact:
            fits = scalar_map(f"x0 <= T({self.least})", length)
            check(fits, "ValueError", f"too many values to unpack (expected {self.least})")
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        dtype = as_array_spec(specs[0]).dtype
        length, least = inputs[0], builder.constant(self.least, dtype)
        sign = "Equal" if self.exact else "GreaterEqual"
        options = {"incompatible_shape_error": True} if self.exact else {}
        condition = builder.node(sign, [length, least], "z", T=dtype, **options)
        words = "as many values as there are targets" if self.exact else "enough values to unpack"
        builder.effect("Assert", [condition, builder.text(words)], T=[STRING], summarize=-1)
        return []


def _joined(left: Spec, right: Spec) -> ListSpec:
    """A list that holds the elements of both."""
    return ListSpec(element_of(left)).join(ListSpec(element_of(right)))


def _count(handle: Tensor) -> Dim:
    return scalar(bind(TensorListLength(int64), handle))


def _item(handle: Tensor, place: Tensor) -> Tensor:
    return bind(TensorListGetItem(_dtype_of(element_of(handle.spec))), handle, place)


def _empty(element: Element | None) -> Tensor:
    return bind(TensorListReserve(_dtype_of(element), element), as_constant(np.array(0)))


def _chosen(handle: Tensor, count: Dim, at: Callable[[Tensor], Tensor]) -> Tensor:
    """A list of so many elements of another one; `at` says where each is."""

    def add(place: Tensor, items: Tensor) -> Tensor:
        return bind(TensorListPushBack(), items, _item(handle, at(place)))

    element = element_of(handle.spec)
    if element is None:
        return handle  # nothing was ever put in
    return each_place(count, _empty(element), add)


def _dtype_of(element: Element | None) -> DType:
    """The dtype of elements; of a list that was always empty, any."""
    return type_in_graphdef(element) if element else int32


def _length(builder: GraphDefBuilder, handle: GraphDefTensor) -> GraphDefTensor:
    return builder.node("TensorListLength", [handle], "length")


def _count_up(builder: GraphDefBuilder, start: GraphDefTensor, stop: GraphDefTensor) -> GraphDefTensor:
    return builder.node("Range", [start, stop, builder.constant(1, int32)], Tidx=int32)


def _from_front(builder: GraphDefBuilder, index: GraphDefTensor, length: GraphDefTensor) -> GraphDefTensor:
    """An index with negative ones counted from the end."""
    negative = builder.node("Less", [index, builder.constant(0, int32)], "z", T=int32)
    counted = builder.node("AddV2", [index, length], "z", T=int32)
    return builder.node("SelectV2", [negative, counted, index], T=int32)


def _rows(
    builder: GraphDefBuilder, handle: GraphDefTensor, spec: Spec, indices: GraphDefTensor
) -> GraphDefTensor:
    """The list of the elements at these indices; TensorFlow gathers them into a tensor first."""
    shape, dtype = element_shape(builder, element_of(spec)), _dtype_of(element_of(spec))
    rows = builder.node("TensorListGather", [handle, indices, shape], "values", element_dtype=dtype)
    kinds = {"element_dtype": dtype, "shape_type": int32}
    return builder.node("TensorListFromTensor", [rows, shape], "output_handle", **kinds)
