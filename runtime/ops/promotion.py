"""The dtypes in which operands meet, and operands in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import (
    DTYPES,
    LOW_PRECISION,
    DType,
    as_dtype,
    bfloat16,
    float32,
    int64,
    low_precision,
    result_type,
    uint64,
)
from runtime.core.tensor import EAGER, Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.graph.build import array_spec_of, as_operand, bind, is_weak, promotion_operand
from runtime.graph.frames import no_defect
from runtime.graph.op import Op
from runtime.graph.symbol import Symbol

__all__ = [
    "accumulator",
    "cast_operand",
    "computed_with",
    "computing_dtypes",
    "promoted",
    "promotion_kinds",
    "require_dtype",
    "rounded_once",
    "widened",
]


def promotion_kinds(operands: Sequence[Any]) -> tuple[Any, ...]:
    """What each operand counts as in promotion: its dtype, or the class of a Python number."""
    kinds = []
    all_weak = True
    for operand in operands:
        kind = _KINDS_OF_NUMBERS.get(type(operand))
        if kind is None:
            weight = promotion_operand(operand)
            kind = weight if isinstance(weight, DType) else _KINDS_OF_NUMBERS.get(type(weight), type(weight))
            all_weak = all_weak and kind is not weight
        kinds.append(kind)
    return (_common_default(operands),) * len(operands) if all_weak else tuple(kinds)


_KINDS_OF_NUMBERS: dict[type, Any] = {bool: as_dtype(bool), int: int, float: float, complex: complex}


def _common_default(operands: Sequence[Any]) -> DType:
    """The dtype of Python numbers among themselves: the default one of their highest kind."""
    dtypes = [array_spec_of(operand).dtype for operand in operands]
    if all(dtype is dtypes[0] for dtype in dtypes):
        return dtypes[0]
    highest = max(_KIND_ORDER.index(dtype.kind) for dtype in dtypes)
    return result_type(*[dtype for dtype in dtypes if _KIND_ORDER.index(dtype.kind) == highest])


_KIND_ORDER = "buifc"


@cache
def computing_dtypes(ufunc: np.ufunc, kinds: tuple[Any, ...]) -> tuple[DType, ...]:
    """The dtypes in which `ufunc` takes operands of these dtypes or classes, and those that it gives."""
    wanted = tuple([kind.numpy if isinstance(kind, DType) else kind for kind in kinds])
    if bfloat16 in kinds:
        one = [kind if isinstance(kind, DType) else kind() for kind in kinds]
        wanted = (result_type(*one).numpy,) * len(kinds)
    try:
        return tuple([as_dtype(dtype) for dtype in ufunc.resolve_dtypes((*wanted, *[None] * ufunc.nout))])
    except TypeError:  # no such loop
        listed = " and ".join(
            kind.name if isinstance(kind, DType) else f"Python {kind.__name__}" for kind in kinds
        )
        name = _STANDARD_NAMES.get(ufunc.__name__, ufunc.__name__)
        raise DTypeError(f"`{name}` is not defined for {listed}") from None


_STANDARD_NAMES = {
    **{f"arc{name}": f"a{name}" for name in ("cos", "cosh", "sin", "sinh", "tan", "tan2", "tanh")},
    "absolute": "abs",
    "invert": "bitwise_invert",
    "power": "pow",
    "true_divide": "divide",
    **{f"{side}_shift": f"bitwise_{side}_shift" for side in ("left", "right")},
}
"""What the standard calls ufuncs that have other names in NumPy."""


def cast_operand(operand: Any, dtype: DType) -> Any:
    """An operand that `Op.prepare` meets, as a tensor of `dtype`.

    Raises
    ------
    OverflowError
        When a Python integer does not fit.
    """
    if isinstance(operand, (bool, int, float, complex)):
        try:
            return Tensor(np.asarray(operand, dtype.numpy))
        except OverflowError as error:
            raise no_defect(error) from None
    return operand if operand.dtype is dtype else ops.cast(operand, dtype)


def computed_with(operand: Any, dtype: DType) -> Any:
    """As `cast_operand`, for arithmetic, which has no room for an int of Python's own that does not fit.

    Raises
    ------
    OverflowError
        For an int that only the run knows, when the graph runs.
    """
    is_cast = isinstance(operand, Symbol) and operand.dtype is not dtype
    if is_cast and operand.dtype.is_integer and dtype.is_integer and is_weak(operand):
        ops.check_fits(operand, dtype)
    return cast_operand(operand, dtype)


def promoted(operands: Sequence[Any]) -> Sequence[Any]:
    """Operands cast to the one dtype that holds them all."""
    if _are_of_one_dtype(operands):
        return operands
    weights = [promotion_operand(operand) for operand in operands]
    strong = any(isinstance(weight, DType) for weight in weights)
    dtype = result_type(*weights) if strong else _common_default(operands)
    return [cast_operand(operand, dtype) for operand in operands]


def _are_of_one_dtype(operands: Sequence[Any]) -> bool:
    """Whether all operands are eager tensors of the first one's dtype: then there is nothing to promote."""
    if not operands or type(operands[0]) not in EAGER:
        return False
    first: Any = operands[0]
    dtype = first._array.dtype
    for operand in operands:  # noqa: SIM110  # `all` of a generator takes three times as long, in every call
        if type(operand) not in EAGER or operand._array.dtype is not dtype:
            return False
    return True


def rounded_once(op: Op, *operands: TensorLike) -> Tensor:
    """As `bind`, for sums and products: those of bfloat16 are computed in float32 and rounded at the end.

    NumPy does so for float16 by itself. One by one, bfloat16 would stop counting at 256.
    """
    if low_precision and any(getattr(each, "dtype", None) in low_precision for each in operands):
        tensors: Sequence[Tensor] = promoted([as_operand(each) for each in operands])
        if tensors[0].dtype is bfloat16:
            return ops.cast(bind(op, *[ops.cast(each, float32) for each in tensors]), bfloat16)
    return bind(op, *operands)


def widened(operands: Sequence[Any]) -> Sequence[Any]:
    """The operands, bfloat16 among them in float32: for kernels that know NumPy's own dtypes alone."""
    return [
        cast_operand(each, float32) if getattr(each, "dtype", None) is bfloat16 else each for each in operands
    ]


def require_dtype(name: str, dtype: DType, accepted: frozenset[DType]) -> None:
    """Refuses a dtype that an op does not take.

    Raises
    ------
    DTypeError
        When `dtype` is not in `accepted`.
    """
    if dtype not in accepted:
        listed = ", ".join(each.name for each in (*DTYPES, *LOW_PRECISION) if each in accepted)
        raise DTypeError(f"`{name}` is not defined for {dtype.name}", why=f"It takes {listed}.")


def accumulator(dtype: DType) -> DType:
    """The dtype in which NumPy adds up elements of `dtype`: 64 bits for bools and integers."""
    return _WIDEST.get(dtype.kind, dtype)


_WIDEST: dict[str, DType] = {"b": int64, "i": int64, "u": uint64}
