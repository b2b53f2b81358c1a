"""Numbers that are Python's in some turns of a rolled loop, and NumPy's in others.

s = 0
if i % 3:              a number of Python's decides
    s += x[i]          NumPy's in these turns, Python's 0 in others
out[i] = s             which nobody can tell here

A graph counts such a number as NumPy's. So the loop is unrolled where that would be seen: where it meets
another dtype, could get too large or be divided by, or is there in the next turn. Who asks for its class is
answered by the test (`whose_numbers.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.backends.tensors.statements.turn_numbers import NUMBERS
from autograph.backends.tensors.statements.turns import DIFFERS, GiveUp
from autograph.staging.context import staging
from runtime.core.dtypes import DType, float64, int64
from runtime.core.spec import ArraySpec
from runtime.core.structure import flatten
from runtime.graph.build import builder_in_use, current_defaults, is_symbolic, is_weak, spec_of
from runtime.graph.graph import Node, Value
from runtime.graph.op import Const
from runtime.graph.symbol import Symbol
from runtime.ops.arithmetic import Abs, AddV2, Mul, Neg, RealDiv, Sub
from runtime.ops.casting import Cast
from runtime.ops.comparison import Comparison
from runtime.ops.exponential import Exp, Log, Sqrt
from runtime.ops.slicing import DynamicStridedSlice
from runtime.ops.tensor_list.edits import TensorListPosition
from runtime.ops.tensor_list.nodes import TensorListGetItem
from runtime.ops.trigonometry import Cos, Sin
from runtime.ops.updating import TensorStridedSliceUpdate

__all__ = ["are_one_number", "note_meeting", "require_unseen"]


def are_one_number(one: Any, other: Any) -> bool:
    """Whether one of two values is a number of Python's, and the other one of NumPy's in the dtype of it."""
    dtypes = {_dtype(one), _dtype(other)}
    return (
        len(dtypes) == 1 and not dtypes.isdisjoint(_PYTHONS) and not (_is_python(one) and _is_python(other))
    )


_PYTHONS = frozenset({int64, float64})


def _is_python(value: Any) -> bool:
    return type(value) in NUMBERS or is_weak(value)


def _dtype(value: Any) -> DType | None:
    if type(value) in NUMBERS:
        return current_defaults().of(value)
    spec = spec_of(value) if is_symbolic(value) else None
    return spec.dtype if isinstance(spec, ArraySpec) and spec.shape == () else None


def note_meeting(result: Any) -> None:
    """Remembers of what two branches leave which numbers are Python's in some turns."""
    mixed = builder_in_use().context.mixed
    leaves = [leaf.value for leaf in flatten(result)[0] if is_symbolic(leaf)]
    staging.attempts[-1].mixed.update(value for value in leaves if value in mixed)


def require_unseen(nodes: Iterable[Node], met: set[Value], left: Any) -> None:
    """Sees to it that nobody can tell whose numbers are that have `met`, nor what comes of them.

    Raises
    ------
    GiveUp
        Where somebody can, and where one is `left` for the next turn.
    """
    if met:
        _look_through(nodes, met, builder_in_use().context.mixed)
        leaves = [leaf.value if isinstance(leaf, Symbol) else leaf for leaf in flatten(left)[0]]
        if any(isinstance(leaf, Value) and leaf in met for leaf in leaves):
            raise GiveUp(DIFFERS)


def _look_through(nodes: Iterable[Node], met: set[Value], mixed: Any) -> None:
    for node in nodes:
        for region in node.op.regions:
            pairs = zip(region.graph.inputs, region.operands, strict=True)
            met.update(entered for entered, index in pairs if node.inputs[index] in met)
            _look_through(region.graph.nodes, met, mixed)
        inner = {value for region in node.op.regions for value in region.graph.outputs}
        if met.isdisjoint(node.inputs) and met.isdisjoint(inner):
            continue
        after = {value for value in node.outputs if value in mixed}
        if not node.op.regions and not _is_alike(node, met, after):
            raise GiveUp(DIFFERS)
        met |= after


def _is_alike(node: Node, met: set[Value], after: set[Value]) -> bool:
    """Whether an op does the same with a number of Python's as with one of NumPy's."""
    op = node.op
    dtypes = {getattr(value.spec, "dtype", None) for value in node.inputs}
    if isinstance(op, _LOOKING_UP):
        return True
    if len(dtypes) > 1 or any(map(_may_be_cast, set(node.inputs) - met)):
        return False
    if isinstance(op, Comparison):
        return True
    is_float = dtypes == {float64}
    if isinstance(op, RealDiv):  # Python's raises where it is divided by 0
        return is_float and not after and node.inputs[1] not in met
    return (isinstance(op, _ADDING) and (is_float or not after)) or (isinstance(op, _OF_FLOATS) and is_float)


def _may_be_cast(value: Value) -> bool:
    """Whether a value may have another dtype where it meets a number of Python's."""
    op = value.node.op
    return isinstance(op, Cast) or (isinstance(op, Const) and value not in builder_in_use().context.weak)


_LOOKING_UP = DynamicStridedSlice, TensorListGetItem, TensorListPosition, TensorStridedSliceUpdate
_ADDING = AddV2, Mul, Sub
_OF_FLOATS = Abs, Cos, Exp, Log, Neg, Sin, Sqrt
