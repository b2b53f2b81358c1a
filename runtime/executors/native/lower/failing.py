"""Lowering of checks and of raised exceptions."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.exceptions import put_together
from runtime.core.spec import ArraySpec
from runtime.core.structure import Structure
from runtime.core.text import Apply, Slot, Template
from runtime.executors.native.code import MOST_SHOWN
from runtime.executors.native.forms import missing
from runtime.executors.native.lower.building import Beyond, Unsupported
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Lowered
from runtime.graph.graph import Node
from runtime.ops import core
from runtime.ops.core.calls import escaped
from runtime.ops.raising import Nest, Raise, Recipe


@lowers(core.Check)
def _check(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, core.Check), "it lowers these"
    holds, *shown = [lowering.scalar(value) for value in node.inputs]
    lowering.fail_unless(holds, node, node.op.error, node.op.message, *shown)
    return []


@lowers(Raise, of_objects=True)
def _raise(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, Raise), "it lowers these"
    if lowering.shared.calls_python:
        raise Unsupported("an exception is an object of Python's")
    if lowering.shared.beyond is Beyond.ANOTHER:
        lowering.give_up(node, "Exception", "")
        return []
    specs = [value.spec for value in node.inputs]
    if not all(isinstance(spec, ArraySpec) and spec.is_scalar and not missing(spec) for spec in specs):
        raise Unsupported("the exception holds more than numbers")
    shown = [lowering.scalar(value) for value in node.inputs]
    lowering.give_up(node, *_said(node.op.recipe, len(shown)), *shown)
    return []


def _said(recipe: Recipe, count: int) -> tuple[str, str]:
    """The class of Python's own that an exception is of, and its message, with places for so many numbers."""
    kind = next(kind for kind in recipe.raised.__mro__ if kind.__module__ == "builtins")
    name = recipe.raised.__name__
    message = _message(recipe, count)
    return kind.__name__, message if kind.__name__ == name else f"{name}: {message}"


def _message(recipe: Recipe, count: int) -> str:
    if not count:
        return escaped(str(put_together(recipe.filled(()))))
    if count > MOST_SHOWN:
        raise Unsupported(f"an exception shows more than {MOST_SHOWN} numbers")
    match recipe.args:
        case (Slot() as only,):
            message = _places(only)
        case (Nest(Structure(extra=str() | Apply() as template)),):
            message = _places(template)
        case _:
            raise Unsupported("an exception holds more than one text or number")
    if message.count(_PLACE) != count:
        raise Unsupported("an exception holds more than its message")
    for index in range(count):
        message = message.replace(_PLACE, f"{{{index}}}", 1)
    return message


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
