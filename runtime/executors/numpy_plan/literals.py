"""Values as Python source, text or tree, that gives back the very same bits."""

from __future__ import annotations

import ast
import math
import reprlib
from typing import Any, NoReturn

import numpy as np

from runtime.core.dtypes import low_precision
from runtime.core.tensor import Array
from runtime.executors.numpy_plan.syntax import numpy, parsed, tuple_of

__all__ = ["Unwritable", "array_source", "expression", "literal", "number", "number_tree"]

_LISTED = 256
"""Elements up to which an array is written as a list of numbers; beyond, as its bytes."""


class Unwritable(Exception):  # it is caught inside this room: what it asks for is another way
    """Something that has no form as source; the message says what."""


def literal(value: Any) -> str:
    """`value` as an expression over Python's builtins and ``np``.

    Raises
    ------
    Unwritable
        When it has no such form.
    """
    if value is ...:
        return "..."
    if type(value) in _PLAIN:
        return repr(value)
    if type(value) is float:
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if type(value) is complex:
        return f"complex({literal(value.real)}, {literal(value.imag)})"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    if type(value) is list:
        return f"[{', '.join(map(literal, value))}]"
    if type(value) is slice:
        return f"slice({literal(value.start)}, {literal(value.stop)}, {literal(value.step)})"
    if isinstance(value, np.dtype):
        return _dtype_source(value)
    if isinstance(value, np.ndarray):
        return array_source(value)
    if isinstance(value, np.generic):
        return _scalar_source(value)
    return numpy_name(value)


def expression(value: Any) -> ast.expr:
    """`value` as the tree of such an expression.

    Raises
    ------
    Unwritable
        When it has no such form.
    """
    kind = type(value)
    if kind is int or (kind is float and math.isfinite(value)):
        return _number_tree(value)
    if kind in _PLAIN or value is ...:
        return ast.Constant(value)
    if kind is tuple:
        return tuple_of(list(map(expression, value)))
    if isinstance(value, np.ufunc):
        return _ufunc(value)
    text = literal(value)
    attribute = text.removeprefix("np.")
    return numpy(attribute) if attribute != text and attribute.isidentifier() else parsed(text)


def _ufunc(function: np.ufunc) -> ast.expr:
    known = getattr(np, function.__name__, None) is function
    return numpy(function.__name__) if known else _refuse(function)


def _number_tree(value: float) -> ast.expr:
    """A number: one that Python reads as a negation of another is written as that."""
    if value < 0 or (value == 0 and str(value).startswith("-")):  # -0.0 is not below zero
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


_PLAIN = frozenset([type(None), bool, int, str, bytes])


def _refuse(value: object) -> NoReturn:
    raise Unwritable(f"{reprlib.repr(value)} cannot be written as Python source")


def numpy_name(value: Any) -> str:
    """A function or class as ``np.name``, or as the name of a builtin."""
    name = getattr(value, "__name__", None)
    if isinstance(name, str) and getattr(np, name, None) is value:
        return f"np.{name}"
    if isinstance(value, type) and value.__module__ == "builtins":
        return value.__name__
    return _refuse(value)


def _dtype_source(dtype: np.dtype[Any]) -> str:
    if dtype.kind == "O":
        return "object"
    if dtype in low_precision:
        return f"np.dtype({dtype.name!r})"  # the name is known wherever ml_dtypes was imported
    if dtype.kind not in "biufc" or not dtype.isnative:
        return _refuse(dtype)
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def number_tree(value: np.generic) -> ast.expr | None:
    """As `number`, as a tree."""
    if type(value) is np.float64:  # any of them is a number of Python
        return _number_tree(float(value)) if math.isfinite(value) else None
    text = number(value)
    if text is None:
        return None
    return expression(value.item() if value.dtype.kind in "biu" else float(text))


def number(value: np.generic) -> str | None:
    """The shortest Python number that becomes this scalar in its own dtype, if there is one."""
    if value.dtype.kind in "bi" or value.dtype.kind == "u":
        return repr(value.item())
    if (value.dtype.kind != "f" and value.dtype not in low_precision) or not np.isfinite(value):
        return None
    for text in sorted((str(value), repr(float(value))), key=len):
        if value.dtype.type(float(text)).tobytes() == value.tobytes():
            return text
    return None


def _scalar_source(value: np.generic) -> str:
    text = number(value)
    dtype = _dtype_source(value.dtype)
    if text is None or value.dtype in low_precision:
        return f"{array_source(np.asarray(value))}[()]"
    return f"{dtype}({text})"


def array_source(array: Array) -> str:
    """An array as an expression over ``np`` (and ``base64``, where it is large)."""
    dtype = _dtype_source(array.dtype)
    if array.size <= _LISTED:
        texts = [number(element) for element in array.reshape(-1)]
        if array.size and None not in texts:
            return f"np.array({_nested(array.shape, iter(texts))}, {dtype})"
    if array.dtype in low_precision:
        return f"{array_source(array.view(np.uint16))}.view({dtype})"
    little = array.dtype.newbyteorder("<")
    import base64  # noqa: PLC0415  # few programs have large arrays in them

    encoded = base64.b64encode(array.astype(little).tobytes()).decode("ascii")
    flat = f"np.frombuffer(base64.b64decode({encoded!r}), {little.str!r}).astype({dtype})"
    return f"{flat}.reshape({array.shape})"


def _nested(shape: tuple[int, ...], texts: Any) -> str:
    if not shape:
        return str(next(texts))
    return f"[{', '.join([_nested(shape[1:], texts) for _ in range(shape[0])])}]"
