"""The executor: compiles a program once, runs it, and says which line of the user's an error comes from."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from itertools import islice
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from runtime.executors.notes import located
from runtime.executors.numpy_plan.operands import Operands, operand_specs
from runtime.executors.numpy_plan.placed import Position, on_lines_of
from runtime.executors.numpy_plan.plan import plan
from runtime.executors.numpy_plan.program import Line, Plan
from runtime.executors.numpy_plan.source import program_lines
from runtime.executors.numpy_plan.standalone import to_python
from runtime.executors.program import Program, Report, Step
from runtime.graph.graph import Graph, Node
from runtime.graph.location import Location

__all__ = ["NumPyPlan"]


class NumPyPlan:
    """Runs a graph as one Python function of NumPy calls."""

    name = "numpy"

    def compile(self, graph: Graph) -> Program:
        """The program that runs `graph`."""
        return _Compiled(graph)


class _Compiled(Program):
    """A plan as functions of this process."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._plan = plan(graph)
        lines = program_lines(self._plan)
        namespace = _namespace(self._plan)
        code = compile("\n".join(line.text for line in lines), f"<runtime plan {graph.name}>", "exec")
        exec(code, namespace)  # noqa: S102  # the text is ours: of the user's there are only names and comments
        self._table = _Table(namespace, lines)
        for function in self._plan.functions:
            self._table.place(inspect.unwrap(namespace[function.name]), function.operands)
        self._plan.explained = self._table.explained
        self.entry = namespace[self._plan.functions[-1].name]

    def explain(self, error: Exception) -> Exception:
        return self._table.explained(error)

    def report(self) -> Report:
        steps = [Step.of(node, runs, why, depth) for node, depth, runs, why in self._plan.ran]
        return Report(self._graph.name, NumPyPlan.name, tuple(steps))

    def source(self) -> str:
        return to_python(self._graph)


def _namespace(program: Plan) -> dict[str, Any]:
    kernels = {name: kernel for name, (kernel, _) in program.callables.items()}
    modules = {name: importlib.import_module(name) for name in program.helpers.modules}
    helpers = program.helpers
    return {"np": np, **modules, **program.constants, **helpers.exceptions, **helpers.objects, **kernels}


class _Table:
    """The nodes of a program by line, to explain its errors."""

    def __init__(self, namespace: dict[str, Any], lines: Sequence[Line]) -> None:
        self.namespace = namespace
        self.lines = lines
        self._compiled: dict[CodeType, tuple[CodeType, Operands]] = {}

    def place(self, function: FunctionType, operands: Operands) -> None:
        """Moves a function to the user's lines, which warnings and tracebacks then show."""
        compiled = function.__code__
        function.__code__ = on_lines_of(compiled, self._location)
        self._compiled[function.__code__] = compiled, operands

    def _location(self, position: Position) -> Location | None:
        node = self._node(position)
        return None if node is None else node.location

    def explained(self, error: Exception) -> Exception:
        """The error to raise, with the user's line: that of the innermost statement that was running."""
        found, specs = None, None
        trace = error.__traceback__
        while trace is not None:
            code, operands = self._compiled.get(trace.tb_frame.f_code, (None, {}))
            if code is not None and trace.tb_frame.f_globals is self.namespace:
                node = self._node(next(islice(code.co_positions(), trace.tb_lasti // 2, None)))
                if node is not None:
                    found, specs = node, operand_specs(node, operands, trace.tb_frame.f_locals)
            trace = trace.tb_next
        return located(error, found, specs)

    def _node(self, position: Position) -> Node | None:
        """What a position in the program runs."""
        number, _, start, end = position
        if number is None:
            return None
        line = self.lines[number - 1]
        return line.parts.get(line.text.encode()[start:end].decode(), line.node) if line.parts else line.node
