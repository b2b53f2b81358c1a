"""Sums of products of one vector with another that slides along it: convolutions and correlations.

Where the shorter one is inside the longer one, all sums have as many products, and are a nest of two loops;
at both ends they have fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.core.dtypes import float32, float64, int64
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    Fold,
    Load,
    Number,
    Set,
    Store,
    add,
)
from runtime.executors.native.lower.lowering import Lowering, lowers, op_of
from runtime.executors.native.lower.values import Lowered
from runtime.graph.graph import Node
from runtime.ops.signals import Convolve, Correlate


@lowers(Convolve, Correlate)
def _slide(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = op_of(node)
    assert isinstance(op, Convolve | Correlate), "it lowers these"
    dtype, turns = node.outputs[0].dtype, isinstance(op, Convolve)
    if not (dtype.is_integer or dtype in {float32, float64}):
        raise Unsupported(f"NumPy adds up products of {dtype}")
    if dtype.is_floating and lowering.shared.beyond is Beyond.ANOTHER:
        raise Unsupported("a sum of floats has other last bits than NumPy's")
    (own,), (other,) = (value.shape or (None,) for value in node.inputs)
    if not isinstance(own, int) or not isinstance(other, int) or (own < other and not turns):
        raise Unsupported("NumPy knows in the run which of two vectors slides along the other")
    short, long = sorted((own, other))
    x, y = map(lowering.in_memory, node.inputs if own >= other else node.inputs[::-1])
    weights = lowering.allocated((Number(short, int64),), dtype)
    with lowering.loop(Number(short, int64)) as index:
        place = _behind(short - 1, index) if turns else index
        lowering.emit(Store(weights.array, index, Load(y.array, place)))
    before = {"full": short - 1, "same": short // 2, "valid": 0}[op.mode]
    after = {"full": short - 1, "same": short - 1 - short // 2, "valid": 0}[op.mode]
    inside = long - short + 1
    result = lowering.allocated((Number(before + inside + after, int64),), dtype)

    def sums(
        first: int, count: int, products: Callable[[Expression], tuple[Expression, Expression, Expression]]
    ) -> None:
        """So many sums: of the index of one, how many products it has, and where both vectors begin."""
        if not count:
            return
        with lowering.loop(Number(count, int64)) as index:
            many, start, weight = (lowering.name(each) for each in products(index))
            total = lowering.variable(dtype, "sum")
            lowering.emit(Set(total, Number(dtype.numpy.type(0).item(), dtype)))
            with lowering.loop(many) as step:
                here = Load(x.array, add(start, step))
                product = Apply("multiply", (here, Load(weights.array, add(weight, step))), dtype)
                lowering.emit(Fold(total, "add", product))
            lowering.emit(Store(result.array, add(index, first), total))

    zero = Number(0, int64)
    sums(0, before, lambda index: (add(index, short - before), zero, _behind(before, index)))
    sums(before, inside, lambda index: (Number(short, int64), index, zero))
    sums(before + inside, after, lambda index: (_behind(short - 1, index), add(index, inside), zero))
    return [result]


def _behind(most: int, index: Expression) -> Expression:
    return Apply("subtract", (Number(most, int64), index), int64)
