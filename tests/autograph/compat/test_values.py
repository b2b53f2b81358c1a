"""Python's values as tensors: default dtypes, weak numbers, and what is refused."""

import numpy as np
import pytest

from autograph.compat import tf
from autograph.compat.tf.values import known_integers, together


def test_a_number_that_its_dtype_cannot_hold_is_refused():
    with pytest.raises(TypeError, match=r"1\.5 is no int32"):
        tf.constant(1.5, dtype=tf.int32)
    with pytest.raises(TypeError, match="is no bool"):
        tf.constant([1, 0], dtype=tf.bool)
    with pytest.raises(OverflowError):
        tf.constant(300, dtype=tf.uint8)


@pytest.mark.parametrize("value", [object(), None])
def test_what_is_no_tensor_is_refused(value):
    with pytest.raises(TypeError, match="cannot become a tensor"):
        tf.constant(value)


def test_a_variable_converts_to_its_value():
    assert tf.convert_to_tensor(tf.Variable(2.0)).numpy() == 2.0


def test_a_list_with_a_tensor_takes_the_dtype_of_the_tensor():
    assert tf.convert_to_tensor([tf.constant(1.0), 2]).dtype == tf.float32
    assert tf.convert_to_tensor([[tf.constant(1, tf.int64)], [2]]).dtype == tf.int64


def test_python_numbers_are_weak_beside_a_tensor_and_take_defaults_alone():
    x = tf.constant([1.0], tf.float16)
    assert tf.add(x, 1.5).dtype == tf.float16
    assert tf.add([1.5], x).dtype == tf.float16
    assert (x * [2]).dtype == tf.float16
    assert tf.add([1], [2.5]).dtype == tf.float32
    assert tf.add(1, 2).dtype == tf.int32


def test_numpy_values_keep_their_dtype():
    assert tf.add(np.float64(1), 1).dtype == tf.float64
    assert tf.add(tf.constant([1.0]), np.ones(1)).dtype == tf.float64


def test_together_leaves_numbers_to_promotion():
    x = tf.constant([1, 2])
    assert together(x, 3) == [x, 3] or together(x, 3)[1] == 3
    assert [each.dtype for each in together(1, [2.0])] == [tf.float32, tf.float32]


def test_mixed_dtypes_promote_as_in_numpy():
    assert (tf.constant(1) + 1.5).dtype == tf.float64
    assert (tf.constant(1) + tf.constant(1, tf.int64)).dtype == tf.int64


def test_an_axis_may_be_a_tensor_with_a_value_but_not_a_symbolic_one():
    assert known_integers(tf.constant([1, 0])) == (1, 0)
    assert known_integers([[1, 2], [3, 4]]) == ((1, 2), (3, 4))

    @tf.function
    def total(x, axis):
        return tf.reduce_sum(x, axis=axis)

    with pytest.raises(TypeError, match="Its value only exists when the graph runs"):
        total(tf.constant([1]), tf.constant(0))


def test_a_static_value_is_known_for_constants_only():
    @tf.function
    def known(x):
        return tf.get_static_value(x) is None, tf.get_static_value(tf.constant(3)) == 3

    assert [bool(each) for each in known(tf.constant(1))] == [True, True]


def test_a_list_that_mixes_rows_of_two_lengths_says_so():
    with pytest.raises(ValueError, match="no one shape"):
        tf.constant([[1], [2, 3]])
    with pytest.raises(ValueError, match="cannot be joined"):
        tf.stack([1, [2, 3]])


def test_a_number_takes_a_list_for_a_tensor():
    assert (tf.constant(3) * [1, 2]).numpy().tolist() == [3, 6]
    assert ([1, 2] * tf.constant(3)).numpy().tolist() == [3, 6]
