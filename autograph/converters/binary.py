"""Binary operators: a string that is formatted, and a left operand that the right one may change.

>>> from autograph.converters.picture import show
>>> show("y = 'x = %.2f' % x", Binary)
y = ag__.percent('x = %.2f', x)
>>> show("y = items + grown(items)", Binary)
y = ag__.operate(items, '+', grown(items))
>>> show("y = a + abs(b) * c", Binary)
y = a + abs(b) * c
>>> show("y = template % (a, b)", Binary)
y = ag__.percent(template, (a, b))
>>> show("y = template % a + n % 2", Binary)
y = ag__.percent(template, a) + n % 2
>>> show("y = [0] * n", Binary)
y = ag__.made([0] * n)

Python has the left operand in hand while the right one is computed. What is called there may put an object of
the graph in the place of that one. A list that is made of a display is announced as one.
"""

from __future__ import annotations

import ast
import builtins
import operator as python
from collections.abc import Callable, Mapping
from typing import Any

from autograph.converters.base import Context, Converter, Replacement, Walk
from autograph.converters.displays import makes_list
from autograph.source.nodes import walk
from autograph.source.plain_form import IN_PLACE
from autograph.source.template import Expression, literal
from autograph.staging import heap
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator, unbound_operator
from autograph_base.packages import OURS

__all__ = ["Binary", "operate", "percent"]

FUNCTIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "@": python.matmul,
    "/": python.truediv,
    "//": python.floordiv,
    "%": python.mod,
    "**": python.pow,
    "<<": python.lshift,
    ">>": python.rshift,
    "&": python.and_,
    "|": python.or_,
    "^": python.xor,
}

IN_HAND = (ast.Name, ast.Attribute, ast.Subscript, ast.NamedExpr, ast.IfExp, ast.BoolOp)
"""Operands that may be objects which somebody else has, too; others are made on the spot."""

MAY_BE_TEXT = (*IN_HAND, ast.Call, ast.BinOp, ast.JoinedStr)
"""Operands that may be strings, which no number in sight says otherwise of."""

COMPUTING = OURS | {"builtins", "cmath", "math", "numpy", "operator"}
"""Packages whose functions, called by name, change none of their arguments, but for a few that give None."""

_TEMPLATES = frozenset({bytearray, bytes, str})
"""Classes whose `%` puts values into a template."""


class Binary(Converter[ast.BinOp]):
    """`%` where it may format a string, and operators whose right operand calls something.

    A string is spelled out, or several values go into it, as no number divides; or it has a name, and
    so has what goes into it.
    """

    handles = (ast.BinOp,)
    formatted = Expression("ag__.percent(text, values)")
    template = Expression("ag__.operate(left, sign, right)")
    made = Expression("ag__.made(value)")

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        self._may_change: list[bool] = []
        self._formats: list[bool] = []
        self._makes: list[bool] = []
        self._operands: set[ast.AST] = set()

    def enter(self, node: ast.BinOp) -> None:
        """Looks at the operands as the user wrote them."""
        may_change = isinstance(node.left, IN_HAND) and any(map(self._changes, walk([node.right])))
        self._may_change.append(may_change)
        self._formats.append(isinstance(node.op, ast.Mod) and self._is_of_text(node))
        makes = makes_list(node)
        self._makes.append(makes and node not in self._operands)
        self._operands |= {node.left, node.right} if makes else set()

    def convert(self, node: ast.BinOp) -> Replacement:
        """Any other operation is left to the values."""
        may_change = self._may_change.pop()
        makes = self._makes.pop()
        if self._formats.pop():
            return self.formatted.fill(text=node.left, values=node.right)
        found: ast.expr = node
        if may_change:
            sign = literal(IN_PLACE[type(node.op)][:-1])
            found = self.template.fill(left=node.left, sign=sign, right=node.right)
        return self.made.fill(value=found) if makes else found

    def _is_of_text(self, node: ast.BinOp) -> bool:
        if isinstance(node.left, ast.Constant):
            return type(node.left.value) in _TEMPLATES
        if isinstance(node.right, ast.Tuple | ast.Dict):
            return True
        return isinstance(node.left, MAY_BE_TEXT) and not isinstance(node.right, ast.Constant)

    def _changes(self, node: ast.AST) -> bool:
        """Whether a part of an operand may change what is there."""
        if not isinstance(node, ast.Call):
            return isinstance(node, ast.Await | ast.Yield | ast.YieldFrom)
        if any(keyword.arg in {None, "out"} for keyword in node.keywords):
            return True
        callee = self.context.resolve(node.func)
        if callee is None and isinstance(node.func, ast.Name) and node.func.id not in self._bound:
            callee = getattr(builtins, node.func.id, None)
        home = getattr(callee, "__module__", None) or type(callee).__module__
        return callee is None or str(home).partition(".")[0] not in COMPUTING

    @property
    def _bound(self) -> set[str]:
        """The names that the function and those around it bind themselves."""
        return {name for frame in self.context.frames.values() for name in frame.locals}


@unbound_operator
def operate(left: Any, sign: str, right: Any) -> Any:
    """`left + right`, or another sign, of what is in the place of the left one by now."""
    return FUNCTIONS[sign](heap.again(left), right)


@operator
def percent(backends: Backends, template: Any, values: Any) -> Any:
    """`template % values`, where that may be a string."""
    if heap.busy:
        template = heap.again(template)
    if type(template) not in _TEMPLATES:
        is_chosen = backends.owned[type(template)] and backends.of(template).is_choice(template)
        return backends.of(template).percent(template, values) if is_chosen else template % values
    backend = backends.inside(*values) if type(values) is tuple else backends.inside(values)
    return template % values if backend is backends.plain else backend.percent(template, values)
