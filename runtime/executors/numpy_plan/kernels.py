"""A kernel as source: its `return` expression over the operands, or a helper function where it is longer.

An op says how it computes in one place, its `kernel`. Here that text becomes part of a program: fields of the
op (`self.axis`) become literals, functions of the op's module become helper functions of the program.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from runtime.errors import Error
from runtime.executors.numpy_plan.expressions import map_source
from runtime.executors.numpy_plan.literals import Unwritable, numpy_name
from runtime.executors.numpy_plan.precedence import OPERAND, filled
from runtime.executors.numpy_plan.resolve import Resolver, function_tree
from runtime.graph.op import Op
from runtime.ops.core import HostCall, Map

__all__ = ["Helpers", "Written", "snake_case", "write_kernel"]

_OWN_PACKAGE = __name__.partition(".")[0]
_STANDARD = (math, operator)


@dataclass(frozen=True)
class Written:
    """An op's kernel as an expression with a place for each operand.

    Attributes
    ----------
    template : str
    ufunc : str or None
        The name of the NumPy function, where the expression is a call of it on the operands and nothing else.
    keeps_scalars : bool
        Whether a result without axes is a NumPy scalar already, and not an array.
    is_helper : bool
        Whether it is a call of a function that the kernel became.
    """

    template: str
    ufunc: str | None = None
    keeps_scalars: bool = False
    is_helper: bool = False

    def fill(self, operands: Sequence[str]) -> str:
        """The expression over these operands."""
        return filled(self.template, operands)

    def uses(self, index: int) -> int:
        """How often the expression has operand `index`."""
        return self.template.count(OPERAND.format(index))


@dataclass
class Helpers:
    """What the expressions of a program refer to.

    Attributes
    ----------
    name : callable
        Gives a global name that is not taken, like the one wished for.
    functions : dict of str to str
        Source by name; each uses only those before it, or itself.
    exceptions : dict of str to type
        Our own exceptions that helpers raise.
    objects : dict of str to object
        Live objects whose attributes are used, such as variables.
    modules : set of str
        Modules of the standard library to import.
    """

    name: Callable[[str], str]
    functions: dict[str, str] = field(default_factory=dict)
    exceptions: dict[str, type[Error]] = field(default_factory=dict)
    objects: dict[str, Any] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)
    _names: dict[object, str] = field(default_factory=dict)

    def function(self, source: FunctionType) -> str:
        """The name of a helper that is this function."""
        if source not in self._names:
            tree = function_tree(source)
            self._names[source] = self.name(tree.name.strip("_"))
            try:
                resolved = Resolver(source, self).resolve(tree)
            except Unwritable:
                del self._names[source]
                raise
            self._add(self._names[source], resolved)
        return self._names[source]

    def kernel(self, op: Op, kernel: FunctionType) -> tuple[str, dict[str, str]]:
        """The name of a helper that is this kernel, and the fields of `op` that it takes by keyword."""
        resolver = Resolver(kernel, self, op, parametrised=True)
        tree = resolver.resolve(function_tree(kernel))
        key = kernel, tuple(resolver.fields)
        if key not in self._names:
            tree.args.kwonlyargs = [ast.arg(each) for each in resolver.fields]
            tree.args.kw_defaults = [None] * len(resolver.fields)
            del (tree.args.posonlyargs or tree.args.args)[0]
            self._names[key] = self.name(snake_case(op.name))
            self._add(self._names[key], tree)
        return self._names[key], resolver.fields

    def exception(self, kind: type[Error]) -> str:
        """The name of one of our exceptions."""
        if kind not in self._names:
            self._names[kind] = self.name(kind.__name__)
            self.exceptions[self._names[kind]] = kind
        return self._names[kind]

    def object(self, live: Any) -> str:
        """The name of a live object."""
        key = "object", id(live)
        if key not in self._names:
            self._names[key] = self.name(getattr(live, "name", type(live).__name__))
            self.objects[self._names[key]] = live
        return self._names[key]

    def _add(self, name: str, tree: ast.FunctionDef) -> None:
        tree.name = name
        self.functions[name] = ast.unparse(ast.fix_missing_locations(tree))


def write_kernel(op: Op, count: int, helpers: Helpers) -> Written:
    """The kernel of `op` on `count` operands as source.

    Raises
    ------
    Unwritable
        When it uses what has no form as source.
    """
    if isinstance(op, HostCall):
        return write_kernel(op.called, count, helpers)
    if isinstance(op, Map):
        return Written(*map_source(op.expression, helpers))
    kernel: Any = getattr(type(op), "kernel", None)
    operands = [OPERAND.format(index) for index in range(count)]
    if isinstance(kernel, np.ufunc):
        name = numpy_name(kernel)
        return Written(f"{name}({', '.join(operands)})", name.removeprefix("np."))
    if not isinstance(kernel, FunctionType):
        raise Unwritable(f"{op.name} has no kernel in Python")
    tree = function_tree(kernel)
    if len(tree.body) == 1 and isinstance(tree.body[0], ast.Return) and not _binds_names(tree.body[0]):
        return _expression(op, kernel, operands, helpers)
    name, fields = helpers.kernel(op, kernel)
    arguments = [*operands, *(f"{key}={text}" for key, text in fields.items())]
    return Written(f"{name}({', '.join(arguments)})", is_helper=True)


def _expression(op: Op, kernel: FunctionType, operands: list[str], helpers: Helpers) -> Written:
    resolved = Resolver(kernel, helpers, op).resolve(function_tree(kernel))
    (statement,) = resolved.body
    assert isinstance(statement, ast.Return), "the caller has looked"
    if statement.value is None:
        raise Unwritable(f"{op.name} returns nothing")
    body = _bind_parameters(resolved.args, operands, op).visit(statement.value)
    text = ast.unparse(ast.fix_missing_locations(body))
    match = re.fullmatch(r"np\.(\w+)\(([^()]*)\)", text)
    is_ufunc = match is not None and match[2] == ", ".join(operands)
    return Written(text, match[1] if match and is_ufunc else None)


def snake_case(name: str) -> str:
    """``StridedSlice`` as ``strided_slice``."""
    words = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3_\2\4", name)
    return words.lower()


def _binds_names(tree: ast.AST) -> bool:
    """Whether an expression has names of its own, which an operand's name could meet."""
    return any(isinstance(node, (ast.comprehension, ast.Lambda, ast.NamedExpr)) for node in ast.walk(tree))


class _Operands(ast.NodeTransformer):
    """Parameters of a kernel replaced by operands."""

    def __init__(self, single: dict[str, ast.expr], variadic: str | None, rest: list[str]) -> None:
        self.single = single
        self.variadic = variadic
        self.rest = rest

    def visit_Call(self, node: ast.Call) -> ast.AST:
        arguments: list[ast.expr] = []
        for argument in node.args:
            starred = isinstance(argument, ast.Starred) and isinstance(argument.value, ast.Name)
            if starred and argument.value.id == self.variadic:  # type: ignore[attr-defined]  # a Starred name
                arguments += [ast.Name(each, ast.Load()) for each in self.rest]
            else:
                arguments.append(argument)
        node.args = arguments
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self.variadic:
            return ast.Tuple([ast.Name(each, ast.Load()) for each in self.rest], ast.Load())
        return self.single.get(node.id, node)


def _bind_parameters(arguments: ast.arguments, operands: list[str], op: Op) -> _Operands:
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)][1:]
    defaults = dict(zip(reversed(names), reversed(arguments.defaults), strict=False))
    single: dict[str, ast.expr] = {}
    for index, name in enumerate(names):
        if index < len(operands):
            single[name] = ast.Name(operands[index], ast.Load())
        elif name in defaults:
            single[name] = defaults[name]
        else:
            raise Unwritable(f"{op.name} has {len(operands)} inputs and its kernel takes more")
    variadic = arguments.vararg.arg if arguments.vararg else None
    return _Operands(single, variadic, operands[len(names) :])
