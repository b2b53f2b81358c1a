"""A kernel as source: its `return` expression over the operands, or a helper function where it is longer.

An op says how it computes in one place, its `kernel`. Here that text becomes part of a program: fields of the
op (`self.axis`) become literals, functions of the op's module become helper functions of the program.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import cached_property
from types import FunctionType
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.lists import known_shape
from runtime.core.spec import Spec
from runtime.errors import Error
from runtime.executors.numpy_plan import expressions
from runtime.executors.numpy_plan.literals import Unwritable, expression
from runtime.executors.numpy_plan.resolve import Resolver, function_tree
from runtime.executors.numpy_plan.syntax import Place, call, filled, places_in, tuple_of
from runtime.graph.op import Op
from runtime.ops.core import HostCall, Map
from runtime.ops.families import Elementwise
from runtime.ops.tensor_list.base import ListOp, ListUpdate

__all__ = ["Form", "Helpers", "snake_case", "write_change", "write_kernel"]


@dataclass
class Form:
    """An op's kernel as an expression with a place for each operand.

    Attributes
    ----------
    template : ast.expr
    ufunc : str or None
        The name of the NumPy function, where the expression is a call of it on the operands and nothing else.
    keeps_scalars : bool
        Whether a result without axes is a NumPy scalar already, and not an array.
    is_helper : bool
        Whether it is a call of a function that the kernel became.
    gives_tuple : bool
        Whether the one output comes in a tuple.
    reason : str
        Why the kernel is called as it is; "" where it is written.
    """

    template: ast.expr
    ufunc: str | None = None
    keeps_scalars: bool = False
    is_helper: bool = False
    gives_tuple: bool = False
    reason: str = ""

    def fill(self, operands: Sequence[ast.expr]) -> ast.expr:
        """The expression over these operands."""
        return filled(self.template, operands)

    @cached_property
    def uses(self) -> Counter[int]:
        """How often the expression has each operand."""
        return Counter(places_in(self.template))


@dataclass
class Helpers:
    """What the expressions of a program refer to.

    Attributes
    ----------
    name : callable
        Gives a global name that is not taken, like the one wished for.
    functions : dict of str to ast.FunctionDef
        By name; each uses only those before it, or itself.
    exceptions : dict of str to type
        Our own exceptions that helpers raise.
    objects : dict of str to object
        Live objects whose attributes are used, such as variables.
    modules : set of str
        Modules of the standard library to import.
    """

    name: Callable[[str], str]
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
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

    def kernel(self, op: Op, kernel: FunctionType, tree: ast.FunctionDef) -> tuple[str, dict[str, ast.expr]]:
        """The name of a helper that is this kernel, and the fields of `op` that it takes by keyword."""
        resolver = Resolver(kernel, self, op, parametrised=True)
        tree = resolver.resolve(tree)
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
        self.functions[name] = tree


def write_kernel(op: Op, count: int, helpers: Helpers, element: Spec | None = None) -> Form:
    """The kernel of `op` on `count` operands as source.

    Parameters
    ----------
    op : Op
    count : int
    helpers : Helpers
    element : Spec, optional
        What the elements of its list are, for an op on lists.

    Raises
    ------
    Unwritable
        When it uses what has no form as source.
    """
    if isinstance(op, HostCall):
        return write_kernel(op.called, count, helpers, element)
    if isinstance(op, Map):
        template = expressions.map_tree(op.expression, helpers)
        return Form(template, _called_ufunc(template, count))
    operands: list[ast.expr] = list(map(Place, range(count)))
    if isinstance(op, ListUpdate):
        raise Unwritable(f"{op.name} is a statement")
    if isinstance(op, ListOp):
        shape = [expression(known_shape(element))] if op.takes_shape else []
        form = _written(op, type(op).on_items, [*operands, *shape], helpers)
        return replace(form, keeps_scalars=op.keeps_scalars)
    kernel: Any = getattr(type(op), "kernel", None)
    if isinstance(op, Elementwise) and op.is_ufunc():
        kernel = op.ufunc  # numbers are seen to where the dtypes are known
    if isinstance(kernel, np.ufunc):
        return Form(call(expression(kernel), *operands), kernel.__name__)
    return _written(op, kernel, operands, helpers)


def write_change(op: ListUpdate, count: int, helpers: Helpers) -> Form:
    """What changes a list, the first of `count` operands, as source."""
    return _written(op, type(op).change, list(map(Place, range(count))), helpers)


def _written(op: Op, kernel: Any, operands: Sequence[ast.expr], helpers: Helpers) -> Form:
    if not isinstance(kernel, FunctionType):
        raise Unwritable(f"{op.name} has no kernel in Python")
    tree = function_tree(kernel)
    match tree.body:
        case [ast.Return(ast.expr() as value) | ast.Expr(value)] if not _binds_names(value):
            resolved = Resolver(kernel, helpers, op).resolve(tree)
            (statement,) = resolved.body
            assert isinstance(statement, ast.Return | ast.Expr), "it has just been one"
            assert statement.value is not None, "likewise"
            template: ast.expr = _bind_parameters(resolved.args, operands, op).visit(statement.value)
            return Form(template, _called_ufunc(template, len(operands)))
    helper, fields = helpers.kernel(op, kernel, tree)
    return Form(call(helper, *operands, **fields), is_helper=True)


def _called_ufunc(template: ast.expr, count: int) -> str | None:
    """The name of the ufunc of which an expression is a call on its operands, and nothing else."""
    match template:
        case ast.Call(ast.Attribute(ast.Name("np"), function), arguments, []):
            places = [each.index for each in arguments if isinstance(each, Place)]
            is_plain = len(places) == len(arguments) and places == list(range(count))
            return function if is_plain and isinstance(getattr(np, function), np.ufunc) else None
    return None


def snake_case(name: str) -> str:
    """``StridedSlice`` as ``strided_slice``."""
    words = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3_\2\4", name)
    return words.lower()


def _binds_names(tree: ast.AST) -> bool:
    """Whether an expression has names of its own, which an operand's name could meet."""
    return any(isinstance(node, (ast.comprehension, ast.Lambda, ast.NamedExpr)) for node in ast.walk(tree))


class _Operands(ast.NodeTransformer):
    """Parameters of a kernel replaced by operands."""

    def __init__(self, single: dict[str, ast.expr], variadic: str | None, rest: Sequence[ast.expr]) -> None:
        self.single = single
        self.variadic = variadic
        self.rest = rest

    def visit_Call(self, node: ast.Call) -> ast.AST:
        arguments: list[ast.expr] = []
        for argument in node.args:
            match argument:
                case ast.Starred(ast.Name(self.variadic)):
                    arguments += self.rest
                case _:
                    arguments.append(argument)
        node.args = arguments
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self.variadic:
            return tuple_of(self.rest)
        return self.single.get(node.id, node)


def _bind_parameters(arguments: ast.arguments, operands: Sequence[ast.expr], op: Op) -> _Operands:
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)][1:]
    defaults = dict(zip(reversed(names), reversed(arguments.defaults), strict=False))
    single: dict[str, ast.expr] = {}
    for index, parameter in enumerate(names):
        if index < len(operands):
            single[parameter] = operands[index]
        elif parameter in defaults:
            single[parameter] = defaults[parameter]
        else:
            raise Unwritable(f"{op.name} has {len(operands)} inputs and its kernel takes more")
    variadic = arguments.vararg.arg if arguments.vararg else None
    return _Operands(single, variadic, operands[len(names) :])
