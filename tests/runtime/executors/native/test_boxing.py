"""A function in C that makes tensors of arrays."""

import sys

import numpy as np
import pytest

import autograph as ag
from runtime.core.tensor import Tensor
from runtime.executors.native.calls.boxing import boxing

pytest.importorskip("llvmlite")


@pytest.fixture
def boxed():
    ag.function(lambda x: x + 1, executor="native")(2.0)  # so that LLVM is loaded
    made = boxing(Tensor)
    assert made is not None
    return made


def test_a_tensor_of_an_array_holds_that_array_and_lets_it_go(boxed):
    array = np.ones(3)
    before = sys.getrefcount(array)
    tensors = [boxed(array) for _ in range(10)]
    assert all(each._array is array for each in tensors)
    assert sys.getrefcount(array) == before + 10
    tensors.clear()
    assert sys.getrefcount(array) == before


def test_a_number_of_numpys_is_put_into_an_array(boxed):
    tensor = boxed(np.float64(2.5))
    assert type(tensor._array) is np.ndarray
    assert tensor == 2.5


def test_a_class_of_tensors_with_an_own_beginning_makes_them_itself(boxed):
    class Own(Tensor):
        def __init__(self, value):
            super().__init__(value)

    assert boxing(Own) is None
    assert boxing(Tensor) is not None
