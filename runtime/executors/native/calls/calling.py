"""The C entry point of a compiled graph: unpacks NumPy arrays, and makes the results.

A call costs a tenth of what it costs in Python. The code knows how objects lie in memory; where a test of
that does not hold, and for arguments of any other form, the entry in Python does the same. Called without a
`self`, it leaves that, and what a run has to say, to its caller, and gives None.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime.core.dtypes import DType
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, Spec
from runtime.executors.native.calls.layout import DATA, DIMS, DTYPE, FLAGS, HEAD, RANK, array_new, place_of
from runtime.executors.native.forms import ArrayForm, ListForm, NumberForm, form_of
from runtime.executors.native.llvm.code import PRIVATE, Status, in_memory, words_of
from runtime.executors.native.llvm.engine import Library
from runtime.graph.graph import Graph

__all__ = [
    "FASTCALL",
    "KEYWORDS",
    "SYMBOLS",
    "USUAL",
    "Definition",
    "calling_code",
    "field",
    "function_in_c",
    "made_function",
    "tell_objects",
]

SYMBOLS = (
    "ag_fast",
    "ag_array_type",
    "ag_array_new",
    "ag_dtypes",
    "ag_numbers",
    "ag_slow",
    "ag_resume",
    "ag_none",
    "ag_list_type",
    "ag_elements",
)
"""What the code of a call names."""
_TABLES = ("ag_dtypes", "ag_numbers")
"""Of these, what has an entry for each argument: its dtype, and the class of NumPy's numbers of that.

`ag_elements` has one for each result: what the elements of a list are."""

USUAL = 0x101
"""The flags of an array in one piece, in the order of its indices, whose elements are aligned."""
_WRITABLE, _OWNS = 0x400, 0x4
"""Of an array that may be written to, and of one that frees its elements."""
FASTCALL, KEYWORDS = 0x80, 0x2
"""How Python gives arguments: in a row, and with the names of the last ones."""


def calling_code(graph: Graph, context_words: int, lent: Collection[int] = (), *, makes_memory: bool) -> str:
    """The text of the function, for the graph that ``ag_entry`` computes; empty where there is none.

    Parameters
    ----------
    graph : Graph
    context_words : int
        Words of eight bytes before the results.
    lent : collection of int
        Outputs that are no results: inputs hold them. The upper half of how many arguments there are has a
        bit for each of these inputs, by its number, that nobody else sees.
    makes_memory : bool
        Whether a run leaves memory that is to be freed.
    """
    takes = _specs(graph.input_specs)
    gives = _results(graph, lent)
    names = [dim for spec in takes for dim in spec.shape or () if not isinstance(dim, int)]
    has_form = len(takes) == len(graph.input_specs) and all(
        isinstance(form_of(spec), NumberForm | ArrayForm) for spec in takes
    )
    if (
        not has_form or gives is None or array_new() is None or len(set(names)) < len(names)
    ):  # lengths that are equal are compared in Python
        return ""
    words = context_words + sum(each.words for each in gives) + 1
    tables = {**dict.fromkeys(_TABLES, len(takes)), "ag_elements": len(gives)}
    lines = [
        *[f"@{name} = global [{count} x ptr] zeroinitializer" for name, count in tables.items()],
        *[f"@{name} = global ptr null" for name in SYMBOLS if name not in {"ag_fast", *tables}],
        "define ptr @ag_fast(ptr %self, ptr %given, i64 %packed) #1 {",
        "start:",
        "  %count = and i64 %packed, 4294967295",
        "  %private = lshr i64 %packed, 32",
        f"  %words = alloca [{words} x i64]",
        f"  %arguments = alloca [{sum(map(_words, takes)) + 1} x i64]",
        f"  %again = alloca [{len(takes) + 1} x ptr]",
        f"  %dims = alloca [{max([1, *[len(each.shape) for each in gives]])} x i64]",
        f"  store [{words} x i64] zeroinitializer, ptr %words",
        f"  %private.at = getelementptr i64, ptr %words, i64 {PRIVATE}",
        "  store i64 %private, ptr %private.at",
        "  %type = load ptr, ptr @ag_array_type",
        "  %new = load ptr, ptr @ag_array_new",
        f"  %enough = icmp eq i64 %count, {len(takes)}",
        "  br i1 %enough, label %argument.0, label %slow",
    ]
    place = 0
    for index, spec in enumerate(takes):
        lines += _taken(index, spec, place)
        place += _words(spec)
    freed = ["  call void @ag_free(ptr %words)"] if makes_memory else []
    lines += [
        f"argument.{len(takes)}:",
        "  %status = call i32 @ag_entry(ptr %words, ptr %arguments)",
        "  switch i32 %status, label %resume [",
        f"    i32 {int(Status.DONE)}, label %done",
        "  ]",
        *_left_to_python(words, len(takes), freed),
        "done:",
    ]
    several = len(gives) != 1
    if several:
        lines += [f"  %tuple = call ptr @PyTuple_New(i64 {len(gives)})"]
    place = context_words
    results = []
    for index, each in enumerate(gives):
        lines += _given(index, each, place, makes_memory=makes_memory)
        lines += _listed(index) if each.is_list else []
        results.append(f"%{'list' if each.is_list else 'result'}.{index}")
        if several:
            lines += [f"  call i32 @PyTuple_SetItem(ptr %tuple, i64 {index}, ptr {results[-1]})"]
        place += each.words
    result = "%tuple" if several else results[0]
    return "\n".join([*lines, *freed, f"  ret ptr {result}", "}"])


def _left_to_python(words: int, count: int, freed: Sequence[str]) -> list[str]:
    """What Python goes on with: a call that is not of this form, and a run that has not come to its end."""
    return [
        "slow:",
        "  %leaves = icmp eq ptr %self, null",
        "  br i1 %leaves, label %other, label %any",
        "other:",
        "  %nothing = load ptr, ptr @ag_none",
        "  call void @Py_IncRef(ptr %nothing)",
        "  ret ptr %nothing",
        "any:",
        "  %python = load ptr, ptr @ag_slow",
        "  %by_python = call ptr @PyObject_Vectorcall(ptr %python, ptr %given, i64 %count, ptr null)",
        "  ret ptr %by_python",
        "resume:",
        "  %is_quiet = icmp eq ptr %self, null",
        f"  %is_told = icmp ne i32 %status, {int(Status.RAISED)}",
        "  %is_left = and i1 %is_quiet, %is_told",
        "  br i1 %is_left, label %left, label %say",
        "left:",
        *freed,
        "  br label %other",
        "say:",
        f"  %last = getelementptr i64, ptr %words, i64 {words - 1}",
        "  %status.wide = zext i32 %status to i64",
        "  store i64 %status.wide, ptr %last",
        "  %where = call ptr @PyLong_FromVoidPtr(ptr %words)",
        "  store ptr %where, ptr %again",
        *[_copied_argument(index) for index in range(count)],
        "  %resumes = load ptr, ptr @ag_resume",
        f"  %found = call ptr @PyObject_Vectorcall(ptr %resumes, ptr %again, i64 {count + 1}, ptr null)",
        "  call void @Py_DecRef(ptr %where)",
        *freed,
        "  ret ptr %found",
        "none:",
        *freed,
        "  ret ptr null",
    ]


def _specs(specs: Sequence[Any]) -> list[ArraySpec]:
    return [spec for spec in specs if isinstance(spec, ArraySpec)]


class _Result(NamedTuple):
    """What is given as an array, whose lengths are known or in words; those of a list are its elements."""

    dtype: DType
    shape: tuple[int | None, ...]
    words: int
    is_list: bool


def _results(graph: Graph, lent: Collection[int]) -> list[_Result] | None:
    """What a call gives; None where anything of it has another form."""
    found = []
    for output, spec in enumerate(graph.output_specs):
        if output in lent:
            continue
        match form_of(spec):
            case NumberForm(dtype):
                found.append(_Result(dtype, (), words_of(dtype), is_list=False))
            case ArrayForm(dtype, dims):
                found.append(_Result(dtype, dims, 1 + dims.count(None), is_list=False))
            case ListForm(dtype, dims) if None not in _places_in_list().values():
                found.append(_Result(dtype, (None, *dims), 3, is_list=True))
            case _:
                return None
    return found


@cache
def _places_in_list() -> dict[str, int | None]:
    """Where a list of the run has what, from its beginning on."""
    return {slot: place_of(ListValue, slot) for slot in ("_items", "_newer", "_packed", "element")}


def _listed(index: int) -> list[str]:
    """Makes a list of the run of the array of its elements."""
    n, places = f".{index}", _places_in_list()
    held = {"_items": "nothing", "_newer": "nothing", "_packed": "result", "element": "element"}
    slots = [
        line
        for slot, value in held.items()
        for line in (
            f"  %in{slot}{n} = getelementptr i8, ptr %list{n}, i64 {places[slot]}",
            f"  store ptr %{value}{n}, ptr %in{slot}{n}",
        )
    ]
    return [
        f"  %list_type{n} = load ptr, ptr @ag_list_type",
        f"  %list{n} = call ptr @PyType_GenericAlloc(ptr %list_type{n}, i64 0)",
        f"  %unlisted{n} = icmp eq ptr %list{n}, null",
        f"  br i1 %unlisted{n}, label %bare_array{n}, label %listed{n}",
        f"bare_array{n}:",
        f"  call void @Py_DecRef(ptr %result{n})",
        "  br label %none",
        f"listed{n}:",
        f"  %nothing{n} = load ptr, ptr @ag_none",
        f"  %element{n}.at = getelementptr ptr, ptr @ag_elements, i64 {index}",
        f"  %element{n} = load ptr, ptr %element{n}.at",
        f"  call void @Py_IncRef(ptr %nothing{n})",
        f"  call void @Py_IncRef(ptr %nothing{n})",
        f"  call void @Py_IncRef(ptr %element{n})",
        *slots,
    ]


def _words(spec: ArraySpec) -> int:
    """How many words stand for an array: a number, or an address and the lengths that are not known."""
    if not spec.shape:
        return words_of(spec.dtype)
    return 1 + sum(not isinstance(dim, int) for dim in spec.shape)


def _copied_argument(index: int) -> str:
    return (
        f"  %there.{index} = getelementptr ptr, ptr %again, i64 {index + 1}\n"
        f"  store ptr %object.{index}, ptr %there.{index}"
    )


def _taken(index: int, spec: ArraySpec, place: int) -> list[str]:
    """Takes one argument apart, or leaves the call to Python."""
    shape = spec.shape or ()
    n = f".{index}"
    lines = [
        f"argument{n}:",
        f"  %slot{n} = getelementptr ptr, ptr %given, i64 {index}",
        f"  %object{n} = load ptr, ptr %slot{n}",
        *field(f"type{n}", f"%object{n}", HEAD - 8, "ptr"),
        f"  %is_array{n} = icmp eq ptr %type{n}, %type",
        f"  br i1 %is_array{n}, label %array{n}, label %{'slow' if shape else f'bare{n}'}",
        f"array{n}:",
        *field(f"dtype{n}", f"%object{n}", DTYPE, "ptr"),
        f"  %wanted{n}.at = getelementptr ptr, ptr @ag_dtypes, i64 {index}",
        f"  %wanted{n} = load ptr, ptr %wanted{n}.at",
        f"  %is_dtype{n} = icmp eq ptr %dtype{n}, %wanted{n}",
        *field(f"rank{n}", f"%object{n}", RANK, "i32"),
        f"  %is_rank{n} = icmp eq i32 %rank{n}, {len(shape)}",
        *field(f"flags{n}", f"%object{n}", FLAGS, "i32"),
        f"  %some{n} = and i32 %flags{n}, {USUAL}",
        f"  %is_usual{n} = icmp eq i32 %some{n}, {USUAL}",
        f"  %fits{n}.a = and i1 %is_dtype{n}, %is_rank{n}",
        f"  %fits{n} = and i1 %fits{n}.a, %is_usual{n}",
        f"  br i1 %fits{n}, label %lengths{n}, label %slow",
        f"lengths{n}:",
        *field(f"data{n}", f"%object{n}", DATA, "ptr"),
        *field(f"dims{n}", f"%object{n}", DIMS, "ptr"),
    ]
    if not shape:
        kind = in_memory(spec.dtype)
        lines += [
            f"  br label %either{n}",
            f"bare{n}:",
            f"  %class{n}.at = getelementptr ptr, ptr @ag_numbers, i64 {index}",
            f"  %class{n} = load ptr, ptr %class{n}.at",
            f"  %is_number{n} = icmp eq ptr %type{n}, %class{n}",
            f"  br i1 %is_number{n}, label %numpys{n}, label %slow",
            f"numpys{n}:",
            f"  %inside{n} = getelementptr i8, ptr %object{n}, i64 {HEAD}",
            f"  br label %either{n}",
            f"either{n}:",
            f"  %from{n} = phi ptr [ %data{n}, %lengths{n} ], [ %inside{n}, %numpys{n} ]",
            f"  %value{n} = load {kind}, ptr %from{n}",
            *_word(f"value{n}", kind, "%arguments", place),
        ]
    else:
        lines += _word(f"data{n}", "ptr", "%arguments", place)
    matches, unknown = [], 0
    for axis, dim in enumerate(shape):
        lines += field(f"length{n}.{axis}", f"%dims{n}", 8 * axis, "i64")
        if isinstance(dim, int):
            lines += [f"  %same{n}.{axis} = icmp eq i64 %length{n}.{axis}, {dim}"]
            matches.append(f"%same{n}.{axis}")
        else:
            unknown += 1
            lines += _word(f"length{n}.{axis}", "i64", "%arguments", place + unknown)
    all_match = "true"
    for number, match in enumerate(matches):
        lines += [f"  %all{n}.{number} = and i1 {all_match}, {match}"]
        all_match = f"%all{n}.{number}"
    return [*lines, f"  br i1 {all_match}, label %argument.{index + 1}, label %slow"]


def _given(index: int, given: _Result, place: int, *, makes_memory: bool) -> list[str]:
    """Makes the array of one result, of the memory that the run has made for it, where that is so."""
    n = f".{index}"
    shape, dtype = given.shape, given.dtype
    kind = in_memory(dtype)
    lines, count, unknown = list[str](), "1", 0
    for axis, dim in enumerate(shape):
        length = str(dim)
        if not isinstance(dim, int):
            unknown += 1
            lines += field(f"given{n}.{axis}", "%words", 8 * (place + unknown), "i64")
            length = f"%given{n}.{axis}"
        lines += [
            f"  %axis{n}.{axis} = getelementptr i64, ptr %dims, i64 {axis}",
            f"  store i64 {length}, ptr %axis{n}.{axis}",
            f"  %count{n}.{axis} = mul i64 {count}, {length}",
        ]
        count = f"%count{n}.{axis}"
    dims = "%dims" if shape else "null"
    head = f"ptr %type, i32 {len(shape)}, ptr {dims}, i32 {dtype.numpy.num}, ptr null, "

    def made(name: str) -> list[str]:
        return [
            f"  %{name}{n} = call ptr %new({head}ptr null, i32 0, i32 0, ptr null)",
            f"  %missing{n} = icmp eq ptr %{name}{n}, null",
            f"  br i1 %missing{n}, label %none, label %made{n}",
            f"made{n}:",
            *field(f"elements{n}", f"%{name}{n}", DATA, "ptr"),
        ]

    if not shape:
        number = [
            *field(f"number{n}", "%words", 8 * place, kind),
            f"  store {kind} %number{n}, ptr %elements{n}",
        ]
        return [*lines, *made("result"), *number]
    lines += field(f"block{n}", "%words", 8 * place, "ptr")
    copied = [
        f"  %bytes{n} = mul i64 {count}, {dtype.itemsize}",
        f"  call void @llvm.memmove.p0.p0.i64(ptr %elements{n}, ptr %block{n}, i64 %bytes{n}, i1 false)",
    ]
    if not makes_memory:
        return [*lines, *made("result"), *copied]
    return [
        *lines,
        f"  %is_own{n} = call i1 @ag_give(ptr %words, ptr %block{n})",
        f"  br i1 %is_own{n}, label %own{n}, label %other{n}",
        f"own{n}:",
        f"  %owner{n} = call ptr %new({head}ptr %block{n}, i32 0, i32 {USUAL | _WRITABLE}, ptr null)",
        f"  %fails{n} = icmp eq ptr %owner{n}, null",
        f"  br i1 %fails{n}, label %lost{n}, label %owns{n}",
        f"lost{n}:",
        f"  call void @free(ptr %block{n})",
        "  br label %none",
        f"owns{n}:",
        *field(f"flags_of{n}", f"%owner{n}", FLAGS, "i32"),
        f"  %owning{n} = or i32 %flags_of{n}, {_OWNS}",
        f"  store i32 %owning{n}, ptr %flags_of{n}.at",
        f"  br label %ready{n}",
        f"other{n}:",
        *made("copy"),
        *copied,
        f"  br label %ready{n}",
        f"ready{n}:",
        f"  %result{n} = phi ptr [ %owner{n}, %owns{n} ], [ %copy{n}, %made{n} ]",
    ]


def field(name: str, of: str, offset: int, kind: str) -> list[str]:
    """A part of an object, under a name."""
    return [
        f"  %{name}.at = getelementptr i8, ptr {of}, i64 {offset}",
        f"  %{name} = load {kind}, ptr %{name}.at",
    ]


def _word(name: str, kind: str, of: str, place: int) -> list[str]:
    return [
        f"  %{name}.to = getelementptr i64, ptr {of}, i64 {place}",
        f"  store {kind} %{name}, ptr %{name}.to",
    ]


class Definition(ctypes.Structure):
    """What Python knows of a function in C."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def function_in_c(
    graph: Graph, library: Library, slow: Callable[..., Any], resume: Callable[..., Any]
) -> Callable[..., Any]:
    """The function of a library with `calling_code`.

    Parameters
    ----------
    graph : Graph
    library : Library
    slow : callable
        Takes the same arguments, in any form.
    resume : callable
        Takes the address of the context of a run that has something to say, and the arguments.
    """
    kept = library, tell_objects(graph, library, slow, resume, ())
    return made_function(graph.name, library.addresses["ag_fast"], kept, None)


def tell_objects(
    graph: Graph,
    library: Library,
    slow: Callable[..., Any],
    resume: Callable[..., Any],
    lent: Collection[int],
) -> Sequence[Any]:
    """Tells `calling_code` where objects are; gives those that are to live as long, as `function_in_c`."""
    dtypes = [spec.dtype.numpy for spec in _specs(graph.input_specs)]
    pointers = {
        "ag_array_type": id(np.ndarray),
        "ag_array_new": array_new(),
        "ag_slow": id(slow),
        "ag_resume": id(resume),
        "ag_none": id(None),
        "ag_list_type": id(ListValue),
    }
    for name, pointer in pointers.items():
        ctypes.c_void_p.from_address(library.addresses[name]).value = pointer
    entries: tuple[list[object], list[object]] = [*dtypes], [dtype.type for dtype in dtypes]
    for name, objects in zip(_TABLES, entries, strict=True):
        _fill(library, name, objects)
    elements = [_element(spec) for output, spec in enumerate(graph.output_specs) if output not in lent]
    _fill(library, "ag_elements", elements)
    return dtypes, slow, resume, elements


def _fill(library: Library, name: str, objects: Sequence[object]) -> None:
    """Tells a table of a library where objects are."""
    table = (ctypes.c_void_p * len(objects)).from_address(library.addresses[name])
    table[:] = [id(each) for each in objects]


def _element(spec: Spec) -> Any:
    """What the elements of a list are; None of anything else."""
    form = form_of(spec)
    return form.element if isinstance(form, ListForm) else None


TABLE = bytes.__basicsize__ - 1
"""Where the bytes of an object of Python's are, from its beginning on."""


def made_function(
    name: str, address: int, own: object, kept: object, *, takes_names: bool = False
) -> Callable[..., Any]:
    """A function in C as an object of Python's.

    Parameters
    ----------
    name : str
    address : int
    own : object
        What the code gets as `self`.
    kept : object
        What else is to live as long as the function.
    takes_names : bool
        Whether the code gets the names of what is given by name, too.
    """
    flags = FASTCALL | KEYWORDS if takes_names else FASTCALL
    definition = Definition(name.encode(), address, flags, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    function: Callable[..., Any] = make(ctypes.byref(definition), own, (definition, kept))
    return function
