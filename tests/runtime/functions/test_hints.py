"""Errors of Python's own that a length unknown to the trace may have caused say so in a note."""

import pytest

import runtime as rt
from runtime.core.dtypes import NUMPY_DEFAULTS
from runtime.functions.polymorphic import PolymorphicFunction

VECTOR = rt.TensorSpec((None,), rt.float64)


class WithNone(rt.Tensor):
    """A tensor of a namespace whose shapes have None for what only a run knows."""

    shown = tuple


def notes_of(function, *arguments):
    shapes_with_none = NUMPY_DEFAULTS._replace(tensors=WithNone)  # as in functions of TensorFlow's
    with pytest.raises(TypeError) as caught:
        PolymorphicFunction(function, defaults=shapes_with_none).get_concrete_function(*arguments)
    return getattr(caught.value, "__notes__", [])


def test_arithmetic_with_an_unknown_length_points_to_the_function_for_shapes():
    def f(x):
        n = x.shape[0]
        return x / (n - 1)

    (note,) = notes_of(f, VECTOR)
    assert "the graph `f` is traced for f64[x.0]" in note
    assert "`rt.shape(x)`" in note


def test_arithmetic_with_an_unknown_number_of_elements_points_to_the_function_for_it():
    (note,) = notes_of(lambda x: x / (x.size - 1), VECTOR)
    assert "`rt.size(x)`" in note


def test_a_none_of_another_origin_is_left_alone():
    def f(x):
        scale = None
        return x * (scale + 1)

    assert notes_of(f, VECTOR) == []


def test_a_known_length_has_nothing_to_explain():
    def f(x):
        scale = None if x.shape else 1
        return x * (scale + 1)

    assert notes_of(f, rt.TensorSpec((3,), rt.float64)) == []
