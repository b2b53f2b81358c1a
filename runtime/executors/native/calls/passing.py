"""Marshalling of arguments and results for calls of Python from machine code.

Arrays are lent to the function; of what it gives, the elements are copied into memory of the run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DTYPES, DType
from runtime.executors.native.calls.layout import BYTES, DATA, DIMS, array_new, array_scalar
from runtime.executors.native.forms import Anything, ArrayForm, Form, ListForm, NumberForm, is_computed
from runtime.executors.native.language.loops import HostSite
from runtime.executors.native.llvm.code import Code, Status, in_memory
from runtime.executors.native.llvm.flags import Flags

__all__ = [
    "HELPERS",
    "PYTHON_SYMBOLS",
    "call_python",
    "catch_python",
    "is_known",
    "lend",
    "table_text",
    "watching",
]

PYTHON_SYMBOLS = ("ag_python",)
"""What a program that calls Python names: a table of the objects and functions that it needs."""

_NUMBERS = [dtype for dtype in DTYPES if is_computed(dtype)]
_FIRST = 3 + len(_NUMBERS)
"""Where in the table the functions of the sites begin."""
_LENT = 0x101
"""The flags of an array that may be read: in one piece, its elements aligned."""

HELPERS = f"""define internal i32 @ag_poll(ptr %context) #1 {{ ; the lock is kept; who waits has a turn
  %count = getelementptr %context, ptr %context, i32 0, i32 10
  %before = load i64, ptr %count
  %polls = add i64 %before, 1
  store i64 %polls, ptr %count
  %patience = getelementptr %context, ptr %context, i32 0, i32 11
  %most = load i64, ptr %patience
  %lasts = icmp eq i64 %polls, %most
  br i1 %lasts, label %give_up, label %stay
give_up:
  ret i32 7
stay:
  %thread = call ptr @PyEval_SaveThread()
  call void @PyEval_RestoreThread(ptr %thread)
  %raised = call i32 @PyErr_CheckSignals()
  %quiet = icmp eq i32 %raised, 0
  br i1 %quiet, label %on, label %keep
on:
  ret i32 0
keep:
  call void @ag_take(ptr %context)
  ret i32 2
}}

define internal ptr @ag_entry_of(i64 %which) alwaysinline {{
  %place = getelementptr ptr, ptr @ag_python, i64 %which
  %object = load ptr, ptr %place
  ret ptr %object
}}

define internal ptr @ag_lent(ptr %data, i32 %rank, ptr %dims, i32 %kind) {{
  %type = call ptr @ag_entry_of(i64 0)
  %new = call ptr @ag_entry_of(i64 1)
  %object = call ptr %new(
    ptr %type, i32 %rank, ptr %dims, i32 %kind, ptr null, ptr %data, i32 0, i32 {_LENT}, ptr null)
  ret ptr %object
}}

define internal ptr @ag_number(ptr %data, i64 %which) {{
  %scalar = call ptr @ag_entry_of(i64 2)
  %dtype = call ptr @ag_entry_of(i64 %which)
  %object = call ptr %scalar(ptr %data, ptr %dtype, ptr null)
  ret ptr %object
}}

define internal ptr @ag_part(ptr %object, i64 %offset) alwaysinline {{
  %place = getelementptr i8, ptr %object, i64 %offset
  %part = load ptr, ptr %place
  ret ptr %part
}}

{BYTES}

define internal ptr @ag_copied(ptr %context, ptr %array, i32 %rank, i64 %size) {{
  %data = call ptr @ag_part(ptr %array, i64 {DATA})
  %dims = call ptr @ag_part(ptr %array, i64 {DIMS})
  %bytes = call i64 @ag_bytes(ptr %dims, i32 %rank, i64 %size)
  %block = call ptr @ag_allocate(ptr %context, i64 %bytes)
  %missing = icmp eq ptr %block, null
  br i1 %missing, label %none, label %copy
copy:
  call void @llvm.memmove.p0.p0.i64(ptr %block, ptr %data, i64 %bytes, i1 false)
  ret ptr %block
none:
  ret ptr null
}}

define internal ptr @ag_hold(ptr %context, ptr %object) {{
  call void @Py_IncRef(ptr %object)
  %word = ptrtoint ptr %object to i64
  %marked = or i64 %word, 1
  %block = inttoptr i64 %marked to ptr
  %pushed = call i1 @ag_push(ptr %context, ptr %block)
  br i1 %pushed, label %held, label %none
held:
  ret ptr %block
none:
  call void @Py_DecRef(ptr %object)
  ret ptr null
}}"""


def watching(flags: Flags) -> str:
    """A call of Python around which the flags stay as they are: it has them as its first argument.

    It is a function of its own, so that LLVM computes nothing of the program's between the flags that are
    kept and those that are put back.
    """
    return f"""define internal ptr @ag_watched(ptr %function, ptr %arguments, i64 %count) noinline {{
  %kept = alloca i64
  store i64 0, ptr %kept
{flags.keep.replace("PLACE", "%kept")}
  %all = load i64, ptr %kept
  %raised = and i64 %all, {flags.mask}
  %word = inttoptr i64 %raised to ptr
  %number = call ptr @PyLong_FromVoidPtr(ptr %word)
  %missing = icmp eq ptr %number, null
  br i1 %missing, label %none, label %call
call:
  store ptr %number, ptr %arguments
  %result = call ptr @PyObject_Vectorcall(ptr %function, ptr %arguments, i64 %count, ptr null)
  call void @Py_DecRef(ptr %number)
{flags.put_back.replace("PLACE", "%kept")}
  ret ptr %result
none:
  ret ptr null
}}"""


def is_known() -> bool:
    """Whether it is known how objects lie in memory."""
    return array_new() is not None


def lend(place: int, functions: Sequence[Callable[..., Any]]) -> list[Any]:
    """Fills the table of a program; gives what has to live as long as its code.

    Parameters
    ----------
    place : int
        The address of the table.
    functions : sequence of callable
        Those of the sites, and that which makes exceptions.
    """
    dtypes = [dtype.numpy for dtype in _NUMBERS]
    table = (ctypes.c_void_p * (_FIRST + len(functions))).from_address(place)
    table[:] = [id(np.ndarray), array_new(), array_scalar(), *map(id, dtypes), *map(id, functions)]
    return [*dtypes, *functions]


def table_text(sites: int) -> str:
    """The table of a program with so many sites."""
    return f"@ag_python = global [{_FIRST + sites + 1} x ptr] zeroinitializer"


class _Slots:
    """Places on the stack of the function, which one call after another uses."""

    def __init__(self, slots: MutableMapping[str, tuple[str, str]]) -> None:
        self._slots = slots

    def place(self, stem: str, count: int) -> str:
        """Room for so many words."""
        name = f"%{stem}.{count}"
        self._slots[name] = name, f"[{max(count, 1)} x i64]"
        return name


def call_python(
    code: Code,
    slots: MutableMapping[str, tuple[str, str]],
    site: HostSite,
    number: int,
    given: Sequence[tuple[str, str]],
    found: Sequence[tuple[str, str]],
    *,
    is_watched: bool = False,
) -> None:
    """A call of the function of a site.

    Parameters
    ----------
    code : Code
    slots : dict
        The places on the stack of the function around.
    site : HostSite
    number : int
        Which of the sites it is.
    given : sequence of (str, str)
        Type and text of what stands for the arguments, bools as bytes.
    found : sequence of (str, str)
        Type and place of what stands for the results, likewise.
    is_watched : bool
        Whether the function is told first which flags of the processor were raised: they are when it is over.
    """
    places, parts = _Slots(slots), iter(given)
    bad, done = code.label("bad"), code.label("done")
    arguments = places.place("objects", len(site.takes) + is_watched)
    made = []
    for index, form in enumerate(site.takes):
        if isinstance(form, Anything):
            _, marked = next(parts)
            argument = _unmarked(code, marked)
        else:
            argument = _object(code, places, form, parts)
            _leave_if_null(code, argument, bad)
            made.append(argument)
        code.add(f"store ptr {argument}, ptr {_word(code, arguments, index + is_watched)}")
    result = _called(code, number, arguments, len(site.takes) + is_watched, is_watched=is_watched)
    for each in made:
        code.add(f"call void @Py_DecRef(ptr {each})")
    _leave_if_null(code, result, bad)
    rest, blocks = iter(found), list[str]()
    for index, form in enumerate(site.gives):
        one = result
        if len(site.gives) != 1:
            one = code.value(f"call ptr @PyTuple_GetItem(ptr {result}, i64 {index})")
        blocks += _taken(code, form, one, rest)
    code.add(f"call void @Py_DecRef(ptr {result})")
    for block in blocks:
        code.leave_if(code.value(f"icmp eq ptr {block}, null"), str(int(Status.NO_MEMORY)))
    _end(code, bad, done)


def catch_python(code: Code, slots: MutableMapping[str, tuple[str, str]], number: int, status: str) -> str:
    """The exception with which a run has ended early, of which the last function makes an object."""
    places = _Slots(slots)
    bad, done = code.label("bad"), code.label("done")
    arguments = places.place("objects", 2)
    where = code.value("call ptr @PyLong_FromVoidPtr(ptr %context)")
    pointer = code.value(f"inttoptr i32 {status} to ptr")
    how = code.value(f"call ptr @PyLong_FromVoidPtr(ptr {pointer})")
    code.add(f"store ptr {where}, ptr {_word(code, arguments, 0)}")
    code.add(f"store ptr {how}, ptr {_word(code, arguments, 1)}")
    result = _called(code, number, arguments, 2)
    code.add(f"call void @Py_DecRef(ptr {where})")
    code.add(f"call void @Py_DecRef(ptr {how})")
    _leave_if_null(code, result, bad)
    held = code.value(f"call ptr @ag_hold(ptr %context, ptr {result})")
    code.add(f"call void @Py_DecRef(ptr {result})")
    code.leave_if(code.value(f"icmp eq ptr {held}, null"), str(int(Status.NO_MEMORY)))
    _end(code, bad, done)
    return held


def _end(code: Code, bad: str, done: str) -> None:
    code.add(f"br label %{done}")
    code.begin(bad)
    code.add("call void @ag_take(ptr %context)")
    code.leave(str(int(Status.RAISED)))
    code.begin(done)


def _called(code: Code, number: int, arguments: str, count: int, *, is_watched: bool = False) -> str:
    function = code.value(f"call ptr @ag_entry_of(i64 {_FIRST + number})")
    if is_watched:
        return code.value(f"call ptr @ag_watched(ptr {function}, ptr {arguments}, i64 {count})")
    return code.value(
        f"call ptr @PyObject_Vectorcall(ptr {function}, ptr {arguments}, i64 {count}, ptr null)"
    )


def _leave_if_null(code: Code, pointer: str, bad: str) -> None:
    on = code.label("on")
    code.add(f"br i1 {code.value(f'icmp eq ptr {pointer}, null')}, label %{bad}, label %{on}, !prof !0")
    code.begin(on)


def _word(code: Code, of: str, index: int) -> str:
    return code.value(f"getelementptr i64, ptr {of}, i64 {index}")


def _unmarked(code: Code, pointer: str) -> str:
    word = code.value(f"ptrtoint ptr {pointer} to i64")
    return code.value(f"inttoptr i64 {code.value(f'and i64 {word}, -2')} to ptr")


def _object(code: Code, places: _Slots, form: Form, parts: Iterator[tuple[str, str]]) -> str:
    """The object for an argument, from what stands for it."""
    kind, text = next(parts)
    match form:
        case NumberForm(dtype):
            place = places.place("number", 2)
            code.add(f"store {kind} {text}, ptr {place}")
            return code.value(f"call ptr @ag_number(ptr {place}, i64 {3 + _NUMBERS.index(dtype)})")
        case ListForm(dtype, dims):
            lengths = [next(parts)[1], *map(str, dims)]
            next(parts)  # for how many there is room
        case ArrayForm(dtype, dims):
            lengths = [next(parts)[1] if dim is None else str(dim) for dim in dims]
        case _:
            raise AssertionError(f"{form} is no number and no array")
    place = places.place("dims", len(lengths))
    for axis, length in enumerate(lengths):
        code.add(f"store i64 {length}, ptr {_word(code, place, axis)}")
    return code.value(f"call ptr @ag_lent(ptr {text}, i32 {len(lengths)}, ptr {place}, i32 {_kind(dtype)})")


def _kind(dtype: DType) -> int:
    number: int = dtype.numpy.num
    return number


def _taken(code: Code, form: Form, result: str, places: Iterator[tuple[str, str]]) -> list[str]:
    """Takes a result apart, into the places of what stands for it; gives pointers that must not be null."""
    kind, place = next(places)
    match form:
        case Anything():
            block = code.value(f"call ptr @ag_hold(ptr %context, ptr {result})")
            code.add(f"store ptr {block}, ptr {place}")
            return [block]
        case NumberForm(dtype):
            data = code.value(f"call ptr @ag_part(ptr {result}, i64 {DATA})")
            value = code.value(f"load {in_memory(dtype)}, ptr {data}")
            if kind == "i1":
                value = code.value(f"icmp ne i8 {value}, 0")
            code.add(f"store {kind} {value}, ptr {place}")
            return []
        case ListForm(dtype, dims):
            rank, axes = 1 + len(dims), [0, 0]  # its length, and for how many there is room
        case ArrayForm(dtype, dims):
            rank, axes = len(dims), [axis for axis, dim in enumerate(dims) if dim is None]
        case _:
            raise AssertionError(f"there is no form {form}")
    block = code.value(f"call ptr @ag_copied(ptr %context, ptr {result}, i32 {rank}, i64 {dtype.itemsize})")
    code.add(f"store ptr {block}, ptr {place}")
    lengths = code.value(f"call ptr @ag_part(ptr {result}, i64 {DIMS})")
    for axis in axes:
        _, place = next(places)
        length = code.value(f"load i64, ptr {_word(code, lengths, axis)}")
        code.add(f"store i64 {length}, ptr {place}")
    return [block]
