"""What operators give of a number that is Python's on some paths, where NumPy's on others has a small dtype.

In a graph it counts as NumPy's. Python's own has more bits, and gives way to what stands beside it:

    k = 5
    if n > 2:
        k = x[0]            an int8
    k * 100                 500 where it is Python's, which no int8 holds: an error of that run
    k / 3                   a float of 64 bits, or with a float32 one of 32: a warning of the trace
    k * y                   the dtype of y, or the one that holds both: likewise
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, bool_, complex128, float64, int64
from runtime.core.tensor import Tensor
from runtime.errors import KindsMeetWarning
from runtime.graph.build import builder_in_use, is_symbolic, outside_graphs, promotion_operand
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Whose, every, whose
from runtime.ops.checks import check_held
from runtime.ops.control_flow.cond import cond
from runtime.ops.examples import NUMBERS
from runtime.ops.known import concrete
from runtime.ops.whose import as_test, is_told, keeps_our_classes

__all__: list[str] = []  # for methods of tensors, and no part of the namespace

OWN = {"b": bool_, "i": int64, "f": float64, "c": complex128}
"""The dtypes of Python's own numbers; none is smaller than a bool."""


def note_small(
    function: Callable[..., Any], symbol: str | None, result: Tensor, operands: Sequence[Any], found: Whose
) -> None:
    """Sees to it that nobody takes a number of few bits for the one that Python has on another path.

    Parameters
    ----------
    function : callable
        The operator, of which `result` is what it has given.
    symbol : str, optional
        How it is written, if what it gives of two ints may be larger than both.
    result : Tensor
    operands : sequence of object
        One of them at least is Python's on some paths alone.
    found : bool, or what says on which
        Whether the result is Python's.
    """
    kind = result.dtype.kind
    if kind == "b" or keeps_our_classes():
        return
    if isinstance(found, bool):
        _note_what_gives_way(result, operands)
    elif result.dtype is OWN.get(kind):
        return
    elif kind in "fc":
        if not _keeps_digits(function, result.dtype, operands):
            _warn(result.dtype, f"what is computed of it has the digits of {OWN[kind]}")
    elif symbol is not None and not _keeps_digits(function, result.dtype, operands):
        is_small = result.dtype.kind == "i" and symbol in {"+", "-", "*"}
        if is_small and is_told(found):
            _require_room(function, result.dtype, operands, found)
        else:
            _warn(result.dtype, "it has 64 bits, and is not wrapped around")


def note_converted(number: Tensor) -> None:
    """Warns where NumPy makes another array of a number that may be Python's than a graph does.

    Parameters
    ----------
    number : Tensor
        It stands for a number of Python's on all paths, or on some.
    """
    is_mixed = not isinstance(whose(number), bool) and number.static_shape == ()
    if is_mixed and number.dtype is not OWN.get(number.dtype.kind, number.dtype) and not keeps_our_classes():
        _warn(number.dtype, f"NumPy makes it {OWN[number.dtype.kind]}")


def note_applied(result: Tensor, operands: Sequence[Any]) -> None:
    """Likewise of a ufunc of NumPy's, whose result is `result`."""
    owners = [whose(each) for each in operands]
    found = every(owners)
    if not isinstance(found, bool):
        for each, owner in zip(operands, owners, strict=True):
            if not isinstance(owner, bool):
                note_converted(each)
    elif not all(isinstance(owner, bool) for owner in owners):
        _note_what_gives_way(result, operands)


def _note_what_gives_way(result: Tensor, operands: Sequence[Any]) -> None:
    is_number = result.dtype.kind != "b" and not keeps_our_classes()
    if is_number and result.dtype is not _on_the_other_paths(operands):
        _warn(result.dtype, "it gives way to what stands beside it, which keeps its dtype")


def _on_the_other_paths(operands: Sequence[Any]) -> DType:
    """The dtype of what an operator of arithmetic gives where the numbers that may be Python's are."""
    return ops.result_type(
        *[
            promotion_operand(each) if isinstance(whose(each), bool) else NUMBERS[each.dtype.kind](0)
            for each in operands
        ]
    )


def _keeps_digits(function: Callable[..., Any], dtype: DType, operands: Sequence[Any]) -> bool:
    """Whether it is known what Python computes on its paths, and that the dtype holds that."""
    if function not in _SIMPLE:
        return False
    own = [_own_number(each) for each in operands]
    if None in own:
        return 0 in own[: _SIMPLE[function]]
    with outside_graphs(), np.errstate(all="ignore"):
        found = np.asarray(function(*map(Tensor, own)))
    return bool(np.array_equal(found.astype(dtype.numpy), found, equal_nan=True))


_SIMPLE: dict[Callable[..., Any], int] = {ops.add: 0, ops.subtract: 0, ops.multiply: 2, ops.divide: 1}
"""Operators that raise nothing, and of how many operands a 0 makes the result 0, whatever the other is."""


def _own_number(operand: Any) -> Any:
    """What an operand is where it is Python's; None where that is not known."""
    if not isinstance(operand, Symbol):
        return operand
    known = concrete(operand)
    return builder_in_use().context.own_numbers.get(operand.value) if known is None else known.item()


def _require_room(function: Callable[..., Any], dtype: DType, operands: Sequence[Any], found: Whose) -> None:
    """Raises in runs in which an int of Python's own has more bits than the dtype."""
    wide = [ops.cast(each, int64) if is_symbolic(each) else int(each) for each in operands]
    check_held(cond(as_test(found, {}), lambda: function(*wide), lambda: 0), dtype)


def _warn(dtype: DType, why: str) -> None:
    notice = KindsMeetWarning(
        "a number that is Python's on some paths, and NumPy's on others, is counted with as NumPy's in a "
        f"graph: here as {dtype.name}",
        where=caller_location(),
        why=f"Python's own is another one: {why}.",
        way_out="Make it one of them on all paths: by `int(…)` or `float(…)`, or with the array's dtype, "
        "as in `x.dtype.type(0)`.",
    )
    builder_in_use().add_notice(notice)
