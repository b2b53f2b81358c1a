"""The places outside of a function to which its own code gives numbers, as far as the code says so.

`total += x` under `nonlocal total`, `box.value = x`, `table["a"] += x`: the function turns out to need what
they hold as inputs of its graph. Whoever knows before the first trace saves it.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograph.staging.places import Cell, Item, Place
from autograph.tracing.snapshot import Own
from runtime.core.structure import attributes_of
from runtime.core.tensor import Tensor
from runtime.functions.reads import names_of

__all__ = ["rebound"]

_CODES_REMEMBERED = 4096


class _Bound(NamedTuple):
    """What code binds outside of itself: variables, and the names of objects with an attribute or a key."""

    variables: frozenset[str]
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
    bound, parameters = _bound(code), code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    for name in names_of(function):
        outside[name.name] = name.value()
        if name.name not in bound.variables:
            continue
        if isinstance(name.home, dict):
            yield Item(name.home, name.name, name.name, NameError)
        else:
            yield Cell(name.home, name.name)
    for owner, attribute in sorted(bound.attributes):
        holders = [outside[owner]] if owner in outside else arguments if owner in parameters else []
        having = [each for each in holders if attribute in _own(each)]
        if len(having) == 1:
            yield Own(having[0], attribute, f"{type(having[0]).__name__}.{attribute}")
    for owner, key in sorted(bound.items, key=repr):
        holder = outside.get(owner)
        if type(holder) is dict and key in holder:
            yield Item(holder, key, f"dict[{key!r}]")


def _own(value: Any) -> dict[str, Any]:
    """The attributes that an instance keeps itself."""
    if isinstance(value, type | FunctionType | ModuleType):
        return {}
    return attributes_of(value)


@lru_cache(maxsize=_CODES_REMEMBERED)
def _bound(code: CodeType) -> _Bound:
    attributes: set[tuple[str, str]] = set()
    items: set[tuple[str, Any]] = set()
    steps = list(dis.get_instructions(code))
    variables = {
        step.argval
        for step in steps
        if step.opname == "STORE_GLOBAL" or (step.opname == "STORE_DEREF" and step.argval in code.co_freevars)
    }
    for owner, middle, last in zip(steps, steps[1:], steps[2:], strict=False):
        if last.opname == "STORE_ATTR" or (middle.opname == "COPY" and last.opname == "LOAD_ATTR"):
            name = _name(
                middle if last.opname == "STORE_ATTR" else owner
            )  # `box.value = ` or `box.value += `
            attributes |= {(name, last.argval)} if name else set()
        elif last.opname in {"STORE_SUBSCR", "COPY"} and middle.opname == "LOAD_CONST":
            name = _name(owner)
            items |= {(name, middle.argval)} if name else set()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner = _bound(constant)
            variables |= inner.variables - {*code.co_cellvars}
            attributes |= inner.attributes
            items |= inner.items
    return _Bound(frozenset(variables), frozenset(attributes), frozenset(items))


def _name(instruction: dis.Instruction) -> str | None:
    """The variable that an instruction loads, the last one of several."""
    loaded = instruction.argval
    if isinstance(loaded, tuple) and loaded:
        loaded = loaded[-1]
    is_load = instruction.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_NAME"))
    return loaded if is_load and isinstance(loaded, str) else None
