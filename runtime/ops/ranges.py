"""Ranges, and the grids and triangles made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import dims, shapes
from runtime.core.devices import require_device
from runtime.core.dims import UNKNOWN, Dim
from runtime.core.dtypes import DType, as_dtype, float16, float32, int64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ExportError, InvalidValue, ShapeError
from runtime.graph.build import (
    array_spec_of,
    as_operand,
    as_tensor,
    bind,
    current_builder,
    current_defaults,
    is_symbolic,
)
from runtime.ops.arguments import is_named, require_lengths, shape_argument, whole_number
from runtime.ops.core import computed, iota, scalar_map
from runtime.ops.facts import COMPLEX, FLOATING, INTEGER, GraphDef, GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.families import Opaque
from runtime.ops.known import as_constant, concrete, known_dim
from runtime.ops.promotion import cast_operand, promoted, require_dtype

__all__ = ["LinSpace", "Range", "RangeInto", "arange", "eye", "linspace", "meshgrid", "tril", "triu"]


_REALS = {int, float}


class Range(Opaque):
    """Numbers from a start, in steps, up to a limit that is not among them."""

    length: Dim = UNKNOWN
    """What is known of how many they are."""

    input_names = ("start", "limit", "delta")
    graphdef = GraphDef("Range", types={"Tidx": "in0"})
    accepts = INTEGER | FLOATING
    samples = (
        Sample((np.array(0), np.array(5), np.array(2)), {"length": UNKNOWN}),
        Sample((np.array(5, np.int32), np.array(0, np.int32), np.array(-1, np.int32)), {"length": UNKNOWN}),
        Sample(tuple(np.array([0, 1, 0.25], np.float32)), {"length": UNKNOWN}),
        Sample((np.array(3), np.array(3), np.array(1)), {"length": UNKNOWN}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, start: ArraySpec, limit: ArraySpec, delta: ArraySpec) -> ArraySpec:
        require_dtype("arange", start.dtype, self.accepts)
        _require_numbers("arange", start, limit, delta)
        return ArraySpec((self.length,), start.dtype)

    def kernel(self, start: Any, limit: Any, delta: Any) -> Any:
        return np.arange(start, limit, delta, dtype=start.dtype)

    def decompose(self, start: Tensor, limit: Tensor, delta: Tensor) -> Tensor | None:
        step = concrete(delta)
        if not step or any(each.static_shape != () for each in (start, limit)):
            return None
        count = _counted(ops.subtract(limit, start), delta, step)
        places = scalar_map("T(x0)", iota(count), generic=start.dtype)
        if start.dtype.is_integer:
            return scalar_map("x1 + x0 * x2", places, start, delta)
        second = ops.add(start, delta)  # NumPy adds once, and counts in steps of the difference
        rest = "x1 + x0 * (x2 - x1)"
        if start.dtype is float16:
            rest = "f16(f32(x1) + f32(x0) * (f32(x2) - f32(x1)))"
        return scalar_map(f"select(x0 == T(1), x2, {rest})", places, start, second)


def _counted(distance: Tensor, delta: Tensor, step: Array) -> Dim:
    """How many numbers there are in a distance, by a step that is known.

    NumPy divides as floats, and rounds up: for numbers with a sign that is the quotient of integers, as long
    as there is memory for so many.
    """
    if distance.dtype.kind == "i":
        whole = int(step)
        covered = f"i64(x0) + i64({whole - 1})" if whole > 0 else f"i64({-whole - 1}) - i64(x0)"
        return computed(f"maximum(({covered}) // i64({abs(whole)}), i64(0))", distance)
    quotient = "f64(x0 / x1)" if distance.dtype.is_floating else "f64(x0) / f64(x1)"
    return computed(f"i64(maximum(ceil({quotient}), f64(0)))", distance, delta)


def _require_numbers(function: str, *ends: ArraySpec) -> None:
    for spec in ends:
        if spec.shape not in {(), None}:
            raise ShapeError(
                f"an end or the step of `{function}` is {spec}",
                why="It goes from one number to another.",
                way_out="Give single numbers: pick an element, or reduce the tensor.",
            )


def _count(start: Any, limit: Any, delta: Any) -> Dim:
    """How many numbers there are, where their ends and the step are lengths that the graph has names for."""
    first, end, step = known_dim(start), known_dim(limit), known_dim(delta)
    if not isinstance(step, int) or step == 0:
        return UNKNOWN
    covered = end - first if step > 0 else first - end
    return dims.maximum(covered + (abs(step) - 1), 0) // abs(step)


class RangeInto(Opaque):
    """A `Range` of floats whose numbers are counted in another dtype: NumPy rounds the step, not the sums."""

    to: DType

    input_names = ("start", "limit", "delta")
    accepts = FLOATING
    samples = (
        Sample(tuple(np.array([0, 1, 0.1])), {"to": float32}),
        Sample(tuple(np.array([0, 10, 2.5], np.float32)), {"to": int64}),
    )

    def infer(self, start: ArraySpec, limit: ArraySpec, delta: ArraySpec) -> ArraySpec:
        require_dtype("arange", start.dtype, self.accepts)
        _require_numbers("arange", start, limit, delta)
        return ArraySpec((UNKNOWN,), self.to)

    def kernel(self, start: Any, limit: Any, delta: Any) -> Any:
        return np.arange(start, limit, delta, dtype=self.to.numpy)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        if not self.to.is_floating:
            raise ExportError(
                f"a range of floats in {self.to} cannot be written to a GraphDef",
                why="TensorFlow cuts its ends to integers, and so counts other numbers.",
                way_out="Give integers to `rt.arange`, or cast what it returns.",
            )
        source = specs[0].dtype
        ends = [builder.node("Cast", [end], "y", SrcT=source, DstT=self.to) for end in inputs]
        return [builder.node("Range", ends, Tidx=self.to)]


def arange(
    start: TensorLike,
    /,
    stop: TensorLike | None = None,
    step: TensorLike = 1,
    *,
    dtype: Any = None,
    device: Any = None,
) -> Tensor:
    """Numbers from `start`, in steps of `step`, up to `stop`, which is not among them.

    Parameters
    ----------
    start : number or Tensor of shape ()
        Where it is the only one, the stop of a range from 0.
    stop, step : number or Tensor of shape (), optional
    dtype : DType, optional
        By default the promoted dtype of the three. As in NumPy, the numbers are counted in it.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype`, shape (n,)
        In a graph the length is unknown where one of the three is.

    Raises
    ------
    DTypeError
        When one of the three is complex.
    InvalidValue
        When `step` is 0, or there is no such device.
    ShapeError
        When one of the three has axes.

    Notes
    -----
    GraphDef "Range", or "Const" where it is known. Semantics: Array API 2025.12, `arange`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.arange(1, 6, 2)
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 3, 5])>
    """
    require_device(device)
    first: Any
    first, last = (0, start) if stop is None else (start, stop)
    to = None if dtype is None else as_dtype(dtype)
    if current_builder() is None and {type(first), type(last), type(step)} <= _REALS and step:
        wanted: Any = None if to is None else to.numpy
        return Tensor(np.arange(first, last, step, dtype=wanted))
    given = [as_operand(each) for each in (first, last, step)]
    operands = promoted(given)
    require_dtype("arange", operands[0].dtype, Range.accepts)
    arrays = [concrete(each) for each in operands]
    if arrays[2] is not None and not np.all(arrays[2]):
        raise InvalidValue(
            "the step of a range is 0",
            why="Its numbers would never reach the end.",
            way_out="Write `rt.full(n, x)` for equal numbers, or `rt.linspace` for a count of them.",
        )
    if any(array is None or array.ndim for array in arrays):
        own: DType = operands[0].dtype
        if to is not None and own.is_floating and own is not to:
            return bind(RangeInto(to), *operands)
        result = bind(Range(_count(*operands)), *operands)
        return result if to is None else ops.cast(result, to)
    if to is None:
        return as_constant(Range().kernel(*arrays))
    ends: list[Any] = [
        each if isinstance(each, (bool, int, float, complex)) else concrete(each) for each in given
    ]
    return as_constant(np.arange(*ends, dtype=to.numpy))


class LinSpace(Opaque):
    """Numbers in equal distances from a start to a stop, both among them."""

    num: int

    input_names = ("start", "stop")
    graphdef = GraphDef("LinSpace", types={"T": "in0", "Tidx": "in2"}, inputs_then=("num",))
    accepts = FLOATING | COMPLEX
    samples = (
        Sample((np.array(0.0), np.array(1.0)), {"num": 5}),
        Sample(tuple(np.array([3, -1], np.float32)), {"num": 1}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        dtype = as_tensor(promoted(operands)[0]).dtype
        inexact = dtype if dtype.is_floating or dtype.is_complex else current_defaults().floating
        return [cast_operand(operand, inexact) for operand in operands]

    def infer(self, start: ArraySpec, stop: ArraySpec) -> ArraySpec:
        require_dtype("linspace", start.dtype, self.accepts)
        _require_numbers("linspace", start, stop)
        return ArraySpec((self.num,), start.dtype)

    def kernel(self, start: Array, stop: Array) -> Any:
        return np.linspace(start, stop, self.num, dtype=start.dtype)

    def decompose(self, start: Tensor, stop: Tensor) -> Tensor | None:
        if start.static_shape is None or stop.static_shape is None:
            return None
        places = scalar_map("T(x0)", iota(self.num), generic=start.dtype)
        steps = self.num - 1
        if steps < 1:
            return scalar_map("x0 * (x2 - x1) + x1", places, start, stop)
        stretched = f"select(x1 == T(0), x0 / T({steps}) * x2, x0 * x1)"
        width = ops.subtract(stop, start)
        inner = scalar_map(f"{stretched} + x3", places, scalar_map(f"x0 / T({steps})", width), width, start)
        return scalar_map(f"select(x0 == T({steps}), x1, x2)", places, stop, inner)


def linspace(
    start: TensorLike,
    stop: TensorLike,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> Tensor:
    """Numbers in equal distances from `start` to `stop`.

    Parameters
    ----------
    start, stop : number or Tensor of shape ()
    num : int
    dtype : DType, optional
        By default floating point, or complex where an end is; integers are rounded down.
    device : str, optional
        There is one, ``"cpu"``.
    endpoint : bool, optional
        Whether `stop` is among them.

    Returns
    -------
    Tensor of `dtype`, shape (num,)

    Raises
    ------
    DTypeError
        When `num` is no integer, or an end no number.
    InvalidValue
        When `num` is negative, or there is no such device.
    ShapeError
        When an end has axes.

    Notes
    -----
    GraphDef "LinSpace". Semantics: Array API 2025.12, `linspace`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.linspace(0, 1, 5)
    <Tensor: shape=(5,), dtype=float64, numpy=array([0.  , 0.25, 0.5 , 0.75, 1.  ])>
    """
    require_device(device)
    count = whole_number(num, "num")
    if count < 0:
        raise InvalidValue(
            f"`linspace` of {count} numbers",
            why="It gives `num` numbers.",
            way_out="Give 0 or more.",
        )
    to = None if dtype is None else as_dtype(dtype)
    if current_builder() is None and {type(start), type(stop)} <= _REALS:
        return Tensor(np.linspace(start, stop, count, endpoint, dtype=None if to is None else to.numpy))
    ends = [as_operand(start), as_operand(stop)]
    _require_numbers("linspace", *map(array_spec_of, ends))
    result = bind(LinSpace(count if endpoint else count + 1), *ends)
    if not endpoint:
        result = result[:-1]
    if to is None:
        return result
    return ops.cast(ops.floor(result) if to.is_integer and result.dtype.is_floating else result, to)


# ── matrices ──────────────────────────────────────────────────────────────────────────────────────────


def eye(
    n_rows: TensorLike,
    n_cols: TensorLike | None = None,
    /,
    *,
    k: TensorLike = 0,
    dtype: Any = None,
    device: Any = None,
) -> Tensor:
    """A matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows, n_cols : int or Tensor of one int
        As many columns as rows by default.
    k : int or Tensor of one int, optional
        Which diagonal: above the main one where it is positive, below where it is negative.
    dtype : DType, optional
        The default floating-point dtype where it is not given.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype`, shape (n_rows, n_cols)

    Raises
    ------
    DTypeError
        When a size or `k` is no integer.
    InvalidValue
        When there is no such device.
    ShapeError
        When a size is negative.

    Notes
    -----
    GraphDef "Const", or "Equal" of two ranges where a size or `k` is a tensor. Semantics: Array API
    2025.12, `eye`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.eye(2, dtype=rt.int32)
    <Tensor: shape=(2, 2), dtype=int32, numpy=
    array([[1, 0],
           [0, 1]], dtype=int32)>
    """
    require_device(device)
    to: DType = current_defaults().floating if dtype is None else as_dtype(dtype)
    n_cols = n_rows if n_cols is None else n_cols
    known: Any
    known, sizes = shape_argument((n_rows, n_cols))
    require_lengths(known)
    k = k if is_symbolic(k) else whole_number(k, "k")
    diagonal = concrete(as_tensor(k))
    if sizes is None and diagonal is not None:
        return as_constant(np.eye(known[0], known[1], whole_number(diagonal, "k"), dtype=to.numpy))
    lengths = known if sizes is None else (sizes[0], sizes[1])
    rows, columns = arange(lengths[0]), arange(lengths[1])
    return ops.cast(ops.equal(ops.expand_dims(rows, axis=1) + k, columns), to)


def tril(x: TensorLike, /, *, k: int = 0) -> Tensor:
    """The lower triangle of each matrix, zeros above.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., n, m)
    k : int, optional
        The last diagonal that is kept.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When there are fewer than two axes.

    Notes
    -----
    GraphDef "SelectV2". Semantics: Array API 2025.12, `tril`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.tril(rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 0],
           [3, 4]])>
    """
    tensor = as_tensor(x)
    if current_builder() is None and tensor.ndim > 1:
        return Tensor(np.tril(tensor._array, k))
    return ops.where(_distance_from_diagonal(tensor) <= k, tensor, ops.cast(0, tensor.dtype))


def triu(x: TensorLike, /, *, k: int = 0) -> Tensor:
    """The upper triangle of each matrix, zeros below.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., n, m)
    k : int, optional
        The first diagonal that is kept.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When there are fewer than two axes.

    Notes
    -----
    GraphDef "SelectV2". Semantics: Array API 2025.12, `triu`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.triu(rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 2],
           [0, 4]])>
    """
    tensor = as_tensor(x)
    if current_builder() is None and tensor.ndim > 1:
        return Tensor(np.triu(tensor._array, k))
    return ops.where(_distance_from_diagonal(tensor) >= k, tensor, ops.cast(0, tensor.dtype))


def _distance_from_diagonal(x: Tensor) -> Tensor:
    """For each place of a matrix of the shape of `x`, its column less its row."""
    if x.ndim < 2:
        raise ShapeError(
            f"a tensor of shape {shapes.text(x.static_shape)} holds no matrix",
            why="A matrix has two axes, and a stack of matrices more.",
            way_out="Give it an axis with `rt.expand_dims`.",
        )
    assert x.static_shape is not None, "it has a rank"
    lengths: Any = ops.shape(x) if not shapes.all_known(x.static_shape[-2:]) else x.static_shape
    return arange(lengths[-1]) - ops.expand_dims(arange(lengths[-2]), axis=1)


def meshgrid(*arrays: TensorLike, indexing: str = "xy") -> tuple[Tensor, ...]:
    """The coordinates of a grid, from those along its axes.

    Parameters
    ----------
    *arrays : Tensor of shape (n,)
    indexing : {"xy", "ij"}, optional
        Whether the first two axes are columns and rows, or the axes come in the order of `arrays`.

    Returns
    -------
    tuple of Tensor
        As many as `arrays`, all of one shape.

    Notes
    -----
    GraphDef "BroadcastTo". Semantics: Array API 2025.12, `meshgrid`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.meshgrid(rt.asarray([1, 2]), rt.asarray([3, 4]))[0]
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[1, 2],
           [1, 2]])>
    """
    if not is_named(indexing, ("xy", "ij")):
        raise InvalidValue(
            f"`meshgrid` knows no indexing {indexing!r}",
            why="The first vector runs along the columns ('xy') or along the rows ('ij').",
            way_out="Write 'xy' or 'ij'.",
        )
    count = len(arrays)
    places = list(range(count))
    if indexing == "xy" and count > 1:
        places[:2] = [1, 0]
    columns = [
        ops.reshape(each, (1,) * place + (-1,) + (1,) * (count - 1 - place))
        for each, place in zip(arrays, places, strict=True)
    ]
    return ops.broadcast_arrays(*columns)
