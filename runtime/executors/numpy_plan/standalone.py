"""`to_python()`: a graph as a Python program that runs without this project."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from runtime.core.dtypes import LOW_PRECISION
from runtime.core.spec import ArraySpec
from runtime.core.stack import with_room
from runtime.errors import Error
from runtime.executors.numpy_plan.literals import expression, literal
from runtime.executors.numpy_plan.plan import plan
from runtime.executors.numpy_plan.printer import printed
from runtime.executors.numpy_plan.program import Function, Plan
from runtime.executors.numpy_plan.source import definition, used_inputs
from runtime.executors.numpy_plan.stand_ins import StandIns
from runtime.executors.numpy_plan.syntax import EMPTY, array_of, assign, name, subscript
from runtime.graph.module import Module

__all__ = ["to_python"]


@with_room
def to_python(module: Module, called: str | None = None) -> str:
    """The module as a Python program that needs NumPy and nothing else.

    Parameters
    ----------
    module : Module
    called : str, optional
        What its function is called; the module's name by default.

    Returns
    -------
    str
        A file whose last function is the entry. It takes what NumPy takes for arrays, in the order of the
        entry's inputs, and returns an array, or a tuple where there are several outputs. A variable becomes
        a global of the file, with the value that it has now.

    Raises
    ------
    ExportError
        When a part of it only has a meaning in this process.
    """
    program = plan(module, called)
    stand_ins = StandIns(program)
    constants = [f"{key} = {literal(value)}" for key, value in program.constants.items()]
    exceptions = [_exception_source(key, kind) for key, kind in program.helpers.exceptions.items()]
    helpers = [ast.unparse(ast.fix_missing_locations(each)) for each in program.helpers.functions.values()]
    functions = ["\n".join(printed([each])) for each in _functions(program)]
    definitions = [*exceptions, *stand_ins.functions, *helpers, *functions]
    globals_ = "\n".join([*stand_ins.objects, *constants])
    text = "\n\n\n".join(filter(None, [globals_, *definitions]))
    imports = {f"import {module}" for module in program.helpers.modules} | stand_ins.imports
    if "base64." in text:
        imports.add("import base64")
    if any(f"np.dtype({dtype.name!r})" in text for dtype in LOW_PRECISION):
        imports.add("import ml_dtypes")
    head = "\n".join([*sorted(imports), *[""] * bool(imports), "import numpy as np"])
    title = f"`{program.functions[-1].name}`, as a NumPy program."
    return f'"""{title}"""\n\n{head}\n\n{text if globals_ else _SPACE + text}\n'


_SPACE = "\n"
"""Between imports and the first function."""


def _functions(program: Plan) -> Iterator[ast.FunctionDef]:
    *inner, entry = program.functions
    for function in inner:
        yield definition(program, function, [])
    yield definition(program, entry, [ast.Expr(ast.Constant(_signature(entry))), *_conversions(entry)])


def _signature(function: Function) -> str:
    """What the function takes and gives, as a docstring."""
    pairs = zip(function.parameters, function.graph.input_specs, strict=True)
    given = ", ".join(f"{name}: {spec}" for name, spec in pairs)
    results = ", ".join(map(str, function.graph.output_specs)) or "nothing"
    return f"Takes {given or 'nothing'}; returns {results}."


def _conversions(function: Function) -> Iterator[ast.stmt]:
    """Arguments as arrays of the inputs' dtypes; without axes, as scalars."""
    for parameter, value in used_inputs(function):
        if isinstance(value.spec, ArraySpec):
            array = array_of(name(parameter), expression(value.spec.dtype.numpy))
            yield assign([parameter], [subscript(array, EMPTY()) if value.spec.is_scalar else array])


def _exception_source(name: str, kind: type[Error]) -> str:
    """One of our exceptions as a class of its own, still the built-in exception that it is."""
    builtin = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    summary = (inspect.getdoc(kind) or name).splitlines()[0]
    return _EXCEPTION.format(name, builtin.__name__, summary)


_EXCEPTION = '''class {}({}):
    """{}"""

    def __init__(self, problem, why="", way_out=""):
        super().__init__("\\n".join(filter(None, (problem, why, way_out))))'''
