"""Functions in C that make tensors of arrays, and of the numbers in results of plain Python."""

import sys

import numpy as np
import pytest

import runtime as rt
from runtime.core.tensor import Tensor
from runtime.executors.native.giving import boxing, giving

pytest.importorskip("llvmlite")


class Other(Exception):
    """What is left to Python."""


def left(value):
    raise Other(value)


@pytest.mark.parametrize(
    "number", [1.5, -0.0, float("nan"), 7, -(2**63), True, np.float64(0.1), np.int64(-3), np.True_]
)
def test_a_number_is_a_tensor_of_its_own_dtype(number):
    given = giving(Tensor, left)(number)
    assert type(given) is Tensor
    assert given.numpy().tobytes() == np.asarray(number).tobytes()
    assert given.dtype.numpy == np.asarray(number).dtype


def test_texts_and_none_are_themselves_in_lists_that_are_new():
    inside = ["a", None, (1, [2.5])]
    given = giving(Tensor, left)(inside)
    assert given[:2] == ["a", None]
    assert type(given[2]) is tuple
    assert given[2][1][0].dtype == rt.float64
    assert given is not inside


@pytest.mark.parametrize("value", [2**63, {"a": 1}, np.float32(1), np.ones(2), 1j, [[object()]]])
def test_what_else_there_is_is_left_to_python(value):
    with pytest.raises(Other):
        giving(Tensor, left)(value)


def test_a_list_in_itself_is_too_deep():
    nested: list[object] = []
    nested.append(nested)
    with pytest.raises(RecursionError, match="while a result becomes tensors"):
        giving(Tensor, left)(nested)


def test_a_tensor_of_an_array_holds_that_array_and_lets_it_go():
    giving(Tensor, left)
    array = np.ones(3)
    before = sys.getrefcount(array)
    boxed = [boxing(Tensor)(array) for _ in range(10)]
    assert all(each._array is array for each in boxed)
    assert sys.getrefcount(array) == before + 10
    boxed.clear()
    assert sys.getrefcount(array) == before


def test_a_number_of_numpys_is_put_into_an_array():
    giving(Tensor, left)
    boxed = boxing(Tensor)(np.float64(2.5))
    assert type(boxed._array) is np.ndarray
    assert boxed == 2.5
