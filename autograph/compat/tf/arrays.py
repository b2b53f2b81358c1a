"""The tensors of a TensorFlow program: made, shaped, joined, taken apart, and picked from."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from autograph.backends.tensors.containers.lists import StagedTuple
from autograph.compat.tf.explained import failed
from autograph.compat.tf.shapes import TensorShape
from autograph.compat.tf.tensors import as_eager, fitted
from autograph.compat.tf.values import convert_to_tensor, is_tensor, known_integers, together
from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import complex64, complex128, float32, float64, int32, int64
from runtime.core.shapes import written
from runtime.core.spec import as_shape
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import InvalidValue
from runtime.graph.build import as_tensor, current_builder

__all__ = [
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "complex",
    "concat",
    "ensure_shape",
    "expand_dims",
    "eye",
    "fill",
    "gather",
    "gather_nd",
    "linspace",
    "meshgrid",
    "one_hot",
    "ones",
    "ones_like",
    "pad",
    "range",
    "rank",
    "repeat",
    "reshape",
    "reverse",
    "roll",
    "shape",
    "shape_n",
    "size",
    "slice",
    "split",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "tensor_scatter_nd_update",
    "tile",
    "transpose",
    "unstack",
    "where",
    "zeros",
    "zeros_like",
]

# ── made ──


def zeros(shape: Any, dtype: Any = float32, name: Any = None) -> Tensor:
    """`tf.zeros`."""
    del name
    return as_eager(ops.zeros(shape, dtype=dtype))


def ones(shape: Any, dtype: Any = float32, name: Any = None) -> Tensor:
    """`tf.ones`."""
    del name
    return as_eager(ops.ones(shape, dtype=dtype))


def zeros_like(input: TensorLike, dtype: Any = None, name: Any = None) -> Tensor:
    """`tf.zeros_like`."""
    del name
    return ops.zeros_like(convert_to_tensor(input), dtype=dtype)


def ones_like(input: TensorLike, dtype: Any = None, name: Any = None) -> Tensor:
    """`tf.ones_like`."""
    del name
    return ops.ones_like(convert_to_tensor(input), dtype=dtype)


def fill(dims: Any, value: TensorLike, name: Any = None) -> Tensor:
    """`tf.fill`."""
    del name
    return as_eager(ops.full(dims, convert_to_tensor(value)))


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = float32, name: Any = None
) -> Tensor:
    """`tf.eye`."""
    del name
    matrix = as_eager(ops.eye(num_rows, num_columns, dtype=dtype))
    return (
        matrix
        if batch_shape is None
        else ops.broadcast_to(matrix, (*batch_shape, *(matrix.static_shape or ())))
    )


def range(
    start: TensorLike, limit: Any = None, delta: TensorLike = 1, dtype: Any = None, name: Any = None
) -> Tensor:
    """`tf.range`; the numbers take the promoted dtype of the bounds."""
    del name
    first, last = (0, start) if limit is None else (start, limit)
    bounds = [convert_to_tensor(bound, dtype) for bound in together(first, last, delta)]
    return as_eager(ops.arange(*bounds))


def linspace(start: TensorLike, stop: TensorLike, num: int, name: Any = None) -> Tensor:
    """`tf.linspace`; integers give float64."""
    del name
    first, last = map(convert_to_tensor, together(start, stop))
    return as_eager(ops.linspace(first, last, num, dtype=float64 if first.dtype.is_integer else first.dtype))


def one_hot(
    indices: TensorLike,
    depth: Any,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: int = -1,
    dtype: Any = None,
    name: Any = None,
) -> Tensor:
    """`tf.one_hot`."""
    del name
    on, off = together(1 if on_value is None else on_value, 0 if off_value is None else off_value)
    if dtype is None:
        dtype = float32 if on_value is None and off_value is None else convert_to_tensor(on).dtype
    wanted = ops.expand_dims(convert_to_tensor(indices), axis=-1)
    hit = wanted == ops.cast(ops.arange(depth), wanted.dtype)
    picked = ops.where(hit, convert_to_tensor(on, dtype), convert_to_tensor(off, dtype))
    return picked if axis == -1 else ops.moveaxis(picked, -1, axis)


def meshgrid(*args: TensorLike, indexing: str = "xy", name: Any = None) -> list[Tensor]:
    """`tf.meshgrid`."""
    del name
    return list(ops.meshgrid(*map(convert_to_tensor, args), indexing=indexing))


# ── shapes ──


def shape(input: TensorLike, out_type: Any = int32, name: Any = None) -> Tensor:
    """`tf.shape`."""
    del name
    return as_eager(ops.shape(_measured(input), dtype=out_type))


def _measured(value: Any) -> Tensor:
    """A tensor of the shape of what is given; for strings, one of zeros."""
    tensor: Any = convert_to_tensor(value)
    return tensor if isinstance(tensor, Tensor) else ops.zeros(tuple(tensor.shape))


def size(input: TensorLike, out_type: Any = int32, name: Any = None) -> Tensor:
    """`tf.size`."""
    del name
    return as_eager(ops.size(_measured(input), dtype=out_type))


def rank(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.rank`."""
    del name
    return as_eager(ops.rank(_measured(input)))


def reshape(tensor: TensorLike, shape: Any, name: Any = None) -> Tensor:
    """`tf.reshape`."""
    del name
    return ops.reshape(convert_to_tensor(tensor), shape)


def expand_dims(input: TensorLike, axis: int, name: Any = None) -> Tensor:
    """`tf.expand_dims`."""
    del name
    return ops.expand_dims(convert_to_tensor(input), axis=axis)


def squeeze(input: TensorLike, axis: Any = None, name: Any = None) -> Tensor:
    """`tf.squeeze`."""
    del name
    return ops.squeeze(convert_to_tensor(input), tuple(axis) if isinstance(axis, list) else axis)


def transpose(
    a: TensorLike, perm: Sequence[int] | None = None, conjugate: bool = False, name: Any = None
) -> Tensor:
    """`tf.transpose`."""
    del name
    turned = ops.transpose(convert_to_tensor(a), None if perm is None else tuple(perm))
    return ops.conj(turned) if conjugate else turned


def broadcast_to(input: TensorLike, shape: Any, name: Any = None) -> Tensor:
    """`tf.broadcast_to`."""
    del name
    return ops.broadcast_to(convert_to_tensor(input), shape)


def shape_n(input: Sequence[TensorLike], out_type: Any = int32, name: Any = None) -> list[Tensor]:
    """`tf.shape_n`: the shapes of several tensors."""
    return [shape(each, out_type, name) for each in input]


def broadcast_dynamic_shape(shape_x: TensorLike, shape_y: TensorLike) -> Tensor:
    """`tf.broadcast_dynamic_shape`: the shape of two tensors' sum, as a tensor."""
    left, right = (ops.cast(convert_to_tensor(each), int64) for each in (shape_x, shape_y))
    length = ops.maximum(ops.size(left), ops.size(right))
    wide = [ops.concat([ops.ones(length - ops.size(each), dtype=int64), each]) for each in (left, right)]
    fits = (wide[0] == wide[1]) | (wide[0] == 1) | (wide[1] == 1)
    ops.check(fits, "the shapes cannot be broadcast together", left, right)
    return ops.cast(ops.where(wide[0] == 1, wide[1], wide[0]), convert_to_tensor(shape_x).dtype)


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """`tf.broadcast_static_shape`: the shape of two tensors' sum, as far as both are known."""
    return TensorShape(shapes.broadcast(as_shape(shape_x), as_shape(shape_y)))


def ensure_shape(x: TensorLike, shape: Any, name: Any = None) -> Tensor:
    """`tf.ensure_shape`: the tensor, which must have the shape; what it says is known from there on.

    Raises
    ------
    ShapeError
        When it is known to have another one. What only a run knows is checked there.
    """
    del name
    return fitted(convert_to_tensor(x), shape)


# ── joined and taken apart ──


def complex(real: TensorLike, imag: TensorLike, name: Any = None) -> Tensor:
    """`tf.complex`: complex numbers of two parts."""
    del name
    left, right = map(convert_to_tensor, together(real, imag))
    dtype = complex128 if left.dtype is float64 else complex64
    return ops.cast(left, dtype) + ops.cast(right, dtype) * convert_to_tensor(1j, dtype)


def concat(values: Any, axis: int, name: Any = None) -> Tensor:
    """`tf.concat`."""
    del name
    if isinstance(values, StagedTuple):
        return _end_to_end(values, axis)
    return ops.concat(together(*values), axis=axis)


def _end_to_end(values: StagedTuple, axis: int) -> Tensor:
    """The tensors in a list of the graph one behind the other; along the first axis lengths may differ."""
    if axis == 0 and values.contents.rank:
        joined: Tensor = values.contents.laid_end_to_end()
        return joined
    rows = as_tensor(values)
    place = axis % (rows.ndim - 1)
    moved = ops.moveaxis(rows, 0, place)
    dims = [ops.dimension(moved, each) for each in builtins.range(moved.ndim)]
    return ops.reshape(moved, (*dims[:place], dims[place] * dims[place + 1], *dims[place + 2 :]))


def stack(values: Any, axis: int = 0, name: Any = None) -> Tensor:
    """`tf.stack`."""
    del name
    if isinstance(values, StagedTuple):
        return ops.moveaxis(as_tensor(values), 0, axis)
    return ops.stack([convert_to_tensor(each) for each in together(*values)], axis=axis)


def unstack(value: TensorLike, num: int | None = None, axis: int = 0, name: Any = None) -> list[Tensor]:
    """`tf.unstack`."""
    del num, name
    return list(ops.unstack(convert_to_tensor(value), axis=axis))


def split(
    value: TensorLike, num_or_size_splits: Any, axis: int = 0, num: int | None = None, name: Any = None
) -> list[Tensor]:
    """`tf.split`."""
    del num, name
    return list(ops.split(convert_to_tensor(value), num_or_size_splits, axis=axis))


def tile(input: TensorLike, multiples: Any, name: Any = None) -> Tensor:
    """`tf.tile`."""
    del name
    return ops.tile(convert_to_tensor(input), known_integers(multiples))


def repeat(input: TensorLike, repeats: int, axis: int | None = None, name: Any = None) -> Tensor:
    """`tf.repeat`, every element as often."""
    del name
    return ops.repeat(convert_to_tensor(input), repeats, axis=axis)


def pad(
    tensor: TensorLike,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: TensorLike = 0,
    name: Any = None,
) -> Tensor:
    """`tf.pad`."""
    del name
    around = [(int(before), int(after)) for before, after in known_integers(paddings)]
    style: Any = mode.lower()
    return ops.pad(convert_to_tensor(tensor), around, mode=style, constant_values=constant_values)


def reverse(tensor: TensorLike, axis: Any, name: Any = None) -> Tensor:
    """`tf.reverse`."""
    del name
    return ops.flip(convert_to_tensor(tensor), axis=known_integers(axis))


def roll(input: TensorLike, shift: Any, axis: Any, name: Any = None) -> Tensor:
    """`tf.roll`."""
    del name
    return ops.roll(convert_to_tensor(input), known_integers(shift), axis=known_integers(axis))


# ── picked from ──


def slice(input_: TensorLike, begin: Sequence[Any], size: Sequence[Any], name: Any = None) -> Tensor:
    """`tf.slice`; a size of -1 goes to the end.

    Raises
    ------
    InvalidArgumentError
        When it reaches beyond an end of the tensor; where only a run knows, then.
    """
    del name
    tensor = convert_to_tensor(input_)
    parts = enumerate(zip(begin, size, strict=True))
    return tensor[tuple(_part(tensor, axis, first, length) for axis, (first, length) in parts)]


def _part(tensor: Tensor, axis: int, first: Any, length: Any) -> builtins.slice:
    to_the_end = isinstance(length, int) and length == -1
    lengths = written(tensor.static_shape)
    whole = None if lengths is None else lengths[axis]
    if is_tensor(first) or is_tensor(length) or whole is None:
        end = ops.shape(tensor)[axis]
        last = end if to_the_end else first + length
        fits = ops.logical_and(ops.logical_and(first >= 0, first <= last), last <= end)
        ops.check(fits, f"axis {axis} has no such slice")
    elif not 0 <= first <= (whole if to_the_end else first + length) <= whole:
        wanted = "the rest" if to_the_end else f"{length} elements"
        error = InvalidValue(
            f"axis {axis} has no slice of {wanted} from {first} on",
            why=f"It has {whole} elements.",
            way_out="Give a `begin` and a `size` within it; a size of -1 goes to the end.",
        )
        raise error if current_builder() else failed(error)
    return builtins.slice(first, None if to_the_end else first + length)


def strided_slice(
    input_: TensorLike,
    begin: Sequence[Any],
    end: Sequence[Any],
    strides: Sequence[Any] | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: Any = None,
) -> Tensor:
    """`tf.strided_slice`: what a key with colons selects; each bit of a mask is for one of its parts."""
    del var, name
    steps = [1] * len(begin) if strides is None else strides
    key: list[Any] = []
    for number, (first, last, step) in enumerate(zip(begin, end, steps, strict=True)):
        bit = 1 << number
        if ellipsis_mask & bit:
            key.append(...)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(first)
        else:
            start, stop = (None if begin_mask & bit else first), (None if end_mask & bit else last)
            key.append(builtins.slice(start, stop, step))
    return convert_to_tensor(input_)[tuple(key)]


def stop_gradient(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.stop_gradient`: the tensor itself, as there are no gradients."""
    del name
    return convert_to_tensor(input)


def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: Any = None,
    axis: int | None = None,
    batch_dims: int = 0,
    name: Any = None,
) -> Tensor:
    """`tf.gather`; the first `batch_dims` axes of both are walked along together."""
    del validate_indices, name
    table, places = convert_to_tensor(params), convert_to_tensor(indices)
    if batch_dims == 0:
        return ops.take(table, places, axis=axis or 0)
    batch = batch_dims + places.ndim if batch_dims < 0 else batch_dims
    along = batch if axis is None else axis + table.ndim if axis < 0 else axis
    table = ops.moveaxis(table, along, batch)
    keys = [
        ops.reshape(ops.arange(ops.dimension(table, number)), (-1, *(1,) * (places.ndim - number - 1)))
        for number in builtins.range(batch)
    ]
    found = table[(*keys, places)]
    inner = places.ndim - batch
    if along == batch:
        return found
    moved = [batch + number for number in builtins.range(inner)]
    return ops.moveaxis(found, moved, [along + number for number in builtins.range(inner)])


def gather_nd(
    params: TensorLike,
    indices: TensorLike,
    batch_dims: int = 0,
    name: Any = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """`tf.gather_nd`; the first `batch_dims` axes of both are walked along together."""
    del name, bad_indices_policy
    table, places = convert_to_tensor(params), convert_to_tensor(indices)
    if batch_dims == 0:
        return ops.gather_nd(table, places)
    keys = [
        ops.reshape(ops.arange(ops.dimension(table, number)), (-1, *(1,) * (places.ndim - number - 2)))
        for number in builtins.range(batch_dims)
    ]
    return table[(*keys, *ops.unstack(places, axis=-1))]


def tensor_scatter_nd_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: Any = None
) -> Tensor:
    """`tf.tensor_scatter_nd_update`."""
    del name
    old, new = together(tensor, updates)
    return ops.scatter_update(convert_to_tensor(old), convert_to_tensor(indices), new)


def boolean_mask(tensor: TensorLike, mask: TensorLike, axis: int | None = None, name: Any = None) -> Tensor:
    """`tf.boolean_mask`."""
    del name
    before = (builtins.slice(None),) * (axis or 0)
    return convert_to_tensor(tensor)[(*before, convert_to_tensor(mask))]


def where(
    condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None, name: Any = None
) -> Tensor:
    """`tf.where`: `x` or `y`; with the condition alone, the int64 indices of what is true."""
    del name
    chosen = convert_to_tensor(condition)
    if x is None or y is None:
        return ops.cast(ops.argwhere(chosen), int64)
    return ops.where(chosen, *together(x, y))
