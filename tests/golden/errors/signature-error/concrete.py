"""A concrete function with other shapes."""

import autograph as ag
import runtime as rt


@ag.function
def total(x):
    return rt.sum(x)


of_two = total.get_concrete_function(rt.TensorSpec((2,), rt.float64))

# fails
of_two(rt.ones(3))

# works
total(rt.ones(3))
