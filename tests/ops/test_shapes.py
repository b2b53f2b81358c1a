"""Shapes made of tensors: what of them is known before the run."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.shapes import match, written
from runtime.errors import ShapeError
from runtime.functions.polymorphic import PolymorphicFunction

X = np.arange(24.0).reshape(2, 3, 4)


def shape_of(function, shape=(None, 3, 4), array=X):
    """The shape that is inferred, None for lengths that are not numbers; what comes of the run has it."""
    seen = []

    def traced(x):
        result = function(x)
        seen.append(result.static_shape)
        return result

    run = PolymorphicFunction(traced, input_signature=[rt.TensorSpec(shape, rt.float64)])
    result = run(array)
    assert match([seen[0]], [result.shape]) is not None
    np.testing.assert_array_equal(np.asarray(result), np.asarray(function(rt.asarray(array))))
    return written(seen[0])


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (lambda x: rt.reshape(x, (rt.shape(x)[0], -1)), (None, 12)),
        (lambda x: rt.reshape(x, (-1, rt.shape(x)[1])), (None, 3)),
        (lambda x: rt.reshape(x, (rt.shape(x)[0], 2, -1)), (None, 2, 6)),
        (lambda x: rt.reshape(x, (-1, rt.shape(x)[0])), (12, None)),
        (lambda x: rt.reshape(x, (-1, rt.astype(rt.shape(x)[0], rt.int32))), (12, None)),
        (lambda x: rt.reshape(x, rt.concat([rt.shape(x)[:-1], [-1]])), (None, 3, 4)),
        (lambda x: rt.reshape(x, (rt.shape(x)[0] * 3, -1)), (None, 4)),
        (lambda x: rt.reshape(x, rt.shape(x)), (None, 3, 4)),
        (lambda x: rt.zeros((rt.shape(x)[0], rt.shape(x)[-1])), (None, 4)),
        (lambda x: rt.zeros(rt.shape(x)[1]), (3,)),
        (lambda x: rt.zeros(rt.shape(x)[1:]), (3, 4)),
        (lambda x: rt.zeros(rt.shape(x)), (None, 3, 4)),
        (lambda x: rt.broadcast_to(x[:1], rt.shape(x)), (None, 3, 4)),
        (lambda x: rt.stack(rt.split(x, 2)), (2, None, 3, 4)),
    ],
)
def test_what_a_shape_says_of_itself_is_known(function, shape):
    assert shape_of(function) == shape


def test_two_unknown_lengths_leave_nothing_over():
    both = (None, None, 4)
    assert shape_of(lambda x: rt.reshape(x, (rt.shape(x)[1], -1, rt.shape(x)[0])), both) == (
        None,
        4,
        None,
    )
    assert shape_of(lambda x: rt.reshape(x, (rt.shape(x)[0], -1)), both) == (None, None)


def test_lengths_of_another_tensor_say_nothing():
    def function(x):
        other = x[:1]
        return rt.reshape(x, (rt.shape(other)[0], -1))

    assert shape_of(function)[1] in {None, 24}


def test_equal_parts_of_an_unknown_length_are_looked_at_in_the_run(staged):
    assert [part.tolist() for part in staged(lambda x: rt.split(x, 2), np.arange(4))] == [[0, 1], [2, 3]]
    with pytest.raises(ShapeError, match="axis 0, of length 5, has no 2 equal parts"):
        staged(lambda x: rt.split(x, 2), np.arange(5))
    with pytest.raises(ShapeError, match="has no 0 equal parts"):
        staged(lambda x: rt.split(x, 0), np.arange(5))
