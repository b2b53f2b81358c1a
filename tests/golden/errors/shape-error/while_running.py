"""Shapes that only a run knows."""

import autograph as ag
import runtime as rt


@ag.function(input_signature=[rt.TensorSpec((None,), rt.float64), rt.TensorSpec((None,), rt.float64)])
def dot(x, y):
    return rt.sum(x * y)

# fails
dot(rt.ones(2), rt.ones(3))

# works
dot(rt.ones(3), rt.ones(3))
