"""Assembles function definitions of a program, with the conversion of their arguments."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from runtime.analysis.liveness import last_uses
from runtime.executors.numpy_plan.program import Function, Plan
from runtime.executors.numpy_plan.syntax import EMPTY, assign, call, name, numpy, subscript
from runtime.graph.graph import Value

__all__ = ["definition", "scalars", "used_inputs"]


def definition(program: Plan, function: Function, opening: Sequence[ast.stmt]) -> ast.FunctionDef:
    """A function; `opening` stands at the start of its body.

    Scalar integers wrap silently, as in NumPy's arrays: the entry sees to that where it can happen, and where
    no floats may overflow.
    """
    is_entry = function is program.functions[-1]
    quiet: list[ast.expr] = []
    if program.wraps and is_entry:
        quiet = [call(numpy("errstate"), over=ast.Constant("ignore"))]
    parameters = ast.arguments([], [ast.arg(each) for each in function.parameters], None, [], [], None, [])
    return ast.FunctionDef(function.name, parameters, [*opening, *function.body], quiet)


def scalars(function: Function) -> list[ast.stmt]:
    """``x = x[()]`` for each argument without axes: operators are fast on NumPy's scalars."""
    return [
        assign([parameter], [subscript(name(parameter), EMPTY())])
        for parameter, value in used_inputs(function)
        if value.spec.is_scalar
    ]


def used_inputs(function: Function) -> list[tuple[str, Value]]:
    """The parameters that the function reads, and the inputs that they stand for."""
    uses = last_uses(function.graph)
    pairs = zip(function.parameters, function.graph.inputs, strict=True)
    return [(parameter, value) for parameter, value in pairs if value in uses]
