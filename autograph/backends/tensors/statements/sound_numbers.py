"""What numbers of a rolled loop become in its graph has to mean what they mean as constants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from autograph.backends.tensors.statements.turn_numbers import TurnNumber, may_be_zero
from autograph.backends.tensors.statements.turns import GiveUp
from runtime.core.dtypes import DType
from runtime.core.structure import flatten
from runtime.graph.graph import Node, Value
from runtime.ops.arithmetic import FloorDiv, FloorMod, Pow, RealDiv
from runtime.ops.casting import Cast
from runtime.ops.joining import ConcatV2, Pack
from runtime.ops.tensor_list.nodes import TensorListFromTensor

__all__ = ["require_sound"]

_UNLIKE_CONSTANTS = Pow, Pack, ConcatV2
"""Ops that are others where a number of Python's is known."""
_DIVIDES = RealDiv, FloorDiv, FloorMod


def require_sound(nodes: Sequence[Node], shown: dict[Value, TurnNumber]) -> None:
    """Sees to it that numbers mean in a graph what they mean as constants.

    Raises
    ------
    GiveUp
        Where a constant would be cast otherwise, or another op would be there.
    """
    for node in nodes:
        fields, _ = flatten(list(node.op.attributes().values()))
        if any(isinstance(each, TurnNumber) for each in fields):
            raise GiveUp(f"a number of the loop is wanted as one number of Python's by {node.op.name}")
        for place, value in enumerate(node.inputs):
            number = shown.get(value)
            if number is None or node.op.regions:
                continue
            if isinstance(node.op, _UNLIKE_CONSTANTS) and not _is_for_a_list(node, nodes):
                raise GiveUp(f"a number of the loop goes into {node.op.name}")
            if isinstance(node.op, _DIVIDES) and place == 1 and may_be_zero(number):
                raise GiveUp("a number of the loop that is 0 in some turn divides")
            if isinstance(node.op, Cast):
                if not _casts_as_constant(number, node.op.to):
                    raise GiveUp(f"a number of the loop does not fit into {node.op.to}")
                shown = {**shown, node.outputs[0]: number}
        for region in node.op.regions:
            inside = {
                entered: shown[node.inputs[index]]
                for entered, index in zip(region.graph.inputs, region.operands, strict=True)
                if node.inputs[index] in shown
            }
            require_sound(region.graph.nodes, shown | inside)


def _is_for_a_list(node: Node, nodes: Iterable[Node]) -> bool:
    """Whether numbers are stacked for nothing but a list of the graph, which has them as they are."""
    users = [each for each in nodes if any(value in node.outputs for value in each.inputs)]
    return isinstance(node.op, Pack) and [type(each.op) for each in users] == [TensorListFromTensor]


_EXACT = {"float16": 1 << 11, "bfloat16": 1 << 8}
"""Integers up to which a dtype has each of them."""


def _casts_as_constant(number: TurnNumber, to: DType) -> bool:
    """Whether NumPy gives a number of Python's this dtype without an error or another rounding."""
    if number.ag__kind is bool or to.kind == "b":
        return True
    if number.ag__kind is int:
        if to.is_integer:
            bounds = np.iinfo(to.numpy)
            return number.ag__fits(int(bounds.min), int(bounds.max))
        most = _EXACT.get(to.name, 1 << 53)
        return number.ag__fits(-most, most)
    if to.is_integer or to.name in _EXACT:
        return False
    largest = float(np.finfo(to.numpy).max)
    return all(abs(value) < largest for value in number.ag__values)
