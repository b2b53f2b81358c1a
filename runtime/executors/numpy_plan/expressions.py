"""Scalar expressions as source: what a `Map` computes, by NumPy's functions on arrays."""

from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING

import numpy as np

from runtime.executors.numpy_plan.literals import literal, numpy_name
from runtime.executors.numpy_plan.precedence import OPERAND
from runtime.ops.core.expression import Apply, Convert, Expression, Literal, Operand
from runtime.ops.scalars import SCALARS, each_by

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.kernels import Helpers

__all__ = ["map_source"]


def map_source(expression: Expression, helpers: Helpers) -> tuple[str, str | None]:
    """The source of an expression over operands, and the ufunc where it is a call of one on the operands.

    >>> from runtime.executors.numpy_plan.kernels import Helpers
    >>> from runtime.ops.core.expression import parse
    >>> map_source(parse("select(x0 > f32(0), x0, -x0)"), Helpers(str))
    ('np.where(np.greater(operand_0_, np.float32(0.0)), operand_0_, np.negative(operand_0_))', None)
    """
    ufunc = None
    if isinstance(expression, Apply) and isinstance(SCALARS[expression.function].meaning, np.ufunc):
        places = [part.index for part in expression.arguments if isinstance(part, Operand)]
        is_plain = places == list(range(len(expression.arguments)))
        ufunc = expression.function if is_plain else None
    return _source(expression, helpers), ufunc


def _source(expression: Expression, helpers: Helpers) -> str:
    match expression:
        case Operand(index):
            return OPERAND.format(index)
        case Literal(value, dtype):
            return literal(dtype.numpy.type(value))
        case Convert(to, of):
            return f"np.asarray({_source(of, helpers)}, {literal(to.numpy)})"
        case Apply(function, arguments):
            parts = ", ".join(_source(part, helpers) for part in arguments)
            meaning = SCALARS[function].meaning
            if not isinstance(meaning, partial):
                return f"{numpy_name(meaning)}({parts})"
            (of_library,) = meaning.args
            assert isinstance(each_by, FunctionType), "it is written in Python"
            helpers.modules.add("math")
            return f"{helpers.function(each_by)}(math.{of_library.__name__}, {parts})"
