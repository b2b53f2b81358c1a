"""Arrays of every dtype, shape and layout that the standard knows, with the numbers that make trouble."""

import array_api_strict as oracle
import numpy as np
from hypothesis import strategies as st

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
FLOATING = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
KINDS = {
    "boolean": ("bool",),
    "integer": (*SIGNED, *UNSIGNED),
    "integer or boolean": ("bool", *SIGNED, *UNSIGNED),
    "real floating-point": FLOATING,
    "floating-point": (*FLOATING, *COMPLEX),
    "complex": COMPLEX,
    "real numeric": (*FLOATING, *SIGNED, *UNSIGNED),
    "numeric": (*FLOATING, *SIGNED, *UNSIGNED, *COMPLEX),
    "all": (*FLOATING, "bool", *SIGNED, *UNSIGNED, *COMPLEX),
}
"""The standard's kinds of dtypes, by the names that it has for them."""

SHAPES = (
    (3,),
    (),
    (2, 3),
    (0,),
    (1,),
    (3, 0),
    (2, 1, 3),
    (0, 2),
    (2, 0, 3),
    (1, 1),
    (2, 3, 1, 2),
    (1, 0, 2, 1),
)
WITH_AXES = tuple(shape for shape in SHAPES if shape)
WITH_ELEMENTS = tuple(shape for shape in SHAPES if 0 not in shape)

SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, np.inf, -np.inf, np.nan, 1e-40, -3e38, 1e30])
"""Floating-point numbers that functions have rules for."""


def promotable(kind):
    """The pairs of dtypes of a kind that the standard promotes."""

    def fits(one, other):
        try:
            return oracle.result_type(getattr(oracle, one), getattr(oracle, other)) is not None
        except TypeError:
            return False

    return [(one, other) for one in KINDS[kind] for other in KINDS[kind] if fits(one, other)]


def fill(seed, dtype, shape, low=None, high=None):
    """An array of elements by chance: half of them near zero, the others from the ends of the range."""
    chance = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return chance.integers(0, 2, shape).astype(bool)
    if kind == "c":
        parts = [fill(chance.integers(2**32), np.float64, shape, low, high) for _ in range(2)]
        with np.errstate(all="ignore"):
            return np.asarray(parts[0] + 1j * np.where(np.isfinite(parts[1]), parts[1], 0.5), dtype)
    if kind == "f":
        usual = chance.normal(size=shape) * 3 if low is None else chance.uniform(low, high, shape)
        rare = chance.choice(SPECIAL, shape) if low is None else usual
    else:
        limits = np.iinfo(dtype)
        usual = chance.integers(
            max(limits.min, -4) if low is None else low, (5 if high is None else high) + 1, shape
        )
        rare = chance.choice([limits.min, limits.max], shape) if low is None else usual
    with np.errstate(all="ignore"):
        usual, rare = (np.asarray(each).astype(dtype) for each in (usual, rare))
        return np.asarray(np.where(chance.random(shape) < 0.6, usual, rare))


SEEDS = st.integers(0, 2**32 - 1)


@st.composite
def arrays(draw, kind, shapes=SHAPES, low=None, high=None):
    """An array of a kind of dtypes; with `low` and `high`, of ordinary numbers between them."""
    dtype = draw(st.sampled_from(KINDS[kind]))
    return fill(draw(SEEDS), dtype, draw(st.sampled_from(shapes)), low, high)


@st.composite
def broadcastable(draw, count, shapes=SHAPES):
    """As many shapes, which broadcast together."""
    whole = draw(st.sampled_from(shapes))
    found = []
    for _ in range(count):
        start = draw(st.integers(0, len(whole)))
        ones = draw(st.integers(0, 2 ** len(whole) - 1))
        found.append(tuple(1 if ones >> axis & 1 else whole[axis] for axis in range(start, len(whole))))
    return found


PYTHON = {"b": (True, False), "i": (3, 0, 1), "u": (2, 0, 1), "f": (0.5, -2, 3.0), "c": (1 - 2j, 0.5, 2)}
"""Python's numbers that the standard takes beside an array, by the kind of its dtype."""


@st.composite
def pairs(draw, kind, low=None, high=None, scalars=True):
    """Two operands that are promoted and broadcast; one of them may be a number of Python."""
    one, other = draw(st.sampled_from(promotable(kind)))
    shapes = draw(broadcastable(2))
    left, right = (
        fill(draw(SEEDS), dtype, shape, low, high) for dtype, shape in zip((one, other), shapes, strict=True)
    )
    if scalars and draw(st.integers(0, 3)) == 0:
        numbers = [number for number in PYTHON[left.dtype.kind] if low is None or number >= low]
        number = draw(st.sampled_from(numbers))
        return draw(st.sampled_from([(left, number), (number, left)]))
    return left, right


def axis_of(rank):
    """One axis, counted from either side."""
    return st.integers(-rank, rank - 1)


def axes_of(rank):
    """None, one axis, or several."""
    several = (
        st.lists(st.integers(0, rank - 1), unique=True, max_size=rank).map(tuple) if rank else st.just(())
    )
    signed = st.tuples(several, st.booleans()).map(
        lambda case: tuple(a - rank if case[1] else a for a in case[0])
    )
    return st.none() | signed | axis_of(rank) if rank else st.none() | signed
