"""The reference executor: op by op, each through its own kernel. Slow, simple, the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.dims import name_of
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec, Spec
from runtime.core.stack import room_ahead
from runtime.errors import GraphError
from runtime.executors.notes import located
from runtime.executors.program import Program, Report, Step
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Const

__all__ = ["Reference"]


_NO_LENGTHS: Mapping[str, int] = {}


class Reference:
    """Runs a module as it stands, and checks what every kernel returns against what `infer` promised."""

    name = "reference"
    optimises = False
    is_complete = True

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

    def _run(
        self, graph: Graph, arrays: Sequence[Any], around: Mapping[str, int] = _NO_LENGTHS, level: int = 0
    ) -> list[Any]:
        """What a graph gives.

        Parameters
        ----------
        graph : Graph
        arrays : sequence
            Its inputs.
        around : mapping
            The lengths that it sees of the graph around it, by name.
        level : int
            How many graphs are around it in its function.
        """
        values: dict[Value, Any] = dict(zip(graph.inputs, arrays, strict=True))
        lengths = dict(around)
        for value, array in values.items():
            _measure(value.spec, array, lengths)
        for node in graph.nodes:
            operands = [values[value] for value in node.inputs]
            try:
                if node.location.told:
                    modes: dict[str, Any] = dict(node.location.told)
                    with np.errstate(**modes):
                        results = self._results(node, operands, lengths, level)
                else:
                    results = self._results(node, operands, lengths, level)
            except Exception as error:
                found = located(error, node, _specs(node, operands))
                if found is error:
                    raise
                raise found from None
            values.update(zip(node.outputs, results, strict=True))
        return [values[value] for value in graph.outputs]

    def _results(self, node: Node, operands: list[Any], lengths: dict[str, int], level: int) -> Sequence[Any]:
        op = node.op
        if op.callee is not None:
            several: Sequence[Any] = self._run(self.module.functions[op.callee], operands)
        elif op.regions:
            around = _NO_LENGTHS if op.regions[0].is_function else lengths
            with room_ahead(level + 1):
                several = op.run(lambda graph, arrays: self._run(graph, arrays, around, level + 1), *operands)
        else:
            results = op.kernel(*operands)
            several = results if type(results) is tuple else (results,)
            for result, spec in zip(several, node.specs, strict=True):
                _check(node, result, spec, lengths)
            return several
        for result, spec in zip(several, node.specs, strict=True):
            _measure(spec, result, lengths)
        return several


def _steps(graph: Graph, depth: int) -> Iterator[Step]:
    for node in graph.nodes:
        has_graphs = node.op.regions or node.op.callee is not None
        runs = "graphs, node by node" if has_graphs else "kernel, called and checked"
        if not isinstance(node.op, Const):
            yield Step.of(node, runs, depth=depth)
        for inner in node.op.graphs:
            yield from _steps(inner, depth + 1)


def _measure(spec: Spec, array: Any, lengths: dict[str, int]) -> None:
    """Notes how long the axes are that a spec names."""
    if isinstance(spec, ArraySpec) and spec.shape:
        lengths.update(_named(spec, np.shape(array)))


def _named(spec: ArraySpec, shape: tuple[int, ...]) -> Iterator[tuple[str, int]]:
    """The names that stand alone in a spec, and how long the axes are."""
    for dim, length in zip(spec.shape or (), shape, strict=False):
        name = name_of(dim)
        if name is not None:
            yield name, length


def _specs(node: Node, operands: Sequence[Any]) -> list[Spec]:
    """What the operands are in this run."""
    pairs = zip([value.spec for value in node.inputs], operands, strict=True)
    return [
        spec.with_shape(np.shape(operand)) if isinstance(spec, ArraySpec) else spec for spec, operand in pairs
    ]


def _check(node: Node, result: Any, spec: Spec, lengths: dict[str, int]) -> None:
    """Compares a result with its spec, a length with what those that it is made of were before."""
    if not isinstance(spec, ArraySpec):
        return
    array = np.asarray(result)
    if array.shape == spec.shape and array.dtype is spec.dtype.numpy:
        return  # as most are: all lengths are known before
    for name, length in _named(spec, array.shape):
        lengths.setdefault(name, length)
    known = spec.with_shape(shapes.substitute(spec.shape, lengths))
    if array.dtype != spec.dtype.numpy or not _is_of(array.shape, known.shape):
        raise GraphError(
            f"the kernel of {node.op.name} returned {array.dtype}{list(array.shape)}, "
            f"but the graph says {spec}" + (f", here {known}" if known != spec else "")
        )


def _is_of(shape: tuple[int, ...], known: Shape) -> bool:
    """Whether an array of `shape` fits a shape, some of whose lengths may still not be known."""
    if known is None:
        return True
    pairs = zip(shape, known, strict=False)
    return len(shape) == len(known) and all(
        dim == length or not isinstance(dim, int) for length, dim in pairs
    )
