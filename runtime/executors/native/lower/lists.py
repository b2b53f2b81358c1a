"""Lists of numbers, or of arrays of one shape, which lie one after the other.

Their memory has room for more, and is twice as large when it has none left.
Who may write into a list is read from `analysis/ownership.py`, as it is for arrays: anybody else gets a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from runtime.core.dtypes import bool_, int64
from runtime.core.spec import ArraySpec, ListSpec
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Cast,
    Copy,
    Expression,
    If,
    Load,
    Number,
    Set,
    Store,
    Variable,
    add,
    as_int64,
    multiply,
)
from runtime.executors.native.lower.building import LIST_ROOM
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.nested import (
    Change,
    Slice,
    change,
    held,
    push_list,
    put_list,
    read_list,
    whole,
)
from runtime.executors.native.lower.values import Growing, InMemory, Lowered, Nested, Scalar
from runtime.graph.graph import Node, Value
from runtime.ops.tensor_list.edits import TensorListErase, TensorListPushBack
from runtime.ops.tensor_list.nodes import (
    TensorListFromTensor,
    TensorListGetItem,
    TensorListLength,
    TensorListReserve,
    TensorListSetItem,
    TensorListStack,
)

_ZERO = Number(0, int64)
_OUTSIDE = "IndexOutOfRange", "index {0} is out of range for a TensorArray of size {1}"


def _list(lowering: Lowering, value: Value) -> Growing:
    found = lowering.values[value]
    assert isinstance(found, Growing), "its spec says so"
    return found


def _grown(lowering: Lowering, node: Node) -> Growing:
    """The list of a node that gives a changed one: of what is known of it behind that."""
    found = lowering.fitted(lowering.values[node.inputs[0]], node.specs[0])
    assert isinstance(found, Growing), "its spec says so"
    return found


@lowers(TensorListReserve)
def _reserve(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    size = lowering.scalar(node.inputs[0])
    if not isinstance(size, Number) or size.value != 0:
        raise Unsupported("its elements may be read before they are written")
    spec = node.specs[0]
    assert isinstance(spec, ListSpec), "it makes a list"
    if isinstance(spec.element, ListSpec):
        return [lowering.empty_nested(spec)]
    if spec.element is None:
        return [lowering.blank()]
    element = lowering.element(spec)
    return [lowering.indexed(lowering.empty_list(element.dtype, _shape(element)))]


def _shape(element: ArraySpec) -> tuple[int, ...]:
    """The shape of the elements of a list, which is known."""
    shape = element.shape
    if shape is None or not all(isinstance(dim, int) for dim in shape):
        raise Unsupported("the shape of its elements is only known when it runs")
    return tuple([int(cast("int", dim)) for dim in shape])


@lowers(TensorListFromTensor)
def _from_tensor(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    shape = _shape(lowering.element(node.specs[0]))
    [x] = node.inputs
    memory = lowering.made_anew(x) or lowering.copied(lowering.in_memory(x))
    return [lowering.indexed(Growing(memory.array, memory.dims[0], memory.dims[0], shape=shape))]


@lowers(TensorListStack)
def _stack(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    found = _list(lowering, node.inputs[0])
    return [lowering.copied(InMemory(found.array, (found.length, *_dims(found))))]


def _dims(found: Growing) -> tuple[Number, ...]:
    """The lengths of each element."""
    return tuple([Number(length, int64) for length in found.shape])


@lowers(TensorListLength, of_nested=True)
def _length(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    length, dtype = _outer(lowering, node).length, node.outputs[0].dtype
    return [Scalar(lowering.name(length if dtype is int64 else Cast(length, dtype)))]


def _outer(lowering: Lowering, node: Node) -> Growing:
    """The list of a node; of a list of lists, the heads of these."""
    found = lowering.values[node.inputs[0]]
    return found.heads if isinstance(found, Nested) else _list(lowering, node.inputs[0])


@lowers(TensorListGetItem, of_nested=True)
def _get_item(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    nested = lowering.values[node.inputs[0]]
    if isinstance(nested, Nested):
        place = _place(lowering, node, nested.heads)
        is_looked_at = node.outputs[0] in lowering.only_looked_at
        return [read_list(lowering, nested, place, only_looked_at=is_looked_at)]
    found = _list(lowering, node.inputs[0])
    place = _place(lowering, node, found)
    if not found.shape:
        return [Scalar(lowering.name(Load(found.array, place)))]
    result = lowering.allocated(_dims(found), found.dtype)
    start, count = lowering.name(found.numbers(place)), found.numbers(1)
    with lowering.loop(count) as index:
        lowering.emit(Store(result.array, index, Load(found.array, add(start, index))))
    return [result]


def _place(lowering: Lowering, node: Node, found: Growing) -> Expression:
    """The index of a node, inside of the list."""
    place = lowering.name(as_int64(lowering.scalar(node.inputs[1])))
    low = Apply("greater_equal", (place, _ZERO), bool_)
    inside = Apply("logical_and", (low, Apply("less", (place, found.length), bool_)), bool_)
    lowering.fail_unless(lowering.name(inside), node, *_OUTSIDE, place, found.length)
    return place


def _place_to_pop(lowering: Lowering, node: Node, found: Growing) -> Expression:
    """The index of a node, counted from the end where it is negative."""
    given = lowering.name(as_int64(lowering.scalar(node.inputs[1])))
    some = Apply("greater", (found.length, _ZERO), bool_)
    lowering.fail_unless(lowering.name(some), node, "IndexError", "pop from empty list")
    is_behind = Apply("less", (given, _ZERO), bool_)
    moved = Apply("select", (is_behind, add(given, found.length), given), int64)
    place = lowering.name(moved)
    low = Apply("greater_equal", (place, _ZERO), bool_)
    inside = Apply("logical_and", (low, Apply("less", (place, found.length), bool_)), bool_)
    lowering.fail_unless(lowering.name(inside), node, "IndexError", "pop index out of range")
    return place


@lowers(TensorListSetItem, of_nested=True)
def _set_item(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, TensorListSetItem), "it lowers these"
    nested = lowering.fitted(lowering.values[node.inputs[0]], node.specs[0])
    if isinstance(nested, Nested) and _goes_back(lowering, node):
        place = _place(lowering, node, nested.heads)
        made = _made(lowering, node, node.inputs[2])
        lowering.put_back[node.outputs[0]] = Change((place, *made.places), made.item)
        return [nested]
    if isinstance(nested, Nested):
        return [_with_list(lowering, node, nested)]
    found = _grown(lowering, node)
    item = _item(lowering, node.inputs[2], found)
    if node.op.grows:
        return [_set_or_pushed(lowering, node, found, item)]
    place = _place(lowering, node, found)
    if isinstance(item, Scalar) and _goes_back(lowering, node):
        lowering.put_back[node.outputs[0]] = Change((place,), item)
        return [found]
    if node not in lowering.ownership.in_place:
        found = lowering.copied_list(found)
    _write(lowering, found, place, item)
    return [found]


def _goes_back(lowering: Lowering, node: Node) -> bool:
    """Whether a changed list is for nothing but the list of lists that it was taken out of."""
    if node not in lowering.going_back:
        return False
    return isinstance(lowering.values[node.inputs[0].node.inputs[0]], Nested)


def _write(lowering: Lowering, found: Growing, place: Expression, item: Lowered) -> None:
    """Puts an item into a list, in the place of another."""
    if isinstance(item, Scalar):
        _forget_other(lowering, found, place, item)
    _put(lowering, found, place, item)


def _forget_other(lowering: Lowering, found: Growing, place: Expression, item: Scalar) -> None:
    if found.index is not None:
        lowering.forget(found, Apply("not_equal", (Load(found.array, place), item.value), bool_))


def _put(lowering: Lowering, found: Growing, place: Expression, item: Lowered) -> None:
    """Stores an item where there is room for it."""
    if isinstance(item, Scalar):
        lowering.emit(Store(found.array, place, item.value))
        return
    assert isinstance(item, InMemory), "it was computed"
    start = lowering.name(found.numbers(place))
    with lowering.loop(found.numbers(1)) as index:
        lowering.emit(Store(found.array, add(start, index), Load(item.array, index)))


def _set_or_pushed(lowering: Lowering, node: Node, found: Growing, item: Lowered) -> Growing:
    """A list with an item in it, or behind it; elements in between, which nobody writes, are NumPy's."""
    place, is_new = _place_or_end(lowering, node, found)
    if isinstance(item, Scalar):
        with lowering.block() as held:
            _forget_other(lowering, found, place, item)
        lowering.emit(If(is_new, [], held))
    length = lowering.name(add(found.length, Cast(is_new, int64)), "n")
    return _with_room(lowering, node, found, place, item, length)


def _place_or_end(lowering: Lowering, node: Node, found: Growing) -> tuple[Expression, Expression]:
    """The index of a node that is in the list or just behind it, and whether it is behind."""
    if lowering.shared.beyond is not Beyond.ANOTHER:
        raise Unsupported("it may grow by elements that are not written")
    place = lowering.name(as_int64(lowering.scalar(node.inputs[1])))
    low = Apply("greater_equal", (place, _ZERO), bool_)
    fits = Apply("logical_and", (low, Apply("less_equal", (place, found.length), bool_)), bool_)
    lowering.give_up_unless(lowering.name(fits), node, "Exception", "")
    return place, lowering.name(Apply("equal", (place, found.length), bool_))


def _with_list(lowering: Lowering, node: Node, nested: Nested) -> Nested:
    """A list of lists with another list at a place, or behind them."""
    assert isinstance(node.op, TensorListSetItem), "it puts something into a list"
    made = _made(lowering, node, node.inputs[2])
    if not node.op.grows:
        place = _place(lowering, node, nested.heads)
        nested = _for_changes(lowering, node, nested)
        if made.places:
            change(lowering, nested, place, made)
        else:
            put_list(lowering, nested, place, _list_in(made))
        return nested
    item = _list_in(made)
    place, is_new = _place_or_end(lowering, node, nested.heads)
    nested = _for_changes(lowering, node, nested)
    with lowering.block() as behind:
        push_list(lowering, nested, item)
    with lowering.block() as inside:
        put_list(lowering, nested, place, item)
    lowering.emit(If(is_new, behind, inside))
    return nested


def _made(lowering: Lowering, node: Node, value: Value) -> Change:
    """What a node puts into a list of lists: what is another in the list that was there, or a whole list."""
    found = lowering.put_back.get(value)
    return Change((), _inner(lowering, node, value)) if found is None else found


def _list_in(made: Change) -> Slice:
    assert not isinstance(made.item, Scalar), "it is put among lists"
    return whole(made.item)


def _for_changes(lowering: Lowering, node: Node, nested: Nested) -> Nested:
    """The list of lists that a node may write into, under names that may change."""
    return held(lowering, nested if node in lowering.ownership.in_place else lowering.copied_nested(nested))


def _with_room(
    lowering: Lowering, node: Node, found: Growing, place: Expression, item: Lowered, length: Expression
) -> Growing:
    """A list with an item at a place that it has, or is just behind it."""
    room, index = lowering.variable(int64, "room"), None
    if found.index is not None:
        index = lowering.array(int64, "table")
    own = Growing(lowering.array(found.dtype, "l"), length, room, index, found.shape)
    if node in lowering.ownership.in_place:
        lowering.emit(Alias(own.array, found.array))
        lowering.emit(Set(room, found.room))
        if index is not None and found.index is not None:
            lowering.emit(Alias(index, found.index))
        with lowering.block() as grow:
            _move(lowering, own, room, found)
        lowering.emit(If(Apply("equal", (place, found.room), bool_), grow, [], is_rare=True))
    else:
        _move(lowering, own, room, found)
    _put(lowering, own, place, item)
    return own


def _item(lowering: Lowering, value: Value, found: Growing) -> Lowered:
    """What is put into a list: a number, or an array in memory."""
    if found.is_blank or value.dtype is not found.dtype or value.shape != found.shape:
        raise Unsupported(f"{value.spec} is put into a list of {ArraySpec(found.shape, found.dtype)}")
    return lowering.in_memory(value) if found.shape else Scalar(lowering.scalar(value))


@lowers(TensorListPushBack, of_nested=True)
def _push_back(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    nested = lowering.fitted(lowering.values[node.inputs[0]], node.specs[0])
    if isinstance(nested, Nested):
        one = _inner(lowering, node, node.inputs[1])
        if _goes_back(lowering, node):
            lowering.put_back[node.outputs[0]] = Change((None,), one)
            return [nested]
        nested = _for_changes(lowering, node, nested)
        push_list(lowering, nested, whole(one))
        return [nested]
    found = _grown(lowering, node)
    item = _item(lowering, node.inputs[1], found)
    if isinstance(item, Scalar) and _goes_back(lowering, node):
        lowering.put_back[node.outputs[0]] = Change((None,), item)
        return [found]
    length = lowering.name(add(found.length, 1), "n")
    return [_with_room(lowering, node, found, found.length, item, length)]


def _move(lowering: Lowering, to: Growing, room: Variable, found: Growing) -> None:
    """Gives a list new memory with more room, and a table that is empty."""
    lowering.emit(Set(room, add(multiply(2, found.length), LIST_ROOM)))
    lowering.emit(Allocate(to.array, found.numbers(room)))
    lowering.emit(Copy(to.array, found.array, found.numbers(found.length)))
    made = lowering.indexed(replace(to, index=None))
    if to.index is not None and made.index is not None:
        lowering.emit(Alias(to.index, made.index))


@lowers(TensorListErase, of_nested=True)
def _erase(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    nested = lowering.values[node.inputs[0]]
    if isinstance(nested, Nested):
        place = _place_to_pop(lowering, node, nested.heads)
        nested = _for_changes(lowering, node, nested)
        return [replace(nested, heads=_without(lowering, nested.heads, place))]
    found = _list(lowering, node.inputs[0])
    place = _place_to_pop(lowering, node, found)
    if node not in lowering.ownership.in_place:
        found = lowering.copied_list(found)
    return [_without(lowering, found, place)]


def _without(lowering: Lowering, found: Growing, place: Expression) -> Growing:
    """A list without one element, in the memory in which it was."""
    length = lowering.name(add(found.length, -1), "n")
    behind = lowering.name(Apply("subtract", (length, place), int64), "n")
    start = lowering.name(found.numbers(place))
    with lowering.loop(lowering.name(found.numbers(behind), "n")) as index:
        here = lowering.name(add(start, index))
        lowering.emit(Store(found.array, here, Load(found.array, add(here, found.numbers(1)))))
    lowering.forget(found)
    return replace(found, length=length)


def _inner(lowering: Lowering, node: Node, value: Value) -> Growing | Nested:
    """A list that is put into a list of lists."""
    spec = node.specs[0]
    assert isinstance(spec, ListSpec), "it gives a list"
    assert isinstance(spec.element, ListSpec), "of lists"
    found = lowering.fitted(lowering.values[value], spec.element)
    if not isinstance(found, Growing | Nested):
        raise Unsupported(f"{value.spec} is put into a {spec}")
    return found
