"""Tuples, lists and dicts among the arguments of a call: opened in C, where they are as long as before.

What they hold is laid behind the arguments, one after the other, so that who looks at these looks at it, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native.calls.calling import TABLE, field
from runtime.executors.native.calls.layout import HEAD
from runtime.executors.program import Given, Nest

__all__ = ["can_open", "met_before", "opened_words", "opening_text", "word_of_table"]

_KINDS = (tuple, list, dict)
"""Of what is opened, by their numbers in the table."""
_MOST_NESTS, _MOST_FLAT = 8, 48
"""How many of them there may be, and how many objects with those that they hold."""


def can_open(given: Given) -> bool:
    """Whether there is room for what tuples, lists and dicts hold that are given, none of them by name."""
    held = sum(nest.count for nest in given.nests)
    is_small = len(given.nests) <= _MOST_NESTS and given.count + held <= _MOST_FLAT
    return not given.nests or (is_small and not given.names)


def opened_words(nests: Sequence[Nest]) -> list[int]:
    """What the table says of them: of each, where it is, its kind, its length, and its keys."""
    words: list[int] = []
    for nest in nests:
        keys = list(map(id, nest.keys)) if nest.kind is dict else [0] * nest.count
        words += [nest.position, _KINDS.index(nest.kind), id(nest.kind), nest.count, *keys]
    return words


def word_of_table(name: str, number: int) -> str:
    """The lines that read one word of the table of a call."""
    return f"  %{name}.at = getelementptr i64, ptr %table, i64 {number}\n  %{name} = load i64, ptr %{name}.at"


def met_before(one: str, among: str, count: str, *, after: str, met: str, new: str) -> str:
    """The blocks that look for an object among those before it: one object in two places is another case.

    Parameters
    ----------
    one : str
        The object.
    among, count : str
        Where those before it are, and how many there are.
    after : str
        The block that these follow.
    met, new : str
        The blocks that go on where it is among them, and where it is not.
    """
    return f"""\
  br label %earlier
earlier:
  %j = phi i64 [ 0, %{after} ], [ %j.next, %differs ]
  %is_earlier = icmp ult i64 %j, {count}
  br i1 %is_earlier, label %one, label %{new}
one:
  %before.at = getelementptr ptr, ptr {among}, i64 %j
  %before = load ptr, ptr %before.at
  %is_same = icmp eq ptr %before, {one}
  br i1 %is_same, label %{met}, label %differs
differs:
  %j.next = add i64 %j, 1
  br label %earlier"""


def opening_text(wanted: int, none: int, nests: int, places: int) -> str:
    """The function that begins a call: it lays what tuples, lists and dicts hold behind the arguments.

    It holds all that while the run lasts, and leaves the rest to `@ag_flat`. The numbers are of the words
    of the table that say how many arguments are wanted, what None is, how many nests there are, and where.
    """
    return "\n".join([_copied(wanted, none, nests, places), _nests(), _ITEMS, _RUN])


def _copied(wanted: int, none: int, nests: int, places: int) -> str:
    """The arguments in a row with room for more; a call without nests goes on as it is."""
    return f"""\
define ptr @ag_front(ptr %self, ptr %given, i64 %count, ptr %names) {{
start:
  %flat = alloca [{_MOST_FLAT} x ptr]
  %seen = alloca [{_MOST_NESTS} x ptr]
  %place = alloca i64
  %key.to = alloca ptr
  %item.to = alloca ptr
  %table = getelementptr i8, ptr %self, i64 {TABLE}
{word_of_table("wanted", wanted)}
{word_of_table("none.word", none)}
  %none = inttoptr i64 %none.word to ptr
{word_of_table("nests", nests)}
{word_of_table("from", places)}
  %is_flat = icmp eq i64 %nests, 0
  br i1 %is_flat, label %plain, label %look
plain:
  %at_once = call ptr @ag_flat(ptr %self, ptr %given, i64 %count, ptr %names)
  ret ptr %at_once
look:
  %is_as_long = icmp eq i64 %count, %wanted
  %has_no_names = icmp eq ptr %names, null
  %fits = and i1 %is_as_long, %has_no_names
  br i1 %fits, label %copy, label %not_held
copy:
  %size = mul i64 %count, 8
  call void @llvm.memmove.p0.p0.i64(ptr %flat, ptr %given, i64 %size, i1 false)
  %held = getelementptr ptr, ptr %flat, i64 %count
  %first = getelementptr i64, ptr %table, i64 %from
  br label %nest_next"""


def _nests() -> str:
    """One nest after the other: whether each is of the class and the length that it was, and no other one."""
    return f"""\
nest_next:
  %n = phi i64 [ 0, %copy ], [ %n.next, %nest_done ]
  %at = phi ptr [ %first, %copy ], [ %at.next, %nest_done ]
  %filled = phi i64 [ %count, %copy ], [ %filled.next, %nest_done ]
  %is_nest = icmp ult i64 %n, %nests
  br i1 %is_nest, label %nest, label %run
nest:
  %position = load i64, ptr %at
  %kind.at = getelementptr i64, ptr %at, i64 1
  %kind = load i64, ptr %kind.at
  %class.at = getelementptr i64, ptr %at, i64 2
  %class = load ptr, ptr %class.at
  %long.at = getelementptr i64, ptr %at, i64 3
  %long = load i64, ptr %long.at
  %keys = getelementptr i64, ptr %at, i64 4
  %object.at = getelementptr ptr, ptr %flat, i64 %position
  %object = load ptr, ptr %object.at
{chr(10).join(field("type", "%object", HEAD - 8, "ptr"))}
  %seen.to = getelementptr ptr, ptr %seen, i64 %n
  store ptr %object, ptr %seen.to
{met_before("%object", "%seen", "%n", after="nest", met="drop", new="by_kind")}
by_kind:
  %is_meant = icmp eq ptr %type, %class
  br i1 %is_meant, label %by_size, label %drop
by_size:
  switch i64 %kind, label %tuple [
    i64 1, label %list
    i64 2, label %dict
  ]
tuple:
  %of_tuple = call i64 @PyTuple_Size(ptr %object)
  br label %sized
list:
  %of_list = call i64 @PyList_Size(ptr %object)
  br label %sized
dict:
  %of_dict = call i64 @PyDict_Size(ptr %object)
  br label %sized
sized:
  %is_long = phi i64 [ %of_tuple, %tuple ], [ %of_list, %list ], [ %of_dict, %dict ]
  %is_all = icmp eq i64 %is_long, %long
  store i64 0, ptr %place
  br i1 %is_all, label %item_next, label %drop"""


_ITEMS = """\
item_next:
  %i = phi i64 [ 0, %sized ], [ %i.next, %item_found ]
  %is_item = icmp ult i64 %i, %long
  br i1 %is_item, label %item, label %nest_done
item:
  switch i64 %kind, label %of_tuple_now [
    i64 1, label %of_list_now
    i64 2, label %of_dict_now
  ]
of_tuple_now:
  %tuple_item = call ptr @PyTuple_GetItem(ptr %object, i64 %i)
  br label %item_found
of_list_now:
  %list_item = call ptr @PyList_GetItem(ptr %object, i64 %i)
  br label %item_found
of_dict_now:
  %has_next = call i32 @PyDict_Next(ptr %object, ptr %place, ptr %key.to, ptr %item.to)
  %key = load ptr, ptr %key.to
  %dict_item = load ptr, ptr %item.to
  %key.at = getelementptr ptr, ptr %keys, i64 %i
  %key.then = load ptr, ptr %key.at
  %is_key = icmp eq ptr %key, %key.then
  br i1 %is_key, label %item_found, label %drop_here
item_found:
  %found = phi ptr [ %tuple_item, %of_tuple_now ], [ %list_item, %of_list_now ], [ %dict_item, %of_dict_now ]
  call void @Py_IncRef(ptr %found)
  %i.place = add i64 %filled, %i
  %item.at = getelementptr ptr, ptr %flat, i64 %i.place
  store ptr %found, ptr %item.at
  %i.next = add i64 %i, 1
  br label %item_next
nest_done:
  %filled.next = add i64 %filled, %long
  %n.next = add i64 %n, 1
  %at.next = getelementptr i64, ptr %keys, i64 %long
  br label %nest_next"""
"""What is in a nest, behind what is there, as long as the call lasts; of a dict, under the same keys."""


_RUN = """\
run:
  %result = call ptr @ag_flat(ptr %self, ptr %flat, i64 %count, ptr null)
  %own = sub i64 %filled, %count
  call void @ag_drop(ptr %held, i64 %own)
  ret ptr %result
drop_here:
  %here = add i64 %filled, %i
  br label %dropping
drop:
  br label %dropping
dropping:
  %end = phi i64 [ %filled, %drop ], [ %here, %drop_here ]
  %some = sub i64 %end, %count
  call void @ag_drop(ptr %held, i64 %some)
  br label %not_held
not_held:
  call void @Py_IncRef(ptr %none)
  ret ptr %none
}"""
"""The call with all of that, which is let go of then."""
