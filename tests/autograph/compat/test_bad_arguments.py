"""Arguments that TensorFlow's functions refuse, refused here too."""

import traceback

import pytest

from autograph.compat import tf
from autograph.frames import is_ours
from runtime.errors import LeakWarning


def test_random_integers_need_an_upper_limit():
    with pytest.raises(ValueError, match="without an upper limit"):
        tf.random.uniform([2], dtype=tf.int32)


def test_a_direction_of_sorting_is_one_of_two_words():
    with pytest.raises(ValueError, match="'ASCENDING' or 'DESCENDING'"):
        tf.sort([2, 1], direction="down")


def test_the_norm_of_matrices_is_not_among_the_names():
    with pytest.raises(ValueError, match="one axis"):
        tf.norm([[1.0]], axis=(0, 1))


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        tf.add([1, 2], [1, 2, 3])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.reshape([1, 2, 3], [2, 2])


def test_an_index_out_of_range_is_an_invalid_argument():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.gather([1], [1])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.TensorArray(tf.int32, size=1, element_shape=()).read(3)


def test_a_tensor_kept_from_a_graph_is_refused_outside_of_it():
    kept = []

    @tf.function
    def keep(x):
        kept.append(x + 1)
        return x

    with pytest.warns(LeakWarning):
        keep(tf.constant(1))
    with pytest.raises(
        RuntimeError, match="a tensor of the graph `keep` is out of scope and cannot be used here, in eager"
    ):
        tf.add(kept[0], 1)


def test_a_variable_that_every_call_makes_is_refused():
    @tf.function
    def broken(x):
        return tf.Variable(1.0) + x

    for _ in range(2):
        with pytest.raises(ValueError, match="only supports singleton"):
            broken(tf.constant(1.0))


@pytest.mark.parametrize(
    "mistake",
    [lambda: tf.reshape(tf.constant([1, 2]), [3]), lambda: tf.linalg.inv(tf.constant([[1.0, 2.0]]))],
    ids=["a function", "one of a module"],
)
def test_a_mistake_at_once_shows_the_users_lines_alone(mistake):
    with pytest.raises((ValueError, TypeError)) as caught:
        mistake()
    assert not any(is_ours(frame.filename) for frame in traceback.extract_tb(caught.value.__traceback__))
