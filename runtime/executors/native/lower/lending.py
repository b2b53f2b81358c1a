"""Arrays that a function writes into are written where the caller has them, and put back where a run fails.

::

    def f(x, n):                        def f(x, n):                    # x is lent
        y = memory(f64, 1000)               remember x[:1000]           # only where something may fail
        y[:] = x[:1000]                     for i in range(n):
        for i in range(n):       ⇒              x[i] = x[i] + 1
            y[i] = y[i] + 1                 return
        return y    # copied into x

Nothing is remembered where nothing fails once something was written. As in plain Python, Ctrl-C then leaves
what was written until then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.analysis.ownership import Ownership
from runtime.core.spec import ArraySpec
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Array,
    Call,
    Expression,
    Fail,
    Function,
    Host,
    If,
    Named,
    Remember,
    Share,
    Statement,
    Try,
)
from runtime.executors.native.language.walking import arrays_written, inside, kinds_in
from runtime.graph.module import Module
from runtime.graph.op import Effects

__all__ = ["lendable", "remembering"]

_MOST = 32
"""Arrays that are lent: each has a bit in half a word."""


def lendable(module: Module, owned: Ownership, written: Sequence[int]) -> Mapping[int, int]:
    """The inputs that can be written into where they are, by the outputs that say what they hold in the end.

    Parameters
    ----------
    module : Module
        Its last outputs say what these inputs hold.
    owned : Ownership
        Of its entry, if it owns these.
    written : sequence of int
    """
    graph = module.entry
    first = len(graph.outputs) - len(written)
    lent = {first + number: index for number, index in enumerate(written)}
    is_alone = not graph.effects & ~Effects.CHECKS and graph not in module.functions.values()
    if not is_alone or not owned.origins or len(written) > _MOST or owned.kept & {*written}:
        return {}
    ends = {graph.outputs[output] for output in lent}
    for output, value in enumerate(graph.outputs):
        index = lent.get(output)
        if index is not None:
            is_same = isinstance(value.spec, ArraySpec) and value.spec == graph.inputs[index].spec
            if not is_same or not value.shape or not owned.origins[output] <= {index}:
                return {}
        elif owned.origins[output] & {*written} and value not in ends:
            return {}
    return lent


def remembering(function: Function, lent: Sequence[tuple[Array, Expression]], *, in_doubt: bool) -> Function:
    """A function that remembers what lent arrays held before it writes, where it may fail after that.

    Parameters
    ----------
    function : Function
    lent : sequence of (array, length)
        Those among its parameters.
    in_doubt : bool
        Whether a run may be done again once it is over.
    """
    body = _Remembering(function, lent).block(function.body, fails_later=in_doubt)
    return function.with_body(body)


class _Remembering:
    """A function in the making."""

    def __init__(self, function: Function, lent: Sequence[tuple[Array, Expression]]) -> None:
        self._all = [Remember(array, count, number) for number, (array, count) in enumerate(lent)]
        self._names = _in_memory_of(function, {array.name for array, _ in lent})

    def block(self, statements: Sequence[Statement], *, fails_later: bool) -> list[Statement]:
        """A block, behind which something may fail or not."""
        found: list[Statement] = []
        for each in reversed(statements):
            fails = not _FAILS.isdisjoint(kinds_in([each]))
            if self._writes(each):
                if isinstance(each, If):
                    then, orelse = [
                        self.block(branch, fails_later=fails_later) for branch in (each.then, each.orelse)
                    ]
                    found.append(If(each.test, then, orelse, is_rare=each.is_rare))
                else:
                    found += [each, *(reversed(self._all) if fails or fails_later else ())]
            else:
                found.append(each)
            fails_later = fails_later or fails
        return _first_only(found[::-1])

    def _writes(self, statement: Statement) -> bool:
        return any(not self._names.isdisjoint(arrays_written(each)) for each in inside([statement]))


_FAILS = frozenset({Fail, Allocate, Call, Host, Share, Try})
"""Statements that may end a run: there may be no memory, and no room on the stack."""


def _first_only(statements: Sequence[Statement]) -> list[Statement]:
    """A block that remembers once: what is remembered later was written to."""
    first = next((place for place, each in enumerate(statements) if isinstance(each, Remember)), None)
    if first is None:
        return list(statements)
    last = first
    while last < len(statements) and isinstance(statements[last], Remember):
        last += 1
    return [*statements[:last], *[each for each in statements[last:] if not isinstance(each, Remember)]]


def _in_memory_of(function: Function, names: set[str]) -> set[str]:
    """All arrays that may lie in the memory of some."""
    pairs: list[tuple[str, str]] = []
    for each in inside(function.body):
        match each:
            case Alias(array, of):
                pairs.append((array.name, of.name))
            case Call(_, arguments, results) | Host(_, arguments, results):
                given = [one.name for one in arguments if isinstance(one, Array)]
                pairs += [(one, other.name) for one in given for other in results if _is_array(other)]
    found, before = set(names), 0
    while len(found) > before:
        before = len(found)
        for one, other in pairs:
            if one in found or other in found:
                found |= {one, other}
    return found


def _is_array(each: Named) -> bool:
    return isinstance(each, Array)
