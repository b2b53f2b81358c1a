"""Loops in two forms: one for small arguments, in which no whole number gets too large to be one.

::

    for i in range(n):                      if -32768 < n < 32768:
        if not multiply_fits(i, i):             for i in range(n):
            fail                    ⇒               total = total + i * i
        square = i * i                      else:
        if not add_fits(total, square):         ...
            fail
        total = total + square

An int of Python's own has as many bits as it needs, so what is made of one is looked at where it may need
more than 64. Of an argument nobody knows beforehand how large it is; but few programs count to billions. What
follows of it where it is small, ranges say as of anything else. A loop that cannot fail may become vectors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from runtime.analysis.intervals import FITS
from runtime.analysis.ranges import Range, Ranges
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Apply,
    Cast,
    Expression,
    Fail,
    For,
    Function,
    If,
    Number,
    Rows,
    Set,
    Site,
    Statement,
    Variable,
    While,
)
from runtime.executors.native.language.walking import (
    as_before,
    changed_by,
    changes_of,
    inside,
    numbers_in,
    size_of,
    units,
    with_blocks,
)
from runtime.graph.graph import Graph, Node, Value
from runtime.ops.core import Check, Map
from runtime.ops.core.expression import Apply as Applied

__all__ = ["for_small_numbers"]

_BITS = 31, 20, 15
"""How small arguments are, one after the other, until everything fits that may."""
_FEW_BITS = 5
"""Likewise, where nothing fits else: turns that double a number are as many as it has bits."""
_MOST = 120
"""Statements of a loop that is not written twice."""
_LARGEST = 2_000
"""Nodes of a graph of which nobody asks what would be if."""


def for_small_numbers(
    function: Function, graph: Graph, numbers: Mapping[Value, Variable], sites: Sequence[Site]
) -> Function:
    """A function that asks less in loops where its arguments are small.

    Parameters
    ----------
    function : Function
    graph : Graph
        What it was made of.
    numbers : mapping of Value to Variable
        The arguments that are whole numbers, and how they are called.
    sites : sequence of Site
        Where it may fail.
    """
    changed = set(changed_by(function.body))
    kept = {value: number for value, number in numbers.items() if number.name not in changed}
    if not kept:
        return function
    held, bits = _held(graph, kept)
    places = {place for place, site in enumerate(sites) if site.node in held}
    if not places:
        return function
    body = _Forms(function, places, _are_small(list(kept.values()), bits)).block(function.body)
    return function.with_body(body)


def _held(graph: Graph, numbers: Mapping[Value, Variable]) -> tuple[Collection[Node], int]:
    """The checks that hold where arguments have so many bits: as many of them as can be."""
    nodes = [node for inner in graph.walk() for node in inner.nodes]
    checks = [node for node in nodes if isinstance(node.op, Check) and _asks_for_room(node.inputs[0])]
    of_floats = [node for node in nodes if isinstance(node.op, Check) and _asks_of_floats(node.inputs[0])]
    found: tuple[Collection[Node], int] = (), 0
    if not (checks or of_floats) or len(nodes) > _LARGEST:
        return found
    most = 0
    for bits in (*_BITS, _FEW_BITS):
        if bits == _FEW_BITS and most:
            break
        small = Range(1 - (1 << bits), (1 << bits) - 1)
        ranges = Ranges(graph, dict.fromkeys(numbers, small))
        held = [node for node in checks if ranges.of(node.inputs[0]) == _TRUE]
        if len(held) > most or not checks:
            most = len(held)
            found = {*held, *[node for node in of_floats if ranges.of(node.inputs[0]) == _TRUE]}, bits
        if len(held) == len(checks):
            break
    return found


_TRUE = Range(1, 1)


def _asks_for_room(value: Value) -> bool:
    """Whether a value says that a whole number is no larger than its dtype."""
    tree = value.op.expression if isinstance(value.op, Map) else None
    return isinstance(tree, Applied) and tree.function.endswith(FITS)


def _asks_of_floats(value: Value) -> bool:
    """Whether a value says something of floats alone."""
    return isinstance(value.op, Map) and all(each.dtype.is_floating for each in value.inputs)


def _are_small(numbers: Sequence[Variable], bits: int) -> Expression:
    tests: list[Expression] = []
    for number in numbers:
        for one, other in ((Number(-(1 << bits), int64), number), (number, Number(1 << bits, int64))):
            tests.append(Apply("less", (one, other), bool_))
    holds = tests[0]
    for test in tests[1:]:
        holds = Apply("logical_and", (holds, test), bool_)
    return holds


class _Forms:
    """Loops that are written twice: `places` do not fail where arguments are small."""

    def __init__(self, function: Function, places: Collection[int], small: Expression) -> None:
        self._places = places
        reads = Counter([name for each in inside(function.body) for name in numbers_in(each)])
        reads.update([each.name for each in function.results])
        held = [each for each in inside(function.body) if self._holds(each)]
        asked = Counter([name for each in held for name in numbers_in(each)])
        self._only_asked = {name for name, count in asked.items() if reads[name] == count}
        """Numbers that nobody reads where nothing is asked."""
        self._small = small

    def block(self, statements: Sequence[Statement]) -> Sequence[Statement]:
        """Statements, of which loops are in two forms."""
        found: list[Statement] = []
        for unit in units(statements):
            statement = unit[-1]
            if isinstance(statement, For | While) and size_of(unit) <= _MOST:
                gains = any(map(self._holds, inside(unit)))
                found += [If(self._small, self._less(unit), unit)] if gains else unit
            elif isinstance(statement, If) and _are_forms(statement):
                then = as_before(self.block(statement.then), statement.then)
                is_same = then is statement.then
                found.append(statement if is_same else If(statement.test, then, statement.orelse))
            else:
                found += [*unit[:-1], with_blocks(statement, self.block)]
        return found

    def _less(self, statements: Sequence[Statement]) -> list[Statement]:
        """Statements that ask for nothing that holds."""
        found: list[Statement] = []
        near = set[str]()
        for each in statements:
            match each:
                case If(Apply("logical_not", (Variable(),))) if self._holds(each) and found:
                    near.update(_compared(found[-1]))
                case Set(variable, Cast(Variable(name) as of, to)) if name in near and to is int64:
                    found.append(Set(variable, Cast(of, to, fits=True)))
                    continue
                case _:
                    near -= changes_of(each) if near else near
            if isinstance(each, Rows):
                found.append(Rows(each.index, each.count, self._less(each.body), self._less(each.after)))
            elif not self._holds(each):
                found.append(with_blocks(each, self._less))
            else:
                last, asked = found[-1] if found else None, numbers_in(each)
                if isinstance(last, Set) and asked == [last.variable.name] and asked[0] in self._only_asked:
                    found.pop()
        return found

    def _holds(self, statement: Statement) -> bool:
        """Whether a statement only ends a run that does not end here."""
        match statement:
            case If(_, [Fail(int() as place)], []):
                return place in self._places
            case If(_, [*tests, If() as last], []) if self._holds(last):
                return all(isinstance(each, Set) or self._holds(each) for each in tests)
            case If(_, [*tests, Fail(int() as place)], []):
                return place in self._places and all(map(self._holds, tests))
        return False


def _compared(statement: Statement) -> list[str]:
    """The float of which a statement notes whether it is a whole number of 64 bits."""
    match statement:
        case Set(_, Apply("less", (Apply("absolute", (Variable(name),)), Number(limit)))) if limit == 2.0**63:
            return [name]
    return []


def _are_forms(branch: If) -> bool:
    """Whether a branch has two forms of a loop: the other arm is for what is seldom."""
    sites = _sites(branch.then)
    return bool(sites) and sites <= _sites(branch.orelse)


def _sites(statements: Sequence[Statement]) -> set[int]:
    """Where statements may fail."""
    return {each.site for each in inside(statements) if isinstance(each, Fail) and isinstance(each.site, int)}
