"""A function of Python's that gives an int where a float was promised of it."""

import numpy as np

import autograph as ag
import runtime as rt


def nearest(x):
    return np.rint(x).astype(int)


# fails
@ag.function
def f(x):
    return ag.host_call(nearest, x, result=rt.TensorSpec((2,), rt.float64))


f(rt.asarray([0.4, 0.6]))


# works
@ag.function
def f(x):
    return ag.host_call(nearest, x, result=rt.TensorSpec((2,), rt.int64))


f(rt.asarray([0.4, 0.6]))
