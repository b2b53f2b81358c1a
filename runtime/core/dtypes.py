"""The dtypes of tensors, the promotion of mixed ones, and the defaults for Python's own numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime.errors import DTypeError, IntTooLarge

__all__ = [
    "DTYPES",
    "LOW_PRECISION",
    "NUMPY_DEFAULTS",
    "DType",
    "Defaults",
    "as_dtype",
    "bfloat16",
    "bool_",
    "casts_quietly",
    "complex64",
    "complex128",
    "float16",
    "float32",
    "float64",
    "floating_limits",
    "int8",
    "int16",
    "int32",
    "int64",
    "low_precision",
    "number_class",
    "result_type",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
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
    kind : str
        NumPy's kind letter: ``b``ool, ``i``nt, ``u``nsigned, ``f``loat, ``c``omplex.
    """

    __slots__ = ("_hash", "kind", "name", "numpy", "short")
    numpy: np.dtype[Any]

    def __init__(self, name: str, numpy: np.dtype[Any], short: str) -> None:
        self.name = name
        self.numpy = numpy
        self.short = short
        self.kind: str = numpy.kind
        self._hash = hash(numpy)

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
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __getattr__(self, attribute: str) -> Any:
        """What NumPy's dtype says under names that ours does not have: `str`, `num`, `byteorder`."""
        if attribute.startswith("_") or attribute == "numpy":
            raise AttributeError(f"a dtype has no attribute {attribute!r}")
        return getattr(self.numpy, attribute)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype, under the name by which NumPy's functions ask for it."""
        return self.numpy

    @property
    def char(self) -> str:
        """NumPy's letter for it, such as ``"f"`` for float32."""
        return self.numpy.char

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

    type = as_numpy_dtype
    """The same, under NumPy's name."""

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
        floating = floating_limits(dtype)
        return float(floating.min), float(floating.max)
    raise DTypeError(
        f"{dtype.name} has no min and no max",
        why="Only real numbers are ordered.",
        way_out="Ask a dtype of integers or floats, such as that of `rt.real(x)`.",
    )


class _LowPrecision(DType):
    """A floating-point dtype of ml_dtypes, which is imported when such an array is first wanted."""

    __slots__ = ()

    def __init__(self, name: str, short: str) -> None:
        self.name = name
        self.short = short
        self.kind = "f"

    def __hash__(self) -> int:
        return hash(self.name)

    def __getattr__(self, attribute: str) -> Any:
        if attribute != "numpy":
            return super().__getattr__(attribute)
        try:
            import ml_dtypes  # noqa: PLC0415  # an extra, which few programs want
        except ImportError:
            raise DTypeError(
                f"{self.name} needs the package ml_dtypes, which is not installed",
                why="NumPy itself has no such numbers.",
                way_out="Install the extra `low-precision`, or `pip install ml-dtypes`.",
            ) from None
        self.numpy = np.dtype(getattr(ml_dtypes, self.name))
        _BY_NUMPY[self.numpy] = self
        low_precision.update((self, self.numpy))
        return self.numpy


low_precision: set[DType | np.dtype[Any]] = set()
"""The dtypes of ml_dtypes that are in use, as ours and as NumPy's: none while no program asked for one."""


def floating_limits(dtype: DType) -> Any:
    """What `numpy.finfo` says of a floating-point or complex dtype."""
    if not isinstance(dtype, _LowPrecision):
        return np.finfo(dtype.numpy)
    import ml_dtypes  # noqa: PLC0415  # as above

    return ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]  # it says nothing of types


def _real(name: str, short: str) -> DType:
    return DType(name, np.dtype(name), short)


bool_ = DType("bool", np.dtype(np.bool_), "bool")
int8, int16, int32, int64 = (_real(f"int{n}", f"i{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_real(f"uint{n}", f"u{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (_real(f"float{n}", f"f{n}") for n in (16, 32, 64))
complex64, complex128 = (_real(f"complex{n}", f"c{n}") for n in (64, 128))
bfloat16 = _LowPrecision("bfloat16", "bf16")

DTYPES = (
    bool_,
    *(int8, int16, int32, int64),
    *(uint8, uint16, uint32, uint64),
    *(float16, float32, float64),
    *(complex64, complex128),
)
LOW_PRECISION = (bfloat16,)
"""The dtypes that come with the extra `low-precision`."""

_BY_NUMPY = {dtype.numpy: dtype for dtype in DTYPES}
_BY_NAME = {name: dtype for dtype in (*DTYPES, *LOW_PRECISION) for name in (dtype.name, dtype.short)}


_SMALL = 1 << 31
"""Every default integer holds what is less."""


class Defaults(NamedTuple):
    """The dtypes that Python's own numbers take where no tensor beside them decides, and what shapes show."""

    integer: DType
    floating: DType
    complexes: DType
    tensors: Any = None
    """The class of another namespace's tensors: what its functions return, and how its shapes are shown."""
    on_error: Any = None
    """What becomes of an error on its way out of a function of another namespace; it changes the error."""

    @property
    def static_shapes(self) -> bool:
        """Whether ``x.shape`` has None for a length that only a run knows, and no scalar of the graph."""
        return self.tensors is not None

    def of(self, value: Any) -> DType:
        """The dtype for a Python bool, int, float or complex.

        An integer too large for the default integer takes int64, or uint64, rather than wrap.
        """
        if isinstance(value, bool):
            return bool_
        if isinstance(value, int):
            if -_SMALL <= value < _SMALL:
                return self.integer
            for dtype in (self.integer, int64, uint64):
                if dtype.min <= value <= dtype.max:
                    return dtype
            bits = value.bit_length()
            shown = value if bits <= _SHOWN_BITS else f"an int of {bits} bits"
            raise IntTooLarge(f"{shown} does not fit any integer dtype; the widest are int64 and uint64")
        return self.floating if isinstance(value, float) else self.complexes


_SHOWN_BITS = 128
"""Larger ints are shown by how large they are: Python writes no more than 4300 digits."""

NUMPY_DEFAULTS = Defaults(int64, float64, complex128)


def as_dtype(dtype: Any) -> DType:
    """The `DType` that `dtype` names.

    Parameters
    ----------
    dtype : DType, numpy.dtype, type or str
        ``rt.float32``, ``numpy.float32``, ``"float32"``, ``"f32"``, ``float``, …

    Returns
    -------
    DType

    Raises
    ------
    DTypeError
        When no tensor can have such elements.
    """
    if isinstance(dtype, DType):
        return dtype
    if isinstance(dtype, np.dtype) and dtype in _BY_NUMPY:
        return _BY_NUMPY[dtype]
    if isinstance(dtype, str) and dtype in _BY_NAME:
        return _BY_NAME[dtype]
    try:
        wanted = np.dtype(dtype).newbyteorder("=")
        if wanted.kind == "V" and wanted.name in _BY_NAME and _BY_NAME[wanted.name].numpy == wanted:
            return _BY_NAME[wanted.name]
        return _BY_NUMPY[wanted]
    except (KeyError, TypeError, ValueError):
        names = ", ".join(each.name for each in (*DTYPES, *LOW_PRECISION))
        raise DTypeError(
            f"{dtype!r} is no dtype of a tensor",
            why=f"There are {names}.",
            way_out="Give one of them, by its name or as `rt.float32`.",
        ) from None


def casts_quietly(source: DType, to: DType) -> bool:
    """Whether every number of `source` becomes one of `to` without a warning: integers only wrap around."""
    if source.is_bool or to.is_bool:
        return True
    if source.is_integer:
        return to.is_integer or to.is_complex or to.max > max(source.max, -source.min)
    return result_type(source, to) is to


@cache
def _promoted(left: DType, right: DType) -> DType:
    if bfloat16 in {left, right}:
        return _promoted_with_bfloat16(right if left is bfloat16 else left)
    return as_dtype(np.result_type(left.numpy, right.numpy))


def _promoted_with_bfloat16(other: DType) -> DType:
    """Where bfloat16 and another dtype meet, as in JAX: integers take its width, float16 its range."""
    if other.is_complex or other in {bfloat16, float32, float64}:
        return other
    return float32 if other is float16 else bfloat16


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
        strong = _with_weak(strong, number_class(value))
    return strong


def number_class(value: complex) -> type:
    """The class of Python's own that a number is of, also one of a class below it, an `IntEnum`."""
    kind = type(value)
    return kind if kind in _NUMBERS else next(each for each in _NUMBERS if isinstance(value, each))


_NUMBERS = (bool, int, float, complex)


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
    if dtype is bfloat16:
        return complex64 if kind is complex else bfloat16
    return as_dtype(np.result_type(dtype.numpy, kind()))
