"""NumPy's own inner loops, called from machine code: their numbers have NumPy's bits.

Nobody but NumPy rounds its exponentials and sines as it does. A ufunc is an object with a table of C
functions, one for each row of dtypes; each takes addresses of operands and of the result, a count and the
strides. So a call of it from machine code is what NumPy does in the end, without what it does before.

The table is compared with what Python sees of the ufunc, and each function is tried once, before it is used.
Where a loop calls a function of the C library for each number, machine code [calls that](c_functions.py).
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DTYPES, DType, float64
from runtime.executors.native.c_functions import (
    APART,
    CLEAR,
    CFunction,
    c_function_of,
    is_way_of,
    own_of_python,
)
from runtime.executors.native.forms import address_of
from runtime.executors.native.language.loops import Apply, Array, For, Load, Store, Variable
from runtime.executors.native.llvm.code import in_memory, number_text
from runtime.executors.native.llvm.engine import Library
from runtime.executors.native.llvm.flags import Flags
from runtime.executors.native.ties import keeps_zeros
from runtime.ops.scalars import SCALARS

__all__ = [
    "ONLY_LOOPS",
    "PREFIX",
    "SUMS",
    "Axes",
    "calls_c",
    "give_loops",
    "has_rows",
    "in_table",
    "is_numpys",
    "loops_named_in",
    "loops_text",
    "name_of_loop",
    "place_of",
    "row_of",
    "stored",
    "way_of_power",
]

PREFIX = "numpy."
"""What a scalar function is called with in the loop language where NumPy's own loop computes it."""

ONLY_LOOPS = frozenset({"float_power", "heaviside", "logaddexp", "logaddexp2", "nextafter", "spacing"})
"""The scalar functions that have no machine code but NumPy's own, also those that have one certain result."""

_NAMED = re.compile(r"@(ag_numpy_(\w+)_([a-z]\d+))(\.row|\.sums)?\(")
_LOOP = re.compile(r"ag_numpy_(\w+)_([a-z]\d+)\.loop")
_OF_ROWS = "noinline nounwind willreturn"
_ATTRIBUTES = "noinline nounwind willreturn memory(read, inaccessiblemem: readwrite)"
"""A call changes nothing that the program sees but the processor's flags."""
_BY_C = "nounwind willreturn memory(inaccessiblemem: readwrite)"
_OF_C = "nounwind willreturn memory(read, inaccessiblemem: readwrite)"
_TRIED = 0.3, 0.75, 1.0, 1.5, 2.0, 3.1
"""Numbers with which a function is tried."""
_ROW = 37
"""Numbers of a row with which it is tried: no whole number of vectors, of any length."""


class _Ufunc(ctypes.Structure):
    """How `PyUFuncObject` begins."""

    _fields_ = (
        ("head", ctypes.c_byte * object.__basicsize__),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_byte)),
    )


@dataclass(frozen=True)
class Axes:
    """How many operands a loop of sums has, and lengths and steps, beside those of many sums."""

    operands: int
    lengths: int
    steps: int


SUMS = {"matmul": Axes(2, 3, 6), "vecdot": Axes(2, 1, 2), "add": Axes(1, 1, 1)}
"""NumPy's loops for sums."""


def is_numpys(function: str, dtype: DType) -> bool:
    """Whether a scalar function of floats needs NumPy's own loop, or Python's function, and that is there."""
    known = SCALARS[function]
    is_rounded = dtype.is_floating or dtype.is_complex
    is_certain = known.is_exact(dtype) and keeps_zeros(function, dtype) and function not in ONLY_LOOPS
    if not is_rounded or is_certain:
        return False
    return _loop_of(function, dtype) is not None or own_of_python(function, dtype) is not None


def calls_c(function: str, dtype: DType) -> bool:
    """Whether NumPy's loop for a scalar function asks the C library for each number, of an array or alone."""
    loop = _loop_of(function, dtype)
    return loop is not None and c_function_of(function, dtype, loop) is not None


@cache
def way_of_power(exponent: float, dtype: DType) -> str | None:
    """The scalar function, exact in each bit, that NumPy computes in place of powers with an exponent."""
    function = _WAYS.get(exponent)
    if function is None:
        return None
    powers, own = in_table("power", dtype), in_table(function, dtype)
    is_own = powers is not None and own is not None and is_way_of(exponent, dtype, powers, own)
    return function if is_own else None


_WAYS = {0.5: "sqrt", 2.0: "square", -1.0: "reciprocal"}


@cache
def has_rows(function: str, dtype: DType) -> bool:
    """Whether NumPy's loop of one operand gives the same of many numbers at once as of each alone."""
    loop = _loop_of(function, dtype)
    if loop is None or SCALARS[function].arity != 1:
        return False
    ufunc, address, data = getattr(np, function), *loop
    given = np.resize(np.array(_TRIED), _ROW).astype(dtype.numpy) * np.linspace(
        0.1, 1.0, _ROW, dtype=dtype.numpy
    )
    found = np.zeros_like(given)
    places = (ctypes.c_void_p * 2)(address_of(given), address_of(found))
    strides = (ctypes.c_ssize_t * 2)(given.itemsize, given.itemsize)
    with np.errstate(all="ignore"):
        _callable(ufunc, address)(places, ctypes.addressof(ctypes.c_ssize_t(_ROW)), strides, data)
        return all(each.tobytes() == ufunc(x).tobytes() for each, x in zip(found, given, strict=True))


def row_of(loop: For) -> tuple[str, Load, Array] | None:
    """The function, the first operand and the results, where a loop is one of NumPy's own for a row."""
    match loop.body:
        case (
            Store(
                array,
                Variable() as to,
                Apply(function, (Load(_, Variable() as place) as operand,)),
            ),
        ) if to == place == loop.index and function.startswith(PREFIX):
            return function.removeprefix(PREFIX), operand, array
    return None


def name_of_loop(function: str, dtype: DType) -> str:
    """What a function is called in LLVM's text that calls NumPy's loop for numbers of a dtype.

    With ``.row`` behind that, it is one that calls it for a row of them.
    """
    return f"ag_numpy_{function}_{dtype.short}"


def loops_named_in(text: str) -> list[str]:
    """The symbols of a text of LLVM's that say where NumPy's loops are."""
    return [f"{name}.loop" for name in _names_in(text)]


def loops_text(texts: Sequence[str], flags: Flags) -> list[str]:
    """The functions that call NumPy's loops, those that texts of LLVM's name."""
    return [_text(name, of, flags) for name, of in _names_in("\n".join(texts)).items()]


def give_loops(library: Library) -> None:
    """Tells machine code where NumPy's loops are that it calls."""
    for symbol, address in library.addresses.items():
        found = _LOOP.fullmatch(symbol)
        if found is not None:
            function, dtype = found[1], _DTYPES[found[2]]
            loop = in_table(function, dtype) if function in SUMS else _loop_of(function, dtype)
            own = _c_function_of(function, dtype, loop)
            assert loop or own, "it was there when the text was written"
            places = [*(loop or (None, None)), None if own is None else own.address]
            (ctypes.c_void_p * 3).from_address(address)[:] = places


def _c_function_of(function: str, dtype: DType, loop: tuple[int, int] | None) -> CFunction | None:
    """What NumPy's loop calls for each number, or Python's own function, where NumPy has none."""
    return c_function_of(function, dtype, loop) if loop else own_of_python(function, dtype)


_DTYPES = {dtype.short: dtype for dtype in DTYPES}


def _names_in(text: str) -> dict[str, tuple[str, str]]:
    """The functions that a text names, each with the scalar function and the dtype."""
    return {name: (function, short) for name, function, short, _ in sorted(set(_NAMED.findall(text)))}


def _text(name: str, of: tuple[str, str], flags: Flags) -> str:
    own = f"@{name}.loop = global [3 x ptr] zeroinitializer"
    return "\n".join([own, *(_of_sums if of[0] in SUMS else _of_numbers)(name, of, flags)])


def _of_sums(name: str, of: tuple[str, str], flags: Flags) -> Iterator[str]:
    """A call of NumPy's loop for sums.

    A sum of elements is what the loop for numbers makes of a row and of what it is added to, without steps.
    """
    axes = SUMS[of[0]]
    lengths, steps = range(1 + axes.lengths), range(1 + axes.operands + axes.steps)
    places = [*[f"%at{each}" for each in range(axes.operands)], "%found"]
    given = [f"ptr {each}" for each in places]
    given += [*[f"i64 %n{each}" for each in lengths], *[f"i64 %s{each}" for each in steps]]
    yield f"define internal void @{name}.sums({', '.join(given)}) {_OF_ROWS} {{"
    for word, numbers in (("n", lengths), ("s", steps)):
        yield f"  %all.{word} = alloca [{len(numbers)} x i64]"
        for each in numbers:
            yield f"  %at.{word}{each} = getelementptr i64, ptr %all.{word}, i64 {each}"
            yield f"  store i64 %{word}{each}, ptr %at.{word}{each}"
    count = "%all.n"
    if axes.operands == 1:
        yield f"  store {in_memory(_DTYPES[of[1]])} zeroinitializer, ptr %found"
        yield "  store i64 0, ptr %at.s0"
        yield "  store i64 %s2, ptr %at.s1"
        yield "  store i64 0, ptr %at.s2"
        places, count = ["%found", *places], "%at.n1"
    yield from _called(name, places, count, "%all.s", flags)
    yield "  ret void"
    yield "}"


def _of_numbers(name: str, of: tuple[str, str], flags: Flags) -> Iterator[str]:
    """Calls of NumPy's loop for one number, and for a row of them.

    For one, there are no strides, as NumPy has it for arrays without axes.
    """
    function, short = of
    dtype = _DTYPES[short]
    kind, operands = in_memory(dtype), range(SCALARS[function].arity)
    count = len(operands) + 1
    given = [f"{kind} %x{index}" for index in operands]
    places = [*[f"%at{index}" for index in operands], "%found"]
    loop = _loop_of(function, dtype)
    own = _c_function_of(function, dtype, loop)
    if own is not None and own.has_short_ways:
        yield from _of_powers(name)
    elif own is not None:
        yield from _of_c(name, own, dtype, given)
    if own is None or own.is_apart:
        yield f"define internal {kind} @{name}{'.apart' if own else ''}({', '.join(given)}) {_ATTRIBUTES} {{"
        yield from [f"  {place} = alloca {kind}" for place in places]
        yield "  %one = alloca i64"
        yield from [f"  store {kind} %x{index}, ptr %at{index}" for index in operands]
        yield f"  store {kind} zeroinitializer, ptr %found"
        yield "  store i64 1, ptr %one"
        yield from _strides(f"[{count} x i64] zeroinitializer", count)
        yield from _called(name, places, "%one", "%strides", flags)
        yield f"  %result = load {kind}, ptr %found"
        yield f"  ret {kind} %result"
        yield "}"
    if count == 2 and loop is not None:
        size = dtype.itemsize
        yield f"define internal void @{name}.row(ptr %at0, ptr %found, i64 %turns) {_OF_ROWS} {{"
        yield "  %count = alloca i64"
        yield "  store i64 %turns, ptr %count"
        yield from _strides(f"[2 x i64] [i64 {size}, i64 {size}]", 2)
        yield from _called(name, places, "%count", "%strides", flags)
        yield "  ret void"
        yield "}"


def _of_c(name: str, own: CFunction, dtype: DType, given: Sequence[str]) -> Iterator[str]:
    """A call of the C function that NumPy's loop calls for one number, which leaves flags as they were."""
    kind = in_memory(dtype)
    yield f"define internal {kind} @{name}({', '.join(given)}) alwaysinline {_OF_C} {{"
    if own.is_apart:
        yield f"  %is.apart0 = fcmp oeq {given[1]}, {number_text(APART[0], dtype)}"
        for index, each in enumerate(APART[1:]):
            yield f"  %is{index} = fcmp oeq {given[1]}, {number_text(each, dtype)}"
            yield f"  %is.apart{index + 1} = or i1 %is.apart{index}, %is{index}"
        yield f"  br i1 %is.apart{len(APART) - 1}, label %apart, label %usual"
        yield "apart:"
        yield f"  %other = call {kind} @{name}.apart({', '.join(given)})"
        yield f"  ret {kind} %other"
        yield "usual:"
    yield from _returned(name, kind, given)


def _returned(name: str, kind: str, given: Sequence[str]) -> Iterator[str]:
    """What the C function gives, as the result."""
    yield f"  %function.at = getelementptr ptr, ptr @{name}.loop, i64 2"
    yield "  %function = load ptr, ptr %function.at, !invariant.load !{}"
    yield f"  %result = call {kind} %function({', '.join(given)}) {_BY_C}"
    yield f"  ret {kind} %result"
    yield "}"


def _of_powers(name: str) -> Iterator[str]:
    """A power of numbers: a square, a root or a reciprocal, where the C function is sure to give that, too.

    One in ten lies about as near to another number: it is asked for these, and for very large and small ones.
    What a product, or the like, lacks is computed with one rounding, and compared with the last place.
    """
    given = "double %x0", "double %x1"
    yield f"define internal double @{name}({', '.join(given)}) alwaysinline {_OF_C} {{"
    yield "  %bits = bitcast double %x0 to i64"
    yield f"  %size = and i64 %bits, {(1 << 63) - 1}"
    for way, exponent in _EXPONENTS.items():
        yield f"  %is.{way} = fcmp oeq double %x1, {number_text(exponent, float64)}"
        yield f"  br i1 %is.{way}, label %as.{way}, label %no.{way}"
        yield f"as.{way}:"
        yield f"  %from.{way} = sub i64 {'%bits' if way == 'root' else '%size'}, {_LEAST}"
        yield f"  %is.usual.{way} = icmp ult i64 %from.{way}, {_MOST - _LEAST}"
        yield f"  br i1 %is.usual.{way}, label %usual.{way}, label %other"
        yield f"usual.{way}:"
        yield from _SHORT_WAYS[way]
        yield f"  %of.{way} = bitcast double %found.{way} to i64"
        yield f"  %magnitude.{way} = and i64 %of.{way}, {0x7FF << 52}"
        yield f"  %scale.{way} = bitcast i64 %magnitude.{way} to double"
        yield f"  %clear.{way} = fmul double %scale.{way}, {number_text(CLEAR * 2.0**-52, float64)}"
        if way == "root":  # which lacks what its square lacks, over twice itself
            yield "  %twice.root = fadd double %found.root, %found.root"
            yield "  %most.root = fmul double %clear.root, %twice.root"
        most = "%most.root" if way == "root" else f"%clear.{way}"
        yield f"  %far.{way} = call double @llvm.fabs.f64(double %lacks.{way})"
        yield f"  %is.clear.{way} = fcmp olt double %far.{way}, {most}"
        yield f"  br i1 %is.clear.{way}, label %end.{way}, label %other"
        yield f"end.{way}:"
        yield f"  ret double %found.{way}"
        yield f"no.{way}:"
    yield "  br label %other"
    yield "other:"
    yield from _returned(name, "double", given)


_EXPONENTS = {"square": 2.0, "root": 0.5, "reciprocal": -1.0}
_SHORT_WAYS = {
    "square": (
        "  %found.square = fmul double %x0, %x0",
        "  %minus.square = fneg double %found.square",
        "  %lacks.square = call double @llvm.fma.f64(double %x0, double %x0, double %minus.square)",
    ),
    "root": (
        "  %found.root = call double @llvm.sqrt.f64(double %x0)",
        "  %minus.root = fneg double %found.root",
        "  %lacks.root = call double @llvm.fma.f64(double %minus.root, double %found.root, double %x0)",
    ),
    "reciprocal": (
        "  %found.reciprocal = fdiv double 1.0, %x0",
        "  %minus.reciprocal = fneg double %found.reciprocal",
        "  %part = call double @llvm.fma.f64(double %minus.reciprocal, double %x0, double 1.0)",
        "  %lacks.reciprocal = fmul double %part, %found.reciprocal",
    ),
}
"""How each is found, and what that lacks; of a root, what its square lacks."""
_LEAST, _MOST = (1023 - 400) << 52, (1023 + 400) << 52
"""Bits of numbers whose squares, and what these lack, are no unusual numbers."""


def _strides(value: str, count: int) -> Iterator[str]:
    yield f"  %strides = alloca [{count} x i64]"
    yield f"  store {value}, ptr %strides"


def _called(name: str, places: Sequence[str], count: str, strides: str, flags: Flags) -> Iterator[str]:
    """A call of NumPy's loop; flags that were raised before stay, whatever it does with them."""
    yield f"  %places = alloca [{len(places)} x ptr]"
    yield "  %before = alloca i64"
    yield "  %after = alloca i64"
    yield "  store i64 0, ptr %before"
    yield "  store i64 0, ptr %after"
    yield from stored(places)
    yield f"  %loop = load ptr, ptr @{name}.loop"
    yield f"  %data.at = getelementptr ptr, ptr @{name}.loop, i64 1"
    yield "  %data = load ptr, ptr %data.at"
    yield flags.keep.replace("PLACE", "%before")
    yield f"  call void %loop(ptr %places, ptr {count}, ptr {strides}, ptr %data)"
    yield flags.keep.replace("PLACE", "%after")
    yield "  %flags.before = load i64, ptr %before"
    yield "  %flags.after = load i64, ptr %after"
    yield "  %flags.all = or i64 %flags.before, %flags.after"
    yield "  %as.they.are = icmp eq i64 %flags.all, %flags.after"
    yield "  br i1 %as.they.are, label %end, label %raise, !prof !1"
    yield "raise:"
    yield "  store i64 %flags.all, ptr %after"
    yield flags.put_back.replace("PLACE", "%after")
    yield "  br label %end"
    yield "end:"


def stored(places: Sequence[str]) -> Iterator[str]:
    """Writes where operands and results are into a row, ``%places``."""
    for index, place in enumerate(places):
        yield f"  %row{index} = getelementptr ptr, ptr %places, i64 {index}"
        yield f"  store ptr {place}, ptr %row{index}"


@cache
def _loop_of(function: str, dtype: DType) -> tuple[int, int] | None:
    """Where NumPy's loop for a scalar function is, and what it is handed; None where it is not found."""
    known, ufunc = SCALARS[function], getattr(np, function, None)
    if not isinstance(ufunc, np.ufunc) or known.meaning is not ufunc or set(known.signature) != {"T", ">"}:
        return None
    found = in_table(function, dtype)
    return found if found is not None and _is_right(ufunc, dtype, *found) else None


def in_table(function: str, dtype: DType) -> tuple[int, int] | None:
    """Where NumPy's inner loop for a function is, and what it is handed, if its table is as it looks."""
    ufunc = getattr(np, function, None)
    if not isinstance(ufunc, np.ufunc):
        return None
    letter = dtype.numpy.char
    return place_of(ufunc, f"{letter * ufunc.nin}->{letter}")


def place_of(ufunc: np.ufunc, row: str) -> tuple[int, int] | None:
    """Where a loop of a ufunc is, for a row of dtypes, and what it is handed, if its table is as it looks."""
    if row not in ufunc.types:
        return None
    found, index = _Ufunc.from_address(id(ufunc)), ufunc.types.index(row)
    numbers = found.nin, found.nout, found.nargs, found.ntypes
    is_other = found.name != ufunc.__name__.encode()
    if is_other or numbers != (ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes):
        return None
    own = found.types[index * found.nargs : (index + 1) * found.nargs]
    address, data = found.functions[index], found.data[index] if found.data else None
    if own != [np.dtype(letter).num for letter in row.replace("->", "")] or address is None:
        return None
    return address, data or 0


def _is_right(ufunc: np.ufunc, dtype: DType, address: int, data: int) -> bool:
    """Whether a C function gives what a ufunc gives, of some numbers."""
    row, count = ctypes.c_void_p * ufunc.nargs, ctypes.c_ssize_t(1)
    call = _callable(ufunc, address)
    strides = (ctypes.c_ssize_t * ufunc.nargs)()
    with np.errstate(all="ignore"):
        for number in _TRIED:
            operands = [np.array(number / (1 + index), dtype.numpy) for index in range(ufunc.nin)]
            result = np.zeros((), dtype.numpy)
            places: list[Any] = [address_of(each) for each in (*operands, result)]
            call(row(*places), ctypes.addressof(count), strides, data)
            if result.tobytes() != np.asarray(ufunc(*operands)).tobytes():
                return False
    return True


def _callable(ufunc: np.ufunc, address: int) -> Any:
    """A loop of a ufunc as a function of Python's."""
    row = ctypes.c_void_p * ufunc.nargs
    return ctypes.PYFUNCTYPE(None, row, ctypes.c_void_p, ctypes.c_ssize_t * ufunc.nargs, ctypes.c_void_p)(
        address
    )
