"""Numbers and elements: constants, maps, lengths, checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from runtime.analysis.intervals import Range, compares_numbers, range_of
from runtime.core.dims import Dim
from runtime.core.dtypes import DType, as_dtype, bool_, float32, float64, int64
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language import loops
from runtime.executors.native.language.loops import Cast, Expression, Number, Variable
from runtime.executors.native.lower.building import require_function
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Dims, Elements, InMemory, Lowered, Scalar
from runtime.executors.native.numpys_own import ONLY_LOOPS, PREFIX, is_numpys, way_of_power
from runtime.graph.graph import Node
from runtime.graph.op import Const
from runtime.ops import core
from runtime.ops.core import expression as scalar

__all__ = ["broadcast"]


@lowers(Const)
def _const(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, Const), "it lowers these"
    return [lowering.constant(node.op.value)]


@lowers(core.Map)
def _map(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, core.Map), "it lowers these"
    dtypes = tuple([value.dtype for value in node.inputs])
    knows = not node.outputs[0].shape  # an index, perhaps; of arrays, ranges seldom say as much
    tree = _of_ranges(node.op.expression, dtypes, lambda: list(map(lowering.ranges.of, node.inputs)), knows)
    own = lowering.shared.beyond is Beyond.ANOTHER
    exponents: list[Expression] = []
    anything = [_any_of(lowering.values[value]) for value in node.inputs]
    _computed(tree, anything, dtypes, exponents, by_numpy=own)
    for exponent in exponents:
        _require_natural(lowering, exponent)
    shape = node.outputs[0].shape
    assert shape is not None, "the rank is known"
    for value in node.inputs:
        repeated = lowering.values[value]
        if value.shape != shape and isinstance(repeated, Elements) and not repeated.is_of_places:
            lowering.in_memory(value)  # each element is wanted more than once
    seams = _seams(lowering, node, len(shape))
    if math.prod(len(each) + 1 for each in seams) > _MOST_PIECES:
        for value in node.inputs:
            found = lowering.values[value]
            if isinstance(found, Elements) and found.seams:
                lowering.in_memory(value)
        seams = ()
    operands = [lowering.values[value] for value in node.inputs]

    first = [node.inputs.index(value) for value in node.inputs]

    def element(read: Callable[[int], Expression]) -> Expression:
        """The element that operands make, each of which is read once."""
        named = {index: lowering.name(read(index)) for index in dict.fromkeys(first)}
        return _computed(tree, [named[index] for index in first], dtypes, by_numpy=own)

    if not shape:
        number = element(lambda index: lowering.at(operands[index], ()))
        if isinstance(number, Cast) and number.of.dtype.is_floating and tree == _cast_of_one(number.dtype):
            number = replace(number, fits=_is_of(number.dtype, lowering.ranges.of(node.inputs[0])))
        return [Scalar(lowering.name(number))]
    dims, readers = broadcast(lowering, node, shape)

    is_met = node.outputs[0] in lowering.meeting

    def at(indices: Sequence[Expression]) -> Expression:
        def computed() -> Expression:
            return element(lambda index: readers[index](indices))

        return lowering.once((node, tuple(indices)), computed) if is_met else computed()

    def at_place(place: Expression) -> Expression:
        def computed() -> Expression:
            return element(lambda index: _at_place(operands[index], place))

        return lowering.once((node, place), computed) if is_met else computed()

    result = node.outputs[0].dtype
    lowering.array(result)
    is_flat = all(
        isinstance(each, Scalar)
        or (
            value.shape == shape
            and (isinstance(each, InMemory) or (isinstance(each, Elements) and each.at_place is not None))
        )
        for value, each in zip(node.inputs, operands, strict=True)
    )
    of_places = result is int64 and _is_linear(tree) and all(map(_is_of_places, operands))
    flat = at_place if is_flat else None
    return [Elements(dims, result, at, flat, is_cheap=of_places, is_of_places=of_places, seams=seams)]


def _cast_of_one(to: DType) -> scalar.Expression:
    return scalar.Convert(to, scalar.Operand(0))


def _is_of(dtype: DType, found: Range | None) -> bool:
    """Whether numbers of a range are whole numbers of a dtype."""
    return found is not None and dtype.is_integer and found.is_in(Range(int(dtype.min), int(dtype.max)))


def _of_ranges(
    tree: scalar.Expression,
    dtypes: tuple[DType, ...],
    ranges: Callable[[], Sequence[Range | None]],
    knows: bool,
) -> scalar.Expression:
    """An expression with what the ranges of its operands say.

    Numbers that are never negative are divided as such: nothing is rounded down. Of two numbers of which a
    test chooses always the same, that is left.
    """
    match tree:
        case scalar.Convert(to, of):
            return scalar.Convert(to, _of_ranges(of, dtypes, ranges, knows))
        case scalar.Apply("select", (scalar.Apply(_, (one, _)) as test, *ways)) if (
            knows and compares_numbers(test) and scalar.dtype_of(one, dtypes).is_integer
        ):
            found = range_of(test, ranges(), dtypes)
            if found is not None and found.least == found.most:
                return _of_ranges(ways[0 if found.least else 1], dtypes, ranges, knows)
            return scalar.Apply("select", (test, *[_of_ranges(each, dtypes, ranges, knows) for each in ways]))
        case scalar.Apply(function, arguments):
            given = tuple([_of_ranges(each, dtypes, ranges, knows) for each in arguments])
            dtype = scalar.dtype_of(tree, dtypes)
            if function not in {"floor_divide", "remainder"} or dtype.kind != "i":
                return scalar.Apply(function, given)
            number, divisor = [range_of(each, ranges(), dtypes) for each in arguments]
            if number is None or divisor is None or number.least < 0 or divisor.least < 0:
                return scalar.Apply(function, given)
            if function == "remainder" and (once := _once_around(given, number, divisor)) is not None:
                return once
            if _is_power_of_two(divisor):
                return scalar.Apply(function, given)
            natural = as_dtype(f"u{dtype.name}")
            return scalar.Convert(
                dtype, scalar.Apply(function, tuple([scalar.Convert(natural, each) for each in given]))
            )
    return tree


def _once_around(
    given: Sequence[scalar.Expression], number: Range, divisor: Range
) -> scalar.Expression | None:
    """The remainder of a number that is less than two times its divisor, as `(i + 1) % n` in `range(n)`."""
    one, by = given
    if number.most < divisor.least:
        return one
    if not _is_linear(one):  # it is written several times
        return None
    less = scalar.Apply("subtract", (one, by))
    if number.most == divisor.least == divisor.most:  # it is asked of one turn
        return scalar.Apply("select", (scalar.Apply("equal", (one, by)), less, one))
    if number.most >= 2 * divisor.least or _is_power_of_two(divisor):
        return None
    return scalar.Apply("select", (scalar.Apply("less", (one, by)), one, less))


def _is_power_of_two(found: Range) -> bool:
    """Whether a number is known, and makes a division a shift."""
    return found.least == found.most and found.least.bit_count() == 1


_MOST_PIECES = 16
"""Loops that are made of one: LLVM's time grows with them."""


def _seams(lowering: Lowering, node: Node, rank: int) -> tuple[frozenset[int], ...]:
    """The seams of all operands; all of these with any have the shape of the result."""
    found = [lowering.values[value] for value in node.inputs]
    seams = [each.seams for each in found if isinstance(each, Elements) and each.seams]
    if not seams:
        return ()
    return tuple([frozenset[int]().union(*[each[axis] for each in seams]) for axis in range(rank)])


def _is_linear(tree: scalar.Expression) -> bool:
    """Whether whole numbers are only added up, and multiplied by known ones: as numbers of places are."""
    match tree:
        case scalar.Apply("add" | "subtract", (one, other)):
            return _is_linear(one) and _is_linear(other)
        case scalar.Apply("multiply", (one, scalar.Literal()) | (scalar.Literal(), one)):
            return _is_linear(one)
    return isinstance(tree, scalar.Operand | scalar.Literal)


def _is_of_places(value: Lowered) -> bool:
    return isinstance(value, Scalar) or (isinstance(value, Elements) and value.is_of_places)


def _at_place(value: Lowered, place: Expression) -> Expression:
    if isinstance(value, Scalar):
        return value.value
    if isinstance(value, InMemory):
        return loops.Load(value.array, place)
    assert isinstance(value, Elements), "a list has no axes"
    assert value.at_place is not None, "it was asked"
    return value.at_place(place)


Read: TypeAlias = Callable[[Sequence[Expression]], Expression]
"""The element of an operand, at indices of the result."""


def broadcast(lowering: Lowering, node: Node, shape: Sequence[Dim]) -> tuple[Dims, list[Read]]:
    """The lengths of a result, and for each operand how its element at indices of the result is read."""
    dims: list[Expression | None] = [Number(dim, int64) if isinstance(dim, int) else None for dim in shape]
    readers = []
    unsure: list[tuple[int, Expression]] = []
    for value in node.inputs:
        found = lowering.values[value]
        own = value.shape
        assert own is not None, "the rank is known"
        offset = len(shape) - len(own)
        fixed = []
        for axis, dim in enumerate(own):
            is_repeated = dim == 1 and shape[offset + axis] != 1
            if not is_repeated and dim != shape[offset + axis]:
                unsure.append((offset + axis, lowering.dims(value)[axis]))
            fixed.append(is_repeated)
            if not is_repeated and dims[offset + axis] is None:
                dims[offset + axis] = lowering.dims(value)[axis]
        readers.append(_reader(lowering, found, offset, fixed))
    for axis, length in unsure:
        if dims[axis] is None:
            dims[axis] = length
    assert None not in dims, "every length is that of an operand"
    known: Dims = tuple([dim for dim in dims if dim is not None])
    for axis, length in unsure:  # NumPy may have to repeat an element, or to refuse
        same = loops.Apply("equal", (length, known[axis]), bool_)
        lowering.assume(same, "lengths differ")
    return known, readers


def _reader(lowering: Lowering, value: Lowered, offset: int, fixed: Sequence[bool]) -> Read:
    def read(indices: Sequence[Expression]) -> Expression:
        own = [
            Number(0, int64) if is_repeated else index
            for index, is_repeated in zip(indices[offset:], fixed, strict=True)
        ]
        return lowering.at(value, own)

    return read


def _computed(
    tree: scalar.Expression,
    operands: Sequence[Expression],
    dtypes: tuple[DType, ...],
    exponents: list[Expression] | None = None,
    *,
    by_numpy: bool,
) -> Expression:
    """A scalar expression in the loop language; the exponents of whole numbers are added to `exponents`.

    `by_numpy`: NumPy's own loops compute what has other bits than NumPy's elsewhere.
    """
    match tree:
        case scalar.Operand(index):
            return operands[index]
        case scalar.Literal(value, dtype):
            return Number(value, dtype)
        case scalar.Convert(to, of):
            inner = _computed(of, operands, dtypes, exponents, by_numpy=by_numpy)
            if isinstance(inner, Number) and to.kind == "u" and inner.value >= 0:
                return Number(inner.value, to)
            return inner if inner.dtype is to else Cast(inner, to)
        case scalar.Apply(function, arguments):
            given = tuple(
                [_computed(each, operands, dtypes, exponents, by_numpy=by_numpy) for each in arguments]
            )
            result = scalar.dtype_of(tree, dtypes)
            if function == "scalar_power" and result.is_floating and not by_numpy:
                function = "power"
            if by_numpy and function == "power" and (way := _way_of(given[1])):
                return loops.Apply(way, given[:1], result)
            if by_numpy and is_numpys(function, given[-1].dtype):
                return loops.Apply(f"{PREFIX}{function}", given, result)
            if function in _DEGREES:
                return loops.Apply("multiply", (given[0], _degrees(function, result)), result)
            if _is_square(function, given):
                return loops.Apply("square", given[:1], result)
            if function in ONLY_LOOPS:
                raise Unsupported(f"`{function}` is computed by NumPy")
            require_function(function, given[-1].dtype)
            if function == "power" and given[0].dtype.is_integer and exponents is not None:
                exponents.append(given[1])
            if function == "reciprocal" and given[0].dtype.is_integer:
                raise Unsupported("`reciprocal` of integers is computed by NumPy")
            if function == "divide" and (factor := _reciprocal(given[-1])):
                return loops.Apply("multiply", (given[0], factor), result)
            return loops.Apply(function, given, result)


def _degrees(function: str, dtype: DType) -> Number:
    """What NumPy multiplies an angle by, as numbers of the dtype are divided."""
    half = dtype.numpy.type(math.pi), dtype.numpy.type(180.0)
    one, other = half if function == "deg2rad" else half[::-1]
    return Number(float(one / other), dtype)


_DEGREES = frozenset({"deg2rad", "rad2deg"})


def _way_of(exponent: Expression) -> str | None:
    """The function that NumPy's powers with an exponent are."""
    if not isinstance(exponent, Number) or not exponent.dtype.is_floating:
        return None
    return way_of_power(float(exponent.value), exponent.dtype)


def _reciprocal(divisor: Expression) -> Number | None:
    """The number whose products are the quotients by a power of two, in each bit and with the same flags."""
    if not isinstance(divisor, Number) or divisor.dtype not in _MOST_HALVINGS or not divisor.value:
        return None
    part, halvings = math.frexp(divisor.value)
    is_one = abs(part) == 0.5 and abs(halvings - 1) <= _MOST_HALVINGS[divisor.dtype]
    return Number(1 / divisor.value, divisor.dtype) if is_one else None


_MOST_HALVINGS = {float32: 126, float64: 1022}
"""The powers of two up to which a number and its reciprocal lack no digits."""


def _is_square(function: str, given: Sequence[Expression]) -> bool:
    """Whether a complex number is raised to the second power."""
    exponent = given[-1]
    return (
        function == "power"
        and exponent.dtype.is_complex
        and isinstance(exponent, Number)
        and exponent.value == 2
    )


def _any_of(value: Lowered) -> Expression:
    """What stands for any element."""
    assert isinstance(value, Scalar | InMemory | Elements), "it has elements"
    return value.value if isinstance(value, Scalar) else Variable(_ANY, value.dtype)


_ANY = "any"


def _require_natural(lowering: Lowering, exponent: Expression) -> None:
    """Leaves negative powers of integers to NumPy: they are an error."""
    if exponent.dtype.kind == "u" or (isinstance(exponent, Number) and exponent.value >= 0):
        return
    if _is_of_any(exponent):
        raise Unsupported("a negative power of an integer is an error, which NumPy finds")
    natural = loops.Apply("greater_equal", (exponent, Number(0, exponent.dtype)), bool_)
    lowering.assume(natural, "an integer has no negative powers among the integers")


def _is_of_any(expression: Expression) -> bool:
    """Whether it differs from element to element."""
    match expression:
        case Variable(name):
            return name == _ANY
        case Cast(of, _):
            return _is_of_any(of)
        case loops.Apply(_, arguments):
            return any(map(_is_of_any, arguments))
    return False


@lowers(core.Length)
def _length(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, core.Length), "it lowers these"
    return [Scalar(lowering.dims(node.inputs[0])[node.op.axis])]
