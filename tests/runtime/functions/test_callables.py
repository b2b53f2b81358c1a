"""What may become a graph, and what is told so where it is decorated."""

import functools

import numpy as np
import pytest

import runtime as rt
from runtime.errors import NotAFunction, SignatureError
from runtime.functions.polymorphic import PolymorphicFunction


class Doubling:
    def __call__(self, x):
        return x + x

    def items(self, x):
        yield x

    @classmethod
    def made(cls, x):
        return x


class Items:
    def __call__(self, x):
        yield x


async def waits(x):
    return x


@pytest.mark.parametrize("function", [Doubling(), Doubling.made, functools.partial(Doubling()), abs])
def test_functions_methods_and_objects_to_call_become_graphs(function):
    PolymorphicFunction(function)(rt.asarray(1))


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (Doubling, "`Doubling` is a class"),
        (3, "3 cannot be called"),
        (vars(Doubling)["made"], "`made` is a classmethod already"),
        (staticmethod(abs), "`abs` is a staticmethod already"),
        (property(waits), "`waits` is a property already"),
        (waits, "`waits` is an async function"),
        (functools.partial(waits, 1), "is an async function"),
        (Doubling().items, "`items` is a generator function"),
        (Items(), "is a generator function"),
        (max, "`max` does not say which arguments it takes"),
    ],
)
def test_other_callables_are_refused_where_they_are_decorated(function, what):
    with pytest.raises(NotAFunction, match=what):
        PolymorphicFunction(function)


def test_an_input_signature_speaks_of_every_parameter_without_a_default():
    spec = rt.TensorSpec(())
    PolymorphicFunction(lambda x, y=1, *rest, z=2, **more: x, input_signature=[spec])
    with pytest.raises(SignatureError, match="says nothing of `y` and `z`"):
        PolymorphicFunction(lambda x, y, *, z: x, input_signature=[spec])


def test_a_wrapper_takes_its_own_arguments_not_those_of_what_it_is_named_after():
    def scaled(scale, x):
        return scale * x

    @functools.wraps(scaled)
    def doubled(x):
        return scaled(2.0, x)

    assert PolymorphicFunction(doubled)(rt.asarray(3.0)).numpy() == 6.0


def test_a_cached_function_takes_the_arguments_of_the_function_behind():
    @functools.cache
    def doubled(x):
        return 2 * x

    assert PolymorphicFunction(doubled)(x=3) == 6


def test_a_function_of_c_is_called_with_what_is_given_alone():
    """`np.sin` has defaults in its signature that it refuses when they are given."""
    assert PolymorphicFunction(np.sin)(np.float64(0.0)) == 0
    assert PolymorphicFunction(np.add)(np.float64(1.0), 2.0) == 3
