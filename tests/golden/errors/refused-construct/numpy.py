"""A function of NumPy on a tensor."""

import numpy as np

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    return np.sqrt(x)


f(rt.asarray(9.0))

# works
@ag.function
def f(x):
    return np.sqrt(x)


assert f(rt.asarray(9.0)) == 3.0
