"""Texts of which something is known: what characters they have stands in the template, or is a constant.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     n: i64[]
...     a = Const([97, 98], dtype=i32)
...     b = TextOf(a, n, function='item', arguments=(Apply('characters', (Slot(),)), Slot(True)))
...     return b
... '''))
n: i64[]
a = Const([97, 98], dtype=i32)
b: i32[text_of.0] = TextOf(n, function='item', arguments=('ab', Slot(True)))
return b
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.core.text import Apply, Slot, filled, is_deep, joined
from runtime.graph.build import bind
from runtime.graph.graph import Graph, Value
from runtime.graph.op import Const
from runtime.ops.texts import TextOf, code_points
from runtime.passes.rule import Replacement, rewrite, rule, rules_of

__all__ = ["run"]

_LONGEST = 1 << 12
"""Characters up to which a constant is written into a template."""


@rule(TextOf)
def known_characters(v: Value) -> Replacement:
    """f(characters([97, 98]), x) → f("ab", x)."""
    op = v.op
    assert isinstance(op, TextOf), "the rule is for these"
    if not any(isinstance(value.op, Const) for value in v.inputs) or any(map(is_deep, op.arguments)):
        return None
    places, left = iter(v.inputs), list[Value]()
    arguments = tuple([_with_known(each, places, left) for each in op.arguments])
    return None if len(left) == len(v.inputs) else bind(TextOf(op.function, arguments), *left)


def _with_known(part: Any, places: Iterator[Value], left: list[Value]) -> Any:
    """A part of a template in which characters that are constants are text; the others are left."""
    match part:
        case Slot():
            left.append(next(places))
        case Apply("characters", (Slot(),)):
            value = next(places)
            if isinstance(value.op, Const) and value.op.value.size <= _LONGEST:
                return filled(part, [value.op.value])
            left.append(value)
        case Apply(function, arguments):
            return Apply(function, tuple([_with_known(each, places, left) for each in arguments]))
    return part


@rule(TextOf)
def known_text(v: Value) -> Replacement:
    """str("ab") → [97, 98]."""
    match v:
        case Value(TextOf("str", (str() | Apply("join") as template,)), []):
            text = joined([template])
            return bind(Const(code_points(text))) if isinstance(text, str) else None
    return None


rules = rules_of(globals())


def run(graph: Graph) -> Graph:
    """`graph` with what is known of its texts in their templates."""
    return rewrite(graph, rules)
