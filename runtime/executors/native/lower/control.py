"""Branches, loops and calls.

Memory that a turn of a loop has made, and that nobody keeps, is given back at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from runtime.core.dtypes import int64
from runtime.core.spec import Spec
from runtime.executors.native.language.loops import (
    Alias,
    Array,
    Call,
    If,
    Mark,
    Named,
    Object,
    Release,
    Set,
    Variable,
    While,
)
from runtime.executors.native.language.walking import allocates, makes_often
from runtime.executors.native.lower import attempts
from runtime.executors.native.lower.lowering import Lowering, hand_in, lowers_regions
from runtime.executors.native.lower.values import (
    Failure,
    Growing,
    InMemory,
    Lowered,
    Nested,
    Opaque,
    Scalar,
    Source,
    Unmade,
)
from runtime.graph.graph import Node, Value
from runtime.graph.region import Region, guard_of

_NOBODY: frozenset[int] = frozenset()


def _spec(value: Value) -> Spec:
    return value.spec


@lowers_regions
def _construct(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """What its regions say: that one of two runs, that they run again and again, or once."""
    if node.op.callee is not None:
        return _recursive_call(lowering, node)
    regions = node.op.regions
    if any(region.catches for region in regions):
        return attempts.attempt(lowering, node)
    if any(region.runs.repeatedly for region in regions):
        return _loop(lowering, node)
    return _branch(lowering, node) if guard_of(node.op) is not None else _call(lowering, node)


def _branch(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    guard = guard_of(node.op)
    assert guard is not None, "a branch has one"
    test = lowering.truth(lowering.values[node.inputs[guard]])
    lowering.settle()
    received = [lowering.received(_spec(output)) for output in node.outputs]
    handed = lowering.ownership.handed.get(node, _NOBODY)
    branches = []
    for region in node.op.regions:
        hand_in(lowering, node, region)
        with lowering.block() as block:
            ownership = lowering.shared.ownerships.of(region.graph, handed)
            results = lowering.run(region.graph, ownership)
            for (_, names), result, output in zip(received, results, node.outputs, strict=True):
                lowering.assign(names, result, _spec(output))
        branches.append(block)
    lowering.emit(If(test, *branches))
    return [value for value, _ in received]


def _loop(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    test, body = node.op.regions
    count = body.variables
    copied = lowering.ownership.copied.get(node, _NOBODY)
    anew = _made_anew(lowering, node, body, copied)
    lowering.settle()
    carried = [lowering.received(_spec(value)) for value in body.graph.inputs[:count]]
    for index, (_, names) in enumerate(carried):
        value = lowering.values[node.inputs[body.operands[index]]]
        if index in anew:
            value = anew[index]
        elif index in copied:
            value = _copied(lowering, value)
        lowering.assign(names, value, _spec(body.graph.inputs[index]))
    for region in (test, body):
        hand_in(lowering, node, region, count)
        for (value, _), inner in zip(carried, region.graph.inputs, strict=False):
            lowering.values[inner] = value
    ownerships = lowering.shared.ownerships
    with lowering.block() as before:
        (holds,) = lowering.run(test.graph, ownerships.of(test.graph))
        going_on = lowering.truth(holds)
    for (value, _), inner in zip(carried, body.graph.inputs, strict=False):
        lowering.values[inner] = value
    with lowering.block() as turn:
        owned = lowering.ownership.handed.get(node, _NOBODY)
        results = lowering.run(body.graph, ownerships.of(body.graph, owned))
        held = [_held(lowering, result) for result in results]
        for (_, names), result, inner in zip(carried, held, body.graph.inputs, strict=False):
            lowering.assign(names, result, _spec(inner))
        lowering.lap(node)
    if allocates(before) or allocates(turn):
        mark = lowering.shared.fresh("mark")
        lowering.emit(Mark(mark))
        keep = (*_places(names for _, names in carried), *lowering.held)
        turn.append(Release(mark, keep, not makes_often([*before, *turn])))
    lowering.emit(While(before, going_on, turn, lowering.ranges.most_turns(node)))
    return [value for value, _ in carried]


def _made_anew(lowering: Lowering, node: Node, body: Region, copied: AbstractSet[int]) -> dict[int, Lowered]:
    """Variables of a loop that start with a copy of what is yet to be computed, as `np.zeros(n)`."""
    places = {index: body.operands[index] for index in sorted(copied)}
    others = {value for place, value in enumerate(node.inputs) if place not in places.values()}
    found: dict[int, Lowered] = {}
    made: dict[Value, InMemory] = {}
    for index, place in places.items():
        value = node.inputs[place]
        if value in made:
            found[index] = lowering.copied(made[value])
        elif value not in others and (memory := lowering.made_anew(value)) is not None:
            found[index] = made[value] = memory
    for value, memory in made.items():
        lowering.values[value] = memory
    return found


def _copied(lowering: Lowering, value: Lowered) -> Lowered:
    """A value in memory of its own."""
    if isinstance(value, Opaque | Source | Failure | Unmade):  # nobody writes into it
        return value
    if isinstance(value, Growing):
        return lowering.copied_list(value)
    if isinstance(value, Nested):
        return lowering.copied_nested(value)
    return lowering.copied(lowering.stored(value))


def _held(lowering: Lowering, value: Lowered) -> Lowered:
    """A value under names of its own: what it is made of may be given other values."""
    if isinstance(value, Unmade):
        return value
    if isinstance(value, Scalar):
        number = lowering.variable(value.dtype)
        lowering.emit(Set(number, value.value))
        return Scalar(number)
    if isinstance(value, Growing):
        array, index = lowering.array(value.dtype, "l"), None
        lowering.emit(Alias(array, value.array))
        if value.index is not None:
            index = lowering.array(int64, "table")
            lowering.emit(Alias(index, value.index))
        length, room = lowering.renamed(value.length), lowering.renamed(value.room)
        return Growing(array, length, room, index, value.shape, value.is_blank)
    if isinstance(value, Nested):
        heads, inner = (_held(lowering, each) for each in (value.heads, value.inner))
        assert isinstance(heads, Growing), "it is one of numbers"
        assert isinstance(inner, Growing | Nested), "it is what it was"
        return Nested(heads, inner)
    if isinstance(value, Failure):
        failed = lowering.failed()
        for name, part in zip(failed.names, value.parts, strict=True):
            lowering.emit(Set(name, part))
        return Failure(failed.site, failed.bits, failed.floats, value.raising)
    if isinstance(value, Opaque):
        found = Object(lowering.shared.fresh("o"))
        lowering.emit(Alias(found, value.object))
        return Opaque(found)
    if isinstance(value, Source):
        source = lowering.array(value.array.dtype, "source")
        lowering.emit(Alias(source, value.array))
        return Source(source)
    memory = lowering.stored(value)
    array = lowering.array(memory.dtype)
    lowering.emit(Alias(array, memory.array))
    return InMemory(array, tuple([lowering.renamed(dim) for dim in memory.dims]))


def _places(groups: Iterator[Sequence[Named]]) -> Iterator[Array | Object]:
    return (each for names in groups for each in names if not isinstance(each, Variable))


def _call(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    (region,) = node.op.regions
    lowering.settle()
    hand_in(lowering, node, region)
    handed = lowering.ownership.handed.get(node, _NOBODY)
    return lowering.run(region.graph, lowering.shared.ownerships.of(region.graph, handed))


def _recursive_call(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    name = node.op.callee
    assert name is not None, "it calls by name"
    graph = lowering.shared.module.functions[name]
    if name not in lowering.shared.called:
        lowering.shared.called.append(name)
    lowering.settle()
    arguments = [
        part
        for value, parameter in zip(node.inputs, graph.inputs, strict=True)
        for part in lowering.parts(lowering.values[value], _spec(parameter))
    ]
    received = [lowering.received(_spec(value)) for value in graph.outputs]
    results = tuple([each for _, names in received for each in names])
    lowering.emit(Call(f"function_{name}", tuple(arguments), results))
    return [value for value, _ in received]
