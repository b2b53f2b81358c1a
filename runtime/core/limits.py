"""Ranges and kinds of dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime.core.dtypes import DType, as_dtype, floating_limits
from runtime.errors import DTypeError, InvalidValue

__all__ = ["FloatInfo", "IntegerInfo", "can_cast", "finfo", "iinfo", "isdtype"]

_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


class FloatInfo(NamedTuple):
    """The limits of a floating-point dtype, or of the parts of a complex one."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntegerInfo(NamedTuple):
    """The limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Any, /) -> FloatInfo:
    """Limits of a floating-point dtype.

    Parameters
    ----------
    type : DType or Tensor
        Of a floating-point or complex dtype; for a complex one, the limits of its parts.

    Returns
    -------
    FloatInfo
        With `bits`, `eps`, `max`, `min`, `smallest_normal` and `dtype`.

    Raises
    ------
    DTypeError
        When it is neither floating-point nor complex.

    Notes
    -----
    Semantics: Array API 2025.12, `finfo`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.finfo(rt.float32).bits
    32
    """
    dtype = _dtype_of(type)
    if not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(
            f"{dtype.name} is no floating-point dtype",
            why="`rt.finfo` knows the limits of floats and complex numbers.",
            way_out="Ask `rt.iinfo` for those of integers.",
        )
    found = floating_limits(dtype)
    return FloatInfo(
        found.bits,
        float(found.eps),
        float(found.max),
        float(found.min),
        float(found.smallest_normal),
        as_dtype(found.dtype),
    )


def iinfo(type: Any, /) -> IntegerInfo:
    """Limits of an integer dtype.

    Parameters
    ----------
    type : DType or Tensor
        Of an integer dtype.

    Returns
    -------
    IntegerInfo
        With `bits`, `max`, `min` and `dtype`.

    Raises
    ------
    DTypeError
        When it is no integer dtype.

    Notes
    -----
    Semantics: Array API 2025.12, `iinfo`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.iinfo(rt.int8).max
    127
    """
    dtype = _dtype_of(type)
    if not dtype.is_integer:
        raise DTypeError(
            f"{dtype.name} is no integer dtype",
            why="`rt.iinfo` knows the limits of integers.",
            way_out="Ask `rt.finfo` for those of floats.",
        )
    found = np.iinfo(dtype.numpy)
    return IntegerInfo(found.bits, found.max, found.min, dtype)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of some kind.

    Parameters
    ----------
    dtype : DType
    kind : DType, str, or tuple of these
        ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``, ``"real floating"``,
        ``"complex floating"`` or ``"numeric"``; a tuple means any of them.

    Returns
    -------
    bool

    Notes
    -----
    Semantics: Array API 2025.12, `isdtype`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.isdtype(rt.int8, ("signed integer", rt.bool))
    True
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    if not isinstance(kind, str):
        return as_dtype(dtype) is as_dtype(kind)
    if kind not in _KINDS:
        raise InvalidValue(f"{kind!r} is no kind of dtype", why=f"There are {', '.join(_KINDS)}.")
    return as_dtype(dtype).kind in _KINDS[kind]


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether promotion may turn one dtype into another without loss.

    Parameters
    ----------
    from_ : DType or Tensor
    to : DType

    Returns
    -------
    bool

    Notes
    -----
    Semantics: Array API 2025.12, `can_cast`, by NumPy's rules.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.can_cast(rt.int32, rt.float32), rt.can_cast(rt.int16, rt.float32)
    (False, True)
    """
    return np.can_cast(_dtype_of(from_).numpy, as_dtype(to).numpy)


def _dtype_of(given: Any) -> DType:
    """A dtype, or that of an array."""
    if isinstance(given, (DType, np.dtype, str, type)):  # classes of NumPy have a `dtype` of another kind
        return as_dtype(given)
    return as_dtype(getattr(given, "dtype", given))
