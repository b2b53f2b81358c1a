"""Operators and methods of tensors, symbolic tensors and variables."""

import operator

import numpy as np
import pytest

import runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction

X = np.array([[1, 2], [3, 4]])
BINARY = [
    *(
        operator.add,
        operator.sub,
        operator.mul,
        operator.truediv,
        operator.floordiv,
        operator.mod,
        operator.pow,
    ),
    *(operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.matmul),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
]


@pytest.mark.parametrize("function", BINARY, ids=lambda function: function.__name__)
def test_operators_mean_what_they_mean_for_arrays(check, function):
    other = np.array([[2, 1], [1, 2]])
    expected = function(X, other)
    check(function, X, other, gives=expected)
    check(lambda x: function(x, other), X, gives=expected)
    check(lambda y: function(X, y), other, gives=expected)
    np.testing.assert_array_equal(function(rt.Variable(X), other), expected, strict=lambda: True)
    np.testing.assert_array_equal(function(X, rt.Variable(other)), expected, strict=lambda: True)


def test_operators_with_numbers_on_the_left(check):
    check(lambda x: (10 - x, 2**x, 1 / x, 7 % x, 7 // x)[0], X, gives=10 - X)
    check(lambda x: 2**x, X, gives=2**X)
    check(lambda x: 7 // x, X, gives=7 // X)


def test_unary_operators(check):
    check(lambda x: -x, X, gives=-X)
    check(lambda x: +x, X, gives=+X)
    check(lambda x: abs(x - 3), X, gives=abs(X - 3))
    check(lambda x: ~x, X, gives=~X)
    check(lambda x: ~(x > 2), X, gives=~(X > 2))


def test_bits_of_bools_are_their_logic(staged):
    def look(x):
        both = (x > 1) & (x < 4)
        assert both.value.node.op.name == "LogicalAnd"
        return both | (x == 9)

    assert staged(look, X).tolist() == [[False, True], [True, False]]


def test_equality_with_what_is_no_tensor_is_pythons():
    x = rt.asarray(X)
    assert (x == None) is False
    assert (x != None) is True
    assert (x == "text") is False
    assert x in {x: 1}


def test_operators_leave_other_classes_their_turn():
    class Other:
        def __radd__(self, left):
            return "mine"

    assert rt.asarray(1) + Other() == "mine"
    with pytest.raises(TypeError, match="unsupported operand"):
        rt.asarray(1) + None


def test_in_place_operators_make_a_new_tensor():
    x = before = rt.asarray(X)
    x += 1
    assert (before.tolist(), x.tolist()) == (X.tolist(), (X + 1).tolist())


def test_methods_mean_what_they_mean_for_arrays(check):
    check(lambda x: x.sum(), X, gives=np.asarray(X.sum()))
    check(lambda x: x.sum(0), X, gives=X.sum(0))
    check(lambda x: x.max(axis=1, keepdims=True), X, gives=X.max(axis=1, keepdims=True))
    check(lambda x: x.argmax(1), X, gives=X.argmax(1))
    check(lambda x: x.reshape(4, 1), X, gives=X.reshape(4, 1))
    check(lambda x: x.reshape((-1,)), X, gives=X.reshape(-1))
    check(lambda x: x.transpose(), X, gives=X.T)
    check(lambda x: x.transpose(1, 0), X, gives=X.T)
    check(lambda x: x.astype(rt.float32), X, gives=X.astype(np.float32))
    check(lambda x: x.clip(2, 3), X, gives=X.clip(2, 3))
    check(lambda x: x.mT, X[None], gives=X[None].mT)
    assert rt.Variable(X).mean().item() == 2.5


def test_numpy_ufuncs_take_tensors_in_eager_code_and_in_graphs():
    def f(x):
        return np.sin(x) + np.maximum(x, 0.5) * np.float64(2) - np.ones(2) @ np.matmul(x, x)

    x = np.array([[0.1, 0.2], [0.3, 0.4]])
    for found in (f(rt.asarray(x)), PolymorphicFunction(f)(rt.asarray(x))):
        assert isinstance(found, rt.Tensor)
        assert np.array_equal(found.numpy(), f(x))


def test_an_array_on_the_left_of_a_tensor_makes_a_tensor():
    x = rt.asarray([1, 2])
    for found in (np.array([1, 2]) + x, np.int64(3) * x, np.array([1, 5]) == x, np.array([1, 5]) < x):
        assert isinstance(found, rt.Tensor)
    assert (np.array([1, 5]) == x).numpy().tolist() == [True, False]


def test_numpy_writes_what_it_computes_with_tensors_into_arrays_outside_of_graphs():
    x, places = rt.asarray([1.0, 2.0]), rt.asarray([1, 1])
    total = whole = np.zeros(2)
    total += x
    total *= x
    assert total is whole
    assert total.tolist() == [1.0, 4.0]
    assert np.add(x, x, out=whole, where=rt.asarray([True, False])) is whole
    assert whole.tolist() == [2.0, 4.0]
    np.add.at(whole, places, x)
    assert whole.tolist() == [2.0, 7.0]
    assert np.cumsum(x, 0, None, whole) is x.cumsum(out=whole) is whole
    assert whole.tolist() == [1.0, 3.0]
    parts = np.zeros(2), np.zeros(2)
    assert np.divmod(x, 2.0, out=parts) == parts
    counts = np.array([1, 2])
    with pytest.raises(TypeError, match="Cannot cast ufunc 'add' output"):
        counts += x


def test_what_numpy_would_write_into_a_tensor_is_refused_with_the_way_out():
    x = rt.asarray([1.0, 2.0])
    with pytest.raises(TypeError, match=r"(?s)`np.add` with `out=` would change a tensor.*what the function"):
        np.add(x, x, out=x)
    with pytest.raises(TypeError, match=r"`np.add` with `where=` leaves elements as they happen to be"):
        np.add(x, x, where=np.array([True, False]))


def test_what_a_graph_computes_is_not_written_into_an_array_of_its_trace():
    traced = PolymorphicFunction(lambda x: np.add(x, x, out=np.zeros(2)), strict=lambda: True)
    with pytest.raises(TypeError, match=r"(?s)`out=` would change an array.*`tensor.numpy\(\)`"):
        traced(rt.asarray([1.0, 2.0]))
