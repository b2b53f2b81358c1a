"""Items of items and of attributes, assigned: where a backend gives a new container, the place gets it.

>>> from autograph.converters.picture import show
>>> show('''
... x = make()
... x[i][j] = f(y)
... x[i][0] += y
... self.w[i] = y
... self.w[i] *= y
... ''', NestedItems)
x = make()
x = ag__.set_items(f(y), x, i, lambda: j)
x = ag__.augment_items(x, '+=', lambda: y, i, lambda: 0)
ag__.set_attribute_items(y, self, 'w', lambda: i)
ag__.augment_attribute_items(self, 'w', '*=', lambda: y, lambda: i)

As in Python, the value comes first, then each container before its index. An attribute is bound again only
where its container is a new one, so no property is asked to set what it has.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias

from autograph.converters.announce import note_attribute
from autograph.converters.base import Context, Converter, Kinds, Replacement, has_walrus
from autograph.converters.in_place import augmented
from autograph.converters.subscript import binds_items, change_item, get_item, index_argument, set_item
from autograph.source.names import is_private
from autograph.source.plain_form import IN_PLACE
from autograph.source.template import Expression, Statements, Value, literal
from autograph.staging import heap
from autograph.staging.announcing import note_dict_of
from autograph.staging.backend import Thunk
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.notes import listening
from autograph.staging.operators import operator

__all__ = ["NestedItems", "augment_attribute_items", "augment_items", "set_attribute_items", "set_items"]

Handled: TypeAlias = "ast.Assign | ast.AugAssign"
Change: TypeAlias = Callable[[Any], Any]
"""What the last container holds → what it is to hold."""


class NestedItems(Converter[Handled]):
    """Assignments with one target that has two indices or more, or whose container is an attribute."""

    handles = (ast.Assign, ast.AugAssign)
    write = Statements("root = ag__.set_items(value, root, first, others)")
    augment = Statements("root = ag__.augment_items(root, symbol, lambda: value, first, others)")
    write_attribute = Statements("ag__.set_attribute_items(value, owner, attribute, indices)")
    augment_attribute = Statements(
        "ag__.augment_attribute_items(owner, attribute, symbol, lambda: value, indices)"
    )
    put_off = Expression("lambda: index")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """Only where the function binds an item."""
        return cls.handles if binds_items(context) else ()

    def convert(self, node: Handled) -> Replacement:
        """A container that is neither a local variable nor an attribute is changed in place."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        root, indices = _path(targets[0])
        if len(targets) > 1 or not indices or has_walrus([*targets, node.value]):
            return node
        symbol = literal(IN_PLACE[type(node.op)]) if isinstance(node, ast.AugAssign) else None
        if isinstance(root, ast.Attribute) and not is_private(root.attr):
            attribute, thunks = literal(root.attr), self._thunks(indices)
            place: dict[str, Value] = {"owner": root.value, "attribute": attribute, "indices": thunks}
            if symbol is None:
                return self.write_attribute.fill(value=node.value, **place)
            return self.augment_attribute.fill(symbol=symbol, value=node.value, **place)
        if len(indices) == 1 or not isinstance(root, ast.Name) or not self._may_rebind(root.id):
            return node
        first, *others = indices
        steps: dict[str, Value] = {"first": index_argument(first), "others": self._thunks(others)}
        if symbol is None:
            return self.write.fill(value=node.value, root=root, **steps)
        return self.augment.fill(symbol=symbol, value=node.value, root=root, **steps)

    def _thunks(self, indices: list[ast.expr]) -> list[ast.expr]:
        return [self.put_off.fill(index=index_argument(index)) for index in indices]

    def _may_rebind(self, identifier: str) -> bool:
        name, frame = identifier, self.frame
        return name in frame.locals and name not in frame.bound_later


def _path(target: ast.expr) -> tuple[ast.expr, list[ast.expr]]:
    """What the subscripts of a target start from, and their indices, the outermost container's first."""
    indices: list[ast.expr] = []
    while isinstance(target, ast.Subscript):
        indices.insert(0, target.slice)
        target = target.value
    return target, indices


@operator
def set_items(backends: Backends, value: Any, root: Any, first: Any, *others: Thunk) -> Any:
    """What the variable holds after `root[first][others()] = value`."""
    return _changed(backends, root, (lambda: first, *others), lambda _: value, reads=False)


@operator
def augment_items(
    backends: Backends, root: Any, symbol: str, value: Thunk, first: Any, *others: Thunk
) -> Any:
    """What the variable holds after `root[first][others()] += value()`."""
    return _changed(
        backends,
        root,
        (lambda: first, *others),
        lambda item: augmented(backends, symbol, item, value()),
        reads=True,
    )


@operator
def set_attribute_items(backends: Backends, value: Any, owner: Any, attribute: str, *indices: Thunk) -> None:
    """`owner.attribute[indices()] = value`."""
    container = _container(owner, attribute)
    _bind(owner, attribute, container, _changed(backends, container, indices, lambda _: value, reads=False))


@operator
def augment_attribute_items(
    backends: Backends, owner: Any, attribute: str, symbol: str, value: Thunk, *indices: Thunk
) -> None:
    """`owner.attribute[indices()] += value()`."""
    container = _container(owner, attribute)
    changed = _changed(
        backends, container, indices, lambda item: augmented(backends, symbol, item, value()), reads=True
    )
    _bind(owner, attribute, container, changed)


def _container(owner: Any, attribute: str) -> Any:
    if attribute == "__dict__" and listening():
        note_dict_of(owner)
    return getattr(owner, attribute)


def _bind(owner: Any, attribute: str, before: Any, after: Any) -> None:
    if after is not before and after is not heap.moved_to(before):
        note_attribute(owner, attribute, f"{type(owner).__name__}.{attribute}")
        setattr(owner, attribute, after)


def _changed(
    backends: Backends, container: Any, indices: tuple[Thunk, ...], change: Change, *, reads: bool
) -> Any:
    """The container after an item within it has changed: itself, or the new one that a backend gives."""
    put_off, *others = indices
    index = put_off()
    if not others and reads:
        return change_item(backends, container, index, change)
    if not others:
        return set_item(backends, container, index, change(None))
    inner = get_item(backends, container, index)
    copied = staging.copies.get(id(inner)) if staging.copies else None
    writes_itself = copied is not None and copied.place is not None
    is_pythons = isinstance(container, dict | list | tuple | deque)
    if copied is not None and not writes_itself and not is_pythons:
        copied.give_back()  # to the container, which has it as a value: one of Python's is not its home
    changed = _changed(backends, inner, tuple(others), change, reads=reads)
    is_same = changed is inner or changed is heap.moved_to(inner)
    is_alone = (is_same and (copied is None or writes_itself)) or backends.of(container).copies_item(
        container, index
    )
    return container if is_alone else set_item(backends, container, index, changed)
