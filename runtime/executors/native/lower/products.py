"""Sums of products: of matrices, and of whatever axes an equation names.

Rows of the result are computed a few at a time: what is read of one operand is then used for each of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from runtime.core.dtypes import int64
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.expressions import linear
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    Fold,
    Load,
    Number,
    Set,
    Variable,
    add,
    multiply,
)
from runtime.executors.native.lower.called_products import called, is_rounded
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Elements, InMemory, Lowered, Scalar
from runtime.graph.graph import Node, Value
from runtime.ops import core

_MOST_BYTES = 1 << 23
"""Of all products of floats, up to which they are a loop; beyond, NumPy's library is faster."""
_LEAST_PRODUCTS = 256
"""Multiplications from which on rows are computed a few at a time."""
_ROWS, _SHORT_ROWS = 4, 8
"""Rows of a result that are computed at a time, at most: of one register each, more fit."""
_REGISTER = 64
"""Bytes of the widest register."""


@lowers(core.Dot)
def _dot(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, core.Dot), "it lowers these"
    if lowering.shared.beyond is Beyond.ANOTHER and is_rounded(node):
        return [called(lowering, node)]
    left, _, right = op.equation.partition("->")
    letters, dtype = left.split(","), node.outputs[0].dtype
    sizes: dict[str, int] = {}
    for names, value in zip(letters, node.inputs, strict=True):
        for name, dim in zip(names, value.shape or (), strict=True):
            if not isinstance(dim, int):
                raise Unsupported("a length of a product of matrices is only known when it runs")
            sizes[name] = max(sizes.get(name, 1), dim) if dim else 0
    if math.prod(sizes.values()) * dtype.itemsize > _MOST_BYTES and not dtype.is_integer:
        raise Unsupported("NumPy multiplies large matrices")
    operands = [
        _operand(lowering, value, is_vector=len(right) < 2 or right[-1] not in names)
        for names, value in zip(letters, node.inputs, strict=True)
    ]
    product = _Product(lowering, list(zip(letters, operands, strict=True)), right, sizes)
    if not right:
        (total,) = product.sums([{}])
        return [Scalar(total)]
    result = lowering.allocated(tuple([Number(sizes[name], int64) for name in right]), dtype)
    product.into(result)
    return [result]


def _operand(lowering: Lowering, value: Value, *, is_vector: bool) -> InMemory | Elements:
    """An operand: in memory, or of elements that are only somewhere else, as of a matrix transposed.

    Of a matrix whose rows are read again and again, these shall lie in their order.
    """
    found = lowering.values[value]
    if is_vector and isinstance(found, Elements) and found.is_cheap and not found.seams:
        return found
    return lowering.in_memory(value)


class _Product:
    """Products that are added up over some axes.

    Parameters
    ----------
    lowering : Lowering
    operands : list of pairs
        Of the letters of its axes, and an array.
    right : str
        The letters of the result.
    sizes : dict of str to int
        The length of each letter.
    """

    def __init__(
        self,
        lowering: Lowering,
        operands: list[tuple[str, InMemory | Elements]],
        right: str,
        sizes: dict[str, int],
    ) -> None:
        self._lowering = lowering
        self._operands = operands
        self._right = right
        self._sizes = sizes
        self._summed = [name for name in sizes if name not in right]

    def into(self, result: InMemory) -> None:
        """Computes all elements."""
        lowering, right = self._lowering, self._right
        name = self._of_rows()
        if name is None:
            with lowering.nest(result.dims) as outer:
                self._store(result, [dict(zip(right, outer, strict=True))])
            return
        at = right.index(name)
        rows = self._sizes[name]
        is_short = name != right[-1] and result.dtype.itemsize * self._sizes[right[-1]] <= _REGISTER
        groups = -(-rows // (_SHORT_ROWS if is_short else _ROWS))
        each, rest = divmod(rows, groups)  # as even as they can be: some groups have one more
        with lowering.nest(result.dims[:at]) as outer:
            around: dict[str, Expression] = dict(zip(right[:at], outer, strict=True))
            for count, length, start in ((rest, each + 1, 0), (groups - rest, each, rest * (each + 1))):
                if count:
                    self._groups(result, around, name, count, length, start)

    def _groups(
        self,
        result: InMemory,
        around: Mapping[str, Expression],
        name: str,
        count: int,
        length: int,
        start: int,
    ) -> None:
        """Some groups of rows of the result, all of one length, from a row on."""
        lowering, at = self._lowering, self._right.index(name)
        with lowering.loop(Number(count, int64)) as group:
            first = lowering.name(add(multiply(group, length), start))
            with lowering.nest(result.dims[at + 1 :]) as inner:
                here = {**around, **dict(zip(self._right[at + 1 :], inner, strict=True))}
                self._store(result, [{**here, name: add(first, row)} for row in range(length)])

    def _of_rows(self) -> str | None:
        """The last axis but one of a result, or its only one, if it is of one operand and worth it."""
        right, sizes = self._right, self._sizes
        name = right[-2:][0]
        of = [names for names, _ in self._operands if name in names]
        if len(self._operands) != 2 or len(of) != 1 or sizes[name] < 2 or not self._summed:
            return None
        if name == right[-1] and self._lies_together(name):
            return None  # which is a vector
        return name if math.prod(sizes.values()) >= _LEAST_PRODUCTS else None

    def _lies_together(self, name: str) -> bool:
        """Whether elements along an axis lie next to one another where they are read."""
        ((names, operand),) = [(names, operand) for names, operand in self._operands if name in names]
        axes = {each: Variable(f"{each}.axis", int64) for each in names}
        element = self._lowering.at(operand, [axes[each] for each in names])
        found = linear(element.place) if isinstance(element, Load) else None
        return found is not None and found[0].get(axes[name]) == 1

    def _store(self, result: InMemory, places: Sequence[Mapping[str, Expression]]) -> None:
        """Computes some elements, by what the letters are."""
        totals = self.sums(places)
        for indices, total in zip(places, totals, strict=True):
            self._lowering.store(result, [indices[name] for name in self._right], total)

    def sums(self, places: Sequence[Mapping[str, Expression]]) -> list[Expression]:
        """Some sums, side by side."""
        lowering, dtype = self._lowering, self._operands[0][1].dtype
        totals = [lowering.variable(dtype, "sum") for _ in places]
        for total in totals:
            lowering.emit(Set(total, Number(dtype.numpy.type(0).item(), dtype)))
        with lowering.nest(tuple([Number(self._sizes[name], int64) for name in self._summed])) as inner:
            known = dict(zip(self._summed, inner, strict=True))
            for total, indices in zip(totals, places, strict=True):
                lowering.emit(Fold(total, "add", self._product({**indices, **known})))
        return list(totals)

    def _product(self, indices: Mapping[str, Expression]) -> Expression:
        product: Expression | None = None
        for names, operand in self._operands:
            places = [
                Number(0, int64) if isinstance(dim, Number) and dim.value == 1 else indices[name]
                for name, dim in zip(names, operand.dims, strict=True)
            ]
            factor = self._lowering.at(operand, places)
            product = factor if product is None else Apply("multiply", (product, factor), operand.dtype)
        assert product is not None, "a product has operands"
        return product
