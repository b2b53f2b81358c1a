"""A large table that a function makes."""

import numpy as np

import autograph as ag
import runtime as rt


@ag.function
def constant(x):
    table = np.zeros((1000, 1000))
    return x + table


@ag.function
def passed(x, table):
    return x + table


# fails
constant(rt.asarray(1.0))

# works
passed(rt.asarray(1.0), np.zeros((1000, 1000)))
