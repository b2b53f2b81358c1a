"""Simplifies the source of a kernel for operands of known shape and dtype.

A kernel also takes NumPy scalars, and names every argument. Where the shape and dtype of an input are known,
``np.sum(x, axis=(0, 1), dtype=x.dtype, keepdims=False)`` is ``x.sum()``, in less than half the time.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.executors.numpy_plan.kernels import Form
from runtime.executors.numpy_plan.literals import expression
from runtime.executors.numpy_plan.syntax import Place, attribute, copied

__all__ = ["tidied"]

_FOLDS = frozenset(
    ["sum", "prod", "max", "min", "all", "any", "mean", "argmax", "argmin", "cumsum", "cumprod"]
)


def tidied(form: Form, specs: Sequence[Spec]) -> Form:
    """A kernel as source, for inputs of these specs."""
    with_axes = {index for index, spec in enumerate(specs) if isinstance(spec, ArraySpec) and spec.shape}
    if form.ufunc is not None or not with_axes:
        return form
    tidying = _Tidying(with_axes)
    template: ast.expr = tidying.visit(copied(form.template))
    match template:
        case ast.Call(ast.Attribute(Place() as array, fold) as method, arguments, keywords) if (
            fold in _FOLDS and array.index == 0
        ):
            needed = [_argument(each, as_array_spec(specs[0])) for each in keywords]
            called = ast.Call(method, arguments, [each for each in needed if each is not None])
            return replace(form, template=called, keeps_scalars=True)
    return replace(form, template=template) if tidying.changed else form


class _Tidying(ast.NodeTransformer):
    """Operands with axes: no `np.asarray` around them, their own methods in place of NumPy's functions."""

    def __init__(self, with_axes: set[int]) -> None:
        self.with_axes = with_axes
        self.changed = False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match self.generic_visit(node):
            case ast.Call(ast.Attribute(ast.Name("np"), "asarray"), [Place() as array], []) if (
                array.index in self.with_axes
            ):
                self.changed = True
                return array
            case ast.Call(ast.Attribute(ast.Name("np"), fold), [Place() as array, *rest], keywords) if (
                fold in _FOLDS and array.index == 0 and 0 in self.with_axes
            ):
                self.changed = True
                return ast.Call(attribute(array, fold), rest, keywords)
            case visited:
                return visited


def _argument(given: ast.keyword, spec: ArraySpec) -> ast.keyword | None:
    """An argument of a method of the first operand; None where the method would fill it in itself."""
    rank = len(spec.shape or ())
    match given:
        case ast.keyword("keepdims", ast.Constant(False)):
            return None
        case ast.keyword("dtype", ast.Attribute(Place(), "dtype")) if (
            spec.dtype.is_floating or spec.dtype.is_complex
        ):
            return None
        case ast.keyword("axis", ast.Tuple(axes)):
            numbers = [each.value for each in axes if isinstance(each, ast.Constant)]
            if numbers == list(range(rank)):
                return None
            if len(numbers) == len(axes) == 1:
                return ast.keyword("axis", expression(numbers[0]))
    return given
