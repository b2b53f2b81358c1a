"""NumPy's own functions of floats, called from machine code for one number at a time.

Exponentials, sines and their like are not rounded correctly by anybody, so only NumPy's own code has NumPy's
bits. A ufunc keeps that as loops over numbers in memory, in C, which need neither Python nor its lock:
machine code that runs in the place of a NumPy program calls them, as NumPy does for one number.

The programs that call them have a pointer for each, which is filled in when they are loaded: addresses differ
from process to process. What such a loop is, and that it gives what the ufunc gives, is tested once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from runtime.core.dtypes import DType
from runtime.executors.native.flags import FLAGS
from runtime.executors.native.layout import HEAD

__all__ = ["asked_in", "calling_numpy", "give_to", "is_asked", "name_of_call"]

_FUNCTIONS: Final = frozenset(
    {"exp", "expm1", "exp2", "log", "log1p", "log2", "log10", "cbrt", "hypot", "power", "arctan2"}
    | {"sin", "cos", "tan", "arcsin", "arccos", "arctan"}
    | {"sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"}
)
"""Scalar functions that are ufuncs of NumPy's, by the name that both have."""
_CALL, _POINTER = "ag_numpy_", "ag_loop_of_"
_KINDS: Final[Mapping[str, tuple[str, type[Any], int]]] = {
    "f32": ("float", np.float32, np.dtype(np.float32).num),
    "f64": ("double", np.float64, np.dtype(np.float64).num),
}
"""What LLVM and NumPy call a format of floats."""
_ATTRIBUTES = "noinline nounwind willreturn memory(read, inaccessiblemem: readwrite)"
"""It changes nothing that the program sees but the processor's flags."""
_SAMPLES = (0.3125, 0.8125, 2.0, 0.5, 1.0)
"""Numbers that are tried."""


class _Ufunc(ctypes.Structure):
    """The beginning of NumPy's `PyUFuncObject`, which its header for C declares."""

    _fields_ = (
        ("head", ctypes.c_char * HEAD),
        ("inputs", ctypes.c_int),
        ("outputs", ctypes.c_int),
        ("operands", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("loops", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("count", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_void_p),
        ("types", ctypes.c_void_p),
    )


class _Loop(ctypes.Structure):
    """A loop, and what NumPy hands to it."""

    _fields_ = (("code", ctypes.c_void_p), ("data", ctypes.c_void_p))


def is_asked(function: str, dtype: DType) -> bool:
    """Whether machine code can have a function of such floats from NumPy."""
    return dtype.short in _KINDS and _found(function, dtype.short) is not None


def name_of_call(function: str, suffix: str) -> str:
    """The name in LLVM's code of what asks NumPy."""
    return f"{_CALL}{function}_{suffix}"


def asked_in(text: str) -> list[str]:
    """The pointers of a text of LLVM's that have to be filled in."""
    return [
        f"{_POINTER}{function}_{suffix}"
        for function in sorted(_FUNCTIONS)
        for suffix in _KINDS
        if f"@{_POINTER}{function}_{suffix} =" in text
    ]


def give_to(addresses: Mapping[str, int]) -> None:
    """Fills in the pointers of a program, of which all symbols are given."""
    for symbol, address in addresses.items():
        if symbol.startswith(_POINTER):
            function, _, suffix = symbol.removeprefix(_POINTER).rpartition("_")
            ctypes.c_void_p.from_address(address).value = ctypes.addressof(_there(function, suffix))


def _there(function: str, suffix: str) -> _Loop:
    found = _found(function, suffix)
    assert found is not None, "nobody calls what is not there"
    return found


@cache
def _found(function: str, suffix: str) -> _Loop | None:
    """The loop of a function; None where it is not found, or is not what NumPy calls."""
    ufunc = getattr(np, function) if function in _FUNCTIONS else None
    if not isinstance(ufunc, np.ufunc) or FLAGS is None:
        return None
    lies = _Ufunc.from_address(id(ufunc))
    if (lies.inputs, lies.outputs, lies.operands) != (ufunc.nin, ufunc.nout, ufunc.nargs):
        return None
    if lies.count != ufunc.ntypes or ctypes.string_at(lies.name) != function.encode():
        return None
    _, kind, number = _KINDS[suffix]
    types = ctypes.string_at(lies.types, lies.count * lies.operands)
    for at in range(lies.count):
        if types[at * lies.operands :][: lies.operands] == bytes([number]) * lies.operands:
            loop = _Loop(lies.loops[at], lies.data[at])
            return loop if _gives_the_same(loop, ufunc, kind) else None
    return None


def _gives_the_same(loop: _Loop, ufunc: np.ufunc, kind: type[Any]) -> bool:
    """Whether a loop gives what the ufunc gives of single numbers."""
    size = np.dtype(kind).itemsize
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(loop.code)
    numbers = np.zeros(ufunc.nargs, kind)
    place = numbers.__array_interface__["data"][0]
    places = (ctypes.c_void_p * ufunc.nargs)(*[place + at * size for at in range(ufunc.nargs)])
    steps, count = (ctypes.c_ssize_t * ufunc.nargs)(), ctypes.c_ssize_t(1)
    for at in range(len(_SAMPLES) - ufunc.nin + 1):
        given = [kind(sample) for sample in _SAMPLES[at : at + ufunc.nin]]
        with np.errstate(all="ignore"):
            wanted = ufunc(*given)
            numbers[:] = [*given, 0]
            call(ctypes.addressof(places), ctypes.addressof(count), ctypes.addressof(steps), loop.data)
        if numbers[-1:].tobytes() != wanted.tobytes() and not (np.isnan(numbers[-1]) and np.isnan(wanted)):
            return False
    return True


def calling_numpy(name: str) -> str | None:
    """The text of a function that asks NumPy, and of its pointer; None where a name is of something else.

    A loop may clear the processor's flags before it raises its own; those that were raised stay.
    """
    if not name.startswith(_CALL) or FLAGS is None:
        return None
    function, _, suffix = name.removeprefix(_CALL).rpartition("_")
    kind, dtype, _ = _KINDS[suffix]
    count, size = getattr(np, function).nin, np.dtype(dtype).itemsize
    given = ", ".join(f"{kind} %x{at}" for at in range(count))
    places = "\n".join(
        f"""  %at{at} = getelementptr i8, ptr %numbers, i64 {at * size}
  %place{at} = getelementptr ptr, ptr %places, i64 {at}
  store ptr %at{at}, ptr %place{at}"""
        for at in range(count + 1)
    )
    stores = "\n".join(f"  store {kind} %x{at}, ptr %at{at}" for at in range(count))
    return f"""@{_POINTER}{function}_{suffix} = global ptr null

define internal {kind} @{name}({given}) {_ATTRIBUTES} {{
  %numbers = alloca [{count + 1} x {kind}]
  %places = alloca [{count + 1} x ptr]
  %steps = alloca [{count + 1} x i64]
  %count = alloca i64
  store [{count + 1} x i64] zeroinitializer, ptr %steps
  store i64 1, ptr %count
{places}
{stores}
  %loop = load ptr, ptr @{_POINTER}{function}_{suffix}
  %code = load ptr, ptr %loop
  %data.at = getelementptr ptr, ptr %loop, i64 1
  %data = load ptr, ptr %data.at
{FLAGS.note}
  call void %code(ptr %places, ptr %count, ptr %steps, ptr %data)
{FLAGS.add_noted}
  %result = load {kind}, ptr %at{count}
  ret {kind} %result
}}"""
