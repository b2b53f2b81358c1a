"""Functions that are methods: what they show of themselves."""

import runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __repr__(self):
        return f"Scale({self.factor})"

    @PolymorphicFunction
    def of(self, x):
        return x * self.factor


def test_a_bound_function_says_what_it_is_and_of_which_object():
    assert repr(Scale(2).of) == "<bound PolymorphicFunction of(self, x), 0 graphs of Scale(2)>"


def test_a_bound_function_lists_what_it_can_do():
    assert {"get_concrete_function", "explain_retraces", "concrete_functions", "__self__"} <= {
        *dir(Scale(2).of)
    }


def test_a_bound_function_counts_the_graphs_of_its_function():
    scale = Scale(2)
    assert int(scale.of(rt.asarray(3))) == 6
    assert scale.of.experimental_get_tracing_count() == 1
    assert scale.of == scale.of
    assert scale.of != Scale(2).of
