"""Offsets in NumPy's C structures and addresses of its C functions, tested once.

All of that is tested once, on an array and on a number. Where a test does not hold, there is none of it.
"""

from __future__ import annotations

import ctypes
import importlib
from functools import cache
from typing import Any

import numpy as np

from runtime.core.tensor import Tensor

__all__ = [
    "BASE",
    "BYTES",
    "DATA",
    "DIMS",
    "DTYPE",
    "FLAGS",
    "HEAD",
    "RANK",
    "array_new",
    "array_scalar",
    "place_in_tensor",
    "place_of",
]

HEAD = object.__basicsize__
"""What every object begins with; its type is last in it. A number of NumPy's goes on with its bytes."""
DATA, RANK, DIMS, BASE, DTYPE, FLAGS = HEAD, HEAD + 8, HEAD + 16, HEAD + 32, HEAD + 40, HEAD + 48
"""Where the parts of an array are, from its beginning on."""
BYTES = """\
define internal i64 @ag_bytes(ptr %dims, i32 %rank, i64 %size) {
start:
  %axes = sext i32 %rank to i64
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %next, %axis ]
  %bytes = phi i64 [ %size, %start ], [ %more, %axis ]
  %going = icmp ult i64 %i, %axes
  br i1 %going, label %axis, label %end
axis:
  %at = getelementptr i64, ptr %dims, i64 %i
  %dim = load i64, ptr %at
  %more = mul i64 %bytes, %dim
  %next = add i64 %i, 1
  br label %head
end:
  ret i64 %bytes
}"""
"""The function that says how many bytes the elements of an array take, each of which takes so many."""
_ARRAY_NEW, _ARRAY_SCALAR = 93, 60
"""`PyArray_New` and `PyArray_Scalar` in NumPy's table of functions."""


def array_new() -> int | None:
    """The address of `PyArray_New`; None where objects do not lie as this file has it."""
    functions = _functions()
    return None if functions is None else functions[0]


def array_scalar() -> int | None:
    """The address of `PyArray_Scalar`, likewise."""
    functions = _functions()
    return None if functions is None else functions[1]


@cache
def place_in_tensor() -> int | None:
    """Where a tensor has its array, from its beginning on; None where it is not found there."""
    return place_of(Tensor, "_array")


def place_of(kind: type[Any], slot: str) -> int | None:
    """Where the instances of a class have what is in a slot, likewise."""
    instance: Any = object.__new__(kind)
    marked = object()
    vars(kind)[slot].__set__(instance, marked)
    places = range(HEAD, kind.__basicsize__, ctypes.sizeof(ctypes.c_void_p))
    found = [at for at in places if ctypes.c_void_p.from_address(id(instance) + at).value == id(marked)]
    return found[0] if len(found) == 1 else None


@cache
def _functions() -> tuple[int, int] | None:
    array = np.arange(6.0).reshape(2, 3)
    place = id(array)
    try:
        if (
            ctypes.c_void_p.from_address(place + HEAD - 8).value != id(np.ndarray)
            or ctypes.c_void_p.from_address(place + DATA).value != array.__array_interface__["data"][0]
            or ctypes.c_int.from_address(place + RANK).value != array.ndim
            or ctypes.c_void_p.from_address(place + DTYPE).value != id(array.dtype)
            or ctypes.c_int.from_address(place + FLAGS).value != array.flags.num
            or ctypes.c_void_p.from_address(place + BASE).value != id(array.base)
        ):
            return None
        dims = ctypes.c_void_p.from_address(place + DIMS).value
        if dims is None or list((ctypes.c_ssize_t * 2).from_address(dims)) != [2, 3]:
            return None
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        functions = vars(importlib.import_module("numpy._core._multiarray_umath"))["_ARRAY_API"]
        table = (ctypes.c_void_p * (_ARRAY_NEW + 1)).from_address(pointer(functions, None))
    except (ImportError, KeyError):
        return None
    new, scalar = table[_ARRAY_NEW], table[_ARRAY_SCALAR]
    if new is None or scalar is None:
        return None
    numbers = [np.dtype(code).type(1) for code in "?bBhHiIqQfdFD"]
    if any(ctypes.string_at(id(each) + HEAD, each.nbytes) != each.tobytes() for each in numbers):
        return None
    made = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(scalar)(
        array.__array_interface__["data"][0] + 8, array.dtype, None
    )
    return (new, scalar) if isinstance(made, np.float64) and made == 1.0 else None
