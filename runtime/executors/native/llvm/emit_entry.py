"""The function that Python calls: it takes what is passed from memory, and says how the run ended."""

from __future__ import annotations

from runtime.core.dtypes import bool_
from runtime.executors.native.language.loops import Function, Named, Variable
from runtime.executors.native.llvm.code import CONTEXT_WORDS, Code, Status, in_register, words_of
from runtime.executors.native.llvm.flags import Flags
from runtime.executors.native.llvm.widths import width_of

__all__ = ["entry_text", "type_of"]


def _words(each: Named) -> int:
    """Words of eight bytes in which a value is passed."""
    return words_of(each.dtype) if isinstance(each, Variable) else 1


def type_of(each: Named) -> str:
    """What LLVM calls the type of a value."""
    return in_register(each.dtype) if isinstance(each, Variable) else "ptr"


def entry_text(function: Function, flags: Flags | None, *, remembers: bool) -> str:
    """What Python calls: eight bytes for each parameter, and for each result, behind the context.

    Parameters
    ----------
    function : Function
    flags : Flags or None
    remembers : bool
        Whether it remembers what arrays held that the caller has lent: those are put back where a run fails.
    """
    code = Code()
    code.add("call void @ag_begin(ptr %context)")
    given = ["ptr %context"]
    place = 0
    for each in function.parameters:
        slot = code.value(f"getelementptr inbounds i64, ptr %arguments, i64 {place}")
        place += _words(each)
        if isinstance(each, Variable) and each.dtype is bool_:
            byte = code.value(f"load i8, ptr {slot}")
            given.append(f"i1 {code.value(f'icmp ne i8 {byte}, 0')}")
        else:
            given.append(f"{type_of(each)} {code.value(f'load {type_of(each)}, ptr {slot}')}")
    place = CONTEXT_WORDS
    for each in function.results:
        given.append(f"ptr {code.value(f'getelementptr inbounds i64, ptr %context, i64 {place}')}")
        place += _words(each)
    call = f"call i32 @{function.name}({', '.join(given)})"
    if flags is None:
        status = code.value(call)
        code.add("call void @ag_return(ptr %context)")
        if remembers:
            fails = code.value(f"icmp ne i32 {status}, 0")
            code.add(f"call void @ag_forget(ptr %context, i1 {fails})")
        code.add(f"ret i32 {status}")
        body = "\n".join(["start:", *code.lines])
        return f"define i32 @ag_entry(ptr %context, ptr %arguments) {width_of(function)} {{\n{body}\n}}"
    forgets = ""
    if remembers:
        forgets = "  %fails = icmp ne i32 %result, 0\n  call void @ag_forget(ptr %context, i1 %fails)\n"
    opening = "\n".join(["start:", flags.clear, *code.lines])
    return f"""{flags.declarations}

define i32 @ag_entry(ptr %context, ptr %arguments) {width_of(function)} {{
{opening}
  %status = {call} noinline
  call void @ag_return(ptr %context)
{flags.read}
  %site = getelementptr %context, ptr %context, i32 0, i32 5
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %end, label %look
look:
  store i64 %flags, ptr %site
  %some = icmp ne i64 %flags, 0
  %told = select i1 %some, i32 {int(Status.RAISED_FLAGS)}, i32 0
  br label %end
end:
  %result = phi i32 [ %status, %start ], [ %told, %look ]
{forgets}  ret i32 %result
}}"""
