"""Programs as text: what runs here, and what runs anywhere."""

from __future__ import annotations

from runtime.core.dtypes import variant
from runtime.errors import ExportError
from runtime.executors.numpy_plan.control import indented
from runtime.executors.numpy_plan.liveness import last_uses
from runtime.executors.numpy_plan.literals import literal
from runtime.executors.numpy_plan.plan import plan
from runtime.executors.numpy_plan.program import Function, Line, Program
from runtime.graph.graph import Graph

__all__ = ["program_lines", "to_python"]


def program_lines(program: Program) -> list[Line]:
    """The helpers and functions of a program, as they run on arrays."""
    lines = [Line(text) for source in program.helpers.functions.values() for text in [*source.splitlines(), ""]]
    *inner, entry = program.functions
    for function in inner:
        lines += [*_function_lines(program, function, []), Line("")]
    return lines + _function_lines(program, entry, _scalars(entry))


def _function_lines(program: Program, function: Function, opening: list[Line]) -> list[Line]:
    header = Line(f"def {function.name}({', '.join(function.parameters)}):")
    quiet = [Line("@np.errstate(over='ignore')")] if program.wraps and function is program.functions[-1] else []
    return [*quiet, header, *indented([*opening, *function.lines])]


def _scalars(function: Function) -> list[Line]:
    """Inputs without axes as NumPy scalars, on which operators are fast."""
    return [
        Line(f"{name} = {name}[()]")
        for name, value in _used_inputs(function)
        if value.shape == () and value.dtype is not variant
    ]


def _used_inputs(function: Function):
    uses = last_uses(function.graph)
    pairs = zip(function.parameters, function.graph.inputs, strict=True)
    return [(name, value) for name, value in pairs if value in uses]


def to_python(graph: Graph, name: str | None = None) -> str:
    """The graph as a Python program that needs NumPy and nothing else.

    Parameters
    ----------
    graph : Graph
    name : str, optional
        What its function is called; the graph's name by default.

    Returns
    -------
    str
        A module with one public function, which takes what NumPy takes for arrays, in the order of the graph's
        inputs, and returns an array, or a tuple of arrays where there are several outputs.

    Raises
    ------
    ExportError
        When a part of the graph only has a meaning in this process, such as a variable.
    """
    program = plan(graph, name)
    for kernel_name, (_, node) in program.callables.items():
        raise ExportError(
            f"{node.op.name} ({kernel_name}) only runs in this process, so it has no place in a standalone "
            f"program\n\n{node.location.describe()}"
        )
    entry = program.functions[-1]
    lines = ["import numpy as np", ""]
    lines += [f"{key} = {literal(value)}" for key, value in program.constants.items()]
    for line in program_lines(program):
        lines.append(line.text)
    del entry
    return "\n".join(lines) + "\n"
