"""Sets as ints."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

__all__ = ["Bits"]

T = TypeVar("T", bound=Hashable)


class Bits(Generic[T]):
    """Sets of things as ints: each thing has a bit."""

    def __init__(self) -> None:
        self._bits: dict[T, int] = {}
        self._things: list[T] = []

    def bit(self, thing: T) -> int:
        """The set of one thing."""
        bit = self._bits.get(thing)
        if bit is None:
            bit = self._bits[thing] = 1 << len(self._things)
            self._things.append(thing)
        return bit

    def pack(self, things: Iterable[T]) -> int:
        """The set of some things."""
        packed = 0
        for thing in things:
            packed |= self.bit(thing)
        return packed

    def unpack(self, packed: int) -> Iterator[T]:
        """The things in a set."""
        while packed:
            lowest = packed & -packed
            yield self._things[lowest.bit_length() - 1]
            packed ^= lowest
