"""Streams of random numbers outside of graphs: NumPy's and Python's own generators, as machine code has them.

A generator of NumPy's says where its bits are, and which C functions give the next ones
(`numpy.random.BitGenerator.ctypes`); and the C functions that make numbers of a distribution of them are
there to be called (https://numpy.org/doc/stable/reference/random/extending.html). A `random.Random` is a
Mersenne Twister, whose words lie behind the head of the object. So machine code draws the very numbers that
Python would draw next, and leaves the generator as Python would.

What lies where is compared with what Python sees of it, and each function is tried once, before it is used.
"""

from __future__ import annotations

import ctypes
import random
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from runtime.core.dataclass import dataclass
from runtime.core.dtypes import DType, float64, int64, uint64

__all__ = ["DRAWS", "Draws", "Stream", "Streams", "address_of_draw", "is_there"]

Owner: TypeAlias = "np.random.Generator | np.random.RandomState | random.Random"
"""What draws in Python."""


def _generator(seed: int) -> Any:
    return np.random.default_rng(seed)


def _python_generator(seed: int) -> Any:
    return random.Random(seed)  # noqa: S311  # nothing is to be kept secret


@dataclass(frozen=True)
class Draws:
    """A way to draw a number.

    Attributes
    ----------
    takes : tuple of DType
        Those of its arguments.
    gives : DType
    by_python : callable
        What Python does: it takes the owner of the stream, and the arguments.
    symbol : str
        The C function of NumPy's that draws it; empty where it is made of the bits themselves.
    owner : callable
        Makes a generator to try it with.
    """

    takes: tuple[DType, ...]
    gives: DType
    by_python: Callable[..., Any]
    symbol: str = ""
    owner: Callable[[int], Any] = _generator


def _of_numpy(name: str, arity: int, gives: DType = float64) -> Draws:
    """A distribution of NumPy's, of some parameters."""

    def by_python(owner: Any, *parameters: float) -> Any:
        return getattr(owner, name)(*parameters)

    return Draws((float64,) * arity, gives, by_python, f"random_{name}")


def _bounded(owner: Any, low: int, most: int) -> int:
    return int(low) + int(owner.integers(0, most, dtype=np.uint64, endpoint=True))


def _masked(owner: Any, low: int, most: int) -> int:
    return int(low) + int(owner.randint(0, int(most) + 1, dtype=np.uint64))


def _old_generator(seed: int) -> Any:
    return np.random.RandomState(seed)


DRAWS: Mapping[str, Draws] = {
    "double": Draws((), float64, lambda owner: owner.random()),
    "uniform": Draws(
        (float64, float64), float64, lambda owner, low, span: low + span * owner.random(), "random_uniform"
    ),
    "bounded": Draws((int64, uint64), int64, _bounded, "random_bounded_uint64_fill"),
    "masked": Draws((int64, uint64), int64, _masked, "random_bounded_uint64_fill", _old_generator),
    **{name: _of_numpy(name, 0) for name in ("standard_normal", "standard_exponential", "standard_cauchy")},
    **{
        name: _of_numpy(name, 1)
        for name in (
            *("exponential", "standard_gamma", "chisquare", "rayleigh", "weibull", "pareto", "power"),
            "standard_t",
        )
    },
    **{
        name: _of_numpy(name, 2)
        for name in (
            *("normal", "gamma", "beta", "lognormal", "laplace", "logistic", "gumbel", "vonmises"),
            *("wald", "f"),
        )
    },
    "triangular": _of_numpy("triangular", 3),
    "poisson": _of_numpy("poisson", 1, int64),
    "geometric": _of_numpy("geometric", 1, int64),
    "twister_double": Draws((), float64, lambda owner: owner.random(), owner=_python_generator),
    "twister_bits": Draws(
        (int64,), int64, lambda owner, count: owner.getrandbits(int(count)), owner=_python_generator
    ),
    "twister_below": Draws(
        (uint64,),
        int64,
        lambda owner, count: owner._randbelow(int(count)),  # noqa: SLF001  # what its methods draw with
        owner=_python_generator,
    ),
}
"""The ways to draw a number, by the names that the loop language has for them.

`double`: at least 0 and below 1. `uniform`: from a limit on, and how far the other one is. `bounded` and
`masked`: whole numbers from a first one on, and how far the last one is from it, as a `Generator` draws them,
and as a `RandomState` does. `twister_…`: those of `random.Random`.
"""


# ── where things are ──


class _Interface(ctypes.Structure):
    """`bitgen_t`, as `numpy/random/bitgen.h` has it."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", ctypes.c_void_p),
        ("next_uint32", ctypes.c_void_p),
        ("next_double", ctypes.c_void_p),
        ("next_raw", ctypes.c_void_p),
    )


_C_TYPES: Mapping[DType, Any] = {float64: ctypes.c_double, int64: ctypes.c_int64, uint64: ctypes.c_uint64}
_TWISTER = ctypes.c_uint32 * 625
"""The place in the words of a Mersenne Twister, and its 624 words."""
_TRIED: Mapping[DType, Sequence[float]] = {float64: (0.25, 0.5, 0.75), int64: (3, 3, 3), uint64: (40, 40, 40)}
"""Arguments with which a function is tried."""


@cache
def is_there(function: str) -> bool:
    """Whether machine code can draw this way: what lies in memory is what Python sees."""
    draws = DRAWS[function]
    if draws.owner is _python_generator:
        return _is_twister(_python_generator(7))
    if not _is_interface(np.random.default_rng(7)):
        return False
    return not draws.symbol or _is_alike(function)


def _is_interface(generator: np.random.Generator) -> bool:
    """Whether a generator's C functions are where they are said to be."""
    told = generator.bit_generator.ctypes
    found = _Interface.from_address(told.bit_generator.value)
    pairs = [
        (found.state, told.state_address),
        (found.next_uint32, ctypes.cast(told.next_uint32, ctypes.c_void_p).value),
        (found.next_double, ctypes.cast(told.next_double, ctypes.c_void_p).value),
    ]
    return all(one == other for one, other in pairs)


def _is_twister(owner: random.Random) -> bool:
    """Whether the words of a Mersenne Twister lie behind the head of the object."""
    owner.random()
    if type(owner).__basicsize__ < object.__basicsize__ + ctypes.sizeof(_TWISTER):
        return False
    place, *words = _TWISTER.from_address(id(owner) + object.__basicsize__)
    return bool((*words, place) == owner.getstate()[1])


def _is_alike(function: str) -> bool:
    """Whether NumPy's C function draws what its method draws, and leaves the same behind."""
    draws, address = DRAWS[function], address_of_draw(function)
    if address is None:
        return False
    given = [_TRIED[dtype][at] for at, dtype in enumerate(draws.takes)]
    one, other = draws.owner(7), draws.owner(7)
    stream = _bits_of(one).ctypes.bit_generator
    for _ in range(3):
        if draws.by_python(other, *given) != _drawn(draws, address, stream, given):
            return False
    return bool(_bits_of(one).random_raw() == _bits_of(other).random_raw())


def _drawn(draws: Draws, address: int, stream: Any, given: Sequence[Any]) -> Any:
    """What a C function of NumPy's draws."""
    if draws.takes[1:] == (uint64,):  # it fills an array
        fill = ctypes.CFUNCTYPE(
            None,
            *(ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_ssize_t, ctypes.c_bool),
            ctypes.c_void_p,
        )(address)
        found = ctypes.c_int64()
        low, most = given
        fill(stream, low, most, 1, draws.by_python is _masked, ctypes.byref(found))
        return found.value
    takes = [_C_TYPES[dtype] for dtype in draws.takes]
    return ctypes.CFUNCTYPE(_C_TYPES[draws.gives], ctypes.c_void_p, *takes)(address)(stream, *given)


@cache
def address_of_draw(function: str) -> int | None:
    """Where the C function of NumPy's is that draws a number; None where there is none."""
    found = getattr(_library(), DRAWS[function].symbol, None)
    return None if found is None else ctypes.cast(found, ctypes.c_void_p).value


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(sys.modules[np.random.Generator.__module__].__file__)


# ── streams ──


_PYTHONS = threading.RLock()


class Stream:
    """The numbers that one generator draws, one after the other."""

    def __init__(self, owner: Owner) -> None:
        self.owner = owner

    def __str__(self) -> str:
        return f"the numbers of a {type(self.owner).__name__}"

    @property
    def lock(self) -> Any:
        """What keeps other threads from drawing meanwhile; of a generator of Python's, other machine code."""
        return _PYTHONS if isinstance(self.owner, random.Random) else _bits_of(self.owner).lock

    def address(self) -> int:
        """Where machine code finds it now: `numpy.random.RandomState` may be given other bits."""
        if isinstance(self.owner, random.Random):
            return id(self.owner) + object.__basicsize__
        found: int = _bits_of(self.owner).ctypes.bit_generator.value
        return found

    def saved(self) -> Callable[[], None]:
        """What brings it back to where it is now."""
        words = self._twister()
        if words is not None:
            before = bytes(words)

            def put_back() -> None:
                ctypes.memmove(words, before, len(before))

            return put_back
        bits = _bits_of(self.owner)
        state = bits.state

        def set_state() -> None:
            bits.state = state

        return set_state

    def _twister(self) -> Any:
        """The words of a Mersenne Twister, in memory; None of others."""
        if isinstance(self.owner, random.Random):
            return _TWISTER.from_address(self.address())
        bits = _bits_of(self.owner)  # whose place is behind the words
        return _TWISTER.from_address(bits.ctypes.state_address) if type(bits) is np.random.MT19937 else None


def _bits_of(owner: Any) -> Any:
    """The generator of bits behind a generator of NumPy's."""
    return owner.bit_generator if isinstance(owner, np.random.Generator) else owner._bit_generator  # noqa: SLF001  # a public attribute in C


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
            with self._held():
                for place, stream in places:
                    place.value = stream.address()
                return entry(*arrays)

        return run

    @contextmanager
    def _held(self) -> Iterator[None]:
        locks = sorted([each.lock for each in self._streams.values()], key=id)
        for lock in locks:
            lock.acquire()
        around, self._before = self._before, [each.saved() for each in self._streams.values()]
        try:
            yield
        finally:
            self._before = around
            for lock in locks:
                lock.release()

    def go_back(self) -> None:
        """Brings them back to where the run began that has ended early: it will be done in another way."""
        for put_back in self._before:
            put_back()
