"""What is found under TensorFlow's names, and what is not."""

import inspect
import sys
import types

import pytest

import runtime as rt
from autograph.compat import tf

MODULES = [
    value
    for value in vars(tf).values()
    if inspect.ismodule(value) and value.__name__.split(".")[-1] in tf.__all__
]


def test_it_is_a_module():
    assert isinstance(tf, types.ModuleType)
    assert sys.modules["autograph.compat.tf"] is tf


def test_every_name_it_promises_is_there_once():
    assert len(tf.__all__) == len(set(tf.__all__))
    assert all(hasattr(tf, name) for name in tf.__all__)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_name_that_a_part_promises_is_there(module):
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("module", [tf, *MODULES], ids=lambda module: module.__name__)
def test_every_function_says_what_it_is(module):
    functions = [
        getattr(module, name) for name in module.__all__ if inspect.isfunction(getattr(module, name))
    ]
    assert [function.__name__ for function in functions if not function.__doc__] == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("keras", "`tf.keras` is not here: Keras is a library of its own"),
        ("GradientTape", "there are no gradients"),
        ("no_such_name", "docs/tensorflow-names.md lists the names that are"),
    ],
)
def test_what_is_not_here_says_where_to_go(name, told):
    assert not hasattr(tf, name)
    with pytest.raises(AttributeError, match=told):
        getattr(tf, name)


def test_importing_it_sets_how_tensors_print():
    assert str(tf.constant(1)) == str(rt.asarray(1, dtype=rt.int32)) == "tf.Tensor(1, shape=(), dtype=int32)"


def test_classes_and_errors_are_those_of_the_runtime():
    assert tf.Tensor is rt.Tensor
    assert issubclass(tf.TensorSpec, rt.TensorSpec)
    assert tf.TensorSpec([None], tf.int32) == rt.TensorSpec((None,), rt.int32)
    assert rt.TensorSpec((None,), rt.int32) == tf.TensorSpec([None], tf.int32)
    assert tf.float32 is rt.float32
    assert issubclass(rt.errors.InvalidArgument, tf.errors.InvalidArgumentError)
    assert issubclass(tf.Variable, rt.Variable)


def test_the_default_dtypes_of_numpy_stay_outside_of_it():
    tf.constant(1)
    assert rt.asarray(1).dtype == rt.int64
    assert rt.asarray(1.0).dtype == rt.float64
