"""Elements at other places: affine maps, gathers and scatters, reshapes and joins."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from runtime.analysis.intervals import Range, product
from runtime.core.dtypes import bool_, int64
from runtime.core.shapes import normalise_axis
from runtime.executors.native.beyond import Unsupported
from runtime.executors.native.language.loops import (
    Apply,
    Cast,
    Expression,
    Fold,
    If,
    Load,
    Number,
    Set,
    Statement,
    Store,
    add,
    as_int64,
    multiply,
    truth,
)
from runtime.executors.native.lower.building import require_function
from runtime.executors.native.lower.edges import edges_of, in_runs, is_inside, runs_of
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Dims, Elements, InMemory, Lowered, Scalar, flat_place
from runtime.graph.graph import Node, Value
from runtime.ops import core
from runtime.ops.joining import ConcatV2
from runtime.ops.shaping import DynamicReshape, Reshape

_OUTSIDE = "IndexOutOfRange", "index {0} is out of bounds for axis {1} with size {2}"
_ZERO = Number(0, int64)


def _whole(function: str, *arguments: Expression) -> Expression:
    return Apply(function, arguments, int64)


# ── affine maps ──


@lowers(core.AffineMap)
def _affine_map(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, core.AffineMap), "it lowers these"
    x, *rest = node.inputs
    source = lowering.values[x]
    shifted = _shifted(source, op, node.outputs[0].shape) if isinstance(source, Elements) else ()
    if isinstance(source, Elements) and (not source.is_cheap or shifted is None):
        source = lowering.in_memory(x)
    fill = lowering.scalar(rest[0]) if op.fill else None
    names = rest[bool(op.fill) :]
    scalars = [as_int64(lowering.scalar(value)) for value in names]
    shape = node.outputs[0].shape
    assert shape is not None, "the rank is known"
    dims = tuple(
        [
            Number(dim, int64) if isinstance(dim, int) else _length(lowering, terms, names, scalars)
            for dim, terms in zip(shape, op.lengths, strict=True)
        ]
    )
    sizes = lowering.dims(x)

    def at(indices: Sequence[Expression]) -> Expression:
        places = [affine(terms, scalars, indices) for terms in op.places]
        if fill is None:
            return lowering.at(source, places)
        return _filled(lowering, source, places, sizes, fill)

    if fill is None:
        for axis, terms in enumerate(op.places):
            if not _surely_inside(x, axis, terms, shape, lambda place: lowering.ranges.of(names[place])):
                _require_inside(lowering, node, axis, terms, scalars, dims, sizes[axis])
    if not shape:
        return [Scalar(lowering.name(at(())))]
    of_places = isinstance(source, Elements) and source.is_of_places
    seams = () if shifted is None else shifted
    if op.fill and isinstance(source, InMemory):
        seams = edges_of(op, x.shape or (), shape)
    flat = None if op.fill or op.places else lambda _: at(())  # one number for all
    return [Elements(dims, node.outputs[0].dtype, at, flat, True, of_places, seams)]


def _length(
    lowering: Lowering, terms: Any, names: Sequence[Value], scalars: Sequence[Expression]
) -> Expression:
    """A length, which is 0 where it would be less.

    A number that is never negative is a length itself: loops up to it need not ask whether they stay inside.
    """
    length = affine(terms, scalars, ())
    match terms:
        case ((1, (number,), None),) if lowering.is_natural(names[number]):
            return lowering.name(length, "n")
    return lowering.name(_whole("maximum", length, _ZERO), "n")


def _shifted(
    source: Elements, op: core.AffineMap, shape: Sequence[Any] | None
) -> tuple[frozenset[int], ...] | None:
    """The seams of a part of an array, in its own indices; None where it is no simple part."""
    if not source.seams:
        return ()
    if shape is None or op.fill or not all(isinstance(dim, int) for dim in shape):
        return None
    found = [frozenset[int]()] * len(shape)
    for seams, terms in zip(source.seams, op.places, strict=True):
        if not seams:
            continue
        start = sum(factor for factor, _, index in terms if index is None)
        moving = [(factor, index) for factor, _, index in terms if index is not None]
        if any(names for _, names, _ in terms) or len(moving) != 1 or moving[0][0] != 1:
            return None
        axis = moving[0][1]
        found[axis] |= {seam - start for seam in seams if 0 < seam - start < shape[axis]}
    return tuple(found) if any(found) else ()


def affine(terms: Any, scalars: Sequence[Expression], indices: Sequence[Expression]) -> Expression:
    """A place or a length: without indices, what it is where all of them are 0."""
    parts = []
    for factor, names, index in terms:
        if index is None or indices:
            product = multiply(factor, *[scalars[name] for name in names])
            parts.append(product if index is None else multiply(product, indices[index]))
    return add(*parts)


def _surely_inside(
    x: Value, axis: int, terms: Any, shape: Sequence[Any], range_of: Callable[[int], Range | None]
) -> bool:
    """Whether the places along an axis are seen to be inside without running.

    `range_of` gives the range of a number that places are made of.
    """
    assert x.shape is not None, "the rank is known"
    size = x.shape[axis]
    match terms:
        case ((1, (), int(index)),):
            is_whole: bool = shape[index] == size
            return is_whole
    if not isinstance(size, int):
        return False
    places, is_never = Range(0, 0), False
    for factor, names, index in terms:
        length = 2 if index is None else shape[index]
        if not isinstance(length, int) or (names and index is not None):
            return False
        ends = (
            Range(factor, factor)
            if index is None
            else Range(min(0, factor), max(0, factor)).times(length - 1)
        )
        for name in names:
            found = range_of(name)
            if found is None:
                return False
            ends = product(ends, found)
        is_never |= length == 0
        places = places.plus(ends)
    return is_never or (places.least >= 0 and places.most < size)


def _require_inside(
    lowering: Lowering,
    node: Node,
    axis: int,
    terms: Any,
    scalars: Sequence[Expression],
    dims: Dims,
    size: Expression,
) -> None:
    """Ends the run where a place along an axis is outside."""
    first = lowering.name(affine([term for term in terms if term[-1] is None], scalars, ()))
    least = most = first
    some: Expression = Number(True, bool_)
    for factor, names, index in terms:
        if index is not None:
            factor_now = multiply(factor, *[scalars[name] for name in names])
            end = lowering.name(multiply(factor_now, add(dims[index], -1)))
            least = add(least, _whole("minimum", end, _ZERO))
            most = add(most, _whole("maximum", end, _ZERO))
            has_length = truth("greater", dims[index], _ZERO)
            some = has_length if isinstance(some, Number) else truth("logical_and", some, has_length)
    least, most = lowering.name(least), lowering.name(most)
    holds = truth("logical_and", truth("greater_equal", least, _ZERO), truth("less", most, size))
    if not isinstance(some, Number):
        holds = truth("logical_or", truth("logical_not", some), holds)
    asked = add(least, multiply(size, -1))  # a negative index has been counted from the end already
    outside = Apply("select", (truth("less", least, _ZERO), asked, most), int64)
    lowering.fail_unless(lowering.name(holds), node, *_OUTSIDE, outside, Number(axis, int64), size)


def _filled(
    lowering: Lowering, source: Lowered, places: Sequence[Expression], sizes: Dims, fill: Expression
) -> Expression:
    """An element, or what stands where there is none: where that is known, nobody asks."""
    are_inside = [
        is_inside(lowering.range_of(place), size) for place, size in zip(places, sizes, strict=True)
    ]
    if False in are_inside:
        return fill
    if all(are_inside):
        return lowering.at(source, places)
    places = [lowering.name(place) for place in places]
    result = lowering.variable(fill.dtype)
    inside: Expression = Number(True, bool_)
    for place, size in zip(places, sizes, strict=True):
        here = truth("logical_and", truth("greater_equal", place, _ZERO), truth("less", place, size))
        inside = truth("logical_and", inside, here)
    with lowering.block() as then:
        lowering.emit(Set(result, lowering.at(source, places)))
    lowering.emit(If(inside, then, [Set(result, fill)]))
    return result


# ── gathers and scatters ──


class _Picked:
    """The places that indices name, along some axes of an array."""

    def __init__(self, lowering: Lowering, node: Node, x: Value, indices: Sequence[Value], axes: Any) -> None:
        self._lowering = lowering
        self._node = node
        self._axes = list(axes)
        self._sizes = lowering.dims(x)
        self._indices = [lowering.values[value] for value in indices]
        self._ranges = [lowering.ranges.of(value) for value in indices]
        together = _together(lowering, indices)
        self._count = len(together)
        self._fixed = [[dim == 1 for dim in value.shape or ()] for value in indices]
        is_together = core.is_together(self._axes)
        self._at = self._axes[0] if is_together else 0
        self._kept = [axis for axis in range(len(self._sizes)) if axis not in self._axes]
        kept = [self._sizes[axis] for axis in self._kept]
        self.dims: Dims = (*kept[: self._at], *together, *kept[self._at :])

    def places(self, indices: Sequence[Expression]) -> list[Expression]:
        """Where in the array an element of what is picked is; ends the run where it is outside."""
        inner = indices[self._at : self._at + self._count]
        kept = [*indices[: self._at], *indices[self._at + self._count :]]
        places: list[Expression] = [_ZERO] * len(self._sizes)
        for axis, index in zip(self._kept, kept, strict=True):
            places[axis] = index
        asked = zip(self._axes, self._indices, self._ranges, self._fixed, strict=True)
        for axis, value, found, fixed in asked:
            last = inner[len(inner) - len(fixed) :]
            own = [_ZERO if one else index for index, one in zip(last, fixed, strict=True)]
            places[axis] = self._checked(axis, self._lowering.at(value, own), found)
        return places

    def _checked(self, axis: int, index: Expression, found: Range | None) -> Expression:
        lowering, size = self._lowering, self._sizes[axis]
        index = wrapped = lowering.name(as_int64(index))
        if found is None or found.least < 0:
            is_behind = truth("less", index, _ZERO)
            wrapped = lowering.name(Apply("select", (is_behind, add(index, size), index), int64))
        elif isinstance(size, Number) and found.most < size.value:
            return index
        inside = truth("logical_and", truth("greater_equal", wrapped, _ZERO), truth("less", wrapped, size))
        lowering.fail_unless(lowering.name(inside), self._node, *_OUTSIDE, index, Number(axis, int64), size)
        return wrapped


def _together(lowering: Lowering, indices: Sequence[Value]) -> Dims:
    """The lengths of indices that go together: those of 1 are as long as the others."""
    rank = max((len(value.shape or ()) for value in indices), default=0)
    found: list[Expression] = [Number(1, int64)] * rank
    names: list[Any] = [1] * rank
    for value in indices:
        shape = value.shape
        assert shape is not None, "the rank is known"
        for axis, (name, dim) in enumerate(zip(shape, lowering.dims(value), strict=True), rank - len(shape)):
            if names[axis] == 1:
                names[axis], found[axis] = name, dim
            elif name not in {1, names[axis]}:
                raise Unsupported("whether its indices fit each other is only known when it runs")
    return tuple(found)


@lowers(core.Gather)
def _gather(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, core.Gather), "it lowers these"
    x, *indices = node.inputs
    runs = runs_of(x, indices, op.axes)
    if runs is not None:
        return [in_runs(lowering, x, indices[0], op.axes[0], runs)]
    source = lowering.seamless(x)
    picked = _Picked(lowering, node, x, indices, op.axes)
    if not picked.dims:
        return [Scalar(lowering.name(lowering.at(source, picked.places(()))))]
    result = lowering.allocated(picked.dims, node.outputs[0].dtype)
    with lowering.nest(result.dims) as places:
        lowering.store(result, places, lowering.at(source, picked.places(places)))
    return [result]


@lowers(core.Scatter)
def _scatter(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, core.Scatter), "it lowers these"
    x, value, *indices = node.inputs
    is_in_place = node in lowering.ownership.in_place
    given = lowering.values[value]
    if isinstance(given, Elements):
        given = lowering.in_memory(value)
    anew = lowering.made_anew(x) if x not in node.inputs[1:] else None
    result = anew or lowering.in_memory(x)
    if is_in_place:
        if anew is not None:
            lowering.settle_in(x, anew)
        lowering.settle()
    elif anew is None:
        result = lowering.copied(result)
    picked = _Picked(lowering, node, x, indices, op.axes)
    shape = value.shape or ()
    if len(shape) > len(picked.dims):
        raise Unsupported("what it writes has axes of length 1 in front")
    fixed = [dim == 1 for dim in shape]
    _require_fit(lowering, value, picked.dims)
    offset = len(picked.dims) - len(shape)

    def write(places: Sequence[Expression]) -> None:
        own = [_ZERO if one else place for place, one in zip(places[offset:], fixed, strict=True)]
        element = lowering.name(lowering.at(given, own))
        place = lowering.name(flat_place(picked.places(places), result.dims))
        if op.combine != "set":
            element = Apply(op.combine, (Load(result.array, place), element), result.dtype)
        lowering.emit(Store(result.array, place, element))

    if op.combine != "set":
        require_function(op.combine, result.dtype)
    if op.combine == "power":
        raise Unsupported("powers are written by NumPy")
    if not picked.dims:
        write(())
    else:
        with lowering.nest(tuple([lowering.name(dim, "n") for dim in picked.dims])) as places:
            write(places)
    return [result]


def _require_fit(lowering: Lowering, value: Value, dims: Dims) -> None:
    """Leaves to NumPy what does not fit its place."""
    own = lowering.dims(value)
    for dim, length, place in zip(value.shape or (), own, dims[len(dims) - len(own) :], strict=True):
        if dim != 1 and length != place:
            lowering.assume(truth("equal", length, place), "a length differs from that of its place")


# ── the same elements in another form ──


@lowers(Reshape, DynamicReshape)
def _reshape(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    shape = node.outputs[0].shape
    assert shape is not None, "the rank is known"
    x = node.inputs[0]
    known = [dim for dim in shape if isinstance(dim, int)]
    if len(known) < len(shape):
        raise Unsupported("a length of its result is only known when it runs")
    if not all(isinstance(dim, int) for dim in x.shape or ()):
        raise Unsupported("whether the elements fill its result is only known when it runs")
    dims = tuple([Number(dim, int64) for dim in known])
    found = lowering.values[x]
    if not shape:
        return [Scalar(lowering.name(lowering.at(found, [_ZERO] * len(lowering.dims(x)))))]
    if isinstance(found, Scalar):
        return [Elements(dims, found.dtype, lambda _: found.value)]
    if isinstance(found, Elements) and found.is_of_places:
        kept = [place for place, dim in enumerate(known) if dim != 1]
        own = [place for place, dim in enumerate(x.shape or ()) if dim != 1]
        if [known[place] for place in kept] == [(x.shape or ())[place] for place in own]:
            at = _with_axes(found, kept, own)
            return [Elements(dims, found.dtype, at, is_cheap=True, is_of_places=True)]
    memory = lowering.in_memory(x)
    return [InMemory(memory.array, dims)]


def _with_axes(
    found: Elements, kept: Sequence[int], own: Sequence[int]
) -> Callable[[Sequence[Expression]], Expression]:
    """Elements with more axes of length 1, or fewer: those that are kept stand for its own."""

    def at(indices: Sequence[Expression]) -> Expression:
        places: list[Expression] = [_ZERO] * len(found.dims)
        for place, axis in zip(kept, own, strict=True):
            places[axis] = indices[place]
        return found.at(places)

    return at


@lowers(ConcatV2)
def _concat(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, ConcatV2), "it lowers these"
    shape = node.outputs[0].shape
    assert shape is not None, "the rank is known"
    axis = normalise_axis(op.axis, len(shape))
    parts = [lowering.values[value] for value in node.inputs]
    for value in node.inputs:
        others = [dim for place, dim in enumerate(value.shape or ()) if place != axis]
        if others != [dim for place, dim in enumerate(shape) if place != axis]:
            raise Unsupported("whether its parts fit is only known when it runs")
    dims = list(lowering.dims(node.inputs[0]))
    dims[axis] = add(*[lowering.dims(value)[axis] for value in node.inputs])
    if _is_to_be_looked_through(parts, shape):
        return [_looked_through(lowering, parts, tuple(dims), axis)]
    result = lowering.allocated(tuple(dims), node.outputs[0].dtype)
    start: Expression = _ZERO
    for part, value in zip(parts, node.inputs, strict=True):
        own = lowering.dims(value)
        with lowering.nest(tuple([lowering.name(dim, "n") for dim in own])) as indices:
            places = list[Expression](indices)
            places[axis] = add(places[axis], start)
            lowering.store(result, places, lowering.at(part, indices))
        start = lowering.name(add(start, own[axis]))
    return [result]


_MOST_PARTS, _LEAST_ELEMENTS = 4, 256
"""Of arrays that are joined, and are not made: their parts are read where they are."""


def _is_to_be_looked_through(parts: Sequence[Lowered], shape: Sequence[Any]) -> bool:
    """Whether joined parts are read where they are: of what a program shifts, and reads once."""
    if len(parts) > _MOST_PARTS or not all(isinstance(dim, int) for dim in shape):
        return False
    return math.prod(shape) >= _LEAST_ELEMENTS and all(
        isinstance(part, InMemory) or (isinstance(part, Elements) and part.is_cheap) for part in parts
    )


def _looked_through(lowering: Lowering, parts: Sequence[Lowered], dims: Dims, axis: int) -> Elements:
    """Joined parts: a seam is where one begins, or has one of its own."""
    first = parts[0]
    assert isinstance(first, InMemory | Elements), "it was asked"
    dtype, starts = first.dtype, list[int]()
    seams = [set[int]() for _ in dims]
    length = 0
    for part in parts:
        assert isinstance(part, InMemory | Elements), "it was asked"
        starts.append(length)
        for place, own in enumerate(part.seams if isinstance(part, Elements) else ()):
            seams[place] |= {seam + length for seam in own} if place == axis else own
        own_length = part.dims[axis]
        assert isinstance(own_length, Number), "it is known"
        length += int(own_length.value)
    seams[axis] |= {start for start in starts if 0 < start < length}

    def at(indices: Sequence[Expression]) -> Expression:
        def of_part(number: int) -> Expression:
            places = list(indices)
            places[axis] = add(places[axis], -starts[number])
            return lowering.at(parts[number], places)

        known = lowering.range_of(indices[axis])
        ends = [*starts[1:], length]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if known is not None and start <= known[0] and known[1] < end:
                return of_part(number)
        index = lowering.name(indices[axis])
        result = lowering.variable(dtype)

        def choose(number: int) -> list[Statement]:
            with lowering.block() as own:
                lowering.emit(Set(result, of_part(number)))
            if number + 1 == len(parts):
                return own
            return [If(truth("less", index, Number(ends[number], int64)), own, choose(number + 1))]

        for statement in choose(0):
            lowering.emit(statement)
        return result

    return Elements(dims, dtype, at, is_cheap=True, seams=tuple(map(frozenset, seams)))


@lowers(core.Nonzero)
def _nonzero(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """Writes each place, and goes on to the next where the element holds: there is room for one more."""
    holds = lowering.in_memory(node.inputs[0])
    (length,) = holds.dims
    count, place = lowering.variable(int64, "count"), lowering.variable(int64)
    for each in (count, place):
        lowering.emit(Set(each, _ZERO))
    with lowering.loop(length) as index:
        lowering.emit(Fold(count, "add", lowering.name(Cast(Load(holds.array, index), int64))))
    found = lowering.allocated((add(count, 1),), int64)
    with lowering.loop(length) as index:
        one = Cast(Load(holds.array, index), int64)
        lowering.emit(Store(found.array, place, index))
        lowering.emit(Set(place, add(place, one)))
    return [InMemory(found.array, (count,))]


@lowers(core.Iota)
def _iota(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, core.Iota), "it lowers these"
    scalars = [as_int64(lowering.scalar(value)) for value in node.inputs]
    count = lowering.name(_whole("maximum", affine(op.terms, scalars, ()), _ZERO), "n")
    return [
        Elements(
            (count,), int64, lambda indices: indices[0], lambda place: place, is_cheap=True, is_of_places=True
        )
    ]
