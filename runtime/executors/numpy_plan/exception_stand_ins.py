"""Replacements for the kernels that raise and catch exceptions in a standalone program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.core.spec import ArraySpec, ErrorSpec, Spec
from runtime.core.text import Apply, Slot
from runtime.errors import only_in_graphs
from runtime.executors.numpy_plan.kernels import Helpers
from runtime.executors.numpy_plan.literals import Unwritable, literal
from runtime.executors.numpy_plan.texts import text_source
from runtime.graph.failures import failures_in
from runtime.graph.graph import Node
from runtime.ops.control_flow.try_catch import Caught, Step, Try
from runtime.ops.raising import Raise, Recipe, Reraise

__all__ = ["exception_source"]


def exception_source(name: str, node: Node, helpers: Helpers) -> str | None:
    """A function for the bound kernel of `node`; None where there is no form for it here."""
    try:
        match node.op:
            case Raise(recipe):
                names = [f"value_{index}" for index in range(len(node.inputs))]
                return (
                    f"def {name}({', '.join(names)}):\n    raise {_exception(recipe, names, node, helpers)}"
                )
            case Reraise(_, None):
                return f"def {name}(error):\n    raise error"
            case Caught(path, spec) if not isinstance(spec, ErrorSpec):
                part = "".join(["error", *map(_part_at, path)])
                value = f"str({part})"
                if isinstance(spec, ArraySpec):
                    value = f"np.asarray({part}, {literal(spec.dtype.numpy)})[()]"
                return f"def {name}(error):\n    return {value}"
            case Try() as op:
                return _caught(name, op)
    except Unwritable:
        return None
    return None


def _part_at(step: Step) -> str:
    """How a part of an exception is written."""
    if isinstance(step, tuple):
        return f"[{step[0]!r}]"
    return f"[{step}]" if isinstance(step, int) else f".{step}"


class _Name(str):
    """A name that stands for a value among the parts of an exception."""

    __slots__ = ("spec",)
    spec: Spec


def _named(name: str, spec: Spec) -> _Name:
    found = _Name(name)
    found.spec = spec
    return found


def _exception(recipe: Recipe, names: list[str], node: Node, helpers: Helpers) -> str:
    """An expression that makes the exception."""
    specs = [value.spec for value in node.inputs]
    parts = recipe.filled(list(map(_named, names, specs)))
    if parts.kind.__module__ != "builtins" or parts.attributes or parts.cause is not None:
        raise Unwritable(f"{recipe!r} is more than a message")
    return f"{parts.kind.__name__}({', '.join([_argument(each, helpers) for each in parts.args])})"


def _argument(value: Any, helpers: Helpers) -> str:
    """An argument of an exception as source."""
    if isinstance(value, _Name):
        return str(value)
    template = getattr(value, "template", None)
    if isinstance(template, (Apply, Slot)):
        return text_source(template, value.tensors, [each.spec for each in value.tensors], helpers)
    if isinstance(value, tuple):
        return f"({''.join(f'{_argument(part, helpers)}, ' for part in value)})"
    return literal(value)


def _caught(name: str, op: Try) -> str:
    """What the outputs of a `Try` are after an exception."""
    if any(map(only_in_graphs, failures_in(op.body.nodes))):
        raise Unwritable("what only graphs raise passes its handlers")
    kinds = ", ".join(literal(kind) for kind in op.kinds)
    specs = [spec for spec in op.specs if isinstance(spec, ArraySpec)]
    if len(specs) < len(op.specs):
        raise Unwritable("a list has no form of its own")
    lines = [
        f"def {name}(error, cell):",
        f"    for number, kind in enumerate(({kinds},), 1):",
        "        if isinstance(error, kind):",
        "            break",
        "    else:",
        "        raise error",
        *_states(op, specs),
        "    return np.int64(number), error, *state",
    ]
    return "\n".join(lines)


def _states(op: Try, specs: Sequence[ArraySpec]) -> Iterator[str]:
    """The variables at each checkpoint."""
    yield "    state = ()"
    for number, row in op.rows if specs else ():
        values = [
            f"np.asarray({f'cell[{at + 1}]' if isinstance(at, int) else literal(at.value)}, "
            f"{literal(spec.dtype.numpy)})[()]"
            for at, spec in zip(row, specs, strict=True)
            if at is not None  # that would be a list
        ]
        yield f"    if cell[0] == {number}:"
        yield f"        state = ({''.join(f'{value}, ' for value in values)})"
