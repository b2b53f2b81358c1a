"""The executor: compiles a program once, runs it, and says which line of the user's an error comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.executors.notes import Compiled, note_location
from runtime.executors.numpy_plan.plan import plan
from runtime.executors.numpy_plan.program import Line, Program
from runtime.executors.numpy_plan.source import program_lines
from runtime.graph.graph import Graph

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
        exec(code, namespace)  # noqa: S102  # the program is ours: nothing of a user's text is in it but comments
        function = namespace[program.functions[-1].name]
        return _single(function, lines) if len(graph.outputs) == 1 else _several(function, lines)


def _namespace(program: Program) -> dict[str, Any]:
    found: dict[str, Any] = {"np": np, **program.constants, **program.helpers.exceptions}
    for name, (kernel, _) in program.callables.items():
        found[name] = kernel
    for name in program.helpers.modules:
        found[name] = __import__(name)
    return found


def _single(function: Callable[..., Any], lines: Sequence[Line]) -> Compiled:
    def run(arrays: Sequence[Any]) -> list[Any]:
        try:
            return [function(*arrays)]
        except Exception as error:
            _explain(error, function, lines)
            raise

    return run


def _several(function: Callable[..., Any], lines: Sequence[Line]) -> Compiled:
    def run(arrays: Sequence[Any]) -> list[Any]:
        try:
            return list(function(*arrays))
        except Exception as error:
            _explain(error, function, lines)
            raise

    return run


def _explain(error: Exception, function: Callable[..., Any], lines: Sequence[Line]) -> None:
    """Notes the user's line: that of the innermost statement of the program that was running."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals is function.__globals__:
            node = lines[trace.tb_lineno - 1].node
            found = node or found
        trace = trace.tb_next
    if found is not None:
        note_location(error, found.location)
