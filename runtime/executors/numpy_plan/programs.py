"""A plan as a program of this process, which says which line of the user's an error comes from."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import CodeType
from typing import Any

import numpy as np

from runtime.executors import clocks
from runtime.executors.notes import located, refuses
from runtime.executors.numpy_plan import clocked as clocked_
from runtime.executors.numpy_plan import operands, standalone
from runtime.executors.numpy_plan import patience as patience_
from runtime.executors.numpy_plan.handles import as_handle, as_items, has_lists
from runtime.executors.numpy_plan.plan import plan
from runtime.executors.numpy_plan.positions import Home, Position, compiled, home_of
from runtime.executors.numpy_plan.program import Function, Plan
from runtime.executors.numpy_plan.relays import Relays
from runtime.executors.numpy_plan.run import NumPyPlan
from runtime.executors.numpy_plan.source import definition, scalars
from runtime.executors.program import Program, Report, Step
from runtime.graph.graph import Graph, Node
from runtime.graph.module import Module

__all__ = ["NumPyProgram"]

_QUIET: CodeType = np.errstate(over="ignore")(len).__code__
"""What runs between a call of a program that is quiet of overflow and the program: NumPy's decorator."""


class NumPyProgram(Program):
    """A plan as functions of this process."""

    def __init__(
        self,
        module: Module,
        clock: clocks.PythonClock | None = None,
        lines: clocks.Lines | None = None,
        patience: patience_.Patience | None = None,
        warned: dict[Any, Any] | None = None,
        relays: Relays | None = None,
    ) -> None:
        self._module = module
        self._plan = plan(module, relays=relays)
        self._namespace = _namespace(self._plan)
        if warned is not None:
            self._namespace["__warningregistry__"] = warned
        if clock is not None and lines is not None:
            lap = self._plan.global_name("lap")
            self._namespace[lap] = clock.lap
            for function in self._plan.functions:
                function.body = clocked_.with_clocks(function.body, function.runs, lines, lap)
        if patience is not None:
            look = self._plan.global_name("look_at_the_clock")
            self._namespace[look] = patience.look
            for function in self._plan.functions:
                is_called = function is not self._plan.functions[-1]
                function.body = patience_.with_looks(function.body, look, is_called=is_called)
        self._placed: dict[CodeType, _Placed] = {}
        for function in self._plan.functions:
            self._define(function)
        self._plan.explained = self.explain
        entry = self._namespace[self._plan.functions[-1].name]
        self.entry = _with_handles(entry, module.entry)
        if clock is not None:
            self.entry = _between(clock, self.entry)
        if patience is not None:
            self.entry = _within(patience, self.entry)

    def _define(self, function: Function) -> None:
        """Makes a function of the plan one of this process, on the user's lines."""
        opening = scalars(function) if function is self._plan.functions[-1] else []
        home = home_of(function.runs, function.name)
        exec(compiled(definition(self._plan, function, opening), function.runs, home), self._namespace)  # noqa: S102  # the tree is ours: of the user's there are only names
        defined = inspect.unwrap(self._namespace[function.name])
        defined.__code__ = defined.__code__.replace(co_name=home.function, co_qualname=home.function)
        self._placed[defined.__code__] = _Placed(function, home)

    def explain(self, error: Exception) -> Exception:
        """The error to raise, with the user's line: that of the innermost statement that was running."""
        found, specs = None, None
        trace = error.__traceback__
        while trace is not None:
            while trace.tb_next is not None and trace.tb_next.tb_frame.f_code is _QUIET:
                trace.tb_next = trace.tb_next.tb_next
            placed = self._placed.get(trace.tb_frame.f_code)
            if placed is not None and trace.tb_frame.f_globals is self._namespace:
                position = next(islice(trace.tb_frame.f_code.co_positions(), trace.tb_lasti // 2, None))
                node = placed.node(position, trace.tb_frame.f_locals)
                if node is not None:
                    found, specs = (
                        node,
                        operands.operand_specs(node, placed.operands, trace.tb_frame.f_locals),
                    )
            trace = trace.tb_next
        return located(error, found, specs)

    def lasting(self) -> Program:
        for relay in self._plan.relays.values():
            relay.last()
        return self

    def report(self) -> Report:
        steps: list[Step] = []
        told: set[Node] = set()
        for node, depth, runs, why in self._plan.ran:
            if node in told:
                continue
            relay = self._plan.relays.get(node)
            others = () if relay is None else relay.steps(depth)
            steps += others or [Step.of(node, runs, why, depth)]
            if others:
                told.update(
                    each for graph in node.op.graphs for inner in graph.walk() for each in inner.nodes
                )
        return Report(self._module.name, NumPyPlan.name, tuple(steps))

    def source(self) -> str:
        return standalone.to_python(self._module)


def _with_handles(function: Callable[..., Any], graph: Graph) -> Callable[..., Any]:
    """A function of a program that takes and gives handles of lists, where there are lists."""
    specs = graph.output_specs
    if not has_lists([*graph.input_specs, *specs]):
        return function

    def entry(*arrays: Any) -> Any:
        results = function(*map(as_items, arrays))
        if len(specs) == 1:
            return as_handle(results, specs[0])
        return tuple(map(as_handle, results, specs))

    return entry


def _between(clock: clocks.PythonClock, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose calls a clock knows the beginning and the end of."""

    def entry(*arrays: Any) -> Any:
        clock.begin()
        try:
            return function(*arrays)
        finally:
            clock.lap(clocks.ELSEWHERE)

    return entry


def _within(patience: patience_.Patience, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose runs end when their time is over."""

    def entry(*arrays: Any) -> Any:
        patience.begin()
        try:
            return function(*arrays)
        finally:
            patience.end()

    return entry


def _namespace(program: Plan) -> dict[str, Any]:
    """What the functions of a program refer to, the helpers that kernels became among it."""
    kernels = {name: kernel for name, (kernel, _) in program.callables.items()}
    modules = {name: importlib.import_module(name) for name in program.helpers.modules}
    helpers = program.helpers
    namespace = {"np": np, **modules, **program.constants, **helpers.exceptions, **helpers.objects, **kernels}
    functions: list[ast.stmt] = list(helpers.functions.values())
    if functions:
        module = ast.fix_missing_locations(ast.Module(functions, []))
        exec(compile(module, "<runtime plan helpers>", "exec"), namespace)  # noqa: S102  # kernels of ours
    return namespace


class _Placed:
    """A function that runs, and the nodes behind its positions."""

    def __init__(self, function: Function, home: Home) -> None:
        self.operands: operands.Operands = function.operands
        self._runs = function.runs
        self._home = home
        self._nodes: dict[Position, list[Node]] = {}

    def node(self, position: Position, variables: Mapping[str, Any]) -> Node | None:
        """What runs at a position; of several nodes there, one that refuses the operands that it has now."""
        if not self._nodes:
            for node in dict.fromkeys(self._runs.values()):
                self._nodes.setdefault(self._home.position(node), []).append(node)
        nodes: Sequence[Node] = self._nodes.get(position, ())
        for node in nodes:
            specs = operands.operand_specs(node, self.operands, variables)
            if specs is not None and refuses(node.op, specs):
                return node
        return nodes[0] if nodes else None
