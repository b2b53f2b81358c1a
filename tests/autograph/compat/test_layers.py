"""Windows of `tf.nn` with channels first, which TensorFlow has on graphics cards; sparse values in loops."""

import numpy as np
import pytest

from autograph.compat import tf

PICTURE = np.arange(96, dtype=np.float32).reshape(2, 4, 4, 3) % 7
KERNEL = np.linspace(-1, 1, 2 * 2 * 3 * 2, dtype=np.float32).reshape(2, 2, 3, 2)

CALLS = {
    "conv2d": lambda x, **f: tf.nn.conv2d(x, KERNEL, 1, "SAME", **f),
    "convolution": lambda x, **f: tf.nn.convolution(x, KERNEL, [2, 1], "VALID", **f),
    "depthwise_conv2d": lambda x, **f: tf.nn.depthwise_conv2d(x, KERNEL, [1, 1, 1, 1], "VALID", **f),
    "max_pool": lambda x, **f: tf.nn.max_pool(x, 2, 2, "VALID", **f),
    "avg_pool2d": lambda x, **f: tf.nn.avg_pool2d(x, 2, 1, "SAME", **f),
    "pool": lambda x, **f: tf.nn.pool(x, [2, 2], "MAX", [1, 1], "VALID", **f),
    "bias_add": lambda x, **f: tf.nn.bias_add(x, [1.0, 2.0, 3.0], **f),
    "space_to_depth": lambda x, **f: tf.nn.space_to_depth(x, 2, **f),
}


@pytest.mark.parametrize("name", CALLS)
def test_channels_may_come_first(name):
    last = CALLS[name](tf.constant(PICTURE), data_format="NHWC")
    first = CALLS[name](tf.constant(np.moveaxis(PICTURE, -1, 1)), data_format="NCHW")
    np.testing.assert_array_equal(np.moveaxis(first.numpy(), 1, -1), last.numpy())


def test_numbers_for_all_axes_are_in_the_order_of_the_format():
    moved = tf.constant(np.moveaxis(PICTURE, -1, 1))
    last = tf.nn.conv2d(PICTURE, KERNEL, [1, 2, 1, 1], [[0, 0], [1, 0], [0, 0], [0, 0]])
    first = tf.nn.conv2d(moved, KERNEL, [1, 1, 2, 1], [[0, 0], [0, 0], [1, 0], [0, 0]], data_format="NCHW")
    np.testing.assert_array_equal(np.moveaxis(first.numpy(), 1, -1), last.numpy())
    pooled = tf.nn.max_pool2d(moved, [1, 1, 2, 1], [1, 1, 2, 1], "VALID", data_format="NCHW")
    wanted = tf.nn.max_pool2d(PICTURE, [1, 2, 1, 1], [1, 2, 1, 1], "VALID")
    np.testing.assert_array_equal(np.moveaxis(pooled.numpy(), 1, -1), wanted.numpy())


def test_a_loop_carries_a_sparse_tensor():
    @tf.function
    def raised(matrix, times):
        for _ in tf.range(times):
            matrix = tf.sparse.map_values(tf.add, matrix, 1)
        return tf.sparse.to_dense(matrix)

    assert raised(tf.sparse.from_dense([[1, 0, 2]]), tf.constant(3)).numpy().tolist() == [[4, 0, 5]]


def test_a_sparse_tensor_is_no_tuple_that_adds_or_repeats():
    matrix = tf.sparse.from_dense([[1, 0, 2]])
    with pytest.raises(TypeError):
        matrix + matrix
    assert (matrix * 2).values.numpy().tolist() == [2, 4]


def test_a_shape_that_is_said_of_a_tensor_is_checked_when_the_graph_runs():
    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def f(x):
        x.set_shape([None, 3])
        return x

    assert f(tf.ones([2, 3])).shape == (2, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="has not the shape"):
        f(tf.ones([2, 4]))
