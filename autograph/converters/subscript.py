"""Items by computed index, and items assigned: a backend may return a new container.

>>> from autograph.converters.picture import show
>>> show("y = x[i] + x[0]", Subscript)
y = ag__.get_item(x, i) + x[0]
>>> show('''
... x = make()
... x[i] = 1
... x[i] = f(y)
... x[i] += y
... ''', Subscript)
x = make()
x = ag__.set_item(x, i, 1)
x = ag__.set_item(value=f(y), target=x, index=i)
x = ag__.augment_item(x, i, '+=', lambda: y)

As in Python, a computed value comes before the container and the index. Only a container in a local
variable is bound again; the items of anything else are assigned in place.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import gast

from autograph.converters.base import Converter, Replacement, has_walrus
from autograph.source.names import QualName
from autograph.source.template import Expression, Statements, literal
from autograph.staging import places
from autograph.staging.backend import Backend, Thunk
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator, unbound_operator

__all__ = ["Subscript", "augment_item", "get_item", "index_argument", "known", "set_item"]

Handled: TypeAlias = "gast.Subscript | gast.Assign | gast.AugAssign"

IN_PLACE: Mapping[type[gast.operator], str] = {
    gast.Add: "+=",
    gast.Sub: "-=",
    gast.Mult: "*=",
    gast.MatMult: "@=",
    gast.Div: "/=",
    gast.FloorDiv: "//=",
    gast.Mod: "%=",
    gast.Pow: "**=",
    gast.LShift: "<<=",
    gast.RShift: ">>=",
    gast.BitAnd: "&=",
    gast.BitOr: "|=",
    gast.BitXor: "^=",
}

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


SLICE = Expression("ag__.slice(lower, upper, step)")


class Subscript(Converter[Handled]):
    """Reads with a computed index, assignments, and augmented assignments."""

    handles = (gast.Subscript, gast.Assign, gast.AugAssign)
    read = Expression("ag__.get_item(target, index)")
    write = Statements("target = ag__.set_item(target, index, value)")
    write_computed = Statements("target = ag__.set_item(value=value_, target=target, index=index)")
    augment = Statements("target = ag__.augment_item(target, index, symbol, lambda: value)")

    def convert(self, node: Handled) -> Replacement:
        """Reads are expressions; the others are statements whose target is an item."""
        if isinstance(node, gast.Subscript):
            if not isinstance(node.ctx, gast.Load) or _is_fixed(node.slice):
                return node
            return self.read.fill(target=node.value, index=index_argument(node.slice))
        target = node.targets[0] if isinstance(node, gast.Assign) else node.target
        single = not isinstance(node, gast.Assign) or len(node.targets) == 1
        if not single or not isinstance(target, gast.Subscript) or not self._may_rebind(target, node.value):
            return node
        place = {"target": target.value, "index": index_argument(target.slice)}
        if isinstance(node, gast.AugAssign):
            return self.augment.fill(**place, symbol=literal(IN_PLACE[type(node.op)]), value=node.value)
        if isinstance(node.value, gast.Constant | gast.Name):
            return self.write.fill(**place, value=node.value)
        return self.write_computed.fill(**place, value_=node.value)

    def _may_rebind(self, target: gast.Subscript, value: gast.expr) -> bool:
        """Whether the container's variable can be bound again without anybody noticing."""
        if not isinstance(target.value, gast.Name) or has_walrus([target.slice, value]):
            return False
        name, frame = QualName(target.value.id), self.frame
        return name in frame.locals and name not in frame.bound_later


def _is_fixed(index: gast.expr | None) -> bool:
    """Whether an index is spelled out, so that no backend's value can be in it."""
    match index:
        case None | gast.Constant() | gast.UnaryOp(operand=gast.Constant()):
            return True
        case gast.Slice(lower=lower, upper=upper, step=step):
            return _is_fixed(lower) and _is_fixed(upper) and _is_fixed(step)
        case gast.Tuple(elts=parts):
            return all(_is_fixed(part) for part in parts)
    return False


def index_argument(index: gast.expr) -> gast.expr:
    """The index as an argument: `a:b` is spelled as a slice object."""
    if isinstance(index, gast.Slice):
        parts = [part or gast.Constant(None, None) for part in (index.lower, index.upper, index.step)]
        return SLICE.fill(**dict(zip(("lower", "upper", "step"), parts, strict=True)))
    if isinstance(index, gast.Tuple):
        index.elts = [index_argument(part) for part in index.elts]
    return index


@operator
def get_item(backends: Backends, target: Any, index: Any) -> Any:
    """`target[index]`."""
    owned = backends.owned
    if owned[type(target)] or owned[type(index)] or type(index) is slice:
        return _backend(backends, target, index).get_item(target, index)
    return target[index]


@operator
def set_item(backends: Backends, target: Any, index: Any, value: Any) -> Any:
    """What the variable holds after `target[index] = value`."""
    _announce(target, index)
    return _backend(backends, target, index).set_item(target, index, value)


@operator
def augment_item(backends: Backends, target: Any, index: Any, symbol: str, value: Thunk) -> Any:
    """What the variable holds after `target[index] += value()`."""
    backend = _backend(backends, target, index)
    item = backend.get_item(target, index)
    _announce(target, index)
    return backend.set_item(target, index, FUNCTIONS[symbol](item, value()))


def _backend(backends: Backends, target: Any, index: Any) -> Backend:
    """The backend of a container, of an index, or of an end of a slice."""
    if type(index) is slice:
        return backends.of(target, index.start, index.stop, index.step)
    return backends.of(target, index)


def _announce(target: Any, index: Any) -> None:
    """Says which place is about to change, where somebody listens."""
    if places.listening():
        if type(target) is dict:
            places.note(places.Item(target, index, "an item of a dict"))
        elif type(target) in places.CONTAINERS:
            places.note(places.Contents(target))


@unbound_operator
def known(value: Any) -> Thunk:
    """An operand that was evaluated where it stands, for `augment_item`."""
    return lambda: value
