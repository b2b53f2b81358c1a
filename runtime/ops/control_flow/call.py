"""Calls of a graph from another one."""

from __future__ import annotations

import itertools
from collections.abc import Container, Mapping, Sequence

from runtime.core.tensor import TensorLike
from runtime.graph.build import current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.location import caller_location
from runtime.graph.module import Module
from runtime.graph.region import with_changed_graphs
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.nodes import Call, RecursiveCall
from runtime.ops.control_flow.tracing import as_value

__all__: list[str] = []  # for `runtime.functions`, and no part of the namespace


def call_graph(
    graph: Graph, arguments: Sequence[TensorLike], captures: Sequence[Value] = ()
) -> tuple[Symbol, ...]:
    """Records a call of `graph` in the graph being built.

    Parameters
    ----------
    graph : Graph
    arguments : sequence of Tensor
        One for each input that is no capture.
    captures : sequence of Value
        What its last inputs stand for: values of the graph being built, or of one around it.

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
    >>> from runtime.graph.builder import Builder
    >>> builder = Builder("same")
    >>> same = builder.finish([builder.input(rt.TensorSpec((2,)).plain)])
    >>> with building(Builder("outer")):
    ...     call_graph(same, [rt.asarray([1, 2])])[0].spec
    ArraySpec(shape=(2,), dtype=float32)
    """
    caller = current_builder()
    assert caller is not None, "a call is recorded while a graph is built"
    own = graph.input_specs[: len(graph.inputs) - len(captures)]
    values = [as_value(caller, argument, spec) for argument, spec in zip(arguments, own, strict=True)]
    captured = [caller.resolve(outer) for outer in captures]
    node = caller.add(Call(graph), [*values, *captured], caller_location())
    return tuple([Symbol(output) for output in node.outputs])


def call_function(
    call: RecursiveCall, arguments: Sequence[TensorLike], captures: Sequence[Value]
) -> tuple[Symbol, ...]:
    """Records a call of a function by its name, in the graph being built.

    Parameters
    ----------
    call : RecursiveCall
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
    GraphDef has no recursion. Semantics: the function's own.
    """
    caller = current_builder()
    assert caller is not None, "a call is recorded while a graph is built"
    values = [as_value(caller, argument, spec) for argument, spec in zip(arguments, call.takes, strict=False)]
    captured = [caller.resolve(outer) for outer in captures]
    node = caller.add(call, [*values, *captured], caller_location())
    return tuple([Symbol(output) for output in node.outputs])


def linked(module: Module) -> Graph:
    """The entry of a module, whose functions are those of the graph being built from now on.

    Where this has another function of a name already, the module's own gets a new one.
    """
    caller = current_builder()
    assert caller is not None, "a call is recorded while a graph is built"
    known = caller.context.functions
    renamed = {
        name: free_name(name, {*known, *module.functions})
        for name, graph in module.functions.items()
        if known.get(name, graph) is not graph
    }
    graphs = {graph: _with_calls_of(graph, renamed) for graph in module.graphs()} if renamed else {}
    for name, graph in module.functions.items():
        known[renamed.get(name, name)] = graphs.get(graph, graph)
    return graphs.get(module.entry, module.entry)


def name_of(graph: Graph) -> str | None:
    """The name by which the graph being built may call another one; None for one that has none."""
    caller = current_builder()
    assert caller is not None, "a call is recorded while a graph is built"
    return next((name for name, known in caller.context.functions.items() if known is graph), None)


def free_name(name: str, taken: Container[str]) -> str:
    """`name`, or the first of ``name_1``, ``name_2``, … that is not taken."""
    tries = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(1)))
    return next(each for each in tries if each not in taken)


def _with_calls_of(graph: Graph, renamed: Mapping[str, str]) -> Graph:
    """`graph` with calls of functions by their new names."""
    builder = Builder(graph.name)
    values = {value: builder.input(value.spec, value.label(), value.node.location) for value in graph.inputs}
    for node in graph.nodes:
        op = with_changed_graphs(node.op, lambda region: _with_calls_of(region.graph, renamed))
        if isinstance(op, RecursiveCall):
            op = RecursiveCall(renamed.get(op.function, op.function), op.takes, op.gives, op.does)
        inputs = tuple([values[value] for value in node.inputs])
        written = Node(builder.graph, op, inputs, node.specs, node.location)
        builder.nodes.append(written)
        values.update(zip(node.outputs, written.outputs, strict=True))
    return builder.finish([values[value] for value in graph.outputs])
