"""`rt.TensorArray`: writing gives a new array and leaves the old one as it was."""

import numpy as np
import pytest

import runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction


def both(function):
    """The function in eager code, and as a graph."""
    return pytest.mark.parametrize("run", [lambda f: f, PolymorphicFunction], ids=["eager", "graph"])(
        function
    )


@both
def test_elements_are_read_and_stacked(run):
    def f(x):
        ta = rt.TensorArray(rt.float64, size=3)
        ta = ta.write(0, x).write(2, x * 3).write(1, x * 2)
        return ta.stack(), ta.read(1), ta.size(), ta.gather([2, 0]), ta.concat()

    stacked, one, size, gathered, joined = run(f)(rt.asarray([1.0, 2.0]))
    assert stacked.numpy().tolist() == [[1, 2], [2, 4], [3, 6]]
    assert one.numpy().tolist() == [2, 4]
    assert size.numpy() == 3
    assert gathered.numpy().tolist() == [[3, 6], [1, 2]]
    assert joined.numpy().tolist() == [1, 2, 2, 4, 3, 6]


@both
def test_a_write_leaves_the_old_array_as_it_was(run):
    def f(x):
        old = rt.TensorArray(rt.int64, size=2).write(0, x).write(1, x)
        first, second = old.write(0, 10), old.write(0, 20)
        return old.stack(), first.stack(), second.stack()

    assert [t.numpy().tolist() for t in run(f)(rt.asarray(1))] == [[1, 1], [10, 1], [20, 1]]


@both
def test_rows_are_unstacked_and_scattered(run):
    def f(x):
        ta = rt.TensorArray(rt.int64, size=0, dynamic_size=True).unstack(x)
        return ta.scatter([3, 1], x[:2] * 10).stack()

    assert run(f)(rt.asarray([[1], [2], [3]])).numpy().tolist() == [[1], [20], [3], [10]]


@both
def test_an_element_that_was_not_written_is_zero_where_its_shape_is_known(run):
    def f(x):
        return rt.TensorArray(rt.float64, size=2, element_shape=(2,)).write(1, x).stack()

    assert run(f)(rt.ones(2)).numpy().tolist() == [[0, 0], [1, 1]]


@both
def test_an_index_outside_is_refused(run):
    def f(i):
        return rt.TensorArray(rt.int64, size=2).write(i, 1).read(0)

    with pytest.raises(
        IndexError, match=r"index 2 is out of range for a TensorArray of size 2.*dynamic_size"
    ):
        run(f)(rt.asarray(2))


@both
def test_an_element_of_another_shape_than_promised_is_refused(run):
    def f(x):
        return rt.TensorArray(rt.int64, size=2, element_shape=(2,)).write(0, x).stack()

    with pytest.raises(ValueError, match=r"elements of shape \(2,\) cannot take one of shape \(3,\)"):
        run(f)(rt.ones(3, dtype=rt.int64))


def test_values_take_the_dtype_of_the_array():
    ta = rt.TensorArray(rt.float32, size=1).write(0, 3)
    assert ta.stack().dtype == rt.float32


def test_appending_many_elements_is_not_quadratic():
    ta = rt.TensorArray(rt.int64, size=0, dynamic_size=True)
    for i in range(3000):
        ta = ta.write(i, i)
    assert np.array_equal(ta.stack().numpy(), np.arange(3000))


def test_an_array_is_a_loop_variable_and_an_argument():
    @PolymorphicFunction
    def f(ta, n):
        def step(i, ta):
            return i + 1, ta.write(i, ta.read(i) + i)

        return rt.while_loop(lambda i, _: i < n, step, (0, ta))[1]

    result = f(rt.TensorArray(rt.int64, size=3).unstack([5, 5, 5]), rt.asarray(3))
    assert isinstance(result, rt.TensorArray)
    assert result.stack().numpy().tolist() == [5, 6, 7]
