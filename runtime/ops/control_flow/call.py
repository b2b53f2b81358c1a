"""Calls of a graph from another one."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.tensor import TensorLike
from runtime.graph.build import current_graph
from runtime.graph.definition import Definition
from runtime.graph.graph import Graph, Symbol, Value
from runtime.graph.location import caller_location
from runtime.ops.control_flow.nodes import Call, RecursiveCall
from runtime.ops.control_flow.tracing import as_value

__all__: list[str] = []  # for `runtime.functions`, and no part of the namespace


def call_graph(graph: Graph, arguments: Sequence[TensorLike]) -> tuple[Symbol, ...]:
    """Records a call of `graph` in the graph being built.

    Parameters
    ----------
    graph : Graph
        Closed: what it captures must belong to the graph being built, or to one around it.
    arguments : sequence of Tensor
        One for each input that is no capture.

    Returns
    -------
    tuple of Tensor
        The outputs.

    Notes
    -----
    GraphDef "PartitionedCall", or "StatefulPartitionedCall" where the graph has effects. Semantics: the
    graph's own.

    Examples
    --------
    >>> import runtime as rt
    >>> from runtime.graph.build import building
    >>> from runtime.graph.graph import Graph
    >>> inner, outer = Graph("inner"), Graph("outer")
    >>> inner.outputs = [inner.input(rt.TensorSpec((2,)).plain)]
    >>> with building(outer):
    ...     call_graph(inner, [rt.asarray([1, 2])])[0].spec
    ArraySpec(shape=(2,), dtype=float32, element=None)
    """
    caller = current_graph()
    assert caller is not None, "a call is recorded while a graph is built"
    own = graph.inputs[: len(graph.inputs) - len(graph.captures)]
    values = [as_value(caller, argument, value.spec) for argument, value in zip(arguments, own, strict=True)]
    captured = [caller.resolve(outer) for outer in graph.captures]
    node = caller.add(Call(graph), [*values, *captured], caller_location())
    return tuple([Symbol(output) for output in node.outputs])


def call_definition(
    definition: Definition, arguments: Sequence[TensorLike], captures: Sequence[Value]
) -> tuple[Symbol, ...]:
    """Records a call of a function by its name, in the graph being built.

    Parameters
    ----------
    definition : Definition
    arguments : sequence of Tensor
        One for each input that is no capture.
    captures : sequence of Value
        What the function captures of the graphs around it.

    Returns
    -------
    tuple of Tensor
        The outputs.

    Notes
    -----
    GraphDef "PartitionedCall", or "StatefulPartitionedCall" where the graph has effects. Semantics: the
    graph's own.
    """
    caller = current_graph()
    assert caller is not None, "a call is recorded while a graph is built"
    pairs = zip(arguments, definition.input_specs, strict=False)
    values = [as_value(caller, argument, spec) for argument, spec in pairs]
    captured = [caller.resolve(outer) for outer in captures]
    node = caller.add(RecursiveCall(definition), [*values, *captured], caller_location())
    return tuple([Symbol(output) for output in node.outputs])


def definitions_of(graph: Graph) -> list[Definition]:
    """The definitions that a run of `graph` may call, by way of others, too."""
    found: dict[Definition, None] = {}
    pending = [graph]
    while pending:
        for inner in pending.pop().walk():
            for node in inner.nodes:
                if isinstance(node.op, RecursiveCall) and node.op.definition not in found:
                    found[node.op.definition] = None
                    if node.op.definition.graph is not None:
                        pending.append(node.op.definition.graph)
    return list(found)
