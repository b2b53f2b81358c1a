"""Functions in C that make tensors: of arrays, and of the numbers in what a function of Python's returns.

Lists and tuples are made anew, texts and None are what they are. What else there is is left to a function of
Python's. A number takes a fifth of the time that its class would take.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runtime.core.tensor import Tensor
from runtime.executors.native import engine
from runtime.executors.native.calling import field, made_function
from runtime.executors.native.layout import HEAD, array_new, place_in_tensor

__all__ = ["boxing", "giving"]


def giving(tensors: type[Tensor], other: Callable[[Any], Any]) -> Callable[[Any], Any] | None:
    """The function; None where there is none.

    Parameters
    ----------
    tensors : type
    other : callable
        Gets what is neither a list, a tuple, a text, None, nor a number with a tensor of its own dtype.
    """
    is_plain = tensors.__init__ is Tensor.__init__
    new = array_new() if is_plain and engine.is_there() and _numbers_lie_as_known() else None
    if new is None or place_in_tensor() is None:
        return None
    library = _library()
    words = [*map(id, (tensors, other, np.ndarray, *_KINDS, None, True)), new]
    table = struct.pack(f"<{len(words)}q", *words)
    return made_function("given", library.addresses["ag_given"], table, (library, tensors, other))


def boxing(tensors: type[Tensor]) -> Callable[[Any], Any] | None:
    """A function in C that makes a tensor of an array; None where there is none, or LLVM is not loaded.

    Parameters
    ----------
    tensors : type
    """
    is_plain = tensors.__init__ is Tensor.__init__
    if not (is_plain and engine.is_there() and engine.is_loaded()) or place_in_tensor() is None:
        return None
    library = _library()
    table = struct.pack("<2q", id(tensors), id(np.ndarray))
    return made_function("boxed", library.addresses["ag_boxed"], table, (library, tensors))


_KINDS = (float, np.float64, int, np.int64, bool, np.bool_, list, tuple, str)
_PLACES = [f"kind.{index}" for index in range(len(_KINDS))]
_NAMES = ("tensors", "other", "array", *_PLACES, "none", "true", "new")
_BYTES = bytes.__basicsize__ - 1


@cache
def _numbers_lie_as_known() -> bool:
    """Whether a number of NumPy's has its bits behind the head of the object."""
    number, integer, truth = np.float64(0.1), np.int64(-5), np.True_
    return (
        ctypes.c_double.from_address(id(number) + HEAD).value == number
        and ctypes.c_int64.from_address(id(integer) + HEAD).value == integer
        and ctypes.c_double.from_address(id(0.1) + HEAD).value == number
        and ctypes.c_uint8.from_address(id(truth) + HEAD).value == 1
    )


@cache
def _library() -> engine.Library:
    return engine.compiled(_text(), ["ag_given", "ag_boxed"])


def _of_table() -> str:
    return "\n".join(
        f"  %{name}.at = getelementptr ptr, ptr %table, i64 {index}\n  %{name} = load ptr, ptr %{name}.at"
        for index, name in enumerate(_NAMES)
    )


def _tests() -> str:
    """Which kind of object it is, one after the other."""
    lines = []
    labels = ("float", "float", "int", "integer", "truth", "byte", "list", "tuple", "same")
    for index, label in enumerate(labels):
        lines.append(
            f"  %is.{index} = icmp eq ptr %type, %kind.{index}\n"
            f"  br i1 %is.{index}, label %{label}, label %test.{index + 1}\ntest.{index + 1}:"
        )
    return "\n".join(lines)


def _nest(name: str) -> str:
    """Makes a list or a tuple of what there is to give for each item."""
    kind = {"list": "PyList", "tuple": "PyTuple"}[name]
    return f"""{name}:
  %{name}.count = call i64 @{kind}_Size(ptr %value)
  %{name}.deep = call i32 @Py_EnterRecursiveCall(ptr @ag_deep)
  %{name}.is_deep = icmp ne i32 %{name}.deep, 0
  br i1 %{name}.is_deep, label %failed, label %{name}.begin
{name}.begin:
  %{name}.new = call ptr @{kind}_New(i64 %{name}.count)
  %{name}.none = icmp eq ptr %{name}.new, null
  br i1 %{name}.none, label %left, label %{name}.head
{name}.head:
  %{name}.i = phi i64 [ 0, %{name}.begin ], [ %{name}.next, %{name}.set ]
  %{name}.going = icmp slt i64 %{name}.i, %{name}.count
  br i1 %{name}.going, label %{name}.item, label %{name}.done
{name}.item:
  %{name}.old = call ptr @{kind}_GetItem(ptr %value, i64 %{name}.i)
  %{name}.gone = icmp eq ptr %{name}.old, null
  br i1 %{name}.gone, label %{name}.failed, label %{name}.give
{name}.give:
  call void @Py_IncRef(ptr %{name}.old)
  %{name}.given = call ptr @ag_give(ptr %table, ptr %{name}.old)
  call void @Py_DecRef(ptr %{name}.old)
  %{name}.raised = icmp eq ptr %{name}.given, null
  br i1 %{name}.raised, label %{name}.failed, label %{name}.set
{name}.set:
  call i32 @{kind}_SetItem(ptr %{name}.new, i64 %{name}.i, ptr %{name}.given)
  %{name}.next = add i64 %{name}.i, 1
  br label %{name}.head
{name}.failed:
  call void @Py_DecRef(ptr %{name}.new)
  br label %left
{name}.done:
  call void @Py_LeaveRecursiveCall()
  ret ptr %{name}.new"""


def _text() -> str:
    place = place_in_tensor()
    assert place is not None, "it was looked for"
    double, integer, truth = [np.dtype(each).num for each in (np.float64, np.int64, np.bool_)]
    deep = " while a result becomes tensors\\00"
    return f"""{engine.AS_IT_STANDS}
@ag_deep = private constant [{len(deep) - 2} x i8] c"{deep}"
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare i32 @Py_EnterRecursiveCall(ptr)
declare void @Py_LeaveRecursiveCall()
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare i64 @PyList_Size(ptr)
declare ptr @PyList_New(i64)
declare ptr @PyList_GetItem(ptr, i64)
declare i32 @PyList_SetItem(ptr, i64, ptr)
declare i64 @PyTuple_Size(ptr)
declare ptr @PyTuple_New(i64)
declare ptr @PyTuple_GetItem(ptr, i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)

define ptr @ag_given(ptr %self, ptr %given, i64 %count) {{
start:
  %table = getelementptr i8, ptr %self, i64 {_BYTES}
  %value = load ptr, ptr %given
  %result = call ptr @ag_give(ptr %table, ptr %value)
  ret ptr %result
}}

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

define internal ptr @ag_give(ptr %table, ptr %value) {{
start:
  %object = alloca ptr
  %over = alloca i32
{_of_table()}
{chr(10).join(field("type", "%value", HEAD - 8, "ptr"))}
{_tests()}
  %is_none = icmp eq ptr %value, %none
  br i1 %is_none, label %same, label %any
any:
  store ptr %value, ptr %object
  %by_python = call ptr @PyObject_Vectorcall(ptr %other, ptr %object, i64 1, ptr null)
  ret ptr %by_python
same:
  call void @Py_IncRef(ptr %value)
  ret ptr %value
{_nest("list")}
{_nest("tuple")}
left:
  call void @Py_LeaveRecursiveCall()
  br label %failed
failed:
  ret ptr null
float:
{chr(10).join(field("float.bits", "%value", HEAD, "i64"))}
  br label %word
integer:
{chr(10).join(field("integer.bits", "%value", HEAD, "i64"))}
  br label %word
int:
  %int.bits = call i64 @PyLong_AsLongLongAndOverflow(ptr %value, ptr %over)
  %int.over = load i32, ptr %over
  %int.fits = icmp eq i32 %int.over, 0
  br i1 %int.fits, label %word, label %any
truth:
  %truth.is = icmp eq ptr %value, %true
  %truth.bits = zext i1 %truth.is to i64
  br label %word
byte:
{chr(10).join(field("byte.bit", "%value", HEAD, "i8"))}
  %byte.bits = zext i8 %byte.bit to i64
  br label %word
word:
  %bits = phi i64 [ %float.bits, %float ], [ %integer.bits, %integer ], [ %int.bits, %int ],\
 [ %truth.bits, %truth ], [ %byte.bits, %byte ]
  %number = phi i32 [ {double}, %float ], [ {integer}, %integer ], [ {integer}, %int ],\
 [ {truth}, %truth ], [ {truth}, %byte ]
  %made = call ptr %new(ptr %array, i32 0, ptr null, i32 %number, ptr null, ptr null, i32 0, i32 0, ptr null)
  %is_lost = icmp eq ptr %made, null
  br i1 %is_lost, label %failed, label %elements
elements:
{chr(10).join(field("data", "%made", HEAD, "ptr"))}
  %is_byte = icmp eq i32 %number, {truth}
  br i1 %is_byte, label %store.byte, label %store.word
store.byte:
  %low = trunc i64 %bits to i8
  store i8 %low, ptr %data
  br label %box
store.word:
  store i64 %bits, ptr %data
  br label %box
box:
  %tensor = call ptr @PyType_GenericAlloc(ptr %tensors, i64 0)
  %has_none = icmp eq ptr %tensor, null
  br i1 %has_none, label %drop, label %boxed
drop:
  call void @Py_DecRef(ptr %made)
  ret ptr null
boxed:
  %slot = getelementptr i8, ptr %tensor, i64 {place}
  store ptr %made, ptr %slot
  ret ptr %tensor
}}
"""
