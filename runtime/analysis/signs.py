"""Sign analysis: which floats are surely not negative, or not positive, whatever the arguments are.

NaN counts as neither, and -0.0 as both.

    >>> from runtime.graph.parser import from_text
    >>> graph = from_text('''
    ...     x: f64[]
    ...     y: f64[]
    ...     a = Square(x)
    ...     b = Mul(y, y)
    ...     c = AddV2(a, b)
    ...     d = Neg(c)
    ...     return c, d
    ... ''')
    >>> [sign_of(value) for value in (*graph.outputs, *graph.inputs)]
    [1, -1, 0, 0]
"""

from __future__ import annotations

import numpy as np

from runtime.graph.graph import Value
from runtime.graph.op import Const
from runtime.ops.arithmetic import Abs, AddV2, Maximum, Minimum, Mul, Neg, Pow, RealDiv, Square, Sub
from runtime.ops.casting import Cast
from runtime.ops.exponential import Exp, Sqrt

__all__ = ["sign_of"]


def sign_of(value: Value, depth: int = 6) -> int:
    """1 where a value is surely not negative, -1 where it is surely not positive, 0 where neither is known.

    Parameters
    ----------
    value : Value of floats or integers
    depth : int
        How many operations are looked through.
    """
    if depth == 0:
        return 0
    inputs = value.node.inputs

    def of(place: int) -> int:
        return sign_of(inputs[place], depth - 1)

    if isinstance(value.op, Const):
        return 1 if np.all(value.op.value >= 0) else -1 if np.all(value.op.value <= 0) else 0
    if not value.dtype.is_floating:
        return 0
    match value.op:
        case Exp() | Sqrt() | Abs() | Square():
            return 1
        case Pow() if isinstance(inputs[1].op, Const):
            return 1 if np.all(inputs[1].op.value % 2 == 0) else 0
        case Mul():
            return 1 if inputs[0] is inputs[1] else of(0) * of(1)
        case RealDiv() if isinstance(inputs[1].op, Const) and np.all(inputs[1].op.value != 0):
            return of(0) * of(1)
        case AddV2():
            return _agreed(of(0), of(1))
        case Sub():
            return _agreed(of(0), -of(1))
        case Neg():
            return -of(0)
        case Maximum():
            signs = of(0), of(1)
            return 1 if 1 in signs else _agreed(*signs)
        case Minimum():
            signs = of(0), of(1)
            return -1 if -1 in signs else _agreed(*signs)
        case Cast() if inputs[0].dtype.is_floating:
            return of(0)
    return 0


def _agreed(one: int, other: int) -> int:
    """The sign that two values have, where it is the same."""
    return one if one == other else 0
