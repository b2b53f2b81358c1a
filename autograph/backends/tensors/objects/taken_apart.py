"""`dataclasses.asdict` and `astuple` of instances in which a tensor has chosen what there is, or how many."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple, fields, is_dataclass
from functools import partial
from typing import Any

from autograph.backends.tensors.containers.lists import StagedList, StagedTuple
from autograph.backends.tensors.objects.choices import OneOf, candidates_of
from autograph.backends.tensors.statements.deciding import with_each
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.staging.plain import Plain

__all__ = ["TakenApart"]


class TakenApart(Plain):
    """The part of the tensors' backend that makes plain containers of instances."""

    def taken_apart(
        self, callee: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Callable[[], Any] | None:
        """What a dataclass holds, if a tensor has chosen a part of it; None for Python's own function."""
        names = {asdict: "dict_factory", astuple: "tuple_factory"}
        is_called_so = callee in names and len(args) == 1 and kwargs.keys() <= {names[callee]}
        if not (is_called_so and _is_instance(args[0]) and _holds_choice(args[0])):
            return None
        make = kwargs.get(names[callee], dict if callee is asdict else tuple)
        return partial(self._in_plain, args[0], make, with_names=callee is asdict)

    def _in_plain(self, value: Any, make: Callable[[Any], Any], *, with_names: bool) -> Any:
        inner = partial(self._in_plain, make=make, with_names=with_names)
        if isinstance(value, MaybeNone | OneOf):
            return with_each((value,), lambda given: inner(given[0]))
        if isinstance(value, StagedTuple):
            items = self.map_(inner, value)
            return self.list_(items) if isinstance(value, StagedList) else self.tuple_(items)
        if _is_instance(value):
            held = [(each.name, inner(getattr(value, each.name))) for each in fields(value)]
            return make(held if with_names else [each for _, each in held])
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(inner, value))
        if isinstance(value, list | tuple):
            return type(value)(map(inner, value))
        if isinstance(value, dict):
            return type(value)((inner(key), inner(each)) for key, each in value.items())
        return copy.deepcopy(value)


def _is_instance(value: Any) -> bool:
    return is_dataclass(type(value)) and not isinstance(value, type)


def _holds_choice(value: Any) -> bool:
    """Whether something in an instance is chosen, or one of so many: Python would take it for no instance."""
    if isinstance(value, MaybeNone | StagedTuple):
        return True
    if isinstance(value, OneOf):
        return any(
            _is_instance(each) or isinstance(each, list | tuple | dict) for each in candidates_of(value)
        )
    if _is_instance(value):
        return any(_holds_choice(getattr(value, each.name, None)) for each in fields(value))
    if isinstance(value, list | tuple):
        return any(map(_holds_choice, value))
    return isinstance(value, dict) and any(map(_holds_choice, value.values()))
