"""What is known of a list that is made of the rows of a tensor, or of so many elements.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     x: f32[3,2]
...     a = TensorListFromTensor(x)
...     b = TensorListStack(a, dtype=f32)
...     c = TensorListLength(a, dtype=i64)
...     return b, c
... '''))
x: f32[3,2]
a = TensorListFromTensor(x)
b = Const(3, dtype=i64)
return x, b
"""

from __future__ import annotations

import numpy as np

from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int64
from runtime.graph.build import bind
from runtime.graph.graph import Graph, Value
from runtime.graph.op import Const
from runtime.ops.arithmetic import FloorMod
from runtime.ops.creation import Fill
from runtime.ops.shaping import Shape
from runtime.ops.slicing.cutting import StridedSlice
from runtime.ops.slicing.keys import Key
from runtime.ops.tensor_list.edits import TensorListSelect
from runtime.ops.tensor_list.nodes import (
    TensorListFromTensor,
    TensorListLength,
    TensorListReserve,
    TensorListStack,
)
from runtime.passes.patterns import is_all
from runtime.passes.rule import Replacement, rewrite, rule, rules_of

__all__ = ["run"]


@rule(TensorListStack)
def stack_of_rows(v: Value) -> Replacement:
    """stack(rows(x)) → x; a stack of no rows is as long as is known before the run."""
    match v:
        case Value(TensorListStack(dtype), [Value(TensorListFromTensor(), [x])]) if (
            x.dtype is dtype and x.shape and shapes.all_known(x.shape[1:])
        ):
            return x
    return None


@rule(TensorListLength)
def length_of_rows(v: Value) -> Replacement:
    """length(rows(x: T[n, …])) → n; length(reserve(n)) → n."""
    match v:
        case Value(TensorListLength(dtype), [Value(TensorListReserve(), [Value(Const(n), _)])]) if n >= 0:
            return bind(Const(np.asarray(n, dtype.numpy)))
        case Value(TensorListLength(dtype), [Value(TensorListFromTensor(), [x])]) if x.shape and isinstance(
            x.shape[0], int
        ):
            return bind(Const(np.asarray(x.shape[0], dtype.numpy)))
    return None


@rule(TensorListSelect)
def one_element_again_and_again(v: Value) -> Replacement:
    """select(rows(x: T[1]), places % 1) → rows(fill(shape(places), x[0])), as of `[0] * n`."""
    match v:
        case Value(_, [Value(TensorListFromTensor() as rows, [x]), Value(FloorMod(), [places, one])]) if (
            x.shape == (1,) and places.shape is not None and len(places.shape) == 1 and is_all(one, 1)
        ):
            element = bind(StridedSlice(Key((0,))), x)
            return bind(rows, bind(Fill((UNKNOWN,)), bind(Shape(int64), places), element))
    return None


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` with tensors, and their lengths, in the place of lists of their rows."""
    return rewrite(graph, _RULES)
