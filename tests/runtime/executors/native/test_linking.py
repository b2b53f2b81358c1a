"""`llvm/linking.py`: code has a place in this process, as LLVM would give it one."""

import ctypes
import gc
import os
import struct
import sys
from pathlib import Path

import pytest

from runtime.executors.native.llvm import compiler, engine, linking
from runtime.executors.native.llvm.efforts import Effort

pytestmark = pytest.mark.skipif(
    not engine.is_there() or sys.platform != "linux" or os.uname().machine != "x86_64",
    reason="it is for x86-64 on Linux, and llvmlite is not installed",
)

TEXT = """
@ag_word = global i64 7
@ag_numbers = internal constant [4 x i64] [i64 10, i64 20, i64 30, i64 40]
@ag_pointers = internal constant [2 x ptr] [ptr @ag_numbers, ptr @twice]
@ag_count = internal global i64 0
declare double @fmod(double, double)
declare i64 @of_others(i64)

define double @remainder(double %x) {
  %y = call double @fmod(double %x, double 2.5)
  %z = fmul double %y, 1.25
  ret double %z
}
define i64 @twice(i64 %x) noinline {
  %y = add i64 %x, %x
  ret i64 %y
}
define i64 @counted(i64 %at) {
  %old = load i64, ptr @ag_count
  %new = add i64 %old, 1
  store i64 %new, ptr @ag_count
  %place = getelementptr i64, ptr @ag_numbers, i64 %at
  %number = load i64, ptr %place
  %word = load i64, ptr @ag_word
  %sum = add i64 %number, %word
  %more = add i64 %sum, %new
  ret i64 %more
}
define i64 @through(i64 %x) {
  %at = getelementptr ptr, ptr @ag_pointers, i64 1
  %function = load volatile ptr, ptr %at
  %y = call i64 %function(i64 %x)
  %z = call i64 @of_others(i64 %y)
  ret i64 %z
}
"""
SYMBOLS = ["ag_word", "remainder", "twice", "counted", "through"]


@pytest.fixture(scope="module")
def code():
    return {effort: engine._engine().compiler.code(TEXT, effort) for effort in Effort}


@pytest.fixture
def others():
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(lambda x: x + 1000)


def linked(code, others):
    found = linking.linked(code, SYMBOLS, {"of_others": ctypes.cast(others, ctypes.c_void_p).value})
    assert found is not None
    return found


def called(address, argument, kind=ctypes.c_int64):
    return ctypes.CFUNCTYPE(kind, kind)(address)(argument)


@pytest.mark.parametrize("effort", Effort, ids=str)
def test_code_calls_and_reads_and_writes_what_it_names(effort, code, others):
    addresses, place = linked(code[effort], others)
    assert called(addresses["remainder"], 6.0, ctypes.c_double) == 1.25
    assert called(addresses["twice"], 21) == 42
    assert [called(addresses["counted"], at) for at in range(4)] == [18, 29, 40, 51]
    ctypes.c_int64.from_address(addresses["ag_word"]).value = 0
    assert called(addresses["counted"], 0) == 15
    assert called(addresses["through"], 4) == 1008
    assert place.at > 0


def test_the_same_code_in_two_places_has_two_memories(code, others):
    (one, kept), (other, kept_too) = (linked(code[Effort.FULL], others) for _ in range(2))
    assert [called(one["counted"], 0) for _ in range(3)] == [18, 19, 20]
    assert called(other["counted"], 0) == 18
    assert kept.at != kept_too.at


def test_no_memory_is_both_written_and_run(code, others):
    addresses, place = linked(code[Effort.FULL], others)
    for name, wanted in (("twice", "r-x"), ("ag_word", "rw-")):
        spans = [line.split()[:2] for line in Path("/proc/self/maps").read_text("ascii").splitlines()]
        [mode] = [
            mode
            for span, mode in spans
            if int(span.split("-")[0], 16) <= addresses[name] < int(span.split("-")[1], 16)
        ]
        assert mode.startswith(wanted), name
    assert place is not None


def test_memory_goes_with_its_place(code, others):
    released = []
    munmap = linking._system().munmap
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linking._system(), "munmap", lambda at, size: released.append((at, munmap(at, size))))
        _, place = linked(code[Effort.FULL], others)
        at = place.at
        assert not released
        del place, _
        gc.collect()
    assert released == [(at, 0)]


def test_a_function_that_nobody_has_is_left_to_llvm(code):
    assert linking.linked(code[Effort.FULL], SYMBOLS, {}) is None


def test_a_symbol_that_there_is_not_is_left_to_llvm(code, others):
    there = {"of_others": ctypes.cast(others, ctypes.c_void_p).value}
    assert linking.linked(code[Effort.FULL], ["twice", "thrice"], there) is None


@pytest.mark.parametrize(
    "text",
    [
        "@ag_mine = thread_local global i64 3\ndefine ptr @twice() {\n  ret ptr @ag_mine\n}",
        """@ag_word = global i32 7
        @llvm.global_ctors = appending global [1 x {i32, ptr, ptr}] [
          {i32, ptr, ptr} {i32 1, ptr @twice, ptr null}
        ]
        declare i32 @getpid()
        define void @twice() {
          %x = call i32 @getpid()
          store i32 %x, ptr @ag_word
          ret void
        }""",
    ],
    ids=["memory of a thread", "what runs first"],
)
def test_what_it_does_not_know_is_left_to_llvm(text):
    made = engine._engine().compiler.code(text, Effort.FULL)
    assert linking.linked(made, ["twice"], {}) is None


def test_a_file_that_is_cut_or_of_another_format_is_left_to_llvm(code, others):
    whole = code[Effort.FULL]
    there = {"of_others": ctypes.cast(others, ctypes.c_void_p).value}
    for length in (0, 3, 17, 40, 64, 200, len(whole) // 2, len(whole) - 1):
        assert linking.linked(whole[:length], SYMBOLS, there) is None, length
    for other in (b"", b"MZ" + whole[2:], whole[:18] + struct.pack("<H", 183) + whole[20:]):
        assert linking.linked(other, SYMBOLS, there) is None


def test_other_systems_leave_it_to_llvm(code, others, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert linking.linked(code[Effort.FULL], ["twice"], {}) is None
    asked = []
    monkeypatch.setattr(compiler.Compiler, "linked", lambda _, *given: asked.append(given))
    engine._engine()._linked(code[Effort.FULL], ["twice"])
    assert len(asked) == 1
