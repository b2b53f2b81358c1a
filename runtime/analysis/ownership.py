"""Ownership: which arrays a program may overwrite, because nobody else refers to them.

An update, ``x[i] = v``, gives a new tensor. Where the old one is dead it is written into the old one's array,
provided that this is the program's own: made by an op that gives a fresh one, not an argument, a constant or
what a variable holds, and not lying in the memory of anything that is still needed. Branches and loops are
handed the arrays that die in them; a loop whose variable starts as somebody else's array starts with a copy.

A buffer is named by the value that it was made for. Every value is said to share the buffers in which it may
lie; only a value that is a buffer as a whole can be written to.

A list is a buffer, too, apart from the arrays in it: ``l[i] = v`` and ``l.append(v)`` change the list that is
the program's own. A list shares the buffers of all that was put into it; an array that is read from it shares
those, and not the list itself. In

    l = [a]; b = l[0]; l = append(l, c); d = b + 1

`b` may lie in the memory of `a`, which is therefore not written into while `b` or `l` is needed; the append
changes `l`, for nobody reads the shorter list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import field
from math import inf
from typing import Any

from autograph_base.dataclass import dataclass
from runtime.analysis.aliasing import KEEPS_NOTHING, is_update
from runtime.analysis.calls import entered, entered_graphs
from runtime.analysis.checkpoints import Checkpoints, cells_in, is_checkpoint
from runtime.analysis.liveness import last_uses, running
from runtime.core.spec import ArraySpec, ListSpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Effects
from runtime.graph.region import Region, own_operands
from runtime.ops import core
from runtime.ops.gathering import GatherV2
from runtime.ops.slicing import DynamicStridedSlice, StridedSlice
from runtime.ops.slicing.keys import spread
from runtime.ops.slicing.selected import selected_shape
from runtime.ops.updating import TensorStridedSliceUpdate

__all__ = ["Ownership", "Ownerships"]

_NOBODY: frozenset[int] = frozenset()
_NONE: frozenset[Value] = frozenset()


@dataclass(frozen=True)
class Ownership:
    """What one graph writes into, where it owns some of its inputs.

    Attributes
    ----------
    in_place : set of Node
        Updates of an array that is written into.
    detached : set of Node
        Slices that are copied, so that what they are cut from can be written into.
    handed : dict of Node to set of int
        What the graphs inside a branch or loop own, by the index of their input.
    copied : dict of Node to set of int
        The variables of a loop that start with a copy.
    outputs : set of int
        The outputs that nobody else holds.
    written : set of int
        The owned inputs that are written into.
    kept : set of int
        The inputs that something else may hold afterwards.
    marks : dict of (Value, int) to tuple of Lying
        What each checkpoint holds, by its cell and its number.
    origins : tuple of set of int
        The inputs in whose memory each output may lie.
    """

    in_place: Set[Node] = frozenset()
    detached: Set[Node] = frozenset()
    handed: Mapping[Node, frozenset[int]] = field(default_factory=dict)
    copied: Mapping[Node, frozenset[int]] = field(default_factory=dict)
    outputs: frozenset[int] = _NOBODY
    written: frozenset[int] = _NOBODY
    kept: frozenset[int] = _NOBODY
    marks: Mapping[tuple[Value, int], tuple[Lying, ...]] = field(default_factory=dict)
    origins: tuple[frozenset[int], ...] = ()


@dataclass(frozen=True)
class Lying:
    """Where a value lies that a checkpoint holds.

    Attributes
    ----------
    whole : Value or None
        The buffer that it is as a whole, where that is the program's own, or an input of the graph.
    around : set of Value
        The buffers in which it may lie.
    """

    whole: Value | None
    around: frozenset[Value]


_NO_OWNERSHIP = Ownership()
"""Of a program that writes into nothing."""


class Ownerships:
    """Finds the ownership of every graph of a program; remembers what it found.

    Parameters
    ----------
    module : Module
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self._matters = any(is_update(node) for graph in entered_graphs(module) for node in graph.nodes)
        self.checkpoints = Checkpoints(module)
        self._known: dict[tuple[Graph, frozenset[int]], Ownership] = {}
        self._assumed: dict[tuple[Graph, frozenset[int]], Ownership] = {}
        """Of graphs that are being walked through: the best that may turn out, until it does not."""
        self._asked: set[tuple[Graph, frozenset[int]]] = set()

    def of(self, graph: Graph, owned: frozenset[int] = _NOBODY) -> Ownership:
        """What `graph` writes into, where it owns the inputs of these indices."""
        if not self._matters:
            return _NO_OWNERSHIP
        key = graph, owned
        if key in self._known:
            return self._known[key]
        if key in self._assumed:  # the graph calls itself
            self._asked.add(key)
            return self._assumed[key]
        self._assumed[key] = Ownership(outputs=frozenset(range(len(graph.outputs))), written=owned)
        while True:
            known = set(self._known)
            found = self._walked(graph, owned)
            assumed = self._assumed[key]
            lasting = found.outputs & assumed.outputs
            if key not in self._asked or (lasting == assumed.outputs and found.kept <= assumed.kept):
                break
            self._assumed[key] = Ownership(outputs=lasting, written=owned, kept=found.kept | assumed.kept)
            for other in set(self._known) - known:  # they were found under an assumption that does not hold
                del self._known[other]
        del self._assumed[key]
        self._asked.discard(key)
        self._known[key] = found
        return found

    def _walked(self, graph: Graph, owned: frozenset[int]) -> Ownership:
        detached: set[Node] = set()
        walk = _Walk(self, graph, owned, detached)
        while walk.blocking:  # each turn detaches more
            detached |= walk.blocking
            walk = _Walk(self, graph, owned, detached)
        return walk.result()


class _Walk:
    """The nodes of one graph in their order, and the buffers that there are meanwhile."""

    def __init__(
        self, ownerships: Ownerships, graph: Graph, owned: frozenset[int], detached: Set[Node]
    ) -> None:
        self.ownerships = ownerships
        self.graph = graph
        self.uses = last_uses(graph)
        self.detached = detached
        self.blocking: set[Node] = set()
        self.in_place: set[Node] = set()
        self.handed: dict[Node, frozenset[int]] = {}
        self.copied: dict[Node, frozenset[int]] = {}
        self._shares: dict[Value, Set[Value]] = {}
        self._members: dict[Value, list[Value]] = {}
        self._own: dict[Value, Value] = {}
        """The buffer that a value is as a whole."""
        self._kept: set[Value] = set()
        """Buffers that something else may hold."""
        self._came_from: dict[Value, frozenset[int]] = {}
        """The owned inputs of the graph that a buffer may have been."""
        self._written: set[int] = set()
        self._marks: dict[tuple[Value, int], tuple[Lying, ...]] = {}
        self._hold()
        for index, value in enumerate(graph.inputs):
            self._share(value, {value})
            if index in owned:
                self._make(value, frozenset([index]))
        positions = {node: position for position, node in enumerate(graph.nodes)}
        for node in running(graph, self.uses):
            self._step(node, positions[node])

    def result(self) -> Ownership:
        """What was found."""
        outputs = [value for value in self.graph.outputs if _is_array(value)]
        alone = [
            index
            for index, value in enumerate(self.graph.outputs)
            if self._writable(value) is not None
            and sum(self._own[value] in self._shares.get(other, ()) for other in outputs) == 1
        ]
        kept = [index for index, value in enumerate(self.graph.inputs) if value in self._kept]
        return Ownership(
            self.in_place,
            self.detached,
            self.handed,
            self.copied,
            frozenset(alone),
            frozenset(self._written),
            frozenset(kept),
            {key: tuple([self._unless_kept(each) for each in lying]) for key, lying in self._marks.items()},
            tuple(map(self._origins_of, self.graph.outputs)),
        )

    def _origins_of(self, value: Value) -> frozenset[int]:
        """The inputs in whose memory a value may lie."""
        inputs = {each: index for index, each in enumerate(self.graph.inputs)}
        buffers = self._shares.get(value, _NONE)
        own = frozenset([inputs[buffer] for buffer in buffers if buffer in inputs])
        return own.union(*[self._came_from.get(buffer, _NOBODY) for buffer in buffers])

    # ── buffers ───────────────────────────────────────────────────────────────────────────────────────

    def _share(self, value: Value, buffers: Iterable[Value]) -> None:
        """Says in which buffers a value may lie: one without axes is a scalar, which lies in none."""
        shared = frozenset(buffers) if _is_array(value) else frozenset()
        if isinstance(value.spec, ArraySpec):  # an array is in a list, and is none
            shared = frozenset([buffer for buffer in shared if not isinstance(buffer.spec, ListSpec)])
        self._shares[value] = shared
        for buffer in shared:
            self._members.setdefault(buffer, []).append(value)

    def _make(
        self, value: Value, came_from: frozenset[int] = _NOBODY, elements: Iterable[Value] = ()
    ) -> None:
        """Says that a value is an array or a list of its own; `elements` are what is in the list."""
        self._share(value, {value, *self._memory(elements)})
        if _can_be_owned(value):
            self._own[value] = value
            self._came_from[value] = came_from

    def _memory(self, buffers: Iterable[Value]) -> set[Value]:
        """Those of some buffers that are no lists."""
        return {buffer for buffer in buffers if not isinstance(buffer.spec, ListSpec)}

    def _writable(self, value: Value) -> Value | None:
        """The buffer that a value is, where the program may write into it."""
        buffer = self._own.get(value)
        return None if buffer in self._kept else buffer

    def _around(self, values: Iterable[Value]) -> set[Value]:
        """The buffers in which some values may lie."""
        return {buffer for value in values for buffer in self._shares.get(value, ())}

    def _readers(self, buffer: Value, position: int, *, but: Sequence[Value]) -> list[Value]:
        """Values in a buffer that the node at `position`, or a later one, still reads."""
        needed = [value for value in self._members[buffer] if self.uses.get(value, -1) >= position]
        self._members[buffer] = needed  # positions only grow: the others are never needed again
        return [value for value in needed if value not in but]

    # ── checkpoints ───────────────────────────────────────────────────────────────────────────────────

    def _hold(self) -> None:
        """Has what checkpoints hold be needed as long as a run may come back to them."""
        for node in self.graph.nodes:
            until = self.ownerships.checkpoints.until.get(node)
            if until is not None and until < inf:
                for value in node.inputs[1:]:
                    self.uses[value] = max(self.uses[value], int(until))

    def _checkpoint(self, node: Node) -> None:
        cell, *values = node.inputs
        if self.ownerships.checkpoints.until.get(node, inf) == inf:
            self._kept |= self._around(values)
        self._mark(cell, node.op.attributes()["number"], [self._lying(value) for value in values])

    def _lying(self, value: Value) -> Lying:
        whole = self._own.get(value, value if value in self.graph.inputs else None)
        return Lying(whole, frozenset(self._shares.get(value, _NONE)))

    def _unless_kept(self, lying: Lying) -> Lying:
        return Lying(None, lying.around) if lying.whole in self._kept else lying

    def _mark(self, cell: Value, number: int, found: Sequence[Lying]) -> None:
        """Notes what a checkpoint holds; one that is there twice holds one or the other."""
        before = self._marks.get((cell, number), found)
        self._marks[cell, number] = tuple(
            [
                Lying(one.whole if one.whole is other.whole else None, one.around | other.around)
                for one, other in zip(before, found, strict=True)
            ]
        )

    def _marks_inside(self, node: Node, region: Region, own: Ownership, owned: frozenset[int]) -> None:
        """Notes what the checkpoints in a region hold, which owns these inputs."""
        operands = dict(zip(region.graph.inputs, region.operands, strict=True))
        given = {
            inner: self._given(node, operands[inner], region)
            for index, inner in enumerate(region.graph.inputs)
            if index not in owned
        }
        for (cell, number), lying in own.marks.items():
            if cell in operands:
                found = [
                    Lying(
                        given[each.whole].whole if each.whole in given else each.whole,
                        _NONE.union(*[given[b].around if b in given else {b} for b in each.around]),
                    )
                    for each in lying
                ]
                self._mark(node.inputs[operands[cell]], number, found)

    def _given(self, node: Node, operand: int, region: Region) -> Lying:
        """Where what a region is given lies: a variable of a loop, wherever turns have left it."""
        if operand < region.variables:
            return Lying(None, frozenset(self._around(node.inputs)))
        return self._lying(node.inputs[operand])

    def _alone_when_caught(
        self, node: Node, region: Region, own: Ownership, handed: frozenset[int]
    ) -> Set[int]:
        """The outputs that nobody else holds where the last checkpoint says what they are."""
        first = len(node.outputs) - len(node.op.attributes()["specs"])
        cells = cells_in(region, node, frozenset(own_operands(node)))
        foreign = {each for index, each in enumerate(region.graph.inputs) if index not in handed}
        alone = set(range(first, len(node.outputs)))
        rows = dict(node.op.attributes()["rows"])
        for (cell, number), lying in own.marks.items():
            if cell not in cells or number not in rows:  # nothing is raised behind one that has no row
                continue
            row = [lying[at] if isinstance(at, int) else at for at in rows[number]]
            for index, each in enumerate(row):
                others = [other for place, other in enumerate(row) if place != index]
                if each is not None and not (
                    isinstance(each, Lying)
                    and each.whole is not None
                    and each.whole not in foreign
                    and not any(isinstance(other, Lying) and each.whole in other.around for other in others)
                ):
                    alone.discard(first + index)
        return alone

    # ── nodes ─────────────────────────────────────────────────────────────────────────────────────────

    def _step(self, node: Node, position: int) -> None:
        regions = entered(self.ownerships.module, node)
        if regions and regions[0].runs.repeatedly:
            self._loop(node, regions, position)
        elif regions:
            self._enter(node, regions, position)
        elif is_update(node):
            self._update(node, position)
        elif is_checkpoint(node):
            self._checkpoint(node)
        elif node in self.detached or _aliased(node) == [] or _is_spread(node):
            around = self._around(node.inputs)
            for output in node.outputs:
                self._make(output, elements=around if isinstance(output.spec, ListSpec) else ())
        else:
            effects = node.op.effects
            if effects & ~(KEEPS_NOTHING | Effects.CHECKS):  # a check that fails ends what might write
                self._kept |= self._around(node.inputs)
            around = self._around(_aliased(node))
            for output in node.outputs:
                self._share(output, around)

    def _update(self, node: Node, position: int) -> None:
        x, *others = node.inputs
        (output,) = node.outputs
        elements = self._around(node.inputs) if isinstance(x.spec, ListSpec) else set()
        self._kept |= {buffer for buffer in self._around(others) if isinstance(buffer.spec, ListSpec)}
        buffer = self._writable(x)
        if buffer is not None and self._is_read_later(x, position, node):
            buffer = None
        if buffer is not None:
            harmless = [x, others[0]] if _is_copied_with_care(node) else [x]
            at_once = [each for each in harmless if self.uses[each] == position]
            readers = self._readers(buffer, position, but=at_once)
            if readers:
                slices = {reader.node for reader in readers if _is_row(reader.node)}
                self.blocking |= slices if len(slices) == len(readers) else set()
                buffer = None
        if buffer is None:
            self._make(output, elements=elements)
            return
        self.in_place.add(node)
        self._written |= self._came_from[buffer]
        self._share(output, {buffer, *self._memory(elements)})
        self._own[output] = buffer

    def _is_read_later(self, value: Value, position: int, node: Node) -> bool:
        return self.uses[value] > position or node.inputs.count(value) > 1

    def _dying(self, node: Node, position: int, first: int) -> frozenset[int]:
        """The inputs from `first` on whose arrays nobody reads after a node, nor beside in it."""
        found = []
        for index, value in enumerate(node.inputs[first:]):
            buffer = self._writable(value)
            if buffer is None or self._is_read_later(value, position, node):
                continue
            if not self._readers(buffer, position, but=[value]):
                found.append(index)
        return frozenset(found)

    def _origins(self, node: Node, first: int, handed: Iterable[int]) -> frozenset[int]:
        """The owned inputs that the arrays handed to a node may have been."""
        buffers = [self._own[node.inputs[first + index]] for index in handed]
        return frozenset().union(*[self._came_from[buffer] for buffer in buffers])

    def _give(self, node: Node, alone: Set[int], came_from: Mapping[int, frozenset[int]]) -> None:
        """Says what the outputs of a node with graphs are: arrays of their own, or perhaps its inputs."""
        around = self._around(node.inputs)
        for index, output in enumerate(node.outputs):
            if index in alone:
                self._make(output, came_from[index], around if isinstance(output.spec, ListSpec) else ())
            else:
                self._share(output, around)

    def _enter(self, node: Node, regions: Sequence[Region], position: int) -> None:
        """A node whose regions run once at most: they are handed what dies in the node.

        A function is handed what it writes into, so that there are few versions of it. Where exceptions are
        caught, and it is not known how far back they lead, nothing is handed over: the results may be what
        was there before something was written.
        """
        catches = any(region.catches for region in regions)
        is_lost = catches and node not in self.ownerships.checkpoints.followed
        first = regions[0].operands.start  # they all take the same
        handed = _NOBODY if is_lost else self._dying(node, position, first)
        if regions[0].is_function:
            handed &= self.ownerships.of(regions[0].graph, handed).written
        alone = _NOBODY if is_lost else frozenset(range(len(node.outputs)))
        for region in regions:
            own = self.ownerships.of(region.graph, handed)
            alone &= _results(region, own)
            self._written |= self._origins(node, first, handed & own.written)
            self._kept |= self._around([node.inputs[region.operands[index]] for index in own.kept])
            self._marks_inside(node, region, own, handed)
            if region.catches and not is_lost:
                alone &= self._alone_when_caught(node, region, own, handed)
        self.handed[node] = handed
        own_of = [(region, self.ownerships.of(region.graph, handed)) for region in regions]
        sources = dict.fromkeys(alone, handed) if catches else _sources(own_of, alone)
        came_from = {index: self._origins(node, first, handed & sources[index]) for index in alone}
        self._give(node, alone, came_from)

    def _loop(self, node: Node, regions: Sequence[Region], position: int) -> None:
        """A node whose regions run again and again: they own the variables that they still own afterwards."""
        dying = self._dying(node, position, 0)
        variables = frozenset(range(regions[0].variables))
        owned = self._lasting(regions, {index for index in variables if _can_be_owned(node.outputs[index])})
        written = self._written_in(regions, owned)
        useful = self._lasting(regions, owned & (dying | written))
        if self._written_in(regions, useful) >= written:
            owned = useful
        for region in regions:
            own = self.ownerships.of(region.graph, _handed(region, owned))
            self._kept |= self._around([node.inputs[region.operands[index]] for index in own.kept])
            self._marks_inside(node, region, own, _handed(region, owned))
        self._written |= self._origins(node, 0, owned & dying & self._written_in(regions, owned))
        self.handed[node] = owned
        self.copied[node] = owned - dying
        turns = [(region, self.ownerships.of(region.graph, _handed(region, owned))) for region in regions]
        sources = _lasting_sources(_sources(turns, owned))
        dying &= owned
        self._give(node, owned, {index: self._origins(node, 0, dying & sources[index]) for index in owned})

    def _lasting(self, regions: Sequence[Region], variables: Set[int]) -> frozenset[int]:
        """The variables of these that a loop still owns after every turn."""
        owned = lasting = frozenset(variables)
        while True:
            for region in regions:
                found = self.ownerships.of(region.graph, _handed(region, owned))
                lasting &= _results(region, found) if region.results else owned - found.kept
            if lasting == owned:
                return owned
            owned = lasting

    def _written_in(self, regions: Sequence[Region], owned: frozenset[int]) -> frozenset[int]:
        """The variables into which the regions of a loop write, where they own these."""
        found = [self.ownerships.of(region.graph, _handed(region, owned)).written for region in regions]
        return _NOBODY.union(*found)


def _sources(
    regions: Sequence[tuple[Region, Ownership]], results: Iterable[int]
) -> dict[int, frozenset[int]]:
    """The inputs of regions in whose memory results of an op may lie."""
    found: dict[int, frozenset[int]] = dict.fromkeys(results, _NOBODY)
    for region, own in regions:
        for index, result in enumerate(region.results):
            if result in found:
                known = own.origins[index] if own.origins else frozenset(range(len(region.operands)))
                found[result] |= known
    return found


def _lasting_sources(of_turns: Mapping[int, frozenset[int]]) -> dict[int, frozenset[int]]:
    """The variables of a loop in whose memory others may lie after any number of turns."""
    found = {index: {index, *sources} for index, sources in of_turns.items()}
    while True:
        more = {
            index: sources.union(*[found.get(each, ()) for each in sources])
            for index, sources in found.items()
        }
        if more == found:
            return {index: frozenset(sources) for index, sources in found.items()}
        found = more


def _handed(region: Region, owned: frozenset[int]) -> frozenset[int]:
    """What a region of a loop may write into: one that gives no variables leaves them as they are."""
    return owned if region.results else _NOBODY


def _results(region: Region, own: Ownership) -> frozenset[int]:
    """The results of an op that nobody else holds when they come from this region."""
    return frozenset([region.results[index] for index in own.outputs if index < len(region.results)])


def _aliased(node: Node) -> Sequence[Value]:
    """The inputs in whose memory the outputs of a node may lie."""
    aliases = node.op.aliases(*[value.spec for value in node.inputs])
    return node.inputs if aliases is None else [node.inputs[index] for index in sorted(aliases)]


def _is_spread(node: Node) -> bool:
    """Whether a node is one number at many places, as `np.zeros(n)` is for compilers: it lies in no array."""
    return isinstance(node.op, core.AffineMap) and node.inputs[0].spec.is_scalar


def _is_array(value: Value) -> bool:
    """Whether a value may lie in memory that others see: a scalar of NumPy's never does."""
    return not value.spec.is_scalar


def _can_be_owned(value: Value) -> bool:
    """Whether a value is something that is written into: an array with axes, or a list."""
    return isinstance(value.spec, ListSpec) or (isinstance(value.spec, ArraySpec) and bool(value.spec.shape))


def _is_copied_with_care(node: Node) -> bool:
    """Whether an executor minds that what is assigned to a part of an array may lie in that array itself.

    NumPy does, but for a line of elements that lie in other steps than those to which they are assigned. Of
    core ops, a part is read before anything is written.
    """
    if isinstance(node.op, core.Scatter):
        x, value = node.inputs[:2]
        return isinstance(value.op, core.AffineMap) and value.node.inputs[0] is x
    if not isinstance(node.op, TensorStridedSliceUpdate):
        return False
    x, value = node.inputs[:2]
    part = selected_shape(x.shape, node.op.key)
    if part is None or len(part) != 1 or value.shape == ():
        return part is not None
    source = value.op
    if not isinstance(source, StridedSlice | DynamicStridedSlice) or value.node.inputs[0] is not x:
        return False
    steps = _steps(node.op.key, len(x.shape or ()))
    return steps is not None and steps == _steps(source.key, len(x.shape or ()))


def _steps(key: Sequence[Any], rank: int) -> Sequence[tuple[int, int]] | None:
    """The axes that a key leaves, with the steps along them; None where that is not known."""
    found = []
    for axis, part in enumerate(spread(key, rank)):
        if part is None:
            return None
        if isinstance(part, slice | tuple):
            step = part.step if isinstance(part, slice) else part[2]
            if isinstance(step, str):  # only the run knows
                return None
            found.append((axis, 1 if step is None else step))
    return found


def _is_row(node: Node) -> bool:
    """Whether a node cuts a vector out of an array, which is copied faster than the array."""
    if not isinstance(node.op, GatherV2 | StridedSlice | DynamicStridedSlice):
        return False
    return node.outputs[0].shape is not None and len(node.outputs[0].shape) == 1
