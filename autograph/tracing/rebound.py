"""Predicts which outer variables, attributes and items a function rebinds to numbers, from its source.

`total += x` under `nonlocal total`, `box.value = x`, `table["a"] += x`: the function turns out to need what
they hold as inputs of its graph. Whoever knows before the first trace saves it; a guess that turns out wrong
is taken back, and costs that trace.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.errors import SourceNotFound
from autograph.source.nodes import walk
from autograph.source.parse import find
from autograph.staging.places import Cell, Item, Place
from autograph.tracing.snapshot import Own
from autograph_base.named_tuple import NamedTuple
from runtime.core.instances import attributes_of
from runtime.core.tensor import Tensor
from runtime.functions.reads import names_of

__all__ = ["rebound"]


class _Bound(NamedTuple):
    """What code binds outside of itself: variables, and the names of objects with an attribute or a key."""

    globals: frozenset[str]
    nonlocals: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    items: frozenset[tuple[str, Any]]


def rebound(function: FunctionType, arguments: Sequence[Any]) -> Iterator[Place]:
    """These places, each with a number in it now.

    Parameters
    ----------
    function : function
    arguments : sequence of object
        What it is called with, in any order.
    """
    places = _places(function, arguments)
    return (place for place in places if isinstance(held := place.get(), _NUMBERS) and type(held) is not bool)


_NUMBERS = (int, float, complex, np.generic, Tensor)
"""A bool is rather a question that the function asks itself, and that Python is to answer."""


def _places(function: FunctionType, arguments: Sequence[Any]) -> Iterator[Place]:
    outside: dict[str, Any] = {}
    code = function.__code__
    bound, parameters = _bound(function), code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    for name in names_of(function):
        outside[name.name] = name.value()
        if isinstance(name.home, dict):
            if name.name in bound.globals:
                yield Item(name.home, name.name, name.name, NameError)
        elif name.name in bound.nonlocals:
            yield Cell(name.home, name.name)
    for owner, attribute in sorted(bound.attributes):
        holders = [outside[owner]] if owner in outside else arguments if owner in parameters else []
        having = [each for each in holders if attribute in _own(each)]
        if len(having) == 1:
            yield Own(having[0], attribute, f"{type(having[0]).__name__}.{attribute}")
    for owner, key in sorted(bound.items, key=repr):
        holder = outside.get(owner)
        if type(holder) is dict and key in holder:
            yield Item.of(holder, key)


def _own(value: Any) -> dict[str, Any]:
    """The attributes that an instance keeps itself."""
    if isinstance(value, type | FunctionType | ModuleType):
        return {}
    return attributes_of(value)


def _bound(function: FunctionType) -> _Bound:
    """What a function's text says; nothing where there is none."""
    known = _known.get(function.__code__)
    if known is None:
        try:
            known = _bound_in(find(function).definition)
        except SourceNotFound:
            known = _NOTHING
        _known[function.__code__] = known
    return known


def _bound_in(definition: ast.AST) -> _Bound:
    nodes = list(walk(definition))
    targets = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    return _Bound(
        frozenset(name for node in nodes if isinstance(node, ast.Global) for name in node.names),
        frozenset(name for node in nodes if isinstance(node, ast.Nonlocal) for name in node.names),
        frozenset(
            (node.value.id, node.attr)
            for node in targets
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        ),
        frozenset(
            (node.value.id, node.slice.value)
            for node in targets
            if isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and isinstance(node.slice, ast.Constant)
        ),
    )


_NOTHING = _Bound(frozenset(), frozenset(), frozenset(), frozenset())
_known: weakref.WeakKeyDictionary[CodeType, _Bound] = weakref.WeakKeyDictionary()
