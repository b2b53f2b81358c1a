"""`sorted`, `min` and `max` over tensors, and over lists whose items or keys are tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from autograph.backends.tensors.elements import Elements
from autograph.backends.tensors.lists import contents_of, gathered, keys_of
from runtime import ops
from runtime.core.structure import LEAF, flatten
from runtime.graph.build import is_symbolic
from runtime.graph.location import caller_location
from runtime.ops.control_flow import Branches, NoOutcome, cond
from runtime.ops.raising import record

__all__ = ["best", "in_order", "refused"]


def in_order(items: Any, *, key: Callable[[Any], Any] | None = None, reverse: Any = False) -> Any:
    """`sorted(items, key=key, reverse=reverse)`; equal items keep their order, also in reverse.

    Returns
    -------
    list or StagedList
        A list of Python's where the number of items is known.
    """
    found = gathered(items)
    if isinstance(found, list):
        keys = [item if key is None else key(item) for item in found]
        if not any(is_symbolic(leaf) for leaf in flatten(keys)[0]):
            by_number = sorted(range(len(found)), key=keys.__getitem__, reverse=reverse)
            return [found[number] for number in by_number]
        if not found:
            return []
        contents = Elements.of(found)
        order = Elements.of(keys).order(reverse=reverse)
        return [contents.get(order[place]) for place in range(len(found))]
    ordered = found.copy()
    ordered.sort(key=key, reverse=reverse)
    return ordered


def best(builtin: Callable[..., Any], items: Any, *, key: Any = None, **default: Any) -> Any:
    """`min(items, key=key)` or `max(items, key=key)`: the first of equal items.

    Parameters
    ----------
    builtin : callable
        `min` or `max`.
    items : iterable of Python, or of the graph
    key : callable, optional
    **default
        The value for no items, under the name `default`.
    """
    contents = contents_of(items)
    keyed = contents if key is None else keys_of(contents, key)

    def chosen() -> Any:
        if keyed.form is not LEAF:
            return contents.get(keyed.order(reverse=builtin is max)[0])
        (column,) = keyed.columns
        return contents.get(ops.argmax(column) if builtin is max else ops.argmin(column))

    if "default" in default:
        return cond(contents.length > 0, chosen, lambda: default["default"])
    refused(contents.length == 0, _of_nothing(builtin))
    return chosen()


def _of_nothing(builtin: Callable[..., Any]) -> ValueError:
    """What `min` or `max` raises for no items; the words differ between Pythons."""
    try:
        builtin(())
    except ValueError as error:
        return error
    raise AssertionError(builtin)


def refused(condition: Any, error: BaseException) -> None:
    """Raises an error of Python's own when the graph runs, at this line, where the condition holds.

    Parameters
    ----------
    condition : bool or Tensor
    error : BaseException
    """
    if not is_symbolic(condition):
        if condition:
            raise error
        return
    line = caller_location()

    def fail() -> NoReturn:
        record(error, line)
        raise NoOutcome

    branches = Branches(condition)
    failed, passed = branches.trace(fail), branches.trace(tuple)
    branches.join(failed, passed, ())
