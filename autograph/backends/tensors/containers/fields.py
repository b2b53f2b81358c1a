"""`Fields`: what a record holds, by key; each key may be there on some paths only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograph.staging.heap import leads_on
from autograph.staging.state import Missing, Undefined
from runtime.core.structure import register

__all__ = ["OF_RECORDS", "Fields", "aligned", "common_order"]

OF_RECORDS = Missing(KeyError, "a key that only some paths have put in")
"""What a key is that a path has not put in."""


@leads_on
class Fields:
    """What a record holds. It never changes: an edit gives another one.

    Attributes
    ----------
    held : dict
        By key, in the order in which they came; `MaybeUndefined` where only some paths have put one in.
    """

    __slots__ = ("held",)

    def __init__(self, held: Mapping[str, Any]) -> None:
        self.held = dict(held)


def common_order(one: Fields, other: Fields) -> list[str] | None:
    """The keys of both, in an order that is that of either; None where there is none."""
    left, right = [*one.held], [*other.held]
    shared = [key for key in left if key in other.held]
    if shared != [key for key in right if key in one.held]:
        return None
    found: list[str] = []
    rest = iter(right)
    for key in left:
        if key in other.held:
            for each in rest:
                found.append(each)
                if each == key:
                    break
        else:
            found.append(key)
    return [*found, *rest]


def aligned(keys: Sequence[str], fields: Fields) -> list[Any] | None:
    """What is there by each of these keys; None where it has others."""
    if not fields.held.keys() <= set(keys):
        return None
    return [fields.held.get(key, Undefined(key)) for key in keys]


class _Order(tuple[str, ...]):
    """The order in which keys came: nothing that tells one form from another."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Order)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, _Order)

    def __hash__(self) -> int:
        return hash(_Order)


def _split(fields: Fields) -> tuple[Sequence[str], Sequence[Any], _Order]:
    keys = sorted(fields.held)
    return tuple(keys), tuple([fields.held[key] for key in keys]), _Order(fields.held)


def _build(kind: type, keys: Sequence[str], children: Sequence[Any], extra: _Order) -> Fields:
    del kind
    held = dict(zip(keys, children, strict=True))
    return Fields({key: held[key] for key in extra})


register(Fields, _split, _build)
