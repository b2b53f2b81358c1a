"""What libraries ask `array_api_compat` about tensors has the answer of the run."""

import array_api_compat
import numpy as np

import autograph as ag
import runtime as rt


def test_the_size_of_a_tensor_of_unknown_length_is_a_tensor():
    @ag.function
    def drained(x):
        turns = 0
        while array_api_compat.size(x):
            x = x[x < rt.max(x)]
            turns += 1
        return turns

    assert int(drained(rt.asarray([3, 1, 3, 2]))) == 3
    assert "StatelessWhile" in drained.concrete_functions[0].graph.ops


def test_a_known_size_is_a_number():
    @ag.function
    def f(x):
        return rt.zeros(array_api_compat.size(x))

    assert f(rt.asarray([[1, 2]])).shape == (2,)
    assert array_api_compat.size(np.zeros((2, 3))) == 6


def test_no_tensor_is_lazy_in_converted_code():
    @ag.function
    def f(x):
        return x if array_api_compat.is_lazy_array(x) else -x

    assert int(f(rt.asarray(2))) == -2
