"""Text with slots as Python source: an f-string where it can be one; and what is asked of strings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from types import FunctionType
from typing import Any

import numpy as np

from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int32
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.core.structure import LEAF, Structure
from runtime.core.text import METHODS, Apply, Slot, Template, characters, is_deep
from runtime.executors.numpy_plan.kernels import Form, Helpers
from runtime.executors.numpy_plan.literals import Unwritable, expression
from runtime.executors.numpy_plan.syntax import (
    STORE,
    Place,
    attribute,
    call,
    name,
    numpy,
    subscript,
    tuple_of,
)
from runtime.ops.texts import ASKED, TextOf, code_points

__all__ = ["asked", "text_source"]

_NOT_SIMPLE = frozenset("{}'\"\\")
"""What a format specification must not have to stand in an f-string of any kind."""


def text_source(template: Template, names: Sequence[str], specs: Sequence[Spec], helpers: Helpers) -> str:
    """An expression that gives the text.

    Parameters
    ----------
    template : Template
    names : sequence of str
        What the slots hold, in order.
    specs : sequence of Spec
        What is known of that.
    helpers : Helpers
        Gets the functions that the expression calls.

    Raises
    ------
    Unwritable
        When there is no such expression.
    """
    slots = zip(map(name, names), specs, strict=True)
    return ast.unparse(_Writing(iter(slots), helpers).tree(template))


def asked(op: TextOf, specs: Sequence[Spec], helpers: Helpers) -> Form:
    """What a function of strings gives, as an expression over the code points of their characters.

    Raises
    ------
    Unwritable
        When there is no such expression.
    """
    if any(map(is_deep, op.arguments)):
        raise Unwritable("it has too many functions inside one another")
    writing = _Writing(iter([(Place(index), spec) for index, spec in enumerate(specs)]), helpers)
    found = _called(op.function, op.arguments, [writing.tree(each) for each in op.arguments])
    result = ASKED[op.function][1]
    if isinstance(result, ListSpec):
        return Form(call(writing.helper(_codes_of_each), found))
    assert isinstance(result, ArraySpec), "there is nothing else"
    if result.shape == ():
        return Form(call(expression(result.dtype.numpy.type), found), keeps_scalars=True)
    if op.function == "ranks":
        return Form(call(numpy("array"), call(writing.helper(ASKED["ranks"][0]), found), numpy("int64")))
    return Form(call(writing.helper(code_points), found))


def _called(function: str, parts: Sequence[Any], given: Sequence[ast.expr]) -> ast.expr:
    """A function of strings, called."""
    if function in {"str", "written"} and isinstance(parts[0], Apply | str):
        return given[0]  # it is one
    if function == "item":
        return subscript(*given)
    if function in _COMPARED:
        return ast.Compare(given[0], [_COMPARED[function]()], [given[1]])
    if function == "in":
        return ast.Compare(given[1], [ast.In()], [given[0]])
    if function in {"str", "chr", "ord", "int", "float"}:
        return call(function, *given)
    return given[0] if function == "ranks" else call(attribute(given[0], function), *given[1:])


_COMPARED: dict[str, type[ast.cmpop]] = {
    "eq": ast.Eq,
    "ge": ast.GtE,
    "gt": ast.Gt,
    "le": ast.LtE,
    "lt": ast.Lt,
    "ne": ast.NotEq,
}


def _texts(rows: Any) -> Any:
    return [characters(row) for row in rows]


def _codes_of_each(texts: Any) -> Any:
    return [code_points(each) for each in texts]


def _numbers(items: Any) -> Any:
    return [each.item() if np.ndim(each) == 0 else each for each in items]


def _values(items: Any) -> Any:
    return [np.asarray(each)[()] for each in items]


def _number(value: Any) -> Any:
    return value.item() if np.ndim(value) == 0 else value


def _value(value: Any) -> Any:
    return np.asarray(value)[()]


class _Writing:
    """Writes templates; what the slots hold comes one after the other, with what is known of it."""

    def __init__(self, slots: Iterator[tuple[ast.expr, Spec]], helpers: Helpers) -> None:
        self.slots = slots
        self.helpers = helpers

    def helper(self, function: Callable[..., Any]) -> str:
        """The name of a function of the program."""
        assert isinstance(function, FunctionType), "it has a source"
        return self.helpers.function(function)

    def tree(self, part: Any) -> ast.expr:
        """A part of a template as an expression."""
        match part:
            case Slot(is_array=True):
                return call(numpy("asarray"), self._slot(is_number=False))
            case Slot(is_number):
                return self._slot(is_number)
            case Apply("join", parts):
                return self._joined(parts)
            case Apply("str" | "repr" | "format", (Slot(), *rest)) if _is_field(rest):
                return self._joined([part])
            case Apply("sequence", (kind, form, *columns)):
                return self._sequence(kind, form, [self.tree(each) for each in columns])
            case Apply(function, arguments):
                return self._applied(function, [self.tree(each) for each in arguments])
            case _:
                return expression(part)

    def _slot(self, is_number: bool) -> ast.expr:
        value, spec = next(self.slots)
        if not isinstance(spec, ArraySpec):
            if not isinstance(spec, ListSpec):
                raise Unwritable(f"a {spec} has no form in a text")
            return call(self.helper(_numbers if is_number else _values), value)
        if spec.shape is None:
            return call(self.helper(_number if is_number else _value), value)
        if spec.shape:
            return value
        if spec.dtype.is_bool:  # a condition may be one of Python's
            return call("bool", value) if is_number else call(numpy("bool"), value)
        return call(attribute(value, "item")) if is_number else value

    def _applied(self, function: str, given: Sequence[ast.expr]) -> ast.expr:
        """One of `FUNCTIONS` on what is written already."""
        first, *others = given
        if function in METHODS:
            return call(attribute(first, function), *others)
        if function in {"str", "repr", "ascii", "format"}:
            return call(function, *given)
        match function:
            case "%":
                return ast.BinOp(first, ast.Mod(), tuple_of(others))
            case "repeat":
                return ast.BinOp(first, ast.Mult(), others[0])
            case "pick":
                return subscript(tuple_of(others), first)
            case "slice":
                return subscript(first, ast.Slice(*[_bound(each) for each in others]))
            case "tuple":
                return tuple_of(given)
            case "translate":
                return call(attribute(first, "translate"), call("dict", *others))
            case "escaped":
                spelt = call(attribute(first, "encode"), *map(ast.Constant, ("ascii", "backslashreplace")))
                return call(attribute(spelt, "decode"))
            case "characters":
                return call(self.helper(characters), first)
            case "texts":
                return call(self.helper(_texts), first)
        raise Unwritable(f"{function} has no form as source")

    def _sequence(self, kind: str, form: Structure, columns: Sequence[ast.expr]) -> ast.expr:
        """The `repr` of a container whose elements have a form, and their parts in columns."""
        if kind not in {"list", "tuple", "dict"}:
            raise Unwritable(f"a {kind} has no form as source")
        if form == LEAF:
            (rows,) = columns
        else:
            parts = [name(f"part_{index}") for index in range(len(columns))]
            targets = ast.Tuple([ast.Name(each.id, STORE) for each in parts], STORE)
            source = ast.comprehension(targets, call("zip", *columns), [], 0)
            rows = ast.ListComp(self._element(form, iter(parts)), [source])
        return call("repr", rows if kind == "list" else call(kind, rows))

    def _element(self, form: Structure, parts: Iterator[ast.expr]) -> ast.expr:
        """An element of a container, of its parts, which are what Python has there."""
        if form == LEAF:
            return next(parts)
        if isinstance(form.extra, Apply | Slot):  # it is a text
            slots = zip(parts, repeat(ArraySpec((UNKNOWN,), int32)))  # as many as it takes
            return _Writing(slots, self.helpers).tree(form.extra)
        if form.kind not in {list, tuple}:
            raise Unwritable(f"{form} has no form as source")
        made = [self._element(each, parts) for each in form.children]
        return tuple_of(made) if form.kind is tuple else ast.List(made, ast.Load())

    def _joined(self, parts: Sequence[Template]) -> ast.expr:
        """Pieces as one f-string, and what no f-string can hold between such strings."""
        pieces: list[ast.expr] = []
        held: list[ast.expr] = []
        for part in parts:
            field = ast.Constant(part) if isinstance(part, str) else self._field(part)
            if field is None:
                pieces += [*_f_string(held), self.tree(part)]
                held = []
            else:
                held.append(field)
        whole, *others = [*pieces, *_f_string(held)] or [ast.Constant("")]
        for piece in others:
            whole = ast.BinOp(whole, ast.Add(), piece)
        return whole

    def _field(self, part: Template) -> ast.expr | None:
        """A slot as a field of an f-string."""
        match part:
            case Apply("str" | "repr" | "format" as function, (Slot() as slot, *rest)) if _is_field(rest):
                conversion = ord("r") if function == "repr" else -1
                spec = ast.JoinedStr([ast.Constant(rest[0])]) if rest and rest[0] else None
                return ast.FormattedValue(self.tree(slot), conversion, spec)
        return None


def _bound(tree: ast.expr) -> ast.expr | None:
    """The bound of a slice; None where it has none."""
    return None if isinstance(tree, ast.Constant) and tree.value is None else tree


def _f_string(held: Sequence[ast.expr]) -> list[ast.expr]:
    if any(isinstance(each, ast.FormattedValue) for each in held):
        return [ast.JoinedStr(list(held))]
    text = "".join([str(each.value) for each in held if isinstance(each, ast.Constant)])
    return [ast.Constant(text)] if text else []


def _is_field(rest: Sequence[Any]) -> bool:
    """Whether the format specification, if there is one, may stand in an f-string."""
    return all(isinstance(spec, str) and _NOT_SIMPLE.isdisjoint(spec) for spec in rest)
