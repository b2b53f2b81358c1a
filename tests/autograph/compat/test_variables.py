"""`tf.Variable` and `tf.Module`."""

import pytest

from autograph.compat import tf


def test_a_variable_takes_the_default_dtypes_and_keeps_its_own():
    assert tf.Variable(1).dtype == tf.int32
    v = tf.Variable([1.0, 2.0])
    v.assign([3, 4])
    v.assign_add([0.5, 0.5])
    assert (v.dtype.name, v.numpy().tolist()) == ("float32", [3.5, 4.5])
    with pytest.raises(TypeError, match="cannot hold"):
        tf.Variable(1).assign(1.5)


def test_a_variable_may_be_made_by_a_function_and_of_unknown_length():
    v = tf.Variable(lambda: tf.zeros([2]), shape=tf.TensorShape([None]), validate_shape=False)
    v.assign([1.0, 2.0, 3.0])
    assert v.numpy().tolist() == [1, 2, 3]


def test_a_variable_prints_as_in_tensorflow():
    assert (
        repr(tf.Variable(0.1))
        == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=0.10000000149011612>"
    )


class Dense(tf.Module):
    def __init__(self, name=None):
        super().__init__(name)
        self.w = tf.Variable([2.0], name="w")
        self.frozen = tf.Variable([3.0], trainable=False, name="frozen")


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.blocks = {"first": Dense(), "again": None}
        self.blocks["again"] = self.blocks["first"]
        self.last = [Dense("last")]
        self.owner = self
        self.scale = tf.Variable(1.0, name="scale")


def test_a_module_finds_its_variables_and_modules_once():
    model = Model()
    assert [v.name for v in model.variables] == ["scale:0", "frozen:0", "w:0", "frozen:0", "w:0"]
    assert [v.name for v in model.trainable_variables] == ["scale:0", "w:0", "w:0"]
    assert [module.name for module in model.submodules] == ["dense", "last"]


def test_a_module_has_a_name_and_a_scope():
    assert Model().name == "model"
    with Dense("layer").name_scope as scope:
        assert scope == "layer/"
