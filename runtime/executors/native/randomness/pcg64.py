"""`numpy.random.PCG64`, the generator of bits behind `default_rng`: its words, its seeds, and its ziggurats.

O'Neill's PCG XSL RR 128/64 (https://www.pcg-random.org): a step multiplies 128 bits, and gives 64. NumPy
makes normal and exponential numbers of one such word by ziggurats (Marsaglia and Tsang, 2000): a word falls
into one of 256 strips, and is a number at once where it is surely inside. The tables of these are not to be
had, so they are read off what the C functions make of words that we give them; where a word is not surely
inside, the C function goes on.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

__all__ = [
    "MIXED_BY",
    "MULTIPLIER",
    "Interface",
    "lies_as_known",
    "seeding_of_pcg64",
    "stepped",
    "strips",
    "words_of",
]


class Interface(ctypes.Structure):
    """`bitgen_t`, as `numpy/random/bitgen.h` has it."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", ctypes.c_void_p),
        ("next_uint32", ctypes.c_void_p),
        ("next_double", ctypes.c_void_p),
        ("next_raw", ctypes.c_void_p),
    )


MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""That of the steps of `PCG64`, of 128 bits."""


def seeding_of_pcg64(
    hashed: Callable[[Any, int, int], Any], mixed: Callable[[Any, Any], Any], words: Sequence[Any]
) -> list[Any]:
    """The eight words of 32 bits in which `PCG64` begins, of the words of a seed.

    This is `numpy.random.SeedSequence`, with a pool of four words, which O'Neill's `seed_seq_fe` is behind
    (https://numpy.org/doc/stable/reference/random/bit_generators/generated/numpy.random.SeedSequence.html).

    Parameters
    ----------
    hashed : callable
        A word that is combined with one constant, and multiplied by the next.
    mixed : callable
        Two words in one.
    words : sequence
        Four.
    """
    constant, pool = 0x43B0D7E5, list[Any]()

    def hash_of(word: Any, multiplier: int) -> Any:
        nonlocal constant
        before, constant = constant, constant * multiplier % 2**32
        return hashed(word, before, constant)

    pool = [hash_of(word, 0x931E8875) for word in words]
    for source in range(4):
        for place in range(4):
            if source != place:
                pool[place] = mixed(pool[place], hash_of(pool[source], 0x931E8875))
    constant = 0x8B51F9DD
    return [hash_of(pool[at % 4], 0x58F38DED) for at in range(8)]


MIXED_BY = 0xCA01F9DD, 0x4973F715
"""What two words are multiplied by, whose difference is then folded."""


def _hashed(word: int, before: int, after: int) -> int:
    found = (word ^ before) * after % 2**32
    return found ^ found >> 16


def _mixed(one: int, other: int) -> int:
    found = (MIXED_BY[0] * one - MIXED_BY[1] * other) % 2**32
    return found ^ found >> 16


def _seeded_pcg64(seed: int) -> list[int]:
    """The words of a `PCG64`: its state and its step, the lower half of each first."""
    found = seeding_of_pcg64(_hashed, _mixed, [seed % 2**32, seed >> 32, 0, 0])
    high, low, high_step, low_step = [found[at] | found[at + 1] << 32 for at in range(0, 8, 2)]
    step = ((high_step << 64 | low_step) << 1 | 1) % 2**128
    state = ((step + (high << 64 | low)) * MULTIPLIER + step) % 2**128
    return [state % 2**64, state >> 64, step % 2**64, step >> 64]


def words_of(bits: Any) -> Any:
    """The words of a `PCG64` in memory: its state and its step."""
    place = ctypes.c_void_p.from_address(bits.ctypes.state_address).value
    return (ctypes.c_uint64 * 4).from_address(place or 0)


def stepped(words: Any) -> int:
    """The next word of a `PCG64`, of those in its memory."""
    low, high, low_step, high_step = words
    state = ((high << 64 | low) * MULTIPLIER + (high_step << 64 | low_step)) % 2**128
    words[0], words[1] = state % 2**64, state >> 64
    mixed, turn = words[0] ^ words[1], state >> 122
    return int((mixed >> turn | mixed << (-turn % 64)) % 2**64)


@cache
def lies_as_known() -> bool:
    """Whether a `PCG64` lies in memory as we make one, begins where we say, and steps as we do."""
    for seed in (0, 7, 2**40 + 5):
        bits, other = np.random.PCG64(seed), np.random.PCG64(seed)
        words = words_of(bits)
        if [*words] != _seeded_pcg64(seed):
            return False
        if any(stepped(words) != other.random_raw() for _ in range(9)):
            return False
    return True


_STRIPS = 256
_MARGIN = 16
"""How far below its end a strip is left to NumPy: where it ends is known to the last digits alone."""


class _Tables(ctypes.Structure):
    """How wide strips are, by word; and the words that are surely inside."""

    _fields_ = (("widths", ctypes.c_double * _STRIPS), ("inside", ctypes.c_uint64 * _STRIPS))
    widths: Any
    inside: Any


@cache
def strips(address: int, at_strip: int, at_place: int, bits: int, first: float) -> _Tables | None:
    """The tables of a ziggurat; None where the C function does not make one as it is known.

    Parameters
    ----------
    address : int
        Where the C function is.
    at_strip, at_place : int
        The first bits of a word that say in which strip a number is, of 256, and where in it.
    bits : int
        How many bits say that.
    first : float
        About what part of the first strip is surely inside.
    """
    tables, asked, word = _Tables(), [0], [0]

    def next_word(_: Any) -> int:
        asked[0] += 1
        return word[0]

    def next_double(_: Any) -> float:
        asked[0] += 1
        return 0.0 if asked[0] % 2 == 0 else 0.9  # with these, a number that is not inside is found at once

    words = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(next_word)
    doubles = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(next_double)
    given = [ctypes.cast(each, ctypes.c_void_p) for each in (words, words, doubles, words)]
    interface = Interface(None, *given)
    draw = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(address)

    def drawn(strip: int, place: int) -> float:
        asked[0], word[0] = 0, place << at_place | strip << at_strip
        return float(draw(ctypes.byref(interface)))

    for strip in range(_STRIPS):
        tables.widths[strip] = width = drawn(strip, 1)
        before = first * width if strip == 0 else tables.widths[strip - 1]
        most = int(before / width * 2**bits) - _MARGIN if before < width else 0
        if most > 1:
            number = drawn(strip, most - 1)
            most = most if asked[0] == 1 and number == (most - 1) * width else 0
        tables.inside[strip] = max(most, 0)
    return tables if sum(each > 0 for each in tables.inside) > _STRIPS // 2 else None
