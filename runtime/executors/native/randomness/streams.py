"""Streams of random numbers outside of graphs: where machine code finds a generator, and how it is left.

While a program runs, nobody else draws. Where a run ends early and is done in another way, the generators go
back to where they were when it began.
"""

from __future__ import annotations

import ctypes
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.executors.native.randomness.draws import TWISTER, bits_of, place_of_gauss

__all__ = ["Stream", "Streams"]

Owner: TypeAlias = "np.random.Generator | np.random.RandomState | random.Random"
"""What draws in Python."""

_PYTHONS = threading.RLock()


class _Kept(ctypes.Structure):
    """`aug_bitgen_t`: where the bits are, and a normal number that was drawn with another."""

    _fields_ = (("bits", ctypes.c_void_p), ("is_there", ctypes.c_int), ("number", ctypes.c_double))


class Stream:
    """The numbers that one generator draws, one after the other.

    Parameters
    ----------
    owner : Generator, RandomState or Random
    is_of_gauss : bool
        Whether machine code is told what the generator keeps of normal numbers, too.
    """

    def __init__(self, owner: Owner, *, is_of_gauss: bool = False) -> None:
        self.owner = owner
        self.is_of_gauss = is_of_gauss
        self._kept = _Kept()
        self._is_lent = False
        """Whether `_kept` is what the generator keeps, and not its attribute."""

    def __str__(self) -> str:
        return f"the numbers of a {type(self.owner).__name__}"

    @property
    def is_kept(self) -> bool:
        """Whether the generator learns at the end of a run what machine code has kept of normal numbers."""
        return self.is_of_gauss and isinstance(self.owner, random.Random)

    @property
    def is_pcg64(self) -> bool:
        """Whether its bits are those of `numpy.random.default_rng`."""
        return not isinstance(self.owner, random.Random) and type(bits_of(self.owner)) is np.random.PCG64

    @property
    def lock(self) -> Any:
        """What keeps other threads from drawing meanwhile; of a generator of Python's, other machine code."""
        return _PYTHONS if isinstance(self.owner, random.Random) else bits_of(self.owner).lock

    def begin(self) -> int:
        """Where machine code finds it in this run: `numpy.random.RandomState` may be given other bits."""
        owner = self.owner
        if isinstance(owner, random.Random):
            words = id(owner) + object.__basicsize__
            if not self.is_of_gauss:
                return words
            number = owner.gauss_next  # type: ignore[attr-defined]  # as `Random.seed` has it
            self._kept, self._is_lent = _Kept(words, number is not None, number or 0.0), True
            return ctypes.addressof(self._kept)
        if self.is_of_gauss:
            place = place_of_gauss()
            assert place is not None, "it was there when the text was written"
            return id(owner) + place
        found: int = bits_of(owner).ctypes.bit_generator.value
        return found

    def end(self) -> None:
        """Leaves the generator as the run does."""
        if self._is_lent:
            kept, self._is_lent = self._kept, False
            self.owner.gauss_next = kept.number if kept.is_there else None  # type: ignore[union-attr]  # as above

    def saved(self) -> Callable[[], None]:
        """What brings it back to where it is now, in a run."""
        bits = self._saved_bits()
        if not self.is_of_gauss:
            return bits
        kept = self._take_back if self.is_kept else _memory_of(_Kept.from_address(self.begin()))

        def put_back() -> None:
            bits()
            kept()

        return put_back

    def _saved_bits(self) -> Callable[[], None]:
        owner = self.owner
        if isinstance(owner, random.Random):
            return _memory_of(TWISTER.from_address(id(owner) + object.__basicsize__))
        bits = bits_of(owner)
        if type(bits) is np.random.MT19937:  # whose place is behind the words
            return _memory_of(TWISTER.from_address(bits.ctypes.state_address))
        state = bits.state

        def set_state() -> None:
            bits.state = state

        return set_state

    def _take_back(self) -> None:
        """Forgets what machine code has kept."""
        self._is_lent = False


def _memory_of(words: Any) -> Callable[[], None]:
    """What brings memory back to what it is now."""
    before = bytes(words)

    def put_back() -> None:
        ctypes.memmove(ctypes.addressof(words), before, len(before))

    return put_back


class Streams:
    """The streams that a program draws from, which may go back to where a run began.

    Parameters
    ----------
    streams : dict of str to Stream
        By the symbols of machine code that say where they are.
    """

    def __init__(self, streams: Mapping[str, Stream]) -> None:
        self._streams = streams
        self._before: Sequence[Callable[[], None]] = ()
        """What brings them back to where the run began that has their locks."""

    def __bool__(self) -> bool:
        return bool(self._streams)

    def given(self, entry: Callable[..., Any], addresses: Mapping[str, int]) -> Callable[..., Any]:
        """An entry that draws from them: nobody else does meanwhile."""
        if not self._streams:
            return entry
        places = [
            (ctypes.c_void_p.from_address(addresses[name]), stream) for name, stream in self._streams.items()
        ]

        def run(*arrays: Any) -> Any:
            locks = sorted([stream.lock for _, stream in places], key=id)
            for lock in locks:
                lock.acquire()
            around = self._before
            try:
                for place, stream in places:
                    place.value = stream.begin()
                self._before = [stream.saved() for _, stream in places]
                return entry(*arrays)
            finally:
                self._before = around
                for _, stream in places:
                    stream.end()
                for lock in locks:
                    lock.release()

        return run

    def go_back(self) -> None:
        """Brings them back to where the run began that has ended early: it will be done in another way."""
        for put_back in self._before:
            put_back()
