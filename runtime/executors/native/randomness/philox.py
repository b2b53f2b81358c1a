"""`numpy.random.Philox`, the generator of bits behind keys: its words, and how it lies in memory.

Philox4x64-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): ten rounds
make a block of four words of a counter. A generator that draws with a key of the program is in memory of the
run, in the form in which NumPy's C functions take it: so each run has its own, and no lock.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from runtime.executors.native.randomness.pcg64 import Interface
from runtime.ops.random.keys import generator_at

__all__ = [
    "BUMPS",
    "MULTIPLIERS",
    "ROUNDS",
    "WORDS",
    "Place",
    "bounds_as_known",
    "lies_as_known",
]

ROUNDS = 10
MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
BUMPS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
"""What is added to the words of the key between rounds."""


class Place:
    """Where things are in the memory of a generator, in words of eight bytes."""

    STATE = 5
    """Before it are its functions: `bitgen_t`."""
    KEY_AT = 6
    USED = 7
    """How many words of the block have been drawn, in 32 bits."""
    BLOCK = 8
    HALF = 12
    """Whether the upper half of a word is left, and this half, in 32 bits each."""
    COUNTER = 13
    KEY = 17


WORDS = 19
"""Those of the memory of a generator."""


class _State(ctypes.Structure):
    """`philox_state`, as `numpy/random/src/philox/philox.h` has it."""

    _fields_ = (
        ("counter", ctypes.POINTER(ctypes.c_uint64 * 4)),
        ("key", ctypes.POINTER(ctypes.c_uint64 * 2)),
        ("used", ctypes.c_int),
        ("block", ctypes.c_uint64 * 4),
        ("has_half", ctypes.c_int),
        ("half", ctypes.c_uint32),
    )
    counter: Any
    key: Any
    used: int
    block: Any
    has_half: int
    half: int


def _block(counter: Sequence[int], key: Sequence[int]) -> list[int]:
    """The four words that a key has at a counter."""
    words, (first, second) = list(counter), key
    for _ in range(ROUNDS):
        one, other = words[0] * MULTIPLIERS[0], words[2] * MULTIPLIERS[1]
        words = [
            other >> 64 ^ words[1] ^ first,
            other % 2**64,
            one >> 64 ^ words[3] ^ second,
            one % 2**64,
        ]
        first, second = (first + BUMPS[0]) % 2**64, (second + BUMPS[1]) % 2**64
    return words


def words_of_key(key: Sequence[int], first: int = 0, purpose: int = 0) -> Iterator[int]:
    """The words of a key, as `runtime.ops.random.keys.generator_at` draws them."""
    counter = first + (purpose << 192)
    while True:
        counter = (counter + 1) % 2**256
        yield from _block([counter >> shift & (2**64 - 1) for shift in (0, 64, 128, 192)], key)


@cache
def lies_as_known() -> bool:
    """Whether a `Philox` lies in memory as we make one, and makes the words that we make."""
    key = np.array([2**63 + 5, 2**40 + 3], np.uint64)
    for first, purpose in ((0, 0), (7, 1), (2**64 - 1, 2)):
        bits = generator_at(key, first, purpose).bit_generator
        state = _State.from_address(bits.ctypes.state_address)
        words = words_of_key(list(map(int, key)), first, purpose)
        for drawn in range(1, 10):
            if bits.random_raw() != next(words) or not _is_at(state, bits.state, drawn):
                return False
        half = np.random.Generator(bits).random(dtype=np.float32)  # which takes the lower half of a word
        word = next(words)
        if half != np.float32((word & 0xFFFFFFFF) >> 8) / np.float32(2**24):
            return False
        if not state.has_half or state.half != word >> 32:
            return False
    return _draws_from_own_memory()


def _draws_from_own_memory() -> bool:
    """Whether the functions of a `Philox` take memory as machine code makes it, and stay inside."""
    bits, key, mark = np.random.Philox(0), [7, 2**63 + 1], 2**64 - 3
    memory: Any = (ctypes.c_uint64 * (WORDS + 4))(*[mark] * (WORDS + 4))
    start = ctypes.addressof(memory)
    ctypes.memmove(start, bits.ctypes.bit_generator.value, 8 * Place.STATE)
    pairs = ((0, Place.STATE), (Place.STATE, Place.COUNTER), (Place.KEY_AT, Place.KEY))
    for place, at in pairs:
        memory[place] = start + 8 * at
    memory[Place.USED], memory[Place.HALF] = 4, 0
    memory[Place.COUNTER : Place.KEY], memory[Place.KEY : WORDS] = [5, 0, 0, 2], key
    interface, words = Interface.from_address(start), words_of_key(key, 5, 2)
    draw = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(interface.next_uint64)
    are_alike = all(draw(interface.state) == next(words) for _ in range(9))
    half = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)(interface.next_uint32)
    word = next(words)
    are_alike &= [half(interface.state), half(interface.state)] == [word & 0xFFFFFFFF, word >> 32]
    return are_alike and memory[WORDS:] == [mark] * 4


def _is_at(state: _State, told: Any, drawn: int) -> bool:
    """Whether memory holds what a generator says of itself, so many words after it began."""
    return (
        [*state.counter.contents] == told["state"]["counter"].tolist()
        and [*state.key.contents] == told["state"]["key"].tolist()
        and [*state.block] == told["buffer"].tolist()
        and state.used == told["buffer_pos"] == (drawn - 1) % 4 + 1
        and not state.has_half
    )


@cache
def bounds_as_known() -> bool:
    """Whether whole numbers up to some limits are made of words as we make them."""
    key = [2**63 + 5, 2**40 + 3]
    for most in (0, 5, 2**31 + 5, 2**32 - 1, 2**32, 2**63 + 5, 2**64 - 1):
        generator, words, halves = generator_at(np.array(key, np.uint64)), words_of_key(key), list[int]()

        def half(words: Iterator[int] = words, halves: list[int] = halves) -> int:
            if not halves:
                word = next(words)
                halves += [word >> 32, word % 2**32]
            return halves.pop()

        draw, bits = (half, 32) if most < 2**32 else (words.__next__, 64)
        for _ in range(16):
            wanted = int(generator.integers(0, most, dtype=np.uint64, endpoint=True))
            if _up_to(most, draw, bits) != wanted:
                return False
    return True


def _up_to(most: int, draw: Callable[[], int], bits: int) -> int:
    """A whole number up to another, of words of so many bits: Lemire's method (2019)."""
    if most == 0:
        return 0
    product = draw() * (most + 1)  # where all numbers of a word are wanted, this is the word
    while product % 2**bits < (2**bits - 1 - most) % (most + 1):
        product = draw() * (most + 1)
    return product >> bits
