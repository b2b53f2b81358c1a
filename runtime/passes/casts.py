"""Casts that change nothing, or that a later cast makes pointless.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     x: f32[3]
...     a = Cast(x, to=f64)
...     b = Cast(a, to=f32)
...     c = Neg(b)
...     return c
... '''))
x: f32[3]
a = Cast(x, to=f64)
b = Neg(x)
return b
"""

from __future__ import annotations

from functools import cache

from runtime import ops
from runtime.core.dtypes import DType, floating_limits
from runtime.graph.graph import Graph, Value
from runtime.ops.casting import Cast
from runtime.passes.rule import Replacement, rewrite, rule, rules_of

__all__ = ["holds_all", "run"]


@rule(Cast)
def cast_to_itself(v: Value) -> Replacement:
    """cast(x: T, T) → x."""
    match v:
        case Value(Cast(to), [x]) if x.dtype is to:
            return x
    return None


@rule(Cast)
def cast_of_cast(v: Value) -> Replacement:
    """cast(cast(x, A), B) → cast(x, B), when A holds every value that x can have."""
    match v:
        case Value(Cast(outer), [Value(Cast(inner), [x])]) if _is_detour(x.dtype, inner, outer):
            return ops.cast(x, outer)
    return None


@cache
def _is_detour(source: DType, inner: DType, outer: DType) -> bool:
    if not holds_all(inner, source):
        return False
    # An integer out of range wraps when it is cast from integers, but is undefined when cast from floats.
    return not outer.is_integer or inner.is_integer or source.is_bool or holds_all(outer, source)


@cache
def holds_all(to: DType, source: DType) -> bool:
    """Whether every value of dtype `source` is one of dtype `to`, exactly.

    >>> from runtime.core.dtypes import float64, int32, int64
    >>> holds_all(float64, int32), holds_all(float64, int64)
    (True, False)
    """
    if to is source or source.is_bool:
        return True
    if to.is_integer:
        return source.is_integer and to.min <= source.min and source.max <= to.max
    if source.is_integer:
        digits = floating_limits(to).nmant + 1 if to.kind in "fc" else 0
        return bool(max(abs(source.min), source.max + 1) <= 2**digits)
    return to.kind in "fc" and source.kind in "fc"[: "fc".index(to.kind) + 1] and _is_as_wide(to, source)


def _is_as_wide(to: DType, source: DType) -> bool:
    wide, narrow = floating_limits(to), floating_limits(source)
    return bool(wide.nmant >= narrow.nmant and wide.maxexp >= narrow.maxexp)


_RULES = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` without pointless casts."""
    return rewrite(graph, _RULES)
