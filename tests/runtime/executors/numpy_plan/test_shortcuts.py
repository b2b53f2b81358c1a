"""What is written as an expression of its own in place of a kernel does what the kernel does."""

import numpy as np
import pytest

import autograph as ag

V = np.array([3.0, 0.0, 2.0, 5.0, 1.0, -0.0])
M = np.arange(12.0).reshape(3, 4)


def places(v):
    return np.nonzero(v), np.where(v > 1)[0], np.argwhere(v), np.flatnonzero(v == 0)


def taken_apart(m):
    (one, two, three), first = m, m[:, :1].T
    columns = [each for each in m.T]
    (only,) = first
    return one + three, two, columns[3], only, np.nonzero(m > 4)


def lengths(v):
    w = v[::2]
    return np.linalg.norm(v), np.linalg.norm(w), np.inner(v, v[::-1]), np.linalg.norm(v - w[0])


def in_order(v):
    order = np.argsort(v, kind="stable")
    return np.take_along_axis(v, order, 0), np.lexsort((v, v > 1)), np.take_along_axis(v, order - 6, 0)


@pytest.mark.parametrize(
    ("program", "array"), [(places, V), (taken_apart, M), (taken_apart, M.T[:3]), (lengths, V), (in_order, V)]
)
def test_a_shortcut_gives_what_numpy_gives(program, array):
    ag.check(program, array, ulps=0, executors=["numpy", "reference"])


def test_a_norm_of_what_lies_apart_has_its_last_bit():
    def norms(x):
        return np.linalg.norm(x[::3]), np.linalg.norm(x[:, 1]), np.linalg.norm(x.T[2]), np.linalg.norm(x)

    for seed in range(20):
        ag.check(norms, np.random.default_rng(seed).normal(size=(90, 7)), ulps=0, executors=["numpy"])


def test_a_place_that_is_none_raises_numpys_error():
    def taken(v, places):
        return np.take_along_axis(v, places, 0)

    ag.check(taken, V, np.array([1, 6]), then=[(V, np.array([0, -6])), (V, np.array([-7, 0]))])


def test_what_is_padded_lies_as_numpy_has_it():
    def padded(x):
        one = np.pad(x, ((1, 0), (0, 2)), constant_values=7)
        return one, np.pad(x + 0.5, 1).sum(axis=0), np.diag(x[0]), np.diag(x[1], 1), np.diag(x[2], -2)

    for x in (M, M.T.copy().T, np.asfortranarray(np.random.default_rng(1).normal(size=(70, 30)))):
        ag.check(padded, x, ulps=0, executors=["numpy"])
        assert ag.function(padded, executor="numpy")(x)[0].numpy().flags.fnc == padded(x)[0].flags.fnc
