"""A shape that the signature does not allow."""

import autograph as ag
import runtime as rt


@ag.function(input_signature=[rt.TensorSpec((None,), rt.float64)])
def total(x):
    return rt.sum(x)

# fails
total(rt.ones((2, 2)))

# works
total(rt.reshape(rt.ones((2, 2)), (-1,)))
