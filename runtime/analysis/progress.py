"""How turns of loops move several whole numbers together, whichever way they take.

::

    while i < n and j < m:              while low < high:
        if x[i] < y[j]:                     middle = (low + high) // 2
            i = i + 1                       if x[middle] < wanted:
        else:                                   low = middle + 1
            j = j + 1                       else:
                                                high = middle

In the first loop neither index moves in each turn, but their sum grows by 1 on every path: there are no more
turns than both have places. In the second, what is between two numbers halves on every path.

A sum of what a turn leaves is followed backwards through what is added, and through each arm of a branch, to
what the turn began with. Paths on which the loop ends are none of these.

    >>> from runtime.graph.parser import from_text
    >>> graph = from_text('''
    ...     first: bool[]
    ...     i: i64[]
    ...     j: i64[]
    ...     a, b = StatelessIf(first, i, j, then_branch=one, else_branch=other)
    ...         one:
    ...             i: i64[]
    ...             j: i64[]
    ...             a = Const(1, dtype=i64)
    ...             b = AddV2(i, a)
    ...             return b, j
    ...         other:
    ...             i: i64[]
    ...             j: i64[]
    ...             a = Const(2, dtype=i64)
    ...             b = AddV2(j, a)
    ...             return i, b
    ...     return first, a, b
    ... ''')
    >>> def read(value):
    ...     return Range(int(value.op.value), int(value.op.value))
    >>> turn = Turn(graph, {}, read, lambda *_: None)
    >>> turn.gain({1: 1, 2: 1}), turn.gain({1: 1})
    (1, 0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.analysis.conditions import applied
from runtime.analysis.intervals import Range
from runtime.core.dtypes import int64
from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.graph.region import Region, guard_of

__all__ = ["Turn"]

_MOST_PATHS = 32
"""Paths through a turn that are looked at."""
_STRIDE = Range(-(1 << 31), (1 << 31) - 1)
"""What is added to numbers that are followed: they come nowhere near the ends of 64 bits by it."""


@dataclass(frozen=True)
class _Sum:
    """What a sum is on a path, as far as that is known.

    Attributes
    ----------
    terms : dict of Value to int
        How often it has values of the graph that is looked at.
    known : Range
        The rest of it.
    truths : dict of int to Value
        What the path leaves in variables that end the loop.
    """

    terms: Mapping[Value, int]
    known: Range
    truths: Mapping[int, Value]

    def with_terms(self, value: Value, *others: tuple[Value, int]) -> _Sum:
        """The sum with other terms in the place of one."""
        terms = dict(self.terms)
        factor = terms.pop(value)
        for other, times in others:
            terms[other] = terms.get(other, 0) + factor * times
        return replace(self, terms={each: times for each, times in terms.items() if times})


class _TooMuch(Exception):
    """There are too many paths, or what is on them is not known."""


class Turn:
    """The paths of a turn of a loop.

    Parameters
    ----------
    body : Graph
    ends : mapping of int to bool
        Variables of the loop, by their positions, and with which truth in one of them it ends.
    read : callable
        The range of a value; None where it is not known.
    moved : callable
        By how much what a loop gives differs from what it was given for that: of the loop, and its result.
    """

    def __init__(
        self,
        body: Graph,
        ends: Mapping[int, bool],
        read: Callable[[Value], Range | None],
        moved: Callable[[Node, Value], Range | None],
    ) -> None:
        self._body = body
        self._ends = ends
        self._read = read
        self._moved = moved
        self._parts: dict[Graph, Sequence[Node]] = {}

    def gain(self, factors: Mapping[int, int]) -> int | None:
        """By how much a turn makes a sum of variables greater, at least; None where that is not known.

        Parameters
        ----------
        factors : mapping of int to int
            How often the sum has a variable, by its position.
        """
        try:
            found = [self._rest(each, factors) for each in self._paths(factors)]
        except _TooMuch:
            return None
        return min(found, default=None)

    def halves(self, low: int, high: int, gap: int) -> bool:
        """Whether a turn halves what is between two variables, of which one is more by so much at least."""
        one, other = self._body.inputs[low], self._body.inputs[high]
        try:
            ways = list(self._paths({high: 1, low: -1}))
        except _TooMuch:
            return False
        return bool(ways) and all(_is_half(each, one, other, gap) for each in ways)

    def _rest(self, path: _Sum, factors: Mapping[int, int]) -> int:
        """The least by which a sum has grown on a path."""
        terms = dict(path.terms)
        for position, factor in factors.items():
            value = self._body.inputs[position]
            terms[value] = terms.get(value, 0) - factor
        found = path.known.least
        for value, times in terms.items():
            if times:
                one = self._range(value)
                found += min(times * one.least, times * one.most)
        return found

    def _paths(self, factors: Mapping[int, int]) -> Iterator[_Sum]:
        """What a sum of variables is at the end of a turn, on each path behind which there is another one."""
        outputs, terms = self._body.outputs, dict[Value, int]()
        for position, factor in factors.items():
            terms[outputs[position]] = terms.get(outputs[position], 0) + factor
        truths = {position: outputs[position] for position in self._ends}
        ways = self._from(self._body, 0, _Sum(terms, Range(0, 0), truths))
        for count, path in enumerate(ways):
            if count == _MOST_PATHS:
                raise _TooMuch
            if not any(_is(value, self._ends[position]) for position, value in path.truths.items()):
                yield path

    def _from(self, graph: Graph, start: int, path: _Sum) -> Iterator[_Sum]:
        """Follows a sum from one of the last ops of a graph on, to what the graph was given."""
        parts = self._parts_of(graph)
        for place in range(start, len(parts)):
            node = parts[place]
            if node.op.regions:
                ways = list(self._through(node, path))
            elif node.outputs[0] in path.terms:
                ways = list(self._added(node.outputs[0], path))
            else:
                continue
            if len(ways) != 1:
                for way in ways:
                    yield from self._from(graph, place + 1, way)
                return
            [path] = ways
        yield path

    def _parts_of(self, graph: Graph) -> Sequence[Node]:
        """The ops of a graph that sums are followed through, the last one first."""
        found = self._parts.get(graph)
        if found is None:
            found = self._parts[graph] = [
                node
                for node in reversed(graph.nodes)
                if node.op.regions
                or (
                    len(node.specs) == 1
                    and _is_long(node.outputs[0])
                    and applied(node.outputs[0])[0] in _ADDING
                )
            ]
        return found

    def _added(self, value: Value, path: _Sum) -> Iterator[_Sum]:
        """A sum with what a value is made of in its place."""
        function, operands = applied(value)
        if function == "select":
            for each in operands[1:]:
                yield path.with_terms(value, (each, 1))
            return
        one, other = operands
        yield path.with_terms(value, (one, 1), (other, -1 if function == "subtract" else 1))

    def _through(self, node: Node, path: _Sum) -> Iterator[_Sum]:
        """A sum as it is in front of a branch, for each arm; or of a loop."""
        wanted = [value for value in node.outputs if value in path.terms]
        asked = [position for position, value in path.truths.items() if value in node.outputs]
        regions = node.op.regions
        if guard_of(node.op) is not None and not any(region.is_function for region in regions):
            if not wanted and not asked:
                yield path
                return
            for region in regions:
                yield from self._in_arm(node, region, path, wanted, asked)
            return
        for value in wanted:
            moved, body = self._moved(node, value), regions[-1]
            if moved is not None:
                factor = path.terms[value]
                ends = [factor * moved.least, factor * moved.most]
                path = path.with_terms(value, (node.inputs[body.operands[value.index]], 1))
                path = replace(path, known=path.known.plus(Range(min(ends), max(ends))))
        yield path

    def _in_arm(
        self, node: Node, region: Region, path: _Sum, wanted: Sequence[Value], asked: Sequence[int]
    ) -> Iterator[_Sum]:
        given = {value: region.graph.outputs[region.results.index(value.index)] for value in node.outputs}
        terms = dict[Value, int]()
        for value in wanted:
            terms[given[value]] = terms.get(given[value], 0) + path.terms[value]
        truths = {position: given[path.truths[position]] for position in asked}
        outside = dict(zip(region.graph.inputs, [node.inputs[each] for each in region.operands], strict=True))
        kept = {value: times for value, times in path.terms.items() if value not in wanted}
        for way in self._from(region.graph, 0, _Sum(terms, path.known, truths)):
            found, known = dict(kept), way.known
            for value, times in way.terms.items():
                if value in outside:
                    found[outside[value]] = found.get(outside[value], 0) + times
                else:
                    one = self._range(value)
                    ends = [times * one.least, times * one.most]
                    known = known.plus(Range(min(ends), max(ends)))
            left = {position: outside.get(value, value) for position, value in way.truths.items()}
            yield _Sum(
                {value: times for value, times in found.items() if times}, known, {**path.truths, **left}
            )

    def _range(self, value: Value) -> Range:
        """What is added to numbers that are followed."""
        found = self._read(value)
        if found is None or not found.is_in(_STRIDE):
            raise _TooMuch
        return found


_ADDING = frozenset({"add", "subtract", "select"})


def _is_long(value: Value) -> bool:
    return isinstance(value.spec, ArraySpec) and value.spec.dtype is int64 and value.spec.is_scalar


def _is(value: Value, truth: bool) -> bool:
    """Whether a value is known to be a truth."""
    known = value.op.value if isinstance(value.op, Const) else None
    return known is not None and bool(np.all(known)) is truth


def _is_half(path: _Sum, low: Value, high: Value, gap: int) -> bool:
    """Whether what is between two numbers halves on a path.

    The middle is rounded down, so what is above it may be more than the half: one of the two has to move by
    more than that, or there has to be something between them in each turn.
    """
    most = path.known.most
    match sorted(path.terms.items(), key=lambda each: (each[0] not in (low, high), -each[1])):
        case [(one, 1), (middle, -1)] if one is high and _is_middle(middle, low, high):
            return most <= (0 if gap >= 2 else -1)
        case [(one, -1), (middle, 1)] if one is low and _is_middle(middle, low, high):
            return most <= (0 if gap >= 1 else -1)
        case [(one, 1), (other, -1), (half, -1)] if (
            one is high and other is low and _is_half_of(half, low, high)
        ):
            return most <= (0 if gap >= 2 else -1)
        case [(half, 1)] if _is_half_of(half, low, high):
            return most <= (0 if gap >= 1 else -1)
    return False


def _is_middle(value: Value, low: Value, high: Value) -> bool:
    """Whether a value is in the middle between two."""
    total = _halved(value)
    if total is None:
        return False
    function, operands = applied(total)
    return function == "add" and set(operands) == {low, high}


def _is_half_of(value: Value, low: Value, high: Value) -> bool:
    """Whether a value is half of what is between two."""
    between = _halved(value)
    return between is not None and applied(between) == ("subtract", (high, low))


def _halved(value: Value) -> Value | None:
    """What a value is the half of, rounded down."""
    function, operands = applied(value)
    by = {"floor_divide": 2, "right_shift": 1}.get(function)
    if by is None or not isinstance(operands[1].op, Const) or not np.all(operands[1].op.value == by):
        return None
    return operands[0]
