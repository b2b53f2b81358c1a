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
from itertools import count
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.spec import ArraySpec, Spec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const
from runtime.graph.region import Region, guard_of
from runtime.ops.casting import Cast
from runtime.ops.core import Length, Map
from runtime.ops.core import expression as scalar
from runtime.ops.shaping import Shape, Size
from runtime.ops.tensor_list import TensorListLength

__all__ = ["MOST_TURNS", "Range", "Ranges", "exact_range", "range_of"]

MOST_TURNS = 1 << 50
"""Turns of all loops that a run takes: at a nanosecond each, these are thirteen days."""
_MOST_PLACES = (1 << 47) - 1
"""Elements that an array may have: more bytes no processor finds."""
_ROUNDS = 3
"""Turns of a loop that are looked at before a variable may be anything."""


class Range(NamedTuple):
    """All whole numbers between two."""

    least: int
    most: int

    def joined(self, other: Range) -> Range:
        """The numbers of both, and all between."""
        return Range(min(self.least, other.least), max(self.most, other.most))

    def met(self, other: Range) -> Range:
        """The numbers that are in both; where that is none, those of this one."""
        found = Range(max(self.least, other.least), min(self.most, other.most))
        return found if found.least <= found.most else self

    def is_in(self, other: Range) -> bool:
        """Whether all of them are in another one."""
        return other.least <= self.least and self.most <= other.most

    def plus(self, other: Range) -> Range:
        """The sums."""
        return Range(self.least + other.least, self.most + other.most)

    def times(self, count: int) -> Range:
        """The sums of up to so many numbers."""
        return Range(min(0, self.least) * count, max(0, self.most) * count)


_Heads = Sequence["Range | None"]


class Ranges:
    """What is known of the whole numbers of a graph, and of those in all graphs inside of it.

    Parameters
    ----------
    graph : Graph
    """

    def __init__(self, graph: Graph) -> None:
        self._found: dict[Value, Range | None] = {}
        self._entered: dict[Node, list[Range | None]] = {}
        """With what loops were looked at last."""
        inner = [region.graph for each in graph.walk() for node in each.nodes for region in node.op.regions]
        self._is_shared = {each for each, count in Counter(inner).items() if count > 1}
        self._graph(graph, [])

    def of(self, value: Value) -> Range | None:
        """The range of a value, of all elements of an array; None of one that has no whole numbers."""
        return self._found[value] if value in self._found else _whole(value.spec)

    def _graph(self, graph: Graph, inputs: _Heads) -> None:
        """Finds the ranges in a graph that gets such inputs; one that belongs to several gets any."""
        if not inputs or graph in self._is_shared:
            inputs = [_whole(value.spec) for value in graph.inputs]
        self._found.update(zip(graph.inputs, inputs, strict=True))
        for node in graph.nodes:
            if not node.op.regions:
                given = [self._found[value] for value in node.inputs]
                self._found.update((value, _of_node(node, given)) for value in node.outputs)
            elif any(region.runs.repeatedly for region in node.op.regions):
                self._loop(node)
            else:
                self._branch(node)

    def _branch(self, node: Node) -> None:
        regions = node.op.regions
        for region in regions:
            given = [self._found[node.inputs[operand]] for operand in region.operands]
            self._graph(region.graph, [] if region.is_function else given)
        for index, value in enumerate(node.outputs):
            found = _whole(value.spec)
            if found is not None and guard_of(node.op) is not None:
                outputs = [region.graph.outputs[region.results.index(index)] for region in regions]
                found = _joined([self._found[each] for each in outputs])
            self._found[value] = found

    # ── loops ──

    def _loop(self, node: Node) -> None:
        """Variables that turns add to may be what that makes of them; of others, some turns are looked at."""
        test, body = node.op.regions
        given = [self._found[node.inputs[operand]] for operand in body.operands]
        if self._entered.get(node) == given:
            return
        start, around = given[: body.variables], given[body.variables :]
        anything = [_whole(value.spec) for value in body.graph.inputs[: body.variables]]
        grown = [
            begin if begin is None or value is output else None
            for begin, value, output in zip(start, body.graph.inputs, body.graph.outputs, strict=False)
        ]
        is_known = [begin is None or found is not None for begin, found in zip(start, grown, strict=True)]
        steps, has_turned = _Steps(_of_constant, self._is_shared), False
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
            steps, has_turned = _Steps(self._found.__getitem__, self._is_shared), True
        heads = self._settled(test, body, given, (grown, is_known, anything))
        self._found.update(zip(node.outputs, heads, strict=False))
        self._entered[node] = given

    def _settled(
        self, test: Region, body: Region, given: _Heads, known: tuple[_Heads, Sequence[bool], _Heads]
    ) -> list[Range | None]:
        """What variables are, of which some are known, when the test is asked for."""
        grown, is_known, anything = known
        start, around = given[: body.variables], given[body.variables :]
        heads = [one if sure else other for one, sure, other in zip(grown, is_known, start, strict=True)]
        for turn in count():
            after = self._turn(test, body, [*heads, *around])
            joined = [
                head if sure else _joined([head, left])
                for sure, head, left in zip(is_known, heads, after, strict=True)
            ]
            if joined == heads:
                break
            heads = [
                new if new == head or turn < _ROUNDS else whole
                for head, new, whole in zip(heads, joined, anything, strict=True)
            ]
        return [
            head if head is None or begin is None or left is None else head.met(begin.joined(left))
            for head, begin, left in zip(heads, start, after, strict=True)
        ]

    def _turn(self, test: Region, body: Region, heads: _Heads) -> list[Range | None]:
        """What a turn leaves in the variables, if these are so when the test is asked for."""
        self._graph(test.graph, heads)
        inside = list(heads)
        for position, limit in self._limits(test.graph):
            before = inside[position]
            inside[position] = None if before is None else before.met(limit)
        self._graph(body.graph, inside)
        return [self._found[value] for value in body.graph.outputs[: body.variables]]

    def _limits(self, test: Graph) -> list[tuple[int, Range]]:
        """What inputs of a test are where it holds."""
        found: list[tuple[int, Range]] = []
        pending = [test.outputs[0]]
        while pending:
            value = pending.pop()
            match _applied(value):
                case "logical_and", [one, other]:
                    pending += [one, other]
                case ("less" | "less_equal") as function, [one, other]:
                    found += self._below(test, one, other, int(function == "less"))
                case ("greater" | "greater_equal") as function, [one, other]:
                    found += self._below(test, other, one, int(function == "greater"))
                case "not_equal", [one, other]:
                    found += [*self._apart(test, one, other), *self._apart(test, other, one)]
            guard = guard_of(value.op)
            if guard is not None and _is_false(value.op.regions[1].graph.outputs[value.index]):
                pending.append(value.node.inputs[guard])
        return found

    def _below(self, test: Graph, one: Value, other: Value, gap: int) -> list[tuple[int, Range]]:
        less, more = self._found[one], self._found[other]
        if less is None or more is None:
            return []
        pairs = ((one, Range(less.least, more.most - gap)), (other, Range(less.least + gap, more.most)))
        return [(test.inputs.index(value), limit) for value, limit in pairs if value in test.inputs]

    def _apart(self, test: Graph, one: Value, other: Value) -> list[tuple[int, Range]]:
        """A number that is not another, which is known, lies on the side of it where all its numbers are."""
        found, known = self._found[one], self._found[other]
        if found is None or known is None or known.least != known.most or one not in test.inputs:
            return []
        if found.least == known.least:
            return [(test.inputs.index(one), Range(known.least + 1, found.most))]
        if found.most == known.most:
            return [(test.inputs.index(one), Range(found.least, known.most - 1))]
        return []

    def _grown(self, index: int, steps: _Steps, test: Region, body: Region, given: _Heads) -> Range | None:
        """What a variable is that each turn adds to, or takes from: within what the others may be."""
        begin, whole = given[index], _whole(body.graph.inputs[index].spec)
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
        return most


class _Step(NamedTuple):
    """What a turn adds to a variable: once, and in each turn of loops inside of it."""

    once: Range = Range(0, 0)
    inside: Range = Range(0, 0)


_Entering: TypeAlias = Sequence[tuple[int, _Step]]
"""The inputs of a region that are made of a value, with by how much they differ from it."""


class _Steps:
    """By how much values differ from one that they are made of.

    Parameters
    ----------
    read : callable
        The range of a value; None where it is not known.
    is_shared : set of Graph
        Graphs that belong to several nodes.
    """

    def __init__(self, read: Callable[[Value], Range | None], is_shared: Set[Graph]) -> None:
        self._read = read
        self._is_shared = is_shared
        self._known: dict[Value, dict[Value, _Step]] = {}

    def of(self, graph: Graph, value: Value, before: Value) -> _Step | None:
        """By how much a value of a graph differs from an input; None where it is made in another way."""
        known = self._known.get(before)
        if known is None:
            known = self._known[before] = {before: _Step()}
            for node in graph.nodes:
                if not known.keys().isdisjoint(node.inputs):
                    entering = [_entering(node, region, known) for region in node.op.regions]
                    found = [(output, self._made_of(output, known, entering)) for output in node.outputs]
                    known.update((output, step) for output, step in found if step is not None)
        return known.get(value)

    def _made_of(
        self, value: Value, known: Mapping[Value, _Step], entering: Sequence[_Entering]
    ) -> _Step | None:
        """Likewise of what a node gives, from what is known of its operands."""
        match _applied(value):
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
        return self._step_of(value, known, entering) if value.op.regions else None

    def _step_of(
        self, value: Value, known: Mapping[Value, _Step], entering: Sequence[_Entering]
    ) -> _Step | None:
        """Likewise of what a branch or a loop gives."""
        node, regions = value.node, value.op.regions
        if any(region.graph in self._is_shared for region in regions):
            return None
        if guard_of(node.op) is not None:
            steps = [
                self._step_through(region, value.index, entered)
                for region, entered in zip(regions, entering, strict=True)
            ]
            return _either(*steps)
        body = regions[-1]
        if not body.runs.repeatedly or value.index >= body.variables:
            return None
        first = known.get(node.inputs[body.operands[value.index]])
        again = self.of(body.graph, body.graph.outputs[value.index], body.graph.inputs[value.index])
        if first is None or again is None:
            return None
        return _Step(first.once, first.inside.plus(again.once.times(1)).plus(again.inside.times(1)))

    def _step_through(self, region: Region, index: int, entered: _Entering) -> _Step | None:
        if region.is_function:
            return None
        output = region.graph.outputs[region.results.index(index)]
        for place, outside in entered:
            inside = self.of(region.graph, output, region.graph.inputs[place])
            if inside is not None:
                return _Step(outside.once.plus(inside.once), outside.inside.plus(inside.inside))
        return None


def _entering(node: Node, region: Region, known: Mapping[Value, _Step]) -> _Entering:
    steps = [(place, known.get(node.inputs[operand])) for place, operand in enumerate(region.operands)]
    return [(place, step) for place, step in steps if step is not None]


def _of_constant(value: Value) -> Range | None:
    return _of_numbers(value.op.value) if isinstance(value.op, Const) else None


def _either(one: _Step | None, other: _Step | None) -> _Step | None:
    if one is None or other is None:
        return None
    return _Step(one.once.joined(other.once), one.inside.joined(other.inside))


def _applied(value: Value) -> tuple[str, Sequence[Value]]:
    """The scalar function of its operands that a value is; none where it is something else."""
    match value.op:
        case Map() as op:
            match op.expression:
                case scalar.Apply(function, arguments):
                    places = [each.index for each in arguments if isinstance(each, scalar.Operand)]
                    if len(places) == len(arguments):
                        return function, [value.inputs[place] for place in places]
        case op if op.scalar is not None:
            return op.scalar, value.inputs
    return "", ()


def _is_false(value: Value) -> bool:
    return isinstance(value.op, Const) and value.op.value is not None and not np.any(value.op.value)


def _whole(spec: Spec) -> Range | None:
    """All whole numbers of a dtype; None of other values."""
    if not isinstance(spec, ArraySpec):
        return None
    return _of_dtype(spec.dtype)


def _of_dtype(dtype: DType) -> Range | None:
    if dtype.is_bool:
        return Range(0, 1)
    if not dtype.is_integer:
        return None
    bits = 8 * dtype.itemsize
    return Range(-(1 << bits - 1), (1 << bits - 1) - 1) if dtype.kind == "i" else Range(0, (1 << bits) - 1)


def _joined(found: Sequence[Range | None]) -> Range | None:
    first, *others = found
    for each in others:
        first = None if first is None or each is None else first.joined(each)
    return first


# ── ops ──


def _of_node(node: Node, given: Sequence[Range | None]) -> Range | None:
    """The range of what a node gives; None where its results have several, or no whole numbers."""
    found = _whole(node.specs[0]) if node.specs else None
    if found is None or len(node.specs) > 1:
        return None if found is None else _joined([_whole(spec) for spec in node.specs])
    match node.op:
        case Const(value):
            return _of_numbers(value) or found
        case Cast():
            return _within(given[0], found)
        case Length() | Size() | Shape() | TensorListLength():
            return found.met(Range(0, _MOST_PLACES))
        case Map() as op:
            dtypes = tuple([value.dtype for value in node.inputs])
            return range_of(op.expression, given, dtypes)
    return found if node.op.scalar is None else _within(exact_range(node.op.scalar, given), found)


def _of_numbers(value: Any) -> Range | None:
    array = np.asarray(value)
    return Range(int(array.min()), int(array.max())) if array.size and array.dtype.kind in "biu" else None


def range_of(
    tree: scalar.Expression, given: Sequence[Range | None], dtypes: tuple[DType, ...]
) -> Range | None:
    """The range of a scalar expression over operands of some ranges, and dtypes."""
    whole = _of_dtype(scalar.dtype_of(tree, dtypes))
    match tree:
        case scalar.Operand(index):
            return given[index]
        case scalar.Literal(value):
            return None if whole is None else Range(int(value), int(value))
        case scalar.Convert(_, of):
            return None if whole is None else _within(range_of(of, given, dtypes), whole)
        case scalar.Apply(function, arguments):
            if whole is None:
                return None
            return _within(
                exact_range(function, [range_of(each, given, dtypes) for each in arguments]), whole
            )


def _within(found: Range | None, whole: Range) -> Range:
    """A range, where nothing wraps around."""
    return found if found is not None and found.is_in(whole) else whole


def exact_range(function: str, given: Sequence[Range | None]) -> Range | None:
    """Where a scalar function's results lie, if numbers never wrap around; None where that is anywhere."""
    rule = _RULES.get(function)
    known = [each for each in given if each is not None]
    if function == "select":
        return _joined(given[1:])
    return rule(*known) if rule is not None and len(known) == len(given) else None


def _product(x: Range, y: Range) -> Range:
    ends = [one * other for one in x for other in y]
    return Range(min(ends), max(ends))


def _remainder(x: Range, y: Range) -> Range | None:
    if y.least > 0 and x.least >= 0 and x.most < y.least:
        return x
    found = Range(min(0, y.least + 1), max(0, y.most - 1))
    if x.least >= 0 and y.least >= 0:
        return Range(0, min(found.most, x.most))
    return found


def _quotient(x: Range, y: Range) -> Range | None:
    if y.least <= 0:
        return Range(0, x.most) if x.least >= 0 == y.least else None
    ends = [one // other for one in x for other in y]
    return Range(min(ends), max(ends))


def _common_bits(x: Range, y: Range) -> Range | None:
    tops = [each.most for each in (x, y) if each.least >= 0]
    return Range(0, min(tops)) if tops else None


def _absolute(x: Range) -> Range:
    least = 0 if x.least <= 0 <= x.most else min(map(abs, x))
    return Range(least, max(map(abs, x)))


def _power(x: Range, y: Range) -> Range | None:
    if x.least < 0 or y.least < 0 or y.most > _MOST_BITS or x.most.bit_length() * y.most > 2 * _MOST_BITS:
        return None
    return Range(0, max(x.most**y.most, 1))


def _shifted(x: Range, y: Range) -> Range | None:
    if y.least < 0 or y.most > _MOST_BITS:
        return None
    return Range(min(x.least << y.most, x.least), max(x.most << y.most, x.most))


_MOST_BITS = 64

_RULES: Mapping[str, Callable[..., Range | None]] = {
    "add": Range.plus,
    "subtract": lambda x, y: Range(x.least - y.most, x.most - y.least),
    "multiply": _product,
    "square": lambda x: _absolute(_product(x, x)) if x.least < 0 else _product(x, x),
    "negative": lambda x: Range(-x.most, -x.least),
    "absolute": _absolute,
    "maximum": lambda x, y: Range(max(x.least, y.least), max(x.most, y.most)),
    "minimum": lambda x, y: Range(min(x.least, y.least), min(x.most, y.most)),
    "fmax": lambda x, y: Range(max(x.least, y.least), max(x.most, y.most)),
    "fmin": lambda x, y: Range(min(x.least, y.least), min(x.most, y.most)),
    "remainder": _remainder,
    "floor_divide": _quotient,
    "bitwise_and": _common_bits,
    "right_shift": lambda x, _: Range(min(x.least, 0), max(x.most, 0)),
    "left_shift": _shifted,
    "power": _power,
    **dict.fromkeys(("floor", "ceil", "trunc", "rint", "conjugate"), lambda x: x),
}
"""Of bools, which wrap around, see `_within`."""
