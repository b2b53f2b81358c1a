"""The thread pool for parallel loops: system threads that never hold the interpreter lock.

They sleep until a thread that runs a graph has a loop for them. That thread takes ranges of the loop like
them, and looks at signals meanwhile; the next range is whoever's who comes first. While they work for one
thread, others do their loops alone. A process that was forked off has none, and starts its own.
"""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from functools import cache
from typing import Any

from runtime.executors import threads
from runtime.executors.native.llvm import engine
from runtime.executors.native.llvm.code import CONTEXT_WORDS, ENDED

__all__ = ["give_to"]

_WORDS = 64
"""Of a pool, in eight bytes; locks are larger on some systems than on others."""
_MOST = 256
"""Threads of a pool."""
_WANTED = 48
"""The word that says how many shall compute."""

_CODE = f"""
%pool = type {{ [16 x i64], [16 x i64], [16 x i64], i64, i64, ptr, i64, i64, i64 }}
; lock, what wakes threads, what wakes who waits for them; how many shall compute (word {_WANTED}), how many
; threads there are, the loop, the number of that, whether somebody has it, how many threads have come
%loop = type {{ ptr, ptr, i64, i64, i64, i64, i64, i64 }}
; function, what it is told, count, size of a range, ranges, the next one, threads at work, how it ended

@ag_the_pool = global ptr null

declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i64 @llvm.smin.i64(i64, i64)

define internal i32 @ag_ranges(ptr %context, ptr %loop) {{ ; does ranges, as long as there are any
start:
  %function.at = getelementptr %loop, ptr %loop, i32 0, i32 0
  %function = load ptr, ptr %function.at
  %told.at = getelementptr %loop, ptr %loop, i32 0, i32 1
  %told = load ptr, ptr %told.at
  %count.at = getelementptr %loop, ptr %loop, i32 0, i32 2
  %count = load i64, ptr %count.at
  %size.at = getelementptr %loop, ptr %loop, i32 0, i32 3
  %size = load i64, ptr %size.at
  %ranges.at = getelementptr %loop, ptr %loop, i32 0, i32 4
  %ranges = load i64, ptr %ranges.at
  %next.at = getelementptr %loop, ptr %loop, i32 0, i32 5
  %ended.at = getelementptr %loop, ptr %loop, i32 0, i32 7
  br label %head
head:
  %number = atomicrmw add ptr %next.at, i64 1 acq_rel
  %there = icmp slt i64 %number, %ranges
  %ended = load atomic i64, ptr %ended.at acquire, align 8
  %on = icmp eq i64 %ended, 0
  %going = and i1 %there, %on
  br i1 %going, label %body, label %end
body:
  %first = mul i64 %number, %size
  %last = add i64 %first, %size
  %stop = call i64 @llvm.smin.i64(i64 %last, i64 %count)
  %status = call i32 %function(ptr %context, ptr %told, i64 %first, i64 %stop, i64 %number)
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %leave, label %head
leave:
  %wide = zext i32 %status to i64
  store atomic i64 %wide, ptr %ended.at release, align 8
  br label %end
end:
  %how = load atomic i64, ptr %ended.at acquire, align 8
  %result = trunc i64 %how to i32
  ret i32 %result
}}

define ptr @ag_thread(ptr %pool) {{
start:
  %context = alloca [{CONTEXT_WORDS} x i64]
  %all = alloca [16 x i64]
  store [16 x i64] SIGNALS, ptr %all
  call i32 @pthread_sigmask(i32 BLOCK, ptr %all, ptr null)
  %wake = getelementptr %pool, ptr %pool, i32 0, i32 1
  %done = getelementptr %pool, ptr %pool, i32 0, i32 2
  %wanted.at = getelementptr %pool, ptr %pool, i32 0, i32 3
  %loop.at = getelementptr %pool, ptr %pool, i32 0, i32 5
  %turn.at = getelementptr %pool, ptr %pool, i32 0, i32 6
  %come.at = getelementptr %pool, ptr %pool, i32 0, i32 8
  call i32 @pthread_mutex_lock(ptr %pool)
  %come = load i64, ptr %come.at
  %own = add i64 %come, 1
  store i64 %own, ptr %come.at
  br label %look
look:
  %seen = phi i64 [ 0, %start ], [ %seen, %sleep ], [ %turn, %new ], [ %turn, %finish ]
  %turn = load i64, ptr %turn.at
  %same = icmp eq i64 %turn, %seen
  br i1 %same, label %sleep, label %new
sleep:
  call i32 @pthread_cond_wait(ptr %wake, ptr %pool)
  br label %look
new:
  %loop = load ptr, ptr %loop.at
  %is_there = icmp ne ptr %loop, null
  %wanted = load i64, ptr %wanted.at
  %is_wanted = icmp slt i64 %own, %wanted
  %works = and i1 %is_there, %is_wanted
  br i1 %works, label %work, label %look
work:
  %active.at = getelementptr %loop, ptr %loop, i32 0, i32 6
  %active = load i64, ptr %active.at
  %more = add i64 %active, 1
  store i64 %more, ptr %active.at
  call i32 @pthread_mutex_unlock(ptr %pool)
  store [{CONTEXT_WORDS} x i64] zeroinitializer, ptr %context
  %over.at = getelementptr i64, ptr %context, i64 {ENDED}
  %ended = getelementptr %loop, ptr %loop, i32 0, i32 7
  store ptr %ended, ptr %over.at
  call i32 @ag_ranges(ptr %context, ptr %loop)
  call i32 @pthread_mutex_lock(ptr %pool)
  %now = load i64, ptr %active.at
  %less = sub i64 %now, 1
  store i64 %less, ptr %active.at
  %is_last = icmp eq i64 %less, 0
  br i1 %is_last, label %tell, label %finish
tell:
  call i32 @pthread_cond_signal(ptr %done)
  br label %finish
finish:
  br label %look
}}

define i32 @ag_together(ptr %context, ptr %function, ptr %told, i64 %count, i64 %size, i64 %ranges) {{
start:
  %loop = alloca %loop
  %thread = alloca i64
  %pool = load ptr, ptr @ag_the_pool
  %function.at = getelementptr %loop, ptr %loop, i32 0, i32 0
  store ptr %function, ptr %function.at
  %told.at = getelementptr %loop, ptr %loop, i32 0, i32 1
  store ptr %told, ptr %told.at
  %count.at = getelementptr %loop, ptr %loop, i32 0, i32 2
  store i64 %count, ptr %count.at
  %size.at = getelementptr %loop, ptr %loop, i32 0, i32 3
  store i64 %size, ptr %size.at
  %ranges.at = getelementptr %loop, ptr %loop, i32 0, i32 4
  store i64 %ranges, ptr %ranges.at
  %next.at = getelementptr %loop, ptr %loop, i32 0, i32 5
  store i64 0, ptr %next.at
  %active.at = getelementptr %loop, ptr %loop, i32 0, i32 6
  store i64 0, ptr %active.at
  %ended.at = getelementptr %loop, ptr %loop, i32 0, i32 7
  store i64 0, ptr %ended.at
  %wake = getelementptr %pool, ptr %pool, i32 0, i32 1
  %done = getelementptr %pool, ptr %pool, i32 0, i32 2
  %wanted.at = getelementptr %pool, ptr %pool, i32 0, i32 3
  %threads.at = getelementptr %pool, ptr %pool, i32 0, i32 4
  %loop.at = getelementptr %pool, ptr %pool, i32 0, i32 5
  %turn.at = getelementptr %pool, ptr %pool, i32 0, i32 6
  %busy.at = getelementptr %pool, ptr %pool, i32 0, i32 7
  %wanted = load atomic i64, ptr %wanted.at monotonic, align 8
  %several = icmp sgt i64 %wanted, 1
  br i1 %several, label %ask, label %alone
ask:
  %taken = cmpxchg ptr %busy.at, i64 0, i64 1 acq_rel monotonic
  %is_free = extractvalue {{ i64, i1 }} %taken, 1
  br i1 %is_free, label %begin, label %alone
alone:
  %own = call i32 @ag_ranges(ptr %context, ptr %loop)
  ret i32 %own
begin:
  call i32 @pthread_mutex_lock(ptr %pool)
  br label %enough
enough:
  %threads = load i64, ptr %threads.at
  %too = add i64 %threads, 1
  %missing = icmp slt i64 %too, %wanted
  br i1 %missing, label %add, label %publish
add:
  %failed = call i32 @pthread_create(ptr %thread, ptr null, ptr @ag_thread, ptr %pool)
  %made = icmp eq i32 %failed, 0
  br i1 %made, label %added, label %publish
added:
  store i64 %too, ptr %threads.at
  %id = load i64, ptr %thread
  call i32 @pthread_detach(i64 %id)
  br label %enough
publish:
  store ptr %loop, ptr %loop.at
  %turn = load i64, ptr %turn.at
  %following = add i64 %turn, 1
  store i64 %following, ptr %turn.at
  call i32 @pthread_cond_broadcast(ptr %wake)
  call i32 @pthread_mutex_unlock(ptr %pool)
  call i32 @ag_ranges(ptr %context, ptr %loop)
  call i32 @pthread_mutex_lock(ptr %pool)
  store ptr null, ptr %loop.at
  br label %left
left:
  %active = load i64, ptr %active.at
  %idle = icmp eq i64 %active, 0
  br i1 %idle, label %end, label %wait
wait:
  call i32 @pthread_cond_wait(ptr %done, ptr %pool)
  br label %left
end:
  call i32 @pthread_mutex_unlock(ptr %pool)
  %how = load i64, ptr %ended.at
  %status = trunc i64 %how to i32
  store atomic i64 0, ptr %busy.at release, align 8
  ret i32 %status
}}
"""
"""A thread that comes when a loop is over finds none, and sleeps on."""


def give_to(address: int) -> None:
    """Tells a program, at an address of its own, which function has threads."""
    if os.name == "posix":
        ctypes.c_void_p.from_address(address).value = _pool().address


class _Pool:
    """The code of the threads, which is never given back: they may sleep in it when the process ends."""

    def __init__(self) -> None:
        text = _CODE.replace("SIGNALS", f"[{', '.join(['i64 -1'] * 16)}]")
        text = text.replace("BLOCK", str(int(signal.SIG_BLOCK)))
        library = engine.compiled(text, ["ag_the_pool", "ag_together"])
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
        self.address = library.addresses["ag_together"]
        self._place = ctypes.c_void_p.from_address(library.addresses["ag_the_pool"])
        self.renew()
        threads.on_change(self.tell)
        os.register_at_fork(after_in_child=self.renew)

    def renew(self) -> None:
        """A pool without threads, in the place of one whose threads are another process's."""
        self._words: Any = (ctypes.c_int64 * _WORDS)()
        for word, function in ((0, "mutex"), (16, "cond"), (32, "cond")):
            place = ctypes.byref(self._words, 8 * word)
            getattr(ctypes.CDLL(None), f"pthread_{function}_init")(place, None)
        self.tell()
        self._place.value = ctypes.addressof(self._words)

    def tell(self) -> None:
        """Takes over how many threads shall compute."""
        self._words[_WANTED] = min(threads.get_num_threads(), _MOST)


_lock = threading.Lock()


def _pool() -> _Pool:
    with _lock:
        return _made()


@cache
def _made() -> _Pool:
    return _Pool()
