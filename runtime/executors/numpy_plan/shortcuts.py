"""Ops that are written as Python expressions instead of kernel calls: ``x[1:n, None]``, ``a if c else b``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import FunctionType
from typing import Any

from runtime.core.shapes import contains
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.executors.numpy_plan import texts
from runtime.executors.numpy_plan.kernels import Form, Helpers
from runtime.executors.numpy_plan.literals import Unwritable, expression
from runtime.executors.numpy_plan.syntax import (
    STORE,
    Place,
    array_of,
    attribute,
    call,
    name,
    numpy,
    parsed,
    subscript,
    tuple_of,
)
from runtime.graph.graph import Node
from runtime.graph.op import Op
from runtime.ops.casting import ToInteger
from runtime.ops.checks import CheckDivisor, CheckWhole, refuse_too_large
from runtime.ops.control_flow.try_catch import Checkpoint, Evaluated, NewCell, NoError
from runtime.ops.domains import CheckDomain, power
from runtime.ops.gathering import GatherV2, TakeAlongAxis
from runtime.ops.joining import Pack, Unpack
from runtime.ops.products import Tensordot
from runtime.ops.selection import SelectV2, Where
from runtime.ops.slicing import DynamicStridedSlice, StridedSlice
from runtime.ops.texts import TextOf
from runtime.ops.variable_ops import AssignAddVariableOp, AssignSubVariableOp, AssignVariableOp

__all__ = ["indexed", "is_statement", "shortcut", "statement"]


def shortcut(node: Node, helpers: Helpers) -> Form | None:
    """The expression of a node; None where only its kernel will do."""
    op, specs = node.op, [value.spec for value in node.inputs]
    match op:
        case StridedSlice(key) | DynamicStridedSlice(key) if _axes(specs[0]):
            array, *indices = map(Place, range(len(specs)))
            return Form(indexed(key, array, indices), keeps_scalars=... not in key)
        case GatherV2(axis) if _axes(specs[0]) and specs[1].is_scalar:
            before = [ast.Slice()] * (axis % _axes(specs[0]))
            return Form(_subscript(Place(0), [*before, Place(1)]), keeps_scalars=True)
        case Where() if _axes(specs[0]) == 1:
            places = subscript(call(attribute(Place(0), "nonzero")), ast.Constant(0))
            return Form(_subscript(places, [ast.Slice(), ast.Constant(None)]))
        case Unpack(axis, count) if _axes(specs[0]) == 2:
            rows = Place(0) if axis % 2 == 0 else attribute(Place(0), "T")
            return Form(subscript(rows, ast.Constant(0)) if count == 1 else call(name("tuple"), rows))
        case Tensordot(((-1,), (0,))) if all(_axes(spec) == 1 for spec in specs):
            # as `np.tensordot` does it, which also makes rows of what lies apart
            one, other = [call(attribute(Place(index), "ravel")) for index in range(2)]
            return Form(call(attribute(one, "dot"), other), keeps_scalars=True)
        case TakeAlongAxis() if all(_axes(spec) == 1 for spec in specs):
            return Form(_subscript(Place(0), [Place(1)]))
        case Pack() if all(spec == specs[0] and spec.is_scalar for spec in specs):
            kind = expression(as_array_spec(specs[0]).dtype.numpy)
            return Form(call(numpy("array"), tuple_of(list(map(Place, range(len(specs))))), kind))
        case SelectV2() if all(spec.is_scalar for spec in specs):
            return Form(ast.IfExp(Place(0), Place(1), Place(2)), keeps_scalars=True)
        case ToInteger(to):
            return Form(call(numpy(to.name), call(name("int"), Place(0))), keeps_scalars=True)
        case NewCell():
            return Form(ast.List([], ast.Load()))
        case NoError():
            return Form(ast.Constant(op.kernel()))
        case Evaluated() if len(specs) == 1:
            return Form(Place(0))
        case Evaluated():
            return Form(tuple_of(list(map(Place, range(len(specs))))))
        case CheckDivisor(symbol) if all(spec.is_scalar for spec in specs):
            kinds = {as_array_spec(spec).dtype.kind for spec in specs}
            zero = "0j" if "c" in kinds else "0.0" if "f" in kinds else "0"
            raising = f"divmod(1, {zero})" if symbol == "divmod" else f"1 {symbol} {zero}"
            return Form(ast.BoolOp(ast.Or(), [Place(1), parsed(raising)]))
        case CheckDomain("**") if all(spec.is_scalar for spec in specs):
            assert isinstance(power, FunctionType), "it has a source"
            return Form(call(helpers.function(power), Place(0), Place(1)))
        case CheckDomain(function) if all(spec.is_scalar for spec in specs):
            module, of_library = function.split(".")
            helpers.modules.add(module)
            numbers = [
                call(name("int"), Place(index)) if as_array_spec(spec).dtype.is_integer else Place(index)
                for index, spec in enumerate(specs)
            ]
            return Form(call(attribute(name(module), of_library), *numbers))
        case CheckWhole("+" | "-" | "*" as symbol) if all(spec.is_scalar for spec in specs):
            whole = [call(name("int"), Place(index)) for index in range(2)]
            found = ast.BinOp(whole[0], _SIGNS[symbol](), whole[1])
            fits = ast.Compare(_LEAST, [ast.LtE(), ast.LtE()], [found, _LARGEST])
            assert isinstance(refuse_too_large, FunctionType), "it has a source"
            return Form(ast.BoolOp(ast.Or(), [fits, call(helpers.function(refuse_too_large))]))
        case TextOf():
            with suppress(Unwritable):
                return texts.asked(op, specs, helpers)
    return None


_LEAST, _LARGEST = ast.UnaryOp(ast.USub(), ast.Constant(2**63)), ast.Constant(2**63 - 1)
"""Between these is what has 64 bits."""

_SIGNS: dict[str, type[ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult}


def _axes(spec: Spec) -> int:
    """How many axes an array is known to have."""
    return len(spec.shape or ()) if isinstance(spec, ArraySpec) else 0


def is_statement(node: Node) -> bool:
    """Whether a node is a statement of its own: it leaves a checkpoint, or writes to a variable."""
    match node.op:
        case Checkpoint():
            return True
        case AssignVariableOp(variable) | AssignAddVariableOp(variable) | AssignSubVariableOp(variable):
            return contains(variable.static_shape, as_array_spec(node.inputs[0].spec).shape)
    return False


def statement(node: Node, operands: Sequence[ast.expr], helpers: Helpers) -> ast.stmt:
    """A node that is a statement."""
    match node.op:
        case Checkpoint(number):
            cell, *values = operands
            state = tuple_of([ast.Constant(number), *values])
            return ast.Assign([ast.Subscript(cell, ast.Slice(), STORE)], state)
        case AssignVariableOp(variable) | AssignAddVariableOp(variable) | AssignSubVariableOp(variable):
            held, (value,) = helpers.object(variable), operands
            if type(node.op) in _AUGMENTS:
                value = ast.BinOp(attribute(name(held), "array"), _AUGMENTS[type(node.op)], value)
            if not _axes(node.inputs[0].spec):  # a variable holds an array, also where a scalar is assigned
                value = array_of(value)
            return ast.Assign([ast.Attribute(name(held), "array", STORE)], value)
    raise AssertionError(f"{node.op.name} is no statement")


_AUGMENTS: dict[type[Op], ast.operator] = {AssignAddVariableOp: ast.Add(), AssignSubVariableOp: ast.Sub()}


def indexed(key: Sequence[Any], array: ast.expr, indices: Sequence[ast.expr]) -> ast.Subscript:
    """``array[key]``; the indices stand for each "?" of the key."""
    rest = iter(indices)
    return _subscript(array, [_part(part, rest) for part in key])


def _subscript(array: ast.expr, parts: Sequence[ast.expr]) -> ast.Subscript:
    match parts:
        case []:
            return subscript(array, ast.Constant(...))
        case [one]:
            return subscript(array, one)
    return subscript(array, tuple_of(parts))


def _part(part: Any, indices: Iterator[ast.expr]) -> ast.expr:
    """One place of a key; an index stands where it has a "?"."""
    if isinstance(part, slice):
        part = (part.start, part.stop, part.step)
    if isinstance(part, tuple):
        return ast.Slice(*[None if end is None else _part(end, indices) for end in part])
    return next(indices) if part == "?" else expression(part)
