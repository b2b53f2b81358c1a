"""An int of Python's and an integer of NumPy's in one variable: it has room for both, or the run says so."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.errors import IntTooLarge, KindsMeetWarning


def chosen(x, n):
    return x[0] if n > 2 else -1


def found_in_a_loop(x, n):
    best = -1
    for each in x:
        if each > n:
            best = each
    return best


def counted_down(x, n):
    last = 300
    while n > 0:
        n -= 1
        last = x[n]
    return last


def of_rows(x, n):
    least = 256
    for row in x.reshape(2, 2):
        for each in row:
            if each < least + n:
                least = each
    return least


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16])
@pytest.mark.parametrize("program", [chosen, found_in_a_loop, counted_down, of_rows])
def test_a_variable_has_room_for_an_int_that_a_small_dtype_has_not(program, dtype, n):
    x = np.array([2, 0, 3, 1], dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KindsMeetWarning)
        assert ag.function(program)(x, np.int64(n)) == program(x, np.int64(n))


@pytest.mark.parametrize("executor", ["reference", "numpy", "native"])
@pytest.mark.parametrize("dtype", [np.int8, np.int16])
def test_an_int_that_only_the_run_knows_and_has_no_room_is_said(dtype, executor):
    @ag.function(executor=executor)
    def program(x, n):
        k = int(n) * 100
        return x[0] if n > 1000 else k

    x = np.arange(3, dtype=dtype)
    assert program(x, np.int64(1)) == 100
    with pytest.raises(IntTooLarge, match=f"no room in a variable that may be {np.dtype(dtype)}"):
        program(x, np.int64(400))
