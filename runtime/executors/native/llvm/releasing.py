"""When memory of a run is freed: at the end of functions, and of turns of loops that have allocated.

What was made since a mark lies above it on the run's stack of memory. A loop keeps how high that was after it
last freed what its turn had left: a turn after which it is as high has made nothing, and frees nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native.llvm.code import Code

__all__ = ["begin_turns", "end_turn", "release"]


def begin_turns(code: Code, slots: dict[str, tuple[str, str]], name: str) -> str:
    """The mark of a loop, before its first turn; `slots` are those of the function."""
    mark = code.value("call i64 @ag_mark(ptr %context)")
    settled = _settled(name)
    slots[settled] = settled, "i64"
    code.add(f"store i64 {mark}, ptr {settled}")
    return mark


def end_turn(code: Code, name: str, mark: str, keep: Sequence[str], *, is_rare: bool = False) -> None:
    """Frees what a turn has made, but for what is kept, if it has made anything."""
    free, after = code.label("free"), code.label("after")
    height = code.value("call i64 @ag_mark(ptr %context)")
    last = code.value(f"load i64, ptr {_settled(name)}")
    is_same = code.value(f"icmp eq i64 {height}, {last}")
    seldom = ", !prof !5" if is_rare else ""
    code.add(f"br i1 {is_same}, label %{after}, label %{free}{seldom}")
    code.begin(free)
    release(code, mark, keep)
    left = code.value("call i64 @ag_mark(ptr %context)")
    code.add(f"store i64 {left}, ptr {_settled(name)}")
    code.add(f"br label %{after}")
    code.begin(after)


def release(code: Code, mark: str, keep: Sequence[str]) -> None:
    """Moves what is kept to the front of what was made since the mark, and frees the rest."""
    code.add(f"call void @ag_begin_release(ptr %context, i64 {mark})")
    for pointer in keep:
        code.add(f"call void @ag_keep(ptr %context, ptr {pointer})")
    code.add("call void @ag_end_release(ptr %context)")


def _settled(name: str) -> str:
    return f"%{name}.settled"
