"""`Fields`: what a record holds, by key; each key may be there on some paths only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograph.staging.heap import leads_on
from autograph.staging.state import Missing, Undefined
from runtime import ops
from runtime.core.containers import register

__all__ = ["OF_RECORDS", "Fields", "aligned"]

OF_RECORDS = Missing(KeyError, "a key that only some paths have put in")
"""What a key is that a path has not put in."""


@leads_on
class Fields:
    """What a record holds. It never changes: an edit gives another one.

    Attributes
    ----------
    held : dict
        By key; `MaybeUndefined` where only some paths have put one in.
    since : dict
        By key, a number by which the keys are in order: of Python's, or of the graph.
    """

    __slots__ = ("held", "since")

    def __init__(self, held: Mapping[str, Any], since: Mapping[str, Any] | None = None) -> None:
        self.held = dict(held)
        self.since = {key: at for at, key in enumerate(self.held)} if since is None else dict(since)

    @classmethod
    def of(cls, items: Mapping[str, tuple[Any, Any]]) -> Fields:
        """Values by key, each with the number by which its key is in order."""
        held = {key: value for key, (value, _) in items.items()}
        return cls(held, {key: number for key, (_, number) in items.items()})

    def put(self, key: str, value: Any, valid: Any) -> Fields:
        """Another value of a key; one that is there keeps its place, and `valid` says whether it is."""
        since = self.since
        if valid is not True:
            behind = self._next()
            number = behind if valid is False else ops.where(valid, since[key], behind)
            since = {**since, key: number}
        return Fields({**self.held, key: value}, since)

    def without(self, key: str) -> Fields:
        """All but one."""
        return Fields(
            *[{own: each for own, each in of.items() if own != key} for of in (self.held, self.since)]
        )

    def _next(self) -> Any:
        """A number behind those of all keys."""
        numbers = list(self.since.values())
        if all(type(each) is int for each in numbers):
            return max(numbers, default=-1) + 1
        return ops.max(ops.stack(numbers)) + 1


def aligned(keys: Sequence[tuple[str, str]], fields: Fields) -> list[Any] | None:
    """What is there by each of the keys of a form; None where it has others."""
    if not fields.held.keys() <= {key for of, key in keys if of == _HELD}:
        return None
    return [
        fields.held.get(key, Undefined(key)) if of == _HELD else fields.since.get(key, 0) for of, key in keys
    ]


_HELD, _SINCE = "held", "since"


def _split(fields: Fields) -> tuple[Sequence[tuple[str, str]], Sequence[Any], tuple[tuple[str, int], ...]]:
    """Numbers that Python knows are a part of the form: they are the same on all paths."""
    keys = sorted(fields.held)
    since = fields.since
    of_run = [key for key in keys if type(since[key]) is not int]
    named = [*[(_HELD, key) for key in keys], *[(_SINCE, key) for key in of_run]]
    known = tuple([(key, since[key]) for key in keys if type(since[key]) is int])
    return tuple(named), (*[fields.held[key] for key in keys], *[since[key] for key in of_run]), known


def _build(
    kind: type, keys: Sequence[tuple[str, str]], children: Sequence[Any], extra: Sequence[tuple[str, int]]
) -> Fields:
    del kind
    found: dict[str, dict[str, Any]] = {_HELD: {}, _SINCE: dict(extra)}
    for (of, key), child in zip(keys, children, strict=True):
        found[of][key] = child
    return Fields(found[_HELD], found[_SINCE])


register(Fields, _split, _build)
