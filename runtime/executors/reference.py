"""The reference executor: op by op, each through its own kernel. Slow, simple, the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.analysis.calls import entered
from runtime.core import shapes
from runtime.core.spec import ArraySpec, Spec
from runtime.errors import GraphError
from runtime.executors.notes import located
from runtime.executors.program import Program, Report, Step
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.ops.control_flow import RecursiveCall

__all__ = ["Reference"]


class Reference:
    """Runs a graph as it stands, and checks what every kernel returns against what `infer` promised."""

    name = "reference"

    def compile(self, graph: Graph) -> Program:
        """The program that runs `graph`; nothing is prepared."""
        return _Walk(graph)


class _Walk(Program):
    """A graph that is walked through, node by node."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def entry(self, *arrays: Any) -> Any:
        results = _run(self.graph, arrays)
        return results[0] if len(results) == 1 else tuple(results)

    def report(self) -> Report:
        return Report(self.graph.name, Reference.name, tuple(_steps(self.graph, 0)))

    def source(self) -> str:
        return self.graph.text()


def _steps(graph: Graph, depth: int) -> Iterator[Step]:
    for node in graph.nodes:
        runs = "graphs, node by node" if entered(node) else "kernel, called and checked"
        if not isinstance(node.op, Const):
            yield Step.of(node, runs, depth=depth)
        for inner in node.op.graphs:
            yield from _steps(inner, depth + 1)


def _run(graph: Graph, arrays: Sequence[Any]) -> list[Any]:
    values: dict[Value, Any] = dict(zip(graph.inputs, arrays, strict=True))
    for node in graph.nodes:
        operands = [values[value] for value in node.inputs]
        try:
            results = _results(node, operands)
        except Exception as error:
            found = located(error, node, _specs(node, operands))
            if found is error:
                raise
            raise found from None
        values.update(zip(node.outputs, results, strict=True))
    return [values[value] for value in graph.outputs]


def _specs(node: Node, operands: Sequence[Any]) -> list[Spec]:
    """What the operands are in this run."""
    pairs = zip([value.spec for value in node.inputs], operands, strict=True)
    return [
        spec.with_shape(np.shape(operand)) if isinstance(spec, ArraySpec) else spec for spec, operand in pairs
    ]


def _results(node: Node, operands: list[Any]) -> Sequence[Any]:
    op = node.op
    if isinstance(op, RecursiveCall):
        return _run(op.definition.body, operands)
    if op.regions:
        return op.run(_run, *operands)
    results = op.kernel(*operands)
    several = results if type(results) is tuple else (results,)
    for result, spec in zip(several, node.specs, strict=True):
        _check(node, result, spec)
    return several


def _check(node: Node, result: Any, spec: Spec) -> None:
    if not isinstance(spec, ArraySpec):
        return
    array = np.asarray(result)
    if array.dtype != spec.dtype.numpy or not shapes.contains(spec.shape, array.shape):
        raise GraphError(
            f"the kernel of {node.op.name} returned {array.dtype}{list(array.shape)}, "
            f"but the graph says {spec}"
        )
