"""Scalar expressions as trees: what a `Map` computes, by NumPy's functions on arrays."""

from __future__ import annotations

import ast
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING

from runtime.executors.numpy_plan.literals import expression
from runtime.executors.numpy_plan.syntax import Place, array_of, attribute, call, name
from runtime.ops import roundings
from runtime.ops.core.expression import Apply, Convert, Expression, Literal, Operand
from runtime.ops.scalars import SCALARS, each_by

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.kernels import Helpers

__all__ = ["map_tree"]


def map_tree(scalars: Expression, helpers: Helpers) -> ast.expr:
    """An expression over scalars as one over arrays, with a place for each operand.

    >>> from runtime.executors.numpy_plan.kernels import Helpers
    >>> from runtime.executors.numpy_plan.syntax import filled, name
    >>> from runtime.ops.core.expression import parse
    >>> tree = map_tree(parse("select(x0 > f32(0), x0, -x0)"), Helpers(str))
    >>> ast.unparse(filled(tree, [name("x")]))
    'np.where(np.greater(x, np.float32(0.0)), x, np.negative(x))'
    """
    match scalars:
        case Operand(index):
            return Place(index)
        case Literal(value, dtype):
            return expression(dtype.numpy.type(value))
        case Convert(to, of):
            return array_of(map_tree(of, helpers), expression(to.numpy))
        case Apply(function, arguments):
            parts = [map_tree(part, helpers) for part in arguments]
            meaning = SCALARS[function].meaning
            if isinstance(meaning, FunctionType) and meaning.__module__ == roundings.__name__:
                return call(helpers.function(meaning), *parts)
            if not isinstance(meaning, partial):
                return call(expression(meaning), *parts)
            (of_library,) = meaning.args
            assert isinstance(each_by, FunctionType), "it is written in Python"
            helpers.modules.add("math")
            return call(helpers.function(each_by), attribute(name("math"), of_library.__name__), *parts)
