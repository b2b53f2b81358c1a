"""Arrays whose class computes in its own way are objects of the program's, and never lose what they add."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError

V = np.float64(2.0)
OUTSIDE = np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0])


def masked(mask=(0, 1, 0)):
    return np.ma.masked_array([1.0, 2.0, 3.0], mask)


class Shifted(np.ndarray):
    """Counts from 100."""

    def __mul__(self, other):
        return np.asarray(self) * other + 100.0

    def total(self):
        return float(np.asarray(self).sum())


def summed(x, v):
    return x.sum() * v


def shifted(x, v):
    return x * v + x.total()


def test_an_argument_with_a_mask_is_summed_without_what_it_masks():
    ag.check(summed, masked(), V, then=[(masked((0, 1, 1)), V), (masked(), V)])
    ag.check(shifted, np.arange(3.0).view(Shifted), V)


@pytest.mark.parametrize("array", [np.arange(3.0).view(np.recarray), np.arange(3.0)])
def test_what_computes_as_numpy_does_is_a_tensor(array):
    ag.check(summed, array, V)


def written_outside(v):
    OUTSIDE[0] = v
    return OUTSIDE.mean()


def written_into(v):
    made = masked()
    made[0] = v
    return made.mean()


def multiplied(v):
    matrix = np.arange(4.0).reshape(2, 2).view(np.matrix)
    return (matrix * v) * matrix


@pytest.mark.parametrize("program", [written_outside, written_into, multiplied])
def test_what_would_lose_it_is_refused(program):
    with pytest.raises(DTypeError, match="cannot become a tensor"):
        ag.function(program)(V)
    with pytest.raises(DTypeError, match="a MaskedArray cannot become a tensor"):
        rt.asarray(masked())
