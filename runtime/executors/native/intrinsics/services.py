"""Services of a run: memory, signals, the depth of calls, and where it failed."""

from __future__ import annotations

import os
import sys
import time

OFTEN, SELDOM = "nounwind", "noinline optnone"
"""What functions of LLVM's have of attributes that run often, and seldom: LLVM takes these as they stand,
because its time for them is more than what it gains in many runs."""

BASE = f"""
%context = type {{ ptr, i64, i64, i64, i64, i64, [4 x i64], ptr, i64, ptr, i64, i64, ptr, ptr, i64, i64 }}
; memory and objects, how many, room for how many, how many are kept, the lowest frame, site, shown, error,
; work, the thread where it has let go of Python's lock, looks at the clock, how many are the most (or 0),
; what says that the run has ended to another thread that does a part of it, what lent arrays held, which of
; them nobody else sees, when signals were looked at

!0 = !{{!"branch_weights", i32 1, i32 1000000}}
!1 = !{{!"branch_weights", i32 8, i32 1}}
!2 = distinct !{{!2, !{{!"llvm.loop.unroll.runtime.disable"}}}}
!3 = distinct !{{!3, !{{!"llvm.loop.unroll.runtime.disable"}}, !{{!"llvm.loop.interleave.count", i32 2}}}}
!4 = distinct !{{!4, !{{!"llvm.loop.vectorize.enable", i1 false}}}}
!5 = !{{!"branch_weights", i32 1000000, i32 1}}
!6 = distinct !{{!6, !{{!"llvm.loop.unroll.disable"}}}}
!7 = distinct !{{!7, !{{!"llvm.loop.unroll.disable"}}, !{{!"llvm.loop.interleave.count", i32 2}}}}
!8 = distinct !{{!8, !{{!"llvm.loop.unroll.count", i32 4}}}}
!9 = distinct !{{!9, !{{!"llvm.loop.unroll.count", i32 2}}}}

attributes #1 = {{ {SELDOM} }}
; #0, of what keeps memory, is the program's: often where it makes some in loops
"""

NO_DEEPER = """\
define internal i32 @ag_deeper(ptr %context, i64 %here) noinline cold {
  ret i32 4
}"""
"""Where nobody says how large a stack is."""
_DEEPER = """\
declare i64 @pthread_self()

declare i32 @pthread_getattr_np(i64, ptr)

declare i32 @pthread_attr_getstack(ptr, ptr, ptr)

declare i32 @pthread_attr_destroy(ptr)

define internal i32 @ag_deeper(ptr %context, i64 %here) noinline cold {
start: ; the thread is asked where a run gets deep, because that takes longer than most runs
  %attributes = alloca [32 x i64], align 16
  %base.at = alloca i64
  %size.at = alloca i64
  %self = call i64 @pthread_self()
  %unknown = call i32 @pthread_getattr_np(i64 %self, ptr %attributes)
  %is_known = icmp eq i32 %unknown, 0
  br i1 %is_known, label %look, label %deep
look:
  %failed = call i32 @pthread_attr_getstack(ptr %attributes, ptr %base.at, ptr %size.at)
  call i32 @pthread_attr_destroy(ptr %attributes)
  %found = icmp eq i32 %failed, 0
  br i1 %found, label %compare, label %deep
compare: ; a quarter is left to what the run calls, and a stack without end ends
  %base = load i64, ptr %base.at
  %size = load i64, ptr %size.at
  %quarter = udiv i64 %size, 4
  %own = add i64 %base, %quarter
  %top = add i64 %base, %size
  %most = sub i64 %top, MOST_STACK
  %has_more = icmp ugt i64 %size, MOST_STACK
  %far = select i1 %has_more, i64 %most, i64 0
  %lowest = call i64 @llvm.umax.i64(i64 %own, i64 %far)
  %place = getelementptr %context, ptr %context, i32 0, i32 4
  store i64 %lowest, ptr %place
  %over = icmp ult i64 %here, %lowest
  br i1 %over, label %deep, label %go
deep:
  ret i32 4
go:
  ret i32 0
}"""
_RESERVE = """\
define internal noalias ptr @ag_reserve(i64 %bytes) #0 { ; vectors are each in one line of the cache
  %large = icmp uge i64 %bytes, 16384
  br i1 %large, label %lines, label %anywhere
lines:
  %more = add i64 %bytes, 63
  %whole = and i64 %more, -64
  %at_line = call ptr @aligned_alloc(i64 64, i64 %whole)
  ret ptr %at_line
anywhere:
  %at_word = call ptr @malloc(i64 %bytes)
  ret ptr %at_word
}"""
_RESERVE_ANYWHERE = """\
define internal noalias ptr @ag_reserve(i64 %bytes) #0 {
  %block = call ptr @malloc(i64 %bytes)
  ret ptr %block
}"""
"""Where the C library frees memory at such an address in another way."""

_CLOCK = f"""\
declare i32 @clock_gettime(i32, ptr)

define internal i64 @ag_clock() #1 {{
  %time = alloca [2 x i64]
  call i32 @clock_gettime(i32 {getattr(time, "CLOCK_MONOTONIC", 0)}, ptr %time)
  %rest.at = getelementptr i64, ptr %time, i64 1
  %seconds = load i64, ptr %time
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000
  %some = udiv i64 %rest, 1000000
  %result = add i64 %whole, %some
  ret i64 %result
}}"""
_CLOCK_ANYWHERE = """\
declare i32 @clock()

define internal i64 @ag_clock() #1 {
  %now = call i32 @clock()
  %result = zext i32 %now to i64
  ret i64 %result
}"""
"""Where the C library has no other clock, that of the standard counts thousandths of seconds."""

SERVICES = """
declare ptr @malloc(i64)
declare ptr @aligned_alloc(i64, i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare i32 @PyErr_CheckSignals()
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_NormalizeException(ptr, ptr, ptr)
declare ptr @llvm.frameaddress.p0(i32)
declare ptr @PyEval_SaveThread()
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyLong_FromVoidPtr(ptr)
declare ptr @PyTuple_New(i64)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare void @PyEval_RestoreThread(ptr)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal i32 @ag_share(ptr %context, ptr %part, ptr %frame, i64 %count, i64 %size, i64 %ranges) {
start: ; by threads, where there are some and it is enough work
  %many = icmp sge i64 %ranges, SHARED
  %pool = load ptr, ptr @ag_pool
  %there = icmp ne ptr %pool, null
  %shared = and i1 %many, %there
  br i1 %shared, label %threads, label %head
threads:
  %told = call i32 %pool(ptr %context, ptr %part, ptr %frame, i64 %count, i64 %size, i64 %ranges)
  ret i32 %told
head:
  %number = phi i64 [ 0, %start ], [ %next, %done ]
  %going = icmp slt i64 %number, %ranges
  br i1 %going, label %body, label %end
body:
  %first = mul i64 %number, %size
  %last = add i64 %first, %size
  %stop = call i64 @llvm.smin.i64(i64 %last, i64 %count)
  %status = call i32 %part(ptr %context, ptr %frame, i64 %first, i64 %stop, i64 %number)
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %leave, label %done, !prof !0
done:
  %next = add i64 %number, 1
  br label %head
leave:
  ret i32 %status
end:
  ret i32 0
}

CLOCK

define internal i32 @ag_poll(ptr %context) #1 memory(read, argmem: readwrite, inaccessiblemem: readwrite) {
; the lock is let go, and taken to look at signals: a handler of these does not write where a program reads
start:
  %over = getelementptr %context, ptr %context, i32 0, i32 12
  %ended = load ptr, ptr %over
  %is_part = icmp ne ptr %ended, null
  br i1 %is_part, label %ask_other, label %own
ask_other:
  %other = load atomic i64, ptr %ended monotonic, align 8
  %other.status = trunc i64 %other to i32
  ret i32 %other.status
own:
  %place = getelementptr %context, ptr %context, i32 0, i32 9
  %thread = load ptr, ptr %place
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
  %looked.at = getelementptr %context, ptr %context, i32 0, i32 15
  %looked = load i64, ptr %looked.at
  %now = call i64 @ag_clock()
  %since = sub i64 %now, %looked
  %early = icmp ult i64 %since, PAUSE
  %free = icmp ne ptr %thread, null
  %nothing = and i1 %free, %early
  br i1 %nothing, label %on, label %look
look:
  br i1 %free, label %take, label %ask
take:
  call void @PyEval_RestoreThread(ptr %thread)
  store ptr null, ptr %place
  br label %ask
ask:
  %raised = call i32 @PyErr_CheckSignals()
  %quiet = icmp eq i32 %raised, 0
  br i1 %quiet, label %leave, label %keep
leave:
  %left = call ptr @PyEval_SaveThread()
  store ptr %left, ptr %place
  %then = call i64 @ag_clock()
  store i64 %then, ptr %looked.at
  br label %on
on:
  ret i32 0
keep:
  call void @ag_take(ptr %context)
  ret i32 2
}

define internal void @ag_return(ptr %context) alwaysinline { ; a run ends with the lock with which it began
  %place = getelementptr %context, ptr %context, i32 0, i32 9
  %thread = load ptr, ptr %place
  %free = icmp ne ptr %thread, null
  br i1 %free, label %take, label %end, !prof !0
take:
  call void @PyEval_RestoreThread(ptr %thread)
  store ptr null, ptr %place
  br label %end
end:
  ret void
}

define internal i32 @ag_work(ptr %context, i64 %units) alwaysinline { ; if it carries, who waits has a turn
  %place = getelementptr %context, ptr %context, i32 0, i32 8
  %before = load i64, ptr %place
  %some = call i64 @llvm.umin.i64(i64 %units, i64 MOST_UNITS)
  %much = shl i64 %some, UNITS_LIE_AT
  %both = call {i64, i1} @llvm.uadd.with.overflow.i64(i64 %before, i64 %much)
  %sum = extractvalue {i64, i1} %both, 0
  %enough = extractvalue {i64, i1} %both, 1
  store i64 %sum, ptr %place
  br i1 %enough, label %look, label %keep, !prof !0
look:
  %status = call i32 @ag_poll(ptr %context)
  ret i32 %status
keep:
  ret i32 0
}

define internal void @ag_take(ptr %context) #1 { ; the exception that Python has raised is kept
  %type = alloca ptr
  %value = alloca ptr
  %trace = alloca ptr
  call void @PyErr_Fetch(ptr %type, ptr %value, ptr %trace)
  call void @PyErr_NormalizeException(ptr %type, ptr %value, ptr %trace)
  %kind = load ptr, ptr %type
  call void @Py_DecRef(ptr %kind)
  %frames = load ptr, ptr %trace
  call void @Py_DecRef(ptr %frames)
  %error = load ptr, ptr %value
  %place = getelementptr %context, ptr %context, i32 0, i32 7
  store ptr %error, ptr %place
  ret void
}

define internal i1 @ag_remember(ptr %context, ptr %array, i64 %bytes, i64 %number) #1 {
start: ; it gives whether there is no room for that
  %mask.at = getelementptr %context, ptr %context, i32 0, i32 14
  %mask = load i64, ptr %mask.at
  %moved = lshr i64 %mask, %number
  %bit = and i64 %moved, 1
  %is_private = icmp ne i64 %bit, 0
  br i1 %is_private, label %end, label %keep
keep: ; the one before, where it was, how long it is, and what it held
  %size = add i64 %bytes, 24
  %block = call ptr @malloc(i64 %size)
  %missing = icmp eq ptr %block, null
  br i1 %missing, label %none, label %made
made:
  %last.at = getelementptr %context, ptr %context, i32 0, i32 13
  %last = load ptr, ptr %last.at
  store ptr %last, ptr %block
  %array.at = getelementptr i64, ptr %block, i64 1
  store ptr %array, ptr %array.at
  %bytes.at = getelementptr i64, ptr %block, i64 2
  store i64 %bytes, ptr %bytes.at
  %held = getelementptr i64, ptr %block, i64 3
  call void @llvm.memmove.p0.p0.i64(ptr %held, ptr %array, i64 %bytes, i1 false)
  store ptr %block, ptr %last.at
  br label %end
end:
  ret i1 false
none:
  ret i1 true
}

define internal void @ag_forget(ptr %context, i1 %fails) { ; the last is put back first
start:
  %last.at = getelementptr %context, ptr %context, i32 0, i32 13
  %last = load ptr, ptr %last.at
  br label %head
head:
  %block = phi ptr [ %last, %start ], [ %before, %next ]
  %is_over = icmp eq ptr %block, null
  br i1 %is_over, label %end, label %look
look:
  %before = load ptr, ptr %block
  br i1 %fails, label %back, label %next
back:
  %array.at = getelementptr i64, ptr %block, i64 1
  %array = load ptr, ptr %array.at
  %bytes.at = getelementptr i64, ptr %block, i64 2
  %bytes = load i64, ptr %bytes.at
  %held = getelementptr i64, ptr %block, i64 3
  call void @llvm.memmove.p0.p0.i64(ptr %array, ptr %held, i64 %bytes, i1 false)
  br label %next
next:
  call void @free(ptr %block)
  br label %head
end:
  store ptr null, ptr %last.at
  ret void
}

define internal i32 @ag_enter(ptr %context) alwaysinline {
  %place = getelementptr %context, ptr %context, i32 0, i32 4
  %lowest = load i64, ptr %place
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %here = ptrtoint ptr %frame to i64
  %over = icmp ult i64 %here, %lowest
  br i1 %over, label %ask, label %go, !prof !0
ask:
  %deep = call i32 @ag_deeper(ptr %context, i64 %here)
  ret i32 %deep
go:
  ret i32 0
}

DEEPER

define internal void @ag_begin(ptr %context) alwaysinline {
  %place = getelementptr %context, ptr %context, i32 0, i32 4
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %here = ptrtoint ptr %frame to i64
  %lowest = sub i64 %here, DEEPEST
  store i64 %lowest, ptr %place
  ret void
}

define internal void @ag_fail(ptr %context, i64 %site) cold {
  %place = getelementptr %context, ptr %context, i32 0, i32 5
  store i64 %site, ptr %place
  ret void
}

define internal void @ag_show(ptr %context, i64 %index, i64 %bits) cold {
  %place = getelementptr %context, ptr %context, i32 0, i32 6, i64 %index
  store i64 %bits, ptr %place
  ret void
}

define internal i64 @ag_mark(ptr %context) {
  %place = getelementptr %context, ptr %context, i32 0, i32 1
  %height = load i64, ptr %place
  ret i64 %height
}

define internal i1 @ag_push(ptr %context, ptr %block) #0 {
  %heights = getelementptr %context, ptr %context, i32 0, i32 1
  %rooms = getelementptr %context, ptr %context, i32 0, i32 2
  %height = load i64, ptr %heights
  %room = load i64, ptr %rooms
  %full = icmp eq i64 %height, %room
  br i1 %full, label %grow, label %go
grow:
  %twice = mul i64 %room, 2
  %more = add i64 %twice, 16
  %size = mul i64 %more, 8
  %old = load ptr, ptr %context
  %new = call ptr @realloc(ptr %old, i64 %size)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %grown
grown:
  store ptr %new, ptr %context
  store i64 %more, ptr %rooms
  br label %go
go:
  %stack = load ptr, ptr %context
  %top = getelementptr ptr, ptr %stack, i64 %height
  store ptr %block, ptr %top
  %higher = add i64 %height, 1
  store i64 %higher, ptr %heights
  ret i1 true
none:
  ret i1 false
}

RESERVE

define internal noalias ptr @ag_allocate(ptr %context, i64 %bytes) #0 {
  %negative = icmp slt i64 %bytes, 0
  br i1 %negative, label %none, label %go
go:
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %block = call ptr @ag_reserve(i64 %some)
  %missing = icmp eq ptr %block, null
  br i1 %missing, label %none, label %made
made:
  %pushed = call i1 @ag_push(ptr %context, ptr %block)
  br i1 %pushed, label %done, label %drop
done:
  ret ptr %block
drop:
  call void @free(ptr %block)
  ret ptr null
none:
  ret ptr null
}

define internal ptr @ag_slot(ptr %context, ptr %block, i64 %first) #0 { ; where the run keeps memory, or null
start:
  %stack = load ptr, ptr %context
  %heights = getelementptr %context, ptr %context, i32 0, i32 1
  %height = load i64, ptr %heights
  br label %head
head:
  %index = phi i64 [ %first, %start ], [ %following, %next ]
  %inside = icmp slt i64 %index, %height
  br i1 %inside, label %look, label %none
look:
  %slot = getelementptr ptr, ptr %stack, i64 %index
  %here = load ptr, ptr %slot
  %same = icmp eq ptr %here, %block
  br i1 %same, label %found, label %next
next:
  %following = add i64 %index, 1
  br label %head
found:
  ret ptr %slot
none:
  ret ptr null
}

define internal i1 @ag_give(ptr %context, ptr %block) #0 { ; whether memory was the run's, which forgets it
  %slot = call ptr @ag_slot(ptr %context, ptr %block, i64 0)
  %missing = icmp eq ptr %slot, null
  br i1 %missing, label %none, label %found
found:
  %stack = load ptr, ptr %context
  %heights = getelementptr %context, ptr %context, i32 0, i32 1
  %height = load i64, ptr %heights
  %lower = sub i64 %height, 1
  %top = getelementptr ptr, ptr %stack, i64 %lower
  %other = load ptr, ptr %top
  store ptr %other, ptr %slot
  store i64 %lower, ptr %heights
  ret i1 true
none:
  ret i1 false
}

define internal void @ag_begin_release(ptr %context, i64 %mark) #0 {
  %place = getelementptr %context, ptr %context, i32 0, i32 3
  store i64 %mark, ptr %place
  ret void
}

define internal void @ag_keep(ptr %context, ptr %block) #0 {
  %place = getelementptr %context, ptr %context, i32 0, i32 3
  %kept = load i64, ptr %place
  %slot = call ptr @ag_slot(ptr %context, ptr %block, i64 %kept)
  %missing = icmp eq ptr %slot, null
  br i1 %missing, label %end, label %found
found:
  %stack = load ptr, ptr %context
  %front = getelementptr ptr, ptr %stack, i64 %kept
  %other = load ptr, ptr %front
  store ptr %other, ptr %slot
  store ptr %block, ptr %front
  %more = add i64 %kept, 1
  store i64 %more, ptr %place
  ret void
end:
  ret void
}

define internal void @ag_end_release(ptr %context) #0 {
start:
  %stack = load ptr, ptr %context
  %heights = getelementptr %context, ptr %context, i32 0, i32 1
  %height = load i64, ptr %heights
  %place = getelementptr %context, ptr %context, i32 0, i32 3
  %kept = load i64, ptr %place
  br label %head
head:
  %index = phi i64 [ %kept, %start ], [ %following, %next ]
  %inside = icmp slt i64 %index, %height
  br i1 %inside, label %body, label %end
body:
  %slot = getelementptr ptr, ptr %stack, i64 %index
  %block = load ptr, ptr %slot
  %word = ptrtoint ptr %block to i64
  %bit = and i64 %word, 1
  %is_object = icmp ne i64 %bit, 0
  br i1 %is_object, label %let, label %give
let: ; what the object does when it goes may add to the memory of no run
  %bare = and i64 %word, -2
  %object = inttoptr i64 %bare to ptr
  call void @Py_DecRef(ptr %object)
  br label %next
give:
  call void @free(ptr %block)
  br label %next
next:
  %following = add i64 %index, 1
  br label %head
end:
  store i64 %kept, ptr %heights
  ret void
}

define void @ag_free(ptr %context) #0 {
  call void @ag_begin_release(ptr %context, i64 0)
  call void @ag_end_release(ptr %context)
  %stack = load ptr, ptr %context
  call void @free(ptr %stack)
  ret void
}
"""
SERVICES = SERVICES.replace("RESERVE", _RESERVE if os.name == "posix" else _RESERVE_ANYWHERE)
SERVICES = SERVICES.replace("CLOCK", _CLOCK if os.name == "posix" else _CLOCK_ANYWHERE)
SERVICES = SERVICES.replace("DEEPER", _DEEPER if sys.platform == "linux" else NO_DEEPER)

SHARED = 8
"""Ranges from which on threads share a loop: below, to wake them takes longer than it gains."""
BUDGET = 1 << 18
"""Units of work, of about one operation on a number, from one look at the clock to the next."""
PAUSE = 10
"""Thousandths of a second from one look at signals to the next, where Python's lock has been let go: to wait
for it may take 5."""
DEEPEST = 512 * 1024
"""Bytes of stack for calls inside one another that every thread of Python's has: what gets deeper asks."""
MOST_STACK = 64 * 1024 * 1024
"""The most bytes of stack that are used of one without end."""
