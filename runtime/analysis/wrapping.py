"""Whether integers without axes may wrap around: what their ranges and the checks before them rule out.

>>> from runtime.graph.parser import from_text
>>> text = '''
...     i: i64[]
...     a = Const(10, dtype=i64)
...     b = FloorMod(i, a)
...     c = AddV2(b, {})
...     return c
... '''
>>> may_wrap(from_text(text.format("a"))), may_wrap(from_text(text.format("i")))
(False, True)
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.analysis.intervals import exact_range, of_spec
from runtime.analysis.ranges import Ranges
from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph, Node, Value
from runtime.ops.checks import CheckWhole
from runtime.ops.families import Elementwise

__all__ = ["may_wrap"]

_OF_SIGNS = {"+": "add", "-": "subtract", "*": "multiply"}
"""What a check of a sign says of a function."""
_WRAPPING = frozenset({*_OF_SIGNS.values(), "negative", "absolute", "floor_divide"})
"""Functions of which NumPy's scalars say that they overflow."""


def may_wrap(graph: Graph) -> bool:
    """Whether a sum, product or the like of integers without axes may wrap around, in it or inside of it."""
    ranges = Ranges(graph)
    return any(_has_wrapping(inner, ranges) for inner in graph.walk())


def _has_wrapping(graph: Graph, ranges: Ranges) -> bool:
    checked: set[tuple[str, Sequence[Value]]] = set()
    for node in graph.nodes:
        match node.op:
            case CheckWhole(symbol) if symbol in _OF_SIGNS:
                checked.add((_OF_SIGNS[symbol], tuple(node.inputs)))
            case Elementwise(scalar=function) if function in _WRAPPING and _is_of_scalars(node):
                if (function, tuple(node.inputs)) not in checked and not _has_room(function, node, ranges):
                    return True
    return False


def _is_of_scalars(node: Node) -> bool:
    spec = node.outputs[0].spec
    return isinstance(spec, ArraySpec) and spec.dtype.is_integer and not spec.shape


def _has_room(function: str, node: Node, ranges: Ranges) -> bool:
    """Whether every result is a number of its dtype."""
    whole = of_spec(node.outputs[0].spec)
    found = exact_range(function, [*map(ranges.of, node.inputs)])
    return found is not None and whole is not None and found.is_in(whole)
