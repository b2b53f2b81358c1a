"""A function in C that makes a tensor of an array, in a third of the time that the class takes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runtime.core.tensor import Tensor
from runtime.executors.native.calls.calling import field, made_function
from runtime.executors.native.calls.layout import HEAD, place_in_tensor
from runtime.executors.native.llvm import engine

__all__ = ["boxing"]

_BYTES = bytes.__basicsize__ - 1


def boxing(tensors: type[Tensor]) -> Callable[[Any], Any] | None:
    """The function for a class of tensors; None where there is none, or no code in this process yet."""
    is_plain = tensors.__init__ is Tensor.__init__
    if not (is_plain and engine.is_there() and engine.is_loaded()) or place_in_tensor() is None:
        return None
    library = _library()
    table = struct.pack("<2q", id(tensors), id(np.ndarray))
    return made_function("boxed", library.addresses["ag_boxed"], table, (library, tensors))


@cache
def _library() -> engine.Library:
    return engine.compiled(_text(), ["ag_boxed"])


def _text() -> str:
    place = place_in_tensor()
    assert place is not None, "it was looked for"
    return f"""{engine.AS_IT_STANDS}
declare void @Py_IncRef(ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyType_GenericAlloc(ptr, i64)

define ptr @ag_boxed(ptr %self, ptr %given, i64 %count) {{
start:
  %table = getelementptr i8, ptr %self, i64 {_BYTES}
  %array.at = getelementptr ptr, ptr %table, i64 1
  %array = load ptr, ptr %array.at
  %tensors = load ptr, ptr %table
  %value = load ptr, ptr %given
{chr(10).join(field("type", "%value", HEAD - 8, "ptr"))}
  %is_array = icmp eq ptr %type, %array
  br i1 %is_array, label %box, label %other
box:
  %tensor = call ptr @PyType_GenericAlloc(ptr %tensors, i64 0)
  %has_none = icmp eq ptr %tensor, null
  br i1 %has_none, label %failed, label %boxed
failed:
  ret ptr null
boxed:
  call void @Py_IncRef(ptr %value)
  %slot = getelementptr i8, ptr %tensor, i64 {place}
  store ptr %value, ptr %slot
  ret ptr %tensor
other: ; a number of NumPy's, or a list of the run
  %by_class = call ptr @PyObject_Vectorcall(ptr %tensors, ptr %given, i64 %count, ptr null)
  ret ptr %by_class
}}
"""
