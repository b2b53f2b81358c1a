"""`tf.Operation`: the nodes of a graph as TensorFlow lists them, and the tensors between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.compat.tf.shapes import TensorShape
from runtime.core.dtypes import DType
from runtime.core.shapes import written
from runtime.graph.graph import Graph, Value
from runtime.graph.symbol import Symbol
from runtime.interchange.graphdef.writer import graph_to_graphdef, values_by_name

__all__ = ["GraphTensor", "Operation", "OperationTensor"]


class GraphTensor(Symbol):
    """A tensor of a graph that is finished: `concrete.inputs` and `concrete.outputs`."""

    __slots__ = ()

    @property
    def shape(self) -> TensorShape:
        """The length of each axis, None for one that only a run knows."""
        return TensorShape(written(self.static_shape))


class OperationTensor:
    """What an operation of a graph gives.

    Attributes
    ----------
    op : Operation
    value_index : int
        Which of its outputs it is.
    """

    def __init__(self, op: Operation, value_index: int, value: Value | None) -> None:
        self.op = op
        self.value_index = value_index
        self._value = value

    @property
    def name(self) -> str:
        """The name of the operation, and the position among its outputs."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def graph(self) -> Graph:
        """The graph that it is in."""
        return self.op.graph

    @property
    def dtype(self) -> DType | None:
        """The dtype; None of what the GraphDef alone has, as the axes of a sum."""
        return None if self._value is None else self._value.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape as far as it is known."""
        return TensorShape(None if self._value is None else written(self._value.shape))

    def __repr__(self) -> str:
        known = "" if self._value is None else f" shape={self.shape} dtype={self.dtype}"
        return f"<tf.Tensor {self.name!r}{known}>"


class Operation:
    """A node of a graph, as its GraphDef has it.

    Attributes
    ----------
    graph : Graph
    node_def : NodeDef message

    >>> from autograph.compat import tf
    >>> @tf.function
    ... def double(x):
    ...     return x + x
    >>> double.get_concrete_function(tf.constant(1)).graph.get_operations()[1]
    <tf.Operation 'add' type=AddV2>
    """

    device = ""
    """Where it was asked to run: there is one device."""

    def __init__(self, graph: Graph, node_def: Any, around: _Around) -> None:
        self.graph = graph
        self.node_def = node_def
        self._around = around

    @property
    def name(self) -> str:
        """What it is called in the graph."""
        return str(self.node_def.name)

    @property
    def type(self) -> str:
        """TensorFlow's name for what it does."""
        return str(self.node_def.op)

    @property
    def inputs(self) -> tuple[OperationTensor, ...]:
        """What it takes."""
        return tuple([self._around.tensor(each) for each in self.node_def.input if each[0] != "^"])

    @property
    def control_inputs(self) -> list[Operation]:
        """What has to have happened before it."""
        return [self._around.operations[each[1:]] for each in self.node_def.input if each[0] == "^"]

    @property
    def outputs(self) -> list[OperationTensor]:
        """What it gives, as far as anything takes it."""
        return self._around.outputs(self)

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"

    def __str__(self) -> str:
        return str(self.node_def)


class _Around:
    """The operations of a graph by name, and the values between them."""

    def __init__(self, graph: Graph) -> None:
        self.operations = {node.name: Operation(graph, node, self) for node in graph_to_graphdef(graph).node}
        self._values: Mapping[str, Value] = values_by_name(graph)

    def tensor(self, name: str) -> OperationTensor:
        """A tensor as a GraphDef calls it: ``add``, ``cond:1``."""
        node, _, position = name.partition(":")
        op, index = self.operations[node], int(position or 0)
        return OperationTensor(op, index, self._value(op, index))

    def outputs(self, op: Operation) -> list[OperationTensor]:
        """What an operation gives: what the graph knows of, and what another operation takes."""
        taken = {
            each.partition(":")[::2] for other in self.operations.values() for each in other.node_def.input
        }
        known = {name.partition(":")[::2] for name in self._values}
        places = {int(position or 0) for node, position in taken | known if node == op.name}
        places |= {0} if op.type == "Identity" else set()
        return [self.tensor(f"{op.name}:{place}") for place in sorted(places)]

    def _value(self, op: Operation, index: int) -> Value | None:
        found = self._values.get(f"{op.name}:{index}")
        if found is None and op.type == "Identity":  # it has the value of what it takes
            node, _, position = op.node_def.input[0].partition(":")
            return self._value(self.operations[node], int(position or 0))
        return found


# ── methods of TensorFlow's, on graphs ──


def _get_operations(self: Graph) -> list[Operation]:
    """The operations in order."""
    return [*_Around(self).operations.values()]


def _get_operation_by_name(self: Graph, name: str) -> Operation:
    """The operation of a name.

    Raises
    ------
    KeyError
        When there is none.
    """
    found = _Around(self).operations.get(name)
    if found is None:
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
    return found


def _get_tensor_by_name(self: Graph, name: str) -> OperationTensor:
    """The tensor of a name, ``add:0``.

    Raises
    ------
    KeyError
        When there is none.
    """
    around = _Around(self)
    node, _, position = name.partition(":")
    found = around.operations.get(node)
    for each in [] if found is None else found.outputs:
        if position == str(each.value_index):
            return each
    raise KeyError(f"The name {name!r} refers to a Tensor which does not exist.")


Graph.get_operations = _get_operations  # type: ignore[attr-defined]  # names of TensorFlow's
Graph.get_operation_by_name = _get_operation_by_name  # type: ignore[attr-defined]  # likewise
Graph.get_tensor_by_name = _get_tensor_by_name  # type: ignore[attr-defined]  # likewise
