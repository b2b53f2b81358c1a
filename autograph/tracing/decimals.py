"""How decimals are computed is part of the world around a function: `decimal.getcontext()` of a thread."""

from __future__ import annotations

import decimal
from typing import Any

from autograph.staging.places import Place

__all__ = ["DecimalContext", "computes_with_decimals"]


class DecimalContext(Place):
    """How this thread computes with decimals, as a tuple of its settings."""

    __slots__ = ()

    def __init__(self) -> None:
        self.key = "decimal context"
        self.name = "decimal.getcontext()"
        self.owner = decimal

    def get(self) -> Any:
        own = decimal.getcontext()
        traps = tuple(signal.__name__ for signal, is_set in own.traps.items() if is_set)
        return traps, *(getattr(own, name) for name in _OF_DECIMALS)

    def set(self, value: Any) -> None:
        own, (traps, *settings) = decimal.getcontext(), value
        for signal in own.traps:
            own.traps[signal] = signal.__name__ in traps
        for name, setting in zip(_OF_DECIMALS, settings, strict=True):
            setattr(own, name, setting)

    def at(self, owner: Any) -> Place:  # noqa: ARG002  # each thread has one
        return self


_OF_DECIMALS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


def computes_with_decimals(value: Any) -> bool:
    """Whether what a program names leads to decimals: the module, what it offers, or one of its objects."""
    return value is decimal or id(value) in _OFFERED or isinstance(value, decimal.Decimal | decimal.Context)


_OFFERED = frozenset(id(each) for each in vars(decimal).values() if callable(each))
