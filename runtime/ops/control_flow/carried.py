"""Objects of the program's that an exception carries out of a `try`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from runtime.core.containers import is_container
from runtime.core.exceptions import Parts
from runtime.core.instances import is_ours
from runtime.core.structure import level_of
from runtime.core.tensor import Tensor
from runtime.ops.filled import Held
from runtime.ops.writing import is_array

__all__ = ["Carried", "with_carried"]


class Carried:
    """Stands, among the parts of an exception, for an object of the program's that is in it.

    Parameters
    ----------
    value : object
        What it held when the exception was raised.
    held : object
        The object.
    was_there : bool
        Whether it was there before the statement, and is what it is behind it.
    leads_there : bool
        Whether it holds something that was: then `value` does.
    """

    __slots__ = ("held", "leads_there", "value", "was_there")

    def __init__(self, value: Any, held: Any, *, was_there: bool, leads_there: bool = False) -> None:
        self.value, self.held, self.was_there = value, held, was_there
        self.leads_there = was_there or leads_there


def with_carried(
    parts: Parts, held: Parts, was_there: Callable[[Any], bool], instead: Callable[[Any], Any]
) -> Parts:
    """What an exception consists of, with the objects that are in it: `held` is what `held_by` has given.

    `instead` gives what the program has in the place of one of them.
    """
    args = [_carried(*pair, was_there, instead) for pair in zip(parts.args, held.args, strict=True)]
    attributes, fields = [
        {name: _carried(value, others[name], was_there, instead) for name, value in own.items()}
        for own, others in ((parts.attributes, held.attributes), (parts.fields, held.fields))
    ]
    return replace(parts, args=tuple(args), attributes=attributes, fields=fields)


def _carried(value: Any, held: Held, was_there: Callable[[Any], bool], instead: Callable[[Any], Any]) -> Any:
    object_, found = held.value, held.level(value)
    is_plain = object_ is None or type(object_) is tuple
    if is_array(object_) or (held.level(object_) is None and is_container(type(object_))):
        return Carried(value, object_, was_there=True) if was_there(object_) else value
    if found is None:
        return value
    if not is_plain and was_there(object_):
        return Carried(value, object_, was_there=True)
    level = level_of(value)
    if level is None or level[0] != found[0]:
        return value
    if is_ours(type(object_)):  # a container of the graph is its contents
        return Carried(value, instead(object_), was_there=False)
    children = [_carried(*pair, was_there, instead) for pair in zip(level[1], found[1], strict=True)]
    is_mixed = any(isinstance(each, Carried) and each.leads_there for each in children)
    if is_mixed and type(object_) is tuple and all(map(_is_there, children)):
        return Carried(value, object_, was_there=True)
    made = level[0].build(children) if is_mixed else value
    return Carried(made, instead(object_), was_there=False, leads_there=is_mixed)


def _is_there(value: Any) -> bool:
    """Whether a part of an exception is what it is in each run, or an object that was there before."""
    if isinstance(value, Carried):
        return value.was_there
    return not isinstance(value, Tensor)
