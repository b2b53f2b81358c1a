"""`tf.RaggedTensor` and `tf.ragged`: rows of different lengths, as all elements and where rows end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.backends.tensors import Items, Source
from autograph.compat.tf.arrays import shape
from autograph.compat.tf.segments import sequence_mask
from autograph.compat.tf.values import convert_to_tensor, is_tensor
from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import as_tensor

__all__ = [
    "RaggedTensor",
    "boolean_mask",
    "constant",
    "map_flat_values",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
    "stack_dynamic_partitions",
]


@dataclass(frozen=True, repr=False, eq=False)
class RaggedTensor(Source):
    """`tf.RaggedTensor`.

    Attributes
    ----------
    values : Tensor or RaggedTensor
        All rows, one after the other.
    row_splits : Tensor of int64
        Where rows begin, and where the last one ends.

    Examples
    --------
    >>> from autograph.compat import tf
    >>> rows = tf.ragged.constant([[1, 2], [], [3]])
    >>> rows.to_list(), rows.row_lengths().numpy().tolist(), rows[0].numpy().tolist()
    ([[1, 2], [], [3]], [2, 0, 1], [1, 2])
    """

    values: Any
    row_splits: Any

    # ── where they come from ──

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: TensorLike, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows that begin and end at `row_splits`."""
        del name
        splits = _as_splits(row_splits)
        inner = values if isinstance(values, RaggedTensor) else convert_to_tensor(values)
        if validate:
            ops.check(ops.all(splits[1:] >= splits[:-1]), "row splits must not decrease", splits)
            count = inner.nrows() if isinstance(inner, RaggedTensor) else ops.shape(inner)[0]
            ops.check(splits[-1] == count, "the last row must end where the values do", splits)
        return cls(inner, splits)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: TensorLike, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of these lengths."""
        lengths = _as_splits(row_lengths)
        return cls.from_row_splits(
            values, ops.cumulative_sum(lengths, dtype=lengths.dtype, include_initial=True), name, validate
        )

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: TensorLike, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows that begin at these places."""
        starts = _as_splits(row_starts)
        end = ops.cast(ops.reshape(ops.shape(convert_to_tensor(values))[0], (1,)), starts.dtype)
        return cls.from_row_splits(values, ops.concat([starts, end]), name, validate)

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: TensorLike, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows that end at these places."""
        limits = _as_splits(row_limits)
        return cls.from_row_splits(
            values, ops.concat([ops.zeros(1, dtype=limits.dtype), limits]), name, validate
        )

    @classmethod
    def from_value_rowids(
        cls,
        values: Any,
        value_rowids: TensorLike,
        nrows: Any = None,
        name: Any = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Rows to which each value belongs, in order."""
        ids = _as_splits(value_rowids)
        count = ids[-1] + 1 if nrows is None else convert_to_tensor(nrows, ids.dtype)
        wanted = ops.cast(ops.arange(count + 1), ids.dtype)
        splits = ops.cast(ops.searchsorted(ids, wanted, side="left"), ids.dtype)
        return cls.from_row_splits(values, splits, name, validate)

    @classmethod
    def from_tensor(cls, tensor: TensorLike, lengths: TensorLike | None = None) -> RaggedTensor:
        """The rows of a tensor, cut to `lengths`."""
        rows = convert_to_tensor(tensor)
        width = ops.shape(rows)[1]
        count = ops.shape(rows)[0]
        full = (
            ops.full((count,), width, dtype=int64) if lengths is None else convert_to_tensor(lengths, int64)
        )
        return cls.from_row_lengths(rows[sequence_mask(full, width)], full, validate=False)

    @classmethod
    def from_uniform_row_length(
        cls, values: Any, uniform_row_length: Any, nrows: Any = None, validate: bool = True, name: Any = None
    ) -> RaggedTensor:
        """Rows of one length."""
        inner = values if isinstance(values, RaggedTensor) else convert_to_tensor(values)
        total = inner.nrows() if isinstance(inner, RaggedTensor) else shape(inner, int64)[0]
        length = convert_to_tensor(uniform_row_length, int64)
        count = total // length if nrows is None else convert_to_tensor(nrows, int64)
        return cls.from_row_splits(inner, ops.arange(count + 1) * length, name, validate)

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of rows: the splits of each axis, the outermost first."""
        axes = [(splits,) for splits in nested_row_splits]
        return _nested(cls.from_row_splits, flat_values, axes, name, validate)

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of rows: the lengths along each axis, the outermost first."""
        axes = [(lengths,) for lengths in nested_row_lengths]
        return _nested(cls.from_row_lengths, flat_values, axes, name, validate)

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Any,
        nested_nrows: Any = None,
        name: Any = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Rows of rows: to which row each value belongs along each axis, the outermost first."""
        counts = [None] * len(nested_value_rowids) if nested_nrows is None else nested_nrows
        axes = list(zip(nested_value_rowids, counts, strict=True))
        return _nested(cls.from_value_rowids, flat_values, axes, name, validate)

    @classmethod
    def from_sparse(cls, st_input: Any, name: Any = None, row_splits_dtype: Any = int64) -> RaggedTensor:
        """The rows of a sparse matrix whose elements stand at the start of each."""
        del name
        row, column = st_input.indices[:, 0], st_input.indices[:, 1]
        found = cls.from_value_rowids(st_input.values, row, st_input.dense_shape[0])
        starts = ops.take(found.row_splits, row, axis=0)
        there = ops.arange(ops.cast(ops.shape(column)[0], int64)) - starts
        ops.check(column == there, "SparseTensor is not right-ragged", column)
        return cls(found.values, ops.cast(found.row_splits, row_splits_dtype))

    # ── what they are ──

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self.values.dtype

    @property
    def flat_values(self) -> Tensor:
        """All elements."""
        inner = self.values
        return inner.flat_values if isinstance(inner, RaggedTensor) else as_tensor(inner)

    @property
    def ragged_rank(self) -> int:
        """How many axes have rows of different lengths."""
        return 1 + (self.values.ragged_rank if isinstance(self.values, RaggedTensor) else 0)

    @property
    def items(self) -> Items:
        """The rows, for one loop."""
        return Items(ops.dimension(self.row_splits, 0) - 1, self._row)

    def nrows(self, out_type: Any = int64, name: Any = None) -> Tensor:
        """How many rows there are."""
        del name
        return shape(self.row_splits, out_type)[0] - 1

    def row_lengths(self, axis: int = 1, name: Any = None) -> Tensor:
        """How long each row is."""
        del axis, name
        return self.row_limits() - self.row_starts()

    def row_starts(self, name: Any = None) -> Tensor:
        """Where each row begins."""
        del name
        return as_tensor(self.row_splits)[:-1]

    def row_limits(self, name: Any = None) -> Tensor:
        """Where each row ends."""
        del name
        return as_tensor(self.row_splits)[1:]

    def value_rowids(self, name: Any = None) -> Tensor:
        """The row of each value."""
        del name
        count = ops.dimension(self.values.row_splits, 0) - 1 if self.ragged_rank > 1 else self._size()
        return ops.searchsorted(self.row_limits(), ops.cast(ops.arange(count), int64), side="right")

    def _size(self) -> Any:
        return ops.dimension(self.values, 0)

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows of other values."""
        return RaggedTensor(new_values, self.row_splits)

    def with_flat_values(self, new_values: TensorLike) -> RaggedTensor:
        """The same rows of other elements."""
        inner = self.values
        return self.with_values(
            inner.with_flat_values(new_values) if isinstance(inner, RaggedTensor) else new_values
        )

    def to_tensor(self, default_value: TensorLike = 0, name: Any = None, shape: Any = None) -> Tensor:
        """A tensor as wide as the longest row, or of `shape`; with `default_value` behind the others."""
        del name
        values = self.values.to_tensor(default_value) if self.ragged_rank > 1 else as_tensor(self.values)
        lengths = self.row_lengths()
        width = ops.max(lengths) if shape is None or shape[1] is None else convert_to_tensor(shape[1], int64)
        lengths = ops.minimum(lengths, width)
        mask = sequence_mask(lengths, width)
        places = ops.where(mask, self.row_starts()[:, None] + ops.arange(width), 0)
        found = ops.take(values, places, axis=0)
        wide = ops.reshape(mask, (*[ops.shape(mask)[axis] for axis in (0, 1)], *(1,) * (values.ndim - 1)))
        return ops.where(wide, found, convert_to_tensor(default_value, values.dtype))

    def to_list(self) -> list[Any]:
        """Lists of Python's numbers."""
        return [row.to_list() if isinstance(row, RaggedTensor) else row.numpy().tolist() for row in self]

    def numpy(self) -> Any:
        """As `to_list`."""
        return self.to_list()

    def _row(self, index: Any) -> Any:
        start, end = self.row_splits[index], self.row_splits[index + 1]
        return self._part(start, end)

    def _part(self, start: Any, end: Any) -> Any:
        if not isinstance(self.values, RaggedTensor):
            return as_tensor(self.values)[start:end]
        splits = self.values.row_splits[start : end + 1]
        first = splits[0]
        return RaggedTensor(self.values._part(first, splits[-1]), splits - first)  # noqa: SLF001  # its own class

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple) and len(index) > 1:
            return self[index[0]][index[1:] if len(index) > 2 else index[1]]
        if isinstance(index, slice):
            starts, ends = self.row_starts()[index], self.row_limits()[index]
            rows = [self._part(start, end) for start, end in zip(starts, ends, strict=True)]
            return stack(rows)
        place = ops.where(convert_to_tensor(index) < 0, self.nrows() + index, index)
        return self._row(place)

    def __len__(self) -> int:
        return int(self.nrows())

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return (self._row(index) for index in _numbers(len(self)))

    def __add__(self, other: Any) -> RaggedTensor:
        return map_flat_values(ops.add, self, other)

    def __sub__(self, other: Any) -> RaggedTensor:
        return map_flat_values(ops.subtract, self, other)

    def __mul__(self, other: Any) -> RaggedTensor:
        return map_flat_values(ops.multiply, self, other)

    def __truediv__(self, other: Any) -> RaggedTensor:
        return map_flat_values(ops.divide, self, other)

    def __repr__(self) -> str:
        if any(not isinstance(part, Tensor) or not hasattr(part, "_array") for part in (self.row_splits,)):
            return f"tf.RaggedTensor(values={self.values!r}, row_splits={self.row_splits!r})"
        return f"<tf.RaggedTensor {self.to_list()}>"


def _nested(
    rows: Callable[..., RaggedTensor], values: Any, axes: Sequence[tuple[Any, ...]], name: Any, validate: bool
) -> RaggedTensor:
    """Rows of rows: what says how the values lie along each axis, the outermost first."""
    found: Any = values
    for how in reversed(axes):
        found = rows(found, *how, name, validate)
    return found  # type: ignore[no-any-return]  # there is an axis


def _as_splits(value: TensorLike) -> Tensor:
    """Places or lengths, as int64 unless they have a dtype of their own."""
    tensor = convert_to_tensor(value)
    return tensor if is_tensor(value) else ops.cast(tensor, int64)


_numbers = range


def constant(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    name: Any = None,
    row_splits_dtype: Any = int64,
) -> Any:
    """`tf.ragged.constant`: nested lists; those of the innermost are rows."""
    del inner_shape, name, row_splits_dtype
    depth = _depth(pylist) - 1 if ragged_rank is None else ragged_rank
    return _of_lists(pylist, dtype, depth) if depth > 0 else convert_to_tensor(pylist, dtype)


def _depth(nest: Any) -> int:
    return 1 + max(map(_depth, nest), default=0) if isinstance(nest, (list, tuple)) else 0


def _of_lists(rows: Any, dtype: Any, depth: int) -> RaggedTensor:
    joined = [item for row in rows for item in row]
    values = _of_lists(joined, dtype, depth - 1) if depth > 1 else convert_to_tensor(joined, dtype)
    return RaggedTensor.from_row_lengths(
        values, convert_to_tensor(list(map(len, rows)), int64), validate=False
    )


def map_flat_values(function: Callable[..., Any], *args: Any, **kwargs: Any) -> RaggedTensor:
    """`tf.ragged.map_flat_values`: a function of all elements at once, the rows as they were."""
    first = next(each for each in (*args, *kwargs.values()) if isinstance(each, RaggedTensor))

    def flat(each: Any) -> Any:
        return each.flat_values if isinstance(each, RaggedTensor) else each

    found = function(*map(flat, args), **{key: flat(each) for key, each in kwargs.items()})
    return first.with_flat_values(found)


def stack(values: Any, axis: int = 0, name: Any = None) -> RaggedTensor:
    """`tf.ragged.stack`: vectors, or ragged tensors, as rows."""
    del axis, name
    rows: list[Any] = [each if isinstance(each, RaggedTensor) else convert_to_tensor(each) for each in values]
    lengths = [row.nrows() if isinstance(row, RaggedTensor) else ops.shape(row)[0] for row in rows]
    joined: Any
    if isinstance(rows[0], RaggedTensor):
        inner = ops.concat([row.row_lengths() for row in rows])
        joined = RaggedTensor.from_row_lengths(
            ops.concat([row.values for row in rows]), inner, validate=False
        )
    else:
        joined = ops.concat(rows)
    return RaggedTensor.from_row_lengths(joined, ops.stack(lengths), validate=False)


def range(
    starts: TensorLike, limits: TensorLike | None = None, deltas: TensorLike = 1, name: Any = None
) -> RaggedTensor:
    """`tf.ragged.range`: a row of numbers for each start and limit."""
    del name
    first, last = (0, starts) if limits is None else (starts, limits)
    ends = convert_to_tensor(last)
    begins = convert_to_tensor(first, ends.dtype) if not is_tensor(first) else convert_to_tensor(first)
    begins = begins + ops.zeros_like(ends)
    ends = ends + ops.zeros_like(begins)
    step = convert_to_tensor(deltas, ends.dtype) + ops.zeros_like(ends)
    lengths = ops.maximum(-((begins - ends) // step), 0)
    splits = ops.cumulative_sum(ops.cast(lengths, int64), include_initial=True)
    places = ops.cast(ops.arange(splits[-1]), int64)
    row = ops.searchsorted(splits[1:], places, side="right")
    within = ops.cast(places - ops.take(splits, row, axis=0), ends.dtype)
    return RaggedTensor(ops.take(begins, row, axis=0) + within * ops.take(step, row, axis=0), splits)


def row_splits_to_segment_ids(splits: TensorLike, name: Any = None, out_type: Any = None) -> Tensor:
    """`tf.ragged.row_splits_to_segment_ids`: the row of each value."""
    del name
    ends = _as_splits(splits)
    places = ops.arange(ops.cast(ends[-1], ends.dtype))
    found = ops.searchsorted(ends[1:], places, side="right")
    return ops.cast(found, ends.dtype if out_type is None else out_type)


def segment_ids_to_row_splits(
    segment_ids: TensorLike, num_segments: Any = None, out_type: Any = None, name: Any = None
) -> Tensor:
    """`tf.ragged.segment_ids_to_row_splits`: where rows begin, and where the last one ends."""
    del name
    ids = _as_splits(segment_ids)
    count = ids[-1] + 1 if num_segments is None else convert_to_tensor(num_segments, ids.dtype)
    found = ops.searchsorted(ids, ops.cast(ops.arange(count + 1), ids.dtype), side="left")
    return ops.cast(found, ids.dtype if out_type is None else out_type)


def boolean_mask(data: Any, mask: Any, name: Any = None) -> RaggedTensor:
    """`tf.ragged.boolean_mask`: the elements of each row for which the mask holds."""
    del name
    rows = data if isinstance(data, RaggedTensor) else RaggedTensor.from_tensor(data)
    kept = mask if isinstance(mask, RaggedTensor) else RaggedTensor.from_tensor(mask)
    flags = convert_to_tensor(kept.values)
    ids = row_splits_to_segment_ids(rows.row_splits)
    return RaggedTensor.from_value_rowids(rows.values[flags], ids[flags], rows.nrows(), validate=False)


def stack_dynamic_partitions(
    data: TensorLike, partitions: TensorLike, num_partitions: Any, name: Any = None
) -> RaggedTensor:
    """`tf.ragged.stack_dynamic_partitions`: a row for each partition, of the values that belong to it."""
    del name
    parts = _as_splits(partitions)
    order = ops.argsort(parts, stable=True)
    rows, ids = ops.take(convert_to_tensor(data), order, axis=0), ops.take(parts, order, axis=0)
    return RaggedTensor.from_value_rowids(rows, ids, num_partitions, validate=False)
