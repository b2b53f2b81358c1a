"""Conversion between Python lists inside of a program and list handles outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.lists import ListValue, joined_spec
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.graph.graph import Node

__all__ = ["as_handle", "as_items", "has_lists", "on_items", "taking_items"]


def as_items(value: Any) -> Any:
    """What stands for a value in a program: for a list, one of Python's, with scalars for 0-d arrays."""
    return list(map(_as_item, value.items)) if isinstance(value, ListValue) else value


def _as_item(value: Any) -> Any:
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else as_items(value)


def as_handle(value: Any, spec: Spec) -> Any:
    """What stands outside for a value of a program, of this spec."""
    if not isinstance(spec, ListSpec):
        return value
    inner = spec.element
    items = [item if item is None else _stored(item, inner) for item in value]
    if _says_all(inner):
        return ListValue(items, inner)
    written = [item for item in items if item is not None]
    return ListValue(items, joined_spec(written, inner))


def _says_all(element: Spec | None) -> bool:
    """Whether elements that are of a spec show no more than that says."""
    if isinstance(element, ListSpec):
        return _says_all(element.element)
    shape = element.shape if isinstance(element, ArraySpec) else None
    return shape is not None and all(isinstance(dim, int) for dim in shape)


def _as_lent(value: Any, spec: Spec) -> Any:
    """As `as_handle`, for another program, which only reads it: the list itself."""
    return ListValue(value, spec.element) if isinstance(spec, ListSpec) else value


def _stored(item: Any, spec: Spec | None) -> Any:
    return as_handle(item, spec) if isinstance(spec, ListSpec) else np.asarray(item)


def has_lists(specs: Sequence[Spec]) -> bool:
    """Whether one of some values is a list."""
    return any(isinstance(spec, ListSpec) for spec in specs)


def on_items(node: Node) -> Callable[..., Any]:
    """The kernel of a node as a program calls it."""
    specs = [value.spec for value in node.inputs]
    return taking_items(node.op.kernel, specs, node.specs)


def taking_items(
    kernel: Callable[..., Any], takes: Sequence[Spec], gives: Sequence[Spec], *, only_reads: bool = False
) -> Callable[..., Any]:
    """A function of handles as one of lists, of operands and results of these specs."""
    if not has_lists([*takes, *gives]):
        return kernel
    handle = _as_lent if only_reads else as_handle

    def called(*operands: Any) -> Any:
        results = kernel(*map(handle, operands, takes))
        return tuple(map(as_items, results)) if type(results) is tuple else as_items(results)

    return called
