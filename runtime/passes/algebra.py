"""Arithmetic and logic that comes to the same with less work.

Only what is the same to the last bit, with infinities, signed zeros and wrapping integers, and NaN where it
was NaN: ``x - 0.0`` is ``x``, but ``x + 0.0`` is not where x is -0.0, and ``x * 0.0`` is not 0.0 where x is
infinite.

    >>> from runtime.passes.pipeline import shown
    >>> print(shown(run, '''
    ...     x: f32[3]
    ...     a = Const(1.0, dtype=f32)
    ...     b = Mul(x, a)
    ...     c = Neg(b)
    ...     d = Neg(c)
    ...     return d
    ... '''))
    x: f32[3]
    a = Const(1.0, dtype=f32)
    b = Neg(x)
    return x
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime import ops
from runtime.graph.build import bind
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Op
from runtime.ops.arithmetic import (
    Abs,
    AddV2,
    FloorDiv,
    FloorMod,
    Maximum,
    Minimum,
    Mul,
    Neg,
    Pow,
    RealDiv,
    Sub,
)
from runtime.ops.checks import CheckDivisor
from runtime.ops.comparison import Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual
from runtime.ops.logic import (
    BitwiseAnd,
    BitwiseOr,
    BitwiseXor,
    Invert,
    LeftShift,
    LogicalAnd,
    LogicalNot,
    LogicalOr,
    LogicalXor,
    RightShift,
)
from runtime.ops.selection import SelectV2
from runtime.passes.patterns import filled_like, is_all, is_kept, lies_alike, pairs
from runtime.passes.rule import Replacement, node_rule, rewrite, rule, rules_of

__all__ = ["run"]


@rule(AddV2)
def add_nothing(v: Value) -> Replacement:
    """`x + 0` → `x` for integers and bools, `x + -0.0` → `x` for floats."""
    for x, zero in pairs(*v.inputs):
        if (
            is_all(zero, -0.0 if x.dtype.is_floating else 0)
            and not x.dtype.is_complex
            and lies_alike(v, x, zero)
        ):
            return x
    return None


@rule(Sub)
def subtract_nothing(v: Value) -> Replacement:
    """`x - 0` → `x`, for integers and floats."""
    x, zero = v.inputs
    return x if is_all(zero, 0) and not x.dtype.is_complex and lies_alike(v, x, zero) else None


@rule(Sub)
def subtract_from_itself(v: Value) -> Replacement:
    """`x - x` → `0`, for integers."""
    x, y = v.inputs
    return filled_like(v, 0) if x is y and x.dtype.is_integer else None


@rule(Mul)
def multiply_by_one(v: Value) -> Replacement:
    """`x * 1` → `x`, for all but complex numbers, whose infinities it makes NaN."""
    for x, one in pairs(*v.inputs):
        if is_all(one, 1) and not x.dtype.is_complex and lies_alike(v, x, one):
            return x
    return None


@rule(Mul)
def multiply_by_zero(v: Value) -> Replacement:
    """`x * 0` → `0`, for integers and bools."""
    for x, zero in pairs(*v.inputs):
        if is_all(zero, 0) and (x.dtype.is_integer or x.dtype.is_bool):
            return filled_like(v, 0)
    return None


@rule(RealDiv)
def divide_by_one(v: Value) -> Replacement:
    """`x / 1.0` → `x`, for floats."""
    x, one = v.inputs
    return x if is_all(one, 1) and x.dtype.is_floating and lies_alike(v, x, one) else None


@rule(FloorDiv)
def floor_divide_by_one(v: Value) -> Replacement:
    """`x // 1` → `x`, for integers."""
    x, one = v.inputs
    return x if is_all(one, 1) and x.dtype.is_integer and lies_alike(v, x, one) else None


@rule(FloorMod)
def remainder_of_one(v: Value) -> Replacement:
    """`x % 1` → `0`, for integers."""
    x, one = v.inputs
    return filled_like(v, 0) if is_all(one, 1) and x.dtype.is_integer else None


@rule(Pow)
def first_power(v: Value) -> Replacement:
    """`x ** 1` → `x`, for integers and floats: NumPy takes the same short cut for one exponent."""
    x, one = v.inputs
    return (
        x if is_all(one, 1) and one.shape == () and not x.dtype.is_complex and lies_alike(v, x, one) else None
    )


@rule(Pow)
def second_power(v: Value) -> Replacement:
    """`x ** 2` → `square(x)`, for integers and floats with axes: NumPy takes the same short cut."""
    x, two = v.inputs
    if _takes_short_cuts(x) and is_all(two, 2) and two.shape == () and is_kept(v, x, two):
        return ops.square(x)
    return None


@rule(Pow)
def half_power(v: Value) -> Replacement:
    """`x ** 0.5` → `sqrt(x)`, for floats with axes: NumPy takes the same short cut, but not for numbers."""
    x, half = v.inputs
    is_root = x.dtype.is_floating and _takes_short_cuts(x)
    if is_root and is_all(half, 0.5) and half.shape == () and is_kept(v, x, half):
        return ops.sqrt(x)
    return None


def _takes_short_cuts(x: Value) -> bool:
    """Whether NumPy computes some powers of an operand as a square or a root.

    Of a float without axes it asks the C library, as Python does: of a thousand of its squares, one has
    another last bit than the product.
    """
    return x.dtype.is_integer or (x.dtype.is_floating and bool(x.shape))


@rule(Neg, LogicalNot, Invert)
def twice_undone(v: Value) -> Replacement:
    """`-(-x)` → `x`, `not not x` → `x`, `~~x` → `x`."""
    (y,) = v.inputs
    if type(y.op) is not type(v.op):
        return None
    (x,) = y.inputs
    return x if lies_alike(v, x) else None


@rule(Abs)
def absolute_of_sign(v: Value) -> Replacement:
    """`abs(-x)` → `abs(x)`, `abs(abs(x))` → `abs(x)`."""
    match v:
        case Value(Abs(), [Value(Abs(), _) as y]):
            return y
        case Value(Abs(), [Value(Neg(), [x])]):
            return ops.abs(x)
    return None


@rule(Maximum, Minimum, LogicalAnd, LogicalOr, BitwiseAnd, BitwiseOr)
def with_itself(v: Value) -> Replacement:
    """`max(x, x)` → `x`, `x and x` → `x`, `x | x` → `x`, …."""
    x, y = v.inputs
    return x if x is y and lies_alike(v, x) else None


@rule(LogicalAnd, BitwiseAnd)
def and_constant(v: Value) -> Replacement:
    """`x and True` → `x`, `x and False` → `False`; `x & -1` → `x`, `x & 0` → `0`."""
    for x, constant in pairs(*v.inputs):
        if is_all(constant, 0):
            return filled_like(v, 0)
        if is_all(constant, _all_bits(constant)) and lies_alike(v, x, constant):
            return x
    return None


@rule(LogicalOr, BitwiseOr)
def or_constant(v: Value) -> Replacement:
    """`x or False` → `x`, `x or True` → `True`; `x | 0` → `x`, `x | -1` → `-1`."""
    for x, constant in pairs(*v.inputs):
        if is_all(constant, 0) and lies_alike(v, x, constant):
            return x
        if is_all(constant, _all_bits(constant)):
            return filled_like(v, _all_bits(v))
    return None


@rule(LogicalXor, BitwiseXor, LeftShift, RightShift)
def no_bits_changed(v: Value) -> Replacement:
    """`x ^ 0` → `x`, `x << 0` → `x`, `x >> 0` → `x`."""
    x, zero = v.inputs
    if isinstance(x.op, Const) and isinstance(v.op, (LogicalXor, BitwiseXor)):
        x, zero = zero, x
    return x if is_all(zero, 0) and lies_alike(v, x, zero) else None


def _all_bits(value: Value) -> int:
    """The number whose bits are all set, in the dtype of `value`."""
    return int(value.dtype.max) if value.dtype.kind == "u" else 1 if value.dtype.is_bool else -1


_OPPOSITES: dict[type[Op], type[Op]] = {
    Equal: NotEqual,
    NotEqual: Equal,
    Less: GreaterEqual,
    GreaterEqual: Less,
    Greater: LessEqual,
    LessEqual: Greater,
}


@rule(LogicalNot)
def not_comparison(v: Value) -> Replacement:
    """`not x == y` → `x != y`; `not x < y` → `x >= y`, for integers and bools: NaN is neither."""
    (test,) = v.inputs
    opposite = _OPPOSITES.get(type(test.op))
    if opposite is None:
        return None
    x, y = test.inputs
    ordered = all(each.dtype.is_integer or each.dtype.is_bool for each in (x, y))
    return bind(opposite(), x, y) if ordered or isinstance(test.op, (Equal, NotEqual)) else None


@rule(SelectV2)
def known_choice(v: Value) -> Replacement:
    """`where(True, x, y)` → `x`, `where(False, x, y)` → `y`, `where(c, x, x)` → `x`."""
    condition, x, y = v.inputs
    if (x is y or is_all(condition, True)) and lies_alike(v, x, condition, y):
        return x
    return y if is_all(condition, False) and lies_alike(v, y, condition, x) else None


@rule(SelectV2)
def choice_by_opposite(v: Value) -> Replacement:
    """`where(not c, x, y)` → `where(c, y, x)`."""
    match v:
        case Value(SelectV2(), [Value(LogicalNot(), [condition]), x, y]):
            return bind(SelectV2(), condition, y, x)
    return None


@node_rule(CheckDivisor)
def known_divisor(node: Node) -> Sequence[Value] | None:
    """A check of a divisor that is known, and not 0, has nothing to do."""
    divisor = node.inputs[1].op
    return () if isinstance(divisor, Const) and bool(np.all(divisor.value)) else None


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` with simpler arithmetic and logic."""
    return rewrite(graph, _RULES)
