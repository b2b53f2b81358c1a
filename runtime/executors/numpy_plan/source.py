"""A program as the text that runs here: helpers, functions, and the line of each node."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.analysis.uses import last_uses
from runtime.executors.numpy_plan.control import indented
from runtime.executors.numpy_plan.program import Function, Line, Plan
from runtime.graph.graph import Value

__all__ = ["function_lines", "program_lines", "used_inputs"]


def program_lines(program: Plan) -> list[Line]:
    """The helpers and functions of a program, as they run on arrays."""
    helpers = [Line(text) for source in program.helpers.functions.values() for text in source.splitlines()]
    *inner, entry = program.functions
    lines = [line for function in inner for line in function_lines(program, function, [])]
    opening = [Line(f"{name} = {name}[()]") for name, value in used_inputs(entry) if value.spec.is_scalar]
    return [*helpers, *lines, *function_lines(program, entry, opening)]


def function_lines(program: Plan, function: Function, opening: Sequence[Line]) -> list[Line]:
    """A function; `opening` stands at the start of its body.

    Scalar integers wrap silently, as in NumPy's arrays: the entry sees to that where it can happen.
    """
    is_entry = function is program.functions[-1]
    quiet = [Line('@np.errstate(over="ignore")')] if program.wraps and is_entry else []
    header = Line(f"def {function.name}({', '.join(function.parameters)}):")
    return [*quiet, header, *indented([*opening, *function.lines])]


def used_inputs(function: Function) -> list[tuple[str, Value]]:
    """The parameters that the function reads, and the inputs that they stand for."""
    uses = last_uses(function.graph)
    pairs = zip(function.parameters, function.graph.inputs, strict=True)
    return [(name, value) for name, value in pairs if value in uses]
