"""The array of a tensor in a graph."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def f(x):
    return x.numpy() * 2


f(rt.asarray(3))

# works
@ag.function
def f(x):
    return x * 2


f(rt.asarray(3)).numpy()
