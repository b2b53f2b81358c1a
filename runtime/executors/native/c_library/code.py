"""The code of a library: the functions of a program, one that C calls, and one that says what went wrong.

Nothing in it belongs to this process. Constants are in the code, and nobody is waited for; a message is made
where the run fails, in memory of the thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Formatter
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, bool_
from runtime.core.spec import ListSpec
from runtime.executors.native.c_library.interface import Interface, Memory, Result, placed
from runtime.executors.native.c_library.statuses import (
    NO_MEMORY,
    TOO_DEEP,
    WRONG_VALUE,
    builtin_of,
    status_of,
)
from runtime.executors.native.intrinsics import with_helpers
from runtime.executors.native.intrinsics.draws import draws_text
from runtime.executors.native.intrinsics.services import NO_DEEPER
from runtime.executors.native.language.loops import Function, Program, Site, Variable
from runtime.executors.native.llvm.code import Code, Status, Vectors, in_memory
from runtime.executors.native.llvm.emit import emitted
from runtime.executors.native.llvm.widths import width_of

__all__ = ["code"]

_TEXT = 1024
"""Bytes of a message, with the 0 at its end."""
_ALIGNED = 64

_ALONE = """
@ag_pool = internal constant ptr null ; of threads

declare i32 @snprintf(ptr, i64, ptr, ...)

define internal void @Py_DecRef(ptr %object) alwaysinline { ; there are none
  ret void
}

define internal ptr @ag_copied(ptr %from, i64 %bytes) {
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %made = call ptr @malloc(i64 %some)
  %missing = icmp eq ptr %made, null
  br i1 %missing, label %end, label %copy
copy:
  call void @llvm.memmove.p0.p0.i64(ptr %made, ptr %from, i64 %bytes, i1 false)
  br label %end
end:
  ret ptr %made
}

define internal void @ag_leave(ptr %context) {
  call void @ag_begin_release(ptr %context, i64 0)
  call void @ag_end_release(ptr %context)
  %stack = load ptr, ptr %context
  call void @free(ptr %stack)
  ret void
}"""


def code(program: Program, interface: Interface, *, vectors: Vectors) -> str:
    """The text of LLVM's for a library.

    Parameters
    ----------
    program : Program
        It calls no Python, and has no objects.
    interface : Interface
    vectors : Vectors
        As of `emit`.
    """
    assert not program.hosts, "what would call Python is refused"
    assert not program.objects, "what has no form is refused"
    name = interface.name
    constants = [_constant(key, array) for key, array in program.constants.items()]
    text = f"@ag_text = internal thread_local global [{_TEXT} x i8] zeroinitializer"
    said = f"define ptr @{name}_error() {{\n  ret ptr @ag_text\n}}"
    freed = f"define void @{name}_free(ptr %result) {{\n  call void @free(ptr %result)\n  ret void\n}}"
    parts = [
        _ALONE,
        NO_DEEPER,
        *constants,
        text,
        *draws_text(program.draws),
        *emitted(program, vectors=vectors, polls=False),
        _Entry(interface, program.functions[-1]).text(),
        said,
        *([freed] if interface.has_library_memory else []),
        *_failing(program.sites),
    ]
    return with_helpers("\n\n".join(parts))


def _constant(name: str, array: Any) -> str:
    data = np.ascontiguousarray(array).tobytes()
    kind = f"[{len(data)} x i8]"
    return (
        f"@{name}.data = internal unnamed_addr constant {kind} {_bytes(data)}, align {_ALIGNED}\n"
        f"@{name} = internal unnamed_addr constant ptr @{name}.data"
    )


def _bytes(data: bytes) -> str:
    if not any(data):
        return "zeroinitializer"
    return f'c"{"".join([f"{chr(92)}{byte:02X}" for byte in data])}"'


# ── the function that C calls ──


class _Entry:
    """The function of an interface, in the making: it calls the function that a graph has become."""

    def __init__(self, interface: Interface, function: Function) -> None:
        self.code = Code()
        self._interface = interface
        self._function = function
        self._messages: list[str] = []
        self._made: list[str] = []
        """Memory that was made for results, and is freed where there is not enough for all."""

    def text(self) -> str:
        code, interface = self.code, self._interface
        code.add("store %context zeroinitializer, ptr %context")
        code.add("call void @ag_begin(ptr %context)")
        for given in interface.given:
            for length in given.own_lengths:
                negative = code.value(f"icmp slt i64 {_parameter(length)}, 0")
                self._end_if(negative, WRONG_VALUE, f"ValueError: the length `{length}` is negative")
        out = [f"%out.{index}" for index in range(len(self._function.results))]
        given_now = ["ptr %context", *self._arguments(), *[f"ptr {place}" for place in out]]
        status = code.value(f"call i32 @{self._function.name}({', '.join(given_now)})")
        failed, done = code.label("failed"), code.label("done")
        has_failed = code.value(f"icmp ne i32 {status}, 0")
        code.add(f"br i1 {has_failed}, label %{failed}, label %{done}, !prof !0")
        code.begin(failed)
        self._leave(code.value(f"call i32 @ag_failure(ptr %context, i32 {status})"))
        code.begin(done)
        self._give(out)
        self._leave("0")
        slots = ["  %context = alloca %context"]
        for place, each in zip(out, self._function.results, strict=True):
            kind = in_memory(each.dtype) if isinstance(each, Variable) else "ptr"
            slots.append(f"  {place} = alloca {kind}")
        body = "\n".join(["start:", *slots, *code.lines])
        parameters = ", ".join(self._parameters())
        head = f"define i32 @{interface.name}({parameters}) {width_of(self._function)}"
        return "\n\n".join([*self._messages, f"{head} {{\n{body}\n}}"])

    def _parameters(self) -> Iterator[str]:
        for given in self._interface.given:
            is_pointer = given.spec.shape or given.spec.dtype.is_complex
            yield f"{'ptr' if is_pointer else in_memory(given.spec.dtype)} {_parameter(given.name)}"
            yield from (f"i64 {_parameter(length)}" for length in given.own_lengths)
        for result in self._interface.results:
            if result.memory is not Memory.ARGUMENTS:
                yield f"ptr {_parameter(result.name)}"
                yield from (f"ptr {_parameter(length)}" for length in result.own_lengths)

    def _arguments(self) -> Iterator[str]:
        """What the function of the graph takes."""
        for given in self._interface.given:
            if given.spec.shape:
                yield f"ptr {_parameter(given.name)}"
                yield from (
                    f"i64 {_parameter(length)}" for length in given.lengths if isinstance(length, str)
                )
            elif given.spec.dtype.is_complex:
                kind = in_memory(given.spec.dtype)
                yield f"{kind} {self.code.value(f'load {kind}, ptr {_parameter(given.name)}')}"
            elif given.spec.dtype is bool_:
                yield f"i1 {self.code.value(f'icmp ne i8 {_parameter(given.name)}, 0')}"
            else:
                yield f"{in_memory(given.spec.dtype)} {_parameter(given.name)}"

    def _give(self, out: Sequence[str]) -> None:
        """Gives the results, or none of them."""
        code, places = self.code, iter(out)
        several = sum(result.memory is Memory.ARGUMENTS for result in self._interface.results) > 1
        ready = []
        for result in self._interface.results:
            value, lengths = self._found(result, places)
            size = str(result.dtype.itemsize)
            for length in lengths:
                size = code.value(f"mul i64 {size}, {length}")
            ready.append((result, value, lengths, size))
        copied = []
        for result, value, lengths, size in ready:
            is_copied = result.memory is Memory.LIBRARYS or (result.memory is Memory.ARGUMENTS and several)
            copied.append((result, self._copied(value, size) if is_copied else value, lengths, size))
        for result, value, lengths, size in copied:
            self._store(result, value, lengths, size)
        if several:
            for result, value, _, _ in copied:
                if result.memory is Memory.ARGUMENTS:
                    code.add(f"call void @free(ptr {value})")

    def _copied(self, value: str, size: str) -> str:
        """Elements in memory of their own."""
        made = self.code.value(f"call ptr @ag_copied(ptr {value}, i64 {size})")
        is_missing = self.code.value(f"icmp eq ptr {made}, null")
        self._end_if(is_missing, NO_MEMORY, "MemoryError: there is not enough memory for the results")
        self._made.append(made)
        return made

    def _store(self, result: Result, value: str, lengths: Sequence[str], size: str) -> None:
        """Gives a result to where it goes out."""
        code, place = self.code, _parameter(result.name)
        if result.memory is Memory.LIBRARYS:
            code.add(f"store ptr {value}, ptr {place}")
            named = [
                length for length, name in zip(lengths, result.lengths, strict=True) if isinstance(name, str)
            ]
            for length, own in zip(named, result.own_lengths, strict=True):
                code.add(f"store i64 {length}, ptr {_parameter(own)}")
        elif lengths:
            code.add(f"call void @llvm.memmove.p0.p0.i64(ptr {place}, ptr {value}, i64 {size}, i1 false)")
        else:
            code.add(f"store {in_memory(result.dtype)} {value}, ptr {place}")

    def _found(self, result: Result, places: Iterator[str]) -> tuple[str, list[str]]:
        """The number of a result, or where its elements are; and its lengths, which are as they should be."""
        code = self.code
        if isinstance(result.spec, ListSpec):
            value, length, _ = (next(places) for _ in range(3))
            return code.value(f"load ptr, ptr {value}"), [code.value(f"load i64, ptr {length}")]
        place = next(places)
        if not result.spec.shape:
            return code.value(f"load {in_memory(result.dtype)}, ptr {place}"), []
        value = code.value(f"load ptr, ptr {place}")
        lengths = []
        for dim, wanted in zip(result.spec.shape, result.lengths, strict=True):
            length = str(dim) if isinstance(dim, int) else code.value(f"load i64, ptr {next(places)}")
            lengths.append(length)
            if result.memory is not Memory.LIBRARYS and wanted != dim:
                expected = wanted if isinstance(wanted, int) else _parameter(wanted)
                differs = code.value(f"icmp ne i64 {length}, {expected}")
                text = f"ValueError: `{result.name}` is not as long as it has room for"
                self._end_if(differs, WRONG_VALUE, text)
        return value, lengths

    def _end_if(self, holds: str, status: int, message: str) -> None:
        """Ends the call where something holds, which is rare."""
        code = self.code
        leave, on = code.label("leave"), code.label("on")
        code.add(f"br i1 {holds}, label %{leave}, label %{on}, !prof !0")
        code.begin(leave)
        for made in self._made:
            code.add(f"call void @free(ptr {made})")
        name = f"@ag_message.{len(self._messages)}"
        self._messages.append(_text(name, message))
        code.add(_said(name))
        self._leave(str(status))
        code.begin(on)

    def _leave(self, status: str) -> None:
        self.code.add("call void @ag_leave(ptr %context)")
        self.code.add(f"ret i32 {status}")


def _parameter(name: str) -> str:
    return f"%{name}.given"


# ── what went wrong ──


def _failing(sites: Sequence[Site]) -> Iterator[str]:
    """The function that makes the message of a run that has failed, and gives its status."""
    for index, site in enumerate(sites):
        yield _text(f"@ag_site.{index}", _message(site))
    yield _text("@ag_memory", "MemoryError: there is not enough memory for an array of this graph")
    yield _text("@ag_deep", "RecursionError: maximum recursion depth exceeded")
    yield _text("@ag_true", "True")
    yield _text("@ag_false", "False")
    code = Code()
    code.add(f"switch i32 %status, label %deep [ i32 {int(Status.FAILED)}, label %failed")
    code.add(f"  i32 {int(Status.NO_MEMORY)}, label %memory ]")
    for label, name, status in (("deep", "@ag_deep", TOO_DEEP), ("memory", "@ag_memory", NO_MEMORY)):
        code.begin(label)
        code.add(_said(name))
        code.add(f"ret i32 {status}")
    code.begin("failed")
    code.add("%place = getelementptr %context, ptr %context, i32 0, i32 5")
    code.add("%site = load i64, ptr %place")
    cases = " ".join(f"i64 {index}, label %site.{index}" for index in range(len(sites)))
    code.add(f"switch i64 %site, label %deep [ {cases} ]")
    for index, site in enumerate(sites):
        code.begin(f"site.{index}")
        code.add(_said(f"@ag_site.{index}", *_shown(code, site)))
        code.add(f"ret i32 {status_of(site.error)}")
    body = "\n".join(["start:", *code.lines])
    yield f"define internal i32 @ag_failure(ptr %context, i32 %status) cold noinline {{\n{body}\n}}"


def _said(text: str, *shown: str) -> str:
    """Makes a message of a text with these numbers."""
    given = ", ".join([f"ptr @ag_text, i64 {_TEXT}, ptr {text}", *shown])
    return f"call i32 (ptr, i64, ptr, ...) @snprintf({given})"


def _text(name: str, text: str) -> str:
    """A text that `printf` writes, under a name."""
    data = text.encode() + b"\0"
    return f"{name} = internal unnamed_addr constant [{len(data)} x i8] {_bytes(data)}"


def _message(site: Site) -> str:
    """What a site says, as `printf` takes it: the exception, and the line."""
    kind = builtin_of(site.error).__name__
    message = "".join(
        _escaped(text) + ("" if field is None else _format(site.dtypes[int(field)]))
        for text, field, _, _ in Formatter().parse(site.message)
    )
    lines = [f"{kind}: {message}" if message else kind, *map(_escaped, placed(site.node.location))]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("%", "%%")


def _format(dtype: DType) -> str:
    if dtype is bool_:
        return "%s"
    if dtype.is_floating:
        return "%.15g" if dtype.itemsize == 8 else "%.7g"
    return "%lld" if dtype.kind == "i" else "%llu"


def _shown(code: Code, site: Site) -> Iterator[str]:
    """The numbers of a message, in the order in which it shows them."""
    for _, field, _, _ in Formatter().parse(site.message):
        if field is None:
            continue
        dtype = site.dtypes[int(field)]
        place = code.value(f"getelementptr %context, ptr %context, i32 0, i32 6, i64 {int(field)}")
        if dtype.is_floating:
            yield f"double {code.value(f'load double, ptr {place}')}"
            continue
        bits = code.value(f"load i64, ptr {place}")
        if dtype is bool_:
            holds = code.value(f"icmp ne i64 {bits}, 0")
            yield f"ptr {code.value(f'select i1 {holds}, ptr @ag_true, ptr @ag_false')}"
        else:
            yield f"i64 {bits}"
