"""Functions in C that make tensors of arrays, and texts of code points."""

import sys

import numpy as np
import pytest

import autograph as ag
from runtime.core.dtypes import as_dtype, float64
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.core.text import characters
from runtime.executors.native.calls.boxing import boxing

pytest.importorskip("llvmlite")


@pytest.fixture
def boxed():
    ag.function(lambda x: x + 1, executor="native")(2.0)  # so that LLVM is loaded
    made = boxing(Tensor)
    assert made.one is not Tensor
    return made


def test_a_tensor_of_an_array_holds_that_array_and_lets_it_go(boxed):
    array = np.ones(3)
    before = sys.getrefcount(array)
    tensors = [boxed.one(array) for _ in range(10)]
    assert all(each._array is array for each in tensors)
    assert sys.getrefcount(array) == before + 10
    tensors.clear()
    assert sys.getrefcount(array) == before


def test_a_number_of_numpys_is_put_into_an_array(boxed):
    tensor = boxed.one(np.float64(2.5))
    assert type(tensor._array) is np.ndarray
    assert tensor == 2.5


def test_a_class_of_tensors_with_an_own_beginning_makes_them_itself(boxed):
    class Own(Tensor):
        def __init__(self, value):
            super().__init__(value)

    assert boxing(Own).one is Own
    (made,) = boxing(Own).each(ListValue.packed(np.ones(1), ArraySpec((), float64)))
    assert type(made) is Own


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64", "complex128"])
def test_each_element_of_a_list_becomes_a_tensor_in_memory_of_its_own(boxed, dtype):
    array = np.array([0, 1, 3], dtype)
    tensors = boxed.each(ListValue.packed(array, ArraySpec((), as_dtype(dtype))))
    array[:] = 0
    assert [type(each) for each in tensors] == [Tensor] * 3
    assert [each.dtype.name for each in tensors] == [dtype] * 3
    assert [each.numpy() for each in tensors] == np.array([0, 1, 3], dtype).tolist()
    assert boxed.each(ListValue.packed(array[:0], ArraySpec((), as_dtype(dtype)))) == []


def test_lists_of_rows_and_lists_that_were_changed_become_tensors_too(boxed):
    rows = ListValue.packed(np.arange(6.0).reshape(3, 2), ArraySpec((2,), float64))
    assert [each.tolist() for each in boxed.each(rows)] == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    changed = ListValue.packed(np.arange(2.0), ArraySpec((), float64)).put(0, np.float64(7.0), grows=False)
    assert [float(each) for each in boxed.each(changed)] == [7.0, 1.0]


def test_each_element_is_let_go(boxed):
    boxed.each(ListValue.packed(np.arange(2.0), ArraySpec((), float64)))
    before = sys.getrefcount(Tensor)
    tensors = boxed.each(ListValue.packed(np.arange(50.0), ArraySpec((), float64)))
    assert sys.getrefcount(Tensor) == before + 50
    del tensors
    assert sys.getrefcount(Tensor) == before


@pytest.mark.parametrize("text", ["", "plain", "Größe", "\u20ac", "\U0001f600 a", "\ud800"])
def test_a_text_of_code_points_is_pythons(boxed, text):
    codes = np.array(list(map(ord, text)), np.int32)
    assert boxed.text(codes) == text == characters(codes)
    assert boxed.text(np.repeat(codes, 2)[::2]) == text


def test_numbers_that_are_no_code_points_become_some_text(boxed):
    codes = np.array([97, -1, 0x110000], np.int32)
    assert boxed.text(codes) == characters(codes)
    assert len(boxed.text(codes)) == 3
