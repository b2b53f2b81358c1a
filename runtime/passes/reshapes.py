"""Changes of shape that change nothing, or that another one makes pointless; questions about known shapes.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     x: f32[2,3]
...     a = Reshape(x, shape=(6,))
...     b = ExpandDims(a, axis=0)
...     c = Transpose(b, perm=(1, 0))
...     d = Transpose(c, perm=(1, 0))
...     return d
... '''))
x: f32[2,3]
a = Reshape(x, shape=(6,))
b = Reshape(x, shape=(1, 6))
c = Transpose(b, perm=(1, 0))
return b
"""

from __future__ import annotations

from math import prod

import numpy as np

from runtime.core import shapes
from runtime.core.spec import ArraySpec
from runtime.graph.build import bind
from runtime.graph.graph import Graph, Value
from runtime.graph.op import Const
from runtime.ops.axes import ExpandDims, Squeeze, Transpose
from runtime.ops.core import Length
from runtime.ops.shaping import (
    BroadcastTo,
    DynamicBroadcastTo,
    DynamicReshape,
    Rank,
    Reshape,
    Shape,
    Size,
)
from runtime.passes.patterns import is_kept
from runtime.passes.rebuild import target
from runtime.passes.rule import Replacement, rewrite, rule, rules_of

__all__ = ["run"]

_RESHAPES = Reshape, DynamicReshape, ExpandDims, Squeeze
"""Ops that keep the elements and their order."""


@rule(*_RESHAPES)
def reshape_to_itself(v: Value) -> Replacement:
    """`reshape(x, shape(x))` → `x`."""
    x = v.inputs[0]
    if x.shape == v.shape and shapes.is_known(v.shape):
        return x
    match v.op:
        case Reshape(shape) if _is_own_shape(shape, x.shape):
            return x
        case Squeeze(()):
            return x
    return None


def _is_own_shape(shape: tuple[int, ...], own: shapes.Shape) -> bool:
    """Whether `shape`, with one -1 in it, is the shape of `own` for sure."""
    if own is None or len(own) != len(shape) or shape.count(-1) != 1:
        return False
    rest = [(wanted, dim) for wanted, dim in zip(shape, own, strict=True) if wanted != -1]
    return all(wanted == dim for wanted, dim in rest) and prod(wanted for wanted, _ in rest) > 0


@rule(*_RESHAPES)
def reshape_of_reshape(v: Value) -> Replacement:
    """`reshape(reshape(x, A), B)` → `reshape(x, B)`."""
    y = v.inputs[0]
    if not isinstance(y.op, _RESHAPES):
        return None
    known = [dim for dim in v.shape or () if isinstance(dim, int)]
    if v.shape is not None and len(known) == len(v.shape):
        return bind(Reshape(tuple(known)), y.inputs[0])
    return bind(v.op, y.inputs[0]) if isinstance(v.op, Reshape) and shapes.size(y.shape) is None else None


@rule(Squeeze)
def squeeze_of_expanded(v: Value) -> Replacement:
    """`squeeze(expand_dims(x, A), A)` → `x`."""
    match v:
        case Value(Squeeze((one,)), [Value(ExpandDims(other), [x])]) if one == other:
            return x
    return None


@rule(Transpose)
def transpose_to_itself(v: Value) -> Replacement:
    """`transpose(x, (0, 1, …))` → `x`."""
    match v:
        case Value(Transpose(perm), [x]) if perm == tuple(range(len(perm))) and is_kept(v, x):
            return x
    return None


@rule(Transpose)
def transpose_of_transpose(v: Value) -> Replacement:
    """`transpose(transpose(x, A), B)` → `transpose(x, A[B])`."""
    match v:
        case Value(Transpose(outer), [Value(Transpose(inner), [x])]):
            return bind(Transpose(tuple([inner[axis] for axis in outer])), x)
    return None


@rule(BroadcastTo)
def broadcast_to_itself(v: Value) -> Replacement:
    """`broadcast_to(x, shape(x))` → `x`."""
    (x,) = v.inputs
    return x if x.shape == v.shape else None


@rule(BroadcastTo)
def broadcast_of_broadcast(v: Value) -> Replacement:
    """`broadcast_to(broadcast_to(x, A), B)` → `broadcast_to(x, B)`."""
    match v:
        case Value(BroadcastTo(shape), [Value(BroadcastTo(), [x])]):
            return bind(BroadcastTo(shape), x)
    return None


@rule(DynamicReshape, DynamicBroadcastTo)
def known_after_all(v: Value) -> Replacement:
    """`reshape(x, constant)` → `reshape(x)` with the shape as attribute, and so for `broadcast_to`."""
    match v:
        case Value(op, [x, Value(Const(shape), _)]):
            to = tuple([int(dim) for dim in shape])
            return bind(Reshape(to) if isinstance(op, DynamicReshape) else BroadcastTo(to), x)
    return None


@rule(Length)
def length_of_another(v: Value) -> Replacement:
    """`length(f(x))` → a constant, or `length(x)`, where both are known to be equally long."""
    match v:
        case Value(Length(axis), [x]) if x.shape is not None:
            dim = x.shape[axis]
            if isinstance(dim, int):
                return bind(Const(np.array(dim, v.dtype.numpy)))
            for each in target().inputs:
                if isinstance(each.spec, ArraySpec) and dim in (each.shape or ()):
                    place = (each.shape or ()).index(dim)
                    return None if (each, place) == (x, axis % len(x.shape)) else bind(Length(place), each)
    return None


@rule(Shape, Size, Rank)
def question_about_known_shape(v: Value) -> Replacement:
    """`shape(x)`, `size(x)`, `rank(x)` → a constant, where the graph knows."""
    (x,) = v.inputs
    answer = {Shape: x.shape, Size: shapes.size(x.shape), Rank: x.array_spec.rank}[type(v.op)]
    if answer is None or (isinstance(answer, tuple) and not shapes.all_known(answer)):
        return None
    return bind(Const(np.array(answer, v.dtype.numpy)))


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` without pointless changes of shape."""
    return rewrite(graph, _RULES)
