"""The reference executor: op by op, each through its own kernel. Slow, simple, the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.spec import ArraySpec, Spec
from runtime.errors import GraphError
from runtime.executors.notes import located
from runtime.executors.program import Program, Report, Step
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Const

__all__ = ["Reference"]


class Reference:
    """Runs a module as it stands, and checks what every kernel returns against what `infer` promised."""

    name = "reference"
    optimises = False

    def compile(self, module: Module) -> Program:
        """The program that runs `module`; nothing is prepared."""
        return _Walk(module)


class _Walk(Program):
    """A module that is walked through, node by node."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def entry(self, *arrays: Any) -> Any:
        results = self._run(self.module.entry, arrays)
        return results[0] if len(results) == 1 else tuple(results)

    def report(self) -> Report:
        return Report(self.module.name, Reference.name, tuple(_steps(self.module.entry, 0)))

    def source(self) -> str:
        return self.module.text(show_specs=True)

    def _run(self, graph: Graph, arrays: Sequence[Any]) -> list[Any]:
        values: dict[Value, Any] = dict(zip(graph.inputs, arrays, strict=True))
        for node in graph.nodes:
            operands = [values[value] for value in node.inputs]
            try:
                results = self._results(node, operands)
            except Exception as error:
                found = located(error, node, _specs(node, operands))
                if found is error:
                    raise
                raise found from None
            values.update(zip(node.outputs, results, strict=True))
        return [values[value] for value in graph.outputs]

    def _results(self, node: Node, operands: list[Any]) -> Sequence[Any]:
        op = node.op
        if op.callee is not None:
            return self._run(self.module.functions[op.callee], operands)
        if op.regions:
            return op.run(self._run, *operands)
        results = op.kernel(*operands)
        several = results if type(results) is tuple else (results,)
        for result, spec in zip(several, node.specs, strict=True):
            _check(node, result, spec)
        return several


def _steps(graph: Graph, depth: int) -> Iterator[Step]:
    for node in graph.nodes:
        has_graphs = node.op.regions or node.op.callee is not None
        runs = "graphs, node by node" if has_graphs else "kernel, called and checked"
        if not isinstance(node.op, Const):
            yield Step.of(node, runs, depth=depth)
        for inner in node.op.graphs:
            yield from _steps(inner, depth + 1)


def _specs(node: Node, operands: Sequence[Any]) -> list[Spec]:
    """What the operands are in this run."""
    pairs = zip([value.spec for value in node.inputs], operands, strict=True)
    return [
        spec.with_shape(np.shape(operand)) if isinstance(spec, ArraySpec) else spec for spec, operand in pairs
    ]


def _check(node: Node, result: Any, spec: Spec) -> None:
    if not isinstance(spec, ArraySpec):
        return
    array = np.asarray(result)
    if array.dtype != spec.dtype.numpy or not shapes.contains(spec.shape, array.shape):
        raise GraphError(
            f"the kernel of {node.op.name} returned {array.dtype}{list(array.shape)}, "
            f"but the graph says {spec}"
        )
