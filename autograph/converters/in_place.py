"""Operators in place: a container of Python's may get what only a run knows, and stays the same object.

>>> from autograph.converters.picture import show
>>> show('''
... y += z
... self.total += y
... ''', InPlace)
y = ag__.augment(ag__.ld(y), '+=', z)
self.total = ag__.augment(self.total, '+=', y)

As in Python, the variable or attribute is read first, and bound again. Items are `subscript`'s.
"""

from __future__ import annotations

import ast
import copy
import operator as python
from collections.abc import Callable, Mapping
from typing import Any

from autograph.converters.attribute import Attribute
from autograph.converters.base import Converter, Replacement
from autograph.converters.variable import may_be_undefined_outside
from autograph.source.plain_form import IN_PLACE
from autograph.source.template import Expression, Statements, literal
from autograph.staging import announcing, heap, notes, places
from autograph.staging.dispatch import ATOMS, Backends
from autograph.staging.fresh import forget_fresh
from autograph.staging.operators import operator
from autograph.staging.special_methods import given

__all__ = ["FUNCTIONS", "InPlace", "augment", "augmented"]

FUNCTIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+=": python.iadd,
    "-=": python.isub,
    "*=": python.imul,
    "@=": python.imatmul,
    "/=": python.itruediv,
    "//=": python.ifloordiv,
    "%=": python.imod,
    "**=": python.ipow,
    "<<=": python.ilshift,
    ">>=": python.irshift,
    "&=": python.iand,
    "|=": python.ior,
    "^=": python.ixor,
}


class InPlace(Converter[ast.AugAssign]):
    """`y += z` of variables and attributes."""

    handles = (ast.AugAssign,)
    enters_left = True
    read = Expression("ag__.ld(variable)")
    read_outer = Expression("ag__.ld_outer(variable)")
    read_first = Statements("ag__.ld_outer(variable)")
    change = Expression("ag__.augment(held, symbol, value)")

    def convert(self, node: ast.AugAssign) -> Replacement:
        """An assignment; what is left to Python only asks first where a variable may have no value."""
        target: Any = node.target
        is_outer = type(target) is ast.Name and may_be_undefined_outside(self.context, self.walk, target.id)
        if self.walk.is_left:
            return [*self.read_first.fill(variable=target.id), node] if is_outer else node
        if not isinstance(target, ast.Name | ast.Attribute):
            return node
        held: Any = copy.deepcopy(target)
        held.ctx = ast.Load()
        if type(target) is ast.Attribute:
            held = Attribute(self.context, self.walk).read(held, guarded=target in self.context.guarded)
        else:
            held = (self.read_outer if is_outer else self.read).fill(variable=held)
        value = self.change.fill(held=held, symbol=literal(IN_PLACE[type(node.op)]), value=node.value)
        return ast.Assign([target], value, None)


@operator
def augment(backends: Backends, held: Any, symbol: str, value: Any) -> Any:
    """What the variable or attribute that holds `held` holds after `held += value`."""
    if type(held) in ATOMS:
        return FUNCTIONS[symbol](held, value)
    return augmented(backends, symbol, heap.again(held), value)


def augmented(backends: Backends, symbol: str, item: Any, value: Any) -> Any:
    """What `item += value` gives: the item itself, or what is in its place, where that changes in place."""
    if notes.listening() and isinstance(item, (*places.CONTAINERS, *places.BUFFERS)):
        notes.note(places.Contents(item), reshapes=announcing.has_items(value))
    if symbol == "+=" and hasattr(type(item), "append"):
        value = given(backends, value)
    if isinstance(item, places.CONTAINERS) or backends.owned[type(item)]:
        changed = backends.staging_now().changed_in_place(item, symbol, value)
        if changed is not NotImplemented:
            return changed
    if type(item) is set:
        forget_fresh(item)
    return FUNCTIONS[symbol](heap.to_change(item), value)
