"""Copies functions of this project into a standalone program, with what they refer to.

Fields of the op (`self.axis`) become literals or keyword parameters, helper functions and exceptions of a
module become the program's own, and objects whose state changes (`self.variable`) become globals.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import math
import operator
import textwrap
from functools import cache
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.errors import Error
from runtime.executors.numpy_plan.literals import Unwritable, expression
from runtime.executors.numpy_plan.syntax import attribute, copied, name
from runtime.graph.op import Effects, Op

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.kernels import Helpers

__all__ = ["Resolver", "function_tree"]

_OWN_PACKAGE = __name__.partition(".")[0]
_STANDARD = (importlib, math, operator)


def function_tree(function: FunctionType) -> ast.FunctionDef:
    """A fresh tree of `function` without annotations, decorators and docstring."""
    return copied(_tree(function))


@cache
def _tree(function: FunctionType) -> ast.FunctionDef:
    """As `function_tree`, read once and never changed."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError) as error:
        raise Unwritable(f"the source of {function.__qualname__} is not at hand") from error
    tree, *others = ast.parse(source).body
    if others or not isinstance(tree, ast.FunctionDef) or tree.decorator_list:
        raise Unwritable(f"{function.__qualname__} is no plain function")
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    tree.returns = None
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
    _Unannotated().visit(tree)
    return tree


class _Unannotated(ast.NodeTransformer):
    """``name: type = value`` as ``name = value``."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return None if node.value is None else ast.Assign([node.target], node.value)


class Resolver(ast.NodeTransformer):
    """Names from outside a function replaced by what a standalone program has in their place."""

    def __init__(
        self, function: FunctionType, helpers: Helpers, op: Op | None = None, *, parametrised: bool = False
    ) -> None:
        if set(function.__code__.co_freevars):
            raise Unwritable(f"{function.__qualname__} is a closure")
        self.function = function
        self.helpers = helpers
        self.op = op
        self.parametrised = parametrised
        self.fields: dict[str, ast.expr] = {}
        self.self_name: str | None = None
        self.locals: set[str] = set()

    def resolve(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        """`tree` for the program."""
        parameters = [each.arg for each in ast.walk(tree.args) if isinstance(each, ast.arg)]
        stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.locals = {*parameters, *stored}
        if self.op is not None:
            self.self_name = parameters[0]
        tree.body = [self.visit(statement) for statement in tree.body]
        return tree

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        path: list[str] = []
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            path.insert(0, root.attr)
            root = root.value
        if not isinstance(root, ast.Name):
            return self.generic_visit(node)
        if root.id == self.self_name:
            found = self._field(path)
            if isinstance(found, ast.Attribute):
                found.ctx = node.ctx  # a kernel may write to what a live object holds
            return found
        found = self._outside(root.id)
        if isinstance(found, ModuleType) and found.__name__.startswith(_OWN_PACKAGE) and len(path) == 1:
            return self._global(getattr(found, path[0]))
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match self.generic_visit(node):
            case ast.Call(ast.Name("getattr"), [start, ast.Constant(str(part))], []) if part.isidentifier():
                return attribute(start, part)  # `getattr(np.fft, self.function)`
            case visited:
                return visited

    def _field(self, path: list[str]) -> ast.expr:
        """The longest part of ``self.a.b`` whose value has a form as source; the rest is written on."""
        if len(path) > 1 and self._is_live(path[0]):
            live = name(self.helpers.object(getattr(self.op, path[0])))
            return attribute(self._parameter(path[:1], live), *path[1:])
        for length in range(len(path), 0, -1):
            try:
                value = expression(_reach(self.op, path[:length]))
            except (AttributeError, Unwritable):
                continue
            return attribute(self._parameter(path[:length], value), *path[length:])
        raise Unwritable(f"self.{'.'.join(path)} of {self.op!r} has no form as source")

    def _is_live(self, field: str) -> bool:
        """Whether a field is an object whose state matters: only an op with effects has such."""
        assert self.op is not None, "only a kernel has fields"
        if not self.op.effects & ~Effects.CHECKS:
            return False
        found = getattr(self.op, field, None)
        try:
            expression(found)
        except Unwritable:
            return hasattr(self.op, field) and not isinstance(found, DType) and not callable(found)
        return False

    def _parameter(self, path: list[str], value: ast.expr) -> ast.expr:
        if not self.parametrised:
            return value
        parameter = "_".join(path)
        while parameter in self.locals:
            parameter += "_"
        self.fields[parameter] = value
        return name(parameter)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self.self_name:
            raise Unwritable(f"the kernel of {self.op!r} uses the op itself")
        if node.id in self.locals:
            return node
        found = self._outside(node.id)
        return node if found is getattr(builtins, node.id, _MISSING) else self._global(found)

    def _outside(self, identifier: str) -> Any:
        if identifier in self.locals:
            return None
        found = self.function.__globals__.get(identifier, getattr(builtins, identifier, _MISSING))
        if found is _MISSING:
            raise Unwritable(f"{self.function.__qualname__} uses {identifier}, which is not defined")
        return found

    def _is_own(self, function: FunctionType) -> bool:
        """Whether the source of a function may go into the program: it is ours, or of the op's own module."""
        module = function.__module__
        return module.startswith(_OWN_PACKAGE) or module == self.function.__module__

    def _global(self, found: Any) -> ast.expr:
        """What stands in the program for an object of a module."""
        if found is np:
            return name("np")
        if isinstance(found, ModuleType) and found in _STANDARD:
            self.helpers.modules.add(found.__name__)
            return name(found.__name__)
        if isinstance(found, FunctionType) and self._is_own(found):
            return name(self.helpers.function(found))
        if isinstance(found, type) and issubclass(found, Error):
            return name(self.helpers.exception(found))
        return expression(found)


_MISSING = object()


def _reach(start: Any, path: list[str]) -> Any:
    for part in path:
        start = getattr(start, part)
    return start
