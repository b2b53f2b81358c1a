"""Items by index, and items assigned: a backend may return a new container.

>>> from autograph.converters.picture import show
>>> show("y = x[i] + x[0] + x[:, 1]", Subscript)
y = ag__.get_item(x, i) + ag__.get_item(x, 0) + x[:, 1]
>>> show('''
... x = make()
... x[i] = 1
... x[i] = f(y)
... x[i] += y
... y[i] = x
... ''', Items)
x = make()
x = ag__.set_item(x, i, 1)
x = ag__.set_item(value=f(y), target=x, index=i)
x = ag__.augment_item(x, i, '+=', lambda: y)
ag__.put_item(y, i, x)
>>> show('''
... TABLE[i] = 1
... TABLE[i] += y
... del x[i]
... ''', Items)
ag__.put_item(TABLE, i, 1)
ag__.put_augmented(TABLE, i, '+=', lambda: y)
ag__.delete_item(x, i)

As in Python, a computed value comes before the container and the index. Only a container in a local
variable that is read afterwards is bound again; items of others are assigned in place, which arrays of a
graph allow, and tensors in eager code refuse.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from autograph.analysis.activity import Activity
from autograph.analysis.liveness import Liveness
from autograph.converters.base import Context, Converter, Kinds, Replacement, has_walrus
from autograph.converters.in_place import augmented
from autograph.source.plain_form import IN_PLACE
from autograph.source.template import Expression, Statements, literal
from autograph.staging import announcing, heap, places
from autograph.staging.backend import Backend, Thunk
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS, Backends
from autograph.staging.operators import operator, unbound_operator
from autograph.staging.special_methods import says_what_is_missing, special_method
from autograph.staging.twins import item_or_missing

__all__ = [
    "Items",
    "Subscript",
    "augment_item",
    "binds_items",
    "change_item",
    "delete_item",
    "get_item",
    "index_argument",
    "known",
    "put_augmented",
    "put_item",
    "set_item",
]

Handled: TypeAlias = "ast.Assign | ast.AugAssign | ast.Delete"

SLICE = Expression("ag__.slice(lower, upper, step)")


class Subscript(Converter[ast.Subscript]):
    """Reads of items."""

    handles = (ast.Subscript,)
    read = Expression("ag__.get_item(target, index)")

    def convert(self, node: ast.Subscript) -> Replacement:
        """Not where slices are spelled out: they hold no value of a backend, and no key that is missing."""
        if not isinstance(node.ctx, ast.Load) or _is_fixed(node.slice):
            return node
        return self.read.fill(target=node.value, index=index_argument(node.slice))


class Items(Converter[Handled]):
    """Assignments, augmented assignments, and deletions of items."""

    handles = (ast.Assign, ast.AugAssign, ast.Delete)
    needs = (Activity, Liveness)
    write = Statements("target = ag__.set_item(target, index, value)")
    write_computed = Statements("target = ag__.set_item(value=value_, target=target, index=index)")
    augment = Statements("target = ag__.augment_item(target, index, symbol, lambda: value)")

    put = Statements("ag__.put_item(target, index, value)")
    put_computed = Statements("ag__.put_item(value=value_, target=target, index=index)")
    put_augmented = Statements("ag__.put_augmented(target, index, symbol, lambda: value)")
    delete = Statements("ag__.delete_item(target, index)")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where the function binds or deletes an item."""
        return super().wanted(context) if binds_items(context) else ()

    def convert(self, node: Handled) -> Replacement:
        """Only statements whose one target is an item."""
        if isinstance(node, ast.Delete):
            return self._deleted(node)
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        single = not isinstance(node, ast.Assign) or len(node.targets) == 1
        if not single or not isinstance(target, ast.Subscript):
            return node
        rebinds = self._may_rebind(target.value) and self._is_read_after(node, target.value)
        place = {"target": target.value, "index": index_argument(target.slice)}
        if isinstance(node, ast.AugAssign):
            if has_walrus([node.value, target.slice]):
                return node
            augment = self.augment if rebinds else self.put_augmented
            return augment.fill(**place, symbol=literal(IN_PLACE[type(node.op)]), value=node.value)
        if isinstance(node.value, ast.Constant | ast.Name):
            return (self.write if rebinds else self.put).fill(**place, value=node.value)
        return (self.write_computed if rebinds else self.put_computed).fill(**place, value_=node.value)

    def _deleted(self, node: ast.Delete) -> list[ast.stmt]:
        """A statement for each target, in their order."""
        statements: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                place = {"target": target.value, "index": index_argument(target.slice)}
                statements += self.delete.fill(**place)
            else:
                statements.append(ast.Delete([target]))
        return statements

    def _is_read_after(self, node: Any, container: Any) -> bool:
        """Whether a variable is read again: one that is not is written to for others."""
        name = self.facts(Activity).names.bit(container.id)
        return bool(name & self.facts(Liveness).live_out(node))

    def _may_rebind(self, container: ast.expr) -> bool:
        """Whether a container is a variable that can be bound again without anybody noticing."""
        if not isinstance(container, ast.Name):
            return False
        name, frame = container.id, self.frame
        return name in frame.locals and name not in frame.bound_later


def binds_items(context: Context) -> bool:
    """Whether a function binds or deletes an item anywhere."""
    return any(not isinstance(node.ctx, ast.Load) for node in context.nodes.get(ast.Subscript, ()))


def _is_fixed(index: ast.expr | None) -> bool:
    """Whether an index is spelled out and selects axes, so that it is neither a backend's value nor a key."""
    match index:
        case ast.Slice():
            return all(_is_spelled_out(part) for part in (index.lower, index.upper, index.step))
        case ast.Tuple(elts=parts):
            slices = [part for part in parts if isinstance(part, ast.Slice)]
            return bool(slices) and all(_is_fixed(part) or _is_spelled_out(part) for part in parts)
    return isinstance(index, ast.Constant) and (index.value is None or index.value is ...)


def _is_spelled_out(part: ast.expr | None) -> bool:
    """Whether a part of an index is a constant, or a negative one."""
    return part is None or isinstance(getattr(part, "operand", part), ast.Constant)


def index_argument(index: ast.expr) -> ast.expr:
    """The index as an argument: `a:b` is spelled as a slice object."""
    if isinstance(index, ast.Slice):
        parts = [part or ast.Constant(None) for part in (index.lower, index.upper, index.step)]
        return SLICE.fill(**dict(zip(("lower", "upper", "step"), parts, strict=True)))
    if isinstance(index, ast.Tuple):
        index.elts = [index_argument(part) for part in index.elts]
    return index


@operator
def get_item(backends: Backends, target: Any, index: Any) -> Any:
    """`target[index]`."""
    target = heap.again(target)
    announcing.note_missing(target, index)
    own = special_method(backends, target, "__getitem__")
    if own is not None:
        return own(target, index)
    if says_what_is_missing(backends, target):
        return backends.convert(item_or_missing())(target, index, partial(_item, backends))
    return _item(backends, target, index)


def _item(backends: Backends, target: Any, index: Any) -> Any:
    """An item of a container that its class in Python does not ask for."""
    owned = backends.owned
    if owned[type(target)] or owned[type(index)] or type(index) in _COMPOSED or _is_by_key(target, index):
        return _backend(backends, target, index).get_item(target, index)
    return target[index]


@operator
def set_item(backends: Backends, target: Any, index: Any, value: Any) -> Any:
    """What the variable holds after `target[index] = value`."""
    target = heap.again(target)
    if type(target) is list and type(index) is int and not (backends.owned[list] or staging.attempts):
        announcing.note_item(target, index)
        target[index] = value
        return target
    own = special_method(backends, target, "__setitem__")
    if own is not None:
        own(target, index, value)
        return target
    announcing.note_item(target, index)
    if staging.attempts:
        staging.attempts[-1].read(target)
    backend = _writer(backends, target, index)
    if backend is backends.plain and type(index) is slice:
        backend = backends.of(value)  # whose items they become
    return backend.set_item(target, index, value)


@operator
def augment_item(backends: Backends, target: Any, index: Any, symbol: str, value: Thunk) -> Any:
    """What the variable holds after `target[index] += value()`."""
    return change_item(backends, target, index, lambda item: augmented(backends, symbol, item, value()))


def change_item(backends: Backends, target: Any, index: Any, change: Callable[[Any], Any]) -> Any:
    """What the variable holds after `target[index] += …`, where `change` takes the old item."""
    target = heap.again(target)
    announcing.note_missing(target, index)
    own = special_method(backends, target, "__setitem__")
    if own is not None:
        own(target, index, change(get_item(backends, target, index)))
        return target
    if special_method(backends, target, "__getitem__") or says_what_is_missing(backends, target):
        return set_item(backends, target, index, change(get_item(backends, target, index)))

    def announced(item: Any) -> Any:
        announcing.note_item(target, index)
        if staging.attempts:
            staging.attempts[-1].read(target)
            staging.attempts[-1].read(item)
        changed = change(item)
        if heap.again(target) is not target or (type(index) is slice and backends.owned[type(changed)]):
            raise _HasMoved(changed)
        return changed

    try:
        return _writer(backends, target, index).augment_item(target, index, announced)
    except _HasMoved as moved:
        return set_item(backends, heap.again(target), index, moved.changed)


class _HasMoved(BaseException):  # a signal within this file, never seen outside
    """Computing the new item has put another container in the place of the one that it is in, or will.

    Items of a backend's sequence that take the place of a slice make the list one of its own.
    """

    def __init__(self, changed: Any) -> None:
        self.changed = changed


@operator
def put_item(backends: Backends, target: Any, index: Any, value: Any) -> None:
    """`target[index] = value`, where no variable can hold another container afterwards."""
    if _is_another(set_item(backends, target, index, value), target):
        target[index] = value  # which says why that cannot be


@operator
def put_augmented(backends: Backends, target: Any, index: Any, symbol: str, value: Thunk) -> None:
    """`target[index] += value()`, where no variable can hold another container afterwards."""
    if _is_another(augment_item(backends, target, index, symbol, value), target):
        target[index] = value()  # which says why that cannot be


def _is_another(container: Any, target: Any) -> bool:
    """Whether a container is neither the one that was to be changed nor what everybody reads in its place."""
    return container is not target and container is not heap.moved_to(target)


@operator
def delete_item(backends: Backends, target: Any, index: Any) -> None:
    """`del target[index]`."""
    target = heap.again(target)
    own = special_method(backends, target, "__delitem__")
    if own is not None:
        own(target, index)
        return
    announcing.note_deleted(target, index)
    if staging.attempts:
        staging.attempts[-1].read(target)
    _backend(backends, target, index).delete_item(target, index)


_COMPOSED = (slice, tuple, list)
"""Indices that may have a backend's values inside."""


def _backend(backends: Backends, target: Any, index: Any) -> Backend:
    """The backend of a container, of an index, or of a part of one."""
    backend = backends.of(target, *_parts(index))
    if isinstance(target, dict):
        heap.tell_apart((index,))
    return backends.inside(index) if backend is backends.plain and _is_by_key(target, index) else backend


def _is_by_key(target: Any, index: Any) -> bool:
    """Whether the key looked up in a dict is an object whose equality a backend's value may decide."""
    return type(index) not in ATOMS and isinstance(target, dict)


def _parts(index: Any) -> tuple[Any, ...]:
    """What an index is made of."""
    if type(index) is slice:
        return index.start, index.stop, index.step
    if type(index) is tuple or type(index) is list:
        return tuple([part for each in index for part in _parts(each)])
    return (index,)


def _writer(backends: Backends, target: Any, index: Any) -> Backend:
    """The backend that may change a container: where one stages, also one of another library."""
    backend = _backend(backends, target, index)
    is_foreign = backend is backends.plain and not isinstance(target, places.CONTAINERS)
    return backends.inside(target) if is_foreign else backend


@unbound_operator
def known(value: Any) -> Thunk:
    """An operand that was evaluated where it stands, for `augment_item`."""
    return lambda: value
