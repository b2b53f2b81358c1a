"""Checks of numbers that cannot fail: as what is known of the numbers says, or because they were made before.

>>> from runtime.passes.pipeline import shown
>>> print(shown(run, '''
...     n: i64[]
...     a = Const(7, dtype=i64)
...     b = FloorMod(n, a)
...     CheckWhole(b, b, symbol='*')
...     c = Mul(b, b)
...     CheckWhole(c, n, symbol='+')
...     d = AddV2(c, n)
...     return d
... '''))
n: i64[]
a = Const(7, dtype=i64)
b = FloorMod(n, a)
c = Mul(b, b)
CheckWhole(c, n, symbol='+')
d = AddV2(c, n)
return d
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.analysis import signs
from runtime.analysis.ranges import Range, Ranges, exact_range
from runtime.graph.graph import Graph, Node
from runtime.graph.op import Op
from runtime.ops.checks import CheckCount, CheckDivisor, CheckFits, CheckHeld, CheckWhole
from runtime.ops.domains import CheckDomain
from runtime.passes.rebuild import with_ops

__all__ = ["run"]

_CHECKS = frozenset({CheckCount, CheckDivisor, CheckDomain, CheckFits, CheckHeld, CheckWhole})
_SIGNS = {"math.exp": -1, "math.exp2": -1, "math.expm1": -1, "math.sqrt": 1}
"""Functions that are defined, and finite, for all numbers of one sign."""


def run(graph: Graph) -> Graph:
    """`graph` without the checks that are sure to hold."""
    if _CHECKS.isdisjoint(graph.kinds):
        return graph
    ranges = Ranges(graph)

    def leaving_out() -> Callable[[Node], Op | None]:
        met: set[object] = set()
        return lambda node: None if _is_sure(node, ranges, met) else node.op

    return with_ops(graph, _CHECKS, leaving_out)


def _is_sure(node: Node, ranges: Ranges, met: set[object]) -> bool:
    """Whether a check holds; `met` are those of its graph that were made before."""
    check = node.op, *node.inputs
    if check in met:
        return True
    met.add(check)
    if isinstance(node.op, CheckDomain):
        sign = _SIGNS.get(node.op.function)
        return sign is not None and signs.sign_of(node.inputs[0]) == sign
    x, y = [*map(ranges.of, node.inputs)] * (2 if len(node.inputs) == 1 else 1)
    match node.op:
        case CheckCount():
            return y is not None and y.least >= 0
        case CheckDivisor():
            return y is not None and not y.least <= 0 <= y.most
        case CheckFits(to):
            return x is not None and to.min <= x.least and x.most <= to.max
        case CheckWhole(symbol):
            found = exact_range(_FUNCTIONS[symbol], [x, y])
            return found is not None and found.is_in(_OF_64_BITS)
    return False


_FUNCTIONS = {"+": "add", "-": "subtract", "*": "multiply", "**": "power", "<<": "left_shift"}
_OF_64_BITS = Range(-(1 << 63), (1 << 63) - 1)
