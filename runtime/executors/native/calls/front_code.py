"""The code of the function in front of machine code: LLVM's text, block by block in the order of a call.

Blocks that cannot go on leave the call to the caller: they end in the last one, `other`.
"""

from __future__ import annotations

from runtime.executors.native.calls.calling import TABLE, USUAL, field
from runtime.executors.native.calls.layout import BASE, BYTES, DATA, DIMS, FLAGS, HEAD, RANK, place_in_tensor
from runtime.executors.native.calls.opening import met_before, opening_text, word_of_table
from runtime.executors.native.llvm.efforts import AS_IT_STANDS
from runtime.executors.program import Holder

__all__ = ["CELL", "MOST", "NESTS_FROM", "WORDS", "front_code"]

CELL = 1 << 32
"""Beside the flags of an array: it has no axes. A graph for one is for no other array, and for no tensor."""

MOST = 16
"""Inputs that it takes, and results that it gives."""

WORDS = 20
COUNT, TENSORS, LENT, ARRAY, CODE, INPUTS, KNOWN, WRITTEN, NONE, SEVERAL, NAMED = range(11)
SERVED, OWN, NEW, LEAVES, IS_TUPLE, OUTSIDE, NESTS, NESTS_FROM, FINISH = range(11, WORDS)
"""The words that the table begins with, and which is which."""


def front_code() -> str:
    """A module whose function `ag_front` is called by Python: its `self` ends with a table."""
    place = place_in_tensor()
    assert place is not None, "it was looked for"
    blocks = (
        _start(),
        _outside(),
        _names(),
        _inputs(place),
        _apart(),
        _known(),
        _own(),
        _run(),
        _written(),
        _finished(),
        _given(),
    )
    functions = (
        _DROP,
        BYTES,
        _boxed(place),
        opening_text(COUNT, NONE, NESTS, NESTS_FROM),
        "\n".join(blocks),
    )
    return "\n".join([AS_IT_STANDS, _DECLARATIONS, "\n\n".join(functions), ""])


_DECLARATIONS = """\
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare i32 @PyObject_RichCompareBool(ptr, ptr, i32)
declare ptr @PyTuple_GetItem(ptr, i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyTuple_New(i64)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyDict_GetItemWithError(ptr, ptr)
declare i64 @PyTuple_Size(ptr)
declare i64 @PyList_Size(ptr)
declare i64 @PyDict_Size(ptr)
declare ptr @PyList_GetItem(ptr, i64)
declare i32 @PyDict_Next(ptr, ptr, ptr, ptr)
declare ptr @PyCell_Get(ptr)
declare ptr @PyFunction_GetCode(ptr)
declare ptr @PyFunction_GetDefaults(ptr)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""
"""Of functions of Python's, and one of LLVM's."""

_DROP = """\
define internal void @ag_drop(ptr %copies, i64 %count) {
start:
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %next, %done ]
  %going = icmp ult i64 %i, %count
  br i1 %going, label %body, label %end
body:
  %at = getelementptr ptr, ptr %copies, i64 %i
  %copy = load ptr, ptr %at
  %is_none = icmp eq ptr %copy, null
  br i1 %is_none, label %done, label %drop
drop:
  call void @Py_DecRef(ptr %copy)
  br label %done
done:
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}"""
"""A function that lets go of copies."""


def _boxed(place: int) -> str:
    """A function that makes a tensor of an array."""
    return f"""\
define internal ptr @ag_boxed(ptr %tensors, ptr %array) {{ ; it gets a reference to the array
start:
  %tensor = call ptr @PyType_GenericAlloc(ptr %tensors, i64 0)
  %is_lost = icmp eq ptr %tensor, null
  br i1 %is_lost, label %lost, label %boxed
lost:
  call void @Py_DecRef(ptr %array)
  ret ptr null
boxed:
  %slot = getelementptr i8, ptr %tensor, i64 {place}
  store ptr %array, ptr %slot
  ret ptr %tensor
}}"""


def _pointer(name: str, number: int) -> str:
    return f"  %{name}.at = getelementptr i64, ptr %table, i64 {number}\n  %{name} = load ptr, ptr %{name}.at"


def _field(name: str, of: str, offset: int, kind: str) -> str:
    return "\n".join(field(name, of, offset, kind))


def _start() -> str:
    """What the table says, and whether as much is given as the graph takes."""
    return f"""\
define internal ptr @ag_flat(ptr %self, ptr %given, i64 %count, ptr %names) {{
start:
  %arrays = alloca [{MOST} x ptr]
  %owners = alloca [{MOST} x ptr]
  %copies = alloca [{MOST} x ptr]
  %table = getelementptr i8, ptr %self, i64 {TABLE}
{word_of_table("wanted", COUNT)}
{_pointer("tensors", TENSORS)}
{_pointer("lent", LENT)}
{_pointer("array", ARRAY)}
{_pointer("code.at", CODE)}
  %code = load ptr, ptr %code.at
{word_of_table("inputs", INPUTS)}
{word_of_table("known", KNOWN)}
{word_of_table("written", WRITTEN)}
{_pointer("none", NONE)}
{word_of_table("several", SEVERAL)}
{_pointer("named", NAMED)}
{word_of_table("owns", OWN)}
{_pointer("new", NEW)}
{word_of_table("leaves", LEAVES)}
{word_of_table("is_nest", IS_TUPLE)}
{word_of_table("outside", OUTSIDE)}
  %is_one = icmp eq i64 %several, 0
  %any_written = or i64 %written, %owns
  %writes = icmp ne i64 %any_written, 0
  %of_inputs = getelementptr i64, ptr %table, i64 {WORDS}
  %pairs = mul i64 %inputs, 3
  %of_known = getelementptr i64, ptr %of_inputs, i64 %pairs
  %more = mul i64 %known, 2
  %of_written = getelementptr i64, ptr %of_known, i64 %more
  %places = mul i64 %any_written, 3 ; there are of one kind or the other
  %of_leaves = getelementptr i64, ptr %of_written, i64 %places
  %of_outside = getelementptr i64, ptr %of_leaves, i64 %leaves
  %is_as_long = icmp eq i64 %count, %wanted
  %has_code = icmp ne ptr %code, null
  %enough = and i1 %is_as_long, %has_code
  br i1 %enough, label %outside_next, label %other"""


def _outside() -> str:
    """Whether what the function reads outside is what it was."""
    return f"""\
outside_next:
  %x = phi i64 [ 0, %start ], [ %x.next, %outside_same ]
  %is_outside = icmp ult i64 %x, %outside
  br i1 %is_outside, label %outside_look, label %by_name
outside_look:
  %x.place = mul i64 %x, 4
  %x.at = getelementptr i64, ptr %of_outside, i64 %x.place
  %holder = load i64, ptr %x.at
  %owner_of.at = getelementptr i64, ptr %x.at, i64 1
  %owner_of = load ptr, ptr %owner_of.at
  %key_of.at = getelementptr i64, ptr %x.at, i64 2
  %key_of = load ptr, ptr %key_of.at
  %value_of.at = getelementptr i64, ptr %x.at, i64 3
  %value_of = load ptr, ptr %value_of.at
  switch i64 %holder, label %other [
    i64 {int(Holder.DICT)}, label %in_dict
    i64 {int(Holder.CELL)}, label %in_cell
    i64 {int(Holder.CODE)}, label %is_code
    i64 {int(Holder.DEFAULTS)}, label %are_defaults
  ]
in_dict:
  %of_dict = call ptr @PyDict_GetItemWithError(ptr %owner_of, ptr %key_of)
  br label %outside_found
in_cell: ; which holds it still when we let go of it
  %of_cell = call ptr @PyCell_Get(ptr %owner_of)
  %is_cell_empty = icmp eq ptr %of_cell, null
  br i1 %is_cell_empty, label %other, label %cell_full
cell_full:
  call void @Py_DecRef(ptr %of_cell)
  br label %outside_found
is_code:
  %the_code = call ptr @PyFunction_GetCode(ptr %owner_of)
  br label %outside_found
are_defaults:
  %the_defaults = call ptr @PyFunction_GetDefaults(ptr %owner_of)
  br label %outside_found
outside_found:
  %is_now = phi ptr [ %of_dict, %in_dict ], [ %of_cell, %cell_full ], [ %the_code, %is_code ],
    [ %the_defaults, %are_defaults ]
  %is_as_before = icmp eq ptr %is_now, %value_of
  br i1 %is_as_before, label %outside_same, label %other
outside_same:
  %x.next = add i64 %x, 1
  br label %outside_next"""


def _names() -> str:
    """Whether the last ones are given by the names that the graph was made for."""
    return """\
by_name:
  %is_named = icmp eq ptr %names, %named ; where there are none, both are null
  br i1 %is_named, label %input, label %other_names
other_names:
  %has_names = icmp ne ptr %names, null
  %wants_names = icmp ne ptr %named, null
  %both = and i1 %has_names, %wants_names
  br i1 %both, label %ask_names, label %other
ask_names:
  %same_names = call i32 @PyObject_RichCompareBool(ptr %names, ptr %named, i32 2)
  %are_same = icmp eq i32 %same_names, 1
  br i1 %are_same, label %input, label %other"""


def _inputs(place: int) -> str:
    """The arrays in what is given, or NumPy's numbers; the caller has the call where something else is."""
    return f"""\
input:
  %i = phi i64 [ 0, %by_name ], [ 0, %ask_names ], [ %i.next, %stored ]
  %is_input = icmp ult i64 %i, %inputs
  br i1 %is_input, label %look, label %compare
look:
  %i.pair = mul i64 %i, 3
  %i.position = getelementptr i64, ptr %of_inputs, i64 %i.pair
  %position = load i64, ptr %i.position
  %object.at = getelementptr ptr, ptr %given, i64 %position
  %object = load ptr, ptr %object.at
{_field("type", "%object", HEAD - 8, "ptr")}
  %needs.at = getelementptr i64, ptr %i.position, i64 1
  %needs.wide = load i64, ptr %needs.at
  %needs.cell = and i64 %needs.wide, {CELL}
  %is_cell = icmp ne i64 %needs.cell, 0
  %is_tensor = icmp eq ptr %type, %tensors
  br i1 %is_tensor, label %tensor, label %bare
tensor:
{_field("inner", "%object", place, "ptr")}
  %is_empty = icmp eq ptr %inner, null
  %is_useless = or i1 %is_empty, %is_cell
  br i1 %is_useless, label %other, label %full
full:
{_field("inner.type", "%inner", HEAD - 8, "ptr")}
  %holds_array = icmp eq ptr %inner.type, %array
  br i1 %holds_array, label %opened, label %other
bare:
  %is_lent = icmp eq ptr %type, %lent
  br i1 %is_lent, label %axes, label %number
number: ; of NumPy's: it has its bytes where an array has its address, which is for the code to know
  %class.at = getelementptr i64, ptr %i.position, i64 2
  %class = load ptr, ptr %class.at
  %is_number = icmp eq ptr %type, %class
  br i1 %is_number, label %numpys, label %other
numpys:
  %numpys.at = getelementptr ptr, ptr %arrays, i64 %i
  store ptr %object, ptr %numpys.at
  %numpys.owner = getelementptr ptr, ptr %owners, i64 %i
  store ptr %object, ptr %numpys.owner
  br label %stored
axes:
{_field("rank", "%object", RANK, "i32")}
  %has_axes = icmp sgt i32 %rank, 0
{_field("flags", "%object", FLAGS, "i32")}
  %needs = trunc i64 %needs.wide to i32
  %has = and i32 %flags, %needs
  %may_be_written = icmp eq i32 %has, %needs
  %is_meant = xor i1 %has_axes, %is_cell
  %fits = and i1 %is_meant, %may_be_written
  br i1 %fits, label %opened, label %other
opened:
  %opened.array = phi ptr [ %inner, %full ], [ %object, %axes ]
  %slot = getelementptr ptr, ptr %arrays, i64 %i
  store ptr %opened.array, ptr %slot
  br i1 %writes, label %apart, label %stored"""


def _apart() -> str:
    """Whether no two arrays are of the memory of one, where something is written into."""
    return f"""\
apart: ; where something is written into, no two arrays are of the memory of one
{_field("base", "%opened.array", BASE, "ptr")}
  %is_view = icmp ne ptr %base, null
  br i1 %is_view, label %view, label %owned
view:
{_field("base.type", "%base", HEAD - 8, "ptr")}
  %is_of_array = icmp eq ptr %base.type, %array
  br i1 %is_of_array, label %viewed, label %other
viewed:
{_field("base.base", "%base", BASE, "ptr")}
  %is_owner = icmp eq ptr %base.base, null
  br i1 %is_owner, label %owned, label %other
owned:
  %owner = phi ptr [ %opened.array, %apart ], [ %base, %viewed ]
  %owner.at = getelementptr ptr, ptr %owners, i64 %i
  store ptr %owner, ptr %owner.at
{met_before("%owner", "%owners", "%i", after="owned", met="other", new="stored")}
stored:
  %i.next = add i64 %i, 1
  br label %input"""


def _known() -> str:
    """Whether what is no input is what the graph was made for."""
    return f"""\
compare:
  %k = phi i64 [ 0, %input ], [ %k.next, %equal ]
  %is_known = icmp ult i64 %k, %known
  br i1 %is_known, label %value, label %run
value:
  %k.pair = mul i64 %k, 2
  %k.position = getelementptr i64, ptr %of_known, i64 %k.pair
  %where = load i64, ptr %k.position
  %now.at = getelementptr ptr, ptr %given, i64 %where
  %now = load ptr, ptr %now.at
  %then.at = getelementptr i64, ptr %k.position, i64 1
  %then = load ptr, ptr %then.at
  %is_it = icmp eq ptr %now, %then
  br i1 %is_it, label %equal, label %kinds
kinds:
{_field("kind", "%now", HEAD - 8, "ptr")}
{_field("other_kind", "%then", HEAD - 8, "ptr")}
  %is_alike = icmp eq ptr %kind, %other_kind
  br i1 %is_alike, label %ask, label %other
ask:
  %answer = call i32 @PyObject_RichCompareBool(ptr %now, ptr %then, i32 2)
  %is_equal = icmp eq i32 %answer, 1
  br i1 %is_equal, label %equal, label %other
equal:
  %k.next = add i64 %k, 1
  br label %compare"""


def _own() -> str:
    """Copies of the tensors whose arrays the code writes into where they are."""
    head = "ptr %array, i32 %o.rank, ptr %o.dims, i32 %o.kind, ptr null, ptr null, i32 0, i32 0, ptr null"
    return f"""\
run:
  %o = phi i64 [ 0, %compare ], [ %o.next, %owned_now ]
  %private = phi i64 [ 0, %compare ], [ %private.next, %owned_now ]
  %is_own = icmp ult i64 %o, %owns
  br i1 %is_own, label %own_array, label %begin
own_array: ; what is written into belongs to the caller, or is a copy
  %o.place = mul i64 %o, 3
  %o.at = getelementptr i64, ptr %of_written, i64 %o.place
  %o.input = load i64, ptr %o.at
  %o.pair = mul i64 %o.input, 3
  %o.position = getelementptr i64, ptr %of_inputs, i64 %o.pair
  %o.where = load i64, ptr %o.position
  %o.given = getelementptr ptr, ptr %given, i64 %o.where
  %o.object = load ptr, ptr %o.given
{_field("o.type", "%o.object", HEAD - 8, "ptr")}
  %o.is_array = icmp eq ptr %o.type, %array
  %o.copy.at = getelementptr ptr, ptr %copies, i64 %o
  store ptr null, ptr %o.copy.at
  br i1 %o.is_array, label %owned_now, label %own_copy
own_copy:
  %o.slot = getelementptr ptr, ptr %arrays, i64 %o.input
  %o.inner = load ptr, ptr %o.slot
{_field("o.rank", "%o.inner", RANK, "i32")}
{_field("o.dims", "%o.inner", DIMS, "ptr")}
{_field("o.data", "%o.inner", DATA, "ptr")}
  %o.kind.at = getelementptr i64, ptr %o.at, i64 2
  %o.kind.wide = load i64, ptr %o.kind.at
  %o.kind = trunc i64 %o.kind.wide to i32
  %o.flags.at = getelementptr i8, ptr %o.inner, i64 {FLAGS}
  %o.flags = load i32, ptr %o.flags.at
  %o.some = and i32 %o.flags, {USUAL}
  %o.is_usual = icmp eq i32 %o.some, {USUAL}
  br i1 %o.is_usual, label %own_new, label %own_other
own_other:
  call void @ag_drop(ptr %copies, i64 %o)
  br label %other
own_new:
  %o.new = call ptr %new({head})
  %o.is_missing = icmp eq ptr %o.new, null
  br i1 %o.is_missing, label %own_missing, label %own_made
own_missing:
  call void @ag_drop(ptr %copies, i64 %o)
  ret ptr null
own_made:
{_field("o.to", "%o.new", DATA, "ptr")}
  %o.size.at = getelementptr i64, ptr %o.at, i64 1
  %o.size = load i64, ptr %o.size.at
  %o.bytes = call i64 @ag_bytes(ptr %o.dims, i32 %o.rank, i64 %o.size)
  call void @llvm.memmove.p0.p0.i64(ptr %o.to, ptr %o.data, i64 %o.bytes, i1 false)
  store ptr %o.new, ptr %o.copy.at
  store ptr %o.new, ptr %o.slot
  br label %owned_now
owned_now:
  %o.mine = phi i64 [ 0, %own_array ], [ 1, %own_made ]
  %o.bit = shl i64 %o.mine, %o
  %private.next = or i64 %private, %o.bit
  %o.next = add i64 %o, 1
  br label %run"""


def _run() -> str:
    """The run of the code; its caller has the call where that gives None, or raises."""
    return """\
begin:
  %high = shl i64 %private, 32
  %packed = or i64 %inputs, %high
  %result = call ptr %code(ptr null, ptr %arrays, i64 %packed)
  call void @ag_drop(ptr %copies, i64 %owns)
  %fails = icmp eq ptr %result, null
  %is_left = icmp eq ptr %result, %none
  %is_over = or i1 %fails, %is_left
  br i1 %is_over, label %over, label %found
over:
  ret ptr %result
found:
  br label %back"""


def _written() -> str:
    """What the code has left in arrays that outlive the call."""
    return f"""\
back:
  %w = phi i64 [ 0, %found ], [ %w.next, %returned ]
  %is_written = icmp ult i64 %w, %written
  br i1 %is_written, label %write, label %give
write:
  %w.place = mul i64 %w, 3
  %output.at = getelementptr i64, ptr %of_written, i64 %w.place
  %output = load i64, ptr %output.at
  %taken.at = getelementptr i64, ptr %output.at, i64 1
  %taken = load i64, ptr %taken.at
  %size.at = getelementptr i64, ptr %output.at, i64 2
  %size = load i64, ptr %size.at
  %own.pair = mul i64 %taken, 3
  %own.position = getelementptr i64, ptr %of_inputs, i64 %own.pair
  %own.where = load i64, ptr %own.position
  %own.at = getelementptr ptr, ptr %given, i64 %own.where
  %own.array = load ptr, ptr %own.at
{_field("own.type", "%own.array", HEAD - 8, "ptr")}
  %is_array = icmp eq ptr %own.type, %array
  br i1 %is_array, label %copy, label %returned
copy:
  br i1 %is_one, label %have, label %pick
pick:
  %picked = call ptr @PyTuple_GetItem(ptr %result, i64 %output)
  br label %have
have:
  %item = phi ptr [ %result, %copy ], [ %picked, %pick ]
{_field("own.rank", "%own.array", RANK, "i32")}
{_field("own.dims", "%own.array", DIMS, "ptr")}
{_field("own.data", "%own.array", DATA, "ptr")}
{_field("item.data", "%item", DATA, "ptr")}
  %bytes = call i64 @ag_bytes(ptr %own.dims, i32 %own.rank, i64 %size)
  call void @llvm.memmove.p0.p0.i64(ptr %own.data, ptr %item.data, i64 %bytes, i1 false)
  br label %returned
returned:
  %w.next = add i64 %w, 1
  br label %back"""


def _finished() -> str:
    """What Python makes of the results."""
    return f"""\
give:
{_pointer("served", SERVED)}
  store i64 1, ptr %served
{_pointer("finish", FINISH)}
  %is_finished = icmp ne ptr %finish, null
  br i1 %is_finished, label %finishing, label %in_place
finishing:
  br i1 %is_one, label %alone, label %finish_all
alone:
  %one_tuple = call ptr @PyTuple_New(i64 1)
  %is_none_made = icmp eq ptr %one_tuple, null
  br i1 %is_none_made, label %lost, label %one_made
one_made:
  call i32 @PyTuple_SetItem(ptr %one_tuple, i64 0, ptr %result)
  br label %finish_all
finish_all:
  %all_found = phi ptr [ %result, %finishing ], [ %one_tuple, %one_made ]
  %all_found.at = getelementptr ptr, ptr %copies, i64 0
  store ptr %all_found, ptr %all_found.at
  %finished = call ptr @PyObject_Vectorcall(ptr %finish, ptr %all_found.at, i64 1, ptr null)
  call void @Py_DecRef(ptr %all_found)
  ret ptr %finished"""


def _given() -> str:
    """What is given in place: a tensor, or a tuple of tensors and what else is known."""
    return """\
in_place:
  %is_tuple = icmp ne i64 %is_nest, 0
  br i1 %is_tuple, label %tuple, label %single
single:
  %only = load ptr, ptr %of_leaves
  %is_tensor_only = icmp eq ptr %only, null
  br i1 %is_tensor_only, label %first, label %constant
constant:
  call void @Py_IncRef(ptr %only)
  call void @Py_DecRef(ptr %result)
  ret ptr %only
first:
  br i1 %is_one, label %box, label %unpack
unpack:
  %front = call ptr @PyTuple_GetItem(ptr %result, i64 0)
  call void @Py_IncRef(ptr %front)
  call void @Py_DecRef(ptr %result)
  br label %box
box:
  %inside = phi ptr [ %result, %first ], [ %front, %unpack ]
  %tensor.new = call ptr @ag_boxed(ptr %tensors, ptr %inside)
  ret ptr %tensor.new
tuple:
  %made = call ptr @PyTuple_New(i64 %leaves)
  %is_unmade = icmp eq ptr %made, null
  br i1 %is_unmade, label %lost, label %leaf
lost:
  call void @Py_DecRef(ptr %result)
  ret ptr null
leaf:
  %l = phi i64 [ 0, %tuple ], [ %l.next, %filled ]
  %n = phi i64 [ 0, %tuple ], [ %n.next, %filled ]
  %is_leaf = icmp ult i64 %l, %leaves
  br i1 %is_leaf, label %fill, label %full_tuple
fill:
  %leaf.at = getelementptr ptr, ptr %of_leaves, i64 %l
  %leaf.known = load ptr, ptr %leaf.at
  %is_next = icmp eq ptr %leaf.known, null
  br i1 %is_next, label %next_output, label %known_leaf
known_leaf:
  call void @Py_IncRef(ptr %leaf.known)
  br label %filled
next_output:
  br i1 %is_one, label %whole, label %part
part:
  %part.array = call ptr @PyTuple_GetItem(ptr %result, i64 %n)
  br label %whole
whole:
  %output.array = phi ptr [ %result, %next_output ], [ %part.array, %part ]
  call void @Py_IncRef(ptr %output.array)
  %output.new = call ptr @ag_boxed(ptr %tensors, ptr %output.array)
  %is_unboxed = icmp eq ptr %output.new, null
  br i1 %is_unboxed, label %unboxed, label %filled
unboxed:
  call void @Py_DecRef(ptr %made)
  br label %lost
filled:
  %item.new = phi ptr [ %leaf.known, %known_leaf ], [ %output.new, %whole ]
  %n.step = phi i64 [ 0, %known_leaf ], [ 1, %whole ]
  call i32 @PyTuple_SetItem(ptr %made, i64 %l, ptr %item.new)
  %l.next = add i64 %l, 1
  %n.next = add i64 %n, %n.step
  br label %leaf
full_tuple:
  call void @Py_DecRef(ptr %result)
  ret ptr %made
other:
  call void @Py_IncRef(ptr %none)
  ret ptr %none
}"""
