"""Ways to draw random numbers as NumPy's and Python's own generators do, for machine code: a table.

A generator of NumPy's says where its bits are, and which C functions give the next ones
(`numpy.random.BitGenerator.ctypes`); and the C functions that make numbers of a distribution of them are
there to be called (https://numpy.org/doc/stable/reference/random/extending.html). A `random.Random` is a
Mersenne Twister, whose words lie behind the head of the object. So machine code draws the very numbers that
Python would draw next, and leaves the generator as Python would.

What lies where is compared with what Python sees of it, and each way is tried once, before it is used.
"""

from __future__ import annotations

import ctypes
import math
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, float32, float64, int64, uint64
from runtime.executors.native.randomness import philox
from runtime.executors.native.randomness.pcg64 import Interface, lies_as_known, stepped, strips, words_of
from runtime.ops.random.keys import generator_at

__all__ = [
    "BINOMIAL",
    "DRAWS",
    "KINDERMAN",
    "LINEAR",
    "TWISTER",
    "Draws",
    "address_of_call",
    "bits_of",
    "is_linear",
    "is_there",
    "is_twister",
    "place_of_gauss",
    "samples_as_known",
]


# ── the ways to draw ──


def _generator(seed: int) -> Any:
    return np.random.default_rng(seed)


def _old_generator(seed: int) -> Any:
    return np.random.RandomState(seed)


def _keyed_generator(seed: int) -> Any:
    return generator_at(np.array([seed, 0], np.uint64))


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
    calls : tuple of str
        The functions in C that draw it: NumPy's, and those of the mathematical library.
    owner : callable
        Makes a generator, as those that draw this way.
    by_hand : callable or None
        The same, of the bits alone, to compare; None where a C function of NumPy's does all of it, or none.
    """

    takes: tuple[DType, ...]
    gives: DType
    by_python: Callable[..., Any]
    calls: tuple[str, ...] = ()
    owner: Callable[[int], Any] = _generator
    by_hand: Callable[..., Any] | None = None


def _of_numpy(name: str, arity: int, gives: DType = float64) -> Draws:
    """A distribution of NumPy's, of some parameters."""

    def by_python(owner: Any, *parameters: float) -> Any:
        return getattr(owner, name)(*parameters)

    return Draws((float64,) * arity, gives, by_python, (f"random_{name}",))


def _bounded(owner: Any, low: int, most: int) -> int:
    found = int(low) + int(owner.integers(0, most, dtype=np.uint64, endpoint=True))
    return (found + 2**63) % 2**64 - 2**63  # of unsigned integers, as the int64 of these bits


def _masked(owner: Any, low: int, most: int) -> int:
    return int(low) + int(owner.randint(0, int(most) + 1, dtype=np.uint64))


def _interval(owner: Any, most: int) -> int:
    """What shuffles draw: a whole number up to another."""
    address = address_of_call("random_interval")
    assert address is not None, "it was looked for"
    draw = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64)(address)
    return int(draw(bits_of(owner).ctypes.bit_generator, int(most)))


def _shuffled(owner: Any, count: int) -> list[int]:
    """What a generator of NumPy's makes of whole numbers in their order."""
    order = [*range(count)]
    for last in range(count - 1, 0, -1):
        place = _interval(owner, last)
        order[last], order[place] = order[place], order[last]
    return order


def _old_normal(owner: Any, kept: list[float], mean: float = 0.0, deviation: float = 1.0) -> float:
    """`legacy_gauss`, by Marsaglia's polar method."""
    if not kept:
        while True:
            x, y = 2.0 * owner.random() - 1.0, 2.0 * owner.random() - 1.0
            r = x * x + y * y
            if 0.0 < r < 1.0:
                break
        f: float = math.sqrt(-2.0 * math.log(r) / r)
        kept += [f * x, f * y]
    return mean + deviation * kept.pop()


def _twister_gauss(owner: Any, kept: list[float]) -> float:
    """`random.Random.gauss`."""
    if not kept:
        angle = owner.random() * (2.0 * math.pi)
        radius = math.sqrt(-2.0 * math.log(1.0 - owner.random()))
        kept += [math.sin(angle) * radius, math.cos(angle) * radius]
    return kept.pop()


KINDERMAN = 4 * math.exp(-0.5) / math.sqrt(2.0)
"""`random.NV_MAGICCONST`."""


def _twister_normal(owner: Any, _: list[float]) -> float:
    """`random.Random.normalvariate`, by Kinderman and Monahan's method."""
    while True:
        u = owner.random()
        v = 1.0 - owner.random()
        z = KINDERMAN * (u - 0.5) / v
        if z * z / 4.0 <= -math.log(v):
            return float(z)


def _twister_log(owner: Any, _: list[float]) -> float:
    """`random.Random.expovariate`."""
    return -math.log(1.0 - owner.random())


def _single(name: str, arity: int = 0) -> Draws:
    """A distribution of NumPy's, in single precision."""

    def by_python(owner: Any, *parameters: float) -> Any:
        return getattr(owner, name)(*parameters, dtype=np.float32)

    return Draws((float32,) * arity, float32, by_python, (f"random_{name}_f",))


def _of_key(gives: DType, by_python: Callable[..., Any], *calls: str, takes: int = 0) -> Draws:
    return Draws((uint64,) * takes, gives, by_python, calls, _keyed_generator)


def _pcg64_double(owner: Any, _: list[float]) -> float:
    return (stepped(words_of(bits_of(owner))) >> 11) * 2.0**-53


def _of_twister(
    takes: tuple[DType, ...], gives: DType, by_python: Callable[..., Any], *calls: str, by_hand: Any = None
) -> Draws:
    return Draws(takes, gives, by_python, calls, _python_generator, by_hand)


def _method(name: str, *first: float) -> Callable[..., Any]:
    """A method of the generator, with some arguments before the others."""

    def by_python(owner: Any, *arguments: Any) -> Any:
        whole = [int(each) if isinstance(each, np.integer) else each for each in arguments]
        return getattr(owner, name)(*first, *whole)

    return by_python


def _nothing(*_: Any) -> int:
    return 0


def _seeded(owner: Any, seed: int) -> int:
    owner.seed(int(seed))
    return 0


DRAWS: Mapping[str, Draws] = {
    "double": Draws((), float64, _method("random")),
    "uniform": Draws(
        (float64, float64),
        float64,
        lambda owner, low, span: low + span * owner.random(),
        ("random_uniform",),
    ),
    "bounded": Draws((int64, uint64), int64, _bounded, ("random_bounded_uint64_fill",)),
    "masked": Draws((int64, uint64), int64, _masked, ("random_bounded_uint64_fill",), _old_generator),
    "interval": Draws((uint64,), int64, _interval, ("random_interval",)),
    "binomial": Draws(
        (float64, int64),
        int64,
        lambda owner, part, count: owner.binomial(int(count), part),
        ("random_binomial",),
    ),
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
    "poisson": _of_numpy("poisson", 1, int64),
    "geometric": _of_numpy("geometric", 1, int64),
    "old_normal": Draws((), float64, _method("standard_normal"), ("log",), _old_generator, _old_normal),
    "old_normals": Draws(
        (float64, float64), float64, _method("normal"), ("log",), _old_generator, _old_normal
    ),
    "old_seed": Draws((int64,), int64, _seeded, (), _old_generator),
    "pcg64_made": Draws((int64,), int64, _seeded, ("pcg64",)),
    "pcg64_double": Draws((), float64, _method("random"), by_hand=_pcg64_double),
    "pcg64_normal": Draws(
        (), float64, _method("standard_normal"), ("random_standard_normal", "normal_strips")
    ),
    "pcg64_exponential": Draws(
        (), float64, _method("standard_exponential"), ("random_standard_exponential", "exponential_strips")
    ),
    **{f"{name}_f": _single(name) for name in ("standard_normal", "standard_exponential")},
    "standard_gamma_f": _single("standard_gamma", 1),
    "philox_made": _of_key(int64, _nothing, "philox"),
    "philox_at": _of_key(int64, _nothing, takes=4),
    "philox_word": _of_key(uint64, lambda owner: owner.bit_generator.random_raw()),
    "philox_double": _of_key(float64, _method("random")),
    "philox_float": _of_key(float32, lambda owner: owner.random(dtype=np.float32)),
    "philox_bounded": Draws((int64, uint64), int64, _bounded, (), _keyed_generator),
    "philox_normal": _of_key(float64, _method("standard_normal"), "random_standard_normal", "normal_strips"),
    "philox_exponential": _of_key(
        float64, _method("standard_exponential"), "random_standard_exponential", "exponential_strips"
    ),
    "twister_double": _of_twister((), float64, _method("random")),
    "twister_bits": _of_twister((int64,), int64, _method("getrandbits")),
    "twister_below": _of_twister((uint64,), int64, _method("_randbelow")),
    "twister_gauss": _of_twister(
        (), float64, _method("gauss", 0.0, 1.0), "log", "sin", "cos", by_hand=_twister_gauss
    ),
    "twister_normal": _of_twister(
        (), float64, _method("normalvariate", 0.0, 1.0), "log", by_hand=_twister_normal
    ),
    "twister_log": _of_twister((), float64, _method("expovariate", 1.0), "log", by_hand=_twister_log),
    "twister_seed": _of_twister((int64,), int64, _seeded),
}
"""The ways to draw a number, by the names that the loop language has for them.

`double`: at least 0 and below 1. `uniform`: from a limit on, and how far the other one is. `interval`: what
shuffles draw, up to a limit. `bounded` and
`masked`: whole numbers from a first one on, and how far the last one is from it, as a `Generator` draws them,
and as a `RandomState` does, whose others are `old_…`. `twister_…`: those of `random.Random`; `…_log` is what
`expovariate` divides. `pcg64_…`: those of a `Generator` over such bits, as often drawn, without a call.
`philox_…`: those of keys; `philox_at` begins with a key, before a block, and with the last word of counters.
What seeds, or makes a generator, gives 0.
"""


# ── where things are ──


def bits_of(owner: Any) -> Any:
    """The generator of bits behind a generator of NumPy's."""
    return owner.bit_generator if isinstance(owner, np.random.Generator) else owner._bit_generator  # noqa: SLF001  # a public attribute in C


_C_TYPES: Mapping[DType, Any] = {
    float32: ctypes.c_float,
    float64: ctypes.c_double,
    int64: ctypes.c_int64,
    uint64: ctypes.c_uint64,
}
TWISTER = ctypes.c_uint32 * 625
"""The place in the words of a Mersenne Twister, and its 624 words."""
_TRIED: Mapping[DType, Sequence[float]] = {
    float32: (0.25,),
    float64: (0.25, 0.5, 0.75),
    int64: (3, 3, 3),
    uint64: (40, 40, 40),
}
"""Arguments with which a function is tried."""


@cache
def is_there(function: str) -> bool:
    """Whether machine code can draw this way: what lies in memory is what Python sees."""
    draws = DRAWS[function]
    if None in map(address_of_call, draws.calls):
        return False
    if draws.owner is _python_generator:
        return is_twister(_python_generator(7)) and _is_as_by_hand(draws)
    if not _is_interface(np.random.default_rng(7)):
        return False
    if function.startswith("old"):
        return place_of_gauss() is not None and _is_as_by_hand(draws)
    if draws.owner is _keyed_generator:
        return philox.lies_as_known() and (function != "philox_bounded" or philox.bounds_as_known())
    if function.startswith("pcg64"):
        return lies_as_known() and _is_as_by_hand(draws)
    if function == "interval":
        return _shuffles_by_intervals()
    return not draws.calls or _is_alike(draws)


def _is_interface(generator: np.random.Generator) -> bool:
    """Whether a generator's C functions are where they are said to be."""
    told = generator.bit_generator.ctypes
    found = Interface.from_address(told.bit_generator.value)
    pairs = [
        (found.state, told.state_address),
        (found.next_uint32, ctypes.cast(told.next_uint32, ctypes.c_void_p).value),
        (found.next_double, ctypes.cast(told.next_double, ctypes.c_void_p).value),
    ]
    return all(one == other for one, other in pairs)


def is_twister(owner: random.Random) -> bool:
    """Whether the words of a Mersenne Twister lie behind the head of the object."""
    owner.random()
    if type(owner).__basicsize__ < object.__basicsize__ + ctypes.sizeof(TWISTER):
        return False
    place, *words = TWISTER.from_address(id(owner) + object.__basicsize__)
    return bool((*words, place) == owner.getstate()[1])


@cache
def place_of_gauss() -> int | None:
    """Where a `RandomState` keeps a normal number, behind its own address: `aug_bitgen_t`.

    That is where its bits are, whether there is a number, and the number.
    """
    owner = np.random.RandomState(7)
    owner.standard_normal()
    words = (ctypes.c_uint64 * (type(owner).__basicsize__ // 8)).from_address(id(owner))
    kept = np.float64(owner.get_state(legacy=False)["gauss"]).view(np.uint64)
    for at, word in enumerate(words):
        if word == kept and at > 1 and words[at - 1] & 0xFFFFFFFF == 1:
            found = Interface.from_address(words[at - 2]) if words[at - 2] else None
            if found is not None and found.state == bits_of(owner).ctypes.state_address:
                return 8 * (at - 2)
    return None


def _is_as_by_hand(draws: Draws) -> bool:
    """Whether a method draws what is known of it, of the bits alone."""
    if draws.by_hand is None:
        return True
    one, other, kept = draws.owner(7), draws.owner(7), list[float]()
    given = [_TRIED[dtype][at] for at, dtype in enumerate(draws.takes)]
    return all(draws.by_python(one, *given) == draws.by_hand(other, kept, *given) for _ in range(32))


LINEAR: Mapping[str, str] = {
    "uniform": "double",
    "normal": "standard_normal",
    "exponential": "standard_exponential",
}
"""What a distribution is of another, multiplied, and added to where it takes two parameters."""


@cache
def is_linear(function: str) -> bool:
    """Whether NumPy multiplies and adds in two steps, each of which rounds."""
    one, other = _generator(7), _generator(7)
    given = (0.1, 0.3)[-len(DRAWS[function].takes) :]
    for _ in range(32):
        found = given[-1] * DRAWS[LINEAR[function]].by_python(other)
        if DRAWS[function].by_python(one, *given) != (given[0] + found if len(given) > 1 else found):
            return False
    return True


def _shuffles_by_intervals() -> bool:
    for make in (_generator, _old_generator):
        order = [*range(_TRIED_ITEMS)]
        make(7).shuffle(order)
        if order != _shuffled(make(7), _TRIED_ITEMS):
            return False
    return True


_TRIED_ITEMS = 30


@cache
def samples_as_known(function: str) -> bool:
    """Whether NumPy's `choice` draws without putting back in the way that is known of it.

    Parameters
    ----------
    function : str
        ``bounded`` for a `Generator`, ``interval`` for a `RandomState`.
    """
    if function == "interval":
        order = _shuffled(_old_generator(7), _TRIED_ITEMS)
        return bool(_old_generator(7).choice(_TRIED_ITEMS, 9, replace=False).tolist() == order[:9])
    tried = [
        (_TRIED_ITEMS, 9, True),
        (_TRIED_ITEMS, 27, False),
        (10_000, 300, True),
        (3, 3, True),
        (1, 1, True),
    ]
    return all(
        _generator(7).choice(count, size, replace=False, shuffle=is_shuffled).tolist()
        == _sample(_generator(7), count, size, is_shuffled=is_shuffled)
        for count, size, is_shuffled in tried
    )


def _sample(owner: Any, count: int, size: int, *, is_shuffled: bool) -> list[int]:
    """Some of the whole numbers below one, by Floyd's way."""
    found: dict[int, None] = {}
    for last in range(count - size, count):
        drawn = _bounded(owner, 0, last)
        found[last if drawn in found else drawn] = None
    order = [*found]
    for last in range(size - 1, 0, -1) if is_shuffled else ():
        place = _bounded(owner, 0, last)
        order[last], order[place] = order[place], order[last]
    return order


def _is_alike(draws: Draws) -> bool:
    """Whether NumPy's C function draws what its method draws, and leaves the same behind."""
    address = address_of_call(draws.calls[0])
    assert address is not None, "it was looked for"
    given = [_TRIED[dtype][at] for at, dtype in enumerate(draws.takes)]
    one, other = draws.owner(7), draws.owner(7)
    stream = bits_of(one).ctypes.bit_generator
    for _ in range(3):
        if draws.by_python(other, *given) != _drawn(draws, address, stream, given):
            return False
    return bool(bits_of(one).random_raw() == bits_of(other).random_raw())


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
    more = [ctypes.create_string_buffer(BINOMIAL)] if draws is DRAWS["binomial"] else []
    function = ctypes.CFUNCTYPE(
        _C_TYPES[draws.gives], ctypes.c_void_p, *takes, *[ctypes.c_void_p] * len(more)
    )
    return function(address)(stream, *given, *map(ctypes.addressof, more))


BINOMIAL = 256
"""Bytes for what NumPy remembers of a binomial distribution, `binomial_t`, and more."""


_KEPT: dict[str, Any] = {}
"""What machine code is told the place of: a generator whose C functions others use, and tables."""
_STRIPS = {
    "normal_strips": ("random_standard_normal", 0, 9, 52, 0.934),
    "exponential_strips": ("random_standard_exponential", 3, 11, 53, 0.885),
}


@cache
def address_of_call(name: str) -> int | None:
    """Where a function in C is, of NumPy's or of the mathematical library; None where there is none.

    Of `pcg64` and `philox`, where the functions of such a generator are; of strips, where their tables are.
    """
    if name in {"pcg64", "philox"}:
        _KEPT[name] = np.random.PCG64(0) if name == "pcg64" else np.random.Philox(0)
        return int(_KEPT[name].ctypes.bit_generator.value)
    if name in _STRIPS:
        function, *form = _STRIPS[name]
        place = address_of_call(function)
        _KEPT[name] = None if place is None else strips(place, *form)
        return None if _KEPT[name] is None else ctypes.addressof(_KEPT[name])
    library = sys.modules[np.random.Generator.__module__].__file__ if name.startswith("random_") else None
    found = getattr(ctypes.CDLL(library), name, None)
    return None if found is None else ctypes.cast(found, ctypes.c_void_p).value
