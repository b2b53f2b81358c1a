"""Lists of Python numbers promote as the numbers in them do."""

import numpy as np
import pytest

import runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction

SINGLE = rt.asarray([1.0, 2.0], dtype=rt.float32)
SMALL = rt.asarray([1, 2], dtype=rt.int8)

CASES = [
    (lambda: SINGLE * [0.5, 2.0], rt.float32),
    (lambda: [1, 2] - SINGLE, rt.float32),
    (lambda: rt.add(SINGLE, (1, 2)), rt.float32),
    (lambda: SMALL - [1, 2], rt.int8),
    (lambda: SMALL - [1, 0.5], rt.float64),
    (lambda: SINGLE - [[1, 2], [3, 4]], rt.float32),
    (lambda: SMALL * [True, False], rt.int8),
    (lambda: rt.add([1, 2], [0.5, 1.5]), rt.float64),
    (lambda: SINGLE - [np.float64(1), 2], rt.float64),
    (lambda: SINGLE - [rt.asarray(1.0), 2], rt.float64),
    (lambda: SMALL - [1000, 1], rt.int64),
]


@pytest.mark.parametrize(("compute", "dtype"), CASES)
def test_a_list_takes_the_dtype_of_what_stands_beside_it(compute, dtype):
    assert compute().dtype is dtype
    assert PolymorphicFunction(compute)().dtype is dtype


def test_the_values_are_those_of_numpy():
    assert (SINGLE * [0.5, 2.0]).tolist() == [0.5, 4.0]
    assert (SMALL - [1000, 1]).tolist() == [-999, 1]
    assert (SMALL == [1, 300]).tolist() == [True, False]
