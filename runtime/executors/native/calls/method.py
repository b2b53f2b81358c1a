"""`__call__` in C: a call gets to the function in front of its graph without a line of Python.

An object has that function in a slot. Where there is none, where it leaves a call, and while a word says so,
the method in Python does all of it.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

from runtime.executors.native.calls.calling import FASTCALL, KEYWORDS, Definition
from runtime.executors.native.calls.layout import place_of
from runtime.executors.native.llvm import engine
from runtime.executors.native.llvm.efforts import AS_IT_STANDS

__all__ = ["is_called_in_c"]

_lock = threading.Lock()


def is_called_in_c(
    kind: Any,
    slot: str,
    failed: Callable[[Any, BaseException], None],
    busy: ctypes.c_ssize_t,
    none_returned: object,
) -> bool:
    """Has calls of the objects of a class begin in C from now on, and says whether they do.

    They do not where objects do not lie as the code has to know.

    Parameters
    ----------
    kind : type
        With `__call__` in Python.
    slot : str
        Of the function that serves calls, or None. It gives None for a call that it leaves.
    failed : callable
        Is told what that function raises, before the caller gets it.
    busy : c_ssize_t
        While it is not 0, all is left to the method in Python.
    none_returned : object
        Is given for a result that is None.
    """
    if not engine.is_loaded():  # that would take longer than many calls gain
        return False
    with _lock:
        plain = vars(kind)["__call__"]
        if isinstance(plain, FunctionType):
            place = place_of(kind, slot)
            if place is None:
                return False
            kind.__call__ = _method(kind, place, plain, failed, busy, none_returned)
    return True


def _method(
    kind: type,
    place: int,
    plain: FunctionType,
    failed: Callable[[Any, BaseException], None],
    busy: ctypes.c_ssize_t,
    none_returned: object,
) -> Any:
    pointers = {
        "ag_none": id(None),
        "ag_plain": id(plain),
        "ag_failed": id(failed),
        "ag_busy": ctypes.addressof(busy),
        "ag_none_returned": id(none_returned),
    }
    library = engine.compiled(_text(place), ["ag_call", *pointers])
    for name, pointer in pointers.items():
        ctypes.c_void_p.from_address(library.addresses[name]).value = pointer
    doc = (plain.__doc__ or "").encode()
    definition = Definition(b"__call__", library.addresses["ag_call"], FASTCALL | KEYWORDS, doc)
    _KEPT.append((library, definition, plain, failed, busy, none_returned))
    make = ctypes.pythonapi.PyDescr_NewMethod
    make.restype, make.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.c_void_p]
    return make(kind, ctypes.addressof(definition))


_KEPT: list[object] = []
"""What methods need, as long as there are classes."""


def _text(place: int) -> str:
    blocks = (_quick(place), _PLAIN, _FAILED)
    return "\n".join([AS_IT_STANDS, _DECLARATIONS, *blocks, ""])


_DECLARATIONS = """\
@ag_none = global ptr null
@ag_plain = global ptr null
@ag_failed = global ptr null
@ag_busy = global ptr null
@ag_none_returned = global ptr null
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare i64 @PyTuple_Size(ptr)
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_NormalizeException(ptr, ptr, ptr)
declare void @PyErr_Restore(ptr, ptr, ptr)
declare ptr @PyException_GetTraceback(ptr)
declare ptr @PyObject_Type(ptr)
declare i32 @PyException_SetTraceback(ptr, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


def _quick(place: int) -> str:
    """The call of the function in the slot, where there is one, and it does not leave the call to others."""
    return f"""\
define ptr @ag_call(ptr %self, ptr %given, i64 %count, ptr %names) {{
start:
  %none = load ptr, ptr @ag_none
  %front.at = getelementptr i8, ptr %self, i64 {place}
  %front = load ptr, ptr %front.at
  %was_set = icmp ne ptr %front, null
  %is_some = icmp ne ptr %front, %none
  %is_there = and i1 %was_set, %is_some
  br i1 %is_there, label %look, label %plain
look:
  %busy.at = load ptr, ptr @ag_busy
  %busy = load i64, ptr %busy.at
  %is_free = icmp eq i64 %busy, 0
  br i1 %is_free, label %quick, label %plain
quick: ; the slot may get another function while this one runs
  call void @Py_IncRef(ptr %front)
  %found = call ptr @PyObject_Vectorcall(ptr %front, ptr %given, i64 %count, ptr %names)
  call void @Py_DecRef(ptr %front)
  %fails = icmp eq ptr %found, null
  br i1 %fails, label %failed, label %done
done:
  %is_left = icmp eq ptr %found, %none
  br i1 %is_left, label %left, label %some
some:
  %none_returned = load ptr, ptr @ag_none_returned
  %is_none = icmp eq ptr %found, %none_returned
  br i1 %is_none, label %nothing, label %give
nothing:
  call void @Py_DecRef(ptr %found)
  call void @Py_IncRef(ptr %none)
  ret ptr %none
give:
  ret ptr %found
left:
  call void @Py_DecRef(ptr %none)
  br label %plain"""


_PLAIN = """\
plain:
  %has_names = icmp ne ptr %names, null
  br i1 %has_names, label %named, label %all
named:
  %names.count = call i64 @PyTuple_Size(ptr %names)
  br label %all
all:
  %by_name = phi i64 [ 0, %plain ], [ %names.count, %named ]
  %rest = add i64 %count, %by_name
  %more = add i64 %rest, 1
  %stack = alloca ptr, i64 %more
  store ptr %self, ptr %stack
  %stack.rest = getelementptr ptr, ptr %stack, i64 1
  %bytes = mul i64 %rest, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %stack.rest, ptr %given, i64 %bytes, i1 false)
  %method = load ptr, ptr @ag_plain
  %positional = add i64 %count, 1
  %by_python = call ptr @PyObject_Vectorcall(ptr %method, ptr %stack, i64 %positional, ptr %names)
  ret ptr %by_python"""
"""The call of the method in Python."""


_FAILED = """\
failed:
  %kind.at = alloca ptr
  %trace.at = alloca ptr
  %told = alloca [2 x ptr]
  %error.at = getelementptr ptr, ptr %told, i64 1
  store ptr %self, ptr %told
  call void @PyErr_Fetch(ptr %kind.at, ptr %error.at, ptr %trace.at)
  call void @PyErr_NormalizeException(ptr %kind.at, ptr %error.at, ptr %trace.at)
  %kind = load ptr, ptr %kind.at
  %error = load ptr, ptr %error.at
  %trace = load ptr, ptr %trace.at
  %has_trace = icmp ne ptr %trace, null
  br i1 %has_trace, label %traced, label %tell
traced:
  call i32 @PyException_SetTraceback(ptr %error, ptr %trace)
  call void @Py_DecRef(ptr %trace)
  br label %tell
tell:
  %telling = load ptr, ptr @ag_failed
  %answer = call ptr @PyObject_Vectorcall(ptr %telling, ptr %told, i64 2, ptr null)
  %is_told = icmp ne ptr %answer, null
  br i1 %is_told, label %raise, label %another
raise:
  call void @Py_DecRef(ptr %answer)
  %left_of_trace = call ptr @PyException_GetTraceback(ptr %error)
  %kind.now = call ptr @PyObject_Type(ptr %error) ; who was told may have given it another class
  call void @Py_DecRef(ptr %kind)
  call void @PyErr_Restore(ptr %kind.now, ptr %error, ptr %left_of_trace)
  ret ptr null
another:
  call void @Py_DecRef(ptr %kind)
  call void @Py_DecRef(ptr %error)
  ret ptr null
}"""
"""What somebody is told of an exception, before it is raised."""
