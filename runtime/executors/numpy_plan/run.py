"""The executor: compiles a program once, runs it, and says which line of the user's an error comes from."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Sequence
from itertools import islice
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from runtime.executors.notes import Compiled, located
from runtime.executors.numpy_plan.operands import Operands, operand_specs
from runtime.executors.numpy_plan.placed import Position, on_lines_of
from runtime.executors.numpy_plan.plan import plan
from runtime.executors.numpy_plan.program import Line, Program
from runtime.executors.numpy_plan.source import program_lines
from runtime.graph.graph import Graph, Node
from runtime.graph.location import Location

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
        table = _Table(namespace, lines)
        for function in program.functions:
            table.place(inspect.unwrap(namespace[function.name]), function.operands)
        program.explained = table.explained
        wrapped = _single if len(graph.outputs) == 1 else _several
        return wrapped(namespace[program.functions[-1].name], table)


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
