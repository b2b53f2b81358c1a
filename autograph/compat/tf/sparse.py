"""`tf.sparse`: tensors of which only some elements are there, as values that loops carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.compat.tf import segments
from autograph.compat.tf.arrays import shape as shape_of
from autograph.compat.tf.shapes import TensorShape
from autograph.compat.tf.values import convert_to_tensor, get_static_value, is_tensor, known_integers
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.dtypes import as_dtype, float32, int32, int64
from runtime.core.dtypes import bool_ as boolean
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import InvalidValue

__all__ = [
    "SparseTensor",
    "add",
    "bincount",
    "concat",
    "expand_dims",
    "eye",
    "fill_empty_rows",
    "from_dense",
    "map_values",
    "mask",
    "maximum",
    "minimum",
    "reduce_max",
    "reduce_sum",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
    "segment_mean",
    "segment_sqrt_n",
    "segment_sum",
    "slice",
    "softmax",
    "sparse_dense_matmul",
    "split",
    "to_dense",
    "to_indicator",
    "transpose",
]


class _Parts(NamedTuple):
    """What a sparse tensor is made of."""

    indices: Any
    values: Any
    dense_shape: Any


class SparseTensor(_Parts):
    """`tf.SparseTensor`: the coordinates of elements, the elements, and the shape of the whole.

    Attributes
    ----------
    indices : Tensor of int64, shape (n, rank)
    values : Tensor, shape (n,)
    dense_shape : Tensor of int64, shape (rank,)
    """

    __slots__ = ()

    def __new__(cls, indices: Any, values: Any, dense_shape: Any) -> SparseTensor:
        parts = _as_part(indices, int64), _as_part(values, None), _as_part(dense_shape, int64)
        return super().__new__(cls, *parts)

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return convert_to_tensor(self.values).dtype

    @property
    def shape(self) -> TensorShape:
        """The lengths of the whole, as far as they are known."""
        known = get_static_value(self.dense_shape)
        if known is not None:
            return TensorShape(known.tolist())
        rank = convert_to_tensor(self.indices).static_shape
        return TensorShape([None] * rank[1] if rank and isinstance(rank[1], int) else None)

    def get_shape(self) -> TensorShape:
        """As `shape`."""
        return self.shape

    def with_values(self, new_values: TensorLike) -> SparseTensor:
        """Other elements in the same places."""
        return SparseTensor(self.indices, convert_to_tensor(new_values), self.dense_shape)

    def __add__(self, other: Any) -> Any:
        return NotImplemented

    def __mul__(self, other: Any) -> SparseTensor:
        return self.with_values(self.values * _at(self, other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> SparseTensor:
        return self.with_values(self.values / _at(self, other))

    def __repr__(self) -> str:
        return f"SparseTensor(indices={self.indices}, values={self.values}, dense_shape={self.dense_shape})"

    __str__ = __repr__


def _as_part(part: Any, dtype: Any) -> Any:
    """A part as a tensor; what stands for one, as it is."""
    if isinstance(part, (list, tuple, np.ndarray, TensorShape)):
        return convert_to_tensor(list(part) if isinstance(part, TensorShape) else part, dtype)
    return part


def _at(sparse: SparseTensor, other: Any) -> Tensor:
    """The elements of a dense operand where those of a sparse one are."""
    dense = convert_to_tensor(other, None if is_tensor(other) else sparse.dtype)
    if dense.static_shape == ():
        return dense
    return ops.gather_nd(ops.broadcast_to(dense, sparse.dense_shape), sparse.indices)


def _rank(sparse: SparseTensor) -> int:
    found = convert_to_tensor(sparse.indices).static_shape
    if found is None or not isinstance(found[1], int):
        raise InvalidValue(
            "the rank of a sparse tensor is not known",
            why="It is the length of the second axis of its indices.",
            way_out="Give the function an `input_signature` with a `tf.SparseTensorSpec`.",
        )
    return found[1]


def _strides(dense_shape: Tensor) -> Tensor:
    """How far apart elements lie along each axis, were all of them there."""
    ends = ops.flip(ops.cumulative_prod(ops.flip(dense_shape), dtype=int64, include_initial=True))
    return ends[1:]


def _places(sparse: SparseTensor) -> Tensor:
    """The place of each element, were all of them there."""
    return ops.sum(sparse.indices * _strides(sparse.dense_shape), axis=1, dtype=int64)


def _indices_of(places: Tensor, dense_shape: Tensor) -> Tensor:
    return (ops.expand_dims(places, axis=1) // _strides(dense_shape)) % dense_shape


def from_dense(tensor: TensorLike, name: Any = None) -> SparseTensor:
    """`tf.sparse.from_dense`: the elements that are not 0."""
    del name
    whole = convert_to_tensor(tensor)
    places = ops.cast(ops.argwhere(whole != 0), int64)
    return SparseTensor(places, ops.gather_nd(whole, places), shape_of(whole, int64))


def to_dense(
    sp_input: SparseTensor,
    default_value: TensorLike | None = None,
    validate_indices: bool = True,
    name: Any = None,
) -> Tensor:
    """`tf.sparse.to_dense`: with `default_value`, by default 0, where there is no element."""
    del validate_indices, name
    values = convert_to_tensor(sp_input.values)
    fill = ops.zeros((), dtype=values.dtype) if default_value is None else default_value
    whole = ops.full(convert_to_tensor(sp_input.dense_shape, int64), fill, dtype=values.dtype)
    return ops.scatter_update(whole, convert_to_tensor(sp_input.indices, int64), values)


# ── two of them ──


def _joined(
    first: SparseTensor, second: SparseTensor, combine: Callable[[Tensor, Tensor], Tensor]
) -> SparseTensor:
    """The places of both, with what `combine` makes of two elements; 0 stands for one that is not there."""
    places = ops.concat([_places(first), _places(second)])
    found = ops.unique_values(places)
    sides = [_spread(each, found) for each in (first, second)]
    return SparseTensor(_indices_of(found, first.dense_shape), combine(*sides), first.dense_shape)


def _spread(sparse: SparseTensor, found: Tensor) -> Tensor:
    """The elements at places that are all among those found, and 0 elsewhere."""
    at = ops.cast(ops.searchsorted(found, _places(sparse)), int64)
    zeros = ops.zeros(ops.shape(found), dtype=sparse.dtype)
    return ops.scatter_update(zeros, ops.expand_dims(at, axis=1), sparse.values)


def add(a: Any, b: Any, threshold: TensorLike = 0) -> Any:
    """`tf.sparse.add`: of two sparse tensors a sparse one, without sums below `threshold`; else a tensor."""
    if not isinstance(a, SparseTensor):
        a, b = b, a
    if not isinstance(b, SparseTensor):
        return segments.tensor_scatter_nd_add(convert_to_tensor(b), a.indices, a.values)
    both = _joined(a, b, ops.add)
    if isinstance(threshold, (int, float)) and threshold == 0:
        return both
    return retain(both, ops.abs(both.values) >= convert_to_tensor(threshold, both.dtype))


def maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: Any = None) -> SparseTensor:
    """`tf.sparse.maximum`."""
    del name
    return _joined(sp_a, sp_b, ops.maximum)


def minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: Any = None) -> SparseTensor:
    """`tf.sparse.minimum`."""
    del name
    return _joined(sp_a, sp_b, ops.minimum)


def sparse_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: Any = None
) -> Tensor:
    """`tf.sparse.sparse_dense_matmul`: the product of a sparse matrix and a dense one, in either order."""
    del name
    left, right = (to_dense(each) if isinstance(each, SparseTensor) else each for each in (sp_a, b))
    left, right = convert_to_tensor(left), convert_to_tensor(right)
    left = ops.conj(ops.matrix_transpose(left)) if adjoint_a else left
    return ops.matmul(left, ops.conj(ops.matrix_transpose(right)) if adjoint_b else right)


def concat(
    axis: int, sp_inputs: Sequence[SparseTensor], expand_nonconcat_dims: bool = False, name: Any = None
) -> SparseTensor:
    """`tf.sparse.concat`."""
    del name
    rank = _rank(sp_inputs[0])
    along = axis % rank
    step = np.eye(rank, dtype=np.int64)[along]
    before = convert_to_tensor(0, int64)
    parts = []
    for each in sp_inputs:
        parts.append(each.indices + before * step)
        before = before + each.dense_shape[along]
    lengths = sp_inputs[0].dense_shape
    if expand_nonconcat_dims:
        lengths = ops.max(ops.stack([each.dense_shape for each in sp_inputs]), axis=0)
    whole = ops.where(convert_to_tensor(step == 1), before, lengths)
    values = ops.concat([each.values for each in sp_inputs])
    return reorder(SparseTensor(ops.concat(parts), values, whole))


# ── one of them ──


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """`tf.sparse.map_values`: a function of the elements."""
    first = next(each for each in (*args, *kwargs.values()) if isinstance(each, SparseTensor))

    def plain(each: Any) -> Any:
        return each.values if isinstance(each, SparseTensor) else each

    return first.with_values(op(*map(plain, args), **{key: plain(each) for key, each in kwargs.items()}))


def retain(sp_input: SparseTensor, to_retain: TensorLike) -> SparseTensor:
    """`tf.sparse.retain`: the elements for which `to_retain` is true."""
    kept = convert_to_tensor(to_retain, boolean)
    return SparseTensor(sp_input.indices[kept], sp_input.values[kept], sp_input.dense_shape)


def reorder(sp_input: SparseTensor, name: Any = None) -> SparseTensor:
    """`tf.sparse.reorder`: the elements row by row."""
    del name
    order = ops.argsort(_places(sp_input), stable=True)
    return SparseTensor(
        ops.take(sp_input.indices, order, axis=0),
        ops.take(sp_input.values, order, axis=0),
        sp_input.dense_shape,
    )


def reshape(sp_input: SparseTensor, shape: Any, name: Any = None) -> SparseTensor:
    """`tf.sparse.reshape`; one length may be -1."""
    del name
    wanted = convert_to_tensor(shape, int64)
    total = ops.prod(sp_input.dense_shape, dtype=int64)
    known = ops.prod(ops.where(wanted < 0, ops.ones_like(wanted), wanted), dtype=int64)
    wanted = ops.where(wanted < 0, total // known, wanted)
    ops.check(ops.prod(wanted, dtype=int64) == total, "a sparse tensor keeps its size", wanted)
    return SparseTensor(_indices_of(_places(sp_input), wanted), sp_input.values, wanted)


def reset_shape(sp_input: SparseTensor, new_shape: Any = None) -> SparseTensor:
    """`tf.sparse.reset_shape`: the same elements in a larger whole; by default the least that holds them."""
    least = ops.max(sp_input.indices, axis=0) + 1
    wanted = least if new_shape is None else convert_to_tensor(new_shape, int64)
    if new_shape is not None:
        ops.check(wanted >= sp_input.dense_shape, "the new shape must hold the whole", wanted)
    return SparseTensor(sp_input.indices, sp_input.values, wanted)


def expand_dims(sp_input: SparseTensor, axis: int | None = None, name: Any = None) -> SparseTensor:
    """`tf.sparse.expand_dims`: with an axis of length 1."""
    del name
    rank = _rank(sp_input)
    at = (-1 if axis is None else axis) % (rank + 1)
    column = ops.zeros_like(sp_input.indices[:, :1])
    return SparseTensor(
        ops.concat([sp_input.indices[:, :at], column, sp_input.indices[:, at:]], axis=1),
        sp_input.values,
        ops.concat([sp_input.dense_shape[:at], [1], sp_input.dense_shape[at:]]),
    )


def transpose(sp_input: SparseTensor, perm: Any = None, name: Any = None) -> SparseTensor:
    """`tf.sparse.transpose`."""
    del name
    axes = list(range(_rank(sp_input)))[::-1] if perm is None else list(known_integers(perm))
    turned = ops.take(sp_input.indices, convert_to_tensor(axes), axis=1)
    lengths = ops.take(sp_input.dense_shape, convert_to_tensor(axes), axis=0)
    return reorder(SparseTensor(turned, sp_input.values, lengths))


def slice(sp_input: SparseTensor, start: Any, size: Any, name: Any = None) -> SparseTensor:
    """`tf.sparse.slice`: a part of the whole."""
    del name
    first, lengths = convert_to_tensor(start, int64), convert_to_tensor(size, int64)
    last = ops.minimum(first + lengths, sp_input.dense_shape)
    inside = ops.all((sp_input.indices >= first) & (sp_input.indices < last), axis=1)
    kept = retain(sp_input, inside)
    return SparseTensor(kept.indices - first, kept.values, ops.maximum(last - first, 0))


def split(sp_input: SparseTensor, num_split: int, axis: int, name: Any = None) -> list[SparseTensor]:
    """`tf.sparse.split`: equal parts along an axis; the first ones are longer where it does not divide."""
    del name
    along = known_integers(axis) % _rank(sp_input)
    length = sp_input.dense_shape[along]
    parts, first = [], convert_to_tensor(0, int64)
    step = np.eye(_rank(sp_input), dtype=np.int64)[along]
    for number in range(num_split):
        count = length // num_split + ops.cast(length % num_split > number, int64)
        size = ops.where(convert_to_tensor(step == 1), count, sp_input.dense_shape)
        parts.append(slice(sp_input, first * step, size))
        first = first + count
    return parts


def eye(
    num_rows: int, num_columns: int | None = None, dtype: Any = float32, name: Any = None
) -> SparseTensor:
    """`tf.sparse.eye`: ones on the diagonal."""
    del name
    columns = num_rows if num_columns is None else num_columns
    along = np.arange(min(num_rows, columns), dtype=np.int64)
    ones = np.ones(len(along), as_dtype(dtype).numpy)
    return SparseTensor(np.stack([along, along], axis=1), ones, np.array([num_rows, columns], np.int64))


def fill_empty_rows(
    sp_input: SparseTensor, default_value: TensorLike, name: Any = None
) -> tuple[SparseTensor, Tensor]:
    """`tf.sparse.fill_empty_rows`: an element at the start of each row that had none; and which had none."""
    del name
    count = sp_input.dense_shape[0]
    rows = ops.arange(count)
    is_empty = ops.logical_not(ops.isin(rows, sp_input.indices[:, 0]))
    new = ops.cast(rows[is_empty], int64)
    places = ops.concat([sp_input.indices, ops.stack([new, ops.zeros_like(new)], axis=1)])
    fill = ops.full(ops.shape(new), convert_to_tensor(default_value, sp_input.dtype))
    values = ops.concat([sp_input.values, fill])
    return reorder(SparseTensor(places, values, sp_input.dense_shape)), is_empty


def softmax(sp_logits: SparseTensor, name: Any = None) -> SparseTensor:
    """`tf.sparse.softmax`: over the elements of each row that are there."""
    del name
    rows = _places(sp_logits) // sp_logits.dense_shape[-1]
    count = ops.max(rows) + 1
    most = segments.unsorted_segment_max(sp_logits.values, rows, count)
    exact = ops.exp(sp_logits.values - ops.take(most, rows, axis=0))
    total = segments.unsorted_segment_sum(exact, rows, count)
    return sp_logits.with_values(exact / ops.take(total, rows, axis=0))


def to_indicator(sp_input: SparseTensor, vocab_size: int, name: Any = None) -> Tensor:
    """`tf.sparse.to_indicator`: for each row, which numbers are among its elements."""
    del name
    rows = ops.concat(
        [sp_input.indices[:, :-1], ops.expand_dims(ops.cast(sp_input.values, int64), axis=1)], axis=1
    )
    lengths = ops.concat([sp_input.dense_shape[:-1], ops.asarray([vocab_size], dtype=int64)])
    blank = ops.zeros(lengths, dtype=boolean)
    return ops.scatter_update(blank, rows, ops.ones(ops.shape(sp_input.values), dtype=boolean))


def mask(a: Any, mask_indices: TensorLike, name: Any = None) -> Any:
    """`tf.sparse.mask`: an `IndexedSlices` without some of its rows."""
    del name
    kept = ops.logical_not(ops.isin(convert_to_tensor(a.indices), convert_to_tensor(mask_indices)))
    return type(a)(convert_to_tensor(a.values)[kept], convert_to_tensor(a.indices)[kept], a.dense_shape)


# ── reduced ──


def _reduced(name: str, fold: str) -> Callable[..., Any]:
    def call(
        sp_input: SparseTensor,
        axis: Any = None,
        keepdims: bool | None = None,
        output_is_sparse: bool = False,
        name: Any = None,
    ) -> Any:
        del name
        rank = _rank(sp_input)
        asked = range(rank) if axis is None else np.atleast_1d(known_integers(axis)).tolist()
        gone = {each % rank for each in asked}
        kept = [each for each in range(rank) if each not in gone]
        lengths = [sp_input.dense_shape[each] for each in kept]
        whole = ops.stack(lengths) if lengths else ops.zeros((0,), dtype=int64)
        inner = ops.take(sp_input.indices, convert_to_tensor(kept, int64), axis=1)
        groups = ops.sum(inner * _strides(whole), axis=1, dtype=int64)
        shape = [1 if each in gone else sp_input.dense_shape[each] for each in range(rank)]
        wanted = tuple(shape) if keepdims else tuple(lengths)
        if output_is_sparse:
            found = ops.unique_values(groups)
            ids = ops.cast(ops.searchsorted(found, groups), int64)
            values = getattr(segments, fold)(sp_input.values, ids, ops.shape(found)[0])
            result = SparseTensor(_indices_of(found, whole), values, whole)
            return (
                reshape(result, ops.stack([convert_to_tensor(n, int64) for n in wanted]))
                if keepdims
                else result
            )
        count = ops.prod(whole, dtype=int64)
        folded = getattr(segments, fold)(sp_input.values, groups, count)
        if fold == "unsorted_segment_max":  # a row without elements is 0
            there = segments.unsorted_segment_sum(ops.ones_like(groups), groups, count) > 0
            folded = ops.where(there, folded, ops.zeros_like(folded))
        return ops.reshape(folded, wanted)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.sparse.{name}`: along some axes, or all; elements that are not there do not count."
    return call


reduce_sum = _reduced("reduce_sum", "unsorted_segment_sum")
reduce_max = _reduced("reduce_max", "unsorted_segment_max")


def _segments(name: str, fold: str) -> Callable[..., Tensor]:
    def call(
        data: TensorLike,
        indices: TensorLike,
        segment_ids: TensorLike,
        num_segments: Any = None,
        name: Any = None,
        sparse_gradient: bool = False,
    ) -> Tensor:
        del name, sparse_gradient
        ids = convert_to_tensor(segment_ids)
        count = ids[-1] + 1 if num_segments is None else num_segments
        rows = ops.take(convert_to_tensor(data), convert_to_tensor(indices), axis=0)
        found: Tensor = getattr(segments, fold)(rows, ids, count)
        return found

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.sparse.{name}`: of the rows of `data` that `indices` name, by segment."
    return call


segment_sum = _segments("segment_sum", "unsorted_segment_sum")
segment_mean = _segments("segment_mean", "unsorted_segment_mean")
segment_sqrt_n = _segments("segment_sqrt_n", "unsorted_segment_sqrt_n")


def bincount(
    values: TensorLike,
    weights: TensorLike | None = None,
    axis: int = 0,
    minlength: Any = None,
    maxlength: Any = None,
    binary_output: bool = False,
    name: Any = None,
) -> SparseTensor:
    """`tf.sparse.bincount`: how often each number is there, without those that are not; all axes are one.

    Raises
    ------
    ValueError
        For counts by row: `axis` is 0 here.
    """
    del name
    if axis != 0:
        raise InvalidValue(
            f"`tf.sparse.bincount` was asked for counts along axis {axis}",
            why="Here it counts the numbers of the whole tensor.",
            way_out="Leave out `axis`, or map it over the rows with `tf.map_fn`.",
        )
    numbers = ops.cast(ops.flatten(convert_to_tensor(values)), int64)
    factors = None if weights is None else ops.flatten(convert_to_tensor(weights))
    if maxlength is not None:
        inside = numbers < convert_to_tensor(maxlength, int64)
        factors = None if factors is None else factors[inside]
        numbers = numbers[inside]
    found = ops.unique_values(numbers)
    ids = ops.cast(ops.searchsorted(found, numbers), int64)
    if binary_output:
        counts = ops.ones(ops.shape(found), dtype=int32)
    else:
        each = ops.ones_like(numbers, dtype=int32) if factors is None else factors
        counts = segments.unsorted_segment_sum(each, ids, ops.shape(found)[0])
    length = ops.max(numbers) + 1
    length = length if minlength is None else ops.maximum(length, convert_to_tensor(minlength, int64))
    return SparseTensor(ops.expand_dims(found, axis=1), counts, ops.reshape(length, (1,)))
