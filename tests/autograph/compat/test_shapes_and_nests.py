"""`tf.TensorShape` where the rest of the project expects shapes, and `tf.nest` on what does not fit."""

from collections import namedtuple

import pytest

from autograph.compat import tf

Pair = namedtuple("Pair", ["left", "right"])


def test_a_shape_object_stands_where_a_shape_does():
    shape = tf.TensorShape([2, 3])
    assert tf.zeros(shape).shape == shape
    assert tf.reshape(tf.range(6), shape).shape == (2, 3)
    assert tf.TensorSpec(tf.TensorShape(None), tf.int32).shape.rank is None
    assert tf.TensorSpec(tf.TensorShape([None, 2])).shape == (None, 2)
    assert tf.TensorShape(shape) == shape
    assert hash(shape) == hash((2, 3))


def test_shapes_that_disagree_do_not_merge():
    with pytest.raises(ValueError, match="not compatible"):
        tf.TensorShape([1, 2]).merge_with([3, 2])
    with pytest.raises(ValueError, match="must have rank 1"):
        tf.TensorShape([1, 2]).with_rank(1)


def test_an_unknown_rank_has_no_dims_to_list():
    with pytest.raises(ValueError, match="unknown"):
        tf.TensorShape(None).as_list()
    assert tf.TensorShape(None) != "text"


def test_nests_of_several_kinds():
    assert tf.nest.flatten(Pair(1, {"z": 2, "a": 3})) == [1, 3, 2]
    assert tf.nest.map_structure(lambda x: x * 2, Pair(1, [2])) == Pair(2, [4])
    assert tf.nest.map_structure(lambda x: x, [None, 1]) == [None, 1]


def test_nests_that_differ_are_refused():
    with pytest.raises(ValueError, match=r"first:   \[\*\]"):
        tf.nest.assert_same_structure([1], [1, 2])
    with pytest.raises(ValueError, match="differ"):
        tf.nest.assert_same_structure([1], (1,))
    tf.nest.assert_same_structure([1], (1,), check_types=False)
    tf.nest.assert_same_structure({"a": 1, "b": 2}, {"b": 1, "a": 2})
    with pytest.raises(ValueError, match="has 2 leaves, and 1 were given"):
        tf.nest.pack_sequence_as([0, 0], [1])
    with pytest.raises(ValueError, match="differ"):
        tf.nest.map_structure(lambda x, y: x, [1], [1, 2])
