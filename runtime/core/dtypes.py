"""The dtypes of tensors, the promotion of mixed ones, and the defaults for Python's own numbers."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from runtime.errors import DTypeError

__all__ = [
    "DTYPES",
    "NUMPY_DEFAULTS",
    "DType",
    "Defaults",
    "as_dtype",
    "bool_",
    "complex64",
    "complex128",
    "float16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "result_type",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "variant",
]


class DType:
    """The element type of a tensor: one object per type, so that `is` and `==` agree.

    Attributes
    ----------
    name : str
        The Array API name, such as ``"float32"``.
    numpy : numpy.dtype
        The NumPy dtype of the arrays that hold such elements.
    short : str
        The name in printed graphs, such as ``"f32"``.
    """

    __slots__ = ("name", "numpy", "short")

    def __init__(self, name: str, numpy: np.dtype[Any], short: str) -> None:
        self.name = name
        self.numpy = numpy
        self.short = short

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self is other
        if other is None or not isinstance(other, (str, type, np.dtype)):
            return NotImplemented
        try:
            return as_dtype(other) is self
        except DTypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    @property
    def kind(self) -> str:
        """NumPy's kind letter: ``b``ool, ``i``nt, ``u``nsigned, ``f``loat, ``c``omplex; ``O`` for lists."""
        return self.numpy.kind

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.numpy.itemsize

    @property
    def is_integer(self) -> bool:
        """Whether elements are signed or unsigned integers."""
        return self.kind in "iu"

    @property
    def is_floating(self) -> bool:
        """Whether elements are real floating-point numbers."""
        return self.kind == "f"

    @property
    def is_complex(self) -> bool:
        """Whether elements are complex numbers."""
        return self.kind == "c"

    @property
    def is_bool(self) -> bool:
        """Whether elements are truth values."""
        return self.kind == "b"

    @property
    def as_numpy_dtype(self) -> type[Any]:
        """The NumPy scalar type, such as ``numpy.float32``."""
        return self.numpy.type

    @property
    def min(self) -> int | float:
        """The least finite value."""
        return _limits(self)[0]

    @property
    def max(self) -> int | float:
        """The greatest finite value."""
        return _limits(self)[1]


@cache
def _limits(dtype: DType) -> tuple[int | float, int | float]:
    """The least and the greatest finite value."""
    if dtype.is_integer:
        whole = np.iinfo(dtype.numpy)
        return int(whole.min), int(whole.max)
    if dtype.is_floating:
        floating = np.finfo(dtype.numpy)
        return float(floating.min), float(floating.max)
    raise DTypeError(
        f"{dtype.name} has no min and no max",
        why="Only real numbers are ordered.",
        way_out="Ask a dtype of integers or floats, such as that of `rt.real(x)`.",
    )


def _real(name: str, short: str) -> DType:
    return DType(name, np.dtype(name), short)


bool_ = DType("bool", np.dtype(np.bool_), "bool")
int8, int16, int32, int64 = (_real(f"int{n}", f"i{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_real(f"uint{n}", f"u{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (_real(f"float{n}", f"f{n}") for n in (16, 32, 64))
complex64, complex128 = (_real(f"complex{n}", f"c{n}") for n in (64, 128))
variant = DType("variant", np.dtype(object), "list")
"""The dtype of a value that is a list of tensors (`runtime.ops.tensor_list`)."""

DTYPES = (
    bool_,
    *(int8, int16, int32, int64),
    *(uint8, uint16, uint32, uint64),
    *(float16, float32, float64),
    *(complex64, complex128),
)
_BY_NUMPY = {dtype.numpy: dtype for dtype in (*DTYPES, variant)}
_BY_NAME = {dtype.name: dtype for dtype in (*DTYPES, variant)} | {dtype.short: dtype for dtype in DTYPES}


class Defaults(NamedTuple):
    """The dtypes that Python's own numbers take where no tensor beside them decides."""

    integer: DType
    floating: DType
    complexes: DType

    def of(self, value: Any) -> DType:
        """The dtype for a Python bool, int, float or complex.

        An integer too large for the default integer takes int64, or uint64, rather than wrap.
        """
        if isinstance(value, bool):
            return bool_
        if isinstance(value, int):
            for dtype in (self.integer, int64, uint64):
                if dtype.min <= value <= dtype.max:
                    return dtype
            raise OverflowError(f"{value} does not fit any integer dtype; the widest are int64 and uint64")
        return self.floating if isinstance(value, float) else self.complexes


NUMPY_DEFAULTS = Defaults(int64, float64, complex128)


def as_dtype(dtype: Any) -> DType:
    """The `DType` that `dtype` names.

    Parameters
    ----------
    dtype : DType, numpy.dtype, type or str
        ``rt.float32``, ``numpy.float32``, ``"float32"``, ``"f32"``, ``float``, …

    Raises
    ------
    DTypeError
        When no tensor can have such elements.
    """
    if isinstance(dtype, DType):
        return dtype
    if isinstance(dtype, str) and dtype in _BY_NAME:
        return _BY_NAME[dtype]
    try:
        known = _BY_NUMPY[np.dtype(dtype).newbyteorder("=")]
    except (KeyError, TypeError, ValueError):
        known = variant
    if known is variant:
        names = ", ".join(each.name for each in DTYPES)
        raise DTypeError(
            f"{dtype!r} is no dtype of a tensor",
            why=f"There are {names}.",
            way_out="Give one of them, by its name or as `rt.float32`.",
        )
    return known


@cache
def _promoted(left: DType, right: DType) -> DType:
    return as_dtype(np.result_type(left.numpy, right.numpy))


def result_type(*operands: DType | complex, defaults: Defaults = NUMPY_DEFAULTS) -> DType:
    """The dtype in which operands of these dtypes meet, by NumPy's promotion (NEP 50).

    Python's own numbers are weak: an int takes the dtype of the tensors beside it, a float asks for
    floating point of their width. Alone, they take `defaults`.

    >>> result_type(int32, float32), result_type(float32, 1.5), result_type(1, 2.5)
    (float64, float32, float64)
    """
    strong: DType | None = None
    weak: list[complex] = []
    for operand in operands:
        if not isinstance(operand, DType):
            weak.append(operand)
        elif strong is None or strong is operand:
            strong = operand
        else:
            strong = _promoted(strong, operand)
    if strong is None:
        return _of_highest_kind([defaults.of(value) for value in weak])
    for value in weak:
        strong = _with_weak(strong, type(value))  # type: ignore[arg-type]  # a class is hashable
    return strong


def _of_highest_kind(dtypes: list[DType]) -> DType:
    """The widest of those of the highest kind: an int beside a float says nothing about the float's width."""
    highest = max("buifc".index(dtype.kind) for dtype in dtypes)
    first, *rest = [dtype for dtype in dtypes if dtype.kind == "buifc"[highest]]
    for dtype in rest:
        first = _promoted(first, dtype)
    return first


@cache
def _with_weak(dtype: DType, kind: Any) -> DType:
    """`dtype` beside a Python number: kept unless the number is of a higher kind."""
    return as_dtype(np.result_type(dtype.numpy, kind()))
