"""Which exceptions a node may raise when it runs: what a `try` around it may have to catch.

What is said here is on the safe side: an op that is not mentioned may raise anything. Warnings do not count,
and neither does running out of memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runtime.core import shapes
from runtime.core.spec import ArraySpec
from runtime.errors import CheckFailed, IndexOutOfRange, ShapeError
from runtime.graph.graph import Graph, Node
from runtime.graph.op import Const, Effects, Op, Placeholder
from runtime.ops.arithmetic import Pow
from runtime.ops.casting import Cast
from runtime.ops.checks import Assert, CheckDivisor
from runtime.ops.control_flow.try_catch import Caught, Checkpoint, Evaluated, NewCell, NoError
from runtime.ops.families import Contraction, Elementwise, IndexMap, Reduction
from runtime.ops.gathering import AdvancedIndex, GatherNd, GatherV2, TakeAlongAxis
from runtime.ops.printing import PrintV2
from runtime.ops.raising import Raise
from runtime.ops.shaping import DynamicBroadcastTo, DynamicReshape
from runtime.ops.slicing import DynamicStridedSlice, StridedSlice
from runtime.ops.updating import UPDATES, AdvancedCombine, AdvancedPower, AdvancedUpdate
from runtime.ops.validity import ERRORS, Require
from runtime.ops.variable_ops import ReadVariableOp

__all__ = ["Failures", "failures", "failures_in"]

Failures = frozenset[type[BaseException]]

_NONE: Failures = frozenset()
_SHAPES: Failures = frozenset([ShapeError])
_INDICES: Failures = frozenset([IndexOutOfRange])
_ANYTHING: Failures = frozenset([Exception])

_INDEXING = (
    *(AdvancedIndex, DynamicStridedSlice, GatherNd, GatherV2, TakeAlongAxis),
    *UPDATES,
)
"""Ops with indices that are known when the graph runs."""


def failures(op: Op, inputs: Sequence[ArraySpec]) -> Failures:
    """The exceptions that an op without graphs may raise on inputs of these specs.

    Parameters
    ----------
    op : Op
    inputs : sequence of ArraySpec
    """
    match op:
        case Const() | Placeholder() | Cast() | PrintV2() | ReadVariableOp():
            return _NONE
        case Checkpoint() | Evaluated() | NewCell() | NoError() | Caught():
            return _NONE
        case Raise(recipe):
            return frozenset([recipe.kind])
        case Assert():
            return frozenset([CheckFailed])
        case Require(error):
            return frozenset([ERRORS[error]])
        case CheckDivisor():
            return frozenset([ZeroDivisionError])
        case Pow() if inputs[0].dtype.is_integer:
            return _of_shapes(inputs) | {ValueError}
        case StridedSlice():
            return _NONE if shapes.is_known(inputs[0].shape) else _INDICES
        case AdvancedCombine() | AdvancedUpdate() if _counts(op, inputs):
            return _ANYTHING
        case _ if isinstance(op, _INDEXING):
            return _of_shapes(inputs) | _INDICES
        case Reduction():
            return _NONE if shapes.is_known(inputs[0].shape) and shapes.size(inputs[0].shape) else _SHAPES
        case Elementwise() if len(inputs) < 2:  # takes any shape
            return _NONE
        case DynamicReshape() | DynamicBroadcastTo():
            return _SHAPES
        case Elementwise() | IndexMap() | Contraction():
            return _of_shapes(inputs)
    return _NONE if op.effects is Effects.RANDOM else _ANYTHING


def _counts(op: Op, inputs: Sequence[ArraySpec]) -> bool:
    """Whether an update may raise for other reasons: those of masks, and of powers of integers."""
    return isinstance(op, AdvancedPower) or any(spec.dtype.is_bool for spec in inputs[2:])


def _of_shapes(inputs: Sequence[ArraySpec]) -> Failures:
    """Shapes that are known fit: they were looked at when the node was made."""
    return _NONE if all(shapes.is_known(spec.shape) for spec in inputs) else _SHAPES


def failures_in(nodes: Iterable[Node]) -> Failures:
    """The exceptions that may leave these nodes, with the graphs inside of them."""
    return _of_nodes(nodes, {})


def _of_nodes(nodes: Iterable[Node], known: dict[Graph, Failures]) -> Failures:
    """As `failures_in`; `known` are those of graphs that were met before, as some are called twice."""
    found: set[type[BaseException]] = set()
    for node in nodes:
        regions = node.op.regions
        if not regions:
            found |= failures(node.op, [value.spec for value in node.inputs])
        for region in regions:
            if region.graph not in known:
                known[region.graph] = _of_nodes(region.graph.nodes, known)
            found |= {kind for kind in known[region.graph] if not issubclass(kind, region.catches)}
    return frozenset(found)
