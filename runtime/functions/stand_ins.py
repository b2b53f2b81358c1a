"""Generators of random numbers and sets among the arguments: one graph serves all of a kind.

The function is traced with a generator of the graph's own, its stand-in. While a call runs, the stand-in
draws what that of the caller would: it has the same bits, or begins where that one is, and leaves it where
it ends. A copy stands for all sets that hold the same: what becomes of the copy becomes of them.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

from autograph_base.waiting import where_loaded
from runtime.executors.native.randomness import draws

__all__ = ["GENERATORS", "GeneratorKey", "SetKey", "is_generator", "lent", "told_of_generator"]

_NUMPYS = frozenset({("numpy.random._generator", "Generator"), ("numpy.random.mtrand", "RandomState")})
"""By name: they are there once somebody has asked for them."""
GENERATORS = frozenset({"Generator", "RandomState", "Random"})
"""The names of classes that may be such."""
_BITS = frozenset({"MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"})


def is_generator(value: object) -> bool:
    """Whether others may stand for a generator: it is NumPy's or Python's, and no more than that."""
    kind: Any = type(value)
    if kind.__name__ not in GENERATORS:
        return False
    if kind is where_loaded("random", "Random"):
        return _memory_of(kind) is not None and vars(value).keys() == {"gauss_next"}
    if (kind.__module__, kind.__qualname__) not in _NUMPYS:
        return False
    bits = type(draws.bits_of(value))
    is_numpys = bits.__name__ in _BITS and bits.__module__.startswith("numpy.random.")
    return is_numpys and (kind.__name__ == "Generator" or _memory_of(kind) is not None)


def told_of_generator(value: Any) -> tuple[type, type | None] | None:
    """What tells a generator from others for which another graph serves; None of any other object."""
    if not is_generator(value):
        return None
    kind = type(value)
    return kind, None if kind is where_loaded("random", "Random") else type(draws.bits_of(value))


class SetKey:
    """The place of a set in the key of a call: any other that holds the same may be there in the next.

    Parameters
    ----------
    given : set
    elements : tuple
        What tells its elements from others, in their order.
    number : int
        Which of the sets among the arguments it is.
    """

    def __init__(self, given: set[Any], elements: tuple[object, ...], number: int) -> None:
        self.kind = type(given)
        self._given: set[Any] | None = given
        self._stand_in: set[Any] = set()
        self._told = elements, number

    @property
    def stand_in(self) -> set[Any]:
        """What the function is traced with: a copy of the set, as it is when this is first asked for."""
        if self._given is not None:
            self._stand_in, self._given = self._given.copy(), None
        return self._stand_in

    @property
    def has_its_order(self) -> bool:
        """Whether the copy has the elements in the order of the set, which follows from more than these."""
        return self._given is None or list(self._given) == list(self._given.copy())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SetKey) and self._told == other._told

    def __hash__(self) -> int:
        return hash(self._told)

    def __repr__(self) -> str:
        elements, _ = self._told
        return f"{{{', '.join(map(repr, elements))}}}" if elements else "set()"


class GeneratorKey:
    """The place of a generator in the key of a call.

    Parameters
    ----------
    given : Generator, RandomState or Random
    number : int
        Which of the generators among the arguments it is: one that is there twice is one.
    """

    def __init__(self, given: Any, number: int) -> None:
        self.kind = type(given)
        self._bits = None if self.kind is where_loaded("random", "Random") else type(draws.bits_of(given))
        self._number = number
        self._lock = threading.RLock()
        self._stand_in: Any = None
        self._lent: Any = None

    @property
    def stand_in(self) -> Any:
        """What a graph for such a key draws from."""
        if self._stand_in is None:
            self._stand_in = self.kind(0 if self._bits is None else self._bits(0))
        return self._stand_in

    def is_stood_for(self, generator: object) -> bool:
        """Whether that is the stand-in: what a function hands on that calls itself."""
        return self._stand_in is not None and self._stand_in is generator

    @contextmanager
    def lent(self, given: Any) -> Iterator[None]:
        """While a graph runs, or is traced: the stand-in draws what a generator would, one call at a time."""
        with self._lock:
            around = self._lent
            self._change(around, given)
            try:
                yield
            finally:
                self._change(given, around)

    def _change(self, former: Any, given: Any) -> None:
        """Leaves a generator where the stand-in is, which goes on where another one is."""
        stand_in, self._lent = self.stand_in, given
        if former is not None:
            _copy(stand_in, former)
        if given is not None:
            if self._bits is not None:
                stand_in.__init__(draws.bits_of(given))  # from now on it has these
            _copy(given, stand_in)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GeneratorKey) and self._told == other._told

    def __hash__(self) -> int:
        return hash(self._told)

    @property
    def _told(self) -> tuple[type, type | None, int]:
        return self.kind, self._bits, self._number

    def __repr__(self) -> str:
        bits = "" if self._bits is None else self._bits.__name__
        return f"{self.kind.__name__}({bits})"


@contextmanager
def lent(pairs: Iterable[tuple[object, Any]]) -> Iterator[None]:
    """While a graph runs, or is traced: its stand-ins draw what the generators among the arguments would.

    Parameters
    ----------
    pairs : iterable
        Leaves of a key, each with what a call has there.
    """
    with ExitStack() as stack:
        for key, leaf in pairs:
            if isinstance(key, GeneratorKey) and not key.is_stood_for(leaf):
                stack.enter_context(key.lent(leaf))
        yield


def _copy(source: Any, target: Any) -> None:
    """Has a generator go on where another one is, with what it keeps beside NumPy's bits."""
    kind: Any = type(source)
    memory = _memory_of(kind)
    if memory is not None and source is not target:
        place, size = memory
        ctypes.memmove(id(target) + place, id(source) + place, size)
    if isinstance(source, where_loaded("random", "Random")):
        target.gauss_next = source.gauss_next  # as `Random.seed` has it


@cache
def _memory_of(kind: Any) -> tuple[int, int] | None:
    """Where a generator has what it keeps itself, behind its address, and how many bytes; None if not known.

    That is where it is; of an old one of NumPy's a normal number drawn with another, behind its bits.
    """
    if kind is where_loaded("random", "Random"):
        is_known = draws.is_twister(kind(7))
        return (object.__basicsize__, ctypes.sizeof(draws.TWISTER)) if is_known else None
    gauss = draws.place_of_gauss() if kind.__name__ == "RandomState" else None
    word = ctypes.sizeof(ctypes.c_void_p)
    kept = ctypes.sizeof(ctypes.c_int64) + ctypes.sizeof(ctypes.c_double)
    return None if gauss is None else (gauss + word, kept)
