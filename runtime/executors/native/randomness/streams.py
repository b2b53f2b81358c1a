"""Streams of random numbers outside of graphs: where machine code finds a generator, and how it is left.

While a program runs, nobody else draws. Where a run ends early and is done in another way, the generators go
back to where they were when it began.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from autograph_base.waiting import where_loaded
from runtime.errors import GraphError
from runtime.executors.native.randomness import draws, pcg64

if TYPE_CHECKING:
    import random

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
        self._bits: Any = None
        self._address = 0
        self._memory: list[memoryview] = []
        """What a draw changes."""
        self._has_state = False
        """Whether that is not known of its bits, which can be asked for it."""
        self._find()

    def __str__(self) -> str:
        return f"the numbers of a {type(self.owner).__name__}"

    @property
    def is_kept(self) -> bool:
        """Whether the generator learns at the end of a run what machine code has kept of normal numbers."""
        return self.is_of_gauss and isinstance(self.owner, where_loaded("random", "Random"))

    @property
    def kind(self) -> str:
        """The name of the class of its bits, which stays the same."""
        return "" if self._bits is None else type(self._bits).__name__

    @property
    def lock(self) -> Any:
        """What keeps other threads from drawing meanwhile; of a generator of Python's, other machine code."""
        return (
            _PYTHONS
            if isinstance(self.owner, where_loaded("random", "Random"))
            else draws.bits_of(self.owner).lock
        )

    def begin(self) -> int:
        """Where machine code finds it in this run: `numpy.random.RandomState` may be given other bits."""
        owner = self.owner
        if isinstance(owner, where_loaded("random", "Random")):
            if self.is_of_gauss:
                number = owner.gauss_next  # as `Random.seed` has it
                words = id(owner) + object.__basicsize__
                self._kept, self._is_lent = _Kept(words, number is not None, number or 0.0), True
                return ctypes.addressof(self._kept)
        elif draws.bits_of(owner) is not self._bits:
            self._find()
        return self._address

    def end(self) -> None:
        """Leaves the generator as the run does."""
        if self._is_lent:
            kept, self._is_lent = self._kept, False
            self.owner.gauss_next = kept.number if kept.is_there else None  # type: ignore[union-attr]  # as above

    def saved(self) -> tuple[list[bytes], Any]:
        """Where it is now, in a run."""
        return [view.tobytes() for view in self._memory], self._bits.state if self._has_state else None

    def put_back(self, saved: tuple[list[bytes], Any]) -> None:
        """Brings it back to where it was."""
        before, state = saved
        for view, content in zip(self._memory, before, strict=True):
            view[:] = content
        if self._has_state:
            self._bits.state = state
        self._is_lent = False  # what Python keeps in an attribute is as it was

    def _find(self) -> None:
        """Finds out where it is, and where all lies that a draw changes."""
        owner = self.owner
        if isinstance(owner, where_loaded("random", "Random")):
            self._address = id(owner) + object.__basicsize__
            self._memory = [_view(draws.TWISTER, self._address)]
            return
        bits, before = draws.bits_of(owner), self._bits
        if before is not None and type(bits) is not type(before):
            raise GraphError(
                f"a {type(owner).__name__} has bits of a {type(bits).__name__} now",
                why=f"They were of a {type(before).__name__} when the graph was compiled.",
                way_out="Make another generator of them.",
            )
        self._bits, self._has_state = bits, False
        self._address = bits.ctypes.bit_generator.value
        state: int = bits.ctypes.state_address
        if type(bits) is np.random.MT19937:  # whose place is behind the words
            self._memory = [_view(draws.TWISTER, state)]
        elif type(bits) is np.random.PCG64 and pcg64.lies_as_known():
            self._memory = [memoryview(pcg64.words_of(bits)).cast("B"), _view(ctypes.c_uint64 * 2, state)]
        else:
            self._memory, self._has_state = [], True
        if self.is_of_gauss:
            place = draws.place_of_gauss()
            assert place is not None, "it was there when the text was written"
            self._address = id(owner) + place
            self._memory.append(_view(_Kept, self._address))


def _view(kind: Any, address: int) -> memoryview:
    """Memory, to be read and written to."""
    return memoryview(kind.from_address(address)).cast("B")


class Streams:
    """The streams that a program draws from, which may go back to where a run began.

    Parameters
    ----------
    streams : dict of str to Stream
        By the symbols of machine code that say where they are.
    """

    def __init__(self, streams: Mapping[str, Stream]) -> None:
        self._streams = streams
        self._before: Sequence[tuple[Stream, Any]] = ()
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
            locks = [stream.lock for _, stream in places]
            if len(locks) > 1:  # always in one order, or else two threads may wait for each other
                locks.sort(key=id)
            for lock in locks:
                lock.acquire()
            around = self._before
            try:
                for place, stream in places:
                    place.value = stream.begin()
                self._before = [(stream, stream.saved()) for _, stream in places]
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
        for stream, saved in self._before:
            stream.put_back(saved)
