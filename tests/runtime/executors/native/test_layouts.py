"""What is known of where the elements of NumPy's arrays lie."""

import numpy as np
import pytest

import runtime as rt
from runtime.executors.native.layouts import Layouts
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.ops import core
from runtime.passes.decompose import decompose


def layouts_of(function, *shapes):
    """The layouts of what a function of arrays gives, and these values."""
    specs = [rt.TensorSpec(shape, "float64") for shape in shapes]
    concrete = PolymorphicFunction(function).get_concrete_function(*specs)
    module = concrete.module.mapped(decompose)
    return Layouts(module), module.entry.outputs


IN_ORDER = [
    lambda x: x + 1.0,
    lambda x: x[1:],
    lambda x: x[2],
    lambda x: x[1:3][0],
    lambda x: x[:, ::2] * 2.0,
    lambda x: x[:, None, :] + x,
    lambda x: rt.sum(x, axis=0),
    lambda x: x @ rt.permute_dims(x, (1, 0)),
    lambda x: rt.reshape(x, (-1,)),
    lambda x: rt.concat([x, x]),
    lambda x: x[:, 1] + 1.0,
]
PARTS = [lambda x: x[:, 1:], lambda x: x[::2], lambda x: x[:, 1], lambda x: x[:, None, 1:]]
UNKNOWN = [
    lambda x: rt.permute_dims(x, (1, 0)),
    lambda x: rt.permute_dims(x, (1, 0)) + 1.0,
    lambda x: x[::-1],
    lambda x: x[::-1] * 2.0,
    lambda x: rt.take(x, rt.asarray([1, 0]), axis=1),
    lambda x: rt.einsum("ij,kj->ik", x, x),
]


@pytest.mark.parametrize("function", IN_ORDER)
def test_what_is_new_lies_in_order_and_so_do_rows_of_it(function):
    layouts, (found,) = layouts_of(function, (4, 6))
    assert layouts.lies_in_order(found)
    assert function(rt.asarray(np.ones((4, 6)))).numpy().flags.c_contiguous


@pytest.mark.parametrize("function", PARTS)
def test_parts_come_in_their_order_with_gaps(function):
    layouts, (found,) = layouts_of(function, (4, 6))
    assert layouts.lies_upward(found)
    assert not layouts.lies_in_order(found)


@pytest.mark.parametrize("function", UNKNOWN)
def test_of_what_is_turned_nothing_is_taken_for_known(function):
    layouts, (found,) = layouts_of(function, (4, 6))
    assert not layouts.lies_upward(found)


def test_a_part_is_seen_from_the_largest_array_around():
    layouts, (found,) = layouts_of(lambda x: rt.permute_dims(x[1], (1, 0)), (3, 4, 6))
    (whole, maps), *_ = layouts.seen_from(found)
    assert whole.shape == (3, 4, 6)
    assert all(isinstance(node.op, core.AffineMap) for node in maps)


def test_arguments_and_new_arrays_are_told_apart():
    layouts, (one, other, same) = layouts_of(lambda x, y: (x, y + 1.0, x), (3, 3), (3, 3))
    assert layouts.are_told_apart(one, other)
    assert layouts.are_told_apart(one, same)


def test_what_one_of_two_arrays_may_be_is_told_apart_from_neither():
    def chosen(x, y):
        return rt.cond(rt.sum(x) > 0, lambda: x, lambda: y), x, x + y

    layouts, (one, x, other) = layouts_of(chosen, (3, 3), (3, 3))
    assert not layouts.are_told_apart(one, x)
    assert layouts.are_told_apart(one, other)
