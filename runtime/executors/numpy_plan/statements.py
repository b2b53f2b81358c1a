"""One node as one expression: an operator, a NumPy call, a helper function, or a kernel bound as it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from runtime.analysis.aliasing import is_update
from runtime.core.dtypes import DType
from runtime.core.spec import ArraySpec, ListSpec, Spec, as_array_spec
from runtime.core.tensor import Array
from runtime.executors.numpy_plan.handles import on_items
from runtime.executors.numpy_plan.kernels import Form, snake_case, write_change, write_kernel
from runtime.executors.numpy_plan.literals import Unwritable, number_tree
from runtime.executors.numpy_plan.operators import OF_NUMBERS, OPERATORS, Operator
from runtime.executors.numpy_plan.program import Plan
from runtime.executors.numpy_plan.shortcuts import is_statement, shortcut, statement
from runtime.executors.numpy_plan.syntax import (
    EMPTY,
    STORE,
    Place,
    assign,
    call,
    filled,
    name,
    subscript,
)
from runtime.executors.numpy_plan.tidying import tidied
from runtime.graph.graph import Node, Value
from runtime.ops.core import HostCall
from runtime.ops.families import Elementwise
from runtime.ops.host import PyFunc
from runtime.ops.raising import Raise
from runtime.ops.tensor_list.base import ListOp, ListUpdate

__all__ = ["Operand", "Statements"]

Operand: TypeAlias = "str | ast.expr | Array"
"""The name of a value in the program, the expression that gives it, or the array of a constant."""


class Statements:
    """Writes nodes of one program."""

    def __init__(self, program: Plan) -> None:
        self.program = program
        self._forms: dict[Node, Form] = {}
        self._of_equal: dict[tuple[object, ...], Form] = {}
        self._of_kinds: dict[tuple[object, ...], Form] = {}
        self._changes: dict[tuple[object, ...], Form] = {}

    def expression(self, node: Node, operands: Sequence[Operand]) -> ast.expr:
        """What computes the outputs of `node`."""
        specs = [value.spec for value in node.inputs]
        form = self._form(node)
        if form.ufunc is not None:
            written = self._operator(form.ufunc, operands, node)
            return form.fill(self._names(operands, specs)) if written is None else written
        names = self._names(operands, specs)
        if form.gives_tuple:
            return subscript(form.fill(names), ast.Constant(0))
        is_scalar = len(node.specs) == 1 and node.specs[0].is_scalar
        return self._scalar(form, names, node) if is_scalar else form.fill(names)

    def statement(self, node: Node, operands: Sequence[Operand]) -> ast.stmt:
        """What runs a node whose outputs nobody needs."""
        if not is_statement(node):
            return ast.Expr(self.expression(node, operands))
        names = self._names(operands, [value.spec for value in node.inputs])
        return statement(node, names, self.program.helpers)

    def takes_once(self, node: Node, index: int) -> bool:
        """Whether input `index` of `node` stands in its expression exactly once."""
        if is_update(node) or is_statement(node):
            return True
        form = self._form(node)
        return bool(form.reason) or form.uses[index] == 1

    def is_ufunc(self, node: Node) -> bool:
        """Whether `node` is one call of an elementwise ufunc."""
        has_kernel = getattr(node.op, "kernel", None) is not None
        return has_kernel and not is_update(node) and self._form(node).ufunc is not None

    def change(self, node: Node, operands: Sequence[Operand]) -> ast.stmt:
        """The statement that changes a list as `node` says; its name is the first of the operands."""
        op = node.op
        assert isinstance(op, ListUpdate), "it gives a list with a part changed"
        key = op, repr(op), len(operands)
        form = self._changes.get(key)
        if form is None:
            form = self._changes[key] = write_change(op, len(operands), self.program.helpers)
        return ast.Expr(form.fill([self.name(operand) for operand in operands]))

    def overwriting(self, node: Node, operands: Sequence[Operand], value: Value, target: str) -> ast.stmt:
        """The statement that computes `node` over its input `value` and calls the result `target`."""
        ufunc = self._form(node).ufunc
        assert ufunc is not None, "only ufuncs write over an operand"
        names = self._names(operands, [each.spec for each in node.inputs])
        index = node.inputs.index(value)
        operator = OPERATORS.get(ufunc)
        sign = None if operator is None else operator.augmented
        if sign is not None and index == 0 and operands[0] == target:
            return ast.AugAssign(ast.Name(target, STORE), sign, names[1])
        written = self._form(node).fill(names)
        assert isinstance(written, ast.Call), "a ufunc is called"
        written.keywords.append(ast.keyword("out", self.name(operands[index])))
        return assign([target], [written])

    def how(self, node: Node) -> tuple[str, str]:
        """As what a node that is an expression runs, and why not as something faster."""
        if is_statement(node):
            return "statement", ""
        form = self._form(node)
        if form.reason:
            return "kernel, called", form.reason
        return ("function of its kernel" if form.is_helper else "expression"), ""

    def _form(self, node: Node) -> Form:
        """The kernel as source, or a call of it."""
        form = self._forms.get(node)
        if form is None:
            form = self._forms[node] = shortcut(node, self.program.helpers) or self._tidied(node)
        return form

    def _tidied(self, node: Node) -> Form:
        """The kernel of `node` without what its inputs, of these ranks and dtypes, make needless."""
        form = self._shared(node)
        if form.ufunc is not None:
            return form
        specs = [value.spec for value in node.inputs]
        kinds = [(len(s.shape or ()), s.dtype) if isinstance(s, ArraySpec) else None for s in specs]
        key = id(form), *kinds  # all forms live as long as this does
        if key not in self._of_kinds:
            self._of_kinds[key] = tidied(form, specs)
        return self._of_kinds[key]

    def _shared(self, node: Node) -> Form:
        """The kernel of `node`, which other nodes of an equal op share."""
        op = node.op
        if _may_be_numbers(node):
            return self._bind(node, "whether it is about numbers or arrays is seen when it runs")
        has_objects = not all(isinstance(value.spec, ArraySpec) for value in (*node.inputs, *node.outputs))
        key: tuple[object, ...] = type(op), len(node.inputs), len(node.outputs)
        if has_objects:
            key = (op, repr(op), *[value.spec for value in node.inputs])
        elif op.fields:
            key = (op, repr(op), len(node.inputs), len(node.outputs))
        try:
            found = self._of_equal.get(key)
        except TypeError:  # a field that cannot be hashed, such as a printed list
            key, found = (id(node),), None
        if found is None:
            called = op.called if isinstance(op, HostCall) else op
            if has_objects and not isinstance(called, ListOp):
                found = self._bind(node, "it is about an object of this process")
            else:
                found = self._write(node)
            specs = [value.spec for value in node.inputs]
            if len(node.outputs) == 1 and isinstance(op.infer(*specs), tuple):
                found = replace(found, gives_tuple=True)
            self._of_equal[key] = found
        return found

    def _write(self, node: Node) -> Form:
        if isinstance(node.op, Raise):
            return self._bind(node, "what it raises is an object of this process")
        if isinstance(node.op, PyFunc):
            return self._bind(node, "it calls a function of the program's")
        try:
            element = next(
                (each.spec.element for each in node.inputs if isinstance(each.spec, ListSpec)), None
            )
            return write_kernel(node.op, len(node.inputs), self.program.helpers, element)
        except Unwritable as reason:
            return self._bind(node, str(reason))

    def _bind(self, node: Node, why: str) -> Form:
        wish = snake_case(node.op.name).removesuffix("_op").replace("_variable", "")
        bound = self.program.callable(on_items(node), node, wish)
        return Form(call(bound, *map(Place, range(len(node.inputs)))), reason=why)

    def _names(self, operands: Sequence[Operand], specs: Sequence[Spec]) -> list[ast.expr]:
        """The operands as names; a constant beside arrays is one too, which a ufunc takes faster."""
        scalar = all(spec.is_scalar or isinstance(spec, ListSpec) for spec in specs)
        return [self.name(operand, scalar=scalar) for operand in operands]

    def name(self, operand: Operand, *, scalar: bool = True) -> ast.expr:
        """An operand as an expression; a constant without axes as a NumPy scalar, or else as an array."""
        if isinstance(operand, str):
            return name(operand)
        if isinstance(operand, ast.expr):
            return operand
        return name(self.program.constant(operand, scalar=scalar and operand.ndim == 0))

    def _operator(self, ufunc: str, operands: Sequence[Operand], node: Node) -> ast.expr | None:
        """The call of a ufunc as an operator, where it means the same."""
        if node in self.program.wrapping:
            return None
        specs = [value.spec for value in node.inputs]
        operator = OPERATORS.get(ufunc)
        arrays = [as_array_spec(spec) for spec in specs]
        of_numbers = OF_NUMBERS.get(arrays[0].dtype.kind, {}).get(ufunc)
        if of_numbers is not None and all(each.is_scalar for each in arrays):
            return filled(of_numbers, self._names(operands, specs))
        if operator is None or operator.count != len(operands) or len({spec.dtype for spec in arrays}) != 1:
            return None
        if any(spec.shape for spec in arrays):
            if operator.where == "scalars":
                return None
            return filled(operator.template, self._names(operands, specs))
        return self._on_scalars(operator, operands, arrays)

    def _on_scalars(
        self, operator: Operator, operands: Sequence[Operand], specs: Sequence[ArraySpec]
    ) -> ast.expr | None:
        """As `_operator`, where no operand has axes for sure."""
        dtype = specs[0].dtype
        scalar = all(spec.is_scalar for spec in specs)
        if dtype.numpy.kind not in operator.kinds or operator.where == "arrays":
            return None
        if operator.where == "scalars" and not scalar:
            return None
        if dtype.is_integer and operator.wraps:
            if not scalar:
                return None
            self.program.wraps = True
        names = self._names(operands, specs) if operator.is_choice else self._literals(operands, dtype)
        return filled(operator.template, names)

    def _literals(self, operands: Sequence[Operand], dtype: DType) -> list[ast.expr]:
        """Scalar operands: a Python number where another operand has the dtype."""
        named = any(not isinstance(operand, np.ndarray) for operand in operands)
        found = []
        for operand in operands:
            tree = None
            if isinstance(operand, np.ndarray) and named and not dtype.is_bool:
                tree = number_tree(operand.reshape(1)[0])
            found.append(self.name(operand) if tree is None else tree)
        return found

    def _scalar(self, form: Form, names: Sequence[ast.expr], node: Node) -> ast.expr:
        """An expression without axes as a NumPy scalar, on which operators are fast."""
        match form.template:
            case ast.Call(ast.Attribute(ast.Name("np"), "asarray"), [Place(), ast.Attribute() as kind]) if (
                _converts_alike(node.inputs[0].array_spec, node.outputs[0].array_spec)
            ):
                return call(filled(kind, ()), names[0])
        written = form.fill(names)
        return written if form.keeps_scalars else subscript(written, EMPTY())


def _converts_alike(source: ArraySpec, to: ArraySpec) -> bool:
    """Whether calling the scalar type converts as an array's cast does (not so for NaN to an integer)."""
    if source.shape != () or source.dtype.is_complex:
        return False
    if to.dtype.is_floating or to.dtype.is_bool:
        return True
    return bool(np.can_cast(source.dtype.numpy, to.dtype.numpy, "safe"))


def _may_be_numbers(node: Node) -> bool:
    """Whether a node computes numbers without axes otherwise than arrays, and may meet both."""
    if not isinstance(node.op, Elementwise) or node.op.of_numbers is None:
        return False
    specs = [as_array_spec(value.spec) for value in node.inputs]
    return (
        specs[0].dtype.kind in node.op.kinds_of_numbers
        and not any(each.shape for each in specs)
        and not all(each.is_scalar for each in specs)
    )
