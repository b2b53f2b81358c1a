"""LLVM IR of parallel loops: a function of a range, and the call that hands it to the pool."""

from __future__ import annotations

from typing import Protocol

from runtime.core.dtypes import bool_
from runtime.executors.native.intrinsics import folded
from runtime.executors.native.language.loops import (
    MOST_RANGES,
    Array,
    Expression,
    Function,
    Named,
    Number,
    Object,
    Share,
    Variable,
)
from runtime.executors.native.llvm.code import Code, Operand, in_memory, in_register
from runtime.executors.native.llvm.widths import width_of

__all__ = ["call_shared", "ranges_text"]


class Around(Protocol):
    """What writes the function around."""

    code: Code

    def slot(self, each: Named) -> str:
        """The place of a name."""
        ...

    def place(self, stem: str, kind: str) -> str:
        """A new place on the stack."""
        ...

    def pointer(self, array: Array | Object) -> str:
        """Where an array is now."""
        ...

    def expression(self, expression: Expression) -> Operand:
        """A number."""
        ...


def _frame(share: Share) -> str:
    """The type of what all ranges are told: the arguments, and places for what each of them finds."""
    given = [in_register(each.dtype) if isinstance(each, Variable) else "ptr" for each in share.arguments]
    found = [f"[{MOST_RANGES} x {in_memory(variable.dtype)}]" for variable, _ in share.folds]
    return f"{{{', '.join([*given, *found])}}}"


def ranges_text(share: Share, function: Function) -> str:
    """A function that does one range, for whoever knows no more of it than its bounds and its number."""
    kind, count = _frame(share), len(share.arguments)
    lines: list[str] = []
    given = ["ptr %context"]
    for index, each in enumerate(function.parameters[:count]):
        register = in_register(each.dtype) if isinstance(each, Variable) else "ptr"
        lines += [
            f"  %at.{index} = getelementptr {kind}, ptr %frame, i32 0, i32 {index}",
            f"  %given.{index} = load {register}, ptr %at.{index}",
        ]
        given.append(f"{register} %given.{index}")
    given += ["i64 %start", "i64 %stop"]
    for index in range(count, count + len(share.folds)):
        lines.append(f"  %at.{index} = getelementptr {kind}, ptr %frame, i32 0, i32 {index}, i64 %number")
        given.append(f"ptr %at.{index}")
    parameters = "ptr %context, ptr %frame, i64 %start, i64 %stop, i64 %number"
    lines += [f"  %status = call i32 @{function.name}({', '.join(given)})", "  ret i32 %status"]
    body = "\n".join(lines)
    return f"define internal i32 @{function.name}.range({parameters}) {width_of(function)} {{\n{body}\n}}"


def call_shared(around: Around, share: Share) -> None:
    """Has all ranges done, and combines what they find, in their order."""
    code, kind = around.code, _frame(share)
    frame = around.place("frame", kind)
    for index, each in enumerate(share.arguments):
        at = code.value(f"getelementptr {kind}, ptr {frame}, i32 0, i32 {index}")
        if isinstance(each, Variable):
            operand = around.expression(each)
            code.add(f"store {in_register(each.dtype)} {operand.text}, ptr {at}")
        else:
            code.add(f"store ptr {around.pointer(each)}, ptr {at}")
    count, size, ranges = _ranges(around, share)
    status = code.value(
        f"call i32 @ag_share(ptr %context, ptr @{share.function}.range, ptr {frame}, "
        f"i64 {count}, i64 {size}, i64 {ranges})"
    )
    code.leave_if(code.value(f"icmp ne i32 {status}, 0"), status)
    if share.folds:
        _combine(around, share, frame, ranges)


def _ranges(around: Around, share: Share) -> tuple[str, str, str]:
    """The length of a loop, that of its ranges, and how many these are."""
    code = around.code
    count, size = around.expression(share.count).text, around.expression(share.size).text
    if isinstance(share.count, Number) and isinstance(share.size, Number):
        turns = int(share.count.value)
        length = max(int(share.size.value), -(-turns // MOST_RANGES))
        return count, str(length), str(-(-turns // length))
    turns_up = code.value(f"add i64 {count}, {MOST_RANGES - 1}")
    least = code.value(f"udiv i64 {turns_up}, {MOST_RANGES}")
    length_text = code.value(f"call i64 @llvm.smax.i64(i64 {size}, i64 {least})")
    less = code.value(f"sub i64 {length_text}, 1")
    up = code.value(f"add i64 {count}, {less}")
    return count, length_text, code.value(f"udiv i64 {up}, {length_text}")


def _combine(around: Around, share: Share, frame: str, ranges: str) -> None:
    code, kind = around.code, _frame(share)
    number = around.place("number", "i64")
    head, body, after = map(code.label, ("combine", "found", "after"))
    code.add(f"store i64 0, ptr {number}")
    code.add(f"br label %{head}")
    code.begin(head)
    index = code.value(f"load i64, ptr {number}")
    code.add(f"br i1 {code.value(f'icmp ult i64 {index}, {ranges}')}, label %{body}, label %{after}")
    code.begin(body)
    for place, (variable, function) in enumerate(share.folds, len(share.arguments)):
        at = code.value(f"getelementptr {kind}, ptr {frame}, i32 0, i32 {place}, i64 {index}")
        text = code.value(f"load {in_memory(variable.dtype)}, ptr {at}")
        if variable.dtype is bool_:
            text = code.value(f"icmp ne i8 {text}, 0")
        total = folded(code, function, around.expression(variable), Operand(text, variable.dtype))
        code.add(f"store {in_register(variable.dtype)} {total.text}, ptr {around.slot(variable)}")
    code.add(f"store i64 {code.value(f'add nuw nsw i64 {index}, 1')}, ptr {number}")
    code.add(f"br label %{head}")
    code.begin(after)
