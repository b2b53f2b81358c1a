"""Lists of lists of numbers: the numbers of all lists lie in one memory, with room behind each list.

A list that gets more numbers than it has room for moves behind the last one, with room for twice as many.

``rows[i][j] = x`` takes a list out, changes a number in it, and puts it back: where nobody else sees the
changed list, the number is written where it is. So is that of ``rows[i].append(x)``, behind the others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from runtime.core.dtypes import bool_, int64
from runtime.core.spec import ListSpec
from runtime.executors.native.forms import HEAD
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Copy,
    Expression,
    If,
    Load,
    Number,
    Set,
    Store,
    Variable,
    add,
    multiply,
)
from runtime.executors.native.lower.building import LIST_ROOM, Building
from runtime.executors.native.lower.values import Growing, Nested
from runtime.graph.graph import Graph, Node
from runtime.ops.tensor_list.edits import TensorListPushBack
from runtime.ops.tensor_list.nodes import TensorListGetItem, TensorListSetItem

__all__ = ["append_number", "going_back", "held", "push_list", "put_list", "put_number", "read_list"]

_START, _SIZE, _ROOM = range(HEAD)


def read_list(building: Building, nested: Nested, place: Expression) -> Growing:
    """The list at a place, in memory of its own."""
    start, size = (_head(building, nested.heads, place, part) for part in (_START, _SIZE))
    numbers = nested.numbers
    if numbers.is_blank:
        return building.blank()
    room = building.name(add(size, LIST_ROOM), "room")
    found = Growing(building.array(numbers.dtype, "l"), size, room)
    building.emit(Allocate(found.array, room))
    with building.loop(size) as index:
        building.emit(Store(found.array, index, Load(numbers.array, add(start, index))))
    return building.indexed(found)


def going_back(graph: Graph) -> frozenset[Node]:
    """The nodes that change a number in a list, or append one, where all goes back to where the list was."""
    puts = [node for node in graph.nodes if isinstance(node.op, TensorListSetItem) and not node.op.grows]
    changing = TensorListSetItem, TensorListPushBack
    outer = [node for node in puts if isinstance(node.inputs[2].node.op, changing)]
    if not outer:
        return frozenset()
    users = Counter([value for node in graph.nodes for value in node.inputs])
    users.update(graph.outputs)
    own = {*puts, *[node for node in graph.nodes if isinstance(node.op, TensorListPushBack)]}
    return frozenset(
        node.inputs[2].node
        for node in outer
        if node.inputs[2].node in own and users[node.inputs[2]] == 1 and _is_of_same_place(node)
    )


def _is_of_same_place(node: Node) -> bool:
    """Whether a node puts a list where that was taken out, with a number changed or appended."""
    rows, place, changed = node.inputs
    taken = changed.node.inputs[0]
    is_taken = isinstance(taken.node.op, TensorListGetItem) and taken.node.inputs == (rows, place)
    return is_taken and isinstance(rows.spec, ListSpec) and rows.spec.element == taken.spec == changed.spec


def put_number(
    building: Building, nested: Nested, place: Expression, inner: Expression, number: Expression
) -> None:
    """Puts another number into a list of a list of lists, which is `held`."""
    start = _head(building, nested.heads, place, _START)
    building.emit(Store(nested.numbers.array, building.name(add(start, inner)), number))


def append_number(building: Building, nested: Nested, place: Expression, number: Expression) -> None:
    """Puts one more number behind those of a list of a list of lists, which is `held`."""
    heads, numbers = nested.heads, nested.numbers
    size = _head(building, heads, place, _SIZE)
    more = building.name(add(size, 1))
    with building.block() as moves:
        old, new = _head(building, heads, place, _START), building.variable(int64)
        building.emit(Set(new, numbers.length))
        room = building.name(add(multiply(2, more), LIST_ROOM), "room")
        _extend(building, numbers, room)
        _set_head(building, heads, place, _START, new)
        _set_head(building, heads, place, _ROOM, room)
        with building.loop(size) as index:
            building.emit(Store(numbers.array, add(new, index), Load(numbers.array, add(old, index))))
    is_full = Apply("less", (_head(building, heads, place, _ROOM), more), bool_)
    building.emit(If(building.name(is_full), moves, [], is_rare=True))
    _set_head(building, heads, place, _SIZE, more)
    start = _head(building, heads, place, _START)
    building.emit(Store(numbers.array, building.name(add(start, size)), number))


def held(building: Building, nested: Nested) -> Nested:
    """A list of lists under names that may change."""
    return Nested(_held(building, nested.heads), _held(building, nested.numbers))


def put_list(building: Building, nested: Nested, place: Expression, item: Growing) -> None:
    """Puts another list at a place that a list of lists has, which is `held`."""
    heads, numbers = nested.heads, nested.numbers
    is_more = Apply("less", (_head(building, heads, place, _ROOM), item.length), bool_)
    with building.block() as moves:
        _set_head(building, heads, place, _START, numbers.length)
        room = building.name(add(multiply(2, item.length), LIST_ROOM), "room")
        _set_head(building, heads, place, _ROOM, room)
        _extend(building, numbers, room)
    building.emit(If(building.name(is_more), moves, [], is_rare=True))
    _write(building, nested, place, item)


def push_list(building: Building, nested: Nested, item: Growing) -> None:
    """Puts one more list behind those of a list of lists, which is `held`."""
    heads, numbers = nested.heads, nested.numbers
    place = building.variable(int64)
    building.emit(Set(place, heads.length))
    _extend(building, heads, Number(1, int64))
    _set_head(building, heads, place, _START, numbers.length)
    _set_head(building, heads, place, _ROOM, item.length)
    _extend(building, numbers, item.length)
    _write(building, nested, place, item)


def _write(building: Building, nested: Nested, place: Expression, item: Growing) -> None:
    """Copies the numbers of a list to where there is room for them."""
    heads, numbers = nested.heads, nested.numbers
    _set_head(building, heads, place, _SIZE, item.length)
    if item.is_blank or numbers.is_blank:
        return
    start = _head(building, heads, place, _START)
    with building.loop(building.name(item.length, "n")) as index:
        building.emit(Store(numbers.array, add(start, index), Load(item.array, index)))


def _extend(building: Building, found: Growing, more: Expression) -> None:
    """Makes a list whose names may change longer, by elements that are yet to be written."""
    length = building.name(add(found.length, more), "n")
    with building.block() as grow:
        old = building.array(found.dtype, "l")
        building.emit(Alias(old, found.array))
        building.emit(Set(_variable(found.room), add(multiply(2, length), LIST_ROOM)))
        building.emit(Allocate(found.array, found.numbers(found.room)))
        building.emit(Copy(found.array, old, building.name(found.numbers(found.length), "n")))
    building.emit(If(building.name(Apply("less", (found.room, length), bool_)), grow, [], is_rare=True))
    building.emit(Set(_variable(found.length), length))


def _held(building: Building, found: Growing) -> Growing:
    """A list under names that may change."""
    array = building.array(found.dtype, "l")
    building.emit(Alias(array, found.array))
    length, room = building.variable(int64, "n"), building.variable(int64, "room")
    building.emit(Set(length, found.length))
    building.emit(Set(room, found.room))
    return replace(found, array=array, length=length, room=room)


def _variable(number: Expression) -> Variable:
    assert isinstance(number, Variable), "a list that is held has names of its own"
    return number


def _head(building: Building, heads: Growing, place: Expression, part: int) -> Expression:
    return building.name(Load(heads.array, building.name(add(multiply(place, HEAD), part))))


def _set_head(building: Building, heads: Growing, place: Expression, part: int, number: Expression) -> None:
    building.emit(Store(heads.array, building.name(add(multiply(place, HEAD), part)), number))
