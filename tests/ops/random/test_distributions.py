"""What is drawn: moments and distribution functions, dtypes, shapes, limits, and the first numbers."""

import math
from pathlib import Path

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidValue, ShapeError

KEY = rt.random.key(11)
COUNT = 20_000


def distance(drawn, distribution):
    """The Kolmogorov-Smirnov statistic, in its limit distribution: above 1.95 in one case of a thousand."""
    ordered = np.sort(np.asarray(drawn, np.float64))
    exact = distribution(ordered)
    places = np.arange(len(ordered) + 1) / len(ordered)
    return max((places[1:] - exact).max(), (exact - places[:-1]).max()) * math.sqrt(len(ordered))


def normal_distribution(x):
    return np.vectorize(lambda each: math.erfc(-each / math.sqrt(2)) / 2)(x)


CONTINUOUS = {
    "uniform": (rt.random.uniform, lambda x: x),
    "uniform between": (
        lambda n, **rest: rt.random.uniform(n, -3, 5, **rest),
        lambda x: (x + 3) / 8,
    ),
    "normal": (rt.random.normal, normal_distribution),
    "normal of": (
        lambda n, **rest: rt.random.normal(n, 2, 3, **rest),
        lambda x: normal_distribution((x - 2) / 3),
    ),
    "exponential": (rt.random.exponential, lambda x: -np.expm1(-x)),
    "exponential of": (lambda n, **rest: rt.random.exponential(n, 4, **rest), lambda x: -np.expm1(-x / 4)),
    "gamma of 2": (lambda n, **rest: rt.random.gamma(2.0, n, **rest), lambda x: 1 - np.exp(-x) * (1 + x)),
}


@pytest.mark.parametrize("dtype", [rt.float32, rt.float64])
@pytest.mark.parametrize("name", CONTINUOUS)
def test_numbers_follow_their_distribution(name, dtype):
    draw, distribution = CONTINUOUS[name]
    for seed in range(3):
        drawn = draw(COUNT, key=rt.random.fold_in(KEY, seed), dtype=dtype)
        assert drawn.dtype == dtype
        assert distance(drawn, distribution) < 1.95


def chi_squared(drawn, expected):
    """The statistic over its degrees of freedom, as a number of standard deviations."""
    counts = np.bincount(np.asarray(drawn).reshape(-1), minlength=len(expected))
    wanted = np.asarray(expected) * counts.sum()
    freedom = len(expected) - 1
    return (((counts - wanted) ** 2 / wanted).sum() - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_are_equally_likely_in_every_width(dtype):
    drawn = rt.random.integers(100, shape=COUNT, dtype=dtype, key=KEY)  # 100 does not divide a power of 2
    assert drawn.dtype == dtype
    assert chi_squared(rt.astype(drawn, rt.int64), [0.01] * 100) < 4


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_reach_both_ends_of_their_dtype(dtype):
    kind = rt.as_dtype(dtype)
    least, most = int(kind.min), int(kind.max)
    for low, high in ((least, least + 2), (most - 1, most + 1)):
        drawn = rt.random.integers(low, high, 64, dtype=dtype, key=KEY)
        assert set(drawn.tolist()) == {low, high - 1}
    everything = rt.random.integers(least, most, 8, dtype=dtype, endpoint=True, key=KEY)
    assert everything.tolist() == rt.random.bits(8, dtype=dtype, key=KEY).tolist()


P = [0.5, 0.0, 0.2, 0.3]


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lambda key: rt.random.choice(4, COUNT, p=P, key=key), P),
        (lambda key: rt.random.choice(4, COUNT, key=key), [0.25] * 4),
        (lambda key: rt.random.categorical(rt.asarray([0.0, 1.0, 2.0]), COUNT, key=key), "softmax"),
        (lambda key: rt.astype(rt.random.bernoulli(0.3, COUNT, key=key), rt.int64), [0.7, 0.3]),
        (lambda key: rt.random.integers(0, [4], COUNT, key=key), [0.25] * 4),
    ],
)
def test_choices_are_as_likely_as_was_said(draw, expected):
    likely = np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum() if expected == "softmax" else np.array(expected)
    drawn = np.asarray(draw(KEY))
    present = np.flatnonzero(likely)
    assert set(np.unique(drawn)) <= set(present)
    assert chi_squared(np.searchsorted(present, drawn), likely[present]) < 4


def test_every_order_is_as_likely():
    keys = rt.unstack(rt.random.split(KEY, 2400))
    orders = [tuple(rt.random.permutation(4, key=key).tolist()) for key in keys]
    listed = sorted(set(orders))
    assert len(listed) == 24
    assert chi_squared([listed.index(order) for order in orders], [1 / 24] * 24) < 4


def test_what_is_chosen_first_without_replacement_is_as_likely_as_was_said():
    keys = rt.unstack(rt.random.split(KEY, 2000))
    pairs = np.array([rt.random.choice(4, 2, replace=False, p=P, key=key).tolist() for key in keys])
    assert (pairs[:, 0] != pairs[:, 1]).all()
    places = {0: 0, 2: 1, 3: 2}
    assert chi_squared([places[first] for first in pairs[:, 0]], [0.5, 0.2, 0.3]) < 4
    second = [0.5 * sum(p / (1 - p) for p in (0.2, 0.3)), 0.2 * sum(p / (1 - p) for p in (0.5, 0.3))]
    assert chi_squared([places[last] for last in pairs[:, 1]], [*second, 1 - sum(second)]) < 4


def test_poisson_has_its_mean_as_its_variance():
    drawn = rt.random.poisson(7.0, COUNT, key=KEY)
    assert abs(drawn.mean().item() - 7) < 0.1
    assert abs(drawn.var().item() - 7) < 0.3


@pytest.mark.parametrize("dtype", [rt.float16, rt.float32, rt.float64])
def test_uniform_numbers_are_below_1_in_every_dtype(dtype):
    drawn = rt.random.uniform(50_000, dtype=dtype, key=KEY)
    assert 0 <= drawn.min().item() < 0.001
    assert 0.999 < drawn.max().item() < 1


# ── shapes ──

BOTH = [
    lambda key, **rest: rt.random.uniform(minval=rt.asarray([0.0, 5.0]), maxval=10, key=key, **rest),
    lambda key, **rest: rt.random.normal(mean=rt.asarray([0.0, 100.0]), key=key, **rest),
    lambda key, **rest: rt.random.exponential(scale=rt.asarray([1.0, 9.0]), key=key, **rest),
    lambda key, **rest: rt.random.gamma(rt.asarray([1.0, 9.0]), key=key, **rest),
    lambda key, **rest: rt.random.poisson(rt.asarray([1.0, 9.0]), key=key, **rest),
    lambda key, **rest: rt.random.integers(rt.asarray([1, 9]), 20, key=key, **rest),
    lambda key, **rest: rt.random.bernoulli(rt.asarray([0.1, 0.9]), key=key, **rest),
    lambda key, **rest: rt.random.categorical(rt.zeros((2, 3)), key=key, **rest),
]


@pytest.mark.parametrize("draw", BOTH)
def test_parameters_broadcast_to_the_shape(draw):
    assert draw(KEY).shape == (2,)
    assert draw(KEY, shape=(3, 2)).shape == (3, 2)
    with pytest.raises(ShapeError, match=r"draws shape \(3,\) with a parameter of shape \(2,\)"):
        draw(KEY, shape=(3,))
    with pytest.raises(ShapeError, match=r"draws shape \(\) with a parameter of shape \(2,\)"):
        draw(KEY, shape=())


def test_numbers_of_one_draw_differ_where_only_the_parameters_have_axes():
    first, second = rt.random.normal(mean=rt.zeros(2), key=KEY).tolist()
    assert first != second


def test_shapes_and_parameters_may_be_unknown(staged):
    scale = np.array([1.0, 2.0, 3.0])

    def draw(scale, rows):
        default = rt.random.normal(stddev=scale, key=KEY)
        rows = rt.random.normal((rows, 3), stddev=scale, key=KEY)
        assert (len(default.shape), rows.shape[1]) == (1, 3)
        return default, rows

    default, rows = staged(draw, scale, np.int32(2))
    assert default.tolist() == rt.random.normal(stddev=scale, key=KEY).tolist()
    assert rows.tolist() == rt.random.normal((2, 3), stddev=scale, key=KEY).tolist()


def test_empty_shapes_have_no_numbers():
    assert rt.random.uniform((0, 3), key=KEY).shape == (0, 3)
    assert rt.random.permutation(0, key=KEY).tolist() == []
    assert rt.random.choice(5, 0, key=KEY).tolist() == []
    assert rt.random.split(KEY, 0).shape == (0, 2)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_shuffling_keeps_every_slice(check, axis):
    x = np.arange(20).reshape(10, 2)
    order = rt.random.permutation(x.shape[axis], key=KEY)
    check(lambda x: rt.random.shuffle(x, axis=axis, key=KEY), x, gives=np.take(x, np.asarray(order), axis))
    check(
        lambda x: rt.random.permutation(x, axis=axis, key=KEY), x, gives=np.take(x, np.asarray(order), axis)
    )


def test_choices_of_slices_are_choices_of_places(check):
    x = np.arange(12).reshape(4, 3) * 10
    for rest in ({}, {"replace": False}, {"p": P}, {"p": P, "replace": False}):
        places = np.asarray(rt.random.choice(4, (1, 2), key=KEY, **rest))
        check(lambda x, rest=rest: rt.random.choice(x, (1, 2), key=KEY, **rest), x, gives=x[places])
    columns = np.asarray(rt.random.choice(3, 2, key=KEY))
    check(lambda x: rt.random.choice(x, 2, axis=1, key=KEY), x, gives=x[:, columns])


# ── refusals ──


@pytest.mark.parametrize(
    ("draw", "error", "message"),
    [
        (lambda: rt.random.uniform(2, dtype=rt.int32), DTypeError, r"Write `rt\.random\.integers`"),
        (
            lambda: rt.random.uniform((), 2, 1),
            InvalidValue,
            r"`maxval - minval` of `rt\.random\.uniform` is -1",
        ),
        (lambda: rt.random.normal((), 0, -1), InvalidValue, r"`stddev` of `rt\.random\.normal` is -1\.0"),
        (
            lambda: rt.random.normal(stddev=[1, -2]),
            InvalidValue,
            r"`stddev` of `rt\.random\.normal` is -2\.0",
        ),
        (lambda: rt.random.normal(stddev=rt.nan), InvalidValue, r"is nan\n(.*\n)*It is at least 0\.0"),
        (
            lambda: rt.random.bernoulli(1.5),
            InvalidValue,
            r"`p` .* is 1\.5\n(.*\n)*It is between 0\.0 and 1\.0",
        ),
        (lambda: rt.random.integers(3, dtype=rt.float32), DTypeError, "is not defined for float32"),
        (lambda: rt.random.integers(3.5), DTypeError, "a limit of random integers is f64"),
        (lambda: rt.random.integers(3, 3), InvalidValue, "from 3 up to 3 were asked for"),
        (lambda: rt.random.integers([1, 5], [2, 4]), InvalidValue, "from 5 up to 4 were asked for"),
        (lambda: rt.random.integers(300, dtype=rt.int8), InvalidValue, "int8 from 0 up to 300"),
        (lambda: rt.random.integers(2**65), InvalidValue, "int64 from 36893488147419103232"),
        (lambda: rt.random.uniform((2, -1)), ShapeError, r"shape \(2, -1\) were asked for"),
        (lambda: rt.random.uniform((2, 1.5)), TypeError, "a dim of a shape is float64"),
        (lambda: rt.random.shuffle(1), ShapeError, "nothing to shuffle"),
        (lambda: rt.random.shuffle([1, 2], axis=1), ShapeError, "axis 1 is out of range"),
        (lambda: rt.random.permutation(-1), InvalidValue, "the numbers below -1"),
        (lambda: rt.random.choice(3, 4, replace=False), InvalidValue, "4 of 3 were to be chosen"),
        (lambda: rt.random.choice(0), InvalidValue, "from 0 up to 0"),
        (lambda: rt.random.choice(3, p=[0.1, 0.2, 0.3]), InvalidValue, r"sum to 0\.6"),
        (lambda: rt.random.choice(2, p=[-0.5, 1.5]), InvalidValue, r"the least of them is -0\.5"),
        (lambda: rt.random.choice(3, p=[0.5, 0.5]), ShapeError, r"shape \(2,\), and there are 3"),
        (lambda: rt.random.choice(2, 2, replace=False, p=[1, 0]), InvalidValue, "of 1 that can be"),
        (lambda: rt.random.categorical(rt.zeros((2, 0))), ShapeError, "at least one category"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, error, message):
    with pytest.raises(error, match=message):
        draw()


@pytest.mark.parametrize(
    ("draw", "value"),
    [
        (lambda x: rt.random.normal(stddev=x, key=KEY), -1.0),
        (lambda x: rt.random.uniform(maxval=x, key=KEY), -1.0),
        (lambda x: rt.random.bernoulli(x, key=KEY), 2.0),
        (lambda x: rt.random.integers(x, key=KEY), 0),
        (lambda x: rt.random.permutation(x, key=KEY), -1),
        (lambda x: rt.random.choice(x, 3, replace=False, key=KEY), 2),
    ],
)
def test_a_graph_refuses_in_its_run(staged, draw, value):
    with pytest.raises(ValueError, match=r"asked for|is -1|is 2|numbers below|to be chosen"):
        staged(draw, np.array(value))


# ── the numbers themselves ──

FIRST = {
    "uniform f64": lambda: rt.random.uniform(3, key=KEY),
    "uniform f32": lambda: rt.random.uniform(3, dtype=rt.float32, key=KEY),
    "uniform f16": lambda: rt.random.uniform(3, dtype=rt.float16, key=KEY),
    "normal f64": lambda: rt.random.normal(3, key=KEY),
    "normal f32": lambda: rt.random.normal(3, dtype=rt.float32, key=KEY),
    "exponential": lambda: rt.random.exponential(3, key=KEY),
    "gamma": lambda: rt.random.gamma(0.5, 3, key=KEY),
    "poisson": lambda: rt.random.poisson(20.0, 3, key=KEY),
    "integers": lambda: rt.random.integers(1000, shape=3, key=KEY),
    "integers u8": lambda: rt.random.integers(200, shape=3, dtype=rt.uint8, key=KEY),
    "integers of several limits": lambda: rt.random.integers([10, 1000, 100_000], key=KEY),
    "bits": lambda: rt.random.bits(2, key=KEY),
    "bernoulli": lambda: rt.random.bernoulli(0.5, 5, key=KEY),
    "categorical": lambda: rt.random.categorical(rt.zeros(9), 5, key=KEY),
    "permutation": lambda: rt.random.permutation(6, key=KEY),
    "shuffle": lambda: rt.random.shuffle(rt.arange(4) * 10, key=KEY),
    "choice": lambda: rt.random.choice(100, 3, key=KEY),
    "choice of some": lambda: rt.random.choice(100, 3, replace=False, key=KEY),
    "choice by p": lambda: rt.random.choice(4, 6, p=P, key=KEY),
    "choice of some by p": lambda: rt.random.choice(4, 3, replace=False, p=P, key=KEY),
    "split": lambda: rt.random.split(KEY),
    "fold_in": lambda: rt.random.fold_in(KEY, 5),
    "generator": lambda: rt.random.Generator(11).random(2),
}


def test_the_first_numbers_of_every_function_stay_what_they_are(golden):
    lines = [f"{name}: {draw().tolist()}\n" for name, draw in FIRST.items()]
    golden(Path(__file__).with_name("first_numbers.txt"), "".join(lines))
