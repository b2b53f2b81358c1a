"""Functions of the C library that NumPy's own loops call for each number, called without these.

NumPy's loop for an exponential is vectors of NumPy's on one processor, and on another one a call of the C
library's `exp` for each number. There the call alone is what machine code needs: it takes half as long as the
loop around it, keeps the processor's flags, and reads its operand where it is.

Which it is, nobody says. So both are tried with thousands of numbers of every magnitude, and what comes out
is compared bit by bit, and the flags that are raised where something is unusual. Another algorithm for the
same function rounds one number of some hundred in another way.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, float32, float64
from runtime.executors.native.llvm.flags import FLAGS
from runtime.ops.scalars import SCALARS

__all__ = ["APART", "CLEAR", "LIBRARY", "POWER", "CFunction", "c_function_of", "is_way_of", "own_of_python"]

LIBRARY = {
    "cbrt": "cbrt",
    "exp": "exp",
    "expm1": "expm1",
    "log": "log",
    "log1p": "log1p",
    "log2": "log2",
    "log10": "log10",
    "exp2": "exp2",
    "hypot": "hypot",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arctan2": "atan2",
    "fmod": "fmod",
    "power": "pow",
    "nextafter": "nextafter",
    "erf": "erf",
    "erfc": "erfc",
    "gamma": "tgamma",
    "lgamma": "lgamma",
}
"""Scalar functions of floats, and the functions of the C library that compute them."""

Operands = tuple[Any, ...]
"""An array for each."""
Loop = tuple[int, int]
"""Where an inner loop is, and what it is handed."""

_CALLERS = {(float64, 1): 5, (float32, 1): 6, (float32, 2): 14, (float64, 2): 15}
"""NumPy's loops that call a C function for each number, by their places in its interface for ufuncs."""
_VERSIONS = b"GLIBC_2.2.5", b"GLIBC_2.17"
"""Under these, GNU's C library has functions as they were, which programs built for them call."""
_UNUSUAL = 0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e-310, 1e-40, -1e30, 710.0, -750.0, 1e300, np.inf, -np.inf, np.nan
APART = 0.5, 1.0, 2.0, -1.0
"""Second operands for which NumPy's loop of powers has ways of its own: roots, squares and reciprocals."""
_OTHERS = 0.0, 1.5, 2.5, 3.0, 4.0, 5.0, 8.0, -0.5, -1.5, -2.0, -3.0, 1 / 3, 10.0
"""Others for which a loop might have one, which would round more than once."""
POWER = "scalar_power"
"""The scalar function of powers of numbers: Python's, and NumPy's without axes."""
CLEAR = 29 / 64
"""So many units of the last place a rounded number may be from the exact one, where another function that
errs by less than 0.54 units, as GNU's of powers, is sure to give that one, too: two are as near at a half."""
_MANY = 2048
_ALONE = 100


@dataclass(frozen=True)
class CFunction:
    """A function of the C library.

    Attributes
    ----------
    address : int
    is_apart : bool
        Whether NumPy's loop computes something else where the second operand is one of `APART`.
    has_short_ways : bool
        Whether squares, roots and reciprocals are what it gives, where they are `CLEAR`.
    """

    address: int
    is_apart: bool
    has_short_ways: bool = False


def c_function_of(function: str, dtype: DType, loop: Loop) -> CFunction | None:
    """What NumPy's loop calls for each number; None where it computes numbers itself.

    Parameters
    ----------
    function : str
        The name of a scalar function.
    dtype : DType
    loop : tuple of int
        NumPy's own.
    """
    if function not in LIBRARY or dtype not in {float32, float64} or FLAGS is None:
        return None
    return _found(function, dtype, loop)


@cache
def own_of_python(function: str, dtype: DType) -> CFunction | None:
    """What Python's own function of numbers calls, for which NumPy has none; None where it computes itself.

    Parameters
    ----------
    function : str
        The name of a scalar function.
    dtype : DType
    """
    known, is_power = SCALARS[function], function == POWER
    is_ufunc = isinstance(known.meaning, np.ufunc)
    is_known = is_power or (known.arity == 1 and function in LIBRARY and dtype is float64)
    if is_ufunc or not is_known or dtype not in {float32, float64} or FLAGS is None:
        return None
    caller = _interface()[_CALLERS[dtype, known.arity]]
    tried = _singles(_operands(known.arity, dtype)) if is_power else (_with_unusual(dtype),)
    with np.errstate(all="ignore"):
        wanted = known.meaning(*tried).tobytes()
    name = "pow" if is_power else LIBRARY[function]
    for address in _candidates(name + ("" if dtype is float64 else "f")):
        if _row((caller, address), tried)[0] == wanted:
            short = is_power and _rounds_well(address, dtype)
            return CFunction(address, is_apart=False, has_short_ways=short)
    return None


def _with_unusual(dtype: DType) -> Any:
    return np.concatenate([*_operands(1, dtype), np.array(_UNUSUAL, dtype.numpy)])


def _rounds_well(address: int, dtype: DType) -> bool:
    """Whether a function of powers gives what is nearest, where no two numbers are about as near.

    That is so of squares, roots and reciprocals of many numbers. How far a product or its like is from the
    exact one, it says itself: that is a number, too.
    """
    if dtype is not float64:
        return False
    power = _interface()[_CALLERS[dtype, 2]], address
    x = np.random.Generator(np.random.PCG64(0)).uniform(1.0, 4.0, _MANY)
    root, quotient = np.sqrt(x), 1.0 / x
    ways = (
        (2.0, x * x, _lacking(x, x, x * x)),
        (0.5, root, _lacking(root, root, x) / (2.0 * root)),
        (-1.0, quotient, _lacking(quotient, x, np.ones_like(x)) * quotient),
    )
    for exponent, found, lacking in ways:
        is_clear = np.abs(lacking) < np.spacing(found) * CLEAR
        given = np.frombuffer(_row(power, (x, np.full(1, exponent)))[0])
        if not np.array_equal(given[is_clear], found[is_clear]):
            return False
    return True


def _lacking(x: Any, y: Any, rounded: Any) -> Any:
    """What the exact products have more than numbers near to them, by Dekker's way."""
    (x_high, x_low), (y_high, y_low) = map(_halves, (x, y))
    product = x * y
    error = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    return (product - rounded) + error


def _halves(x: Any) -> tuple[Any, Any]:
    scaled = x * 134217729.0  # 2**27 + 1
    high = scaled - (scaled - x)
    return high, x - high


@cache
def _found(function: str, dtype: DType, loop: Loop) -> CFunction | None:
    arity: int = getattr(np, function).nin
    operands = _operands(arity, dtype)
    caller = _interface()[_CALLERS[dtype, arity]]
    candidates = list(_candidates(LIBRARY[function] + ("" if dtype is float64 else "f")))
    wanted = _row(loop, operands) if candidates else None
    for address in candidates:
        own = caller, address
        if _row(own, operands) != wanted:
            continue
        singles = _singles(operands)
        is_apart = arity == 2 and _has_ways(loop, own, singles[0], APART)
        if is_apart:
            is_usual = ~np.isin(singles[1], APART)
            singles = tuple([each[is_usual] for each in singles])
        if arity == 2 and _has_ways(loop, own, singles[0], _OTHERS):
            continue
        if _alone(own, singles) == _alone(loop, singles):
            return CFunction(address, is_apart)
    return None


@cache
def is_way_of(other: float, dtype: DType, powers: Loop, function: Loop) -> bool:
    """Whether NumPy's loop of powers does what its loop of one function does, where all have one exponent."""
    if dtype not in {float32, float64} or FLAGS is None:
        return False
    numbers, _ = _operands(2, dtype)
    exponent = np.full(1, other, dtype.numpy)
    if _row(powers, (numbers, exponent)) != _row(function, (numbers,)):
        return False
    singles, _ = _singles((numbers, numbers))
    return _alone(powers, (singles, np.full_like(singles, other))) == _alone(function, (singles,))


def _has_ways(loop: Loop, own: Loop, numbers: Any, others: Sequence[float]) -> bool:
    """Whether a loop computes something else where one of others is the second operand of all numbers."""
    known = [(numbers, np.full(1, each, numbers.dtype)) for each in others]
    return any(_row(own, each) != _row(loop, each) for each in known)


def _candidates(name: str) -> Iterator[int]:
    """Where this process has functions of a name."""
    try:
        process: Any = ctypes.CDLL(None)
    except TypeError:  # a system on which there is no such thing
        return
    if not (hasattr(process, "feclearexcept") and hasattr(process, "fetestexcept")):
        return
    if hasattr(process, name):
        yield ctypes.cast(getattr(process, name), ctypes.c_void_p).value or 0
    if hasattr(process, "dlvsym"):
        process.dlvsym.restype = ctypes.c_void_p
        for version in _VERSIONS:
            address = process.dlvsym(None, name.encode(), version)
            if address:
                yield address


@cache
def _interface() -> Any:
    """NumPy's C interface for ufuncs."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = vars(importlib.import_module("numpy._core._multiarray_umath"))["_UFUNC_API"]
    return (ctypes.c_void_p * (max(_CALLERS.values()) + 1)).from_address(pointer(capsule, None))


@cache
def _operands(arity: int, dtype: DType) -> Operands:
    """Many numbers: of every magnitude, and near to those that people compute with."""
    rng = np.random.Generator(np.random.PCG64(0))
    known = np.finfo(dtype.numpy)
    least, most = int(known.minexp) - known.nmant, int(known.maxexp)
    sizes = np.ldexp(rng.uniform(1.0, 2.0, _MANY), rng.integers(least, most, _MANY))
    near = [rng.uniform(-each, each, _MANY) for each in (1.0, 8.0, 750.0)]
    with np.errstate(all="ignore"):
        numbers = np.concatenate([sizes, -sizes, *near]).astype(dtype.numpy)
    return tuple([rng.permutation(numbers) if index else numbers for index in range(arity)])


def _singles(operands: Operands) -> Operands:
    """Unusual numbers, each with each, and some of many."""
    dtype = operands[0].dtype
    with np.errstate(all="ignore"):
        unusual = np.meshgrid(*[np.array(_UNUSUAL).astype(dtype)] * len(operands))
    pairs = zip(unusual, operands, strict=True)
    return tuple([np.concatenate([one.ravel(), other[-_ALONE:]]) for one, other in pairs])


def _row(loop: Loop, operands: Operands) -> tuple[bytes, int]:
    """What a loop gives of rows of numbers, and the flags it raises; one operand may be for all."""
    result = np.zeros_like(operands[0])
    arrays = *operands, result
    call = _call_of(loop, [each.itemsize if each.size > 1 else 0 for each in arrays], result.size)
    raised = _raised(call, _places(arrays, 1))
    return result.tobytes(), raised[0]


def _alone(loop: Loop, operands: Operands) -> tuple[bytes, list[int]]:
    """What a loop gives of numbers one by one, and which flags each raises."""
    result = np.zeros_like(operands[0])
    arrays = *operands, result
    raised = _raised(_call_of(loop, [0] * len(arrays), 1), _places(arrays, result.size))
    return result.tobytes(), raised


def _raised(call: Callable[[Any], None], places: Iterator[Any]) -> list[int]:
    """The flags that calls raise."""
    assert FLAGS is not None, "else nobody asks"
    process, mask, found = ctypes.CDLL(None), FLAGS.mask, []
    clear, test = process.feclearexcept, process.fetestexcept
    for each in places:
        clear(mask)
        call(each)
        found.append(test(mask))
    clear(mask)
    return found


def _places(arrays: Sequence[Any], count: int) -> Iterator[Any]:
    """Where elements are: the first ones, the second ones, and so on."""
    row = ctypes.c_void_p * len(arrays)
    starts = [(each.__array_interface__["data"][0], each.itemsize) for each in arrays]
    for index in range(count):
        yield row(*[start + index * size for start, size in starts])


def _call_of(loop: Loop, steps: Sequence[int], count: int) -> Callable[[Any], None]:
    """An inner loop of a number of turns, as a function of where operands and the result are."""
    address, data = loop
    call = ctypes.PYFUNCTYPE(None, *[ctypes.c_void_p] * 4)(address)
    strides, turns = (ctypes.c_ssize_t * len(steps))(*steps), ctypes.byref(ctypes.c_ssize_t(count))
    return lambda places: call(places, turns, strides, data)
