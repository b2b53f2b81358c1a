"""What is found under TensorFlow's names, and what is not."""

import inspect
import re
import sys
import types
from functools import reduce
from pathlib import Path

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
        ("losses", "Keras has them"),
        ("data.TFRecordDataset", "`tf.data.TFRecordDataset` is not here: `tf.data.Dataset.from_generator`"),
        ("nn.no_such_name", "`tf.nn.no_such_name` is not here: docs/tensorflow-names.md"),
        ("no_such_name", "docs/tensorflow-names.md lists the names that are"),
    ],
)
def test_what_is_not_here_says_where_to_go(name, told):
    with pytest.raises(AttributeError, match=told) as caught:
        reduce(getattr, name.split("."), tf)
    assert inspect.ismodule(caught.value.obj), "which Python looks for the name in that was meant"


SAMPLES = Path(__file__).parents[2] / "golden" / "tensorflow"
NAME = re.compile(r"\btf\.((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)")


def names_here():
    """The names that programs for TensorFlow say and that are here."""
    lines = (SAMPLES / "usage.tsv").read_text("utf-8").splitlines()
    for name in (line.partition("\t")[0] for line in lines):
        is_private = any(part.startswith("_") for part in name.split("."))
        if not is_private and reduce(lambda thing, part: getattr(thing, part, None), name.split("."), tf):
            yield name


def test_every_name_is_in_a_sample_that_tensorflow_runs_too():
    """A function by its full name; a method by its own, in whatever a program has in hand."""
    files = [file for file in SAMPLES.rglob("*") if file.suffix in {".cases", ".py", ".txt"}]
    text = "\n".join(file.read_text("utf-8") for file in files)
    said = {name + "." for name in NAME.findall(text)}
    members = set(re.findall(r"\.([A-Za-z_]\w*)", text))

    def is_said(name):
        owner, _, last = name.rpartition(".")
        holder = reduce(getattr, filter(None, owner.split(".")), tf)
        is_member = inspect.isclass(holder) and last in members
        return is_member or any(each.startswith(f"{name}.") for each in said)

    names = [*names_here()]
    assert len(names) > 600
    assert [name for name in names if not is_said(name)] == []


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
