"""Tensors of two dtypes in one operation."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x, y):
    return x + y


f(rt.asarray(3), rt.asarray(0.5))

# works
@ag.function
def f(x, y):
    return x + y


assert f(rt.asarray(3), rt.asarray(0.5)) == 3.5
