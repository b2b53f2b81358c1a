"""Lowering of random numbers that are functions of a key.

A key is that of NumPy's Philox. A function that draws with keys has one such generator, in its own memory;
each draw brings it where the key begins, and then draws as from a generator of the program's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from runtime.core.dtypes import DType, bool_, float32, float64, int64, uint64
from runtime.core.shapes import Shape
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import (
    Allocate,
    Apply,
    Array,
    Cast,
    Copy,
    Draw,
    Expression,
    Number,
    as_int64,
)
from runtime.executors.native.lower.distributions import Way, at_least, place_by, span_of, test_of
from runtime.executors.native.lower.draws import drawn, order, several
from runtime.executors.native.lower.lowering import Lowering, lowers, op_of
from runtime.executors.native.lower.values import Dims, InMemory, Lowered, Scalar
from runtime.executors.native.randomness.draws import DRAWS, is_there
from runtime.executors.native.randomness.philox import WORDS
from runtime.graph.graph import Node, Value
from runtime.ops.core.calls import escaped
from runtime.ops.random.choosing import RandomChoice, RandomPermutation, require_probabilities
from runtime.ops.random.continuous import (
    Drawn,
    RandomExponential,
    RandomGamma,
    RandomStandardNormal,
    RandomUniform,
)
from runtime.ops.random.discrete import RandomPoisson, RandomUniformInt
from runtime.ops.random.keys import FoldIn, SplitKey
from runtime.ops.random.parameters import CheckedParameter, require_between

_ZERO = Number(0, uint64)
_DRAWN, _FOLDED, _SPLIT = 0, 1, 2
"""What words of a key are for: the last word of their counters."""


@lowers(FoldIn)
def _fold_in(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    key, data = node.inputs
    way = Way("philox_word")
    stream = _stream(lowering, way, key, lowering.scalar(data), _FOLDED)
    return [several(lowering, way, stream, (Number(2, int64),), uint64)]


@lowers(SplitKey)
def _split(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, SplitKey), "it lowers these"
    key, shape = node.inputs
    dims, way = _dims(lowering, op.known, shape), Way("philox_word")
    stream = _stream(lowering, way, key, _ZERO, _SPLIT)
    return [several(lowering, way, stream, (*dims, Number(2, int64)), uint64)]


@lowers(RandomUniform, RandomStandardNormal, RandomExponential, RandomGamma, RandomPoisson, RandomUniformInt)
def _numbers(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, Drawn), "it lowers these"
    key, shape, *parameters = node.inputs
    dims = _dims(lowering, op.known, shape)
    if any(value.shape != () for value in parameters):
        raise Unsupported("each number has parameters of its own")
    if isinstance(op, RandomUniformInt):
        name = "philox_bounded" if is_there("philox_bounded") else "bounded"
        way = Way(name, _limits(lowering, op, *parameters))
    else:
        way = _of_distribution(lowering, op, parameters)
    if DRAWS[way.function].gives is not op.dtype:
        drawn_in = way.found
        way = Way(way.function, way.arguments, lambda number: Cast(drawn_in(number), op.dtype))
    return [_of_shape(lowering, way, _stream(lowering, way, key), dims, op.dtype)]


@lowers(RandomChoice)
def _choice(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, RandomChoice), "it lowers these"
    key, shape, chances = node.inputs
    if not op.replace:
        raise Unsupported("it chooses each once, with probabilities")
    found = lowering.values[chances]
    constants = lowering.shared.program.constants
    known = constants.get(found.array.name) if isinstance(found, InMemory) else None
    if known is None:
        raise Unsupported("its probabilities are values of the run")
    try:
        require_probabilities(known)
    except ValueError:  # NumPy's own, of none
        raise Unsupported("its probabilities do not sum to 1") from None
    dims, way = _dims(lowering, op.known, shape), Way("philox_double", (), place_by(known))
    return [_of_shape(lowering, way, _stream(lowering, way, key), dims, int64)]


def _of_shape(lowering: Lowering, way: Way, stream: Array, dims: Dims, dtype: DType) -> Lowered:
    """A number, or an array."""
    if not dims:
        return Scalar(lowering.name(way.found(drawn(lowering, way, stream))))
    return several(lowering, way, stream, dims, dtype)


@lowers(RandomPermutation)
def _permutation(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    key, *lengths = node.inputs
    count, taken = [as_int64(lowering.scalar(value)) for value in lengths]
    lowering.assume(at_least(count, 0), "there are less than no numbers to put in order")
    lowering.assume(at_least(taken, 0), "less than none are chosen")
    lowering.assume(test_of("less_equal", taken, count), "more are chosen than there are")
    way = Way("interval", (lowering.name(count),))
    whole = order(lowering, way, _stream(lowering, way, key))
    if lengths[0] is lengths[1] or count == taken:
        return [whole]
    result = lowering.allocated((taken,), int64)
    lowering.emit(Copy(result.array, whole.array, result.dims[0]))
    return [result]


@lowers(CheckedParameter)
def _checked(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, CheckedParameter), "it lowers these"
    (value,) = node.inputs
    raising = partial(require_between, text=op.text, least=op.least, most=op.most)

    def require(number: Expression) -> None:
        number = lowering.name(number)
        least, most = Number(op.least, number.dtype), Number(op.most, number.dtype)
        holds = Apply("greater_equal", (number, least), bool_)
        if op.most != np.inf:
            holds = Apply("logical_and", (holds, Apply("less_equal", (number, most), bool_)), bool_)
        message = f"{escaped(op.text)} is {{0}}"
        lowering.refuse_unless(holds, node, "InvalidValue", message, raising, number)

    if value.shape == ():
        require(lowering.scalar(value))
        return [lowering.values[value]]
    found = lowering.in_memory(value)
    with lowering.nest(found.dims) as indices:
        require(found.at(indices))
    return [found]


# ── how numbers are drawn ──


def _of_distribution(lowering: Lowering, op: Drawn, parameters: Sequence[Value]) -> Way:
    """How floats, and numbers of a Poisson distribution, are drawn."""
    if isinstance(op, RandomPoisson):
        mean = lowering.scalar(parameters[0])
        is_one = test_of("greater_equal", mean, Number(0.0, float64))
        lowering.assume(is_one, "the mean is no number from 0 on")
        lowering.assume(test_of("less_equal", mean, Number(_MOST_MEAN, float64)), "the mean is too large")
        return Way("poisson", (mean,))
    if op.dtype not in {float32, float64}:
        raise Unsupported(f"{op.dtype} is computed by NumPy")
    is_single = op.dtype is float32
    match op:
        case RandomUniform():
            return Way("philox_float" if is_single else "philox_double")
        case RandomGamma():
            form = lowering.scalar(parameters[0])
            lowering.assume(test_of("logical_not", test_of("signbit", form)), "the concentration is negative")
            return Way("standard_gamma_f" if is_single else "standard_gamma", (form,))
        case RandomStandardNormal():
            name = "normal"
        case _:
            name = "exponential"
    if is_single:
        return Way(f"standard_{name}_f")
    own = f"philox_{name}"
    return Way(own if is_there(own) else f"standard_{name}")


_MOST_MEAN = 1e18
"""NumPy takes some larger ones, too."""


def _limits(
    lowering: Lowering, op: RandomUniformInt, low: Value, high: Value
) -> tuple[Expression, Expression]:
    """The first of some integers, and how far the last one is from it."""
    if op.dtype.itemsize < 4:
        raise Unsupported("NumPy draws several small integers of one word")
    first, last = lowering.scalar(low), lowering.scalar(high)
    if isinstance(first, Number) and isinstance(last, Number):
        least, most = int(first.value), int(last.value) - (not op.endpoint)
        if not op.dtype.min <= least <= most <= op.dtype.max:
            raise Unsupported("there is no integer between the limits")
        return Number((least + 2**63) % 2**64 - 2**63, int64), Number(most - least, uint64)
    first, last = _limit(first), _limit(last)
    least, most = int(op.dtype.min), int(op.dtype.max) + (not op.endpoint)
    is_some = test_of("less_equal" if op.endpoint else "less", first, last)
    lowering.assume(is_some, "there is no integer between the limits")
    if least > int64.min:
        lowering.assume(at_least(first, least), "a limit is outside of the dtype")
    if most <= int64.max:
        is_inside = test_of("less_equal", last, Number(most, int64))
        lowering.assume(is_inside, "a limit is outside of the dtype")
    span = span_of(first, last)
    return first, span if op.endpoint else Apply("subtract", (span, Number(1, uint64)), uint64)


def _limit(number: Expression) -> Expression:
    """A limit of integers as one of 64 bits."""
    if isinstance(number, Number) and int64.min <= number.value <= int64.max:
        return Number(int(number.value), int64)
    if number.dtype is uint64:
        raise Unsupported("a limit may be more than an int64 holds")
    return as_int64(number)


def _dims(lowering: Lowering, known: Shape, shape: Value) -> Dims:
    """The lengths of the axes of what is drawn."""
    if known is None:
        raise Unsupported("it is not known how many axes there are")
    sizes = lowering.seamless(shape)
    dims: list[Expression] = []
    for axis, dim in enumerate(known):
        if isinstance(dim, int):
            dims.append(Number(dim, int64))
            continue
        length = as_int64(lowering.at(sizes, [Number(axis, int64)]))
        lowering.assume(at_least(length, 0), "a length is negative")
        dims.append(length)
    return tuple(dims)


def _stream(
    lowering: Lowering, way: Way, key: Value, first: Expression = _ZERO, purpose: int = _DRAWN
) -> Array:
    """The generator of the function, where a key begins."""
    if key.shape != (2,):
        raise Unsupported("it is not known that it is a key")
    if lowering.shared.beyond is Beyond.NOBODY and DRAWS[way.function].calls:
        raise Unsupported("NumPy's functions are in this process")
    if not (is_there("philox_at") and is_there(way.function)):
        raise Unsupported("generators lie in memory in another way than is known")
    found = lowering.seamless(key)
    words = [lowering.name(lowering.at(found, [Number(at, int64)])) for at in range(2)]
    stream = _memory(lowering, has_functions=bool(DRAWS[way.function].calls))
    drawn(lowering, Way("philox_at", (*words, lowering.name(first), Number(purpose, uint64))), stream)
    return stream


def _memory(lowering: Lowering, *, has_functions: bool) -> Array:
    """The memory of the generator of the function; with the functions of NumPy's that others call."""
    begins = lowering.begins_with
    made = [each for each in begins if isinstance(each, Allocate)]
    if not made:
        made = [Allocate(lowering.array(uint64, "bits"), Number(WORDS, int64))]
        begins += made
    stream = made[0].array
    if has_functions and not any(isinstance(each, Draw) for each in begins):
        lowering.shared.program.draws["philox_made"] = None
        begins.append(Draw(lowering.variable(int64), "philox_made", stream, ()))
    return stream
