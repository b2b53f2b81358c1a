"""What NumPy does element by element calls functions of the program as converted ones, and gives places."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import ImmutableTensor, NoConcreteValue, ShapeError

ROWS = np.array([[3.0, 1.0, 2.0], [0.0, 5.0, -1.0]])
CALLS = [(ROWS,), (np.array([[-2.0]]),), (np.array([[7.0, 7.0]]),)]
doubled = np.vectorize(lambda t: t * 2 if t > 0 else 0.0, otypes=[float])
calls = []


# ── functions that are called ──


def vectorized(x):
    @np.vectorize
    def capped(t, most):
        return most if t > most else t

    return capped(x, 2.5), np.vectorize(abs)(x), doubled(x)


def vectorized_with_effects(x):
    def noted(t):
        calls.append(t)
        return t > 1

    return np.vectorize(noted)(x), len(calls)


def along_an_axis(x):
    def highest(row):
        return row.max() if row.sum() > 3 else 0.0

    return np.apply_along_axis(highest, 1, x), np.apply_along_axis(np.sort, 0, x)


def in_pieces(x):
    def halved(t):
        return t / 2 if len(t) > 1 else t

    both = np.piecewise(x, [x < 0, x >= 0], [lambda t: -t, halved])
    return both, np.piecewise(x, [x > 2], [lambda t: t - t.mean(), 1.0])


@pytest.mark.parametrize("program", [vectorized, vectorized_with_effects, along_an_axis, in_pieces])
def test_a_function_that_numpy_calls_is_converted(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_without_elements_a_vectorized_function_needs_a_dtype():
    def program(x):
        return np.vectorize(lambda t: t + 1)(x)

    def with_one(x):
        return doubled(x)

    ag.check(program, np.zeros(0))
    ag.check(with_one, np.zeros(0))


# ── places ──


def enumerated(x):
    out = np.zeros(x.shape)
    for place, v in np.ndenumerate(x):
        out[place] = v + place[0]
    return out, [(place, v) for place, v in np.ndenumerate(x)]


def the_highest(x):
    best, where = None, (-1, -1)
    for (row, column), v in np.ndenumerate(x):
        if best is None or v > best:
            best, where = v, (row, column)
    return best, where


def of_a_length_that_only_the_run_knows(x):
    total = 0.0
    for (i,), v in np.ndenumerate(x[x > 1]):
        total += i * v
    return total


@pytest.mark.parametrize("program", [enumerated, the_highest, of_a_length_that_only_the_run_knows])
def test_places_come_with_elements(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_an_iterator_of_numpy_s_over_values_of_the_run_is_refused():
    def program(x):
        return sum(v for v in np.nditer(x))

    with pytest.raises(NoConcreteValue, match=r"np.nditer.*does not take"):
        ag.function(program)(ROWS)


# ── ufuncs ──


def folded_lists(x):
    a, b = x[0], x[-1]
    return np.minimum.reduce([a, b + 1, a * 2]), np.add.reduce([a, b]), np.logical_and.reduce([a > 0, b > 0])


def written_by_position(x):
    y, q, r = np.empty_like(x), np.empty_like(x), np.empty_like(x)
    np.sqrt(np.abs(x), y)
    np.negative(x, x)
    np.divmod(y, 2, q, r)
    return x, y, q, r


def polynomials(x):
    p = np.poly1d([1.0, 2.0, 3.0])
    return p(x), p.deriv()(x), (p * p)(x[0, 0])


@pytest.mark.parametrize("program", [folded_lists, written_by_position, polynomials])
def test_ufuncs_and_polynomials_take_what_numpy_s_take(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


# ── attributes that are set ──


def set_row_by_row(x):
    w, v = x.copy(), x.copy()
    w.T.flat = x.ravel()
    v.flat = 7
    x.flat = w.ravel()[::-1]
    return w, v, x


def test_the_elements_of_an_array_are_set_row_by_row():
    ag.check(set_row_by_row, *CALLS[0], then=CALLS[1:])


def test_elements_that_numpy_would_repeat_are_refused():
    def program(x):
        x.flat = x[0]
        return x

    with pytest.raises(ShapeError, match="NumPy repeats them"):
        ag.function(program)(ROWS.copy())


def test_the_shape_of_an_array_is_not_set():
    def program(x):
        x.shape = (-1,)
        return x

    with pytest.raises(ImmutableTensor, match="the shape of a tensor was set"):
        ag.function(program)(ROWS.copy())


@pytest.mark.parametrize("executor", ["reference", "numpy"])
def test_of_zeros_of_both_signs_the_extreme_is_the_one_that_numpy_meets(executor):
    function = ag.function(lambda x: (np.nanmax(x), np.nanmin(x)), executor=executor)
    for size in (2, 3, 9, 33):
        for seed in range(20):
            x = np.random.default_rng(seed).choice([0.0, -0.0, np.nan], size)
            x[seed % size] = 0.0
            found = [each.numpy().tobytes() for each in function(x)]
            assert found == [np.asarray(each).tobytes() for each in (np.nanmax(x), np.nanmin(x))]
