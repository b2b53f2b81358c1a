"""Products of matrices and vectors by NumPy's own loops, with its bits.

Which of a library's functions NumPy calls depends on where elements lie, so the loop is handed the steps that
NumPy's arrays have: those of an array in the order of its indices, or of a part of one. Nothing is copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, int64
from runtime.executors.native import numpys_sums
from runtime.executors.native.beyond import Unsupported
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    Number,
    Part,
    Sums,
    add,
    as_int64,
    multiply,
)
from runtime.executors.native.layouts import Layouts
from runtime.executors.native.lower.lowering import Lowering
from runtime.executors.native.lower.moving import affine
from runtime.executors.native.lower.values import Dims, Elements, InMemory, Lowered, Scalar
from runtime.graph.graph import Node, Value
from runtime.ops import core

__all__ = ["called", "is_called", "is_rounded"]

_ZERO, _ONE = Number(0, int64), Number(1, int64)


@dataclass(frozen=True)
class _Call:
    """A call of a loop of NumPy's.

    Attributes
    ----------
    function : str
    count : str
        The letters of axes of many products.
    axes : tuple of str
        The letters of the axes of one product: of rows, of what is added up and of columns, each of which may
        be none; or of vectors.
    """

    function: str
    count: str
    axes: tuple[str, ...]

    @property
    def own(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The letters of the axes of each operand, and of the result, of one product."""
        if self.function == "vecdot":
            return self.axes, self.axes, ()
        rows, inner, columns = self.axes
        return (rows, inner), (inner, columns), (rows, columns)


def is_rounded(node: Node) -> bool:
    """Whether what is added up are floats, of which the order decides the last bits."""
    dtype = node.outputs[0].dtype
    return dtype.is_floating or dtype.is_complex


def is_called(node: Node, layouts: Layouts) -> bool:
    """Whether a product of floats is computed by NumPy's own loop, with its bits."""
    return is_rounded(node) and _call_of(node, layouts) is not None


def _call_of(node: Node, layouts: Layouts) -> _Call | None:
    op = node.op
    assert isinstance(op, core.Dot), "it is a product"
    left, _, right = op.equation.partition("->")
    dtype = node.outputs[0].dtype
    if len(node.inputs) != 2 or any(value.shape is None or value.dtype is not dtype for value in node.inputs):
        return None
    if not all(map(layouts.seen_from, node.inputs)):
        return None
    one, other = left.split(",")
    if op.order == "matmul":
        return (
            _of_matrices(node, layouts, one, other, right) if numpys_sums.has_loop("matmul", dtype) else None
        )
    if op.order == "vecdot":
        is_there = not dtype.is_complex and numpys_sums.has_loop("vecdot", dtype)
        return _Call("vecdot", right, (one[-1],)) if is_there else None
    if op.order == "tensordot" and numpys_sums.is_like_matmul(dtype):
        return _of_tables(node, layouts, one, other)
    return None


def _of_matrices(node: Node, layouts: Layouts, one: str, other: str, right: str) -> _Call | None:
    """`np.matmul`: capital letters count, and a vector lacks one of three axes."""
    count = "".join(letter for letter in right if letter.isupper())
    names = [each.lstrip(count) for each in (one, other)]
    rows, inner = names[0][:-1], names[0][-1]
    columns = names[1].replace(inner, "")
    if rows and columns and not _is_known_if_squared(node, layouts):
        return None
    return _Call("matmul", count, (rows, inner, columns))


def _is_known_if_squared(node: Node, layouts: Layouts, *, is_turned: bool = False) -> bool:
    """Whether it is known if a matrix meets itself, transposed: of such a product NumPy computes one half.

    It is, too, where none `is_turned`.
    """
    (one, maps), (other, more) = [layouts.seen_from(value)[0] for value in node.inputs]
    may_be = is_turned or maps or more
    return not may_be or one.shape != other.shape or layouts.are_told_apart(one, other)


def _of_tables(node: Node, layouts: Layouts, one: str, other: str) -> _Call | None:
    """`np.tensordot` of vectors and matrices, along one axis.

    One product in each sum goes another way there.
    """
    shared = set(one) & set(other)
    if len(shared) != 1 or len(one) > 2 or len(other) > 2:
        return None
    (inner,) = shared
    if not all(_is_plain(value, layouts) for value in node.inputs):
        return None
    if (node.inputs[0].shape or ())[one.index(inner)] == 1:
        return None
    rows, columns = one.replace(inner, ""), other.replace(inner, "")
    is_turned = one.endswith(inner) is other.endswith(inner)
    if rows and columns and not _is_known_if_squared(node, layouts, is_turned=is_turned):
        return None
    return _Call("matmul", "", (rows, inner, columns))


def _is_plain(value: Value, layouts: Layouts) -> bool:
    """Whether an array lies in order or is a table transposed; a vector, whether it goes forward."""
    if layouts.lies_in_order(value) or len(value.shape or ()) == 1:
        return layouts.lies_upward(value)
    whole, maps = layouts.seen_from(value)[-1]
    ops = [node.op for node in maps]
    return (
        len(ops) == 1
        and isinstance(ops[0], core.AffineMap)
        and ops[0].index == ("i1", "i0")
        and value.shape == (whole.shape or ())[::-1]
    )


def called(lowering: Lowering, node: Node) -> Lowered:
    """A product by NumPy's loop."""
    op, layouts = node.op, lowering.shared.layouts
    assert isinstance(op, core.Dot), "it is one"
    assert layouts is not None, "NumPy's bits are asked for"
    call = _call_of(node, layouts)
    if call is None:
        raise Unsupported("a sum of floats has other last bits than NumPy's")
    lowering.shared.program.is_in_order = True
    left, _, right = op.equation.partition("->")
    lengths: dict[str, Expression] = {"": _ONE}
    seen = [
        _Seen.of(lowering, layouts, value, names)
        for names, value in zip(left.split(","), node.inputs, strict=True)
    ]
    for each in seen:
        _meet(lowering, node, lengths, each, call)
    if op.order == "tensordot" and not isinstance(inner := lengths[call.axes[1]], Number):
        is_sum = lowering.name(Apply("not_equal", (inner, _ONE), bool_))
        lowering.give_up_unless(is_sum, node, "Exception", "")
    result = lowering.allocated(tuple([lengths[name] for name in right]), node.outputs[0].dtype)
    found = _Seen(result, right, result.dims, _ZERO, _steps_of(result.dims))
    *outer, last = [*call.count] or [""]
    with lowering.nest(tuple([lengths[name] for name in outer])) as indices:
        around: dict[str, Expression] = dict(zip(outer, indices, strict=True))
        parts = [
            each.part(around, (last, *axes)) for each, axes in zip((*seen, found), call.own, strict=True)
        ]
        named = tuple([lengths[name] for name in (last, *call.axes)])
        lowering.emit(Sums(call.function, parts[2], (parts[0], parts[1]), named))
    if not right:
        return Scalar(lowering.name(result.at(())))
    return result


def _meet(
    lowering: Lowering, node: Node, lengths: dict[str, Expression], operand: _Seen, call: _Call
) -> None:
    """Takes the lengths of an operand's axes; those that are added up are equal, others may be 1."""
    for name, dim in zip(operand.letters, operand.dims, strict=True):
        known = lengths.setdefault(name, dim)
        if known == dim:
            continue
        if name in call.count and Number(1, int64) in (known, dim):
            lengths[name] = dim if known == _ONE else known
        else:
            is_one = lowering.name(Apply("equal", (known, dim), bool_))
            lowering.give_up_unless(is_one, node, "ValueError", "")


@dataclass(frozen=True)
class _Seen:
    """An array in memory, or a part of it: where elements are by letters."""

    array: InMemory
    letters: str
    dims: Dims
    place: Expression
    steps: tuple[Expression, ...]

    @classmethod
    def of(cls, lowering: Lowering, layouts: Layouts, value: Value, letters: str) -> _Seen:
        """An operand, as NumPy sees it."""
        whole, maps = _there(lowering, layouts, value)
        dims = lowering.dims(value)
        memory = lowering.in_memory(whole)
        place: Expression = _ZERO
        steps = _steps_of(memory.dims)
        for node in reversed(maps):
            place, steps = _through(lowering, node, place, steps)
        return cls(memory, letters, dims, lowering.name(place), steps)

    def part(self, around: dict[str, Expression], axes: Sequence[str]) -> Part:
        """The part that a product takes: its axes, and what is counted first."""
        at = dict(zip(self.letters, zip(self.dims, self.steps, strict=True), strict=True))
        place = add(self.place, *[_apart(*at[name], index) for name, index in around.items() if name in at])
        return Part(
            self.array.array, place, tuple([_apart(*at[name]) if name in at else _ZERO for name in axes])
        )


def _apart(dim: Expression, step: Expression, turns: Expression = _ONE) -> Expression:
    """How far elements along an axis are apart; one of length 1 has no step, as NumPy has it."""
    if isinstance(dim, Number):
        return _ZERO if dim.value == 1 else multiply(step, turns)
    is_one = Apply("equal", (dim, _ONE), bool_)
    return Apply("select", (is_one, _ZERO, multiply(step, turns)), int64)


def _there(lowering: Lowering, layouts: Layouts, value: Value) -> tuple[Value, list[Node]]:
    """The largest array of which another one is a part that still holds what it did then."""
    now, found = lowering.values[value], layouts.seen_from(value)
    for whole, maps in found:
        memory = lowering.values[whole]
        is_same = isinstance(now, Elements) and isinstance(memory, InMemory)
        is_kept = isinstance(memory, InMemory | Elements) and not layouts.may_be_written(whole)
        if whole is value or is_same or is_kept:
            if whole is not found[0][0] and len(value.shape or ()) > 1:
                break  # whether the matrix meets itself is not seen any more
            return whole, maps
    raise Unsupported("it is a product of a part of an array that is written into")


def _steps_of(dims: Dims) -> tuple[Expression, ...]:
    """How far elements of an array in order are apart, along each axis."""
    return tuple([multiply(*dims[axis + 1 :]) for axis in range(len(dims))])


def _through(
    lowering: Lowering, node: Node, place: Expression, steps: tuple[Expression, ...]
) -> tuple[Expression, tuple[Expression, ...]]:
    """Where the elements of a part of an array are, of which it is known where its own are."""
    op = node.op
    assert isinstance(op, core.AffineMap), "it is one"
    scalars = [as_int64(lowering.scalar(value)) for value in node.inputs[1:]]
    at = [multiply(affine(terms, scalars, ()), step) for terms, step in zip(op.places, steps, strict=True)]
    found: list[Expression] = [_ZERO] * len(op.shape)
    for terms, step in zip(op.places, steps, strict=True):
        for index, factor in _moving(terms, scalars):
            found[index] = multiply(factor, step)
    return add(place, *at), tuple(found)


def _moving(
    terms: Sequence[tuple[int, tuple[int, ...], int | None]], scalars: Sequence[Expression]
) -> Iterator[tuple[int, Expression]]:
    for factor, names, index in terms:
        if index is not None:
            yield index, multiply(factor, *[scalars[name] for name in names])
