"""Dispatch of methods of Python's dicts, sets and deques whose arguments are values of the graph.

A dict holds any value under a key of Python's, and stays what it is. It gives way where a key is a value of
the graph, a set where an element is, and a deque where a tensor says where or how many, or what is compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from autograph.backends.tensors.containers.becoming import become_staged
from autograph.backends.tensors.containers.dicts import looked_up
from autograph.backends.tensors.containers.keyed import has_staged, has_staged_keys, may_be_none, require_hash
from autograph.backends.tensors.containers.lists import Staged, StagedTuple, gathered
from autograph.backends.tensors.containers.sets import new_set
from autograph.backends.tensors.iteration.items import Lazy
from autograph.backends.tensors.text.strings import Text
from autograph.staging.builtins import announce_changes
from runtime.core.structure import flatten
from runtime.graph.build import is_recorded

__all__ = ["keyed_method", "listed"]

OF_ELEMENTS = frozenset({"add", "discard", "remove"})
"""Methods of sets that take an element; the others take what is iterated over."""

COMPARING = frozenset({"count", "index", "remove"})
"""Methods of deques that compare items."""


def keyed_method(target: Any, name: str, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What is called in the place of a method; None where Python's is right.

    Parameters
    ----------
    target : dict, set, frozenset or deque
    name : str
    arguments : tuple
        The positional ones, of which there are some.

    Returns
    -------
    callable or None
    """
    if any(map(_is_given_once, arguments)):
        return partial(_of_items, target, name)
    return partial(_of_graph, target, name) if _decides(target, name, arguments) else None


def listed(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments with a list in the place of what can be iterated over only once."""
    return tuple([gathered(each) if _is_given_once(each) else each for each in arguments])


def _is_given_once(value: Any) -> bool:
    return isinstance(value, Lazy | Iterator) and not isinstance(value, Staged | StagedTuple | Text)


def _of_items(target: Any, name: str, /, *arguments: Any, **options: Any) -> Any:
    """The method, given what can be iterated over only once."""
    found = listed(arguments)
    if _decides(target, name, found):
        return _of_graph(target, name, *found, **options)
    method = getattr(target, name)
    announce_changes(method, found)
    return method(*found, **options)


def _got(target: dict[Any, Any], key: Any, default: list[Any]) -> Any:
    if not has_staged(key):
        return target.get(key, *default)
    return looked_up(target, key, lambda: default[0] if default else None)


def _of_graph(target: Any, name: str, /, *arguments: Any, **options: Any) -> Any:
    """The method of the container of the graph that takes the place of one of Python's."""
    if isinstance(target, dict) and name == "get" and not isinstance(target, defaultdict | Counter):
        key, *default = arguments
        if may_be_none(target, key):
            return key.ag__either(lambda one: _got(target, one, default))
        return _got(target, key, default)
    if isinstance(target, frozenset):
        return getattr(new_set(target), name)(*arguments, **options)
    return getattr(become_staged(target), name)(*arguments, **options)


def _decides(target: Any, name: str, arguments: tuple[Any, ...]) -> bool:
    """Whether a value of the graph decides what a method does."""
    if isinstance(target, deque):
        if name in COMPARING:
            return any(map(is_recorded, flatten([arguments, list(target)])[0]))
        return name not in {"append", "appendleft"} and any(
            isinstance(each, Lazy) or is_recorded(each) for each in arguments[:1]
        )
    if isinstance(target, dict) and name not in {"subtract", "update"}:
        return has_staged(arguments[0])
    if name in OF_ELEMENTS:
        require_hash(arguments[0])
        return has_staged(arguments[0])
    is_dict = isinstance(target, dict) and not isinstance(target, Counter)
    return any(has_staged_keys(each, of_pairs=is_dict) for each in arguments)
