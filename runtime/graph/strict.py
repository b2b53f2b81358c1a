"""Strict mode: what TensorFlow's AutoGraph refuses is refused, in its words, where people search for them.

A graph knows whether it is strict, and the graphs inside it are as it is. The refusals that need no more than
operands and variables are here; a front end adds its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn

from autograph_base.packages import FOLDERS
from runtime.core import shapes
from runtime.core.dtypes import DType, as_dtype
from runtime.core.spec import ArraySpec, Spec
from runtime.errors import RefusedType, RefusedValue
from runtime.messages import Place

__all__ = ["refuse_dtypes", "refuse_test", "require_one_dtype", "require_settled", "same_dtype"]

_RANKS = "bifc"
_OPTIONS = "Use tf.autograph.experimental.set_loop_options to set shape invariants."
_INSIDE = FOLDERS["runtime"]
_CARRIERS = (f"{_INSIDE}graph{os.sep}", f"{_INSIDE}ops{os.sep}methods.py")
"""Files through which every operation passes on its way from the user."""


def require_one_dtype(op: str, weights: Sequence[Any]) -> None:
    """Operands of a user's operation are of one dtype; a Python number takes that of its kind.

    Parameters
    ----------
    op : str
    weights : sequence of DType or number
        What the operands count as in promotion.
    """
    dtypes = [weight for weight in weights if isinstance(weight, DType)]
    numbers = [weight for weight in weights if not isinstance(weight, DType)]
    if len(set(dtypes)) > 1:
        mismatch = f"has type {dtypes[1]} that does not match type {dtypes[0]} of argument 'x'."
        happened = f"Input 'y' of '{op}' Op {mismatch}"
    elif dtypes and not all(_holds(dtypes[0], number) for number in numbers):
        happened = _unexpected(op, str(dtypes[0]), numbers[0])
    elif not dtypes and len(set(map(type, numbers))) > 1:
        happened = _unexpected(op, type(numbers[0]).__name__, numbers[1])
    else:
        return
    if not _is_a_step():
        raise RefusedType(happened, way_out="Cast one of them: `rt.astype(x, rt.float32)`.")


def _unexpected(op: str, wanted: str, number: complex) -> str:
    kind = type(number).__name__
    return f"Expected {wanted} passed to parameter 'y' of op '{op}', got a value of type '{kind}' instead."


def _holds(dtype: DType, number: complex) -> bool:
    """Whether a Python number becomes one of this dtype."""
    if isinstance(number, bool) or dtype.is_bool:
        return isinstance(number, bool) and dtype.is_bool
    kind = {int: "i", float: "f", complex: "c"}[type(number)]
    return _RANKS.index(kind) <= _RANKS.index("i" if dtype.kind == "u" else dtype.kind)


def _is_a_step() -> bool:
    """Whether the operation is a step of a function of ours, which may mix dtypes as it likes."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001  # the documented way to walk frames cheaply
    functions = 0
    while frame is not None and frame.f_code.co_filename.startswith(_INSIDE):
        functions += not frame.f_code.co_filename.startswith(_CARRIERS)
        frame = frame.f_back
    return functions > 1


def refuse_test(spec: Spec, statement: str) -> NoReturn:
    """Raises what TensorFlow says of a test that is no bool."""
    statement = "if statement" if statement == "if" else f"{statement} loop"
    raise RefusedValue(
        f"condition of {statement} expected to be `tf.bool` scalar, got {spec}; to use as boolean Tensor, "
        "use `tf.cast`; to check for None, use `is not None`",
        way_out="Compare the tensor: `x != 0`, `rt.any(x)`.",
    )


def same_dtype(left: Any, right: Any) -> bool:
    """Whether two dtypes are the same; a Python number is of any dtype of its kind."""
    if isinstance(left, DType) and isinstance(right, DType):
        return left is right
    kinds = [each.kind if isinstance(each, DType) else as_dtype(type(each)).kind for each in (left, right)]
    return kinds[0] == kinds[1]


def refuse_dtypes(name: str, left: DType, right: DType, where: Place) -> NoReturn:
    """Raises what TensorFlow says of a variable with another dtype in each branch."""
    raise RefusedType(
        f"'{name}' has dtype {left} in the main branch, but dtype {right} in the else branch",
        where=where,
        way_out="Cast it to one dtype in both branches.",
    )


def require_settled(name: str, before: Spec, after: Spec, where: Place, *, was_weak: bool) -> None:
    """An iteration leaves a variable with its dtype and its shape; a Python number is of its kind."""
    if not isinstance(before, ArraySpec) or not isinstance(after, ArraySpec):
        return
    if before.dtype is not after.dtype and not (was_weak and before.dtype.kind == after.dtype.kind):
        raise RefusedType(
            f"'{name}' has dtype {before.dtype} before the loop, but dtype {after.dtype} after one iteration",
            where=where,
            way_out="Give it the dtype before the loop that the loop gives it.",
        )
    if not shapes.contains(before.shape, after.shape):
        raise RefusedValue(
            f"'{name}' has shape {shapes.text(before.shape)} before the loop, but shape "
            f"{shapes.text(after.shape)} after one iteration. {_OPTIONS}",
            where=where,
            way_out="Call `ag.set_loop_options(shape_invariants=[(x, (None,))])` in the loop.",
        )
