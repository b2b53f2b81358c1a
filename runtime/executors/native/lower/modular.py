"""Powers of integers of which only what a division leaves is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.dtypes import int64
from runtime.executors.native.beyond import Unsupported
from runtime.executors.native.language.loops import (
    Apply,
    Cast,
    Expression,
    Number,
    Set,
    While,
    as_int64,
    truth,
)
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Lowered, Scalar
from runtime.graph.graph import Node
from runtime.ops.integers import PowMod

_ZERO, _ONE = Number(0, int64), Number(1, int64)
_MOST = Number(1 << 31, int64)
"""Of divisors: products of what they leave fit in 63 bits."""


@lowers(PowMod)
def _power(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """By squares, one for each bit of the exponent."""
    dtype = node.outputs[0].dtype
    if node.outputs[0].shape != () or dtype.kind != "i":
        raise Unsupported("it runs in Python")
    base, exponent, divisor = [as_int64(lowering.scalar(each)) for each in node.inputs]
    lowering.assume(truth("greater_equal", exponent, _ZERO), "an exponent is negative")
    lowering.assume(truth("greater", divisor, _ZERO), "a divisor is no positive number")
    lowering.assume(truth("less_equal", divisor, _MOST), "a divisor has more than 31 bits")
    result, square, left = (lowering.variable(int64) for _ in range(3))
    lowering.emit(Set(result, _of("remainder", _ONE, divisor)))
    lowering.emit(Set(square, _of("remainder", base, divisor)))
    lowering.emit(Set(left, exponent))
    with lowering.block() as turn:
        more = lowering.name(_of("remainder", _of("multiply", result, square), divisor))
        is_odd = truth("not_equal", _of("bitwise_and", left, _ONE), _ZERO)
        lowering.emit(Set(result, Apply("select", (is_odd, more, result), int64)))
        lowering.emit(Set(square, _of("remainder", _of("multiply", square, square), divisor)))
        lowering.emit(Set(left, _of("right_shift", left, _ONE)))
    lowering.emit(While([], truth("greater", left, _ZERO), turn))
    return [Scalar(lowering.name(Cast(result, dtype)))]


def _of(function: str, one: Expression, other: Expression) -> Expression:
    return Apply(function, (one, other), int64)
