"""The executor: compiles a program once, runs it, and says which line of the user's an error comes from."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from itertools import islice
from types import TracebackType
from typing import Any

import numpy as np

from runtime.executors.notes import Compiled, located
from runtime.executors.numpy_plan.plan import plan
from runtime.executors.numpy_plan.program import Line, Program
from runtime.executors.numpy_plan.source import program_lines
from runtime.graph.graph import Graph, Node

__all__ = ["NumPyPlan"]


class NumPyPlan:
    """Runs a graph as one Python function of NumPy calls."""

    name = "numpy"

    def compile(self, graph: Graph) -> Compiled:
        """A callable that runs `graph`."""
        program = plan(graph)
        lines = program_lines(program)
        namespace = _namespace(program)
        code = compile("\n".join(line.text for line in lines), f"<runtime plan {graph.name}>", "exec")
        exec(code, namespace)  # noqa: S102  # the text is ours: of the user's there are only names and comments
        function = namespace[program.functions[-1].name]
        wrapped = _single if len(graph.outputs) == 1 else _several
        return wrapped(function, _Table(namespace, lines))


def _namespace(program: Program) -> dict[str, Any]:
    kernels = {name: kernel for name, (kernel, _) in program.callables.items()}
    modules = {name: importlib.import_module(name) for name in program.helpers.modules}
    helpers = program.helpers
    return {"np": np, **modules, **program.constants, **helpers.exceptions, **helpers.objects, **kernels}


class _Table:
    """The nodes of a program by line, to explain its errors."""

    def __init__(self, namespace: dict[str, Any], lines: Sequence[Line]) -> None:
        self.namespace = namespace
        self.lines = lines

    def explained(self, error: Exception) -> Exception:
        """The error to raise, with the user's line: that of the innermost statement that was running."""
        found = None
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_globals is self.namespace:
                found = self._node(trace) or found
            trace = trace.tb_next
        return located(error, found)

    def _node(self, trace: TracebackType) -> Node | None:
        line = self.lines[trace.tb_lineno - 1]
        if not line.parts:
            return line.node
        positions = trace.tb_frame.f_code.co_positions()
        _, _, start, end = next(islice(positions, trace.tb_lasti // 2, None))
        part = line.text.encode()[start:end].decode()
        return line.parts.get(part, line.node)


def _single(function: Callable[..., Any], table: _Table) -> Compiled:
    def run(arrays: Sequence[Any]) -> list[Any]:
        try:
            return [function(*arrays)]
        except Exception as error:
            explained = table.explained(error)
            if explained is error:
                raise
            raise explained from None

    return run


def _several(function: Callable[..., Any], table: _Table) -> Compiled:
    def run(arrays: Sequence[Any]) -> list[Any]:
        try:
            return list(function(*arrays))
        except Exception as error:
            explained = table.explained(error)
            if explained is error:
                raise
            raise explained from None

    return run
