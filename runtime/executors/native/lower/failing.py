"""Lowering of checks and of raised exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.analysis.ranges import Range
from runtime.core.exceptions import put_together
from runtime.core.spec import ArraySpec, Spec
from runtime.core.structure import Structure
from runtime.core.text import Apply, Slot, Template
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.forms import missing
from runtime.executors.native.language.loops import Fail, Set, Site, as_int64
from runtime.executors.native.llvm.code import MOST_SHOWN
from runtime.executors.native.lower.building import Shared
from runtime.executors.native.lower.distributions import at_least
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Failure, Lowered
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.resources import HostObject
from runtime.ops import core
from runtime.ops.checks import TellEmpty
from runtime.ops.core.calls import escaped
from runtime.ops.raising import Nest, Raise, Recipe, Reraise

__all__ = ["all_raising", "is_number", "raising_in", "shown_by", "site_of"]


_TRUE = Range(1, 1)


@lowers(core.Check)
def _check(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, core.Check), "it lowers these"
    if lowering.ranges.of(node.inputs[0]) == _TRUE:
        return []
    holds, *shown = [lowering.scalar(value) for value in node.inputs]
    lowering.fail_unless(holds, node, node.op.error, node.op.message, *shown)
    match node.inputs[0]:
        case Value(core.Map("x0 >= i64(0)"), [number]):
            lowering.natural.add(number)
    return []


@lowers(TellEmpty)
def _told_when_empty(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    count = lowering.scalar(node.inputs[0])
    lowering.assume(at_least(as_int64(count), 1), "a list has stayed empty, of which there is a warning")
    return []


@lowers(Raise, of_objects=True)
def _raise(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, Raise), "it lowers these"
    site = site_of(lowering.shared, node)
    lowering.emit(Fail(site, tuple([lowering.scalar(node.inputs[index]) for index in shown_by(node)])))
    return []


@lowers(Reraise, of_objects=True)
def _reraise(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, Reraise), "it lowers these"
    failure = lowering.values[node.inputs[0]]
    if node.op.changes is not None or lowering.shared.calls_python or not isinstance(failure, Failure):
        raise Unsupported("an exception is an object of Python's")
    failed = lowering.failed()
    for name, part in zip(failed.names, failure.parts, strict=True):
        lowering.emit(Set(name, part))
    lowering.emit(Fail(failed))
    return []


def site_of(shared: Shared, node: Node) -> int:
    """The place where a node raises an exception of the program's own.

    In the place of another program, nobody says what an exception holds that nothing catches.
    """
    if node not in shared.raising:
        op = node.op
        assert isinstance(op, Raise), "it raises"
        shown = shown_by(node)
        if shared.beyond is Beyond.PYTHON and len(shown) < len(node.inputs):
            raise Unsupported("the exception holds more than a few numbers")
        error, message = ("", "")
        if shared.beyond is Beyond.NOBODY:
            error, message = _said(op.recipe, [value.spec for value in node.inputs])
        dtypes = tuple([node.inputs[index].dtype for index in shown])
        site = Site(node, error, message, dtypes, op.kernel, op.recipe.raised)
        shared.raising[node] = shared.site(site)
    return shared.raising[node]


def shown_by(node: Node) -> list[int]:
    """The operands of a node that raises which machine code shows: the first few numbers."""
    numbers = [index for index, value in enumerate(node.inputs) if is_number(value.spec)]
    return numbers[:MOST_SHOWN]


def raising_in(module: Module, graph: Graph) -> tuple[Node, ...]:
    """The nodes that raise exceptions of the program's own, in a graph and in what it calls.

    Where one is raised again, it may be any.
    """
    found, pending, met = dict[Node, None](), [graph], {graph}
    while pending:
        for node in (node for inner in pending.pop().walk() for node in inner.nodes):
            if isinstance(node.op, Reraise):
                return all_raising(module)
            if isinstance(node.op, Raise):
                found[node] = None
            callee = module.functions.get(node.op.callee or "")
            if callee is not None and callee not in met:
                met.add(callee)
                pending.append(callee)
    return tuple(found)


def all_raising(module: Module) -> tuple[Node, ...]:
    """All nodes of a module that raise exceptions of the program's own."""
    nodes = [node for graph in module.graphs() for inner in graph.walk() for node in inner.nodes]
    return tuple([node for node in nodes if isinstance(node.op, Raise)])


def is_number(spec: Spec) -> bool:
    """Whether machine code shows a value of a spec: a number, and no complex one."""
    return isinstance(spec, ArraySpec) and spec.is_scalar and not (missing(spec) or spec.dtype.is_complex)


def _said(recipe: Recipe, specs: Sequence[Spec]) -> tuple[str, str]:
    """The class of Python's own that an exception is of, and its message, with places for numbers."""
    own = len(_slots_in(recipe.args))
    if not all(map(is_number, specs[:own])):
        raise Unsupported("the exception holds more than numbers")
    kind = next(kind for kind in recipe.raised.__mro__ if kind.__module__ == "builtins")
    name = recipe.raised.__name__
    message = _message(recipe, own)
    return kind.__name__, message if kind.__name__ == name else f"{name}: {message}"


def _slots_in(part: Any) -> list[Slot]:
    """The places for values in a part of an exception."""
    match part:
        case Slot():
            return [part]
        case Nest(_, leaves):
            return _slots_in(leaves)
        case Apply(_, parts):
            return _slots_in(parts)
        case tuple():
            return [slot for each in part for slot in _slots_in(each)]
    return []


def _message(recipe: Recipe, count: int) -> str:
    if not count:
        alone = Recipe(recipe.kind, recipe.args)
        return escaped(str(put_together(alone.filled(()))))
    if count > MOST_SHOWN:
        raise Unsupported(f"an exception shows more than {MOST_SHOWN} numbers")
    match recipe.args:
        case (only,):
            message = _argument(only)
        case several:
            message = f"({', '.join(map(_argument, several))})"
    if message.count(_PLACE) != count:
        raise Unsupported("an exception holds more than its message")
    for index in range(count):
        message = message.replace(_PLACE, f"{{{index}}}", 1)
    return message


def _argument(part: Any) -> str:
    """An argument of an exception, with a mark where a number is shown."""
    match part.value if isinstance(part, HostObject) else part:
        case Slot(is_array=False):
            return _PLACE
        case Nest(Structure(extra=str() | Apply() as template)):
            return _places(template)
        case bool() | int() | float() | str() | np.number() | None as known:
            return escaped(repr(known))
    raise Unsupported("an exception holds more than numbers and texts")


_PLACE = "\0"


def _places(template: Template) -> str:
    """A text, with a mark where each number is shown as it is."""
    match template:
        case str():
            return escaped(template)
        case Slot():
            return _PLACE
        case Apply("join", parts):
            return "".join(map(_places, parts))
        case Apply("format", (Slot() as slot, "")) | Apply("str", (Slot() as slot,)):
            return _places(slot)
    raise Unsupported("the message of an exception writes numbers in a way of its own")
