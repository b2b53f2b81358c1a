"""Arguments that TensorFlow's functions refuse, refused here too."""

import operator
import traceback

import pytest

from autograph.compat import tf
from autograph.compat.tf.explained import CALLED
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
    [
        lambda: tf.reshape(tf.constant([1, 2]), [3]),
        lambda: tf.linalg.inv(tf.constant([[1.0, 2.0]])),
        lambda: tf.Variable([1.0]).assign([1.0, 2.0]),
        lambda: tf.while_loop(lambda i, j: i < j, lambda i: [i], [0, 1]),
    ],
    ids=["a function", "one of a module", "a method", "a function that is given"],
)
def test_a_mistake_at_once_shows_the_users_lines_alone(mistake):
    with pytest.raises((ValueError, TypeError)) as caught:
        mistake()
    assert not any(is_ours(frame.filename) for frame in traceback.extract_tb(caught.value.__traceback__))


@pytest.mark.parametrize(
    ("mistake", "way_out"),
    [
        (tf.nn.softmax, "Cast with `tf.cast`"),
        (lambda x: x + tf.constant([1, 2, 3]), "with `tf.expand_dims`"),
        (tf.function(lambda x: x[tf.constant(5)]), "`tf.clip_by_value` it"),
        (
            tf.function(lambda x: 1 if x > 1 else 2, autograph=False),
            "`tf.cond`, `tf.where` or `tf.while_loop`",
        ),
    ],
    ids=["at once", "by an operator", "when a graph runs", "while it is traced"],
)
def test_what_to_do_is_said_in_the_names_of_tensorflow(mistake, way_out):
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError)) as caught:
        mistake(tf.constant([1, 2]))
    assert way_out in str(caught.value)
    assert "`rt." not in str(caught.value)


def test_what_other_names_are_said_for_is_there():
    for name in CALLED.values():
        operator.attrgetter(name)(tf)


def test_an_assertion_of_a_graph_shows_the_users_lines_alone():
    @tf.function
    def positive(x):
        tf.debugging.assert_positive(x)
        return x

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        positive(tf.constant([-1.0]))
    assert {frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)} == {__file__}
