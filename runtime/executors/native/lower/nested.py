"""Lists of lists of numbers: the numbers of all lists lie in one memory, with room behind each list.

A list that gets more numbers than it has room for moves behind the last one, with room for twice as many. Of
lists in lists in lists, the heads of the inner ones lie so, too.

``rows[i][j] = x`` takes a list out, changes a number in it, and puts it back: where nobody else sees the
changed list, the number is written where it is. So is that of ``rows[i].append(x)``, behind the others, and
what is changed in a list of a list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

from autograph_base.dataclass import dataclass
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
    While,
    add,
    multiply,
)
from runtime.executors.native.lower.building import LIST_ROOM, Building
from runtime.executors.native.lower.values import Growing, Nested, Scalar
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.region import own_operands
from runtime.ops.tensor_list.edits import TensorListPushBack
from runtime.ops.tensor_list.nodes import TensorListGetItem, TensorListLength, TensorListSetItem

__all__ = [
    "Change",
    "change",
    "going_back",
    "held",
    "only_looked_at",
    "push_list",
    "put_list",
    "read_list",
    "whole",
]

_START, _SIZE, _ROOM = range(HEAD)
Item: TypeAlias = Scalar | Growing | Nested


@dataclass(frozen=True, slots=True)
class Slice:
    """A list whose elements are some of another one, from a place on."""

    of: Growing | Nested
    start: Expression
    size: Expression


@dataclass(frozen=True, slots=True)
class Change:
    """What is another in a list that goes back to where it was.

    Attributes
    ----------
    places : tuple of Expression or None
        Where, in the list and in lists of it; the last is None where something is appended there.
    item : Scalar, Growing or Nested
    """

    places: tuple[Expression | None, ...]
    item: Item


def whole(found: Growing | Nested) -> Slice:
    """All elements of a list."""
    return Slice(found, Number(0, int64), _outermost(found).length)


def _outermost(found: Growing | Nested) -> Growing:
    """What is as long as a list."""
    return found.heads if isinstance(found, Nested) else found


# ── reading ──


def read_list(
    building: Building, nested: Nested, place: Expression, *, only_looked_at: bool
) -> Growing | Nested:
    """The list at a place, in memory of its own; if `only_looked_at`, lists in it stay where they are."""
    found = _element(building, nested, place)
    inner = found.of
    if isinstance(inner, Nested):
        return _shown(building, inner, found) if only_looked_at else _copied(building, found)
    if inner.is_blank:
        return building.blank()
    room = building.name(add(found.size, LIST_ROOM), "room")
    own = Growing(building.array(inner.dtype, "l"), found.size, room)
    building.emit(Allocate(own.array, room))
    with building.loop(found.size) as index:
        building.emit(Store(own.array, index, Load(inner.array, add(found.start, index))))
    return building.indexed(own)


def _element(building: Building, nested: Nested, place: Expression) -> Slice:
    """The list at a place, where it lies."""
    start, size = (_head(building, nested.heads, place, part) for part in (_START, _SIZE))
    return Slice(nested.inner, start, size)


def _shown(building: Building, inner: Nested, found: Slice) -> Nested:
    """Some of the lists of a list, whose numbers are where they were."""
    heads = Growing(building.array(int64, "l"), found.size, found.size, shape=(HEAD,))
    start, count = (building.name(multiply(each, HEAD)) for each in (found.start, found.size))
    building.emit(Allocate(heads.array, count))
    with building.loop(count) as index:
        building.emit(Store(heads.array, index, Load(inner.heads.array, add(start, index))))
    return Nested(heads, inner.inner)


def _copied(building: Building, found: Slice) -> Nested:
    """Some of the lists of a list, in memory of their own."""
    assert isinstance(found.of, Nested), "it has lists"
    own = held(building, building.empty_like(found.of))
    with _each(building, found.size) as index:
        push_list(building, own, _element(building, found.of, building.name(add(found.start, index))))
    return own


@contextmanager
def _each(building: Building, count: Expression) -> Iterator[Variable]:
    """Opens the body of a loop whose turns make lists longer; gives its index."""
    index = building.variable(int64)
    building.emit(Set(index, Number(0, int64)))
    with building.block() as turn:
        yield index
        building.emit(Set(index, add(index, 1)))
    building.emit(While([], Apply("less", (index, count), bool_), turn))


# ── which nodes write where a list is, and read it there ──


def going_back(graph: Graph) -> frozenset[Node]:
    """The nodes that change an element of a list, or append one, where all goes back to where it was."""
    puts = [node for node in graph.nodes if isinstance(node.op, TensorListSetItem) and not node.op.grows]
    changing = TensorListSetItem, TensorListPushBack
    outer = [node for node in puts if isinstance(node.inputs[2].node.op, changing)]
    if not outer:
        return frozenset()
    users = Counter([value for node in graph.nodes for value in node.inputs])
    users.update(graph.outputs)
    own = {*puts, *[node for node in graph.nodes if isinstance(node.op, TensorListPushBack)]}
    positions = {node: at for at, node in enumerate(graph.nodes)}
    return frozenset(
        node.inputs[2].node
        for node in outer
        if node.inputs[2].node in own
        and users[node.inputs[2]] == 1
        and _is_of_same_place(node)
        and _is_done_at_once(graph.nodes[positions[node.inputs[2].node] + 1 : positions[node]], node)
    )


def _is_of_same_place(node: Node) -> bool:
    """Whether a node puts a list where that was taken out, with an element changed or appended."""
    rows, place, changed = node.inputs
    taken = changed.node.inputs[0]
    is_taken = isinstance(taken.node.op, TensorListGetItem) and taken.node.inputs == (rows, place)
    return is_taken and isinstance(rows.spec, ListSpec) and rows.spec.element == taken.spec == changed.spec


def _is_done_at_once(between: Sequence[Node], node: Node) -> bool:
    """Whether a list that is put into one which goes back is as it was, when that goes back."""
    changed = node.inputs[2].node
    item = changed.inputs[-1]
    if not isinstance(item.spec, ListSpec):
        return True
    lists = [each for each in between if any(isinstance(value.spec, ListSpec) for value in each.inputs)]
    return all(map(_only_reads, lists))


def _only_reads(node: Node) -> bool:
    return isinstance(node.op, TensorListGetItem | TensorListLength)


def only_looked_at(graph: Graph, back: frozenset[Node]) -> frozenset[Value]:
    """Lists of lists that are taken out of others, and read before these change: they need no memory.

    Parameters
    ----------
    graph : Graph
    back : set of Node
        Changes that are `going_back`.
    """
    taken = [
        node.outputs[0]
        for node in graph.nodes
        if isinstance(node.op, TensorListGetItem) and _has_lists(node.outputs[0])
    ]
    if not taken:
        return frozenset()
    users: dict[Value, list[int]] = {}
    for position, node in enumerate(graph.nodes):
        for value in dict.fromkeys(node.inputs):
            users.setdefault(value, []).append(position)
    own = {value for value in taken if value not in graph.outputs}
    return frozenset([value for value in own if _is_only_read(graph, value, users, back)])


def _is_only_read(graph: Graph, value: Value, users: dict[Value, list[int]], back: frozenset[Node]) -> bool:
    reading = [graph.nodes[position] for position in users.get(value, [])]
    if not all(_reads(node, value) or (node in back and node.inputs[0] is value) for node in reading):
        return False
    last = max(users.get(value, [-1]))
    source = value
    while isinstance(source.node.op, TensorListGetItem):
        begin, source = graph.nodes.index(source.node), source.node.inputs[0]
        others = [graph.nodes[position] for position in users[source] if begin < position <= last]
        if not all(_reads(node, source) or (node in back and node.inputs[0] is source) for node in others):
            return False
    return True


def _has_lists(value: Value) -> bool:
    return isinstance(value.spec, ListSpec) and isinstance(value.spec.element, ListSpec)


def _reads(node: Node, value: Value) -> bool:
    """Whether a node asks a list, and loops and branches inside of it, for elements and its length alone."""
    if _only_reads(node):
        return True
    regions = node.op.regions
    if not regions or value in own_operands(node) or any(region.catches for region in regions):
        return False
    return all(
        place >= region.variables
        and own not in region.graph.outputs
        and all(_reads(each, own) for each in region.graph.nodes if own in each.inputs)
        for region in regions
        for place, (own, operand) in enumerate(zip(region.graph.inputs, region.operands, strict=True))
        if node.inputs[operand] is value
    )


# ── writing ──


def held(building: Building, nested: Nested) -> Nested:
    """A list of lists under names that may change."""
    inner = nested.inner
    own = held(building, inner) if isinstance(inner, Nested) else _held(building, inner)
    return Nested(_held(building, nested.heads), own)


def change(building: Building, nested: Nested, place: Expression, made: Change) -> None:
    """Changes something in the list at a place of a list of lists, which is `held`."""
    *ways, last = made.places
    for way in ways:
        assert way is not None, "only the innermost list gets longer"
        place = building.name(add(_head(building, nested.heads, place, _START), way))
        assert isinstance(nested.inner, Nested), "there are as many places as lists"
        nested = nested.inner
    if last is None:
        _append(building, nested, place, made.item)
        return
    at = building.name(add(_head(building, nested.heads, place, _START), last))
    _put(building, nested.inner, at, made.item)


def _put(
    building: Building, inner: Growing | Nested, at: Expression, item: Scalar | Growing | Nested
) -> None:
    """Puts something to a place among what all lists of a list have."""
    if isinstance(item, Scalar):
        assert isinstance(inner, Growing), "it is of numbers"
        building.emit(Store(inner.array, at, item.value))
        return
    assert isinstance(inner, Nested), "it is of lists"
    put_list(building, inner, at, whole(item))


def _append(building: Building, nested: Nested, place: Expression, item: Item) -> None:
    """Puts one more element behind those of a list of a list of lists, which is `held`."""
    heads, inner = nested.heads, nested.inner
    size = _head(building, heads, place, _SIZE)
    more = building.name(add(size, 1))
    with building.block() as moves:
        old, new = _head(building, heads, place, _START), building.variable(int64)
        building.emit(Set(new, _outermost(inner).length))
        room = building.name(add(multiply(2, more), LIST_ROOM), "room")
        _make_room(building, inner, room)
        _set_head(building, heads, place, _START, new)
        _set_head(building, heads, place, _ROOM, room)
        every = _outermost(inner)
        first, to = (building.name(every.numbers(each)) for each in (old, new))
        with building.loop(building.name(every.numbers(size), "n")) as index:
            building.emit(Store(every.array, add(to, index), Load(every.array, add(first, index))))
    is_full = Apply("less", (_head(building, heads, place, _ROOM), more), bool_)
    building.emit(If(building.name(is_full), moves, [], is_rare=True))
    _set_head(building, heads, place, _SIZE, more)
    start = _head(building, heads, place, _START)
    _put(building, inner, building.name(add(start, size)), item)


def put_list(building: Building, nested: Nested, place: Expression, item: Slice) -> None:
    """Puts another list at a place that a list of lists has, which is `held`."""
    heads, inner = nested.heads, nested.inner
    is_more = Apply("less", (_head(building, heads, place, _ROOM), item.size), bool_)
    with building.block() as moves:
        _set_head(building, heads, place, _START, _outermost(inner).length)
        room = building.name(add(multiply(2, item.size), LIST_ROOM), "room")
        _set_head(building, heads, place, _ROOM, room)
        _make_room(building, inner, room)
    building.emit(If(building.name(is_more), moves, [], is_rare=True))
    _set_head(building, heads, place, _SIZE, item.size)
    start = _head(building, heads, place, _START)
    if isinstance(inner, Growing):
        _write(building, inner, start, item)
        return
    assert isinstance(item.of, Nested), "both are of one spec"
    with _each(building, item.size) as index:
        here = building.name(add(start, index))
        put_list(building, inner, here, _element(building, item.of, building.name(add(item.start, index))))


def push_list(building: Building, nested: Nested, item: Slice) -> None:
    """Puts one more list behind those of a list of lists, which is `held`."""
    heads, inner = nested.heads, nested.inner
    place = building.variable(int64)
    building.emit(Set(place, heads.length))
    _extend(building, heads, Number(1, int64))
    start = building.variable(int64)
    building.emit(Set(start, _outermost(inner).length))
    for part, number in ((_START, start), (_SIZE, item.size), (_ROOM, item.size)):
        _set_head(building, heads, place, part, number)
    if isinstance(inner, Growing):
        _extend(building, inner, item.size)
        _write(building, inner, start, item)
        return
    assert isinstance(item.of, Nested), "both are of one spec"
    with _each(building, item.size) as index:
        push_list(building, inner, _element(building, item.of, building.name(add(item.start, index))))


def _write(building: Building, numbers: Growing, start: Expression, item: Slice) -> None:
    """Copies the numbers of a list to where there is room for them."""
    assert isinstance(item.of, Growing), "it is of numbers"
    if item.of.is_blank or numbers.is_blank:
        return
    with building.loop(building.name(item.size, "n")) as index:
        number = Load(item.of.array, add(item.start, index))
        building.emit(Store(numbers.array, add(start, index), number))


def _make_room(building: Building, inner: Growing | Nested, room: Expression) -> None:
    """Makes what all lists have longer; lists that are new there have no room yet."""
    every = _outermost(inner)
    before = building.variable(int64)
    building.emit(Set(before, every.length))
    _extend(building, every, room)
    if isinstance(inner, Nested):
        first = building.name(every.numbers(before))
        with building.loop(building.name(every.numbers(room), "n")) as index:
            building.emit(Store(every.array, add(first, index), Number(0, int64)))


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
