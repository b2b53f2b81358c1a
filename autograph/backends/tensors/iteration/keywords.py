"""`f(**items)` where a tensor decides which keys there are, or which dict it is.

A key that only some paths have put in is given in a branch of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from autograph.backends.tensors.containers import records
from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, choose, each, number_of, selected
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.staging.context import staging
from autograph_base.dataclass import dataclass
from runtime.errors import StateDisagrees
from runtime.graph.location import caller_location
from runtime.ops.control_flow import NoOutcome
from runtime.ops.raising import record

__all__ = ["keywords", "keywords_call"]


@dataclass(frozen=True)
class _Sometimes:
    """What is given by a name where a tensor says so.

    Attributes
    ----------
    name : str
    valid : Tensor of one bool
    read : callable
        Gives it, where it is given.
    """

    name: str
    valid: Any
    read: Callable[[], Any]


def keywords(value: Any) -> Any:
    """What is given by name of `**value`."""
    if isinstance(value, MaybeNone):
        return keywords(value.ag__present("argument after ** must be a mapping, not NoneType"))
    if isinstance(value, records.StagedRecord):
        return dict([_of_record(value, key) for key in value.in_order()])
    if isinstance(value, OneOf) and all(isinstance(one, dict) for one in candidates_of(value)):
        return dict([_of_chosen(value, key) for key in _keys(value)])
    if isinstance(value, OneOf | Staged):
        raise StateDisagrees(
            "a function is called with `**` of a dict whose keys only the run knows",
            where=caller_location(),
            why="What a function takes by name is known while it is traced.",
            way_out="Give them one by one, as in `f(key=items.get('key'))`, or pass the dict itself.",
        )
    return value


def keywords_call(callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], call: Any) -> Any:
    """The call with what is given only where a tensor says so; `NotImplemented` where there is nothing."""
    label = next((label for label, given in kwargs.items() if type(given) is _Sometimes), None)
    if label is None:
        return NotImplemented
    given: _Sometimes = kwargs[label]

    def call_with() -> Any:
        if given.name in kwargs:
            _refuse_twice(callee, given.name)
        named = {
            given.name if each is label else each: given.read() if each is label else value
            for each, value in kwargs.items()
        }
        return call(callee, args, named)

    def call_without() -> Any:
        return call(callee, args, {each: value for each, value in kwargs.items() if each is not label})

    return choose(given.valid, call_with, call_without)


def _refuse_twice(callee: Any, name: str) -> NoReturn:
    """Lets the graph raise what Python says where something is given by one name twice."""
    try:
        callee(**{name: None}, **{name: None})
    except TypeError as error:
        record(error)
    raise NoOutcome


def _of_record(held: records.StagedRecord, key: str) -> tuple[str, Any]:
    return _given(key, held.__contains__(key), lambda: held[key])


def _of_chosen(chosen: OneOf, key: str) -> tuple[str, Any]:
    candidates = candidates_of(chosen)
    having = next(one for one in candidates if key in one)
    valid = selected(number_of(chosen), [key in one for one in candidates])
    return _given(key, valid, lambda: each(chosen, lambda one: one.get(key, having[key])))


def _keys(chosen: OneOf) -> list[str]:
    """The keys of all of the dicts, in the order in which each has them."""
    rows = [list(one) for one in candidates_of(chosen)]
    longest = max(rows, key=len)
    if any(row != [key for key in longest if key in row] for row in rows):
        raise StateDisagrees(
            "a function is called with `**` of one of several dicts, which have their keys in other orders",
            where=caller_location(),
            why="A tensor decides which of them it is, and the function may see the order.",
            way_out="Give them one by one, or put them in in one order.",
        )
    return longest


def _given(name: str, valid: Any, read: Callable[[], Any]) -> tuple[str, Any]:
    """What is given by a name; under a label that is none, where it is not for sure."""
    if isinstance(valid, bool):
        return name, read()
    staging.chosen = True  # calls ask whether there is such a one
    return f"{name} or nothing", _Sometimes(name, valid, read)
