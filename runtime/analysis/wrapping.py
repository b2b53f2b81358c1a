"""Whether integers without axes may wrap around, and floats overflow: NumPy tells of both in the same words.

Of integers, their ranges and the checks before them rule out most.

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

from collections.abc import Iterator, Sequence

from runtime.analysis.intervals import exact_range, of_spec
from runtime.analysis.ranges import Ranges
from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph, Node, Value
from runtime.ops.casting import Cast
from runtime.ops.checks import CheckWhole
from runtime.ops.families import Elementwise

__all__ = ["may_overflow", "may_wrap", "wrapping"]

_OF_SIGNS = {"+": "add", "-": "subtract", "*": "multiply"}
"""What a check of a sign says of a function."""
_WRAPPING = frozenset({*_OF_SIGNS.values(), "negative", "absolute", "floor_divide"})
"""Functions of which NumPy's scalars say that they overflow."""

_BOUNDED = (
    "arccos arccosh arcsin arctan arctan2 ceil cos copysign deg2rad floor fmax fmin fmod log log10 log1p "
    "log2 maximum minimum remainder rint select sign sin sqrt tanh trunc"
)
_NEVER_BEYOND = frozenset(_BOUNDED.split())
"""Functions of floats that do not overflow."""


def may_overflow(graph: Graph) -> bool:
    """Whether NumPy may tell of floats that overflow, in a graph or inside of it."""
    return any(_may_overflow(node) for inner in graph.walk() for node in inner.nodes)


def _may_overflow(node: Node) -> bool:
    specs = (spec for spec in node.specs if isinstance(spec, ArraySpec))
    if node.op.regions or not any(spec.dtype.is_floating or spec.dtype.is_complex for spec in specs):
        return False
    if isinstance(node.op, Elementwise):
        function = node.op.scalar
        if function in _NEVER_BEYOND:
            return False
        if function == "divide" and all(isinstance(each.op, Cast) for each in node.inputs):
            return not all(each.node.inputs[0].dtype.is_integer for each in node.inputs)
    return not node.op.may_run_early(*[value.spec for value in node.inputs])


def may_wrap(graph: Graph) -> bool:
    """Whether a sum, product or the like of integers without axes may wrap around, in it or inside of it."""
    return any(True for _ in wrapping(graph))


def wrapping(graph: Graph) -> Iterator[Node]:
    """The nodes whose integers without axes may wrap around, in a graph and in the graphs inside of it."""
    ranges = Ranges(graph)
    for inner in graph.walk():
        yield from _wrapping(inner, ranges)


def _wrapping(graph: Graph, ranges: Ranges) -> Iterator[Node]:
    checked: set[tuple[str, Sequence[Value]]] = set()
    for node in graph.nodes:
        match node.op:
            case CheckWhole(symbol) if symbol in _OF_SIGNS:
                checked.add((_OF_SIGNS[symbol], tuple(node.inputs)))
            case Elementwise(scalar=function) if function in _WRAPPING and _is_of_scalars(node):
                if (function, tuple(node.inputs)) not in checked and not _has_room(function, node, ranges):
                    yield node


def _is_of_scalars(node: Node) -> bool:
    spec = node.outputs[0].spec
    return isinstance(spec, ArraySpec) and spec.dtype.is_integer and not spec.shape


def _has_room(function: str, node: Node, ranges: Ranges) -> bool:
    """Whether every result is a number of its dtype."""
    whole = of_spec(node.outputs[0].spec)
    found = exact_range(function, [*map(ranges.of, node.inputs)])
    return found is not None and whole is not None and found.is_in(whole)
