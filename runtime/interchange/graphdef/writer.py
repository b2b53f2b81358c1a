"""A graph as a GraphDef."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.stack import with_room
from runtime.graph.graph import Graph, Value
from runtime.interchange import messages
from runtime.interchange.graphdef.body import Body
from runtime.interchange.graphdef.control_flow import StructureWriter
from runtime.interchange.graphdef.functions import Library
from runtime.interchange.graphdef.operands import Constant, Endpoint
from runtime.interchange.messages import Message

__all__ = ["graph_to_graphdef", "values_by_name"]

_PRODUCER, _MIN_CONSUMER = 1286, 12
"""The version of the format that we write: TensorFlow 2.12's, so that it and every later one read it."""


@with_room
def graph_to_graphdef(graph: Graph, argument_names: Sequence[str] | None = None) -> Message:
    """`graph` as a TensorFlow GraphDef.

    Parameters
    ----------
    graph : Graph
    argument_names : sequence of str, optional
        What the inputs are called; the labels of their placeholders by default.

    Returns
    -------
    GraphDef message
        Its `str` is the text form, its `SerializeToString` gives the bytes that TensorFlow reads. An input is
        a `Placeholder`, a variable a `Placeholder` for its handle, an output an `Identity` (``Identity``,
        ``Identity_1``, …) that waits for the effects of the graph; without outputs the node ``NoOp`` does.

    Raises
    ------
    ExportError
        When the graph holds an operation that TensorFlow does not have, or calls itself.

    Examples
    --------
    >>> import numpy as np
    >>> from runtime.core.spec import TensorSpec
    >>> from runtime.graph.builder import Builder
    >>> builder = Builder("same")
    >>> graph = builder.finish([builder.input(TensorSpec((), "float32").plain, "x")])
    >>> [node.name for node in graph_to_graphdef(graph).node]
    ['x', 'Identity']
    """
    body, library = _written(graph, argument_names)
    versions = messages.VersionDef(producer=_PRODUCER, min_consumer=_MIN_CONSUMER)
    return messages.GraphDef(node=body.nodes, library=library.message(), versions=versions)


def values_by_name(graph: Graph) -> dict[str, Value]:
    """The values of `graph` by what they are called in its GraphDef, ``Greater:0``.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    dict of str to Value
        What the GraphDef has beside them, as the axes of a sum, is not in it.
    """
    body, _ = _written(graph, None)
    named: dict[str, Value] = {}
    for value, operand in body.operands.items():
        endpoint = operand.written if isinstance(operand, Constant) else operand
        if isinstance(endpoint, Endpoint):
            named.setdefault(f"{endpoint.node}:{endpoint.position}", value)
    return named


def _written(graph: Graph, argument_names: Sequence[str] | None) -> tuple[Body, Library]:
    """The nodes of a graph, and the functions that they call."""
    library = Library()
    body = Body("", in_function=False, write_structure=StructureWriter(library, graph))
    labels = argument_names or [getattr(value.op, "label", "arg") for value in graph.inputs]
    for value, label in zip(graph.inputs, labels, strict=True):
        body.operands[value] = body.placeholder(label, value.dtype, value.shape)
    body.write(graph)
    body.identities([body.operands[value] for value in graph.outputs], [v.dtype for v in graph.outputs])
    return body, library
