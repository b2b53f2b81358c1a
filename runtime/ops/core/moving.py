"""Ops that move elements to places that an affine expression names, and the lengths of axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN, Dim, SymbolicDim, named
from runtime.core.dtypes import DType, int32, int64
from runtime.core.shapes import normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import GraphError, IndexOutOfRange
from runtime.graph.build import bind
from runtime.graph.op import FRESH, NOTHING, Aliases, Failures
from runtime.graph.symbol import Symbol
from runtime.ops.core.calls import check
from runtime.ops.core.elements import scalar_map
from runtime.ops.core.expression import evaluate
from runtime.ops.core.expression import parse as parse_expression
from runtime.ops.core.places import (
    Place,
    as_fields,
    count_scalars,
    flat,
    of_value,
    parse,
    values_in,
    with_scalars,
)
from runtime.ops.facts import TABLE, GraphDefBuilder, GraphDefTensor, Sample, misranked, raising
from runtime.ops.families import Family
from runtime.ops.known import as_constant, concrete

__all__ = [
    "AffineMap",
    "Iota",
    "Length",
    "computed",
    "element",
    "expect",
    "indices",
    "iota",
    "length",
    "lengths",
    "move",
    "number_of",
    "part",
    "pick",
    "product",
    "reshaped",
    "scalar",
    "vector",
]

_OUTSIDE: Failures = frozenset([IndexOutOfRange])
_NOT_WRITTEN = "a graph is written to a GraphDef as it was traced"


def _dims(fields: Sequence[Place]) -> tuple[Dim, ...]:
    return tuple([field if isinstance(field, int) else UNKNOWN for field in map(parse, fields)])


def _require_scalars(fields: Sequence[Place], given: Sequence[ArraySpec]) -> None:
    if len(given) != count_scalars(fields) or any(spec.shape not in {(), None} for spec in given):
        listed = ", ".join(map(str, given))
        raise GraphError(f"{tuple(fields)} needs a scalar for each of its s0, s1, …, not ({listed})")


class AffineMap(Family):
    """Elements at other places: transposed, repeated, cut, turned round, taken from a diagonal, or padded.

    The element at ``(i0, i1, …)`` is the one of the first input at the places `index`, one for each of its
    axes. With `fill` the second input stands where these are outside; without, that is an IndexOutOfRange.
    The other inputs are the scalars.
    """

    shape: tuple[Place, ...]
    """The length of each axis of the result."""
    index: tuple[Place, ...]
    """For each axis of the operand, where on it the element is."""
    fill: bool

    is_core = True
    why_no_graphdef = _NOT_WRITTEN
    samples = (
        Sample((TABLE,), {"shape": (4, 3), "index": ("i1", "i0"), "fill": False}),
        Sample((TABLE,), {"shape": (2, 5, 2), "index": (1, "-2*i2 + 3"), "fill": False}),
        Sample((TABLE,), {"shape": (3,), "index": ("i0", "i0"), "fill": False}),
        Sample((TABLE, np.array(-1.0)), {"shape": (4, 4), "index": ("i0 - 1", "i1"), "fill": True}),
        Sample(
            (TABLE, np.array(3), np.array(1)),
            {"shape": ("s0 - s1", 4), "index": ("i0 + s1", "-i1 + 3"), "fill": False},
        ),
    )

    def infer(self, x: ArraySpec, *rest: ArraySpec) -> ArraySpec:
        if x.shape is not None and len(x.shape) != len(self.index):
            raise GraphError(f"{self.index} does not say where on each axis of {x} an element is")
        _require_scalars((*self.shape, *self.index), rest[1:] if self.fill else rest)
        if self.fill and rest[0].shape not in {(), None}:
            raise GraphError(f"what is outside of {x} is filled with one value, not with {rest[0]}")
        if self.fill and any(len({term[-1] for term in terms} - {None}) > 1 for terms in self.places):
            raise GraphError(
                f"an index of {self.index} depends on two axes", why="It is filled where it is outside."
            )
        return x.with_shape(_dims(self.shape))

    def raises(self, *specs: ArraySpec) -> Failures:
        return NOTHING if self.fill else _OUTSIDE

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH if self.fill else frozenset([0])

    def may_run_early(self, *specs: ArraySpec) -> bool:
        return self.fill

    @property
    def lengths(self) -> tuple[Any, ...]:
        """`shape` as plain numbers."""
        return tuple([flat(field) for field in self.shape])

    @property
    def places(self) -> tuple[Any, ...]:
        """`index` as plain numbers."""
        return tuple([flat(field) for field in self.index])

    def kernel(self, x: Array, *rest: Any) -> Any:
        return _moved(x, rest, self.lengths, self.places, self.fill)


def _moved(x: Array, rest: Sequence[Any], lengths: Any, places: Any, fill: bool) -> Array:
    """Elements at affine places."""
    source = np.asarray(x)
    scalars = [int(each) for each in rest[fill:]]
    shape = [max(_at_zero(terms, scalars), 0) for terms in lengths]
    firsts = [_at_zero(terms, scalars) for terms in places]
    factors = [_multiples(terms, scalars, len(shape)) for terms in places]
    if not fill:
        return _strided(source, shape, firsts, factors)
    result = np.full(shape, rest[0], source.dtype)
    starts, stops = _inside_of(source.shape, shape, firsts, factors)
    if all(start < stop for start, stop in zip(starts, stops, strict=True)):
        part = [stop - start for start, stop in zip(starts, stops, strict=True)]
        firsts = [
            first + sum(factor * start for factor, start in zip(row, starts, strict=True))
            for first, row in zip(firsts, factors, strict=True)
        ]
        box = tuple([slice(start, stop) for start, stop in zip(starts, stops, strict=True)])
        result[box] = _strided(source, part, firsts, factors)
    return result


def _at_zero(terms: Any, scalars: Sequence[int]) -> int:
    """What an affine expression is where all indices are 0."""
    total = 0
    for factor, names, index in terms:
        if index is None:
            for name in names:
                factor *= scalars[name]  # noqa: PLW2901  # a product
            total += factor
    return total


def _multiples(terms: Any, scalars: Sequence[int], rank: int) -> list[int]:
    """What each index is multiplied with."""
    result = [0] * rank
    for factor, names, index in terms:
        if index is not None:
            for name in names:
                factor *= scalars[name]  # noqa: PLW2901  # a product
            result[index] += factor
    return result


def _strided(
    source: Array, shape: Sequence[int], firsts: Sequence[int], factors: Sequence[Sequence[int]]
) -> Array:
    """The elements at these places, without a copy."""
    for axis, (first, row) in enumerate(zip(firsts, factors, strict=True)):
        _require_inside(source.shape[axis], axis, first, row, shape)
    if 0 in shape:
        return np.empty(shape, source.dtype)
    corner: tuple[Any, ...] = (*[slice(first, first + 1) for first in firsts], ...)
    strides = [
        sum(row[axis] * stride for row, stride in zip(factors, source.strides, strict=True))
        for axis in range(len(shape))
    ]
    return np.lib.stride_tricks.as_strided(source[corner], shape, strides, writeable=False)


def _require_inside(size: int, axis: int, first: int, row: Sequence[int], shape: Sequence[int]) -> None:
    """Refuses places outside of an axis."""
    moving = [(factor, length) for factor, length in zip(row, shape, strict=True) if factor]
    if any(length == 0 for _, length in moving):
        return
    ends = [factor * (length - 1) for factor, length in moving]
    least = first + sum(min(end, 0) for end in ends)
    most = first + sum(max(end, 0) for end in ends)
    if least < 0 or most >= size:
        outside = least if least < 0 else most
        raise IndexOutOfRange(f"index {outside} is out of bounds for axis {axis} with size {size}")


def _inside_of(
    source: Sequence[int], shape: Sequence[int], firsts: Sequence[int], factors: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """For each axis of the result, where all places start and stop to be inside of the operand."""
    starts, stops = [0] * len(shape), list(shape)
    for size, first, row in zip(source, firsts, factors, strict=True):
        moving = [axis for axis, factor in enumerate(row) if factor]
        if not moving and not 0 <= first < size:
            return starts, starts
        for axis in moving:  # one at most, says `infer`
            factor = abs(row[axis])
            least, most = (-first, size - 1 - first) if row[axis] > 0 else (first - size + 1, first)
            starts[axis] = max(starts[axis], -(-least // factor))
            stops[axis] = min(stops[axis], most // factor + 1)
    return starts, stops


class Length(Family):
    """The length of one axis."""

    axis: int

    is_core = True
    samples = (Sample((TABLE,), {"axis": 0}), Sample((TABLE,), {"axis": -1}))

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape is not None:
            normalise_axis(self.axis, len(x.shape))
        return ArraySpec((), int64)

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def may_run_early(self, *specs: ArraySpec) -> bool:
        return not self.raises(*specs)

    def kernel(self, x: Array) -> Any:
        return np.int64(np.shape(x)[self.axis])

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        lengths = builder.node("Shape", inputs, T=specs[0].dtype, out_type=int64)
        ends = [builder.constant([end], int32) for end in (self.axis, self.axis + 1, 1)]
        if self.axis == -1:
            ends[1] = builder.constant([0], int32)
        end = int(self.axis == -1)
        inputs = [lengths, *ends]
        return [builder.node("StridedSlice", inputs, T=int64, Index=int32, shrink_axis_mask=1, end_mask=end)]


class Iota(Family):
    """The integers from 0 on, so many; the inputs are the scalars of the length."""

    length: Place

    is_core = True
    why_no_graphdef = _NOT_WRITTEN
    samples = (Sample((), {"length": 3}), Sample((np.array(4),), {"length": "s0 + 1"}))

    def infer(self, *scalars: ArraySpec) -> ArraySpec:
        _require_scalars((self.length,), scalars)
        return ArraySpec(_dims((self.length,)), int64)

    raises = raising()

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def may_run_early(self, *specs: ArraySpec) -> bool:
        return True

    @property
    def terms(self) -> tuple[Any, ...]:
        """`length` as plain numbers."""
        return flat(self.length)

    def kernel(self, *scalars: Any) -> Any:
        return np.arange(_length_of(self.terms, scalars), dtype=np.int64)


def _length_of(terms: Any, scalars: Sequence[Any]) -> int:
    """What an affine expression of scalars is."""
    return _at_zero(terms, [int(each) for each in scalars])


# ── how ops write themselves in these ─────────────────────────────────────────────────────────────────


def indices(count: int) -> list[Dim]:
    """The indices of a result with so many axes."""
    return [named(f"i{axis}") for axis in range(count)]


def scalar(value: Tensor | int) -> Dim:
    """A length or a place: a number where it is known, else the integer that a tensor is."""
    if isinstance(value, int):
        return value
    known = concrete(value)
    if known is not None:
        return int(known)
    whole = ops.cast(value, int64)
    assert isinstance(whole, Symbol), "what is eager is known"
    return of_value(whole.value)


def length(x: Tensor, axis: int) -> Dim:
    """The length of an axis, as far as it is known."""
    known = x.static_shape[axis] if x.static_shape is not None else None
    return scalar(known if isinstance(known, int) else bind(Length(axis), x))


def lengths(x: Tensor, rank: int | None = None) -> list[Dim]:
    """The length of each axis; `rank` says how many there are, where `x` does not."""
    return [length(x, axis) for axis in range(x.ndim if rank is None else rank)]


def move(x: Tensor, shape: Sequence[Dim], index: Sequence[Dim], fill: TensorLike | None = None) -> Tensor:
    """The elements of `x` at affine places."""
    (shape_fields, index_fields), scalars = as_fields(shape, index)
    filling = [] if fill is None else [fill]
    return bind(AffineMap(shape_fields, index_fields, fill is not None), x, *filling, *scalars)


def iota(count: Dim) -> Tensor:
    """The integers from 0 on, so many."""
    ((field,),), scalars = as_fields([count])
    return bind(Iota(field), *scalars)


def number_of(value: Dim) -> Tensor:
    """A length or a place as a tensor."""
    if isinstance(value, int):
        return as_constant(np.array(value))
    values = values_in(value)
    if value == of_value(values[0]):
        return Symbol(values[0])
    renamed = with_scalars(value, {each: f"x{place}" for place, each in enumerate(values)})
    assert isinstance(renamed, SymbolicDim), "it has scalars"
    products = []
    for product, factor in renamed.terms:
        number = [f"i64({factor})"] if factor != 1 or not product else []
        products.append(" * ".join([*number, *[atom.text for atom in product]]))
    return scalar_map(" + ".join(products), *map(Symbol, values))


def computed(text: str, *operands: Dim | Tensor) -> Dim:
    """A scalar expression of lengths and places, as a length or a place."""
    known = [concrete(each) if isinstance(each, Tensor) else each for each in operands]
    if not any(each is None or isinstance(each, SymbolicDim) for each in known):
        arrays = [np.int64(each) if isinstance(each, int) else each for each in known]
        return int(evaluate(parse_expression(text), arrays))
    tensors = [each if isinstance(each, Tensor) else number_of(each) for each in operands]
    return scalar(scalar_map(text, *tensors))


def product(numbers: Iterable[Dim]) -> Dim:
    """Lengths multiplied: how many elements there are."""
    total: Dim = 1
    for each in numbers:
        total = total * each
    return total


def expect(text: str, error: str, message: str, *operands: Dim) -> None:
    """Checks, in the run where it is not known now, that a scalar expression of lengths holds."""
    known = [np.int64(each) for each in operands if isinstance(each, int)]
    if len(known) == len(operands) and evaluate(parse_expression(text), known):
        return
    tensors = [number_of(each) for each in operands]
    check(scalar_map(text, *tensors), error, message, *tensors)


def element(vector: Tensor, place: int) -> Dim:
    """An element of a vector of lengths: where it is put together of numbers, one of these."""
    known = concrete(vector)
    if known is not None:
        return int(known[place])
    own = _put_in(vector, place)
    return scalar(move(vector, (), (place,)) if own is None else own)


def _put_in(vector: Tensor, place: int) -> Tensor | None:
    """The number that is put into a vector at a place."""
    while isinstance(vector, Symbol):
        value = vector.value
        if value.shape == ():
            return vector
        match value.op:
            case ops.Pack():
                return Symbol(value.inputs[place])
            case ops.ConcatV2() if all(part.shape == (1,) for part in value.inputs):
                vector = Symbol(value.inputs[place])
            case ops.ExpandDims() | ops.Reshape() if value.inputs[0].shape == ():
                vector = Symbol(value.inputs[0])
            case AffineMap((1,), (), False):
                vector = Symbol(value.inputs[0])
            case _:
                return None
    return None


def vector(numbers: Sequence[Dim], dtype: DType = int64) -> Tensor:
    """Lengths as a vector."""
    known = [each for each in numbers if isinstance(each, int)]
    if len(known) == len(numbers):
        return as_constant(np.array(known, dtype.numpy))
    parts = [move(number_of(each), (1,), ()) for each in numbers]
    return ops.cast(ops.concat(parts) if len(parts) > 1 else parts[0], dtype)


def reshaped(x: Tensor, shape: Sequence[Dim]) -> Tensor:
    """The elements of `x`, in order, in another shape."""
    static = tuple([each for each in shape if isinstance(each, int)])
    if len(static) == len(shape):
        return bind(ops.Reshape(static), x)
    unsure = tuple([each if isinstance(each, int) else UNKNOWN for each in shape])
    return bind(ops.DynamicReshape(unsure), x, vector(shape))


def part(x: Tensor, axis: int, start: Dim, count: Dim) -> Tensor:
    """Consecutive slices along one axis."""
    shape, index = [*lengths(x)], indices(x.ndim)
    shape[axis], index[axis] = count, index[axis] + start
    return move(x, shape, index)


def pick(x: Tensor, axis: int, place: Dim) -> Tensor:
    """One slice along an axis, without it."""
    shape = lengths(x)
    del shape[axis]
    index = indices(len(shape))
    return move(x, shape, [*index[:axis], place, *index[axis:]])
