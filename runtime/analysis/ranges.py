"""Value range analysis: bounds of whole numbers that hold whatever the arguments are.

Of a loop's variable: it is what it was before the loop, and a test, or what a turn adds, bounds it.

    >>> from runtime.graph.parser import from_text
    >>> graph = from_text('''
    ...     n: i32[]
    ...     a = Cast(n, to=i64)
    ...     b = Const(0, dtype=i64)
    ...     c, d = StatelessWhile(b, b, a, cond=test, body=step)
    ...         test:
    ...             i: i64[]
    ...             total: i64[]
    ...             n: i64[]
    ...             a = Less(i, n)
    ...             return a
    ...         step:
    ...             i: i64[]
    ...             total: i64[]
    ...             n: i64[]
    ...             a = AddV2(total, i)
    ...             b = Const(1, dtype=i64)
    ...             c = AddV2(i, b)
    ...             return c, a
    ...     return d
    ... ''')
    >>> loop = graph.nodes[-1]
    >>> i, total, n = loop.op.regions[1].graph.inputs
    >>> Ranges(graph).of(i)
    Range(least=0, most=2147483646)
    >>> Ranges(graph).of(total).most == (2**31 - 1) * (2**31 - 2)
    True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cached_property
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from runtime.analysis.conditions import NO_GAPS, Facts, Gaps, Said, applied, inside_of
from runtime.analysis.intervals import (
    FITS,
    Range,
    exact_range,
    float_range,
    of_all,
    of_float,
    of_spec,
    range_of,
    rounded,
    within,
)
from runtime.analysis.progress import Turn
from runtime.core.dtypes import as_dtype, int64
from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.graph.region import Region, guard_of
from runtime.ops.casting import Cast, ToInteger
from runtime.ops.checks import CheckWhole
from runtime.ops.core import AffineMap, Check, Gather, Length, Map, Scatter
from runtime.ops.gathering import GatherV2
from runtime.ops.shaping import Shape, Size
from runtime.ops.tensor_list import TensorListLength

__all__ = ["MOST_TURNS", "Range", "Ranges", "exact_range", "range_of"]

MOST_TURNS = 1 << 50
"""Turns of all loops that a run takes: at a nanosecond each, these are thirteen days."""
_MOST_PLACES = (1 << 47) - 1
"""Elements that an array may have: more bytes no processor finds."""
_ROUNDS = 3
"""Turns of a loop that are looked at before a variable may be anything."""
_FAR_INSIDE, _LITTLE = Range(-(1 << 60), 1 << 60), Range(-(1 << 10), 1 << 10)
"""Numbers that no loop brings to the ends of 64 bits, by what its turns add."""
_MOST_PARTS = 400
"""Of all turns of a loop that is looked at turn for turn: what they compute."""


_Heads = Sequence["Range | None"]


class Ranges:
    """What is known of the whole numbers of a graph, and of those in all graphs inside of it.

    It is found when it is first asked for.

    Parameters
    ----------
    graph : Graph
    assumed : mapping of Value to Range
        What inputs of it are, where that is less than all numbers.
    """

    def __init__(self, graph: Graph, assumed: Mapping[Value, Range] = MappingProxyType({})) -> None:
        self._outermost = graph
        self._assumed = assumed
        self._found: dict[Value, Range | None] = {}
        self._plans = _Plans()
        self._entered: dict[Node, list[Range | None]] = {}
        """With what loops were looked at last."""
        self._most: dict[Node, int] = {}
        """The most turns of each, with that."""
        self._around: dict[Graph, Gaps] = {}
        """What is known around loops of what their turns do not change."""
        self._looked_at: dict[Graph, tuple[_Heads, Gaps]] = {}
        """With what graphs were looked at last: what is found in them then is still there."""
        self._is_shared: Set[Graph] = frozenset()

    def of(self, value: Value) -> Range | None:
        """The range of a value, of all elements of an array; None of one that has no whole numbers."""
        known = self._known
        return known[value] if value in known else of_spec(value.spec)

    def most_turns(self, loop: Node) -> int | None:
        """How many turns a loop has at most, where that is known."""
        assert self._known is not None, "loops have been looked at"
        most = self._most.get(loop, MOST_TURNS)
        return most if most < MOST_TURNS else None

    @cached_property
    def _known(self) -> Mapping[Value, Range | None]:
        graph = self._outermost
        inner = [region.graph for each in graph.walk() for node in each.nodes for region in node.op.regions]
        self._is_shared = {each for each, count in Counter(inner).items() if count > 1}
        self._graph(graph, [self._assumed.get(value) or of_spec(value.spec) for value in graph.inputs])
        return self._found

    def _graph(self, graph: Graph, inputs: _Heads, gaps: Gaps = NO_GAPS) -> None:
        """Finds the ranges in a graph that gets such inputs; one that belongs to several gets any."""
        if not inputs or graph in self._is_shared:
            inputs, gaps = [of_spec(value.spec) for value in graph.inputs], NO_GAPS
        if self._looked_at.get(graph) == (inputs, gaps):
            return
        plan, found, facts = self._plans[graph], self._found, Facts(gaps)
        if graph not in self._looked_at:
            found.update(plan.always)
        self._looked_at[graph] = inputs, gaps
        found.update(zip(graph.inputs, inputs, strict=True))
        for part in plan.parts:
            if isinstance(part, _Computed):
                found[part.value] = part.range_of(found, facts)
            elif not part.op.regions:
                facts.learn(part)
            elif any(region.runs.repeatedly for region in part.op.regions):
                self._loop(part, gaps)
            else:
                self._branch(part, gaps)

    def _branch(self, node: Node, gaps: Gaps) -> None:
        """A branch is entered where its test says so; what that says of operands holds inside."""
        regions, guard = node.op.regions, guard_of(node.op)
        for place, region in enumerate(regions):
            operands = [node.inputs[operand] for operand in region.operands]
            given = [self._found[value] for value in operands]
            if guard is None or region.is_function:
                self._graph(region.graph, [] if region.is_function else given)
                continue
            said = Said.by(node.inputs[guard], self._found.__getitem__, holds=place == 0)
            for value, limit in said.limits:
                for index, found in enumerate(given) if value in operands else ():
                    if operands[index] is value and found is not None:
                        given[index] = found.met(limit)
            inner = inside_of({**gaps, **said.gaps}, operands, region.graph.inputs)
            self._graph(region.graph, given, inner)
        for index, value in enumerate(node.outputs):
            found = of_spec(value.spec)
            if found is not None and guard_of(node.op) is not None:
                outputs = [region.graph.outputs[region.results.index(index)] for region in regions]
                found = of_all([self._found[each] for each in outputs])
            self._found[value] = found

    # ── loops ──

    def _loop(self, node: Node, gaps: Gaps) -> None:
        """Variables that turns add to may be what that makes of them; of others, some turns are looked at."""
        test, body = node.op.regions
        given = [self._found[node.inputs[operand]] for operand in body.operands]
        given[: body.variables] = [
            of_spec(value.spec) and found for value, found in zip(body.graph.inputs, given, strict=False)
        ][: body.variables]
        if self._entered.get(node) == given:
            return
        operands = [node.inputs[operand] for operand in body.operands[body.variables :]]
        self._around[body.graph] = inside_of(gaps, operands, body.graph.inputs[body.variables :])
        start, around = given[: body.variables], given[body.variables :]
        anything = [of_spec(value.spec) for value in body.graph.inputs[: body.variables]]
        grown = [
            begin if begin is None or value is output else None
            for begin, value, output in zip(start, body.graph.inputs, body.graph.outputs, strict=False)
        ]
        is_known = [begin is None or found is not None for begin, found in zip(start, grown, strict=True)]
        steps, has_turned = _Steps(_of_constant, self._is_shared, self._plans, {}), False
        self._graph(test.graph, [*anything, *around])
        while not all(is_known):
            before = list(is_known)
            for index, known in enumerate(before):
                if not known:
                    grown[index] = self._grown(index, steps, test, body, given)
                    is_known[index] = grown[index] is not None
            if all(is_known) or (before == is_known and has_turned):
                break
            heads = [
                one if sure else other for one, sure, other in zip(grown, is_known, anything, strict=True)
            ]
            self._turn(test, body, [*heads, *around])
            steps, has_turned = (
                _Steps(self._found.__getitem__, self._is_shared, self._plans, self._most),
                True,
            )
        facts = grown, is_known, anything
        heads = self._settled(test, body, given, facts)
        steps = _Steps(self._found.__getitem__, self._is_shared, self._plans, self._most)
        self._most[node] = most = self._turns(steps, test, body, given)
        if any(
            not sure and head is not None and whole is not None and _has_end_of(head, whole)
            for head, (_, sure, whole) in zip(heads, zip(*facts, strict=True), strict=True)
        ):
            heads = self._stepped(test, body, given, facts, most) or heads
        self._found.update(zip(node.outputs, heads, strict=False))
        self._entered[node] = given

    def _settled(
        self, test: Region, body: Region, given: _Heads, known: tuple[_Heads, Sequence[bool], _Heads]
    ) -> list[Range | None]:
        """The ranges of variables, some of which are known, when the test is evaluated."""
        grown, is_known, anything = known
        start, around = given[: body.variables], given[body.variables :]
        heads = [one if sure else other for one, sure, other in zip(grown, is_known, start, strict=True)]
        for turn in count():
            after = self._turn(test, body, [*heads, *around])
            joined = [
                head if sure else of_all([head, left])
                for sure, head, left in zip(is_known, heads, after, strict=True)
            ]
            if joined == heads:
                break
            if turn < _ROUNDS:
                heads = joined
                continue
            marks = sorted({end for each in [*given, *anything] if each is not None for end in each})
            heads = [
                new if new == head or new is None or head is None else _widened(head, new, marks)
                for head, new in zip(heads, joined, strict=True)
            ]
        return [
            head if head is None or begin is None or left is None else head.met(begin.joined(left))
            for head, begin, left in zip(heads, start, after, strict=True)
        ]

    def _stepped(
        self,
        test: Region,
        body: Region,
        given: _Heads,
        known: tuple[_Heads, Sequence[bool], _Heads],
        most: int,
    ) -> list[Range | None] | None:
        """Likewise, of a loop of few turns, each of which is looked at; None where that says nothing more.

        A number that turns double, as one whose bits are put together, is as large as the last leaves it.
        """
        parts = self._plans[body.graph].parts
        has_inner = any(isinstance(each, Node) and each.op.regions for each in parts)
        if has_inner or most * max(1, len(parts)) > _MOST_PARTS:
            return None
        grown, is_known, _ = known
        start, around = given[: body.variables], given[body.variables :]
        heads = [one if sure else other for one, sure, other in zip(grown, is_known, start, strict=True)]
        found = list(heads)
        for _ in range(most):
            after = self._turn(test, body, [*heads, *around])
            heads = [one if sure else left for one, sure, left in zip(grown, is_known, after, strict=True)]
            found = [of_all([one, other]) for one, other in zip(found, heads, strict=True)]
        self._turn(test, body, [*found, *around])
        return found

    def _turn(self, test: Region, body: Region, heads: _Heads) -> list[Range | None]:
        """What a turn leaves in the variables, if these are so when the test is asked for."""
        self._graph(test.graph, heads)
        inside, inputs = list(heads), test.graph.inputs
        said = Said.by(test.graph.outputs[0], self._found.__getitem__)
        for position, limit in self._limits(test.graph):
            before = inside[position]
            inside[position] = None if before is None else before.met(limit)
        gaps = inside_of(said.gaps, inputs, body.graph.inputs)
        self._graph(body.graph, inside, {**self._around.get(body.graph, NO_GAPS), **gaps})
        return [self._found[value] for value in body.graph.outputs[: body.variables]]

    def _limits(self, test: Graph) -> list[tuple[int, Range]]:
        """What inputs of a test are where it holds."""
        said = Said.by(test.outputs[0], self._found.__getitem__)
        return [(test.inputs.index(value), limit) for value, limit in said.limits if value in test.inputs]

    def _grown(self, index: int, steps: _Steps, test: Region, body: Region, given: _Heads) -> Range | None:
        """What a variable is that each turn adds to, or takes from: within what the others may be."""
        begin, whole = given[index], of_spec(body.graph.inputs[index].spec)
        step = steps.of(body.graph, body.graph.outputs[index], body.graph.inputs[index])
        if step is None or begin is None or whole is None:
            return None
        added = step.once.times(self._turns(steps, test, body, given)).plus(step.inside.times(MOST_TURNS))
        found = begin.plus(added)
        return found if found.is_in(whole) else None

    def _turns(self, steps: _Steps, test: Region, body: Region, given: _Heads) -> int:
        """The most turns of a loop: a number is counted up to its limit, or down."""
        most = MOST_TURNS
        for position, limit in self._limits(test.graph):
            begin = given[position]
            if position >= body.variables or begin is None:
                continue
            step = steps.of(body.graph, body.graph.outputs[position], body.graph.inputs[position])
            if step is None:
                continue
            if step.once.least > 0 <= step.inside.least:
                most = min(most, max(0, (limit.most - begin.least) // step.once.least + 1))
            elif step.once.most < 0 >= step.inside.most:
                most = min(most, max(0, (begin.most - limit.least) // -step.once.most + 1))
        if most == MOST_TURNS:
            most = min(most, self._turns_of_several(steps, test, body, given))
        return most

    def _turns_of_several(self, steps: _Steps, test: Region, body: Region, given: _Heads) -> int:
        """The most turns of a loop that moves several numbers, though none of them in each turn."""
        moved = self._moved(steps, body, given)
        said = Said.by(test.graph.outputs[0], self._found.__getitem__)
        places = {value: index for index, value in enumerate(test.graph.inputs[: body.variables])}
        ends = {places[value]: not truth for value, truth in said.truths.items() if value in places}
        turn, found = Turn(body.graph, ends, steps.read, steps.moved), MOST_TURNS
        for (less, more), gap in said.gaps.items():
            low, high = places.get(less), places.get(more)
            if low is None or high is None or not _is_number(less):
                continue
            one, other = given[low], given[high]
            if one is None or other is None or not (one.is_in(_FAR_INSIDE) and other.is_in(_FAR_INSIDE)):
                continue
            width = max(0, other.most - one.least)
            if low in moved and high in moved and (gain := turn.gain({low: 1, high: -1}) or 0) > 0:
                found = min(found, max(0, (width - gap) // gain + 1))
            elif turn.halves(low, high, gap):
                found = min(found, width.bit_length() + 1)
        if found < MOST_TURNS:
            return found
        return self._turns_of_sum(turn, moved, test, given)

    def _turns_of_sum(self, turn: Turn, moved: Mapping[int, Range], test: Region, given: _Heads) -> int:
        """Likewise, where each of several numbers moves towards an end of its own."""
        factors, places = dict[int, int](), dict[int, int]()
        for position, limit in self._limits(test.graph):
            step, begin = moved.get(position, Range(0, 0)), given[position]
            if begin is None or step == Range(0, 0):
                continue
            width = limit.most - begin.least if step.most > 0 else begin.most - limit.least
            if width < MOST_TURNS:
                factors[position] = 1 if step.most > 0 else -1
                places[position] = max(0, min(width, places.get(position, width)))
        gain = turn.gain(factors) if len(factors) > 1 else None
        return MOST_TURNS if gain is None or gain <= 0 else sum(places.values()) // gain + 1

    def _moved(self, steps: _Steps, body: Region, given: _Heads) -> dict[int, Range]:
        """The numbers that turns only add to, or only take from, and how much; none comes to its ends."""
        found = dict[int, Range]()
        for position, value in enumerate(body.graph.inputs[: body.variables]):
            begin = given[position]
            if begin is None or not _is_number(value) or not begin.is_in(_FAR_INSIDE):
                continue
            step = steps.of(body.graph, body.graph.outputs[position], value)
            if step is None or not (step.once.is_in(_LITTLE) and step.inside.is_in(_LITTLE)):
                continue
            both = step.once.joined(step.inside)
            if both.least >= 0 or both.most <= 0:
                found[position] = both
        return found


class _Step(NamedTuple):
    """What a turn adds to a variable: once, and in each turn of loops inside of it."""

    once: Range = Range(0, 0)
    inside: Range = Range(0, 0)


class _Steps:
    """By how much values differ from one that they are made of.

    Parameters
    ----------
    read : callable
        The range of a value; None where it is not known.
    is_shared : set of Graph
        Graphs that belong to several nodes.
    plans : mapping of Graph to _Plan
    most : mapping of Node to int
        The most turns of loops, as far as that is known.
    """

    def __init__(
        self,
        read: Callable[[Value], Range | None],
        is_shared: Set[Graph],
        plans: Mapping[Graph, _Plan],
        most: Mapping[Node, int],
    ) -> None:
        self._read = read
        self._is_shared = is_shared
        self._plans = plans
        self._most = most
        self._known: dict[Value, dict[Value, _Step]] = {}

    def read(self, value: Value) -> Range | None:
        """The range of a value."""
        return self._read(value)

    def moved(self, node: Node, value: Value) -> Range | None:
        """By how much what a loop gives differs from what it was given for that."""
        body = node.op.regions[-1]
        is_variable = body.runs.repeatedly and value.index < body.variables
        if not is_variable or body.graph in self._is_shared:
            return None
        step = self.of(body.graph, body.graph.outputs[value.index], body.graph.inputs[value.index])
        if step is None:
            return None
        return step.once.times(self._most.get(node, MOST_TURNS)).plus(step.inside.times(MOST_TURNS))

    def of(self, graph: Graph, value: Value, before: Value) -> _Step | None:
        """By how much a value of a graph differs from an input; None where it is made in another way."""
        return self._from(graph, before).get(value)

    def _from(self, graph: Graph, before: Value) -> Mapping[Value, _Step]:
        """The values of a graph that are made of an input, with by how much they differ from it."""
        known = self._known.get(before)
        if known is None:
            known = self._known[before] = {before: _Step()}
            for part in self._plans[graph].steps:
                if known.keys().isdisjoint(part.inputs):
                    continue
                if isinstance(part, Node):
                    known.update(self._given_by(part, known))
                    continue
                step = self._made_of(part, known)
                if step is not None:
                    known[part.value] = step
        return known

    def _made_of(self, part: _Computed, known: Mapping[Value, _Step]) -> _Step | None:
        """Likewise of what an op gives, from what is known of its operands."""
        match part.function, part.inputs:
            case "add", [one, other]:
                for each, rest in ((one, other), (other, one)):
                    step, added = known.get(each), self._read(rest)
                    if step is not None and added is not None:
                        return _Step(step.once.plus(added), step.inside)
            case "subtract", [one, other]:
                step, taken = known.get(one), self._read(other)
                if step is not None and taken is not None:
                    return _Step(step.once.plus(Range(-taken.most, -taken.least)), step.inside)
            case "select", [_, one, other]:
                return _either(known.get(one), known.get(other))
        return None

    def _given_by(self, node: Node, known: Mapping[Value, _Step]) -> dict[Value, _Step]:
        """Likewise of what a branch or a loop gives."""
        regions = node.op.regions
        if any(region.graph in self._is_shared for region in regions):
            return {}
        if guard_of(node.op) is not None:
            ways = [self._given_in(node, region, known) for region in regions]
            joined = [
                (value, _either(*[way.get(index) for way in ways]))
                for index, value in enumerate(node.outputs)
            ]
            return {value: step for value, step in joined if step is not None}
        body, found = regions[-1], {}
        for value in node.outputs[: body.variables] if body.runs.repeatedly else ():
            first = known.get(node.inputs[body.operands[value.index]])
            if first is None:
                continue
            again = self.of(body.graph, body.graph.outputs[value.index], body.graph.inputs[value.index])
            most = self._most.get(node, MOST_TURNS)
            if again is not None and most < MOST_TURNS and again.inside == Range(0, 0):
                found[value] = _Step(first.once.plus(again.once.times(most)), first.inside)
            elif again is not None:
                inside = first.inside.plus(again.once.times(1)).plus(again.inside.times(1))
                found[value] = _Step(first.once, inside)
        return found

    def _given_in(self, node: Node, region: Region, known: Mapping[Value, _Step]) -> dict[int, _Step]:
        """By how much the results of a node differ from a value where a branch gives them, by their index."""
        found: dict[int, _Step] = {}
        if region.is_function:
            return found
        for place, operand in enumerate(region.operands):
            outside = known.get(node.inputs[operand])
            if outside is None:
                continue
            inner = self._from(region.graph, region.graph.inputs[place])
            for index, output in zip(region.results, region.graph.outputs, strict=False):
                step = inner.get(output)
                if step is not None and index not in found:
                    found[index] = _Step(outside.once.plus(step.once), outside.inside.plus(step.inside))
        return found


def _is_number(value: Value) -> bool:
    spec = value.spec
    return isinstance(spec, ArraySpec) and spec.dtype is int64 and spec.is_scalar


def _has_end_of(found: Range, whole: Range) -> bool:
    """Whether a range goes as far as numbers of its dtype do."""
    return found.least == whole.least or found.most == whole.most


def _widened(before: Range, now: Range, marks: Sequence[int]) -> Range:
    """A range that has grown, up to the next numbers at which it may have an end."""
    least = max([mark for mark in marks if mark <= now.least], default=now.least)
    most = min([mark for mark in marks if mark >= now.most], default=now.most)
    return Range(
        now.least if now.least == before.least else least, now.most if now.most == before.most else most
    )


def _of_constant(value: Value) -> Range | None:
    return _of_numbers(value.op.value) if isinstance(value.op, Const) else None


def _either(one: _Step | None, other: _Step | None) -> _Step | None:
    if one is None or other is None:
        return None
    return _Step(one.once.joined(other.once), one.inside.joined(other.inside))


# ── ops ──


class _Computed(NamedTuple):
    """A value whose range is that of its operands, computed.

    Attributes
    ----------
    value : Value
    inputs : sequence of Value
    function : str
        A scalar function of them; empty for an expression, and for a cast; `_MOVED` where each of its
        elements is an element of one of them.
    whole : Range or None
        All numbers of its dtype; None of floats.
    """

    value: Value
    inputs: Sequence[Value]
    function: str
    whole: Range | None

    def range_of(self, known: Mapping[Value, Range | None], facts: Facts) -> Range | None:
        """Its range, from those of the operands."""
        given = [known[value] for value in self.inputs]
        if self.function == _MOVED:
            return None if self.whole is None else within(of_all(given), self.whole)
        dtype = self.value.dtype
        if self.function:
            if self.whole is None:
                return float_range(self.function, given, dtype)
            if self.function == "equal" and self.inputs[0] is self.inputs[1] and given[0] is not None:
                return Range(1, 1)  # it is no NaN
            exact = exact_range(self.function, given)
            return facts.narrowed(self.function, self.inputs, exact, self.whole)
        op = self.value.op
        if isinstance(op, Map):
            return range_of(op.expression, given, tuple([value.dtype for value in self.inputs]))
        return rounded(given[0], dtype) if self.whole is None else within(given[0], self.whole)


class _Plan:
    """What there is to do each time that a graph is looked at, in the order of its nodes.

    Attributes
    ----------
    parts : list of _Computed or Node
        What is computed; branches and loops; and checks, which facts are learnt from.
    steps : list of _Computed or Node
        Those of them that may add to one of their operands.
    always : dict of Value to Range or None
        What all other nodes give, whatever the graph gets.
    """

    def __init__(self, graph: Graph) -> None:
        self.parts: list[_Computed | Node] = []
        self.steps: list[_Computed | Node] = []
        self.always: dict[Value, Range | None] = {}
        self._floats = _floats_of_integers(graph)
        for node in graph.nodes:
            if node.op.regions:
                self.parts.append(node)
                self.steps.append(node)
                continue
            if isinstance(node.op, CheckWhole | Check):
                self.parts.append(node)
            if node.specs:
                self._add(node)

    def _add(self, node: Node) -> None:
        """Plans the values of an op."""
        whole = of_all([of_spec(spec) for spec in node.specs])
        is_float = node.outputs[0] in self._floats
        if (whole is None and not is_float) or len(node.specs) > 1:
            self.always.update(dict.fromkeys(node.outputs, whole))
            return
        [value] = node.outputs
        match node.op:
            case Const(number):
                self.always[value] = _of_numbers(number) or whole
                return
            case Length() | Size() | Shape() | TensorListLength() if whole is not None:
                self.always[value] = whole.met(Range(0, _MOST_PLACES))
                return
        function, operands = applied(value)
        moved = _moved_by(node)
        if moved and not is_float:
            self.parts.append(_Computed(value, moved, _MOVED, whole))
            return
        if function.endswith(FITS):
            function = ""  # what it says is the affair of the expression
        if function or isinstance(node.op, Map | Cast | ToInteger):
            computed = _Computed(value, operands if function else node.inputs, function, whole)
            self.parts.append(computed)
            if function in _ADDING and not is_float:
                self.steps.append(computed)
        else:
            self.always[value] = whole


_MOVED = "moved"


def _moved_by(node: Node) -> Sequence[Value]:
    """The operands of which each element of a node's result is one; none where it computes others."""
    match node.op:
        case Gather() | GatherV2():
            return node.inputs[:1]
        case AffineMap(fill=is_filled):
            return node.inputs[: 1 + is_filled]
        case Scatter(combine="set"):
            return node.inputs[:2]
    return ()


def _floats_of_integers(graph: Graph) -> Set[Value]:
    """The scalar floats of a graph that are made into whole numbers there."""
    wanted: set[Value] = set()
    for node in reversed(graph.nodes):
        makes = isinstance(node.op, Map | Cast | ToInteger) and node.outputs[0].dtype.is_integer
        if makes or not wanted.isdisjoint(node.outputs):
            wanted.update(value for value in node.inputs if _is_float(value))
    return wanted


def _is_float(value: Value) -> bool:
    spec = value.spec
    return isinstance(spec, ArraySpec) and spec.dtype.is_floating and spec.is_scalar


_ADDING = frozenset({"add", "subtract", "select"})


class _Plans(dict[Graph, _Plan]):
    """The plans of graphs, each made when it is first wanted."""

    def __missing__(self, graph: Graph) -> _Plan:
        found = self[graph] = _Plan(graph)
        return found


def _of_numbers(value: Any) -> Range | None:
    array = np.asarray(value)
    if array.dtype.kind == "f" and not array.shape:
        return of_float(float(array), as_dtype(array.dtype))
    if array.dtype.kind not in "biu" or not array.size:
        return None
    if array.size == 1:
        number = int(array.item())
        return Range(number, number)
    return Range(int(array.min()), int(array.max()))
