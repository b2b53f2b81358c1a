"""Operators of a list, tuple or deque of the graph beside an array or a number of NumPy's: the array's.

A list has a `+` for lists alone, and no `-` at all, so that Python asks the array, which takes the list for
another one.

    rows - x                  rows is a list that grew, x an array
    ops.subtract(rows as an array, x)
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from autograph.backends.tensors.scalars.indices import is_array
from runtime.core.dtypes import float64
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor, bind, is_symbolic, is_weak
from runtime.ops.checks import TellEmpty
from runtime.ops.examples import refuse_as_python

__all__ = ["asks_arrays", "is_of_numpy", "leaves_to_arrays", "tell_if_empty"]

Kind = TypeVar("Kind", bound=type)

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "divmod": divmod,
    "pow": operator.pow,
    "matmul": operator.matmul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}
"""All but `*`, which also repeats."""


def is_of_numpy(operand: Any) -> bool:
    """Whether an operand is, or stands for, an array or a number of NumPy's."""
    if is_symbolic(operand) or isinstance(operand, Tensor):
        return not is_weak(operand)
    return isinstance(operand, np.ndarray | np.generic)


def tell_if_empty(items: Any, *, has_dtype: bool) -> None:
    """Has a run warn where a list of the graph has stayed empty: NumPy makes an array of another dtype of it.

    That is one of float64 with one axis. `has_dtype` says that its dtype does not tell.
    """
    if items.contents.is_unknown:
        return
    array = as_tensor(items)
    rank = array.ndim
    if rank > 1 or not (has_dtype or array.dtype is float64):
        bind(TellEmpty(array.dtype, rank), items.length)


def asks_arrays(kind: Kind) -> Kind:
    """Has a sequence of the graph leave its operators to an array beside it, and else do what it does."""
    for name, sign in _ARITHMETIC.items():
        leaves_to_arrays(kind, f"__{name}__", sign, getattr(kind, f"__{name}__", None))
        turned = f"__r{name}__"
        leaves_to_arrays(kind, turned, sign, getattr(kind, turned, None), is_turned=True)
    for sign in (operator.eq, operator.ne):
        name = f"__{sign.__name__}__"
        leaves_to_arrays(kind, name, sign, getattr(kind, name))
    return kind


def leaves_to_arrays(
    kind: type,
    name: str,
    sign: Callable[[Any, Any], Any],
    of_sequences: Callable[[Any, Any], Any] | None,
    *,
    is_turned: bool = False,
) -> None:
    """Has the method of an operator ask an array beside a sequence, and `of_sequences` beside all else.

    Parameters
    ----------
    kind : type
        The class of the sequence, which gets the method.
    name : str
        That of the method.
    sign : callable
        The operator.
    of_sequences : callable or None
        What the operator does beside what is no array; None where Python's sequences have no such operator.
    is_turned : bool
        Whether the sequence is the right operand.
    """
    compares_all = sign in (operator.eq, operator.ne)

    def asked(self: Any, other: Any) -> Any:
        if is_of_numpy(other) and (sign is not operator.matmul or is_array(other)):
            tell_if_empty(self, has_dtype=False)
            own = as_tensor(self)
            return sign(other, own) if is_turned else sign(own, other)
        if is_symbolic(other) and not compares_all:  # a number of Python's, which has another name
            operands = (other, self.built()) if is_turned else (self.built(), other)
            refuse_as_python(sign, *operands)
        return NotImplemented if of_sequences is None else of_sequences(self, other)

    asked.__name__ = name
    setattr(kind, name, asked)
