"""Functions in C that make tensors, of an array and of each element of one, and texts of code points.

In Python, the first takes three times as long, and the others ten times.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runtime.core.containers import Boxes
from runtime.core.lists import ListValue
from runtime.core.tensor import Tensor
from runtime.core.text import characters
from runtime.executors.native.calls.calling import USUAL, field, made_function
from runtime.executors.native.calls.layout import (
    DATA,
    DIMS,
    DTYPE,
    FLAGS,
    HEAD,
    RANK,
    array_new,
    place_in_tensor,
)
from runtime.executors.native.llvm import engine
from runtime.executors.native.llvm.efforts import AS_IT_STANDS

__all__ = ["boxing"]

_BYTES = bytes.__basicsize__ - 1


def boxing(tensors: type[Tensor]) -> Boxes:
    """What makes tensors of a class: the functions in C, where there is code in this process."""
    is_plain = tensors.__init__ is Tensor.__init__
    is_known = place_in_tensor() is not None and array_new() is not None
    if not (is_plain and is_known and engine.is_there() and engine.is_loaded()):
        return Boxes(tensors, lambda column: list(map(tensors, column.items)), characters)
    library = _library()
    table = struct.pack("<2q", id(tensors), id(np.ndarray))
    one = made_function("boxed", library.addresses["ag_boxed"], table, (library, tensors))
    makers: dict[Any, Callable[[Any], list[Any]]] = {}

    def each(column: ListValue) -> list[Any]:
        packed = column.together
        if packed is None or packed.ndim != 1:
            return list(map(one, column.items))
        dtype = packed.dtype
        make = makers.get(dtype)
        if make is None:
            make = makers[dtype] = _boxing_each(tensors, dtype)
        return make(packed)

    words = id(np.ndarray), id(np.dtype(np.int32)), id(characters)
    kept = library, characters, np.dtype(np.int32)
    text = made_function("text", library.addresses["ag_text"], struct.pack("<3q", *words), kept)
    return Boxes(one, each, text)


def _boxing_each(tensors: type[Tensor], dtype: Any) -> Callable[[Any], list[Any]]:
    """What makes a tensor of each element of a row of such numbers, which lie one after the other."""
    library = _library()
    words = id(tensors), id(np.ndarray), array_new(), dtype.num, dtype.itemsize
    table = struct.pack("<5q", *words)
    return made_function("each_boxed", library.addresses["ag_each"], table, (library, tensors))


@cache
def _library() -> engine.Library:
    return engine.compiled(_text(), ["ag_boxed", "ag_each", "ag_text"])


def _text() -> str:
    place = place_in_tensor()
    assert place is not None, "it was looked for"
    functions = (_boxed(place), _each(place), _characters())
    return "\n".join([AS_IT_STANDS, _DECLARATIONS, "\n\n".join(functions), ""])


_DECLARATIONS = """\
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyUnicode_FromKindAndData(i32, ptr, i64)
declare ptr @PyList_New(i64)
declare i32 @PyList_SetItem(ptr, i64, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyType_GenericAlloc(ptr, i64)
"""


def _boxed(place: int) -> str:
    """A function that makes a tensor of an array; of anything else, what the class makes of it."""
    return f"""\
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
}}"""


def _each(place: int) -> str:
    """A function that makes a list of tensors of the numbers of an array."""
    return f"""\
define ptr @ag_each(ptr %self, ptr %given, i64 %count) {{
start:
  %table = getelementptr i8, ptr %self, i64 {_BYTES}
  %tensors = load ptr, ptr %table
  %type.at = getelementptr ptr, ptr %table, i64 1
  %type = load ptr, ptr %type.at
  %new.at = getelementptr ptr, ptr %table, i64 2
  %new = load ptr, ptr %new.at
  %kind.at = getelementptr i64, ptr %table, i64 3
  %kind.wide = load i64, ptr %kind.at
  %kind = trunc i64 %kind.wide to i32
  %size.at = getelementptr i64, ptr %table, i64 4
  %size = load i64, ptr %size.at
  %array = load ptr, ptr %given
{chr(10).join(field("data", "%array", DATA, "ptr"))}
{chr(10).join(field("dims", "%array", DIMS, "ptr"))}
  %length = load i64, ptr %dims
  %list = call ptr @PyList_New(i64 %length)
  %has_none = icmp eq ptr %list, null
  br i1 %has_none, label %failed, label %head
head:
  %i = phi i64 [ 0, %start ], [ %next, %boxed ]
  %going = icmp ult i64 %i, %length
  br i1 %going, label %make, label %end
make:
  %number = call ptr %new(ptr %type, i32 0, ptr null, i32 %kind, ptr null, ptr null, i32 0, i32 0, ptr null)
  %is_unmade = icmp eq ptr %number, null
  br i1 %is_unmade, label %lost, label %fill
fill:
{chr(10).join(field("to", "%number", DATA, "ptr"))}
  %offset = mul i64 %i, %size
  %from = getelementptr i8, ptr %data, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  %tensor = call ptr @PyType_GenericAlloc(ptr %tensors, i64 0)
  %is_unboxed = icmp eq ptr %tensor, null
  br i1 %is_unboxed, label %bare, label %boxed
boxed:
  %slot = getelementptr i8, ptr %tensor, i64 {place}
  store ptr %number, ptr %slot
  call i32 @PyList_SetItem(ptr %list, i64 %i, ptr %tensor)
  %next = add i64 %i, 1
  br label %head
end:
  ret ptr %list
bare:
  call void @Py_DecRef(ptr %number)
  br label %lost
lost:
  call void @Py_DecRef(ptr %list)
  ret ptr null
failed:
  ret ptr null
}}"""


def _characters() -> str:
    """A function that makes a text of an array of characters."""
    return f"""\
define ptr @ag_text(ptr %self, ptr %given, i64 %count) {{
start:
  %table = getelementptr i8, ptr %self, i64 {_BYTES}
  %array = load ptr, ptr %table
  %dtype.at = getelementptr ptr, ptr %table, i64 1
  %dtype = load ptr, ptr %dtype.at
  %value = load ptr, ptr %given
{chr(10).join(field("type", "%value", HEAD - 8, "ptr"))}
  %is_array = icmp eq ptr %type, %array
  br i1 %is_array, label %look, label %other
look:
{chr(10).join(field("own", "%value", DTYPE, "ptr"))}
{chr(10).join(field("rank", "%value", RANK, "i32"))}
{chr(10).join(field("flags", "%value", FLAGS, "i32"))}
  %is_dtype = icmp eq ptr %own, %dtype
  %is_row = icmp eq i32 %rank, 1
  %some = and i32 %flags, {USUAL}
  %is_usual = icmp eq i32 %some, {USUAL}
  %is_meant = and i1 %is_dtype, %is_row
  %fits = and i1 %is_meant, %is_usual
  br i1 %fits, label %read, label %other
read:
{chr(10).join(field("data", "%value", DATA, "ptr"))}
{chr(10).join(field("dims", "%value", DIMS, "ptr"))}
  %length = load i64, ptr %dims
  br label %head
head:
  %i = phi i64 [ 0, %read ], [ %next, %good ]
  %going = icmp ult i64 %i, %length
  br i1 %going, label %one, label %make
one:
  %code.at = getelementptr i32, ptr %data, i64 %i
  %code = load i32, ptr %code.at
  %is_code = icmp ult i32 %code, 1114112
  br i1 %is_code, label %good, label %other
good:
  %next = add i64 %i, 1
  br label %head
make:
  %text = call ptr @PyUnicode_FromKindAndData(i32 4, ptr %data, i64 %length)
  ret ptr %text
other: ; it knows what to make of any
  %python.at = getelementptr ptr, ptr %table, i64 2
  %python = load ptr, ptr %python.at
  %by_python = call ptr @PyObject_Vectorcall(ptr %python, ptr %given, i64 %count, ptr null)
  ret ptr %by_python
}}"""
