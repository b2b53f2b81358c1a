"""The dtypes that TensorFlow's ops take, where they are fewer than those that ours take.

TensorFlow refuses other dtypes when it reads a graph, or when it comes to run the node. We refuse them while
we write, where the user's line is known.
"""

from __future__ import annotations

from runtime.core.dtypes import DType, float32, float64, int32, int64, uint16, uint32, uint64
from runtime.ops.facts import COMPLEX, FLOATING, INTEGER, NUMERIC

__all__ = ["is_taken"]

_SIGNED = frozenset(dtype for dtype in INTEGER if dtype.kind == "i")
_REAL = INTEGER | FLOATING
_SINGLE_AND_DOUBLE = frozenset([float32, float64])
_SHAPES = frozenset([int32, int64])

_LIMITS = {
    "Abs": _SIGNED | FLOATING,
    "AddV2": NUMERIC,
    "BitwiseAnd": INTEGER,
    "BitwiseOr": INTEGER,
    "BitwiseXor": INTEGER,
    "BroadcastArgs": _SHAPES,
    "Conj": COMPLEX,
    "Greater": _REAL,
    "GreaterEqual": _REAL,
    "Invert": INTEGER,
    "IsFinite": FLOATING,
    "IsInf": FLOATING,
    "IsNan": FLOATING,
    "Less": _REAL,
    "LessEqual": _REAL,
    "LinSpace": FLOATING,
    "Max": _REAL,
    "Maximum": _REAL,
    "Min": _REAL,
    "Minimum": _REAL,
    "Mul": NUMERIC,
    "Neg": _SIGNED | FLOATING | COMPLEX,
    "NextAfter": _SINGLE_AND_DOUBLE,
    "Pow": _SIGNED | FLOATING | COMPLEX,
    "Range.Tidx": _SIGNED | FLOATING | frozenset([uint16, uint32, uint64]),
    "Rint": _SINGLE_AND_DOUBLE,
    "Sign": _SIGNED | FLOATING | COMPLEX,
    "StatelessRandomUniformIntV2.dtype": _SHAPES | frozenset([uint32, uint64]),
}
"""By TensorFlow's name: what the type attribute ``T``, or the one behind the dot, may be."""


def is_taken(op: str, attribute: str, dtype: DType) -> bool:
    """Whether TensorFlow's `op` takes `dtype` for a type attribute.

    >>> from runtime.core.dtypes import uint8, int8
    >>> is_taken("Neg", "T", uint8), is_taken("Neg", "T", int8)
    (False, True)
    """
    key = op if attribute == "T" else f"{op}.{attribute}"
    return key not in _LIMITS or dtype in _LIMITS[key]
